// Embedding layer: a table of learned vectors, indexed by integers.

import { countOf, noMore } from "../core/check/check.js";
import type { Operand, Tensor } from "../core/tensor/tensor.js";
import { normal } from "../random/draws.js";
import { take } from "../ops/indexing.js";
import { composed } from "../ops/lift.js";
import { Module } from "./module.js";
import { begun, type Parameter } from "../transforms/parameter.js";

/**
 * A table of vectors: [...] of i32, u32 or whole numbers to [..., width]. `weight` is [count,
 * width], at first normal.
 *
 * Throws `ValueError` for a number that has no row, where that can be known without waiting for the
 * device, as `take` does.
 *
 * @example
 * new nn.Embedding(10, 4).forward(tensor([[1, 2, 3]], { dtype: "i32" })).shape; // [1,3,4]
 */
export class Embedding extends Module {
  readonly count: number;
  readonly width: number;
  readonly weight: Parameter;

  constructor(count: number, width: number) {
    noMore("Embedding", arguments, 2);
    super();
    this.count = countOf("Embedding", "the number of rows", count, 1);
    this.width = countOf("Embedding", "the width", width, 1);
    this.weight = begun(() => normal([this.count, this.width]));
  }

  forward(indices: Operand): Tensor {
    noMore("Embedding", arguments, 1);
    return composed("Embedding", () => take(this.weight, indices, 0));
  }
}
