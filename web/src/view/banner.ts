// Whose code is this? Above a notebook that is not the site's own, or not as it was, a line that says so.

import type { Workspace } from "../state/workspace";
import { h } from "./dom";

export class Banner {
  readonly element = h("div", { class: "banner", hidden: true });

  constructor(
    private readonly workspace: Workspace,
    private readonly reset: () => void,
  ) {
    workspace.events.subscribe(() => this.show());
  }

  private show(): void {
    const { origin, edited } = this.workspace;
    const back = edited && h("button", { class: "plain-button small", type: "button", onclick: this.reset }, origin.kind === "link" ? "Back to the linked text" : "Reset to original");
    const text =
      origin.kind === "link"
        ? h("p", {}, h("b", {}, "This notebook came with a link."), " Its code is by whoever made the link, not by this site. Nothing runs until you run it; it can reach neither the network nor anything you keep in this browser.")
        : origin.kind === "file"
          ? h("p", {}, h("b", {}, origin.file), " was opened from your computer.", edited && " Edits are kept in this browser.")
          : h("p", {}, "You have edited this notebook. Edits are kept in this browser.");
    this.element.classList.toggle("foreign", origin.kind === "link");
    this.element.hidden = origin.kind === "gallery" && !edited;
    this.element.replaceChildren(text, ...(back ? [back] : []));
  }
}
