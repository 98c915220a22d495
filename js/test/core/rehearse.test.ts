// Warm-up of the engine's compiler while the GPU process starts. A test cannot see what is
// compiled, but it can see that the rehearsal runs to its end.

import { beforeAll, describe, expect, it } from "vitest";
import { exposeGpu } from "../../src/core/device/adapter.js";
import { Instance, unforeseenLoads } from "../../src/core/wasm/instance.js";
import { rehearse } from "../../src/start/rehearse.js";
import { gpuDevice, init, ones } from "../../src/index.js";
import { wasmBytes } from "../support/cpu.js";
import { dawn } from "../support/dawn.js";

let gpu: GPU;

beforeAll(async () => {
  gpu = await dawn();
  exposeGpu(gpu);
});

const module = () => WebAssembly.compile(new Uint8Array(wasmBytes()));

/** How many parts were gone through, of a rehearsal that is over after `most`. */
async function parts(of: WebAssembly.Module, most: number): Promise<number> {
  let gone = 0;
  await rehearse(of, gpu, () => ++gone >= most);
  return gone;
}

describe("the rehearsal", () => {
  it("comes to its end, by the functions that are there at once", async () => {
    const loads = unforeseenLoads();
    expect(await parts(await module(), Number.POSITIVE_INFINITY)).toBe(6);
    expect(unforeseenLoads()).toBe(loads);
  });

  it("ends early when the adapter is there", async () => {
    expect(await parts(await module(), 2)).toBe(2);
  });

  it("is made once for what is compiled once", async () => {
    const one = await module();
    expect(await parts(one, 1)).toBe(1);
    expect(await parts(one, 1)).toBe(0);
  });

  it("leaves the GPU object as it was, and the device to who opens it", async () => {
    const started: unknown[] = [];
    const { start } = Instance;
    let second = (): void => {};
    const both = new Promise<void>((resolve) => (second = resolve));
    Instance.start = (module) => {
      if (started.push(module) === 2) second();
      return start.call(Instance, module);
    };
    const { requestAdapter } = gpu;
    // As where the GPU process starts: the adapter comes when the rehearsal is under way.
    gpu.requestAdapter = (options) => both.then(() => requestAdapter.call(gpu, options));
    const before = Object.getOwnPropertyDescriptor(gpu, "requestAdapter");
    await init({ device: "webgpu", wasm: wasmBytes(), tune: false });
    Instance.start = start;
    expect(started).toHaveLength(2);
    expect(Object.getOwnPropertyDescriptor(gpu, "requestAdapter")).toEqual(before);
    expect(gpuDevice()?.limits.maxBufferSize).toBeGreaterThan(0);
    expect((await ones([2, 2]).matmul(ones([2, 2])).data())[3]).toBe(2);
  });
});
