// Printed text on its way to the page: in batches, in order with other outputs. When lines come
// faster than anyone can read, it sends a count of the omitted ones, so that the page does not
// freeze.

import type { OutputId, RunId, TextStream } from "../../protocol/messages";
import { currentRun, takeSlot } from "../channel/context";
import { inspect } from "../library/inspect";
import { send } from "../channel/port";

interface Batch {
  readonly run: RunId;
  readonly output: OutputId;
  readonly stream: TextStream;
  lines: string[];
  size: number;
  omitted: number;
  /** It takes all lines of its run from now on, whatever is shown between them. */
  readonly late: boolean;
}

/** Characters of one batch; lines beyond it push the oldest out. */
const BATCH = 60_000;
const LINE = 20_000;
/** Milliseconds between batches while a cell never lets the event loop turn. */
const PACE = 60;

let batch: Batch | null = null;
let lastFlush = 0;
let scheduled = false;

export function flushText(): void {
  lastFlush = performance.now();
  if (!batch || (batch.lines.length === 0 && batch.omitted === 0)) return;
  const { run, output, stream, lines, omitted } = batch;
  send({ type: "text", run, output, stream, text: lines.map((line) => line + "\n").join(""), omitted });
  Object.assign(batch, { lines: [], size: 0, omitted: 0 });
}

/** The next line starts an output of its own: something else was shown in between, or the cell has ended. */
export function endText(ended = false): void {
  if (batch?.late && !ended) return;
  flushText();
  batch = null;
}

export function writeText(stream: TextStream, text: string): void {
  const run = currentRun();
  if (run === null) return;
  if (batch && (batch.run !== run || batch.stream !== stream)) endText(batch.run !== run);
  if (!batch) {
    const slot = takeSlot();
    batch = { run, output: slot.output, stream, lines: [], size: 0, omitted: 0, late: slot.late };
  }
  const line = text.length > LINE ? text.slice(0, LINE) + "…" : text;
  batch.lines.push(line);
  batch.size += line.length + 1;
  if (batch.size > BATCH) {
    const kept = batch.lines.splice(batch.lines.length >> 1);
    batch.omitted += batch.lines.length;
    batch.lines = kept;
    batch.size = kept.reduce((size, each) => size + each.length + 1, 0);
  }
  if (performance.now() - lastFlush > PACE) flushText();
  else if (!scheduled) {
    scheduled = true;
    setTimeout(() => {
      scheduled = false;
      flushText();
    }, PACE / 3);
  }
}

const join = (values: readonly unknown[]) =>
  values.map((value) => (typeof value === "string" ? value : inspect(value))).join(" ");

/** Prints values on one line, separated by spaces: `print("loss", loss)`. A tensor shows its dtype and shape; print `await x.array()` for its numbers. */
export const print = (...values: unknown[]) => writeText("print", join(values));

/** Lines a second that go on to the browser's console, which is slow; the cell's output takes them all. */
const CONSOLE_PACE = 1_000;

/** console.log and its like speak in the cell's output, and still in the browser's console. */
export function captureConsole(): void {
  const streams = { log: "log", info: "log", debug: "log", warn: "warn", error: "error" } as const;
  for (const [method, stream] of Object.entries(streams) as [keyof typeof streams, TextStream][]) {
    const original = console[method].bind(console);
    let since = 0;
    let count = 0;
    console[method] = (...values: unknown[]) => {
      const now = performance.now();
      if (now - since > 1_000) [since, count] = [now, 0];
      count++;
      if (count <= CONSOLE_PACE) original(...values);
      else if (count === CONSOLE_PACE + 1) original("… more lines are in the cell's output …");
      writeText(stream, join(values));
    };
  }
}
