// Banners with a notebook's origin and state. Above a notebook that is not the site's own is where
// it came from; below an edited one, the way back to the original. A banner that appears while
// someone types goes below: nothing may move under the caret.

import type { Workspace } from "../../state/notebook/workspace";
import { h } from "../ui/dom";

export function originBanner(workspace: Workspace): HTMLElement {
  const element = h("div", { class: "banner", hidden: true });
  workspace.events.subscribe(({ type }) => {
    if (type !== "opened") return;
    const { origin } = workspace;
    const file = origin.kind === "own" ? origin.file : null;
    element.hidden = origin.kind !== "link" && file === null;
    element.classList.toggle("foreign", origin.kind === "link");
    if (origin.kind === "link") {
      const from = origin.from === undefined ? "This notebook came with a link." : `This notebook came from ${new URL(origin.from).host}.`;
      element.replaceChildren(h("p", {}, h("b", {}, from), " Its author, not this site, wrote its code and any outputs that it shows. Nothing runs until you run it, and it cannot reach the network or anything saved in this browser."));
    }
    if (file !== null) element.replaceChildren(h("p", {}, h("b", {}, h("bdi", {}, file)), " was opened from your computer. Edits are saved in this browser, not in the file."));
  });
  return element;
}

export function editedNote(workspace: Workspace, reset: () => void): HTMLElement {
  const button = h("button", { class: "plain-button small", type: "button", onclick: reset }, "Reset to original");
  const element = h("div", { class: "banner edited", hidden: true }, h("p", {}, "You have edited this notebook. Edits are saved in this browser."), button);
  // Not at every key: to compare takes as long as the notebook is.
  workspace.events.subscribe(({ type }) => type !== "typed" && (element.hidden = !workspace.hasOriginal || !workspace.edited));
  return element;
}

/** Another tab has the notebook, or wrote it, or it has changed where it came from: what is shown,
 * and what else there is. */
export function rivalBanner(workspace: Workspace): { element: HTMLElement; elsewhere(open: boolean): void } {
  const element = h("div", { class: "banner rival", role: "status", hidden: true });
  let open = false;
  const choice = (label: string, which: "shown" | "rival") => h("button", { class: "plain-button small", type: "button", onclick: () => workspace.choose(which) }, label);
  const show = () => {
    const { rival, origin } = workspace;
    const say = (head: string, text: string, ...buttons: HTMLElement[]) => element.replaceChildren(h("p", {}, h("b", {}, head), ` ${text}`), h("div", { class: "banner-choice" }, ...buttons));
    element.hidden = rival === null && !open;
    if (rival === "tab") say("Another tab has changed this notebook.", "Your edits here are not saved until you choose.", choice("Keep this version", "shown"), choice("Show the other tab's version", "rival"));
    else if (rival === "source") {
      const what = origin.kind === "own" && origin.file !== null ? `${origin.file} has changed` : "This notebook has changed";
      say(`${what} since you edited it.`, "You see your edits of the older version.", choice("Keep my edits", "shown"), choice("Show the new version", "rival"));
    } else if (open) say("This notebook is open in another tab too.", "Edit in one of them. If you edit in both, you will be asked which to keep.");
  };
  workspace.events.subscribe(({ type }) => type === "rival" && show());
  const elsewhere = (now: boolean) => {
    open = now;
    show();
  };
  return { element, elsewhere };
}
