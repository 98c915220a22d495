// Animations: they play only where they are in view and the reader wants motion, obey their
// controls, follow the pointer, and end with their cell.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { Playground, cell, ready, runCell } from "../../lib/playground.mjs";

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

/** @param {import("playwright-core").Page} page */
const frames = async (page) => Number(/frame ([\d,]+)/.exec(await page.locator(".animation-figures").innerText())?.[1]?.replace(",", ""));
/** @param {import("playwright-core").Page} page @param {number} from */
const passes = (page, from) => page.waitForFunction((least) => Number(/frame ([\d,]+)/.exec(document.querySelector(".animation-figures")?.textContent ?? "")?.[1]?.replace(",", "")) > least, from);
/** The figures come to this. @param {import("playwright-core").Page} page @param {number} frame */
const shows = (page, frame) => page.waitForFunction((wanted) => Number(/frame ([\d,]+)/.exec(document.querySelector(".animation-figures")?.textContent ?? "")?.[1]?.replace(",", "")) === wanted, frame);
/** A cell that tells how often COUNT was called, once a dozen frames of the screen have passed: a
 * frame that was under way when it began is counted. */
const DRAWN = "for (let i = 0; i < 12; i++) await nextFrame();\nawait ones([8]).add(1).data();\nprint(globalThis.drawn);";
const COUNT = "globalThis.drawn = (globalThis.drawn ?? 0) + 1;";
/** What the last cell, which is DRAWN, tells. @param {import("playwright-core").Page} page */
const drawn = async (page) => Number((await runCell(page, await page.locator(".code-cell").count())).text);
/** Fails unless nothing more is drawn, and says how many frames were.
 * @param {import("playwright-core").Page} page */
async function stands(page) {
  const before = await drawn(page);
  assert.equal(await drawn(page), before);
  return before;
}
const CODE = `const grid = zeros([8, 8]);\nanimate((time, frame) => { ${COUNT} return grid.add(frame % 2) }, { range: [0, 1] });`;

test("it plays, pauses, steps and begins anew", async () => {
  const page = await playground.open([`animate(() => { ${COUNT} return zeros([8, 8]) }, { start() { globalThis.starts = (globalThis.starts ?? 0) + 1 } });`, "print(starts)", DRAWN]);
  assert.equal((await runCell(page, 1)).status, "done");
  await passes(page, 10);
  await page.getByRole("button", { name: "Pause" }).click();
  const paused = await stands(page);
  await shows(page, paused);
  await page.getByRole("button", { name: "One frame" }).click();
  await shows(page, paused + 1);
  assert.equal(await stands(page), paused + 1);
  await page.getByRole("button", { name: "From the start" }).click();
  await shows(page, 1);
  assert.equal((await runCell(page, 2)).text, "2");
  await page.getByRole("button", { name: "Play" }).click();
  await passes(page, 10);
  await page.context().close();
});

test("plots and pictures that its frames show move in their places", async () => {
  const page = await playground.open(["animate((time, frame) => plot((x) => x * frame, [0, 1], { title: `frame ${frame}` }));", "animate((time) => { image(ones([4, 4]).mul(time % 1)); heatmap(eye(3)); });"]);
  for (const number of [1, 2]) assert.equal((await runCell(page, number)).status, "done");
  await cell(page, 1).getByRole("application", { name: /frame ([3-9]|\d\d)/ }).waitFor();
  assert.equal(await cell(page, 1).locator(".plot-figure").count(), 1);
  await cell(page, 2).locator(".animation-bar").scrollIntoViewIfNeeded();
  await cell(page, 2).locator(".animation-figures", { hasText: /frame ([3-9]|\d\d)/ }).waitFor();
  assert.equal(await cell(page, 2).locator("figure.image").count(), 2);
  await page.context().close();
});

test("it draws nothing out of sight, and goes on in sight", async () => {
  const page = await playground.open(`# Test\n\n\`\`\`js\n${CODE}\n\`\`\`\n\n${"Text.\n\n".repeat(150)}\n\n\`\`\`js\n${DRAWN}\n\`\`\`\n`);
  await runCell(page, 1);
  await passes(page, 5);
  await page.evaluate(() => scrollTo(0, 1e6));
  // The page notices some frames later that it is out of sight.
  let before = await drawn(page);
  for (let reads = 1, now = await drawn(page); now !== before; reads++) {
    assert.ok(reads < 10, `${now - before} frames were drawn between the last two reads`);
    [before, now] = [now, await drawn(page)];
  }
  assert.equal(await stands(page), before);
  await page.evaluate(() => scrollTo(0, 0));
  await passes(page, before + 3);
  await page.context().close();
});

test("it stands still at its first frame where the reader wants no motion, and plays when asked", async () => {
  const page = await playground.open([CODE, DRAWN], { reducedMotion: "reduce" });
  await runCell(page, 1);
  assert.equal(await stands(page), 1);
  assert.equal(await frames(page), 1);
  assert.equal(await cell(page, 1).locator(".tiles canvas").count(), 1);
  await page.getByRole("button", { name: "Play" }).click();
  await passes(page, 5);
  await page.context().close();
});

test("Stop ends it and keeps what was declared; another run of its cell replaces it; other cells run beside it", async () => {
  const page = await playground.open([CODE, "print(grid.shape)"]);
  await runCell(page, 1);
  await passes(page, 5);
  assert.equal((await runCell(page, 2)).text, "[8, 8]");
  await runCell(page, 1);
  assert.equal(await page.locator(".animation").count(), 1);
  await passes(page, 5);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.waitForFunction(() => /ended/.test(document.querySelector(".animation-figures")?.textContent ?? ""));
  assert.equal((await runCell(page, 2)).text, "[8, 8]");
  await page.context().close();
});

test("an error ends it and shows at its line, in the first frame and in a later one; a cell animates twenty things and no more", async () => {
  const page = await playground.open(["animate((time, frame) => {\n  if (frame >= at) throw new Error('enough');\n  return zeros([8, 8]);\n});", "let n = 0;\ntry { for (;; n++) animate(() => zeros([4, 4])) } catch (error) { print(n, error.message) }"]);
  const later = await page.evaluate(() => (window.weft.setCell(1, "const at = 3;\nanimate((time, frame) => {\n  if (frame >= at) throw new Error('enough');\n  return zeros([8, 8]);\n});"), window.weft.runCell(1)));
  assert.ok(["done", "failed"].includes(later.status));
  await page.waitForFunction(() => window.weft.cells()[0]?.error?.message === "enough");
  assert.equal((await page.evaluate(() => window.weft.cells()))[0]?.error?.line, 3);
  await page.evaluate(() => window.weft.setCell(1, "animate(() => {\n  throw new Error('at once');\n});"));
  const first = await runCell(page, 1);
  assert.deepEqual([first.status, first.error?.message, first.error?.line], ["failed", "at once", 2]);
  await page.evaluate(() => window.weft.setCell(1, "animate(() => zeros([8, 8]), { speed: 2 })"));
  assert.equal((await runCell(page, 1)).error?.message, "animate: no option “speed”; the options are fps, start, title, scale, range, colormap, smooth");
  assert.match((await runCell(page, 2)).text, /20 animate: a cell can run at most 20 animations/);
  await page.context().close();
});

test("it follows the pointer and the arrow keys; what it or a button shows after an await is its own cell's, whichever cell runs", async () => {
  const page = await playground.open([
    "animate((time, frame, pointer) => { globalThis.seen = pointer; return zeros([8, 16]) }, { scale: 20 });",
    "print(seen.x.toFixed(1), seen.y.toFixed(1), seen.down)",
    "animate(async () => { await tick(); print('drawn'); return zeros([4, 4]) });\nbutton('press', async () => { await tick(); await new Promise((go) => setTimeout(go, 50)); print('pressed') });",
    "print('mine');\nfor (let i = 0; i < 50 && !globalThis.done; i++) await new Promise((go) => setTimeout(go, 20));",
  ]);
  await runCell(page, 1);
  const canvas = cell(page, 1).locator(".tiles canvas");
  const box = await canvas.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width * 0.25, box.y + box.height * 0.5);
  await page.mouse.down();
  /** What the frames see comes to this. @param {RegExp} wanted */
  const comesTo = async (wanted) => {
    for (let attempt = 1; ; attempt++) {
      await page.waitForTimeout(200);
      const { text } = await runCell(page, 2);
      if (wanted.test(text)) return;
      assert.ok(attempt < 25, `${text} does not become ${wanted}`);
    }
  };
  await comesTo(/^0\.3 0\.5 true$/);
  await page.mouse.up();
  await canvas.focus();
  for (let i = 0; i < 12; i++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press(" ");
  await comesTo(/^0\.(7|8) 0\.5 true$/);

  await runCell(page, 3);
  await cell(page, 3).locator(".animation-bar").scrollIntoViewIfNeeded();
  await page.waitForFunction(() => /drawn/.test(window.weft.cells()[2]?.text ?? ""));
  const running = runCell(page, 4);
  await page.getByRole("button", { name: "press" }).click();
  assert.equal((await running).text, "mine");
  await page.waitForFunction(() => /drawn[^]*pressed/.test(window.weft.cells()[2]?.text ?? ""));
  await page.context().close();
});

test("the site's first notebook moves by itself; what comes by a link or lies in the gallery runs nothing", async () => {
  const context = await playground.browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(playground.url);
  await page.locator(".animation-figures").waitFor();
  await passes(page, 5);
  assert.equal(await page.locator(".code-cell").first().locator(".editor-frame").isVisible(), false);
  await page.getByRole("button", { name: "Show code" }).click();
  await page.locator(".code-cell").first().getByText("One step of the wave equation").waitFor();
  const text = await page.evaluate(async () => (await fetch("notebooks/welcome.md")).text());
  const { deflateRawSync } = await import("node:zlib");
  const other = await context.newPage();
  await other.goto(`${playground.url}#nb=${deflateRawSync(Buffer.from(text)).toString("base64url")}`);
  await ready(other);
  await other.waitForTimeout(1_500);
  assert.equal(await other.locator(".code-cell").first().locator(".editor-frame").isVisible(), true, "code by a stranger is shown");
  assert.ok((await other.evaluate(() => window.weft.cells())).every(({ status }) => status === "idle"));
  await context.close();
});

test("stats() of a cell counts what that cell did, and an animation's what that did, whatever goes on beside", async () => {
  const page = await playground.open([
    "const grid = ones([64, 64]), frames = [];\nlet before = 0;\nanimate((time, frame) => {\n  const now = stats().dispatches;\n  if (frame > 1) frames.push(now - before);\n  before = now;\n  return grid.add(frame).mul(2);\n});",
    "animate((time, frame) => softmax(grid.mul(frame).sum(0).add(grid), 1));\nanimate(async (time, frame) => grid.sub(frame), { scale: 2 });",
    "const x = random.normal([512, 512]);\nawait realize(x);\nconst kernels = [];\nfor (let i = 0; i < 12; i++) {\n  const start = stats().dispatches;\n  await softmax(x.mul(2).add(i), 1).data();\n  for (let j = 0; j < 3; j++) await nextFrame();\n  kernels.push(stats().dispatches - start);\n}\nprint([...new Set(kernels)].join());",
    "print(frames.length > 10, [...new Set(frames.slice(5))].join(), stats().dispatches > 0);",
  ]);
  for (const number of [1, 2]) assert.equal((await runCell(page, number)).status, "done");
  await page.waitForFunction(() => [...document.querySelectorAll(".animation-figures")].filter((each) => /frame [1-9]/.test(each.textContent ?? "")).length >= 1);
  assert.match((await runCell(page, 3)).text, /^\d$/, "as many kernels each time");
  assert.equal((await runCell(page, 3)).text, "1");
  assert.match((await runCell(page, 4)).text, /^true \d true$/);
  await page.context().close();
});
