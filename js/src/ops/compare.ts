// How are elements compared, and truth values combined? Every result is bool. With NaN every comparison but `notEqual` is false.

import { noOptions } from "../core/check.js";
import { core, register } from "../core/core.js";
import { Tensor, type Operand } from "../core/tensor.js";
import type { Binary } from "./arithmetic.js";
import { applyBinary, lend, lendNumber } from "./lift.js";

function binary(name: string): Binary {
  const slot = register("binary", name);
  return (a, b, ...more: unknown[]) => {
    noOptions(name, more, 0);
    return applyBinary(slot, a, b);
  };
}

/**
 * a = b.
 *
 * @example
 * equal([1, 2], 2); // [false,true]
 */
export const equal: Binary = binary("equal");

/**
 * a ≠ b.
 *
 * @example
 * notEqual([1, 2], 2); // [true,false]
 */
export const notEqual: Binary = binary("notEqual");

/**
 * a < b.
 *
 * @example
 * less([1, 2], 2); // [true,false]
 */
export const less: Binary = binary("less");

/**
 * a ≤ b.
 *
 * @example
 * lessEqual([1, 2], 1); // [true,false]
 */
export const lessEqual: Binary = binary("lessEqual");

/**
 * a > b.
 *
 * @example
 * greater([1, 2], 1); // [false,true]
 */
export const greater: Binary = binary("greater");

/**
 * a ≥ b.
 *
 * @example
 * greaterEqual([1, 2], 2); // [false,true]
 */
export const greaterEqual: Binary = binary("greaterEqual");

/**
 * Both. Numbers count as true unless zero, here and below.
 *
 * @example
 * logicalAnd([true, true], [true, false]); // [true,false]
 */
export const logicalAnd: Binary = binary("logicalAnd");

/**
 * At least one.
 *
 * @example
 * logicalOr([true, false], [false, false]); // [true,false]
 */
export const logicalOr: Binary = binary("logicalOr");

/**
 * Exactly one.
 *
 * @example
 * logicalXor([true, true], [true, false]); // [false,true]
 */
export const logicalXor: Binary = binary("logicalXor");

/**
 * `a` where the condition holds, `b` elsewhere. All three broadcast; the condition is bool.
 *
 * @example
 * where([true, false], [1, 2], 0); // [1,0]
 */
export function where(condition: Operand, a: Operand, b: Operand): Tensor {
  noOptions("where", arguments, 3);
  return lend("where", [condition], (c) =>
    lendNumber("where", a, undefined, (x, xNumber) =>
      lendNumber("where", b, undefined, (y, yNumber) => Tensor.adopt(core().where_(c, x, xNumber, y, yNumber))),
    ),
  );
}
