// Scrolling to the cell that runs. Run all brings a training's chart into view and a pill leads to
// it; a reader who scrolls away stays there.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { cell, Playground, runCell } from "../../lib/playground.mjs";

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

const TEXT = "Some words between the cells.\n\n".repeat(30);
/** Goes on until another cell's variable says that it is enough, so that a test has its time. */
const TRAINING = `const chart = plot({ x: "step", series: ["loss"] });
const bar = progress(100, { label: "training" });
for (let step = 1; step <= 62; step++) {
  chart.add({ step, loss: 1 / step });
  bar.update(step);
  await nextFrame();
}
while (!globalThis.enough) await nextFrame();
bar.end();`;
const NOTEBOOK = `# Test

\`\`\`js
button("enough", () => (globalThis.enough = true));
\`\`\`

${TEXT}

\`\`\`js
${TRAINING}
\`\`\`

${TEXT}

\`\`\`js
print("the end")
\`\`\`
`;

/** @param {import("playwright-core").Page} page */
const runAll = (page) => page.getByRole("button", { name: "Run all" }).click();
/** Whether all of the chart and its bar can be seen.
 * @param {import("playwright-core").Page} page */
const chartInView = (page) => page.waitForFunction(() => [...document.querySelectorAll(".chart, .progress")].every((each) => {
  const { top, bottom } = each.getBoundingClientRect();
  return top >= 58 && bottom <= innerHeight;
}) && document.querySelector(".chart") !== null);
/** @param {import("playwright-core").Page} page */
const enough = (page) => page.evaluate(() => [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "enough")?.click());
/** @param {import("playwright-core").Page} page */
const place = (page) => page.evaluate(() => scrollY);
/** Notes how the page scrolls from now on, and says it. @param {import("playwright-core").Page} page */
async function noted(page) {
  await page.evaluate(() => {
    const scroll = window.scrollBy.bind(window);
    Object.assign(globalThis, { behaviours: new Set() });
    window.scrollBy = (/** @type {any} */ options) => (/** @type {any} */ (globalThis).behaviours.add(options.behavior), scroll(options));
  });
  return () => page.evaluate(() => [.../** @type {any} */ (globalThis).behaviours]);
}

test("Run all brings the chart of a training into view, and the pill says how far it is", async () => {
  const page = await playground.open(NOTEBOOK);
  assert.equal(await page.locator(".pill").isVisible(), false);
  const behaviours = await noted(page);
  await runAll(page);
  await chartInView(page);
  assert.deepEqual(await behaviours(), ["smooth"]);
  await page.locator(".pill", { hasText: "cell 2 · 62 %" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Go to cell 2 · 62 %" }).count(), 1);
  await enough(page);
  await page.waitForFunction(() => window.weft.cells().every(({ status }) => status === "done"));
  await page.locator(".pill").waitFor({ state: "hidden" });
  await page.context().close();
});

test("a reader who scrolls away stays there, and comes back by the pill or by a key", async () => {
  const page = await playground.open(NOTEBOOK);
  await runAll(page);
  await chartInView(page);
  await page.mouse.move(640, 400);
  for (const back of [() => page.locator(".pill").click(), () => page.keyboard.press("Alt+Shift+KeyR"), async () => (await page.locator(".pill").focus(), page.keyboard.press("Enter"))]) {
    // A wheel that comes while the page still moves may be spent on stopping it.
    for (let turns = 0; turns < 20 && (await place(page)) > 0; turns++) {
      await page.mouse.wheel(0, -5_000);
      await page.waitForTimeout(300);
    }
    assert.equal(await place(page), 0);
    // Several looks of the page at where it runs.
    await page.waitForTimeout(1_500);
    assert.equal(await place(page), 0);
    await back();
    await chartInView(page);
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Stop cell 2");
  }
  await enough(page);
  await page.waitForFunction(() => window.weft.cells().every(({ status }) => status === "done"));
  await page.context().close();
});

test("cells that take no time move nothing, and one cell run by itself neither", async () => {
  const page = await playground.open(`# Test\n\n${Array.from({ length: 12 }, (_, i) => `\`\`\`js\nprint(${i})\n\`\`\`\n\nText.\n`).join("\n")}`);
  await runAll(page);
  await page.waitForFunction(() => window.weft.cells().every(({ status }) => status === "done"));
  await page.waitForTimeout(600);
  assert.equal(await place(page), 0);
  await page.evaluate(() => window.weft.setCell(12, "for (let i = 0; i < 90; i++) await nextFrame()"));
  await runCell(page, 12);
  assert.equal(await place(page), 0);
  await page.context().close();
});

test("where no motion is wanted the page goes there at once", async () => {
  const page = await playground.open(NOTEBOOK, { reducedMotion: "reduce" });
  const behaviours = await noted(page);
  await runAll(page);
  await chartInView(page);
  assert.deepEqual(await behaviours(), ["instant"]);
  await page.context().close();
});

test("a drawing is read beside the pad, in place: a numeral and a bar for each label, in words too", async () => {
  const code = `const pad = draw({ size: 8, labels: ["a", "b", "c"] });
globalThis.strokes = 0;
pad.onChange((ink) => pad.guess(ink.every((each) => each === 0) ? null : tensor([[0.07, 0.9 + 0.001 * ++strokes, 0.02]])));`;
  const tell = (/** @type {string} */ code) => `try { ${code}; print("no") } catch (error) { print(error.message) }`;
  const page = await playground.open([code, "print(strokes)", [
    tell("draw({ labels: [] })"), tell("draw({ labels: 'abc' })"), tell("draw({ labels: Array(41).fill(1) })"), tell("await draw({ size: 8 }).guess([1])"),
    "const other = draw({ size: 8, labels: [0, 1] })", tell("await other.guess([1])"), tell("await other.guess([1, NaN])"), tell("await other.guess(0.5)"), tell("await other.guess(tensor([0.1, 0.2, 0.7]))"),
    "await other.guess([7, -3])",
  ].join("\n")]);
  await runCell(page, 1);
  const outputs = cell(page, 1).locator(".outputs > *");
  assert.equal(await outputs.count(), 1);
  const reading = cell(page, 1).locator(".reading");
  assert.equal(await reading.locator(".reading-numeral").innerText(), "?");
  await reading.evaluate((element) => Object.assign(globalThis, { before: [...element.querySelectorAll("*")] }));
  const pad = cell(page, 1).locator("canvas.pad");
  await pad.focus();
  await page.keyboard.press("Space");
  for (let i = 0; i < 6; i++) {
    await page.keyboard.press("ArrowDown");
    await page.waitForTimeout(90);
  }
  await reading.locator(".reading-numeral", { hasText: "b" }).waitFor();
  assert.match(await reading.locator(".best").innerText(), /^b\s+9\d %$/);
  assert.match(await reading.locator("li").first().innerText(), /^a\s+7 %$/);
  await reading.getByRole("status").getByText(/^Read as b, 9\d %$/).waitFor();
  assert.ok(await reading.evaluate((element) => [...element.querySelectorAll("*")].every((each, i) => each === /** @type {any} */ (globalThis).before[i])), "every element is the one that was there");
  assert.equal(await outputs.count(), 1, "no stroke adds an output");
  assert.ok(Number((await runCell(page, 2)).text) > 1, "several strokes were read");
  assert.match((await page.evaluate(() => window.weft.cells()))[0]?.text ?? "", /^b, 9\d %$/);
  await pad.press("Escape");
  await reading.locator(".reading-numeral", { hasText: "?" }).waitFor();
  // What is no reading is refused in its name.
  const { text } = await runCell(page, 3);
  assert.deepEqual(text.split("\n").filter((line) => line !== ""), [
    "draw: labels must be a list of 1 to 40 words", "draw: labels must be a list of 1 to 40 words", "draw: labels must be a list of 1 to 40 words",
    "guess: the pad has no labels; give them to it: draw({ labels: [0, 1, 2] })",
    "0, 100 %",
    "guess: give a share for each of 2 labels, not 1 values", "guess: shares must be numbers from 0 to 1, not NaN", "guess: give a share for each of 2 labels, not number", "guess: give a share for each of 2 labels, not 3 values",
  ]);
  await page.context().close();
});
