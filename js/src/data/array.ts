// Arrays of files: the shape, the type in the file, and the elements; a tensor when a program asks
// for it. And the bound on the size of an unpacked file.

import { holds, noMore, optionsOf, shown } from "../core/check/check.js";
import { dtypes, type DType, type TypedArray } from "../core/tensor/dtype.js";
import type { Tensor } from "../core/tensor/tensor.js";
import { FormatError } from "../core/errors.js";
import { tensor } from "../ops/create.js";
import { kindOf, type Bits } from "./elements.js";

/**
 * What a file of one array holds. Elements are converted when they are asked for.
 *
 * @example
 * const file: data.ArrayFile = data.idx(Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 2, 7, 9));
 * file.tensor(); // [7,9]
 */
export interface ArrayFile {
  /** Extents, outermost first. */
  readonly shape: readonly number[];
  /** Type of the elements in the file: `bool`, `u8`, `i8`, `u16`, `i16`, `u32`, `i32`, `u64`,
   * `i64`, `f16`, `bf16`, `f32`, `f64`, or a small float: `f8_e4m3`, `f8_e5m2`, `f8_e8m0`, `f4`. */
  readonly dtype: string;
  /** The elements in row-major order; those of floats below 32 bits as f32, those of i64 as i32 and
   * of u64 as u32. Throws `FormatError` where an integer does not fit into 32 bits. */
  readonly data: TypedArray;
  /** The bits of the elements in row-major order, as unsigned integers of their width: for i64 and
   * u64 that are too large for `data`, and where the bits of a small float are wanted. Two f4 are
   * one byte, the first in its lower half. They may share memory with `data`. */
  readonly bits: Bits;
  /** The elements as a tensor: i32 for integers, u32 for u32 and u64, f32 for floats, bool for
   * bool, or as asked: `"file"` for the file's own type (f16, i8 and u8 are then packed) where
   * tensors have it. */
  tensor(options?: { dtype?: DType | "file" }): Tensor;
}

/** An array of a file. `op` and `where` begin the errors of its elements. */
export function arrayFile(op: string, where: string, shape: readonly number[], dtype: string, bits: () => Bits): ArrayFile {
  const { unsigned, convert } = kindOf(dtype);
  const usual = (/f/.test(dtype) ? "f32" : dtype === "bool" ? dtype : unsigned ? "u32" : "i32") as DType;
  const own = dtypes.includes(dtype as DType) ? (dtype as DType) : usual;
  let read: TypedArray | undefined;
  const data = () =>
    (read ??= convert(bits(), shape.reduce((size, extent) => size * extent, 1), (what) => {
      throw new FormatError(op, where + what);
    }));
  return {
    shape,
    dtype,
    get data() {
      return data();
    },
    get bits() {
      return bits();
    },
    tensor(options) {
      noMore("tensor", arguments, 1);
      const asked = optionsOf("tensor", options, { dtype: usual as DType | "file" }).dtype;
      return tensor(data(), { shape, dtype: asked === "file" ? own : asked });
    },
  };
}

/** An array that is opened, once, when something of it is asked for; what `open` throws, that
 * throws. */
export function lazyFile(open: () => ArrayFile): ArrayFile {
  let opened: ArrayFile | undefined;
  let failure: unknown;
  const file = () => {
    if (failure) throw failure;
    try {
      return (opened ??= open());
    } catch (error) {
      // There may be a device, or memory, later; another file there will not be.
      if (error instanceof FormatError) failure = error;
      throw error;
    }
  };
  return {
    get shape() {
      return file().shape;
    },
    get dtype() {
      return file().dtype;
    },
    get data() {
      return file().data;
    },
    get bits() {
      return file().bits;
    },
    tensor: (options) => file().tensor(options),
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

/**
 * How much a compressed file may take.
 *
 * @example
 * const options: data.UnpackOptions = { maxBytes: 2 ** 31 };
 */
export interface UnpackOptions {
  /** Bytes that it may take when it is unpacked: 512 MiB by default, or four times its own bytes
   * where that is more. A small file can claim, and fill, gigabytes. */
  maxBytes?: number;
}

/** How many bytes a file may take when it is unpacked. */
export function mostBytes(op: string, file: Uint8Array, options: UnpackOptions): number {
  return optionsOf(op, options, { maxBytes: Math.max(512 * 2 ** 20, 4 * file.length) }).maxBytes;
}
