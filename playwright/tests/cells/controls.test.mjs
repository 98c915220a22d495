// Controls and the cells that depend on them: as the reader drags, in place, without a queue, by
// the keyboard, and again after a reload.

import assert from "node:assert/strict";
import { assertAccessible } from "../../lib/accessible.mjs";
import { after, afterEach, before } from "../../lib/test.mjs";
import { Playground, cell, ready, runAll, runCell } from "../../lib/playground.mjs";
import { sampled } from "../../lib/rotation.mjs";

/** A quick run makes every second one. */
const test = sampled(2);

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

/** @param {import("playwright-core").Page} page @param {number} number @param {string} text */
const shows = (page, number, text) => page.waitForFunction(({ number, text }) => window.weft.cells()[number - 1]?.text === text, { number, text });

test("every kind of control gives its value, and what uses it runs again with another", async () => {
  const page = await playground.open([
    `const n = slider("n", { min: 0, max: 10, value: 3 });
const exact = number("exact", { value: 1.5 });
const shape = select("shape", { round: [1, 2], square: [3, 4] });
const on = checkbox("on", { value: true });
const ink = color("ink", { value: "#ff0000" });
const go = button("Go");`,
    "print(n, exact, shape, on, ink, go.clicks)",
    "const twice = n * 2;",
    "print(await tensor([1, 2]).mul(twice).array())",
  ]);
  assert.equal((await runAll(page)).ok, true);
  await shows(page, 2, "3 1.5 [1, 2] true [1, 0, 0] 0");
  const first = cell(page, 1);
  const [before] = await page.evaluate(() => window.weft.cells().map(({ milliseconds }) => milliseconds));
  await first.getByRole("slider", { name: "n" }).focus();
  await page.keyboard.press("ArrowRight");
  await shows(page, 2, "4 1.5 [1, 2] true [1, 0, 0] 0");
  await shows(page, 4, "[8, 16]");
  await first.getByRole("spinbutton", { name: "exact" }).fill("2.25");
  await first.getByRole("combobox", { name: "shape" }).selectOption("square");
  await first.getByRole("checkbox", { name: "on" }).click();
  await first.getByRole("textbox", { name: "ink" }).fill("#00ff00");
  await first.getByRole("button", { name: "Go" }).click();
  await shows(page, 2, "4 2.25 [3, 4] false [0, 1, 0] 1");
  // Its own cell did not run again.
  assert.equal((await page.evaluate(() => window.weft.cells()))[0]?.milliseconds, before);
  await page.context().close();
});

test("texts, ranges, points and players give their values, by the keyboard too", async () => {
  const page = await playground.open([
    'const words = text("words", { value: "a" });\nconst ages = range("ages", { min: 0, max: 10, value: [2, 8] });\nconst at = point("at", { x: [-1, 1], y: [0, 2] });\nconst frame = play("frame", { max: 3, rate: 60, loop: false });',
    "print(words, ages, at, frame)",
  ], { bypassCSP: true });
  assert.equal((await runAll(page)).ok, true);
  await shows(page, 2, "a [2, 8] [0, 1] 0");
  const first = cell(page, 1);
  await first.getByRole("textbox", { name: "words" }).fill("b c");
  await first.getByRole("slider", { name: "ages, low" }).focus();
  for (let i = 0; i < 9; i++) await page.keyboard.press("ArrowRight");
  await shows(page, 2, "b c [8, 8] [0, 1] 0");
  await first.getByRole("slider", { name: "ages, high" }).press("ArrowRight");
  await first.getByRole("application", { name: /^at/ }).press("Shift+ArrowUp");
  await shows(page, 2, "b c [8, 9] [0, 1.2] 0");
  await first.getByRole("button", { name: "frame: one step" }).click();
  await shows(page, 2, "b c [8, 9] [0, 1.2] 1");
  await first.getByRole("button", { name: "frame: play" }).click();
  await shows(page, 2, "b c [8, 9] [0, 1.2] 3");
  await first.getByRole("button", { name: "frame: play" }).waitFor();
  await assertAccessible(page, "controls");
  // Another run keeps them.
  await runAll(page);
  await shows(page, 2, "b c [8, 9] [0, 1.2] 3");
  await page.context().close();
});

test("the pointer takes the nearer end of a range, and parts ends that met", async () => {
  const page = await playground.open(['const r = range("r", { min: 0, max: 10, value: [4, 4] });', "print(r)"]);
  assert.equal((await runAll(page)).ok, true);
  await shows(page, 2, "[4, 4]");
  const box = await cell(page, 1).locator(".range-pair").boundingBox();
  assert.ok(box);
  const at = (/** @type {number} */ value) => box.x + 9 + (value / 10) * (box.width - 18);
  const drag = async (/** @type {number} */ from, /** @type {number} */ to) => {
    await page.mouse.move(at(from), box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(at(to), box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
  };
  await drag(4, 1);
  await shows(page, 2, "[1, 4]");
  await drag(4, 9);
  await shows(page, 2, "[1, 9]");
  // Neither passes the other.
  await drag(1, 10);
  await shows(page, 2, "[9, 9]");
  await drag(9, 10);
  await shows(page, 2, "[9, 10]");
  // A press on the track brings the nearer end, which has the keyboard then.
  await drag(2, 2);
  await shows(page, 2, "[2, 10]");
  await page.keyboard.press("ArrowRight");
  await shows(page, 2, "[3, 10]");
  await page.context().close();
});

test("a drag ends at its last value, while the cell that uses it is slow, and Stop ends it", async () => {
  const page = await playground.open(['const k = slider("k", { min: 0, max: 100, value: 0 });', "globalThis.turns = (globalThis.turns ?? 0) + 1;\nawait new Promise((done) => setTimeout(done, 120));\nprint(k);", "print(turns)"]);
  await runAll(page);
  const slider = cell(page, 1).getByRole("slider");
  await slider.evaluate(async (element) => {
    const input = /** @type {HTMLInputElement} */ (element);
    for (let i = 1; i <= 100; i++) {
      input.value = String(i);
      input.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
  });
  await shows(page, 2, "100");
  // A hundred runs of 120 ms would take twelve seconds; all the values came within a few turns.
  await runCell(page, 3);
  const turns = Number((await page.evaluate(() => window.weft.cells()))[2]?.text);
  assert.ok(turns >= 2 && turns < 50, `${turns} runs`);
  await page.evaluate(() => window.weft.setCell(2, "await new Promise((done) => setTimeout(done, 60000 * k));\nprint(k);"));
  await slider.fill("0");
  await runCell(page, 2);
  await slider.fill("50");
  await page.waitForFunction(() => window.weft.cells()[1]?.status === "running");
  await page.evaluate(() => window.weft.stop());
  await page.waitForFunction(() => window.weft.cells()[1]?.status === "stopped");
  await page.context().close();
});

/** What is refused, and how that is said. */
const REFUSED = [
  ['slider("k", { initial: 1 })', "TypeError: slider: no option “initial”, which is “value” here; the options are min, max, step, value"],
  ['slider("k", { stepp: 1 })', "TypeError: slider: no option “stepp”; the options are min, max, step, value"],
  ['slider("k", { min: 2, max: 1 })', "RangeError: slider: min must be below max, but 2 is not below 1"],
  ['slider("k", { value: 2 })', "RangeError: slider: value must be between 0 and 1, not 2"],
  ['slider("k", { min: NaN })', "TypeError: slider: min must be a finite number, not NaN"],
  ['slider("k", 3)', "TypeError: slider: options must be an object such as { min: …, max: …, step: … }, not number; write slider(\"speed\", { min: 0, max: 10 })"],
  ["slider()", "TypeError: slider: the first argument must be a string, the label"],
  ["slider(\"x\".repeat(2000))", "RangeError: slider: a label has at most 1,000 characters, not 2,000"],
  ["select(\"one\", [\"x\".repeat(2000)])", "RangeError: select: a choice has at most 1,000 characters, not 2,000"],
  ['select("k", [])', "RangeError: select: there must be at least one choice"],
  ['select("k", ["a"], { value: "b" })', "RangeError: select: value must be one of a, not b"],
  ['checkbox("k", { value: 1 })', "TypeError: checkbox: value must be true or false, not number"],
  ['color("k", { value: "red" })', 'TypeError: color: value must be written as "#3b4a8f", not red'],
  ['number("k", { min: 0, value: -1 })', "RangeError: number: value must be between 0 and ∞, not -1"],
  ['text("k", { value: 1 })', "TypeError: text: value must be a string, not number"],
  ['range("k", { value: [1, 0] })', "RangeError: range: value must be [low, high] between 0 and 1, not [1, 0]"],
  ['point("k", { value: [2, 0] })', "RangeError: point: value must be within x and y, not [2, 0]"],
  ['play("k", { rate: 100 })', "RangeError: play: rate must be between 0.1 and 60 steps a second, not 100"],
  ['draw({ wide: 1 })', "TypeError: draw: no option “wide”; the options are size, margin, fit, ink, label, labels"],
];

test("a control whose own cell runs again stays the one that the reader holds, and what none can be is refused in its name", async () => {
  const page = await playground.open(['print("before");\nconst held = slider("k", { min: 0, max: 10, step: 1, value: 0 });\nprint("k is", held)', ...REFUSED.map(([code]) => `const k = ${code};`)]);
  await runCell(page, 1);
  const slider = cell(page, 1).getByRole("slider");
  await slider.focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
  await shows(page, 1, "before\nk: 5\nk is 5");
  assert.equal(await slider.evaluate((element) => element === document.activeElement), true);
  assert.deepEqual(await cell(page, 1).locator(".outputs > *").allInnerTexts(), ["before", "k\n5", "k is 5"]);
  const seen = [];
  for (const [n, [code]] of REFUSED.entries()) {
    const { error } = await runCell(page, n + 2);
    seen.push([code, `${error?.name}: ${error?.message}`]);
    assert.deepEqual([error?.line, error?.cell], [1, n + 2], code);
  }
  assert.deepEqual(seen, REFUSED);
  await page.context().close();
});

test("what the reader chose survives another run, a restart and a reload", async () => {
  const page = await playground.open(['const k = slider("k", { min: 0, max: 10, value: 3 });', "print(k)"]);
  await runAll(page);
  await cell(page, 1).getByRole("slider").fill("8");
  await shows(page, 2, "8");
  await runAll(page);
  await shows(page, 2, "8");
  await page.evaluate(() => window.weft.restart());
  await runAll(page);
  await shows(page, 2, "8");
  await page.waitForFunction(() => Object.values(localStorage).some((text) => /slider/.test(text) && /"value":8/.test(text)));
  await page.reload();
  await ready(page);
  assert.equal(await cell(page, 1).getByRole("slider").inputValue(), "8");
  await cell(page, 1).getByRole("slider").fill("9");
  assert.equal((await page.evaluate(() => window.weft.cells()))[1]?.status, "idle", "what is saved runs nothing");
  await runAll(page);
  await shows(page, 2, "9");
  await page.context().close();
});
