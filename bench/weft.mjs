// The package as the benchmark loads it: the inline build, and `kernel` of the entry of kernels.

export * from "../dist/npm/inline.js";
export { kernel } from "../dist/npm/kernel.js";
