// `explain`: the program that a function becomes, and explanations of the programs that ran.

import { countOf, noMore } from "../core/check/check.js";
import { core, labelWork, wholeCore } from "../core/wasm/core.js";
import { explanationOf, type Explanation } from "../core/tensor/explanation.js";
import { checkFunction } from "../core/tensor/functions.js";
import { isTracing } from "../core/check/tracing.js";
import { tensorsOf } from "../core/tensor/tree.js";
import { TraceError } from "../core/errors.js";
import { capture } from "./capture.js";
import { handlesOf } from "./gradients.js";

/**
 * What `fn` computes of these arguments, stage by stage: the canonical program, the clusters with
 * the reason of each cut, the kernels as kernel IR and WGSL, the dispatches and the memory. `fn` is
 * run once, on what stands for the tensors and numbers of its arguments, as `jit` does; nothing is
 * computed, and no parameter changes. Arguments and results are trees; loops, branches, gradients
 * and `jit` are explained with the rest.
 *
 * The CPU device interprets programs: there, they are explained as a GPU with the least that WebGPU
 * guarantees would run them.
 *
 * Throws `TraceError` when `fn` is async or reads a value, and inside a function that is
 * transformed.
 *
 * @example
 * const explained = explain((x: Tensor) => x.matmul(x).relu().sum(), ones([64, 64]));
 * console.log(`${explained}`);
 * explained.bytes; // { inputs: 16384, outputs: 4, temporaries: 16384 }
 */
export function explain<Args extends unknown[]>(fn: (...args: Args) => unknown, ...args: Args): Explanation {
  const op = "explain";
  checkFunction(op, fn);
  if (isTracing() || core().is_transforming()) throw new TraceError(op, "a function is being transformed: explain the whole function from outside");
  return capture(op, fn, args, new Set(), ({ result }) => explanationOf(wholeCore(op).trace_explain(handlesOf(tensorsOf(result)))));
}

/**
 * A program that ran.
 *
 * @example
 * const [run]: Run[] = explainRuns(1);
 */
export interface Run {
  /** How often. */
  readonly times: number;
  readonly explanation: Explanation;
}

/**
 * Notes from now on under a label, a whole number, which programs the device runs, for
 * `explainRuns`. 0 notes nothing, as at first.
 *
 * @example
 * labelRuns(1);
 * await random.normal([8]).sin().data();
 * labelRuns(0);
 * explainRuns(1).map(({ times }) => times); // [1]
 */
export function labelRuns(label: number): void {
  noMore("labelRuns", arguments, 1);
  labelWork(countOf("labelRuns", "label", label));
}

/**
 * What ran under a label of `labelRuns`, in the order in which it first ran: each program once,
 * with how often it did. Of each label the first 64 are remembered, of all labels the latest
 * thousand.
 *
 * @example
 * explainRuns(1).forEach(({ times, explanation }) => console.log(`${times} ×\n${explanation}`));
 */
export function explainRuns(label: number): Run[] {
  noMore("explainRuns", arguments, 1);
  const listed = wholeCore("explainRuns").explain_runs(countOf("explainRuns", "label", label));
  return Array.from({ length: listed.length / 2 }, (_, n) => ({ times: Number(listed[2 * n]), explanation: explanationOf(listed[2 * n + 1] as string) }));
}
