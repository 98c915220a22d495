// Explanations of cells: one button shows what any cell computed, down to its WGSL.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { cell, Playground, runCell } from "../../lib/playground.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

/** Presses the button of a cell, and gives what is told. @param {Page} page @param {number} number */
async function told(page, number) {
  await cell(page, number).locator(".cm-content").click();
  await cell(page, number).getByRole("button", { name: "Explain what this code cell computed" }).click();
  const dialog = page.getByRole("dialog", { name: `What cell ${number} computed` });
  const text = (await dialog.getByRole("group", { name: "Explanation" }).textContent()) ?? "";
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  return text;
}

test("a cell tells what its last run computed, and only that", async () => {
  const page = await playground.open([
    "const x = tensor(new Float32Array(64));\nfor (let i = 0; i < 3; i++) await x.softmax().sum().item();",
    "await forLoop(0, 100, (_i, y) => y.mul(0.5).add(1), ones([16])).data();",
    "1 + 1",
  ]);
  assert.match(await told(page, 1), /Run the cell/);
  for (const number of [1, 2, 3]) await runCell(page, number);
  const first = await told(page, 1);
  assert.match(first, /^Program 1 of 1, ran 3 times\n/);
  for (const wanted of ["# Program", "# Clusters", "# Dispatches", "# Memory", "# Kernel 0", "@compute"]) assert.ok(first.includes(wanted), `${wanted} is not in\n${first}`);
  assert.match(first, /exp %/);
  const second = await told(page, 2);
  assert.match(second, /iterations=100/);
  assert.doesNotMatch(second, /exp %/);
  assert.match(await told(page, 3), /computed nothing/);
  await page.context().close();
});

test("what is drawn frame by frame is told as its cell's", async () => {
  const page = await playground.open(["animate((time) => ones([16, 16]).mul(time).sin());", "await ones([3]).cos().data();"]);
  await runCell(page, 1);
  await page.waitForTimeout(300);
  await runCell(page, 2);
  assert.match(await told(page, 1), /= sin %/);
  assert.match(await told(page, 2), /= cos %/);
  await page.context().close();
});
