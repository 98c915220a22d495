// How do tensors compare as wholes, and what do their elements come to?
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/tallies.rs`: change that.

import type { Operand, Tensor } from "../core/tensor.js";
import type { ClosenessOptions, EqualityOptions, MembershipOptions, Reduction } from "./forms.js";
import * as kind from "./kinds.js";
import { operation } from "./operation.js";

/**
 * The largest less the smallest. Throws `ShapeError` over nothing.
 *
 * Takes any dtype; gives the dtype of x, i32 of bool. Differentiable; `vmap` batches it.
 *
 * @example
 * ptp([4, 2, 8]); // 6
 */
export const ptp: Reduction = operation("ptp", kind.tensor, kind.axes, kind.options({ keepdims: false }));

/**
 * How many elements are not zero, as i32.
 *
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * countNonzero([0, 3, 1]); // 2
 */
export const countNonzero: Reduction = operation("countNonzero", kind.tensor, kind.axes, kind.options({ keepdims: false }));

/**
 * log of the mean of eˣ, without overflow.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * logMeanExp([1000, 1000]); // 1000
 */
export const logMeanExp: Reduction = operation("logMeanExp", kind.tensor, kind.axes, kind.options({ keepdims: false }));

/**
 * Whether |a − b| ≤ atol + rtol · |b| for each pair.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * isClose([1, 2], [1.000001, 2.1]); // [true,false]
 */
export const isClose: (a: Operand, b: Operand, options?: ClosenessOptions) => Tensor = operation("isClose", kind.operand, kind.operand, kind.options({ rtol: 1e-5, atol: 1e-8, equalNan: false }));

/**
 * Whether all pairs are close, as `isClose` tells: one bool.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * allClose([1, 2], [1, 2.1]); // false
 */
export const allClose: (a: Operand, b: Operand, options?: ClosenessOptions) => Tensor = operation("allClose", kind.operand, kind.operand, kind.options({ rtol: 1e-5, atol: 1e-8, equalNan: false }));

/**
 * Whether both have one shape and equal elements: one bool.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * arrayEqual([1, 2], [1, 2]); // true
 * arrayEqual([1, NaN], [1, NaN], { equalNan: true }); // true
 */
export const arrayEqual: (a: Operand, b: Operand, options?: EqualityOptions) => Tensor = operation("arrayEqual", kind.tensor, kind.tensor, kind.options({ equalNan: false }));

/**
 * Whether each element is one of `values`, or, with `invert`, none of them.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * isIn([1, 2, 3], [3, 1]); // [true,false,true]
 * isIn([1, 2, 3], [3, 1], { invert: true }); // [false,true,false]
 */
export const isIn: (x: Operand, values: Operand, options?: MembershipOptions) => Tensor = operation("isIn", kind.tensor, kind.tensor, kind.options({ invert: false }));
