// Garbage collection of tensors that an earlier run defined. The engine's collector frees them.
// Before a cell runs again, and now and then while it animates, the worker forces a collection
// after less growth than the library waits for by itself (`js/src/core/tensor/collect.ts`).

import { collect as collectFrom } from "../../../../js/src/core/tensor/collect";

/** Bytes on the device by which it must have grown since the last collection. */
const WORTHWHILE = 32 << 20;

export function collect(): Promise<void> {
  return collectFrom(WORTHWHILE);
}
