// The page as a whole: layout on narrow and wide screens, light and dark; accessibility; edits that
// last; links that carry a notebook; and a browser without WebGPU.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { assertAccessible, assertAccessibleInBoth } from "../../lib/accessible.mjs";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { cell, Playground, ready, runAll } from "../../lib/playground.mjs";

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

const EVERYTHING = `# Everything that can be shown

Prose with a [link](https://example.com), \`code\` and a table.

| name | value |
| --- | --- |
| a long name in a table | and a value that is rather long too, as values are |

## Numbers

\`\`\`js
// A line of code that is far too long for a narrow screen, and therefore has to scroll within its
// own frame, not the page
const matrix = zeros([40, 300]);
print("a long line of text ".repeat(30));
matrix
\`\`\`

\`\`\`js
image(zeros([30, 8, 8]), { columns: 15, labels: Array.from({ length: 30 }, (_, i) => "label " + i) });
heatmap(zeros([20, 60]), { title: "Wide" });
const chart = plot({ title: "Curves", x: "step", series: [["loss", "test"], ["accuracy"]] });
for (let step = 0; step < 50; step++) chart.add({ step, loss: 1 / (step + 1), test: 1.2 / (step + 1), accuracy: step / 50 });
const bar = progress(10, { label: "Progress" });
bar.update(4, "loss 0.25");
input.draw({ size: 8 });
button("Press", () => print("pressed"));
table([{ first: "x".repeat(60), second: "y".repeat(60), third: "z".repeat(60) }]);
markdown("### Inner heading\\n\\nText.");
console.warn("careful");
console.error("wrong");
\`\`\`

\`\`\`js
throw new TypeError("matmul: [64,784] × [10,784]: 784 ≠ 10, and a message that goes on for longer than the screen is wide");
\`\`\`
`;

test("1280, 390 and 768 pixels wide, light and dark: accessible, and nothing wider than the screen", async () => {
  const page = await playground.open(EVERYTHING, { viewport: { width: 1280, height: 844 }, bypassCSP: true, says: /careful|wrong/ });
  await runAll(page);
  for (const width of [1280, 390, 768]) {
    await page.setViewportSize({ width, height: 844 });
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0, `${width} wide`);
    }
    await assertAccessibleInBoth(page, `everything that can be shown, ${width} wide`);
  }
  await page.context().close();
});

test("menus, dialogs and the sidebar work by keyboard and are accessible when open", async () => {
  const page = await playground.open(["1"], { viewport: { width: 800, height: 800 }, bypassCSP: true });
  await page.locator(".menu summary").press("Enter");
  await assertAccessible(page, "the menu");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".menu[open]").count(), 0);
  await page.locator("body").press("?");
  await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
  await assertAccessible(page, "the keyboard map");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Notebooks" }).click();
  await page.getByRole("link", { name: /A test/ }).waitFor();
  await assertAccessible(page, "the drawer");
  await page.context().close();
});

test("the theme can be chosen and is remembered; a cell can be added, and prose written", async () => {
  const page = await playground.open(["1"], { colorScheme: "light" });
  await page.getByRole("button", { name: "Dark colours" }).click();
  await page.reload();
  await ready(page);
  assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
  await page.getByRole("button", { name: "Add text here" }).last().click();
  await page.keyboard.type("## A new heading");
  await page.keyboard.press("Shift+Enter");
  await page.getByRole("heading", { name: "A new heading" }).waitFor();
  await page.getByRole("button", { name: "Add code here" }).last().click();
  await page.keyboard.type("6 * 7");
  await page.keyboard.press("Control+Enter");
  await page.locator(".outputs", { hasText: "42" }).waitFor();
  await page.context().close();
});

test("edits last over a reload, and can be undone", async () => {
  const page = await playground.open(["print('original')", "2"]);
  await page.evaluate(() => window.weft.setCell(1, "print('edited')"));
  await cell(page, 2).hover();
  await cell(page, 2).getByRole("button", { name: "Delete this code cell" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await page.locator(".code-cell").count(), 2);
  await cell(page, 2).hover();
  await cell(page, 2).getByRole("button", { name: "Move this code cell up" }).click();
  await page.waitForTimeout(600);
  await page.reload();
  await ready(page);
  const { cells } = await runAll(page);
  assert.deepEqual(cells.map(({ text }) => text), ["2", "edited"]);
  await page.getByRole("button", { name: "Reset to original" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reset" }).click();
  await page.locator(".banner.edited").waitFor({ state: "hidden" });
  await page.evaluate(() => window.weft.ready);
  assert.equal((await runAll(page)).cells[0]?.text, "original");
  await page.context().close();
});

test("a link carries a notebook, says so, and runs nothing", async () => {
  const page = await playground.open(["print('from afar')"]);
  await page.locator(".menu summary").click();
  await page.getByRole("button", { name: "Share and export…", exact: true }).click();
  const link = await page.getByLabel("Link to this notebook").inputValue();
  const other = await playground.browser.newPage();
  await other.goto(link);
  await ready(other);
  assert.match(await other.locator(".banner.foreign").innerText(), /came with a link.*not this site/s);
  assert.equal(await other.evaluate(() => window.weft.cells()[0]?.status), "idle");
  assert.equal((await runAll(other)).cells[0]?.text, "from afar");
  await other.goto(link.slice(0, -12));
  await other.locator(".banner.failed").waitFor();
  assert.match(await other.locator(".banner.failed").innerText(), /cut off or changed/);
  await other.close();
  await page.context().close();
});

test("a notebook downloads as Markdown and opens again", async () => {
  const page = await playground.open(["const a = 1;"]);
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Control+s")]);
  assert.equal(download.suggestedFilename(), "test.md");
  const text = await readFile(await download.path(), "utf8");
  assert.equal(text, "# Test\n\n```js\nconst a = 1;\n```\n");
  await page.locator(".menu summary").click();
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Open a file…" }).click()]);
  await chooser.setFiles({ name: "mine.md", mimeType: "text/markdown", buffer: Buffer.from("# Mine\n\n```js\nprint(7)\n```\n") });
  await page.getByRole("heading", { name: "Mine" }).waitFor();
  // It has an address when it is kept.
  await page.waitForURL(/mine=/);
  assert.match(await page.locator(".banner").first().innerText(), /mine\.md/);
  assert.equal((await runAll(page)).cells[0]?.text, "7");
  await page.context().close();
});

test("an unknown notebook says so", async () => {
  const page = await playground.browser.newPage();
  await page.goto(`${playground.url}?notebook=nowhere`);
  await ready(page);
  assert.match(await page.locator(".banner.failed").innerText(), /no notebook “nowhere”/);
  await page.close();
});

test("without WebGPU the badge says why, and the CPU computes", async () => {
  const without = await Playground.start({ webgpu: false });
  try {
    const page = await without.open(["tensor([1, 2, 3]).add(1)"]);
    assert.equal(await page.locator(".badge-label").innerText(), "CPU");
    await page.locator(".badge summary").click();
    assert.match(await page.locator(".badge-details").innerText(), /WebGPU/);
    const { ok, cells } = await runAll(page);
    assert.equal(ok, true);
    assert.match(String(cells[0]?.text), /2 3 4/);
    without.assertQuiet();
  } finally {
    await without.stop();
  }
});

test("a host that does not serve the runner is reported, and the page survives", async () => {
  const context = await playground.browser.newContext();
  const page = await context.newPage();
  await page.route("**/runner.html*", (route) => route.fulfill({ status: 404, body: "not found" }));
  await page.goto(playground.url);
  await page.locator(".badge-label", { hasText: "Not running" }).waitFor();
  await page.locator(".badge summary").click();
  assert.match(await page.locator(".badge-details").innerText(), /did not load as a frame/);
  await page.unroute("**/runner.html*");
  await page.getByRole("button", { name: "Restart" }).click();
  assert.equal(await page.evaluate(async () => (await window.weft.ready).kind), "ready");
  await context.close();
});
