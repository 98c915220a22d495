// Entry of kernels, `weft-gpu/kernel`: JavaScript functions that run on the GPU. It is apart from the
// main entry because it carries a parser, which few pages need.

export { kernel, kernelIn } from "./kernel.js";
export { KernelError } from "./errors.js";
export { exportWGSL } from "./export.js";
export { wgsl, type WgslOptions, type WgslOutput } from "./wgsl.js";
export { pcg, rand } from "./plain.js";
export type {
  Kernel, KernelArgument, KernelCapture, KernelEdge, KernelOptions, KernelOutput, KernelOutputDType, KernelOutputOptions, KernelResult,
  KernelTensor, LoadOptions,
} from "./types.js";
