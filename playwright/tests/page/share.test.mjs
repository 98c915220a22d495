// Sharing: links with outputs, files of four formats, frames within other pages, notebooks on the
// web, the reader's view.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { deflateRawSync, gzipSync } from "node:zlib";
import { join } from "node:path";
import { createServer } from "node:http";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { assertAccessible } from "../../lib/accessible.mjs";
import { drop } from "../../lib/drop.mjs";
import { cell, Playground, ready, runAll, site } from "../../lib/playground.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** @type {Playground} */
let playground;
/** The page that embeds, on an origin of its own. @type {import("node:http").Server} */
let parent;
let around = "";
let parentUrl = "";
before(async () => {
  playground = await Playground.start();
  parent = createServer((_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end(around));
  await new Promise((resolve) => parent.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = parent.address();
  parentUrl = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/`;
});
after(async () => {
  await playground.stop();
  parent.closeAllConnections();
  parent.close();
});
afterEach(() => playground.assertQuiet());

const NOTEBOOK = `# Shared

Some *text* with $x^2$.

\`\`\`js fold
const a = tensor([1, 2, 3]);
a
\`\`\`

\`\`\`js
print("said </script>");
image(arange(16).reshape([4, 4]).div(15), { title: "steps" });
const chart = plot({ x: "step", series: ["loss"] });
for (let step = 0; step < 4; step++) chart.add({ step, loss: 1 / (step + 1) });
table([{ name: "one", value: 1 }]);
\`\`\`

\`\`\`js
const unit = 4;
\`\`\`
`;

/** @param {Page} page */
async function openShare(page) {
  await page.getByRole("button", { name: "Share and export", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Share and export" });
  await dialog.waitFor();
  return dialog;
}

/** @param {Page} page @param {string} name @param {string} text */
async function openText(page, name, text) {
  await page.locator(".menu summary").click();
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Open a file…" }).click()]);
  await chooser.setFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
}

/** @param {Page} page */
const statuses = (page) => page.evaluate(() => window.weft.cells().map(({ status }) => status));

/** What tests export once.
 * @type {{ link: string, snippet: string, files: Record<string, string> }} */
const made = { link: "", snippet: "", files: {} };

test("the dialog shares a link and an iframe, saves four formats, and is accessible", async () => {
  const page = await playground.open(NOTEBOOK, { bypassCSP: true, acceptDownloads: true });
  assert.equal((await runAll(page)).ok, true);
  await cell(page, 2).locator("canvas").scrollIntoViewIfNeeded();
  const dialog = await openShare(page);
  await assertAccessible(page, "the share dialog");
  const link = dialog.getByLabel("Link to this notebook");
  const plain = await link.inputValue();
  assert.match(plain, /\/#nb=/);
  await dialog.getByLabel("With outputs").check();
  await page.waitForFunction((before) => /** @type {HTMLInputElement} */ (document.querySelector(".share .link-field")).value !== before, plain);
  made.link = await link.inputValue();
  // A frame shows outputs unless its switch is off.
  const html = dialog.getByLabel("HTML to embed this notebook");
  const holds = (/** @type {string} */ what) => page.waitForFunction((what) => [...document.querySelectorAll("textarea")].some(({ value }) => value.includes(what)), what);
  await holds("?embed#ipynb=");
  made.snippet = await html.inputValue();
  await dialog.getByLabel("Outputs in the frame").uncheck();
  await holds("?embed#nb=");
  await dialog.getByText("The HTML has 1 KB.").waitFor();
  for (const [name, file] of [["Markdown", "test.md"], ["Jupyter notebook", "test.ipynb"], ["Web page", "test.html"], ["JavaScript module", "test.js"]]) {
    const [download] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name: String(name) }).click()]);
    assert.equal(download.suggestedFilename(), file);
    made.files[String(file)] = await readFile(await download.path(), "utf8");
  }
  await dialog.getByLabel("Address of a notebook").fill("http://example.org/x.md");
  await dialog.getByRole("button", { name: "Make link" }).click();
  await dialog.getByText("begins with https://").waitFor();
  await dialog.getByLabel("Address of a notebook").fill("https://gist.github.com/somebody/abc");
  await dialog.getByRole("button", { name: "Make link" }).click();
  assert.match(await dialog.getByLabel("Link that opens the notebook from there").inputValue(), /\?from=https%3A%2F%2Fgist\.githubusercontent\.com%2Fsomebody%2Fabc%2Fraw$/);
  await page.keyboard.press("Escape");
  await page.locator(".header .menu summary").click();
  await page.getByRole("button", { name: "Open from the web…" }).click();
  const web = page.getByRole("dialog", { name: "Open from the web" });
  await web.getByLabel("Address of a notebook").fill("http://example.org/x.md");
  await page.keyboard.press("Enter");
  await web.getByRole("alert").getByText("begins with https://").waitFor();
  await assertAccessible(page, "a wrong address of a notebook on the web");
  await page.keyboard.press("Escape");
  await web.waitFor({ state: "detached" });
  await page.context().close();
});

test("each format opens again with the same cells, runs nothing, and says whose outputs it shows", async () => {
  const page = await playground.open("# Empty");
  for (const [name, text] of Object.entries(made.files)) {
    if (/\.(html|js)$/.test(name)) await drop(page, [{ name, text }]);
    else await openText(page, name, text);
    await page.locator(".banner", { hasText: name }).waitFor();
    await page.getByRole("heading", { name: "Shared" }).waitFor();
    assert.deepEqual(await statuses(page), ["idle", "idle", "idle"], name);
    const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Control+s")]);
    assert.equal(await readFile(await download.path(), "utf8"), NOTEBOOK, name);
    assert.equal(await page.locator(".outputs > *").count() > 0, name === "test.ipynb", `${name}: outputs`);
    if (name !== "test.ipynb") continue;
    assert.match(await cell(page, 2).locator(".cell-status").innerText(), /came with the notebook, not run here/);
    for (const output of [".tensor", ".chart", "canvas", "table.rows"]) await page.locator(`.outputs ${output}`).first().waitFor();
    assert.match(await cell(page, 2).innerText(), /said <\/script>/);
    // They are there after a reload, as brought as before.
    await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith("weft:outputs:")));
    await page.reload();
    await ready(page);
    assert.match(await cell(page, 2).locator(".cell-status").innerText(), /came with the notebook, not run here/);
  }
  await page.context().close();
});

test("from New and a table of one's own to a plot, a link, a frame, four files, and back", async () => {
  const context = await playground.browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true });
  const page = await context.newPage();
  await page.goto(`${playground.url}?device=cpu`);
  await page.getByRole("link", { name: "New notebook" }).click();
  await page.waitForURL(/[?&]new/);
  await ready(page);
  await drop(page, [{ name: "rain.csv", text: "day,rain\n1,0.5\n2,3\n3,1\n" }]);
  await cell(page, 1).locator("table").waitFor();
  await cell(page, 1).getByRole("button", { name: "Add a code cell below" }).click();
  await page.keyboard.type('scatter(rain.typed("day"), rain.typed("rain"), { title: "Rain" })');
  await page.keyboard.press("Shift+Enter");
  await cell(page, 2).getByRole("application", { name: /Rain/ }).locator("svg").first().waitFor();
  const written = await page.evaluate(() => window.weft.cells().map(({ status }) => status));
  assert.deepEqual(written.slice(0, 2), ["done", "done"]);
  const dialog = await openShare(page);
  await dialog.getByLabel("With outputs").check();
  await dialog.getByText("It reads rain.csv of your files, which stays in this browser").waitFor();
  const field = dialog.getByLabel("Link to this notebook");
  await page.waitForFunction(() => [...document.querySelectorAll(".share :is(input, textarea).link-field:not([hidden])")].slice(0, 2).every((each) => /#ipynb=/.test(/** @type {HTMLInputElement} */ (each).value)));
  const [link, snippet] = [await field.inputValue(), await dialog.getByLabel("HTML to embed this notebook").inputValue()];
  /** @type {[string, string][]} */
  const files = [];
  for (const name of ["Markdown", "Jupyter notebook", "Web page", "JavaScript module"]) {
    const [download] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name }).click()]);
    files.push([download.suggestedFilename(), await readFile(await download.path(), "utf8")]);
  }
  await page.keyboard.press("Escape");
  for (const [name, text] of files) {
    await openText(page, name, text);
    await page.locator(".banner", { hasText: name }).waitFor();
    assert.doesNotMatch((await page.locator(".toast").textContent()) ?? "", /Restarted/, "cells had run, but not those of this file");
    const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Control+s")]);
    assert.match(await readFile(await download.path(), "utf8"), /data\.csv\(await file\("rain\.csv"\)\)[^]*scatter\(rain\.typed\("day"\)/, name);
  }
  await context.close();
  // Another reader sees the table and the plot, and learns which file a run needs.
  const elsewhere = await playground.browser.newContext({ viewport: { width: 900, height: 800 } });
  const other = await elsewhere.newPage();
  await other.goto(link);
  await ready(other);
  await cell(other, 1).locator("table").waitFor();
  await cell(other, 2).getByRole("application", { name: /Rain/ }).locator("svg").first().waitFor();
  assert.match((await other.evaluate(() => window.weft.runCell(1))).error?.message ?? "", /rain\.csv.*no such file\. Drop it on the page to add it/);
  around = `<!doctype html><title>Around</title>${snippet}`;
  await other.goto(parentUrl);
  const frame = other.frameLocator("iframe");
  await frame.locator("table").waitFor();
  await frame.locator(".plot-picture svg").first().waitFor();
  await elsewhere.close();
});

test("a link with outputs shows them as its author's, and nothing runs", async () => {
  const page = await playground.open([], { query: made.link.slice(playground.url.length).replace("#", "?view=reader#"), bypassCSP: true });
  await assertAccessible(page, "the reader's view");
  assert.match(await page.locator(".banner.foreign").innerText(), /came with a link.*any outputs that it shows/s);
  assert.deepEqual(await statuses(page), ["idle", "idle", "idle"]);
  await cell(page, 1).locator(".tensor").waitFor();
  // The reader's view: no code, until a cell's is asked for, or all of it.
  const frames = page.locator(".editor-frame:visible");
  assert.equal(await frames.count(), 0);
  await cell(page, 2).getByRole("button", { name: "Code", exact: true }).click();
  assert.equal(await frames.count(), 1);
  await page.getByRole("button", { name: "Reader's view" }).first().click();
  assert.equal(await frames.count(), 3);
  // As pages around would show it.
  await page.goto(made.link.replace("#", "?embed#"));
  await page.locator(".embed-bar").waitFor();
  await page.locator("canvas").first().waitFor();
  await assertAccessible(page, "embedded");
  await page.context().close();
});

test("an exported page shows everything without a network, and loads the site on a click", async () => {
  const context = await playground.browser.newContext({ viewport: { width: 1000, height: 800 }, bypassCSP: true });
  const page = await context.newPage();
  /** @type {string[]} */
  const asked = [];
  /** @type {string[]} */
  const complaints = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  await context.route("file:///exported.html", (route) => route.fulfill({ body: made.files["test.html"] ?? "", contentType: "text/html" }));
  await page.goto("file:///exported.html");
  await page.getByRole("heading", { name: "Shared" }).waitFor();
  for (const part of ["img[alt='steps']", "svg[role='img']", "math", "table", ".tok-keyword"]) assert.ok((await page.locator(part).count()) > 0, part);
  assert.ok(await page.locator("img").evaluateAll((images) => images.every((each) => each instanceof HTMLImageElement && each.naturalWidth > 0)));
  assert.deepEqual(asked.filter((url) => !/^(file|data):/.test(url)), [], "contacts nobody");
  await assertAccessible(page, "an exported page");
  await page.getByRole("button", { name: "Open the live notebook" }).click();
  const frame = page.frameLocator("iframe");
  await frame.getByRole("button", { name: "Run", exact: true }).click();
  await frame.locator(".outputs .tensor").waitFor({ timeout: 60_000 });
  await page.waitForFunction(() => (document.querySelector("iframe")?.clientHeight ?? 0) > 700);
  assert.deepEqual(complaints.filter((text) => !/WebGPU|adapter/i.test(text)), []);
  await context.close();
});

test("embedded, it shows outputs at once within 270 KB, tells its height, keeps nothing, and runs on a click", async () => {
  around = `<!doctype html><title>Around</title><h1>A page</h1>${made.snippet}<script>globalThis.heights = []; addEventListener("message", ({ data }) => heights.push(data));</script>`;
  const context = await playground.browser.newContext({ viewport: { width: 900, height: 800 } });
  const page = await context.newPage();
  /** @type {Set<string>} */
  const asked = new Set();
  page.on("request", (request) => request.url().startsWith(playground.url) && asked.add(new URL(request.url()).pathname.slice("/some/where/".length) || "index.html"));
  await page.goto(parentUrl);
  const frame = page.frameLocator("iframe");
  await frame.locator(".embed-bar").waitFor();
  await frame.locator("canvas").first().waitFor();
  await frame.locator("math").first().waitFor();
  await page.waitForFunction(() => /** @type {any} */ (globalThis).heights.length > 0);
  await page.waitForLoadState("networkidle");
  let total = 0;
  for (const name of asked) {
    const bytes = await readFile(join(site, name)).catch(() => Buffer.alloc(0));
    total += name.endsWith(".woff2") ? bytes.length : gzipSync(bytes, { level: 9 }).length;
  }
  assert.ok(total < 270_000, `${total} bytes: ${[...asked].join(" ")}`);
  assert.deepEqual([...asked].filter((name) => /\.wasm$|editor|runner/.test(name)), [], "nothing that runs or edits");
  const heights = await page.evaluate(() => /** @type {any} */ (globalThis).heights);
  assert.ok(heights.every((/** @type {any} */ { type, height, ...rest }) => type === "weft-height" && height > 0 && Object.keys(rest).length === 0), "only its height");
  // A flood from the frame, absurd heights, and what other frames claim: the frame has a height
  // that a page bears, and the page stays live.
  const forged = page.evaluate(async () => {
    const stranger = document.createElement("iframe");
    stranger.srcdoc = `<script>for (let i = 0; i < 2000; i++) parent.postMessage({ type: "weft-height", height: 15000 }, "*")<\/script>`;
    document.body.append(stranger);
    const frame = document.querySelector("iframe.weft");
    let [gap, last, tallest] = [0, performance.now(), 0];
    for (const end = last + 1_200; last < end; ) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      gap = Math.max(gap, performance.now() - last);
      last = performance.now();
      tallest = Math.max(tallest, frame?.clientHeight ?? 0);
    }
    stranger.remove();
    return { gap, tallest };
  });
  const within = page.frames().find((each) => each.url().startsWith(playground.url));
  await within?.evaluate(async () => {
    const absurd = [Infinity, -1, NaN, 1e300, "9".repeat(400), null, [5], { valueOf: 1 }, true, 10n];
    for (let i = 0; i < 10_000; i++) {
      window.parent.postMessage({ type: "weft-height", height: absurd[i % absurd.length] }, "*");
      if (i % 100 === 99) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    window.parent.postMessage({ type: "weft-height", height: Math.ceil(document.querySelector(".main")?.getBoundingClientRect().height ?? 0) }, "*");
  });
  const { gap, tallest } = await forged;
  assert.ok(gap < 2_500, `${gap} ms without a frame`);
  assert.ok(tallest <= 20_000, `${tallest} pixels`);
  await page.waitForFunction((height) => /** @type {any} */ (globalThis).heights.at(-1).height === height, await within?.evaluate(() => Math.ceil(document.querySelector(".main")?.getBoundingClientRect().height ?? 0)));
  const [shown, wanted] = await page.evaluate(() => [document.querySelector("iframe")?.clientHeight, /** @type {any} */ (globalThis).heights.at(-1).height]);
  assert.equal(shown, wanted);
  for (const gone of ["header", ".sidebar", ".banner", ".editor-frame"]) assert.equal(await frame.locator(`${gone}:visible`).count(), 0, gone);
  await frame.getByText("Outputs saved by the author").waitFor();
  await frame.getByRole("button", { name: "Code", exact: true }).first().click();
  assert.equal(await frame.locator(".editor-frame:visible").count(), 1);
  await frame.getByRole("button", { name: "Run", exact: true }).click();
  await frame.locator('.code-cell[data-status="done"]').nth(2).waitFor({ timeout: 60_000 });
  assert.equal(await frame.getByText("Outputs saved by the author").isVisible(), false);
  const inner = page.frames().find((each) => each.url().startsWith(playground.url));
  assert.deepEqual(await inner?.evaluate(() => Object.keys(localStorage).filter((key) => /notebook|outputs|base|raw/.test(key))), [], "nothing is kept");
  assert.match(String(await frame.getByRole("link", { name: "Open in Weft" }).getAttribute("href")), /#nb=/);
  await context.close();
});

test("below the fold, an embed is asked for when it comes near, tells its height there, and runs on a click", async () => {
  // The snippet as it is given, far below what is seen, and once more as far below that.
  const far = '<div style="height: 12000px">Long</div>';
  around = `<!doctype html><title>Around</title><h1>A page</h1>${far}${made.snippet}${far}${made.snippet}`;
  const context = await playground.browser.newContext({ viewport: { width: 800, height: 600 } });
  const page = await context.newPage();
  const asked = () => page.frames().filter((frame) => frame.url().includes("?embed")).length;
  await page.goto(parentUrl, { waitUntil: "networkidle" });
  assert.equal(asked(), 0, "nothing is asked for far from it");
  assert.equal(await page.locator("iframe").first().evaluate((element) => element.clientHeight), 480);
  await page.evaluate(() => scrollTo(0, 11_800));
  const frame = page.frameLocator("iframe >> nth=0");
  await frame.locator(".embed-bar").waitFor();
  const [first] = page.frames().filter((each) => each.url().includes("?embed"));
  const fits = () => page.waitForFunction(() => {
    const element = document.querySelector("iframe");
    return element !== null && element.clientHeight > 500 && element.clientHeight < 5_000;
  });
  await fits();
  // As high as what it shows: nothing in it scrolls, and no strip is empty below it.
  const heights = () => first?.evaluate(() => [Math.ceil(document.querySelector(".main")?.getBoundingClientRect().height ?? 0), innerHeight]);
  const same = async () => { for (const end = Date.now() + 20_000; Date.now() < end; await page.waitForTimeout(50)) { const [wanted, has] = (await heights()) ?? []; if (Math.abs((wanted ?? 0) - (has ?? 0)) < 2) return; } assert.fail(`${await heights()}`); };
  await same();
  assert.equal(await page.evaluate(() => scrollY), 11_800, "the page stays where the reader is");
  await frame.locator("canvas").first().waitFor();
  await frame.getByRole("button", { name: "Run", exact: true }).click();
  await frame.locator('.code-cell[data-status="done"]').nth(2).waitFor({ timeout: 60_000 });
  await same();
  assert.equal(asked(), 1, "the one below it is not asked for");
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.frameLocator("iframe >> nth=1").locator(".embed-bar").waitFor();
  await page.waitForFunction(() => (document.querySelectorAll("iframe")[1]?.clientHeight ?? 0) > 500);
  await context.close();
});

test("a framed page asks for no host, keeps no file, and leads to where it can", async () => {
  const code = "# Asks\n\n```js\nprint(await allow('example.com').catch((error) => error.message));\nprint(await camera().catch((error) => error.message));\nconst given = await upload('Notes', { accept: '.txt' });\nprint('read', await given.text())\n```\n";
  around = `<!doctype html><iframe src="${playground.url}?embed&device=cpu#nb=${deflateRawSync(Buffer.from(code)).toString("base64url")}"></iframe><iframe src="${playground.url}?embed&from=${encodeURIComponent("https://example.com/x.md")}"></iframe>`;
  const context = await playground.browser.newContext();
  /** @type {string[]} */
  const reached = [];
  await context.route(/^https:/, (route) => (reached.push(route.request().url()), route.abort()));
  const page = await context.newPage();
  await page.goto(parentUrl);
  const [asks, from] = [page.frameLocator("iframe >> nth=0"), page.frameLocator("iframe >> nth=1")];
  assert.match(await from.locator(".banner.failed").innerText(), /example\.com is contacted only after you agree, and nothing is asked within another page\. Open it in Weft\./);
  assert.match(String(await from.getByRole("link", { name: "Open in Weft" }).getAttribute("href")), /\?from=https%3A%2F%2Fexample\.com%2Fx\.md$/);
  await asks.getByRole("button", { name: "Run", exact: true }).click();
  await asks.getByText(/camera.*Open it in Weft to allow that/s).waitFor({ timeout: 60_000 });
  assert.match(await asks.locator(".outputs").innerText(), /^this notebook is shown within another page/);
  await asks.locator("input[type=file]").setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("in memory") });
  await asks.getByText("read in memory").waitFor();
  assert.equal(await asks.locator("dialog").count() + (await from.locator("dialog").count()), 0);
  assert.deepEqual(reached, []);
  // What it stored is in its own part of the browser, and is nothing of the reader's.
  const inner = page.frames().find((each) => each.url().includes("#nb="));
  const kept = await inner?.evaluate(async () => {
    const database = await new Promise((resolve) => Object.assign(indexedDB.open("weft"), { onsuccess: (/** @type {any} */ { target }) => resolve(target.result), onerror: () => resolve(null) }));
    if (!database?.objectStoreNames.contains("files")) return 0;
    return new Promise((resolve) => (database.transaction("files").objectStore("files").count().onsuccess = (/** @type {any} */ { target }) => resolve(target.result)));
  });
  assert.equal(kept, 0);
  await context.close();
});

test("a framed page is embedded whatever its address says, and no page around starts it", async () => {
  const inner = made.link.replace("#ipynb", "?view=code#ipynb");
  around = `<!doctype html><iframe src="${inner}"></iframe><iframe src="${made.link.replace("#", "?run#")}"></iframe>`;
  const page = await (await playground.browser.newContext()).newPage();
  await page.goto(parentUrl);
  const [still, runs] = [page.frameLocator("iframe >> nth=0"), page.frameLocator("iframe >> nth=1")];
  for (const frame of [still, runs]) await frame.locator(".embed-bar").waitFor();
  assert.equal(await still.locator("header:visible, .badge:visible").count(), 0, "nothing there asks for anything");
  // What a page around can say to a frame of another origin.
  await page.evaluate(() => {
    for (const type of ["run", "weft-run", "weft-update", "click"]) for (let i = 0; i < frames.length; i++) frames[i]?.postMessage({ type, run: 1 }, "*");
    document.querySelectorAll("iframe").forEach((each) => (each.focus(), each.contentWindow?.focus()));
  });
  await page.waitForTimeout(100);
  for (const frame of page.frames().filter((each) => each.url().startsWith(playground.url)))
    assert.deepEqual(await frame.evaluate(() => window.weft.cells().map(({ status }) => status)), ["idle", "idle", "idle"]);
  await runs.getByRole("button", { name: "Run", exact: true }).click();
  await runs.locator('.code-cell[data-status="done"]').nth(2).waitFor({ timeout: 60_000 });
  // By itself, a page takes no such request.
  await page.goto(made.link.replace("#", "?run&embed#"));
  await page.waitForSelector(".embed-bar");
  assert.deepEqual(await statuses(page), ["idle", "idle", "idle"]);
  await page.context().close();
});
