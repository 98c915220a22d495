// safetensors, the format of model weights: a header of JSON that says which bytes belong to which
// tensor, then the bytes.

import { holds, isArray, noMore, optionsOf, shown } from "../core/check/check.js";
import { bytesOfData, bytesPerElement, type Bytes, type DType } from "../core/tensor/dtype.js";
import { Tensor } from "../core/tensor/tensor.js";
import { isNode, type Named } from "../core/tensor/tree.js";
import { FormatError, ValueError } from "../core/errors.js";
import { arrayFile, bytesOf, lazyFile, type ArrayFile } from "./array.js";
import { bitsOf, isKind, kindOf } from "./elements.js";

/** The format's names of types that are read: those of elements in capitals. */
const types = "BOOL U8 I8 U16 I16 U32 I32 U64 I64 F16 BF16 F32 F64 F8_E4M3 F8_E5M2 F8_E4M3FNUZ F8_E5M2FNUZ F8_E8M0 F4".split(" ");

/** Bits of an element of those types that are not. */
const unread: Record<string, number> = { C64: 64, F6_E2M3: 6, F6_E3M2: 6 };

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
  /** The file's metadata. */
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Reads a safetensors file. Elements are converted when they are asked for. Throws `FormatError`
 * where Hugging Face's own reader refuses the file: when it is corrupt, cut short, or something
 * else; where tensors overlap, or bytes are left between them or at the end; and where two have one
 * name.
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
  if (length > MOST_HEADER || 8 + length > file.length) refuse(`the header claims ${length} of the file's ${file.length} bytes`);
  let header: unknown;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(file.subarray(8, 8 + length));
    refuseDoubled(text, refuse);
    header = JSON.parse(text);
  } catch (error) {
    if (error instanceof FormatError) throw error;
    refuse("the header is not JSON");
  }
  if (typeof header !== "object" || header === null || isArray(header)) return refuse("the header is not an object");
  const { __metadata__: metadata, ...named } = header as Record<string, unknown>;
  if (metadata !== undefined && metadata !== null && !isRecordOfText(metadata)) refuse("the metadata is not an object of texts");
  const body = file.subarray(8 + length);
  const entries = Object.entries(named).map(([name, value]) => entry(op, name, value, body));
  // Each begins where the one before ends.
  let end = 0;
  for (const { name, from, to } of [...entries].sort((a, b) => a.from - b.from || a.to - b.to)) {
    if (from !== end) refuse(`${quoted(name)}: it begins at byte ${from}, and the tensors before it end at ${end}`);
    end = to;
  }
  if (end !== body.length) refuse(`the tensors end at byte ${end} of ${body.length}`);
  return { tensors: Object.fromEntries(entries.map(({ name, file }) => [name, file])), metadata: { ...(metadata as Record<string, string> | null | undefined) } };
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}

/** How deep a header may be nested; Hugging Face's reader goes as far. */
const DEEPEST = 128;

/** Throws where the header has a tensor, or something of one, twice, of which `JSON.parse` keeps
 * the last; and where it is nested deep. */
function refuseDoubled(text: string, refuse: (what: string) => never): void {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string;
    if (letter === "{" || letter === "[") {
      if (open.push(undefined) > DEEPEST) refuse("the header is nested too deep");
    } else if (letter === "}" || letter === "]") open.pop();
    else if (letter === '"') {
      const start = at;
      // A quote behind an odd number of backslashes is part of the text.
      for (let slashes = 1; slashes % 2 === 1; ) {
        at = text.indexOf('"', at + 1);
        if (at < 0) refuse("the header is not JSON");
        for (slashes = 0; text[at - 1 - slashes] === "\\"; ) slashes++;
      }
      let next = at + 1;
      while (" \t\r\n".includes(text[next] ?? "-")) next++;
      if (text[next] !== ":" || open.length === 0 || open.length > 2) continue;
      const name = JSON.parse(text.slice(start, at + 1)) as string;
      // What else stands beside them is nobody's business.
      if (open.length === 2 && !["dtype", "shape", "data_offsets"].includes(name)) continue;
      const names = (open[open.length - 1] ??= new Set());
      if (names.has(name)) refuse(`${quoted(name)} is in the header twice`);
      names.add(name);
    }
  }
}

/** A tensor of the header: which bytes of the body it is. */
interface Entry {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly file: ArrayFile;
}

function entry(op: string, name: string, value: unknown, body: Uint8Array): Entry {
  const refuse = (what: string): never => {
    throw new FormatError(op, `${quoted(name)}: ${what}`);
  };
  const { dtype, shape, data_offsets: offsets } = (value ?? {}) as Record<string, unknown>;
  if (typeof dtype !== "string" || !(types.includes(dtype) || Object.hasOwn(unread, dtype))) return refuse(`there is no type ${shown(dtype)}`);
  const whole = (n: unknown): n is number => typeof n === "number" && Number.isSafeInteger(n) && n >= 0;
  if (!isArray(shape) || !shape.every(whole)) return refuse("the shape is not a list of extents");
  if (!isArray(offsets) || offsets.length !== 2 || !offsets.every(whole)) return refuse("the offsets are not two positions");
  const [from, to] = offsets as [number, number];
  let count = 1;
  for (const extent of shape) if ((count *= extent) > Number.MAX_SAFE_INTEGER) refuse(`[${shape.join(",")}] are more elements than can be counted`);
  const type = dtype.toLowerCase();
  const bytes = (count * (unread[dtype] ?? 8 * kindOf(type).bytes)) / 8;
  if (from > to || to > body.length || to - from !== bytes) refuse(`${count} elements of ${dtype} cannot lie from ${from} to ${to} of ${body.length} bytes`);
  if (!isKind(type)) return { name, from, to, file: lazyFile(() => refuse(`tensors have no elements of type ${dtype}`)) };
  return { name, from, to, file: arrayFile(op, `${quoted(name)}: `, shape, type, () => bitsOf(type, body.subarray(from, to))) };
}

/**
 * Writes tensors by their names as a safetensors file, read from the device. `metadata` goes with
 * them. Throws `ValueError` for what is no tensor.
 *
 * @example
 * const model = new nn.Linear(2, 1);
 * const bytes = await data.toSafetensors(model.stateDict());
 * new nn.Linear(2, 1).loadStateDict(data.safetensors(bytes).tensors);
 */
export async function toSafetensors<T extends Named<T, Tensor>>(tensors: T, options: { metadata?: { readonly [name: string]: string } } = {}): Promise<Bytes> {
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
