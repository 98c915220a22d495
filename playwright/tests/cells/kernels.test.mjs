// Kernels in cells. Their entry comes with the first cell that names it, they see what other cells
// declare, and their mistakes are shown with the place.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { cell, Playground, runAll, runCell } from "../../lib/playground.mjs";

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

test("a kernel sees numbers, tensors and functions of other cells as they are at each call", async () => {
  const page = await playground.open([
    "tensor([1]).add(1)",
    "let rate = 2;\nconst table = tensor([10, 20, 30]);\nfunction mix(a, b) { const w = new Float32Array(2); w[0] = 0.5; return w[0] * (a + b) }\nconst twice = (v) => 2 * v;",
    "const blend = kernel((x, i) => mix(twice(x.at(i)), table.at(i)) * rate);\nawait blend([1, 2, 3]).array()",
    "rate = 4;\nawait blend([1, 2, 3]).array()",
    'import { kernel as make, rand } from "weft-gpu/kernel";\nconst later = await import("weft-gpu/kernel");\n[later.rand(3) === rand(3), await make((x, i) => x.at(i) * rate)([1]).array()]',
    "const kernel = 5;\nkernel + 1",
  ]);
  /** @type {string[]} */
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  const fetched = () => asked.filter((url) => /\/assets\/kernel-\w+\.js$/.test(url)).length;
  await runCell(page, 1);
  assert.equal(fetched(), 0, "a cell without kernels needs no entry");
  const { cells } = await runAll(page);
  assert.deepEqual(cells.flatMap(({ error }) => (error ? [error.message] : [])), []);
  assert.deepEqual(cells.slice(2).map(({ text }) => text.replace(/\s/g, "")), ["[12,24,36]", "[24,48,72]", "[true,[4]]", "6"]);
  assert.equal(fetched(), 1);
  await page.context().close();
});

test("mistakes, prints and failed assertions of kernels are shown where they belong, and a program is offered as a zip", async () => {
  const page = await playground.open([
    "const half = kernel((x, i) => {\n  const k = i / 2;\n  return x.at(k);\n});", "half([1, 2, 3])", "half instanceof KernelError",
    'const show = kernel((x, i) => {\n  if (i > 0) print("at", i, x.at(i));\n  assert(x.at(i) < 5, "less than five");\n  return x.at(i);\n}, { name: "show" });',
    "show([1, 2, 3]);",
    "show([6, 7]);\nprint(1);",
    "setTimeout(() => show([3, 9]), 50);\nprint(1);",
    "await download(await exportWGSL((x) => kernel((x, i) => x.at(i) * 2)(x), tensor([1, 2])), 'twice')", "await download({ a: new Uint8Array(3e6) })",
  ], { says: /assertion failed at/ });
  await runCell(page, 1);
  const { error } = await runCell(page, 2);
  assert.equal(error?.name, "KernelError");
  const shown = await cell(page, 2).locator(".error-message").innerText();
  const lines = shown.split("\n");
  assert.match(lines[0] ?? "", /line 3, column 15/);
  assert.equal(lines[1]?.trim(), "return x.at(k);");
  assert.equal(lines[2]?.indexOf("^"), lines[1]?.indexOf("k"));
  assert.equal((await runCell(page, 3)).text, "false");

  await runCell(page, 4);
  const printed = await runCell(page, 5);
  assert.equal(printed.error, null);
  assert.match(printed.text, /show\[1\]: at 1 2\s+show\[2\]: at 2 3/);
  const failed = await runCell(page, 6);
  assert.match(failed.error?.message ?? "", /show: line 3, column 3: assertion failed at \[0\] \(and 1 more time\): less than five/);
  const late = await runCell(page, 7);
  assert.equal(late.error, null);
  const output = cell(page, 7);
  await output.getByText("show[1]: at 1 9").waitFor();
  await output.getByText(/assertion failed at \[1\]: less than five/).waitFor();

  assert.equal((await runCell(page, 8)).error, null);
  const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: /Download twice\.zip/ }).click()]);
  assert.equal(saved.suggestedFilename(), "twice.zip");
  const bytes = await readFile(await saved.path());
  assert.equal(bytes.readUInt32LE(0), 0x04034b50);
  for (const name of ["plan.json", "weights.safetensors", "run.js", "kernels/0.wgsl", "requestAdapter"]) assert.ok(bytes.includes(name), name);
  assert.match((await runCell(page, 9)).error?.message ?? "", /3\.0 MB together; a cell can offer 1\.4 MB/);
  await page.context().close();
});

test("a kernel whose entry does not come says so, and comes when the cell runs again", async () => {
  const page = await playground.open(["await kernel((x, i) => x.at(i) + 1)([1]).array()"], { says: /503/ });
  await page.route(/\/assets\/kernel-/, (route) => route.fulfill({ status: 503 }), { times: 1 });
  assert.match((await runCell(page, 1)).error?.message ?? "", /could not be fetched/);
  assert.equal((await runCell(page, 1)).text.replace(/\s/g, ""), "[2]");
  await page.context().close();
});
