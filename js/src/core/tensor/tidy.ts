// `tidy` and `keep`, by which a caller frees everything that a computation leaves behind.

import { noMore } from "../check/check.js";
import { checkFunction, checkReturned } from "./functions.js";
import { inScope } from "./scope.js";
import { Tensor } from "./tensor.js";
import { tensorsOf } from "./tree.js";

/**
 * Runs `body` and frees every tensor made in it, except those it returns (in any tree), those that
 * `keep` was called on, and parameters. Throws `TraceError` for an async function: its tensors are
 * not made in one go.
 *
 * @example
 * const { tensors } = memory();
 * const norm = tidy(() => tensor([3, 4]).square().sum().sqrt()); // all else is freed
 * memory().tensors - tensors; // 1
 */
export function tidy<R>(body: () => R): R {
  noMore("tidy", arguments, 1);
  checkFunction("tidy", body);
  return inScope(() => {
    const result = body();
    checkReturned("tidy", result);
    return result;
  }, tensorsOf);
}

/**
 * Exempts a tensor from the scopes it is in: it lives until it is disposed or collected.
 *
 * @example
 * const kept: Tensor[] = [];
 * tidy(() => void kept.push(keep(ones([2]))));
 * kept[0]; // [1,1]
 */
export function keep<T extends Tensor>(tensor: T): T {
  noMore("keep", arguments, 1);
  Tensor.of("keep", "the argument", tensor);
  return tensor.keep();
}
