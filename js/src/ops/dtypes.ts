// Facts about dtypes: limits, promotion, casts.

import { listOf, noMore, shown } from "../core/check/check.js";
import { dtypes, type DType } from "../core/tensor/dtype.js";
import { Tensor, type Operand } from "../core/tensor/tensor.js";
import { DTypeError } from "../core/errors.js";
import { zeros } from "./create.js";
import { where } from "./generated/compare.js";
import { composed, lifted } from "./lift.js";

function known(op: string, dtype: DType): DType {
  if (!dtypes.includes(dtype)) throw new DTypeError(op, `no dtype is called ${shown(dtype)}; expected ${dtypes.join(", ")}`);
  return dtype;
}

const of = (op: string, what: Tensor | DType): DType => (what instanceof Tensor ? what.dtype : known(op, what));

/**
 * The limits of a dtype of floats.
 *
 * @example
 * const limits: FloatLimits = finfo("f32");
 * limits.bits; // 32
 */
export interface FloatLimits {
  readonly dtype: DType;
  readonly bits: number;
  /** The distance from 1 to the next number. */
  readonly eps: number;
  /** The distance from 1 to the number before. */
  readonly epsneg: number;
  readonly max: number;
  readonly min: number;
  /** The smallest number that devices tell from 0. */
  readonly tiny: number;
  readonly smallestNormal: number;
}

/** Bits of the fraction, and the largest exponent. */
const floats: Partial<Record<DType, { bits: number; fraction: number; exponent: number }>> = {
  f32: { bits: 32, fraction: 23, exponent: 127 },
  f16: { bits: 16, fraction: 10, exponent: 15 },
};

/**
 * The limits of a dtype of floats. Throws `DTypeError` for one of integers.
 *
 * @example
 * finfo("f32").eps; // 1.1921e-7
 */
export function finfo(dtype: Tensor | DType = "f32"): FloatLimits {
  noMore("finfo", [...arguments], 1);
  const given = of("finfo", dtype);
  const layout = floats[given];
  if (!layout) throw new DTypeError("finfo", `takes a dtype of floats, got ${given}: iinfo knows integers`);
  const { bits, fraction, exponent } = layout;
  const max = (2 - 2 ** -fraction) * 2 ** exponent;
  const tiny = 2 ** (1 - exponent);
  return { dtype: given, bits, eps: 2 ** -fraction, epsneg: 2 ** (-fraction - 1), max, min: -max, tiny, smallestNormal: tiny };
}

/**
 * The limits of a dtype of integers.
 *
 * @example
 * const limits: IntegerLimits = iinfo("i32");
 * limits.max; // 2147483647
 */
export interface IntegerLimits {
  readonly dtype: DType;
  readonly bits: number;
  readonly max: number;
  readonly min: number;
}

/**
 * The limits of a dtype of integers. Throws `DTypeError` for one of floats.
 *
 * @example
 * iinfo("u32").max; // 4294967295
 */
export function iinfo(dtype: Tensor | DType): IntegerLimits {
  noMore("iinfo", [...arguments], 1);
  const given = of("iinfo", dtype);
  const [kind, bits] = [given.charAt(0), Number(given.slice(1))];
  if (kind === "i") return { dtype: given, bits, max: 2 ** (bits - 1) - 1, min: -(2 ** (bits - 1)) };
  if (kind === "u") return { dtype: given, bits, max: 2 ** bits - 1, min: 0 };
  throw new DTypeError("iinfo", `takes a dtype of integers, got ${given}`);
}

/**
 * The dtype in which tensors, numbers and dtypes meet. Plain numbers take the dtype of what they
 * meet where they fit it.
 *
 * @example
 * resultType("i32", "f32"); // "f32"
 * resultType(tensor(Int32Array.of(1)), 2.5); // "f32"
 */
export function resultType(...operands: (Operand | DType)[]): DType {
  const op = "resultType";
  if (operands.length === 0) throw new DTypeError(op, "takes at least one tensor or dtype");
  return composed(op, () => {
    // What a choice between them would be, which the core knows.
    const stands = operands.map((operand) => {
      if (typeof operand === "number") return operand;
      return zeros([], { dtype: typeof operand === "string" ? known(op, operand as DType) : lifted(op, operand as Operand).dtype });
    });
    const ordered = [...stands.filter((one) => typeof one !== "number"), ...stands.filter((one) => typeof one === "number")];
    return (ordered.reduce((met: Operand, one) => where(true, met, one), ordered[0] as Operand) as Tensor).dtype;
  });
}

/**
 * The dtype in which two meet.
 *
 * @example
 * promoteTypes("bool", "i32"); // "i32"
 */
export function promoteTypes(a: DType, b: DType): DType {
  noMore("promoteTypes", arguments, 2);
  return resultType(known("promoteTypes", a), known("promoteTypes", b));
}

/**
 * Whether a dtype holds all numbers of another by promotion.
 *
 * @example
 * canCast("i32", "f32"); // true
 * canCast("f32", "i32"); // false
 */
export function canCast(from: Tensor | DType, to: DType): boolean {
  noMore("canCast", arguments, 2);
  return resultType(of("canCast", from), known("canCast", to)) === to;
}

const [signed, unsigned, floating] = [["i8", "i32"], ["u8", "u32"], ["f16", "f32"]] as const;
const KINDS = new Map<string, readonly DType[]>([
  ["bool", ["bool"]],
  ["signed integer", signed],
  ["unsigned integer", unsigned],
  ["integral", [...signed, ...unsigned]],
  ["real floating", floating],
  ["complex floating", []],
  ["numeric", [...signed, ...unsigned, ...floating]],
]);

/**
 * Whether a dtype is another one, or of a kind as the array API standard names them, or of any in a
 * list.
 *
 * @example
 * isDType("i32", "integral"); // true
 * isDType("f32", ["bool", "i32"]); // false
 */
export function isDType(dtype: DType, kind: string | readonly string[]): boolean {
  const op = "isDType";
  noMore(op, arguments, 2);
  const given = known(op, dtype);
  const kinds = (typeof kind === "string" ? [kind] : listOf(op, "a kind or a list of kinds", kind)) as readonly string[];
  return Array.from(kinds).some((one) => ((typeof one === "string" && KINDS.get(one)) || [known(op, one as DType)]).includes(given));
}
