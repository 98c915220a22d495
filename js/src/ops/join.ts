// How do several tensors become one?

import { axisOf, listOf, noOptions } from "../core/check.js";
import { core } from "../core/core.js";
import { Tensor, type Operand } from "../core/tensor.js";
import { lend } from "./lift.js";

/**
 * Joined along an existing axis; the other extents must agree. Throws `ShapeError`.
 *
 * @example
 * concat([[1, 2], tensor([3])]); // [1,2,3]
 */
export function concat(tensors: readonly Operand[], axis = 0): Tensor {
  noOptions("concat", arguments, 2);
  listOf("concat", "a list of tensors", tensors);
  const along = axisOf("concat", axis);
  return lend("concat", tensors, (...handles) => Tensor.adopt(core().concat(Uint32Array.from(handles), along)));
}

/**
 * Joined along a new axis; the shapes must be equal. Throws `ShapeError`.
 *
 * @example
 * stack([[1, 2], [3, 4]], 1); // [[1,3],[2,4]]
 */
export function stack(tensors: readonly Operand[], axis = 0): Tensor {
  noOptions("stack", arguments, 2);
  listOf("stack", "a list of tensors", tensors);
  const along = axisOf("stack", axis);
  return lend("stack", tensors, (...handles) => Tensor.adopt(core().stack(Uint32Array.from(handles), along)));
}
