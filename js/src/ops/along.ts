// Functions along an axis: applied, weighted, and put at chosen places.

import { axisOf, axesOf, flagOf, noMore, listOf, optionsOf, type Axes } from "../core/check/check.js";
import { register } from "../core/wasm/core.js";
import { checkFunction, checkReturned } from "../core/tensor/functions.js";
import { Tensor, type Operand } from "../core/tensor/tensor.js";
import { tidy } from "../core/tensor/tidy.js";
import { AxisError, ShapeError, ValueError } from "../core/errors.js";
import { vmap } from "../transforms/vmap.js";
import { add } from "./generated/arithmetic.js";
import { cast } from "./generated/elementwise.js";
import type { ReduceOptions } from "./forms.js";
import { select } from "./grid.js";
import type { OutsideOptions } from "./indexing.js";
import { axes, maybe } from "./kinds.js";
import { composed, lifted } from "./lift.js";
import { invoke } from "./operation.js";
import { outsideWords } from "./multi_index.js";
import { flatten, moveAxis, reshape } from "./generated/shape.js";

/** An axis counted from the front. */
function placeOf(op: string, axis: number, x: Tensor): number {
  const along = axisOf(op, axis);
  const place = along < 0 ? along + x.ndim : along;
  if (place < 0 || place >= x.ndim) throw new AxisError(op, `axis ${along} is out of range for [${x.shape.join(",")}]`);
  return place;
}

/**
 * What a function of a vector gives of each line of an axis, in the place of that axis.
 *
 * @example
 * applyAlongAxis((line) => line.max().sub(line.min()), 1, [[1, 4], [5, 7]]); // [3,2]
 */
export function applyAlongAxis(f: (line: Tensor) => Tensor, axis: number, x: Operand): Tensor {
  const op = "applyAlongAxis";
  checkFunction(op, f);
  noMore(op, arguments, 3);
  return tidy(() => {
    const given = lifted(op, x);
    const place = placeOf(op, axis, given);
    const lines = moveAxis(given, place, -1);
    const around = lines.shape.slice(0, -1);
    const vector = (line: Tensor): Tensor => {
      const made: unknown = f(line);
      checkReturned(op, made);
      if (!(made instanceof Tensor)) throw new ValueError(op, "takes a function that returns a tensor");
      return made;
    };
    const each = vmap(vector)(reshape(lines, [around.reduce((a, b) => a * b, 1), lines.shape.at(-1) as number])) as Tensor;
    const made = each.shape.slice(1);
    let found = reshape(each, [...around, ...made]);
    for (let n = 0; n < made.length; n++) found = moveAxis(found, around.length + n, place + n);
    return found;
  });
}

/**
 * What a function of a tensor and an axis gives, applied to one axis after the other; what has lost the axis gets it back with an extent of 1.
 *
 * @example
 * applyOverAxes((x, axis) => x.sum(axis), [[1, 2], [3, 4]], [0, 1]); // [[10]]
 */
export function applyOverAxes(f: (x: Tensor, axis: number) => Tensor, x: Operand, axes: number | readonly number[]): Tensor {
  const op = "applyOverAxes";
  checkFunction(op, f);
  noMore(op, arguments, 3);
  return tidy(() => {
    let found = add(lifted(op, x), 0);
    for (const axis of axesOf(op, axes) ?? []) {
      const place = placeOf(op, axis, found);
      const made = f(found, place);
      if (!(made instanceof Tensor)) throw new ValueError(op, "takes a function that returns a tensor");
      if (made.ndim !== found.ndim && made.ndim !== found.ndim - 1) throw new ShapeError(op, `the function made [${made.shape.join(",")}] of [${found.shape.join(",")}]`);
      found = made.ndim === found.ndim ? made : reshape(made, [...made.shape.slice(0, place), 1, ...made.shape.slice(place)]);
    }
    return found;
  });
}

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
 * The mean, of elements that count differently if there are weights. NaN or infinite where the weights add up to 0.
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
 * With `values` at the positions along an axis, or (null) in row-major order, that `takeAlongAxis` would take. Of positions given twice any may win. Those beyond the axis are left out, or
 * mean what `options` say.
 *
 * Takes any dtype, then i32, u32, then any dtype; gives the same. Differentiable; `vmap` batches it.
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
 * At each place what belongs to the last condition that holds there: a number, or a function's value at x; `otherwise` where none does.
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
