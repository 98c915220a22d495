// Kernels with two texts on a GPU in Node (Dawn): the shorter one serves until the other is
// compiled, no step waits for that, and callers who want to wait can.

import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { grad, init, jit, matmul, precompile, random, realize, relu, stats, tensor, tune, vmap, zeros, type Tensor } from "../../src/index.js";
import { wasmBytes } from "../support/cpu.js";
import { dawn } from "../support/dawn.js";

type Device = GPUDevice & { createComputePipelineAsync: GPUDevice["createComputePipelineAsync"] };

let gpu: GPU;
let prototype: Device;
let own: Pick<Device, "createShaderModule" | "createComputePipeline" | "createComputePipelineAsync">;
/** Kernels that were asked for: their texts in order, and how many while somebody waited. */
const asked = { texts: [] as string[], now: 0, modules: 0 };
/** Answers that are held back. */
let held: (() => void)[] = [];
let holds = (_code: string): boolean => false;

beforeAll(async () => {
  gpu = await dawn();
  const adapter = (await gpu.requestAdapter()) as GPUAdapter;
  prototype = Object.getPrototypeOf(await adapter.requestDevice()) as Device;
  const { createShaderModule, createComputePipeline, createComputePipelineAsync } = prototype;
  own = { createShaderModule, createComputePipeline, createComputePipelineAsync };
  const codes = new WeakMap<GPUShaderModule, string>();
  prototype.createShaderModule = function (this: GPUDevice, descriptor) {
    const module = own.createShaderModule.call(this, descriptor);
    codes.set(module, descriptor.code);
    asked.modules++;
    return module;
  };
  prototype.createComputePipeline = function (this: GPUDevice, descriptor) {
    asked.now++;
    return own.createComputePipeline.call(this, descriptor);
  };
  prototype.createComputePipelineAsync = async function (this: GPUDevice, descriptor) {
    const code = codes.get(descriptor.compute.module) ?? "";
    asked.texts.push(code);
    if (holds(code)) await new Promise<void>((resolve) => held.push(resolve));
    return own.createComputePipelineAsync.call(this, descriptor);
  };
  return () => void Object.assign(prototype, own);
});

afterEach(() => {
  holds = () => false;
  held.splice(0).forEach((answer) => answer());
});

/** What a store holds from which the device learns how long its compiler takes for an
 * expression. */
function storeOf(pace: string): tune.Store & { kept: string } {
  const store = {
    kept: "",
    get: async (name: string) => store.kept || `${name}\ncompiled pace\texpression\t${pace}\n`,
    set: vi.fn(async (_name: string, text: string) => void (store.kept = text)),
  };
  return store;
}
const FOREVER = `1${"0".repeat(200)}`;

async function visit(options: Parameters<typeof init>[0] = {}): Promise<void> {
  await init({ device: "webgpu", gpu, wasm: wasmBytes(), tune: false, store: storeOf(FOREVER), ...options });
  await Promise.resolve();
  asked.texts.length = asked.now = asked.modules = 0;
}

const operand = (seed: number): Tensor => random.normal(random.key(seed), [192, 192]);
const bits = async (x: Tensor): Promise<Uint32Array> => new Uint32Array(((await x.data()) as Float32Array).buffer);
/** Of two texts of one product, the longer. */
const isLong = (code: string): boolean => code.startsWith("// contract") && code.length > 12_000;

describe("two texts of a kernel", () => {
  it("serve one after the other: no step waits for a compiler, and no bit changes", async () => {
    await visit();
    const [a, b] = [operand(1), operand(2)];
    await realize(a, b);
    holds = isLong;
    const first = await bits(matmul(a, b));
    expect(tune.optimising()).toBe(1);
    // The longer one is asked for when the value is there: its text is read on this thread.
    expect(asked.texts.some(isLong)).toBe(false);
    await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: 10_000 });
    const texts = asked.texts.filter((text) => text.startsWith("// contract"));
    expect(texts.map(isLong)).toEqual([false, true]);
    expect(await bits(matmul(a, b))).toEqual(first);
    held.splice(0).forEach((answer) => answer());
    await tune.race();
    expect(tune.optimising()).toBe(0);
    const count = asked.texts.length;
    expect(await bits(matmul(a, b))).toEqual(first);
    // The swap asked for nothing, not even that a text is read, and nothing was ever compiled while
    // the page waited.
    expect(asked).toMatchObject({ now: 0, modules: count, texts: { length: count } });
  });

  it("delay no step by more than 5 ms when the longer one takes over", async () => {
    await visit();
    const delays: number[] = [];
    for (const n of [192, 208, 224]) {
      const [a, b] = [1, 2].map((seed) => random.normal(random.key(seed), [n, n])) as [Tensor, Tensor];
      await realize(a, b);
      const step = async (): Promise<number> => {
        const began = performance.now();
        await bits(matmul(a, b));
        return performance.now() - began;
      };
      holds = isLong;
      await step();
      expect(tune.optimising()).toBe(1);
      holds = () => false;
      held.splice(0).forEach((answer) => answer());
      await tune.race();
      const swap = await step();
      const later: number[] = [];
      for (let turn = 0; turn < 5; turn++) later.push(await step());
      delays.push(swap - ([...later].sort((x, y) => x - y)[2] as number));
    }
    // Other work of the machine delays one, and none of three; a compiler would delay each by a
    // tenth of a second.
    expect(Math.min(...delays)).toBeLessThan(5);
    expect(asked.now).toBe(0);
  });

  it("are one where results are deterministic", async () => {
    await visit({ deterministic: true });
    const before = stats().pipelinesCompiled;
    await bits(matmul(operand(1), operand(2)));
    expect([tune.optimising(), asked.texts.length]).toEqual([0, stats().pipelinesCompiled - before]);
    expect(asked.texts.some(isLong)).toBe(true);
    await expect(init({ deterministic: true, tune: "idle" })).rejects.toMatchObject({ name: "ValueError" });
  });

  it("are one on a visit to a device that has compiled the longer one soon", async () => {
    const store = storeOf(FOREVER);
    await visit({ store });
    await bits(matmul(operand(1), operand(2)));
    await tune.race();
    await vi.waitFor(() => expect(store.kept).toMatch(/^compiled [0-9a-f]+\ttext\t\d+$/m), { timeout: 10_000 });
    store.kept = store.kept.replace(/^(compiled [0-9a-f]+\ttext)\t\d+$/gm, "$1\t1000000");
    await visit({ store });
    await bits(matmul(operand(1), operand(2)));
    expect(asked.texts.filter((text) => text.startsWith("// contract")).map(isLong)).toEqual([true]);
  });

  it("do not come about where what is stored says that the compiler is fast", async () => {
    await visit({ store: storeOf("1") });
    await bits(matmul(operand(1), operand(2)));
    expect(asked.texts.filter((text) => text.startsWith("// contract")).map(isLong)).toEqual([true]);
  });
});

describe("precompile", () => {
  const layer = (x: Tensor, { w, scale }: { w: Tensor; scale: number }): Tensor => relu(matmul(x, w)).mul(scale);

  it.each([
    ["tensors", () => [operand(1), { w: operand(2), scale: 2 }] as const],
    ["shapes and dtypes", () => [{ shape: [192, 192] }, { w: { shape: [192, 192], dtype: "f32" }, scale: 2 }] as const],
  ])("of %s waits for the longer texts, so that calls ask for none", async (_what, specs) => {
    for (const fn of [layer, jit(layer)]) {
      await visit();
      await precompile(fn, ...(specs() as Parameters<typeof layer>));
      expect(tune.optimising()).toBe(0);
      expect(asked.texts.some(isLong)).toBe(true);
      const [x, w] = [operand(1), operand(2)];
      await realize(x, w);
      const count = asked.texts.length;
      await realize(fn(x, { w, scale: 3 }));
      expect(asked).toMatchObject({ now: 0, texts: { length: count } });
    }
  });

  it("computes nothing, and takes what becomes a program alone", async () => {
    await visit();
    const { dispatches } = stats();
    await precompile((x: Tensor) => x.sin(), { shape: [3] });
    expect(stats().dispatches).toBe(dispatches);
    const fails = async (...args: [fn: unknown, ...specs: unknown[]]) => (precompile as (...args: unknown[]) => Promise<void>)(...args).then(() => "", (error: Error) => error.name);
    expect(await fails(async (x: Tensor) => x, { shape: [3] })).toBe("TraceError");
    expect(await fails((x: Tensor) => x.item(), { shape: [3] })).toBe("TraceError");
    expect(await fails((x: Tensor) => x, { shape: [-3] })).toBe("ShapeError");
    expect(await fails((x: Tensor) => x, { shape: [3], dtype: "f99" })).toBe("DTypeError");
    expect(await fails((x: Tensor) => x, { shape: [3], order: "C" })).toBe("ValueError");
    expect(await fails(3)).toBe("ValueError");
    let inside: Promise<void> | undefined;
    grad((x: Tensor) => ((inside = precompile((y: Tensor) => y, { shape: [1] })), x.sum()))(tensor([1]));
    await expect(inside).rejects.toMatchObject({ name: "TraceError" });
    await precompile(vmap((x: Tensor) => x.sum()), zeros([2, 3]));
  });
});
