// How are named tensors kept in a file? As safetensors, the format of model weights: a header of JSON that says where each lies, then their bytes.

import { holds, isArray, noMore, optionsOf, shown } from "../core/check.js";
import { bytesOfData, bytesPerElement, type DType } from "../core/dtype.js";
import { Tensor } from "../core/tensor.js";
import { isNode } from "../core/tree.js";
import { FormatError, ValueError } from "../errors.js";
import { arrayFile, bytesEach, bytesOf, elements, type ArrayFile } from "./array.js";

/** The format's names of types. */
const types: Record<string, string> = {
  BOOL: "bool", U8: "u8", I8: "i8", U16: "u16", I16: "i16", U32: "u32", I32: "i32", U64: "u64", I64: "i64",
  F16: "f16", BF16: "bf16", F32: "f32", F64: "f64",
};

/** What a header may take: more is an attack, not a model. */
const MOST_HEADER = 100e6;

/**
 * What a safetensors file holds.
 *
 * @example
 * const bytes = await data.toSafetensors({ weight: tensor([1, 2]) }, { metadata: { epoch: "3" } });
 * const file: data.SafetensorsFile = data.safetensors(bytes);
 * file.metadata["epoch"]; // "3"
 */
export interface SafetensorsFile {
  /** The tensors by their names, as `Module.loadStateDict` takes them. */
  readonly tensors: Readonly<Record<string, ArrayFile>>;
  /** What is told beside them. */
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Reads a safetensors file. Elements are converted when a tensor of them is asked for. Throws `FormatError` when the file is corrupt, cut short, or
 * something else.
 *
 * @example
 * const bytes = await data.toSafetensors({ weight: tensor([1, 2]) });
 * data.safetensors(bytes).tensors["weight"]?.tensor(); // [1,2]
 */
export function safetensors(bytes: ArrayBuffer | ArrayBufferView): SafetensorsFile {
  const op = "safetensors";
  noMore(op, arguments, 1);
  const file = bytesOf(op, bytes);
  const refuse = (what: string): never => {
    throw new FormatError(op, what);
  };
  if (file.length < 8) refuse("the file is too short");
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const length = view.getUint32(0, true) + view.getUint32(4, true) * 2 ** 32;
  if (length > MOST_HEADER || 8 + length > file.length) refuse(`the header is said to take ${length} bytes of ${file.length}`);
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(file.subarray(8, 8 + length)));
  } catch {
    refuse("the header is not JSON");
  }
  if (typeof header !== "object" || header === null || isArray(header)) return refuse("the header is not an object");
  const body = file.subarray(8 + length);
  const tensors: [string, ArrayFile][] = [];
  let metadata: Record<string, string> = {};
  for (const [name, value] of Object.entries(header)) {
    if (name === "__metadata__") {
      if (!isRecordOfText(value)) refuse("the metadata is not an object of texts");
      metadata = value as Record<string, string>;
    } else tensors.push([name, entry(op, name, value, body)]);
  }
  return { tensors: Object.fromEntries(tensors), metadata };
}

function entry(op: string, name: string, value: unknown, body: Uint8Array): ArrayFile {
  const refuse = (what: string): never => {
    throw new FormatError(op, `${JSON.stringify(name.slice(0, 100))}: ${what}`);
  };
  const { dtype, shape, data_offsets: offsets } = (value ?? {}) as Record<string, unknown>;
  const type = typeof dtype === "string" && Object.hasOwn(types, dtype) ? (types[dtype] as string) : refuse(`there is no type ${shown(dtype)}`);
  const whole = (n: unknown): n is number => typeof n === "number" && Number.isSafeInteger(n) && n >= 0;
  if (!isArray(shape) || !shape.every(whole)) return refuse("the shape is not a list of extents");
  if (!isArray(offsets) || offsets.length !== 2 || !offsets.every(whole)) return refuse("the offsets are not two positions");
  const [from, to] = offsets as [number, number];
  const count = shape.reduce((size, extent) => size * extent, 1);
  if (to > body.length || to - from !== count * (bytesEach(type) as number)) refuse(`${count} elements of ${dtype} cannot lie from ${from} to ${to} of ${body.length} bytes`);
  let read: ArrayFile | undefined;
  // Converted when somebody asks: a file may hold more than is wanted.
  const file = () => (read ??= arrayFile(shape, type, elements(op, type, body.subarray(from, to), count)));
  return {
    shape,
    dtype: type,
    get data() {
      return file().data;
    },
    tensor: (options) => file().tensor(options),
  };
}

/**
 * Writes tensors by their names as a safetensors file, read from the device. `metadata` goes with them. Throws `ValueError` for what is no tensor.
 *
 * @example
 * const model = new nn.Linear(2, 1);
 * const bytes = await data.toSafetensors(model.stateDict());
 * new nn.Linear(2, 1).loadStateDict(data.safetensors(bytes).tensors);
 */
export async function toSafetensors(tensors: { readonly [name: string]: Tensor }, options: { metadata?: { readonly [name: string]: string } } = {}): Promise<Uint8Array<ArrayBuffer>> {
  const op = "toSafetensors";
  noMore(op, arguments, 2);
  const { metadata } = optionsOf(op, options, { metadata: {} as { readonly [name: string]: string } });
  if (!isRecordOfText(metadata)) throw new ValueError(op, `the metadata is an object of texts, got ${shown(metadata)}`);
  const named = namedTensors(op, tensors);
  const codes: Record<DType, string> = { f32: "F32", i32: "I32", u32: "U32", bool: "BOOL", f16: "F16", i8: "I8", u8: "U8" };
  // The widest first, so that all are aligned.
  const order = [...named].sort(([, a], [, b]) => bytesPerElement(b.dtype) - bytesPerElement(a.dtype));
  const parts = await Promise.all(order.map(async ([name, tensor]) => ({ name, tensor, bytes: bytesOfData(await tensor.data(), tensor.dtype) })));
  const header: Record<string, unknown> = Object.keys(metadata).length > 0 ? { __metadata__: metadata } : {};
  let end = 0;
  for (const { name, tensor, bytes } of parts) {
    header[name] = { dtype: codes[tensor.dtype], shape: tensor.shape, data_offsets: [end, (end += bytes.length)] };
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = Math.ceil(text.length / 8) * 8;
  const file = new Uint8Array(8 + length + end).fill(32, 8, 8 + length);
  new DataView(file.buffer).setUint32(0, length, true);
  file.set(text, 8);
  let at = 8 + length;
  for (const { bytes } of parts) {
    file.set(bytes, at);
    at += bytes.length;
  }
  return file;
}

/** Tensors by their names, checked. */
export function namedTensors(op: string, tensors: unknown): [string, Tensor][] {
  if (!isNode(tensors) || isArray(tensors)) throw new ValueError(op, `takes an object of tensors by their names, got ${shown(tensors)}`);
  return Object.entries(tensors).map(([name, value]) => {
    if (name === "__metadata__") throw new ValueError(op, "a tensor cannot be named __metadata__");
    return [name, Tensor.of(op, name, value)];
  });
}

function isRecordOfText(value: unknown): boolean {
  return typeof value === "object" && value !== null && !isArray(value) && holds(() => Object.values(value).every((text) => typeof text === "string"));
}
