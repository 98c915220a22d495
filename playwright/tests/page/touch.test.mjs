// The page under a finger, under a pointer where its tools are concerned, and on paper.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { cell, Playground, runAll } from "../../lib/playground.mjs";

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Opens the tools of a cell by what `reach` does, and yields what text they cover, of this cell or
 * another.
 * @param {import("playwright-core").Locator} cell @param {() => Promise<void>} reach */
async function coveredByTools(cell, reach) {
  await reach();
  const tools = cell.locator(".cell-tools");
  await tools.evaluate(async (element) => {
    const shown = () => getComputedStyle(element).opacity === "1" && element.getBoundingClientRect().height > 24;
    while (!shown()) await new Promise(requestAnimationFrame);
  });
  return tools.evaluate((element) => {
    const box = element.getBoundingClientRect();
    const meets = (/** @type {DOMRect} */ { left, right, top, bottom }) => left < box.right && right > box.left && top < box.bottom && bottom > box.top;
    /** @type {string[]} */
    const covered = [];
    let count = 0;
    const roots = [document.querySelector("main") ?? document.body, ...[...document.querySelectorAll(".editor")].flatMap(({ shadowRoot }) => shadowRoot?.querySelector(".cm-content") ?? [])];
    for (const root of roots) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const parent = node.parentElement;
        if (!node.textContent?.trim() || !parent || element.contains(parent) || !parent.checkVisibility({ opacityProperty: true }) || parent.closest(".visually-hidden")) continue;
        count++;
        const range = document.createRange();
        range.selectNodeContents(node);
        if ([...range.getClientRects()].some(meets)) covered.push(node.textContent);
      }
    }
    return count > 3 ? covered : ["there is no text"];
  });
}

test("what says how to begin speaks of what a phone has", async () => {
  const page = await playground.open([""], phone);
  await cell(page, 1).locator(".cm-content").tap();
  await cell(page, 1).getByText("▷ runs it").waitFor();
  await page.locator(".header .menu summary").tap();
  await page.getByRole("button", { name: "Files of this notebook…" }).tap();
  await page.getByText("Files that you add are kept here").waitFor();
  await page.context().close();
});

test("a tap on a text shows its tools; what is not seen cannot be tapped", async () => {
  const page = await playground.open("# Title\n\nA text to tap.\n\n```js\n1\n```\n\nMore text.\n\n```js\nplot([1, 2, 4])\n```\n", phone);
  const shown = (/** @type {string} */ selector) =>
    page.locator(selector).evaluateAll((all) => all.filter((each) => getComputedStyle(each).opacity === "1").length);
  await page.locator(".prose-cell p").first().tap();
  const tools = page.locator(".prose-cell .cell-tools").first();
  await page.waitForFunction(() => getComputedStyle(/** @type {Element} */ (document.querySelector(".prose-cell .cell-tools"))).opacity === "1");
  assert.equal(await shown(".cell-tools"), 1);
  const sizes = await tools.locator("button").evaluateAll((all) => all.map((each) => Math.min(each.clientWidth, each.clientHeight)));
  assert.ok(sizes.every((size) => size >= 36), String(sizes));
  await tools.getByRole("button", { name: "Edit this text" }).tap();
  await page.getByRole("button", { name: "Done" }).tap();
  for (const number of [1, 2]) assert.deepEqual(await coveredByTools(cell(page, number), () => cell(page, number).locator(".cm-content").tap()), [], `of cell ${number}`);
  // Between two cells that nobody touches there is an invisible button: a tap where it is adds
  // nothing.
  await page.locator(".brand").focus();
  const count = await page.locator(".cell").count();
  const box = await page.locator("main .gap").first().boundingBox();
  assert.ok(box);
  for (const share of [0.35, 0.45, 0.55, 0.65]) await page.touchscreen.tap(box.x + box.width * share, box.y + box.height / 2);
  assert.equal(await page.locator(".cell").count(), count);
  // Two fingers zoom a plot, and not the page.
  await runAll(page);
  const picture = page.locator(".plot-picture");
  await picture.scrollIntoViewIfNeeded();
  await picture.locator("svg").first().waitFor();
  const all = page.locator(".plot-figure").getByRole("button", { name: "Show all of this plot", includeHidden: true });
  assert.equal(await all.isVisible(), false);
  const area = await picture.boundingBox();
  assert.ok(area);
  const hands = await page.context().newCDPSession(page);
  const touch = (/** @type {"touchStart" | "touchMove" | "touchEnd"} */ type, /** @type {number[]} */ ...sides) =>
    hands.send("Input.dispatchTouchEvent", { type, touchPoints: sides.map((side) => ({ x: area.x + area.width / 2 + side, y: area.y + area.height / 2, id: side < 0 ? 0 : 1 })) });
  await touch("touchStart", -20);
  await touch("touchStart", -20, 20);
  for (const side of [40, 60, 80]) await touch("touchMove", -side, side);
  await touch("touchEnd");
  await all.waitFor();
  assert.equal(await page.evaluate(() => visualViewport?.scale), 1);
  await all.tap();
  await all.waitFor({ state: "hidden" });
  await page.context().close();
});

test("the drawer of notebooks is as high as the screen", async () => {
  const page = await playground.open(["1"], phone);
  await page.getByRole("button", { name: "Notebooks" }).tap();
  await page.waitForTimeout(400);
  const box = await page.locator("#sidebar").boundingBox();
  assert.deepEqual([box?.x, box?.y, box?.height], [0, 0, 844]);
  await page.context().close();
});

test("paper shows code and outputs, light, and nothing to press", async () => {
  const page = await playground.open(["const code = 'written';\nprint('printed');\nbutton('Press', () => 1)", "tensor([1, 2]).add(1)"], { colorScheme: "dark" });
  await runAll(page);
  for (const each of await page.locator(".cell").all()) assert.deepEqual(await coveredByTools(each, () => each.locator(".cell-body, .editor-frame").first().hover()), []);
  await page.emulateMedia({ media: "print" });
  await page.waitForFunction(() => document.documentElement.dataset["theme"] === "light");
  assert.equal(await page.locator("button:visible, summary:visible").count(), 0);
  assert.match(await cell(page, 1).innerText(), /printed/);
  assert.match(await cell(page, 1).locator(".cm-content").innerText(), /written/);
  assert.match(await cell(page, 2).locator(".outputs").innerText(), /f32/);
  await page.context().close();
});
