// Which browser runs, and with which flags? Chromium, headless, with WebGPU computed by SwiftShader, so that every
// machine without a GPU tests the same thing.

import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

/** WebGPU on the CPU, canvas included: without the Vulkan group the device is lost at the first canvas `configure`. */
export const WEBGPU = [
  "--enable-unsafe-webgpu",
  "--use-webgpu-adapter=swiftshader",
  "--use-angle=swiftshader",
  "--enable-features=Vulkan",
  "--use-vulkan=swiftshader",
];
export const QUIET = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];

const USUAL = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** The browser to run: `chosen`, else CHROME, else the first usual place that has one. */
export function findChrome(chosen = process.env["CHROME"]) {
  if (chosen) {
    if (!existsSync(chosen)) throw new Error(`no browser at ${chosen}`);
    return chosen;
  }
  const found = USUAL.find((path) => existsSync(path));
  if (!found) throw new Error("no Chromium or Chrome found: install one, or name it with --chrome or CHROME");
  return found;
}

/** @param {{ chrome?: string, webgpu?: boolean }} [options] */
export function launch({ chrome, webgpu = true } = {}) {
  return chromium.launch({
    executablePath: findChrome(chrome),
    args: webgpu ? [...QUIET, ...WEBGPU] : [...QUIET, "--disable-features=WebGPU,WebGPUService", "--disable-gpu"],
  });
}
