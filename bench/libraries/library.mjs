// Interface of a library in the benchmark. A library opens a device, and makes a chain of each kind
// of work, captured or eager.

/** @typedef {import("../measure.mjs").Chain} Chain */
/** @typedef {import("../compare.mjs").Given} Given */
/** @typedef {{ size: number[], axes?: number[] | undefined, captured: boolean }} Manner */

/**
 * @typedef {object} Library
 * @property {string} name
 * @property {string} version
 * @property {readonly ("captured" | "eager")[]} modes
 * @property {readonly string[]} [kinds] The only ones that it is there for.
 * @property {boolean} [isWeft] Another build of Weft, which is measured wherever Weft is.
 * @property {() => Promise<void>} [settle] Resolves when kernels have the text that they are to
 * keep.
 * @property {(gpu: GPU) => Promise<string>} open Opens a device, and says which.
 * @property {(kind: string, given: Given[], manner: Manner) => Chain} chain Throws `Unsupported`
 * where there is no way to write it.
 */

/** A library cannot do this, or not in this manner; the message says why. */
export class Unsupported extends Error {
  name = "Unsupported";
}

/** What gives something of another shape than what it takes, or what would grow from step to
 * step. */
const APART = new Set(["conv2d", "cumsum", "sort", "gather", "scatter-add"]);

/** Whether each step takes the same, and a number of what the step before has made: a chain of such
 * steps begins with one number. */
export const waits = (/** @type {string} */ kind, /** @type {number[]} */ size) => APART.has(kind) || (kind.startsWith("matmul") && (kind.endsWith("Aᵀ·B") || size[1] !== size[2]));

/** The bytes that are uploaded or read are counted by this: the step is what it takes, not what
 * comes before. */
export async function timed(/** @type {() => Promise<unknown>} */ work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/**
 * An element of a list that is known to be there.
 * @template T
 * @param {ArrayLike<T>} list
 * @param {number} place
 * @returns {NonNullable<T>}
 */
export function at(list, place) {
  const found = list[place];
  if (found === undefined || found === null) throw new Error(`there is no element ${place} of ${list.length}`);
  return found;
}
