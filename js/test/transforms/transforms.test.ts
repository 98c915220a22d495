// `grad`, `jit` and the other transforms, on trees, modules and tensors.

import { describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { grad, jit, memory, nn, optim, tensor, valueAndGrad, vjp, vjpAux, type Tensor } from "../../src/index.js";
import { collect } from "../support/collector.js";
import { errorOf, onCpu, values } from "../support/cpu.js";

onCpu();

describe("grad", () => {
  it("differentiates by the first argument", async () => {
    const g = grad((x: Tensor) => x.square().sum())(tensor([1, 2, 3]));
    expect(await values(g)).toEqual([2, 4, 6]);
  });

  it("differentiates by trees, and by several arguments", async () => {
    const loss = (p: { w: Tensor; b: Tensor[] }, x: Tensor) => p.w.mul(x).add(p.b[0] as Tensor).sum();
    const p = { w: tensor([1, 2]), b: [tensor(3)] };
    const [value, g] = valueAndGrad(loss)(p, tensor([5, 6]));
    expect(await value.item()).toBe(5 + 12 + 6);
    expect(await values(g.w)).toEqual([5, 6]);
    expect(await (g.b[0] as Tensor).item()).toBe(2);
    const [gp, gx] = grad(loss, { argnums: [0, 1] })(p, tensor([5, 6]));
    expect(await values(gp.w)).toEqual([5, 6]);
    expect(await values(gx)).toEqual([1, 2]);
  });

  it("takes numbers", async () => {
    const cube = (x: number | Tensor) => weft.pow(x, 3);
    expect(await grad(cube)(2).item()).toBe(12);
  });

  it("gives gradients in the order that is asked for, and of arguments that are there", async () => {
    const f = (a: Tensor, b: Tensor) => a.sum().mul(b.sum());
    const [b, a] = grad(f, { argnums: [1, 0] })(tensor([1, 2]), tensor([3, 4, 5]));
    expect([await b.array(), await a.array()]).toEqual([[3, 3, 3], [12, 12]]);
    for (const argnums of [2, -1, 0.5, [0, 0], "a"]) {
      const error = errorOf(() => grad(f, { argnums: argnums as number })(tensor([1]), tensor([1])));
      expect(error).toBeInstanceOf(weft.ValueError);
      expect(error.op).toBe("grad");
    }
  });

  it("keeps what is assigned inside, and gives values that later assignments leave alone", async () => {
    class Counted extends nn.Module {
      weight = new weft.Parameter([2]);
      calls = new weft.Parameter([0]);
      forward(x: Tensor): Tensor {
        this.calls.assign(this.calls.add(1));
        return x.mul(this.weight);
      }
    }
    const model = new Counted();
    const step = valueAndGrad((m: Counted, x: Tensor) => m.forward(x).sum());
    const [, g] = step(model, tensor([5]));
    step(model, tensor([5]));
    expect(await model.calls.array()).toEqual([2]);
    expect(await (g as unknown as { weight: Tensor }).weight.array()).toEqual([5]);
    expect(await model.weight.array()).toEqual([2]);
    const p = new weft.Parameter(2);
    const [value] = valueAndGrad((p: weft.Parameter) => p)(p);
    p.assign(9);
    expect(await value.item()).toBe(2);
  });

  it("takes modules that lead back to themselves", async () => {
    class Node extends nn.Module {
      weight = new weft.Parameter([3]);
      parent: Node | null = null;
      child: Node | null = null;
      forward(x: Tensor): Tensor {
        return x.mul(this.weight);
      }
    }
    const [outer, inner] = [new Node(), new Node()];
    outer.child = inner;
    inner.parent = outer;
    const g = grad((m: Node) => m.forward(tensor([2])).sum())(outer);
    expect(await (g as unknown as { weight: Tensor }).weight.array()).toEqual([2]);
    expect(optim.sgd(outer).parameters.length).toBe(2);
    expect(await jit((m: Node, x: Tensor) => m.forward(x))(outer, tensor([2])).array()).toEqual([6]);
  });

  it("nests", async () => {
    const f = (x: Tensor) => x.tanh();
    const x = tensor(2);
    const orders = [grad(f), grad(grad(f)), grad(grad(grad(f)))];
    const found = await Promise.all(orders.map((d) => d(x).item()));
    [0.07065082, -0.13621868, 0.25265408].forEach((expected, i) => expect(found[i]).toBeCloseTo(expected, 5));
  });

  it("brings aux along", async () => {
    const [value, g, aux] = weft.valueAndGradAux((x: Tensor) => [x.sum(), { twice: x.mul(2) }] as const)(tensor([1, 2]));
    expect(await value.item()).toBe(3);
    expect(await values(g)).toEqual([1, 1]);
    expect(await values(aux.twice)).toEqual([2, 4]);
  });

  it("frees what it does not return", () => {
    const x = tensor([1, 2, 3]);
    const before = weft.memory().tensors;
    const [value, g] = valueAndGrad((x: Tensor) => x.mul(2).tanh().add(1).log().sum())(x);
    expect(weft.memory().tensors).toBe(before + 2);
    value.dispose();
    g.dispose();
    expect(weft.memory().tensors).toBe(before);
    expect(() => grad((x: Tensor) => x.mul(2))(x)).toThrow(weft.ShapeError);
    expect(weft.memory().tensors).toBe(before);
  });

  it("lets values be read inside", async () => {
    let inside: Promise<number> | undefined;
    const g = grad((x: Tensor) => {
      const y = x.square().sum();
      inside = y.item();
      return y.mul(2);
    })(tensor([1, 2]));
    expect(await inside).toBe(5);
    expect(await values(g)).toEqual([4, 8]);
  });

  it("refuses what it cannot differentiate", () => {
    const x = tensor([1, 2]);
    expect(errorOf(() => grad((x: Tensor) => x)(x)).message).toContain("[2]");
    expect(errorOf(() => grad((x: Tensor) => x.argmax())(x))).toBeInstanceOf(weft.DTypeError);
    expect(errorOf(() => grad((async (x: Tensor) => x.sum()) as never)(x))).toBeInstanceOf(weft.TraceError);
    expect(errorOf(() => grad((() => 3) as never)(x))).toBeInstanceOf(weft.ValueError);
    expect(errorOf(() => grad((x: Tensor) => x.sum())(tensor([1], { dtype: "i32" })))).toBeInstanceOf(weft.DTypeError);
  });
});

describe("vjp", () => {
  it("pulls cotangents back", async () => {
    const [y, [gx]] = vjp((x: Tensor) => ({ a: x.mul(2), b: x.square() }), [tensor([1, 2])], { a: tensor([1, 1]), b: tensor([1, 0]) });
    expect(await values(y.a)).toEqual([2, 4]);
    expect(await values(gx)).toEqual([4, 2]);
  });

  it("brings along what is not derived, by a name of its own", async () => {
    const f = (x: Tensor, w: { s: Tensor }) => [{ y: x.mul(w.s), z: x.sum() }, { seen: x.mul(100), note: "kept", list: [w.s] }] as const;
    const x = tensor([1, 2]);
    const [outputs, [gx, gw], aux] = vjpAux(f, [x, { s: tensor(3) }], { y: tensor([1, 10]), z: tensor(5) });
    expect([await values(outputs.y), await outputs.z.item()]).toEqual([[3, 6], 3]);
    expect([await values(gx), await gw.s.item()]).toEqual([[3 + 5, 30 + 5], 21]);
    expect([await values(aux.seen), aux.note, await aux.list[0].item()]).toEqual([[100, 200], "kept", 3]);
    // In a capture, and under another derivative: d/dx of x · 2x · c, where aux is 3x.
    const second = (v: Tensor) => {
      const [, [g], twice] = vjpAux((u: Tensor) => [u.square(), u.mul(3)] as const, [v], weft.onesLike(v));
      return g.mul(twice).sum();
    };
    expect(await values(jit(grad(second))(x))).toEqual([12, 24]);
  });

  it("refuses what brings nothing along, and cotangents of another number", () => {
    const x = tensor([1, 2]);
    expect(errorOf(() => vjpAux(((v: Tensor) => v) as never, [x], x as never)).message).toBe("vjpAux: the function must return [outputs, aux]");
    expect(errorOf(() => vjpAux((v: Tensor) => [v, 1] as const, [x], [x, x] as never)).message).toBe("vjpAux: trees are matched by name, but outputs is a tensor, and cotangents is a list of 2");
    expect(errorOf(() => vjpAux((async (v: Tensor) => [v, 1]) as never, [x], x as never))).toBeInstanceOf(weft.TraceError);
    expect(memory().tensors).toBeLessThan(100);
  });
});

describe("modules", () => {
  it("find their parameters", () => {
    const model = new nn.Sequential(new nn.Linear(3, 4), new nn.ReLU(), new nn.Linear(4, 2, { bias: false }));
    expect(model.namedParameters().map(([name, p]) => [name, p.shape])).toEqual([
      ["layers.0.weight", [4, 3]],
      ["layers.0.bias", [4]],
      ["layers.2.weight", [2, 4]],
    ]);
    expect(model.children().map(([name]) => name)).toEqual(["layers.0", "layers.1", "layers.2"]);
    expect(model.size()).toBe(12 + 4 + 8);
    expect(model.forward(weft.ones([5, 3])).shape).toEqual([5, 2]);
    model.eval();
    expect(model.children().every(([, child]) => !child.training)).toBe(true);
    model.dispose();
    expect(errorOf(() => model.forward(weft.ones([5, 3])))).toBeInstanceOf(weft.DisposedError);
  });

  it("leave nothing behind when they compute", () => {
    const [linear, x] = [new nn.Linear(3, 2), weft.ones([4, 3])];
    const before = weft.memory().tensors;
    linear.forward(x).dispose();
    nn.dropout(x, 0.5).dispose();
    nn.initial.xavierNormal([2, 2]).dispose();
    for (const part of weft.split([1, 2, 3, 4], 2)) part.dispose();
    expect(errorOf(() => [...weft.data.batches([x, [1, 2, 3]])])).toBeInstanceOf(weft.ShapeError);
    expect(weft.memory().tensors).toBe(before);
    expect(new nn.Flatten().forward(weft.zeros([0, 3, 2])).shape).toEqual([0, 6]);
  });

  it("leave nothing behind when they are made", () => {
    const before = weft.memory().tensors;
    const layer = new nn.Linear(3, 4);
    expect(weft.memory().tensors).toBe(before + 2);
    layer.dispose();
    expect(weft.memory().tensors).toBe(before);
  });

  it("are differentiated whole, their gradient nested as they are", async () => {
    const model = new nn.Sequential(new nn.ReLU(), new nn.Linear(2, 1));
    const [, g] = valueAndGrad((m: nn.Sequential, x: Tensor) => m.forward(x).sum())(model, tensor([[1, 2], [3, 4]]));
    const { layers } = g as unknown as { layers: { weight: Tensor; bias: Tensor }[] };
    expect(layers).toHaveLength(2);
    expect(await (layers[1]?.weight as Tensor).array()).toEqual([[4, 6]]);
    expect(await (layers[1]?.bias as Tensor).array()).toEqual([2]);
  });

  it("are differentiated by a list of parameters that the function closes over", async () => {
    const model = new nn.Linear(2, 1, { bias: false });
    const g = grad((_: weft.Parameter[], x: Tensor) => model.forward(x).sum())(model.parameters(), tensor([[1, 2]]));
    expect(await (g[0] as Tensor).array()).toEqual([[1, 2]]);
    expect(await values(model.weight)).toHaveLength(2);
  });

  it("drop elements in training only", async () => {
    const layer = new nn.Dropout(0.5);
    const x = weft.ones([1000]);
    const dropped = await values(layer.forward(x));
    expect(new Set(dropped)).toEqual(new Set([0, 2]));
    layer.eval();
    expect(layer.forward(x)).toBe(x);
  });
});

describe("parameters", () => {
  it("are assigned, and mean what they hold", async () => {
    const p = new weft.Parameter([1, 2]);
    const before = p.mul(2);
    p.assign([3, 4]);
    expect(await values(p)).toEqual([3, 4]);
    expect(await values(p.mul(2))).toEqual([6, 8]);
    expect(await values(before)).toEqual([2, 4]);
    expect(errorOf(() => p.assign([1]))).toBeInstanceOf(weft.ShapeError);
    expect(errorOf(() => p.assign(tensor([1, 2], { dtype: "i32" })))).toBeInstanceOf(weft.DTypeError);
    expect(String(p)).toBe("Parameter f32[2]");
  });

  it("outlive scopes", async () => {
    const p = weft.tidy(() => ({ p: new weft.Parameter([1]) })).p;
    let q: weft.Parameter | undefined;
    weft.tidy(() => {
      q = new weft.Parameter([2]);
    });
    expect(await values(weft.add(p, q as Tensor))).toEqual([3]);
  });

  it("hold what they held, whatever became of a function that was differentiated by them", async () => {
    const [p, q] = [new weft.Parameter([2]), new weft.Parameter([5])];
    const held = async () => [...(await values(p)), ...(await values(q))];
    const before = weft.memory().tensors;
    const fails = (_: Tensor[]): Tensor => {
      throw new Error("no");
    };
    expect(errorOf(() => grad(fails)([p, q])).message).toBe("no");
    expect(errorOf(() => grad((_: Tensor[]) => q.mul([1, 2]))([p, q]))).toBeInstanceOf(weft.ShapeError);
    const whole = new weft.Parameter(tensor([1], { dtype: "i32" }));
    expect(errorOf(() => grad((_: Tensor[]) => p.sum())([p, whole, q]))).toBeInstanceOf(weft.DTypeError);
    whole.dispose();
    expect(await held()).toEqual([2, 5]);
    // One that throws within another, of some of the same.
    const outer = grad((_: Tensor[]) => {
      expect(errorOf(() => grad(fails)([q])).message).toBe("no");
      return p.mul(q).sum();
    });
    expect(await Promise.all(outer([p, q]).map(async (g) => (await values(g))[0]))).toEqual([5, 2]);
    expect(await held()).toEqual([2, 5]);
    // Assigned within, and thrown then: that stays, and the other comes back.
    expect(errorOf(() => grad((all: Tensor[]) => (p.assign([7]), fails(all)))([p, q])).message).toBe("no");
    expect(await held()).toEqual([7, 5]);
    expect(weft.memory().tensors).toBeLessThanOrEqual(before + 2);
  });

  it("stand among tensors and numbers, each for what it is", async () => {
    const [p, q] = [new weft.Parameter([2]), new weft.Parameter([5])];
    const f = grad((all: { a: Tensor; p: weft.Parameter; n: Tensor | number; again: weft.Parameter; q: weft.Parameter; b: Tensor }) =>
      all.a.mul(2).add(all.p.mul(3)).add(weft.mul(all.n as Tensor, 5)).add(all.q.mul(7)).add(all.b.mul(11)).sum());
    const g = f({ a: tensor([1]), p, n: 1, again: p, q, b: tensor([1]) });
    const slopes = await Promise.all([g.a, g.p, g.n, g.again, g.q, g.b].map(async (x) => (await values(x as Tensor))[0]));
    expect(slopes).toEqual([2, 3, 5, 3, 7, 11]);
    const [, tangent] = weft.jvp((x: Tensor, p: weft.Parameter, y: Tensor) => x.mul(2).add(p.mul(3)).add(y.mul(5)), [tensor([1]), p, tensor([1])], [tensor([1]), tensor([10]), tensor([100])]);
    expect(await values(tangent as Tensor)).toEqual([532]);
  });
});

describe("optimizers", () => {
  it("step as PyTorch's SGD", async () => {
    const p = new weft.Parameter([1, 2]);
    const optimizer = optim.sgd([p], { lr: 0.1, momentum: 0.9, weightDecay: 0.5 });
    for (let i = 0; i < 2; i++) optimizer.step([tensor([1, 1])]);
    // v = 1.5, p = 0.85; v = 0.9·1.5 + 1.425 = 2.775, p = 0.5725.
    expect((await values(p))[0]).toBeCloseTo(0.5725, 5);
    optimizer.lr = 0;
    expect(optimizer.lr).toBe(0);
    optimizer.step([tensor([1, 1])]);
    expect((await values(p))[0]).toBeCloseTo(0.5725, 5);
  });

  it("step as PyTorch's Adam", async () => {
    const p = new weft.Parameter([1, 2]);
    const optimizer = optim.adam(p, { lr: 0.1 });
    optimizer.step(tensor([3, -5]));
    const [a, b] = await values(p);
    expect(a).toBeCloseTo(0.9, 5);
    expect(b).toBeCloseTo(2.1, 5);
  });

  it("leave losses to be read, and used, later", async () => {
    const p = new weft.Parameter([4]);
    const optimizer = optim.sgd(p, { lr: 0.25 });
    const lossOf = valueAndGrad((p: weft.Parameter) => p.square().sum());
    const step = () => {
      const [loss, g] = lossOf(p);
      optimizer.step(g);
      return loss;
    };
    const losses = [step(), step(), step()];
    const [first, second] = losses as [Tensor, Tensor];
    expect([first.shape, first.dtype]).toEqual([[], "f32"]);
    expect(await first.add(second).item()).toBe(16 + 4);
    const scaled = jit((x: Tensor) => x.mul(first));
    expect(await scaled(tensor(2)).item()).toBe(32);
    const captured = jit(step);
    losses.push(captured(), captured());
    expect(await scaled(tensor(2)).item()).toBe(32);
    expect(await weft.stack(losses).array()).toEqual([16, 4, 1, 1 / 4, 1 / 16]);
    expect(await Promise.all(losses.map((loss) => loss.item()))).toEqual([16, 4, 1, 1 / 4, 1 / 16]);
    // Read values are held here alone; they come back when they are needed.
    expect(await weft.stack(losses).sum().item()).toBe(21.3125);
    expect(await grad((x: Tensor) => x.mul(first))(tensor(3)).item()).toBe(16);
  });

  it("take modules, and free the gradients", async () => {
    const model = new nn.Linear(2, 1);
    const optimizer = optim.sgd(model, { lr: 0.5 });
    expect(optimizer.parameters.every((parameter, i) => parameter === model.parameters()[i])).toBe(true);
    const start = await values(model.weight);
    const g = grad((m: nn.Linear) => m.forward(tensor([[1, 2]])).sum())(model);
    const before = weft.memory().tensors;
    optimizer.step(g);
    expect(weft.memory().tensors).toBe(before - 2);
    const end = await values(model.weight);
    [0.5, 1].forEach((expected, i) => expect((start[i] as number) - (end[i] as number)).toBeCloseTo(expected, 5));
  });

  it("refuse what does not fit", () => {
    expect(errorOf(() => optim.sgd([]))).toBeInstanceOf(weft.ValueError);
    expect(errorOf(() => optim.sgd([tensor([1])]))).toBeInstanceOf(weft.ValueError);
    const optimizer = optim.sgd([new weft.Parameter([1])]);
    expect(errorOf(() => optimizer.step([tensor([1, 2])]))).toBeInstanceOf(weft.ShapeError);
    expect(errorOf(() => optimizer.step([])).message).toBe("step: trees are matched by name, but parameters is a list of 1, and gradients is a list of 0");
    expect(errorOf(() => (optimizer.lr = NaN))).toBeInstanceOf(weft.ValueError);
    expect(errorOf(() => optim.sgd([new weft.Parameter([1])], { momentum: -1 }))).toBeInstanceOf(weft.ValueError);
    expect(errorOf(() => optim.adam([new weft.Parameter([1])], { betas: [2, 0] }))).toBeInstanceOf(weft.ValueError);
  });
});

describe("jit", () => {
  it("runs the function once per form of its arguments", async () => {
    let traces = 0;
    const f = jit((x: Tensor, o: { k: number }) => {
      traces++;
      return { y: x.mul(o.k as never), n: 5 };
    });
    const a = f(tensor([1, 2]), { k: 2 });
    expect(await values(a.y)).toEqual([2, 4]);
    expect(a.n).toBe(5);
    expect(await values(f(tensor([3, 4]), { k: 10 }).y)).toEqual([30, 40]);
    expect(traces).toBe(1);
    f(tensor([1, 2, 3]), { k: 2 });
    f(tensor([1, 2], { dtype: "i32" }), { k: 2 });
    expect(traces).toBe(3);
  });

  it("tells arguments apart that look like those of the last call but for one thing", async () => {
    let traces = 0;
    const f = jit((x: weft.Operand, list: readonly weft.Operand[]) => {
      traces++;
      return list.reduce((sum: Tensor, one) => sum.add(one), weft.add(x, 0)).mul(2);
    });
    const [x, y] = [tensor([1, 2]), tensor([3, 4])];
    const weight = new weft.Parameter([5, 6]);
    const calls: [weft.Operand, readonly weft.Operand[], number[]][] = [
      [x, [y], [8, 12]],
      [y, [x], [8, 12]],
      [x, [], [2, 4]],
      [x, [y, y], [14, 20]],
      [x, [weight], [12, 16]],
      [x, [10], [22, 24]],
      [10, [x], [22, 24]],
      [x, [tensor([1, 2], { dtype: "i32" })], [4, 8]],
    ];
    // Each after each, and after itself.
    for (const first of calls) {
      for (const [a, list, expected] of [...calls.flatMap((second) => [first, second]), first, first]) {
        expect(await values(f(a, list))).toEqual(expected);
      }
    }
    expect(traces).toBe(7);
    x.dispose();
    expect(errorOf(() => f(x, [y]))).toBeInstanceOf(weft.DisposedError);
  });

  it("captures static arguments anew, and leaves them numbers", async () => {
    const traced: number[] = [];
    const f = jit(
      (x: Tensor, n: number) => {
        traced.push(n);
        return x.mul(n);
      },
      { static: 1 },
    );
    expect(await f(tensor(2), 3).item()).toBe(6);
    expect(await f(tensor(2), 3).item()).toBe(6);
    expect(await f(tensor(2), 4).item()).toBe(8);
    expect(traced).toEqual([3, 4]);
  });

  it("makes parameters, optimizers and random state part of the call", async () => {
    const p = new weft.Parameter([1]);
    const optimizer = optim.sgd([p], { lr: 1 });
    const step = jit((x: Tensor) => {
      const [value, g] = valueAndGrad((p: weft.Parameter) => p.mul(x).sum())(p);
      optimizer.step([g]);
      return value;
    });
    expect(await step(tensor([1])).item()).toBe(1);
    expect(await values(p)).toEqual([0]);
    expect(await step(tensor([2])).item()).toBe(0);
    expect(await values(p)).toEqual([-2]);
    optimizer.lr = 0.5;
    step(tensor([2]));
    expect(await values(p)).toEqual([-3]);

    const draw = jit(() => weft.random.uniform([4]));
    expect(await values(draw())).not.toEqual(await values(draw()));
  });

  it("gives modules back as they are, and follows a new seed", async () => {
    const model = new nn.Linear(1, 1);
    expect(jit((m: nn.Linear) => m)(model)).toBe(model);
    const draw = jit(() => weft.random.bits([2]));
    const drawn = async () => {
      weft.random.seed(1);
      return (await draw().array()) as number[];
    };
    const first = await drawn();
    expect(await drawn()).toEqual(first);
    weft.random.seed(1);
    expect(await weft.random.bits([2]).array()).toEqual(first);
  });

  it("goes with its captures when it is collected, as optimizers do with their state", async () => {
    const before = weft.memory().bytes;
    (() => {
      for (let i = 0; i < 20; i++) {
        const model = new nn.Linear(100, 100);
        const adam = optim.adam(model);
        const step = jit(() => {
          const [loss, g] = valueAndGrad((m: nn.Linear) => m.forward(weft.ones([1, 100])).sum())(model);
          adam.step(g);
          return loss;
        });
        step().dispose();
      }
    })();
    expect(weft.memory().bytes - before).toBeGreaterThan(20 * 3 * 40_000);
    for (let turn = 0; turn < 20 && weft.memory().bytes - before > 100_000; turn++) {
      await collect();
      await tensor([1]).add(1).data();
    }
    expect(weft.memory().bytes - before).toBeLessThan(20 * 3 * 40_000 / 4);
  });

  it("frees donated arguments", async () => {
    const f = jit((x: Tensor) => x.add(1), { donate: 0 });
    let x = tensor([1, 2]);
    for (let i = 0; i < 3; i++) {
      const next = f(x);
      expect(x.disposed).toBe(true);
      x = next;
    }
    expect(await values(x)).toEqual([4, 5]);
  });

  it("gives results their own shapes and types, whichever form was called before", async () => {
    const f = jit((x: Tensor) => [x.sum(), x.greater(1), x] as const);
    for (const data of [[1, 2], [1, 2, 3], [4, 0], [[5]]]) {
      const [sum, more, same] = f(tensor(data));
      expect([sum.shape, more.shape, same.shape]).toEqual([[], tensor(data).shape, tensor(data).shape]);
      expect([sum.dtype, more.dtype]).toEqual(["f32", "bool"]);
      expect(await f(same)[2].array()).toEqual(data);
    }
  });

  it("is the plain function inside grad and jit", async () => {
    const square = jit((x: Tensor) => x.square().sum());
    expect(await values(grad(square)(tensor([1, 2])))).toEqual([2, 4]);
    expect(await jit((x: Tensor) => square(x).mul(2))(tensor([1, 2])).item()).toBe(10);
    const scaled = jit((x: Tensor, k: number) => x.mul(k).sum());
    expect(await values(grad(scaled)(tensor([1, 2]), 3))).toEqual([3, 3]);
  });

  it("refuses to read, to wait, and to branch on a tensor", async () => {
    expect(errorOf(() => jit(async (x: Tensor) => x))).toBeInstanceOf(weft.TraceError);
    expect(errorOf(() => jit(((x: Tensor) => Promise.resolve(x)) as never)(tensor(1) as never))).toBeInstanceOf(weft.TraceError);
    const reads = (read: (x: Tensor) => unknown) => errorOf(() => jit((x: Tensor) => (read(x), x))(tensor(1)));
    expect(reads((x) => x.item())).toBeInstanceOf(weft.TraceError);
    expect(reads((x) => x.data()).message).toContain("inside jit a tensor has no value");
    expect(errorOf(() => jit((x: Tensor) => ((x as unknown as number) > 0 ? x : x.neg()))(tensor(1)))).toBeInstanceOf(weft.TraceError);
    // A trace that failed leaves nothing open.
    expect(await jit((x: Tensor) => x.add(1))(tensor(1)).item()).toBe(2);
  });

  it("tells lists with holes from shorter ones", async () => {
    const last = weft.jit((list: readonly (number | undefined)[]) => weft.add(list.at(-1) ?? 0, list.length));
    expect(await last([5]).item()).toBe(6);
    expect(await last([, 5]).item()).toBe(7);
    expect(await last([undefined, 5]).item()).toBe(7);
  });

  it("refuses what is no function", () => {
    for (const transform of [jit, grad, weft.valueAndGrad, weft.valueAndGradAux, weft.tidy]) {
      const error = errorOf(() => (transform as (fn: unknown) => unknown)(5));
      expect(error).toBeInstanceOf(weft.ValueError);
      expect(error.message).toContain("takes a function, got number");
    }
  });

  it("leaves no tensors but its results", () => {
    const f = jit((x: Tensor) => x.mul(2).add(1).tanh());
    const x = tensor([1, 2]);
    f(x).dispose();
    const before = weft.memory().tensors;
    f(x).dispose();
    expect(weft.memory().tensors).toBe(before);
  });
});

describe("training", () => {
  it("learns xor", async () => {
    weft.random.seed(1);
    const model = new nn.Sequential(new nn.Linear(2, 16), new nn.Tanh(), new nn.Linear(16, 2));
    const optimizer = optim.adam(model, { lr: 0.05 });
    const x = tensor([[0, 0], [0, 1], [1, 0], [1, 1]]);
    const y = tensor([0, 1, 1, 0], { dtype: "i32" });
    const lossOf = valueAndGrad((m: nn.Sequential) => nn.crossEntropy(m.forward(x), y));
    const step = jit(() => {
      const [loss, gradients] = lossOf(model);
      optimizer.step(gradients);
      return loss;
    });
    let loss = step();
    for (let i = 0; i < 100; i++) loss = step();
    expect(await loss.item()).toBeLessThan(0.05);
    expect(await values(model.forward(x).argmax(1))).toEqual([0, 1, 1, 0]);
  });
});
