// Is what a page shows accessible, best practice included? As axe judges it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Needs a context with `bypassCSP`. @param {import("playwright-core").Page} page @param {string} view */
export async function assertAccessible(page, view) {
  await page.waitForTimeout(500);
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await /** @type {any} */ (globalThis).axe.run(document, { resultTypes: ["violations"] });
    return violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes[0].html}`);
  });
  assert.deepEqual(found, [], view);
}
