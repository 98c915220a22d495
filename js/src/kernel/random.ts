// Counter-based random numbers outside of kernels: the same bits as inside.

import type { KernelTensor } from "./types.js";

/**
 * A key of random numbers: `random.key(seed)` as a kernel reads it, or its two words.
 *
 * @example
 * const key: KernelKey = [0, 7]; // the words of random.key(7)
 * threefry(key, 0) === threefry([0, 7], 0); // true
 */
export type KernelKey = KernelTensor | readonly number[] | Uint32Array;

/** Rotations of Threefry-2x32 (Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", 2011),
 * by groups of four rounds in turn. */
export const ROTATIONS = [[13, 15, 26, 6], [17, 29, 16, 24]] as const;
/** What the third word of a key is mixed with. */
export const PARITY = 0x1bd1_1bda;
/** Groups of four rounds. */
export const GROUPS = 5;

/**
 * The PCG hash of whole numbers, a u32: inside kernels, and outside for the same numbers.
 *
 * @example
 * pcg(0); // 129708002
 */
export function pcg(...keys: readonly number[]): number {
  return keys.reduce<number>((hash, key, n) => {
    const state = (Math.imul(n === 0 ? key : hash + key, 747796405) + 2891336453) >>> 0;
    const word = Math.imul((state >>> ((state >>> 28) + 4)) ^ state, 277803737) >>> 0;
    return ((word >>> 22) ^ word) >>> 0;
  }, 0);
}

/**
 * Threefry's bits, a u32: `threefry(key, n)` is element n of `random.bits(key, shape)`, inside
 * kernels and outside. With more numbers, those before the last are folded into the key, as by
 * `random.foldIn`.
 *
 * @example
 * threefry([0, 7], 3); // 1906787632
 */
export function threefry(key: KernelKey, ...numbers: readonly number[]): number {
  let words = wordsOf(key);
  for (const number of numbers) words = block(words, number);
  return (words[0] ^ words[1]) >>> 0;
}

/**
 * A random number from 0 up to, but not including, 1, made from whole numbers by the PCG hash: the
 * same ones give the same number, inside kernels and outside. Of a key, `rand(key, n)` is element n
 * of `random.uniform(key, shape)`, as `threefry` has its bits.
 *
 * @example
 * rand(7) === rand(7); // true
 */
export function rand(...keys: readonly number[]): number;
export function rand(key: KernelKey, ...numbers: readonly number[]): number;
export function rand(first?: KernelKey | number, ...numbers: readonly number[]): number {
  if (typeof first === "object") return (threefry(first, ...numbers) >>> 9) * 2 ** -23;
  return (pcg(...(first === undefined ? [] : [first]), ...numbers) >>> 8) * 2 ** -24;
}

function wordsOf(key: KernelKey): readonly [number, number] {
  const word = (n: number) => ("at" in key && !Array.isArray(key) ? (key.at(n) as number) : (key as readonly number[])[n] as number) >>> 0;
  return [word(0), word(1)];
}

/** One block: of the counter [0, number]. */
function block([a, b]: readonly [number, number], number: number): readonly [number, number] {
  const keys = [a, b, (a ^ b ^ PARITY) >>> 0] as const;
  let x = a;
  let y = (number + b) >>> 0;
  for (let group = 0; group < GROUPS; group++) {
    for (const by of ROTATIONS[(group % 2) as 0 | 1]) {
      x = (x + y) >>> 0;
      y = (((y << by) | (y >>> (32 - by))) ^ x) >>> 0;
    }
    x = (x + (keys[(group + 1) % 3] as number)) >>> 0;
    y = (y + (keys[(group + 2) % 3] as number) + group + 1) >>> 0;
  }
  return [x, y];
}
