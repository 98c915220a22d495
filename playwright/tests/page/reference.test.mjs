// The reference's examples of what the page itself offers: each is inserted by its button, and runs
// as it is.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { Playground, runAll } from "../../lib/playground.mjs";
import { share } from "../../lib/rotation.mjs";

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

const RUN = [
  "print", "display", "markdown", "table", "image", "heatmap", "plot", "scatter", "hist", "bars", "box", "contour", "progress", "animate",
  "slider", "number", "select", "checkbox", "color", "text", "range", "point", "play", "button", "draw", "file", "download", "tick", "nextFrame", "breathe", "audio",
];
/** These ask the reader for something. */
const ASK = ["allow", "camera", "microphone", "upload", "unzip"];

test("examples of the page's functions run as they are inserted", async () => {
  const page = await playground.open([""], { query: "?device=cpu" });
  await page.locator(".header .menu summary").click();
  await page.getByRole("button", { name: "Reference" }).click();
  const reference = page.getByRole("complementary", { name: "Reference" });
  const search = reference.getByRole("searchbox");
  const insert = async (/** @type {string} */ name) => {
    await search.fill(name);
    // Kernels have some of the same names, behind.
    await reference.getByRole("button", { name: `Insert the example of ${name}`, exact: true }).first().click();
  };
  const names = share(RUN, 3);
  for (const name of names) await insert(name);
  const { cells } = await runAll(page);
  assert.deepEqual(cells.slice(1).map(({ status, error }, i) => [names[i], status, error?.message ?? ""]), names.map((name) => [name, "done", ""]));
  for (const name of ASK) await insert(name);
  assert.equal((await page.evaluate(() => window.weft.cells())).length, 1 + names.length + ASK.length);
  await page.context().close();
});
