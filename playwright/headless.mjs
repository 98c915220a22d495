// Headless runner of notebooks. It opens the page in headless Chromium, runs all cells in order,
// streams what they print, and reports by its exit code whether all of them succeeded.
//
//   node headless.mjs --url URL --notebook FILE [--timeout SECONDS] [--screenshot FILE]
//                     [--chrome PATH] [--device webgpu|cpu]
//
// Text goes to stdout as it comes; errors, with their cell and line, to stderr. Exit codes: 0 every
// cell succeeded, 1 a cell failed, 2 the notebook could not be run, 3 time ran out.

import { readFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { launch } from "./lib/browser.mjs";

const PROGRESS_PACE = 2_000;

const { values } = parseArgs({
  options: {
    url: { type: "string" },
    notebook: { type: "string" },
    timeout: { type: "string", default: "600" },
    screenshot: { type: "string" },
    chrome: { type: "string" },
    device: { type: "string" },
  },
});
const { url, notebook, screenshot } = values;
const seconds = Number(values.timeout);
if (!url || !notebook || !(seconds > 0)) {
  console.error("usage: node headless.mjs --url URL --notebook FILE [--timeout SECONDS] [--screenshot FILE] [--chrome PATH] [--device webgpu|cpu]");
  process.exit(2);
}

/** Writes live lines (progress) at a pace that a log can bear, and everything else at once. */
class Printer {
  /** What waits to be printed, what was printed last and when.
   * @type {Map<number, { text: string, last: string, printed: number }>} */
  live = new Map();

  /** @param {import("../web/src/hook").HookEvent} event */
  print(event) {
    if (event.type === "error") {
      const line = event.line === null ? "" : `, line ${event.line}`;
      console.error(`cell ${event.cell}${line}: ${event.name}: ${event.message}`);
    } else if (event.type === "device-lost") {
      console.error(event.message);
    } else if (event.type === "end") {
      this.flush();
    } else if (event.type === "output" && event.live) {
      const known = this.live.get(event.output);
      // Pictures that move say the same again and again.
      if (known?.last === event.text) {
        known.text = "";
      } else if (known && Date.now() - known.printed < PROGRESS_PACE) {
        known.text = event.text;
      } else {
        process.stdout.write(event.text);
        this.live.set(event.output, { text: "", last: event.text, printed: Date.now() });
      }
    } else if (event.type === "output") {
      this.live.delete(event.output);
      process.stdout.write(event.text);
    }
  }

  flush() {
    for (const known of this.live.values()) {
      if (known.text === "") continue;
      process.stdout.write(known.text);
      Object.assign(known, { text: "", last: known.text });
    }
  }
}

/** @param {import("playwright-core").Page} page @param {string} file */
async function takeScreenshot(page, file) {
  // As tall as the notebook: what lies outside the viewport is laid out only when it comes into
  // view.
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: 1280, height: Math.min(Math.max(height, 800), 16_000) });
  await page.waitForTimeout(400);
  await page.screenshot({ path: file });
}

async function main() {
  const browser = await launch(values.chrome ? { chrome: values.chrome } : {});
  let timer;
  const timeout = new Promise((resolve) => (timer = setTimeout(() => resolve("timeout"), seconds * 1_000)));
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.on("pageerror", (error) => console.error(`page: ${error.message}`));
    const name = basename(String(notebook));
    // A notebook that is at hand runs as it is now, whether or not the site was built since.
    if (existsSync(String(notebook))) {
      const text = await readFile(String(notebook), "utf8");
      await page.route(`**/notebooks/${name}`, (route) => route.fulfill({ body: text, contentType: "text/markdown" }));
      await page.route("**/notebooks/index.json", async (route) => {
        const response = await route.fetch().catch(() => null);
        /** @type {{ file: string }[]} */
        const entries = response?.ok() ? await response.json() : [];
        if (!entries.some(({ file }) => file === name)) entries.push(Object.assign({ file: name }, { title: name, summary: "" }));
        await route.fulfill({ json: entries });
      });
    }
    const printer = new Printer();
    await page.exposeFunction("weftHeadless", (/** @type {import("../web/src/hook").HookEvent} */ event) => printer.print(event));
    const address = new URL(String(url));
    address.searchParams.set("notebook", name.replace(/\.md$/, ""));
    if (values.device) address.searchParams.set("device", values.device);

    const run = async () => {
      await page.goto(address.href);
      await page.waitForFunction(() => "weft" in window);
      const problem = await page.evaluate(async () => {
        window.weft.subscribe((event) => globalThis.weftHeadless(event));
        const failed = document.querySelector(".banner.failed:not([hidden])");
        if (failed) return failed.textContent;
        const state = await window.weft.ready;
        return state.kind === "failed" ? state.message : null;
      });
      if (problem !== null) {
        console.error(problem);
        return 2;
      }
      const { ok } = await page.evaluate(() => window.weft.runAll());
      return ok ? 0 : 1;
    };
    const outcome = await Promise.race([run(), timeout]);
    printer.flush();
    if (outcome === "timeout") console.error(`the notebook was still running after ${seconds} s`);
    if (screenshot) await takeScreenshot(page, screenshot);
    return outcome === "timeout" ? 3 : Number(outcome);
  } finally {
    clearTimeout(timer);
    await browser.close();
  }
}

process.exitCode = await main().catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  return 2;
});
