// Archives, arrays and sounds as a hostile hand writes them: what a file says of itself is whatever
// the test wants.

import { crc32, deflateRawSync } from "node:zlib";

/** @typedef {{ name: string, bytes?: Buffer, says?: number, deflate?: boolean }} Packed `says`: how
 * many bytes it says it unpacks to. */

/** A zip of files. @param {Packed[]} files */
export function zipOf(files) {
  /** @type {Buffer[]} */
  const bodies = [];
  /** @type {Buffer[]} */
  const list = [];
  let at = 0;
  for (const { name, bytes = Buffer.alloc(0), says = bytes.length, deflate = false } of files) {
    const path = Buffer.from(name);
    const packed = deflate ? deflateRawSync(bytes, { level: 9 }) : bytes;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0), local.writeUInt16LE(deflate ? 8 : 0, 8), local.writeUInt32LE(crc32(bytes), 14), local.writeUInt32LE(packed.length, 18), local.writeUInt32LE(says, 22), local.writeUInt16LE(path.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0), entry.writeUInt16LE(deflate ? 8 : 0, 10), entry.writeUInt32LE(crc32(bytes), 16), entry.writeUInt32LE(packed.length, 20), entry.writeUInt32LE(says, 24), entry.writeUInt16LE(path.length, 28), entry.writeUInt32LE(at, 42);
    bodies.push(local, path, packed), list.push(entry, path);
    at += 30 + path.length + packed.length;
  }
  const size = list.reduce((sum, each) => sum + each.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0), end.writeUInt16LE(files.length, 8), end.writeUInt16LE(files.length, 10), end.writeUInt32LE(size, 12), end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, ...list, end]);
}

/** A safetensors file with this head, which says it has `length` bytes.
 * @param {string} head
 * @param {bigint} [length] */
export function safetensorsOf(head, length = BigInt(Buffer.byteLength(head))) {
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(length);
  return Buffer.concat([size, Buffer.from(head), Buffer.alloc(16)]);
}

/** A NumPy file with this head. @param {string} head */
export function npyOf(head) {
  const text = Buffer.from(`${head}\n`);
  const size = Buffer.alloc(2);
  size.writeUInt16LE(text.length);
  return Buffer.concat([Buffer.from("\x93NUMPY\x01\x00", "latin1"), size, text, Buffer.alloc(16)]);
}

/** A WAV file of a few samples whose head says what it likes.
 * @param {{ rate?: number, channels?: number, bits?: number, says?: number }} options */
export function wavOf({ rate = 8_000, channels = 1, bits = 16, says = 64 }) {
  const head = Buffer.alloc(44 + 64);
  head.write("RIFF"), head.writeUInt32LE(says + 36, 4), head.write("WAVEfmt ", 8), head.writeUInt32LE(16, 16), head.writeUInt16LE(1, 20), head.writeUInt16LE(channels, 22), head.writeUInt32LE(rate, 24);
  head.writeUInt32LE((rate * channels * bits) / 8 % 2 ** 32, 28), head.writeUInt16LE((channels * bits) / 8 % 65_536, 32), head.writeUInt16LE(bits, 34), head.write("data", 36), head.writeUInt32LE(says, 40);
  return head;
}
