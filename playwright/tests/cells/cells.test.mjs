// Editing of cells by keyboard: moving, splitting, merging and duplicating them, each with undo.
// Also formulas, and the memory meter.

import assert from "node:assert/strict";
import { after, afterEach, before } from "../../lib/test.mjs";
import { assertAccessible } from "../../lib/accessible.mjs";
import { cell, Playground, runAll, runCell } from "../../lib/playground.mjs";
import { sampled } from "../../lib/rotation.mjs";

/** A quick run makes every second one. */
const test = sampled(2);

/** @typedef {import("playwright-core").Page} Page */

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

/** @param {Page} page */
const texts = (page) => page.evaluate(() => [...document.querySelectorAll(".code-cell")].map((each) => [...(each.querySelector(".editor")?.shadowRoot?.querySelectorAll(".cm-line") ?? [])].map((line) => line.textContent).join("\n")));

/** An editor that was moved draws its lines a little later.
 * @param {Page} page
 * @param {string[]} expected */
async function assertTexts(page, expected) {
  for (let tries = 0; tries < 20 && JSON.stringify(await texts(page)) !== JSON.stringify(expected); tries++) await page.waitForTimeout(100);
  assert.deepEqual(await texts(page), expected);
}

test("cells are split, merged, duplicated and moved by keyboard, and undone in order", async () => {
  const page = await playground.open(["1\n2", "3"]);
  await cell(page, 2).locator(".cm-content").waitFor();
  await cell(page, 1).locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Alt+Shift+KeyS");
  await assertTexts(page, ["1", "2", "3"]);
  await page.keyboard.press("Alt+Shift+PageDown");
  await assertTexts(page, ["1", "3", "2"]);
  await page.keyboard.press("Alt+Shift+KeyD");
  await assertTexts(page, ["1", "3", "2", "2"]);
  await cell(page, 1).getByRole("button", { name: "Run cell 1" }).focus();
  await page.keyboard.press("Alt+Shift+KeyM");
  await assertTexts(page, ["1\n3", "2", "2"]);
  for (const expected of [["1", "3", "2", "2"], ["1", "3", "2"], ["1", "2", "3"], ["1\n2", "3"]]) {
    await page.locator("header .brand").focus();
    await page.keyboard.press("Control+z");
    await assertTexts(page, expected);
  }
  // The keyboard map lists them.
  await page.locator("body").press("?");
  const text = await page.getByRole("dialog", { name: "Keyboard" }).innerText();
  for (const name of ["Split", "Merge", "Duplicate", "Move the cell", "suggestion", "Stop"]) assert.match(text, new RegExp(name));
  await page.context().close();
});

test("among a hundred cells too, moved and made where chunks of them meet", async () => {
  const page = await playground.open(Array.from({ length: 100 }, (_, at) => `${at + 1}`));
  const labels = () => page.evaluate(() => [...document.querySelectorAll(".code-cell")].map((each) => each.getAttribute("aria-label")));
  const inOrder = (/** @type {number} */ count) => Array.from({ length: count }, (_, at) => `Cell ${at + 1}, code`);
  const focused = () => page.evaluate(() => document.activeElement?.closest(".code-cell")?.getAttribute("aria-label"));
  await page.waitForFunction(() => document.querySelectorAll(".code-cell").length === 100);
  const moved = page.locator(`#${await page.locator(".code-cell").nth(40).getAttribute("id")}`);
  await moved.scrollIntoViewIfNeeded();
  await moved.locator(".cm-content").click();
  for (const [key, place] of /** @type {const} */ ([["PageUp", 40], ["PageUp", 39], ["PageDown", 40], ["PageDown", 41], ["PageDown", 42], ["PageUp", 41]])) {
    await page.keyboard.press(`Alt+Shift+${key}`);
    assert.equal(await focused(), `Cell ${place}, code`);
    assert.deepEqual(await labels(), inOrder(100));
  }
  await page.keyboard.type("0");
  // Typing goes on in it.
  await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.textContent === "410");
  for (let made = 1; made <= 3; made++) {
    await moved.getByRole("button", { name: "Add a code cell below" }).click();
    assert.deepEqual(await labels(), inOrder(100 + made));
  }
  await page.keyboard.press("Control+End");
  await page.locator(".code-cell").last().scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelector(".notebook")?.lastElementChild?.lastElementChild?.matches(".gap"));
  assert.equal(await page.evaluate(() => [...document.querySelectorAll(".gap")].filter((gap) => getComputedStyle(gap).opacity === "1" && !gap.matches(":hover, :focus-within")).length), 1);
  await page.context().close();
});

test("a cell that is added below the last of forty has the caret at once", async () => {
  const page = await playground.open(Array.from({ length: 40 }, (_, at) => `${at + 1}`), { query: "?device=cpu" });
  const last = page.locator(".code-cell").nth(39);
  await last.scrollIntoViewIfNeeded();
  await last.locator(".cm-content").click();
  await page.keyboard.press("Alt+Enter");
  assert.equal(await page.evaluate(() => document.activeElement?.closest(".code-cell")?.getAttribute("aria-label")), "Cell 41, code");
  await page.context().close();
});

test("formulas are shown as formulas, prices as prices; the meter tells what tensors take, and forgets it with the worker", async () => {
  const page = await playground.open("# Test\n\nFor $\\frac{a}{b}$ and\n\n$$\\sum_{i=1}^n x_i$$\n\nit costs $5 and $10, and $\\frac{$ is none.\n\n```js\nmarkdown('The norm $\\\\lVert x \\\\rVert_2$')\n```\n\n```js\nconst kept = zeros([1000, 1000]);\nawait realize(kept);\n```\n");
  await page.locator("math mfrac").waitFor();
  assert.equal(await page.locator("math").count(), 2);
  assert.equal(await page.locator("math[display=block]").count(), 1);
  assert.match(await page.locator(".prose").last().innerText(), /it costs \$5 and \$10/);
  await runCell(page, 1);
  await page.locator(".outputs math").waitFor();
  await page.waitForFunction(() => [...document.fonts].some(({ family, status }) => family.includes("Weft Maths") && status === "loaded"));
  await runCell(page, 2);
  await page.getByRole("img", { name: /^Tensors use [4-9]\S* MB \(peak .*\); .* are free for reuse/ }).waitFor();
  await page.getByRole("button", { name: "Restart" }).click();
  await page.locator(".meter").waitFor({ state: "hidden" });
  await page.context().close();
});

test("the first cell is two keys away, and its tools are one stop", async () => {
  const page = await playground.open("# Test\n\nText\n\n```js\n6 * 7\n```\n");
  await cell(page, 1).locator(".cm-content").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Shift+Enter");
  await cell(page, 1).locator(".outputs", { hasText: "42" }).waitFor();
  await cell(page, 1).locator(".cell-tools button").first().focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Split this code cell at the caret");
  assert.equal(await cell(page, 1).locator('.cell-tools button[tabindex="0"]').count(), 1);
  await page.context().close();
});

test("figures stand to the right, text to the left, and console.error looks like console.warn", async () => {
  const page = await playground.open("# Test\n\n| name | value |\n| --- | --- |\n| a | 1.5 |\n\n```js\ntable([{ step: 1, name: 'first' }, { step: 1000, name: '2nd' }]);\nconsole.warn('careful');\nconsole.error('wrong');\n```\n", { says: /careful|wrong/ });
  await runCell(page, 1);
  const side = (/** @type {string} */ text) => page.locator("td, th").getByText(text, { exact: true }).first().evaluate((element) => getComputedStyle(element).textAlign);
  assert.deepEqual([await side("1000"), await side("2nd"), await side("1.5"), await side("step")], ["right", "left", "right", "right"]);
  const box = (/** @type {string} */ stream) => page.locator(`.stream-${stream}`).evaluate((element) => {
    const { paddingLeft, marginLeft, borderLeftWidth, borderRightWidth, backgroundColor } = getComputedStyle(element);
    return { paddingLeft, marginLeft, borderLeftWidth, borderRightWidth, backgroundColor };
  });
  assert.deepEqual(await box("error"), await box("warn"));
  await page.context().close();
});

test("a cell that is folded as a whole keeps room for a picture, and takes none where it draws nothing", async () => {
  const page = await playground.open("# Test\n\n```js fold\nconst a = 1;\n```\n\n```js fold\nimage(zeros([4, 4]));\n```\n");
  const heights = () => page.locator(".code-cell .outputs").evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
  for (const shown of [false, true]) {
    if (shown) for (const number of [1, 2]) assert.equal((await runCell(page, number)).status, "done");
    assert.equal(await cell(page, 1).locator(".editor-frame").isVisible(), false);
    const [plain = NaN, drawn = NaN] = await heights();
    assert.ok(plain === 0 && drawn > 100, `${plain} and ${drawn} pixels`);
  }
  await page.context().close();
});

test("values of every kind open by key and by press, and stay open when the cell runs again", async () => {
  const hostile = "'<img src=x onerror=alert(1)>'";
  const page = await playground.open([`const model = { layers: [new nn.Linear(4, 3)], [${hostile}]: ${hostile}, "__proto__ ": 1, list: Array.from({ length: 300 }, (_, i) => ({ i })) };\nmodel`, "print('step', { loss: tensor(0.5) });\nconsole.log([tensor([1, 2])]);\nprint('as before')"], { bypassCSP: true, says: /^.*$/ });
  assert.equal((await runAll(page)).ok, true);
  const tree = cell(page, 1).getByRole("tree", { name: "Value" });
  const held = () => page.evaluate(() => document.activeElement?.textContent ?? "");
  const press = async (/** @type {string[]} */ ...keys) => {
    for (const key of keys) await page.keyboard.press(key);
    return held();
  };
  await tree.getByRole("treeitem").first().focus();
  assert.match(await held(), /^\{ layers: Array\(1\), "<img/);
  assert.match(await press("ArrowRight"), /^layers: /);
  assert.match(await press("ArrowRight", "ArrowRight"), /^0: Linear \(15 parameters\)/);
  assert.match(await press("Enter", "End"), /^list: Array\(300\)/);
  assert.match(await press(" ", "End"), /^… 200 more/);
  assert.match(await press("ArrowUp", "ArrowLeft"), /^list: /);
  assert.match(await press("ArrowLeft", "Home"), /^\{ layers/);
  await assertAccessible(page, "open trees");
  assert.equal(await tree.locator("img").count(), 0, "names and texts are text");
  assert.equal(await tree.getByRole("treeitem", { name: /^weight: f32\[3, ?4\]/ }).count(), 1);
  await runCell(page, 1);
  await tree.getByRole("treeitem", { name: /^weight: f32\[3, ?4\]/ }).waitFor();

  const printed = cell(page, 2).getByRole("tree");
  await printed.nth(1).waitFor();
  assert.deepEqual(await printed.allTextContents(), ["step { loss: f32[] 0.5 }", "[f32[2] [1, 2]]"]);
  await printed.nth(0).locator(".tree-row").click();
  assert.deepEqual(await printed.nth(0).locator(".tree-row").allTextContents(), ["step { loss: f32[] 0.5 }", "loss: f32[] 0.5"]);
  await page.context().close();
});
