// Timeline of the device: the dispatches of a run by its timestamps, and what each takes over all
// recorded runs beside what the device reaches.

import type { InspectedLimits, InspectedProgram, InspectedRuns } from "../../protocol/inspection";
import { bytesText, countText, rateText, shareText, timeText } from "../../state/inspect/figures";
import { matches, rates, spansOf, timedDispatches } from "../../state/inspect/program";
import { h, svg } from "../ui/dom";
import { button, note, table } from "./parts";

export interface TimelineTab {
  readonly runs: InspectedRuns;
  readonly program: InspectedProgram | null;
  readonly number: number;
  readonly search: string;
  /** Which run of the program is drawn. */
  readonly chosen: number;
  choose(run: number): void;
  readonly limits: InspectedLimits | null;
  measure(): void;
  readonly pick: (kernel: number) => void;
}

const WIDTH = 1_000;
const LANE = 22;
/** Bars that are drawn. */
const MOST_BARS = 2_048;
const COLOURS = 6;

export function timelineView(tab: TimelineTab): HTMLElement {
  const { report } = tab.runs;
  const own = report.runs.filter(({ program }) => program === tab.number);
  if (own.length === 0) return note("Nothing of this cell was recorded. Press “Run and record”.");
  const run = own[Math.min(tab.chosen, own.length - 1)]!;
  const spans = spansOf(run);
  const parts = [clockNote(tab), runChoice(tab, own.length)];
  if (spans.length > 0) parts.push(chart(tab, spans), ...breakdown(tab, own));
  else parts.push(wallClock(tab, own));
  return h("div", { class: "inspector-timeline" }, ...parts);
}

function clockNote({ runs: { report } }: TimelineTab): HTMLElement {
  if (report.device === "cpu") return note("The CPU device interprets programs: these are times by the clock, from the call to its return.");
  if (!report.timestamps) return note("This device has no timestamps: these are times of whole runs by the clock, from the call until the page hears that the run has ended.");
  return note(`Times by the device's own timestamps${report.quantum > 0 ? `, which step by ${timeText(report.quantum)}` : ""}. While the inspector records, each dispatch has a compute pass of its own.`);
}

function runChoice(tab: TimelineTab, count: number): HTMLElement {
  if (count === 1) return note("It ran once.");
  const field = h("input", { type: "range", min: 1, max: count, value: Math.min(tab.chosen, count - 1) + 1, "aria-label": "Run that is drawn" });
  const words = h("output", {}, `run ${Math.min(tab.chosen, count - 1) + 1} of ${count}`);
  field.addEventListener("input", () => (words.textContent = `run ${field.value} of ${count}`));
  field.addEventListener("change", () => tab.choose(Number(field.value) - 1));
  return h("label", { class: "inspector-choice" }, "Run ", field, words);
}

function chart(tab: TimelineTab, spans: ReturnType<typeof spansOf>): HTMLElement {
  const end = Math.max(1, ...spans.map((span) => span.end));
  const x = (time: number) => (time / end) * WIDTH;
  const stages = tab.program?.stages;
  const bars = spans.slice(0, MOST_BARS).map(({ place, begin, end: until }) => {
    const kernel = stages?.dispatches[place]?.kernel ?? place;
    const name = stages?.kernels[kernel]?.name ?? `dispatch ${place}`;
    const bar = svg("rect", { class: `bar colour-${kernel % COLOURS}${matches(tab.search, name) ? "" : " dim"}`, x: x(begin), y: 4, width: Math.max(0.6, x(until) - x(begin)), height: LANE });
    bar.append(svg("title", {}, `${name}: ${timeText(until - begin)}`));
    return bar;
  });
  const ticks = h("div", { class: "inspector-ticks", "aria-hidden": "true" }, ...[0, 0.25, 0.5, 0.75, 1].map((share) => h("span", {}, timeText(share * end))));
  const busy = spans.reduce((sum, span) => sum + span.end - span.begin, 0);
  const words = `${countText(spans.length, "dispatch", "dispatches")} in ${timeText(end)}, ${timeText(busy)} of them computing`;
  return h("figure", { class: "inspector-figure" }, h("figcaption", {}, words), svg("svg", { viewBox: `0 0 ${WIDTH} ${LANE + 8}`, preserveAspectRatio: "none", role: "img", "aria-label": words }, ...bars), ticks);
}

function breakdown(tab: TimelineTab, runs: InspectedRuns["report"]["runs"]): HTMLElement[] {
  const { program, limits } = tab;
  const timed = timedDispatches(runs);
  const all = timed.reduce((sum, { total }) => sum + total, 0);
  const rows = timed.flatMap(({ place, count, total }) => {
    const dispatch = program?.stages.dispatches[place];
    const name = (dispatch && program.stages.kernels[dispatch.kernel]?.name) || `dispatch ${place}`;
    if (!matches(tab.search, name, dispatch?.choice ?? "")) return [];
    const rate = dispatch ? rates(dispatch, total / count) : { bytes: 0, operations: 0 };
    const of = (value: number, most: number | undefined) => (value > 0 && most ? shareText(value / most) : "—");
    const link = dispatch ? h("button", { class: "inspector-link", type: "button", onclick: () => tab.pick(dispatch.kernel) }, name) : name;
    return [[String(place), link, String(count), timeText(total / count), shareText(all > 0 ? total / all : 0), dispatch ? bytesText(dispatch.bytes) : "—", rate.bytes > 0 ? `${rateText(rate.bytes)}B/s` : "—", of(rate.bytes, limits?.copy), rate.operations > 0 ? `${rateText(rate.operations)}op/s` : "—", of(rate.operations, limits?.product)]];
  });
  const sumWords = `Sum of a run: ${timeText(all / runs.filter(({ dispatches }) => dispatches.length > 0).length || 0)}, over ${countText(runs.length, "run")}.`;
  return [
    table("Times of dispatches", ["#", "Kernel", "Runs", "Each", "Share", "Bytes", "Moved", "Of a copy", "Computed", "Of a product"], rows, [0, 2, 3, 4, 5, 6, 7, 8, 9]),
    note(sumWords, " Bytes are those of the buffers that a dispatch binds; reads from a cache count too, so a share can exceed 100 %."),
    limits ? note(limits.copy > 0 ? `This device copies ${rateText(limits.copy)}B/s and multiplies matrices at ${rateText(limits.product)}op/s, as measured here.` : "There is nothing to compare with on this device.") : h("p", { class: "inspector-note" }, button("Measure what this device reaches", () => tab.measure()), " to see shares of a copy's bandwidth and of a matrix product's rate. It takes the GPU a moment."),
  ];
}

function wallClock(tab: TimelineTab, runs: InspectedRuns["report"]["runs"]): HTMLElement {
  const rows = runs.slice(-200).map(({ number, asked, returned, ended }) => [String(number + 1), timeText(Math.max(0, returned - asked)), ended > 0 ? timeText(Math.max(0, ended - asked)) : tab.runs.report.device === "cpu" ? timeText(Math.max(0, returned - asked)) : "—"]);
  return table("Times of runs", ["Run", "Call", "Until its end"], rows, [0, 1, 2]);
}
