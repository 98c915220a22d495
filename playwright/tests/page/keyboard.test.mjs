// Use of the page without a pointer. Tab reaches everything that a pointer could press, in one
// round and without a trap, and shows where it is; each control does by its keys what it does under
// a pointer; dialogs and menus close on Escape and return the focus.

import assert from "node:assert/strict";
import { after, before, test } from "../../lib/test.mjs";
import { cell, Playground, ready, runAll, runCell } from "../../lib/playground.mjs";
import { share } from "../../lib/rotation.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());

const CONTROLS = "const far = slider('how far', { min: 0, max: 10, step: 1, value: 5 });\nconst many = number('how many', { value: 2 });\nconst which = select('which', ['a', 'b', 'c']);\nconst whether = checkbox('whether');\nconst hue = color('hue');\nbutton('press', () => print('pressed'));\nconst pad = draw({ size: 8, label: 'pad', labels: [0, 1] });\npad.onChange((ink) => print('ink', ink.filter((value) => value > 0).length > 0));";
const MOVES = "animate((time, frame, pointer) => { globalThis.drawn = frame + 1; return ones([8, 8]).mul(pointer.x) }, { title: 'moves' });";
/** It tells how many frames are drawn too, when a frame that was under way as it began is one of
 * them. */
const USES = "for (let i = 0; i < 6; i++) await nextFrame();\nprint(far, many, which, whether, hue, globalThis.drawn)";
const FOLDED = Array.from({ length: 40 }, (_, i) => `// line ${i}`).join("\n") + "\nplot({ series: ['a'] }).add({ a: 1 })";
const NOTEBOOK = `# Keys\n\nSome text with a [link](https://elsewhere.test/).\n\n## Part\n\n${[CONTROLS, USES, MOVES, FOLDED].map((code) => "```js\n" + code + "\n```\n").join("\n")}`;

/** @param {import("../../lib/playground.mjs").ContextOptions & { width?: number }} [options] */
async function open({ width = 1280, ...options } = {}) {
  const page = await playground.open(NOTEBOOK, { viewport: { width, height: 900 }, quiet: false, ...options });
  page.setDefaultTimeout(60_000);
  return page;
}

/**
 * What has the focus: of shadow roots, the host. Its number, whether it is seen, and how it and
 * what is around it look.
 * @param {Page} page
 */
const focused = (page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return null;
    const known = /** @type {{ stops?: Element[] }} */ (globalThis);
    known.stops ??= [];
    if (!known.stops.includes(element)) known.stops.push(element);
    const { left, top, right, bottom, width } = element.getBoundingClientRect();
    return {
      at: known.stops.indexOf(element),
      name: `${element.tagName.toLowerCase()}.${element.className} ${element.getAttribute("aria-label") ?? element.textContent?.trim().slice(0, 30)}`,
      inView: width > 0 && right > 0 && left < innerWidth && bottom > 0 && top < innerHeight,
    };
  });

/** How each stop and its surroundings look, the stop that has the focus among them.
 * @param {Page} page
 * @param {number} at */
const appearance = (page, at) =>
  page.evaluate((at) => {
    /** @type {string[]} */
    const seen = [];
    for (let element = /** @type {{ stops?: Element[] }} */ (globalThis).stops?.[at] ?? null, up = 0; element && up < 3; element = element.parentElement, up++) {
      const { outlineStyle, outlineWidth, boxShadow, borderTopColor } = getComputedStyle(element);
      seen.push(`${outlineStyle === "none" ? "" : outlineWidth} ${boxShadow} ${borderTopColor}`);
    }
    return seen.join(" | ");
  }, at);

/** Editors take Tab for themselves; Escape lets the next one leave. @param {Page} page */
async function tab(page, key = "Tab") {
  const editing = await page.evaluate(() => document.activeElement?.classList.contains("editor"));
  if (editing) await page.keyboard.press("Escape");
  await page.keyboard.press(key);
}

for (const [width, colorScheme] of share(/** @type {const} */ ([[1280, "light"], [390, "dark"]]), 2)) {
  test(`${width} pixels wide: one round of Tab reaches all there is to press, and each stop is seen to have the focus`, async () => {
    // Nothing moves, and colours change at once.
    const page = await open({ width, colorScheme, reducedMotion: "reduce" });
    assert.equal((await runAll(page)).ok, true);
    // Cells out of view are roughly laid out, and their editors come when they are near.
    for (const each of await page.locator(".code-cell").all()) {
      await each.scrollIntoViewIfNeeded();
      await each.locator(".editor .cm-content").waitFor();
    }
    await page.evaluate(() => scrollTo(0, 0));
    // What a cell shows after its end makes it one that can be stopped, for a while.
    const atRest = () => page.locator("button.command", { hasText: "Stop" }).and(page.locator(":disabled")).waitFor();
    await atRest();
    await page.locator(".skip").first().focus();
    // Back out of the page, which begins anew with the next Tab.
    await page.keyboard.press("Shift+Tab");
    /** @type {{ at: number, name: string, lit: string }[]} */
    const round = [];
    for (let presses = 0; ; presses++) {
      assert.ok(presses < 200, `no end: ${round.slice(-4).map(({ name }) => name).join(", ")}`);
      await tab(page);
      const now = await focused(page);
      if (now === null || round.some(({ at }) => at === now.at)) break;
      assert.ok(now.inView, `${now.name} is out of view`);
      round.push({ at: now.at, name: now.name, lit: await appearance(page, now.at) });
    }
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    /** @type {string[]} */
    const unseen = [];
    for (const { at, name, lit } of round) if (lit === (await appearance(page, at))) unseen.push(name);
    assert.deepEqual(unseen, [], "a ring, or a change of colour, says where the focus is");
    await atRest();
    // Tools of a cell are one stop; so is a group of choices.
    const missed = await page.evaluate(() => {
      const stops = /** @type {{ stops?: Element[] }} */ (globalThis).stops ?? [];
      const all = [...document.querySelectorAll("a[href], button, input, select, summary, textarea, [tabindex='0'], .editor")];
      return all
        .filter((each) => each instanceof HTMLElement && each.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) && !each.matches(":disabled, [tabindex='-1']") && !stops.includes(each))
        .map((each) => `${each.className} ${each.getAttribute("aria-label") ?? each.textContent}`);
    });
    assert.deepEqual(missed, []);
    // And back: the way in is the way out.
    await tab(page, "Shift+Tab");
    await tab(page, "Shift+Tab");
    assert.notEqual(await focused(page), null);
    await page.context().close();
  });
}

test("every control does by its keys what it does under a pointer", async () => {
  const page = await open();
  await runAll(page);
  const output = cell(page, 1).locator(".outputs");
  const tells = (/** @type {RegExp} */ text) => cell(page, 2).locator(".outputs", { hasText: text }).waitFor();
  await output.locator("input[type=range]").focus();
  await page.keyboard.press("ArrowRight");
  await tells(/^6 2 a false/);
  await output.locator("input[type=number]").focus();
  await page.keyboard.press("ArrowUp");
  await tells(/^6 3 a false/);
  await output.locator("select").focus();
  await page.keyboard.press("ArrowDown");
  await tells(/^6 3 b false/);
  await output.locator("input[type=checkbox]").focus();
  await page.keyboard.press("Space");
  await tells(/^6 3 b true/);
  await output.getByRole("button", { name: "press" }).focus();
  await page.keyboard.press("Enter");
  await output.getByText("pressed").waitFor();
  const pad = output.locator("canvas.pad");
  await pad.focus();
  await page.keyboard.press("Space");
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowDown");
  await output.getByText("ink true").waitFor();
  await page.keyboard.press("Escape");
  await output.getByText("ink false").waitFor();

  const moving = cell(page, 3);
  await moving.scrollIntoViewIfNeeded();
  const pause = moving.getByRole("button", { name: "Pause" });
  await pause.focus();
  await page.keyboard.press("Enter");
  await moving.getByRole("button", { name: "Play" }).waitFor();
  const stands = (/** @type {number} */ at) => page.waitForFunction((at) => Number(/frame ([\d,]+)/.exec(document.querySelector(".animation-figures")?.textContent ?? "")?.[1]?.replace(",", "")) === at, at);
  const stood = Number((await runCell(page, 2)).text.split(" ").at(-1));
  await stands(stood);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await stands(stood + 1);
  // The picture takes the pointer, and the arrows in its place.
  await moving.locator("canvas.touch").focus();
  for (let i = 0; i < 20; i++) await page.keyboard.press("ArrowLeft");
  await moving.getByRole("button", { name: "One frame" }).press("Enter");
  await page.waitForFunction(() => {
    const canvas = document.querySelector("canvas.touch");
    return canvas instanceof HTMLCanvasElement && canvas.getContext("2d")?.getImageData(0, 0, 1, 1).data[0] === 0;
  });
  await moving.getByRole("button", { name: "Play" }).press("Enter");
  await moving.getByRole("button", { name: "Pause" }).waitFor();
  await moving.getByRole("button", { name: "From the start" }).press("Enter");
  await page.waitForFunction(() => window.weft.cells()[2]?.status === "done");
  await page.context().close();
});

/** @param {Page} page */
const holder = (page) => page.evaluate(() => document.activeElement?.closest("summary, button, a, section, .cell-body, .editor")?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "");

test("what opens closes on Escape, and the focus is where it was", async () => {
  const page = await open();
  const menu = page.locator(".menu summary");
  for (const [item, dialog] of [["Share and export…", "Share and export"], ["Keyboard shortcuts", "Keyboard"]]) {
    await menu.press("Enter");
    await page.keyboard.press("ArrowDown");
    await page.getByRole("button", { name: String(item), exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: String(dialog) }).waitFor();
    // The page behind has no stop.
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate(() => document.activeElement === document.body || document.activeElement?.closest("dialog") !== null), true);
    }
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal(await holder(page), "More");
  }
  await menu.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".menu").getAttribute("open"), null);
  assert.equal(await holder(page), "More");

  const badge = page.locator(".badge summary");
  await badge.press("Enter");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.closest(".badge-details") !== null), true);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".badge").getAttribute("open"), null);
  assert.match(await holder(page), /Device/);

  await page.locator("body").press("?");
  await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  const explain = cell(page, 2).getByRole("button", { name: "Inspect what this code cell computed" });
  await explain.press("Enter");
  await page.getByRole("region", { name: "Inspector" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("region", { name: "Inspector" }).waitFor({ state: "detached" });
  assert.match(await holder(page), /Inspect/);
  await page.context().close();
});

test("the drawer of a narrow page opens, is left and closes by keys", async () => {
  const page = await open({ width: 1024 });
  const button = page.getByRole("button", { name: "Notebooks" });
  const isOpen = () => page.evaluate(() => document.body.classList.contains("sidebar-open"));
  await button.press("Enter");
  assert.equal(await button.getAttribute("aria-expanded"), "true");
  assert.equal(await page.evaluate(() => document.activeElement?.closest("#sidebar") !== null), true);
  await page.keyboard.press("Escape");
  assert.equal(await isOpen(), false);
  assert.equal(await holder(page), "Notebooks");
  assert.equal(await button.getAttribute("aria-expanded"), "false");
  // A heading of the notebook leads there and closes it.
  await button.press("Enter");
  await page.locator("#sidebar").getByRole("button", { name: "Part" }).press("Enter");
  assert.equal(await isOpen(), false);
  // Tab leads on into the notebook, with nothing over it.
  await button.press("Enter");
  for (let i = 0; i < 8 && (await isOpen()); i++) await page.keyboard.press("Tab");
  assert.equal(await isOpen(), false);
  assert.equal(await page.evaluate(() => document.activeElement?.closest("main") !== null), true);
  await page.context().close();
});

test("cells are run, made, moved, written and deleted by keys, and the focus is never lost", async () => {
  const page = await open();
  const hasFocus = async (/** @type {string} */ when) => assert.notEqual(await focused(page), null, `lost ${when}`);
  const editor = (/** @type {number} */ number) => cell(page, number).locator(".cm-content");
  // From the top: the first stop leads to the first cell.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.classList.contains("editor"));
  await page.keyboard.press("Control+Enter");
  await page.waitForFunction(() => window.weft.cells()[0]?.status === "done");
  await hasFocus("by a run");
  await cell(page, 4).getByRole("button", { name: "Show all 41 lines" }).press("Enter");
  await hasFocus("by unfolding");
  assert.equal(await cell(page, 4).locator(".unfold").count(), 0);
  const explain = cell(page, 2).getByRole("button", { name: "Inspect what this code cell computed" });
  await explain.focus();
  for (const name of ["up", "down"]) {
    const tool = cell(page, name === "up" ? 2 : 1).getByRole("button", { name: `Move this code cell ${name}` });
    await page.keyboard.press("ArrowRight");
    assert.equal(await tool.evaluate((each) => each === document.activeElement), true);
    await page.keyboard.press("Enter");
    await hasFocus(`by moving ${name}`);
  }
  assert.match(await editor(2).innerText(), /print\(far/);
  await cell(page, 2).getByRole("button", { name: "Add a code cell below" }).press("Enter");
  await page.keyboard.type("1 + 1");
  await page.keyboard.press("Shift+Enter");
  await page.waitForFunction(() => window.weft.cells()[2]?.text === "2");
  await cell(page, 3).getByRole("button", { name: "Delete this code cell" }).press("Enter");
  await hasFocus("by deleting");
  const undo = page.locator(".toast").getByRole("button", { name: "Undo" });
  await undo.press("Enter");
  await page.waitForFunction(() => window.weft.cells().length === 5);
  // Text: its pencil, what is written, and back.
  const text = page.locator(".prose-cell").first();
  await text.getByRole("button", { name: "Edit this text" }).press("Enter");
  await text.locator(".cm-content").waitFor();
  await page.keyboard.press("Control+Enter");
  await text.locator(".cm-content").waitFor({ state: "detached" });
  await hasFocus("by writing");
  assert.equal(await page.evaluate(() => document.activeElement?.closest(".prose-cell") !== null), true);
  // The gallery is links.
  await page.locator("#sidebar a").first().press("Enter");
  await ready(page);
  await page.context().close();
});
