// Dialog with a notebook's history: its versions, what going back to one of them would change, and
// the ways back.

import { differenceOf } from "../../state/notebook/history";
import type { DiffLine } from "../../state/notebook/history";
import type { Version } from "../../state/notebook/records";
import { ago } from "../../state/notebook/search";
import { withControlsShown } from "../../state/prose/bidi";
import { h } from "../ui/dom";
import { openDialog } from "../ui/menu";

/** Lines of a difference that are shown. */
const SHOWN = 1_000;
const WHY: Record<Version["why"], string> = { run: "before a run", pause: "after a pause", opened: "as it was opened", replaced: "before it was replaced" };
const MARKS = { same: " ", gone: "−", new: "+" } as const;

function lineOf(line: DiffLine): HTMLElement {
  if (line.kind === "gap") return h("div", { class: "diff-gap" }, `${line.lines} unchanged ${line.lines === 1 ? "line" : "lines"}`);
  const words = { same: null, gone: "removed: ", new: "restored: " }[line.kind];
  return h("div", { class: `diff-line ${line.kind}` }, h("span", { class: "diff-mark", "aria-hidden": "true" }, MARKS[line.kind]), words && h("span", { class: "visually-hidden" }, words), h("span", {}, new Text(withControlsShown(line.text))));
}

const lines = (count: number) => `${count.toLocaleString("en")} ${count === 1 ? "line" : "lines"}`;

/** `now` is the text as it is; the choice that the reader makes, or null. */
export async function askForVersion(title: string, versions: readonly Version[], now: string): Promise<{ version: Version; as: "restore" | "copy" } | null> {
  const close = { label: "Close", value: "" };
  const earlier = versions.filter(({ text }) => text !== now).reverse();
  if (earlier.length === 0) {
    await openDialog(`History of “${title}”`, [h("p", {}, "There are no earlier versions yet. One is kept with every run and every pause of typing.")], [{ ...close, primary: true }]);
    return null;
  }
  let chosen = earlier[0]!;
  const said = h("p", { class: "diff-head", role: "status" });
  const difference = h("div", { class: "diff", tabindex: 0, role: "group", "aria-label": "What restoring this version changes" });
  const time = Date.now();
  const buttons = earlier.map((version) => {
    const date = new Date(version.at);
    return h("button", { type: "button", class: "version", onclick: () => choose(version) }, h("time", { datetime: date.toISOString() }, date.toLocaleString("en", { dateStyle: "medium", timeStyle: "short" })), h("span", {}, `${ago(version.at, time)}, ${WHY[version.why]}`));
  });
  const choose = (version: Version) => {
    chosen = version;
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(earlier[i] === version)));
    const { lines: found, gone, added } = differenceOf(now, version.text);
    said.textContent = `Restoring this version removes ${lines(gone)} and brings back ${lines(added)}.`;
    const more = found.length > SHOWN && h("div", { class: "diff-gap" }, `${lines(found.length - SHOWN)} more`);
    difference.replaceChildren(...found.slice(0, SHOWN).map(lineOf), ...(more ? [more] : []));
    difference.scrollTop = 0;
  };
  const list = h("div", { class: "versions", role: "group", "aria-label": "Versions" }, ...buttons);
  list.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (step === 0 || at < 0) return;
    event.preventDefault();
    const next = Math.min(buttons.length - 1, Math.max(0, at + step));
    buttons[next]!.focus();
    choose(earlier[next]!);
  });
  choose(chosen);
  const answer = openDialog(`History of “${title}”`, [h("div", { class: "history" }, list, h("div", { class: "history-side" }, said, difference))], [{ label: "Restore this version", value: "restore", primary: true }, { label: "Open as a copy", value: "copy" }, close], "A version is kept with every run and every pause of typing, in this browser only. Lines with − would be removed, lines with + would come back. Undo reverts a restored version.");
  buttons[0]!.focus();
  const as = await answer;
  return as === "restore" || as === "copy" ? { version: chosen, as } : null;
}
