// The package as the benchmark loads it: everything of the main entry, and `kernel` of the entry of
// kernels.

export * from "weft-gpu";
export { kernel } from "weft-gpu/kernel";
export * as kernels from "weft-gpu/kernel";
