// Notebooks of the reader's own: begun, renamed, copied, deleted and brought back, found, taken
// back to an earlier version, and kept through crashes, by keyboard and at a phone's width.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { assertAccessible } from "../../lib/accessible.mjs";
import { drop } from "../../lib/drop.mjs";
import { cell, keptText, Playground, ready, runAll, untilKept } from "../../lib/playground.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

const cards = (/** @type {Page} */ page) => page.locator(".own .card-text b");
const idOf = (/** @type {Page} */ page) => String(new URL(page.url()).searchParams.get("mine"));
/** @param {Page} page */
async function visitNew(page) {
  await page.goto(`${playground.url}?device=webgpu&new`);
  await ready(page);
}
/** Makes a notebook of one's own of a new one, with this cell.
 * @param {Page} page
 * @param {string} title
 * @param {string} code */
async function begin(page, title, code) {
  await page.evaluate((code) => window.weft.setCell(1, code), code);
  await page.waitForURL(/mine=/);
  await choose(page, "Rename this notebook");
  await page.getByRole("textbox", { name: "Title" }).fill(title);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await untilKept(page, idOf(page), new RegExp(`# ${title}`));
}
const choose = async (/** @type {Page} */ page, /** @type {string} */ name) => {
  await page.locator(".header .menu summary").click();
  await page.getByRole("button", { name }).click();
};
const toast = (/** @type {Page} */ page) => page.locator(".toast");

test("a notebook is begun, renamed, copied, deleted and brought back, all by keyboard", async () => {
  const page = await playground.open(["1"], { bypassCSP: true });
  assert.equal(await page.locator(".mine").isVisible(), false, "nothing is listed where there is nothing");
  await page.getByRole("link", { name: "New notebook" }).press("Enter");
  await page.waitForURL(/\?new/);
  await ready(page);
  // The caret is in the first cell.
  await cell(page, 1).locator(".cm-content").waitFor();
  await page.waitForFunction(() => document.querySelector(".code-cell .editor")?.contains(document.activeElement));
  await page.keyboard.type("'mine'");
  await page.waitForURL(/mine=own/);
  const id = idOf(page);
  await untilKept(page, id, /# Untitled.*'mine'/s);
  const link = page.locator(".own a");
  await link.press("F2");
  await page.getByRole("dialog", { name: "Rename" }).waitFor();
  await assertAccessible(page, "the rename dialog");
  await page.keyboard.type("First of mine");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "First of mine" }).waitFor();
  assert.match(await page.title(), /First of mine/);
  await cards(page).getByText("First of mine").waitFor();
  await drop(page, [{ name: "rain.csv", text: "day,rain\n1,0.5\n" }]);
  await page.locator(".code-cell table").waitFor();

  const actions = page.getByLabel("Actions for First of mine");
  await actions.press("Enter");
  await assertAccessible(page, "a card's menu");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Duplicate");
  await page.keyboard.press("Enter");
  await cards(page).getByText("First of mine (copy)").waitFor();
  assert.match(await toast(page).innerText(), /was duplicated/);
  const copy = page.locator(".own li", { hasText: "(copy)" });
  await copy.locator("a").press("Delete");
  await toast(page).getByText("was deleted").waitFor();
  await copy.waitFor({ state: "detached" });
  await toast(page).getByRole("button", { name: "Undo" }).press("Enter");
  await copy.waitFor();

  // What is deleted while it is shown leaves the page, and comes back too.
  await copy.locator("a").press("Enter");
  await page.getByRole("heading", { level: 1, name: "First of mine (copy)" }).waitFor();
  await ready(page);
  assert.equal((await runAll(page)).ok, true, "its file came along");
  await page.locator(".own a[aria-current]").press("Delete");
  await page.waitForURL((url) => !url.searchParams.has("mine"));
  await toast(page).getByText("“First of mine (copy)” was deleted.").waitFor();
  assert.deepEqual(await cards(page).allInnerTexts(), ["First of mine"]);
  await page.getByRole("button", { name: "Recently deleted" }).press("Enter");
  await assertAccessible(page, "with what was deleted");
  await page.getByRole("button", { name: "Restore First of mine (copy)" }).press("Enter");
  await cards(page).getByText("(copy)").waitFor();

  // Neither is open now: the cards have the same commands.
  await page.locator(".own li", { hasNotText: "(copy)" }).locator("a").press("F2");
  await page.getByRole("dialog", { name: "Rename" }).waitFor();
  await page.keyboard.type("Second");
  await page.keyboard.press("Enter");
  await cards(page).getByText("Second").waitFor();
  await untilKept(page, id, /# Second.*'mine'/s);
  await page.getByRole("heading", { level: 1, name: "Test" }).waitFor();
  const second = page.locator(".own li", { hasText: "Second" }).first();
  const act = async (/** @type {string} */ name) => {
    await second.getByLabel("Actions for Second").press("Enter");
    await second.getByRole("button", { name }).press("Enter");
  };
  const [download] = await Promise.all([page.waitForEvent("download"), act("Download")]);
  assert.match(await readFile(await download.path(), "utf8"), /^# Second\n.*'mine'.*rain\.csv/s);
  await act("History…");
  await page.getByRole("dialog", { name: "History of “Second”" }).getByRole("button", { name: "Restore this version" }).press("Enter");
  await toast(page).getByText("“Second” was restored to that version.").waitFor();
  await untilKept(page, id, /# First of mine/);
  await toast(page).getByRole("button", { name: "Undo" }).press("Enter");
  await untilKept(page, id, /# Second/);
  await cards(page).getByText("Second").waitFor();
  await act("Duplicate");
  await cards(page).getByText("Second (copy)").waitFor();
  await toast(page).getByRole("button", { name: "Open the copy" }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Second (copy)" }).waitFor();
  await ready(page);
  assert.equal((await runAll(page)).ok, true, "its file came along");
  await page.context().close();
});

test("a search looks through one's own notebooks and the gallery, 390 pixels wide", async () => {
  const context = await playground.browser.newContext({ viewport: { width: 390, height: 844 }, bypassCSP: true, reducedMotion: "reduce", colorScheme: "dark" });
  const page = await context.newPage();
  await visitNew(page);
  await begin(page, "Ripples", "image(ones([8, 8]))");
  assert.equal((await runAll(page)).ok, true);
  // The picture is what the notebook showed.
  await page.locator(".own li", { hasText: "Ripples" }).locator("img").waitFor({ state: "attached" });
  await visitNew(page);
  await begin(page, "Étude", "const needle = 7");
  await page.locator(".own li", { hasText: "Étude" }).locator("svg.weave").waitFor({ state: "attached" });
  assert.equal(await page.locator(".own li", { hasText: "Ripples" }).locator("img").count(), 1);
  await page.getByRole("button", { name: "Notebooks" }).press("Enter");
  const field = page.getByRole("searchbox", { name: "Search notebooks" });
  await field.fill("NEEDLE etude");
  await page.locator(".own li").nth(1).waitFor({ state: "detached" });
  assert.deepEqual(await cards(page).allInnerTexts(), ["Étude"]);
  await page.locator(".own .card-summary", { hasText: "const needle = 7" }).waitFor();
  await field.fill("handwritten");
  await page.getByRole("link", { name: /^Handwritten digits/ }).waitFor();
  assert.equal(await page.locator(".mine").isVisible(), false);
  await assertAccessible(page, "a search");
  await field.fill("qzxv needle");
  await page.getByText("No notebook has these words.").waitFor();
  // Escape empties the search, and then closes the drawer.
  await page.keyboard.press("Escape");
  await cards(page).nth(1).waitFor();
  await assertAccessible(page, "the list");
  await page.keyboard.press("Escape");
  await page.locator(".sidebar-open").waitFor({ state: "detached" });
  await context.close();
});

test("the history has every run and every pause, shows what going back changes, and goes back", async () => {
  const page = await playground.open([], { query: "?new", bypassCSP: true, reducedMotion: "reduce" });
  await begin(page, "Versions", "'one'");
  await runAll(page);
  for (const text of ["'two'", "'three'"]) {
    await page.evaluate((text) => window.weft.setCell(1, text), text);
    await runAll(page);
  }
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await choose(page, "History of this notebook");
    const dialog = page.getByRole("dialog", { name: "History of “Versions”" });
    await dialog.locator(".version").first().waitFor();
    await assertAccessible(page, `the history, ${width} wide`);
    if (width === 390) break;
    await page.keyboard.press("Escape");
  }
  const dialog = page.getByRole("dialog", { name: "History of “Versions”" });
  assert.match(await dialog.locator(".version").first().innerText(), /before a run/);
  assert.match(await dialog.locator(".diff-line.gone").innerText(), /'three'/);
  assert.match(await dialog.locator(".diff-line.new").innerText(), /'two'/);
  await page.keyboard.press("ArrowDown");
  await dialog.locator(".diff-line.new", { hasText: "'one'" }).waitFor();
  await dialog.getByRole("button", { name: "Restore this version" }).press("Enter");
  await untilKept(page, idOf(page), /'one'/);
  await cell(page, 1).getByText("'one'").first().waitFor();
  await toast(page).getByRole("button", { name: "Undo" }).press("Enter");
  await untilKept(page, idOf(page), /'three'/);
  // A pause is a version too, and so is what was found on opening.
  await page.reload();
  await ready(page);
  await page.evaluate(() => window.weft.setCell(1, "'paused'"));
  const paused = () => page.evaluate(() => new Promise((resolve) => {
    const opening = indexedDB.open("weft");
    opening.onsuccess = () => {
      const all = opening.result.transaction("versions").objectStore("versions").getAll();
      all.onsuccess = () => (opening.result.close(), resolve(all.result.some(({ why, text }) => why === "pause" && text.includes("'paused'"))));
    };
  }));
  while (!(await paused())) await page.waitForTimeout(50);
  await page.evaluate(() => window.weft.setCell(1, "'now'"));
  await choose(page, "History of this notebook");
  await dialog.locator(".diff-line.new", { hasText: "'paused'" }).waitFor();
  await dialog.getByRole("button", { name: "Open as a copy" }).click();
  await page.getByRole("heading", { level: 1, name: "Versions (copy)" }).waitFor();
  await ready(page);
  await cell(page, 1).getByText("'paused'").first().waitFor();
  await page.context().close();
});

test("typing is kept while it goes on: a crash and a reload lose nothing of what was there before", async () => {
  const page = await playground.open(["1"]);
  await page.locator(".code-cell .cm-content").click();
  await page.keyboard.press("Control+A");
  // No pause is as long as a key takes.
  let typed = 0;
  for (; !/typed 3 /.test((await keptText(page, "gallery:test.md")) ?? ""); typed++) await page.keyboard.type(`typed ${typed} `);
  assert.ok(typed < 200, "it is kept before the typing ends");
  const context = page.context();
  const { processInfo } = await (await playground.browser.newBrowserCDPSession()).send("SystemInfo.getProcessInfo");
  const crashed = page.waitForEvent("crash");
  for (const { type, id } of processInfo) if (type === "renderer") process.kill(id, "SIGKILL");
  await crashed;
  const again = await context.newPage();
  await again.goto(page.url());
  await ready(again);
  await cell(again, 1).getByText(/typed 3\b/).first().waitFor();
  // A reload takes what was typed last.
  await cell(again, 1).locator(".cm-content").click();
  await again.keyboard.press("Control+A");
  await again.keyboard.type("'the last key'");
  await again.reload();
  await ready(again);
  await cell(again, 1).getByText("'the last key'").first().waitFor();
  assert.deepEqual(await again.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("weft:unwritten"))), []);
  await context.close();
});

test("full storage is reported before the text is lost, and everything can be downloaded", async () => {
  const page = await playground.open([], { query: "?new", quiet: false, bypassCSP: true });
  await begin(page, "Kept", "'here'");
  const id = idOf(page);
  // Chromium asks for its quota only now and then, so the database itself refuses here, as it does
  // then.
  await page.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    Object.assign(globalThis, { putBack: () => (IDBObjectStore.prototype.put = put) });
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await page.evaluate(() => window.weft.setCell(1, "'too much'"));
  await toast(page).getByText("This browser's storage is full, so your edits are not saved.").waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), toast(page).getByRole("button", { name: "Download" }).click()]);
  assert.match(await readFile(await file.path(), "utf8"), /'too much'/);
  assert.match(String(await keptText(page, id)), /'here'/);
  // The page tries again by itself.
  await page.evaluate(() => /** @type {any} */ (globalThis).putBack());
  await untilKept(page, id, /'too much'/);
  await toast(page).getByText("saved again").waitFor();
  await page.getByRole("button", { name: "Storage…" }).click();
  const dialog = page.getByRole("dialog", { name: "Storage" });
  assert.match(await dialog.innerText(), /Your notebook is kept in this browser/);
  await dialog.getByRole("button", { name: "Help: Storage" }).press("Enter");
  await dialog.getByText("neither comes back").waitFor();
  await assertAccessible(page, "the storage dialog");
  const [all] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name: "Download all" }).click()]);
  assert.equal(all.suggestedFilename(), "weft-notebooks.zip");
  assert.match((await readFile(await all.path())).toString("latin1"), /kept\.md.*# Kept.*'too much'/s);
  await page.context().close();
});
