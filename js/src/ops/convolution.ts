// Convolution and correlation, by the name of the part that is kept.

import { noMore, shown } from "../core/check/check.js";
import { register, type OpCode } from "../core/wasm/core.js";
import type { Operand, Tensor } from "../core/tensor/tensor.js";
import { ValueError } from "../core/errors.js";
import { invoke } from "./operation.js";

const OVERLAPS = ["full", "same", "valid"] as const;

/**
 * Which part of a convolution is kept: all where the two overlap; from the middle as many as the
 * longer of two vectors has, or, of several axes, the first tensor; or where the smaller lies
 * within the larger.
 *
 * @example
 * const part: Overlap = "valid";
 * convolve([1, 2, 3], [1, 1], part); // [3,5]
 */
export type Overlap = (typeof OVERLAPS)[number];

const [convolved, correlated] = [register("convolve"), register("correlate")];

function overlapping(opcode: OpCode, a: Operand, b: Operand, overlap: Overlap): Tensor {
  const code = OVERLAPS.indexOf(overlap);
  if (code < 0) throw new ValueError(opcode.name, `the part is one of ${OVERLAPS.join(", ")}, got ${shown(overlap)}`);
  return invoke(opcode, (call) => call.tensor(a).tensor(b).put(code));
}

/**
 * The convolution of two vectors, as `numpy.convolve`, or along all axes of two tensors of one
 * rank, as `scipy.signal.convolve`. Layers' convolutions over batches and features are `conv`.
 * Throws `ShapeError` for other ranks, for empty ones, and where "valid" finds neither within the
 * other.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * convolve([1, 2, 3], [0, 1, 0.5]); // [0,1,2.5,4,1.5]
 * convolve([[1, 2], [3, 4]], [[1, 1]], "same"); // [[1,3],[3,7]]
 */
export function convolve(a: Operand, b: Operand, overlap: Overlap = "full"): Tensor {
  noMore("convolve", arguments, 3);
  return overlapping(convolved, a, b, overlap);
}

/**
 * The correlation of two vectors, or along all axes of two tensors of one rank: the convolution
 * with the second reversed. Throws as `convolve`.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * correlate([1, 2, 3], [0, 1, 0.5]); // [3.5]
 */
export function correlate(a: Operand, b: Operand, overlap: Overlap = "valid"): Tensor {
  noMore("correlate", arguments, 3);
  return overlapping(correlated, a, b, overlap);
}
