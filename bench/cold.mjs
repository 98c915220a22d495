// Time to a page's first result, the bytes it fetches for that, and the memory of training. The
// same program, a product of two matrices that is read, runs in a page of its own for each library.
// Each round is a new profile of the browser, so that nothing is in any cache, and the libraries
// take turns; files come from localhost.
//
//   node bench/cold.mjs PACKED [--rounds N] [--headed] [--software] [--json FILE]
//                       [--chrome PATH]

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { findChrome } from "../playwright/lib/browser.mjs";
import { serve } from "../playwright/lib/server.mjs";
import { start } from "./browser.mjs";
import { median } from "./measure.mjs";

/** @typedef {{ library: string, ms: number, least: number, most: number, own: number, rounds: number, bytes: number, gpuBytes: number }} Cold
 * Milliseconds until the first result, and from the device to it; what was fetched, compressed;
 * buffers at their peak in ten steps of training. */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "7" }, headed: { type: "boolean" }, software: { type: "boolean" }, json: { type: "string" }, chrome: { type: "string" } },
});
const [folder] = positionals;
if (!folder) throw new Error("name the folder that pack.mjs wrote");
const LIBRARIES = ["weft", "jax", "tfjs"];
const TITLES = { weft: "Weft", jax: "jax-js", tfjs: "TensorFlow.js" };

/** @type {Record<string, { times: number[], owns: number[], bytes: number, peak: number }>} */
const all = Object.fromEntries(LIBRARIES.map((library) => [library, { times: [], owns: [], bytes: 0, peak: 0 }]));

/**
 * What a page tells when it is done.
 * @param {import("playwright-core").Browser} browser
 * @param {string} address
 * @param {Set<string>} [fetched] Gets the files that the page asks for.
 */
async function measured(browser, address, fetched) {
  const page = await browser.newPage();
  page.on("request", (request) => fetched?.add(new URL(request.url()).pathname.slice(1)));
  await page.goto(address);
  await page.waitForFunction("window.cold", undefined, { timeout: 120_000 });
  const report = /** @type {{ ms: number, own: number, value: number, peak: number, error?: string }} */ (await page.evaluate("window.cold"));
  await page.close();
  if (report.error) throw new Error(`${address}: ${report.error}`);
  return report;
}

const site = await serve(folder);
try {
  for (let round = 0; round < Number(values.rounds); round++) {
    for (let turn = 0; turn < LIBRARIES.length; turn++) {
      const library = /** @type {string} */ (LIBRARIES[(round + turn) % LIBRARIES.length]);
      const browser = await start({ chrome: findChrome(values.chrome), headed: values.headed ?? false, software: values.software ?? false });
      try {
        /** @type {Set<string>} */
        const fetched = new Set();
        const { ms, own: after, value } = await measured(browser, `${site.url}cold-${library}.html`, fetched);
        if (Math.abs(value - 256) > 0.01) throw new Error(`${library} computes ${value}, not 256`);
        const own = all[library];
        if (!own) continue;
        own.times.push(ms);
        own.owns.push(after);
        console.error(`${TITLES[/** @type {keyof typeof TITLES} */ (library)]}: ${ms.toFixed(0)} ms, ${after.toFixed(0)} of them with the device there`);
        own.bytes = [...fetched].filter((name) => /\.(mjs|html|wasm)$/.test(name)).reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
        if (round === 0) own.peak = (await measured(browser, `${site.url}memory.html?library=${library}&size=${values.software ? "software" : "full"}`)).peak;
      } finally {
        await browser.close();
      }
    }
  }
} finally {
  await site.close();
}

/** @type {Cold[]} */
const rows = LIBRARIES.map((library) => {
  const { times, owns, bytes, peak } = /** @type {{ times: number[], owns: number[], bytes: number, peak: number }} */ (all[library]);
  return { library: TITLES[/** @type {keyof typeof TITLES} */ (library)], ms: median(times), least: Math.min(...times), most: Math.max(...times), own: median(owns), rounds: times.length, bytes, gpuBytes: peak };
});
console.log(["library".padEnd(16), "first result".padStart(14), "least–most".padStart(18), "from the device".padStart(17), "fetched, gzip".padStart(15), "GPU memory, training".padStart(22)].join(" "));
for (const { library, ms, least, most, own, bytes, gpuBytes } of rows) {
  console.log([library.padEnd(16), `${ms.toFixed(0)} ms`.padStart(14), `${least.toFixed(0)}–${most.toFixed(0)}`.padStart(18), `${own.toFixed(0)} ms`.padStart(17), `${(bytes / 1000).toFixed(0)} KB`.padStart(15), `${(gpuBytes / 1e6).toFixed(1)} MB`.padStart(22)].join(" "));
}
if (values.json) writeFileSync(values.json, JSON.stringify(rows, null, 1));
