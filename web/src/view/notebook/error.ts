// View of an error: the message in a sentence, the cell and line, and the functions that led there.

import type { CellError, CellLocation } from "../../state/code/errors";
import { h } from "../ui/dom";

export interface ErrorActions {
  numberOf(id: string): number;
  goTo(id: string, line: number, column: number): void;
  /** What mends the error, where one click can. */
  remedy(error: CellError, id: string): { label: string; run(): void } | null;
}

export function errorView(error: CellError, cell: string, actions: ErrorActions): HTMLElement {
  const place = ({ cell: at, line, column }: CellLocation) => {
    const number = actions.numberOf(at);
    const label = number === 0 ? `a deleted cell, line ${line}` : `cell ${number}, line ${line}`;
    return h("button", { class: "place", type: "button", onclick: () => actions.goTo(at, line, column) }, label);
  };
  const { name, message, location, trace } = error;
  const where = location ? place(location) : h("span", { class: "note" }, `cell ${actions.numberOf(cell)}`);
  // The line of this cell from which it came, where the error lies in a function of another line or
  // cell.
  const last = trace.length > 1 ? trace.at(-1) : undefined;
  const outer = last?.cell === location?.cell && last?.line === location?.line ? undefined : last;
  const from = outer && h("span", { class: "note" }, "called from ", place(outer));
  const through = trace.length > 2 && h(
    "details",
    {},
    h("summary", {}, "All callers"),
    h("ol", {}, ...trace.slice(1, 12).map((entry) => h("li", {}, place(entry), entry.name !== "" && h("code", {}, entry.name)))),
  );
  const remedy = actions.remedy(error, cell);
  return h(
    "div",
    { class: "error" },
    h("div", { class: "error-head" }, h("b", {}, h("bdi", {}, name)), where, from),
    h("pre", { class: "error-message" }, message || "no message"),
    through,
    remedy && h("button", { class: "plain-button small", type: "button", onclick: () => remedy.run() }, remedy.label),
  );
}
