// Rounding of halves. A function that combines several operations computes halves as floats and
// rounds once: the tests compare every function, layer and optimizer, on halves near the ends of
// their range, with the same on floats.

import { describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { cast, grad, nn, optim, Parameter, random, tensor, Tensor, type DType } from "../../src/index.js";
import { onCpu, values } from "../support/cpu.js";
import { subjects, type Subject } from "../support/subjects.js";

onCpu();

/** Numbers that halves hold exactly: near the largest, near the smallest, both among others, and
 * ordinary ones. */
const POOLS: readonly (readonly number[])[] = [
  [65504, -60000, 40000, 65504, -65504, 33024],
  [2 ** -24, -(2 ** -23), 2 ** -14, 3 * 2 ** -24, 2 ** -15, -(2 ** -20)],
  [300, -256, 2 ** -14, 2050, -0.0999755859375, 60000],
  [0.300048828125, 0.89990234375, 0.5, 0.199951171875, 0.70019531250, 0.0999755859375],
];

/** So many of a pool, from a place on. */
const drawn = (pool: number, shape: readonly number[], from: number): number[] =>
  Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, n) => (POOLS[pool] as number[])[(n + from) % 6] as number);

/** A tensor of floats, or what stands for one, with numbers of a pool in one dtype; everything else
 * as it is. */
function exchanged(value: unknown, kind: string, dtype: DType, pool: number, place: number): unknown {
  const isFloats = value instanceof Tensor && value.dtype === "f32" && !(value instanceof Parameter);
  if (isFloats) return tensor(drawn(pool, value.shape, place), { shape: value.shape, dtype });
  if (kind !== "operand" || !Array.isArray(value)) return value;
  const { shape } = tensor(value as number[]);
  return tensor(drawn(pool, shape, place), { shape, dtype });
}

const tensorsIn = (made: unknown): Tensor[] => {
  if (made instanceof Tensor) return [made];
  if (Array.isArray(made)) return made.flatMap(tensorsIn);
  return made instanceof weft.Complex ? [made.re, made.im] : [];
};

/** What is wrong with what is made of halves, beside the same of floats. */
async function differences(name: string, ofHalves: unknown, ofFloats: unknown): Promise<string[]> {
  const [halves, floats] = [tensorsIn(ofHalves), tensorsIn(ofFloats)];
  if (halves.length !== floats.length) return [`${name}: ${halves.length} results, ${floats.length} of floats`];
  const wrong: string[] = [];
  for (const [n, half] of halves.entries()) {
    const float = floats[n] as Tensor;
    const [found, wanted] = [await values(half), await values(half.dtype === "f16" ? cast(float, "f16") : float)];
    const off = wanted.findIndex((x, k) => !Object.is(x, found[k]) && !(x === 0 && found[k] === 0));
    if (off >= 0 || found.length !== wanted.length) wrong.push(`${name}, result ${n} (${half.dtype}): element ${off} is ${found[off]}, rounded once ${wanted[off]}`);
  }
  return wrong;
}

/** The result of a call, or undefined where it is refused or no tensor comes back. */
async function made(call: () => unknown): Promise<unknown> {
  try {
    const result: unknown = await call();
    return tensorsIn(result).length > 0 ? result : undefined;
  } catch (error) {
    if (error instanceof weft.WeftError && !(error instanceof weft.InternalError)) return undefined;
    throw error;
  }
}

/** They take bits, bytes or functions, or mean another thing of another dtype. */
const exempt = /^(bitcast|cast|nextafter|data\.|canvas\.|tune\.|new |Tensor\.|ArrayFile\.|Module\.|Optimizer\.|Parameter\.|tidy|jit|explain|grad|value|vjp|jvp|linearize|vmap|jac|hessian|custom|checkpoint|associativeScan|random\.(seed|state|restore))/;

async function attempt({ name, call, places }: Subject, pool: number): Promise<[tried: boolean, wrong: string[]]> {
  const args = (dtype: DType) => places.map(({ kind, right }, place) => exchanged(right(), kind, dtype, pool, place));
  random.seed(7);
  const halves = await made(() => call(...args("f16")));
  random.seed(7);
  const floats = await made(() => call(...args("f32")));
  if (halves === undefined || floats === undefined) return [false, []];
  return [true, await differences(`${name} of pool ${pool}`, halves, floats)];
}

describe("halves are rounded once", () => {
  it("by every function of the package", { timeout: 600_000 }, async () => {
    const wrong: string[] = [];
    const tried = new Set<string>();
    for (const subject of subjects) {
      if (exempt.test(subject.name) || subject.name.includes("forward") || subject.name.includes("Cell")) continue;
      for (const pool of POOLS.keys()) {
        const [was, found] = await attempt(subject, pool);
        if (was) tried.add(subject.name);
        wrong.push(...found);
      }
    }
    expect(wrong).toEqual([]);
    expect(tried.size).toBeGreaterThan(300);
  });

  /** A layer whose parameters have a dtype, and the numbers that halves hold. */
  const ofDType = <M extends nn.Module>(make: () => M, dtype: DType): M => {
    const layer = make();
    const walk = (value: object): void => {
      for (const [key, own] of Object.entries(value)) {
        if (own instanceof nn.Buffer) continue;
        if (own instanceof Parameter) {
          const numbers = Array.from({ length: own.size }, (_, n) => Math.sin(1 + n));
          Object.defineProperty(value, key, { value: new Parameter(cast(tensor(numbers, { shape: own.shape, dtype: "f16" }), dtype)), enumerable: true, configurable: true, writable: true });
        } else if (own instanceof nn.Module || Array.isArray(own)) walk(own);
      }
    };
    walk(layer);
    return layer;
  };
  const layers: Record<string, [make: () => nn.Module, shape: readonly number[]]> = {
    Linear: [() => new nn.Linear(3, 4), [2, 3]],
    LayerNorm: [() => new nn.LayerNorm(4), [3, 4]],
    RMSNorm: [() => new nn.RMSNorm(4), [3, 4]],
    GroupNorm: [() => new nn.GroupNorm(2, 4), [2, 4, 3]],
    InstanceNorm: [() => new nn.InstanceNorm(2), [2, 2, 4]],
    BatchNorm: [() => new nn.BatchNorm(3), [4, 3]],
    "BatchNorm, evaluated": [() => new nn.BatchNorm(3).eval(), [4, 3]],
    PReLU: [() => new nn.PReLU(3), [2, 3]],
    Conv1d: [() => new nn.Conv1d(2, 3, 2), [1, 2, 5]],
    Conv2d: [() => new nn.Conv2d(1, 2, 2), [1, 1, 3, 3]],
    ConvTranspose1d: [() => new nn.ConvTranspose1d(2, 3, 2), [1, 2, 3]],
    AvgPool2d: [() => new nn.AvgPool2d(2), [1, 1, 4, 4]],
    RNNCell: [() => new nn.RNNCell(2, 3), [2, 2]],
    GRUCell: [() => new nn.GRUCell(2, 3), [2, 2]],
    LSTMCell: [() => new nn.LSTMCell(2, 3), [2, 2]],
    GRU: [() => new nn.GRU(2, 3), [4, 1, 2]],
    LSTM: [() => new nn.LSTM(2, 3), [4, 1, 2]],
    GELU: [() => new nn.GELU(), [6]],
    Mish: [() => new nn.Mish(), [6]],
    Softmax: [() => new nn.Softmax(), [2, 3]],
    GLU: [() => new nn.GLU(), [6]],
  };

  it.each(Object.entries(layers))("by %s", async (name, [make, shape]) => {
    const wrong: string[] = [];
    for (const pool of POOLS.keys()) {
      const [half, float] = [ofDType(make, "f16"), ofDType(make, "f32")];
      const given = drawn(pool, shape, 0);
      const found = half.forward(tensor(given, { shape, dtype: "f16" }));
      wrong.push(...(await differences(`${name} of pool ${pool}`, found, float.forward(tensor(given, { shape })))));
      const [state, wanted] = [half, float].map((layer) => Object.entries(layer.stateDict()).filter(([key]) => key.startsWith("running")).map(([, value]) => value as Tensor));
      wrong.push(...(await differences(`${name}, state`, state, wanted)));
    }
    expect(wrong).toEqual([]);
  });

  it("by cells that are given their state", async () => {
    for (const make of [() => new nn.RNNCell(2, 3), () => new nn.GRUCell(2, 3)]) {
      const step = (dtype: DType) => (ofDType(make as () => nn.GRUCell, dtype).step(tensor([[300, -0.5]], { dtype }), tensor([[0.5, -1, 0.25]], { dtype })));
      expect(step("f16").dtype).toBe("f16");
      expect(await differences("step", step("f16"), step("f32"))).toEqual([]);
    }
    const both = (dtype: DType) => {
      const { hidden, cell } = ofDType(() => new nn.LSTMCell(2, 3), dtype).step(tensor([[300, -0.5]], { dtype }), { cell: tensor([[0.5, -1, 0.25]]), hidden: tensor([[0.5, -1, 0.25]], { dtype }) });
      return [hidden, cell];
    };
    expect(both("f16").map(({ dtype }) => dtype)).toEqual(["f16", "f32"]);
    expect(await differences("step", both("f16"), both("f32"))).toEqual([]);
    const [outputs, states] = ofDType(() => new nn.GRU(2, 3), "f16").run(tensor([[[1, 2]], [[3, 4]]], { dtype: "f16" }), [[tensor([[0, 0, 0]], { dtype: "f16" })]]);
    expect([outputs.dtype, states[0]![0]!.dtype]).toEqual(["f16", "f16"]);
  });

  it("by norms, gradients that are clipped, and losses", async () => {
    const half = (numbers: number[]) => tensor(numbers, { dtype: "f16" });
    expect(await values(new nn.RMSNorm(2, { affine: false }).forward(half([256, -256])))).toEqual([1, -1]);
    expect(await values(nn.rmsNorm(half([256, -256]), 2))).toEqual([1, -1]);
    const [clipped] = optim.clipByGlobalNorm([half([300])], 1) as [Tensor];
    expect([clipped.dtype, await values(clipped)]).toEqual(["f16", [1]]);
    expect(await optim.globalNorm([half([60000, 60000])]).item()).toBeCloseTo(60000 * Math.SQRT2, -2);
    const losses = [weft.mseLoss(half([300]), half([-300])), weft.crossEntropy(cast(tensor([[1, 2, 3]]), "f16"), [0]), weft.l1Loss(half([60000]), half([-60000]))];
    expect(losses.map(({ dtype }) => dtype)).toEqual(["f32", "f32", "f32"]);
    expect(await losses[0]!.item()).toBe(360000);
    expect(await losses[1]!.item()).toBeCloseTo(2.4076059, 6);
    const slope = grad((x: Tensor) => weft.mseLoss(x, half([-300])))(half([300])) as Tensor;
    expect([slope.dtype, await values(slope)]).toEqual(["f16", [1200]]);
    const sum = new weft.Complex(half([300]), half([300])).mul(new weft.Complex(half([300]), half([299])));
    expect(await values(sum.re)).toEqual([300]);
  });

  it("by averages, which move though their steps are smaller than a half's", async () => {
    const weight = new Parameter(cast(tensor([1]), "f16"));
    const average = new optim.Average(weight, 0.999);
    weight.assign(cast(tensor([2]), "f16"));
    for (let n = 0; n < 100; n++) average.update();
    expect(await average.averages[0]!.item()).toBeCloseTo(2 - 0.999 ** 100, 5);
    const inside = average.use(() => weight.mul(1));
    expect([inside.dtype, await inside.item()]).toEqual(["f16", 1.0947265625]);
    expect(await weight.item()).toBe(2);
  });

  it("by optimizers, whose steps are those of floats from where the halves are", async () => {
    const made = Object.entries(optim).filter(([name, make]) => typeof make === "function" && /^(sgd|ada|a?lamb|lion|muon|rms|nadam|radam|yogi|novo|adan|lars|rprop|sign|from|opt|sm3)/.test(name) && name !== "lbfgs");
    expect(made.length).toBeGreaterThan(20);
    const wrong: string[] = [];
    for (const [name, make] of made) {
      const begin = [[1, 2], [300, -0.5]];
      const parameters = (["f16", "f32"] as const).map((dtype) => new Parameter(tensor(begin, { dtype })));
      const optimizers = parameters.map((parameter) => (make as typeof optim.sgd)(parameter, { lr: 0.01 }));
      for (let step = 0; step < 3; step++) {
        const slope = [[100, -0.25], [2 ** -14, 3]];
        optimizers.forEach((optimizer, n) => optimizer.step(tensor(slope, { dtype: n === 0 ? "f16" : "f32" })));
        wrong.push(...(await differences(`${name} after ${step + 1}`, parameters[0], parameters[1])));
        // The next step begins where the half is.
        parameters[1]!.assign(cast(parameters[0] as Tensor, "f32"));
      }
    }
    expect(wrong).toEqual([]);
  });
});
