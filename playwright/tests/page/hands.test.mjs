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
  await page.getByText("Letters act on cells now. Enter writes in one").waitFor();
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
  await page.getByText("The cell is a text now. y makes it code.").waitFor();
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
  // The semicolon ends the word: a list of completions would take the arrow.
  await page.keyboard.type("const left = 1;\nleft;");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("End");
  await page.keyboard.press("Control+Shift+-");
  await page.waitForFunction(() => document.querySelectorAll(".code-cell").length === 5);
  assert.deepEqual((await sources(page)).slice(2, 4), ["const left = 1;", "left;"]);
  // Tab goes on from where the keys are, and back into the text.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+Tab");
  assert.equal(await holder(page), "write");
  await page.keyboard.press("Escape");
  await page.keyboard.press("f");
  await page.getByRole("search", { name: "Find and replace" }).getByRole("textbox", { name: "Find" }).and(page.locator(":focus")).waitFor();
  await page.context().close();
});

test("search goes over all cells; a call shows what it takes; code is formatted; the reference adds an example", async () => {
  const page = await playground.open(NOTEBOOK, { query: "?device=cpu", bypassCSP: true });
  await cell(page, 2).getByRole("button", { name: "Run cell 2" }).click();
  await cell(page, 2).getByRole("button", { name: "Run cell 1, which defines scenes" }).click();
  await page.waitForFunction(() => window.weft.cells()[1]?.text === "4");

  // Letters typed before the panel's module has come are in its field.
  /** @type {(value?: unknown) => void} */
  let release = () => {};
  const held = new Promise((resolve) => (release = resolve));
  await page.route(/\/find-[^/]*\.js$/, async (route) => (await held, route.continue()));
  await cell(page, 3).locator(".cm-content").click();
  await page.keyboard.press("Control+f");
  await page.keyboard.type("sce");
  release();
  const find = page.getByRole("search", { name: "Find and replace" });
  await find.getByText("2 matches").waitFor();
  await page.keyboard.type("nes");
  assert.equal(await find.getByRole("textbox", { name: "Find" }).inputValue(), "scenes");
  // On a phone it covers nothing of what it finds.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => scrollTo(0, 0));
  const [over, under] = await Promise.all([find, page.locator("main")].map((part) => part.boundingBox()));
  assert.ok(over && under && over.y + over.height <= under.y, "the search covers the notebook");
  await page.setViewportSize({ width: 1280, height: 900 });
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

  // What is at the caret is looked up, and the notebook stays beside it.
  await page.keyboard.press("Home");
  await page.keyboard.press("F1");
  const reference = page.getByRole("complementary", { name: "Reference" });
  await reference.getByRole("heading", { name: /^linspace/ }).waitFor();
  assert.equal(await reference.getByRole("searchbox").inputValue(), "linspace");
  const [edge, end] = await Promise.all([reference, page.locator("main")].map((part) => part.boundingBox()));
  assert.ok(edge && end && end.x + end.width <= edge.x, "the reference covers the notebook");
  // The list of notebooks has no room beside both: it is a drawer.
  const list = page.getByRole("button", { name: "Notebooks", exact: true });
  await list.click();
  await page.getByRole("link", { name: "New notebook" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "New notebook" }).waitFor({ state: "hidden" });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("link", { name: "New notebook" }).waitFor();
  assert.equal(await list.isVisible(), false);
  await page.setViewportSize({ width: 1280, height: 900 });
  await reference.getByRole("searchbox").fill("randn");
  await reference.getByText("Normal numbers are random.normal([3]).").waitFor();
  // Nothing has both words.
  await reference.getByRole("searchbox").fill("gaussian zebra");
  assert.ok((await reference.getByRole("listitem").count()) > 0, "what has some of the words is found");
  await reference.getByRole("searchbox").fill("matmul");
  await reference.getByRole("button", { name: "Insert the example of matmul", exact: true }).waitFor();
  await assertAccessible(page, "the reference");
  const repository = "https://github.com/weft-gpu/weft";
  assert.deepEqual(await reference.locator("a[target=_blank]").evaluateAll((all) => all.map((each) => [each.textContent, each.getAttribute("href"), each.getAttribute("rel")].join(" "))), [
    `Documentation ${repository}#readme`, "Package on npm https://www.npmjs.com/package/weft-gpu", `Source ${repository}`, "Licences licences.txt", `Report a problem ${repository}/issues`,
  ].map((link) => `${link} noreferrer noopener`));
  assert.match(await (await page.request.get(`${playground.url}licences.txt`)).text(), /MIT License/);
  await reference.getByRole("button", { name: "Insert the example of matmul", exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll(".code-cell").length === 4);
  await page.keyboard.press("Escape");
  assert.equal(await reference.count(), 0);
  await page.context().close();
});

/** Keys of the map that the tests above, and those of `cells`, `typing`, `keep`, `mine`, `follow`
 * and `keyboard`, press. */
const PRESSED = [
  "Shift Enter", "Alt Enter", "Alt Shift R", "Alt Shift PageDown", "Alt Shift S", "Alt Shift M", "Alt Shift D", "j", "a", "b", "x", "c", "v", "d d", "z", "m", "y", "Shift M", "f", "Ctrl F", "Shift Alt F", "Ctrl Shift -", "Tab", "Enter", "F1", "F2", "?",
  "a*b a+1 -a a**2", "a<b a&b", "a[i]", "a===b",
];

test("every key of the keyboard map does what it says", async () => {
  const page = await playground.open(NOTEBOOK, { query: "?device=cpu" });
  const text = (/** @type {number} */ number) => page.evaluate((number) => [...(document.querySelectorAll(".code-cell")[number - 1]?.querySelector(".editor")?.shadowRoot?.querySelectorAll(".cm-line") ?? [])].map((line) => line.textContent).join("\n"), number);
  const within = (/** @type {string} */ selector) => page.waitForFunction((selector) => document.activeElement?.closest(".editor")?.shadowRoot?.querySelector(selector), selector);
  const status = (/** @type {number} */ number, /** @type {string} */ status) => page.waitForFunction(([number, status]) => window.weft.cells()[Number(number) - 1]?.status === status, /** @type {const} */ ([number, status]));
  const write = async (/** @type {number} */ number) => {
    await cell(page, number).locator(".cm-content").click();
    await page.keyboard.press("Control+End");
  };
  await write(1);
  /** Each leaves the page as the next one finds it.
   * @type {Record<string, () => Promise<unknown>>} */
  const tries = {
    "Ctrl Enter": async () => (await page.keyboard.press("Control+Enter"), await status(1, "done"), assert.equal(await holder(page), "write")),
    "Ctrl Shift Enter": async () => (await page.keyboard.press("Control+Shift+Enter"), await status(3, "done")),
    "Ctrl .": async () => {
      await page.evaluate(() => window.weft.setCell(3, "for (;;) await tick();"));
      await write(3);
      await page.keyboard.press("Control+Enter");
      await status(3, "running");
      await page.keyboard.press("Control+.");
      await status(3, "stopped");
    },
    "Alt PageUp": async () => {
      await page.keyboard.press("Alt+PageUp");
      await page.waitForFunction(() => document.querySelectorAll(".code-cell")[1]?.contains(document.activeElement));
    },
    "Alt PageDown": async () => {
      await page.keyboard.press("Alt+PageDown");
      await page.waitForFunction(() => document.querySelectorAll(".code-cell")[2]?.contains(document.activeElement));
    },
    "Alt Shift PageUp": async () => {
      await page.keyboard.press("Alt+Shift+PageUp");
      await page.waitForFunction(() => /tick/.test(document.querySelectorAll(".code-cell")[1]?.querySelector(".editor")?.shadowRoot?.querySelector(".cm-content")?.textContent ?? ""));
    },
    "Ctrl Z: Outside an editor, undo the last change to cells": async () => {
      await page.locator(".brand").focus();
      await page.keyboard.press("Control+z");
      await page.waitForFunction(() => /tick/.test(document.querySelectorAll(".code-cell")[2]?.querySelector(".editor")?.shadowRoot?.querySelector(".cm-content")?.textContent ?? ""));
    },
    "Ctrl Space": async () => {
      await write(3);
      await page.keyboard.type("\nlinspace(0, 1, 3, { }");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("Control+Space");
      await within(".cm-tooltip-autocomplete li");
      await page.keyboard.press("Escape");
    },
    "Ctrl Shift Space": async () => {
      await page.keyboard.press("Control+Shift+Space");
      await within(".signature");
      await page.keyboard.press("Escape");
    },
    "Ctrl /": async () => {
      await page.keyboard.press("Control+/");
      assert.match(await text(3), /\n\/\/ linspace/);
    },
    "Alt ArrowUp": async () => {
      await page.keyboard.press("Alt+ArrowUp");
      assert.match(await text(3), /^\/\/ linspace/);
    },
    "Ctrl Z: Undo typing; with Shift, redo": async () => {
      await page.keyboard.press("Control+z");
      assert.match(await text(3), /\n\/\/ linspace/);
      await page.keyboard.press("Control+Shift+Z");
      assert.match(await text(3), /^\/\/ linspace/);
    },
    "Ctrl S": async () => {
      const download = page.waitForEvent("download");
      await page.keyboard.press("Control+s");
      assert.match((await download).suggestedFilename(), /\.md$/);
    },
    "Alt Shift O": async () => {
      await page.keyboard.press("Alt+Shift+O");
      assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Search notebooks");
    },
    "Alt Shift H": async () => {
      await page.keyboard.press("Alt+Shift+H");
      await page.getByRole("dialog", { name: /^History of/ }).waitFor();
      await page.keyboard.press("Escape");
    },
    "Alt Shift N": async () => (await page.keyboard.press("Alt+Shift+N"), await page.waitForURL(/\?new/)),
  };
  await page.locator(".brand").focus();
  await page.keyboard.press("?");
  const map = await page.getByRole("dialog", { name: "Keyboard" }).locator("tr").evaluateAll((rows) => rows.filter((row) => row.querySelector("kbd")).map((row) => [[...row.querySelectorAll("kbd")].map((key) => key.textContent).join(" "), row.lastElementChild?.textContent ?? ""]));
  await page.keyboard.press("Escape");
  assert.deepEqual(map.map(([keys, says]) => (keys === "Ctrl Z" ? `${keys}: ${says}` : keys)).filter((keys) => !PRESSED.includes(String(keys)) && !Object.hasOwn(tries, String(keys))), [], "keys that no test presses");
  await write(1);
  for (const [keys, attempt] of Object.entries(tries)) {
    await Promise.race([attempt(), new Promise((_, reject) => setTimeout(() => reject(new Error(`${keys} did nothing`)), 10_000))]).catch((error) => assert.fail(`${keys}: ${error}`));
  }
  await page.context().close();
});

test("after the first visit the page opens and runs without a network", async () => {
  const own = await Playground.start({ ownData: true, offline: true });
  const context = await own.browser.newContext();
  const page = await context.newPage();
  await page.goto(`${own.url}?notebook=welcome&device=cpu`);
  await ready(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, { timeout: 60_000 });
  const browser = await context.newCDPSession(page);
  const { errors, data } = await browser.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  assert.equal(JSON.parse(data ?? "").name, "Weft");
  const { installabilityErrors } = await browser.send("Page.getInstallabilityErrors");
  // A test's pages are those of a private window, which installs nothing.
  assert.deepEqual(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito"), []);
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
