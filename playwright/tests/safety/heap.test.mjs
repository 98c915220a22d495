// Limits of JavaScript memory of cells: the page warns at 2 GB, the worker ends at 4 with
// an error in the cell, and what is let go of does not count, also in a loop that never awaits. The
// arrays are not touched, so that they take none of the machine's memory.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { cell, Playground, runCell } from "../../lib/playground.mjs";
import { share } from "../../lib/rotation.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

const toastOf = (/** @type {Page} */ page) => page.locator(".toast").innerText();

/** What a cell does that takes 10 GB. @type {Record<string, string>} */
const TAKERS = {
  "typed arrays": "for (let i = 0; i < 100; i++) kept.push(new Float32Array(25e6));",
  "small ones": "for (let i = 0; i < 20_000; i++) kept.push(new Uint8Array(5e5));",
  "buffers": "for (let i = 0; i < 100; i++) kept.push(new ArrayBuffer(1e8));",
  "copies": "const one = new Uint8Array(1e8);\nfor (let i = 0; i < 100; i++) kept.push([one.slice(), structuredClone(one), Uint8Array.from(one.subarray(0, 1)), one.buffer.slice(0)]);",
  "subclasses": "class Mine extends Float64Array {}\nfor (let i = 0; i < 100; i++) kept.push(new Mine(125e5));",
  "Reflect": "class Mine extends Float64Array {}\nfor (let i = 0; i < 50; i++) kept.push(Reflect.construct(Mine, [125e5]), Reflect.construct(Float32Array, [25e6]));",
  "clones of what holds them": "for (let i = 0; i < 100; i++) {\n  const one = new Uint8Array(1e8);\n  kept.push(structuredClone({ list: [1, { one }] }, { transfer: [one.buffer] }));\n}",
  "messages": "const { port1, port2 } = new MessageChannel();\nfor (let i = 0; i < 100; i++) {\n  const one = new Uint8Array(1e8);\n  port1.postMessage({ one }, [one.buffer]);\n  kept.push((await new Promise((resolve) => (port2.onmessage = resolve))).data);\n}",
  "pictures": "const canvas = new OffscreenCanvas(2, 2);\nconst context = canvas.getContext('2d');\nfor (let i = 0; i < 100; i++) kept.push(context.createImageData(5_000, 5_000));",
  "shared memories": "for (let i = 0; i < 10; i++) kept.push(new WebAssembly.Memory({ initial: 16_000, maximum: 16_000, shared: true }));",
  "a loop that awaits": "for (let i = 0; i < 100; i++) { kept.push(new Float32Array(25e6)); await tick(); }",
  "parts of a stream": "const parts = new ReadableStream({ type: 'bytes', autoAllocateChunkSize: 1e8, pull: (queue) => queue.byobRequest.respond(1e8) });\nfor await (const part of parts) if (kept.push(part) === 100) break;",
  "memories that grow": "for (let i = 0; i < 10; i++) {\n  const memory = new WebAssembly.Memory({ initial: 1 });\n  kept.push(memory);\n  memory.grow(16_000);\n}",
  "memories of modules": "const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 5, 4, 1, 0, 128, 125, 7, 5, 1, 1, 109, 2, 0);\nfor (let i = 0; i < 10; i++) kept.push((await WebAssembly.instantiate(bytes)).instance);",
  "a loop that made much before": "for (let i = 0; i < 400; i++) new Float32Array(25e6);\nfor (let i = 0; i < 100; i++) kept.push(new Float32Array(25e6));",
  "what is caught": "for (let i = 0; i < 1000; i++) try { kept.push(new Float32Array(25e6)) } catch { await tick() }",
};
for (const [name, code] of share(Object.entries(TAKERS), 5)) {
  test(`10 GB of arrays (${name}) end the worker with an error in the cell, and the page goes on`, async () => {
    const page = await playground.open(["const kept = [];", code, "print(1 + 1)"]);
    await runCell(page, 1);
    await page.evaluate(() => window.weft.setCell(3, "print(2 + 2)"));
    const { status, error } = await runCell(page, 2);
    assert.equal(status, "failed");
    assert.match(String(error?.message), /arrays took more than 4 GB.*Your edits and the outputs are kept/);
    assert.match(await toastOf(page), /more than 4 GB.*Restart/s);
    await page.locator(".toast").getByRole("button", { name: "Restart" }).click();
    await page.evaluate(() => window.weft.ready);
    assert.equal((await runCell(page, 3)).text, "4");
    assert.match(await cell(page, 2).locator(".error").innerText(), /4 GB/);
    await page.context().close();
  });
}

test("at 2 GB the page says what to do, and the cell goes on", async () => {
  const page = await playground.open(["let kept = [];\nfor (let i = 0; i < 25; i++) kept.push(new Float32Array(25e6));\nprint('through');", "kept = null;\nfor (let i = 0; i < 25; i++) new Float32Array(25e6);\nprint('again')"]);
  assert.equal((await runCell(page, 1)).text, "through");
  await page.locator(".toast", { hasText: "arrays take 2." }).waitFor();
  assert.match(await toastOf(page), /arrays take 2\.\d GB of JavaScript's memory.*At 4 GB its worker is ended\. Release arrays.*Restart/s);
  assert.equal((await runCell(page, 2)).text, "again");
  await page.context().close();
});

/** What a cell does that makes 20 GB or more and keeps little, and what it prints. @type {[string, string][]} */
const PASSING = [
  ["let last;\nfor (let i = 0; i < 200; i++) last = new Float32Array(25e6);\nprint(last.length);", "25000000"],
  ["let last;\nfor (let i = 0; i < 200; i++) { last = new Float32Array(25e6).subarray(1); await tick(); }\nprint(last.length);", "24999999"],
  ["let last;\nconst view = new Uint8Array(2e8);\nfor (let i = 0; i < 1000; i++) last = new Float32Array(view.buffer, 0, 1000);\nfor (let i = 0; i < 100; i++) last = view.subarray(i);\nprint(last.length);", "199999901"],
  ["const ring = [];\nfor (let i = 0; i < 300; i++) ring[i % 10] = new Float32Array(25e6);\nprint(ring.length);", "10"],
];
test("what is let go of does not count: 20 GB go by, in a loop that awaits and in others", async () => {
  const chosen = share(PASSING, 2);
  const page = await playground.open(chosen.map(([code]) => `{\n${code}\n}`));
  for (const [at, [, text]] of chosen.entries()) {
    const { text: shown, error } = await runCell(page, at + 1);
    assert.deepEqual([at, shown, error], [at, text, null]);
  }
  assert.equal((await page.locator(".toast").isVisible()) ? await toastOf(page) : "", "");
  await page.context().close();
});
