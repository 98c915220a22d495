// Compilation of a new program's pipelines: all at once and without blocking, where the browser
// can; later requests wait, in their order.

import { afterEach, describe, expect, it } from "vitest";
import { canvas, data, forLoop, full, gpuDevice, grad, init, jit, matmul, Parameter, preload, random, realize, stats, synchronize, tensor, tune, whileLoop, type Tensor } from "../../src/index.js";
import { kernel } from "../../src/kernel/index.js";
import { wasmBytes } from "../support/cpu.js";
import { dawn } from "../support/dawn.js";

type Async = GPUDevice["createComputePipelineAsync"];

/** What the methods of devices were before a test. */
let restore = (): void => {};
afterEach(() => restore());

/** Opens a device whose asynchronous compiler is `async`, and counts who asks for pipelines. */
async function open(async: (own: Async) => Async | undefined): Promise<{ now: number; later: number }> {
  const gpu = await dawn();
  const adapter = (await gpu.requestAdapter()) as GPUAdapter;
  const prototype = Object.getPrototypeOf(await adapter.requestDevice()) as GPUDevice;
  const { createComputePipeline, createComputePipelineAsync } = prototype;
  restore = () => Object.assign(prototype, { createComputePipeline, createComputePipelineAsync });
  const asked = { now: 0, later: 0 };
  prototype.createComputePipeline = function (descriptor) {
    asked.now++;
    return createComputePipeline.call(this, descriptor);
  };
  const other = async(createComputePipelineAsync);
  prototype.createComputePipelineAsync = (other &&
    function (this: GPUDevice, descriptor: GPUComputePipelineDescriptor) {
      asked.later++;
      return other.call(this, descriptor);
    }) as Async;
  await init({ device: "webgpu", gpu, wasm: wasmBytes(), tune: false });
  // One that wakes the driver's compiler.
  expect(asked).toEqual({ now: 0, later: other ? 1 : 0 });
  return Object.assign(asked, { now: 0, later: 0 });
}

/** One that answers when it is let. */
function held(): { compile: (own: Async) => Async; let: () => void } {
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  const compile = (own: Async): Async =>
    async function (this: GPUDevice, descriptor) {
      await gate;
      return own.call(this, descriptor);
    } as Async;
  return { compile, let: () => open() };
}

/** What stands for a canvas of one pixel, and how bright that is. */
function surfaceOf(device: GPUDevice): { canvas: canvas.Canvas; level: () => Promise<number> } {
  let texture: GPUTexture;
  const context = {
    // Copied from, and drawn on: Node has no names for it.
    configure: ({ format }: { format: GPUTextureFormat }) => void (texture = device.createTexture({ size: [1, 1], format, usage: 1 | 16 })),
    getCurrentTexture: () => texture,
  };
  const level = async (): Promise<number> => {
    const staging = device.createBuffer({ size: 256, usage: 1 | 8 });
    const encoder = device.createCommandEncoder();
    encoder.copyTextureToBuffer({ texture }, { buffer: staging, bytesPerRow: 256 }, [1, 1]);
    device.queue.submit([encoder.finish()]);
    await staging.mapAsync(1);
    return new Uint8Array(staging.getMappedRange())[0] as number;
  };
  return { canvas: { width: 1, height: 1, getContext: () => context } as never, level };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

/** A step that moves a parameter against the gradient of Σ (x·w)². */
function training(): { w: Parameter; step: (x: Tensor) => Tensor } {
  const w = new Parameter(tensor([[1, 0.5], [0.25, 1]]));
  const loss = (w: Tensor, x: Tensor): Tensor => matmul(x, w).square().sum();
  return { w, step: (x) => { w.assign(w.sub(grad(loss)(w, x).mul(0.125))); return w.sum(); } };
}

describe("pipelines of a new program", () => {
  it("are compiled beside each other, and wgpu is given what was compiled", async () => {
    const asked = await open((own) => own);
    const x = random.normal([64, 64]);
    expect((await matmul(x, x).add(1).exp().sum(0).data()).length).toBe(64);
    expect(asked.later).toBeGreaterThan(1);
    expect(asked.now).toBe(0);
    // Texts that take over later are asked for when the value is there.
    await tune.race();
    const { later } = asked;
    expect((await matmul(x, x).add(1).exp().sum(0).data()).length).toBe(64);
    expect(asked).toEqual({ now: 0, later });
  });

  it("are waited for by work that may be long, too", async () => {
    const asked = await open((own) => own);
    // As far as a device knows before, every loop may take 65,536 turns.
    const halvings = kernel((x, i) => {
      let [n, v] = [0, x.at(i)];
      while (v > 1) {
        v /= 2;
        n++;
      }
      return n;
    });
    const x = random.uniform([1 << 16]).mul(0).add(8);
    expect(new Set(await halvings(x).data())).toEqual(new Set([3]));
    expect(asked.now).toBe(0);
  });

  it("are each handed on at once, so that they are compiled while others are made", async () => {
    const asked = await open((own) => own);
    const queue = gpuDevice()?.queue as GPUQueue;
    const prototype = Object.getPrototypeOf(queue) as GPUQueue;
    const { submit } = prototype;
    /** How many pipelines had been asked for at each submit of nothing. */
    const handed: number[] = [];
    prototype.submit = function (commands) {
      if ([...commands].length === 0) handed.push(asked.later);
      submit.call(this, commands);
    };
    try {
      realize(matmul(random.normal([64, 64]), random.normal([64, 64])).exp().sum(0));
    } finally {
      prototype.submit = submit;
    }
    expect(asked.later).toBeGreaterThan(1);
    expect(handed).toEqual(Array.from({ length: asked.later }, (_, n) => n + 1));
    await synchronize();
  });

  it.each([false, true])("hold up what comes behind them, which stays in order; captured: %s", async (captured) => {
    const gate = held();
    const asked = await open(gate.compile);
    const { w, step } = training();
    const run = captured ? jit(step) : step;
    const seen: Promise<number>[] = [];
    for (let i = 0; i < 4; i++) seen.push(run(tensor([[1, i], [0, 1]])).item());
    await turn();
    const before = stats().dispatches;
    gate.let();
    const values = await Promise.all(seen);
    expect(stats().dispatches).toBeGreaterThan(before);
    expect(asked.now).toBe(0);
    // The same by hand: w − xᵀ·x·w/4.
    let [a, b, c, d] = [1, 0.5, 0.25, 1];
    for (let i = 0; i < 4; i++) {
      const [p, q, s] = [1, i, i * i + 1];
      [a, b, c, d] = [a - (p * a + q * c) / 4, b - (p * b + q * d) / 4, c - (q * a + s * c) / 4, d - (q * b + s * d) / 4];
      expect(values[i]).toBeCloseTo(a + b + c + d, 5);
    }
    expect([...(await w.data())]).toEqual([a, b, c, d].map((value) => expect.closeTo(value, 5)));
  });

  it.each<[string, () => Tensor, number]>([
    ["work that is submitted in pieces", () => matmul(full([1024, 512], 0.5), full([512, 1024], 2)).sum(), 2 ** 29],
    ["loops that the device ends", () => whileLoop((x) => x.sum().less(1000), (x) => x.mul(2), full([4], 1)).sum(), 1024],
  ])("are not compiled one by one for %s", async (_what, work, value) => {
    const asked = await open((own) => own);
    expect(await work().item()).toBe(value);
    expect(asked.later).toBeGreaterThan(0);
    expect(asked.now).toBe(0);
  });

  it("are waited for where scalars need more room", async () => {
    const gate = held();
    const asked = await open(gate.compile);
    const first = tensor([1, 2, 3]).mul(2).add(1);
    void realize(first);
    // Every turn has a kernel's run, with scalars of its own.
    const sums = forLoop(0, 2000, (i, x) => x.mul(0).add(x.max()).add(i), tensor([0, 1]));
    void realize(sums);
    await turn();
    expect(asked.now).toBe(0);
    gate.let();
    expect([...(await first.data()), ...(await sums.data())]).toEqual([3, 5, 7, 1_999_001, 1_999_001]);
    expect(asked.now).toBe(0);
  });

  it("are waited for by what is drawn, in its order", async () => {
    const gate = held();
    const asked = await open(gate.compile);
    await preload();
    const device = gpuDevice() as GPUDevice;
    const surface = surfaceOf(device);
    const draw = async (level: number): Promise<void> => {
      const x = full([1, 1], level).mul(0.5);
      const drawn = canvas.draw(x, surface.canvas);
      x.dispose();
      await drawn;
      levels.push(await surface.level());
    };
    const levels: number[] = [];
    const all = [draw(0.4), draw(1.2)];
    await turn();
    expect([levels, asked.now]).toEqual([[], 0]);
    gate.let();
    await Promise.all(all);
    expect([levels, asked.now]).toEqual([[51, 153], 0]);
    // At once, where all is compiled.
    void draw(2);
    expect(await surface.level()).toBe(255);
  });

  it("are not waited for by what must be done at once", async () => {
    const gate = held();
    await open(gate.compile);
    const x = tensor([1, 2, 3]).mul(2).add(1);
    const buffer = (await data.toGPUBuffer(x)) as GPUBuffer;
    const device = gpuDevice() as GPUDevice;
    // Mapped for reading, a copy's destination: Node has no names for it.
    const staging = device.createBuffer({ size: 12, usage: 1 | 8 });
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(buffer, 0, staging, 0, 12);
    device.queue.submit([encoder.finish()]);
    await staging.mapAsync(1);
    expect([...new Float32Array(staging.getMappedRange())]).toEqual([3, 5, 7]);
    gate.let();
    expect([...(await x.add(1).data())]).toEqual([4, 6, 8]);
  });

  it.each([
    ["is refused", (): Async => () => Promise.reject(new Error("no"))],
    ["throws", (): Async => () => { throw new Error("no"); }],
    ["is not there", () => undefined],
  ])("are asked for one by one where the way beside each other %s", async (_how, way) => {
    const asked = await open(way);
    expect([...(await tensor([1, 2]).mul(3).add(1).data())]).toEqual([4, 7]);
    expect(asked.now).toBeGreaterThan(0);
  });

  it("are compiled so where the methods of devices are frozen, as in the playground", async () => {
    const gpu = await dawn();
    const adapter = (await gpu.requestAdapter()) as GPUAdapter;
    const prototype = Object.getPrototypeOf(await adapter.requestDevice()) as GPUDevice;
    const own = Object.getOwnPropertyDescriptor(prototype, "createComputePipeline") as PropertyDescriptor;
    Object.defineProperty(prototype, "createComputePipeline", { ...own, writable: false });
    restore = () => Object.defineProperty(prototype, "createComputePipeline", own);
    await init({ device: "webgpu", gpu, wasm: wasmBytes(), tune: false });
    expect([...(await tensor([1, 2]).mul(5).data())]).toEqual([5, 10]);
  });

  it("let a loop that reads nothing wait where it throttles", async () => {
    const gate = held();
    await open(gate.compile);
    let x = tensor([1]);
    let ended = false;
    const waited = realize((x = x.mul(2))).then(() => (ended = true));
    await turn();
    expect(ended).toBe(false);
    gate.let();
    await waited;
    expect(await x.item()).toBe(2);
  });
});
