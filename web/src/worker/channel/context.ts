// Context of the current run: which cell an output belongs to, and whether the run may continue. It
// knows whether the reader has asked to stop, and how to let the event loop turn so that such a
// request can arrive.

import type { OutputId, RunId } from "../../protocol/messages";
import { parseStack } from "../../state/code/errors";

/** Thrown at a pause of a cell that was asked to stop. */
export class Stopped extends Error {
  override readonly name = "Stopped";
  constructor() {
    super("The cell was stopped.");
  }
}

let running: RunId | null = null;
let latest: RunId | null = null;
let calling: RunId | null = null;
let stopping: RunId | null = null;
let lastOutput: OutputId = 0;

/** A place in a cell's output; `run` is null where nothing is to be shown. */
export interface Slot {
  readonly run: RunId | null;
  readonly output: OutputId;
  /** Its run has made more outputs than anyone looks at: of those to come only the latest is sent,
   * now and then. */
  readonly late: boolean;
}

const MAX_OUTPUTS = 1_000;
const made = new Map<RunId, number>();

export function takeSlot(): Slot {
  const run = currentRun();
  const count = run === null ? 0 : (made.get(run) ?? 0) + 1;
  if (run !== null) made.set(run, count);
  return { run, output: ++lastOutput, late: count > MAX_OUTPUTS };
}

/** Called with the owner of the work from now on. */
let noteWork: (run: RunId) => void = () => {};

/** Calls `note` with the cell whose work it is whenever that changes. */
export function watchWork(note: (run: RunId) => void): void {
  noteWork = note;
}

export function beginRun(run: RunId): void {
  running = run;
  latest = run;
  noteWork(run);
}

export function endRun(): void {
  running = null;
  stopping = null;
  stops = [];
}

let stops: ((stopped: Stopped) => void)[] = [];

/** Calls back when that run, if it is the one in progress, is asked to stop: for what waits and
 * never comes to a pause. */
export function onStop(run: RunId | null, callback: (stopped: Stopped) => void): void {
  if (isRunning(run)) stops.push(callback);
}

/** False where that run is not the one in progress. */
export function requestStop(run: RunId): boolean {
  if (running !== run) return false;
  stopping = run;
  for (const each of stops.splice(0)) each(new Stopped());
  return true;
}

/** How long a cell's loop goes on before the event loop turns, in milliseconds: what it awaits may
 * be there at once, as on the CPU device, and a request to stop waits for a turn. */
const TURN = 50;
/** When the event loop turned, as far as is known. */
let turned = performance.now();

/** Throws if the running cell was asked to stop. Tells whether it is time for a `tick`. */
export function check(): boolean {
  if (stopping !== null && stopping === running) throw new Stopped();
  return performance.now() - turned > TURN;
}

/** The run that an output made now belongs to. */
export function currentRun(): RunId | null {
  if (calling !== null) return calling;
  const awaited = awaiting > 0 ? AWAITED.exec(new Error().stack ?? "") : null;
  if (awaited) return Number(awaited[1]);
  if (running !== null) return running;
  // No cell runs: a timer or a promise of an earlier one speaks. Its outermost frame says which.
  return parseStack(new Error().stack ?? "").at(-1)?.run ?? latest;
}

/** Whether a run is the one in progress. */
export function isRunning(run: RunId | null): boolean {
  return run !== null && running === run;
}

/** Calls back into a cell's code: what it shows before its first await belongs to that cell's
 * run. */
export function callFrom<T>(run: RunId | null, callback: () => T): T {
  const before = calling;
  calling = run;
  noteWork(run ?? 0);
  try {
    return callback();
  } finally {
    calling = before;
    noteWork(before ?? running ?? latest ?? 0);
  }
}

/** Callbacks of cells that are waited for, and how a stack of V8's names them. */
let awaiting = 0;
const AWAITED = /\$weft_run_(\d+)/;

/** As `callFrom`, for a callback that may await: what it shows after that belongs to the same run.
 * V8's stacks name the async functions that wait for the one that runs; where an engine's do not,
 * it belongs to the cell that runs then, if one does. */
export async function awaitFrom<T>(run: RunId | null, callback: () => T): Promise<Awaited<T>> {
  if (run === null) return await callFrom(run, callback);
  const name = `$weft_run_${run}`;
  const waits = { [name]: async () => await callFrom(run, callback) }[name]!;
  awaiting++;
  try {
    return await waits();
  } finally {
    awaiting--;
  }
}

const channel = new MessageChannel();
const resumed: (() => void)[] = [];
channel.port1.onmessage = () => resumed.shift()?.();

/**
 * Yields to messages, timers and pending reads; ends a cell that was asked to stop.
 *
 * @example
 * let turns = 0;
 * const end = performance.now() + 500;
 * while (performance.now() < end) {
 *   turns++;
 *   await tick(); // Stop ends the loop here
 * }
 * turns
 */
export async function tick(): Promise<void> {
  check();
  await new Promise<void>((resolve) => {
    resumed.push(resolve);
    channel.port2.postMessage(null);
  });
  turned = performance.now();
  check();
}

/** The next animation frame; where none comes, as in a hidden tab, a twentieth of a second. */
export const frameTime = () =>
  new Promise<number>((resolve) => {
    const timer = setTimeout(() => resolve(performance.now()), 50);
    const request = (globalThis as { requestAnimationFrame?: typeof requestAnimationFrame }).requestAnimationFrame;
    request?.((now) => {
      clearTimeout(timer);
      resolve(now);
    });
  });

/**
 * Waits for the next frame of the screen and returns its time in milliseconds; ends a cell that
 * was asked to stop.
 *
 * @example
 * const start = await nextFrame();
 * const next = await nextFrame();
 * print(`${(next - start).toFixed(1)} ms between two frames`);
 */
export async function nextFrame(): Promise<number> {
  check();
  const time = await frameTime();
  check();
  return time;
}

/**
 * Calls `tick` if the event loop has not run for a while; cheap in a tight loop.
 *
 * @example
 * let sum = 0;
 * for (let i = 0; i < 100_000; i++) {
 *   sum += i;
 *   await breathe();
 * }
 * sum
 */
export async function breathe(milliseconds = 12): Promise<void> {
  check();
  if (performance.now() - turned > milliseconds) await tick();
}
