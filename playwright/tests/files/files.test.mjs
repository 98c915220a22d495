// Files that the reader brings: dropped, read by a cell that the page writes, kept from visit to
// visit, listed in the panel.

import assert from "node:assert/strict";
import { assertAccessible } from "../../lib/accessible.mjs";
import { drop } from "../../lib/drop.mjs";
import { cell, Playground, ready } from "../../lib/playground.mjs";
import { after, afterEach, before, test } from "../../lib/test.mjs";

/** @type {Playground} */
let playground;
before(async () => {
  playground = await Playground.start();
});
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

const IRIS = "length,width,kind\n5.1,3.5,setosa\n7.0,3.2,versicolor\nNA,3.3,virginica\n";
/** @param {import("playwright-core").Page} page */
const sources = (page) => page.evaluate(() => [...document.querySelectorAll(".code-cell")].map((each) => each.querySelector(".editor")?.shadowRoot?.querySelector(".cm-content")?.textContent ?? each.querySelector("pre")?.textContent ?? ""));
/** @param {import("playwright-core").Page} page */
const openPanel = async (page) => {
  await page.locator(".header .menu > summary").click();
  await page.getByRole("button", { name: "Files of this notebook…" }).click();
  return page.getByRole("dialog", { name: "Files of this notebook" });
};

test("a CSV that is dropped is a file of the notebook, read and shown by a cell, on the next visit too", async () => {
  const page = await playground.open(["const one = 1;\none", "2"], { bypassCSP: true });
  await drop(page, [{ name: "../iris.csv", text: IRIS }], ".code-cell");
  await page.waitForFunction(() => document.querySelectorAll(".code-cell").length === 3);
  // Below the cell that it fell on.
  await cell(page, 2).locator("table").waitFor();
  assert.match((await sources(page))[1] ?? "", /const iris = data\.csv\(await file\("iris\.csv"\)\);/);
  assert.match((await page.locator(".toast").textContent()) ?? "", /iris\.csv was added to this notebook/);
  await page.waitForFunction(() => !document.documentElement.hasAttribute("data-dropping"));

  await page.reload();
  await ready(page);
  const again = await page.evaluate(() => window.weft.runCell(2));
  assert.equal(again.status, "done", JSON.stringify(again.error));

  const panel = await openPanel(page);
  await panel.getByText("iris.csv", { exact: true }).waitFor();
  assert.match((await panel.textContent()) ?? "", /table, 69 bytes\. Kept in this browser\./);
  await assertAccessible(page, "the Files panel");
  await panel.getByRole("button", { name: "Remove: iris.csv" }).click();
  await panel.getByText("iris.csv was removed.").waitFor();
  await panel.getByRole("button", { name: "Undo" }).click();
  await panel.getByRole("button", { name: "Remove: iris.csv" }).click();
  await panel.getByRole("button", { name: "Close" }).click();
  const gone = await page.evaluate(() => window.weft.runCell(2));
  assert.match(gone.error?.message ?? "", /the notebook has no such file\. Drop it on the page to add it/);
  await page.context().close();
});

test("a notebook that is dropped is opened, and an editor takes no file as its text", async () => {
  const page = await playground.open(["let a = 1"]);
  await cell(page, 1).locator(".editor").click();
  await drop(page, [{ name: "notes.txt", text: "DROPPED" }], ".code-cell .editor");
  await page.waitForFunction(() => document.querySelectorAll(".code-cell").length === 2);
  const [first, second] = await sources(page);
  assert.equal(first, "let a = 1");
  assert.match(second ?? "", /const notes = await file\.text\("notes\.txt"\)/);
  await drop(page, [{ name: "mine.md", text: "# Mine\n\n```js\n1 + 1\n```\n" }]);
  await page.waitForFunction(() => document.title === "Mine · Weft");
  assert.equal(await page.locator(".code-cell").count(), 1);
  await page.context().close();
});
