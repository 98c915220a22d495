// What are numbers made of? Whole parts and rests, mantissas and exponents, bits, common divisors.

import { noOptions } from "../core/check.js";
import { Tensor, type Operand } from "../core/tensor.js";
import { DTypeError } from "../errors.js";
import { add, bitwiseAnd, div, floorDivide, maximum, mul, pow, remainder, shiftLeft, shiftRight, sub } from "./arithmetic.js";
import { logAddExp } from "./mathematics.js";
import { clip } from "./clip.js";
import { equal, greater, logicalAnd, logicalOr, notEqual, where } from "./compare.js";
import { composed, lifted } from "./lift.js";
import { abs, bitcast, cast, isfinite, isnan, neg, trunc } from "./elementwise.js";
import { signbit } from "./mathematics.js";

/** As a tensor of f32. */
const float = (op: string, x: Operand): Tensor => cast(lifted(op, x), "f32");

/** 2 to the power of whole numbers from −126 to 127, made of bits. */
const powerOfTwo = (n: Operand): Tensor => bitcast(shiftLeft(add(n, 127), 23), "f32");

/**
 * `floorDivide` and `remainder`.
 *
 * @example
 * const [quotient, rest] = divmod([7, -7], 3);
 * quotient; // [2,-3]
 * rest; // [1,2]
 */
export function divmod(a: Operand, b: Operand): [quotient: Tensor, rest: Tensor] {
  noOptions("divmod", arguments, 2);
  return composed("divmod", () => [floorDivide(a, b), remainder(a, b)]);
}

/**
 * What is left of numbers without their whole parts, and these, both with the sign of the number.
 *
 * @example
 * const [rest, whole] = modf([1.5, -2.25]);
 * rest; // [0.5,-0.25]
 * whole; // [1,-2]
 */
export function modf(x: Operand): [rest: Tensor, whole: Tensor] {
  noOptions("modf", arguments, 1);
  return composed("modf", () => {
    const value = float("modf", x);
    const whole = trunc(value);
    // Nothing is left of infinities.
    return [where(logicalOr(isfinite(value), isnan(value)), sub(value, whole), 0), whole];
  });
}

/**
 * Numbers as m · 2ᵉ: m between ½ and 1 with the sign of the number, and e as i32. What is 0 or not finite is its own m, with the exponent 0. The
 * gradient is that of m, with e kept.
 *
 * @example
 * const [m, e] = frexp([8, -0.75]);
 * m; // [0.5,-0.75]
 * e; // [4,0]
 */
export function frexp(x: Operand): [mantissa: Tensor, exponent: Tensor] {
  noOptions("frexp", arguments, 1);
  return composed("frexp", () => {
    const value = float("frexp", x);
    const plain = logicalAnd(isfinite(value), notEqual(value, 0));
    // Numbers below the normal ones are made larger first.
    const small = logicalAnd(plain, abs(value).less(2 ** -126));
    const scaled = where(plain, mul(value, where(small, 2 ** 24, 1)), 1);
    const raised = sub(bitwiseAnd(shiftRight(bitcast(scaled, "i32"), 23), 255), 126);
    const half = shiftRight(raised, 1);
    const mantissa = mul(mul(scaled, powerOfTwo(half.neg())), powerOfTwo(sub(half, raised)));
    return [where(plain, mantissa, value), where(plain, sub(raised, where(small, 24, 0).cast("i32")), 0).cast("i32")];
  });
}

/**
 * x · 2ⁿ for whole n.
 *
 * @example
 * ldexp([0.5, 3], [4, -1]); // [8,1.5]
 */
export function ldexp(x: Operand, n: Operand): Tensor {
  noOptions("ldexp", arguments, 2);
  return composed("ldexp", () => {
    let [value, left] = [float("ldexp", x), clip(cast(lifted("ldexp", n), "i32"), -300, 300)];
    // One power of two may not hold it all.
    for (let part = 0; part < 3; part++) {
      const some = clip(left, -126, 127);
      [value, left] = [mul(value, powerOfTwo(some)), sub(left, some)];
    }
    return value;
  });
}

const LARGEST_HALF = 65504;

/** The f16 next to another, both kept in f32. */
function nextHalf(from: Tensor, to: Tensor): Tensor {
  const size = abs(from);
  const exponent = maximum(sub(shiftRight(bitcast(size, "i32"), 23), 127), -14);
  const upwards = greater(to, from);
  const inwards = logicalAnd(notEqual(from, 0), notEqual(greater(from, 0), upwards));
  // Below a power of two numbers lie twice as dense, down to the subnormal ones.
  const dense = logicalAnd(inwards, logicalAnd(equal(size, powerOfTwo(exponent)), greater(exponent, -14)));
  const step = powerOfTwo(sub(sub(exponent, 10), cast(dense, "i32")));
  const moved = where(isfinite(from), add(from, where(upwards, step, neg(step))), clip(from, -LARGEST_HALF, LARGEST_HALF));
  const there = where(isnan(from), from, to);
  return cast(where(logicalOr(equal(from, to), logicalOr(isnan(from), isnan(to))), there, moved), "f16");
}

/**
 * The float next to a towards b, which is b where they are equal. Devices may take what is below 2⁻¹²⁶ for 0.
 *
 * @example
 * nextafter(1, 2).sub(1); // 1.1921e-7
 */
export function nextafter(a: Operand, b: Operand): Tensor {
  noOptions("nextafter", arguments, 2);
  return composed("nextafter", () => {
    const given = [lifted("nextafter", a), lifted("nextafter", b)];
    const [from, to] = given.map((x) => cast(x, "f32")) as [Tensor, Tensor];
    // A number of JavaScript is of the dtype that it meets.
    const isHalf = (x: Operand, n: number) => given[n]?.dtype === "f16" || (typeof x === "number" && given[1 - n]?.dtype === "f16");
    if ([a, b].every(isHalf)) return nextHalf(from, to);
    const bits = bitcast(from, "i32");
    const away = equal(greater(to, from), greater(from, 0));
    const moved = bitcast(add(bits, where(away, 1, -1).cast("i32")), "f32");
    const first = bitcast(where(signbit(to), -(2 ** 31) + 1, 1).cast("i32"), "f32");
    const usual = where(equal(from, 0), first, moved);
    const steps = logicalAnd(equal(to, to), notEqual(from, to));
    return where(isnan(from), from, where(steps, usual, to));
  });
}

/**
 * aᵇ in f32, whatever the dtypes.
 *
 * @example
 * floatPower(Int32Array.of(2), -1); // [0.5]
 */
export function floatPower(a: Operand, b: Operand): Tensor {
  noOptions("floatPower", arguments, 2);
  return composed("floatPower", () => pow(float("floatPower", a), b instanceof Tensor ? float("floatPower", b) : b));
}

/**
 * log₂(2ᵃ + 2ᵇ), without overflow.
 *
 * @example
 * logAddExp2([3, 1000], [3, 1000]); // [4,1001]
 */
export function logAddExp2(a: Operand, b: Operand): Tensor {
  noOptions("logAddExp2", arguments, 2);
  return composed("logAddExp2", () => div(logAddExp(mul(a, Math.LN2), mul(b, Math.LN2)), Math.LN2));
}

/**
 * Whether x is ∞.
 *
 * @example
 * isposinf([Infinity, -Infinity, 1]); // [true,false,false]
 */
export function isposinf(x: Operand): Tensor {
  noOptions("isposinf", arguments, 1);
  return composed("isposinf", () => equal(float("isposinf", x), Infinity));
}

/**
 * Whether x is −∞.
 *
 * @example
 * isneginf([Infinity, -Infinity, 1]); // [false,true,false]
 */
export function isneginf(x: Operand): Tensor {
  noOptions("isneginf", arguments, 1);
  return composed("isneginf", () => equal(float("isneginf", x), -Infinity));
}

/** As a tensor of integers; plain numbers become i32. */
function integer(op: string, x: Operand): Tensor {
  const given = lifted(op, x, "i32");
  if (given.dtype === "f32") throw new DTypeError(op, "takes integers, got f32");
  return given.dtype === "bool" ? cast(given, "i32") : given;
}

/**
 * How many bits of integers are set, as i32; of negative ones those of the magnitude.
 *
 * @example
 * bitwiseCount(Int32Array.of(0, 7, -1)); // [0,3,1]
 */
export function bitwiseCount(x: Operand): Tensor {
  noOptions("bitwiseCount", arguments, 1);
  return composed("bitwiseCount", () => {
    const magnitude = abs(integer("bitwiseCount", x));
    let bits = magnitude.dtype === "u32" ? magnitude : bitcast(magnitude, "u32");
    // In pairs, fours and bytes side by side, which the product adds up.
    bits = sub(bits, bitwiseAnd(shiftRight(bits, 1), 0x55555555));
    bits = add(bitwiseAnd(bits, 0x33333333), bitwiseAnd(shiftRight(bits, 2), 0x33333333));
    bits = bitwiseAnd(add(bits, shiftRight(bits, 4)), 0x0f0f0f0f);
    return cast(shiftRight(mul(bits, 0x01010101), 24), "i32");
  });
}

/** Divisions after which Euclid's algorithm has ended for all numbers of 32 bits. */
const DIVISIONS = 47;

/**
 * The greatest common divisor of integers, 0 of zeros.
 *
 * @example
 * gcd(Int32Array.of(12, -18, 0), 9); // [3,9,9]
 */
export function gcd(a: Operand, b: Operand): Tensor {
  noOptions("gcd", arguments, 2);
  return composed("gcd", () => {
    let [large, small] = [abs(integer("gcd", a)), abs(integer("gcd", b))];
    for (let n = 0; n < DIVISIONS; n++) {
      // What is left of a division by 0 is 0.
      [large, small] = [where(equal(small, 0), large, small), remainder(large, small)];
    }
    return large;
  });
}

/**
 * The least common multiple of integers, 0 where either is.
 *
 * @example
 * lcm(Int32Array.of(4, 0), 6); // [12,0]
 */
export function lcm(a: Operand, b: Operand): Tensor {
  noOptions("lcm", arguments, 2);
  return composed("lcm", () => {
    const [first, second] = [abs(integer("lcm", a)), abs(integer("lcm", b))];
    return mul(floorDivide(first, gcd(first, second)), second);
  });
}
