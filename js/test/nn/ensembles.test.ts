// Modules under vmap: ensembles, whose parameters have the members along an axis, and models that
// all members share.

import { describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { checkpoint, customVjp, grad, hessian, jacfwd, jacrev, jit, jvp, linearize, nn, random, stack, tensor, valueAndGrad, vjp, vmap, type Tensor } from "../../src/index.js";
import { errorOf, onCpu, values } from "../support/cpu.js";

onCpu();

class Affine extends nn.Module {
  readonly weight: nn.Parameter;
  readonly bias: nn.Parameter;
  constructor(weight: Tensor, bias: Tensor) {
    super();
    this.weight = new nn.Parameter(weight);
    this.bias = new nn.Parameter(bias);
  }
  forward(x: Tensor): Tensor {
    // What a parameter looks like is the member's too.
    expect(this.weight.shape).toEqual([this.bias.shape[0], x.shape.at(-1)]);
    return x.matmul(this.weight.transpose()).add(this.bias);
  }
}

class Net extends nn.Module {
  readonly layers: readonly nn.Module[];
  readonly tied: { first: nn.Parameter };
  constructor(a: Affine, b: Affine) {
    super();
    this.layers = [a, new nn.Tanh(), b];
    this.tied = { first: a.bias };
  }
  forward(x: Tensor): Tensor {
    return this.layers.reduce((y, layer) => layer.forward(y), x).add(this.tied.first.sum());
  }
}

const members = 3;
const pieces = () => {
  random.seed(4);
  return { w: random.normal([members, 4, 2]), b: random.normal([members, 4]), v: random.normal([members, 1, 4]), c: random.normal([members, 1]) };
};
const netOf = ({ w, b, v, c }: ReturnType<typeof pieces>) => new Net(new Affine(w, b), new Affine(v, c));
const member = (all: ReturnType<typeof pieces>, n: number) => netOf({ w: all.w.slice(n), b: all.b.slice(n), v: all.v.slice(n), c: all.c.slice(n) });
const loss = (model: nn.Module, x: Tensor) => model.forward(x).square().sum();
const close = async (got: Tensor, expected: readonly Tensor[]) => {
  const [a, b] = [await values(got), await values(stack(expected))];
  expect(got.shape).toEqual([expected.length, ...(expected[0] as Tensor).shape]);
  a.forEach((x, n) => expect(x).toBeCloseTo(b[n] as number, 4));
};
const each = (f: (model: Net, n: number) => Tensor) => {
  const all = pieces();
  return Array.from({ length: members }, (_, n) => f(member(all, n), n));
};

describe("an ensemble", () => {
  const x = () => tensor([[0.5, -1], [2, 0.25]]);
  const xs = () => tensor([[[0.5, -1]], [[2, 0.25]], [[-0.5, 0.125]]]);

  it("computes what each member does, on inputs of its own or shared ones, in jit and out of it", async () => {
    const ensemble = netOf(pieces());
    await close(vmap((m: Net, x: Tensor) => m.forward(x), { inAxes: [0, null] })(ensemble, x()), each((m) => m.forward(x())));
    const own = vmap((m: Net, x: Tensor) => m.forward(x));
    await close(own(ensemble, xs()), each((m, n) => m.forward(xs().slice(n))));
    await close(jit((x: Tensor) => own(ensemble, x))(xs()), each((m, n) => m.forward(xs().slice(n))));
  });

  it("has gradients for each member, in the form of the module", async () => {
    const ensemble = netOf(pieces());
    type Tree = { layers: [{ weight: Tensor; bias: Tensor }, unknown, { weight: Tensor; bias: Tensor }]; tied: { first: Tensor } };
    const gradients = vmap(grad(loss), { inAxes: [0, null] })(ensemble, x()) as unknown as Tree;
    const expected = (pick: (tree: Tree) => Tensor) => each((m) => pick(grad(loss)(m, x()) as unknown as Tree));
    await close(gradients.layers[0].weight, expected((g) => g.layers[0].weight));
    await close(gradients.layers[0].bias, expected((g) => g.layers[0].bias));
    await close(gradients.tied.first, expected((g) => g.tied.first));
    await close(gradients.layers[2].weight, expected((g) => g.layers[2].weight));
    const [value, again] = vmap(valueAndGrad(loss), { inAxes: [0, null] })(ensemble, x()) as unknown as [Tensor, Tree];
    await close(value, each((m) => loss(m, x())));
    await close(again.layers[2].bias, expected((g) => g.layers[2].bias));
    const [, [pulled]] = vjp((m: Net) => vmap(loss, { inAxes: [0, null] })(m, x()), [ensemble], tensor([1, 1, 1])) as unknown as [Tensor, [Tree]];
    await close(pulled.layers[0].weight, expected((g) => g.layers[0].weight));
  });

  it("has derivatives of every other kind", async () => {
    const ensemble = netOf(pieces());
    const small = () => new Affine(tensor([[[1, 2]], [[3, 4]]]), tensor([[1], [2]]));
    const squared = (m: Affine, x: Tensor) => m.forward(x).square().sum();
    const row = () => tensor([[1, -1]]);
    const form = (tree: unknown) => tree as { weight: Tensor; bias: Tensor };
    const of = <R>(f: (m: Affine, x: Tensor) => R) => vmap(f, { inAxes: [0, null] })(small(), row());
    // (w·x + b)² with w·x + b = 0 and 1.
    expect(await values(form(of((m, x) => grad(squared)(m, x))).weight)).toEqual([0, 0, 2, -2]);
    for (const jacobian of [jacfwd, jacrev]) expect(await values(form(of((m, x) => (jacobian(squared) as (m: Affine, x: Tensor) => unknown)(m, x))).bias)).toEqual([0, 2]);
    const second = of((m, x) => (hessian as (f: unknown) => (m: Affine, x: Tensor) => unknown)(squared)(m, x)) as unknown as { bias: { weight: Tensor } };
    expect(await values(second.bias.weight)).toEqual([2, -2, 2, -2]);
    const along = of((m, x) => jvp((m: Affine) => squared(m, x), [m], [{ weight: tensor([[1, 0]]), bias: tensor([1]) }])[1]);
    expect(await values(along)).toEqual([0, 4]);
    const pushed = of((m, x) => linearize((m: Affine) => squared(m, x), [m])[1]({ weight: tensor([[1, 0]]), bias: tensor([1]) }));
    expect(await values(pushed)).toEqual([0, 4]);
    const kept = of((m, x) => grad((x: Tensor) => checkpoint((x: Tensor) => squared(m, x))(x))(x));
    expect(await values(kept)).toEqual([0, 0, 6, 8]);
    const twice = customVjp((x: Tensor) => x.mul(1), (x: Tensor) => [x, null], (_: null, g: Tensor) => [g.mul(2)]);
    expect(await values(form(of((m, x) => grad((m: Affine) => twice(squared(m, x)))(m))).bias)).toEqual([0, 4]);
    await close(vmap((m: Net, x: Tensor) => grad((x: Tensor) => loss(m, x))(x), { inAxes: [0, null] })(ensemble, x()), each((m) => grad((x: Tensor) => loss(m, x))(x())));
  });

  it("may share some of its parameters, and have members along other axes", async () => {
    const shared = new Affine(tensor([[[1, 2], [3, 4]]]), tensor([10]));
    const mixed = vmap((m: Affine, x: Tensor) => m.forward(x), { inAxes: [{ weight: 1 }, null] });
    expect(await values(mixed(shared, tensor([[1, 1]])))).toEqual([13, 17]);
    const wrong = () => vmap((m: Affine) => m.bias, { inAxes: [{ weigth: 0 }] })(shared);
    expect(errorOf(wrong)).toBeInstanceOf(weft.ValueError);
    expect(errorOf(() => vmap((m: Affine) => m.bias)(new Affine(tensor([[1]]), tensor(1))))).toBeInstanceOf(weft.ShapeError);
  });
});

describe("a model that members share", () => {
  it("has gradients for each example", async () => {
    const model = new nn.Linear(2, 1);
    const xs = tensor([[1, 2], [3, 4], [5, 6]]);
    const each = vmap((m: nn.Linear, x: Tensor) => grad((m: nn.Linear) => m.forward(x).sum())(m), { inAxes: [null, 0] })(model, xs) as unknown as { weight: Tensor };
    expect(await values(each.weight)).toEqual([1, 2, 3, 4, 5, 6]);
    const closed = vmap((x: Tensor) => (grad((m: nn.Linear) => m.forward(x).sum())(model) as unknown as { weight: Tensor }).weight)(xs);
    expect(await values(closed)).toEqual([1, 2, 3, 4, 5, 6]);
    const trained = vmap((x: Tensor) => model.forward(x).sum())(xs);
    expect(trained.shape).toEqual([3]);
  });
});

describe("layers of the package as members", () => {
  const made: Record<string, [make: () => nn.Module, shape: number[]]> = {
    GRUCell: [() => new nn.GRUCell(2, 3), [1, 2]],
    LSTM: [() => new nn.LSTM(2, 3, { bidirectional: true }), [3, 1, 2]],
    BatchNorm: [() => new nn.BatchNorm(2), [4, 2]],
    TransformerBlock: [() => new nn.TransformerBlock(4, 2), [1, 3, 4]],
  };

  it.each(Object.entries(made))("%s", async (_, [make, shape]) => {
    random.seed(2);
    const [whole, ...each] = Array.from({ length: members + 1 }, make) as [nn.Module, ...nn.Module[]];
    const places = Object.keys(whole.stateDict());
    for (const place of places) {
      const path = place.split(".");
      const owner = path.slice(0, -1).reduce<object>((node, key) => (node as Record<string, object>)[key]!, whole);
      const value = new nn.Parameter(stack(each.map((model) => model.stateDict()[place]!)));
      Object.defineProperty(owner, path.at(-1)!, { value, enumerable: true, configurable: true, writable: true });
    }
    const x = random.normal([members, ...shape]);
    const together = vmap((m: nn.Module, x: Tensor) => m.forward(x))(whole, x) as Tensor;
    await close(together, each.map((model, n) => model.forward(x.slice(n))));
  });
});
