// Tensors from data, or from a rule: then nothing is uploaded.

import { countOf, extentsOf, finiteOf, isArray, noMore, optionsOf, shapeOf, shown, type Shape } from "../core/check/check.js";
import { core, register } from "../core/wasm/core.js";
import { dtypeCode, dtypeOf, elements, isTypedArray, wordsOf, type Data, type DType } from "../core/tensor/dtype.js";
import { flattenNested, shapeText, sizeOf, type Nested } from "../core/tensor/shape.js";
import { Tensor, type Operand } from "../core/tensor/tensor.js";
import { ShapeError, ValueError } from "../core/errors.js";
import type { SpacingOptions } from "./signatures.js";
import { invoke, type Call } from "./operation.js";

const [everywhere, counting, spaced, spacedIn, diagonalOnes] = [register("full"), register("arange"), register("linspace"), register("linspace.spaced"), register("eye")];
const [spreading, casting] = [register("broadcastTo"), register("cast")];

/**
 * What a tensor should be made of.
 *
 * @example
 * tensor([1, 2, 3, 4], { shape: [2, 2], dtype: "i32" }); // [[1,2],[3,4]]
 */
export interface TensorOptions {
  /** Type of the elements. By default bool for truth values alone, for typed arrays what is
   * closest, otherwise f32. Numbers become integers by losing their fraction, and must fit. */
  dtype?: DType;
  /** Extents, for data that comes flat; by default those of the nesting. */
  shape?: Shape;
}

/**
 * A tensor of `data`: a number, a truth value, arrays nested to any depth, or a typed array. Throws
 * `ShapeError` for ragged arrays and for data that does not fill `shape`.
 *
 * @example
 * tensor([[1, 2], [3, 4]]).shape; // [2,2]
 * tensor(Float32Array.of(1, 2, 3, 4), { shape: [2, 2] }); // [[1,2],[3,4]]
 */
export function tensor(data: Nested, options?: TensorOptions): Tensor {
  noMore("tensor", arguments, 2);
  const { dtype, shape } = optionsOf("tensor", options, anything);
  return build(data, "tensor", dtype, shape);
}

const anything: { dtype: DType | undefined; shape: Shape | undefined } = { dtype: undefined, shape: undefined };

/** As `tensor`, for data that stands where a tensor may stand. @internal */
export function tensorFrom(data: Nested, op: string, dtype?: DType): Tensor {
  if (typeof data === "number" && (dtype === undefined || dtype === "f32")) {
    return Tensor.adopt(core().number(data, 0));
  }
  return build(data, op, dtype);
}

function build(data: Nested, op: string, dtype?: DType, wanted?: Shape): Tensor {
  const { shape: nested, values } = flattenNested(numbersOf(op, data), op);
  const shape = wanted === undefined ? nested : shapeOf(op, wanted);
  const extents = extentsOf(op, shape);
  if (sizeOf(shape) !== values.length) {
    throw new ShapeError(op, `${values.length} elements do not fill ${shapeText(shape)}, which takes ${sizeOf(shape)}`);
  }
  const made = dtype ?? (isTypedArray(values) ? dtypeOf(values) : areTruthValues(values) ? "bool" : "f32");
  dtypeCode(made, op);
  return upload(elements(values, made, op), extents, made, op);
}

/** Whether there are truth values and nothing else: beside numbers they are 0 and 1. */
function areTruthValues(values: ArrayLike<unknown>): boolean {
  return values.length > 0 && Array.prototype.every.call(values, (value) => typeof value === "boolean");
}

/** `data`, which is to be numbers or arrays of them. Throws `ValueError` for what is neither.
 * @internal */
export function numbersOf(op: string, data: unknown): Nested {
  if (typeof data === "number" || typeof data === "boolean" || isArray(data) || isTypedArray(data)) return data as Nested;
  if (data instanceof Tensor) throw new ValueError(op, `${data.form.text} is a tensor already: use it as it is, cast it to another dtype, or stack several`);
  Tensor.refuseProxy(op, data);
  throw new ValueError(op, `expected a tensor, numbers or arrays of them, got ${shown(data)}`);
}

/** A tensor of these elements; `shape` must fit. @internal */
export function upload(data: Data, shape: Uint32Array, dtype: DType, op: string): Tensor {
  const result = Tensor.adopt(core().from_words(wordsOf(data, dtype), shape, dtypeCode(dtype, op)));
  result.remember(data);
  return result;
}

/**
 * What the elements of a made tensor are.
 *
 * @example
 * zeros([2], { dtype: "bool" }); // [false,false]
 */
export interface DTypeOptions {
  /** Type of the elements; f32 by default. */
  dtype?: DType;
}

/**
 * Zeros, or false.
 *
 * Gives `dtype`.
 *
 * @example
 * zeros([2, 2]); // [[0,0],[0,0]]
 * zeros(2); // [0,0]
 */
export function zeros(shape: Shape, options: DTypeOptions = {}): Tensor {
  noMore("zeros", arguments, 2);
  return filled("zeros", shape, 0, "f32", options);
}

/**
 * Ones, or true.
 *
 * Gives `dtype`.
 *
 * @example
 * ones([3], { dtype: "i32" }); // [1,1,1]
 */
export function ones(shape: Shape, options: DTypeOptions = {}): Tensor {
  noMore("ones", arguments, 2);
  return filled("ones", shape, 1, "f32", options);
}

/**
 * `value` everywhere; by default bool for a truth value, f32 for a number. A tensor or arrays
 * broadcast to the shape, by default of their dtype.
 *
 * Gives `dtype`.
 *
 * @example
 * full([2], 0.5); // [0.5,0.5]
 * full([2, 2], [1, 2]); // [[1,2],[1,2]]
 */
export function full(shape: Shape, value: Operand, options: DTypeOptions = {}): Tensor {
  noMore("full", arguments, 3);
  if (typeof value === "number" || typeof value === "boolean") return filled("full", shape, Number(value), typeof value === "boolean" ? "bool" : "f32", options);
  const { dtype } = optionsOf("full", options, { dtype: undefined as DType | undefined });
  const spread = invoke({ ...spreading, name: "full" }, (call) => call.tensor(value).list(extentsOf("full", shape)));
  if (dtype === undefined) return spread;
  return invoke({ ...casting, name: "full" }, (call) => call.own(spread).put(dtypeCode(dtype, "full")));
}

/**
 * Zeros of the shape and dtype of `x`.
 *
 * Gives `dtype`.
 *
 * @example
 * zerosLike(tensor([1, 2])); // [0,0]
 */
export function zerosLike(x: Operand, options: DTypeOptions = {}): Tensor {
  noMore("zerosLike", arguments, 2);
  return like("zerosLike", x, 0, options);
}

/**
 * Ones of the shape and dtype of `x`.
 *
 * Gives `dtype`.
 *
 * @example
 * onesLike(tensor([1, 2])); // [1,1]
 */
export function onesLike(x: Operand, options: DTypeOptions = {}): Tensor {
  noMore("onesLike", arguments, 2);
  return like("onesLike", x, 1, options);
}

function like(op: string, x: Operand, value: number, options: DTypeOptions): Tensor {
  const model = x instanceof Tensor ? x : tensorFrom(x, op);
  const { shape, dtype } = model;
  if (model !== x) model.dispose();
  return filled(op, shape, value, dtype, options);
}

function filled(op: string, shape: Shape, value: number, usual: DType, options: DTypeOptions): Tensor {
  const { dtype } = optionsOf(op, options, { dtype: usual });
  return invoke(everywhere, (call) => call.list(extentsOf(op, shape)).put(value, dtypeCode(dtype, op)));
}

/**
 * `arange(stop)` counts from 0, `arange(start, stop, step?)` from `start`, up to but not including
 * `stop`. i32 by default when all of them are whole, else f32. Throws `ValueError` for a step of 0,
 * and for what is no finite number.
 *
 * Gives `dtype`.
 *
 * @example
 * arange(4); // [0,1,2,3]
 * arange(1, 2, 0.25); // [1,1.25,1.5,1.75]
 */
export function arange(stop: number, options?: DTypeOptions): Tensor;
export function arange(start: number, stop: number, step?: number, options?: DTypeOptions): Tensor;
export function arange(first: number, second?: number | DTypeOptions, step = 1, options: DTypeOptions = {}): Tensor {
  noMore("arange", arguments, 4);
  if (second === undefined || (typeof second === "object" && step === 1)) return counted(0, first, 1, second);
  return counted(first, second as number, step, options);
}

function counted(start: number, stop: number, step: number, options: DTypeOptions | undefined): Tensor {
  const [from, to, by] = [finiteOf("arange", "the start", start), finiteOf("arange", "the stop", stop), finiteOf("arange", "the step", step)];
  const { dtype } = optionsOf("arange", options, { dtype: [from, to, by].every(Number.isInteger) ? ("i32" as DType) : "f32" });
  const code = dtypeCode(dtype, "arange");
  if (dtype !== "f32" && !(Number.isInteger(from) && Number.isInteger(by))) {
    throw new ValueError("arange", `counts in ${dtype} from a whole number by whole steps, not from ${from} by ${by}`);
  }
  return invoke(counting, (call) => call.put(from, to, by, code));
}

/**
 * `count` numbers evenly from `start` to `stop`, both included by default; of integers the floors.
 *
 * Gives `dtype`.
 *
 * @example
 * linspace(0, 1, 5); // [0,0.25,0.5,0.75,1]
 * linspace(0, 10, 4, { dtype: "i32" }); // [0,3,6,10]
 */
export function linspace(start: number, stop: number, count = 50, options: SpacingOptions = {}): Tensor {
  const op = "linspace";
  noMore(op, arguments, 4);
  const { endpoint, dtype } = optionsOf(op, options, { endpoint: true, dtype: "f32" as DType });
  const [code, from, to] = [dtypeCode(dtype, op), finiteOf(op, "the start", start), finiteOf(op, "the stop", stop)];
  const fill = (call: Call) => void call.put(from, to, countOf(op, "the count", count), Number(endpoint));
  if (dtype === "f32") return invoke(spaced, fill);
  return invoke({ ...spacedIn, name: op }, (call) => {
    fill(call);
    call.put(code);
  });
}

/**
 * What the matrix of `eye` is.
 *
 * @example
 * eye(2, 2, { diagonal: 1 }); // [[0,1],[0,0]]
 */
export interface EyeOptions extends DTypeOptions {
  /** Which diagonal holds the ones: 0 (the default) the main one, positive numbers above, negative
   * below. */
  diagonal?: number;
}

/**
 * Ones on a diagonal of a matrix, zeros elsewhere.
 *
 * Gives `dtype`.
 *
 * @example
 * eye(2); // [[1,0],[0,1]]
 */
export function eye(rows: number, columns: number = rows, options: EyeOptions = {}): Tensor {
  noMore("eye", arguments, 3);
  const [height, width] = [countOf("eye", "the number of rows", rows), countOf("eye", "the number of columns", columns)];
  const { diagonal, dtype } = optionsOf("eye", options, { diagonal: 0, dtype: "f32" as DType });
  const offset = countOf("eye", "the diagonal", diagonal, -(2 ** 31));
  return invoke(diagonalOnes, (call) => call.put(height, width, offset, dtypeCode(dtype, "eye")));
}
