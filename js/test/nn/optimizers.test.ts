// Optimizer steps, compared with the rules of their papers and PyTorch written out in plain
// numbers, eager and captured. Training that was interrupted goes on bit for bit.

import { describe, expect, it } from "vitest";
import { data, grad, jit, memory, nn, ones, optim, Parameter, random, resetPeak, tensor, tidy, valueAndGrad, zeros, type Tensor } from "../../src/index.js";
import { errorOf, onCpu, values } from "../support/cpu.js";

onCpu();

/** What a rule keeps of one number, and how it steps: gradient `g` at step `t`, counted from 1. */
type Written = () => (p: number, g: number, t: number) => number;

const adam = (lr: number, decay: number, decoupled: boolean): Written => () => {
  let [m, v] = [0, 0];
  return (p, gradient, t) => {
    const g = decoupled ? gradient : gradient + decay * p;
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    const shrunk = decoupled ? p * (1 - lr * decay) : p;
    return shrunk - (lr * (m / (1 - 0.9 ** t))) / (Math.sqrt(v / (1 - 0.999 ** t)) + 1e-8);
  };
};

const rules: Record<string, [(p: optim.Parameters) => optim.Optimizer, Written]> = {
  sgd: [(p) => optim.sgd(p, { lr: 0.1 }), () => (p, g) => p - 0.1 * g],
  "sgd with Nesterov's momentum": [
    (p) => optim.sgd(p, { lr: 0.1, momentum: 0.9, nesterov: true, weightDecay: 0.2 }),
    () => {
      let v = 0;
      return (p, gradient) => {
        const g = gradient + 0.2 * p;
        v = 0.9 * v + g;
        return p - 0.1 * (g + 0.9 * v);
      };
    },
  ],
  adam: [(p) => optim.adam(p, { lr: 0.1, weightDecay: 0.3 }), adam(0.1, 0.3, false)],
  adamw: [(p) => optim.adamw(p, { lr: 0.1, weightDecay: 0.3 }), adam(0.1, 0.3, true)],
  adamax: [
    (p) => optim.adamax(p, { lr: 0.1, weightDecay: 0.3 }),
    () => {
      let [m, u] = [0, 0];
      return (p, gradient, t) => {
        const g = gradient + 0.3 * p;
        m = 0.9 * m + 0.1 * g;
        u = Math.max(0.999 * u, Math.abs(g) + 1e-8);
        return p - ((0.1 / (1 - 0.9 ** t)) * m) / u;
      };
    },
  ],
  lion: [
    (p) => optim.lion(p, { lr: 0.1, weightDecay: 0.3 }),
    () => {
      let m = 0;
      return (p, g) => {
        const next = p * (1 - 0.1 * 0.3) - 0.1 * Math.sign(0.9 * m + 0.1 * g);
        m = 0.99 * m + 0.01 * g;
        return next;
      };
    },
  ],
  rmsprop: [
    (p) => optim.rmsprop(p, { lr: 0.1, momentum: 0.5, centered: true, weightDecay: 0.3, alpha: 0.9 }),
    () => {
      let [s, mean, b] = [0, 0, 0];
      return (p, gradient) => {
        const g = gradient + 0.3 * p;
        s = 0.9 * s + 0.1 * g * g;
        mean = 0.9 * mean + 0.1 * g;
        b = 0.5 * b + g / (Math.sqrt(s - mean * mean) + 1e-8);
        return p - 0.1 * b;
      };
    },
  ],
  adagrad: [
    (p) => optim.adagrad(p, { lr: 0.1, lrDecay: 0.5, weightDecay: 0.3 }),
    () => {
      let s = 0;
      return (p, gradient, t) => {
        const g = gradient + 0.3 * p;
        s += g * g;
        return p - ((0.1 / (1 + (t - 1) * 0.5)) * g) / (Math.sqrt(s) + 1e-10);
      };
    },
  ],
  rprop: [
    (p) => optim.rprop(p, { lr: 0.2, etas: [0.5, 1.3], stepSizes: [1e-3, 0.4] }),
    () => {
      let [size, before] = [0.2, 0];
      return (p, gradient) => {
        const agreed = gradient * before;
        if (agreed !== 0) size = Math.min(0.4, Math.max(1e-3, size * (agreed > 0 ? 1.3 : 0.5)));
        before = agreed < 0 ? 0 : gradient;
        return p - size * Math.sign(before);
      };
    },
  ],
  adadelta: [
    (p) => optim.adadelta(p, { lr: 2, weightDecay: 0.3, eps: 1e-3 }),
    () => {
      let [s, d] = [0, 0];
      return (p, gradient) => {
        const g = gradient + 0.3 * p;
        s = 0.9 * s + 0.1 * g * g;
        const step = (Math.sqrt(d + 1e-3) / Math.sqrt(s + 1e-3)) * g;
        d = 0.9 * d + 0.1 * step * step;
        return p - 2 * step;
      };
    },
  ],
};

describe("a step", () => {
  it("written eagerly stores no gradients", () => {
    // Small ones, that would be stored for a caller that still holds them after the step.
    const [count, bytes] = [256, 4096];
    const weights = Array.from({ length: count }, () => new Parameter(ones([bytes / 4])));
    const sgd = optim.sgd(weights, { lr: 0.1 });
    const lossOf = valueAndGrad((all: Parameter[]) => all.map((weight) => weight.square().sum()).reduce((a, b) => a.add(b)));
    resetPeak();
    for (let n = 0; n < 4; n++) {
      const [loss, gradients] = lossOf(weights);
      sgd.step(gradients);
      loss.dispose();
    }
    // The weights before and after a step.
    expect(memory().peak).toBeLessThan(2.5 * count * bytes);
    expect(memory().peak).toBeGreaterThan(1.5 * count * bytes);
    for (const weight of weights) weight.dispose();
    sgd.dispose();
  });
});

/** What optax 0.2.6 makes in float64 of eight steps from `matrix` and `vector` along Σ (x − 3)²/2 +
 * x⁴/4. */
const optax: Record<string, [(p: optim.Parameters) => optim.Optimizer, number[]]> = {
  adabelief: [(p) => optim.adabelief(p, { lr: 0.1 }), [1.381098, 0.511813, 1.404213, 0.552126, 0.572219, 1.350184, 1.214036, -1.010807, 1.383689]],
  amsgrad: [(p) => optim.amsgrad(p, { lr: 0.1 }), [1.305824, 0.221886, 1.190894, 0.263901, 0.284814, 1.313359, 1.280787, -1.32453, 1.15156]],
  nadam: [(p) => optim.nadam(p, { lr: 0.1 }), [1.319636, 0.342635, 1.296541, 0.383082, 0.403248, 1.297399, 1.214681, -1.173997, 1.264328]],
  nadamw: [(p) => optim.nadamw(p, { lr: 0.1, weightDecay: 0.3 }), [1.238915, 0.362493, 1.147459, 0.394411, 0.410319, 1.23886, 1.202569, -0.854665, 1.112779]],
  radam: [(p) => optim.radam(p, { lr: 0.1, betas: [0.9, 0.9] }), [1.336739, 1.146455, 1.378572, 1.160108, 1.167122, 1.324042, 1.281515, 1.650822, 1.382851]],
  yogi: [(p) => optim.yogi(p, { lr: 0.1 }), [1.380318, 0.271413, 1.294453, 0.311651, 0.331749, 1.363852, 1.243546, -1.224768, 1.249403]],
  adan: [(p) => optim.adan(p, { lr: 0.1, weightDecay: 0.3 }), [1.290214, 0.31127, 1.143878, 0.342733, 0.358456, 1.301996, 1.252283, -0.865357, 1.100614]],
  lamb: [(p) => optim.lamb(p, { lr: 0.1, weightDecay: 0.3 }), [1.209128, 0.146441, 1.027815, 0.179719, 0.196345, 1.237887, 1.175494, -0.593388, 1.21933]],
  lars: [(p) => optim.lars(p, { lr: 0.5, weightDecay: 0.3, trust: 0.1, nesterov: true }), [1.205679, 1.045571, 1.227498, 1.056902, 1.062631, 1.198872, 1.174511, 1.028109, 1.215695]],
  novograd: [(p) => optim.novograd(p, { lr: 0.1, weightDecay: 0.3 }), [0.866689, 1.049379, 0.94238, 1.045774, 1.044132, 0.84785, 0.793401, 1.400735, 0.900666]],
  signSgd: [(p) => optim.signSgd(p, { lr: 0.1 }), [1.21, 0.28, 1.16, 0.32, 0.34, 1.26, 1.2, -1.2, 1.3]],
  fromage: [(p) => optim.fromage(p, { lr: 0.1 }), [1.037631, 0.158218, 0.91456, 0.187952, 0.202916, 1.059168, 1.11713, -0.559479, 0.88783]],
  adamaxw: [(p) => optim.adamaxw(p, { lr: 0.1, weightDecay: 0.3 }), [1.161325, 0.256085, 1.042211, 0.289887, 0.306686, 1.176851, 1.190749, -1.010317, 1.007371]],
  "adafactor, by rows and columns": [(p) => optim.adafactor(p, { lr: 0.1, minDimSizeToFactor: 2 }), [1.086505, 0.066835, 1.123366, 0.160443, 0.030839, 1.155604, 1.212384, -1.144543, 1.186024]],
  "adafactor, in full": [
    (p) => optim.adafactor(p, { lr: 0.1, minDimSizeToFactor: 4, momentum: 0.5, weightDecay: 0.01, multiplyByParameterScale: false, clippingThreshold: 0.5 }),
    [1.067812, -0.127643, 0.857956, -0.090258, -0.071583, 1.105923, 1.199993, -1.488863, 0.830268],
  ],
  sm3: [(p) => optim.sm3(p, { lr: 0.1, momentum: 0.5 }), [1.033547, -0.132148, 0.926646, -0.091683, -0.073232, 1.116741, 1.225787, -1.626573, 0.871458]],
  optimisticGradientDescent: [(p) => optim.optimisticGradientDescent(p, { lr: 0.02, beta: 0.5 }), [1.015779, 0.005622, 0.862585, 0.038478, 0.055003, 1.043522, 1.116181, -0.863572, 0.822256]],
};

describe("each of optax's rules", () => {
  const matrix = [[0.81, -0.52, 0.56], [-0.48, -0.46, 0.86]];
  const vector = [1, -2, 0.5];
  const loss = (p: { w: Tensor; b: Tensor }) => [p.w, p.b].map((x) => x.sub(3).square().div(2).add(x.pow(4).div(4)).sum()).reduce((a, b) => a.add(b));

  for (const [name, [make, expected]] of Object.entries(optax)) {
    for (const captured of [false, true]) {
      it(`${name}, ${captured ? "captured" : "eager"}`, async () => {
        const p = { w: new Parameter(matrix), b: new Parameter(vector) };
        const optimizer = make(p);
        const once = () => {
          optimizer.step(grad(loss)(p));
          return tensor(0);
        };
        const step = captured ? jit(once) : once;
        for (let t = 1; t <= 8; t++) step().dispose();
        const found = [...(await values(p.w)), ...(await values(p.b))];
        found.forEach((value, n) => expect(value).toBeCloseTo(expected[n] as number, 4));
      });
    }
  }

  it("stands still at a gradient of zeros", async () => {
    for (const make of [optim.lamb, optim.lars, optim.novograd, optim.fromage, optim.adabelief, optim.rprop]) {
      const weight = new Parameter([0, 0]);
      make(weight, { lr: 0.1 }).step(tensor([0, 0]));
      expect(await values(weight)).toEqual([0, 0]);
    }
  });

  it("is refused with what it cannot do", () => {
    const weight = new Parameter([1, 2]);
    const refused = (call: () => unknown) => errorOf(call).message;
    expect(refused(() => optim.adan(weight, { beta3: 1 }))).toBe("adan: beta3 must be below 1, got 1");
    expect(refused(() => optim.yogi(weight, { betas: [1, 0.9] }))).toMatch(/^yogi: the first beta must be at least 0 and below 1/);
    expect(refused(() => optim.rprop(weight, { etas: [0.5] as never }))).toMatch(/^rprop: etas are two numbers/);
    expect(refused(() => optim.lars([]))).toMatch(/^lars: there are no parameters/);
  });
});

describe("lbfgs", () => {
  const rosenbrock = (p: Parameter) => {
    const [here, next] = [p.slice([0, -1]), p.slice([1])];
    return next.sub(here.square()).square().mul(100).add(here.sub(1).square()).sum();
  };
  // What optax 0.2.8 makes in float64: the loss after each step.
  const withMemory = [6.285737, 4.0591, 3.628908, 3.61654, 3.609657, 3.547353, 3.432973, 3.360354];
  const forgetful = [45.752568, 19.023041, 15.570249, 5.706145, 5.407308, 3.365373, 2.858912, 2.85585];

  it.each([
    ["with its memory", {}, withMemory],
    ["with a short memory, from the identity", { memorySize: 2, scaleInitPrecond: false }, forgetful],
  ])("steps as optax's, %s", async (_, options, expected) => {
    const place = new Parameter([-1.2, 1, 0.5]);
    const optimizer = optim.lbfgs(place, options);
    for (const loss of expected) {
      const found = await optimizer.step(rosenbrock);
      expect(Math.abs(found / loss - 1), `${found}, expected ${loss}`).toBeLessThan(2e-3);
      expect(await rosenbrock(place).item()).toBeCloseTo(found, 4);
    }
  });

  it("takes a tree, and comes to where the gradient is 0", async () => {
    const p = { w: new Parameter([[0.81, -0.52, 0.56], [-0.48, -0.46, 0.86]]), b: new Parameter([1, -2, 0.5]) };
    const loss = (p: { w: Tensor; b: Tensor }) => [p.w, p.b].map((x) => x.sub(3).square().div(2).add(x.pow(4).div(4)).sum()).reduce((a, b) => a.add(b));
    const optimizer = optim.lbfgs(p);
    for (const expected of [37.062112, 25.509413, 20.66038, 19.898090]) expect((await optimizer.step(loss)) / expected).toBeCloseTo(1, 3);
    for (let n = 0; n < 12; n++) await optimizer.step(loss);
    // The root of x³ + x = 3.
    for (const value of [...(await values(p.w)), ...(await values(p.b))]) expect(value).toBeCloseTo(1.2134117, 4);
  });

  it("keeps no more than its memory, and gives it back", async () => {
    const place = new Parameter([-1.2, 1, 0.5]);
    const before = memory().tensors;
    const optimizer = optim.lbfgs(place, { memorySize: 3 });
    for (let n = 0; n < 5; n++) await optimizer.step(rosenbrock);
    // Of three steps two vectors and a number each, and where the last began with its gradient.
    expect(memory().tensors - before).toBe(3 * 3 + 2);
    optimizer.dispose();
    expect(memory().tensors).toBe(before);
  });

  it("refuses what it cannot do", async () => {
    const place = new Parameter([0, 1]);
    const optimizer = optim.lbfgs(place);
    const first = optimizer.step(rosenbrock);
    await expect(optimizer.step(rosenbrock)).rejects.toThrow("step: the last step has not ended: await it");
    await first;
    expect(errorOf(() => optim.lbfgs([])).message).toMatch(/^lbfgs: there are no parameters/);
    expect(errorOf(() => optim.lbfgs(place, { memorySize: 0 })).message).toMatch(/^lbfgs: memorySize must be a whole number of 1 or more/);
    // Where nothing near is finite it stays.
    const lost = new Parameter([1]);
    await optim.lbfgs(lost).step((p) => p.sub(1).sum().div(p.sub(1).sum()).mul(NaN).add(p.sum()));
    expect(await values(lost)).toEqual([1]);
  });
});

describe("each rule", () => {
  const start = [1, -2, 0.5];
  /** (x − 3)²/2 + x⁴/4: its gradient changes from step to step. */
  const slope = (x: number) => x - 3 + x ** 3;
  const loss = (p: { x: Tensor }) => p.x.sub(3).square().div(2).add(p.x.pow(4).div(4)).sum();

  for (const [name, [make, written]] of Object.entries(rules)) {
    for (const captured of [false, true]) {
      it(`${name}, ${captured ? "captured" : "eager"}`, async () => {
        const p = { x: new Parameter(start) };
        const optimizer = make(p);
        const once = () => {
          optimizer.step(grad(loss)(p));
          return tensor(0);
        };
        const step = captured ? jit(once) : once;
        for (let t = 1; t <= 6; t++) step().dispose();
        const expected = start.map((from) => {
          const rule = written();
          return [1, 2, 3, 4, 5, 6].reduce((x, t) => rule(x, slope(x), t), from);
        });
        (await values(p.x)).forEach((value, n) => expect(value).toBeCloseTo(expected[n] as number, 4));
        expect(optimizer.steps).toBe(6);
      });
    }
  }

  it("muon steps along the nearest orthogonal matrix, as AdamW where there is no matrix", async () => {
    random.seed(2);
    const [tall, bias] = [new Parameter(zeros([6, 3])), new Parameter(zeros([3]))];
    const gradient = random.normal([6, 3]);
    let x = (await gradient.array()) as number[][];
    const optimizer = optim.muon([tall, bias], { lr: 0.1, weightDecay: 0 });
    optimizer.step([gradient, tensor([2, -3, 4])]);
    // The iteration in plain numbers, on the side that is shorter; √2 is for the shape.
    const product = (a: number[][], b: number[][]) => a.map((row) => (b[0] as number[]).map((_, j) => row.reduce((sum, v, k) => sum + v * ((b[k] as number[])[j] as number), 0)));
    const flipped = (a: number[][]) => (a[0] as number[]).map((_, j) => a.map((row) => row[j] as number));
    const mix = (...parts: [number, number[][]][]) => (parts[0]![1]).map((row, i) => row.map((_, j) => parts.reduce((sum, [c, m]) => sum + c * (m[i]![j] as number), 0)));
    x = flipped(x);
    const length = Math.hypot(...x.flat());
    x = x.map((row) => row.map((v) => v / length));
    for (let n = 0; n < 5; n++) {
      const gram = product(x, flipped(x));
      x = mix([3.4445, x], [1, product(mix([-4.775, gram], [2.0315, product(gram, gram)]), x)]);
    }
    const expected = flipped(x).flat().map((v) => -0.1 * Math.SQRT2 * v);
    (await values(tall)).forEach((value, n) => expect(value).toBeCloseTo(expected[n] as number, 4));
    (await values(bias)).forEach((value, n) => expect(value).toBeCloseTo([-0.1, 0.1, -0.1][n] as number, 4));
  });
});

describe("training", () => {
  it("that was interrupted goes on bit for bit, from one file", async () => {
    const make = () => new nn.Sequential(new nn.Linear(3, 8), new nn.BatchNorm(8), new nn.Dropout(0.3), new nn.Linear(8, 1));
    const run = (model: nn.Sequential, optimizer: optim.Optimizer) =>
      jit(() => {
        const x = random.normal([16, 3]);
        const [loss, gradients] = valueAndGrad((m: nn.Sequential) => nn.mseLoss(m.forward(x), x.sum(1, { keepdims: true })))(model);
        optimizer.step(optim.clipByGlobalNorm(gradients, 1));
        return loss;
      });
    random.seed(9);
    const model = make();
    const optimizer = optim.adamw(model, { lr: 0.01 });
    const step = run(model, optimizer);
    for (let n = 0; n < 5; n++) step().dispose();
    const prefixed = (prefix: string, state: Record<string, Tensor>) => Object.fromEntries(Object.entries(state).map(([name, value]) => [`${prefix}${name}`, value]));
    const metadata = { steps: String(optimizer.steps), random: JSON.stringify(random.state()) };
    const file = await data.toSafetensors({ ...prefixed("model.", model.stateDict()), ...prefixed("adam.", optimizer.stateDict()) }, { metadata });
    const expected = [];
    for (let n = 0; n < 5; n++) expected.push(await step().item());

    random.seed(77);
    const again = make();
    const other = optim.adamw(again, { lr: 0.01 });
    const read = data.safetensors(file);
    const part = (prefix: string) => Object.fromEntries(Object.entries(read.tensors).flatMap(([name, value]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [])));
    again.loadStateDict(part("model."));
    other.loadStateDict(part("adam."));
    other.steps = Number(read.metadata["steps"]);
    random.restore(JSON.parse(read.metadata["random"] ?? "") as number[]);
    const goesOn = run(again, other);
    const found = [];
    for (let n = 0; n < 5; n++) found.push(await goesOn().item());
    expect(found).toEqual(expected);
  });

  it("says what does not fit", () => {
    const optimizer = optim.adam([new Parameter([1, 2])]);
    expect(errorOf(() => optimizer.loadStateDict({ "0.0": ones([2]) })).message).toContain("there is nothing for 0.1");
    expect(errorOf(() => optimizer.loadStateDict({ "0.0": ones([2]), "0.1": ones([3]) })).message).toContain("0.1 is [2], got [3]");
    expect(errorOf(() => (optimizer.steps = -1)).message).toContain("the number of steps");
    expect(errorOf(() => optim.sgd([new Parameter(1)], { nesterov: true })).message).toContain("Nesterov's variant needs a momentum");
    expect(errorOf(() => optim.rmsprop([new Parameter(1)], { alpha: 1 })).message).toContain("alpha must be at least 0 and below 1, got 1");
    expect(errorOf(() => optim.lion([])).message).toContain("there are no parameters");
    expect(errorOf(() => random.restore([1, 2, 3, -1])).message).toContain("what state() gave");
  });

  it("leaves nothing behind", () => {
    const once = () =>
      tidy(() => {
        const weights = [new Parameter([[1, 2]]), new Parameter([1])];
        for (const [make] of Object.values(rules)) {
          const optimizer = make(weights);
          optimizer.step(optim.clipByValue([ones([1, 2]), ones([1])], 0.5));
          Object.values(optimizer.stateDict()).forEach((tensor) => tensor.dispose());
          optimizer.dispose();
        }
        const average = new optim.Average(weights);
        average.update().use(() => 0);
        average.dispose();
        weights.forEach((weight) => weight.dispose());
      });
    once();
    const before = memory().tensors;
    once();
    expect(memory().tensors).toBe(before);
  });
});

describe("what is done to gradients and parameters", () => {
  it("clips by the length of all", async () => {
    const gradients = { a: tensor([3, 0]), b: [tensor([[4]])] };
    expect(await optim.globalNorm(gradients).item()).toBe(5);
    const clipped = optim.clipByGlobalNorm(gradients, 2.5);
    expect([await values(clipped.a), await values(clipped.b[0] as Tensor)]).toEqual([[1.5, 0], [2]]);
    expect(await values(optim.clipByGlobalNorm(gradients, 10).a)).toEqual([3, 0]);
    expect(await values(optim.clipByGlobalNorm([zeros([2])], 1)[0] as Tensor)).toEqual([0, 0]);
  });

  it("averages parameters, and lends them", async () => {
    const weight = new Parameter([0]);
    const average = new optim.Average([weight], 0.5);
    for (const value of [4, 8]) {
      weight.assign([value]);
      average.update();
    }
    expect(await average.use(() => weight.add(0)).item()).toBe(5);
    expect(await weight.add(0).item()).toBe(8);
    expect(() => average.use(() => {
      throw new Error("no");
    })).toThrow("no");
    expect(await weight.add(0).item()).toBe(8);
  });

  it("schedules rates", () => {
    const { constant, linear, cosine, exponential, polynomial, warmup, join } = optim.schedule;
    const near = (schedule: optim.schedule.Schedule, steps: number[], expected: number[]) => steps.forEach((step, n) => expect(schedule(step)).toBeCloseTo(expected[n] as number, 9));
    near(linear(1, 0.5, 10), [0, 5, 10, 99], [1, 0.75, 0.5, 0.5]);
    near(cosine(2, 4, { least: 1 }), [0, 1, 2, 4, 9], [2, 1.5 + Math.SQRT2 / 4, 1.5, 1, 1]);
    near(exponential(1, 0.1, 2), [0, 1, 2, 4], [1, Math.sqrt(0.1), 0.1, 0.01]);
    near(exponential(1, 0.1, 2, { staircase: true }), [1, 2, 3], [1, 0.1, 0.1]);
    near(polynomial(1, 0, 4), [0, 2, 4], [1, 0.25, 0]);
    near(warmup(1, 10, cosine(1, 10)), [0, 5, 10, 15, 20], [0, 0.5, 1, 0.5, 0]);
    near(join([constant(1), constant(2), constant(3)], [5, 7]), [0, 4, 5, 6, 7, 100], [1, 1, 2, 2, 3, 3]);
    expect(errorOf(() => join([constant(1)], [3])).message).toContain("1 schedules have 0 boundaries, got 1");
  });
});
