// What are the products of vectors, matrices and batches of them?

import { noOptions } from "../core/check.js";
import { core } from "../core/core.js";
import { Tensor, type Operand } from "../core/tensor.js";
import { apply } from "./lift.js";

/**
 * Matrix product as NumPy's `matmul`: over the last axis of `a` and the last but one of `b`; axes before them broadcast; a 1-d
 * operand is a row on the left, a column on the right. Throws `ShapeError` when the inner extents differ.
 *
 * @example
 * matmul([[1, 2], [3, 4]], [5, 6]); // [17,39]
 */
export function matmul(a: Operand, b: Operand): Tensor {
  noOptions("matmul", arguments, 2);
  return apply("matmul", [a, b], (left, right) => core().matmul(left, right));
}
