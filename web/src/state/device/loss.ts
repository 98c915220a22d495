// Losses: the device or the library's core is gone and nothing more can be computed in this worker.
// The texts that say which, and what to do about it.

import type { WorkerMessage } from "../../protocol/messages";

export type LossCause = Extract<WorkerMessage, { type: "device-lost" }>["cause"];

export interface Loss {
  readonly cause: LossCause;
  /** Of the badge, in a word or two. */
  readonly short: string;
  readonly title: string;
  readonly message: string;
}

/** In the page's own words: what a worker says of it is not taken on trust. */
export const LOSSES: Readonly<Record<LossCause, Loss>> = {
  device: {
    cause: "device",
    short: "Device lost",
    title: "The device was lost.",
    message: "The browser or its driver took it away. If that happens again, use smaller arrays, close other pages that use the GPU, or choose the CPU in the device's menu.",
  },
  core: {
    cause: "core",
    short: "Weft stopped",
    title: "Weft's core stopped.",
    message: "It ran out of memory, or has a bug; the device works. The cell in which it stopped says more. If that happens again, use smaller arrays there, or report a bug in Weft.",
  },
};

/** Errors that come of a loss, so that running again in a new worker mends them. */
const COME_OF_LOSS: ReadonlySet<string> = new Set(["DeviceLostError", "DisposedError", "InternalError", "OutOfMemoryError"]);

export const comesOfLoss = (name: string): boolean => COME_OF_LOSS.has(name);
