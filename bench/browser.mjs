// The browser that measures: Chromium, with WebGPU on the machine's own GPU, or on SwiftShader.

import { chromium } from "playwright-core";
import { QUIET, WEBGPU } from "../playwright/lib/browser.mjs";

/** WebGPU on the machine's own GPU, which Chromium on Linux does not give to everyone. */
const HARDWARE = ["--enable-unsafe-webgpu", "--ignore-gpu-blocklist", ...(process.platform === "linux" ? ["--use-angle=vulkan", "--enable-features=Vulkan", "--disable-vulkan-surface"] : [])];

/** @param {{ chrome: string, headed: boolean, software: boolean }} options */
export const start = ({ chrome, headed, software }) => chromium.launch({ executablePath: chrome, headless: !headed, args: [...QUIET, ...(software ? WEBGPU : HARDWARE)] });
