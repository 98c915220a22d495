// Memory and counters of the device: what it holds, and what it has done.

import { countOf, noMore } from "../check/check.js";
import { core } from "../wasm/core.js";
import { throttle } from "./current.js";
import { releaseAbandoned } from "../tensor/scope.js";
import { ensureScope } from "../wasm/stack.js";
import { Tensor } from "../tensor/tensor.js";

/**
 * What tensors take.
 *
 * @example
 * const { tensors, bytes, pooled } = memory();
 */
export interface Memory {
  /** Tensors and parameters that JavaScript holds. */
  readonly tensors: number;
  /** Bytes on the device that live tensors take. */
  readonly bytes: number;
  /** The most `bytes` has been since `resetPeak()`. */
  readonly peak: number;
  /** Bytes on the device that wait to be used again. */
  readonly pooled: number;
}

/**
 * What the device has done since it was opened, and what it holds.
 *
 * @example
 * const before = stats().dispatches;
 * await ones([4]).exp().sum().item();
 * stats().dispatches - before; // at most a few
 */
export interface Stats {
  /** Command buffers submitted. */
  readonly submits: number;
  /** Compute passes. */
  readonly passes: number;
  /** Kernels dispatched. */
  readonly dispatches: number;
  /** Pipelines compiled. */
  readonly pipelinesCompiled: number;
  /** Buffers created; those taken from the pool do not count. */
  readonly buffersCreated: number;
  /** Bytes that live tensors take. */
  readonly bytesLive: number;
  /** The most `bytesLive` has been since `resetPeak()`. */
  readonly bytesPeak: number;
  /** Bytes that wait in the pool. */
  readonly bytesPooled: number;
  /** Runs of a program that was compiled already. */
  readonly programHits: number;
  /** Runs of a program that had to be compiled. */
  readonly programMisses: number;
}

/**
 * Live tensors and memory.
 *
 * @example
 * const before = memory().tensors;
 * const x = ones([4]);
 * memory().tensors - before; // 1
 */
export function memory(): Memory {
  const { bytesLive, bytesPeak, bytesPooled } = stats();
  return { tensors: core().lives(), bytes: bytesLive, peak: bytesPeak, pooled: bytesPooled };
}

/**
 * Counts `memory().peak` from what is held now: for the peak of one step rather than of all that
 * came before.
 *
 * @example
 * resetPeak();
 * await ones([1000]).exp().sum().item();
 * memory().peak - memory().bytes; // what that took meanwhile
 */
export function resetPeak(): void {
  core().reset_peak();
}

/**
 * The device's counters; with a label of `labelRuns` what was asked for under that, though the
 * device may do it later. The memory is everybody's.
 *
 * @example
 * stats().pipelinesCompiled; // grows with each new program on a GPU
 */
export function stats(label?: number): Stats {
  noMore("stats", arguments, 1);
  return core().stats(label === undefined ? undefined : countOf("stats", "label", label)) as Stats;
}

/**
 * Computes tensors now, in one submit, without reading them. They are computed when they are read,
 * drawn or used by a step anyway; this says when. The promise lets the device catch up, as
 * `throttle` does: await it in a loop, so that work does not pile up.
 *
 * @example
 * const x = ones([4]).add(1);
 * await realize(x); // computed, though nobody has read it
 */
export function realize(...tensors: Tensor[]): Promise<void> {
  // Nobody need await what this returns, so that it must not be what finds the stack too short.
  ensureScope();
  const handles: number[] = [];
  for (let n = 0; n < tensors.length; n++) handles.push(Tensor.of("realize", "each argument", tensors[n]).handle);
  core().realize(handles);
  releaseAbandoned();
  return throttle();
}
