// Notebooks that run as they are, with one more cell that compares what they compute, at a landing:
// `notebooks` of the page's tests need not run those once more.

import assert from "node:assert/strict";
import { share } from "./rotation.mjs";

/** One in so many cases of both lists runs at a landing. */
export const ONE_IN = 2;

/** The notebook of each case of `computed.test.mjs`, in its order; null where the case changes it
 * first. A new case has its entry here. */
export const COMPUTED = ["frequencies", "table", "tensors", "gradients", "clusters", "cnn", "autoencoder", "diffusion", "embedder", "splats", "electrons", null, "electrons", "growing", "sorting", "ode", "kalman", "sound", "camera", "fusion", "plots", "races", "walks"];

/** The same of `simulations.test.mjs`. */
export const SIMULATED = ["nbody", "water", null, "fluid", "poisson", "buddhabrot", "pathtracer"];

/** Throws where a list does not fit the cases of its file: how many there are, and which notebooks
 * have run as they are.
 * @param {string} list @param {(string | null)[]} names @param {number} cases @param {ReadonlySet<string>} ran */
export function assertListed(list, names, cases, ran) {
  const where = `${list} of playwright/lib/compared.mjs names the notebook of each case, in order, or null where the case changes it first`;
  assert.equal(names.length, cases, `${where}: there are ${cases} cases`);
  for (const name of running(names)) assert.ok(ran.has(name), `${where}: the case at the place of ${name} did not run it as it is`);
}

/** Those of a list that run now. @param {(string | null)[]} list */
export const running = (list) => share(list, ONE_IN).flatMap((name) => name ?? []);
