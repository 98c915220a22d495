// Completion while the reader types. Proposals help, and insert nothing that the reader has not
// chosen; a name under the pointer shows its documentation; an error suggests the name that was
// meant.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { cell, Playground } from "../../lib/playground.mjs";

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

/** @param {import("playwright-core").Page} page */
const source = (page) => page.evaluate(() => [...(document.querySelector(".code-cell .editor")?.shadowRoot?.querySelectorAll(".cm-line") ?? [])].map((line) => line.textContent).join("\n"));
/** @param {import("playwright-core").Page} page */
const proposals = (page) => page.locator(".cm-tooltip-autocomplete");

test("Enter ends the line, Tab takes the first proposal, and Enter takes what was chosen", async () => {
  const page = await playground.open([""]);
  await cell(page, 1).locator(".cm-content").click();
  await page.keyboard.type("const a = tensor([1]);\na.matm");
  await proposals(page).getByText("matmul").first().waitFor();
  await page.keyboard.press("Enter");
  assert.equal(await source(page), "const a = tensor([1]);\na.matm\n", "Enter replaces nothing");
  await page.keyboard.type("a.matm");
  await proposals(page).getByText("matmul").first().waitFor();
  await page.waitForTimeout(120);
  await page.keyboard.press("Tab");
  assert.match(await source(page), /a\.matmul$/);
  await page.keyboard.type(";\na.resh");
  await proposals(page).getByText("reshape").first().waitFor();
  await page.waitForTimeout(120);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.match(await source(page), /a\.reshape$/);
  await page.keyboard.type(";\nmissin");
  await page.waitForTimeout(300);
  await page.keyboard.press("Tab");
  assert.match(await source(page), /missin\s*$/, "where nothing is proposed, Tab indents");
  // A list that is open covers no result.
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.type("const b = tensor([1]);\nb.sh");
  await proposals(page).getByText("shape").first().waitFor();
  assert.equal(await proposals(page).locator("ul").evaluate((list) => getComputedStyle(list).scrollbarWidth), "thin");
  await page.keyboard.press("Control+Enter");
  await page.waitForFunction(() => window.weft.cells()[0]?.status === "done");
  assert.equal(await page.locator(".cm-tooltip").count(), 0);
  await page.context().close();
});

test("keys that do something outside an editor are written in one, and nothing is proposed in a comment", async () => {
  const page = await playground.open([""]);
  await cell(page, 1).locator(".cm-content").click();
  await page.keyboard.type("// why?");
  assert.equal(await source(page), "// why?");
  assert.equal(await page.locator("dialog[open]").count(), 0);
  await page.keyboard.type(" tensor.ma");
  await page.waitForTimeout(500);
  assert.equal(await proposals(page).count(), 0);
  await page.context().close();
});

test("a method under the pointer shows its signature and what it does", async () => {
  const page = await playground.open(["const a = tensor([[1]]);\na.matmul(a)"]);
  const method = cell(page, 1).locator(".cm-content").getByText("matmul", { exact: true });
  await method.hover();
  await page.locator(".meaning code", { hasText: /^matmul\(.*\): Tensor$/ }).waitFor();
  assert.match(await page.locator(".meaning p").innerText(), /^Matrix product as NumPy's matmul: /, "names in it are code, not backticks");
  await page.context().close();
});

test("what a run would hide closes: the signature and the documentation, though the pointer rests", async () => {
  const page = await playground.open(["", "", "const a = tensor([[1]]);\na.matmul(a)"]);
  const sheets = page.locator(".meaning");
  for (const [at, key] of ["Control+Enter", "Shift+Enter"].entries()) {
    await cell(page, at + 1).locator(".cm-content").click();
    await page.keyboard.type("image(");
    await page.locator(".meaning.signature").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".meaning.signature").waitFor({ state: "detached" });
    await page.keyboard.type("eye(2, ");
    await page.locator(".meaning.signature").waitFor();
    await page.keyboard.type("2)");
    await page.keyboard.press(key);
    await page.waitForFunction((at) => /done|failed/.test(window.weft.cells()[at]?.status ?? ""), at);
    assert.equal(await sheets.count(), 0, key);
  }
  const method = cell(page, 3).locator(".cm-content").getByText("matmul", { exact: true });
  await cell(page, 3).locator(".cm-content").click();
  await method.hover();
  await sheets.first().waitFor();
  await page.keyboard.press("Control+Enter");
  await sheets.first().waitFor({ state: "detached" });
  // The browser reports a move where the page has moved below a pointer that rests.
  await method.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    element.dispatchEvent(new MouseEvent("mousemove", { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, composed: true }));
  });
  await page.waitForTimeout(700);
  assert.equal(await sheets.count(), 0);
  await page.mouse.move(0, 0);
  await method.hover();
  await sheets.first().waitFor();
  await page.context().close();
});

test("an error about a name says which was meant", async () => {
  const page = await playground.open(["const weights = tensor([1]);", "weigths.add(1)", "weights.mtmul(1)", "const net = new nn.Linear(-1, 2);", "net(1)", 'const rows = data.csv("a,b\\n1,2");\nrows.pivot()', "Linear(1)", "np.zeros(3)", "plot(rows)", "rows.", "random(3)", "const layer = new nn.Linear(1, 2);\nlayer(ones([1]))", "rows.a.mean()", "plot(rows.a)", "nn.functional.relu(weights)", "np.zeros_like(weights)", "weights.grad.sum()", "rows.a", "const trap = new Proxy({}, { get() { throw new Error('a trap') }, getPrototypeOf() { throw new Error('a trap') } });\ntrap.nothing()"]);
  const text = async (/** @type {number} */ number) => (await page.evaluate((at) => window.weft.runCell(at), number)).error?.message ?? "";
  await text(1);
  assert.match(await text(2), /weigths is not defined\nDid you mean “weights”\?$/);
  assert.match(await text(3), /mtmul is not a function\nDid you mean “matmul”\?$/);
  await text(4);
  assert.match(await text(5), /net is not defined\nCell 4 declares it, and has not run or has failed/);
  assert.match(await text(6), /pivot is not a function\nrows has names, .*column.*\.$/);
  assert.match(await text(7), /Linear is not defined\nDid you mean “nn\.Linear”\?$/);
  assert.match(await text(8), /np is not defined\nnp\.zeros is zeros here\.$/);
  assert.match(await text(9), /a table is drawn by its columns, as in plot\(table\.typed\("a"\), table\.typed\("b"\)\)/);
  assert.match(await text(10), /The code ends too early/);
  assert.match(await text(11), /random is not a function\nrandom has functions: random\./);
  assert.match(await text(12), /layer is a module: apply it by layer\.forward\(x\)/);
  // What is asked of a value of the notebook is in the line alone.
  assert.match(await text(13), /reading 'mean'\)\nA column is read by its name: rows\.typed\("a"\) for a plot/);
  assert.match(await text(14), /got undefined\nA column is read by its name/);
  assert.match(await text(15), /reading 'relu'\)\nFunctions of layers are in nn itself/);
  assert.match(await text(16), /np\.zeros_like is zerosLike here\.$/);
  assert.match(await text(17), /A tensor keeps no gradient: grad\(f\)\(x\)/);
  // A column that is no property is nothing, and shows nothing by itself.
  await text(18);
  assert.match(await cell(page, 18).locator(".outputs").innerText(), /A column is read by its name: rows\.typed\("a"\)/);
  assert.match(await text(19), /a trap/);
  await page.context().close();
});

test("lines of Python say what to write instead", async () => {
  const page = await playground.open(["zeros((2, 3))", "const x = tensor([1, 2, 3]);\nwhere(1 < x < 3, x, 0)", "y2 = x * 2", "let n = 0;\nconst add = () => { total += n; };\nadd()", "np.pi * 2", "x.map((v) => v + 1)", "plot(x, x, x, cos(x))", "plot(x).title('a')", "print(x, end='')", "max(1, 2)", "x[::2, None]", "x and n", "x.item"]);
  const says = [
    /^JavaScript keeps only the last value of “2, 3”: write \[2, 3\]$/, /write \(1 < x\) & \(x < 3\)$/, /y2 is not defined\nA new name has to be declared: write const y2 = …/, /total is not defined\n.*write let total = 0/, /np\.pi is Math\.PI here\.$/,
    /act on all elements/, /several lines are plot\(x, \{ sine: a, cosine: b \}\)$/, /title: "Loss"/, /print writes a line/, /Math\.max\(1, 2\)/, /write x\.at\("::2", null\)\.get\(\)$/, /x & n$/,
  ];
  for (const [i, expected] of says.entries()) {
    assert.match((await page.evaluate((number) => window.weft.runCell(number), i + 1)).error?.message ?? "no error", expected);
  }
  await page.evaluate((number) => window.weft.runCell(number), says.length + 1);
  assert.match(await cell(page, says.length + 1).locator(".outputs").innerText(), /item is a method: call it, as in await x\.item\(\)\./);
  await page.context().close();
});

test("options are proposed inside of braces, those that the function takes", async () => {
  const page = await playground.open([""]);
  await cell(page, 1).locator(".cm-content").click();
  for (const [typed, expected] of /** @type {const} */ ([['slider("rate", { m', ["min", "max"]], ["hist([1, 2], { b", ["bins"]], ["image(t, { c", ["columns", "colormap"]]])) {
    await page.keyboard.type(typed);
    for (const label of expected) await proposals(page).locator(".cm-completionLabel").getByText(label, { exact: true }).waitFor();
    assert.deepEqual(await proposals(page).locator(".cm-completionLabel").evaluateAll((all) => all.map((each) => each.textContent).filter((label) => ["weights", "channels", "dtype"].includes(label ?? ""))), []);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
  }
  await page.context().close();
});

test("a comment that may be meant as a division is underlined", async () => {
  const page = await playground.open([""]);
  await cell(page, 1).locator(".cm-content").click();
  await page.keyboard.type("const half = 7 // 2");
  const warned = cell(page, 1).locator(".cm-lintRange-warning");
  await warned.waitFor();
  assert.equal(await warned.innerText(), "// 2");
  await warned.hover();
  await page.locator(".cm-tooltip-lint", { hasText: "Math.floor(a / 2), of tensors a.floorDivide(2)" }).waitFor();
  await page.context().close();
});
