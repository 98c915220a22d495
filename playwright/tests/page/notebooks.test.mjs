// The notebooks of the gallery. Each runs to its end, here or in `computed` and `simulations`,
// shows what is accessible in both colour schemes, and has a picture on its card.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { after, before, test } from "../../lib/test.mjs";
import { fileURLToPath } from "node:url";
import { assertAccessibleInBoth } from "../../lib/accessible.mjs";
import { Playground, ready, runAll } from "../../lib/playground.mjs";
import { COMPUTED, running, SIMULATED } from "../../lib/compared.mjs";
import { share } from "../../lib/rotation.mjs";

const folder = fileURLToPath(new URL("../../../notebooks/", import.meta.url));
const names = (await readdir(folder)).filter((file) => file.endsWith(".md")).map((file) => file.slice(0, -3));
const LARGEST = 30_000;
/** @param {string} name */
const without = (name) => `${name} has no picture: name its cell in PICTURES of playwright/pictures.mjs, run \`node playwright/pictures.mjs ${name}\`, and build the page`;
/** They run with one more cell beside this file, at every second seed: none of them runs twice.
 * @type {ReadonlySet<string>} */
const elsewhere = new Set(process.env["WEFT_TIER"] === "full" ? [] : [...running(COMPUTED), ...running(SIMULATED)]);
const looked = new Set(share(names, 6).filter((name) => !elsewhere.has(name)));
/** Trainings that end by the clock: a few seconds of them run every cell. A full run has them as
 * they are.
 * @type {Record<string, [as: string, here: string]>} */
const SHORTER = { letters: ['const seconds = slider("seconds", { min: 20, max: 600, step: 20, value: 40 });', "const seconds = 3;"] };

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start({ ownData: true })));
after(() => playground.stop());

/** At each width nothing of a notebook scrolls sideways, but for tables on a phone, in their own
 * frame: what does, by its class.
 * @param {import("playwright-core").Page} page */
async function scrolling(page) {
  /** @type {string[]} */
  const found = [];
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    found.push(
      ...(await page.evaluate((width) => {
        const scrollers = [...document.querySelectorAll(".editor")].flatMap((editor) => [...(editor.shadowRoot?.querySelectorAll(".cm-scroller") ?? [])]);
        const shown = [...document.querySelectorAll(".outputs *")].filter((element) => width > 390 || !element.querySelector(":scope > table"));
        return [document.documentElement, ...shown, ...scrollers].flatMap((element) => {
          const scrolls = element.scrollWidth > element.clientWidth + 1 && (element === document.documentElement || /auto|scroll/.test(getComputedStyle(element).overflowX));
          return scrolls ? [`${width}: ${element.className || element.nodeName}, ${element.scrollWidth} in ${element.clientWidth}`] : [];
        });
      }, width)),
    );
  }
  return found;
}

for (const name of names.filter((name) => !elsewhere.has(name))) {
  test(`${name}: every cell succeeds${looked.has(name) ? ", and what it shows is accessible" : ""}`, async () => {
    const context = await playground.browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: true });
    const page = await context.newPage();
    /** @type {string[]} */
    const complaints = [];
    page.on("pageerror", ({ message }) => complaints.push(message));
    const [as, here] = (process.env["WEFT_TIER"] !== "full" && SHORTER[name]) || ["", ""];
    const markdown = await readFile(`${folder}${name}.md`, "utf8");
    assert.ok(markdown.includes(as));
    if (as !== "") await page.route(`**/notebooks/${name}.md`, (route) => route.fulfill({ body: markdown.replace(as, here), contentType: "text/markdown" }));
    await page.goto(`${playground.url}?notebook=${name}`);
    await ready(page);
    assert.equal(await page.locator(".banner.failed").count(), 0);
    const { cells } = await runAll(page);
    assert.deepEqual(cells.flatMap(({ cell, status, error }) => (status === "done" ? [] : [`${cell} ${status}: ${error?.message}`])), []);
    assert.ok((await page.locator(".outputs > *").count()) > 0, "it shows something");
    if (looked.has(name)) await assertAccessibleInBoth(page, name);
    assert.deepEqual(await scrolling(page), []);
    assert.deepEqual(complaints, []);
    await context.close();
  });
}

test("every card has its picture, which comes when the page is painted and moves nothing", async () => {
  const page = await (await playground.browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  /** @type {string[]} */
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(playground.url);
  const heights = () => page.locator(".gallery li").evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().height));
  await page.locator(".gallery li").first().waitFor();
  const before = await heights();
  assert.equal(before.length, names.length);
  const addresses = await page.locator(".gallery a").evaluateAll((links) => links.map((link) => new URL(/** @type {HTMLAnchorElement} */ (link).href).searchParams.get("notebook")));
  assert.deepEqual(addresses.map((name) => name ?? "welcome").sort(), [...names].sort());
  for (const name of names) assert.ok(existsSync(`${folder}pictures/${name}.webp`), without(name));
  await page.waitForFunction((count) => document.querySelectorAll(".card-picture img").length === count, names.length);
  assert.ok(await page.locator(".card-picture img").evaluateAll((images) => images.every((each) => each instanceof HTMLImageElement && each.complete && each.naturalWidth > 0)));
  assert.deepEqual(await heights(), before);
  for (const name of names) assert.ok(asked.some((url) => new RegExp(`/assets/${name}-\\w+\\.webp$`).test(url)), name);
  await page.context().close();
});

test("pictures of cards are small", async () => {
  for (const name of names) {
    assert.ok(existsSync(`${folder}pictures/${name}.webp`), without(name));
    const { size } = await stat(`${folder}pictures/${name}.webp`);
    assert.ok(size < LARGEST, `${name}: ${size} bytes`);
  }
});
