// Dispatch counts of the programs that people write most, by `stats()`, as software and as
// hardware, on a device that runs nothing.

import { beforeAll, describe, expect, it } from "vitest";
import { firsts } from "../../../bench/firsts.mjs";
import * as weft from "../../src/index.js";
import { arange, crossEntropy, explain, forLoop, gelu, grad, init, jit, memory, nn, optim, Parameter, preload, random, realize, relu, resetPeak, softmax, stats, topK, valueAndGrad, zeros, type Tensor } from "../../src/index.js";
import { dispatches, inputs } from "../support/counted.js";
import { wasmBytes } from "../support/cpu.js";
import { asHardware, asSoftware, idle } from "../support/dawn.js";

async function realized(x: Tensor): Promise<Tensor> {
  await realize(x);
  return x;
}

/** A step of training, whose loss it returns. */
function training(weights: Tensor[], loss: (p: Tensor[]) => Tensor): () => Tensor {
  const parameters = weights.map((weight) => new Parameter(weight));
  const optimizer = optim.sgd(parameters, { lr: 0.01 });
  const lossOf = valueAndGrad(loss);
  return () => {
    const [value, gradients] = lossOf(parameters);
    optimizer.step(gradients);
    return value;
  };
}

/** What a captured step takes, whose losses are read: they lie beside those before them, stored
 * there by the kernels that compute them. */
async function captured(step: () => Tensor | Tensor[]): Promise<number> {
  const run = jit(step);
  const count = await dispatches(run);
  const before = stats().dispatches;
  for (const loss of [run()].flat()) await loss.item();
  expect(stats().dispatches - before).toBe(count);
  return count;
}

async function perceptron(): Promise<() => Tensor> {
  const [x, ...weights] = (await inputs([128, 784], [784, 512], [512], [512, 256], [256], [256, 10], [10])) as [Tensor, ...Tensor[]];
  const y = random.randint([128], 0, 10);
  await realize(y);
  return training(weights, (p) => crossEntropy(relu(relu(x.matmul(p[0]!).add(p[1]!)).matmul(p[2]!).add(p[3]!)).matmul(p[4]!).add(p[5]!), y));
}

// Drivers that compute on the CPU take seconds for a kernel that is meant for a card: here none
// compiles any.
describe.each(["software", "hardware"])("as %s", (kind) => {
  beforeAll(async () => {
    const gpu = await idle();
    if (kind === "hardware") asHardware(gpu);
    await init({ device: "webgpu", gpu, wasm: wasmBytes() });
  });

  it("a product, a bias and what activates them: one", async () => {
    const [x, weight, bias] = (await inputs([128, 128], [128, 128], [128])) as [Tensor, Tensor, Tensor];
    expect(await dispatches(() => gelu(x.matmul(weight).add(bias)))).toBe(1);
  });

  it("attention: one, and nothing is stored for each pair, masked, by heads that share keys, and of one image", async () => {
    for (const [shape, keys, options] of [
      [[8, 128, 32], [8, 128, 32], {}],
      [[1, 4, 100, 64], [1, 4, 100, 64], { causal: true }],
      [[2, 6, 64, 32], [2, 2, 64, 32], {}],
    ] as [number[], number[], nn.AttentionOptions][]) {
      const [q, k, v] = (await inputs(shape, keys, keys)) as [Tensor, Tensor, Tensor];
      resetPeak();
      const before = memory().bytes;
      expect(await dispatches(() => nn.scaledDotProductAttention(q, k, v, options))).toBe(1);
      expect(memory().peak - before).toBeLessThan(2 * 4 * q.size);
    }
    const [q, k, v] = (await inputs([4, 96, 32], [4, 96, 32], [4, 96, 32])) as [Tensor, Tensor, Tensor];
    expect(await dispatches(() => softmax(q.matmul(k.transpose([0, 2, 1])).div(Math.sqrt(32)), -1).matmul(v))).toBe(1);
  });

  it("a step of a multilayer perceptron: thirteen, captured and not, its loss included", async () => {
    expect(await captured(await perceptron())).toBe(13);
    expect(await dispatches(await perceptron())).toBe(13);
  });

  it("losses: nothing besides what computes them, however many, and whether they are used or not", async () => {
    const [x, weight] = (await inputs([64, 128], [128, 32])) as [Tensor, Tensor];
    const parameter = new Parameter(weight);
    const optimizer = optim.sgd([parameter], { lr: 0.01 });
    const lossOf = valueAndGrad((p: Parameter) => relu(x.matmul(p)).square().mean());
    const step = (results: (loss: Tensor) => Tensor[]) => () => {
      const [loss, gradients] = lossOf(parameter);
      optimizer.step(gradients);
      return results(loss);
    };
    const least = await captured(step((loss) => [loss]));
    // Both follow the loss where it is computed.
    expect(await captured(step((loss) => [loss, loss.sqrt(), loss.add(1)]))).toBe(least);
    // One that is held as a tensor is stored by the same kernel.
    expect(await captured(step((loss) => [loss, loss.reshape([1])]))).toBe(least);
  });

  it("a step of a convolutional network: twenty-four, its loss included", async () => {
    const [x, ...weights] = (await inputs([16, 1, 28, 28], [16, 1, 3, 3], [16], [32, 16, 3, 3], [32], [800, 128], [128], [128, 10], [10])) as [Tensor, ...Tensor[]];
    const y = random.randint([16], 0, 10);
    await realize(y);
    const layer = (x: Tensor, weight: Tensor, bias: Tensor) => nn.maxPool2d(relu(nn.conv2d(x, weight, { bias })), 2);
    const loss = (p: Tensor[]) => {
      const seen = layer(layer(x, p[0]!, p[1]!), p[2]!, p[3]!).reshape([16, 800]);
      return crossEntropy(relu(seen.matmul(p[4]!).add(p[5]!)).matmul(p[6]!).add(p[7]!), y);
    };
    expect(await captured(training(weights, loss))).toBeLessThanOrEqual(24);
  });

  it.each([1000, 1024])("forces between all of %i bodies: one, and nothing is stored for each pair", async (count) => {
    const [place, mass] = (await inputs([count, 3], [count])) as [Tensor, Tensor];
    const pull = () => {
      const apart = place.reshape([1, count, 3]).sub(place.reshape([count, 1, 3]));
      const nearness = apart.square().sum(-1, { keepdims: true }).add(0.01).rsqrt();
      return apart.mul(nearness.mul(nearness).mul(nearness)).mul(mass.reshape([1, count, 1])).sum(1);
    };
    expect(await dispatches(pull)).toBe(1);
    resetPeak();
    const before = memory().bytes;
    await dispatches(pull);
    expect(memory().peak - before).toBeLessThan(count * count);
  });

  it("batch normalization: nothing as large as its input is stored but the result", () => {
    const explanation = explain(
      (x: Tensor) => {
        const axes = [0, 2, 3];
        const apart = x.sub(x.mean(axes, { keepdims: true }));
        return apart.mul(apart.square().mean(axes, { keepdims: true }).add(1e-5).rsqrt()).relu();
      },
      zeros([16, 64, 56, 56]),
    );
    for (const { kind, bytes } of explanation.buffers) if (kind === "temporary") expect(bytes).toBeLessThan(1 << 20);
  });

  it.runIf(kind === "hardware")("the largest of long lines: six, where sorting the lines takes 24", () => {
    expect(explain((x: Tensor) => topK(x, 40), zeros([8, 50257])).dispatches.length).toBe(6);
  });

  it("the gradient of a pooling whose windows overlap: two for each axis", () => {
    const pooled = (x: Tensor, by: Tensor) => nn.maxPool2d(x, 3, { stride: 2, padding: 1 }).mul(by).sum();
    expect(explain(grad(pooled), zeros([8, 16, 32, 32]), zeros([8, 16, 16, 16])).dispatches.length).toBe(4);
  });

  it("a draw of random numbers: one, and one kernel for those of many sizes", async () => {
    expect(await dispatches(() => random.normal([300, 7]))).toBe(1);
    await realize(random.normal([256, 256]).mul(0.05));
    const before = stats().pipelinesCompiled;
    const drawn = [[256, 768], [256, 1024], [1024, 256], [65_536]].map((shape) => random.normal(shape).mul(0.05));
    for (const one of drawn) await realize(one);
    expect(stats().pipelinesCompiled).toBe(before);
  });

  it("an iteration of a loop: one, with no table of indices before, which are counted where they are read", async () => {
    const [x] = (await inputs([16, 64])) as [Tensor];
    const step = (_: Tensor, state: Tensor) => state.take(arange(16, { dtype: "i32" }).mul(3).minimum(15), 0).mul(0.5).add(x);
    expect(await dispatches(() => forLoop(0, 6, step, x))).toBe(6);
  });

  it("what is rolled: read where it lies, along two axes as along one, and wherever to is one program", async () => {
    const [x] = (await inputs([256, 128])) as [Tensor];
    const neighbours = (by: number) => x.roll([by, -by], [0, 1]).add(x.roll(by, 1)).sub(x.mul(2));
    expect(await dispatches(() => neighbours(1))).toBe(1);
    const before = stats().programMisses;
    for (const by of [2, 3, 50, 127]) (await realized(neighbours(by))).dispose();
    expect(stats().programMisses).toBe(before);
  });
});

describe("pipelines that the first value of common work waits for", () => {
  // Each takes an NVIDIA driver 10 to 20 ms at the least, and two or three at most are compiled at
  // once. With what draws the inputs.
  it.each([
    ["product", 3],
    ["feed-forward block", 6],
    ["convolution 3×3", 4],
    ["attention", 5],
    ["FFT 1024", 3],
    ["FFT 1009", 5],
    ["sort 1000", 3],
    ["sort 2^20", 8],
    ["small CNN", 21],
    ["linear system", 35],
    ["transformer", 41],
  ])("%s: at most %i", async (name, most) => {
    const gpu = await idle();
    asHardware(gpu);
    await init({ device: "webgpu", gpu, wasm: wasmBytes(), tune: false });
    const work = firsts(weft).find(([known]) => known === name)?.[1];
    const before = stats().pipelinesCompiled;
    await work?.();
    const count = stats().pipelinesCompiled - before;
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(most);
  });

  // SwiftShader takes 3 to 7 ms for a kilobyte.
  it.each([
    ["small CNN", 20, 92],
    ["FFT 1009", 7, 81],
    ["sort 2^20", 8, 11],
  ])("%s on software: at most %i, of %i KB together", async (name, most, kilobytes) => {
    const gpu = await idle();
    asSoftware(gpu);
    const prototype = Object.getPrototypeOf(await ((await gpu.requestAdapter()) as GPUAdapter).requestDevice()) as GPUDevice;
    const { createShaderModule } = prototype;
    let letters = 0;
    prototype.createShaderModule = function (descriptor) {
      letters += descriptor.code.length;
      return createShaderModule.call(this, descriptor);
    };
    try {
      await init({ device: "webgpu", gpu, wasm: wasmBytes(), tune: false });
      await preload();
      const work = firsts(weft).find(([known]) => known === name)?.[1];
      const before = stats().pipelinesCompiled;
      letters = 0;
      const value = work?.();
      // All that it waits for is asked for by now, and nothing that takes over later.
      const [count, kB] = [stats().pipelinesCompiled - before, letters / 1000];
      await value;
      expect(count).toBeGreaterThan(most / 2);
      expect(count).toBeLessThanOrEqual(most);
      expect(kB).toBeGreaterThan(kilobytes / 2);
      expect(kB).toBeLessThanOrEqual(kilobytes);
    } finally {
      prototype.createShaderModule = createShaderModule;
    }
  });
});

describe("as hardware, with sums of more products than 32 bits count", () => {
  beforeAll(async () => {
    const gpu = await idle();
    asHardware(gpu);
    await init({ device: "webgpu", gpu, wasm: wasmBytes() });
  });

  // The core counts in 32 bits: 65,536² are 0 of them.
  it("cuts them into as many parts as shorter ones", () => {
    const partial = (rows: number) => explain((x: Tensor) => x.transpose().matmul(x), zeros([rows, 256])).bytes.temporaries;
    expect(partial(65_536)).toBe(partial(32_768));
    expect(partial(65_536)).toBeGreaterThanOrEqual(8 * 4 * 256 * 256);
  });

  it("cuts those of few rows and columns too", () => {
    const explanation = explain((x: Tensor, y: Tensor) => x.matmul(y), zeros([16, 1 << 18]), zeros([1 << 18, 16]));
    // The products, and their sum, which is one of few and long rows.
    expect(explanation.dispatches.length).toBeLessThanOrEqual(3);
    expect(explanation.dispatches[0]?.choice).toMatch(/^(contract|sliced|shared-tiles) /);
  });
});
