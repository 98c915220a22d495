// Rotation: the share of a list that a landing runs. It changes with the commit, so that landings
// together run everything; `cargo xtask test` sets `WEFT_TIER` and `WEFT_SEED`.

import { test } from "./test.mjs";

const seed = Number(process.env["WEFT_SEED"] ?? 0);
const everything = process.env["WEFT_TIER"] === "full";

/**
 * Every `of`th of a list, from a place that rotates; all of it in a full run. Inside of what itself
 * runs at every `within`th seed, the place moves on once in so many seeds.
 * @template T @param {T[]} list @param {number} of @param {number} [within] @returns {T[]}
 */
export const share = (list, of, within = 1) => list.filter((_, at) => everything || at % of === Math.floor(seed / within) % of);

/**
 * A `test` of which every `of`th call in a file counts, from a place that rotates; every one in a
 * full run. `cases` says how many calls there were.
 * @param {number} of @returns {typeof test & { readonly cases: () => number }}
 */
export function rotating(of) {
  let at = 0;
  /** @type {typeof test} */
  const one = (name, ...rest) => {
    if (at++ % of === seed % of || everything) test(name, ...rest);
  };
  return Object.assign(one, { cases: () => at });
}

/**
 * A `test` of which a quick run makes every `of`th call in a file, from a place that rotates; other
 * runs make all.
 * @param {number} of
 * @returns {typeof test}
 */
export function sampled(of) {
  return process.env["WEFT_TIER"] === "quick" ? rotating(of) : test;
}
