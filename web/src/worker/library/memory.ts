// Reports of the device: its memory, and kernels that are compiled in the background. The worker
// reports to the page when it has changed, at most twice a second, while cells run and after.

import { refreshHeap } from "../channel/heap";
import { send } from "../channel/port";
import { memoryNow } from "./library";

const EVERY = 500;
let last = "";

/** Tells now, unless nothing changed. */
export function tellMemory(): void {
  const memory = memoryNow();
  if (memory === null) return;
  const text = JSON.stringify(memory);
  if (text === last) return;
  last = text;
  send({ type: "memory", ...memory });
}

export const watchMemory = () =>
  void setInterval(() => {
    tellMemory();
    refreshHeap();
  }, EVERY);
