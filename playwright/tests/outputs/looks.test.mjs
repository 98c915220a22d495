// Placement of outputs: on the text's left edge, beside their labels, within their axes, and as
// long as their figures.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { cell, Playground, runAll } from "../../lib/playground.mjs";

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

const EVERYTHING = [
  "print('text');\ndisplay(eye(3), { title: 'eye' });\nimage(eye(4), { title: 'picture' });\nheatmap(eye(4));\ntable([{ name: 'one', value: 1 }]);\nplot({ series: ['a'] }).add({ a: 1 });\nprogress(3).update(3)",
  "slider('how far', { min: 0, max: 1 });\nnumber('how many');\nselect('which', ['a', 'b']);\ncheckbox('whether');\ncolor('hue');\nbutton('go', () => 1);\ndraw({ label: 'pad' })",
  "animate(() => eye(4), { title: 'moves' })",
  "slider('closer', { min: 0, max: 100, step: 0.1 });\nslider('a label that is far longer than any screen of a telephone is wide, and goes on and on', { min: 0, max: 1 })",
  "const chart = plot({ x: 'x', series: ['y'], range: [-1, 1] });\nfor (let x = -10; x <= 10; x++) chart.add({ x, y: x });",
];

test("1440, 1024 and 390 pixels wide: texts, code and every kind of output have one left edge", async () => {
  const page = await playground.open(EVERYTHING, { viewport: { width: 1440, height: 900 } });
  assert.equal((await runAll(page)).ok, true);
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (let number = 1; number <= EVERYTHING.length; number++) await cell(page, number).scrollIntoViewIfNeeded();
    const edges = await page.evaluate(() => {
      const left = (/** @type {Element} */ element) => Math.round(element.getBoundingClientRect().left);
      const text = left(document.querySelector(".prose h1") ?? document.body);
      const parts = [...document.querySelectorAll(".editor-frame, .outputs > *, .caption, .tiles > :first-child, .control > :first-child")];
      // A switch's box has the browser's own margin of nothing; what is drawn as a bar of buttons
      // is drawn into. A picture with axes stands beside its figures: they have the edge.
      return parts.map((part) => part.closest(".axes") ?? part).map((part) => `${part.className}: ${left(part) - text}`).filter((each) => !/: 0$/.test(each));
    });
    assert.deepEqual(edges, [], `${width} pixels wide`);
  }
  // The device's name has room beside the rest of the header, also once there is memory to tell.
  const label = await page.locator(".badge-label").boundingBox();
  assert.ok(label && label.width >= 40, `the device's name is ${label?.width} pixels wide`);
  // On the narrow screen a slider stands beside its label and its figure, however long the label.
  const sliders = await cell(page, 4).locator(".control").all();
  assert.equal(sliders.length, 2);
  for (const control of sliders) {
    const [label, range, figure] = await Promise.all(["label", "input", "output"].map((part) => control.locator(part).boundingBox()));
    assert.ok(label && range && figure);
    const middle = range.y + range.height / 2;
    assert.ok(label.x + label.width <= range.x && range.x + range.width <= figure.x, "in a row");
    assert.ok(figure.y < middle && figure.y + figure.height > middle && label.y < middle && label.y + label.height > middle, "one beside the other");
    assert.ok(figure.x + figure.width <= 390 && range.width >= 120);
  }
  // A curve ends where the range ends that was asked for.
  const number = (/** @type {string} */ selector, /** @type {string} */ name) => cell(page, 5).locator(`.plot ${selector}`).getAttribute(name).then(Number);
  const beyond = (await number(".field", "y")) + (await number(".field", "height")) - (await number(".axis", "y1"));
  assert.ok(beyond <= 2, `${beyond} pixels beyond the axis`);
  await page.context().close();
});

test("a bar is as long as its figures say, however often they change", async () => {
  const page = await playground.open(["const bar = progress(4000);\nfor (let i = 1; i <= 4000; i++) { bar.update(i); await new Promise((resolve) => setTimeout(resolve, 2)); }"]);
  await page.evaluate(() => void window.weft.runCell(1));
  await page.waitForFunction(() => Number(document.querySelector(".progress-bar")?.getAttribute("aria-valuenow")) > 400);
  const lags = await page.evaluate(async () => {
    /** @type {number[]} */
    const seen = [];
    for (let i = 0; i < 20; i++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const bar = document.querySelector(".progress-bar");
      const fill = bar?.firstElementChild;
      if (bar && fill) seen.push(Number(bar.getAttribute("aria-valuenow")) / 4_000 - fill.getBoundingClientRect().width / bar.getBoundingClientRect().width);
    }
    return seen;
  });
  assert.ok(lags.length === 20 && lags.every((lag) => Math.abs(lag) < 0.002), lags.map((lag) => lag.toFixed(3)).join(" "));
  await page.evaluate(() => window.weft.stop());
  await page.context().close();
});
