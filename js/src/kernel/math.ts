// JavaScript's Math, and the questions of Number, in the primitives of the IR. Formulas of
// functions that the IR lacks are those of tensors (`crate/weft/src/ops/elementwise`).

import type { Arithmetic } from "./arithmetic.js";
import type { ExprId } from "./ir.js";
import { arithmeticDType, floatConstant, isInt, num, truth, wholeConstant, type Num } from "./numbers.js";

export interface MathFunction {
  readonly least: number;
  readonly most: number;
  readonly call: (on: Arithmetic, args: readonly Num[]) => Num;
}

type One = (on: Arithmetic, x: Num) => Num;

const one = (call: One): MathFunction => ({ least: 1, most: 1, call: (on, [x]) => call(on, x as Num) });
const two = (call: (on: Arithmetic, a: Num, b: Num) => Num): MathFunction => ({ least: 2, most: 2, call: (on, [a, b]) => call(on, a as Num, b as Num) });

/** A function from f32 to f32 by a formula, and by JavaScript's own where its argument is known. */
function formula(fold: (x: number) => number, write: (on: Floats, x: ExprId) => ExprId): MathFunction {
  return one((on, x) => {
    if (x.constant !== null) return floatConstant(fold(x.constant));
    const floats = new Floats(on);
    return num("f32", write(floats, floats.once(on.float(x))));
  });
}

/** A function to whole numbers, which whole numbers are already. */
function rounding(fold: (x: number) => number, write: (on: Floats, x: ExprId) => ExprId): MathFunction {
  return one((on, x) => {
    if (x.constant !== null) return x.dtype === "f32" ? floatConstant(fold(x.constant)) : x;
    if (x.dtype !== "f32") return on.convert(x, arithmeticDType(x));
    const floats = new Floats(on);
    return num("f32", write(floats, floats.once(x.expr)), true);
  });
}

/** Expressions of floats. */
class Floats {
  constructor(readonly on: Arithmetic) {}

  once = (x: ExprId) => this.on.builder.once("f32", x);
  of = (value: number) => this.on.builder.literal("f32", value);
  add = (a: ExprId, b: ExprId) => this.on.builder.binary("Add", a, b);
  sub = (a: ExprId, b: ExprId) => this.on.builder.binary("Sub", a, b);
  mul = (a: ExprId, b: ExprId) => this.on.builder.binary("Mul", a, b);
  div = (a: ExprId, b: ExprId) => this.on.builder.binary("Div", a, b);
  neg = (x: ExprId) => this.on.builder.unary("Neg", x);
  abs = (x: ExprId) => this.on.builder.unary("Abs", x);
  exp = (x: ExprId) => this.on.builder.unary("Exp", x);
  log = (x: ExprId) => this.on.builder.unary("Log", x);
  sqrt = (x: ExprId) => this.on.builder.unary("Sqrt", x);
  floor = (x: ExprId) => this.on.builder.unary("Floor", x);
  less = (a: ExprId, b: ExprId) => this.on.builder.compare("Lt", a, b);
  is = (a: ExprId, b: ExprId) => this.on.builder.compare("Eq", a, b);
  select = (condition: ExprId, a: ExprId, b: ExprId) => this.on.builder.select(condition, a, b);
  both = (a: ExprId, b: ExprId) => this.on.builder.binary("And", a, b);
  test = (condition: ExprId) => this.on.builder.once("bool", condition);

  polynomial(x: ExprId, coefficients: readonly number[]): ExprId {
    return coefficients.slice(1).reduce((sum, c) => this.add(this.mul(sum, x), this.of(c)), this.of(coefficients[0] as number));
  }

  /** Whether the sign bit is set: of −0, too. */
  hasSign(x: ExprId): ExprId {
    const { builder } = this.on;
    return this.test(builder.compare("Lt", builder.add({ is: "Bitcast", dtype: "i32", x }), builder.literal("i32", 0)));
  }
}

/** atan(x)/x as a polynomial of x² for |x| up to 1; the highest power first. */
const ATAN = [-0.001753928, 0.010726934, -0.03080458, 0.057552084, -0.08377314, 0.1094203, -0.14261933, 0.19998266, -0.33333284, 1];
/** (asin(x)/x − 1)/x² likewise for |x| up to 1/2. */
const ASIN = [0.03379387, 0.01708567, 0.031114317, 0.044598218, 0.07500098, 0.16666666];

function expm1(on: Floats, x: ExprId): ExprId {
  const near = on.test(on.less(on.abs(x), on.of(1)));
  // With t = tanh(x/2), eˣ is (1 + t)/(1 − t).
  const t = on.once(on.on.builder.unary("Tanh", on.mul(on.select(near, x, on.of(0)), on.of(0.5))));
  return on.select(near, on.div(on.add(t, t), on.sub(on.of(1), t)), on.sub(on.exp(x), on.of(1)));
}

function log1p(on: Floats, x: ExprId): ExprId {
  const near = on.test(on.less(on.abs(x), on.of(0.25)));
  const inside = on.once(on.select(near, x, on.of(0)));
  // 2·atanh(s) with s = x/(2 + x), of which five terms are enough where |s| is at most 1/7.
  const s = on.once(on.div(inside, on.add(inside, on.of(2))));
  const series = on.polynomial(on.once(on.mul(s, s)), [2 / 9, 2 / 7, 2 / 5, 2 / 3, 2]);
  return on.select(near, on.mul(series, s), on.log(on.add(x, on.of(1))));
}

/** eˣ/2 and e⁻ˣ/2, neither of which overflows early. */
function halves(on: Floats, x: ExprId): [ExprId, ExprId] {
  const half = (of: ExprId) => {
    const root = on.once(on.exp(on.mul(of, on.of(0.5))));
    return on.mul(on.mul(root, on.of(0.5)), root);
  };
  return [half(x), half(on.neg(x))];
}

function sinh(on: Floats, x: ExprId): ExprId {
  const near = on.test(on.less(on.abs(x), on.of(1)));
  const e = on.once(expm1(on, on.once(on.select(near, x, on.of(0)))));
  const close = on.mul(on.add(e, on.div(e, on.add(e, on.of(1)))), on.of(0.5));
  const [half, inverse] = halves(on, x);
  return on.select(near, close, on.sub(half, inverse));
}

function asinh(on: Floats, x: ExprId): ExprId {
  const negative = on.hasSign(x);
  const size = on.once(on.select(negative, on.neg(x), x));
  const near = on.test(on.less(size, on.of(4096)));
  const inside = on.once(on.select(near, size, on.of(1)));
  const square = on.once(on.mul(inside, inside));
  const root = on.sqrt(on.add(square, on.of(1)));
  const close = log1p(on, on.once(on.add(on.div(square, on.add(root, on.of(1))), inside)));
  const result = on.once(on.select(near, close, on.add(on.log(on.select(near, on.of(1), size)), on.of(Math.LN2))));
  return on.select(negative, on.neg(result), result);
}

function acosh(on: Floats, x: ExprId): ExprId {
  // cosh 2y is 1 + 2 sinh² y.
  const y = on.once(asinh(on, on.once(on.sqrt(on.mul(on.sub(x, on.of(1)), on.of(0.5))))));
  return on.add(y, y);
}

/** A logarithm whose whole powers of the base two are exact. */
function logarithm(on: Floats, x: ExprId, ofE: number, ofTwo: number): ExprId {
  const { builder } = on.on;
  const whole = (value: number) => builder.literal("i32", value);
  const SQRT_HALF = 0x3f3504f3;
  const bits = builder.binary("Sub", builder.add({ is: "Bitcast", dtype: "i32", x }), whole(SQRT_HALF));
  const exponent = builder.once("i32", builder.binary("Max", builder.binary("Min", builder.binary("Shr", bits, whole(23)), whole(126)), whole(-126)));
  const scale = builder.add({ is: "Bitcast", dtype: "f32", x: builder.binary("Shl", builder.binary("Sub", whole(127), exponent), whole(23)) });
  return on.add(on.mul(on.log(on.mul(x, scale)), on.of(ofE)), on.mul(builder.cast("f32", exponent), on.of(ofTwo)));
}

/** What arc sine and arc cosine share: asin(x) near 0, and half of acos(|x|) elsewhere. */
function arc(on: Floats, x: ExprId): { near: ExprId; negative: ExprId; close: ExprId; far: ExprId } {
  const near = on.test(on.less(on.abs(x), on.of(0.5)));
  const negative = on.test(on.less(x, on.of(0)));
  const series = (s: ExprId, square: ExprId) => on.add(on.mul(on.mul(on.polynomial(square, ASIN), square), s), s);
  const inside = on.once(on.select(near, x, on.of(0)));
  const close = series(inside, on.once(on.mul(inside, inside)));
  const size = on.select(negative, on.neg(x), x);
  const outside = on.once(on.mul(on.sub(on.of(1), on.select(near, on.of(0.5), size)), on.of(0.5)));
  return { near, negative, close, far: on.once(series(on.once(on.sqrt(outside)), outside)) };
}

function asin(on: Floats, x: ExprId): ExprId {
  const { near, negative, close, far } = arc(on, x);
  const angle = on.once(on.sub(on.of(Math.PI / 2), on.add(far, far)));
  return on.select(near, close, on.select(negative, on.neg(angle), angle));
}

function acos(on: Floats, x: ExprId): ExprId {
  const { near, negative, close, far } = arc(on, x);
  const double = on.once(on.add(far, far));
  return on.select(near, on.sub(on.of(Math.PI / 2), close), on.select(negative, on.sub(on.of(Math.PI), double), double));
}

/** The angle of a slope in [0, 1], taken from π/2 where it is steep. */
function arcTangent(on: Floats, slope: ExprId, steep: ExprId): ExprId {
  const angle = on.once(on.mul(on.polynomial(on.once(on.mul(slope, slope)), ATAN), slope));
  return on.once(on.select(steep, on.sub(on.of(Math.PI / 2), angle), angle));
}

function atan(on: Floats, x: ExprId): ExprId {
  const negative = on.hasSign(x);
  const size = on.once(on.select(negative, on.neg(x), x));
  const steep = on.test(on.less(on.of(1), size));
  const slope = on.once(on.div(on.select(steep, on.of(1), size), on.select(steep, size, on.of(1))));
  const angle = arcTangent(on, slope, steep);
  return on.select(negative, on.neg(angle), angle);
}

/** The smaller of two magnitudes by the larger, and what follows from which is which. */
function sides(on: Floats, a: ExprId, b: ExprId): { slope: ExprId; steep: ExprId; large: ExprId; negative: [ExprId, ExprId] } {
  const negative: [ExprId, ExprId] = [on.hasSign(a), on.hasSign(b)];
  const [x, y] = [on.once(on.select(negative[0], on.neg(a), a)), on.once(on.select(negative[1], on.neg(b), b))];
  const steep = on.test(on.less(y, x));
  const [small, large] = [on.once(on.select(steep, y, x)), on.once(on.select(steep, x, y))];
  const slope = on.div(small, on.select(on.is(large, on.of(0)), on.of(1), large));
  return { slope: on.once(on.select(on.is(small, on.of(Infinity)), on.of(1), slope)), steep, large, negative };
}

function atan2(on: Floats, y: ExprId, x: ExprId): ExprId {
  const { slope, steep, negative } = sides(on, y, x);
  const angle = arcTangent(on, slope, steep);
  const turned = on.once(on.select(negative[1], on.sub(on.of(Math.PI), angle), angle));
  return on.select(negative[0], on.neg(turned), turned);
}

function hypot(on: Floats, a: ExprId, b: ExprId): ExprId {
  const { slope, large } = sides(on, a, b);
  const length = on.mul(on.sqrt(on.add(on.mul(slope, slope), on.of(1))), large);
  const endless = (x: ExprId, or: ExprId) => on.select(on.is(on.abs(x), on.of(Infinity)), on.of(Infinity), or);
  return endless(a, endless(b, length));
}

function cbrt(on: Floats, x: ExprId): ExprId {
  const negative = on.hasSign(x);
  const magnitude = on.once(on.select(negative, on.neg(x), x));
  const ordinary = on.test(on.both(on.less(on.of(0), magnitude), on.less(magnitude, on.of(Infinity))));
  const size = on.once(on.select(ordinary, magnitude, on.of(1)));
  const root = on.once(on.exp(on.div(on.log(size), on.of(3))));
  // One step of Newton's gives the digits that the logarithm has lost.
  const square = on.once(on.mul(root, root));
  const refined = on.sub(root, on.div(on.sub(on.mul(square, root), size), on.mul(square, on.of(3))));
  const result = on.once(on.select(ordinary, refined, magnitude));
  return on.select(negative, on.neg(result), result);
}

/** The nearest whole number, of two the larger. */
function roundHalfUp(on: Floats, x: ExprId): ExprId {
  const below = on.once(on.floor(x));
  return on.select(on.less(on.sub(x, below), on.of(0.5)), below, on.add(below, on.of(1)));
}

function clz32(on: Arithmetic, x: Num): Num {
  const given = on.toUint32(x);
  if (given.constant !== null) return wholeConstant(Math.clz32(given.constant));
  const { builder } = on;
  let [rest, count] = [builder.once("u32", given.expr), builder.literal("i32", 0)];
  for (const bits of [16, 8, 4, 2, 1]) {
    const empty = builder.once("bool", builder.compare("Lt", rest, builder.literal("u32", 2 ** (32 - bits))));
    count = builder.binary("Add", count, builder.select(empty, builder.literal("i32", bits), builder.literal("i32", 0)));
    rest = builder.once("u32", builder.select(empty, builder.binary("Shl", rest, builder.literal("u32", bits)), rest));
  }
  const none = builder.compare("Eq", rest, builder.literal("u32", 0));
  return num("i32", builder.binary("Add", count, builder.select(none, builder.literal("i32", 1), builder.literal("i32", 0))));
}

/** What keeps the dtype of whole numbers. */
function ofAny(op: "Abs" | "Sign", fold: (x: number) => number): MathFunction {
  return one((on, x) => {
    if (x.constant !== null) return x.dtype === "f32" ? floatConstant(fold(x.constant)) : wholeConstant(fold(x.constant));
    const dtype = arithmeticDType(x);
    return num(dtype, on.builder.unary(op, on.as(dtype, x)), x.whole || op === "Sign");
  });
}

const unary = (op: Parameters<Arithmetic["unary"]>[0], fold: (x: number) => number) => one((on, x) => on.unary(op, x, fold));

/** `Math.…`, by name. */
export const MATH: ReadonlyMap<string, MathFunction> = new Map<string, MathFunction>(Object.entries({
  abs: ofAny("Abs", Math.abs),
  sign: ofAny("Sign", Math.sign),
  floor: rounding(Math.floor, (on, x) => on.floor(x)),
  ceil: rounding(Math.ceil, (on, x) => on.on.builder.unary("Ceil", x)),
  trunc: rounding(Math.trunc, (on, x) => on.select(on.less(x, on.of(0)), on.on.builder.unary("Ceil", x), on.floor(x))),
  round: rounding(Math.round, roundHalfUp),
  sqrt: unary("Sqrt", Math.sqrt),
  exp: unary("Exp", Math.exp),
  log: unary("Log", Math.log),
  sin: unary("Sin", Math.sin),
  cos: unary("Cos", Math.cos),
  tanh: unary("Tanh", Math.tanh),
  tan: formula(Math.tan, (on, x) => on.div(on.on.builder.unary("Sin", x), on.on.builder.unary("Cos", x))),
  asin: formula(Math.asin, asin),
  acos: formula(Math.acos, acos),
  atan: formula(Math.atan, atan),
  sinh: formula(Math.sinh, sinh),
  cosh: formula(Math.cosh, (on, x) => on.add(...halves(on, x))),
  asinh: formula(Math.asinh, asinh),
  acosh: formula(Math.acosh, acosh),
  // Half of log((1 + x)/(1 − x)); the two terms have one sign.
  atanh: formula(Math.atanh, (on, x) => on.mul(on.sub(log1p(on, x), log1p(on, on.once(on.neg(x)))), on.of(0.5))),
  expm1: formula(Math.expm1, expm1),
  log1p: formula(Math.log1p, log1p),
  log2: formula(Math.log2, (on, x) => logarithm(on, x, Math.LOG2E, 1)),
  log10: formula(Math.log10, (on, x) => logarithm(on, x, Math.LOG10E, Math.log10(2))),
  cbrt: formula(Math.cbrt, cbrt),
  fround: one((on, x) => (x.constant !== null ? floatConstant(x.constant) : on.convert(x, "f32"))),
  atan2: floats(Math.atan2, atan2),
  pow: two((on, a, b) => on.power(a, b)),
  hypot: {
    least: 0,
    most: Infinity,
    call: (on, args) => {
      if (args.every(({ constant }) => constant !== null)) return floatConstant(Math.hypot(...args.map(({ constant }) => constant as number)));
      const given = args.map((x) => on.builder.once("f32", on.float(x)));
      if (given.length === 1) return num("f32", on.builder.unary("Abs", given[0] as ExprId));
      const formulas = new Floats(on);
      return num("f32", given.reduce((a, b) => hypot(formulas, formulas.once(a), b)));
    },
  },
  min: { least: 0, most: Infinity, call: (on, args) => on.extreme("Min", args) },
  max: { least: 0, most: Infinity, call: (on, args) => on.extreme("Max", args) },
  imul: two((on, a, b) => {
    const [x, y] = [on.toInt32(a), on.toInt32(b)];
    if (x.constant !== null && y.constant !== null) return wholeConstant(Math.imul(x.constant, y.constant));
    return num("i32", on.builder.binary("Mul", on.as("i32", x), on.as("i32", y)));
  }),
  clz32: one(clz32),
}));

function floats(fold: (a: number, b: number) => number, write: (on: Floats, a: ExprId, b: ExprId) => ExprId): MathFunction {
  return two((on, a, b) => {
    if (a.constant !== null && b.constant !== null) return floatConstant(fold(a.constant, b.constant));
    const formulas = new Floats(on);
    return num("f32", write(formulas, formulas.once(on.float(a)), formulas.once(on.float(b))));
  });
}

/** `Math.PI` and its like. */
export const MATH_CONSTANTS: ReadonlyMap<string, number> = new Map(
  (["PI", "E", "LN2", "LN10", "LOG2E", "LOG10E", "SQRT2", "SQRT1_2"] as const).map((name) => [name, Math[name]]),
);

const isFinite: MathFunction = one((on, x) => {
  if (x.constant !== null) return truth(Number.isFinite(x.constant));
  return x.dtype !== "f32" ? truth(true) : num("bool", on.builder.compare("Lt", on.builder.unary("Abs", x.expr), on.builder.literal("f32", Infinity)));
});

const isNaN: MathFunction = one((on, x) => {
  if (x.constant !== null) return truth(Number.isNaN(x.constant));
  return x.dtype !== "f32" ? truth(false) : num("bool", on.builder.unary("IsNan", x.expr));
});

const isInteger: MathFunction = one((on, x) => {
  if (x.constant !== null) return truth(Number.isInteger(x.constant));
  if (isInt(x.dtype)) return truth(true);
  const value = on.once(x);
  return on.both("And", isFinite.call(on, [value]), num("bool", on.builder.compare("Eq", value.expr, on.builder.unary("Floor", value.expr))));
});

/** `Number.…`, by name. */
export const NUMBER: ReadonlyMap<string, MathFunction> = new Map([["isFinite", isFinite], ["isNaN", isNaN], ["isInteger", isInteger]]);

export const NUMBER_CONSTANTS: ReadonlyMap<string, number> = new Map([
  ["POSITIVE_INFINITY", Infinity],
  ["NEGATIVE_INFINITY", -Infinity],
  ["NaN", NaN],
]);
