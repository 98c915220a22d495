// Clipping to bounds, which may be numbers, tensors, or left open.

import { noMore } from "../core/check/check.js";
import { register } from "../core/wasm/core.js";
import type { Operand, Tensor } from "../core/tensor/tensor.js";
import { maximum, minimum } from "./generated/arithmetic.js";
import { composed } from "./lift.js";
import { invoke } from "./operation.js";

const clipped = register("clip");

/**
 * x between `low` and `high`, which broadcast; `null` leaves an end open. `high` wins where they
 * cross.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * clip([-5, 0, 5], -1, 2); // [-1,0,2]
 */
export function clip(x: Operand, low: Operand | null = null, high: Operand | null = null): Tensor {
  noMore("clip", arguments, 3);
  const isBound = (bound: Operand | null): bound is number | null => bound === null || typeof bound === "number";
  if (isBound(low) && isBound(high)) {
    return invoke(clipped, (call) => call.tensor(x).put(...boundOf(low), ...boundOf(high)));
  }
  return composed("clip", () => {
    const raised = low === null ? x : maximum(x, low);
    return high === null ? (raised as Tensor) : minimum(raised, high);
  });
}

/** A bound in the core's form: whether there is one, and which. */
function boundOf(bound: number | null): readonly number[] {
  return bound === null ? [0] : [1, bound];
}
