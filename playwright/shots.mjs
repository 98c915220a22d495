// Screenshots of the page for review: ten views, light and dark, 1440, 1024 and 390 pixels wide, as
// pictures in a folder:
//
//   cargo xtask build && node playwright/shots.mjs FOLDER [VIEW…]

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Playground, ready, runAll } from "./lib/playground.mjs";

const [folder, ...asked] = process.argv.slice(2);
if (!folder) {
  console.error("usage: node shots.mjs FOLDER [VIEW…]");
  process.exit(2);
}

/** @typedef {import("playwright-core").Page} Page */
/** @param {string} selector
 * @param {ScrollLogicalPosition} [block]
 * @returns {(page: Page) => Promise<void>} */
const at = (selector, block = "center") => (page) => page.locator(selector).first().evaluate((element, block) => element.scrollIntoView({ block, behavior: "instant" }), block);
/** @param {Page} page */
const all = async (page) => void (await runAll(page));

/**
 * Which notebook, what is done there once, and what is brought into view for each picture.
 * @type {Record<string, { notebook: string, act?: (page: Page) => Promise<void>, look?: (page: Page) => Promise<void> }>}
 */
const VIEWS = {
  opening: { notebook: "welcome", act: (page) => page.waitForTimeout(4_000) },
  outputs: { notebook: "welcome", act: all, look: at(".tensor", "start") },
  chart: { notebook: "welcome", act: all, look: at(".chart") },
  training: {
    notebook: "mnist",
    act: async (page) => {
      await page.getByRole("button", { name: "Run all" }).click();
      await page.waitForFunction(() => /· [3-9]\d %/.test(document.querySelector(".pill")?.textContent ?? ""), null, { timeout: 120_000 });
    },
    look: at(".chart"),
  },
  finale: {
    notebook: "mnist",
    act: async (page) => {
      await runAll(page);
      const pad = page.locator("canvas.pad");
      await pad.scrollIntoViewIfNeeded();
      // Cells above are laid out in full only now.
      await page.waitForTimeout(1_000);
      await pad.scrollIntoViewIfNeeded();
      const box = await pad.boundingBox();
      if (!box) throw new Error("there is no pad");
      await page.mouse.move(box.x + 70, box.y + 50);
      await page.mouse.down();
      await page.mouse.move(box.x + 170, box.y + 50, { steps: 10 });
      await page.mouse.move(box.x + 110, box.y + 200, { steps: 10 });
      await page.mouse.up();
      await page.mouse.move(5, 500);
      await page.waitForTimeout(1_500);
    },
    look: at(".pad-row"),
  },
  gradients: { notebook: "gradients", act: all, look: at(".plot-figure >> nth=1") },
  filters: { notebook: "filters", act: all, look: at("figure.image >> nth=1") },
  mandelbrot: { notebook: "mandelbrot", act: all, look: at("figure.image") },
  waves: { notebook: "waves", act: all, look: at("figure.image") },
  trouble: {
    notebook: "welcome",
    act: async (page) => {
      await page.evaluate(() => window.weft.setCell(2, "console.warn('a warning');\nconsole.error('an error of the console');\nprint('a line');\ntable([{ name: 'one', value: 1.5, count: 12000 }, { name: 'two', value: -0.25, count: 7 }]);\nzeros([64, 784]).matmul(zeros([10, 784]))"));
      await page.evaluate(() => window.weft.runCell(2));
    },
    look: at(".error"),
  },
};

await mkdir(folder, { recursive: true });
const playground = await Playground.start({ ownData: true });
try {
  for (const [name, { notebook, act, look }] of Object.entries(VIEWS)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const context = await playground.browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(`${playground.url}?notebook=${notebook}`);
    await ready(page);
    await act?.(page);
    for (const bar of await page.getByRole("button", { name: "Pause" }).all()) await bar.click();
    for (const [width, height] of /** @type {const} */ ([[1440, 900], [1024, 768], [390, 844]])) {
      for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme });
        await look?.(page);
        await page.waitForTimeout(600);
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), timeout: 60_000 });
      }
    }
    console.log(name);
    await context.close();
  }
} finally {
  await playground.stop();
}
