// What is accumulated along an axis?
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/running.rs`: change that.

import type { Operand, Tensor } from "../core/tensor.js";
import * as kind from "./kinds.js";
import { operation } from "./operation.js";

/**
 * The sum of all elements up to each along an axis, or (null) of all in row-major order, or from each on; without its own if `exclusive`.
 *
 * Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * cumsum([1, 2, 3]); // [1,3,6]
 * cumsum([[1, 2], [3, 4]], null); // [1,3,6,10]
 */
export const cumsum: (x: Operand, axis?: number | null, reverse?: boolean, exclusive?: boolean) => Tensor = operation("cumsum", kind.tensor, kind.or(kind.position, -1), kind.or(kind.flag("the reverse"), false), kind.or(kind.flag("the exclusive"), false));

/**
 * The product of all elements up to each along an axis, or (null) of all in row-major order, or from each on; without its own if `exclusive`.
 *
 * Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * cumprod([1, 2, 3]); // [1,2,6]
 */
export const cumprod: (x: Operand, axis?: number | null, reverse?: boolean, exclusive?: boolean) => Tensor = operation("cumprod", kind.tensor, kind.or(kind.position, -1), kind.or(kind.flag("the reverse"), false), kind.or(kind.flag("the exclusive"), false));

/**
 * The largest of all elements up to each along an axis, or (null) of all in row-major order, or from each on; without its own if `exclusive`. The gradient goes to the first of equal ones.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * cummax([1, 3, 2]); // [1,3,3]
 */
export const cummax: (x: Operand, axis?: number | null, reverse?: boolean, exclusive?: boolean) => Tensor = operation("cummax", kind.tensor, kind.or(kind.position, -1), kind.or(kind.flag("the reverse"), false), kind.or(kind.flag("the exclusive"), false));

/**
 * The smallest of all elements up to each along an axis, or (null) of all in row-major order, or from each on; without its own if `exclusive`. The gradient goes to the first of equal ones.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * cummin([3, 1, 2]); // [3,1,1]
 */
export const cummin: (x: Operand, axis?: number | null, reverse?: boolean, exclusive?: boolean) => Tensor = operation("cummin", kind.tensor, kind.or(kind.position, -1), kind.or(kind.flag("the reverse"), false), kind.or(kind.flag("the exclusive"), false));
