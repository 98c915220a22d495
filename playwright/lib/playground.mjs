// The playground under test. There is one browser, one server, and for each test a new page with
// the notebook that the test writes; any error or warning of the page fails the test.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { launch } from "./browser.mjs";
import { serve } from "./server.mjs";

/** The built site: `dist/site`, or the folder that SITE names. */
export const site = process.env["SITE"] ?? fileURLToPath(new URL("../../dist/site", import.meta.url));
const data = fileURLToPath(new URL("../fixtures/data", import.meta.url));

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").BrowserContextOptions} ContextOptions */

/** Answers requests for the site's service worker with an empty one.
 * @param {string} worker
 * @returns {NonNullable<Parameters<typeof serve>[1]>["intercept"]} */
const withoutKeeping = (worker) => ({ url }, response) => {
  if (url !== worker) return false;
  response.writeHead(200, { "Content-Type": "text/javascript" }).end();
  return true;
};

export class Playground {
  /** @type {string[]} */
  complaints = [];

  /** @param {import("playwright-core").Browser} browser
   * @param {{ url: string, close(): Promise<void> }} server */
  constructor(browser, server) {
    this.browser = browser;
    this.server = server;
  }

  /**
   * Served under a path of its own, as on a shared host; with the tests' files as its `data/`, or
   * its own. Where `offline` is not asked for, a service worker that does nothing takes the place
   * of the site's, which would fetch all of the site anew for each test.
   * @param {{ webgpu?: boolean, path?: string, ownData?: boolean, offline?: boolean, more?: string[] }} [options]
   * `more` flags of the browser.
   */
  static async start({ webgpu = true, path = "/some/where/", ownData = false, offline = false, more = [] } = {}) {
    if (!existsSync(site)) throw new Error(`${site} is missing: build the site first (cargo xtask build)`);
    const folders = ownData ? { path } : { path, data };
    return new Playground(await launch({ webgpu, more }), await serve(site, offline ? folders : { ...folders, intercept: withoutKeeping(`${path}sw.js`) }));
  }

  async stop() {
    await this.browser.close();
    await this.server.close();
  }

  get url() {
    return this.server.url;
  }

  /**
   * A page with a notebook of these code cells, or of this Markdown.
   * @param {string | string[]} notebook `says` is what cells are meant to write to the browser's
   * console; `quiet: false` lets the page complain of anything. Unless `query` names a device it is
   * WebGPU, though software computes it: left alone, the page would choose the CPU.
   * @param {ContextOptions & { query?: string, quiet?: boolean, says?: RegExp }} [options]
   */
  async open(notebook, { query = "", quiet = true, says, ...options } = {}) {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    const complain = (/** @type {string} */ text) => quiet && !says?.test(text) && this.complaints.push(text);
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && complain(`console: ${message.text()}`));
    page.on("pageerror", (error) => complain(`page: ${error.message}`));
    const markdown = typeof notebook === "string" ? notebook : `# Test\n\n${notebook.map((code) => "```js\n" + code + "\n```\n").join("\n")}`;
    await context.route("**/notebooks/index.json", (route) => route.fulfill({ json: [{ file: "test.md", title: "Test", summary: "A test." }] }));
    await context.route("**/notebooks/test.md", (route) => route.fulfill({ body: markdown, contentType: "text/markdown" }));
    const address = new URL(this.url + query);
    if (!address.searchParams.has("device")) address.searchParams.set("device", "webgpu");
    await page.goto(address.href);
    await ready(page);
    return page;
  }

  /** Fails if a page complained since the last call. */
  assertQuiet() {
    const complaints = this.complaints;
    this.complaints = [];
    assert.deepEqual(complaints, []);
  }
}

/** @param {Page} page */
export async function ready(page) {
  await page.waitForSelector("html[data-ready]");
  await page.evaluate(() => window.weft.ready);
}

/** @param {Page} page */
export const runAll = (page) => page.evaluate(() => window.weft.runAll());

/** @param {Page} page
 * @param {number} number
 * @returns {Promise<import("../../web/src/hook").CellReport>} */
export const runCell = (page, number) => page.evaluate((at) => window.weft.runCell(at), number);

/** The text that the page's database holds of a notebook; null where it holds none.
 * @param {Page} page
 * @param {string} id
 * @returns {Promise<string | null>} */
export const keptText = (page, id) =>
  page.evaluate(
    (id) =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open("weft");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const database = opening.result;
          const request = database.transaction("texts").objectStore("texts").get(id);
          request.onsuccess = () => (database.close(), resolve(request.result?.text ?? null));
          request.onerror = () => reject(request.error);
        };
      }),
    id,
  );

/** Waits until that text is as it should be.
 * @param {Page} page
 * @param {string} id
 * @param {RegExp} expected */
export async function untilKept(page, id, expected) {
  for (let text = await keptText(page, id); !expected.test(text ?? ""); text = await keptText(page, id)) await page.waitForTimeout(20);
}

/** @param {Page} page @param {number} number */
export const cell = (page, number) => page.locator(".code-cell").nth(number - 1);

/**
 * The least of what is measured, up to six times, until it is less than `most`: a machine may be
 * busy with other things just then, and what is slow is slow every time.
 * @param {number} most @param {() => Promise<number>} measure
 */
export async function least(most, measure) {
  let least = Infinity;
  for (let times = 0; times < 6 && !(least < most); times++) least = Math.min(least, await measure());
  return least;
}
