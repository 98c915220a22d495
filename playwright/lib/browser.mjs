// Browser and flags of the tests: Chromium, headless, with WebGPU computed by SwiftShader, so that
// every machine without a GPU tests the same thing.

import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

/** WebGPU on the CPU, canvas included: without the Vulkan group the device is lost at the first
 * canvas `configure`. */
export const WEBGPU = [
  "--enable-unsafe-webgpu",
  "--use-webgpu-adapter=swiftshader",
  "--use-angle=swiftshader",
  "--enable-features=Vulkan",
  "--use-vulkan=swiftshader",
];
export const QUIET = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
/** Where no GPU is, imitating how one paints a page costs more than all the page does. WebGPU is
 * not concerned. */
export const PAINTING = "--disable-gpu-compositing";
/** Two pages of the browser's own that each window, which is each context, would open for its
 * address bar. */
export const ADDRESS_BAR = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"];
/** Of several lists of features the last is the only one: what Playwright turns off for the sake of
 * tests must stand in it too. */
const UNTESTABLE = [
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
];

/** @param {string[]} features */
export const without = (features) => `--disable-features=${features.join()}`;

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

/** A camera and a microphone that the browser makes up, and that it grants without asking: the
 * page's own question remains. */
export const FAKE_DEVICES = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"];

/** @param {{ chrome?: string, webgpu?: boolean, more?: string[] }} [options] */
export function launch({ chrome, webgpu = true, more = [] } = {}) {
  return chromium.launch({
    executablePath: findChrome(chrome),
    args: webgpu
      ? [...QUIET, ...more, ...WEBGPU, PAINTING, without([...UNTESTABLE, ...ADDRESS_BAR])]
      : [...QUIET, ...more, "--disable-gpu", without([...UNTESTABLE, ...ADDRESS_BAR, "WebGPU", "WebGPUService"])],
  });
}
