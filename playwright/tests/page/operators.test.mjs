// The gallery with operators on tensors and without: what its notebooks write by methods shows the
// same texts and numbers either way.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { after, before, test } from "../../lib/test.mjs";
import { Playground, ready, runAll } from "../../lib/playground.mjs";
import { share } from "../../lib/rotation.mjs";

const folder = new URL("../../../notebooks/", import.meta.url);
/** Those that write operators on tensors, and so need them. */
const BY_OPERATORS = new Set([
  "autoencoder",
  "camera",
  "clusters",
  "cnn",
  "diffusion",
  "fusion",
  "gradients",
  "kalman",
  "ode",
  "plots",
  "races",
  "sorting",
  "sound",
  "table",
  "tensors",
]);
const names = (await readdir(folder)).filter((file) => file.endsWith(".md")).map((file) => file.slice(0, -3)).filter((name) => !BY_OPERATORS.has(name));

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start({ ownData: true })));
after(() => playground.stop());

/** What the cells show, times left out. @param {string} name @param {boolean} operators */
async function shown(name, operators) {
  const context = await playground.browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  const markdown = await readFile(fileURLToPath(new URL(`${name}.md`, folder)), "utf8");
  await page.route(`**/notebooks/${name}.md`, (route) => route.fulfill({ body: `${operators ? "" : "<!-- operators: off -->\n\n"}${markdown}`, contentType: "text/markdown" }));
  await page.goto(`${playground.url}?notebook=${name}&device=cpu`);
  await ready(page);
  const { cells } = await runAll(page);
  assert.deepEqual(cells.filter(({ status }) => status !== "done"), []);
  const texts = await page.locator(".outputs pre, .outputs .tensor, .outputs table").allInnerTexts();
  await context.close();
  return texts.map((text) => text.replace(/[\d.,]+\s*(?:µs|ms|s|fps|GB\/s|[a-z]+ (?:a|per) second)\b/g, "…"));
}

for (const name of share(names, 7)) {
  test(`${name} shows the same with operators and without`, async () => {
    assert.deepEqual(await shown(name, true), await shown(name, false));
  });
}
