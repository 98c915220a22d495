// Choice of the device, the badge that names it, and the loss of a device.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { cell, Playground, ready, runAll, runCell } from "../../lib/playground.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

const badge = (/** @type {Page} */ page) => page.locator(".badge-label").innerText();

test("where software imitates a GPU the CPU computes, the badge says so, and the reader may choose", async () => {
  const page = await playground.open(["print(deviceInfo().kind)"], { query: "?device=auto" });
  assert.equal(await badge(page), "CPU");
  assert.equal((await runCell(page, 1)).text, "cpu");
  await page.locator(".badge summary").click();
  assert.match(await page.locator(".badge-details").innerText(), /runs on the CPU here/);
  await page.getByRole("radio", { name: "High-performance GPU" }).check();
  await page.evaluate(() => window.weft.ready);
  assert.equal((await runCell(page, 1)).text, "webgpu");
  assert.match(await page.locator(".badge-details").innerText(), /fallback adapter/);
  // Remembered, where no address says otherwise.
  await page.goto(playground.url);
  await ready(page);
  assert.equal(await badge(page), "Software GPU");
  await page.context().close();
});

test("a device lost while nothing runs is seen at once, and one click starts anew and runs again", async () => {
  const page = await playground.open(["const a = tensor([1, 2]).add(1);\nprint(await a.array())", "print(await a.mul(2).array())", "print('never ran')"]);
  await runCell(page, 1);
  await runCell(page, 2);
  const browser = await playground.browser.newBrowserCDPSession();
  await browser.send("Browser.crashGpuProcess").catch(() => {});
  await page.locator(".badge-label", { hasText: "Device lost" }).waitFor({ timeout: 10_000 });
  // A cell that asks it for something says the same, and leads to the same.
  assert.equal((await runCell(page, 2)).status, "failed");
  await page.locator(".toast", { hasText: "The device was lost. The browser or its driver took it away. If that happens again," }).waitFor();
  await cell(page, 2).locator(".error").getByRole("button", { name: "Restart and run again" }).click();
  await page.waitForFunction(() => window.weft.cells().slice(0, 2).every(({ status }) => status === "done"), undefined, { timeout: 30_000 });
  assert.deepEqual(await page.evaluate(() => window.weft.cells().map(({ text }) => text)), ["[2, 3]", "[4, 6]", ""]);
  await page.context().close();
});

test("without its device a notebook still runs what needs none", async () => {
  const page = await playground.open(["tensor([1]).add(1)", "print(1 + 1)"]);
  await runAll(page);
  const browser = await playground.browser.newBrowserCDPSession();
  await browser.send("Browser.crashGpuProcess").catch(() => {});
  await page.locator(".badge-label", { hasText: "Device lost" }).waitFor({ timeout: 10_000 });
  assert.equal((await runCell(page, 2)).text, "2");
  await page.locator(".badge summary").click();
  await page.locator(".badge-details").getByRole("button", { name: "Restart and run again" }).click();
  await page.locator(".badge-label", { hasText: "Software GPU" }).waitFor({ timeout: 30_000 });
  await page.context().close();
});
