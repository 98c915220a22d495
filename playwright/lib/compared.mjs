// Notebooks that run as they are, with one more cell that compares what they compute, at a landing:
// `notebooks` of the page's tests need not run those once more.

import { share } from "./rotation.mjs";

/** One in so many cases of both lists runs at a landing. */
export const ONE_IN = 2;

/** The notebook of each case of `computed.test.mjs`, in its order; null where the case changes it
 * first. */
export const COMPUTED = ["frequencies", "table", "tensors", "gradients", "clusters", "cnn", "autoencoder", "diffusion", "embedder", "splats", "electrons", null, "electrons", "growing", "sorting", "ode", "kalman", "sound", "camera", "fusion", "plots", "races", "walks"];

/** The same of `simulations.test.mjs`. */
export const SIMULATED = ["nbody", "water", null, "fluid", "poisson", "buddhabrot", "pathtracer"];

/** Those of a list that run now. @param {(string | null)[]} list */
export const running = (list) => share(list, ONE_IN).flatMap((name) => name ?? []);
