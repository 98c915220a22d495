// A GPU in Node, through the npm package `webgpu` (Dawn). Without Dawn or a driver tests fail; they
// do not skip.

import { existsSync } from "node:fs";
import { pollSeldom } from "../../../bench/dawn.mjs";

/** Debian's Chromium brings a driver that computes on the CPU. */
const SWIFTSHADER = "/usr/lib/chromium/vk_swiftshader_icd.json";

// SwiftShader computes on the cores that Dawn's polls would take.
pollSeldom();

/** All that were made: Dawn does not outlive one that is collected. */
const made: GPU[] = [];

const kept = (gpu: GPU): GPU => (made.push(gpu), gpu);

/** What stands for `navigator.gpu`. */
export async function dawn(): Promise<GPU> {
  if (!process.env.VK_ICD_FILENAMES && !process.env.VK_DRIVER_FILES && existsSync(SWIFTSHADER)) {
    process.env.VK_ICD_FILENAMES = SWIFTSHADER;
  }
  const { create } = await import("webgpu");
  return kept(create([]) as GPU);
}

/** A GPU that takes everything and runs nothing, with the least limits that WebGPU allows: what is
 * sent to it can be counted, and values are none. */
export async function idle(): Promise<GPU> {
  const { create } = await import("webgpu");
  return kept(create(["backend=null"]) as GPU);
}

/** Lets a software adapter pass for a card. */
export function asHardware(gpu: GPU): void {
  passFor(gpu, { vendor: "nvidia", architecture: "hopper", device: "", description: "a card", isFallbackAdapter: false, subgroupMinSize: 4, subgroupMaxSize: 128 });
}

/** Lets an adapter that runs nothing pass for SwiftShader. */
export function asSoftware(gpu: GPU): void {
  passFor(gpu, { vendor: "google", architecture: "swiftshader", device: "", description: "", isFallbackAdapter: true, subgroupMinSize: 4, subgroupMaxSize: 4 });
}

function passFor(gpu: GPU, info: Omit<GPUAdapterInfo, "__brand">): void {
  const requestAdapter = gpu.requestAdapter.bind(gpu);
  gpu.requestAdapter = async (options) => {
    const adapter = await requestAdapter(options);
    return adapter && Object.defineProperty(adapter, "info", { value: info });
  };
}
