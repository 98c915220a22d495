// What can a cell show? `display` and its relatives: each takes a value, reserves its place in the cell's output at
// once, and fills it when the numbers have come back from the device.

import type { Content, OutputContent } from "../protocol/messages";
import { parseStack } from "../state/errors";
import { takeSlot } from "./context";
import type { Slot } from "./context";
import { inspect } from "./inspect";
import { isTensor } from "./library";
import type { Tensor } from "./library";
import { send } from "./port";
import { summarize } from "./summary";
import { endText, writeText } from "./text";

/** Objects that are shown already: as a cell's last value they are not shown again. */
export const shownHandles = new WeakSet<object>();

const pending = new Set<Promise<void>>();

export function openSlot(): Slot {
  endText();
  return takeSlot();
}

export function fill({ run, output }: Slot, content: OutputContent, transfer: Transferable[] = []): void {
  if (run !== null) send({ type: "output", run, output, content }, transfer);
}

/** Keeps the cell running until `work` is shown; its failure becomes the cell's. */
export function track(work: Promise<void>): Promise<void> {
  const called = new Error().stack ?? "";
  const settled = work
    .catch((error: unknown) => {
      // What fails after the device has answered has forgotten who asked: the line that called is what the reader needs.
      if (error instanceof Error && parseStack(error.stack ?? "").length === 0) error.stack = `${error.stack ?? ""}\n${called}`;
      throw error;
    })
    .finally(() => pending.delete(settled));
  pending.add(settled);
  // Whoever does not await a display hears of its failure when the cell ends.
  settled.catch(() => undefined);
  return settled;
}

export async function pendingDisplays(): Promise<void> {
  while (pending.size > 0) await Promise.all(pending);
}

export const forgetDisplays = () => pending.clear();

export interface DisplayOptions {
  title?: string;
}

const clip = (value: unknown, length = 390) => (value === undefined ? "" : String(value).slice(0, length));

export function display(value: unknown, options: DisplayOptions = {}): Promise<void> {
  if (typeof value === "object" && value !== null && shownHandles.has(value)) return Promise.resolve();
  if (isTensor(value)) return displayTensor(value, clip(options.title));
  if (typeof value === "string" && options.title === undefined) {
    writeText("print", value);
    return Promise.resolve();
  }
  const title = options.title === undefined ? "" : `${options.title}: `;
  fill(openSlot(), { kind: "value", text: clip(title + inspect(value), 200_000) });
  return Promise.resolve();
}

function displayTensor(value: Tensor, title: string): Promise<void> {
  const slot = openSlot();
  if (slot.run === null) return Promise.resolve();
  return track(summarize(value).then((summary) => fill(slot, { kind: "tensor", title, summary })));
}

export function markdown(source: string): void {
  fill(openSlot(), { kind: "markdown", source: clip(source, 200_000) });
}

const MAX_ROWS = 200;
const MAX_COLUMNS = 60;

/** Rows as objects, whose keys name the columns, or as arrays; `columns` chooses and orders or names them. */
export function table(rows: Iterable<unknown>, options: { columns?: readonly string[] } = {}): void {
  const all = [...rows];
  const shown = all.slice(0, MAX_ROWS);
  const arrays = shown.every((row) => Array.isArray(row));
  const cell = (value: unknown) => clip(typeof value === "string" ? value : value === undefined ? "" : inspect(value), 1_900);
  const content: Content<"table"> = { kind: "table", columns: [], rows: [], omitted: all.length - shown.length };
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
