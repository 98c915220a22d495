// Runs of cells: they share what they declare, show what they make, and report where they fail.

import assert from "node:assert/strict";
import { after, afterEach, before } from "../../lib/test.mjs";
import { cell, Playground, runAll, runCell } from "../../lib/playground.mjs";
import { sampled, share } from "../../lib/rotation.mjs";

/** A quick run makes every second one. */
const test = sampled(2);

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

test("the page loads under a sub-path, says which adapter runs, and runs nothing until Run or Shift+Enter", async () => {
  const page = await playground.open(["const a = 40;\na + 2", "1", "2"]);
  assert.match(await page.locator(".badge-label").innerText(), /GPU|WebGPU/);
  assert.equal(await page.title(), "Test · Weft");
  assert.deepEqual(await page.evaluate(() => window.weft.cells().map(({ status }) => status)), ["idle", "idle", "idle"]);
  // A click on Run shows the value of the last expression.
  await cell(page, 1).getByRole("button", { name: "Run cell 1" }).click();
  await cell(page, 1).locator(".outputs", { hasText: "42" }).waitFor();
  assert.match(await cell(page, 1).locator(".cell-status").innerText(), /done in/);
  // Shift+Enter runs the cell that is edited, and goes to the next.
  await cell(page, 2).locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("print('typed')");
  await page.keyboard.press("Shift+Enter");
  await cell(page, 2).locator(".outputs", { hasText: "typed" }).waitFor();
  await cell(page, 3).locator(".cm-focused").waitFor();
  await page.context().close();
});

test("cells share declarations, of names that workers have too, await at top level, and run again", async () => {
  const names = ["caches", "origin", "fonts", "indexedDB", "isSecureContext", "scheduler"];
  const page = await playground.open([
    "const x = await Promise.resolve(1);\nlet y = 2;\nfunction add(a, b) { return a + b }\nclass Box { constructor(v) { this.v = v } }",
    "y += 10;\nprint(add(x, y), new Box(3).v)",
    'import { tensor as make } from "weft-gpu";\nprint(make([1, 2, 3]).shape, zeros === weft.zeros)',
    names.map((name, n) => `const ${name} = ${n};`).join("\n"),
    `print(${names.join(", ")})`,
  ]);
  const { ok, cells } = await runAll(page);
  assert.deepEqual([ok, cells.map(({ text }) => text)], [true, ["", "13 3", "[3] true", "", names.map((_, n) => n).join(" ")]]);
  assert.equal((await runCell(page, 1)).status, "done");
  assert.equal((await runCell(page, 2)).text, "13 3");
  await page.context().close();
});

test("an error names its cell and line, and is marked where it arose: of the run, of syntax, of the library", async () => {
  const page = await playground.open(["function f(v) {\n  return v.missing.deeper;\n}", "// here\n\nf({});", "print('never')", "print('before');\nconst = 3;", "zeros([64, 784]).matmul(zeros([10, 784]))"]);
  const { ok, cells } = await runAll(page);
  assert.equal(ok, false);
  assert.deepEqual(cells.map(({ status }) => status), ["done", "failed", "idle", "idle", "idle"]);
  assert.equal(cells[1]?.error?.name, "TypeError");
  assert.deepEqual([cells[1]?.error?.cell, cells[1]?.error?.line, cells[1]?.error?.column], [1, 2, 20]);
  const error = cell(page, 2).locator(".error");
  assert.match(await error.innerText(), /TypeError.*cell 1, line 2.*called from.*cell 2, line 3.*deeper/s);
  // Within one line the place of the call adds nothing.
  await page.evaluate(() => window.weft.setCell(3, "[1].map((each) => each.missing.deeper)"));
  await runCell(page, 3);
  assert.doesNotMatch(await cell(page, 3).locator(".error").innerText(), /called from/);
  await page.evaluate(() => window.weft.setCell(3, "print('never')"));
  await cell(page, 1).locator(".run-error").waitFor();
  await cell(page, 2).locator(".run-error").waitFor();
  // A screen reader hears how each cell that ran has ended.
  const said = (/** @type {number} */ number) => cell(page, number).locator(":scope > [role=status]").innerText();
  assert.match(await said(1), /^Cell 1 done in [\d.]+ (ms|s)$/);
  assert.match(await said(2), /^Cell 2 failed: .*deeper/);
  assert.equal(await said(3), "");
  // What is seen beside the number is the time alone.
  assert.match(await cell(page, 2).locator(".cell-time").innerText(), /^[\d.]+ (ms|s)$/);
  const { width, height } = (await cell(page, 2).locator(".cell-status").boundingBox()) ?? assert.fail("it is there for who cannot see");
  assert.ok(width <= 1 && height <= 1, "the words take no room");
  await error.getByRole("button", { name: "cell 1, line 2" }).click();
  await cell(page, 1).locator(".cm-focused").waitFor();
  // Nothing runs of a cell that is no program.
  const { text, error: syntax } = await runCell(page, 4);
  assert.equal(text, "");
  assert.deepEqual([syntax?.name, syntax?.line, syntax?.column], ["SyntaxError", 2, 7]);
  // Wrong shapes are the library's own error.
  const { error: shapes } = await runCell(page, 5);
  assert.match(String(shapes?.message), /matmul.*784/);
  assert.equal(shapes?.line, 1);
  await page.context().close();
});

test("the console, rejected promises and callbacks speak in their cell, and a run ends whatever its cell throws", async () => {
  const throws = "() => { throw new Error('trap') }";
  const page = await playground.open([
    "console.log('logged', { a: 1 });\nconsole.warn('careful')",
    "Promise.reject(new RangeError('nobody waits'));\n1",
    "setTimeout(() => { throw new Error('late') }, 20)",
    `const error = new Error("x");\nfor (const key of ["name", "message", "stack", "cause"]) Object.defineProperty(error, key, { get: ${throws} });\nthrow error`,
    `throw new Proxy(new Error("x"), { get: ${throws}, getPrototypeOf: ${throws} })`,
    `[1, new Proxy({}, { ownKeys: ${throws}, getPrototypeOf: ${throws} })]`,
    `Error.prepareStackTrace = ${throws};\nnull.x`,
    "delete Error.prepareStackTrace;\nprint('still heard')",
  ], { quiet: false });
  const first = await runCell(page, 1);
  assert.equal(first.text, "logged { a: 1 }\ncareful");
  const second = await runCell(page, 2);
  assert.deepEqual([second.status, second.error?.message, second.error?.line], ["failed", "nobody waits", 1]);
  await runCell(page, 3);
  await cell(page, 3).locator(".error", { hasText: "late" }).waitFor();
  // What cannot be read is said to be so.
  const reports = [];
  for (let number = 4; number <= 8; number++) reports.push(await runCell(page, number));
  assert.deepEqual(reports.map(({ status }) => status), ["failed", "failed", "done", "failed", "done"]);
  assert.equal(reports[2]?.text, "[1, (unreadable)]");
  assert.equal(reports[4]?.text, "still heard");
  await page.context().close();
});

test("outputs: tensors, pictures, curves, progress, tables, Markdown, buttons, drawings", async () => {
  const page = await playground.open([
    "const t = tensor([[1, NaN], [3, 4]]);\ndisplay(t, { title: 'four' })",
    "image(tensor([[0, 1], [1, 0]]), { scale: 8 });\nimage(zeros([6, 5, 5]), { labels: ['a', 'b'] });\nheatmap(tensor([[1, 2]]))",
    "const chart = plot({ x: 'step', series: ['loss'] });\nfor await (const i of progress(30, { label: 'work' })) chart.add({ step: i, loss: 1 / (i + 1) });\nchart.add({ step: 30, loss: tensor([0.5]) });",
    "table([{ a: 1, b: 'x' }]);\nmarkdown('**bold** <b>raw</b>')",
    "let clicks = 0;\nbutton('Count', () => print('clicks', ++clicks))",
    "const pad = input.draw({ size: 8 });\npad.onChange(async (pixels) => { print(pixels.length, pixels.some((v) => v > 0.5)) });\nprint((await pad.read()).length)",
  ]);
  const { ok } = await runAll(page);
  assert.equal(ok, true);
  assert.match(await cell(page, 1).locator(".tensor").innerText(), /four.*f32.*\[2, 2\].*min\s+1.*max\s+4.*mean\s+2\.6667.*NaN\s+1/s);
  assert.equal(await cell(page, 2).locator("canvas").count(), 8);
  const [black, white] = await cell(page, 2).locator("canvas").first().evaluate((/** @type {HTMLCanvasElement} */ canvas) => {
    const { data } = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")).getImageData(0, 0, 2, 1);
    return [data[0], data[4]];
  });
  assert.deepEqual([black, white], [0, 255]);
  assert.match(String(await cell(page, 3).locator("path.curve").getAttribute("d")), /^M.*L/);
  assert.match(String(await cell(page, 3).locator(".series").innerText()), /loss\s*0\.5/);
  assert.equal(await cell(page, 3).getByRole("progressbar").getAttribute("aria-valuenow"), "30");
  assert.equal(await cell(page, 4).locator("table.rows td").count(), 2);
  assert.equal(await cell(page, 4).locator(".prose strong").innerText(), "bold");
  assert.equal(await cell(page, 4).locator(".prose b").count(), 0);
  // Buttons call back, and a drawing reaches the cell as pixels.
  await page.getByRole("button", { name: "Count" }).click();
  await cell(page, 5).locator(".outputs", { hasText: "clicks 1" }).waitFor();
  await cell(page, 6).locator("canvas.pad").scrollIntoViewIfNeeded();
  const box = await cell(page, 6).locator("canvas.pad").boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 60, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + 160, box.y + 160, { steps: 5 });
  await page.mouse.up();
  await cell(page, 6).locator(".outputs", { hasText: "64 true" }).waitFor();
  await cell(page, 6).getByRole("button", { name: "Clear" }).click();
  await cell(page, 6).locator(".outputs", { hasText: "64 false" }).waitFor();
  await cell(page, 6).locator("canvas.pad").press("Space");
  await cell(page, 6).locator("canvas.pad").press("ArrowDown");
  await cell(page, 6).locator(".outputs", { hasText: /64 false\s+64 true/ }).waitFor();
  await page.context().close();
});

test("files of the site can be read; missing and foreign ones are errors that can be caught", async () => {
  const page = await playground.open([
    "print((await file('data/small.bin')).length, await file.text('data/small.bin'), await file.exists('data/none.gz'))",
    "try { await file('data/none.gz') } catch (error) { print(error.name, error instanceof FileNotFound, error.path) }",
    // A name without a folder is one of the notebook's own files.
    "for (const path of ['../secret', 'index.html', 'https://example.com/data/x', '/data/small.bin', 'data/%2e%2e/index.html']) {\n  try { await file(path); print('read', path) } catch (error) { print(error.failure) }\n}",
    "await file('data/none.gz')",
  ], { quiet: false });
  const { cells } = await runAll(page);
  assert.deepEqual(cells.slice(0, 3).map(({ text }) => text), ["12 twelve bytes false", "FileNotFound true data/none.gz", "forbidden\nnot-found\nforbidden\nforbidden\nforbidden"]);
  assert.deepEqual([cells[3]?.error?.name, cells[3]?.error?.line], ["FileNotFound", 1]);
  await page.context().close();
});

test("a cell that redefines what the worker itself needs ends on Stop, and the notebook runs again", async () => {
  const page = await playground.open([
    "MessagePort.prototype.postMessage = () => {}",
    "Object.defineProperty(MessageEvent.prototype, 'data', { get: () => undefined });\nawait new Promise(() => {})",
    "Promise.prototype.then = () => new Promise(() => {});\nawait new Promise(() => {})",
    "for (const name of ['map', 'push', 'splice', Symbol.iterator]) Array.prototype[name] = () => { throw new Error('mine') };\nawait new Promise(() => {})",
    "print('alive')",
  ], { quiet: false });
  for (const number of share([1, 2, 3, 4], 2)) {
    const running = runCell(page, number);
    await page.waitForTimeout(300);
    await page.evaluate(() => window.weft.stop());
    // Some fail by themselves: their worker is as they left it, until Restart.
    if ((await running).status === "failed") await page.evaluate(() => window.weft.restart());
    await page.evaluate(() => window.weft.ready);
    assert.equal((await runCell(page, 5)).text, "alive", `after cell ${number}`);
  }
  await page.context().close();
});
