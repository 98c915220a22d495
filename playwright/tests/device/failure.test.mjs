// Recovery of the library in a browser: from recursion without an end, memory that runs out, and a
// core that fails.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { cell, Playground, runAll, runCell } from "../../lib/playground.mjs";

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

test("recursion without an end is a RangeError, and nothing is lost; classes have their names, which the page's own minifier shortens", async () => {
  const roads = [
    "const f = (x) => f(x.add(1)); f(x)",
    "const f = (x) => grad((y) => f(y.mul(2)).sum())(x); f(x)",
    "const f = jit((x) => f(x.add(1))); f(x)",
    "const f = (x) => tidy(() => f(x.add(1))); f(x)",
    "const f = (x) => { realize(x); f(x.add(1)) }; f(x)",
  ];
  const page = await playground.open([
    "const x = tensor([1, 2, 3]), square = jit((x) => x.mul(x)), names = [];\nrealize(square(x));",
    ...roads.map((road) => `try { ${road} } catch (error) { names.push(error.name) }`),
    "print(names.join()); print(String(await square(x).array()), String(await grad((x) => x.mul(x).sum())(x).array()))",
    // In summaries, and where new is missing.
    "print(new nn.Sequential(new nn.Linear(1, 1)).summary())",
    "try {\n  nn.Linear(2, 3);\n} catch (error) {\n  print(error.message);\n}",
    "class Net extends nn.Module {\n  inner = new nn.Linear(2, 3);\n}\nprint(new Net().summary())",
  ]);
  const { cells } = await runAll(page);
  assert.deepEqual(cells.map(({ status }) => status), cells.map(() => "done"));
  assert.equal(cells.at(-4)?.text, `${roads.map(() => "RangeError").join()}\n1,4,9 2,4,6`);
  assert.match(String(cells.at(-3)?.text), /Sequential\n.*Linear /);
  assert.equal(cells.at(-2)?.text, "Linear: is a class: write new nn.Linear(…)");
  assert.match(String(cells.at(-1)?.text), /Net\n.*Linear /);
  await page.context().close();
});

/** Opens a notebook whose cells may use raw WebGPU: the worker then leaves open what makes the core
 * fail.
 * @param {string[]} cells */
async function openUnguarded(cells) {
  const page = await playground.open(cells);
  await page.locator(".badge summary").click();
  await page.getByRole("checkbox", { name: "Cells may use raw WebGPU" }).check();
  await page.evaluate(() => window.weft.ready);
  await page.locator(".badge summary").click();
  return page;
}

test("a core that fails is reported, and init starts another", async () => {
  const page = await openUnguarded([
    "const x = tensor([1, 2, 3]), double = jit((x) => x.mul(2)), names = [];\nrealize(double(x));",
    `const { set } = Uint8Array.prototype;
Uint8Array.prototype.set = () => { throw new Error("no copy today") };
try { data.idx(Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 1, 7)) } catch (error) { names.push(error.name) }
Uint8Array.prototype.set = set;
try { ones([3]).add(1) } catch (error) { names.push(error.name) }
await init();
try { x.add(1) } catch (error) { names.push(error.name) }
print(names.join(), String(await double(tensor([4, 5])).array()));`,
  ]);
  const { cells } = await runAll(page);
  assert.equal(cells.at(-1)?.text, "InternalError,DeviceLostError,DisposedError 8,10");
  await page.context().close();
});

test("a core that fails is reported as such, not as a lost device, and one click starts anew and runs again", async () => {
  const page = await openUnguarded([
    "const x = tensor([1, 2, 3]).add(1);\nprint(await x.array())",
    "if (globalThis.again) print('never ran');",
    "const { set } = Uint8Array.prototype;\nUint8Array.prototype.set = () => { throw new Error('no copy today') };\ntry { data.idx(Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 1, 7)) } finally { Uint8Array.prototype.set = set }",
  ]);
  await runCell(page, 1);
  const failed = await runCell(page, 3);
  assert.equal(failed.error?.name, "InternalError");
  await page.locator(".badge-label", { hasText: "Weft stopped" }).waitFor({ timeout: 10_000 });
  const toast = await page.locator(".toast").innerText();
  assert.match(toast, /Weft's core stopped.*the device works.*Restart and run again/s);
  assert.doesNotMatch(toast, /lost/);
  await page.locator(".badge summary").click();
  assert.match(await page.locator(".badge-details").innerText(), /Weft's core stopped/);
  // What asks for more meanwhile fails, and leads to the same.
  await page.evaluate(() => window.weft.setCell(3, "print(await x.mul(2).array())"));
  assert.equal((await runCell(page, 3)).error?.name, "InternalError");
  await cell(page, 3).locator(".error").getByRole("button", { name: "Restart and run again" }).click();
  await page.waitForFunction(() => [1, 3].every((number) => window.weft.cells()[number - 1]?.status === "done"), undefined, { timeout: 30_000 });
  assert.deepEqual(await page.evaluate(() => window.weft.cells().map(({ text }) => text)), ["[2, 3, 4]", "", "[4, 6, 8]"]);
  assert.doesNotMatch(await page.locator(".badge-label").innerText(), /stopped/);
  await page.context().close();
});
