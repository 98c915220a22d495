// Place of a value that can be opened. What draws the tree comes with the first one; until then its
// text is shown.

import type { ContentOutput } from "../../state/outputs/outputs";
import { explained } from "../ui/about";
import { h } from "../ui/dom";
import type { OutputView } from "./view";

export function treeView(output: ContentOutput): OutputView {
  const text = () => (output.content.kind === "value" ? output.content.text : "");
  const element = h("div", { class: "output" }, h("pre", { class: "text value" }, text()));
  const help = explained(element, "Value", "tree");
  let opened: ReadonlyMap<string, boolean> = new Map();
  let read = () => opened;
  const draw = () =>
    void import("../tree/tree").then(
      ({ drawTree }) => {
        const { content } = output;
        if (content.kind !== "value" || !content.tree) return;
        const tree = drawTree(content.tree, opened);
        read = () => tree.opened;
        element.replaceChildren(tree.element, ...help);
      },
      // Where it does not come, the text is what there is.
      () => element.replaceChildren(h("pre", { class: "text value" }, text())),
    );
  draw();
  return {
    element,
    update: () => {
      opened = read();
      draw();
    },
    opened: () => read(),
    reopen: (before) => (opened = before),
  };
}
