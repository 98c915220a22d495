// Memory over the runs of a cell, and the tensors that hold it now: what they are called, what cell
// made them, and what keeps them.

import type { InspectedMemory, InspectedRuns, Sites } from "../../protocol/inspection";
import { bytesText, countText } from "../../state/inspect/figures";
import { matches, originOf } from "../../state/inspect/program";
import { h, svg } from "../ui/dom";
import { note, placeLink, table } from "./parts";
import type { Places } from "./parts";

export interface MemoryTab {
  readonly memory: InspectedMemory;
  readonly runs: InspectedRuns | null;
  readonly sites: Sites;
  readonly places: Places;
  readonly search: string;
}

const WIDTH = 1_000;
const HEIGHT = 90;

export function memoryView({ memory, runs, sites, places, search }: MemoryTab): HTMLElement {
  const { report: { held, nodes }, names } = memory;
  const nameOf = new Map<number, string>();
  nodes.forEach((node, n) => !nameOf.has(node) && nameOf.set(node, names[n] ?? ""));
  const rows = held.values.flatMap((value) => {
    const name = value.nodes.map((node) => nameOf.get(node)).find((known) => known !== undefined) ?? "";
    if (!matches(search, name, value.form)) return [];
    const kept = value.parameter ? "a parameter or an optimizer" : name !== "" ? "a variable" : value.handles > 0 ? "JavaScript" : value.readers > 0 ? "what is still to be computed" : "—";
    return [[bytesText(value.bytes), h("code", {}, value.form), name === "" ? "—" : h("code", {}, name), placeLink(originOf(value.site, sites), places), kept]];
  });
  return h(
    "div",
    {},
    note(`${bytesText(held.live)} in ${countText(held.count, "tensor")}; ${bytesText(held.peak)} at most; ${bytesText(held.pooled)} are free for reuse.`),
    runs && runs.report.runs.length > 1 && overTime(runs),
    table("Tensors that hold memory", ["Bytes", "Form", "Name", "Made by", "Held by"], rows, [0]),
    held.count > held.values.length && note(`The largest ${held.values.length} are shown.`),
  );
}

function overTime({ report: { runs } }: InspectedRuns): HTMLElement {
  const first = runs[0]!.asked;
  const last = Math.max(runs.at(-1)!.returned, first + 1);
  const most = Math.max(1, ...runs.map(({ live }) => live));
  const point = ({ returned, live }: (typeof runs)[number]) => `${(((returned - first) / (last - first)) * WIDTH).toFixed(1)},${(HEIGHT - (live / most) * (HEIGHT - 8)).toFixed(1)}`;
  const words = `Memory after each of ${countText(runs.length, "run")}: ${bytesText(Math.min(...runs.map(({ live }) => live)))} to ${bytesText(most)}`;
  return h("figure", { class: "inspector-figure" }, h("figcaption", {}, words), svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": words }, svg("polyline", { class: "line", points: runs.map(point).join(" "), fill: "none" })));
}
