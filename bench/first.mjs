// First calls: how long until the first value of common work, with no pipeline compiled before, and
// what of it is compiled.
//
//   DAWN=dawn.node node first.mjs [--only REGEX] [--alone] [--json FILE]
//
// With `--alone`, each kernel is compiled once more by itself, for its own time. Switch drivers'
// caches off: __GL_SHADER_DISK_CACHE=0.

import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import { firsts } from "./firsts.mjs";

const { values } = parseArgs({ options: { only: { type: "string" }, alone: { type: "boolean" }, json: { type: "string" }, weft: { type: "string" }, show: { type: "boolean" } } });
const { create, globals } = createRequire(import.meta.url)(process.env["DAWN"] ?? "webgpu");
Object.assign(globalThis, globals);
/** @type {GPU} */
const gpu = create([]);
const turning = setInterval(() => {}, 5);

/** What was compiled, in order: the text, and when it was asked for and there. @type {{ code: string, asked: number, done: number }[]} */
const compiled = [];
const adapter = await gpu.requestAdapter();
if (!adapter) throw new Error("no adapter");
const probe = await adapter.requestDevice();
const prototype = Object.getPrototypeOf(probe);
const codes = new WeakMap();
const { createShaderModule, createComputePipelineAsync } = prototype;
prototype.createShaderModule = function (/** @type {GPUShaderModuleDescriptor} */ descriptor) {
  const module = createShaderModule.call(this, descriptor);
  codes.set(module, descriptor.code);
  return module;
};
prototype.createComputePipelineAsync = function (/** @type {GPUComputePipelineDescriptor} */ descriptor) {
  const one = { code: codes.get(descriptor.compute.module) ?? "", asked: performance.now(), done: NaN };
  compiled.push(one);
  return createComputePipelineAsync.call(this, descriptor).finally(() => (one.done = performance.now()));
};

/** @type {typeof import("weft-gpu")} */
const weft = await import(new URL(values.weft ?? "./weft.mjs", import.meta.url).href);
const info = await weft.init({ device: "webgpu", gpu: /** @type {never} */ (gpu), tune: false });
await weft.preload();
await weft.tensor([1]).add(1).item();
console.log(info.adapter?.vendor, info.adapter?.architecture, info.adapter?.description);

const report = [];
for (const [name, work] of firsts(weft)) {
  if (values.only && !new RegExp(values.only).test(name)) continue;
  compiled.length = 0;
  const times = [];
  for (let turn = 0; turn < 6; turn++) {
    const before = performance.now();
    await work();
    times.push(performance.now() - before);
  }
  const kernels = [];
  for (const { code, asked, done } of [...compiled]) {
    let alone;
    if (values.alone) {
      const module = createShaderModule.call(probe, { code: `${code}\n// ${Math.random()}` });
      const before = performance.now();
      await createComputePipelineAsync.call(probe, { layout: "auto", compute: { module } });
      alone = performance.now() - before;
    }
    const lines = code.split("\n").length;
    kernels.push({ lines, bytes: code.length, wait: done - asked, alone, name: code.match(/^\/\/ (.*)/m)?.[1], code });
  }
  report.push({ name, times, kernels });
  console.log(`${name}: first ${times.map((time) => time.toFixed(time < 10 ? 1 : 0)).join(", ")} ms`);
  for (const { lines, bytes, wait, alone, name } of kernels.filter(({ wait, alone }) => wait > 40 || (alone ?? 0) > 20)) {
    console.log(`    ${lines} lines, ${bytes} bytes, waited ${wait.toFixed(0)}${alone === undefined ? "" : `, alone ${alone.toFixed(0)}`} ms ${name ?? ""}`);
  }
}
if (values.json) writeFileSync(values.json, JSON.stringify({ adapter: info.adapter, report }));
clearInterval(turning);
process.exit(0);
