// How are tensors made? From data, or from a rule: then nothing is uploaded.

import { countOf, extentsOf } from "../core/check.js";
import { core } from "../core/core.js";
import { dtypeCode, dtypeOf, elements, isTypedArray, wordsOf, type Data, type DType } from "../core/dtype.js";
import { flattenNested, shapeText, sizeOf, type Nested } from "../core/shape.js";
import { Tensor } from "../core/tensor.js";
import { ShapeError, ValueError } from "../errors.js";

/** What a tensor should be made of. */
export interface TensorOptions {
  /** Type of the elements. By default bool for truth values, for typed arrays what is closest, otherwise f32. */
  dtype?: DType;
  /** Extents, for data that comes flat; by default those of the nesting. */
  shape?: readonly number[];
}

/**
 * A tensor of `data`: a number, a truth value, arrays nested to any depth, or a typed array. Throws `ShapeError` for ragged
 * arrays and for data that does not fill `shape`.
 */
export function tensor(data: Nested, options: TensorOptions = {}): Tensor {
  return build(data, "tensor", options.dtype, options.shape);
}

/** As `tensor`, for data that stands where a tensor may stand. @internal */
export function tensorFrom(data: Nested, op: string, dtype?: DType): Tensor {
  if (typeof data === "number" && (dtype === undefined || dtype === "f32")) {
    return Tensor.adopt(core().number(data, 0));
  }
  return build(data, op, dtype);
}

function build(data: Nested, op: string, dtype?: DType, wanted?: readonly number[]): Tensor {
  if (data === null || data === undefined) throw new ValueError(op, `expected a tensor, numbers or arrays of them, got ${data}`);
  const { shape: nested, values } = flattenNested(data, op);
  const shape = wanted ?? nested;
  const extents = extentsOf(op, shape);
  if (sizeOf(shape) !== values.length) {
    throw new ShapeError(op, `${values.length} elements do not fill ${shapeText(shape)}, which takes ${sizeOf(shape)}`);
  }
  const made = dtype ?? (isTypedArray(values) ? dtypeOf(values) : typeof values[0] === "boolean" ? "bool" : "f32");
  dtypeCode(made, op);
  return upload(elements(values, made), extents, made, op);
}

/** A tensor of these elements; `shape` must fit. @internal */
export function upload(data: Data, shape: Uint32Array, dtype: DType, op: string): Tensor {
  const result = Tensor.adopt(core().from_words(wordsOf(data), shape, dtypeCode(dtype, op)));
  result.remember(data);
  return result;
}

/** What the elements of a made tensor are. */
export interface DTypeOptions {
  /** Type of the elements; f32 by default. */
  dtype?: DType;
}

/** Zeros, or false. */
export function zeros(shape: readonly number[], options: DTypeOptions = {}): Tensor {
  return filled("zeros", shape, 0, options.dtype ?? "f32");
}

/** Ones, or true. */
export function ones(shape: readonly number[], options: DTypeOptions = {}): Tensor {
  return filled("ones", shape, 1, options.dtype ?? "f32");
}

/** `value` everywhere; by default bool for a truth value, else f32. */
export function full(shape: readonly number[], value: number | boolean, options: DTypeOptions = {}): Tensor {
  return filled("full", shape, Number(value), options.dtype ?? (typeof value === "boolean" ? "bool" : "f32"));
}

/** Zeros of the shape and dtype of `x`. */
export function zerosLike(x: Tensor, options: DTypeOptions = {}): Tensor {
  return filled("zerosLike", x.shape, 0, options.dtype ?? x.dtype);
}

/** Ones of the shape and dtype of `x`. */
export function onesLike(x: Tensor, options: DTypeOptions = {}): Tensor {
  return filled("onesLike", x.shape, 1, options.dtype ?? x.dtype);
}

function filled(op: string, shape: readonly number[], value: number, dtype: DType): Tensor {
  return Tensor.adopt(core().full(extentsOf(op, shape), value, dtypeCode(dtype, op)));
}

/**
 * `arange(stop)` counts from 0, `arange(start, stop, step?)` from `start`, up to but not including `stop`. i32 by default when
 * all of them are whole, else f32. Throws `ValueError` for a step of 0.
 */
export function arange(stop: number, options?: DTypeOptions): Tensor;
export function arange(start: number, stop: number, step?: number, options?: DTypeOptions): Tensor;
export function arange(first: number, second?: number | DTypeOptions, step = 1, options: DTypeOptions = {}): Tensor {
  if (typeof second !== "number") return arange(0, first, 1, second);
  const dtype = options.dtype ?? ([first, second, step].every(Number.isInteger) ? "i32" : "f32");
  return Tensor.adopt(core().arange(first, second, step, dtypeCode(dtype, "arange")));
}

/** How `linspace` counts. */
export interface LinspaceOptions {
  /** Whether `stop` is among the numbers; true by default. */
  endpoint?: boolean;
}

/** `count` f32 numbers evenly from `start` to `stop`, both included. */
export function linspace(start: number, stop: number, count = 50, options: LinspaceOptions = {}): Tensor {
  return Tensor.adopt(core().linspace(start, stop, countOf("linspace", "the count", count), options.endpoint ?? true));
}

/** What the matrix of `eye` is. */
export interface EyeOptions extends DTypeOptions {
  /** Which diagonal holds the ones: 0 (the default) the main one, positive numbers above, negative below. */
  diagonal?: number;
}

/** Ones on a diagonal of a matrix, zeros elsewhere. */
export function eye(rows: number, columns: number = rows, options: EyeOptions = {}): Tensor {
  const [height, width] = [countOf("eye", "the number of rows", rows), countOf("eye", "the number of columns", columns)];
  return Tensor.adopt(core().eye(height, width, options.diagonal ?? 0, dtypeCode(options.dtype ?? "f32", "eye")));
}
