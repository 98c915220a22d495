// Request of the GPU's device: once, while the core loads, and for `init` alone.

import { beforeAll, describe, expect, it } from "vitest";
import { AdapterError, FormatError, gpuDevice, init, tensor, type GpuObject } from "../../src/index.js";
import { values, wasmBytes } from "../support/cpu.js";
import { dawn } from "../support/dawn.js";

/** Every device that was asked for. */
const devices: GPUDevice[] = [];
let gpu: GPU;
/** How often an adapter was asked for. */
let adapters = 0;

beforeAll(async () => {
  const real = await dawn();
  const prototype = Object.getPrototypeOf(await real.requestAdapter()) as GPUAdapter;
  const { requestDevice } = prototype;
  prototype.requestDevice = async function (descriptor) {
    const device = await requestDevice.call(this, descriptor);
    devices.push(device);
    return device;
  };
  gpu = { requestAdapter: (options?: GPURequestAdapterOptions) => (adapters++, real.requestAdapter(options)) } as GPU;
});

/** Waits until `holds` does. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

// In this order: the core is compiled once, and from then on it is there at once.
describe("the device", () => {
  it("is no rejection that nobody handles where neither an adapter nor the core comes", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    await expect(init({ gpu: { requestAdapter: () => Promise.resolve(null) }, wasm: new Uint8Array(3) })).rejects.toBeInstanceOf(FormatError);
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });

  it("is given up where the core does not come", async () => {
    await expect(init({ device: "webgpu", gpu, wasm: new Uint8Array(3) })).rejects.toBeInstanceOf(FormatError);
    await until(() => devices.length === 1);
    expect((await devices[0]?.lost)?.reason).toBe("destroyed");
  });

  it("is asked for while the core comes, once, with all that its adapter offers", async () => {
    adapters = devices.length = 0;
    let come = (_: unknown): void => {};
    const wasm = new Promise<unknown>((resolve) => (come = resolve));
    const opening = init({ device: "webgpu", gpu, wasm: wasm as never, tune: false });
    await until(() => devices.length === 1);
    come(wasmBytes());
    await opening;
    expect([adapters, devices.length]).toEqual([1, 1]);
    expect(gpuDevice()).toBe(devices[0]);
    const { limits, features } = (await gpu.requestAdapter()) as GPUAdapter;
    expect(devices[0]?.limits.maxBufferSize).toBe(limits.maxBufferSize);
    expect(devices[0]?.limits.maxStorageBufferBindingSize).toBe(limits.maxStorageBufferBindingSize);
    for (const name of ["timestamp-query", "subgroups"]) expect(devices[0]?.features.has(name)).toBe(features.has(name));
    expect(await values(tensor([1, 2]).mul(3))).toEqual([3, 6]);
  });

  it("is not handed to others, who ask for theirs meanwhile", async () => {
    const before = Object.getOwnPropertyDescriptor(gpu, "requestAdapter");
    let open = false;
    const opening = init({ device: "webgpu", gpu, tune: false }).then(() => (open = true));
    const others: GPUDevice[] = [];
    while (!open) others.push((await ((await gpu.requestAdapter()) as GPUAdapter).requestDevice()) as GPUDevice);
    await opening;
    expect(others.length).toBeGreaterThan(0);
    expect(others).not.toContain(gpuDevice());
    expect(Object.getOwnPropertyDescriptor(gpu, "requestAdapter")).toEqual(before);
    expect(await values(tensor([1, 2]).mul(5))).toEqual([5, 10]);
  });

  it("is not asked for limits that some browsers list and refuse", async () => {
    const listing = {
      async requestAdapter() {
        const adapter = (await gpu.requestAdapter()) as GPUAdapter;
        const limits: Record<string, number> = { minSubgroupSize: 4, maxSubgroupSize: 128 };
        for (const name in adapter.limits) limits[name] = adapter.limits[name as keyof GPUSupportedLimits] as number;
        return Object.defineProperty(adapter, "limits", { value: limits });
      },
    };
    await init({ device: "webgpu", gpu: listing, tune: false });
    expect(await values(tensor([1, 2]).mul(9))).toEqual([9, 18]);
  });

  it("is refused where the GPU object is frozen, and given up; another serves", async () => {
    devices.length = 0;
    const frozen: GpuObject = Object.freeze({ requestAdapter: () => gpu.requestAdapter() });
    const refused = await init({ device: "webgpu", gpu: frozen, tune: false }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AdapterError);
    expect((refused as Error).message).toContain("frozen");
    await until(() => devices.length === 1);
    expect((await devices[0]?.lost)?.reason).toBe("destroyed");
    await init({ device: "webgpu", gpu, tune: false });
    expect(await values(tensor([1, 2]).mul(7))).toEqual([7, 14]);
  });
});
