// IDX files, the format of MNIST: read by the core, gzip included.

import { noMore } from "../core/check/check.js";
import { wholeCore } from "../core/wasm/core.js";
import type { TypedArray } from "../core/tensor/dtype.js";
import { arrayFile, bytesOf, mostBytes, type ArrayFile, type UnpackOptions } from "./array.js";
import { bitsOf } from "./elements.js";

const names: Record<string, string> = {
  Uint8Array: "u8",
  Int8Array: "i8",
  Int16Array: "i16",
  Int32Array: "i32",
  Float32Array: "f32",
  Float64Array: "f64",
};

/**
 * Reads an IDX file, gzipped or not, in one member of gzip or several. Throws `FormatError` when it
 * is corrupt, cut short, or something else, and where it would take more than `maxBytes` unpacked.
 *
 * @example
 * const file = data.idx(Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 2, 7, 9));
 * file.shape; // [2]
 * file.tensor({ dtype: "f32" }).div(10); // [0.7,0.9]
 */
export function idx(bytes: ArrayBuffer | ArrayBufferView, options: UnpackOptions = {}): ArrayFile {
  noMore("idx", arguments, 2);
  const file = bytesOf("idx", bytes);
  const [shape, data] = wholeCore("idx").read_idx(file, mostBytes("idx", file, options)) as [number[], TypedArray];
  const dtype = names[data.constructor.name] ?? "";
  return arrayFile("idx", "", shape, dtype, () => bitsOf(dtype, new Uint8Array(data.buffer, data.byteOffset, data.byteLength), { own: true }));
}
