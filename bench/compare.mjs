// Comparison of two libraries' results. Both get the same numbers, and this compares what they
// compute element by element.

/** @typedef {import("./workloads.mjs").Input} Input */
/** @typedef {{ shape: number[], data: Float32Array | Int32Array }} Given */

/**
 * How far elements may lie apart, as a part of their own size and of the root of the mean square of
 * all: sums are added in another order, and three steps let differences grow.
 */
export const TOLERANCE = 1e-3;

/** Results larger than this are compared at some places. */
const WHOLE = 2 ** 20;
const WINDOWS = 8;
const WINDOW = 512;

/**
 * The same numbers at every call: uniform ones of mean 0 and deviation `scale`.
 * @param {Input[]} inputs
 * @returns {Given[]}
 */
export function draw(inputs) {
  let state = 0x9e3779b9;
  const next = () => {
    // Marsaglia's xorshift: speed counts, for there may be a billion.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  return inputs.map(({ shape, scale = 1, below }) => {
    const size = shape.reduce((a, b) => a * b, 1);
    if (below !== undefined) return { shape, data: Int32Array.from({ length: size }, () => Math.floor(next() * below)) };
    const data = new Float32Array(size);
    const wide = 2 * Math.sqrt(3) * scale;
    for (let i = 0; i < size; i++) data[i] = (next() - 0.5) * wide;
    return { shape, data };
  });
}

/**
 * Which elements of so many are compared: pairs of where to begin and where to end.
 * @param {number} size
 * @returns {[number, number][]}
 */
export function windows(size) {
  if (size <= WHOLE) return [[0, size]];
  return Array.from({ length: WINDOWS }, (_, n) => {
    const start = Math.floor(((size - WINDOW) * n) / (WINDOWS - 1));
    return [start, start + WINDOW];
  });
}

/**
 * Reads those, by a function that reads from one place to another.
 * @param {number} size
 * @param {(start: number, end: number) => Promise<ArrayLike<number>>} read
 */
export async function sampled(size, read) {
  const parts = [];
  for (const [start, end] of windows(size)) parts.push(await read(start, end));
  const sample = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    sample.set(part, at);
    at += part.length;
  }
  return sample;
}

/**
 * How two results differ, in words, or null.
 * @param {Float32Array} got
 * @param {Float32Array} expected
 * @param {string} other Whose result is expected.
 */
export function difference(got, expected, other) {
  if (got.length !== expected.length) return `computes ${got.length} elements, ${other} ${expected.length}`;
  if (got.length === 0) return "computes nothing";
  const size = Math.sqrt(expected.reduce((sum, value) => sum + value * value, 0) / expected.length);
  if (!Number.isFinite(size)) return `${other} computes what is not finite`;
  let worst = -1;
  let most = 0;
  for (let i = 0; i < got.length; i++) {
    const [a = Number.NaN, b = Number.NaN] = [got[i], expected[i]];
    const apart = Math.abs(a - b) / (Math.abs(b) + size);
    // Also where it is not a number.
    if (a === b || apart <= TOLERANCE) continue;
    if (worst < 0 || Number.isNaN(apart) || apart > most) [worst, most] = [i, apart];
  }
  return worst < 0 ? null : `computes ${got[worst]} at ${worst}, ${other} ${expected[worst]}`;
}
