// The benchmark's page. A reader reaches it from the menu. It loads the code that measures, and the
// peers, when the reader asks for them, shows the results, stops, and offers the report.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { rotating } from "../../lib/rotation.mjs";
import { after, afterEach, before } from "../../lib/test.mjs";
import { assertAccessibleInBoth } from "../../lib/accessible.mjs";
import { Playground, ready } from "../../lib/playground.mjs";

const test = rotating(3);

/** @type {Playground} */
let playground;
before(async () => {
  playground = await Playground.start();
});
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

/**
 * The page with these workloads alone, and what it fetches.
 * @param {string} only
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
async function opened(only, options = {}) {
  const context = await playground.browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && playground.complaints.push(message.text()));
  page.on("pageerror", (error) => playground.complaints.push(error.message));
  /** @type {string[]} */
  const fetched = [];
  page.on("request", (request) => fetched.push(request.url()));
  await page.goto(`${playground.url}bench.html?only=${encodeURIComponent(only)}`);
  await page.getByRole("button", { name: "Measure" }).waitFor();
  await page.getByLabel("Sizes").selectOption("software");
  return { page, fetched };
}

/** @param {import("playwright-core").Page} page @param {RegExp} text */
const statusSays = (page, text) => page.getByRole("status").filter({ hasText: text }).waitFor({ timeout: 300_000 });

test("the menu leads there and back", { timeout: 120_000 }, async () => {
  const page = await playground.open(["1 + 1"]);
  await page.getByLabel("More", { exact: true }).click();
  await page.getByRole("button", { name: "Benchmark this device" }).click();
  await page.waitForURL(/\/some\/where\/bench\.html$/);
  await page.getByRole("heading", { name: "Benchmark this device" }).waitFor();
  await page.getByRole("link", { name: "Back to the notebooks" }).click();
  await ready(page);
  await page.context().close();
});

test("it measures beside the limits, and gives the report away as JSON", { timeout: 600_000 }, async () => {
  const { page, fetched } = await opened("^(argmax|vector × matrix)", { acceptDownloads: true });
  assert.deepEqual(fetched.filter((url) => /measure|jax|tfjs|\.wasm/.test(url)), [], "nothing that measures comes before it is wanted");
  await page.getByRole("button", { name: "Measure" }).press("Enter");
  await statusSays(page, /^Measured\.$/);
  assert.deepEqual(fetched.filter((url) => /jax|tfjs/.test(url)), []);
  assert.ok(fetched.every((url) => url.startsWith(playground.url) || /^(data|blob):/.test(url)), "everything comes from the site");
  const rows = await page.locator("tbody tr").allInnerTexts();
  assert.deepEqual(rows.map((row) => row.split("\t")[0]?.trim()), ["argmax 2^18", "vector × matrix 1×768"]);
  for (const row of rows) assert.match(row, /\d.*(ms|µs)\s.*B\/s\s+\d+ %/s);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download JSON" }).click()]);
  const report = JSON.parse(await readFile(await download.path(), "utf8"));
  assert.deepEqual(report.failures, []);
  assert.deepEqual(report.rows.map((/** @type {{ mode: string, rounds: number }} */ { mode, rounds }) => [mode, rounds]), [["captured", 7], ["eager", 7], ["captured", 7], ["eager", 7]]);
  assert.ok(report.limits.copy > 0 && report.size === "software");
  await page.context().close();
});

test("the peers come from the site when they are asked for, and stand beside Weft", { timeout: 600_000 }, async () => {
  const { page, fetched } = await opened("^vector × matrix", { permissions: ["clipboard-read", "clipboard-write"] });
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Measure" }).click();
  await statusSays(page, /^Measured\.$/);
  assert.ok(fetched.every((url) => url.startsWith(playground.url) || /^(data|blob):/.test(url)), fetched.join("\n"));
  assert.deepEqual(await page.locator("thead th").allInnerTexts(), ["Workload", "Weft", "first", "rate", "of the limit", "jax-js", "TensorFlow.js", "bare WebGPU"]);
  const cells = await page.locator("tbody tr td").allInnerTexts();
  for (const cell of cells.slice(4, 6)) assert.match(cell, /(ms|µs)\s*\d+\.\d×$/);
  assert.match(await page.locator(".benchmark-total").innerText(), /as fast as jax-js over 1 workloads.*as fast as TensorFlow\.js over 1 workloads/s);
  await page.getByRole("button", { name: "Copy as JSON" }).click();
  await statusSays(page, /^Copied\.$/);
  const { libraries } = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  assert.deepEqual(libraries.map((/** @type {{ name: string }} */ { name }) => name), ["Weft", "jax-js", "TensorFlow.js", "bare WebGPU"]);
  await page.context().close();
});

test("it stops where it stands, keeps what it has, and begins anew", { timeout: 600_000 }, async () => {
  const { page } = await opened("^(argmax|sum|max|softmax|matmul|training)");
  await page.getByRole("button", { name: "Measure" }).click();
  await page.locator("tbody tr").first().waitFor({ timeout: 300_000 });
  assert.equal(await page.getByRole("button", { name: "Measure" }).isDisabled(), true);
  await page.getByRole("button", { name: "Stop" }).click();
  await statusSays(page, /^Stopped\.$/);
  const kept = await page.locator("tbody tr").count();
  assert.ok(kept >= 1 && kept < 10, String(kept));
  await page.getByRole("button", { name: "Download JSON" }).waitFor();
  await page.getByRole("button", { name: "Measure" }).click();
  await statusSays(page, /^1 of /);
  await page.getByRole("button", { name: "Stop" }).click();
  await statusSays(page, /^Stopped\.$/);
  await page.context().close();
});

test("it is accessible, and fits a phone", { timeout: 600_000 }, async () => {
  const { page } = await opened("^vector × matrix", { bypassCSP: true });
  await page.getByRole("button", { name: "Measure" }).click();
  await statusSays(page, /^Measured\.$/);
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await assertAccessibleInBoth(page, `${width} wide`);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${width} pixels hold it`);
  }
  await page.context().close();
});
