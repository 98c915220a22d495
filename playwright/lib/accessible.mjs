// Accessibility checks by axe, best practice included.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Rules whose verdict depends on colours: nothing else differs between colour schemes. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** @typedef {import("playwright-core").Page} Page */

/** Needs a context with `bypassCSP`.
 * @param {Page} page
 * @param {string} view
 * @param {readonly string[] | null} [rules] all, unless they are named */
export async function assertAccessible(page, view, rules = null) {
  await stands(page);
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  const found = await page.evaluate(async (rules) => {
    // No rule that runs here reads style sheets, which would be fetched for it.
    const options = { resultTypes: ["violations"], preload: false, ...(rules && { runOnly: rules }) };
    const { violations } = await /** @type {any} */ (globalThis).axe.run(document, options);
    return violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`);
  }, rules);
  assert.deepEqual(found, [], view);
}

/** In the light and in the dark, with the same elements. @param {Page} page @param {string} view */
export async function assertAccessibleInBoth(page, view) {
  await page.emulateMedia({ colorScheme: "light" });
  await assertAccessible(page, `${view}, light`);
  await page.emulateMedia({ colorScheme: "dark" });
  await assertAccessible(page, `${view}, dark`, OF_COLOURS);
}

/**
 * The editors in view are there, what moves to an end has come to it, and that is painted. What is
 * not drawn does not move on, and some begins anew over and over: for neither is waited longer than
 * what a reader sees takes.
 * @param {Page} page
 */
async function stands(page) {
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".code-cell .editor-frame")].every((frame) => {
      const { top, bottom, height } = frame.getBoundingClientRect();
      return height === 0 || bottom < 0 || top > innerHeight || frame.querySelector(".editor")?.shadowRoot?.querySelector(".cm-content");
    }),
  );
  await page.evaluate(async () => {
    const painted = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const roots = () => [document, ...[...document.querySelectorAll(".editor")].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
    const ending = () => roots().flatMap((root) => root.getAnimations()).filter(({ playState, effect }) => playState === "running" && effect?.getComputedTiming().endTime !== Infinity);
    await painted();
    const enough = performance.now() + 1000;
    for (let left = ending(); left.length > 0 && performance.now() < enough; left = ending()) {
      const waited = new Promise((resolve) => setTimeout(resolve, enough - performance.now()));
      await Promise.race([waited, Promise.allSettled(left.map(({ finished }) => finished))]);
    }
    await painted();
  });
}
