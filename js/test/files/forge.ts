// Files made byte by byte: .npy, zips, gzip, safetensors and IDX, as no well-meaning tool writes
// them.

import { cpuUsage } from "node:process";
import { crc32, deflateRawSync, gzipSync, constants } from "node:zlib";

/** Milliseconds of processor time within which a reader answers. */
export const SOON = 2_000;
/** The processor time of this process, in milliseconds: unlike the clock it does not count what
 * else the machine does. */
export function processorTime(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}

export const text = (written: string) => new Uint8Array(Buffer.from(written, "latin1"));
export const joined = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

/** A little-endian number of 2, 4 or 8 bytes. */
export function number(bytes: number, value: number | bigint): Uint8Array {
  const out = Buffer.alloc(8);
  out.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)));
  return new Uint8Array(out.subarray(0, bytes));
}

/** A .npy file with this header, as it is, before these bytes. */
export function npy(header: string, body: Uint8Array = new Uint8Array(), version = 1): Uint8Array {
  const written = version === 3 ? new Uint8Array(Buffer.from(header, "utf8")) : text(header);
  return joined(text("\x93NUMPY"), Uint8Array.of(version, 0), number(version === 1 ? 2 : 4, written.length), written, body);
}

/** A .npy file of a type and a shape. */
export function npyOf(descr: string, shape: string, body: Uint8Array, order = "False"): Uint8Array {
  return npy(`{'descr': '${descr}', 'fortran_order': ${order}, 'shape': ${shape}, }\n`, body);
}

/** What a zip says of a file in it. What is not given is right. */
export interface Forged {
  name: string;
  file: Uint8Array;
  /** What is stored: `file` unless it is given. */
  packed?: Uint8Array;
  method?: number;
  flags?: number;
  sum?: number;
  size?: number | bigint;
  extra?: Uint8Array;
  /** Where it is, instead of behind the one before. */
  at?: number;
}

/** A zip of these files. */
export function zip(files: readonly Forged[], { before = new Uint8Array(), comment = "", count = files.length }: { before?: Uint8Array; comment?: string; count?: number } = {}): Uint8Array {
  const [parts, list]: Uint8Array[][] = [[], []] as never;
  let at = 0;
  for (const { name, file, packed = file, method = 0, flags = 0, sum = crc32Of(file), size = file.length, extra = new Uint8Array(), at: given } of files) {
    const written = new Uint8Array(Buffer.from(name));
    const common = joined(number(2, flags), number(2, method), number(4, 0), number(4, sum), number(4, packed.length), number(4, size), number(2, written.length));
    const local = joined(number(4, 0x04034b50), number(2, 20), common, number(2, 0), written, packed);
    list?.push(joined(number(4, 0x02014b50), number(2, 20), number(2, 20), common, number(2, extra.length), new Uint8Array(10), number(4, given ?? at), written, extra));
    if (given !== undefined) continue;
    parts?.push(local);
    at += local.length;
  }
  const directory = joined(...(list ?? []));
  const end = joined(number(4, 0x06054b50), number(4, 0), number(2, count), number(2, count), number(4, directory.length), number(4, at), number(2, comment.length), text(comment));
  return joined(before, ...(parts ?? []), directory, end);
}

function crc32Of(bytes: Uint8Array): number {
  return crc32(bytes);
}

/** A deflated file. */
export function deflated(name: string, file: Uint8Array): Forged {
  return { name, file, packed: deflateRawSync(file), method: 8 };
}

const MIB = 2 ** 20;

/** So many MiB of zeros behind `start`, deflated, without ever being in memory: pieces that end on
 * whole bytes can be repeated. */
export function deflatedZeros(mebibytes: number, start: Uint8Array = new Uint8Array()): Uint8Array {
  const piece = deflateRawSync(Buffer.alloc(16 * MIB), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const first = deflateRawSync(start, { finishFlush: constants.Z_FULL_FLUSH });
  return joined(first, ...Array.from({ length: mebibytes / 16 }, () => new Uint8Array(piece)), Uint8Array.of(3, 0));
}

/** A member of gzip with this deflated body. */
export function gzipOf(body: Uint8Array, sum: number, length: number): Uint8Array {
  return joined(Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255), body, number(4, sum), number(4, length));
}

export const gzipped = (file: Uint8Array) => new Uint8Array(gzipSync(file));

/** An IDX file. */
export function idx(code: number, extents: readonly number[], body: Uint8Array = new Uint8Array()): Uint8Array {
  return joined(Uint8Array.of(0, 0, code, extents.length), ...extents.map((extent) => number(4, extent).reverse()), body);
}

/** A safetensors file with this header, as it is, before these bytes. */
export function safetensors(header: string | Uint8Array, body: Uint8Array = new Uint8Array(), length?: number | bigint): Uint8Array {
  const written = typeof header === "string" ? new Uint8Array(Buffer.from(header, "utf8")) : header;
  return joined(number(8, length ?? written.length), written, body);
}

/** A tensor of a header. */
export const entry = (dtype: string, shape: string, from: number, to: number) => `{"dtype":"${dtype}","shape":${shape},"data_offsets":[${from},${to}]}`;
