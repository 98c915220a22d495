// When does what an earlier run defined go away? When the engine collects it; but an engine sees a tensor as a few bytes
// and not what it holds on the device, and may wait for ever. So before a cell runs again, and only if the device holds
// much more than after the last collection, the engine is made to collect, by garbage that it does count. What anything
// still holds, a closure too, lives on: nothing is freed by guess.

import { memory } from "weft-gpu";

/** Bytes on the device by which it must have grown since. */
const WORTHWHILE = 32 << 20;
/** So large that an engine collects before it makes many, and, as nothing touches it, no memory at all. */
const GARBAGE = 2 ** 31 - 1;
/** Milliseconds for it at most: not every engine can be moved. */
const PATIENCE = 250;

let held = 0;

const turn = () => new Promise((resolve) => setTimeout(resolve));

/** Something that only a collection ends; made apart, so that no frame of the caller holds it. */
const watched = () => new WeakRef({});

/** Bytes on the device; none where the core is gone, which is for the cell to find out, or to mend. */
function bytesHeld(): number {
  try {
    return memory().bytes;
  } catch {
    return 0;
  }
}

export async function collect(): Promise<void> {
  if (bytesHeld() < held + WORTHWHILE) return;
  const sign = watched();
  const end = performance.now() + PATIENCE;
  do {
    try {
      new ArrayBuffer(GARBAGE);
    } catch {
      // Refused: then the engine has collected first.
    }
    await turn();
  } while (sign.deref() !== undefined && performance.now() < end);
  // Finalizers run in tasks of their own.
  for (let i = 0; i < 3; i++) await turn();
  held = bytesHeld();
}
