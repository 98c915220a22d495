// On a GPU in Node, through the npm package `webgpu` (Dawn): `init({ gpu })`, and what only a GPU shows. Without Dawn or a driver
// these tests fail; they do not skip.

import { existsSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import * as weft from "../src/index.js";
import { init, jit, nn, optim, stats, tensor, valueAndGrad, type Tensor } from "../src/index.js";
import { values, wasmBytes } from "./cpu.js";

const SWIFTSHADER = "/usr/lib/chromium/vk_swiftshader_icd.json";

let info: weft.DeviceInfo;

beforeAll(async () => {
  if (!process.env.VK_ICD_FILENAMES && !process.env.VK_DRIVER_FILES && existsSync(SWIFTSHADER)) {
    process.env.VK_ICD_FILENAMES = SWIFTSHADER;
  }
  const { create } = await import("webgpu");
  info = await init({ device: "webgpu", gpu: create([]), wasm: wasmBytes() });
});

describe("a GPU in Node", () => {
  it("is described", () => {
    expect(info.kind).toBe("webgpu");
    expect(info.adapter?.description).toBeTypeOf("string");
    console.log(info);
  });

  it("computes, fused", async () => {
    const x = tensor(Float32Array.from({ length: 1000 }, (_, i) => i / 1000));
    const before = stats();
    const total = await x.mul(2).add(1).tanh().sum().item();
    const after = stats();
    const expected = Array.from({ length: 1000 }, (_, i) => Math.tanh((2 * i) / 1000 + 1)).reduce((a, b) => a + b);
    expect(total).toBeCloseTo(expected, 2);
    expect(after.dispatches - before.dispatches).toBeLessThanOrEqual(2);
    expect(after.passes - before.passes).toBe(1);
  });

  it("multiplies matrices", async () => {
    const c = weft.matmul(weft.ones([65, 70]), weft.full([70, 33], 2));
    expect(c.shape).toEqual([65, 33]);
    expect(new Set(await values(c))).toEqual(new Set([140]));
  });

  it("does not recompile for numbers", async () => {
    const x = tensor([1, 2, 3]);
    await x.mul(2).add(0.5).data();
    const before = stats();
    for (let i = 0; i < 10; i++) await x.mul(i).add(i / 7).data();
    expect(stats().pipelinesCompiled).toBe(before.pipelinesCompiled);
  });
});
