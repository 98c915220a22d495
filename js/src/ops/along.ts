// Weighted averages, values put along an axis, and functions in pieces.

import { axisOf, flagOf, noMore, listOf, optionsOf, type Axes } from "../core/check/check.js";
import { register } from "../core/wasm/core.js";
import { checkFunction } from "../core/tensor/functions.js";
import { Tensor, type Operand } from "../core/tensor/tensor.js";
import { tidy } from "../core/tensor/tidy.js";
import { ValueError } from "../core/errors.js";
import { cast } from "./generated/elementwise.js";
import type { ReduceOptions } from "./signatures.js";
import { select } from "./grid.js";
import type { OutsideOptions } from "./indexing.js";
import { axes, maybe } from "./kinds.js";
import { composed, lifted } from "./lift.js";
import { invoke } from "./operation.js";
import { outsideWords } from "./multi_index.js";
import { flatten, reshape } from "./generated/shape.js";

/**
 * How an average is taken.
 *
 * @example
 * const options: WeightOptions = { weights: [3, 1] };
 * average([1, 5], null, options); // 2
 */
export interface WeightOptions extends ReduceOptions {
  /** What each element counts: of the same shape, or a vector along the one axis. */
  weights?: Operand;
}

const averaged = register("average");

/**
 * The mean, of elements that count differently if there are weights. NaN or infinite where the
 * weights add up to 0.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * average([1, 2, 3], null, { weights: [0, 1, 1] }); // 2.5
 */
export function average(x: Operand, axis: Axes = null, options: WeightOptions = {}): Tensor {
  const op = "average";
  noMore(op, [...arguments], 3);
  const { keepdims, weights } = optionsOf<{ keepdims: boolean; weights: Operand | null }>(op, options, { keepdims: false, weights: null });
  return invoke(averaged, (call) => {
    axes(call.tensor(x), axis);
    maybe(call.put(Number(flagOf(op, "keepdims", keepdims))), weights);
  });
}

const putting = register("along.put");

/**
 * With `values` at the positions along an axis, or (null) in row-major order, that `takeAlongAxis`
 * would take. Of positions given twice any may win. Those beyond the axis are left out, or mean
 * what `options` say.
 *
 * Takes any dtype, then i32, u32, then any dtype; gives the same. Differentiable; `vmap` batches
 * it.
 *
 * @example
 * putAlongAxis([[1, 2], [3, 4]], [[1], [0]], 9, 1); // [[1,9],[9,4]]
 * putAlongAxis([1, 2, 3], [4], 9, 0, { mode: "wrap" }); // [1,9,3]
 */
export function putAlongAxis(x: Operand, indices: Operand, values: Operand, axis: number | null = -1, options?: OutsideOptions): Tensor {
  const op = "putAlongAxis";
  noMore(op, [...arguments], 5);
  const [mode] = outsideWords(op, options, x);
  return composed(op, () => {
    if (axis === null) return reshape(putAlongAxis(flatten(x), indices, values, 0, options), lifted(op, x).shape);
    return invoke(putting, (call) => call.tensor(x).tensor(indices, "i32").tensor(values).put(axisOf(op, axis), mode as number));
  });
}

/**
 * At each place what belongs to the last condition that holds there: a number, or a function's
 * value at x; `otherwise` where none does.
 *
 * @example
 * const x = tensor([-2, 0, 3]);
 * piecewise(x, [x.less(0), x.greater(0)], [-1, (v) => v.mul(10)]); // [-1,0,30]
 */
export function piecewise(x: Operand, conditions: readonly Operand[], pieces: readonly (number | ((x: Tensor) => Tensor))[], otherwise: number | ((x: Tensor) => Tensor) = 0): Tensor {
  const op = "piecewise";
  noMore(op, [...arguments], 4);
  const tests = listOf(op, "a list of conditions", conditions) as readonly Operand[];
  const given = [...(listOf(op, "a list of pieces", pieces) as typeof pieces)];
  // NumPy's way to say the same.
  const rest = given.length === tests.length + 1 ? (given.pop() as number | ((x: Tensor) => Tensor)) : otherwise;
  if (tests.length !== given.length || tests.length === 0) throw new ValueError(op, `takes a piece for each condition, got ${tests.length} conditions and ${given.length} pieces`);
  return tidy(() => {
    const here = lifted(op, x);
    const value = (piece: number | ((x: Tensor) => Tensor)): Operand => {
      if (typeof piece === "number") return piece;
      checkFunction(op, piece);
      return piece(here);
    };
    // The last that holds is the first of those in the opposite order.
    return cast(select([...tests].reverse(), given.map(value).reverse(), value(rest)), here.dtype);
  });
}
