// Screenshots of the page for review: its views, and what opens over them and beside them, light
// and dark, 1440, 1024 and 390 pixels wide, as pictures in a folder:
//
//   cargo xtask build && node playwright/shots.mjs FOLDER [VIEW…]

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { drop } from "./lib/drop.mjs";
import { cell, Playground, ready, runAll } from "./lib/playground.mjs";

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
/** @param {Page} page @param {string} name */
const choose = async (page, name) => {
  await page.locator(".header .menu summary").click();
  await page.getByRole("button", { name }).click();
};
/** A cell in the inspector, recorded, with one of its tabs in front.
 * @param {string} tab
 * @returns {(page: Page) => Promise<void>} */
const inspected = (tab) => async (page) => {
  await runAll(page);
  await cell(page, 2).locator(".cm-content").click();
  await cell(page, 2).getByRole("button", { name: "Inspect what this code cell computed" }).click();
  await page.getByRole("button", { name: "Run and record" }).click();
  await page.getByRole("tab", { name: tab }).click();
  await page.waitForTimeout(2_000);
};
const OWN = ["# Flowers by petal\n\n```js\nplot([1, 4, 9, 16])\n```\n", "# A walk in the plane\n\n```js\nscatter(random.normal([200, 2]))\n```\n", "# Notes on attention\n\nNothing yet.\n"];

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
  mine: {
    notebook: "welcome",
    act: async (page) => {
      for (const [i, text] of OWN.entries()) {
        await drop(page, [{ name: `${i}.md`, text }]);
        await page.waitForURL(/mine=/);
        await ready(page);
        await runAll(page);
        await page.waitForTimeout(1_500);
      }
    },
    look: async (page) => {
      const list = page.getByRole("button", { name: "Notebooks", exact: true });
      if ((await list.isVisible()) && (await list.getAttribute("aria-expanded")) === "false") await list.click();
    },
  },
  history: {
    notebook: "tensors",
    act: async (page) => {
      await runAll(page);
      await page.evaluate(() => window.weft.setCell(1, "const a = tensor([[1, 2, 3], [4, 5, 6]]);\na * 2"));
      await runAll(page);
      await choose(page, "History of this notebook…");
      await page.locator("dialog .history").waitFor();
    },
  },
  files: {
    notebook: "table",
    act: async (page) => {
      await drop(page, [{ name: "a rather long name of a table of measurements.csv", text: "a,b\n1,2\n3,4\n" }]);
      await page.waitForTimeout(1_500);
      await choose(page, "Files of this notebook…");
    },
  },
  share: { notebook: "tensors", act: async (page) => (await runAll(page), choose(page, "Share and export…")) },
  reference: { notebook: "tensors", act: (page) => choose(page, "Reference") },
  find: {
    notebook: "gradients",
    act: async (page) => {
      await choose(page, "Find and replace…");
      await page.keyboard.type("grad");
    },
  },
  proposals: {
    notebook: "tensors",
    act: async (page) => {
      await page.locator(".code-cell", { hasText: "const table = tensor" }).locator(".cm-content").click();
      await page.keyboard.press("Control+End");
      await page.keyboard.type("\ntable.mat");
      await page.locator(".cm-tooltip-autocomplete").getByText("matmul").first().waitFor();
    },
  },
  kernels: { notebook: "gradients&device=webgpu", act: inspected("Kernels") },
  graph: { notebook: "gradients&device=webgpu", act: inspected("Graph") },
  timeline: { notebook: "gradients&device=webgpu", act: inspected("Timeline") },
  contour: { notebook: "plots", act: all, look: at('.code-cell:has-text("contour(") .plot-figure') },
  reader: { notebook: "clusters", act: async (page) => (await runAll(page), choose(page, "Reader's view on or off")) },
  embed: {
    notebook: "tensors",
    act: async (page) => {
      await runAll(page);
      await choose(page, "Share and export…");
      await page.getByLabel("With outputs").check();
      await page.getByText(/The link has \d\d+ KB/).waitFor();
      const link = await page.getByLabel("Link to this notebook").inputValue();
      await page.goto(link.replace("#", "?embed#"));
      await page.locator(".embed-bar").waitFor();
    },
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
    // Below a dialog as well.
    await page.getByRole("button", { name: "Pause" }).evaluateAll((all) => all.forEach((each) => each instanceof HTMLElement && each.click()));
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
