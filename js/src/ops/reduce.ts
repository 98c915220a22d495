// How do many elements become one? Each function takes `(axis?, { keepdims })`: no axis means all of them, a list means several;
// negative axes count from the end; `keepdims` leaves an extent of 1 where an axis was.

import { axesOf, axisOf, optionsOf, type Axes } from "../core/check.js";
import { core, register } from "../core/core.js";
import { Tensor, type Operand } from "../core/tensor.js";
import { apply } from "./lift.js";

/** How a reduction leaves the shape. */
export interface ReduceOptions {
  /** Leaves an extent of 1 where an axis was reduced. */
  keepdims?: boolean;
}

/** A reduction. Throws `AxisError` for an axis out of range, or given twice, or that is none; `ValueError` for an option there is not. */
export type Reduction = (x: Operand, axis?: Axes, options?: ReduceOptions) => Tensor;

/** A reduction along one axis, or over all elements in row-major order. */
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

/** Sum; bools count as 0 and 1. */
export const sum: Reduction = reduction("sum");
/** Product. */
export const prod: Reduction = reduction("prod");
/** Mean, in f32. */
export const mean: Reduction = reduction("mean");
/** The largest; NaN if any is. Throws `ShapeError` over nothing. */
export const max: Reduction = reduction("max");
/** The smallest; NaN if any is. Throws `ShapeError` over nothing. */
export const min: Reduction = reduction("min");
/** The position of the largest, the first among equals, as i32. */
export const argmax: ArgReduction = reduction("argmax", oneAxis) as ArgReduction;
/** The position of the smallest, the first among equals, as i32. */
export const argmin: ArgReduction = reduction("argmin", oneAxis) as ArgReduction;
/** Whether any element is true, or not zero. */
export const any: Reduction = reduction("any");
/** Whether all elements are true, or not zero. */
export const all: Reduction = reduction("all");
/** log Σ eˣ, without overflow. */
export const logSumExp: Reduction = reduction("logSumExp");

/** How far to correct a variance for a mean that was estimated from the same elements. */
export interface VarianceOptions extends ReduceOptions {
  /** Subtracted from the count in the divisor: 0 for a population (the default), 1 for a sample. */
  correction?: number;
}

const corrected = { keepdims: false, correction: 0 };

/** Variance, in f32. */
export function variance(x: Operand, axis: Axes = null, options: VarianceOptions = {}): Tensor {
  const axes = axesOf("variance", axis);
  const { keepdims, correction } = optionsOf("variance", options, corrected);
  return apply("variance", [x], (handle) => core().variance(handle, axes, correction, keepdims));
}

/** Standard deviation, in f32. */
export function std(x: Operand, axis: Axes = null, options: VarianceOptions = {}): Tensor {
  const axes = axesOf("std", axis);
  const { keepdims, correction } = optionsOf("std", options, corrected);
  return apply("std", [x], (handle) => core().std(handle, axes, correction, keepdims));
}
