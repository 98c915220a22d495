// What is done with polynomials? They are vectors of their coefficients, that of the highest power first, as `polyval` takes them.

import { countOf, noMore, noOptions } from "../core/check.js";
import { Tensor, type Operand } from "../core/tensor.js";
import { ShapeError } from "../errors.js";
import { lstsq } from "../linalg/index.js";
import { add, div, mul, sub } from "./arithmetic.js";
import { convolve } from "./curves.js";
import { arange, ones } from "./create.js";
import { cast, neg, sqrt, square } from "./elementwise.js";
import { concat, stack } from "./join.js";
import { composed, lifted } from "./lift.js";
import { pad, slice } from "./parts.js";
import { sum } from "./reduce.js";
import { vander } from "./sequence.js";
import { expandDims, flatten } from "./view.js";

function coefficients(op: string, p: Operand): Tensor {
  const given = lifted(op, p);
  if (given.ndim > 1) throw new ShapeError(op, `takes a vector of coefficients, got [${given.shape.join(",")}]`);
  return flatten(given);
}

/** Both with as many coefficients as the longer. */
function alike(op: string, a: Operand, b: Operand): [Tensor, Tensor] {
  const [p, q] = [coefficients(op, a), coefficients(op, b)];
  const length = Math.max(p.size, q.size);
  return [pad(p, [[length - p.size, 0]]), pad(q, [[length - q.size, 0]])];
}

/**
 * The sum of two polynomials.
 *
 * @example
 * polyadd([1, 2], [3, 4, 5]); // [3,5,7]
 */
export function polyadd(a: Operand, b: Operand): Tensor {
  noOptions("polyadd", arguments, 2);
  return composed("polyadd", () => add(...alike("polyadd", a, b)));
}

/**
 * The difference of two polynomials.
 *
 * @example
 * polysub([1, 2], [3, 4, 5]); // [-3,-3,-3]
 */
export function polysub(a: Operand, b: Operand): Tensor {
  noOptions("polysub", arguments, 2);
  return composed("polysub", () => sub(...alike("polysub", a, b)));
}

/**
 * The product of two polynomials.
 *
 * @example
 * polymul([1, 2], [1, 3]); // [1,5,6]
 */
export function polymul(a: Operand, b: Operand): Tensor {
  noOptions("polymul", arguments, 2);
  return composed("polymul", () => convolve(coefficients("polymul", a), coefficients("polymul", b)));
}

/**
 * The quotient of two polynomials and what is left, which has one coefficient less than the divisor (at least one). Throws `ShapeError` for an empty divisor.
 *
 * @example
 * const [quotient, rest] = polydiv([1, 5, 7], [1, 2]);
 * quotient; // [1,3]
 * rest; // [1]
 */
export function polydiv(a: Operand, b: Operand): [quotient: Tensor, rest: Tensor] {
  const op = "polydiv";
  noOptions(op, arguments, 2);
  return composed(op, () => {
    const [p, divisor] = [cast(coefficients(op, a), "f32"), cast(coefficients(op, b), "f32")];
    if (divisor.size === 0) throw new ShapeError(op, "the divisor has no coefficients");
    let rest = p;
    const lead = slice(divisor, 0);
    const quotient: Tensor[] = [];
    for (let n = p.size - divisor.size; n >= 0; n--) {
      const factor = div(slice(rest, 0), lead);
      quotient.push(factor);
      rest = slice(sub(rest, pad(mul(divisor, factor), [[0, n]])), [1, null]);
    }
    const least = Math.max(divisor.size - 1, 1);
    return [quotient.length ? stack(quotient) : lifted(op, [0]), rest.size < least ? pad(rest, [[least - rest.size, 0]]) : rest];
  });
}

/**
 * The derivative of a polynomial, of order `times`.
 *
 * @example
 * polyder([1, 2, 3]); // [2,2]
 */
export function polyder(p: Operand, times = 1): Tensor {
  const op = "polyder";
  noMore(op, [...arguments], 2);
  const order = countOf(op, "the order", times);
  return composed(op, () => {
    let found = coefficients(op, p);
    for (let n = 0; n < order && found.size > 0; n++) {
      const powers = arange(found.size - 1, 0, -1);
      found = mul(slice(found, [0, found.size - 1]), powers.cast(found.dtype === "bool" ? "i32" : found.dtype));
    }
    return add(found, 0);
  });
}

/**
 * The integral of a polynomial, `times` over, with 0 (or `constant`) at 0.
 *
 * @example
 * polyint([2, 2]); // [1,2,0]
 */
export function polyint(p: Operand, times = 1, constant: Operand = 0): Tensor {
  const op = "polyint";
  noMore(op, [...arguments], 3);
  const order = countOf(op, "how often", times);
  return composed(op, () => {
    let found = cast(coefficients(op, p), "f32");
    const last = flatten(cast(lifted(op, constant), "f32"));
    for (let n = 0; n < order; n++) {
      const own = last.size > 1 ? slice(last, [n, n + 1]) : last;
      found = concat([found.size > 0 ? div(found, arange(found.size, 0, -1)) : found, own]);
    }
    return add(found, 0);
  });
}

/**
 * The polynomial of a degree that lies nearest to points, in the sense of least squares, each weighted or not. In f32: of high degrees, or far from 0, digits
 * are lost.
 *
 * @example
 * polyfit([0, 1, 2], [1, 3, 5], 1).round(); // [2,1]
 */
export function polyfit(x: Operand, y: Operand, degree: number, weights?: Operand): Tensor {
  const op = "polyfit";
  noMore(op, [...arguments], 4);
  const columns = countOf(op, "the degree", degree) + 1;
  return composed(op, () => {
    const [places, heights] = [cast(coefficients(op, x), "f32"), cast(lifted(op, y), "f32")];
    if (heights.ndim < 1 || heights.ndim > 2 || heights.shape[0] !== places.size || places.size === 0) {
      throw new ShapeError(op, `takes a height for each place, got [${places.shape.join(",")}] and [${heights.shape.join(",")}]`);
    }
    const share = weights === undefined ? ones([places.size, 1]) : expandDims(cast(coefficients(op, weights), "f32"), 1);
    const powers = mul(vander(places, columns), share);
    // Columns of one length lose fewer digits.
    const lengths = sqrt(sum(square(powers), 0));
    const [found] = lstsq(div(powers, lengths), heights.ndim === 1 ? mul(heights, flatten(share)) : mul(heights, share));
    return div(found, heights.ndim === 1 ? lengths : expandDims(lengths, 1));
  });
}

/**
 * The polynomial with the given roots.
 *
 * @example
 * poly([1, 2]); // [1,-3,2]
 */
export function poly(roots: Operand): Tensor {
  const op = "poly";
  noOptions(op, arguments, 1);
  return composed(op, () => {
    const given = coefficients(op, roots);
    let found = ones([1]);
    for (let n = 0; n < given.size; n++) found = convolve(found, concat([ones([1]), neg(slice(given, [n, n + 1]))]));
    return found;
  });
}
