// Element types in JavaScript: the dtypes, the typed arrays that hold them, and conversions from
// numbers.

import { DTypeError, ValueError } from "../errors.js";
import { holds, shown } from "../check/check.js";
import { dtypeMeant } from "../check/elsewhere.js";
import { bitsOfHalf, halfOfBits, nearestHalf } from "./half.js";

/**
 * The type of a tensor's elements. f16, i8 and u8 are stored two and four to a word of the device's
 * memory. An operation computes f16 in f32 and the small integers in i32 and u32, and stores its
 * result small again: f16 rounded once to the nearest, integers wrapped.
 *
 * @example
 * tensor([1, 2], { dtype: "i32" }).dtype; // "i32"
 * tensor([1, 2], { dtype: "f16" }).mul(0.25); // [0.25,0.5]
 */
export type DType = "f32" | "i32" | "u32" | "bool" | "f16" | "i8" | "u8";

/** In the core's order: a dtype's code is its position. */
export const dtypes = ["f32", "i32", "u32", "bool", "f16", "i8", "u8"] as const satisfies readonly DType[];

/** Whether tensors of this dtype have derivatives. */
export function isFloat(dtype: DType): boolean {
  return dtype === "f32" || dtype === "f16";
}

/** How many bytes an element takes in files. */
export function bytesPerElement(dtype: DType): number {
  return dtype === "f16" ? 2 : dtype === "i8" || dtype === "u8" || dtype === "bool" ? 1 : 4;
}

/** A Uint8Array over an `ArrayBuffer`. So written it has a meaning before TypeScript 5.7, too,
 * whose typed arrays take no parameter. */
export type Bytes = ReturnType<typeof Uint8Array.of>;

/**
 * What reading a tensor yields: f32 for floats (which holds every f16, and is in every engine),
 * integers of the dtype's own width, and a byte of 0 or 1 for each bool.
 *
 * @example
 * const numbers = await tensor([1, 2]).data();
 * numbers instanceof Float32Array; // true
 */
export type Data = ReturnType<typeof Float32Array.of> | ReturnType<typeof Int32Array.of> | ReturnType<typeof Uint32Array.of> | Bytes | ReturnType<typeof Int8Array.of>;

/**
 * Typed arrays that a tensor can be made from.
 *
 * @example
 * tensor(Int32Array.of(1, 2)).dtype; // "i32"
 */
export type TypedArray =
  | Float32Array
  | Float64Array
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint8ClampedArray
  | Uint16Array
  | Uint32Array;

/** The code of a dtype. Throws `DTypeError` when there is none of that name. */
export function dtypeCode(dtype: DType, op: string): number {
  const code = dtypes.indexOf(dtype);
  if (code < 0) {
    const meant = dtypeMeant(dtype);
    throw new DTypeError(op, `no dtype is called ${shown(dtype)}; ${meant ? `write "${meant}"` : `expected ${dtypes.slice(0, -1).join(", ")} or u8`}`);
  }
  return code;
}

/** Whether `value` is a typed array that a tensor can be made from. */
export function isTypedArray(value: unknown): value is TypedArray {
  return ArrayBuffer.isView(value) && !(value instanceof DataView) && !isBigIntArray(value);
}

/** Whether the elements of `array` went elsewhere with its buffer, as happens when that is
 * transferred to a worker. */
export function isGone(array: TypedArray): boolean {
  return array.length === 0 && !holds(() => new Uint8Array(array.buffer).length >= 0);
}

function isBigIntArray(value: ArrayBufferView): boolean {
  return value instanceof BigInt64Array || value instanceof BigUint64Array;
}

/** The dtype of a tensor made from `array` when none is asked for. */
export function dtypeOf(array: TypedArray): DType {
  if (array instanceof Int8Array || array instanceof Int16Array || array instanceof Int32Array) return "i32";
  if (array instanceof Uint8Array || array instanceof Uint8ClampedArray || array instanceof Uint16Array || array instanceof Uint32Array) return "u32";
  // Newer engines have halves too.
  return array.constructor.name === "Float16Array" ? "f16" : "f32";
}

/** Fills a typed array with these numbers. `from` would ask for an iterator, by which engines take
 * thirty times as long once anybody has touched that of arrays. */
function filled<T extends Data>(array: T, values: ArrayLike<number | boolean>): T {
  if (isTypedArray(values)) array.set(values);
  else for (let n = 0; n < array.length; n++) array[n] = values[n] as number;
  return array;
}

/** Fills a typed array with what `f` makes of each of these numbers. */
export function mapped<T extends Data | ReturnType<typeof Uint16Array.of>>(array: T, values: ArrayLike<number | boolean>, f: (value: number) => number): T {
  for (let n = 0; n < array.length; n++) array[n] = f(values[n] as number);
  return array;
}

/**
 * `values` as elements of `dtype`: fractions are cut towards zero, anything but zero is true, NaN
 * too. Throws `ValueError` in the name of `op` for a number that an integer dtype cannot hold.
 */
export function elements(values: ArrayLike<number | boolean>, dtype: DType, op: string): Data {
  const { length } = values;
  switch (dtype) {
    case "f32":
      return values instanceof Float32Array ? (values as Float32Array<ArrayBuffer>) : filled(new Float32Array(length), values);
    case "i32":
      return values instanceof Int32Array ? (values as Int32Array<ArrayBuffer>) : filled(new Int32Array(length), fitting(values, dtype, -(2 ** 31), 2 ** 31, op));
    case "u32":
      return values instanceof Uint32Array ? (values as Uint32Array<ArrayBuffer>) : filled(new Uint32Array(length), fitting(values, dtype, 0, 2 ** 32, op));
    case "bool":
      return mapped(new Uint8Array(length), values, (value) => (Number(value) === 0 ? 0 : 1));
    case "f16":
      return mapped(new Float32Array(length), values, nearestHalf);
    case "i8":
      return filled(new Int8Array(length), fitting(values, dtype, -128, 128, op));
    case "u8":
      return filled(new Uint8Array(length), fitting(values, dtype, 0, 256, op));
  }
}

/** `values`, all of which must lie from `least` to below `limit` when their fraction is cut.
 * Integers keep their bits, as with `cast`. */
function fitting(values: ArrayLike<number | boolean>, dtype: DType, least: number, limit: number, op: string): ArrayLike<number> {
  if (isTypedArray(values) && !isFloat(dtypeOf(values)) && bytesPerElement(dtype) === 4) return values;
  for (let i = 0; i < values.length; i++) {
    const whole = Math.trunc(Number(values[i]));
    if (!(whole >= least && whole < limit)) throw new ValueError(op, `${shown(values[i])} does not fit in ${dtype}`);
  }
  return values as ArrayLike<number>;
}

/** The `length` elements that a buffer of the core holds. */
export function fromBytes(bytes: Bytes, dtype: DType, length: number): Data {
  switch (dtype) {
    case "f32":
      return new Float32Array(bytes.buffer, bytes.byteOffset, length);
    case "i32":
      return new Int32Array(bytes.buffer, bytes.byteOffset, length);
    case "u32":
      return new Uint32Array(bytes.buffer, bytes.byteOffset, length);
    case "bool":
      return filled(new Uint8Array(length), new Uint32Array(bytes.buffer, bytes.byteOffset, length));
    case "f16":
      return mapped(new Float32Array(length), new Uint16Array(bytes.buffer, bytes.byteOffset, length), halfOfBits);
    case "i8":
      return new Int8Array(bytes.buffer, bytes.byteOffset, length);
    case "u8":
      return new Uint8Array(bytes.buffer, bytes.byteOffset, length);
  }
}

/** The elements as files and packed words hold them: little-endian, as every machine with WebGPU
 * is. */
export function bytesOfData(data: Data, dtype: DType): Uint8Array {
  const { buffer, byteOffset, byteLength } = dtype === "f16" ? mapped(new Uint16Array(data.length), data, bitsOfHalf) : data;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The 32-bit words that a buffer of the core holds for these elements. */
export function wordsOf(data: Data, dtype: DType): Uint32Array {
  if (dtype === "bool") return filled(new Uint32Array(data.length), data);
  if (bytesPerElement(dtype) === 4) return new Uint32Array(data.buffer, data.byteOffset, data.length);
  const bytes = bytesOfData(data, dtype);
  const words = new Uint32Array(Math.ceil(bytes.length / 4));
  new Uint8Array(words.buffer).set(bytes);
  return words;
}
