// NumPy's files: .npy, of one array, and .npz, a zip of them.

import type { Ambient } from "../core/wasm/ambient.js";
import { noMore, shown } from "../core/check/check.js";
import { fetchRest, isServing } from "../core/wasm/core.js";
import { bytesOfData, type Bytes, type DType } from "../core/tensor/dtype.js";
import { Tensor } from "../core/tensor/tensor.js";
import type { Named } from "../core/tensor/tree.js";
import { FormatError } from "../core/errors.js";
import { arrayFile, bytesOf, lazyFile, mostBytes, type ArrayFile, type UnpackOptions } from "./array.js";
import { bitsOf, kindOf, type Bits } from "./elements.js";
import { namedTensors } from "./safetensors.js";
import { entriesOf, zipped } from "./zip.js";

/** The type that NumPy's letter and width name. */
const types: Record<string, string> = {
  b1: "bool", u1: "u8", i1: "i8", u2: "u16", i2: "i16", u4: "u32", i4: "i32", u8: "u64", i8: "i64", f2: "f16", f4: "f32", f8: "f64", "?": "bool",
};

/** What NumPy's letters mean of which there are no tensors. */
const others: Record<string, string> = {
  c: "complex numbers", S: "texts", a: "texts", U: "texts", O: "Python objects", M: "dates", m: "durations", V: "records, or of a type that NumPy does not know", f: "long doubles", g: "long doubles",
};

const MAGIC = "\x93NUMPY";

/**
 * Reads a .npy file as any NumPy wrote it: an array in either order of axes and of bytes. Throws
 * `FormatError` when it is corrupt, cut short, or something else, and for arrays of complex
 * numbers, texts, dates, records or objects.
 *
 * @example
 * data.npy(await data.toNpy(tensor([[1, 2], [3, 4]]))).tensor(); // [[1,2],[3,4]]
 */
export function npy(bytes: ArrayBuffer | ArrayBufferView): ArrayFile {
  noMore("npy", arguments, 1);
  return read("npy", "", bytesOf("npy", bytes));
}

/** An array. Errors begin with `where`. `own` are bytes that nobody else has. */
function read(op: string, where: string, file: Uint8Array, own = false): ArrayFile {
  const refuse = (what: string): never => {
    throw new FormatError(op, where + what);
  };
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < 12 || String.fromCharCode(...file.subarray(0, 6)) !== MAGIC) refuse("this is not a .npy file");
  const major = view.getUint8(6);
  if (major < 1 || major > 3) refuse(`there is no version ${major} of the format`);
  const start = major === 1 ? 10 : 12;
  const length = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (start + length > file.length) refuse("the header is cut short");
  const { descr, fortran, shape } = headerOf(new TextDecoder(major === 3 ? "utf-8" : "latin1").decode(file.subarray(start, start + length)), refuse);
  const [, order = "", kind = ""] = /^([<>|=]?)(.*)$/s.exec(descr) ?? [];
  const type = (Object.hasOwn(types, kind) && types[kind]) || refuse(`tensors have no elements of type ${shown(descr)}${others[kind[0] ?? ""] ? `: these are ${others[kind[0] as string]}` : ""}`);
  const count = shape.reduce((size, extent) => size * extent, 1);
  const size = count * kindOf(type).bytes;
  if (!Number.isSafeInteger(size) || start + length + size > file.length) refuse(`the file ends before its ${count} elements`);
  const body = file.subarray(start + length, start + length + size);
  return arrayFile(op, where, shape, type, () => {
    const bits = bitsOf(type, body, { little: order !== ">", own });
    return fortran && shape.length > 1 ? rowMajor(bits, shape) : bits;
  });
}

/** An item of the header, which Python evaluates: quotes are of either kind, and Python 2 wrote
 * `(3L, 4L)`. Other types are a list. */
const ITEM = /\s*(?:(["'])descr\1\s*:\s*(?:(["'])([^"'\\]*)\2|(\[.*\]))|(["'])fortran_order\5\s*:\s*(True|False)|(["'])shape\7\s*:\s*\(([\dL,\s]*)\))\s*(,|$)/sy;

function headerOf(text: string, refuse: (what: string) => never): { descr: string; fortran: boolean; shape: number[] } {
  const inside = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1] ?? refuse(`the header is not a dictionary: ${shown(text)}`);
  let descr: string | undefined;
  let fortran: boolean | undefined;
  let shape: number[] | undefined;
  const trimmed = inside.trimEnd();
  ITEM.lastIndex = 0;
  while (ITEM.lastIndex < trimmed.length) {
    const [, , , name, list, , order, , extents] = ITEM.exec(trimmed) ?? refuse(`the header cannot be read: ${shown(trimmed)}`);
    if (list !== undefined) refuse(`tensors have no elements of several fields: ${shown(list)}`);
    descr = name ?? descr;
    fortran = order === undefined ? fortran : order === "True";
    if (extents === undefined) continue;
    // One number in brackets is that number, and with a comma behind it a list.
    const numbers = /^\s*(?:\d+L?\s*,\s*)*(?:\d+L?\s*)?$/.test(extents) && (extents.trim() === "" || extents.includes(",")) ? extents.split(",") : refuse(`the shape is not a list of extents: (${extents})`);
    shape = numbers.flatMap((extent) => (extent.trim() === "" ? [] : [Number(extent.replace("L", ""))]));
  }
  if (descr === undefined || fortran === undefined || shape === undefined) return refuse(`the header lacks the type, order or shape: ${shown(text)}`);
  return { descr, fortran, shape };
}

/** Elements whose first axis changes fastest, with the last changing fastest. */
function rowMajor(bits: Bits, shape: readonly number[]): Bits {
  const result = bits.slice();
  const place = shape.map(() => 0);
  const strides = shape.map((_, axis) => shape.slice(0, axis).reduce((size, extent) => size * extent, 1));
  for (let n = 0, from = 0; n < bits.length; n++) {
    result[n] = bits[from] as number & bigint;
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
export async function toNpy(x: Tensor): Promise<Bytes> {
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
 * Reads a .npz file: arrays by their names. Each is unpacked, and its checksum compared, when
 * something of it is asked for, so that one which cannot be read is in nobody's way: its
 * `FormatError` names it and says why. Where the arrays asked for would take more than `maxBytes`,
 * that is such an error too, before they take it. Throws `FormatError` when the list of the files
 * is corrupt.
 *
 * @example
 * const bytes = await data.toNpz({ x: tensor([1, 2]), y: tensor(3) });
 * const { x } = await data.npz(bytes);
 * x?.tensor(); // [1,2]
 */
export async function npz(bytes: ArrayBuffer | ArrayBufferView, options: UnpackOptions = {}): Promise<Record<string, ArrayFile>> {
  const op = "npz";
  noMore(op, arguments, 2);
  const file = bytesOf(op, bytes);
  const entries = entriesOf(op, file, mostBytes(op, file, options)).filter(({ name }) => name.endsWith(".npy"));
  // Where there is no device yet, what inflates is fetched when it is called.
  if (isServing() && entries.some(({ deflated }) => deflated)) await fetchRest(op);
  return Object.fromEntries(entries.map((entry) => [entry.name.slice(0, -".npy".length), lazyFile(() => read(op, `${entry.name}: `, entry.read(), entry.deflated))]));
}

/**
 * Writes tensors by their names, read from the device, as a .npz file; `numpy.load` reads it.
 *
 * @example
 * const bytes = await data.toNpz({ x: tensor([1, 2]) });
 * Object.keys(await data.npz(bytes)).join(); // "x"
 */
export async function toNpz<T extends Named<T, Tensor>>(tensors: T): Promise<Bytes> {
  noMore("toNpz", arguments, 1);
  const files = await Promise.all(namedTensors("toNpz", tensors).map(async ([name, tensor]) => [`${name}.npy`, await toNpy(tensor)] as const));
  const parts: Uint8Array[] = [];
  for await (const part of zipped(files)) parts.push(part);
  const file = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

/**
 * A .npz file as a stream, for one that is too large for memory: each tensor is read from the
 * device when the stream comes to it. Pipe it to a file, or make a `Response` of it.
 *
 * @example
 * const stream = data.npzStream({ x: tensor([1, 2]) });
 * const { x } = await data.npz(await new Response(stream).arrayBuffer());
 * x?.tensor(); // [1,2]
 */
export function npzStream<T extends Named<T, Tensor>>(tensors: T): Ambient<"ReadableStream"> {
  noMore("npzStream", arguments, 1);
  const named = namedTensors("npzStream", tensors);
  const parts = zipped(
    (async function* () {
      for (const [name, tensor] of named) yield [`${name}.npy`, await toNpy(tensor)] as const;
    })(),
  );
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await parts.return();
      },
    },
    { highWaterMark: 0 },
  );
}
