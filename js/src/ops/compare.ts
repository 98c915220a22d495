// How are elements compared, and truth values combined?
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/compare.rs`: change that.

import type { Operand, Tensor } from "../core/tensor.js";
import type { Binary } from "./forms.js";
import * as kind from "./kinds.js";
import { operation } from "./operation.js";

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
