// The gallery with operators on tensors and without: with methods in the place of operators its
// notebooks show the same texts and numbers.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { after, before, test } from "../../lib/test.mjs";
import { Playground, ready, runAll } from "../../lib/playground.mjs";
import { share } from "../../lib/rotation.mjs";

const folder = new URL("../../../notebooks/", import.meta.url);
/** Kernels of the first three are given functions that are chosen when the program runs, and a
 * kernel is compiled from text: as modules they have both texts, and run. The last trains for as
 * long as a clock says. */
const LEFT_OUT = new Set(["camera", "sound", "waves", "letters"]);
const names = (await readdir(folder)).filter((file) => file.endsWith(".md")).map((file) => file.slice(0, -3)).filter((name) => !LEFT_OUT.has(name));

/** No types are known here: each operator asks its operands at run time. */
const UNTYPED = { library: [], kernels: [], notebook: [], language: [], types: {} };

/** @type {Playground} */
let playground;
/** @type {import("vite").ViteDevServer} */
let sources;
before(async () => {
  playground = await Playground.start({ ownData: true });
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  sources = await createServer({ root, configFile: false, logLevel: "error", appType: "custom", server: { middlewareMode: true, hmr: false, ws: false, watch: null } });
});
after(() => Promise.all([playground.stop(), sources.close()]));

/** A notebook with methods, as exported modules have them, and what declares their helpers in its
 * first cell. In the page kernels read the text of cells, so what they call stays as it is.
 * @param {string} markdown */
async function withMethods(markdown) {
  const [{ functionsOfKernels }, { operatorsModule, spelled }, { makeCell, parseNotebook, serializeNotebook }] = /** @type {any[]} */ (
    await Promise.all(["operators/methods", "operators/spelled", "notebook/notebook"].map((name) => sources.ssrLoadModule(`/web/src/state/${name}.ts`)))
  );
  const cells = parseNotebook(markdown);
  const keep = functionsOfKernels(cells);
  const written = cells.map((/** @type {{ kind: string, source: string }} */ cell) => (cell.kind === "code" ? { ...cell, source: spelled(cell.source, UNTYPED, { keep }).code } : cell));
  written.splice(1, 0, makeCell("code", operatorsModule.replaceAll("weft.", "")));
  // Cells may not declare the name that modules use.
  return `<!-- operators: off -->\n\n${serializeNotebook(written).replaceAll("$weft", "methods")}`;
}

/** What the cells show, times left out. @param {string} name @param {boolean} operators */
async function shown(name, operators) {
  const context = await playground.browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  const markdown = await readFile(fileURLToPath(new URL(`${name}.md`, folder)), "utf8");
  const methods = operators ? "" : await withMethods(markdown);
  await page.route(`**/notebooks/${name}.md`, (route) => route.fulfill({ body: operators ? markdown : methods, contentType: "text/markdown" }));
  await page.goto(`${playground.url}?notebook=${name}&device=cpu`);
  await ready(page);
  const { cells } = await runAll(page);
  assert.deepEqual(cells.filter(({ status }) => status !== "done"), []);
  // Also of what is out of sight, which is not laid out.
  const texts = await page.locator(".outputs pre, .outputs .tensor, .outputs table").allTextContents();
  await context.close();
  return texts.map((text) => text.replace(/[\d.,]+\s*(?:µs|ms|s|fps|GB\/s|(?:[a-z]+ )?(?:a|per) second)\b/g, "…"));
}

for (const name of share(names, 28)) {
  test(`${name} shows the same with operators and with methods`, async () => {
    assert.deepEqual(await shown(name, true), await shown(name, false));
  });
}
