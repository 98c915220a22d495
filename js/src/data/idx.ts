// How is an IDX file read, the format of MNIST? By the core, gzip included.

import { holds, optionsOf, shown } from "../core/check.js";
import { core } from "../core/core.js";
import type { DType, TypedArray } from "../core/dtype.js";
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
  /** Type of the elements in the file: `u8`, `i8`, `i16`, `i32`, `f32` or `f64`. */
  readonly dtype: string;
  /** The elements in row-major order. */
  readonly data: TypedArray;
  /** The elements as a tensor: i32 for integers, f32 for floats, or as asked. */
  tensor(options?: { dtype?: DType }): Tensor;
}

const names: Record<string, string> = {
  Uint8Array: "u8",
  Int8Array: "i8",
  Int16Array: "i16",
  Int32Array: "i32",
  Float32Array: "f32",
  Float64Array: "f64",
};

/**
 * Reads an IDX file, gzipped or not. Throws `FormatError` when it is corrupt, cut short, or something else.
 *
 * @example
 * const file = data.idx(Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 2, 7, 9));
 * file.shape; // [2]
 * file.tensor({ dtype: "f32" }).div(10); // [0.7,0.9]
 */
export function idx(bytes: ArrayBuffer | ArrayBufferView): ArrayFile {
  const [shape, data] = core().read_idx(bytesOf(bytes)) as [number[], TypedArray];
  const dtype = names[data.constructor.name] ?? "";
  return {
    shape,
    dtype,
    data,
    tensor: (options) => tensor(data, { shape, ...optionsOf("tensor", options, { dtype: dtype.startsWith("f") ? "f32" : ("i32" as DType) }) }),
  };
}

function isBuffer(value: unknown): value is ArrayBuffer {
  return holds(() => value instanceof ArrayBuffer);
}

function bytesOf(bytes: unknown): Uint8Array {
  const isView = ArrayBuffer.isView(bytes);
  if (!isView && !isBuffer(bytes)) throw new FormatError("idx", `takes the bytes of a file, got ${shown(bytes)}`);
  // A buffer that was given away is empty too, and cannot be looked into.
  if (bytes.byteLength === 0) throw new FormatError("idx", "there are no bytes");
  return isView ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes);
}
