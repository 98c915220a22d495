// How are counts drawn, and what takes two draws? By rejection, in a fixed number of tries.

import { noMore, shapeOf } from "../core/check.js";
import { Tensor, type Operand } from "../core/tensor.js";
import { ShapeError } from "../errors.js";
import { add, div, mul, sub } from "../ops/arithmetic.js";
import { greater, greaterEqual, less, lessEqual, logicalAnd, logicalOr, where } from "../ops/compare.js";
import { abs, cast, exp, floor, log, logicalNot, neg, sqrt, square } from "../ops/elementwise.js";
import { composed, lifted } from "../ops/lift.js";
import { argmax, sum } from "../ops/reduce.js";
import { cumprod } from "../ops/running.js";
import { maxwell, rademacher } from "../ops/samplers.js";
import { gammaln } from "../ops/special.js";
import { broadcastShapes } from "../ops/pieces.js";
import { takeAlongAxis } from "../ops/indexing.js";
import { broadcastTo, reshape } from "../ops/view.js";
import { slice } from "../ops/parts.js";
import { split, uniform, type Key } from "./draws.js";

/** Below this, arrivals are counted; more than `ARRIVALS` of them come once in 10¹². */
const FEW = 10;
const ARRIVALS = 40;

/** Tries of the rejection: each is accepted with a probability of more than 0.8. */
const TRIES = 14;

/** Several keys of one. */
function keys(op: string, key: Key, count: number): Tensor[] {
  const all = split(Tensor.of(op, "the key", key), count);
  return Array.from({ length: count }, (_, n) => slice(all, n));
}

/**
 * Counts of what happens `rate` times on average, as i32. Of rates up to 10⁵; the numbers are not JAX's.
 *
 * Counts of up to 10 on average are those of arrivals; others are drawn by W. Hörmann's transformed rejection (Insurance: Mathematics and Economics 12, 1993).
 *
 * @example
 * random.poisson(random.key(0), [1, 50]).shape; // [2]
 */
export function poisson(key: Key, rate: Operand, shape?: readonly number[]): Tensor {
  const op = "random.poisson";
  noMore(op, [...arguments], 3);
  return composed(op, () => {
    const given = cast(lifted(op, rate), "f32");
    const whole = shape === undefined ? given.shape : shapeOf(op, shape);
    if (broadcastShapes(whole, given.shape).join() !== whole.join()) throw new ShapeError(op, `[${given.shape.join(",")}] does not broadcast to [${whole.join(",")}]`);
    const mean = broadcastTo(given, whole);
    const [first, second, third] = keys(op, key, 3) as [Tensor, Tensor, Tensor];
    const few = less(mean, FEW);
    const arrivals = cumprod(uniform(first, [ARRIVALS, ...whole]), 0);
    const counted = sum(greater(arrivals, exp(neg(where(few, mean, FEW)))), 0);
    const large = where(few, FEW, mean);
    const b = add(mul(sqrt(large), 2.53), 0.931);
    const a = add(mul(b, 0.02483), -0.059);
    const inverse = add(div(1.1328, sub(b, 3.4)), 1.1239);
    const within = sub(0.9277, div(3.6224, sub(b, 2)));
    const u = sub(uniform(second, [TRIES, ...whole]), 0.5);
    // Not 0, of which there is no logarithm.
    const v = sub(1, uniform(third, [TRIES, ...whole]));
    const side = sub(0.5, abs(u));
    const k = floor(add(mul(add(div(mul(a, 2), side), b), u), add(large, 0.43)));
    const sure = logicalAnd(greaterEqual(side, 0.07), lessEqual(v, within));
    const lost = logicalOr(less(k, 0), logicalAnd(less(side, 0.013), greater(v, side)));
    const kept = where(less(k, 0), 0, k);
    const likely = sub(sub(mul(kept, log(large)), large), gammaln(add(kept, 1)));
    const tried = lessEqual(sub(add(log(v), log(inverse)), log(add(div(a, square(side)), b))), likely);
    const taken = logicalOr(sure, logicalAnd(logicalNot(lost), tried));
    const one = argmax(taken, 0, { keepdims: true });
    const drawn = reshape(takeAlongAxis(kept, one, 0), whole);
    return cast(where(few, cast(counted, "f32"), drawn), "i32");
  });
}

/**
 * Numbers of Maxwell's distribution on both sides of `loc`, `scale` times as far.
 *
 * @example
 * random.doubleSidedMaxwell(random.key(0), 0, 1, [3]).shape; // [3]
 */
export function doubleSidedMaxwell(key: Key, loc: Operand = 0, scale: Operand = 1, shape: readonly number[] = []): Tensor {
  const op = "random.doubleSidedMaxwell";
  noMore(op, [...arguments], 4);
  return composed(op, () => {
    const [first, second] = keys(op, key, 2) as [Tensor, Tensor];
    const extents = [...shapeOf(op, shape)];
    return add(mul(mul(maxwell(first, extents), rademacher(second, extents)), scale), loc);
  });
}
