// Hands of a notebook: command mode and its keys, search and replacement, signatures, formatting,
// errors that lead to the cell to run, the reference, and the page without a network.

import assert from "node:assert/strict";
import { after, before, test } from "../../lib/test.mjs";
import { assertAccessible } from "../../lib/accessible.mjs";
import { cell, Playground, ready } from "../../lib/playground.mjs";

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());

const NOTEBOOK = `# Hands\n\nA text.\n\n${["const scenes = 3;", "scenes + 1", "const long = [1,2,\n3]"].map((code) => "```js\n" + code + "\n```\n").join("\n")}`;
/** @param {import("playwright-core").Page} page */
const sources = (page) => page.evaluate(() => [...document.querySelectorAll(".code-cell")].map((each) => each.querySelector(".editor")?.shadowRoot?.querySelector(".cm-content")?.textContent ?? each.querySelector(".still")?.textContent));
/** Where the keys go: the cell's number in command mode, `text` for one, `write` in an editor.
 * @param {import("playwright-core").Page} page */
const holder = (page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    if (at?.classList.contains("editor")) return "write";
    if (at?.matches(".prose-cell > .cell-body")) return "text";
    return at?.matches(".command-stop") ? `cell ${[...document.querySelectorAll(".code-cell")].indexOf(/** @type {Element} */ (at.closest(".cell"))) + 1}` : "";
  });

test("keys act on cells in command mode, and each can be taken back", async () => {
  const page = await playground.open(NOTEBOOK, { query: "?device=cpu" });
  await cell(page, 1).locator(".cm-content").click();
  await page.keyboard.press("Escape");
  assert.equal(await holder(page), "cell 1");
  assert.notEqual(await cell(page, 1).locator(".editor-frame").evaluate((each) => getComputedStyle(each).boxShadow), "none", "it is seen which cell has the keys");
  await page.keyboard.press("k");
  assert.equal(await holder(page), "text");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("j");
  assert.equal(await holder(page), "cell 2");
  await page.keyboard.press("Enter");
  assert.equal(await holder(page), "write");
  await page.keyboard.press("Escape");
  await page.keyboard.press("a");
  assert.equal((await sources(page)).length, 4);
  assert.equal(await holder(page), "cell 2");
  await page.keyboard.press("b");
  assert.equal(await holder(page), "cell 3");
  for (const key of ["d", "d"]) await page.keyboard.press(key);
  await page.keyboard.press("k");
  for (const key of ["d", "d"]) await page.keyboard.press(key);
  assert.equal((await sources(page)).length, 3);
  await page.keyboard.press("z");
  await page.keyboard.press("z");
  assert.equal((await sources(page)).length, 5, "deletions are taken back");
  for (const number of [3, 2]) await cell(page, number).getByRole("button", { name: "Delete this code cell" }).press("Enter");
  await cell(page, 1).locator(".cm-content").click();
  await page.keyboard.press("Escape");
  for (const key of ["c", "v"]) await page.keyboard.press(key);
  assert.deepEqual((await sources(page)).slice(0, 2), ["const scenes = 3;", "const scenes = 3;"]);
  await page.keyboard.press("x");
  assert.equal((await sources(page)).length, 3);
  await page.keyboard.press("k");
  await page.keyboard.press("m");
  assert.equal(await holder(page), "text");
  assert.equal((await sources(page)).length, 2);
  await page.keyboard.press("y");
  assert.equal(await holder(page), "cell 1");
  await page.keyboard.press("Shift+M");
  assert.equal((await sources(page)).length, 2);
  assert.equal(await holder(page), "cell 1");
  await page.keyboard.press("z");
  await page.keyboard.press("Shift+Enter");
  await page.waitForFunction(() => window.weft.cells()[0]?.status === "done");
  assert.equal(await holder(page), "cell 2", "commands go on with the next cell");
  await page.keyboard.press("Alt+Enter");
  await page.waitForFunction(() => window.weft.cells()[1]?.text === "4");
  await page.waitForFunction(() => document.activeElement?.classList.contains("editor"));
  await page.keyboard.type("const left = 1;\nleft");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("End");
  await page.keyboard.press("Control+Shift+-");
  await page.waitForFunction(() => document.querySelectorAll(".code-cell").length === 5);
  assert.deepEqual((await sources(page)).slice(2, 4), ["const left = 1;", "left"]);
  // Tab goes on from where the keys are, and back into the text.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+Tab");
  assert.equal(await holder(page), "write");
  await page.context().close();
});

test("search goes over all cells; a call shows what it takes; code is formatted; the reference adds an example", async () => {
  const page = await playground.open(NOTEBOOK, { query: "?device=cpu", bypassCSP: true });
  await cell(page, 2).getByRole("button", { name: "Run cell 2" }).click();
  await cell(page, 2).getByRole("button", { name: "Run cell 1, which defines scenes" }).click();
  await page.waitForFunction(() => window.weft.cells()[1]?.text === "4");

  await cell(page, 3).locator(".cm-content").click();
  await page.keyboard.press("Control+f");
  const find = page.getByRole("search", { name: "Find and replace" });
  await find.getByRole("textbox", { name: "Find" }).fill("SCENES");
  await find.getByText("2 matches").waitFor();
  await assertAccessible(page, "the search");
  await find.getByRole("button", { name: "Match case" }).click();
  await find.getByText("No matches").waitFor();
  await find.getByRole("button", { name: "Match case" }).click();
  await find.getByRole("button", { name: "Regular expression" }).click();
  await find.getByRole("textbox", { name: "Find" }).fill("sc(e)nes");
  await page.keyboard.press("Enter");
  await find.getByText("1 of 2").waitFor();
  await find.getByRole("textbox", { name: "Replace with" }).fill("sh$1ds");
  await find.getByRole("button", { name: "Replace all" }).click();
  assert.deepEqual((await sources(page)).slice(0, 2), ["const sheds = 3;", "sheds + 1"]);
  await page.locator(".toast").getByRole("button", { name: "Undo" }).click();
  assert.deepEqual((await sources(page)).slice(0, 2), ["const scenes = 3;", "scenes + 1"]);
  await find.getByRole("textbox", { name: "Find" }).press("Escape");
  assert.equal(await find.count(), 0);

  const last = cell(page, 3).locator(".cm-content");
  await last.click();
  await page.keyboard.press("Shift+Alt+f");
  await last.getByText("const long = [1, 2, 3];").waitFor();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\nlinspace(0, ");
  await page.locator(".signature b").waitFor();
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelectorAll(".code-cell")[2]?.querySelector(".editor")?.shadowRoot?.querySelector(".signature"));
  assert.equal(await holder(page), "write", "the first Escape closes what is open");

  await page.keyboard.press("F1");
  const reference = page.getByRole("complementary", { name: "Reference" });
  await reference.getByRole("searchbox").fill("matmul");
  await reference.getByRole("button", { name: "Insert the example of matmul", exact: true }).waitFor();
  await assertAccessible(page, "the reference");
  await reference.getByRole("button", { name: "Insert the example of matmul", exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll(".code-cell").length === 4);
  await page.keyboard.press("Escape");
  assert.equal(await reference.count(), 0);
  await page.context().close();
});

test("after the first visit the page opens and runs without a network", async () => {
  const own = await Playground.start({ ownData: true, offline: true });
  const context = await own.browser.newContext();
  const page = await context.newPage();
  await page.goto(`${own.url}?notebook=welcome&device=cpu`);
  await ready(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, { timeout: 60_000 });
  await own.server.close();
  await page.reload();
  await ready(page);
  assert.equal(await page.evaluate(() => document.querySelector("iframe.runner")?.hasAttribute("sandbox")), false);
  const report = await page.evaluate(() => window.weft.runCell(2));
  assert.equal(report.status, "done");
  await page.goto(`${own.url}?notebook=gradients&device=cpu`);
  await ready(page);
  assert.equal(await page.evaluate(() => window.weft.runCell(1)).then(({ status }) => status), "done");
  // What runs cells there is as far from the page as otherwise.
  const reach = await page.evaluate(() => {
    const held = /** @type {HTMLIFrameElement | null} */ (document.querySelector("iframe.runner"))?.contentWindow?.[0];
    try {
      return String(held?.document);
    } catch (error) {
      return /** @type {Error} */ (error).name;
    }
  });
  assert.equal(reach, "SecurityError");
  await context.close();
  await own.browser.close();
});
