// Parameter groups: they step as optimizers of their own would, with schedules on them, and frozen
// parameters take no gradient.

import { describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { data, grad, jit, memory, nn, ones, optim, Parameter, resetPeak, tensor, valueAndGrad, type Tensor } from "../../src/index.js";
import { errorOf, onCpu, values } from "../support/cpu.js";

onCpu();

/** Two layers that always begin alike. */
const twoLayers = () => {
  const model = new nn.Sequential(new nn.Linear(2, 3), new nn.Linear(3, 1));
  model.parameters().forEach((parameter, n) => parameter.assign(tensor(Array.from({ length: parameter.size }, (_, k) => Math.sin(1 + n + k))).reshape(parameter.shape)));
  return model;
};
const loss = (model: nn.Sequential) => model.forward(tensor([[1, 2], [3, -1]])).square().sum();
const layers = (model: nn.Sequential) => model.layers as [nn.Linear, nn.Linear];
const all = async (model: nn.Module) => (await Promise.all(model.parameters().map(values))).flat();

describe("parameter groups", () => {
  const rules: Record<string, [(parameters: never, options: never) => optim.Optimizer, object, object, object]> = {
    sgd: [optim.sgd, { lr: 0.01, momentum: 0.5 }, { lr: 0.02, weightDecay: 0.1 }, { nesterov: true }],
    adamw: [optim.adamw, { lr: 0.01 }, { lr: 0.03, weightDecay: 0.2 }, { betas: [0.5, 0.9] }],
    lion: [optim.lion, { lr: 0.01, weightDecay: 0.1 }, { lr: 0.02 }, { weightDecay: 0 }],
    yogi: [optim.yogi, { lr: 0.01 }, { eps: 0.1 }, { lr: 0.5 }],
    adafactor: [optim.adafactor, { lr: 0.01 }, { momentum: 0.9 }, { lr: 0.1 }],
  };

  it.each(Object.keys(rules))("of %s step as an optimizer for each would, eager and captured", async (name) => {
    const [rule, shared, first, second] = rules[name] as (typeof rules)[string];
    const make = rule as (parameters: unknown, options: object) => optim.Optimizer;
    const apart = twoLayers();
    const [one, other] = layers(apart);
    const each = [make(one, { ...shared, ...first }), make(other, { ...shared, ...second })] as const;
    const eager = twoLayers();
    const groups = (model: nn.Sequential) => make([{ params: layers(model)[0], ...first }, { params: layers(model)[1], ...second }], shared);
    const together = groups(eager);
    const captured = twoLayers();
    const inJit = groups(captured);
    const step = jit(() => {
      const [value, gradients] = valueAndGrad(loss)(captured);
      inJit.step(gradients, captured);
      return value;
    });
    for (let n = 0; n < 3; n++) {
      const gradients = grad(loss)(apart) as unknown as { layers: [{ weight: Tensor; bias: Tensor }, { weight: Tensor; bias: Tensor }] };
      each[0].step(gradients.layers[0]);
      each[1].step(gradients.layers[1]);
      together.step(grad(loss)(eager), eager);
      step();
    }
    expect(await all(eager)).toEqual(await all(apart));
    (await all(captured)).forEach(async (value, n) => expect(value).toBeCloseTo((await all(apart))[n] as number, 5));
    expect([together.steps, inJit.steps, together.groups.length]).toEqual([3, 3, 2]);
  });

  it.each([true, false])("are no matter of one parameter: lists around it and its gradient may differ (%s)", async (isListed) => {
    const w = new Parameter([1, 2]);
    const optimizer = optim.sgd(isListed ? [w] : w, { lr: 1 });
    optimizer.step(tensor([1, 1]));
    optimizer.step([tensor([1, 1])]);
    expect(await values(w)).toEqual([-1, 0]);
    expect(errorOf(() => optimizer.step([tensor([1, 1]), tensor([1, 1])])).name).toBe("ValueError");
  });

  it("take gradients as a list with an entry for each, or of a tree that has all", async () => {
    const [a, b] = [new Parameter([1]), new Parameter([2])];
    const optimizer = optim.sgd([{ params: { a }, lr: 1 }, { params: [b] }], { lr: 0.5 });
    optimizer.step([{ a: tensor([1]) }, [tensor([2])]]);
    optimizer.step({ x: { b: tensor([2]), a: tensor([1]) } }, { x: { a, b } });
    expect([await values(a), await values(b)]).toEqual([[-1], [0]]);
    expect(errorOf(() => optimizer.step({ a: tensor([1]), b: tensor([2]) })).message).toBe("step: trees are matched by name, but parameters is a list of 2, and gradients is { a, b }");
    expect(errorOf(() => optimizer.step({ a: tensor([1]) }, { a })).message).toBe("step: there is no gradient for 1.0");
    expect(errorOf(() => optimizer.step([{ a: tensor([1]) }, [tensor([1, 2])]])).message).toBe("step: 1.0 is [1], and its gradient [2]");
    expect([await values(a), await values(b)]).toEqual([[-1], [0]]);
  });

  it("have learning rates of their own, on which schedules go", async () => {
    const [a, b] = [new Parameter([0]), new Parameter([0])];
    const optimizer = optim.sgd([{ params: a, lr: 0.1 }, { params: b }], { lr: 0.01 });
    const [first, second] = optimizer.groups as [optim.Group, optim.Group];
    const rates = () => [optimizer.lr, first.lr, second.lr];
    expect(rates()).toEqual([0.01, 0.1, 0.01]);
    optimizer.lr = 2;
    expect(rates()).toEqual([2, 0.1, 2]);
    const rate = optim.schedule.linear(1, 0, 4);
    const step = jit(() => optimizer.step([tensor([1]), tensor([1])]));
    for (let n = 0; n < 4; n++) {
      first.lr = rate(optimizer.steps);
      step();
    }
    expect([await values(a), await values(b)]).toEqual([[-2.5], [-8]]);
    second.lr = 3;
    optimizer.lr = 5;
    expect(rates()).toEqual([5, 0.25, 3]);
    expect(errorOf(() => (first.lr = -1)).message).toBe("sgd: the learning rate must be 0 or more, got -1");
  });

  it("go on bit for bit when their state is loaded", async () => {
    const make = () => {
      const model = twoLayers();
      return [model, optim.adam([{ params: layers(model)[1], lr: 0.1 }, { params: layers(model)[0], betas: [0.5, 0.5] }], { lr: 0.01 })] as const;
    };
    const [model, optimizer] = make();
    for (let n = 0; n < 3; n++) optimizer.step(grad(loss)(model), model);
    expect(Object.keys(optimizer.stateDict())).toEqual(["0.weight.0", "0.weight.1", "0.bias.0", "0.bias.1", "1.weight.0", "1.weight.1", "1.bias.0", "1.bias.1"]);
    const [again, other] = make();
    again.loadStateDict(model.stateDict());
    other.loadStateDict(data.safetensors(await data.toSafetensors(optimizer.stateDict())).tensors);
    other.steps = optimizer.steps;
    for (const [m, o] of [[model, optimizer], [again, other]] as const) for (let n = 0; n < 3; n++) o.step(grad(loss)(m), m);
    expect(await all(again)).toEqual(await all(model));
  });

  /** Every optimizer that keeps its state by step. */
  const optimizers = Object.entries(optim).filter(([name, make]) => typeof make === "function" && /^[a-z]/.test(name) && !/^(accumulate|clip|global|lbfgs)/.test(name));

  it("go on bit for bit with every optimizer, halves among them, whatever the optimizer did before", async () => {
    expect(optimizers.length).toBeGreaterThan(24);
    for (const [name, rule] of optimizers) {
      const make = (dtype: weft.DType) => {
        const [a, b, c] = [new Parameter([[1, -2, 0.5], [0.3, 0.7, -1]]), new Parameter([0.5, -1]), new Parameter(tensor([[1, 2], [3, -1]], { dtype }))] as const;
        const optimizer = (rule as typeof optim.sgd)([{ params: { a, b }, lr: 0.02 }, { params: [c] }], { lr: 0.01 });
        const slope = (x: Tensor) => weft.cast(weft.cast(x, "f32").sin().mul(optimizer.steps + 1).add(0.3), x.dtype);
        const step = () => optimizer.step([{ b: slope(b), a: slope(a) }, [slope(c)]]);
        return { all: [a, b, c], optimizer, step, numbers: () => Promise.all([a, b, c].map(values)) };
      };
      const [one, other] = [make("f16"), make("f16")];
      for (let n = 0; n < 3; n++) one.step();
      for (let n = 0; n < 2; n++) other.step();
      for (const [n, parameter] of other.all.entries()) parameter.assign(one.all[n] as Parameter);
      other.optimizer.loadStateDict(data.safetensors(await data.toSafetensors(one.optimizer.stateDict())).tensors);
      other.optimizer.steps = one.optimizer.steps;
      for (let n = 0; n < 3; n++) for (const { step } of [one, other]) step();
      expect([name, await other.numbers()]).toEqual([name, await one.numbers()]);
    }
  });

  it("are refused where they do not go", () => {
    const [a, b] = [new Parameter([1]), new Parameter([2])];
    const refused = (call: () => unknown) => String(errorOf(call));
    expect(refused(() => optim.sgd({ params: a, lr: 0.1 } as never))).toBe("ValueError: sgd: parameter groups come in a list: [{ params, lr }, …]");
    expect(refused(() => optim.sgd([{ params: a }, b] as never))).toMatch(/^ValueError: sgd: entry 1 is no parameter group/);
    expect(refused(() => optim.sgd([{ params: a }, { params: [b, a] }]))).toBe("ValueError: sgd: a parameter is in two groups");
    expect(refused(() => optim.sgd([{ params: a, learningRate: 1 } as never]))).toBe('ValueError: sgd: there is no option "learningRate": did you mean lr?');
    expect(refused(() => optim.adam([{ params: a }, { params: b, betas: [2, 0] }]))).toMatch(/^ValueError: adam: the first beta must be/);
    expect(refused(() => optim.adam([{ params: a }, { params: [] }]))).toBe("ValueError: adam: there are no parameters");
    expect(refused(() => optim.adam([{ params: a }, { params: tensor([1]) as never }]))).toContain("can only assign parameters");
    expect(refused(() => optim.sgd(a).addGroup(b as never))).toMatch(/^ValueError: addGroup: takes a parameter group/);
    expect(refused(() => optim.sgd(a).addGroup({ params: a }))).toBe("ValueError: addGroup: a parameter is in two groups");
  });

  it("are one submit, whatever they are many", () => {
    const groups = Array.from({ length: 3 }, (_, n) => ({ params: new Parameter(ones([4])), lr: n }));
    const optimizer = optim.sgd(groups);
    const x = ones([4]);
    const step = () => optimizer.step(groups.map(() => x.mul(2)));
    step();
    weft.labelRuns(1);
    step();
    weft.labelRuns(0);
    expect(weft.explainRuns(1).map(({ times }) => times)).toEqual([1]);
  });
});

describe("frozen parameters", () => {
  it("have no gradient, no state and no step", async () => {
    const model = twoLayers();
    const [body, head] = layers(model);
    const before = await values(body.weight);
    body.freeze();
    expect([body.weight.frozen, head.weight.frozen, body.weight.learned]).toEqual([true, false, false]);
    const gradients = grad(loss)(model) as { layers: object[] };
    expect(gradients.layers.map((layer) => Object.keys(layer))).toEqual([[], ["weight", "bias"]]);
    const optimizer = optim.adam(model, { lr: 0.1 });
    expect(optimizer.parameters.map((parameter) => [head.weight, head.bias].indexOf(parameter))).toEqual([0, 1]);
    optimizer.step(gradients as never);
    expect(await values(body.weight)).toEqual(before);
    expect(model.parameters().length).toBe(4);
    expect(Object.keys(model.stateDict()).length).toBe(4);
    expect(model.summary()).toContain("weight [3,2] (frozen)");
  });

  it("can be learned again, in a group of their own", async () => {
    const model = twoLayers();
    const [body] = layers(model);
    body.freeze();
    const optimizer = optim.adam(model, { lr: 0.1 });
    for (let n = 0; n < 2; n++) optimizer.step(grad(loss)(model));
    body.unfreeze();
    expect(errorOf(() => optimizer.step(grad(loss)(model))).message).toMatch(/^step: there are gradients for parameters that were frozen when the optimizer was made, of shape \[3,2\], \[3\]: add them by addGroup/);
    optimizer.addGroup({ params: body, lr: 0.5 });
    const before = await values(body.bias as Parameter);
    optimizer.step(grad(loss)(model));
    expect(optimizer.steps).toBe(3);
    (await values(body.bias as Parameter)).forEach((value, n) => expect(Math.abs(value - (before[n] as number))).toBeGreaterThan(0.01));
    // A group that was nowhere before is an entry more.
    const further = new Parameter([1]);
    optimizer.addGroup({ params: further, lr: 1 });
    optimizer.step([grad(loss)(model), ones([1])]);
    expect(await values(further)).toEqual([expect.closeTo(0, 5)]);
  });

  it("stay as they are while they are frozen, though an optimizer has them", async () => {
    const [a, b] = [new Parameter([1]), new Parameter([2])];
    const optimizer = optim.sgd({ a, b }, { lr: 1, momentum: 0.5 });
    a.freeze();
    const f = (p: { a: Parameter; b: Parameter }) => p.a.mul(p.b).sum();
    const gradients = grad(f)({ a, b });
    expect(gradients.a).toBe(null);
    optimizer.step(gradients as never);
    expect([await values(a), await values(b)]).toEqual([[1], [1]]);
    a.unfreeze();
    optimizer.step(grad(f)({ a, b }));
    expect([await values(a), await values(b)]).toEqual([[0], [-0.5]]);
  });

  it("are seen by functions that jit captured", async () => {
    const model = twoLayers();
    let traced = 0;
    const gradients = jit(() => {
      traced++;
      return grad(loss)(model);
    });
    const kept = () => (gradients() as { layers: object[] }).layers.map((layer) => Object.keys(layer).length);
    expect([kept(), kept()]).toEqual([[2, 2], [2, 2]]);
    layers(model)[0].freeze();
    expect([kept(), kept()]).toEqual([[0, 2], [0, 2]]);
    model.unfreeze();
    expect(kept()).toEqual([2, 2]);
    expect(traced).toBe(2);
  });

  it("take no memory for gradients", () => {
    const size = 1 << 16;
    const peakOf = (frozen: boolean): number => {
      const parts = Array.from({ length: 8 }, () => new Parameter(ones([size])));
      const weights = { parts, last: new Parameter(ones([size])) };
      if (frozen) parts.forEach((part) => part.freeze());
      const f = (w: typeof weights) => w.parts.reduce((x: Tensor, w) => x.mul(w).tanh(), w.last).sum();
      void weft.realize(...parts, weights.last);
      resetPeak();
      const before = memory().bytes;
      const gradients = grad(f)(weights);
      void weft.realize(...[...gradients.parts, gradients.last].filter((gradient) => gradient !== null));
      const peak = memory().peak - before;
      for (const weight of [...parts, weights.last]) weight.dispose();
      return peak;
    };
    expect(peakOf(false)).toBeGreaterThan(8 * 4 * size);
    expect(peakOf(true)).toBeLessThan(4 * 4 * size);
  });
});
