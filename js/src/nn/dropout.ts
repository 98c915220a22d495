// Dropout, with draws from the stateful generator or from a key.

import { noMore, shown } from "../core/check/check.js";
import { inScope } from "../core/tensor/scope.js";
import { Tensor } from "../core/tensor/tensor.js";
import { ValueError } from "../core/errors.js";
import { mul } from "../ops/generated/arithmetic.js";
import { where } from "../ops/generated/compare.js";
import { bernoulli } from "../random/draws.js";

/**
 * Each element becomes 0 with probability `rate`; the others are divided by 1 − rate. `key` makes
 * the choice repeatable. Throws `ValueError` unless the rate lies in [0, 1).
 *
 * @example
 * nn.dropout(ones([1000]), 0.2, random.key(1)).shape; // [1000]
 */
export function dropout(x: Tensor, rate: number, key?: Tensor): Tensor {
  noMore("dropout", arguments, 3);
  Tensor.of("dropout", "what it acts on", x);
  rateOf("dropout", rate);
  if (key !== undefined) Tensor.of("dropout", "the key", key);
  if (rate === 0) return x;
  return inScope(
    () => {
      const stays = key ? bernoulli(key, x.shape, 1 - rate) : bernoulli(x.shape, 1 - rate);
      return where(stays, mul(x, 1 / (1 - rate)), 0);
    },
    (result) => [result],
  );
}

/** The probability with which elements are dropped. Throws `ValueError` unless it lies in [0,
 * 1). */
export function rateOf(op: string, rate: unknown): number {
  if (typeof rate === "number" && rate >= 0 && rate < 1) return rate;
  throw new ValueError(op, `the rate must lie in [0, 1), got ${shown(rate)}`);
}
