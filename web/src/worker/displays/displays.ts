// `display` and its relatives. Each takes a value, reserves its place in the cell's output at once,
// and fills it when the numbers have come back from the device.

import type { Content, OutputContent, RunId, TensorSummary } from "../../protocol/messages";
import { parseStack } from "../../state/code/errors";
import { currentRun, takeSlot } from "../channel/context";
import type { Slot } from "../channel/context";
import { dataContent } from "./data";
import { inspect } from "../library/inspect";
import { isTensor } from "../library/library";
import type { Tensor } from "../library/library";
import { isLive } from "../../state/outputs/room";
import { showLate } from "../channel/latest";
import { Pace } from "../channel/pace";
import { send } from "../channel/port";
import { summarize } from "../library/summary";
import { endText, writeText } from "./text";

/** Objects that are shown already: as a cell's last value they are not shown again. */
export const shownHandles = new WeakSet<object>();

/** What is still to be shown, and the run that it belongs to. */
const pending = new Map<Promise<void>, RunId | null>();

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

/** Keeps the cell running until `work` is shown, unless it belongs to an earlier run; its failure becomes the cell's. */
export function track(work: Promise<void>, run = currentRun()): Promise<void> {
  const called = new Error().stack ?? "";
  const settled = work
    .catch((error: unknown) => {
      // What fails after the device has answered has forgotten who asked: the line that called is what the reader needs.
      if (error instanceof Error && parseStack(error.stack ?? "").length === 0) error.stack = `${error.stack ?? ""}\n${called}`;
      throw error;
    })
    .finally(() => pending.delete(settled));
  pending.set(settled, run);
  // Whoever does not await a display hears of its failure when the cell ends.
  settled.catch(() => undefined);
  return settled;
}

export async function pendingDisplays(run: RunId): Promise<void> {
  const of = () => [...pending].flatMap(([work, owner]) => (owner === run ? [work] : []));
  for (let waiting = of(); waiting.length > 0; waiting = of()) await Promise.all(waiting);
}

export const forgetDisplays = () => pending.clear();

export interface DisplayOptions {
  title?: string;
}

const clip = (value: unknown, length = 390) => (value === undefined ? "" : String(value).slice(0, length));

/** Shows a value in the cell's output: a tensor with its shape, statistics and first values; what a file was read into as a table; anything else as text. `title` names it. */
export function display(value: unknown, options: DisplayOptions = {}): Promise<void> {
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
  const title = options.title === undefined ? "" : `${options.title}: `;
  fill(openSlot(), { kind: "value", text: clip(title + inspect(value), 200_000) });
  return Promise.resolve();
}

function displayTensor(value: Tensor, title: string): Promise<void> {
  const slot = openSlot();
  if (slot.run === null) return Promise.resolve();
  // Read only if it is still the latest when its time comes; by then the cell may have let go of it.
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

/** Shows Markdown with formulas between `$`, and returns a handle whose `update(text)` replaces it. */
export const markdown = (source: string) => new Markdown(clip(source, MARKDOWN));

const MAX_ROWS = 200;
const MAX_COLUMNS = 60;
const TABLE_CHARACTERS = 500_000;

/** Shows a table. Rows are objects, whose keys name the columns, or arrays. `columns` chooses, orders or names the columns. */
export function table(rows: Iterable<unknown>, options: { columns?: readonly string[] } = {}): void {
  const all = [...rows];
  const shown = all.slice(0, MAX_ROWS);
  const arrays = shown.every((row) => Array.isArray(row));
  // A message has a weight that the page takes: long texts are cut the shorter the more of them there are.
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
