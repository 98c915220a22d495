// Outputs that a run still waits for: values on their way from the device.

import type { RunId } from "../../protocol/messages";
import { parseStack } from "../../state/code/errors";
import { currentRun } from "./context";

/** What is still to be shown, and the run that it belongs to. */
const pending = new Map<Promise<void>, RunId | null>();

/** Keeps the cell running until `work` is shown, unless it belongs to an earlier run; its failure
 * becomes the cell's. */
export function track(work: Promise<void>, run = currentRun()): Promise<void> {
  const called = new Error().stack ?? "";
  const settled = work
    .catch((error: unknown) => {
      // What fails after the device has answered has forgotten who asked: the line that called is
      // what the reader needs.
      if (error instanceof Error && parseStack(error.stack ?? "").length === 0) error.stack = `${error.stack ?? ""}\n${called}`;
      throw error;
    })
    .finally(() => pending.delete(settled));
  pending.set(settled, run);
  // A display that is not awaited reports its failure when the cell ends.
  settled.catch(() => undefined);
  return settled;
}

export async function pendingDisplays(run: RunId): Promise<void> {
  const of = () => [...pending].flatMap(([work, owner]) => (owner === run ? [work] : []));
  for (let waiting = of(); waiting.length > 0; waiting = of()) await Promise.all(waiting);
}

export const forgetDisplays = () => pending.clear();
