// What is done along an axis by a function, by weights, or at chosen places?

import { axisOf, axesOf, noMore, noOptions, listOf, optionsOf, type Axes } from "../core/check.js";
import { checkFunction, checkReturned } from "../core/functions.js";
import { Tensor, type Operand } from "../core/tensor.js";
import { tidy } from "../core/tidy.js";
import { AxisError, ShapeError, ValueError } from "../errors.js";
import { vmap } from "../transforms/vmap.js";
import { add, div, mul, remainder, sub } from "./arithmetic.js";
import { clip } from "./clip.js";
import { greater, less, where } from "./compare.js";
import { arange, full } from "./create.js";
import { cast, isnan } from "./elementwise.js";
import type { ReduceOptions } from "./forms.js";
import { select } from "./grid.js";
import { at, type OutsideOptions } from "./indexing.js";
import { concat } from "./join.js";
import { composed, lifted } from "./lift.js";
import { slice } from "./parts.js";
import { outsideWords } from "./places.js";
import { searchSorted } from "./loops.js";
import { mean, sum } from "./reduce.js";
import { cumprod, cumsum } from "./running.js";
import { broadcastTo, flatten, flip, moveAxis, reshape } from "./view.js";

/** Modes as `outsideWords` gives them. */
const CLIP = 1;
const WRAP = 2;

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
  noOptions(op, arguments, 3);
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
  noOptions(op, arguments, 3);
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

/**
 * The mean, of elements that count differently if there are weights. NaN or infinite where the weights add up to 0.
 *
 * @example
 * average([1, 2, 3], null, { weights: [0, 1, 1] }); // 2.5
 */
export function average(x: Operand, axis: Axes = null, options: WeightOptions = {}): Tensor {
  const op = "average";
  noMore(op, [...arguments], 3);
  const { keepdims, weights } = optionsOf<{ keepdims: boolean; weights: Operand | null }>(op, options, { keepdims: false, weights: null });
  const along = axesOf(op, axis);
  return composed(op, () => {
    const given = lifted(op, x);
    if (weights === null) return mean(given, axis, { keepdims });
    let shares = lifted(op, weights);
    if (shares.ndim === 1 && given.ndim !== 1) {
      if (along?.length !== 1) throw new ShapeError(op, "a vector of weights needs one axis");
      const place = placeOf(op, along[0] as number, given);
      shares = reshape(shares, given.shape.map((_, n) => (n === place ? shares.size : 1)));
    }
    shares = broadcastTo(shares, given.shape);
    return div(sum(mul(given, shares), axis, { keepdims }), sum(shares, axis, { keepdims }));
  });
}

/**
 * Whether a running result begins with that of nothing.
 *
 * @example
 * const options: RunningOptions = { includeInitial: true };
 * cumulativeSum([1, 2], 0, options); // [0,1,3]
 */
export interface RunningOptions {
  /** Whether 0, or 1 of a product, stands before the others; false by default. */
  includeInitial?: boolean;
}

/** A running result, after that of nothing where it is asked for. */
function running(op: string, x: Operand, axis: number, options: RunningOptions, run: (x: Tensor, axis: number) => Tensor, nothing: number): Tensor {
  const { includeInitial } = optionsOf(op, options, { includeInitial: false });
  return composed(op, () => {
    const given = lifted(op, x);
    const found = run(given, axis);
    if (!includeInitial) return found;
    const place = placeOf(op, axis, given);
    return concat([full(found.shape.map((extent, n) => (n === place ? 1 : extent)), nothing, { dtype: found.dtype }), found], place);
  });
}

/**
 * The sum of each element and all before it along an axis; with `includeInitial` after a 0, so that there is one more than there are elements.
 *
 * @example
 * cumulativeSum([1, 2, 3]); // [1,3,6]
 * cumulativeSum([1, 2, 3], 0, { includeInitial: true }); // [0,1,3,6]
 */
export function cumulativeSum(x: Operand, axis = -1, options: RunningOptions = {}): Tensor {
  noMore("cumulativeSum", [...arguments], 3);
  return running("cumulativeSum", x, axis, options, cumsum, 0);
}

/**
 * The product of each element and all before it along an axis; with `includeInitial` after a 1, so that there is one more than there are elements.
 *
 * @example
 * cumulativeProd([2, 3], 0, { includeInitial: true }); // [1,2,6]
 */
export function cumulativeProd(x: Operand, axis = -1, options: RunningOptions = {}): Tensor {
  noMore("cumulativeProd", [...arguments], 3);
  return running("cumulativeProd", x, axis, options, cumprod, 1);
}

const isFloat = (x: Tensor): boolean => x.dtype === "f32" || x.dtype === "f16";

/**
 * `cumsum` with 0 for NaN.
 *
 * @example
 * nancumsum([1, NaN, 2]); // [1,1,3]
 */
export function nancumsum(x: Operand, axis = -1): Tensor {
  noOptions("nancumsum", arguments, 2);
  return composed("nancumsum", () => {
    const given = lifted("nancumsum", x);
    return cumsum(isFloat(given) ? where(isnan(given), 0, given) : given, axis);
  });
}

/**
 * `cumprod` with 1 for NaN.
 *
 * @example
 * nancumprod([2, NaN, 3]); // [2,2,6]
 */
export function nancumprod(x: Operand, axis = -1): Tensor {
  noOptions("nancumprod", arguments, 2);
  return composed("nancumprod", () => {
    const given = lifted("nancumprod", x);
    return cumprod(isFloat(given) ? where(isnan(given), 1, given) : given, axis);
  });
}

/**
 * The bin in which each element lies: how many of the ascending edges are not above it (or, from the right, below it). Edges may descend, too.
 *
 * @example
 * digitize([0.5, 1, 9], [1, 2, 3]); // [0,1,3]
 * digitize([0.5, 1, 9], [1, 2, 3], true); // [0,0,3]
 */
export function digitize(x: Operand, edges: Operand, right = false): Tensor {
  const op = "digitize";
  noOptions(op, arguments, 3);
  return composed(op, () => {
    const sorted = lifted(op, edges);
    if (sorted.ndim !== 1) throw new ShapeError(op, `takes a vector of edges, got [${sorted.shape.join(",")}]`);
    const ascending = searchSorted(sorted, x, !right);
    if (sorted.size < 2) return ascending;
    const descending = sub(sorted.size, searchSorted(flip(sorted), x, !right)).cast("i32");
    return where(greater(slice(sorted, 0), slice(sorted, -1)), descending, ascending);
  });
}

/**
 * With `values` at the positions along an axis that `takeAlongAxis` would take. Of positions given twice any may win. Those beyond the axis are left out, or
 * mean what `options` say.
 *
 * @example
 * putAlongAxis([[1, 2], [3, 4]], [[1], [0]], 9, 1); // [[1,9],[9,4]]
 * putAlongAxis([1, 2, 3], [4], 9, 0, { mode: "wrap" }); // [1,9,3]
 */
export function putAlongAxis(x: Operand, indices: Operand, values: Operand, axis = -1, options?: OutsideOptions): Tensor {
  const op = "putAlongAxis";
  noMore(op, [...arguments], 5);
  const [mode] = outsideWords(op, options, x);
  return composed(op, () => {
    const given = lifted(op, x);
    const place = placeOf(op, axis, given);
    const positions = lifted(op, indices, "i32");
    if (positions.dtype !== "i32" && positions.dtype !== "u32") throw new ValueError(op, `positions are whole numbers, got ${positions.dtype}`);
    if (positions.ndim !== given.ndim) throw new ShapeError(op, `[${positions.shape.join(",")}] are no positions in [${given.shape.join(",")}]`);
    const shape = given.shape.map((extent, n) => (n === place ? (positions.shape[n] as number) : extent));
    const extent = given.shape[place] as number;
    let along = broadcastTo(cast(positions, "i32"), shape);
    if (mode === CLIP) along = clip(along, 0, Math.max(0, extent - 1));
    if (mode === WRAP) along = remainder(along, extent);
    // As in `at`, what lies outside is left out: beyond all elements.
    let flat = where(less(along, 0), add(along, extent), along);
    const outside = where(less(flat, 0), true, flat.greaterEqual(extent));
    const strides = given.shape.map((_, n) => given.shape.slice(n + 1).reduce((a, b) => a * b, 1));
    flat = mul(flat, strides[place] as number);
    shape.forEach((count, n) => {
      if (n === place) return;
      const own = shape.map((_, axis) => (axis === n ? count : 1));
      flat = add(flat, reshape(mul(arange(count), strides[n] as number), own));
    });
    flat = where(outside, given.size, flat);
    const put = broadcastTo(lifted(op, values), shape);
    return reshape(at(flatten(given), flatten(flat)).set(flatten(cast(put, given.dtype))), given.shape);
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
