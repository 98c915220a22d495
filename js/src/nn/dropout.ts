// How does dropout choose? By the stateful generator, or by a key.

import { inScope } from "../core/scope.js";
import type { Tensor } from "../core/tensor.js";
import { mul } from "../ops/arithmetic.js";
import { where } from "../ops/compare.js";
import { bernoulli } from "../random/draws.js";

/** Each element becomes 0 with probability `rate`; the others are divided by 1 − rate. `key` makes the choice repeatable. */
export function dropout(x: Tensor, rate: number, key?: Tensor): Tensor {
  if (rate === 0) return x;
  return inScope(
    () => {
      const stays = key ? bernoulli(key, x.shape, 1 - rate) : bernoulli(x.shape, 1 - rate);
      return where(stays, mul(x, 1 / (1 - rate)), 0);
    },
    (result) => [result],
  );
}
