// Execution of a cell. It runs as a module from a `data:` URL, which returns the value to show.
// Then the worker waits for the cell's pending outputs, and reports to the page how the run ended.

import type { PageMessage, WorkerMessage } from "../../protocol/messages";
import { endAnimations, expectAnimations } from "../displays/animate";
import { collect } from "../library/collect";
import { beginRun, endRun, Stopped } from "../channel/context";
import { forgetDisplays, pendingDisplays } from "../channel/pending";
import { display } from "../displays/displays";
import { expectControls, forgetControls } from "../displays/controls";
import { forgetInputs } from "../displays/input";
import { refreshHeap } from "../channel/heap";
import { flushPaces } from "../channel/pace";
import { noteCode } from "../channel/codes";
import { coreFailure, quietly, reportError, send, valueOf } from "../channel/port";
import { saidOfChains, saidOfMethod } from "../../state/code/chains";
import { setOperators } from "./operators";
import { noteTexts } from "./texts";
import { bindKernels, takeLast, unbind, unbindGone } from "./scope";
import { joinRest } from "../library/rest";
import { countFromNow } from "../library/stats";
import { endText, flushText, writeText } from "../displays/text";

type Finished = Extract<WorkerMessage, { type: "finished" }>;

/** `beforeEnd` is called when the cell has done what it does, just before the page hears of it. */
export async function runCell(message: Extract<PageMessage, { type: "run" }>, beforeEnd: () => void): Promise<void> {
  const { run } = message;
  countFromNow(run);
  beginRun(run);
  const finished = await evaluate(message).then(
    (): Omit<Finished, "run"> => ({ type: "finished", status: "done", error: null }),
    (error: unknown): Omit<Finished, "run"> => {
      if (wasStopped(error)) return { type: "finished", status: "stopped", error: null };
      noticeLoss(error);
      return { type: "finished", status: "failed", error: reportError(error) };
    },
  );
  // The page waits for the end of a run, also where a cell has redefined what these call.
  for (const end of [forgetDisplays, flushPaces, () => endText(true), endRun, beforeEnd]) quietly(end);
  send({ ...finished, run });
}

/** What a cell throws may throw when it is looked at. */
const wasStopped = (error: unknown) => quietly(() => error instanceof Stopped) === true;

async function evaluate({ run, code, redeclared, gone, replaces, chosen, still, kernels, early, operators, texts }: Extract<PageMessage, { type: "run" }>): Promise<void> {
  forgetInputs(replaces);
  endAnimations(replaces);
  expectAnimations(still);
  forgetControls(replaces);
  expectControls(run, chosen);
  unbindGone(gone);
  if (!early) await joinRest();
  setOperators(operators);
  noteTexts(code, texts);
  noteCode(run, code);
  if (kernels) await bindKernels();
  unbind(redeclared);
  await collect();
  refreshHeap();
  await import(/* @vite-ignore */ `data:text/javascript;charset=utf-8,${encodeURIComponent(code)}`);
  // A promise as the last value is what the cell waits for.
  const value = await takeLast();
  if (value !== undefined) await display(value);
  sayWhyNothing(code, value);
  await pendingDisplays(run);
  // What was the latest of more than is shown may begin to be drawn only now.
  flushPaces();
  await pendingDisplays(run);
}

/** A last value such as `table.price` is nothing, and shows nothing, and `x.item` is a method that
 * was not called: what was meant is said. */
function sayWhyNothing(code: string, value: unknown): void {
  if (value !== undefined && typeof value !== "function") return;
  const last = /;\$weft\.last\(\(([^\n]{1,200})/.exec(code)?.[1];
  const said = last === undefined ? undefined : quietly(() => (value === undefined ? saidOfChains(last, valueOf) : saidOfMethod(last, value, valueOf)));
  if (said !== undefined) writeText("warn", said);
}

/** A lost device, or a core that failed, concerns the whole notebook, not only the cell that
 * noticed. */
export function noticeLoss(error: unknown): void {
  if (quietly(() => error instanceof Error && error.name === "DeviceLostError")) send({ type: "device-lost", cause: coreFailure(error as Error) ? "core" : "device" });
}

/** Errors that nothing waited for: rejected promises, callbacks of timers. */
export function captureStrayErrors(currentRun: () => number | null): void {
  const report = (error: unknown) => {
    if (wasStopped(error)) return;
    noticeLoss(error);
    flushText();
    const described = reportError(error);
    send({ type: "stray", run: described.frames.at(-1)?.run ?? currentRun(), error: described });
  };
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    report(event.reason);
  });
  addEventListener("error", (event) => {
    event.preventDefault();
    report(event.error ?? new Error(event.message));
  });
}
