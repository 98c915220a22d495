// A GPU in Node: `init({ gpu })`, and behaviour that only a GPU shows.

import { beforeAll, describe, expect, it, vi } from "vitest";
import * as weft from "../../src/index.js";
import { grad, init, jit, memory, nn, optim, random, stats, tensor, valueAndGrad, type Tensor } from "../../src/index.js";
import { collect } from "../support/collector.js";
import { errorOf, values, wasmBytes } from "../support/cpu.js";
import { dawn } from "../support/dawn.js";

let gpu: GPU;
let info: weft.DeviceInfo;
/** Devices that were requested, the last one last. */
const devices: GPUDevice[] = [];

beforeAll(async () => {
  gpu = await dawn();
  const adapter = await gpu.requestAdapter();
  if (!adapter) throw new Error("there is no Vulkan driver");
  const prototype = Object.getPrototypeOf(adapter) as GPUAdapter;
  const requestDevice = prototype.requestDevice;
  prototype.requestDevice = async function (descriptor) {
    const device = await requestDevice.call(this, descriptor);
    devices.push(device);
    return device;
  };
  info = await init({ device: "webgpu", gpu, wasm: wasmBytes() });
});

describe("a GPU in Node", () => {
  it("is described", () => {
    expect(info.kind).toBe("webgpu");
    expect(info.adapter?.vendor).not.toBe("");
    expect(info.adapter?.description).toBeTypeOf("string");
    expect(info.reason).toBe(undefined);
  });

  it("has subgroups where the adapter has them, and leaves the adapter's prototype as it was", async () => {
    const adapter = await gpu.requestAdapter();
    expect(devices[0]?.features.has("subgroups")).toBe(adapter?.features.has("subgroups"));
    const own = await adapter?.requestDevice();
    expect(own?.features.has("subgroups")).toBe(false);
    own?.destroy();
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

  it("compiles nothing anew for other numbers or a moving slice", async () => {
    const x = tensor(Float32Array.from({ length: 100 }, (_, i) => i));
    const run = (i: number) => x.slice([i, i + 8]).mul(i).add(i / 7).data();
    await run(0);
    const before = stats();
    for (let i = 1; i < 10; i++) await run(i);
    expect(stats().pipelinesCompiled).toBe(before.pipelinesCompiled);
    expect(stats().programMisses).toBe(before.programMisses);
  });
});

describe("steps that nobody waits for", () => {
  it("have an error scope and set their pipeline for each submit, not each step", async () => {
    const device = weft.gpuDevice() as GPUDevice | null;
    if (!device) throw new Error("no device was opened");
    const step = jit((x: Tensor, b: Tensor) => x.matmul(b));
    const b = weft.eye(160);
    let x = random.uniform([160, 160]);
    const run = (count: number) => {
      for (let n = 0; n < count; n++) {
        const next = step(x, b);
        x.dispose();
        x = next;
      }
    };
    run(8);
    await x.data();
    // More are held from now on: the device is asked for other buffers, and cannot answer before
    // the loop is over.
    const [held, before] = [[x], stats()];
    for (let n = 0; n < 8; n++) held.push((x = step(x, b)));
    x = step(x, b);
    const pass = device.createCommandEncoder().beginComputePass();
    const setPipeline = vi.spyOn(Object.getPrototypeOf(pass) as GPUComputePassEncoder, "setPipeline");
    const pushErrorScope = vi.spyOn(device, "pushErrorScope");
    const createBindGroup = vi.spyOn(device, "createBindGroup");
    run(200);
    const { buffersCreated, submits } = stats();
    expect(buffersCreated).toBeGreaterThan(before.buffersCreated);
    expect(submits - before.submits).toBeLessThan(100);
    expect(setPipeline.mock.calls.length).toBeLessThan(100);
    expect(pushErrorScope.mock.calls.length).toBeGreaterThan(0);
    // One for each buffer and for what binds it, and three for each submit: to begin, to finish and
    // to send it.
    const made = buffersCreated - before.buffersCreated + createBindGroup.mock.calls.length;
    expect(pushErrorScope.mock.calls.length).toBeLessThanOrEqual(made + 3 * (submits - before.submits));
    vi.restoreAllMocks();
    for (const one of held) expect(await values(one)).toEqual(await values(x));
  });
});

describe("memory", () => {
  it("that no tensor can have is refused, counted in full", async () => {
    await expect(weft.full([2 ** 31 - 1], 1).data()).rejects.toThrow(/8589934588 bytes/);
    expect(await values(tensor([1]).add(1))).toEqual([2]);
  });
});

describe("the gradient of attention by chunks of queries", () => {
  it("stores nothing for each pair of all", async () => {
    const [length, width] = [512, 8];
    const [q, k, v] = [1, 2, 3].map((seed) => random.normal(random.key(seed), [length, width])) as [Tensor, Tensor, Tensor];
    const pairs = 4 * length * length;
    const most = async (options: nn.AttentionOptions) => {
      const slopes = jit(grad((q: Tensor, k: Tensor, v: Tensor) => nn.scaledDotProductAttention(q, k, v, options).square().sum(), { argnums: [0, 1, 2] }));
      const run = async () => (await Promise.all(slopes(q, k, v).map(values))).flat();
      await run();
      weft.resetPeak();
      const before = memory().bytes;
      const found = await run();
      return { found, bytes: memory().peak - before };
    };
    for (const causal of [false, true]) {
      const [all, chunks] = [await most({ causal }), await most({ causal, queryChunk: 32 })];
      expect(all.bytes).toBeGreaterThan(pairs);
      expect(chunks.bytes).toBeLessThan(0.6 * pairs);
      chunks.found.forEach((slope, n) => expect(slope).toBeCloseTo(all.found[n] as number, 4));
    }
  });
});

describe("a long chain", () => {
  it("of 100,000 operations, each of whose results is still held, takes ten times what 10,000 take, and little memory", async () => {
    const chain = async (length: number) => {
      const begin = performance.now();
      let x = tensor(new Float32Array(1000));
      for (let i = 0; i < length; i++) x = x.add(1);
      expect(new Set(await values(x))).toEqual(new Set([length]));
      return performance.now() - begin;
    };
    await chain(10_000);
    const short = await chain(10_000);
    const before = stats().bytesLive;
    const long = await chain(100_000);
    expect(stats().bytesLive - before).toBeLessThan(2 ** 21);
    // A ratio, because machines differ; were an operation's time to grow with those before it, this
    // would be a hundred.
    expect(long / short).toBeLessThan(25);
  });

  it("that is read at every turn costs the same per turn", async () => {
    let x = weft.random.uniform([1000]);
    const turn = async () => {
      x = x.mul(1.001).add(0.001).sin();
      await x.mean().item();
    };
    for (let i = 0; i < 5; i++) await turn();
    const before = stats();
    for (let i = 0; i < 100; i++) await turn();
    const after = stats();
    expect(after.programMisses).toBe(before.programMisses);
    expect(after.dispatches - before.dispatches).toBeLessThanOrEqual(300);
  });
});

describe("a training step", () => {
  const [inputs, outputs, batch] = [24, 10, 16];

  function training() {
    random.seed(1);
    const model = new nn.Sequential(new nn.Linear(inputs, 32), new nn.ReLU(), new nn.Linear(32, 16), new nn.ReLU(), new nn.Linear(16, outputs));
    const optimizer = optim.sgd(model, { lr: 0.1, momentum: 0.9 });
    const x = random.normal([batch, inputs]);
    const y = random.randint([batch], 0, outputs);
    weft.realize(x, y);
    const lossOf = valueAndGrad((m: nn.Sequential, x: Tensor, y: Tensor) => nn.crossEntropy(m.forward(x), y));
    const step = (x: Tensor, y: Tensor) => {
      const [loss, gradients] = lossOf(model, x, y);
      optimizer.step(gradients);
      return loss;
    };
    return { x, y, step, optimizer };
  }

  it.each(["eager", "jit"])("is one submit and one pass, and soon needs nothing new (%s)", async (mode) => {
    const { x, y, step } = training();
    const run = mode === "jit" ? jit(step) : step;
    for (let i = 0; i < 3; i++) run(x, y);
    for (let i = 0; i < 20; i++) {
      // Where more is in flight, steps share submits.
      await weft.synchronize();
      const before = stats();
      run(x, y);
      const after = stats();
      expect(after.submits - before.submits).toBe(1);
      expect(after.passes - before.passes).toBe(1);
      expect(after.dispatches - before.dispatches).toBeLessThanOrEqual(20);
      expect(after.pipelinesCompiled).toBe(before.pipelinesCompiled);
      expect(after.buffersCreated).toBe(before.buffersCreated);
      expect(after.programMisses).toBe(before.programMisses);
    }
    await weft.synchronize();
  });

  it.each(["eager", "jit"])("a thousand times, without reading, leaves memory flat and every loss to be read (%s)", async (mode) => {
    const { x, y, step } = training();
    const run = mode === "jit" ? jit(step) : step;
    for (let i = 0; i < 5; i++) run(x, y);
    const { bytesLive, buffersCreated } = stats();
    const { tensors } = weft.memory();
    const losses: Tensor[] = [];
    for (let i = 0; i < 1000; i++) {
      losses.push(run(x, y));
      expect(stats().bytesLive).toBe(bytesLive);
    }
    expect(stats().buffersCreated).toBe(buffersCreated);
    const read = await Promise.all(losses.map((loss) => loss.item()));
    expect(read.every((loss, i) => i === 0 || loss <= (read[i - 1] as number) * 1.5)).toBe(true);
    expect(read.at(-1)).toBeLessThan((read[0] as number) / 10);
    // Once read, they take no memory on the device.
    expect(weft.memory().tensors).toBeLessThanOrEqual(tensors);
  });

  it.each(["eager", "jit"])("leaves losses that are read and used while others are written, page after page (%s)", async (mode) => {
    const value = new weft.Parameter(tensor(0));
    const optimizer = optim.sgd([value], { lr: 0.5 });
    const lossOf = valueAndGrad((p: weft.Parameter) => p.sub(1).mul(-1).add(p.detach()).sub(1).add(p.detach()));
    // Each step adds a half: the first loss is twice what the parameter was, the second follows it.
    const step = () => {
      const [loss, gradients] = lossOf(value);
      optimizer.step(gradients);
      return [loss, loss.add(0.25)];
    };
    const run = mode === "jit" ? jit(step) : step;
    const steps = mode === "jit" ? 4500 : 300;
    const seen: [number, Tensor][] = [];
    const reads: Promise<unknown>[] = [];
    for (let i = 0; i < steps; i++) {
      const [loss, next] = run() as [Tensor, Tensor];
      if (i % 97 === 0) seen.push([i / 2, loss], [i / 2 + 0.25, next]);
      if (i % 89 === 0) reads.push(loss.item().then((read) => expect(read).toBe(i / 2)));
      if (i % 101 === 0) reads.push(loss.mul(2).item().then((read) => expect(read).toBe(i)));
    }
    await Promise.all(reads);
    for (const [expected, loss] of seen) expect(await loss.item()).toBe(expected);
    expect(await weft.stack(seen.map(([, loss]) => loss)).array()).toEqual(seen.map(([expected]) => expected));
  });

  it("follows its learning rate without compiling", async () => {
    const { x, y, step, optimizer } = training();
    const run = jit(step);
    for (let i = 0; i < 4; i++) run(x, y);
    const { pipelinesCompiled } = stats();
    optimizer.lr = 0;
    for (let i = 0; i < 100; i++) run(x, y).dispose();
    const [a, b] = [run(x, y), run(x, y)];
    expect(stats().pipelinesCompiled).toBe(pipelinesCompiled);
    expect(await a.item()).toBe(await b.item());
  });
});

describe("work that nobody waits for", () => {
  it("shares submits, and stays in order with uploads and with its own numbers", async () => {
    const turn = jit((x: Tensor, y: Tensor, k: number) => x.mul(0.5).add(y).add(k));
    let x = tensor(new Float32Array(64));
    let expected = 0;
    await values(turn(x, tensor(new Float32Array(64)), 1));
    const before = stats();
    const seen: Promise<number[]>[] = [];
    let y = tensor(new Float32Array(64).fill(1));
    for (let i = 0; i < 2000; i++) {
      if (i % 50 === 49) {
        y.dispose();
        y = tensor(new Float32Array(64).fill(i));
      }
      const next = turn(x, y, i);
      x.dispose();
      x = next;
      expected = Math.fround(Math.fround(Math.fround(expected * 0.5) + (i < 49 ? 1 : i - ((i - 49) % 50))) + i);
      if (i % 500 === 499) seen.push(values(x));
    }
    expect(stats().submits - before.submits).toBeLessThan(400);
    const last = await values(x);
    expect(new Set(last).size).toBe(1);
    expect(last[0]).toBeCloseTo(expected, 2);
    for (const early of await Promise.all(seen)) expect(new Set(early).size).toBe(1);
  });

  it("is submitted when JavaScript comes to rest, though nothing is read", async () => {
    const turn = jit((x: Tensor) => x.mul(0.999));
    let x = weft.ones([64]);
    for (let i = 0; i < 100; i++) x = turn(x);
    await weft.synchronize();
    const before = stats().submits;
    expect((await values(x))[0]).toBeCloseTo(0.999 ** 100, 4);
    expect(stats().submits - before).toBe(1);
  });

  it("does not pile up in a loop that awaits throttle or realize", async () => {
    const turn = jit((x: Tensor) => x.matmul(x).div(256));
    let x = weft.ones([256, 256]);
    for (let i = 0; i < 40; i++) {
      x = turn(x);
      await (i % 2 ? weft.throttle() : weft.realize(x));
    }
    expect((await values(x))[0]).toBeCloseTo(1, 3);
  });
});

describe("steps that nobody reads", () => {
  /** How many submits `work` makes, and the most of them that are unfinished at a time for all that
   * the library knows. It asks for that news once a submit, and its own promise is what is counted:
   * another one may be kept a little later than that. */
  async function countFlights(work: (flying: () => number) => Promise<void>): Promise<{ most: number; made: number }> {
    const { queue } = devices.at(-1)!;
    const prototype = Object.getPrototypeOf(queue) as GPUQueue;
    const { submit, onSubmittedWorkDone } = prototype;
    let [flying, most, made] = [0, 0, 0];
    prototype.submit = function (commands) {
      submit.call(this, commands);
      // One of none carries uploads alone.
      if ([...commands].length === 0) return;
      made++;
      most = Math.max(most, ++flying);
    };
    prototype.onSubmittedWorkDone = function () {
      const news = onSubmittedWorkDone.apply(this);
      void news.then(() => flying--);
      return news;
    };
    try {
      await work(() => flying);
    } finally {
      Object.assign(prototype, { submit, onSubmittedWorkDone });
    }
    return { most, made };
  }

  it("keep few submits in flight where the loop awaits throttle: a read waits for those and no others", { timeout: 120_000 }, async () => {
    const step = jit((x: Tensor) => x.matmul(x).div(96));
    let x = weft.ones([96, 96]);
    x = step(x);
    await weft.synchronize();
    let behind = Infinity;
    const { most, made } = await countFlights(async (flying) => {
      for (let i = 0; i < 400; i++) {
        x = step(x);
        await weft.throttle();
        if (i !== 200) continue;
        await weft.synchronize();
        expect(flying(), "news that came of all submits").toBe(0);
      }
      behind = flying();
      expect((await values(x))[0]).toBeCloseTo(1, 3);
    });
    expect(made).toBeGreaterThan(20);
    // Sixteen, and what is made just then.
    expect(most).toBeLessThanOrEqual(18);
    expect(behind).toBeLessThanOrEqual(18);
  });
});

describe("long work", () => {
  it("is cut into submits, between which JavaScript has its turns", async () => {
    const n = 1100;
    const a = weft.ones([n, n]);
    weft.realize(a);
    await weft.synchronize();
    const before = stats().submits;
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    const product = weft.matmul(a, a);
    weft.realize(product);
    const corner = await product.slice([n - 1, n]).data();
    clearInterval(timer);
    expect(new Set(corner)).toEqual(new Set([n]));
    expect(stats().submits - before).toBeGreaterThan(3);
    expect(turns).toBeGreaterThan(3);
    const sums = await product.sum(1).data();
    expect(sums.every((sum) => sum === n * n)).toBe(true);
  });
});

describe("a loop without a limit", () => {
  it("is asked seldom whether it goes on, and JavaScript is free meanwhile", async () => {
    for (const turns of [1, 8, 9, 1000, 100_000]) {
      await weft.synchronize();
      const before = stats();
      let free = 0;
      const timer = setInterval(() => free++);
      expect(await weft.whileLoop((n: Tensor) => n.less(turns), (n) => n.add(1), 0).item()).toBe(turns);
      clearInterval(timer);
      const asked = Math.max(1, Math.ceil(Math.log2((turns + 1) / 2048 + 1)));
      // A part that would take too long is submitted in two: there are more on a slow device.
      const submits = stats().submits - before.submits;
      expect(submits).toBeGreaterThanOrEqual(asked + 1);
      expect(submits).toBeLessThanOrEqual(2 * asked + 1);
      expect(free + asked).toBeGreaterThan(0);
    }
    // Turns of several dispatches: how often a rotated vector is where it was.
    const turned = ([x, n]: [Tensor, Tensor]): [Tensor, Tensor] => [x.matmul([[0, 1, 0], [0, 0, 1], [1, 0, 0]]), n.add(1)];
    const [x, n] = weft.whileLoop(([, n]: [Tensor, Tensor]) => n.less(301), turned, [tensor([[1, 2, 3]]), 0] as [Tensor, number]) as [Tensor, Tensor];
    expect([await values(x), await n.item()]).toEqual([[3, 1, 2], 301]);
  });

  it("lets members of a batch stand still when they are done", async () => {
    const root = (a: Tensor) => weft.whileLoop((x: Tensor) => x.square().sub(a).abs().greater(a.mul(1e-5)), (x) => x.add(a.div(x)).mul(0.5), a);
    const roots = await values(weft.vmap(root)(tensor([1, 4, 100, 1e6])));
    [1, 2, 10, 1000].forEach((root, n) => expect(roots[n]).toBeCloseTo(root, 1));
  });
});

describe("a lost device", () => {
  it("is reported, and replaced by another init", async () => {
    const x = tensor([1, 2, 3]).mul(2);
    weft.realize(x);
    const model = new nn.Linear(2, 2);
    const double = jit((x: Tensor) => x.mul(2));
    expect(await values(double(tensor([1, 2])))).toEqual([2, 4]);
    devices[0]?.destroy();
    expect(await info.lost).toBeInstanceOf(weft.DeviceLostError);
    expect(errorOf(() => tensor([1, 2]))).toBeInstanceOf(weft.DeviceLostError);
    expect(errorOf(() => x.add(1))).toBeInstanceOf(weft.DisposedError);
    await expect(x.data()).rejects.toThrow("lost");

    const again = await init({ device: "webgpu", gpu, wasm: wasmBytes() });
    expect(again.kind).toBe("webgpu");
    expect(devices).toHaveLength(3);
    expect(errorOf(() => x.add(1))).toBeInstanceOf(weft.DisposedError);
    expect(errorOf(() => model.forward(tensor([[1, 2]])))).toBeInstanceOf(weft.DisposedError);
    await expect(x.data()).rejects.toBeInstanceOf(weft.DisposedError);
    expect(await values(tensor([1, 2]).add(1))).toEqual([2, 3]);
    expect(await values(double(tensor([1, 2])))).toEqual([2, 4]);
    x.dispose();
  });
});

describe("another device", () => {
  it("goes on with functions under jit and random numbers, and names what stayed behind", async () => {
    const double = jit((x: Tensor) => x.mul(2));
    const noisy = jit((x: Tensor) => x.add(random.uniform([2])));
    random.seed(7);
    const drawn = await values(noisy(tensor([0, 0])));
    const w = new nn.Parameter([1, 2]);
    const optimizer = optim.adam(w);
    const used = jit((x: Tensor) => x.mul(w));
    for (const device of ["cpu", "webgpu", "cpu", "webgpu"] as const) {
      const x = tensor([1, 2]).add(1);
      weft.realize(x, double(x));
      await init(device === "cpu" ? { device } : { device, gpu });
      expect(weft.deviceInfo()?.kind).toBe(device);
      expect(errorOf(() => double(x))).toBeInstanceOf(weft.DisposedError);
      expect(await values(double(tensor([4, 5])))).toEqual([8, 10]);
      expect(errorOf(() => used(tensor([1, 2])))).toBeInstanceOf(weft.DisposedError);
      expect(errorOf(() => optimizer.step([tensor([1, 2])]))).toBeInstanceOf(weft.DisposedError);
      random.seed(7);
      expect(await values(noisy(tensor([0, 0])))).toEqual(drawn);
    }
  });
});

describe("stats of a label", () => {
  it("count what was asked for under it, though the device does it when its pipelines are there", async () => {
    const x = random.normal([300, 7]);
    await x.data();
    const before = stats().dispatches;
    weft.labelRuns(15);
    const sines = x.sin().mul(3).data();
    weft.labelRuns(16);
    const rest = [x.cos().mul(5).data(), x.sin().mul(3).data()];
    weft.labelRuns(0);
    await Promise.all([sines, ...rest]);
    expect([stats(15).dispatches, stats(16).dispatches, stats().dispatches - before]).toEqual([1, 2, 3]);
  });
});

describe("a loop without an end", () => {
  it("keeps its promise waiting, and nothing else of the page: another init ends it", async () => {
    // What earlier tests have left is collected before, or it would be while the promise waits.
    for (let [same, before] = [0, -1]; same < 3; ) {
      await collect();
      await tensor([1]).add(1).data();
      const now = memory().bytes;
      same = now === before ? same + 1 : 0;
      before = now;
    }
    const endless = weft.whileLoop((x: Tensor) => x.greater(0), (x) => x.add(0).maximum(1), tensor(1));
    const reading = endless.item();
    const failed = expect(reading).rejects.toThrow("lost");
    const bytes = memory().bytes;
    for (let n = 0; n < 20; n++) await new Promise((go) => setTimeout(go, 10));
    expect(memory().bytes).toBe(bytes);
    await init({ device: "cpu" });
    await failed;
    await init({ device: "webgpu", gpu, wasm: wasmBytes() });
    expect(await tensor([1, 2]).add(1).array()).toEqual([2, 3]);
  });
});
