// Options that the ways to run the benchmark share, and the sizes and libraries that they select.

import { weftOn } from "./libraries/weft.mjs";

/** @typedef {import("./run.mjs").Size} Size */
/** @typedef {import("./libraries/library.mjs").Library} Library */

const SIZES = /** @type {const} */ (["full", "medium", "software", "small"]);

/** @type {(given: string | null | undefined) => Size | undefined} */
export function sizeOf(given) {
  if (!given) return undefined;
  const known = SIZES.find((size) => size === given);
  if (!known) throw new Error(`the size is one of ${SIZES.join(", ")}, not ${given}`);
  return known;
}

/**
 * Weft twice, on the GPU and on its CPU device, and unless it is to be alone its peers; on adapters
 * that compute on the CPU, where it is a rival, Weft's own CPU device is measured too.
 * @param {import("./libraries/weft.mjs").Weft} gpu
 * @param {import("./libraries/weft.mjs").Weft} cpu Another instance of the module; the same will do
 * where its CPU device is not measured.
 * @param {{ alone: boolean, software: boolean, before?: import("./libraries/weft.mjs").Weft | undefined, parts?: { wasm?: URL, rest?: URL } | undefined }} options
 * `parts`: where Weft's WebAssembly is, if it does not know; `before`: another build to compare
 * with.
 */
export async function contestants(gpu, cpu, { alone, software, before, parts }) {
  const reference = weftOn(cpu, { device: "cpu", name: "Weft's CPU device", parts });
  const peers = alone ? [] : [await import("./libraries/jax.mjs"), await import("./libraries/tfjs.mjs"), await import("./libraries/bare.mjs")].map(({ library }) => library);
  /** @type {Library[]} */
  const libraries = [weftOn(gpu, { parts }), ...(before ? [weftOn(before, { name: "Weft before", isWeft: true })] : []), ...(software && !before ? [reference] : []), ...peers];
  return { libraries, reference };
}

/** Whether a GPU is one in name only. */
export async function isSoftware(/** @type {GPU} */ gpu) {
  const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
  const { architecture = "", description = "", isFallbackAdapter = false } = adapter?.info ?? {};
  return isFallbackAdapter || /swiftshader|llvmpipe|lavapipe/i.test(`${architecture} ${description}`);
}
