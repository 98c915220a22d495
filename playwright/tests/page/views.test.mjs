// Accessibility of every view, best practice included: as it opens, after a run, with stale or
// saved outputs, with overlays, and where nothing could be opened.

import assert from "node:assert/strict";
import { after, before } from "../../lib/test.mjs";
import { assertAccessible, assertAccessibleInBoth } from "../../lib/accessible.mjs";
import { Playground, ready, runAll } from "../../lib/playground.mjs";
import { rotating, share } from "../../lib/rotation.mjs";

const test = rotating(2);

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());

/** Where nothing else depends on it nothing moves: what moves on a GPU that software imitates slows
 * all the rest. */
for (const [width, colorScheme, reducedMotion] of share(/** @type {const} */ ([[1440, "light", "no-preference"], [1024, "dark", "reduce"], [390, "dark", "reduce"]]), 3)) {
  test(`${width} pixels wide and ${colorScheme}: every view is accessible`, async () => {
    const context = await playground.browser.newContext({ viewport: { width, height: 900 }, colorScheme, reducedMotion, bypassCSP: true });
    const page = await context.newPage();
    await page.goto(`${playground.url}?notebook=welcome`);
    await ready(page);
    await assertAccessible(page, "as it opens");
    assert.equal((await runAll(page)).ok, true);
    await page.evaluate(() => window.weft.setCell(2, "const a = tensor([[1, 2, 3], [4, 5, 7]]);\na"));
    await page.waitForFunction(() => document.querySelectorAll('.code-cell[data-status="stale"]').length > 1);
    await assertAccessible(page, "after a run, and an edit");
    await page.locator(".badge summary").click();
    await assertAccessible(page, "with the badge open");
    await page.keyboard.press("Escape");
    await page.evaluate(() => window.weft.setCell(2, "missing.value"));
    await page.evaluate(() => window.weft.runCell(2));
    await assertAccessible(page, "with an error");
    await page.waitForFunction(() => localStorage.getItem("weft:outputs") !== null);
    await page.reload();
    await ready(page);
    await assertAccessible(page, "with saved outputs");
    await page.goto(`${playground.url}?notebook=nowhere`);
    await ready(page);
    await assertAccessible(page, "where there is no notebook");
    await context.close();
  });
}

test("what opens over the page is accessible: dialogs, the keyboard map, proposals and meanings", async () => {
  const context = await playground.browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", bypassCSP: true });
  const page = await context.newPage();
  await page.goto(`${playground.url}?notebook=welcome`);
  await ready(page);
  await page.locator("body").press("?");
  await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
  await assertAccessibleInBoth(page, "the keyboard map");
  await page.keyboard.press("Escape");
  const choose = async (/** @type {string} */ name) => {
    await page.locator(".menu summary").click();
    await page.getByRole("button", { name }).click();
  };
  await choose("Share and export…");
  await page.getByRole("dialog", { name: "Share and export" }).waitFor();
  await assertAccessibleInBoth(page, "the share dialog");
  await page.keyboard.press("Escape");
  await choose("Reset to original");
  await page.getByRole("dialog", { name: "Reset this notebook?" }).waitFor();
  await assertAccessibleInBoth(page, "the reset dialog");
  await page.keyboard.press("Escape");
  const chooser = page.waitForEvent("filechooser");
  await choose("Open a file…");
  await (await chooser).setFiles({ name: "large.md", mimeType: "text/markdown", buffer: Buffer.alloc(17_000_000, "a") });
  await page.getByRole("dialog", { name: "The file could not be opened" }).waitFor();
  await assertAccessibleInBoth(page, "the file-error dialog");
  await page.keyboard.press("Escape");
  const editor = page.locator(".code-cell", { hasText: "const a = tensor" }).locator(".cm-content");
  await editor.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\na.mat");
  await page.locator(".cm-tooltip-autocomplete").getByText("matmul").first().waitFor();
  // A list that has just come takes no keys: they were meant for the text.
  await page.waitForTimeout(200);
  await page.keyboard.press("ArrowDown");
  await page.locator(".cm-completionInfo").waitFor({ timeout: 10_000 });
  await assertAccessibleInBoth(page, "proposals");
  await page.keyboard.press("Escape");
  await editor.getByText("tensor", { exact: true }).first().hover();
  await page.locator(".cm-tooltip-hover .meaning, .meaning").first().waitFor();
  await assertAccessibleInBoth(page, "a name's meaning");
  await context.close();
});

test("the network is accessible after a run, with its pad and its charts", async () => {
  const context = await playground.browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: true });
  const page = await context.newPage();
  await page.goto(`${playground.url}?notebook=mnist`);
  await ready(page);
  // All but the training, which takes its time; then what it would show.
  await page.evaluate(() => window.weft.setCell(1, "const pad = draw({ size: 28, label: 'A digit', labels: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] });\nawait pad.guess(softmax(arange(10, { dtype: 'f32' })));\nimage(random.uniform([12, 28, 28]), { columns: 6, labels: Array.from({ length: 12 }, (_, i) => String(i)) });\nconst chart = plot({ title: 'Training', x: 'step', series: [['loss'], ['accuracy']], log: true });\nfor (let step = 1; step < 60; step++) chart.add({ step, loss: 1 / step, accuracy: step / 60 });\nprogress(10, { label: 'Epoch' }).update(4);"));
  await page.evaluate(() => window.weft.runCell(1));
  await page.locator(".reading-numeral", { hasText: "9" }).waitFor();
  await assertAccessibleInBoth(page, "a network's outputs and what a drawing is taken for");
  await page.evaluate(() => window.weft.setCell(2, "const long = progress(10, { label: 'Long' });\nlong.update(3);\nfor (;;) await nextFrame();"));
  await page.evaluate(() => void window.weft.runCell(2));
  await page.getByRole("button", { name: "Go to cell 2 · 30 %" }).waitFor();
  await assertAccessibleInBoth(page, "the pill");
  await context.close();
});

const EVERYTHING = `# Everything

A [link](https://elsewhere.test/), \`code\`, and $x^2$.

| a | b |
|---|---|
| 1 | 2 |

${[
  "animate((time) => ones([8, 8]).mul(time % 1), { title: 'plays' });",
  "const far = slider('how far', { min: 0, max: 1 });\nnumber('how many');\nselect('which', ['a', 'b']);\ncheckbox('whether');\ncolor('hue');\nbutton('go', () => 1);\ndraw({ label: 'a pad', labels: [0, 1] });",
  "heatmap(eye(4), { title: 'warm' });\ntable([{ name: 'one', value: 1 }]);\nplot({ title: 'Training', series: ['loss'] }).add({ loss: 1 });\nimage(eye(4), { title: 'mild' });\naudio(zeros([800]), 8000);\nprogress(2, { label: 'Epoch' }).update(1);\nprint({ a: tensor([1]) });\neye(3)",
  "console.warn('careful');\nconsole.error('wrong');\nfor (let i = 0; i < 400; i++) display(i);",
].map((code) => "```js\n" + code + "\n```\n").join("\n")}`;

/** Opens every help of what cells show, and sees that there is one of each kind, with its text.
 * @param {import("playwright-core").Page} page */
async function allHelps(page) {
  // Both come with their first output.
  await page.locator(".outputs .value-tree").waitFor();
  await page.locator(".outputs audio").waitFor();
  const helps = page.locator(".outputs .about-button:visible");
  assert.deepEqual((await helps.evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")))).sort(), [
    "a pad", "Animation", "Button", "Epoch", "how far", "how many", "hue", "mild", "Sound", "Table", "Tensor", "Training", "Value", "warm", "whether", "which",
  ].map((what) => `Help: ${what}`).sort());
  for (const help of await helps.all()) await help.press("Enter");
  await page.waitForFunction((count) => [...document.querySelectorAll(".outputs .about-text:not([hidden])")].filter(({ textContent }) => /\w\.$/.test(textContent ?? "")).length === count, await helps.count());
}

for (const width of share([390, 1024], 2, 2)) {
  test(`${width} pixels wide, light and dark: accessible while it moves, and with whatever is open over it`, async () => {
    const page = await playground.open(EVERYTHING, { viewport: { width, height: 900 }, bypassCSP: true, quiet: false });
    page.setDefaultTimeout(60_000);
    const judge = (/** @type {string} */ view) => assertAccessibleInBoth(page, view);
    assert.equal((await runAll(page)).ok, true);
    await page.locator(".animation-bar").scrollIntoViewIfNeeded();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await page.getByText("more not shown").scrollIntoViewIfNeeded();
    await allHelps(page);
    await page.evaluate(() => scrollTo(0, 0));

    await judge("while it plays, with every help open");
    assert.equal(await page.getByRole("button", { name: "Pause" }).count(), 1, "it still plays");
    await page.locator(".menu summary").click();
    await judge("the menu");
    await page.keyboard.press("Escape");
    await page.locator(".badge summary").click();
    await judge("the badge");
    await page.keyboard.press("Escape");
    if (width < 1080) {
      await page.getByRole("button", { name: "Notebooks" }).click();
      await judge("the drawer");
      await page.keyboard.press("Escape");
    }
    await page.locator("body").press("?");
    await page.getByRole("dialog").waitFor();
    await judge("a dialog");
    await page.keyboard.press("Escape");
    await page.locator(".code-cell").nth(2).getByRole("button", { name: "Inspect what this code cell computed" }).press("Enter");
    await page.getByRole("region", { name: "Inspector" }).waitFor();
    await judge("the inspector");
    await page.keyboard.press("Escape");
    await page.locator(".code-cell").nth(3).getByRole("button", { name: "Delete this code cell" }).press("Enter");
    await page.locator(".toast").getByRole("button", { name: "Undo" }).waitFor();
    await judge("what can be undone");
    await page.locator(".prose-cell").first().getByRole("button", { name: "Edit this text" }).press("Enter");
    await page.locator(".prose-editor .cm-content").waitFor();
    await judge("a text that is written");
    await page.context().close();
  });
}

test("a reader who asks for less motion gets none, and forced colours keep what colours alone would tell", async () => {
  const context = await playground.browser.newContext({ reducedMotion: "reduce", forcedColors: "active" });
  const page = await context.newPage();
  await page.goto(playground.url);
  await ready(page);
  await page.evaluate(() => void window.weft.runCell(1));
  const moving = await page.evaluate(() => document.getAnimations().filter((each) => each.playState === "running").length);
  assert.equal(moving, 0);
  const width = await page.locator(".run").first().evaluate((element) => getComputedStyle(element).borderTopWidth);
  assert.notEqual(width, "0px", "buttons have borders");
  assert.equal(await page.locator(".command.primary").evaluate((element) => getComputedStyle(element).borderTopStyle), "solid");
  await context.close();
});
