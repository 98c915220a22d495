// Operators on numbers with JavaScript's meanings, written in the primitives of the IR.

import type { Builder } from "./builder.js";
import type { Binary, Compare, ExprId, KernelDType, Unary } from "./ir.js";
import { arithmeticDType, floatConstant, isInt, num, toDType, truth, truthOf, wholeConstant, type Complain, type Num } from "./numbers.js";

export class Arithmetic {
  constructor(
    readonly builder: Builder,
    readonly complain: Complain,
  ) {}

  /** The expression of a number in a dtype. */
  as(dtype: KernelDType, x: Num): ExprId {
    return toDType(this.builder, x, dtype, this.complain);
  }

  /** The expression of a number in its own dtype. */
  own(x: Num): ExprId {
    return this.as(x.dtype, x);
  }

  convert(x: Num, dtype: KernelDType): Num {
    return x.dtype === dtype && x.constant === null ? x : { ...num(dtype, this.as(dtype, x), x.whole || isInt(dtype)), literal: false };
  }

  /** The same value, evaluated once, so that it may be mentioned several times. */
  once(x: Num, name = "t"): Num {
    return x.constant !== null ? x : { ...x, expr: this.builder.once(x.dtype, x.expr, name) };
  }

  float(x: Num): ExprId {
    return this.as("f32", x);
  }

  /** A function from f32 to f32. */
  unary(op: Unary, x: Num, fold: (x: number) => number, whole = false): Num {
    if (x.constant !== null) return floatConstant(fold(x.constant));
    return num("f32", this.builder.unary(op, this.float(x)), whole);
  }

  isTrue(x: Num): Num {
    if (x.constant !== null) return truth(truthOf(x.constant));
    return x.dtype === "bool" ? x : num("bool", this.as("bool", x));
  }

  not(x: Num): Num {
    const given = this.isTrue(x);
    return given.constant !== null ? truth(given.constant === 0) : num("bool", this.builder.unary("Not", given.expr));
  }

  both(op: "And" | "Or", a: Num, b: Num): Num {
    const [x, y] = [this.isTrue(a), this.isTrue(b)];
    const decides = op === "Or" ? 1 : 0;
    if (x.constant !== null) return x.constant === decides ? x : y;
    if (y.constant !== null) return y.constant === decides ? y : x;
    return num("bool", this.builder.binary(op, x.expr, y.expr));
  }

  /** A constant that an operator makes of constants: whole if both were literals without a
   * point. */
  #folded(value: number, ...from: readonly Num[]): Num {
    return Number.isInteger(value) && from.every(({ dtype }) => dtype !== "f32") ? wholeConstant(value) : floatConstant(value);
  }

  sum(op: "Add" | "Sub" | "Mul", a: Num, b: Num): Num {
    if (a.constant !== null && b.constant !== null) {
      return this.#folded(op === "Add" ? a.constant + b.constant : op === "Sub" ? a.constant - b.constant : a.constant * b.constant, a, b);
    }
    const dtype = arithmeticDType(a, b);
    return num(dtype, this.builder.binary(op, this.as(dtype, a), this.as(dtype, b)), a.whole && b.whole);
  }

  divide(a: Num, b: Num): Num {
    if (a.constant !== null && b.constant !== null) return floatConstant(a.constant / b.constant);
    return num("f32", this.builder.binary("Div", this.float(a), this.float(b)));
  }

  negate(x: Num): Num {
    if (x.constant !== null) return this.#folded(-x.constant, x);
    const dtype = arithmeticDType(x);
    return num(dtype, this.builder.unary("Neg", this.as(dtype, x)), x.whole);
  }

  /** Whether a quotient of these can be exact and whole. */
  divideWhole(a: Num, b: Num): boolean {
    return isInt(arithmeticDType(a, b)) && !(a.constant !== null && b.constant !== null);
  }

  /** ⌊a / b⌋ of whole numbers; 0 where b is 0. */
  floorDivide(a: Num, b: Num): Num {
    const dtype = arithmeticDType(a, b);
    return num(dtype, this.builder.binary("Div", this.as(dtype, a), this.as(dtype, b)));
  }

  /** a / b of whole numbers, cut towards zero; 0 where b is 0. */
  truncDivide(a: Num, b: Num): Num {
    const dtype = arithmeticDType(a, b);
    if (dtype === "u32" || this.#isNatural(a)) return this.floorDivide(a, b);
    return this.#bySizes("Div", a, b, (x, y) => this.builder.compare("Ne", this.#isNegative(x), this.#isNegative(y)));
  }

  /** The remainder with the sign of the dividend; of whole numbers 0 where b is 0, of floats
   * NaN. */
  remainder(a: Num, b: Num): Num {
    if (a.constant !== null && b.constant !== null) return this.#folded(a.constant % b.constant, a, b);
    const dtype = arithmeticDType(a, b);
    if (dtype === "f32") {
      const x = this.builder.once("f32", this.float(a));
      const size = this.builder.binary("Rem", this.builder.unary("Abs", x), this.builder.unary("Abs", this.float(b)));
      return num("f32", this.#signed(this.builder.compare("Lt", x, this.builder.literal("f32", 0)), "f32", size), a.whole && b.whole);
    }
    if (dtype === "u32" || (this.#isNatural(a) && this.#isNatural(b))) {
      return num(dtype, this.builder.binary("Rem", this.as(dtype, a), this.as(dtype, b)));
    }
    return this.#bySizes("Rem", a, b, (x) => this.#isNegative(x));
  }

  /** An operation on the magnitudes of two i32 as u32, which holds that of −2³¹, with a sign. */
  #bySizes(op: Binary, a: Num, b: Num, isNegative: (a: ExprId, b: ExprId) => ExprId): Num {
    const { builder } = this;
    const [x, y] = [builder.once("i32", this.as("i32", a)), builder.once("i32", this.as("i32", b))];
    const size = (value: ExprId) => builder.cast("u32", builder.unary("Abs", value));
    const result = builder.cast("i32", builder.binary(op, size(x), size(y)));
    return num("i32", this.#signed(isNegative(x, y), "i32", result));
  }

  #signed(negative: ExprId, dtype: KernelDType, size: ExprId): ExprId {
    const once = this.builder.once(dtype, size);
    return this.builder.select(negative, this.builder.unary("Neg", once), once);
  }

  #isNegative(x: ExprId): ExprId {
    return this.builder.compare("Lt", x, this.builder.literal("i32", 0));
  }

  /** Whether a whole number is known not to be negative. */
  #isNatural({ constant, dtype, expr }: Num): boolean {
    if (constant !== null) return constant >= 0;
    const is = this.builder.exprs[expr]?.is;
    return dtype === "u32" || is === "Index" || is === "Extent" || is === "GridExtent" || is === "OutputExtent";
  }

  power(a: Num, b: Num): Num {
    if (a.constant !== null && b.constant !== null) return this.#folded(a.constant ** b.constant, a, b);
    const exponent = b.constant;
    const dtype = arithmeticDType(a);
    if (exponent !== null && (exponent === 2 || exponent === 3 || (isInt(dtype) && Number.isInteger(exponent) && exponent >= 0))) {
      if (exponent > 3 || exponent < 2) return num(dtype, this.builder.binary("Pow", this.as(dtype, a), this.builder.literal(dtype, exponent)), a.whole);
      const x = this.once(a);
      const square = this.sum("Mul", x, x);
      return exponent === 2 ? square : this.sum("Mul", square, x);
    }
    return num("f32", this.builder.binary("Pow", this.float(a), this.float(b)));
  }

  compare(op: Compare, a: Num, b: Num): Num {
    if (a.constant !== null && b.constant !== null) return truth(compared(op, a.constant, b.constant));
    if (a.dtype === "bool" && b.dtype === "bool" && (op === "Eq" || op === "Ne")) return num("bool", this.builder.compare(op, this.own(a), this.own(b)));
    const dtype = arithmeticDType(a, b);
    if (dtype === "u32") {
      // A negative i32 is less than any u32, whatever its bits are.
      const [x, y] = [this.#maybeNegative(a), this.#maybeNegative(b)];
      if (x && !y) return this.#mixed(op, a, b);
      if (y && !x) return this.#mixed(MIRRORED[op], b, a);
      // Of two that are not u32 one was a large literal.
    }
    return num("bool", this.builder.compare(op, this.as(dtype, a), this.as(dtype, b)));
  }

  #maybeNegative(x: Num): boolean {
    return x.constant !== null ? x.constant < 0 : x.dtype !== "u32" && !this.#isNatural(x);
  }

  #mixed(op: Compare, signed: Num, unsigned: Num): Num {
    const { builder } = this;
    const x = builder.once("i32", this.as("i32", signed));
    const same = builder.compare(op, builder.cast("u32", x), this.as("u32", unsigned));
    const negative = this.#isNegative(x);
    const holds = op === "Lt" || op === "Le" || op === "Ne";
    return num("bool", holds ? builder.binary("Or", negative, same) : builder.binary("And", builder.unary("Not", negative), same));
  }

  /** The i32 that bit operations see, as ToInt32 of the standard has it: modulo 2³². */
  toInt32(x: Num): Num {
    if (x.constant !== null) return wholeConstant(x.constant | 0);
    if (x.dtype === "i32") return x;
    if (x.dtype !== "f32") return num("i32", this.builder.cast("i32", x.expr));
    const { builder } = this;
    const value = builder.once("f32", x.expr);
    const size = builder.once("f32", builder.unary("Abs", value));
    const turns = builder.unary("Floor", builder.binary("Mul", size, builder.literal("f32", 2 ** -32)));
    const rest = builder.binary("Sub", size, builder.binary("Mul", turns, builder.literal("f32", 2 ** 32)));
    const bits = builder.cast("i32", builder.cast("u32", rest));
    return num("i32", this.#signed(builder.compare("Lt", value, builder.literal("f32", 0)), "i32", bits));
  }

  toUint32(x: Num): Num {
    if (x.constant !== null) return { ...wholeConstant(x.constant >>> 0), dtype: "u32", literal: false };
    return x.dtype === "u32" ? x : num("u32", this.builder.cast("u32", this.own(this.toInt32(x))));
  }

  bits(op: "And" | "Or" | "Xor", a: Num, b: Num): Num {
    const [x, y] = [this.toInt32(a), this.toInt32(b)];
    if (x.constant !== null && y.constant !== null) {
      return wholeConstant(op === "And" ? x.constant & y.constant : op === "Or" ? x.constant | y.constant : x.constant ^ y.constant);
    }
    // The way to write: as an i32.
    if (op === "Or" && y.constant === 0) return x;
    return num("i32", this.builder.binary(op, this.as("i32", x), this.as("i32", y)));
  }

  complement(x: Num): Num {
    const given = this.toInt32(x);
    return given.constant !== null ? wholeConstant(~given.constant) : num("i32", this.builder.unary("Not", given.expr));
  }

  shift(op: "<<" | ">>" | ">>>", a: Num, b: Num): Num {
    const count = this.toInt32(b);
    const x = op === ">>>" ? this.toUint32(a) : this.toInt32(a);
    if (x.constant !== null && count.constant !== null) {
      const { constant: given } = x;
      return op === ">>>" ? this.toUint32(wholeConstant(given >>> count.constant)) : wholeConstant(op === "<<" ? given << count.constant : given >> count.constant);
    }
    const dtype = op === ">>>" ? "u32" : "i32";
    if (count.constant !== null && (count.constant & 31) === 0) return x;
    const by = count.constant !== null ? this.builder.literal(dtype, count.constant & 31) : this.builder.binary("And", this.as(dtype, count), this.builder.literal(dtype, 31));
    return num(dtype, this.builder.binary(op === "<<" ? "Shl" : "Shr", this.as(dtype, x), by));
  }

  /** The smallest or the largest; NaN if any is NaN. */
  extreme(op: "Min" | "Max", given: readonly Num[]): Num {
    if (given.length === 0) return floatConstant(op === "Min" ? Infinity : -Infinity);
    if (given.every(({ constant }) => constant !== null)) {
      const values = given.map(({ constant }) => constant as number);
      return this.#folded(op === "Min" ? Math.min(...values) : Math.max(...values), ...given);
    }
    const dtype = arithmeticDType(...given);
    const expr = given.map((x) => this.as(dtype, x)).reduce((a, b) => this.builder.binary(op, a, b));
    return num(dtype, expr, given.every(({ whole }) => whole));
  }

  /** `condition ? a : b` of two that cost little and have no effect. */
  select(condition: Num, a: Num, b: Num): Num {
    const test = this.isTrue(condition);
    if (test.constant !== null) return test.constant === 1 ? a : b;
    const dtype = a.dtype === "bool" && b.dtype === "bool" ? "bool" : arithmeticDType(a, b);
    return { ...num(dtype, this.builder.select(test.expr, this.as(dtype, a), this.as(dtype, b)), a.whole && b.whole), literal: a.literal && b.literal };
  }
}

const MIRRORED: Record<Compare, Compare> = { Eq: "Eq", Ne: "Ne", Lt: "Gt", Le: "Ge", Gt: "Lt", Ge: "Le" };

function compared(op: Compare, a: number, b: number): boolean {
  switch (op) {
    case "Eq":
      return a === b;
    case "Ne":
      return a !== b;
    case "Lt":
      return a < b;
    case "Le":
      return a <= b;
    case "Gt":
      return a > b;
    case "Ge":
      return a >= b;
  }
}
