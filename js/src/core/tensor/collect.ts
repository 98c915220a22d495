// Memory pressure for the garbage collector, which frees tensors that nobody disposes. The engine's
// collector sees a tensor as a few bytes and not the device memory behind it, so that it may wait
// for ever, and a loop that awaits only values known at once gives finalizers no turn. So where the
// device holds much more than after the last collection, code that awaits a read or the device
// waits for a collection, brought about by garbage that engines do count. Only tensors that nothing
// holds are freed: nothing is freed by guess.

import { coreOf, currentSession } from "../wasm/core.js";

/** What a tensor counts besides its elements: a small one takes 1.1 KB (Node.js 20, on the CPU
 * device). */
const EACH = 4096;
/** Bytes by which it must have grown since before a read or `throttle` waits, and which part of
 * what there was then. */
const WORTHWHILE = 256 * 2 ** 20;
const PART = 0.5;
/** So large that an engine collects before it makes many, and, as nothing touches it, no memory at
 * all. */
const GARBAGE = 2 ** 31 - 1;
/** Milliseconds for it at most: not every engine can be moved. */
const PATIENCE = 250;

/** What the device of this session held after the last collection. */
let held = 0;
let session = 0;
let running: Promise<void> | null = null;

/** Dropped when a collection is wanted, and old by then, so that only a collection of everything
 * finds it. */
let sign: object = {};
let found = false;
const signs = new FinalizationRegistry<null>(() => (found = true));

const turn = () => new Promise((resolve) => setTimeout(resolve));

/** By how many bytes is held more than after the last collection. A device that is gone holds
 * nothing. */
function grown(): number {
  const now = currentSession();
  if (session !== now) [session, held] = [now, 0];
  return bytesHeld() - held;
}

function bytesHeld(): number {
  const core = coreOf(currentSession());
  return core ? core.bytes_live() + EACH * core.lives() : 0;
}

/** Waits for a collection, if the device holds that many bytes more than after the last one, and
 * frees what that finds. */
export async function collect(worthwhile: number): Promise<void> {
  if (grown() < worthwhile) return;
  running ??= provoke().finally(() => (running = null));
  await running;
}

/** As `collect` where much more is held; null where there is nothing to wait for, which is nearly
 * always. */
export function relief(): Promise<void> | null {
  const worthwhile = Math.max(WORTHWHILE, held * PART);
  return grown() < worthwhile ? null : collect(worthwhile);
}

async function provoke(): Promise<void> {
  const end = performance.now() + PATIENCE;
  found = false;
  signs.register(sign, null);
  sign = {};
  do {
    try {
      new ArrayBuffer(GARBAGE);
    } catch {
      // Refused: then the engine has collected first.
    }
    await turn();
  } while (!found && performance.now() < end);
  // Finalizers run in tasks of their own.
  for (let i = 0; i < 3; i++) await turn();
  held = bytesHeld();
}
