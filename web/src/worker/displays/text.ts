// Printed text on its way to the page: in batches, in order with other outputs. When lines come
// faster than anyone can read, it sends a count of the omitted ones, so that the page does not
// freeze.

import type { OutputId, RunId, TextStream } from "../../protocol/messages";
import { currentRun, takeSlot } from "../channel/context";
import { inspectAll } from "../library/inspect";
import type { Shown } from "../library/inspect";
import { send } from "../channel/port";
import { track } from "../channel/pending";

/** Its text is not whole while values of tensors are on their way. */
interface Line {
  text: string;
  whole: boolean;
}

interface Batch {
  readonly run: RunId;
  readonly output: OutputId;
  readonly stream: TextStream;
  lines: Line[];
  size: number;
  omitted: number;
  /** It takes all lines of its run from now on, whatever is shown between them. */
  readonly late: boolean;
}

/** Characters of one batch; lines beyond it push the oldest out. */
const BATCH = 60_000;
const LINE = 20_000;
/** Lines of a run whose tensors are read: a loop that prints without end would read without end. */
const READ = 500;
/** Values of a run that can be opened; those that follow are lines. */
const TREES = 100;
/** Milliseconds between batches while a cell never lets the event loop turn. */
const PACE = 60;

let batch: Batch | null = null;
let lastFlush = 0;
let scheduled = false;
/** Which run's lines were read last, how many, and how many values can be opened. */
let reading = { run: -1, lines: 0, trees: 0 };

export function flushText(): void {
  lastFlush = performance.now();
  if (batch) flush(batch);
}

/** Sends the lines up to the first that waits for values. */
function flush(batch: Batch): void {
  const waiting = batch.lines.findIndex(({ whole }) => !whole);
  const lines = batch.lines.splice(0, waiting < 0 ? batch.lines.length : waiting);
  if (lines.length === 0 && batch.omitted === 0) return;
  const { run, output, stream, omitted } = batch;
  send({ type: "text", run, output, stream, text: lines.map(({ text }) => text + "\n").join(""), omitted });
  batch.omitted = 0;
  batch.size = batch.lines.reduce((size, { text }) => size + text.length + 1, 0);
}

/** The next line starts an output of its own: something else was shown in between, or the cell has
 * ended. */
export function endText(ended = false): void {
  if (batch?.late && !ended) return;
  flushText();
  batch = null;
}

export const writeText = (stream: TextStream, text: string): void => writeLine(stream, text, null);

/** Writes a line; `complete` is what it is to be once values have arrived. */
function writeLine(stream: TextStream, text: string, complete: Promise<string> | null): void {
  const run = currentRun();
  if (run === null) return;
  if (batch && (batch.run !== run || batch.stream !== stream)) endText(batch.run !== run);
  if (!batch) {
    const slot = takeSlot();
    batch = { run, output: slot.output, stream, lines: [], size: 0, omitted: 0, late: slot.late };
  }
  const cut = (whole: string) => (whole.length > LINE ? whole.slice(0, LINE) + "…" : whole);
  const line: Line = { text: cut(text), whole: complete === null };
  batch.lines.push(line);
  batch.size += line.text.length + 1;
  if (complete) {
    const own = batch;
    const shown = complete.then((whole) => {
      Object.assign(line, { text: cut(whole), whole: true });
      flush(own);
    });
    void track(shown, run);
  }
  if (batch.size > BATCH) {
    const kept = batch.lines.splice(batch.lines.length >> 1);
    batch.omitted += batch.lines.length;
    batch.lines = kept;
    batch.size = kept.reduce((size, { text: each }) => size + each.length + 1, 0);
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

function writeValues(stream: TextStream, values: readonly unknown[]): void {
  const run = currentRun();
  if (run === null) return;
  if (reading.run !== run) reading = { run, lines: 0, trees: 0 };
  const trees = (stream === "print" || stream === "log") && reading.trees < TREES;
  const found = inspectAll(values, reading.lines < READ, trees);
  if (found.complete) reading.lines++;
  if (!found.opens) return writeLine(stream, found.text, found.complete?.then(({ text }) => text) ?? null);
  reading.trees++;
  endText();
  const slot = takeSlot();
  const show = ({ text, tree }: Shown) => send({ type: "output", run, output: slot.output, content: { kind: "value", text: text.slice(0, LINE), tree } });
  if (found.complete) void track(found.complete.then(show), run);
  else show(found);
}

/**
 * Prints values on one line, separated by spaces: `print("loss", loss)`. Of a tensor it shows the
 * values, or how they spread where there are many. Objects, lists and modules can be opened.
 *
 * @example
 * const loss = tensor([0.5, 0.25]);
 * print("loss", loss, "after", 2, "steps");
 */
export const print = (...values: unknown[]) => writeValues("print", values);

/** Lines a second that go on to the browser's console, which is slow; the cell's output takes them
 * all. */
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
      writeValues(stream, values);
    };
  }
}
