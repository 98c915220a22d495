// The device's counters as one cell sees them: what the device had done when the cell began to run,
// and what the cell has asked of it since. What goes on beside (frames of another cell's animation,
// answers to its buttons) is under another label, see `watchWork` in `context.ts`.

import { deviceInfo, stats } from "weft-gpu";
import type { DeviceInfo, Stats } from "weft-gpu";
import type { RunId } from "../../protocol/messages";
import { currentRun } from "../channel/context";

const COUNTERS = ["submits", "passes", "dispatches", "pipelinesCompiled", "buffersCreated", "programHits", "programMisses"] as const;
/** Runs whose beginnings are known. */
const KNOWN = 1_000;

interface Beginning {
  readonly device: DeviceInfo;
  readonly stats: Stats;
}
const beginnings = new Map<RunId, Beginning>();

/** A run begins: what the device has done so far was done before it. */
export function countFromNow(run: RunId): void {
  const device = deviceInfo();
  try {
    if (device) beginnings.set(run, { device, stats: stats() });
  } catch {
    // Its core has failed, and another counts from nothing.
  }
  if (beginnings.size > KNOWN) beginnings.delete(beginnings.keys().next().value!);
}

/** What cells have for the library's `stats`. */
export function cellStats(label?: number): Stats {
  const now = stats(label);
  const run = currentRun();
  const beginning = run === null ? undefined : beginnings.get(run);
  if (label !== undefined || run === null || !beginning) return now;
  const own = stats(run);
  const before = (counter: (typeof COUNTERS)[number]) => (beginning.device === deviceInfo() ? beginning.stats[counter] : 0);
  return { ...now, ...Object.fromEntries(COUNTERS.map((counter) => [counter, before(counter) + own[counter]])) };
}
