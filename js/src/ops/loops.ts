// What is computed step by step along an axis?
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/loops.rs`: change that.

import type { Operand, Tensor } from "../core/tensor.js";
import * as kind from "./kinds.js";
import { operation } from "./operation.js";

/**
 * log Σ eˣ of all elements up to each along an axis, or (null) of all in row-major order, or from each on, without overflow.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * logCumSumExp([0, 0]); // [0,0.69315]
 */
export const logCumSumExp: (x: Operand, axis?: number | null, reverse?: boolean) => Tensor = operation("logCumSumExp", kind.tensor, kind.or(kind.position, -1), kind.or(kind.flag("the reverse"), false));

/**
 * Where each of `values` would have to be inserted into a sorted vector so that it stays sorted: before equals, or after them.
 *
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * searchSorted([1, 2, 2, 5], [2, 9]); // [1,4]
 */
export const searchSorted: (sorted: Operand, values: Operand, after?: boolean) => Tensor = operation("searchSorted", kind.tensor, kind.operand, kind.or(kind.flag("the after"), false));
