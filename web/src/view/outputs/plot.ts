// Place of a plot. What draws it comes with the first plot, so a page without plots does not fetch
// it; until then, and out of view, the place has about the height that the plot will have.

import type { ContentOutput } from "../../state/outputs/outputs";
import { plotText } from "../../state/plots/text";
import { h } from "../ui/dom";
import { whenNear } from "../ui/near";
import type { OutputView } from "./view";

export function plotView(output: ContentOutput): OutputView {
  const element = h("figure", { class: "output plot-figure waiting" });
  let draw: (() => void) | null = null;
  const fail = () => {
    const { content } = output;
    const again = h("button", { class: "plain-button small", type: "button", onclick: () => load() }, "Try again");
    element.replaceChildren(h("p", { class: "note" }, `This plot could not be drawn, because a part of the page could not be fetched. ${content.kind === "plot" ? plotText(content) : ""}`), again);
  };
  const load = () =>
    void import("../plots/plot").then(({ showPlot }) => {
      element.classList.remove("waiting");
      draw = showPlot(element, () => (output.content.kind === "plot" ? output.content : null));
    }, fail);
  whenNear(element, load);
  return { element, update: () => draw?.() };
}
