// How are elements compared, and truth values combined? Every result is bool. With NaN every comparison but `notEqual` is false.

import { core, register } from "../core/core.js";
import { Tensor, type Operand } from "../core/tensor.js";
import type { Binary } from "./arithmetic.js";
import { applyBinary, lend, lendNumber } from "./lift.js";

function binary(name: string): Binary {
  const slot = register("binary", name);
  return (a, b) => applyBinary(slot, a, b);
}

/** a = b. */
export const equal: Binary = binary("equal");
/** a ≠ b. */
export const notEqual: Binary = binary("notEqual");
/** a < b. */
export const less: Binary = binary("less");
/** a ≤ b. */
export const lessEqual: Binary = binary("lessEqual");
/** a > b. */
export const greater: Binary = binary("greater");
/** a ≥ b. */
export const greaterEqual: Binary = binary("greaterEqual");
/** Both. Numbers count as true unless zero, here and below. */
export const logicalAnd: Binary = binary("logicalAnd");
/** At least one. */
export const logicalOr: Binary = binary("logicalOr");
/** Exactly one. */
export const logicalXor: Binary = binary("logicalXor");

/** `a` where the condition holds, `b` elsewhere. All three broadcast; the condition is bool. */
export function where(condition: Operand, a: Operand, b: Operand): Tensor {
  return lend("where", [condition], (c) =>
    lendNumber("where", a, undefined, (x, xNumber) =>
      lendNumber("where", b, undefined, (y, yNumber) => Tensor.adopt(core().where_(c, x, xNumber, y, yNumber))),
    ),
  );
}
