// Operations composed of several others. Each operation of the core computes halves as floats and
// rounds its result once; so do these.

import { Tensor } from "../core/tensor/tensor.js";
import { mapTree } from "../core/tensor/tree.js";
import { cast } from "./generated/elementwise.js";

const isOf = (dtype: string) => (x: unknown): x is Tensor => x instanceof Tensor && x.dtype === dtype;

/** A half as a float, and everything else as it is. To be called in a scope. */
export const widened = <T>(x: T): T => (isOf("f16")(x) ? (cast(x, "f32") as T & Tensor) : x);

/**
 * What `body` makes of tensors, of which it sees halves as floats. What it makes in floats is
 * rounded where there were no floats among the tensors. To be called in a scope.
 */
export function roundedOnce<A extends readonly unknown[], R>(given: readonly [...A], body: (...given: A) => R): R {
  if (!given.some(isOf("f16"))) return body(...(given as unknown as A));
  const made = body(...(given.map(widened) as unknown as A));
  if (given.some(isOf("f32"))) return made;
  return mapTree(made, (leaf) => (isOf("f32")(leaf) ? cast(leaf, "f16") : leaf)) as R;
}
