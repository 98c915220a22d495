// Entry of kernels, `weft-gpu/kernel`: JavaScript functions that run on the GPU. It is apart from
// the main entry because it carries a parser, which few pages need.

export type { BuiltArray, BuiltOutput, BuiltTensor, KernelBuilder, KernelOperand, KernelTerm, KernelVariable } from "./build.js";
export { kernel, kernelIn } from "./kernel.js";
export { KernelError } from "./errors.js";
export type { KernelReport } from "./reports.js";
export { assert, print } from "./plain.js";
export { pcg, rand, threefry, type KernelKey } from "./random.js";
export { exportWGSL } from "./export.js";
export { wgsl, type WgslOptions, type WgslOutput } from "./wgsl.js";
export type {
  Kernel, KernelArgument, KernelCapture, KernelEdge, KernelGroup, KernelGroupOptions, KernelOptions, KernelOutput, KernelOutputDType, KernelOutputOptions, KernelResult,
  KernelTensor, LoadOptions,
} from "./types.js";
