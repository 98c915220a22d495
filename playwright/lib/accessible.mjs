// Accessibility checks by axe, best practice included.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Needs a context with `bypassCSP`. @param {import("playwright-core").Page} page @param {string} view */
export async function assertAccessible(page, view) {
  await stands(page);
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await /** @type {any} */ (globalThis).axe.run(document, { resultTypes: ["violations"] });
    return violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes[0].html}`);
  });
  assert.deepEqual(found, [], view);
}

/**
 * The editors in view are there, what moves to an end has come to it, and that is painted. What is not drawn does not move on, and some begins anew
 * over and over: for neither is waited longer than what a reader sees takes.
 * @param {import("playwright-core").Page} page
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
