// View of a prediction: the most probable label, large, and a bar with its percentage for each
// label. The view is made once and changed in place while the reader draws. A screen reader hears
// it when the hand rests.

import { asName } from "../../state/prose/bidi";
import { percent } from "../../state/figure";
import { h, setAttribute } from "../ui/dom";

/** Milliseconds without a change after which the reading is said. */
const REST = 900;

export interface ReadingView {
  readonly element: HTMLElement;
  /** A share for each label; null while nothing is drawn. */
  show(shares: readonly number[] | null): void;
}

export function readingView(labels: readonly string[]): ReadingView {
  const numeral = h("div", { class: "reading-numeral", "aria-hidden": "true" });
  const sure = h("div", { class: "reading-sure", "aria-hidden": "true" });
  const bars = labels.map((label) => {
    const fill = h("span", { class: "reading-fill" });
    const value = h("span", { class: "reading-value" });
    const row = h("li", {}, h("span", { class: "reading-label" }, label), h("span", { class: "reading-bar", "aria-hidden": "true" }, fill), value);
    return { row, fill, value };
  });
  const said = h("div", { class: "visually-hidden", role: "status" });
  // The list is there to be read; what changes in it many times a second is not called out.
  const list = h("ul", { class: "reading-bars", "aria-label": "How likely each is", "aria-live": "off" }, ...bars.map(({ row }) => row));
  const element = h("div", { class: "reading", "aria-live": "off" }, h("div", { class: "reading-best" }, numeral, sure), list, said);
  let rest: ReturnType<typeof setTimeout> | undefined;

  const show = (shares: readonly number[] | null) => {
    const best = shares ? shares.indexOf(Math.max(...shares)) : -1;
    const text = asName(labels[best] ?? "?");
    numeral.textContent = text;
    numeral.classList.toggle("long", text.length > 2);
    sure.textContent = shares ? percent(shares[best] ?? 0) : "draw";
    element.classList.toggle("empty", best < 0);
    bars.forEach(({ row, fill, value }, i) => {
      const share = shares?.[i] ?? 0;
      fill.style.transform = `scaleX(${share})`;
      value.textContent = percent(share);
      setAttribute(row, "class", i === best ? "best" : "");
    });
    clearTimeout(rest);
    rest = setTimeout(() => (said.textContent = best < 0 ? "" : `Read as ${text}, ${percent(shares?.[best] ?? 0)}`), REST);
  };
  return { element, show };
}
