// How is an IDX file read, the format of MNIST? By the core, gzip included.

import { noMore } from "../core/check.js";
import { wholeCore } from "../core/core.js";
import type { TypedArray } from "../core/dtype.js";
import { arrayFile, bytesOf, type ArrayFile } from "./array.js";

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
  noMore("idx", arguments, 1);
  const [shape, data] = wholeCore("idx").read_idx(bytesOf("idx", bytes)) as [number[], TypedArray];
  return arrayFile(shape, names[data.constructor.name] ?? "", data);
}
