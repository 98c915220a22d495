// Is every view accessible, best practice included: as it opens, after a run, with what is old or saved, with what opens over it,
// and where nothing could be opened?

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { Playground, ready, runAll } from "../lib/playground.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());

/** @param {import("playwright-core").Page} page @param {string} view */
async function assertAccessible(page, view) {
  await page.waitForTimeout(500);
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await /** @type {any} */ (globalThis).axe.run(document, { resultTypes: ["violations"] });
    return violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes[0].html}`);
  });
  assert.deepEqual(found, [], view);
}

for (const [width, colorScheme] of /** @type {const} */ ([[1440, "light"], [1024, "dark"], [390, "dark"]])) {
  test(`${width} pixels wide and ${colorScheme}: every view is accessible`, async () => {
    const context = await playground.browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
    const page = await context.newPage();
    await page.goto(`${playground.url}?notebook=welcome`);
    await ready(page);
    await assertAccessible(page, "as it opens");
    assert.equal((await runAll(page)).ok, true);
    await page.evaluate(() => window.weft.setCell(1, "const a = tensor([[1, 2, 3], [4, 5, 7]]);\na"));
    await page.waitForFunction(() => document.querySelectorAll('.code-cell[data-status="stale"]').length > 1);
    await assertAccessible(page, "after a run, and an edit");
    await page.locator(".badge summary").click();
    await assertAccessible(page, "with the badge open");
    await page.keyboard.press("Escape");
    await page.evaluate(() => window.weft.setCell(1, "missing.value"));
    await page.evaluate(() => window.weft.runCell(1));
    await assertAccessible(page, "with an error");
    await page.waitForFunction(() => localStorage.getItem("weft:outputs") !== null);
    await page.reload();
    await ready(page);
    await assertAccessible(page, "with saved outputs");
    await page.goto(`${playground.url}?notebook=nowhere`);
    await ready(page);
    await assertAccessible(page, "where there is no notebook");
    await context.close();
  });
}
