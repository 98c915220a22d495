// The rules of numbers, on one page. JavaScript has one kind of number and a kernel has three, and
// truth values; these rules choose among them.
//
// 1. A literal without a point is whole: 3, 0xff. It has no dtype of its own and takes that of what
//    it meets; from 2³¹ on it is u32. A literal with a point, one of 2³¹ or more with an exponent,
//    Math.PI and NaN are f32. Bundlers print 1.0 as 1: Math.fround(1) is f32 whatever they do.
// 2. Indices, extents (`x.shape[0]`, `x.length`), the elements of i32 tensors and of bool tensors,
//    `| & ^ ~ << >>` and Math.imul are i32. The elements of u32 tensors and `>>>` are u32.
// 3. `+`, `-` and `*` of whole numbers are whole; one f32 makes the result f32. i32 with u32 is
//    u32. Whole numbers wrap at 32 bits.
// 4. `/` is a division of floats, always. Math.floor(a / b), Math.trunc(a / b) and (a / b) | 0 of
//    whole a and b are whole, and exact.
// 5. Comparisons, `!` and `true` are truth values; in arithmetic one is 0 or 1.
// 6. A variable has one dtype: f32 if anything that is assigned to it is f32, else u32 if anything
//    is u32, else i32; bool only if everything is a truth value.
// 7. Numbers among the arguments and among captured values are f32.
// 8. Math.floor, ceil, round and trunc of an f32 are f32, and known to be whole: so they may be
//    indices. Sums, differences and products of such numbers may be, too.

import type { Builder } from "./builder.js";
import type { ExprId, KernelDType } from "./ir.js";

/** A number or truth value in a kernel. */
export interface Num {
  readonly is: "number";
  readonly dtype: KernelDType;
  /** Whether it has no fraction, so that it may be an index. */
  readonly whole: boolean;
  /** Whether it is made of literals alone, and so has no dtype of its own. */
  readonly literal: boolean;
  /** Its value, where that is known; 0 or 1 of a truth value. Then `expr` is not used. */
  readonly constant: number | null;
  readonly expr: ExprId;
}

/** What variables remember of what was assigned to them. */
export interface NumType {
  readonly dtype: KernelDType;
  readonly whole: boolean;
  /** Whether all of it was literals. */
  readonly literal: boolean;
}

/** The smallest and the largest whole number of 32 bits, of either sign. */
export const LEAST_WHOLE = -(2 ** 31);
export const MOST_WHOLE = 2 ** 32 - 1;
/** The largest number that rounds to a finite f32. */
const MOST_FLOAT = 2 ** 128 - 2 ** 103;

export function num(dtype: KernelDType, expr: ExprId, whole = dtype !== "f32"): Num {
  return { is: "number", dtype, whole, literal: false, constant: null, expr };
}

/** A whole literal; its dtype is where it fits, if nothing else is said. */
export function wholeConstant(value: number): Num {
  return { is: "number", dtype: value > 2 ** 31 - 1 ? "u32" : "i32", whole: true, literal: true, constant: value, expr: -1 };
}

export function floatConstant(value: number): Num {
  return { is: "number", dtype: "f32", whole: Number.isInteger(value), literal: true, constant: value, expr: -1 };
}

export function truth(value: boolean): Num {
  return { is: "number", dtype: "bool", whole: true, literal: true, constant: Number(value), expr: -1 };
}

/** The type of a variable that both are assigned to: rule 6. */
export function joinTypes(a: NumType, b: NumType): NumType {
  return { dtype: joinDTypes(a.dtype, b.dtype), whole: a.whole && b.whole, literal: a.literal && b.literal };
}

function joinDTypes(a: KernelDType, b: KernelDType): KernelDType {
  if (a === b) return a;
  return a === "f32" || b === "f32" ? "f32" : a === "u32" || b === "u32" ? "u32" : "i32";
}

/** The dtype in which two numbers are computed: rules 1, 3 and 5. */
export function arithmeticDType(...numbers: readonly Num[]): KernelDType {
  return numbers.map(({ dtype }): KernelDType => (dtype === "bool" ? "i32" : dtype)).reduce(joinDTypes);
}

export function isInt(dtype: KernelDType): boolean {
  return dtype === "i32" || dtype === "u32";
}

/** What went wrong when a literal took its dtype. */
export type Complain = (message: string) => void;

/** A number as an expression of `dtype`. Literals that do not fit are complained of. */
export function toDType(builder: Builder, { dtype: own, constant, expr }: Num, dtype: KernelDType, complain: Complain): ExprId {
  if (constant !== null) {
    if (dtype === "f32") {
      if (Math.abs(constant) >= MOST_FLOAT && Number.isFinite(constant)) complain(`${constant} is larger than any f32, the largest of which is 3.4e38: write Infinity if that is meant`);
      return builder.literal("f32", constant);
    }
    if (dtype === "bool") return builder.literal("bool", truthOf(constant) ? 1 : 0);
    if (constant > MOST_WHOLE || constant < LEAST_WHOLE) {
      complain(`${constant} does not fit in a whole number of 32 bits (${LEAST_WHOLE} to ${MOST_WHOLE}): write ${constant}.0 if a float is meant`);
    }
    return builder.literal(dtype, Math.trunc(constant));
  }
  if (own === dtype) return expr;
  if (dtype !== "bool") return builder.cast(dtype, expr);
  // NaN is false in JavaScript, and true where a dtype is cast.
  return own === "f32" ? builder.compare("Gt", builder.unary("Abs", expr), builder.literal("f32", 0)) : builder.compare("Ne", expr, builder.literal(own, 0));
}

/** Whether JavaScript takes a number for true. */
export function truthOf(value: number): boolean {
  return value !== 0 && !Number.isNaN(value);
}
