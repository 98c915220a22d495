// `display` and its relatives. Each takes a value, reserves its place in the cell's output at once,
// and fills it when the numbers have come back from the device.

import type { Content, OutputContent, TensorSummary } from "../../protocol/messages";
import { takeSlot } from "../channel/context";
import type { Slot } from "../channel/context";
import { checkOptions } from "./arguments";
import { dataContent } from "./data";
import { inspect, inspectAll } from "../library/inspect";
import type { Inspected, Shown } from "../library/inspect";
import { isTensor } from "../library/library";
import type { Tensor } from "../library/library";
import { isLive } from "../../state/outputs/room";
import { showLate } from "../channel/latest";
import { Pace } from "../channel/pace";
import { track } from "../channel/pending";
import { send } from "../channel/port";
import { summarize } from "../library/summary";
import { endText, writeText } from "./text";

/** Objects that are shown already: as a cell's last value they are not shown again. */
export const shownHandles = new WeakSet<object>();

export function openSlot(): Slot {
  endText();
  return takeSlot();
}

/** What goes on (a button, a chart) is shown however late it comes, up to so many of them. */
const MAX_LATE = 100;
let lateLive = 0;
const live = new Set<number>();

export function fill(slot: Slot, content: OutputContent, transfer: Transferable[] = []): void {
  const { run, output, late } = slot;
  if (run === null) return;
  const show = () => send({ type: "output", run, output, content }, transfer);
  if (!late || live.has(output)) return show();
  if (isLive(content) && lateLive < MAX_LATE) {
    lateLive++;
    live.add(output);
    return show();
  }
  showLate(slot, show, () => transfer.forEach((each) => each instanceof ImageBitmap && each.close()));
}

export interface DisplayOptions {
  title?: string;
}

const clip = (value: unknown, length = 390) => (value === undefined ? "" : String(value).slice(0, length));

/**
 * Shows a value in the cell's output: a tensor with its shape, statistics and first values; what a
 * file was read into as a table; anything else as text. `title` names it.
 *
 * @example
 * display(random.normal([3, 4]), { title: "draws" });
 */
export function display(value: unknown, options: DisplayOptions = {}): Promise<void> {
  checkOptions("display", options, ["title"]);
  if (typeof value === "object" && value !== null && shownHandles.has(value)) return Promise.resolve();
  if (isTensor(value)) return displayTensor(value, clip(options.title));
  if (typeof value === "string" && options.title === undefined) {
    writeText("print", value);
    return Promise.resolve();
  }
  const found = dataContent(value, clip(options.title));
  if (found && "array" in found) return displayTensor(found.array.tensor(), clip(options.title));
  if (found) {
    fill(openSlot(), found.table);
    return Promise.resolve();
  }
  const title = options.title === undefined ? "" : `${clip(options.title)}:`;
  const slot = openSlot();
  // Of what is shown when its time comes, if ever, nothing is read now.
  const now = slot.run !== null && !slot.late;
  return showValues(slot, inspectAll([...(title === "" ? [] : [title]), typeof value === "string" ? inspect(value) : value], now, now));
}

/** Fills a place with values, once those of tensors have arrived. */
function showValues(slot: Slot, { text, tree, complete }: Inspected): Promise<void> {
  const show = ({ text, tree }: Shown) => fill(slot, { kind: "value", text: clip(text, 200_000), tree });
  if (complete) return track(complete.then(show), slot.run);
  show({ text, tree });
  return Promise.resolve();
}

function displayTensor(value: Tensor, title: string): Promise<void> {
  const slot = openSlot();
  if (slot.run === null) return Promise.resolve();
  // Read only if it is still the latest when its time comes; by then the cell may have let go of
  // it.
  if (slot.late) {
    const { run, output } = slot;
    const show = (summary: TensorSummary) => send({ type: "output", run, output, content: { kind: "tensor", title, summary } });
    showLate(slot, () => void track(summarize(value).then(show, () => undefined)));
    return Promise.resolve();
  }
  return track(summarize(value).then((summary) => fill(slot, { kind: "tensor", title, summary })));
}

/** Formatted text; `update` replaces it. */
class Markdown {
  private readonly slot = openSlot();
  private readonly pace = new Pace(() => fill(this.slot, { kind: "markdown", source: this.source }), MARKDOWN_PACE);

  constructor(private source: string) {
    shownHandles.add(this);
    this.pace.flush();
  }

  update(source: string): void {
    this.source = clip(source, MARKDOWN);
    this.pace.changed();
  }
}

const MARKDOWN = 200_000;
const MARKDOWN_PACE = 100;

/**
 * Shows Markdown with formulas between `$`, and returns a handle whose `update(text)` replaces
 * it.
 *
 * @example
 * const note = markdown("Step **0**: $x^2$");
 * for (let step = 1; step <= 3; step++) {
 *   await nextFrame();
 *   note.update(`Step **${step}**: $x^2$`);
 * }
 */
export const markdown = (source: string) => new Markdown(clip(source, MARKDOWN));

const MAX_ROWS = 200;
const MAX_COLUMNS = 60;
const TABLE_CHARACTERS = 500_000;

/**
 * Shows a table. Rows are objects, whose keys name the columns, or arrays. `columns` chooses,
 * orders or names the columns.
 *
 * @example
 * table([{ name: "apple", grams: 182 }, { name: "pear", grams: 178 }]);
 */
export function table(rows: Iterable<unknown>, options: { columns?: readonly string[] } = {}): void {
  checkOptions("table", options, ["columns"]);
  const all = [...rows];
  const shown = all.slice(0, MAX_ROWS);
  const arrays = shown.every((row) => Array.isArray(row));
  // A message has a weight that the page takes: long texts are cut the shorter the more of them
  // there are.
  let left = TABLE_CHARACTERS;
  const cell = (value: unknown) => {
    const text = clip(typeof value === "string" ? value : value === undefined ? "" : inspect(value), Math.min(1_900, Math.max(20, left)));
    left -= text.length;
    return text;
  };
  const content: Content<"table"> = { kind: "table", title: undefined, columns: [], types: undefined, rows: [], omitted: all.length - shown.length };
  if (arrays) {
    content.columns = (options.columns ?? []).slice(0, MAX_COLUMNS).map((name) => clip(name));
    content.rows = shown.map((row) => (row as unknown[]).slice(0, MAX_COLUMNS).map(cell));
  } else {
    const record = (row: unknown) => (typeof row === "object" && row !== null ? row : { value: row }) as Record<string, unknown>;
    const keys = options.columns ?? [...new Set(shown.flatMap((row) => Object.keys(record(row))))];
    const used = keys.slice(0, MAX_COLUMNS);
    content.columns = used.map((key) => clip(key));
    content.rows = shown.map((row) => used.map((key) => cell(record(row)[key])));
  }
  fill(openSlot(), content);
}
