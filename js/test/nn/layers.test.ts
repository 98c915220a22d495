// Layers, compared with PyTorch's of the same name by formulas written out in plain numbers. They
// also learn, keep state, and run in `grad`, `jit` and `vmap`.

import { describe, expect, it } from "vitest";
import { arange, forLoop, grad, jit, memory, nn, ones, optim, random, stats, tensor, tidy, valueAndGrad, vmap, zeros, type Tensor } from "../../src/index.js";
import { errorOf, onCpu, values } from "../support/cpu.js";

onCpu();

type Matrix = number[][];

const matrix = async (x: Tensor): Promise<Matrix> => (await x.array()) as Matrix;
const list = async (x: Tensor | null): Promise<number[]> => (x ? values(x) : []);
const sigma = (x: number) => 1 / (1 + Math.exp(-x));
/** W·x + b */
const affine = (w: Matrix, x: readonly number[], b: readonly number[]) => w.map((row, i) => row.reduce((sum, v, j) => sum + v * (x[j] as number), b[i] ?? 0));
const near = (found: readonly number[], expected: readonly number[], digits = 5) => {
  expect(found.length).toBe(expected.length);
  found.forEach((value, n) => expect(value).toBeCloseTo(expected[n] as number, digits));
};
const normalOf = (shape: number[], number = 1) => random.normal(random.key(number), shape);

/** One step of each cell, written out after PyTorch's documentation. */
const formulas = {
  rnn: (wi: number[], wh: number[], h: number[]) => ({ h: wi.map((v, i) => Math.tanh(v + (wh[i] as number))), c: h }),
  lstm: (wi: number[], wh: number[], h: number[], c: number[]) => {
    const n = h.length;
    const gate = (k: number, i: number) => (wi[k * n + i] as number) + (wh[k * n + i] as number);
    const cell = c.map((v, i) => sigma(gate(1, i)) * v + sigma(gate(0, i)) * Math.tanh(gate(2, i)));
    return { h: cell.map((v, i) => sigma(gate(3, i)) * Math.tanh(v)), c: cell };
  },
  gru: (wi: number[], wh: number[], h: number[]) => {
    const n = h.length;
    const at = (w: number[], k: number, i: number) => w[k * n + i] as number;
    const next = h.map((v, i) => {
      const z = sigma(at(wi, 1, i) + at(wh, 1, i));
      const candidate = Math.tanh(at(wi, 2, i) + sigma(at(wi, 0, i) + at(wh, 0, i)) * at(wh, 2, i));
      return (1 - z) * candidate + z * v;
    });
    return { h: next, c: h };
  },
};

/** What a layer of cells shows, from the cell's parameters. */
async function recurred(kind: keyof typeof formulas, cell: nn.Cell<never>, xs: Matrix, reverse: boolean): Promise<Matrix> {
  const [wi, wh] = [await matrix(cell.weightIh), await matrix(cell.weightHh)];
  const [bi, bh] = [await list(cell.biasIh), await list(cell.biasHh)];
  let state = { h: Array<number>(cell.hidden).fill(0), c: Array<number>(cell.hidden).fill(0) };
  const shown: Matrix = [];
  for (const x of reverse ? xs.toReversed() : xs) {
    state = formulas[kind](affine(wi, x, bi), affine(wh, state.h, bh), state.h, state.c);
    shown.push(state.h);
  }
  return reverse ? shown.toReversed() : shown;
}

describe("recurrent layers", () => {
  const make = { rnn: nn.RNN, lstm: nn.LSTM, gru: nn.GRU };
  for (const kind of ["rnn", "lstm", "gru"] as const) {
    for (const bias of [true, false]) {
      it(`${kind}${bias ? "" : " without biases"} goes over a sequence as written out, both ways, two layers`, async () => {
        const layer = new make[kind](3, 4, { layers: 2, bidirectional: true, bias });
        const x = normalOf([5, 1, 3]);
        const xs = ((await x.array()) as number[][][]).map(([row]) => row as number[]);
        let expected: Matrix = xs;
        for (const cells of layer.cells) {
          const [there, back] = cells as readonly [nn.Cell<never>, nn.Cell<never>];
          const [a, b] = [await recurred(kind, there, expected, false), await recurred(kind, back, expected, true)];
          expected = a.map((row, n) => [...row, ...(b[n] as number[])]);
        }
        near(await values(layer.forward(x)), expected.flat());
      });
    }
  }

  it("a run in two parts is a run in one", async () => {
    const layer = new nn.LSTM(2, 3, { layers: 2 });
    const x = normalOf([6, 2, 2]);
    const whole = layer.forward(x);
    const [first, states] = layer.run(x.slice([0, 4]));
    const [second] = layer.run(x.slice([4, 6]), states);
    near(await values(first), (await values(whole)).slice(0, 24));
    near(await values(second), (await values(whole)).slice(24));
  });

  it("batches first are the same sequences", async () => {
    const layer = new nn.GRU(2, 3);
    const other = new nn.GRU(2, 3, { batchFirst: true });
    other.loadStateDict(layer.stateDict());
    const x = normalOf([5, 4, 2]);
    near(await values(other.forward(x.swapAxes(0, 1)).swapAxes(0, 1)), await values(layer.forward(x)));
  });

  it("learns to add up bits", async () => {
    random.seed(3);
    const model = { core: new nn.GRU(1, 8), head: new nn.Linear(8, 1) };
    const optimizer = optim.adam(model as never, { lr: 0.02 });
    const x = random.bernoulli(random.key(5), [6, 32, 1]).cast("f32");
    const y = x.sum(0).div(6);
    const step = jit(() => {
      const [loss, gradients] = valueAndGrad((m: typeof model) => nn.mseLoss(m.head.forward(m.core.forward(x).slice([5, 6]).squeeze(0)), y))(model);
      optimizer.step(gradients as never);
      return loss;
    });
    const first = await step().item();
    for (let n = 0; n < 60; n++) step().dispose();
    expect(await step().item()).toBeLessThan(first / 10);
  });

  it("says what does not fit", () => {
    const layer = new nn.LSTM(2, 3);
    expect(errorOf(() => layer.forward(ones([5, 2, 3]))).message).toContain("takes [..., 2], got [5,2,3]");
    expect(errorOf(() => layer.run(ones([5, 1, 2]), [] as never)).message).toContain("states are a list for each of 1 layers");
    expect(errorOf(() => new nn.RNNCell(2, 3, { nonlinearity: "sin" as never })).message).toContain('"tanh" or "relu"');
  });
});

/** Attention of one head, written out. */
function attended(q: Matrix, k: Matrix, v: Matrix, sees: (i: number, j: number) => boolean): Matrix {
  const width = (q[0] as number[]).length;
  return q.map((row, i) => {
    const scores = k.map((key, j) => (sees(i, j) ? key.reduce((sum, value, n) => sum + value * (row[n] as number), 0) / Math.sqrt(width) : -Infinity));
    const most = Math.max(...scores);
    const weights = scores.map((score) => Math.exp(score - most));
    const total = weights.reduce((a, b) => a + b);
    return (v[0] as number[]).map((_, n) => weights.reduce((sum, weight, j) => sum + (weight / total) * ((v[j] as number[])[n] as number), 0));
  });
}

describe("attention", () => {
  it("is what is written out: all heads, causal, masked, with heads of keys shared", async () => {
    const [q, k, v] = [normalOf([2, 4, 5, 3], 1), normalOf([2, 2, 6, 3], 2), normalOf([2, 2, 6, 7], 3)];
    const [qs, ks, vs] = (await Promise.all([q.array(), k.array(), v.array()])) as Matrix[][][];
    const mask = random.bernoulli(random.key(4), [4, 5, 6], 0.7).logicalOr(arange(6).equal(0));
    const seen = (await mask.array()) as unknown as boolean[][][];
    const cases: [nn.AttentionOptions, (h: number, i: number, j: number) => boolean][] = [
      [{}, () => true],
      [{ causal: true }, (_, i, j) => j <= i],
      [{ mask }, (h, i, j) => (seen[h] as boolean[][])[i]?.[j] as boolean],
      [{ mask: mask.slice([0, 1]) }, (_, i, j) => (seen[0] as boolean[][])[i]?.[j] as boolean],
    ];
    for (const [options, sees] of cases) {
      const expected = qs!.map((heads, b) => heads.map((head, h) => attended(head, ks![b]![h >> 1]!, vs![b]![h >> 1]!, (i, j) => sees(h, i, j))));
      for (const chunk of [{}, { queryChunk: 2 }, { queryChunk: 1 }]) {
        near(await values(nn.scaledDotProductAttention(q, k, v, { ...options, ...chunk })), expected.flat(3));
      }
    }
  });

  it("has the same gradient by chunks of queries, and by more than there are", async () => {
    const [q, k, v, by] = [normalOf([3, 4, 7, 5], 1), normalOf([3, 2, 9, 5], 2), normalOf([3, 2, 9, 6], 3), normalOf([3, 4, 7, 6], 4)];
    const mask = random.bernoulli(random.key(5), [7, 9], 0.6).logicalOr(arange(9).equal(0));
    for (const options of [{}, { causal: true }, { mask }, { mask, causal: true }] as nn.AttentionOptions[]) {
      const slopes = (queryChunk?: number) =>
        grad((q: Tensor, k: Tensor, v: Tensor) => nn.scaledDotProductAttention(q, k, v, queryChunk === undefined ? options : { ...options, queryChunk }).mul(by).sum(), {
          argnums: [0, 1, 2],
        })(q, k, v);
      const expected = await Promise.all(slopes().map(values));
      for (const chunk of [1, 3, 7, 100]) {
        for (const [n, slope] of slopes(chunk).entries()) near(await values(slope), expected[n] as number[]);
      }
    }
    expect(errorOf(() => nn.scaledDotProductAttention(q, k, v, { queryChunk: 0 })).message).toContain("the chunk of queries");
  });

  it("adds a mask of numbers, and gives 0 where nothing may be seen", async () => {
    const x = tensor([[1, 2], [3, 4]]);
    const far = zeros([2, 2]).add(tensor([0, -1e9]));
    near(await values(nn.scaledDotProductAttention(x, x, x, { mask: far })), [1, 2, 1, 2]);
    near(await values(nn.scaledDotProductAttention(x, x, x, { mask: zeros([2, 2]).notEqual(0) })), [0, 0, 0, 0]);
  });

  it("turning keeps lengths, and products depend on the distance alone", async () => {
    const [a, b] = [normalOf([8], 1), normalOf([8], 2)];
    const at = (x: Tensor, place: number) => nn.rotary(x.reshape([1, 8]), { positions: tensor([place]) });
    const product = (i: number, j: number) => at(a, i).mul(at(b, j)).sum().item();
    expect(await product(3, 7)).toBeCloseTo(await product(13, 17), 4);
    expect(await product(3, 7)).not.toBeCloseTo(await product(3, 8), 3);
    expect(await at(a, 5).square().sum().item()).toBeCloseTo(await a.square().sum().item(), 4);
  });

  it("with a cache, step by step, gives what the whole sequence gives, and compiles nothing more", async () => {
    random.seed(1);
    for (const options of [{ causal: true }, { causal: true, rotary: true, keyHeads: 1, norm: "rms", activation: "swiglu", bias: false }] as nn.TransformerOptions[]) {
      const blocks = [0, 1].map(() => new nn.TransformerBlock(8, 2, options).eval());
      const through = (x: Tensor, caches?: nn.KeyValueCache[]) => blocks.reduce((value, block, n) => block.forward(value, caches?.[n] ? { cache: caches[n] } : {}), x);
      const x = normalOf([2, 7, 8]);
      const whole = (await through(x).array()) as number[][][];
      const caches = blocks.map((block) => block.cache(9, 2));
      const step = jit((row: Tensor) => through(row, caches));
      let compiled = 0;
      for (let n = 0; n < 7; n++) {
        const row = await values(step(x.slice(null, [n, n + 1])));
        near(row, whole.map((sequence) => sequence[n] as number[]).flat(), 4);
        if (n === 1) compiled = stats().programMisses;
      }
      expect(stats().programMisses).toBe(compiled);
      expect(await caches[0]!.length.item()).toBe(7);
      caches.forEach((cache) => cache.reset());
      near(await values(through(x.slice(null, [0, 3]), caches)), whole.map((sequence) => sequence.slice(0, 3)).flat(2), 4);
    }
  });

  it("says what does not fit", () => {
    expect(errorOf(() => nn.scaledDotProductAttention(ones([2, 3]), ones([2, 4]), ones([2, 4]))).message).toContain("queries are 3 wide, keys 4");
    expect(errorOf(() => nn.scaledDotProductAttention(ones([3, 2, 3]), ones([2, 2, 3]), ones([2, 2, 3]))).message).toContain("2 heads of keys cannot be shared by 3");
    expect(errorOf(() => new nn.MultiheadAttention(10, 3)).message).toContain("3 heads do not divide a width of 10");
    expect(errorOf(() => nn.rotary(ones([2, 3]))).message).toContain("the width must be even");
    expect(errorOf(() => new nn.TransformerBlock(8, 2).forward(ones([1, 2, 8]), { context: ones([1, 2, 8]) })).message).toContain("a context needs cross attention");
    expect(errorOf(() => new nn.TransformerBlock(8, 2, { activation: "tanh" as never })).message).toContain("one of gelu, relu, silu, swiglu");
  });
});

describe("norms", () => {
  const evened = (row: readonly number[], eps = 1e-5) => {
    const middle = row.reduce((a, b) => a + b) / row.length;
    const spread = row.reduce((a, b) => a + (b - middle) ** 2, 0) / row.length;
    return row.map((v) => (v - middle) / Math.sqrt(spread + eps));
  };

  it("LayerNorm and RMSNorm scale rows", async () => {
    const x = normalOf([4, 6]).mul(3).add(1);
    const rows = await matrix(x);
    const norm = new nn.LayerNorm(6);
    norm.weight!.assign(arange(6).cast("f32"));
    norm.bias!.assign(ones([6]));
    near(await values(norm.forward(x)), rows.flatMap((row) => evened(row).map((v, n) => v * n + 1)));
    near(await values(new nn.RMSNorm(6).forward(x)), rows.flatMap((row) => row.map((v) => v / Math.sqrt(row.reduce((a, b) => a + b * b, 0) / 6))));
    near(await values(new nn.LayerNorm([4, 6], { affine: false }).forward(x)), evened(rows.flat()));
  });

  it("GroupNorm and InstanceNorm scale channels of each example", async () => {
    const x = normalOf([2, 4, 3]);
    const all = await values(x);
    const parts = (size: number) => Array.from({ length: all.length / size }, (_, n) => evened(all.slice(n * size, n * size + size))).flat();
    near(await values(new nn.GroupNorm(2, 4).forward(x)), parts(6));
    near(await values(new nn.InstanceNorm(4).forward(x)), parts(3));
  });

  it("BatchNorm learns what batches show, in grad and jit, and uses it afterwards", async () => {
    const model = new nn.Sequential(new nn.BatchNorm(3), new nn.Linear(3, 1));
    const norm = model.layers[0] as nn.BatchNorm;
    const optimizer = optim.sgd(model, { lr: 0.1, weightDecay: 0.5 });
    const batches = [1, 2, 3].map((n) => normalOf([8, 3], n).mul(n).add(n));
    const step = jit((x: Tensor) => {
      const [loss, gradients] = valueAndGrad((m: nn.Sequential) => m.forward(x).square().mean())(model);
      optimizer.step(gradients);
      return loss;
    });
    let [mean, spread] = [[0, 0, 0], [1, 1, 1]];
    for (const x of batches) {
      step(x).dispose();
      const columns = await matrix(x.transpose());
      const middle = columns.map((c) => c.reduce((a, b) => a + b) / 8);
      const variance = columns.map((c, n) => c.reduce((a, b) => a + (b - (middle[n] as number)) ** 2, 0) / 7);
      mean = mean.map((v, n) => 0.9 * v + 0.1 * (middle[n] as number));
      spread = spread.map((v, n) => 0.9 * v + 0.1 * (variance[n] as number));
    }
    near(await values(norm.runningMean), mean);
    near(await values(norm.runningVar), spread);
    norm.weight!.assign([1, 1, 1]);
    norm.bias!.assign([0, 0, 0]);
    near(await values(norm.eval().forward(tensor([[1, 2, 3]]))), [1, 2, 3].map((v, n) => (v - (mean[n] as number)) / Math.sqrt((spread[n] as number) + 1e-5)));
    near(await values(norm.runningMean), mean);
    // 3 + 3 of the norm, 3 + 1 of the layer: no gradient for what is not learned.
    expect(model.size()).toBe(10);
  });

  it("BatchNorm takes images, and members of an ensemble", async () => {
    const norm = new nn.BatchNorm(2);
    const image = norm.forward(normalOf([3, 2, 4, 5]));
    const channel = (await matrix(image.swapAxes(0, 1).reshape([2, 60])))[0] as number[];
    expect(channel.reduce((a, b) => a + b) / 60).toBeCloseTo(0, 4);
    const members = normalOf([5, 4, 2]);
    // A running mean of all members would be nobody's.
    expect(errorOf(() => vmap((x: Tensor) => norm.forward(x))(members)).name).toBe("TraceError");
    norm.eval();
    near(await values(vmap((x: Tensor) => norm.forward(x))(members)), await values(norm.forward(members.reshape([20, 2]))));
  });

  it("say what does not fit", () => {
    expect(errorOf(() => new nn.LayerNorm(3).forward(ones([2, 4]))).message).toContain("the last axes must be [3], got [2,4]");
    expect(errorOf(() => new nn.BatchNorm(3).forward(ones([2, 4]))).message).toContain("axis 1 must have 3 channels");
    expect(errorOf(() => new nn.GroupNorm(3, 4)).message).toContain("3 groups do not divide 4 channels");
  });
});

// Of [20, 100, 4], 400 numbers go into each of 20 outputs.
it.each([
  ["kaimingUniform", 1 / Math.sqrt(400)],
  ["xavierUniform", Math.sqrt(6 / 420)],
] as const)("%s draws up to its bound", async (name, bound) => {
  const largest = Math.max(...(await values(nn.initial[name]([20, 100, 4]))).map(Math.abs));
  expect(largest / bound).toBeGreaterThan(0.99);
  expect(largest / bound).toBeLessThan(1 + 1e-6);
});

it.each([
  ["kaimingNormal", Math.sqrt(2 / 400)],
  ["xavierNormal", Math.sqrt(2 / 420)],
] as const)("%s draws with its deviation", async (name, deviation) => {
  const found = await values(nn.initial[name]([20, 100, 4]));
  // Eight standard deviations of what 8,000 draws show.
  expect(Math.abs(Math.sqrt(found.reduce((sum, x) => sum + x * x, 0) / found.length) / deviation - 1)).toBeLessThan(8 / Math.sqrt(2 * found.length));
});

it.each([0.2, 0.75])("Dropout drops a share of %f, and divides what stays by the rest", async (rate) => {
  const [x, count] = [3, 4000];
  const given = ones([count]).mul(x);
  for (const found of [await values(nn.dropout(given, rate, random.key(5))), await values(new nn.Dropout(rate).forward(given))]) {
    const kept = found.filter((value) => value !== 0);
    kept.forEach((value) => expect(value).toBeCloseTo(x / (1 - rate), 4));
    // Five standard deviations of the count.
    expect(Math.abs(count - kept.length - rate * count)).toBeLessThan(5 * Math.sqrt(count * rate * (1 - rate)));
  }
});

describe("what a model holds", () => {
  const make = () => new nn.Sequential(new nn.Embedding(5, 4), new nn.LayerNorm(4), new nn.Linear(4, 2));

  it("goes into another by its names, however Python would write them", async () => {
    const [from, to] = [make(), make()];
    const x = tensor([[1, 2, 4]], { dtype: "i32" });
    to.loadStateDict(from.stateDict());
    near(await values(to.forward(x)), await values(from.forward(x)));
    const norm = new nn.BatchNorm(2);
    norm.loadStateDict({ running_mean: [1, 2], running_var: tensor([3, 4]), weight: [1, 1], bias: [0, 0] });
    expect(await values(norm.runningMean)).toEqual([1, 2]);
  });

  it("is assigned whole or not at all", async () => {
    const model = make();
    const before = await values(model.stateDict()["layers.2.weight"]!);
    const state = { ...Object.fromEntries(Object.entries(make().stateDict())), "layers.2.bias": ones([3]) };
    expect(errorOf(() => model.loadStateDict(state)).message).toContain("layers.2.bias is [2], got [3]");
    expect(await values(model.stateDict()["layers.2.weight"]!)).toEqual(before);
    expect(errorOf(() => model.loadStateDict({ a: ones([1]) })).message).toContain("there is nothing for layers.0.weight");
    expect(errorOf(() => model.loadStateDict({ ...model.stateDict(), extra: ones([1]) })).message).toContain("there is no place for extra");
    model.loadStateDict({ "layers.2.bias": [7, 8] }, { strict: false });
    expect(await values(model.stateDict()["layers.2.bias"]!)).toEqual([7, 8]);
  });

  it("is shown as a table", () => {
    const text = make().summary();
    expect(text).toContain("layers.0  Embedding   weight [5,4]            20");
    expect(text).toMatch(/LayerNorm +weight \[4\], bias \[4\] +8/);
    expect(text.split("\n").at(-1)).toBe("38 parameters, 0.2 KB");
    expect(new nn.BatchNorm(2).summary()).toContain("runningMean [2] (buffer)");
  });

  it("leaves nothing behind", async () => {
    const use = () =>
      tidy(() => {
        const model = new nn.Sequential(new nn.TransformerBlock(8, 2), new nn.LSTM(8, 4), new nn.BatchNorm(4));
        grad((m: nn.Sequential) => m.forward(ones([2, 4, 8])).sum())(model);
        model.dispose();
      });
    use();
    const before = memory().tensors;
    use();
    expect(memory().tensors).toBe(before);
  });
});

it("a loop inside a loop of layers is a program like any other", async () => {
  const cell = new nn.RNNCell(2, 2);
  const out = forLoop(0, 3, (_, state) => cell.step(ones([1, 2]), state), zeros([1, 2]));
  let expected = zeros([1, 2]);
  for (let n = 0; n < 3; n++) expected = cell.step(ones([1, 2]), expected);
  near(await values(out), await values(expected));
});
