// The packed benchmark in Chromium: runs it, prints its table and writes its report.
//
//   node bench/headless.mjs PACKED [--only REGEX] [--size SIZE] [--quick] [--alone] [--headed]
//                           [--software] [--json FILE] [--chrome PATH]

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { findChrome } from "../playwright/lib/browser.mjs";
import { serve } from "../playwright/lib/server.mjs";
import { start } from "./browser.mjs";

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
const browser = await start({ chrome: findChrome(values.chrome), headed: values.headed ?? false, software: values.software ?? false });
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
