// Consent dialogs for what leads out of the sandbox. Their words are the page's own; what a
// notebook says is quoted. A dialog takes no answer in its first moments: it may open under a click
// or a key that was meant for something else.

import { h } from "../ui/dom";
import type { Child } from "../ui/dom";
import { openDialog } from "../ui/menu";

const MOMENT = 500;

export interface AccessRequest {
  /** The number of the cell that asks; 0 where it is not known. */
  readonly cell: number;
  /** What the notebook gives as its reason. */
  readonly why: string;
  /** Whether somebody else wrote the notebook. */
  readonly foreign: boolean;
}

let open: HTMLDialogElement | null = null;

/** Closes the question that is open, as refused: who asked is gone. */
export const withdraw = (): void => open?.close("");

/** Asks the reader to agree to something; the last button, `refuse`, has the value "". */
export async function askReader(title: string, body: readonly Child[], buttons: readonly { label: string; value: string }[], refuse = "Don't allow"): Promise<string> {
  const answer = openDialog(title, body, [...buttons, { label: refuse, value: "" }]);
  const dialog = document.body.lastElementChild as HTMLDialogElement;
  open = dialog;
  const choices = [...dialog.querySelectorAll("button")];
  dialog.tabIndex = -1;
  dialog.focus();
  for (const choice of choices) choice.disabled = true;
  const timer = setTimeout(() => {
    for (const choice of choices) choice.disabled = false;
    if (document.activeElement === dialog) choices.at(-1)?.focus();
  }, MOMENT);
  const chosen = await answer;
  clearTimeout(timer);
  if (open === dialog) open = null;
  return chosen;
}

function reason({ cell, why, foreign }: AccessRequest): Child[] {
  const who = cell > 0 ? `Cell ${cell} asks for it` : "A cell asks for it";
  const quoted = why.trim() !== "" && h("p", {}, document.createTextNode("The notebook says: "), h("q", { dir: "auto" }, why));
  return [h("p", {}, `${who}${foreign ? ". Somebody else wrote this notebook: it came with a link." : "."}`), quoted];
}

/** Null where the reader refuses. `canKeep`: the answer can be remembered for the notebook. */
export async function askForHost(host: string, canKeep: boolean, request: AccessRequest): Promise<"visit" | "notebook" | null> {
  const buttons = [{ label: "Allow this time", value: "visit" }, ...(canKeep ? [{ label: "Allow for this notebook", value: "notebook" }] : [])];
  const chosen = await askReader(`Let this notebook reach ${host}?`, [
    ...reason(request),
    h("p", {}, "This page then fetches files from ", h("code", { class: "host-name" }, host), " for the notebook, without cookies and without saying which page asks. With what it asks for, the notebook can send that host anything it knows, your files included."),
    h("p", {}, "The device menu lists what you allowed, and can revoke it."),
  ], buttons);
  return chosen === "visit" || chosen === "notebook" ? chosen : null;
}

export async function askForDevice(kind: "camera" | "microphone", request: AccessRequest): Promise<boolean> {
  const what = kind === "camera" ? "The camera's pictures" : "The microphone's sound";
  const chosen = await askReader(`Let this notebook use the ${kind}?`, [
    ...reason(request),
    h("p", {}, `${what} go to this notebook's cells in this browser, and nowhere else: from now on the notebook reaches no host until you restart it.`),
    h("p", {}, `While the ${kind} is on, the top of the page says so, with a button that stops it. Your browser may ask you too.`),
  ], [{ label: `Use the ${kind}`, value: "use" }]);
  return chosen === "use";
}
