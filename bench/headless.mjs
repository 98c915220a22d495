// Runs the packed benchmark in Chromium, prints its table and writes its report.
//
//   node bench/headless.mjs PACKED [--only REGEX] [--size SIZE] [--quick] [--alone] [--headed] [--software] [--json FILE] [--chrome PATH]

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { findChrome, QUIET, WEBGPU } from "../playwright/lib/browser.mjs";
import { serve } from "../playwright/lib/server.mjs";

/** WebGPU on the machine's own GPU, which Chromium on Linux does not give to everyone. */
const HARDWARE = ["--enable-unsafe-webgpu", "--ignore-gpu-blocklist", ...(process.platform === "linux" ? ["--use-angle=vulkan", "--enable-features=Vulkan", "--disable-vulkan-surface"] : [])];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string" },
    size: { type: "string" },
    quick: { type: "boolean" },
    alone: { type: "boolean" },
    headed: { type: "boolean" },
    software: { type: "boolean" },
    json: { type: "string" },
    chrome: { type: "string" },
  },
});
const [folder] = positionals;
if (!folder) throw new Error("name the folder that pack.mjs wrote");
const site = await serve(folder);
const browser = await chromium.launch({ executablePath: findChrome(values.chrome), headless: !values.headed, args: [...QUIET, ...(values.software ? WEBGPU : HARDWARE)] });
try {
  const page = await browser.newPage();
  page.on("console", (message) => console.error(message.text()));
  const size = values.quick ? "small" : values.size;
  const asked = new URLSearchParams({ ...(values.only ? { only: values.only } : {}), ...(size ? { size } : {}), ...(values.alone ? { alone: "" } : {}) });
  await page.goto(`${site.url}bench.html?${asked}`);
  await page.waitForFunction("window.measured", undefined, { timeout: 0 });
  const { report, text } = /** @type {{ report?: import("./run.mjs").Report, text: string }} */ (await page.evaluate("window.measured"));
  console.log(text);
  if (values.json && report) writeFileSync(values.json, JSON.stringify(report, null, 1));
  process.exitCode = report && !report.failures.some(({ library }) => library.startsWith("Weft")) ? 0 : 1;
} finally {
  await browser.close();
  await site.close();
}
