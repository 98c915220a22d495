// Notebooks from elsewhere that are written to do harm: Jupyter notebooks with scripts in their
// outputs, and addresses that lead on, send too much, something else or nothing.

import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { rotating } from "../../lib/rotation.mjs";
import { after, before, test } from "../../lib/test.mjs";
import { readFile } from "node:fs/promises";
import { drop } from "../../lib/drop.mjs";
import { EXTREMES, extremeNotebook } from "../../lib/extreme.mjs";
import { Playground, ready } from "../../lib/playground.mjs";
import { assertTookNothing, noteQuestion } from "../../lib/question.mjs";

/** What a landing may leave out. */
const sometimes = rotating(2);

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").Route} Route */

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());

const SCRIPT = "<img src=x onerror='window.stolen = 1'><script>window.stolen = 1</script>";
const SVG = "<svg xmlns='http://www.w3.org/2000/svg' onload='window.stolen = 1'><script>window.stolen = 1</script><text>drawn</text></svg>";
/** @param {object[]} outputs @param {object[]} [more] */
const ipynb = (outputs, more = []) => JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: { language_info: { name: "javascript" } }, cells: [{ cell_type: "markdown", id: "a", metadata: {}, source: `# Hostile ${SCRIPT}\n\n[x](javascript:window.stolen=1) ![p](attachment:p.svg)`, attachments: { "p.svg": { "image/svg+xml": SVG } } }, { cell_type: "code", id: "b", metadata: {}, execution_count: 1, source: "window.stolen = 1", outputs }, ...more] });
/** @param {object} data */
const shown = (data) => ({ output_type: "display_data", metadata: {}, data });
const HOSTILE = ipynb([
  shown({ "text/html": [SCRIPT, "<b>words</b>"] }),
  shown({ "image/svg+xml": SVG }),
  shown({ "application/javascript": "window.stolen = 1", "text/plain": "plain" }),
  shown({ "text/markdown": `**bold** ${SCRIPT} <iframe src="https://stolen.example/">` }),
  shown({ "image/png": Buffer.from(SVG).toString("base64"), "text/plain": "no picture" }),
  shown({ "application/vnd.weft.output.v1+json": { content: { kind: "table", columns: [SCRIPT], rows: [[SVG]], omitted: 0 } } }),
  shown({ "application/vnd.weft.output.v1+json": { content: { kind: "kept", data: "javascript:1" } }, "text/plain": "kept" }),
  { output_type: "error", ename: SCRIPT, evalue: SVG, traceback: [SCRIPT] },
]);

/** @param {Page} page */
const problem = async (page) => (await page.locator(".banner.failed").waitFor(), page.locator(".banner.failed").innerText());

test("a Jupyter notebook's HTML, SVG and scripts are words at most, whichever way it comes", async () => {
  const context = await playground.browser.newContext();
  /** @type {string[]} */
  const asked = [];
  context.on("request", (request) => new URL(request.url()).origin !== new URL(playground.url).origin && asked.push(request.url()));
  const page = await context.newPage();
  const link = `${playground.url}#ipynb=${deflateRawSync(Buffer.from(HOSTILE)).toString("base64url")}`;
  await page.goto(link);
  await ready(page);
  await page.locator(".outputs").getByText("words").waitFor();
  for (const words of ["drawn", "plain"]) await page.locator(".outputs").getByText(words, { exact: true }).first().waitFor();
  assert.equal(await page.locator("main :is(script, iframe, object, embed), main .outputs svg:not(.icon), main [onload], main [onerror]").count(), 0);
  assert.equal(await page.evaluate(() => "stolen" in window), false);
  assert.deepEqual(await page.evaluate(() => window.weft.cells().map(({ status }) => status)), ["idle"]);
  assert.deepEqual(asked.filter((url) => /^https?:/.test(url)), []);
  await page.goto(`${link.replace("#", "?embed#")}`);
  await page.locator(".outputs").getByText("words").waitFor();
  assert.equal(await page.evaluate(() => "stolen" in window), false);
  await page.goto(`${playground.url}?new`);
  await ready(page);
  await drop(page, [{ name: "hostile.ipynb", text: HOSTILE }]);
  await page.locator(".outputs").getByText("words").waitFor();
  assert.equal(await page.locator("main :is(script, iframe, object, embed), main .outputs svg:not(.icon), main [onload], main [onerror]").count(), 0);
  assert.equal(await page.evaluate(() => "stolen" in window), false);
  assert.deepEqual(asked.filter((url) => /^https?:/.test(url)), []);
  await context.close();
});

sometimes("outputs at the ends of what numbers can be are shown and exported, and the page stays live", async () => {
  const context = await playground.browser.newContext({ viewport: { width: 1000, height: 800 }, acceptDownloads: true });
  const page = await context.newPage();
  /** @type {string[]} */
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.goto(`${playground.url}#ipynb=${deflateRawSync(Buffer.from(extremeNotebook())).toString("base64url")}`);
  await ready(page);
  assert.equal(await page.locator(".banner.failed").count(), 0);
  // Charts and plots are drawn when they come into view.
  for (let at = 0; at < EXTREMES.length; at += 2) {
    const each = page.locator(".code-cell").nth(at);
    await each.scrollIntoViewIfNeeded();
    const shown = each.locator(".outputs > *");
    await shown.first().waitFor({ state: "attached", timeout: 5_000 }).catch(() => undefined);
    assert.equal(await shown.count(), 1, JSON.stringify(EXTREMES[at]).slice(0, 200));
  }
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  assert.equal(await page.getByText("This output cannot be shown.").count(), 0);
  await page.getByRole("button", { name: "Share and export", exact: true }).click();
  for (const format of ["Web page", "Jupyter notebook"]) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("dialog").getByRole("button", { name: format }).click()]);
    assert.doesNotMatch(await readFile(await download.path(), "utf8"), /\b(?:d|cx|cy|x|y|x1|y1|width|height)=\\?"[^"]*(?:NaN|Infinity)/, format);
  }
  assert.deepEqual(complaints, []);
  await context.close();
});

sometimes("malformed, deep and long ones are refused with their place, and the page goes on", async () => {
  const context = await playground.browser.newContext();
  const page = await context.newPage();
  await page.goto(`${playground.url}#nb=${deflateRawSync(Buffer.from("# Here")).toString("base64url")}`);
  await ready(page);
  const open = async (/** @type {string} */ text) => {
    await page.locator(".menu summary").click();
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Open a file…" }).click()]);
    await chooser.setFiles({ name: "x.ipynb", mimeType: "application/json", buffer: Buffer.from(text) });
  };
  const refused = async (/** @type {string} */ text, /** @type {RegExp} */ message) => {
    await open(text);
    const dialog = page.getByRole("dialog", { name: "The file could not be opened" });
    assert.match(await dialog.innerText(), message);
    await dialog.getByRole("button", { name: "Close" }).click();
    assert.equal(await page.getByRole("heading", { name: "Here" }).count(), 1);
  };
  await refused(ipynb([], [{ cell_type: "code", source: 7 }]), /cells\[2\]\.source must be a string/);
  await refused(`{"nbformat":4,"metadata":{},"cells":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`, /nested too deeply|cells\[0\] must be an object/);
  // A picture of 3 MB that a short text names a hundred times; and bytes that are no picture's.
  const attached = (/** @type {string} */ source, /** @type {string} */ data) => ({ cell_type: "markdown", source, attachments: { "p": { "image/png": data } } });
  await refused(ipynb([], [attached("![](attachment:p) ".repeat(150), "A".repeat(3_000_000))]), /cells\[2\]\.attachments\["p"\] makes its text longer than 4,000,000 characters/);
  await refused(ipynb([], Array.from({ length: 30_000 }, () => ({ cell_type: "raw", source: "" }))), /more than 20,000 cells/);
  // A file that no page can show is not read, whichever way it comes.
  await page.evaluate(() => {
    const huge = new File(["{}"], "huge.ipynb");
    Object.defineProperty(huge, "size", { value: 3e9 });
    const dataTransfer = new DataTransfer();
    const items = [{ kind: "file", getAsFile: () => huge }];
    const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
    Object.defineProperty(event, "dataTransfer", { value: { types: ["Files"], items } });
    document.querySelector("main")?.dispatchEvent(event);
  });
  assert.match(await page.getByRole("dialog", { name: "The file could not be opened" }).innerText(), /It has 3000\.0 MB/);
  await page.keyboard.press("Escape");
  // What is odd in an output costs that output alone.
  await open(ipynb([{ output_type: "error", ename: { toString: 1 }, evalue: null, traceback: [{ toString: 1 }] }, shown({ "image/png": "iVBOR" }), shown({ "text/plain": "after them" })], [attached("![](attachment:p)", "iVBOR")]));
  await page.locator(".outputs").getByText("after them").waitFor();
  await context.close();
});

/**
 * Opens the address of a notebook, with the hosts of the web played by the test.
 * @param {string} from
 * @param {(route: Route) => unknown} answer
 * @param {(page: Page) => Promise<unknown>} look
 */
async function openFrom(from, answer, look) {
  const context = await playground.browser.newContext({ viewport: { width: 800, height: 600 } });
  /** @type {{ url: string, cookie: string, referer: string }[]} */
  const asked = [];
  await context.route(/^https:/, (route) => {
    const headers = route.request().headers();
    asked.push({ url: route.request().url(), cookie: headers["cookie"] ?? "", referer: headers["referer"] ?? "" });
    return answer(route);
  });
  await context.addCookies([{ name: "session", value: "secret", url: "https://raw.githubusercontent.com" }, { name: "session", value: "secret", url: "https://example.com" }]);
  await context.addInitScript(noteQuestion);
  const page = await context.newPage();
  await page.goto(`${playground.url}?from=${encodeURIComponent(from)}`);
  await look(page);
  await context.close();
  return asked;
}
const OPEN = { "Access-Control-Allow-Origin": "*" };
/** @param {string} body @param {string} [contentType] */
const text = (body, contentType = "text/plain; charset=utf-8") => (/** @type {Route} */ route) => route.fulfill({ body, contentType, headers: OPEN });

sometimes("a Gist opens as a stranger's notebook: fetched without credentials, and nothing runs", async () => {
  const asked = await openFrom("https://gist.github.com/somebody/0123", text("# From a Gist\n\n```js\nprint(1)\n```\n"), async (page) => {
    await page.getByRole("heading", { name: "From a Gist" }).waitFor();
    await ready(page);
    assert.match(await page.locator(".banner.foreign").innerText(), /came from gist\.githubusercontent\.com/);
    assert.deepEqual(await page.evaluate(() => window.weft.cells().map(({ status }) => status)), ["idle"]);
  });
  assert.deepEqual(asked, [{ url: "https://gist.githubusercontent.com/somebody/0123/raw", cookie: "", referer: "" }]);
  await openFrom("https://raw.githubusercontent.com/a/b/main/x.ipynb", text(HOSTILE, "application/octet-stream"), async (page) => {
    await page.locator(".outputs").getByText("words").waitFor();
    assert.equal(await page.evaluate(() => "stolen" in window), false);
  });
});

test("another host is contacted only when the reader agrees", async () => {
  const refused = await openFrom("https://example.com/x.md", text("# There"), async (page) => {
    const dialog = page.getByRole("dialog", { name: "Open a notebook from example.com?" });
    // A key that was held, or a click, on the link that led here answers nothing.
    await dialog.waitFor();
    await assertTookNothing(page);
    assert.match(await dialog.innerText(), /https:\/\/example\.com\/x\.md/);
    await dialog.getByRole("button", { name: "Do not" }).click();
    assert.match(await problem(page), /did not allow example\.com/);
  });
  assert.deepEqual(refused, []);
  const asked = await openFrom("https://example.com/x.md", text("# There"), async (page) => {
    await page.getByRole("button", { name: "Fetch it" }).click();
    await page.getByRole("heading", { name: "There" }).waitFor();
  });
  assert.deepEqual(asked.map(({ cookie, referer }) => [cookie, referer]), [["", ""]]);
});

const RAW = "https://raw.githubusercontent.com/a/b/main/x.md";
/** What hosts answer, and what the page says.
 * @type {Record<string, [string, (route: Route) => unknown, RegExp]>} */
const ANSWERS = {
  "that leads on": [RAW, (route) => (route.request().url() === RAW ? route.fulfill({ status: 302, headers: { ...OPEN, Location: "https://example.com/else" } }) : text("# Moved")(route)), /redirects to another host/],
  "that is too large": [RAW, text("x".repeat(16_000_001)), /more than 16 MB/],
  "that unpacks to too many cells": [RAW, text("```js\n```\n".repeat(20_001)), /more than 20,000 cells/],
  "of another type": [RAW, text("GIF89a", "image/gif"), /sent image\/gif/],
  "of a page that is no notebook": [RAW.replace(".md", ""), text("<!doctype html><script>window.stolen = 1</script>", "text/html"), /holds no notebook/],
  "that is not UTF-8": [RAW, (route) => route.fulfill({ body: Buffer.from([0x23, 0xff, 0xfe]), contentType: "text/plain", headers: OPEN }), /not text in UTF-8/],
  "that is missing": [RAW, (route) => route.fulfill({ status: 404, body: "no", headers: OPEN }), /answered 404/],
  "that other sites may not read": [RAW, (route) => route.fulfill({ body: "# Private", headers: { "Access-Control-Allow-Origin": "https://other.example" } }), /does not let other sites read/],
  "that cannot be reached": [RAW, (route) => route.abort(), /could not be reached/],
  "without a safe way": ["http://example.com/x.md", text("# x"), /begins with https/],
  "of this computer": ["https://localhost./x.md", text("# x"), /localhost\. is not a public host/],
};

sometimes("answers that are no notebook are reported, and an empty notebook is shown", async () => {
  for (const [name, [from, answer, message]] of Object.entries(ANSWERS)) {
    await openFrom(from, answer, async (page) => {
      assert.match(await problem(page), message, name);
      assert.equal(await page.evaluate(() => "stolen" in window), false);
    });
  }
});
