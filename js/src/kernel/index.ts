// Entry of kernels: `weft-gpu/kernel`.

export { KernelError } from "./errors.js";
export { pcg, rand } from "./plain.js";
