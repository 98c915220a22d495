// Times that a driver takes to compile the kernels that `first.mjs --texts FILE` left: each by
// itself, or all of them asked for at once.
//
//   DAWN=dawn.node node cold/texts.mjs FILE [--together] [--least 10]
//
// Every run is a process of its own, since drivers keep what they compiled. Switch their caches
// off: __GL_SHADER_DISK_CACHE=0.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import { pollSeldom } from "../dawn.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { together: { type: "boolean" }, least: { type: "string", default: "10" } } });
const { create, globals } = createRequire(import.meta.url)(process.env["DAWN"] ?? "webgpu");
Object.assign(globalThis, globals);
/** @type {GPU} */
const gpu = create([]);
const turning = setInterval(() => {}, 1);
const adapter = await gpu.requestAdapter();
if (!adapter) throw new Error("no adapter");
if (/swiftshader/i.test(adapter.info.architecture)) pollSeldom();
/** @type {Record<string, number>} */
const requiredLimits = {};
for (const name in adapter.limits) {
  const limit = adapter.limits[/** @type {keyof GPUSupportedLimits} */ (name)];
  if (typeof limit === "number" && !name.includes("Subgroup")) requiredLimits[name] = limit;
}
const device = await adapter.requestDevice({ requiredLimits, requiredFeatures: adapter.features.has("subgroups") ? ["subgroups"] : [] });
const compile = (/** @type {string} */ code) => device.createComputePipelineAsync({ layout: "auto", compute: { module: device.createShaderModule({ code }) } });
await compile("@group(0) @binding(0) var<storage, read_write> x: array<f32>; @compute @workgroup_size(32) fn main(@builtin(global_invocation_id) id: vec3u) { x[id.x] += 1; }");
const texts = /** @type {{ name: string, code: string }[]} */ (JSON.parse(readFileSync(positionals[0] ?? "", "utf8")));
const began = performance.now();
const ms = (/** @type {number} */ time) => time.toFixed(1).padStart(7);
const times = await texts.reduce(
  async (/** @type {Promise<number[]>} */ before, { code }) => {
    if (values.together) return before;
    const list = await before;
    const start = performance.now();
    await compile(code);
    return [...list, performance.now() - start];
  },
  Promise.resolve([]),
);
if (values.together) times.push(...(await Promise.all(texts.map(async ({ code }) => (await compile(code), performance.now() - began)))));
console.log(`${texts.length} texts ${values.together ? "at once" : "one by one"}: ${ms(performance.now() - began)} ms`);
for (const [n, { name, code }] of texts.entries()) {
  const time = times[n] ?? NaN;
  if (time >= Number(values.least)) console.log(`${ms(time)} ms ${String(code.length).padStart(6)} bytes  ${name}`);
}
clearInterval(turning);
process.exit(0);
