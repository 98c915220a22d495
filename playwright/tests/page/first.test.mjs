// First view of the page, and the bytes fetched by then. The notebook is in the page before any
// script; the scripts take over without moving anything; the code that runs and edits cells loads
// behind it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "../../lib/test.mjs";
import { gzipSync } from "node:zlib";
import { cell, Playground, ready, site } from "../../lib/playground.mjs";

const welcome = await readFile(new URL("../../../notebooks/welcome.md", import.meta.url), "utf8");
const title = String(/^# (.*)$/m.exec(welcome)?.[1]);
/** The first code cell that shows a tensor. */
const showing = [...welcome.matchAll(/^```js[^\n]*\n(.*?)^```/gms)].findIndex(([, code]) => code?.includes("tensor([[")) + 1;

/** The most that may be fetched, gzipped, before the notebook can be used. */
const CEILING = 190_000;

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());

/** Adds up what moves, from the first paint on. */
const WATCH = () => {
  /** @type {{ shift: number, moved: string[] }} */
  const seen = { shift: 0, moved: [] };
  Object.assign(globalThis, { seen });
  new PerformanceObserver((list) => {
    for (const entry of /** @type {any[]} */ (list.getEntries())) {
      seen.shift += entry.value;
      for (const { node, previousRect, currentRect } of entry.sources) seen.moved.push(`${node?.className ?? node?.nodeName}: ${JSON.stringify(previousRect)} to ${JSON.stringify(currentRect)}`);
    }
  }).observe({ type: "layout-shift", buffered: true });
};

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`without any script the notebook can be read, ${colorScheme}`, async () => {
    const context = await playground.browser.newContext({ javaScriptEnabled: false, colorScheme });
    const page = await context.newPage();
    await page.goto(playground.url);
    assert.equal(await page.locator("h1:visible").innerText(), title);
    assert.ok((await page.locator(".code-cell pre").count()) > 3, "its code stands there");
    assert.ok((await page.locator(".still .tok-keyword").count()) > 3, "in its colours");
    assert.match(await page.locator("header").innerText(), /Weft/);
    assert.ok((await page.getByRole("link", { name: /Handwritten digits/ }).count()) > 0, "and the other notebooks beside it");
    // Their pictures, and that of the greeting, came with the page.
    const painted = await page.locator("[data-picture], .draws .outputs").evaluateAll((all) => all.map((each) => [each.getAttribute("data-picture") ?? "the greeting", getComputedStyle(each).backgroundImage.slice(0, 21)]));
    assert.ok(painted.length > 30, `${painted.length} pictures`);
    assert.deepEqual(painted.filter(([, image]) => image !== 'url("data:image/webp;'), []);
    await context.close();
  });
}

for (const [width, height] of /** @type {const} */ ([[1440, 900], [1024, 768], [390, 844]])) {
  test(`the scripts take over, and nothing moves, ${width} wide`, async () => {
    const context = await playground.browser.newContext({ viewport: { width, height } });
    const page = await context.newPage();
    await page.addInitScript(WATCH);
    // The script is late enough for the first paint to come before it, and the faces are late
    // enough for others to stand in for them.
    await page.route("**/fonts/*.woff2", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 450));
      await route.continue();
    });
    await page.route("**/assets/index-*.js", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 600));
      await route.continue();
    });
    await page.goto(playground.url);
    await page.locator("h1:visible").waitFor();
    const top = () => page.evaluate(() => [...document.querySelectorAll("h1:not(.visually-hidden), .prose h2, .editor-frame")].map((each) => Math.round(each.getBoundingClientRect().top)));
    await page.waitForTimeout(200);
    const before = await top();
    await ready(page);
    await cell(page, showing).locator(".cm-content").waitFor();
    await page.locator(".animation-figures").waitFor();
    await page.waitForTimeout(700);
    assert.deepEqual(await top(), before, "every heading and every cell is where it was");
    const { shift, moved } = await page.evaluate(() => /** @type {any} */ (globalThis).seen);
    assert.ok(shift < 0.001, `moved by ${shift}: ${moved.join("; ")}`);
    await context.close();
  });
}

test("another notebook than the first is not preceded by the first, nor by what edits or runs it", async () => {
  const context = await playground.browser.newContext();
  const page = await context.newPage();
  /** @type {string[]} */
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  // The frame in which the notebook is painted for the first time.
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (document.documentElement?.dataset["ready"] === undefined) return;
      observer.disconnect();
      requestAnimationFrame(() => Object.assign(globalThis, { paintedAt: performance.now() }));
    }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-ready"] });
  });
  /** @type {() => void} */
  let letIn = () => undefined;
  const held = new Promise((resolve) => (letIn = () => resolve(undefined)));
  await page.route("**/assets/index-*.js", async (route) => (await held, route.continue()));
  await page.goto(`${playground.url}?notebook=mnist`, { waitUntil: "commit" });
  await page.locator("header").waitFor();
  assert.equal(await page.locator(".notebook").evaluate((element) => getComputedStyle(element).visibility), "hidden");
  const behind = /\.wasm$|runner|\/worker-|\/editor-/;
  assert.deepEqual(asked.filter((url) => behind.test(url)), []);
  letIn();
  await page.getByRole("heading", { level: 1, name: "Handwritten digits" }).waitFor();
  assert.equal(await page.getByText(title, { exact: true }).count(), 1, "only in the list beside it");
  const began = () => page.evaluate(() => performance.getEntriesByType("resource").map(({ name, startTime }) => ({ name, before: startTime < /** @type {any} */ (globalThis).paintedAt })));
  let there = await began();
  while (![/\.wasm$/, /\/editor-/].every((late) => there.some(({ name }) => late.test(name)))) there = (await page.waitForTimeout(50), await began());
  assert.deepEqual(there.flatMap(({ name, before }) => (before && behind.test(name) ? [name] : [])), []);
  await context.close();
});

test("a returning reader sees edits and saved outputs, and nothing else before", async () => {
  const context = await playground.browser.newContext();
  const page = await context.newPage();
  await page.goto(playground.url);
  await ready(page);
  await page.evaluate((number) => window.weft.runCell(number), showing);
  await page.waitForFunction(() => localStorage.getItem("weft:outputs") !== null);
  await page.addInitScript(WATCH);
  await page.reload();
  await page.locator(".outputs .tensor").first().waitFor();
  await ready(page);
  await page.waitForTimeout(500);
  const { shift, moved } = await page.evaluate(() => /** @type {any} */ (globalThis).seen);
  assert.ok(shift < 0.001, `moved by ${shift}: ${moved.join("; ")}`);
  await page.evaluate(() => window.weft.setCell(2, "'edited'"));
  await page.waitForFunction(() => localStorage.getItem("weft:edited:gallery:welcome.md") !== null);
  await page.reload();
  await ready(page);
  await cell(page, showing).locator(".cm-content", { hasText: "edited" }).waitFor();
  await context.close();
});

test("the greeting moves before the editors, the pictures and the library's deferred part are asked for, and cells wait for that", async () => {
  const context = await playground.browser.newContext();
  const page = await context.newPage();
  /** @type {string[]} */
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  /** @type {() => void} */
  let letIn = () => undefined;
  const held = new Promise((resolve) => (letIn = () => resolve(undefined)));
  await page.route("**/assets/weft-rest-*.wasm", async (route) => (await held, route.continue()));
  await page.goto(`${playground.url}?device=webgpu`);
  await page.locator(".animation-figures", { hasText: /frame [1-9]/ }).waitFor();
  const core = asked.findIndex((url) => /weft-(?!rest).*\.wasm$/.test(url));
  assert.ok(core >= 0);
  for (const late of [/editor-/, /weft-rest-/, /\.webp$/]) assert.ok(asked.slice(0, core).every((url) => !late.test(url)), `${late} before the core`);
  await ready(page);
  // Whatever a cell calls is there, or the cell waits.
  const sorted = page.evaluate((number) => {
    window.weft.setCell(number, "sort([3, 1, 2])");
    return window.weft.runCell(number);
  }, showing);
  await page.waitForFunction((number) => window.weft.cells()[number - 1]?.status === "running", showing);
  letIn();
  assert.equal((await sorted).status, "done");
  // From now on the GPU draws the greeting itself.
  const frame = () => page.evaluate(() => Number(/frame ([\d,]+)/.exec(document.querySelector(".animation-figures")?.textContent ?? "")?.[1]?.replace(",", "")));
  const before = await frame();
  await page.waitForFunction((before) => Number(/frame ([\d,]+)/.exec(document.querySelector(".animation-figures")?.textContent ?? "")?.[1]?.replace(",", "")) > before + 2, before);
  await context.close();
});

test(`the notebook can be used when at most ${CEILING / 1000} KB are fetched`, async () => {
  const context = await playground.browser.newContext();
  const page = await context.newPage();
  /** @type {string[]} */
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname.slice("/some/where/".length) || "index.html"));
  // What is fetched behind the page would otherwise be counted with what it needs.
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (document.documentElement?.dataset["ready"] === undefined) return;
      observer.disconnect();
      Object.assign(globalThis, { atReady: performance.getEntriesByType("resource").map(({ name }) => name), readyAfter: performance.now() });
    }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-ready"] });
  });
  await page.goto(playground.url);
  await ready(page);
  const atReady = new Set(/** @type {string[]} */ (await page.evaluate(() => /** @type {any} */ (globalThis).atReady)).map((name) => new URL(name).pathname.slice("/some/where/".length)));
  // What runs the greeting is on its way meanwhile; the notebook does not wait for it.
  const needed = ["index.html", ...asked.filter((name) => atReady.has(name) && !/\.wasm$|^runner|worker-[0-9a-f]{10}\.js$/.test(name))];
  let total = 0;
  const table = [];
  for (const name of new Set(needed)) {
    const bytes = await readFile(join(site, name));
    // Faces are compressed already.
    const size = name.endsWith(".woff2") ? bytes.length : gzipSync(bytes, { level: 9 }).length;
    total += size;
    table.push(`${name} ${size}`);
  }
  assert.ok(needed.some((name) => name.endsWith(".js")) && needed.some((name) => name.endsWith(".woff2")), `what was fetched: ${needed.join(" ")}`);
  assert.ok(total <= CEILING, `${total} bytes: ${table.join(", ")}`);
  assert.ok(!needed.some((name) => name.includes("editor")), "what edits comes behind the page");
  assert.ok(![...atReady].some((name) => /-rest-.*\.wasm$/.test(name)), "and so does what is deferred");
  await context.close();
});
