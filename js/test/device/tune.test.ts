// Races between kernels, as users call them, on a GPU in Node (Dawn). The tests hold real races,
// keep their winners, find them again on the next visit, and check that there are none when tuning
// is off.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { beforeAll, describe, expect, it, vi } from "vitest";
import * as weft from "../../src/index.js";
import { init, tensor, tune, type Tensor } from "../../src/index.js";
import { errorOf, wasmBytes } from "../support/cpu.js";
import { dawn } from "../support/dawn.js";

/** One for all visits: Dawn does not outlive one that is collected. */
let gpu: GPU;

beforeAll(async () => {
  gpu = await dawn();
});

/** A visit: another device, which knows nothing but what the store holds. */
const visit = (options: weft.InitOptions) => init({ device: "webgpu", gpu, wasm: wasmBytes(), ...options });

/** Sums of rows, exact in whatever order. */
async function sums(rows: number, length: number): Promise<Tensor> {
  const x = tensor(new Float32Array(rows * length).fill(1), { shape: [rows, length] });
  const sum = x.mul(0.5).sum(1);
  expect(new Set(await sum.data())).toEqual(new Set([length / 2]));
  return sum;
}

/** A kernel whose few candidates compile soon, for what asks only whether there is a race. */
async function shifted(elements: number): Promise<void> {
  const x = tensor(new Float32Array(elements).fill(1));
  expect(new Set(await x.mul(0.5).add(1).data())).toEqual(new Set([1.5]));
}

function memoryStore() {
  const kept = new Map<string, string>();
  const store = {
    get: vi.fn(async (name: string) => kept.get(name) ?? null),
    set: vi.fn(async (name: string, text: string) => void kept.set(name, text)),
  };
  return { kept, store };
}

describe("races between kernels", () => {
  it("are held once: the next visit has the winners, and none are held once they are switched off", async () => {
    const { kept, store } = memoryStore();
    await visit({ tune: "now", store });
    await sums(16, 4096);
    await vi.waitFor(() => expect(tune.log().some((race) => race.key.startsWith("sum"))).toBe(true), { timeout: 60_000 });
    await tune.race();
    const race = tune.log().find((race) => race.key.startsWith("sum"));
    if (!race) throw new Error("there was no race");
    const timed = race.candidates.filter(({ milliseconds }) => milliseconds !== null);
    expect(timed.length).toBeGreaterThanOrEqual(2);
    const fastest = Math.min(...timed.map(({ milliseconds }) => Number(milliseconds)));
    const won = race.candidates.find(({ choice }) => choice === race.winner)?.milliseconds;
    expect(Number(won)).toBeLessThanOrEqual(fastest / 0.96);
    expect(race.spread).toBeGreaterThanOrEqual(0);
    expect(String(race)).toContain(`\nFastest: ${race.winner} ±`);
    // It serves, with the same results.
    await sums(16, 4096);
    const [name, stored] = [...kept][0] ?? ["", ""];
    // Beside the winners are the times that kernels took to compile.
    const text = stored.replace(/^compiled .*\n/gm, "");
    expect(text.split("\n")[0]).toBe(name);
    expect(text).toContain(`${race.key}\t${race.winner}\t`);
    expect(tune.export()).toBe(text);

    // The next visit: no race for what is known, in whatever time.
    await visit({ tune: "idle", store });
    await vi.waitFor(() => expect(tune.export()).toBe(text));
    const explanation = (await sums(16, 4096)) && weft.explain((x: Tensor) => x.mul(0.5).sum(1), weft.ones([16, 4096]));
    expect(explanation.dispatches.map(({ choice }) => choice)).toContain(race.winner);
    await tune.race();
    expect(tune.log()).toEqual([]);

    // Switched off, which software adapters are by default: no winner is taken or stored, nor is
    // there a race.
    const { set } = store;
    set.mockClear();
    for (const off of [{ tune: false, store } as const, { store }]) {
      await visit(off);
      await sums(16, 8192);
      await tune.race();
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(tune.log()).toEqual([]);
      expect(tune.export()).not.toContain(race.key);
    }
    for (const [, written] of set.mock.calls) expect(written.replace(/^compiled .*\n/gm, "")).toBe(text);
  }, 300_000);

  it("leave out what is corrupt in a store, and go on without one that fails", async () => {
    const { kept, store } = memoryStore();
    await visit({ tune: "idle", store: null });
    const name = tune.export().split("\n")[0] ?? "";
    const entry = "sum along f32 rows=16 length=64\trows lanes=64 width=1 rows=1 each=1\t9";
    kept.set(name, `${name}\n${entry}\nnonsense\n`);
    await visit({ tune: "idle", store });
    await vi.waitFor(() => expect(tune.export()).toContain(entry));
    expect(tune.export()).not.toContain("nonsense");
    expect(tune.import(`${name}\nmap f32 elements=64\tmap workgroup=64 each=1\t7\n`)).toBe(1);
    expect(errorOf(() => tune.import("nonsense"))).toBeInstanceOf(weft.FormatError);

    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    kept.set(name, "of another kind");
    await visit({ tune: "idle", store });
    await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce());
    const broken = { get: () => Promise.reject(new Error("full")), set: () => Promise.reject(new Error("full")) };
    await visit({ tune: "now", store: broken });
    await shifted(2 ** 15);
    await tune.race();
    expect(tune.log().length).toBeGreaterThan(0);
    warn.mockRestore();
  }, 300_000);

  it("are switched on and off on a device that is open", async () => {
    await visit({ tune: false, store: null });
    const open = weft.deviceInfo();
    await shifted(2 ** 15);
    await tune.race();
    expect(tune.log()).toEqual([]);
    expect(await init({ tune: "idle" })).toBe(open);
    await shifted(2 ** 16);
    await tune.race();
    const held = tune.log().length;
    expect(held).toBeGreaterThan(0);
    await init({ tune: false });
    await shifted(2 ** 17);
    await tune.race();
    expect(tune.log().length).toBe(held);
  }, 300_000);

  it("do not wait for a store that never answers", async () => {
    const never = () => new Promise<never>(() => {});
    await visit({ tune: "idle", store: { get: never, set: never } });
    await shifted(2 ** 15);
    await tune.race();
    expect(tune.log().length).toBeGreaterThan(0);
  }, 300_000);

  it("do not keep Node alive, and are held to the end where they are waited for", async () => {
    const folder = mkdtempSync(fileURLToPath(new URL(".tune-", import.meta.url)));
    try {
      const bundle = await rolldown({ input: fileURLToPath(new URL("../../src/index.ts", import.meta.url)), platform: "node", external: [/^node:/] });
      await bundle.write({ dir: folder, format: "esm", entryFileNames: "weft.mjs" });
      writeFileSync(
        join(folder, "visit.mjs"),
        `import { readFileSync } from "node:fs";
import { create } from "webgpu";
import { init, ones, tune } from "./weft.mjs";
globalThis.gpu = create([]);
await init({ device: "webgpu", gpu, wasm: readFileSync(${JSON.stringify(fileURLToPath(new URL("../../wasm/weft_wasm_bg.wasm", import.meta.url)))}), tune: "idle" });
await ones([2 ** 15]).mul(0.5).add(1).data();
process.on("exit", () => console.log("races:", tune.log().length));
if (process.argv[2] === "wait") await tune.race();
`,
      );
      const visited = (...args: string[]) => execFileSync(process.execPath, [join(folder, "visit.mjs"), ...args], { encoding: "utf8", timeout: 120_000, stdio: ["ignore", "pipe", "ignore"] });
      expect(visited()).toBe("races: 0\n");
      expect(visited("wait")).toMatch(/^races: [1-9]/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 300_000);

  it("are asked for in words that are known", async () => {
    for (const wrong of [{ tune: true }, { tune: "later" }, { store: {} }, { store: 5 }] as unknown as weft.InitOptions[]) {
      await expect(init(wrong)).rejects.toBeInstanceOf(weft.ValueError);
    }
  });
});
