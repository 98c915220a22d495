// Zip archives, as far as archives of arrays need them: stored and deflated entries, with numbers
// of 64 bits, read one by one.

import { wholeCore } from "../core/wasm/core.js";
import { FormatError, OutOfMemoryError } from "../core/errors.js";
import { crc32 } from "./crc.js";

/** Signatures of the records (PKWARE's APPNOTE, 4.3). The end of the list is searched from the end
 * of the file, before a comment. */
const END = 0x06054b50;
const END64 = 0x06064b50;
const LOCATOR64 = 0x07064b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
/** In the place of a number that needs more than 32 bits, which is in the extra field then. */
const BEYOND = 0xffffffff;

/** Deflate packs at most 1032 bytes into one. */
const RATIO = 1032;

/** A file in a zip. */
export interface Entry {
  readonly name: string;
  /** Bytes that it is said to have when it is unpacked. */
  readonly size: number;
  /** Whether it has to be inflated, and so the part of the core that does. */
  readonly deflated: boolean;
  /** Unpacks it. Throws `FormatError` where it is corrupt, packed in another way, or more than may
   * be unpacked of this zip. */
  read(): Uint8Array;
}

/** The files in a zip, of which together `most` bytes may be unpacked. Throws `FormatError` where
 * the list of them is corrupt. */
export function entriesOf(op: string, bytes: Uint8Array, most: number): Entry[] {
  const refuse = (what: string): never => {
    throw new FormatError(op, what);
  };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wide = (at: number) => Number(view.getBigUint64(at, true));
  let end = bytes.length - 22;
  while (end >= 0 && end > bytes.length - 22 - 0x10000 && view.getUint32(end, true) !== END) end--;
  if (end < 0 || view.getUint32(end, true) !== END) refuse("this is not a zip file");
  let [count, size, offset] = [view.getUint16(end + 10, true), view.getUint32(end + 12, true), view.getUint32(end + 16, true)];
  const locator = end - 20;
  if (locator >= 0 && view.getUint32(locator, true) === LOCATOR64) {
    // What is before the zip, as a program that unpacks it, is not counted.
    const announced = wide(locator + 8);
    const at = [announced, locator - 56].find((at) => at + 56 <= locator && at >= 0 && view.getUint32(at, true) === END64) ?? refuse("the end of the list of files is not where it should be");
    [count, size, offset, end] = [wide(at + 32), wide(at + 40), wide(at + 48), at];
  }
  const before = end - size - offset;
  if (before < 0) refuse("the list of files is cut short");
  const used = { bytes: 0 };
  const decoder = new TextDecoder();
  const entries: Entry[] = [];
  for (let at = end - size; at < end; ) {
    if (at + 46 > end || view.getUint32(at, true) !== ENTRY) refuse("the list of files is cut short");
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    const sum = view.getUint32(at + 16, true);
    let [packed, size, local] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true), view.getUint32(at + 42, true)];
    const [nameLength, extraLength, commentLength] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true), view.getUint16(at + 32, true)];
    const name = decoder.decode(bytes.subarray(at + 46, at + 46 + nameLength));
    // NumPy gives numbers of 64 bits even to small files.
    let extra = at + 46 + nameLength;
    const extraEnd = Math.min(extra + extraLength, end);
    while (extra + 4 <= extraEnd) {
      const length = view.getUint16(extra + 2, true);
      if (view.getUint16(extra, true) === 1 && extra + 4 + length <= extraEnd) {
        let next = extra + 4;
        const widened = (value: number) => (value === BEYOND && next + 8 <= extra + 4 + length ? wide((next += 8) - 8) : value);
        size = widened(size);
        packed = widened(packed);
        local = widened(local);
      }
      extra += 4 + length;
    }
    at += 46 + nameLength + extraLength + commentLength;
    entries.push({ name, size, deflated: method === 8, read: () => unpacked({ op, bytes, view, name, flags, method, sum, packed, size, local: local + before, most, used }) });
  }
  if (entries.length !== count && entries.length % 0x10000 !== count) refuse(`the list has ${entries.length} files, and ${count} are announced`);
  return entries;
}

/** What the list says of an entry, and of the zip. */
interface Packed {
  readonly op: string;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly sum: number;
  readonly packed: number;
  readonly size: number;
  readonly local: number;
  readonly most: number;
  /** Bytes that were unpacked of this zip. */
  readonly used: { bytes: number };
}

function unpacked({ op, bytes, view, name, flags, method, sum, packed, size, local, most, used }: Packed): Uint8Array {
  const refuse = (what: string): never => {
    throw new FormatError(op, `${name}: ${what}`);
  };
  if (flags & 1) refuse("it is encrypted");
  if (method !== 0 && method !== 8) refuse(`it is packed by method ${method}; stored and deflated files are read`);
  if (local + 30 > bytes.length || view.getUint32(local, true) !== LOCAL) refuse("it is not at its place in the zip");
  const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  if (from + packed > bytes.length) refuse("it is cut short");
  if (method === 0 ? size !== packed : size / RATIO > packed) refuse(`${packed} bytes cannot hold the ${size} announced`);
  if (used.bytes + size > most) {
    const total = used.bytes + size;
    refuse(`unpacked it has ${size} bytes, and what is unpacked of this file ${total}, more than ${most}: if you trust it, give { maxBytes: ${total} }`);
  }
  // What turns out to be corrupt counts too: it takes time, if not memory.
  used.bytes += size;
  const content = bytes.subarray(from, from + packed);
  const file = method === 0 ? content : inflated(op, name, content, size);
  const found = crc32(file);
  if (found !== sum) refuse(`its checksum is ${found.toString(16)}, not ${sum.toString(16)}: it is corrupt`);
  return file;
}

function inflated(op: string, name: string, packed: Uint8Array, size: number): Uint8Array {
  const refuse = (what: string): never => {
    throw new FormatError(op, `${name}: ${what}`);
  };
  const core = wholeCore(op);
  let file: Uint8Array;
  try {
    file = new Uint8Array(size);
  } catch {
    throw new OutOfMemoryError(op, `${name}: there is no memory left for its ${size} bytes`);
  }
  const written = core.inflate_raw(packed, file);
  if (Number.isNaN(written)) refuse("it cannot be unpacked: it is corrupt");
  if (written !== size) refuse(`it has ${written < size ? written : "more"} bytes, not ${size}`);
  return file;
}

/** The pieces of a zip of files, stored, as they come. */
export async function* zipped(files: AsyncIterable<readonly [name: string, file: Uint8Array]> | Iterable<readonly [name: string, file: Uint8Array]>): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const list: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  for await (const [name, file] of files) {
    const text = new TextEncoder().encode(name);
    const [sum, size] = [crc32(file), file.length];
    const common = [[2, 0x800], [2, 0], [2, 0], [2, 0x21], [4, sum], [4, Math.min(size, BEYOND)], [4, Math.min(size, BEYOND)], [2, text.length]] as const;
    const inLocal = extra(size >= BEYOND ? [size, size] : []);
    const local = record([[4, LOCAL], [2, 45], ...common, [2, inLocal.length]], text, inLocal);
    const inList = extra([...(size >= BEYOND ? [size, size] : []), ...(at >= BEYOND ? [at] : [])]);
    list.push(record([[4, ENTRY], [2, 45], [2, 45], ...common, [2, inList.length], [2, 0], [2, 0], [2, 0], [4, 0], [4, Math.min(at, BEYOND)]], text, inList));
    yield local;
    yield file as Uint8Array<ArrayBuffer>;
    at += local.length + size;
  }
  yield* list;
  const [count, size] = [list.length, list.reduce((sum, part) => sum + part.length, 0)];
  if (count >= 0xffff || at >= BEYOND || size >= BEYOND) {
    yield record([[4, END64], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0], [8, count], [8, count], [8, size], [8, at], [4, LOCATOR64], [4, 0], [8, at + size], [4, 1]]);
  }
  const short = Math.min(count, 0xffff);
  yield record([[4, END], [2, 0], [2, 0], [2, short], [2, short], [4, Math.min(size, BEYOND)], [4, Math.min(at, BEYOND)], [2, 0]]);
}

/** The field of numbers of 64 bits, where there are any. */
function extra(numbers: readonly number[]): Uint8Array {
  return numbers.length === 0 ? new Uint8Array() : record([[2, 1], [2, 8 * numbers.length], ...numbers.map((value) => [8, value] as const)]);
}

/** Numbers of two, four or eight bytes, then texts. */
function record(fields: readonly (readonly [bytes: number, value: number])[], ...texts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(fields.reduce((sum, [length]) => sum + length, 0) + texts.reduce((sum, text) => sum + text.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [length, value] of fields) {
    if (length === 2) view.setUint16(at, value, true);
    else if (length === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += length;
  }
  for (const text of texts) {
    bytes.set(text, at);
    at += text.length;
  }
  return bytes;
}
