// What is in a zip, and how is one written? Only what archives of arrays need: stored and deflated entries, by the platform's own streams, which
// spares every page a library.

import { FormatError } from "../errors.js";

/** Where the list of entries ends: searched from the end of the file, behind which a comment may stand. */
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
/** Stands where a number needs more than 32 bits. */
const BEYOND = 0xffffffff;

/** The files in a zip, by their names. Throws `FormatError` when it is corrupt, or packed in a way that archives of arrays are not. */
export async function unzip(op: string, bytes: Uint8Array): Promise<[name: string, file: Uint8Array][]> {
  const refuse = (what: string): never => {
    throw new FormatError(op, what);
  };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (end >= 0 && end > bytes.length - 22 - 0x10000 && view.getUint32(end, true) !== END) end--;
  if (end < 0 || view.getUint32(end, true) !== END) refuse("this is no zip");
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (at === BEYOND || count === 0xffff) refuse("zips of more than 4 GB are not read");
  const files: [string, Uint8Array][] = [];
  for (let n = 0; n < count; n++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== ENTRY) refuse("the list of files is cut short");
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    let [packed, size, local] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true), view.getUint32(at + 42, true)];
    const [nameLength, extraLength, commentLength] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true), view.getUint16(at + 32, true)];
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    // NumPy gives numbers of 64 bits even to small files.
    let extra = at + 46 + nameLength;
    const extraEnd = Math.min(extra + extraLength, bytes.length);
    while (extra + 4 <= extraEnd) {
      const length = view.getUint16(extra + 2, true);
      if (view.getUint16(extra, true) === 1 && extra + 4 + length <= extraEnd) {
        let wide = extra + 4;
        const next = (value: number) => (value === BEYOND && wide + 8 <= extra + 4 + length ? Number(view.getBigUint64((wide += 8) - 8, true)) : value);
        size = next(size);
        packed = next(packed);
        local = next(local);
      }
      extra += 4 + length;
    }
    at += 46 + nameLength + extraLength + commentLength;
    if (flags & 1) refuse(`${name} is encrypted`);
    if (local + 30 > bytes.length || view.getUint32(local, true) !== LOCAL) refuse(`${name} is not where it should be`);
    const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    if (from + packed > bytes.length) refuse(`${name} is cut short`);
    const content = bytes.subarray(from, from + packed);
    if (method !== 0 && method !== 8) refuse(`${name} is packed by method ${method}; stored and deflated files are read`);
    const file = method === 0 ? content : await inflate(op, name, content, size);
    if (file.length !== size) refuse(`${name} has ${file.length} bytes, not ${size}`);
    files.push([name, file]);
  }
  return files;
}

/** What was deflated to `packed`: no more than `size` bytes, whatever is in it. */
async function inflate(op: string, name: string, packed: Uint8Array, size: number): Promise<Uint8Array> {
  const file = new Uint8Array(size);
  let length = 0;
  try {
    const stream = new Blob([packed as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    for (const reader = stream.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return file.subarray(0, length);
      if (length + value.length > size) {
        await reader.cancel();
        throw new FormatError(op, `${name} has more than ${size} bytes`);
      }
      file.set(value, length);
      length += value.length;
    }
  } catch (error) {
    if (error instanceof FormatError) throw error;
    throw new FormatError(op, `${name} cannot be unpacked`);
  }
}

/** A zip of files, stored. */
export function zip(files: readonly (readonly [name: string, file: Uint8Array])[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const list: Uint8Array[] = [];
  let at = 0;
  for (const [name, file] of files) {
    const text = new TextEncoder().encode(name);
    const common = [20, 0x800, 0, 0, 0x21, crc32(file), file.length, file.length, text.length, 0];
    const local = record([[4, LOCAL], ...common.map((value, n) => [n >= 5 && n <= 7 ? 4 : 2, value] as const)], text);
    list.push(
      record([[4, ENTRY], [2, 20], ...common.map((value, n) => [n >= 5 && n <= 7 ? 4 : 2, value] as const), [2, 0], [2, 0], [2, 0], [4, 0], [4, at]], text),
    );
    parts.push(local, file);
    at += local.length + file.length;
  }
  const size = list.reduce((sum, part) => sum + part.length, 0);
  const end = record([[4, END], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, size], [4, at], [2, 0]], new Uint8Array());
  const all = [...parts, ...list, end];
  const bytes = new Uint8Array(at + size + end.length);
  let to = 0;
  for (const part of all) {
    bytes.set(part, to);
    to += part.length;
  }
  return bytes;
}

/** Numbers of two or four bytes, then a name. */
function record(fields: readonly (readonly [bytes: number, value: number])[], name: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(fields.reduce((sum, [length]) => sum + length, 0) + name.length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [length, value] of fields) {
    if (length === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += length;
  }
  bytes.set(name, at);
  return bytes;
}

function crc32(bytes: Uint8Array): number {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}
