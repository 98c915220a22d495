// How do many elements become one? Each function takes `(axis?, { keepdims })`: no axis means all of them, a list means several;
// negative axes count from the end; `keepdims` leaves an extent of 1 where an axis was.

import { axesOf, axisOf, optionsOf, type Axes } from "../core/check.js";
import { core, register } from "../core/core.js";
import { Tensor, type Operand } from "../core/tensor.js";
import { apply } from "./lift.js";

/**
 * How a reduction leaves the shape.
 *
 * @example
 * sum([[1, 2], [3, 4]], 1, { keepdims: true }); // [[3],[7]]
 */
export interface ReduceOptions {
  /** Leaves an extent of 1 where an axis was reduced. */
  keepdims?: boolean;
}

/**
 * A reduction. Throws `AxisError` for an axis out of range, or given twice, or that is none; `ValueError` for an option there is not.
 *
 * @example
 * const spread: Reduction = (x, axis, options) => max(x, axis, options).sub(min(x, axis, options));
 * spread([1, 5, 3]); // 4
 */
export type Reduction = (x: Operand, axis?: Axes, options?: ReduceOptions) => Tensor;

/**
 * A reduction along one axis, or over all elements in row-major order.
 *
 * @example
 * const positionOf = (search: ArgReduction, x: Tensor) => search(x, -1);
 * positionOf(argmax, tensor([1, 5, 3])); // 1
 */
export type ArgReduction = (x: Operand, axis?: number | null, options?: ReduceOptions) => Tensor;

const shaped = { keepdims: false };

function reduction(name: string, read = axesOf): Reduction {
  const slot = register("reduce", name);
  return (x, axis, options) => {
    const axes = read(name, axis);
    const { keepdims } = optionsOf(name, options, shaped);
    if (x instanceof Tensor) return Tensor.adopt(core().reduce(slot.code, x.handle, axes, keepdims));
    return apply(name, [x], (handle) => core().reduce(slot.code, handle, axes, keepdims));
  };
}

/** The one axis of those that take no list. */
function oneAxis(op: string, axis: unknown): Int32Array | undefined {
  return axis === null || axis === undefined ? undefined : Int32Array.of(axisOf(op, axis));
}

/**
 * Sum; bools count as 0 and 1.
 *
 * @example
 * sum([[1, 2], [3, 4]]); // 10
 * sum([[1, 2], [3, 4]], 0); // [4,6]
 */
export const sum: Reduction = reduction("sum");

/**
 * Product.
 *
 * @example
 * prod([2, 3, 4]); // 24
 */
export const prod: Reduction = reduction("prod");

/**
 * Mean, in f32.
 *
 * @example
 * mean([[1, 2], [3, 6]], 1); // [1.5,4.5]
 */
export const mean: Reduction = reduction("mean");

/**
 * The largest; NaN if any is. Throws `ShapeError` over nothing.
 *
 * @example
 * max([[1, 5], [3, 2]], -1); // [5,3]
 */
export const max: Reduction = reduction("max");

/**
 * The smallest; NaN if any is. Throws `ShapeError` over nothing.
 *
 * @example
 * min([4, 2, 8]); // 2
 */
export const min: Reduction = reduction("min");

/**
 * The position of the largest, the first among equals, as i32.
 *
 * @example
 * argmax([[1, 5], [3, 2]], 1); // [1,0]
 */
export const argmax: ArgReduction = reduction("argmax", oneAxis) as ArgReduction;

/**
 * The position of the smallest, the first among equals, as i32.
 *
 * @example
 * argmin([4, 2, 8]); // 1
 */
export const argmin: ArgReduction = reduction("argmin", oneAxis) as ArgReduction;

/**
 * Whether any element is true, or not zero.
 *
 * @example
 * any([false, true]); // true
 */
export const any: Reduction = reduction("any");

/**
 * Whether all elements are true, or not zero.
 *
 * @example
 * all([false, true]); // false
 */
export const all: Reduction = reduction("all");

/**
 * log Σ eˣ, without overflow.
 *
 * @example
 * logSumExp([1000, 1000]); // 1000.7
 */
export const logSumExp: Reduction = reduction("logSumExp");

/**
 * How far to correct a variance for a mean that was estimated from the same elements.
 *
 * @example
 * variance([1, 2, 3], null, { correction: 1 }); // 1
 */
export interface VarianceOptions extends ReduceOptions {
  /** Subtracted from the count in the divisor: 0 for a population (the default), 1 for a sample. */
  correction?: number;
}

const corrected = { keepdims: false, correction: 0 };

/**
 * Variance, in f32.
 *
 * @example
 * variance([1, 2, 3]); // 0.66667
 */
export function variance(x: Operand, axis: Axes = null, options: VarianceOptions = {}): Tensor {
  const axes = axesOf("variance", axis);
  const { keepdims, correction } = optionsOf("variance", options, corrected);
  return apply("variance", [x], (handle) => core().variance(handle, axes, correction, keepdims));
}

/**
 * Standard deviation, in f32.
 *
 * @example
 * std([[1, 3], [2, 6]], 1); // [1,2]
 */
export function std(x: Operand, axis: Axes = null, options: VarianceOptions = {}): Tensor {
  const axes = axesOf("std", axis);
  const { keepdims, correction } = optionsOf("std", options, corrected);
  return apply("std", [x], (handle) => core().std(handle, axes, correction, keepdims));
}
