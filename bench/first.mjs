// First calls: how long until the first value of common work, with no pipeline compiled before.
// Each is measured in new processes, with kernels that serve until others are compiled and without.
//
//   DAWN=dawn.node node first.mjs [--only REGEX] [--rounds 5] [--alone] [--minutes 8] [--json FILE]
//
// With `--brief`, nothing is measured after the third call. With `--alone`, each kernel of one
// round is compiled once more by itself, for its own time. Switch drivers' caches off:
// __GL_SHADER_DISK_CACHE=0. SMALL=1 takes sizes for software, AS_HARDWARE=1 the kernels that a GPU
// of hardware has.

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import { pollSeldom } from "./dawn.mjs";
import { firsts } from "./firsts.mjs";

const { values } = parseArgs({
  options: { only: { type: "string" }, rounds: { type: "string", default: "5" }, alone: { type: "boolean" }, minutes: { type: "string", default: "8" }, json: { type: "string" }, weft: { type: "string", default: "./weft.mjs" }, child: { type: "string" }, pinned: { type: "boolean" }, texts: { type: "string" }, brief: { type: "boolean" } },
});

/** @typedef {{ lines: number, bytes: number, wait: number, served: boolean, alone?: number, name?: string }} Kernel */
/** @typedef {{ adapter: string, names?: string[], times: number[], settled: number, steady: number, kernels: Kernel[] }} Report */

const median = (/** @type {number[]} */ list) => list.toSorted((a, b) => a - b)[list.length >> 1] ?? NaN;

/** One piece of work in this process. @returns {Promise<Report>} */
async function child(/** @type {string} */ wanted) {
  const { create, globals } = createRequire(import.meta.url)(process.env["DAWN"] ?? "webgpu");
  Object.assign(globalThis, globals);
  /** @type {GPU} */
  const gpu = create([]);
  /** What was compiled, in order: the text, and when it was asked for and there.
   * @type {{ code: string, asked: number, done: number }[]} */
  const compiled = [];
  if (process.env["AS_HARDWARE"]) {
    const request = gpu.requestAdapter.bind(gpu);
    gpu.requestAdapter = async (options) => {
      const adapter = await request(options);
      if (adapter) Object.defineProperty(adapter, "info", { value: { vendor: "", architecture: "", description: "software, taken for hardware", isFallbackAdapter: false } });
      return adapter;
    };
  }
  const adapter = await gpu.requestAdapter();
  if (!adapter) throw new Error("no adapter");
  if (/swiftshader/i.test(adapter.info.architecture) || process.env["AS_HARDWARE"]) pollSeldom();
  /** @type {Record<string, number>} */
  const requiredLimits = {};
  for (const name in adapter.limits) {
    const limit = adapter.limits[/** @type {keyof GPUSupportedLimits} */ (name)];
    if (typeof limit === "number" && !name.includes("Subgroup")) requiredLimits[name] = limit;
  }
  const probe = await adapter.requestDevice({ requiredLimits, requiredFeatures: adapter.features.has("subgroups") ? ["subgroups"] : [] });
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
  const weft = await import(new URL(values.weft, import.meta.url).href);
  const info = await weft.init({ device: "webgpu", gpu: /** @type {never} */ (gpu), tune: false, deterministic: values.pinned ?? false });
  await weft.preload();
  await weft.tensor([1]).add(1).item();
  const all = firsts(weft);
  const report = { adapter: `${info.adapter?.vendor} ${info.adapter?.architecture} ${info.adapter?.description}`, names: all.map(([name]) => name), times: /** @type {number[]} */ ([]), settled: 0, steady: 0, kernels: /** @type {Kernel[]} */ ([]) };
  const work = all.find(([name]) => name === wanted)?.[1];
  if (!work) return report;
  compiled.length = 0;
  const began = performance.now();
  const turn = async () => {
    const before = performance.now();
    await work();
    return performance.now() - before;
  };
  for (let n = 0; n < 3; n++) report.times.push(await turn());
  if (values.brief) return report;
  await weft.tune.race();
  report.settled = performance.now() - began;
  if (values.texts) {
    const name = (/** @type {string} */ code) => code.match(/^\/\/ (.*)/m)?.[1] ?? "";
    const from = (/** @type {number} */ time) => Number((time - began).toFixed(1));
    writeFileSync(values.texts, JSON.stringify(compiled.map(({ code, asked, done }) => ({ name: name(code), asked: from(asked), done: from(done), code }))));
  }
  const later = [];
  for (const until = performance.now() + 400; later.length < 3 || performance.now() < until; ) later.push(await turn());
  report.steady = median(later);
  for (const { code, asked, done } of [...compiled]) {
    let alone;
    if (values.alone) {
      const module = createShaderModule.call(probe, { code: `${code}\n// ${Math.random()}` });
      const before = performance.now();
      await createComputePipelineAsync.call(probe, { layout: "auto", compute: { module } });
      alone = performance.now() - before;
    }
    const name = code.match(/^\/\/ (.*)/m)?.[1] ?? "";
    report.kernels.push({ lines: code.split("\n").length, bytes: code.length, wait: done - asked, served: asked > began + (report.times[0] ?? 0), ...(alone === undefined ? {} : { alone }), name });
  }
  return report;
}

/** The same in a process of its own. @returns {Promise<Report>} */
const apart = (/** @type {string} */ name, /** @type {string[]} */ ...flags) =>
  new Promise((resolve, reject) => {
    const given = ["--child", name, "--weft", values.weft, ...(values.brief ? ["--brief"] : []), ...flags];
    execFile(process.execPath, [process.argv[1] ?? "", ...given], { timeout: 120_000, maxBuffer: 1 << 26 }, (error, out, err) => {
      const line = out.split("\n").find((line) => line.startsWith("{"));
      if (line) resolve(JSON.parse(line));
      else reject(error ?? new Error(err));
    });
  });

if (values.child !== undefined) {
  const turning = setInterval(() => {}, 5);
  console.log(JSON.stringify(await child(values.child)));
  clearInterval(turning);
  process.exit(0);
}

const until = performance.now() + 60_000 * Number(values.minutes);
const { adapter, names = [] } = await apart("");
console.log(adapter);
const ms = (/** @type {number} */ time) => time.toFixed(time < 10 ? 1 : 0);
const report = [];
for (const name of names) {
  if (values.only && !new RegExp(values.only).test(name)) continue;
  /** @type {Record<"tiers" | "pinned", Report[]>} */
  const rounds = { tiers: [], pinned: [] };
  for (let round = 0; round < Number(values.rounds) && performance.now() < until; round++) {
    for (const how of /** @type {const} */ (["tiers", "pinned"])) {
      const flags = [...(how === "pinned" ? ["--pinned"] : []), ...(values.alone && round === 0 ? ["--alone"] : [])];
      try {
        rounds[how].push(await apart(name, ...flags));
      } catch (error) {
        console.log(`${name}, ${how}: ${error}`);
      }
    }
  }
  report.push({ name, rounds });
  const said = (/** @type {Report[]} */ list) => [0, 1, 2].map((n) => ms(median(list.map(({ times }) => times[n] ?? NaN)))).join(" ");
  const steady = (/** @type {Report[]} */ list) => ms(Math.min(...list.map(({ steady }) => steady)));
  console.log(`${name}: first ${said(rounds.tiers)} ms (all compiled after ${ms(median(rounds.tiers.map(({ settled }) => settled)))}), one text ${said(rounds.pinned)} ms; steady ${steady(rounds.tiers)} and ${steady(rounds.pinned)} ms`);
  for (const { lines, bytes, wait, served, alone, name } of (rounds.tiers[0]?.kernels ?? []).filter(({ wait, alone }) => wait > 40 || (alone ?? 0) > 20)) {
    console.log(`    ${lines} lines, ${bytes} bytes, waited ${ms(wait)}${alone === undefined ? "" : `, alone ${ms(alone)}`} ms ${served ? "later " : ""}${name ?? ""}`);
  }
}
if (values.json) writeFileSync(values.json, JSON.stringify({ adapter, report }));
