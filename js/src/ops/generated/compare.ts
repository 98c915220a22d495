// Comparisons, logic and choice by a condition.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/compare.rs`: change that.

import type { Operand, Tensor } from "../../core/tensor/tensor.js";
import type { Binary, ClosenessOptions, EqualityOptions } from "../signatures.js";
import * as kind from "../kinds.js";
import { operation } from "../operation.js";

/**
 * a = b.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * equal([1, 2], 2); // [false,true]
 */
export const equal: Binary = operation("equal", kind.operand, kind.operand);

/**
 * a ≠ b.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * notEqual([1, 2], 2); // [true,false]
 */
export const notEqual: Binary = operation("notEqual", kind.operand, kind.operand);

/**
 * a < b.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * less([1, 2], 2); // [true,false]
 */
export const less: Binary = operation("less", kind.operand, kind.operand);

/**
 * a ≤ b.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * lessEqual([1, 2], 1); // [true,false]
 */
export const lessEqual: Binary = operation("lessEqual", kind.operand, kind.operand);

/**
 * a > b.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * greater([1, 2], 1); // [false,true]
 */
export const greater: Binary = operation("greater", kind.operand, kind.operand);

/**
 * a ≥ b.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * greaterEqual([1, 2], 2); // [false,true]
 */
export const greaterEqual: Binary = operation("greaterEqual", kind.operand, kind.operand);

/**
 * Both. Numbers count as true unless zero, here and below.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * logicalAnd([true, true], [true, false]); // [true,false]
 */
export const logicalAnd: Binary = operation("logicalAnd", kind.operand, kind.operand);

/**
 * At least one.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * logicalOr([true, false], [false, false]); // [true,false]
 */
export const logicalOr: Binary = operation("logicalOr", kind.operand, kind.operand);

/**
 * Exactly one.
 *
 * Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
 *
 * @example
 * logicalXor([true, true], [true, false]); // [false,true]
 */
export const logicalXor: Binary = operation("logicalXor", kind.operand, kind.operand);

/**
 * `a` where the condition holds, `b` elsewhere. All three broadcast; the condition is bool.
 *
 * Takes bool, and any dtypes; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * where([true, false], [1, 2], 0); // [1,0]
 */
export const where: (condition: Operand, a: Operand, b: Operand) => Tensor = operation("where", kind.tensor, kind.operand, kind.operand);

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
 * Whether `isClose` holds for all pairs: one bool.
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
