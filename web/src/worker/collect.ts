// When does what an earlier run defined go away? When the engine collects it. Before a cell runs again, and now and then while it
// animates, it is worth less growth to make sure of that than the library waits for by itself (`js/src/core/collect.ts`).

import { collect as collectFrom } from "../../../js/src/core/collect";

/** Bytes on the device by which it must have grown since the last collection. */
const WORTHWHILE = 32 << 20;

export function collect(): Promise<void> {
  return collectFrom(WORTHWHILE);
}
