// Values that notebooks compute, compared with another way to compute them. A last cell uses the
// notebook's own functions, on the CPU device, at the sizes that notebooks have there.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { Playground, runAll } from "../../lib/playground.mjs";

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

/** What a cell says whose last value is a list or a record, after all cells of a notebook. @param {string} name @param {string} check */
async function computed(name, check) {
  const notebook = await readFile(new URL(`../../../notebooks/${name}.md`, import.meta.url), "utf8");
  const page = await playground.open(`${notebook}\n\`\`\`js\nprint(JSON.stringify(await (async () => { ${check} })()));\n\`\`\`\n`, { query: "?device=cpu" });
  const { cells } = await runAll(page);
  assert.deepEqual(cells.flatMap(({ cell, error }) => (error ? [`${cell}: ${error.message}`] : [])), []);
  await page.context().close();
  return JSON.parse(cells.at(-1)?.text ?? "");
}

test("frequencies: a blur by the Fourier transform is the weighted sum of neighbours, and detail 0 changes nothing", async () => {
  const check = `
    const weighted = kernel((p, c, i, j) => {
      let [sum, weights] = [0, 0];
      for (let a = -9; a <= 9; a++) for (let b = -9; b <= 9; b++) {
        const w = Math.exp(-(a * a + b * b) / 8);
        sum += w * p.at(c, i + a, j + b);
        weights += w;
      }
      return sum / weights;
    }, { edge: "wrap", shape: [3, 12, 12] });
    const fast = through(planes, gaussian(2)).slice(null, [0, 12], [0, 12]);
    const same = through(planes, gaussian(2).add(sub(1, gaussian(2))));
    return [await weighted(planes).sub(fast).abs().max().item(), await same.sub(planes).abs().max().item()];
  `;
  const [blur, same] = /** @type {number[]} */ (await computed("frequencies", check));
  assert.ok(blur !== undefined && blur < 3e-5, `${blur}`);
  assert.ok(same !== undefined && same < 3e-6, `${same}`);
});

test("embedder: the gradient of a grid is that of differences, and the error falls", async () => {
  const check = `
    const places = random.uniform([40, 2]);
    const energy = (grid) => look(grid, places).square().sum();
    const [grid, way] = [random.normal([2, 5, 5]), random.normal([2, 5, 5])];
    const slope = await grad(energy)(grid).mul(way).sum().item();
    const [more, less] = await stack([0.01, -0.01].map((h) => energy(grid.add(way.mul(h))))).array();
    const first = await step().item();
    for (let k = 0; k < 40; k++) step().dispose();
    return { slope, difference: (more - less) / 0.02, first, last: await step().item() };
  `;
  const { slope, difference, first, last } = await computed("embedder", check);
  assert.ok(Math.abs(slope - difference) < 1e-3 * Math.abs(slope), `${slope} and ${difference}`);
  assert.ok(last < first / 2, `${first} to ${last}`);
});

test("splats: gradients of places, forms and colours are those of differences, and the error falls", async () => {
  const check = `
    const parts = [random.uniform([3, 2]), random.normal([3, 3]).mul(0.3).sub([1.5, 1.5, 0]), random.uniform([3, 3])];
    const energy = (place, form, colour) => matmul(weight(place, form, 1), colour).sub(target).square().sum();
    const found = [];
    for (const at of [0, 1, 2]) {
      const way = random.normal(parts[at].shape);
      const along = (h) => energy(...parts.map((part, k) => (k === at ? part.add(way.mul(h)) : part)));
      const slope = await grad(energy, { argnums: at })(...parts).mul(way).sum().item();
      const [more, less] = await stack([along(0.002), along(-0.002)]).array();
      found.push([slope, (more - less) / 0.004]);
    }
    const first = await step().item();
    for (let k = 0; k < 30; k++) step().dispose();
    return { found, first, last: await step().item() };
  `;
  const { found, first, last } = await computed("splats", check);
  for (const [slope, difference] of found) assert.ok(Math.abs(slope - difference) < 0.01 * Math.abs(slope) + 0.1, `${slope} and ${difference}`);
  assert.ok(last < first / 4, `${first} to ${last}`);
});
