// Operators on tensors in cells, beside kernels, errors and the switch; and the values that
// printing shows.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { cell, Playground, runAll } from "../../lib/playground.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

const CELLS = [
  // Functions that kernels read, changed and unchanged.
  "const gain = 3, half = (v) => v / gain * 1.5;\nfunction bend(v) { const a = new Float32Array(1); a[0] = half(v) + half(v); return a[0] }\nconst twice = kernel((x, i) => bend(x.at(i)) * 2);\nconst named = (x, i) => x.at(i) * gain;\nprint((twice([1, 2]) + kernel(named)([1, 2])) * 1)",
  "const x = tensor([[1, 2], [3, 4]]), loss = x.sum();\nprint('loss', loss * 2, 'rows', x[1])\nconsole.log([x, { a: loss }], new Map([['k', loss]]))\nprint(randn ?? 0)".replace("\nprint(randn ?? 0)", ""),
  "[x * 10, { total: loss / 10 }, null]",
  "let sum = x * 0\nfor (let i = 0; i < 3; i++) sum += x[0] * i\nsum",
  "for (let i = 0; i < 3; i++) print(i, x.mean() * i)",
  "const net = new nn.Linear(3, 2);\nprint(net)",
];

test("cells compute with operators, and printing shows values", async () => {
  const page = await playground.open(CELLS);
  const { cells } = await runAll(page);
  assert.deepEqual(cells.filter(({ status }) => status !== "done"), []);
  const text = (/** @type {number} */ number) => cell(page, number).locator(".outputs").innerText();
  /** The same, with every member of a printed value open. @param {number} number */
  const opened = async (number) => {
    const closed = cell(page, number).locator("[role=treeitem][aria-expanded=false]");
    while ((await closed.count()) > 0) await closed.first().click();
    return text(number);
  };
  assert.match(await text(1), /f32\[2\] \[ 5, 10\]/);
  const printed = await opened(2);
  assert.match(printed, /loss f32\[\] 20 rows f32\[2\] \[3, 4\]/);
  assert.match(printed, /\[\[1, 2\],\s+\[3, 4\]\]/);
  assert.match(printed, /a: f32\[\] 10/);
  assert.match(printed, /"k" → f32\[\] 10/);
  assert.match(await opened(3), /\[\[10, 20\],\s+\[30, 40\]\][^]*total: f32\[\] 1\b[^]*null/);
  assert.match(await text(4), /3\s+6\s+1\s+3\s+6/);
  assert.match(await text(5), /^0 f32\[\] 0\s+1 f32\[\] 2\.5\s+2 f32\[\] 5\s*$/);
  assert.match(await text(6), /Linear \(8 parameters\)/);
  await page.context().close();
});

test("errors are where they are written, and the switch gives JavaScript's operators back", async () => {
  const page = await playground.open(["const x = tensor([1, 2]);", "const f = (a) =>\n  a + 1 * (a <\n    undefinedName);\nf(x)", "\nif (x > 1) print(1)", "x * 2", "(x * 2).nothing()"], { quiet: false });
  const error = async (/** @type {number} */ number) => {
    await cell(page, number).getByRole("button", { name: `Run cell ${number}` }).click();
    const shown = cell(page, number).locator(".error");
    await shown.waitFor();
    return (await shown.innerText()).replace(/\s+/g, " ");
  };
  await cell(page, 1).getByRole("button", { name: "Run cell 1" }).click();
  assert.match(await error(2), /cell 2, line 3.*undefinedName is not defined/);
  assert.match(await error(3), /cell 3, line 2.*if: takes one truth value, not the tensor bool\[2\]/);
  assert.match(await error(5), /\.nothing is not a function/);
  assert.doesNotMatch(await cell(page, 5).locator(".error").innerText(), /intermediate|\$/);
  await page.locator("summary[aria-label=More]").click();
  await page.getByRole("button", { name: "Turn operators on tensors off" }).click();
  assert.match(await error(4), /JavaScript's operators cannot act on a tensor/);
  await page.locator("summary[aria-label=More]").click();
  await page.getByRole("button", { name: "Turn operators on tensors on" }).click();
  await cell(page, 4).getByRole("button", { name: "Run cell 4" }).click();
  await cell(page, 4).locator(".tensor").waitFor();
  await page.context().close();
});
