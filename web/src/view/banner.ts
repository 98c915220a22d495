// Whose code is this, and is it as it was? Above a notebook that is not the site's own stands where it came from; below
// one that was edited, the way back. What appears while someone types stands below: nothing may move under the caret.

import type { Workspace } from "../state/workspace";
import { h } from "./dom";

export function originBanner(workspace: Workspace): HTMLElement {
  const element = h("div", { class: "banner", hidden: true });
  workspace.events.subscribe(({ type }) => {
    if (type !== "opened") return;
    const { origin } = workspace;
    element.hidden = origin.kind === "gallery";
    element.classList.toggle("foreign", origin.kind === "link");
    if (origin.kind === "link")
      element.replaceChildren(h("p", {}, h("b", {}, "This notebook came with a link."), " Its code is by whoever made the link, not by this site. Nothing runs until you run it; it can reach neither the network nor anything you keep in this browser."));
    if (origin.kind === "file") element.replaceChildren(h("p", {}, h("b", {}, origin.file), " was opened from your computer. Edits are kept in this browser, not in the file."));
  });
  return element;
}

export function editedNote(workspace: Workspace, reset: () => void): HTMLElement {
  const button = h("button", { class: "plain-button small", type: "button", onclick: reset }, "Reset to original");
  const element = h("div", { class: "banner edited", hidden: true }, h("p", {}, "You have edited this notebook. Edits are kept in this browser."), button);
  workspace.events.subscribe(() => (element.hidden = !workspace.edited));
  return element;
}
