// Access to raw WebGPU. The library has it; cells have it when the reader has allowed it, whichever
// way they try.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "../../lib/test.mjs";
import { Playground, ready, runAll, runCell } from "../../lib/playground.mjs";
import { share } from "../../lib/rotation.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** @type {Playground} */
let playground;
before(async () => (playground = await Playground.start()));
after(() => playground.stop());
afterEach(() => playground.assertQuiet());

const open = (/** @type {string[]} */ ...cells) => playground.open(cells, { query: "?device=webgpu" });
const texts = async (/** @type {Page} */ page) => (await runAll(page)).cells.map(({ text }) => text.trim());

/** Opens the device anew with `set` done before: whatever `caught` holds then came from the
 * library. */
const reopened = (/** @type {string} */ set) => `const caught = [];
const keep = (x) => { try { if (/^\\[object GPU(Adapter|Device)?\\]$/.test(Object.prototype.toString.call(x)) || typeof x?.requestAdapter === 'function' || typeof x?.requestDevice === 'function' || typeof x?.createShaderModule === 'function') caught.push(x) } catch {} };
const all = (...xs) => { for (const x of xs) { keep(x); if (x !== null && typeof x === 'object') for (const y of Array.isArray(x) ? x : [x.device, x.gpu, x.value]) keep(y) } };
try { ${set} } catch {}
await init({ device: 'cpu' });
await init({ device: 'webgpu' });
await canvas.draw(ones([4, 4]), new OffscreenCanvas(4, 4));
await tensor([1, 2]).add(1).array();
await data.toGPUBuffer(ones([4]), { buffer: await data.toGPUBuffer(ones([4])) });
await jit((x) => x.mul(2).sum())(ones([4])).item();
await throttle();
if (caught.length === 0) throw 0;
return caught[0];`;

const wrap = (/** @type {string} */ owner, /** @type {string} */ name) =>
  reopened(`const { ${name}: before } = ${owner}; ${owner}.${name} = function (...rest) { all(this, ...rest); const made = Function.prototype.apply === before ? undefined : before.apply(this, rest); all(made); return made }`);

/** @type {Record<string, string>} Each gives, or throws where it does not get there. */
const ROADS = {
  navigator: "return navigator.gpu.requestAdapter",
  prototype: "return Object.getOwnPropertyDescriptor(WorkerNavigator.prototype, 'gpu').get.call(navigator).requestAdapter",
  deleted: "delete WorkerNavigator.prototype.gpu; return navigator.gpu.requestAdapter",
  "chain of prototypes": "for (let at = navigator; at; at = Object.getPrototypeOf(at)) { const got = Reflect.get(at, 'gpu', navigator); if (got) return got } throw 0",
  interfaces: "return [GPU, GPUDevice, GPUAdapter, GPUBuffer, GPUQueue][0]",
  "any interface": "const names = Object.getOwnPropertyNames(globalThis).filter((name) => /^GPU/.test(name) && typeof globalThis[name] === 'function'); if (names.length === 0) throw 0; return names",
  "context's configuration": "const c = new OffscreenCanvas(4, 4); await canvas.draw(ones([4, 4]), c); return c.getContext('webgpu').getConfiguration().device",
  "context's prototype": "return Object.getPrototypeOf(new OffscreenCanvas(4, 4).getContext('webgpu')).configure",
  "kind of context that changes": "let n = 0; return new OffscreenCanvas(4, 4).getContext({ toString: () => (n++ ? 'webgpu' : '2d') }).configure.name",
  "canvas of its own making": `let got; const c = new OffscreenCanvas(4, 4);
    c.getContext = () => ({ configure: (x) => { got = x.device }, getCurrentTexture() {}, unconfigure() {} });
    try { await canvas.draw(ones([4, 4]), c) } catch {}
    if (!got) throw 0; return got`,
  "the library's own": "return gpuDevice().queue",
  "the library's, imported": "const library = await import('weft-gpu'); return library.gpuDevice().queue",
  "nested worker": "return await new Promise((resolve, reject) => { const w = new Worker('data:text/javascript,postMessage(!!navigator.gpu)'); w.onmessage = ({ data }) => data ? resolve(1) : reject(); w.onerror = reject; setTimeout(reject, 1500) })",
  "shared worker": "return new SharedWorker('data:text/javascript,1')",
  "fulfilled promises": wrap("Promise.prototype", "then"),
  "a promise's constructor": reopened("Object.defineProperty(Promise.prototype, 'constructor', { get() { this.then(all); return Promise } })"),
  "then of all objects": reopened("Object.defineProperty(Object.prototype, 'then', { get() { keep(this) } })"),
  "then of event targets": reopened("Object.defineProperty(EventTarget.prototype, 'then', { get() { keep(this) } })"),
  "setters of all objects": reopened("Object.defineProperty(Object.prototype, 'device', { set(x) { keep(x) } })"),
  "getters of all objects": reopened("Object.defineProperty(Object.prototype, 'viewFormats', { get() { all(this) } })"),
  "spread arguments": reopened("const { [Symbol.iterator]: values } = Array.prototype; Array.prototype[Symbol.iterator] = function () { for (let i = 0; i < this.length; i++) keep(this[i]); return values.call(this) }"),
  "array iterator": reopened("const at = Object.getPrototypeOf([].values()); const { next } = at; at.next = function () { const step = next.call(this); keep(step.value); return step }"),
  call: wrap("Function.prototype", "call"),
  apply: wrap("Function.prototype", "apply"),
  "Reflect.get": wrap("Reflect", "get"),
  "Object.getPrototypeOf": wrap("Object", "getPrototypeOf"),
  "Object.defineProperty": wrap("Object", "defineProperty"),
  "table's set": wrap("WebAssembly.Table.prototype", "set"),
  "table's get": wrap("WebAssembly.Table.prototype", "get"),
  instantiate: reopened("const { instantiate } = WebAssembly; WebAssembly.instantiate = (module, imports) => { all(...Object.values(imports)); return instantiate(module, imports) }"),
  "another WebAssembly": "globalThis.WebAssembly = {}; return 1",
  "another Promise": "globalThis.Promise = class extends Promise {}; return 1",
  "text of kernels": `let seen = 0; const { decode } = TextDecoder.prototype;
    TextDecoder.prototype.decode = function (...rest) { const text = decode.apply(this, rest); if (text.includes('@compute')) seen++; return text };
    await tensor([1, 2, 3]).mul(7).sub(2).sin().array(); if (!seen) throw 0; return seen`,
  "bytes of kernels": `let seen = 0; const { subarray } = Uint8Array.prototype;
    Uint8Array.prototype.subarray = function (...rest) { seen++; return subarray.apply(this, rest) };
    await tensor([1, 2, 3]).mul(9).sub(4).cos().array(); if (!seen) throw 0; return seen`,
};

test("no road leads a cell to the GPU before the reader allows it, and none that is tried breaks the library", async () => {
  const roads = share(Object.entries(ROADS), 8);
  const tries = roads.map(([name, code]) => `try { await (async () => { ${code} })(); print(${JSON.stringify(name)}, 'reached') } catch { print(${JSON.stringify(name)}, 'refused') }`);
  const page = await open(...tries, "print(await tensor([1, 2]).add(1).array())");
  const seen = [];
  for (const number of roads.keys()) {
    seen.push((await runCell(page, number + 1)).text.trim().split("\n").at(-1), (await runCell(page, tries.length + 1)).text.trim());
    // None profits from what another has left behind.
    await page.getByRole("button", { name: "Restart", exact: true }).click();
    await page.evaluate(() => window.weft.ready);
  }
  assert.deepEqual(seen, roads.flatMap(([name]) => [`${name} refused`, "[2, 3]"]));
  await page.context().close();
});

test("cells iterate, spread and copy as fast as where nothing is hidden", async () => {
  // What engines do by an iterator where they have dropped their short ways, beside what they never
  // do so.
  const page = await open(`const bytes = new Uint8Array(4_000_000);
const list = [1, 2, 3];
const time = (run) => Math.min(...Array.from({ length: 5 }, () => { const start = performance.now(); run(); return performance.now() - start }));
const plain = time(() => new Float32Array(bytes));
const straight = time(() => { let sum = 0; for (let n = 0; n < 1e6; n++) sum += Math.max(list[0], list[1], list[2]); return sum });
print(time(() => Float32Array.from(bytes)) / plain, time(() => { let sum = 0; for (let n = 0; n < 1e6; n++) sum += Math.max(...list); return sum }) / straight);`);
  const [copied, spread] = (await runCell(page, 1)).text.trim().split(" ").map(Number);
  assert.ok(Number(copied) < 8, `${copied}`);
  assert.ok(Number(spread) < 40, `${spread}`);
  await page.context().close();
});

test("with it allowed, such roads do lead there", async () => {
  const lead = share(/** @type {const} */ ([["chain of prototypes", "[object GPU]"], ["the library's own", "[object GPUQueue]"], ["context's configuration", "[object GPUDevice]"], ["then of all objects", "[object GPUAdapter]"], ["nested worker", "1"]]), 2);
  const page = await open(...lead.map(([name]) => `print(String(await (async () => { ${ROADS[name]} })()))`));
  await page.locator(".badge summary").click();
  await page.getByRole("checkbox", { name: "Cells may use raw WebGPU" }).check();
  const reached = [];
  for (let number = 1; number <= lead.length; number++) {
    await page.evaluate(() => window.weft.ready);
    reached.push((await runCell(page, number)).text.trim());
    await page.getByRole("button", { name: "Restart", exact: true }).click();
  }
  assert.deepEqual(reached, lead.map(([, what]) => what));
  await page.context().close();
});

test("a cell that looks for it gets an error that says how it is allowed; the library, and opening a device again, work without", async () => {
  const page = await open(
    "print(navigator.gpu);\nprint(typeof navigator.gpu)",
    "const a = tensor([1, 2]).add(1);\nprint(deviceInfo().kind, await a.array())",
    "await init({ device: 'cpu' });\nprint(deviceInfo().kind);\nawait init({ device: 'webgpu' });\nprint(deviceInfo().kind, await tensor([3]).mul(2).array())",
    "await image(ones([8, 8]));\nfunction F() {}\nF.prototype.toString = () => 'mine';\nconst o = {};\no.toString = () => 'own';\nArray.prototype.twice = function () { return [...this, ...this] };\nprint(String(new F()), String(o), [1].twice())",
  );
  const [looked, worked, again, ordinary] = await texts(page);
  assert.match(String(looked), /Cells cannot use raw WebGPU.*To allow it for this notebook/);
  assert.equal(String(looked).match(/Cells cannot use raw WebGPU/g)?.length, 1);
  assert.match(String(looked), /undefined\nundefined/);
  assert.equal(worked, "webgpu [2, 3]");
  assert.equal(again, "cpu\nwebgpu [6]");
  assert.match(String(ordinary), /mine own \[1, 1\]/);
  // In a new worker too, and after its device was lost.
  const browser = await playground.browser.newBrowserCDPSession();
  await browser.send("Browser.crashGpuProcess").catch(() => {});
  await page.locator(".badge-label", { hasText: "Device lost" }).waitFor({ timeout: 10_000 });
  assert.equal((await runCell(page, 3)).text.trim(), "cpu\nwebgpu [6]");
  await page.getByRole("button", { name: "Restart", exact: true }).click();
  await page.evaluate(() => window.weft.ready);
  assert.equal((await runCell(page, 2)).text.trim(), "webgpu [2, 3]");
  await page.context().close();
});

test("the reader allows it for one notebook, which is remembered, and takes it back", async () => {
  const page = await open("const adapter = await navigator.gpu.requestAdapter();\nconst device = await adapter.requestDevice();\nprint(typeof device.createShaderModule, typeof GPUBuffer, typeof Worker)", "print(typeof navigator.gpu)");
  const box = page.getByRole("checkbox", { name: "Cells may use raw WebGPU" });
  const change = async (/** @type {boolean} */ allowed) => {
    await page.locator(".badge summary").click();
    await box.setChecked(allowed);
    await page.evaluate(() => window.weft.ready);
    await page.keyboard.press("Escape");
  };
  assert.equal((await runCell(page, 1)).status, "failed");
  await change(true);
  assert.equal((await runCell(page, 1)).text.trim(), "function function function");
  assert.equal((await runCell(page, 2)).text.trim(), "object");
  await page.reload();
  await ready(page);
  assert.equal((await runCell(page, 2)).text.trim(), "object");
  // By a link, the same text is another notebook.
  const shared = await page.evaluate(async () => {
    const stream = new Blob(["# Shared\n\n```js\nprint(typeof navigator.gpu)\n```\n"]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  });
  const link = await page.context().newPage();
  const visit = async () => {
    await link.goto("about:blank");
    await link.goto(`${playground.url}?device=webgpu#nb=${shared}`);
    await ready(link);
    return (await runCell(link, 1)).text.trim();
  };
  assert.match(await visit(), /undefined$/);
  await link.locator(".badge summary").click();
  await link.getByRole("checkbox", { name: "Cells may use raw WebGPU" }).check();
  await link.evaluate(() => window.weft.ready);
  assert.equal((await runCell(link, 1)).text.trim(), "object");
  assert.match(await visit(), /undefined$/);
  await change(false);
  assert.match((await runCell(page, 2)).text, /undefined/);
  await page.reload();
  await ready(page);
  assert.match((await runCell(page, 2)).text, /undefined/);
  await page.context().close();
});
