// The inspector: what a cell computed, stage by stage, when and with what memory; where the first
// NaN came from; and kernels with another text.

import assert from "node:assert/strict";
import { after, afterEach, before } from "../../lib/test.mjs";
import { assertAccessible } from "../../lib/accessible.mjs";
import { cell, Playground, runAll, runCell } from "../../lib/playground.mjs";
import { sampled } from "../../lib/rotation.mjs";

/** A quick run makes every second one. */
const test = sampled(2);

/** @typedef {import("playwright-core").Page} Page */

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

/** @param {Page} page @param {number} number */
async function open(page, number) {
  await cell(page, number).locator(".cm-content").click();
  await cell(page, number).getByRole("button", { name: "Inspect what this code cell computed" }).click();
  await page.getByRole("region", { name: "Inspector" }).waitFor();
}

/** @param {Page} page */
const panel = (page) => page.getByRole("tabpanel");
/** @param {Page} page @param {string} name */
const show = (page, name) => page.getByRole("tab", { name }).click();
/** @param {Page} page @param {number} number */
const choose = (page, number) => page.getByRole("combobox", { name: "Cell that is inspected" }).selectOption({ index: number - 1 });

test("a cell's kernels, graph, times, memory and text are there to look at", async () => {
  const page = await playground.open(["const w = tensor([[1, 2], [3, 4]]);", "const x = ones([32, 2]);\nfor (let i = 0; i < 3; i++) {\n  const p = x.matmul(w).softmax(-1);\n  await p.sum().item();\n}", "1 + 1"], { bypassCSP: true, permissions: ["clipboard-read", "clipboard-write"] });
  await runAll(page);
  await open(page, 2);
  await panel(page).getByText("Press “Run and record” to see the lines.").waitFor();
  await page.getByRole("button", { name: "Run and record" }).click();
  const lines = panel(page).locator(".inspector-lines");
  await lines.getByRole("button", { name: "cell 2, line 3" }).waitFor();
  assert.match((await panel(page).innerText()) ?? "", /const p = x\.matmul\(w\)\.softmax\(-1\);/);
  assert.match((await panel(page).getByRole("group", { name: "WGSL" }).innerText()) ?? "", /@compute/);
  assert.match((await panel(page).getByRole("group", { name: "Kernel IR" }).innerText()) ?? "", /^kernel "/);
  assert.match(await panel(page).getByRole("group", { name: "Dispatches" }).locator("tbody td:last-child").first().innerText(), /^[\d.]+ (µs|ms|s)$/, "how long it took to compile");
  await assertAccessible(page, "kernels");
  const search = (/** @type {string} */ words) => page.getByRole("searchbox", { name: "Search in the inspector" }).fill(words);
  /** Rows of a table, with no search and with one that finds nothing. @param {string} name */
  const emptied = async (name) => {
    const rows = panel(page).getByRole("group", { name }).locator("tbody tr");
    assert.ok((await rows.count()) > 0, name);
    await search("qzxv");
    await rows.first().waitFor({ state: "detached" });
    await search("");
    await rows.first().waitFor();
  };
  await search("workgroup_id");
  await panel(page).locator("mark").first().waitFor();
  await search("");

  await show(page, "Graph");
  const box = panel(page).getByRole("button", { name: /^Cluster 0/ });
  await box.focus();
  await panel(page).getByText("Walks ", { exact: false }).waitFor();
  await page.keyboard.press("Enter");
  await panel(page).getByRole("button", { name: /^Node: / }).first().waitFor();
  await assertAccessible(page, "graph");
  const drawing = panel(page).getByRole("group", { name: "Graph of the program" });
  /** Where the reader looks, before and after. @param {() => Promise<unknown>} act */
  const moves = async (act) => {
    const where = async () => String(await drawing.getAttribute("viewBox")).split(" ").map(Number);
    const [x = 0, y = 0, width = 0] = await where();
    await act();
    const [left = 0, top = 0, wide = 0] = await where();
    return [left - x, top - y, wide / width].map((by) => Math.round(by * 100) / 100);
  };
  await drawing.focus();
  assert.equal((await moves(() => page.keyboard.press("-")))[2], 1.3);
  assert.equal((await moves(() => page.keyboard.press("+")))[2], 0.77);
  const [right = 0, none, same] = await moves(() => page.keyboard.press("ArrowRight"));
  assert.ok(right > 0 && none === 0 && same === 1, "an arrow key moves it");
  const { x, y } = (await drawing.boundingBox()) ?? assert.fail("it is drawn");
  await page.mouse.move(x + 4, y + 4);
  // A wheel's event comes after the call.
  const wheeled = async () => {
    const before = await drawing.getAttribute("viewBox");
    await page.mouse.wheel(0, 100);
    await page.waitForFunction((before) => document.querySelector(".inspector-drawing")?.getAttribute("viewBox") !== before, before);
  };
  assert.equal((await moves(wheeled))[2], 1.15);
  const [across = 0, down = 0] = await moves(async () => {
    await page.mouse.down();
    await page.mouse.move(x + 24, y + 14);
    await page.mouse.up();
  });
  assert.ok(across < 0 && down < 0, "what is dragged to the right and down shows what is left and above");
  await search("qzxv");
  await drawing.locator(".box.dim").first().waitFor();
  assert.equal(await drawing.locator(".box:not(.dim)").count(), 0);
  const node = drawing.getByRole("button", { name: /^Node: / }).first();
  await search(/^Node: (\S+)/.exec((await node.getAttribute("aria-label")) ?? "")?.[1] ?? "");
  await node.and(drawing.locator(":not(.dim)")).waitFor();
  await search("");

  await show(page, "Timeline");
  await panel(page).getByText(/Sum of a run: /).waitFor();
  await panel(page).getByText(/run 3 of 3/).waitFor();
  await emptied("Times of dispatches");
  await panel(page).getByRole("button", { name: "Measure what this device reaches" }).click();
  await panel(page).getByText(/This device copies [\d.]+ .?B\/s and multiplies matrices at [\d.]+ .?op\/s/).waitFor();
  const [bytes, moved, copied] = (await panel(page).getByRole("group", { name: "Times of dispatches" }).locator("tbody tr").first().locator("td").allInnerTexts()).slice(5);
  assert.match(String(bytes), /^[\d.]+ (bytes|KB)$/);
  assert.match(String(moved), /^[\d.]+ .?B\/s$/);
  assert.match(String(copied), /^(< 1|\d+) %$/);
  await assertAccessible(page, "timeline");

  await show(page, "Memory");
  await panel(page).getByRole("group", { name: "Tensors that hold memory" }).getByText("w", { exact: true }).waitFor();
  await panel(page).getByRole("img", { name: /^Memory after each of 3 runs: \d.* to \d/ }).waitFor();
  await emptied("Tensors that hold memory");
  await assertAccessible(page, "memory");

  await show(page, "Races");
  await panel(page).getByText("No kernels have raced", { exact: false }).waitFor();
  await assertAccessible(page, "races");
  await show(page, "Text");
  const text = panel(page).getByRole("group", { name: "All stages as text" });
  await text.waitFor();
  for (const wanted of ["# Program", "# Clusters", "# Dispatches", "# Memory", "# Kernel 0", "ran 3 times"]) assert.ok((await text.innerText()).includes(wanted), wanted);
  await assertAccessible(page, "text");
  await panel(page).getByRole("button", { name: "Copy All stages as text" }).click();
  await panel(page).getByText("Copied", { exact: true }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await text.textContent());

  await choose(page, 3);
  await show(page, "Kernels");
  await panel(page).getByText("computed nothing on the device", { exact: false }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("region", { name: "Inspector" }).waitFor({ state: "detached" });
  await page.context().close();
});

test("a kernel's text is changed, refused where it is wrong, and run beside the original", async () => {
  const page = await playground.open(["const x = tensor([1, 2, 3]);\nawait x.mul(2).add(1).data();"]);
  await runCell(page, 1);
  await open(page, 1);
  await panel(page).getByRole("button", { name: "Edit", exact: true }).click();
  const field = panel(page).getByRole("textbox", { name: "WGSL to run beside the original" });
  const text = await field.inputValue();
  const run = panel(page).getByRole("button", { name: "Run beside the original" });
  await field.fill(text.replace(/\] = (.*);/, "] = nonsense;"));
  await run.click();
  await panel(page).getByText(/line \d+, column \d+/).waitFor();
  await field.fill(text.replace(/\] = (.*);/, "] = 10.0 + $1;"));
  await run.click();
  await panel(page).getByText("3 of 3 differ, by 10 at most").waitFor();
  await panel(page).getByText("13, 15, 17").waitFor();
  assert.deepEqual((await runCell(page, 1)).text, "Float32Array(3) [3, 5, 7]", "the original serves");
  await page.context().close();
});

/** What is planted, and where it is to be found: the cell and the line, and of a NaN of infinities
 * where those are from. */
const PLANTED = [
  ["const a = tensor([1, 2, -3]);\nconst b = a.mul(2);\nconst c = b.log();\nawait c.add(1).sum().item();", /The first NaN comes from\s+log f32\[3\] at \[2\]:\s+cell 1, line 3/],
  ["const d = zeros([4]);\nconst e = d.mul(3);\nawait d.div(e).mean().item();", /cell 2, line 3/],
  ["const f = tensor([1, 100]);\nconst g = f.exp();\nconst k = g.sub(g.mul(2));\nawait k.data();", /The first NaN comes from\s+sub .*cell 3, line 3[\s\S]*infinity that led to it comes from\s+exp .*cell 3, line 2/],
  ["const loss = (x) => {\n  const y = x.mul(x);\n  return y.sqrt().sum();\n};\nawait grad(loss)(tensor([0, 4])).data();", /gradient of cell 4, line 2[\s\S]*infinity[\s\S]*gradient of cell 4, line 3/],
  ["const twice = jit((x) => {\n  const y = x.sub(3);\n  return y.sqrt().mul(2);\n});\nawait twice(tensor([4, 5])).data();", /Every result/],
  ["await twice(tensor([4, 1])).data();", /cell 5, line 3/],
  ["await forLoop(0, 6, (i, y) => {\n  const z = y.sub(1);\n  return z.add(z.sqrt().mul(0));\n}, tensor([2.5])).data();", /sqrt f32\[1\] at \[0\] in iteration 2:\s+cell 7, line 3/],
  ["const bad = tensor([1, NaN, 2]);\nawait bad.mul(2).data();", /the data: f32\[3\] already had it at \[1\], in\s+cell 8, line 1/],
  ["const scores = tensor([[1, 2], [3, 4]]);\nconst mask = tensor([[1, 0], [0, 0]]).greater(0);\nconst hidden = where(mask, scores, -Infinity);\nawait hidden.softmax(-1).data();", /cell 9, line 4/],
  ["let w9 = tensor([3]);\nfor (let i = 0; i < 8; i++) {\n  w9 = w9.sub(1);\n  const root = w9.sqrt();\n  await root.item();\n}", /cell 10, line 4/],
  ["const safe = (x) => where(x.greater(0), x.log(), 0);\nconst s = safe(tensor([1, -1]));\nawait s.add(s.sub(2).asin()).data();", /cell 11, line 3/],
];

test("the first NaN is found at its line, in ten planted cases and more", async () => {
  const page = await playground.open(PLANTED.map(([code]) => /** @type {string} */ (code)), { query: "?device=cpu", bypassCSP: true });
  await runAll(page);
  await open(page, 1);
  await show(page, "First NaN");
  for (const [n, [, wanted]] of PLANTED.entries()) {
    await choose(page, n + 1);
    await panel(page).getByRole("button", { name: `Run cell ${n + 1} and find the first NaN` }).click();
    const said = panel(page).getByRole("status");
    await said.getByText(/comes from|Every result|cannot/).first().waitFor();
    assert.match(await said.innerText(), /** @type {RegExp} */ (wanted), `cell ${n + 1}`);
  }
  await assertAccessible(page, "first NaN");
  await show(page, "Kernels");
  await panel(page).getByText("The CPU device interprets programs", { exact: false }).waitFor();
  await panel(page).getByText("On the CPU device:", { exact: false }).waitFor();
  await page.getByRole("button", { name: "Run and record" }).click();
  await show(page, "Timeline");
  await panel(page).getByText("times by the clock, from the call to its return", { exact: false }).waitFor();
  assert.match(await panel(page).getByRole("group", { name: "Times of runs" }).locator("tbody tr").first().innerText(), /^1\s+[\d.]+ (ns|µs|ms|s)\s+[\d.]+ (ns|µs|ms|s)$/);
  await page.context().close();
});

test("what is drawn frame by frame is its cell's", async () => {
  const page = await playground.open(["animate((time) => ones([16, 16]).mul(time).sin());", "await ones([3]).cos().data();"]);
  await runCell(page, 1);
  await cell(page, 1).locator("canvas").waitFor();
  await runCell(page, 2);
  await open(page, 2);
  await show(page, "Text");
  const text = panel(page).getByRole("group", { name: "All stages as text" });
  await text.waitFor();
  assert.match(await text.innerText(), /= cos %/);
  assert.doesNotMatch(await text.innerText(), /= sin %/);
  await page.context().close();
});
