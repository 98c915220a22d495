// A GPU in Node, through the npm package `webgpu` (Dawn). Without Dawn or a driver tests fail; they do not skip.

import { existsSync } from "node:fs";

/** Debian's Chromium brings a driver that computes on the CPU. */
const SWIFTSHADER = "/usr/lib/chromium/vk_swiftshader_icd.json";

/** What stands for `navigator.gpu`. */
export async function dawn(): Promise<GPU> {
  if (!process.env.VK_ICD_FILENAMES && !process.env.VK_DRIVER_FILES && existsSync(SWIFTSHADER)) {
    process.env.VK_ICD_FILENAMES = SWIFTSHADER;
  }
  const { create } = await import("webgpu");
  return create([]) as GPU;
}
