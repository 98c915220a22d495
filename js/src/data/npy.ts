// How are NumPy's files read and written: .npy, of one array, and .npz, a zip of them?

import { noMore, shown } from "../core/check.js";
import { bytesOfData, type DType } from "../core/dtype.js";
import { Tensor } from "../core/tensor.js";
import { FormatError } from "../errors.js";
import { arrayFile, bytesEach, bytesOf, elements, type ArrayFile } from "./array.js";
import { namedTensors } from "./safetensors.js";
import { unzip, zip } from "./zip.js";

/** The type that NumPy's letter and width name. */
const types: Record<string, string> = {
  b1: "bool", u1: "u8", i1: "i8", u2: "u16", i2: "i16", u4: "u32", i4: "i32", u8: "u64", i8: "i64", f2: "f16", f4: "f32", f8: "f64",
};

const MAGIC = "\x93NUMPY";

/**
 * Reads a .npy file: an array of NumPy, in either order of axes and of bytes. Throws `FormatError` when it is corrupt, cut short, or something else,
 * and for arrays of complex numbers, texts or objects.
 *
 * @example
 * data.npy(await data.toNpy(tensor([[1, 2], [3, 4]]))).tensor(); // [[1,2],[3,4]]
 */
export function npy(bytes: ArrayBuffer | ArrayBufferView): ArrayFile {
  noMore("npy", arguments, 1);
  return read("npy", bytesOf("npy", bytes));
}

function read(op: string, file: Uint8Array): ArrayFile {
  const refuse = (what: string): never => {
    throw new FormatError(op, what);
  };
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < 12 || String.fromCharCode(...file.subarray(0, 6)) !== MAGIC) refuse("this is no .npy file");
  const major = view.getUint8(6);
  if (major < 1 || major > 3) refuse(`there is no version ${major} of the format`);
  const start = major === 1 ? 10 : 12;
  const length = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (start + length > file.length) refuse("the header is cut short");
  const header = new TextDecoder(major === 3 ? "utf-8" : "latin1").decode(file.subarray(start, start + length));
  const [, order = "", kind = ""] = /'descr'\s*:\s*'([<>|=])([a-zA-Z]\d+)'/.exec(header) ?? refuse(`the type of the elements is none that tensors have: ${shown(header.slice(0, 80))}`);
  const type = types[kind] ?? refuse(`tensors have no elements of type ${kind}`);
  const [, fortran = ""] = /'fortran_order'\s*:\s*(True|False)/.exec(header) ?? refuse("the header does not tell the order of the axes");
  const [, extents = ""] = /'shape'\s*:\s*\(([\d,\s]*)\)/.exec(header) ?? refuse("the header does not tell the shape");
  const shape = extents.split(",").flatMap((extent) => (extent.trim() === "" ? [] : [Number(extent)]));
  const count = shape.reduce((size, extent) => size * extent, 1);
  const body = file.subarray(start + length);
  if (!Number.isSafeInteger(count) || count * (bytesEach(type) as number) > body.length) refuse(`the file ends before its ${count} elements`);
  const values = elements(op, type, body, count, order !== ">");
  return arrayFile(shape, type, fortran === "True" ? rowMajor(values, shape) : values);
}

/** Elements whose first axis changes fastest, with the last changing fastest. */
function rowMajor<T extends { length: number; [n: number]: number; slice(): T }>(values: T, shape: readonly number[]): T {
  const result = values.slice();
  const place = shape.map(() => 0);
  const strides = shape.map((_, axis) => shape.slice(0, axis).reduce((size, extent) => size * extent, 1));
  for (let n = 0, from = 0; n < values.length; n++) {
    result[n] = values[from] as number;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      place[axis] = (place[axis] as number) + 1;
      from += strides[axis] as number;
      if ((place[axis] as number) < (shape[axis] as number)) break;
      from -= (strides[axis] as number) * (shape[axis] as number);
      place[axis] = 0;
    }
  }
  return result;
}

/**
 * Writes a tensor, read from the device, as a .npy file.
 *
 * @example
 * const bytes = await data.toNpy(arange(3));
 * data.npy(bytes).dtype; // "i32"
 */
export async function toNpy(x: Tensor): Promise<Uint8Array<ArrayBuffer>> {
  noMore("toNpy", arguments, 1);
  const { shape, dtype } = Tensor.of("toNpy", "what is written", x);
  const codes: Record<DType, string> = { f32: "<f4", i32: "<i4", u32: "<u4", bool: "|b1", f16: "<f2", i8: "|i1", u8: "|u1" };
  const extents = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const header = `{'descr': '${codes[dtype]}', 'fortran_order': False, 'shape': (${extents}), }`;
  // The elements begin at a multiple of 64.
  const length = Math.ceil((10 + header.length + 1) / 64) * 64 - 10;
  const values = bytesOfData(await x.data(), dtype);
  const file = new Uint8Array(10 + length + values.length).fill(32, 10, 10 + length);
  file.set(Array.from(MAGIC, (letter) => letter.charCodeAt(0)));
  file.set([1, 0, length & 255, length >> 8], 6);
  file.set(new TextEncoder().encode(header), 10);
  file[9 + length] = 10;
  file.set(values, 10 + length);
  return file;
}

/**
 * Reads a .npz file: arrays by their names. Throws `FormatError` as `npy` does, and when the zip is corrupt.
 *
 * @example
 * const bytes = await data.toNpz({ x: tensor([1, 2]), y: tensor(3) });
 * const { x } = await data.npz(bytes);
 * x?.tensor(); // [1,2]
 */
export async function npz(bytes: ArrayBuffer | ArrayBufferView): Promise<Record<string, ArrayFile>> {
  noMore("npz", arguments, 1);
  const files = await unzip("npz", bytesOf("npz", bytes));
  return Object.fromEntries(files.filter(([name]) => name.endsWith(".npy")).map(([name, file]) => [name.slice(0, -".npy".length), read("npz", file)]));
}

/**
 * Writes tensors by their names, read from the device, as a .npz file; `numpy.load` reads it.
 *
 * @example
 * const bytes = await data.toNpz({ x: tensor([1, 2]) });
 * Object.keys(await data.npz(bytes)).join(); // "x"
 */
export async function toNpz(tensors: { readonly [name: string]: Tensor }): Promise<Uint8Array<ArrayBuffer>> {
  noMore("toNpz", arguments, 1);
  const named = namedTensors("toNpz", tensors);
  return zip(await Promise.all(named.map(async ([name, tensor]) => [`${name}.npy`, await toNpy(tensor)] as const)));
}
