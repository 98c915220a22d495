// The first minute of a new reader. The test uses the page at a reader's pace, by pointer and
// keyboard: it reads at once, watches it move, edits, drags, watches a network learn, draws for it,
// and sends the notebook to somebody.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "../../lib/test.mjs";
import { cell, least, Playground, ready } from "../../lib/playground.mjs";

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start({ ownData: true })));
after(() => playground.stop());

/** From cold to the second picture that moves. Far more than it takes: what is slow here is the
 * machine, with others on it. */
const MOVES_WITHIN = 5_000;

/** @param {{ javaScriptEnabled?: boolean }} [options] */
async function reader(options = {}) {
  const context = await playground.browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  return { context, page: await context.newPage() };
}
const welcome = await readFile(new URL("../../../notebooks/welcome.md", import.meta.url), "utf8");
/** The number of the first cell of the first notebook in whose code this stands.
 * @param {string} text */
function numberOf(text) {
  const at = [...welcome.matchAll(/^```js[^\n]*\n(.*?)^```/gms)].findIndex(([, code]) => code?.includes(text));
  assert.ok(at >= 0, text);
  return at + 1;
}
/** @param {import("playwright-core").Page} page @param {number} number */
const done = (page, number) => page.waitForFunction((at) => window.weft.cells()[Number(at) - 1]?.status === "done", number, { timeout: 60_000 });
/** All of the chart, and the bar with it. @param {import("playwright-core").Page} page */
const chartInView = (page) =>
  page.evaluate(() => {
    const parts = [...document.querySelectorAll(".chart, .progress")].map((each) => each.getBoundingClientRect());
    return parts.length === 2 && parts.every(({ top, bottom }) => top >= 58 && bottom <= innerHeight);
  });

test("there is text at once, before any script", async () => {
  const { context, page } = await reader({ javaScriptEnabled: false });
  await page.goto(playground.url);
  assert.ok(await page.getByRole("heading", { level: 1 }).isVisible());
  assert.match(await page.locator(".prose").first().innerText(), /\w+ \w+ \w+/);
  await context.close();
});

test("it moves, above the fold, by itself", async () => {
  // Not the first page that this browser opens: what starts a browser is no part of a page.
  const warm = await reader();
  await warm.page.goto(`${playground.url}?notebook=mnist`);
  await ready(warm.page);
  await warm.context.close();
  const time = await least(MOVES_WITHIN, async () => {
    const { context, page } = await reader();
    await page.goto(playground.url);
    const after = await page.waitForFunction(() => {
      const frame = Number(/frame ([\d,]+)/.exec(document.querySelector(".animation-figures")?.textContent ?? "")?.[1]?.replace(",", ""));
      return frame >= 2 && performance.now();
    });
    const time = Number(await after.jsonValue());
    const box = await page.locator(".tiles canvas").first().boundingBox();
    assert.ok(box && box.y + box.height / 2 < 900, "most of it is seen without scrolling");
    await context.close();
    return time;
  });
  assert.ok(time < MOVES_WITHIN, `moved after ${Math.round(time)} ms`);
});

test("a number is changed, and Shift+Enter shows what that makes", async () => {
  const { context, page } = await reader();
  await page.goto(playground.url);
  await ready(page);
  const number = numberOf("const a = tensor");
  const content = cell(page, number).locator(".cm-content");
  await cell(page, number).scrollIntoViewIfNeeded();
  await content.waitFor();
  await content.getByText("6", { exact: true }).dblclick();
  await page.keyboard.type("42");
  await page.keyboard.press("Shift+Enter");
  await done(page, number);
  await cell(page, number).locator(".tensor").waitFor();
  assert.match(await cell(page, number).locator(".tensor").innerText(), /max\s*42/);
  // The next cell has the caret, for the next Shift+Enter.
  await page.waitForFunction((at) => document.querySelectorAll(".code-cell")[Number(at)]?.contains(document.activeElement), number);
  await context.close();
});

test("a slider moves what depends on it", async () => {
  const { context, page } = await reader();
  await page.goto(playground.url);
  await ready(page);
  const [control, picture] = [numberOf("slider("), numberOf("const u = linspace")];
  for (const number of [control, picture]) {
    await cell(page, number).scrollIntoViewIfNeeded();
    await cell(page, number).getByRole("button", { name: `Run cell ${number}` }).click();
    await done(page, number);
  }
  const seen = () => cell(page, picture).locator("canvas").evaluate((canvas) => {
    if (!(canvas instanceof HTMLCanvasElement)) throw new Error("no canvas");
    return canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data.reduce((sum, value, i) => (sum * 31 + value + i) % 1_000_003, 0);
  });
  const before = await seen();
  const range = cell(page, control).locator("input[type=range]");
  await range.scrollIntoViewIfNeeded();
  const box = await range.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.85, box.y + box.height / 2, { steps: 8 });
  await page.mouse.up();
  const rings = await range.inputValue();
  assert.ok(Number(rings) > 8, `the slider stands at ${rings}`);
  await cell(page, picture).locator(".caption", { hasText: `sin(${rings}r)` }).waitFor();
  await page.waitForFunction(() => window.weft.cells().every(({ status }) => status === "done" || status === "idle"));
  assert.notEqual(await seen(), before);
  await context.close();
});

test("a network learns while its chart is watched, and reads a digit that is drawn", async () => {
  const { context, page } = await reader();
  // A machine that is quick trains for less time than the page takes to scroll: here it trains for
  // longer.
  let longer = false;
  await page.route(/\/notebooks\/mnist\.md$/, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    longer = text.includes("Math.max(6,");
    await route.fulfill({ response, body: text.replace("Math.max(6,", "Math.max(40,") });
  });
  await page.goto(playground.url);
  await page.getByRole("link", { name: /Handwritten digits/ }).click();
  await page.getByRole("heading", { level: 1, name: "Handwritten digits" }).waitFor();
  assert.ok(longer, "the notebook says how many epochs there are at least");
  await ready(page);
  await page.getByRole("button", { name: "Run all" }).click();
  await page.locator(".chart").waitFor({ timeout: 60_000 });
  await page.waitForFunction(() => /· [1-9]\d? %/.test(document.querySelector(".pill:not([hidden])")?.textContent ?? ""), null, { timeout: 60_000 });
  // Once it is there it stays, as long as the training goes on.
  let polls = 0;
  let arrived = false;
  for (let training = true; training; polls++) {
    const inView = await chartInView(page);
    training = await page.evaluate(() => document.querySelector(".progress.ended") === null);
    if (arrived && training) assert.ok(inView, "the chart is in view while it trains");
    arrived ||= inView;
    await page.waitForTimeout(50);
  }
  assert.ok(arrived && polls > 3, `seen ${polls} times`);
  const points = await page.locator(".plot").first().getAttribute("aria-label");
  assert.ok(Number(/; (\d+) points/.exec(points ?? "")?.[1]) > 20, String(points));
  await page.waitForFunction(() => window.weft.cells().every(({ status }) => status === "done"), null, { timeout: 120_000 });

  const pad = page.locator("canvas.pad");
  // Cells above it are laid out in full when they come near: a reader draws when the pad stands
  // still.
  let box = null;
  for (let before = -1; box === null || box.y !== before; ) {
    before = box?.y ?? -1;
    await pad.scrollIntoViewIfNeeded();
    await page.waitForTimeout(500);
    box = await pad.boundingBox();
    assert.ok(box);
  }
  const outputs = await page.locator(".outputs > *").count();
  const [left, top] = [box.x, box.y];
  // A one: the plainest of strokes.
  await page.mouse.move(left + 120, top + 35);
  await page.mouse.down();
  await page.mouse.move(left + 118, top + 205, { steps: 12 });
  await page.mouse.up();
  await page.locator(".reading-numeral", { hasText: "1" }).waitFor();
  assert.equal(await page.locator(".reading-bars li").count(), 10);
  assert.match(await page.locator(".reading-bars .best").innerText(), /^1\s+\d+ %$/);
  assert.equal(await page.locator(".outputs > *").count(), outputs, "no stroke adds an output");
  await page.getByText(/^Read as 1, \d+ %$/).waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.locator(".reading-numeral", { hasText: "?" }).waitFor();
  await context.close();
});

test("a link shows another reader the code, and runs nothing until asked; the same reader finds the outputs again", async () => {
  const { context, page } = await reader();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(playground.url);
  await ready(page);
  const number = numberOf("const a = tensor");
  await page.evaluate((at) => window.weft.setCell(at, "const a = tensor([7, 8, 9]);\na"), number);
  await page.locator(".menu summary").click();
  await page.getByRole("button", { name: "Share and export…", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Share and export" });
  await dialog.waitFor();
  const link = await dialog.getByLabel("Link to this notebook").inputValue();
  assert.match(link, /#nb=/);
  const other = await context.newPage();
  await other.goto(link);
  await ready(other);
  await cell(other, number).getByText("tensor", { exact: true }).first().waitFor();
  assert.match(await cell(other, number).locator(".cm-content, .still").first().innerText(), /7, 8, 9/);
  assert.equal(await cell(other, 1).locator(".editor-frame").isVisible(), true, "code by somebody else is shown");
  assert.ok((await other.evaluate(() => window.weft.cells())).every(({ status }) => status === "idle"), "nothing runs");
  assert.equal(await other.locator(".outputs > *").count(), 0);
  await cell(other, number).getByRole("button", { name: `Run cell ${number}` }).click();
  await cell(other, number).locator(".tensor").waitFor();
  await other.waitForFunction(() => localStorage.getItem("weft:outputs") !== null);
  await other.close();
  const again = await context.newPage();
  await again.goto(link);
  await cell(again, number).locator(".tensor").waitFor();
  await ready(again);
  assert.match(await cell(again, number).locator(".cell-status").innerText(), /saved on an earlier visit/);
  assert.match(await cell(again, number).locator(".tensor").innerText(), /max\s*9/);
  assert.ok((await again.evaluate(() => window.weft.cells())).every(({ status }) => status === "idle"), "nothing runs");
  await context.close();
});
