// Two notebooks whose texts were made to share a hash of 32 bits share nothing that the page keeps,
// and what earlier versions of the page kept under such hashes is dropped where it is outputs, and
// found among the reader's notebooks where it is edits.

import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { rotating } from "../../lib/rotation.mjs";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { collide, fnv } from "../../lib/collide.mjs";
import { cell, keptText, Playground, ready, runAll, runCell } from "../../lib/playground.mjs";

/** What a landing may leave out. */
const sometimes = rotating(3);

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").BrowserContext} BrowserContext */

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

const FENCE = "```";
/** @param {string} name @param {(n: number) => string} end */
const notebook = (name, end) => (/** @type {number} */ n) =>
  `# ${name}\n\n${FENCE}js\nconst rate = slider('rate', { min: 0, max: 1, value: 0.25 });\nprint('${name}', rate);\n${FENCE}\n\n${FENCE}js\nimage(ones([4, 4]))\n${FENCE}\n\n${end(n)}\n`;
const [KNOWN, FORGED] = collide(notebook("Known", (n) => `Version ${n}.`), notebook("Forged", (n) => `Release ${n}.`));

/** @param {BrowserContext} context @param {string} markdown */
async function openLink(context, markdown) {
  const page = await context.newPage();
  await page.goto(`${playground.url}?device=webgpu#nb=${deflateRawSync(Buffer.from(markdown)).toString("base64url")}`);
  await ready(page);
  return page;
}

const codes = (/** @type {Page} */ page) => page.evaluate(() => [...document.querySelectorAll(".code-cell")].map((each) => each.querySelector(".editor")?.shadowRoot?.querySelector(".cm-content")?.textContent ?? each.querySelector(".still")?.textContent));
const outputs = (/** @type {Page} */ page) => page.locator(".code-cell .outputs").evaluateAll((all) => all.map((each) => each.textContent).join(""));
const toastOf = async (/** @type {Page} */ page) => ((await page.locator(".toast").isVisible()) ? page.locator(".toast").innerText() : "");
const isEdited = (/** @type {Page} */ page) => page.locator(".banner.edited").isVisible();
/** Whether cells may use raw WebGPU. */
const allowsGpu = (/** @type {Page} */ page) => page.getByRole("checkbox", { name: "Cells may use raw WebGPU" }).isChecked();
const stored = (/** @type {Page} */ page) => page.evaluate(() => ({ ...localStorage }));

test("two links of one hash share no edits, outputs, controls or permissions", async () => {
  assert.equal(fnv(KNOWN), fnv(FORGED));
  const context = await playground.browser.newContext();
  const known = await openLink(context, KNOWN);
  assert.equal((await runAll(known)).ok, true);
  await cell(known, 1).locator("input[type=range]").fill("0.75");
  await known.waitForFunction(() => /Known 0.75/.test(window.weft.cells()[0]?.text ?? ""));
  await known.evaluate(() => window.weft.setCell(2, "print('edited by the reader')"));
  await runCell(known, 2);
  await known.waitForFunction(() => window.weft.cells()[1]?.text === "edited by the reader");
  await known.waitForFunction(() => Object.entries(localStorage).some(([key, value]) => key.startsWith("weft:outputs:link:") && value.includes("edited by the reader")));
  await known.locator(".badge summary").click();
  await known.getByRole("checkbox", { name: "Cells may use raw WebGPU" }).check();
  await known.evaluate(() => window.weft.ready);

  const forged = await openLink(context, FORGED);
  assert.match(String((await codes(forged))[0]), /print\('Forged'/);
  assert.match(String((await codes(forged))[1]), /image\(ones/);
  assert.deepEqual([await outputs(forged), await isEdited(forged), await toastOf(forged)], ["", false, ""]);
  await forged.locator(".badge summary").click();
  assert.equal(await allowsGpu(forged), false);
  assert.match((await runCell(forged, 1)).text, /Forged 0.25/);
  await forged.evaluate(() => window.weft.setCell(2, "'written in the other'"));
  await forged.waitForTimeout(700);

  await known.reload();
  await ready(known);
  assert.equal((await codes(known))[1], "print('edited by the reader')");
  assert.match(await outputs(known), /Known 0.75.*edited by the reader/s);
  assert.equal(await isEdited(known), true);
  await context.close();
});

sometimes("a notebook of the site that changes to a text of the same hash shows nothing of the one before", async () => {
  const [before, now] = collide((n) => `print('before', ${n})`, (n) => `print('after', ${n})`);
  assert.equal(fnv(before), fnv(now));
  const page = await playground.open([before]);
  await runAll(page);
  await page.waitForFunction(() => localStorage.getItem("weft:outputs:gallery:test.md")?.includes("before"));
  await page.context().route("**/notebooks/test.md", (route) => route.fulfill({ body: `# Test\n\n${FENCE}js\n${now}\n${FENCE}\n`, contentType: "text/markdown" }));
  await page.reload();
  await ready(page);
  assert.deepEqual([await codes(page), await outputs(page)], [[now], ""]);
  await page.context().close();
});

/** What earlier versions kept of a notebook under its key.
 * @param {string} key
 * @param {string} text
 * @param {string} edited
 * @param {string} shown */
const olderStore = (key, text, edited, shown) => ({
  [`weft:notebook:${key}`]: edited,
  [`weft:base:${key}`]: fnv(text),
  [`weft:outputs:${key}`]: JSON.stringify([{ text: fnv(shown), edited: false, status: "done", milliseconds: 1, error: null, messages: [{ type: "text", run: 0, output: 1, stream: "print", text: "shown once\n", omitted: 0 }], pictures: [], omitted: 0 }]),
  "weft:outputs": JSON.stringify([key]),
});

sometimes("what an earlier version kept of a link is no part of a link of that hash, and its edits are among the reader's notebooks", async () => {
  const mine = KNOWN.replace("# Known", "# Known, as I edited it");
  const first = KNOWN.slice(KNOWN.indexOf("const"), KNOWN.indexOf(`\n${FENCE}\n`));
  const key = `link:${fnv(KNOWN)}`;
  for (const [opened, name] of [[FORGED, "Forged"], [KNOWN, "Known"]]) {
    const context = await playground.browser.newContext();
    await context.addInitScript((entries) => localStorage.length === 0 && Object.entries(entries).forEach(([key, value]) => localStorage.setItem(key, value)), olderStore(key, KNOWN, mine, first));
    const page = await openLink(context, String(opened));
    assert.match(String((await codes(page))[0]), new RegExp(`print\\('${name}'`));
    assert.deepEqual([await outputs(page), await isEdited(page)], ["", false]);
    assert.equal(await keptText(page, key), mine);
    assert.equal((await stored(page))[`weft:notebook:${key}`], undefined, "it is moved");
    await page.goto(`${playground.url}?device=webgpu&mine=${encodeURIComponent(key)}`);
    await ready(page);
    assert.match(await page.locator(".prose h1").innerText(), /as I edited it/);
    assert.equal(await outputs(page), "");
    assert.match(await page.locator(".banner.foreign").innerText(), /came with a link/);
    await context.close();
  }
});

sometimes("of the site's notebooks an earlier version's edits stay, and its outputs are dropped with a notice", async () => {
  const original = `# Test\n\n${FENCE}js\n1 + 1\n${FENCE}\n`;
  const mine = original.replace("1 + 1", "2 + 2");
  const page = await playground.open(original);
  await page.evaluate((entries) => addEventListener("pagehide", () => Object.entries(entries).forEach(([key, value]) => localStorage.setItem(key, value))), olderStore("gallery:test.md", original, mine, "2 + 2"));
  await page.reload();
  await ready(page);
  assert.deepEqual([await codes(page), await outputs(page), await isEdited(page)], [["2 + 2"], "", true]);
  assert.match(await toastOf(page), /earlier version of this page.*Your edits are kept\. Run the cells again\./);
  assert.equal(await page.locator(".banner.rival").isVisible(), false);
  assert.equal((await stored(page))["weft:outputs:gallery:test.md"], undefined);
  await page.context().close();
});

sometimes("what was begun at an address that leads nowhere, and files that were opened, are among the reader's notebooks", async () => {
  const context = await playground.browser.newContext();
  const code = (/** @type {string} */ text) => `${FENCE}js\n${text}\n${FENCE}\n`;
  const entries = { [`weft:notebook:new:${fnv("?notebook=nowhere")}`]: code("'begun'"), "weft:file:a b.md": code("'as it was'"), "weft:notebook:file:a b.md": code("'edited'"), "weft:base:file:a b.md": fnv(code("'as it was'")), "weft:file:c.md": code("'never edited'") };
  await context.addInitScript((entries) => localStorage.length === 0 && Object.entries(entries).forEach(([key, value]) => localStorage.setItem(key, value)), entries);
  const page = await context.newPage();
  for (const [address, text, edited] of [[`?mine=new:${fnv("?notebook=nowhere")}`, "'begun'", false], ["?file=a%20b.md", "'edited'", true], ["?file=c.md", "'never edited'", false]]) {
    await page.goto(playground.url + address);
    await ready(page);
    assert.deepEqual([await codes(page), await isEdited(page), await page.locator(".banner.rival").isVisible()], [[text], edited, false]);
  }
  assert.deepEqual(Object.keys(await stored(page)).filter((key) => !key.startsWith("weft:outputs")), []);
  await context.close();
});
