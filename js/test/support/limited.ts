// A machine with little memory, for tests: the WebAssembly with a maximum for its memory written
// into it.

import { wasmBytes } from "./cpu.js";

/** A page of WebAssembly's memory, in bytes. */
const PAGE = 2 ** 16;
/** The section that declares the memory. */
const MEMORY = 5;

/** The core, whose memory grows to at most so many bytes. */
export function limitedWasm(bytes: number): Uint8Array<ArrayBuffer> {
  const source = wasmBytes();
  let at = 8;
  const number = (): number => {
    let [value, shift] = [0, 0];
    for (;;) {
      const byte = source[at++] as number;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
      shift += 7;
    }
  };
  while (at < source.length) {
    const start = at;
    const id = source[at++];
    const length = number();
    const content = at;
    if (id !== MEMORY) {
      at = content + length;
      continue;
    }
    if (number() !== 1 || number() !== 0) throw new Error("one memory without a most was expected");
    const section = [1, 1, ...leb(number()), ...leb(bytes / PAGE)];
    const parts = [source.subarray(0, start), Uint8Array.from([MEMORY, ...leb(section.length), ...section]), source.subarray(content + length)];
    return Uint8Array.from(Buffer.concat(parts));
  }
  throw new Error("the WebAssembly has no memory");
}

function leb(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)];
}
