// CPU time of a training step. Each round is the first page of a new browser. It measures the
// opening of a device with WebGPU alone and with Weft, the first value of a training step that
// nothing has cached yet, and the time that the page's thread takes for each later step, beside the
// same calls of WebGPU made by hand.
//
//   node bench/step.mjs PACKED [--rounds N] [--headed] [--software] [--json FILE]
//                       [--chrome PATH]

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { findChrome } from "../playwright/lib/browser.mjs";
import { serve } from "../playwright/lib/server.mjs";
import { start } from "./browser.mjs";
import { median } from "./measure.mjs";

/** @typedef {import("./step/page.mjs").ColdStart} ColdStart */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "7" }, headed: { type: "boolean" }, software: { type: "boolean" }, json: { type: "string" }, chrome: { type: "string" } },
});
const [folder] = positionals;
if (!folder) throw new Error("name the folder that pack.mjs wrote");

/** @type {ColdStart[]} */
const rounds = [];
const site = await serve(folder);
try {
  for (let round = 0; round < Number(values.rounds); round++) {
    const browser = await start({ chrome: findChrome(values.chrome), headed: values.headed ?? false, software: values.software ?? false });
    try {
      const page = await browser.newPage();
      await page.goto(`${site.url}step.html${values.software ? "?software" : ""}`);
      await page.waitForFunction("window.cold", undefined, { timeout: 120_000 });
      const report = /** @type {ColdStart & { error?: string }} */ (await page.evaluate("window.cold"));
      if (report.error) throw new Error(report.error);
      rounds.push(report);
    } finally {
      await browser.close();
    }
  }
} finally {
  await site.close();
}

const row = (/** @type {string} */ name, /** @type {string} */ unit, /** @type {(report: ColdStart) => number} */ of) => {
  const all = rounds.map(of);
  console.log([name.padEnd(44), `${median(all).toFixed(1)} ${unit}`.padStart(10), `${Math.min(...all).toFixed(1)}–${Math.max(...all).toFixed(1)}`.padStart(16)].join(" "));
};
row("opening a device, WebGPU alone", "ms", ({ bare }) => bare);
row("opening a device, Weft", "ms", ({ init }) => init);
row("first value of a new training step", "ms", ({ first }) => first);
row("of which the call held the thread", "ms", ({ firstOwn }) => firstOwn);
row("which of a twelfth such step after thousands", "ms", ({ laterOwn }) => laterOwn);
row("a captured step, CPU", "µs", ({ captured }) => captured.median);
row("a captured step, CPU, least round", "µs", ({ captured }) => captured.least);
row("its calls of WebGPU by hand", "µs", ({ byHand }) => byHand.median);
row("an eager step, CPU", "µs", ({ eager }) => eager.median);
row("an eager step, CPU, least round", "µs", ({ eager }) => eager.least);
row("calls of WebGPU in a captured step", "", ({ calls }) => calls);
row("dispatches in a step", "", ({ dispatches }) => dispatches);
if (values.json) writeFileSync(values.json, JSON.stringify(rounds, null, 1));
