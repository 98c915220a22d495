// Transformations of gradients before a step, and averages of parameters after it: functions of
// trees.

import { finiteOf, noMore, shown } from "../core/check/check.js";
import { inScope } from "../core/tensor/scope.js";
import { matchTrees } from "../core/tensor/match.js";
import { Tensor } from "../core/tensor/tensor.js";
import { isNode, mapTree, tensorsOf, type TensorTree } from "../core/tensor/tree.js";
import { ValueError } from "../core/errors.js";
import { add, div, maximum, minimum, mul } from "../ops/generated/arithmetic.js";
import { clip } from "../ops/clip.js";
import { cast, sqrt, square } from "../ops/generated/elementwise.js";
import { sum } from "../ops/generated/reduce.js";
import { widened } from "../ops/rounded.js";
import { stack } from "../ops/generated/join.js";
import { begun, Buffer, Parameter } from "../transforms/parameter.js";
import type { Parameters } from "./optimizer.js";

/** A tree with each tensor exchanged. Throws `ValueError` for what is no tree of tensors. */
function mapped<T extends TensorTree>(op: string, tree: T, change: (tensor: Tensor) => Tensor): T {
  if (!(tree instanceof Tensor) && !isNode(tree)) throw new ValueError(op, `takes gradients in arrays and objects, got ${shown(tree)}`);
  return inScope(() => mapTree(tree, (leaf) => (leaf instanceof Tensor ? change(leaf) : leaf)) as T, tensorsOf);
}

/**
 * The length of all gradients as one vector: a 0-d f32.
 *
 * @example
 * optim.globalNorm({ a: tensor([3]), b: tensor([4]) }); // 5
 */
export function globalNorm(gradients: TensorTree): Tensor {
  noMore("globalNorm", arguments, 1);
  return inScope(
    () => {
      const squares = tensorsOf(gradients).map((gradient) => sum(square(widened(gradient))));
      if (squares.length === 0) throw new ValueError("globalNorm", "there are no gradients");
      return sqrt(sum(stack(squares)));
    },
    (result) => [result],
  );
}

/**
 * Gradients made shorter where they are longer, as one vector, than `most`.
 *
 * @example
 * optim.clipByGlobalNorm([tensor([3]), tensor([4])], 1)[0]; // [0.6]
 */
export function clipByGlobalNorm<T extends TensorTree>(gradients: T, most: number): T {
  const op = "clipByGlobalNorm";
  noMore(op, arguments, 2);
  if (finiteOf(op, "the greatest length", most) < 0) throw new ValueError(op, `the greatest length must be 0 or more, got ${most}`);
  return inScope(() => {
    const length = globalNorm(gradients);
    // Of gradients of zeros nothing is to be taken.
    const scale = minimum(div(most, maximum(length, 1e-30)), 1);
    return mapped(op, gradients, (gradient) => cast(mul(gradient, scale), gradient.dtype));
  }, tensorsOf);
}

/**
 * Gradients with each element within ±`most`.
 *
 * @example
 * optim.clipByValue([tensor([3, -0.5])], 1)[0]; // [1,-0.5]
 */
export function clipByValue<T extends TensorTree>(gradients: T, most: number): T {
  const op = "clipByValue";
  noMore(op, arguments, 2);
  if (finiteOf(op, "the greatest element", most) < 0) throw new ValueError(op, `the greatest element must be 0 or more, got ${most}`);
  return mapped(op, gradients, (gradient) => clip(gradient, -most, most));
}

/**
 * The sum of two trees of gradients, as of two halves of a batch that is too large at once: those
 * of one name are added, whatever the order. Throws `ValueError` where names differ, `ShapeError`
 * where shapes do.
 *
 * @example
 * optim.accumulate({ a: tensor([1, 2]), b: tensor([0]) }, { b: tensor([5]), a: tensor([3, 4]) }).a; // [4,6]
 */
export function accumulate<T extends TensorTree>(gradients: T, more: T): T {
  const op = "accumulate";
  noMore(op, arguments, 2);
  return inScope(() => {
    const sums: Tensor[] = [];
    matchTrees(op, { what: "gradients", tree: gradients }, { what: "more", tree: more }, (gradient: Tensor, other: Tensor) => sums.push(add(gradient, other)));
    const next = sums.values();
    return mapped(op, gradients, () => next.next().value as Tensor);
  }, tensorsOf);
}

/**
 * An exponential average of parameters, which often does better than they do. `update` after each
 * step, in `jit` or out of it; within `use` the parameters have their averages.
 *
 * @example
 * const model = new nn.Linear(2, 1);
 * const average = new optim.Average(model, 0.99);
 * average.update();
 * average.use(() => model.forward(ones([1, 2])).shape); // [1,1]
 */
export class Average {
  readonly decay: number;
  readonly parameters: readonly Parameter[];
  /** The averages, of each parameter one; of f16 in f32, which a small share of a half still
   * changes. */
  readonly averages: readonly Buffer[];

  constructor(parameters: Parameters, decay = 0.999) {
    noMore("Average", arguments, 2);
    const op = "Average";
    this.decay = finiteOf(op, "the decay", decay);
    if (this.decay < 0 || this.decay > 1) throw new ValueError(op, `the decay must lie in [0, 1], got ${decay}`);
    this.parameters = [...new Set(tensorsOf(parameters).filter((tensor): tensor is Parameter => tensor instanceof Parameter && tensor.learned))];
    if (this.parameters.length === 0) throw new ValueError(op, "there are no parameters");
    this.averages = this.parameters.map((parameter) => begun(() => mul(widened(parameter), 1), Buffer));
  }

  /** Takes the parameters as they are now into the averages. */
  update(): this {
    noMore("update", arguments, 0);
    inScope(
      () => this.averages.forEach((average, n) => average.assign(add(mul(average, this.decay), mul(widened(this.parameters[n] as Parameter), 1 - this.decay)))),
      () => [],
    );
    return this;
  }

  /** What `body` gives, run while the parameters have their averages. What it assigns to them is
   * lost. */
  use<R>(body: () => R): R {
    noMore("use", arguments, 1);
    const own = inScope(
      () => this.parameters.map((parameter) => mul(parameter, 1)),
      (values) => values,
    );
    inScope(
      () => this.parameters.forEach((parameter, n) => parameter.assign(cast(this.averages[n] as Buffer, parameter.dtype))),
      () => [],
    );
    try {
      return body();
    } finally {
      this.parameters.forEach((parameter, n) => parameter.assign(own[n] as Tensor));
      own.forEach((tensor) => tensor.dispose());
    }
  }

  /** Frees the averages; the parameters stay. */
  dispose(): void {
    noMore("dispose", arguments, 0);
    for (const average of this.averages) average.dispose();
  }
}
