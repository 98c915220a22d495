// What is an array from a file? Its shape, its type there, and its elements; a tensor when it is asked for.

import { holds, optionsOf, shown } from "../core/check.js";
import { dtypes, type DType, type TypedArray } from "../core/dtype.js";
import { halfOfBits } from "../core/half.js";
import type { Tensor } from "../core/tensor.js";
import { FormatError } from "../errors.js";
import { tensor } from "../ops/create.js";

/**
 * What a file of one array holds.
 *
 * @example
 * const file: data.ArrayFile = data.idx(Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 2, 7, 9));
 * file.tensor(); // [7,9]
 */
export interface ArrayFile {
  /** Extents, outermost first. */
  readonly shape: readonly number[];
  /** Type of the elements in the file: `bool`, `u8`, `i8`, `u16`, `i16`, `u32`, `i32`, `u64`, `i64`, `f16`, `bf16`, `f32` or `f64`. */
  readonly dtype: string;
  /** The elements in row-major order; those of 16-bit floats as f32, those of 64-bit integers as i32. */
  readonly data: TypedArray;
  /** The elements as a tensor: i32 for integers, u32 for u32, f32 for floats, bool for bool, or as asked: `"file"` for the file's own type (f16, i8 and u8 are then
   * packed) where tensors have it. */
  tensor(options?: { dtype?: DType | "file" }): Tensor;
}

/** An array of a file. */
export function arrayFile(shape: readonly number[], dtype: string, data: TypedArray): ArrayFile {
  const usual = (/f/.test(dtype) ? "f32" : dtype === "bool" || dtype === "u32" ? dtype : "i32") as DType;
  const own = dtypes.includes(dtype as DType) ? (dtype as DType) : usual;
  return {
    shape,
    dtype,
    data,
    tensor(options) {
      const asked = optionsOf("tensor", options, { dtype: usual as DType | "file" }).dtype;
      return tensor(data, { shape, dtype: asked === "file" ? own : asked });
    },
  };
}

/** The bytes of a file. Throws `FormatError` for anything else, and for none. */
export function bytesOf(op: string, bytes: unknown): Uint8Array {
  const isView = ArrayBuffer.isView(bytes);
  if (!isView && !isBuffer(bytes)) throw new FormatError(op, `takes the bytes of a file, got ${shown(bytes)}`);
  // A buffer that was given away is empty too, and cannot be looked into.
  if (bytes.byteLength === 0) throw new FormatError(op, "there are no bytes");
  return isView ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes);
}

function isBuffer(value: unknown): value is ArrayBuffer {
  return holds(() => value instanceof ArrayBuffer);
}

/** How many bytes an element takes, and how one is read. */
interface Kind {
  readonly bytes: number;
  readonly array: new (length: number) => TypedArray;
  readonly read: (view: DataView, at: number, little: boolean) => number | bigint;
}

const kinds: Record<string, Kind> = {
  bool: { bytes: 1, array: Uint8Array, read: (view, at) => Number(view.getUint8(at) !== 0) },
  u8: { bytes: 1, array: Uint8Array, read: (view, at) => view.getUint8(at) },
  i8: { bytes: 1, array: Int8Array, read: (view, at) => view.getInt8(at) },
  u16: { bytes: 2, array: Uint16Array, read: (view, at, little) => view.getUint16(at, little) },
  i16: { bytes: 2, array: Int16Array, read: (view, at, little) => view.getInt16(at, little) },
  u32: { bytes: 4, array: Uint32Array, read: (view, at, little) => view.getUint32(at, little) },
  i32: { bytes: 4, array: Int32Array, read: (view, at, little) => view.getInt32(at, little) },
  u64: { bytes: 8, array: Int32Array, read: (view, at, little) => view.getBigUint64(at, little) },
  i64: { bytes: 8, array: Int32Array, read: (view, at, little) => view.getBigInt64(at, little) },
  f16: { bytes: 2, array: Float32Array, read: (view, at, little) => halfOfBits(view.getUint16(at, little)) },
  bf16: { bytes: 2, array: Float32Array, read: (view, at, little) => brain(view.getUint16(at, little)) },
  f32: { bytes: 4, array: Float32Array, read: (view, at, little) => view.getFloat32(at, little) },
  f64: { bytes: 8, array: Float64Array, read: (view, at, little) => view.getFloat64(at, little) },
};

/** How many bytes an element of this type takes, or undefined where there is no such type. */
export function bytesEach(dtype: string): number | undefined {
  return Object.hasOwn(kinds, dtype) ? kinds[dtype]?.bytes : undefined;
}

/** `count` elements of a type that there is, from the beginning of `bytes`. Throws `FormatError` for integers beyond 32 bits. */
export function elements(op: string, dtype: string, bytes: Uint8Array, count: number, little = true): TypedArray {
  const { array, bytes: each, read } = kinds[dtype] as Kind;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new array(count);
  for (let n = 0; n < count; n++) {
    const value = read(view, n * each, little);
    if (typeof value === "bigint" && (value < -0x80000000n || value > 0x7fffffffn)) {
      throw new FormatError(op, `element ${n} is ${value}, which does not fit into 32 bits`);
    }
    values[n] = Number(value);
  }
  return values;
}

const word = new DataView(new ArrayBuffer(4));

/** The value of the bits of a bfloat16: the upper half of a float's. */
function brain(bits: number): number {
  word.setUint32(0, bits * 65536);
  return word.getFloat32(0);
}
