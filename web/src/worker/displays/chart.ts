// Live charts. `openChart` opens a chart, `add` appends a point; numbers that are still on the
// device are read without making the loop wait.

import type { ChartPanel, ChartPoint } from "../../protocol/messages";
import { track } from "../channel/pending";
import { fill, openSlot, shownHandles } from "./displays";
import { checkOptions } from "./arguments";
import type { Slot } from "../channel/context";
import { isTensor } from "../library/library";
import { Pace } from "../channel/pace";
import { send } from "../channel/port";

export interface PanelOptions {
  /** The numbers of a point to draw, one curve each. */
  series: readonly string[];
  title?: string;
  /** The name of the vertical axis; by default, that of a single curve. */
  y?: string;
  /** A logarithmic vertical axis. */
  log?: boolean;
  /** The ends of the vertical axis; by default, found from the points. */
  range?: readonly [number, number];
}

export interface ChartOptions {
  title?: string;
  /** The number of a point to use for the horizontal axis; by default, points are counted. */
  x?: string;
  /** The curves. Names share one panel; a list of names or an object in the list is a panel of its
   * own. */
  series: readonly (string | readonly string[] | PanelOptions)[];
  /** The name of the vertical axes; a panel of a single curve uses that curve's name. */
  y?: string;
  /** Logarithmic vertical axes. */
  log?: boolean;
  /** The ends of the vertical axes; by default, found from the points. */
  range?: readonly [number, number];
}

const PACE = 80;

export class Chart {
  private points: ChartPoint[] = [];
  private readonly pace = new Pace(() => this.flush(), PACE);
  private count = 0;
  /** Points appear in the order in which they were added, whichever is read first. */
  private order: Promise<void> | null = null;

  constructor(
    private readonly slot: Slot,
    private readonly x: string,
    private readonly names: ReadonlySet<string>,
  ) {
    shownHandles.add(this);
  }

  /** `{ step: 10, loss: 0.3 }`: numbers, or tensors of one element. */
  add(point: Record<string, unknown>): void {
    if (typeof point !== "object" || point === null) throw new TypeError("chart.add: a point must be an object such as { step, loss }");
    const index = this.count++;
    const entries = Object.entries(point).filter(([name]) => name === this.x || this.names.has(name));
    if (entries.length === (this.x in point ? 1 : 0))
      throw new TypeError(`chart.add: none of ${Object.keys(point).join(", ")} is a series of this chart (${[...this.names].join(", ")})`);
    if (this.order === null && !entries.some(([, value]) => isTensor(value))) {
      return this.push(index, entries.map(([name, value]) => [name, scalar(name, value)]));
    }
    const read = Promise.all(
      entries.map(async ([name, value]): Promise<[string, number]> => [
        name,
        isTensor(value) ? scalar(name, (await value.data())[0]) : scalar(name, value),
      ]),
    );
    const order = (this.order ?? Promise.resolve()).then(async () => this.push(index, await read));
    this.order = order;
    void track(order).catch(() => undefined);
  }

  private push(index: number, entries: readonly [string, number][]): void {
    const values = Object.fromEntries(entries);
    const x = values[this.x] ?? index;
    if (this.x !== "") delete values[this.x];
    this.points.push({ x, values });
    this.pace.changed();
  }

  private flush(): void {
    if (this.slot.run !== null && this.points.length > 0)
      send({ type: "points", run: this.slot.run, output: this.slot.output, points: this.points.slice(-20_000) });
    this.points = [];
  }
}

function scalar(name: string, value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value === "bigint" || typeof value === "boolean") return Number(value);
  throw new TypeError(`chart.add: ${name} must be a number, not ${value === null ? "null" : typeof value}`);
}

/**
 * Opens a line chart and returns it:
 * `const chart = plot({ x: "step", series: ["loss"], log: true })`. Each `chart.add(point)` extends
 * its curves. Names share a panel; a list of names, or an object with `series`, is a panel of its
 * own.
 */
export function openChart(options: ChartOptions): Chart {
  checkOptions("plot", options, ["title", "x", "series", "y", "log", "range"]);
  const { series } = options;
  if (!Array.isArray(series) || series.length === 0) throw new TypeError('plot: series is a list of names, such as ["loss"]');
  const shared: string[] = [];
  const panels: ChartPanel[] = [];
  const own = { log: Boolean(options.log), range: rangeOf(options.range) };
  const axisOf = (names: readonly string[], given = options.y) => String(given ?? (names.length === 1 ? names[0] : "")).slice(0, 390);
  for (const entry of series as ChartOptions["series"]) {
    if (typeof entry === "string") shared.push(entry);
    else if (isNames(entry)) panels.push({ title: "", y: axisOf(entry), series: [...entry], ...own });
    else if (Array.isArray((entry as { series?: unknown } | null)?.series)) panels.push({ title: clip(entry.title), y: axisOf(entry.series, entry.y ?? options.y), series: [...entry.series], log: Boolean(entry.log ?? own.log), range: rangeOf(entry.range) ?? own.range });
    else throw new TypeError('plot: series has names, lists of names, and objects such as { title: "Loss", series: ["train", "test"] }');
  }
  if (shared.length > 0) panels.unshift({ title: "", y: axisOf(shared), series: shared, ...own });
  const names = new Set<unknown>(panels.flatMap((panel) => panel.series));
  const bad = [...names].find((name) => typeof name !== "string" || name.length > LONGEST);
  if (bad !== undefined) throw new TypeError(`plot: names of series are texts of at most ${LONGEST} characters, not ${typeof bad === "string" ? bad.length.toLocaleString("en") : typeof bad}`);
  if (panels.length > MOST_PANELS) throw new RangeError(`plot: at most ${MOST_PANELS} panels, not ${panels.length}`);
  if (names.size > MOST_CURVES) throw new RangeError(`plot: at most ${MOST_CURVES} series, not ${names.size}`);
  const x = String(options.x ?? "");
  const slot = openSlot();
  fill(slot, { kind: "chart", title: clip(options.title), x: clip(x), panels });
  return new Chart(slot, x, names as Set<string>);
}

/** Panels of a chart, curves of all of them, and characters of a text: what one message holds. */
const [MOST_PANELS, MOST_CURVES, LONGEST] = [12, 24, 390];
const clip = (text: unknown) => String(text ?? "").slice(0, LONGEST);

function rangeOf(range: unknown): [number, number] | null {
  if (range === undefined || range === null) return null;
  if (!(Array.isArray(range) && range.length === 2 && range.every((end) => typeof end === "number" && Number.isFinite(end)) && (range[0] as number) < (range[1] as number))) throw new RangeError("plot: range must be [low, high] with low < high, both finite");
  return [range[0] as number, range[1] as number];
}

const isNames = (entry: readonly string[] | PanelOptions): entry is readonly string[] => Array.isArray(entry);
