// Types of functions and options that several operations share.

import type { Axes } from "../core/check/check.js";
import type { DType } from "../core/tensor/dtype.js";
import type { Operand, Tensor } from "../core/tensor/tensor.js";

/**
 * A function of each element.
 *
 * @example
 * const swish: Unary = (x) => mul(x, sigmoid(x));
 * swish(0); // 0
 */
export type Unary = (x: Operand) => Tensor;

/**
 * A function of two operands. Throws `ShapeError` when their shapes do not broadcast.
 *
 * @example
 * const distance: Binary = (a, b) => sub(a, b).abs();
 * distance([1, 5], 3); // [2,2]
 */
export type Binary = (a: Operand, b: Operand) => Tensor;

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
 * A reduction. Throws `AxisError` for an axis out of range, or given twice, or that is none;
 * `ValueError` for an option there is not.
 *
 * @example
 * const spread: Reduction = (x, axis, options) => max(x, axis, options).sub(min(x, axis, options));
 * spread([1, 5, 3]); // 4
 */
export type Reduction = (x: Operand, axis?: Axes, options?: ReduceOptions) => Tensor;

/**
 * Whether a running result begins with that of nothing.
 *
 * @example
 * const options: RunningOptions = { includeInitial: true };
 * cumulativeSum([1, 2], 0, options); // [0,1,3]
 */
export interface RunningOptions {
  /** Whether the result begins with 0, or with 1 for a product; false by default. */
  includeInitial?: boolean;
}

/**
 * A reduction along one axis, or over all elements in row-major order.
 *
 * @example
 * const positionOf = (search: ArgReduction, x: Tensor) => search(x, -1);
 * positionOf(argmax, tensor([1, 5, 3])); // 1
 */
export type ArgReduction = (x: Operand, axis?: number | null, options?: ReduceOptions) => Tensor;

/**
 * How a reduction leaves the shape, and of which elements it is, as NumPy's `where`.
 *
 * @example
 * mean([1, 2, 30], null, { where: [true, true, false] }); // 1.5
 */
export interface PartOptions extends ReduceOptions {
  /** Which elements count: those where this is not zero. It broadcasts to the shape of the tensor.
   * All of them by default. */
  where?: Operand | null;
}

/**
 * What a reduction begins with, besides.
 *
 * @example
 * max([], null, { initial: 0 }); // 0
 */
export interface FoldOptions extends PartOptions {
  /** Counted among the elements of each result. Extremes of a part of the elements need it. */
  initial?: number | null;
}

/**
 * `FoldOptions`, and the dtype of a sum or product.
 *
 * @example
 * sum(tensor([200, 100], { dtype: "u8" }), null, { dtype: "u8" }); // 44
 */
export interface SumOptions extends FoldOptions {
  /** What elements are cast to before they are added, and the result is of. */
  dtype?: DType | null;
}

/**
 * `PartOptions`, and the dtype of a mean.
 *
 * @example
 * mean(tensor([60000, 40000], { dtype: "f16" }), null, { dtype: "f32" }); // 50000
 */
export interface MeanOptions extends PartOptions {
  /** What elements are cast to before they are added, and the result is of. */
  dtype?: DType | null;
}

/**
 * How numbers are spaced.
 *
 * @example
 * linspace(0, 1, 4, { endpoint: false }); // [0,0.25,0.5,0.75]
 */
export interface SpacingOptions {
  /** Whether `stop` is among the numbers; true by default. */
  endpoint?: boolean;
  /** Type of the elements; f32 by default. Integers lose their fractions. */
  dtype?: DType;
}

/**
 * Which numbers are equal.
 *
 * @example
 * arrayEqual([NaN], [NaN], { equalNan: true }); // true
 */
export interface EqualityOptions {
  /** Whether NaN equals NaN; not by default. */
  equalNan?: boolean;
}

/**
 * Options of `isin` and its relatives.
 *
 * @example
 * isIn([1, 2], [2], { invert: true }); // [true,false]
 */
export interface MembershipOptions {
  /** Whether elements that are none of the values are true; false by default. */
  invert?: boolean;
}

/**
 * What is beyond the ends of a curve.
 *
 * @example
 * interp([-1, 9], [0, 1], [3, 4], { left: 0, right: 0 }); // [0,0]
 */
export interface InterpOptions {
  /** What is before the first place; by default the height there. */
  left?: number | null;
  /** What is after the last place; by default the height there. */
  right?: number | null;
  /** After which distance the curve starts anew. It takes the place of `left` and `right`. */
  period?: number | null;
}

/**
 * Of which numbers jumps are taken out.
 *
 * @example
 * unwrap([350, 10], -1, { period: 360 }); // [350,370]
 */
export interface UnwrapOptions {
  /** What the numbers count modulo; 2π by default. */
  period?: number;
  /** The least jump that is one; half the period by default, and at least. */
  discont?: number | null;
}

/**
 * The axes of vectors that are multiplied.
 *
 * @example
 * cross([[1], [0], [0]], [0, 1, 0], -1, { axisA: 0 }); // [[0,0,1]]
 */
export interface CrossAxes {
  /** That of the first; the axis by default. */
  axisA?: number | null;
  /** That of the second. */
  axisB?: number | null;
  /** That of the product. */
  axisC?: number | null;
}

/**
 * Which triangle of a symmetric matrix is read: the lower or the upper.
 *
 * @example
 * const uplo: Uplo = "L";
 * linalg.eigvalsh([[1, 9], [0, 2]], uplo); // [1,2]
 */
export type Uplo = "L" | "U" | null;

/**
 * How far to correct a variance for a mean that was estimated from the same elements.
 *
 * @example
 * variance([1, 2, 3], null, { correction: 1 }); // 1
 */
export interface VarianceOptions extends PartOptions {
  /** Subtracted from the count in the divisor: 0 for a population (the default), 1 for a sample. */
  correction?: number;
}

/**
 * How far numbers may be apart that count as close: |a − b| ≤ atol + rtol · |b|.
 *
 * @example
 * isClose([1, 2], [1.01, 2.5], { rtol: 0.1 }); // [true,false]
 */
export interface ClosenessOptions {
  /** In proportion to the second; 1e-5 by default. */
  rtol?: number;
  /** Besides; 1e-8 by default. */
  atol?: number;
  /** Whether NaN is close to NaN; not by default. */
  equalNan?: boolean;
}

/**
 * Which norm of a matrix: of order 1, −1, 2, −2 or ±Infinity, Frobenius', or the nuclear one.
 *
 * @example
 * const order: MatrixOrder = "fro";
 * linalg.matrixNorm([[3, 0], [0, 4]], order); // 5
 */
export type MatrixOrder = number | "fro" | "nuc" | null;

/**
 * Which triangle a matrix is taken for.
 *
 * @example
 * linalg.triangularSolve([[1, 2], [0, 1]], [3, 1], { lower: false }); // [1,1]
 */
export interface TriangleOptions {
  /** Whether the lower one is read, which it is by default, or the upper one. */
  lower?: boolean;
  /** Whether it is transposed then. */
  transposed?: boolean;
  /** Whether ones are taken for its diagonal. */
  unitDiagonal?: boolean;
}

/**
 * A draw of random numbers, by a key or, without one, from the generator that `random.seed`
 * restarts.
 *
 * @example
 * const noise: Draw<[shape: readonly number[]]> = random.gumbel;
 * noise(random.key(0), [3]).shape; // [3]
 */
export type Draw<Arguments extends readonly unknown[]> = (...given: Arguments | [key: Tensor, ...Arguments]) => Tensor;

/**
 * How a quantile is taken that falls between two elements.
 *
 * @example
 * quantile([1, 2, 3, 4], 0.5, null, { method: "higher" }); // 3
 */
export interface QuantileOptions extends ReduceOptions {
  /**
   * As far from one to the other as it falls between them (the default), the lower, the higher, the
   * nearer, or their mean; or another of NumPy's methods, after Hyndman and Fan (1996), by its name
   * there.
   */
  method?:
    | "linear"
    | "lower"
    | "higher"
    | "nearest"
    | "midpoint"
    | "inverted_cdf"
    | "averaged_inverted_cdf"
    | "closest_observation"
    | "interpolated_inverted_cdf"
    | "hazen"
    | "weibull"
    | "median_unbiased"
    | "normal_unbiased";
}
