// Where the first value came from that is not finite: the operation, its cell and line, the
// iteration, and the ranges of what it read.

import type { InspectedNotFinite, InspectedOrigin, InspectedValue, Sites } from "../../protocol/inspection";
import { countText, floatOf, numberText } from "../../state/inspect/figures";
import { originOf } from "../../state/inspect/program";
import { h } from "../ui/dom";
import { button, note, placeLink, table } from "./parts";
import type { Places } from "./parts";

export interface FiniteTab {
  /** What was found; null before anything was looked for. */
  readonly found: InspectedNotFinite | null;
  readonly sites: Sites;
  readonly places: Places;
  readonly busy: boolean;
  readonly cell: number;
  /** Runs cells again and looks: this one, or all. */
  look(all: boolean): void;
}

export function finiteView(tab: FiniteTab): HTMLElement {
  const { found, busy, cell } = tab;
  const buttons = [button(`Run cell ${cell} and find the first NaN`, () => tab.look(false), true), button("Run all cells and find it", () => tab.look(true))];
  for (const each of buttons) each.disabled = busy;
  return h(
    "div",
    { class: "inspector-finite" },
    h("p", { class: "inspector-note" }, ...buttons),
    note("The cell runs again while each result is checked on the device. The run that first yields a NaN is then computed node by node."),
    h("div", { role: "status" }, busy ? note("Looking…") : found && result(found, tab)),
  );
}

function result(found: InspectedNotFinite, tab: FiniteTab): HTMLElement {
  if (found.again !== undefined) return note("The values of the run that first yields it were too large to keep.");
  if (found.found === null || found.found === undefined) return note(found.runs === 0 ? "The cell computed nothing on the device." : `Every result of ${countText(found.runs, "run")} is finite.`);
  if (found.found === "fused" || !found.origin) return note("A result is not finite, but computed node by node all of it is finite: intermediate results of one kernel overflow.");
  return h(
    "div",
    {},
    h("p", { class: "inspector-verdict" }, h("b", {}, found.found === "nan" ? "The first NaN" : "The first infinity"), ` comes from `, ...sentence(found.origin, tab)),
    ranges(found.origin, tab, "What it read and yielded"),
    found.cause && h("p", { class: "inspector-verdict" }, h("b", {}, "The infinity that led to it"), " comes from ", ...sentence(found.cause, tab)),
    found.cause && ranges(found.cause, tab, "What that read and yielded"),
  );
}

function sentence({ op, given, iterations, value }: InspectedOrigin, { sites, places }: FiniteTab): (HTMLElement | string)[] {
  const where = placeLink(originOf(value.site, sites), places);
  const iteration = iterations.length > 0 ? ` in iteration ${iterations.join(", and there in iteration ")}` : "";
  const place = value.first && value.first.length > 0 ? ` at [${value.first.join(", ")}]` : "";
  if (given) return [`the data: ${form(value)} already had it${place}, in `, where];
  return [h("code", {}, op), ` ${form(value)}${place}${iteration}: `, where];
}

const form = ({ dtype, shape }: InspectedValue) => `${dtype}[${shape.join(",")}]`;

function ranges({ inputs, value, op }: InspectedOrigin, { sites, places }: FiniteTab, label: string): HTMLElement {
  const row = (name: string, it: InspectedValue) => [name, h("code", {}, form(it)), it.range ? `${numberText(floatOf(it.range[0]!))} to ${numberText(floatOf(it.range[1]!))}` : "no finite value", String(it.nan), String(it.infinite), placeLink(originOf(it.site, sites), places)];
  return table(label, ["Value", "Form", "Finite values", "NaN", "Infinite", "From"], [...inputs.map((input, n) => row(`input ${n + 1}: ${input.name}`, input)), row(`result: ${op}`, value)], [3, 4]);
}
