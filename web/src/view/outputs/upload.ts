// View of an upload: a button that opens the browser's chooser, and a place to drop a file on.

import type { Choice } from "../../protocol/messages";
import { h } from "../ui/dom";
import type { OutputActions } from "./view";

/** The event by which files that are dropped reach the control that they fall on. */
export const FILES = "weft-files";
/** What marks the control. */
export const TAKES_FILES = "data-takes-files";

/** What stands beside the button while there is no file; fingers drop none. */
function invitation(otherwise: boolean): string {
  const drop = matchMedia("(any-pointer: fine)").matches ? "or drop one on the button" : "";
  return [drop, otherwise ? `${drop === "" ? "U" : "u"}ntil then, the notebook’s own` : ""].filter((part) => part !== "").join("; ");
}

export function uploadParts(label: string, { accept, otherwise }: Extract<Choice, { type: "upload" }>, bring: OutputActions["bring"], choose: (name: string) => void): { parts: HTMLElement[]; show: (choice: Choice) => void } {
  const said = h("span", { class: "upload-name", role: "status" });
  const take = (given: File | undefined) => {
    if (!given) return;
    said.textContent = "Reading…";
    bring(given).then(choose, (error: unknown) => (said.textContent = error instanceof Error ? error.message : "The file could not be read."));
  };
  const input = h("input", { type: "file", accept: accept === "" ? null : accept, hidden: true, "aria-label": label, onchange: () => (take(input.files?.[0]), (input.value = "")) });
  const text = h("span", {}, "Choose a file…");
  const button = h("button", { class: "plain-button", type: "button", "aria-label": `${label}: choose a file`, [TAKES_FILES]: true, onclick: () => input.click() }, text);
  button.addEventListener(FILES, (event) => take((event as CustomEvent<readonly File[]>).detail[0]));
  return {
    parts: [h("b", { dir: "auto" }, label), button, input, said],
    show: (now) => {
      if (now.type !== "upload") return;
      said.replaceChildren(now.value === "" ? invitation(otherwise) : h("bdi", {}, now.value));
      text.textContent = now.value === "" ? "Choose a file…" : "Choose another…";
    },
  };
}
