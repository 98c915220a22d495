// The garbage collector of Node.js, which finishes its work on other threads and in later tasks: on
// a busy machine, both can lag behind a call of `gc`.

import { memoryUsage } from "node:process";
import { memory, tensor, tidy } from "../../src/index.js";

function gc(): void {
  if (!globalThis.gc) throw new Error("these tests need node --expose-gc");
  globalThis.gc();
}

/** Bytes that JavaScript holds: objects, strings and the buffers of arrays. */
export function heldBytes(): number {
  // V8 frees the buffers of dead arrays on another thread. A second collection waits for that of
  // the first.
  gc();
  gc();
  const { heapUsed, arrayBuffers } = memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Turns of the event loop that finalizers get before something is collected again. */
const TURNS = 20;

let finalized = 0;
/** Counts objects of its own that were collected. */
const registry = new FinalizationRegistry(() => finalized++);

/** Collects what nothing holds, and waits until its finalizers have run. What they gave back is
 * freed when the core next runs something. */
export async function collect(): Promise<void> {
  // Registries take turns: after two of this one's, Weft's has had its own.
  for (let round = 0; round < 2; round++) {
    const before = finalized;
    // In a function of its own, whose frame is gone when the collector looks.
    (() => registry.register({}, undefined))();
    do {
      gc();
      // Finalizers run in later turns of the event loop. Waiting for them is cheaper than
      // collecting again.
      for (let turn = 0; turn < TURNS && finalized === before; turn++) await new Promise((resolve) => setImmediate(resolve));
    } while (finalized === before);
  }
}

/** Gives the collector turns until no more tensors are held than `most`, or it has had many. */
export async function collected(most: number): Promise<number> {
  for (let turn = 0; turn < 60 && memory().tensors > most; turn++) {
    await collect();
    // The moment at which what was found is given back.
    await tidy(() => tensor([1]).add(1)).data();
  }
  return memory().tensors;
}
