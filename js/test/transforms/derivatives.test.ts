// Directional derivatives, Jacobians, Hessians, custom derivatives and checkpoints.

import { beforeAll, describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { checkpoint, conv, convTranspose, convolve, customJvp, customVjp, fft, grad, hessian, jacfwd, jacrev, jit, jvp, linalg, linearize, memory, nn, ones, random, sort, stopGradient, tensor, valueAndGrad, vjp, vmap, zeros, type Tensor } from "../../src/index.js";
import { errorOf, onCpu, values } from "../support/cpu.js";

onCpu();

const cube = (x: Tensor) => x.pow(3);
const near = (found: number[], expected: number[]) => found.forEach((value, i) => expect(value).toBeCloseTo(expected[i] as number, 4));

describe("jvp", () => {
  it("gives derivatives along a direction, of trees and of numbers", async () => {
    const f = (p: { w: Tensor; b: Tensor }, x: Tensor | number) => [p.w.mul(x), { sum: p.b.add(p.w).sum(), same: 7 }] as const;
    const [outputs, derivatives] = jvp(f, [{ w: tensor([1, 2]), b: tensor([3, 4]) }, 5], [{ w: [1, 0], b: tensor([0, 2]) }, 10]);
    expect(await values(outputs[0])).toEqual([5, 10]);
    expect(await values(derivatives[0])).toEqual([5 + 10, 20]);
    expect(await derivatives[1].sum.item()).toBe(3);
    expect(derivatives[1].same).toBe(7);
  });

  it("goes through modules, whose tangents are trees of their parameters", async () => {
    const layer = new nn.Linear(2, 1);
    layer.weight.assign(layer.weight.mul(0).add(1));
    const x = tensor([[2, 3]]);
    const along = grad((m: nn.Linear) => m.forward(x).sum())(layer);
    const [, derivative] = jvp((m: nn.Linear) => m.forward(x).sum(), [layer], [along]);
    // The gradient along itself: 2² + 3² + 1².
    expect(await derivative.item()).toBe(14);
  });

  it("is zero where nothing depends on the arguments, and nothing for whole numbers", async () => {
    const [, d] = jvp((x: Tensor) => [tensor([1, 2]), x.argmax(0), x.floor()] as const, [tensor([1.5, 2])], [[1, 1]]);
    expect(await Promise.all([d[0], d[2]].map(values))).toEqual([[0, 0], [0, 0]]);
    expect(d[1]).toBeNull();
  });

  it("refuses tangents of another form or shape, and what has no tangent", () => {
    expect(errorOf(() => jvp(cube, [tensor([1, 2])], []))).toBeInstanceOf(weft.ValueError);
    expect(errorOf(() => jvp(cube, [tensor([1, 2])], [[1, 2, 3]]))).toBeInstanceOf(weft.ShapeError);
    expect(errorOf(() => jvp(cube, [tensor([1, 2], { dtype: "i32" })], [[1, 2]]))).toBeInstanceOf(weft.DTypeError);
    expect(errorOf(() => jvp((x: Tensor) => x, [tensor(1)], [null])).message).toBe("jvp: tangents[0] is missing");
    expect(errorOf(() => jvp((async (x: Tensor) => x) as unknown as typeof cube, [tensor([1])], [[1]]))).toBeInstanceOf(weft.TraceError);
  });
});

describe("token ids beside weights", () => {
  let table: Tensor;
  let ids: Tensor;
  beforeAll(() => {
    table = tensor([[1, 2], [3, 4], [5, 6]]).keep();
    ids = tensor([2, 0], { dtype: "i32" }).keep();
  });
  /** The rows that are looked up, and which of their columns is larger. */
  const f = ({ ids, table }: { ids: Tensor; table: Tensor }) => {
    const rows = table.square().take(ids, 0);
    return { rows, larger: rows.argmax(1), flag: rows.greater(3) };
  };

  it("have no tangent, and none comes of them", async () => {
    const tangents = [{ ids: null, table: [[1, 0], [0, 0], [0, 1]] }];
    const [outputs, d] = jvp(f, [{ ids, table }], tangents);
    expect(await values(outputs.larger)).toEqual([1, 1]);
    expect(await d.rows.array()).toEqual([[0, 12], [2, 0]]);
    expect([d.larger, d.flag]).toEqual([null, null]);
    const [, push] = linearize(f, [{ ids, table }]);
    expect(await push(...tangents).rows.array()).toEqual([[0, 12], [2, 0]]);
    expect(errorOf(() => jvp(f, [{ ids, table }], [{ ids: [1, 1], table }])).message).toBe("jvp: args[0].ids is i32[2], which has no derivative: its tangent is null");
  });

  it("come once from vmap, where outAxes is null", async () => {
    const shared = vmap((x: Tensor) => [x.mul(2), table.sum()] as const, { outAxes: [0, null] })(tensor([1, 2, 3]));
    expect([await values(shared[0]), shared[1].shape, await shared[1].item()]).toEqual([[2, 4, 6], [], 21]);
    const refused = errorOf(() => vmap((x: Tensor) => x.mul(2), { outAxes: null })(tensor([1, 2])));
    expect(refused).toBeInstanceOf(weft.ValueError);
    expect(refused.message).toBe("vmap: outAxes is null for f32[2], in which members differ");
  });

  it("have no gradient, and need no cotangent", async () => {
    const cotangents = { rows: tensor([[1, 0], [0, 1]]), larger: null, flag: null };
    const [, gradients] = vjp(f, [{ ids, table }], cotangents as never);
    expect(gradients[0].ids).toBeNull();
    expect(await gradients[0].table.array()).toEqual([[0, 4], [0, 0], [10, 0]]);
    const [, pull] = vjp(f, [{ ids, table }]);
    expect(await pull(cotangents as never)[0].table.array()).toEqual([[0, 4], [0, 0], [10, 0]]);
    const [whole, none] = vjp((x: Tensor) => x.add(1), [ids], null as never);
    expect([await values(whole), none]).toEqual([[3, 1], [null]]);
    expect(errorOf(() => grad((x: Tensor) => x.sum())(ids))).toBeInstanceOf(weft.DTypeError);
  });
});

describe("refusals", () => {
  it("name the function that was called", () => {
    const ids = tensor([1, 2], { dtype: "i32" });
    const two = (x: Tensor) => [x, x] as unknown as Tensor;
    const while2 = (x: Tensor) => weft.whileLoop((y: Tensor) => y.less(9), (y) => y.mul(2), x).sum();
    const x = tensor(1);
    const calls: Record<string, (() => unknown)[]> = {
      grad: [() => grad((x: Tensor) => x.sum())(ids), () => grad((x: Tensor) => x)(tensor([1, 2])), () => grad(two)(x), () => grad(while2)(x)],
      valueAndGrad: [() => valueAndGrad((x: Tensor) => x.sum())(ids), () => valueAndGrad((x: Tensor) => x)(tensor([1, 2])), () => valueAndGrad(while2)(x)],
      valueAndGradAux: [() => weft.valueAndGradAux((x: Tensor) => [x, x] as const)(tensor([1, 2])), () => weft.valueAndGradAux((x: Tensor) => [while2(x), x] as const)(x)],
      vjp: [() => vjp((x: Tensor) => x, [tensor([1, 2])], tensor([1, 2, 3])), () => vjp((x: Tensor) => x, [tensor([1, 2])])[1](tensor([1, 2, 3])), () => vjp(while2, [x], 1)],
      vjpAux: [() => weft.vjpAux((x: Tensor) => [x, x] as const, [tensor([1, 2])], tensor([1, 2, 3])), () => weft.vjpAux((x: Tensor) => [x, x] as const, [tensor([1, 2])])[1](tensor([1, 2, 3]))],
      jvp: [() => jvp((x: Tensor) => x, [tensor([1, 2])], [[1, 2, 3]])],
      linearize: [() => linearize((x: Tensor) => x, [tensor([1, 2])])[1]([1, 2, 3])],
      jacfwd: [() => jacfwd((x: Tensor) => x.argmax(0))(tensor([1, 2])), () => jacfwd((x: Tensor) => x)(ids)],
      jacrev: [() => jacrev((x: Tensor) => x.argmax(0))(tensor([1, 2])), () => jacrev((x: Tensor) => x)(ids), () => jacrev(while2)(x)],
      hessian: [() => hessian((x: Tensor) => x.argmax(0))(tensor([1, 2])), () => hessian((x: Tensor) => x)(ids), () => hessian(while2)(x)],
    };
    for (const [name, all] of Object.entries(calls)) {
      for (const [n, call] of all.entries()) expect([n, (errorOf(call) as weft.WeftError).op]).toEqual([n, name]);
    }
  });
});

describe("linearize", () => {
  it("runs the function once, for any number of tangents", async () => {
    let runs = 0;
    const f = (x: Tensor, y: Tensor) => (runs++, { p: x.mul(y), q: y.sin() });
    const [outputs, push] = linearize(f, [tensor([1, 2]), tensor([3, 4])]);
    expect(await values(outputs.p)).toEqual([3, 8]);
    expect(await values(push([1, 0], [0, 0]).p)).toEqual([3, 0]);
    expect(await values(push([0, 0], [1, 1]).p)).toEqual([1, 2]);
    near(await values(push([5, 5], [1, 1]).q), [Math.cos(3), Math.cos(4)]);
    expect(runs).toBe(1);
    expect(errorOf(() => push([1, 0]))).toBeInstanceOf(weft.ValueError);
  });

  it("can be batched, and differentiated", async () => {
    const [, push] = linearize(cube, [tensor([1, 2])]);
    expect(await vmap(push)(tensor([[1, 0], [0, 1]])).array()).toEqual([[3, 0], [0, 12]]);
    expect(await values(grad((t: Tensor) => push(t).sum())(tensor([7, 7])))).toEqual([3, 12]);
    expect(await values(grad((x: Tensor) => linearize(cube, [x])[1](x).sum())(tensor([1, 2])))).toEqual([9, 36]);
  });
});

describe("vmap", () => {
  it("of no members gives none, and does not ask how many there are", async () => {
    const none = zeros([0, 1, 2, 6]);
    const kernel = ones([4, 2, 3]);
    const functions: Record<string, (x: Tensor) => Tensor> = {
      "conv of members": (x) => conv(x, kernel),
      "conv by members": (x) => conv(ones([1, 2, 6]), x.slice(null, null, [0, 3])),
      "conv of members by members": (x) => conv(x, x.slice(null, null, [0, 3])),
      "grouped conv": (x) => conv(x, ones([4, 1, 3]), { groups: 2 }),
      "conv of batch groups": (x) => conv(x.reshape([2, 1, 6]), ones([4, 1, 3]), { batchGroups: 2 }),
      convTranspose: (x) => convTranspose(x, ones([2, 3, 2]), { stride: 2 }),
      convolve: (x) => convolve(x.slice(0, 0), x.slice(0, 1)),
      "gradient of conv": (x) => grad((x: Tensor) => conv(x, kernel).square().sum())(x),
      "gradient of a pool": grad((x: Tensor) => nn.maxPool1d(x, 2).sum()),
      "vmap of conv": vmap((x: Tensor) => conv(x.expandDims(0), kernel)),
      fft: (x) => fft.fft(x).re,
      solve: (x) => linalg.solve(x.slice(0).matmul(x.slice(0).transpose()), [1, 2]),
      sort: (x) => sort(x),
      update: (x) => x.at(":", [1, 1]).add(x),
    };
    for (const [name, f] of Object.entries(functions)) {
      const member = f(ones([1, 2, 6]));
      for (const mapped of [vmap(f), jit(vmap(f)), (x: Tensor) => grad((x: Tensor) => vmap(f)(x).sum())(x)]) {
        const found = mapped(none);
        expect([name, found.size, await values(found)]).toEqual([name, 0, []]);
      }
      expect([name, ...vmap(f)(none).shape]).toEqual([name, 0, ...member.shape]);
    }
  });

  it("maps over axes of trees, and shares the rest", async () => {
    const f = (p: { w: Tensor; b: Tensor }, x: Tensor) => ({ y: p.w.matmul(x).add(p.b), n: p.b });
    const w = tensor([[1, 2], [3, 4]]);
    const b = tensor([[1, 10], [2, 20], [3, 30]]);
    const x = tensor([[1, 0, 1], [0, 1, 1]]);
    const { y, n } = vmap(f, { inAxes: [{ w: null, b: 0 }, 1], outAxes: { y: 1, n: 0 } })({ w, b }, x);
    expect(await y.array()).toEqual([[2, 4, 6], [13, 24, 37]]);
    expect(await n.array()).toEqual(await b.array());
    const shared = vmap((x: Tensor) => [x.sum(), tensor([5, 6])], { inAxes: -1 })(x) as Tensor[];
    expect(await (shared[0] as Tensor).array()).toEqual([1, 1, 2]);
    expect(await (shared[1] as Tensor).array()).toEqual([[5, 6], [5, 6], [5, 6]]);
  });

  it("indexes for each member", async () => {
    const table = tensor([[1, 2, 3], [4, 5, 6]]);
    const at = tensor([[2, 0], [1, 1]], { dtype: "i32" });
    expect(await vmap((t: Tensor, i: Tensor) => t.take(i))(table, at).array()).toEqual([[3, 1], [5, 5]]);
    const put = (t: Tensor, i: Tensor) => t.at(i).add([10, 100]);
    expect(await vmap(put)(table, at).array()).toEqual([[101, 2, 13], [4, 115, 6]]);
    const gradient = grad((t: Tensor, i: Tensor) => t.take(i).square().sum());
    expect(await vmap(gradient)(table, at).array()).toEqual([[2, 0, 6], [0, 20, 0]]);
  });

  it("nests with everything, in any order", async () => {
    const x = tensor([1, 2, 3]);
    const f = (x: Tensor) => x.pow(3);
    expect(await values(vmap(grad(f))(x))).toEqual([3, 12, 27]);
    expect(await values(grad((x: Tensor) => vmap(f)(x).sum())(x))).toEqual([3, 12, 27]);
    expect(await values(vmap(grad(grad(f)))(x))).toEqual([6, 12, 18]);
    expect(await vmap((a: Tensor) => vmap((b: Tensor) => a.mul(b))(x))(x).array()).toEqual([[1, 2, 3], [2, 4, 6], [3, 6, 9]]);
    expect(await values(jit((x: Tensor) => vmap(grad(f))(x))(x))).toEqual([3, 12, 27]);
    expect(await values(vmap(jit((x: Tensor) => grad(f)(x)))(x))).toEqual([3, 12, 27]);
    expect(await values(vmap((x: Tensor) => jvp(f, [x], [1])[1])(x))).toEqual([3, 12, 27]);
    expect(await values(jvp(vmap(f), [x], [[1, 1, 1]])[1])).toEqual([3, 12, 27]);
    // Forward over reverse, and reverse over forward.
    expect(await values(jvp((x: Tensor) => vjp(f, [x], weft.onesLike(x))[1][0], [x], [[1, 1, 1]])[1])).toEqual([6, 12, 18]);
    expect(await values(vjp((x: Tensor) => jvp(f, [x], [[1, 1, 1]])[1], [x], weft.onesLike(x))[1][0])).toEqual([6, 12, 18]);
    const [value, gradient] = jit(vmap(valueAndGrad(f)))(x);
    expect([await values(value), await values(gradient)]).toEqual([[1, 8, 27], [3, 12, 27]]);
  });

  it("draws for each member, by keys that are batched and from the generator", async () => {
    const keys = random.split(random.key(3), 4);
    const drawn = vmap((key: Tensor) => random.normal(key, [2]))(keys);
    const [, second] = [...keys];
    expect(await (drawn.slice(1)).array()).toEqual(await random.normal(second as Tensor, [2]).array());
    const noisy = () => vmap((x: Tensor) => x.add(random.uniform([])))(tensor([0, 0, 0]));
    random.seed(1);
    const found = await values(noisy());
    expect(new Set(found).size).toBe(3);
    random.seed(1);
    expect(await values(noisy())).toEqual(found);
    expect(await values(noisy())).not.toEqual(found);
    const table = await values(vmap((_: Tensor) => noisy())(tensor([0, 0])));
    expect(new Set(table).size).toBe(6);
  });

  it("tells what is wrong, and leaves nothing behind", async () => {
    const x = tensor([[1, 2], [3, 4]]);
    const before = memory().tensors;
    const wrong: [() => unknown, unknown][] = [
      [() => vmap((x: Tensor) => x, { inAxes: 2 })(x), weft.AxisError],
      [() => vmap((x: Tensor) => x, { outAxes: 5 })(x), weft.AxisError],
      [() => vmap((x: Tensor, y: Tensor) => x.add(y))(x, weft.ones([3])), weft.ShapeError],
      [() => vmap((x: Tensor) => x)(weft.tensor(1)), weft.ShapeError],
      [() => vmap((x: Tensor, n: number) => x.mul(n))(x, 2), weft.ShapeError],
      [() => vmap((x: Tensor) => x, { inAxes: null })(x), weft.ValueError],
      [() => vmap((x: Tensor) => x, { inAxes: [0, 0] })(x), weft.ValueError],
      [() => vmap((x: Tensor) => x, { inAxes: 0.5 })(x), weft.ValueError],
      [() => vmap((x: Tensor) => x, { inaxes: 0 } as object)(x), weft.ValueError],
      [() => vmap((async (x: Tensor) => x) as unknown as typeof cube)(x), weft.TraceError],
      [() => vmap((x: Tensor) => (x.sum().item(), x))(x), weft.TraceError],
      [() => vmap((x: Tensor) => (new weft.Parameter([0, 0]).assign(x), x))(x), weft.TraceError],
      [() => vmap((x: Tensor) => (x.sum() as unknown as number) > 0 && x)(x), weft.TraceError],
      [() => vmap(5 as unknown as typeof cube), weft.ValueError],
    ];
    for (const [call, type] of wrong) expect(errorOf(call), String(call)).toBeInstanceOf(type);
    expect(memory().tensors - before).toBeLessThanOrEqual(6);
    const inner = errorOf(() => vmap((x: Tensor) => (void x.data(), x))(x));
    expect(inner.message).toContain("inside vmap");
    // Afterwards values can be read again.
    expect(await values(vmap((x: Tensor) => x.sum())(x))).toEqual([3, 7]);
  });

  it("lets no tensor of a member be read later", async () => {
    let leaked: Tensor | undefined;
    vmap((x: Tensor) => (leaked = x.mul(2).keep()).add(1))(tensor([1, 2]));
    await expect((leaked as Tensor).data()).rejects.toBeInstanceOf(weft.TraceError);
    leaked?.dispose();
  });
});

describe("Jacobians", () => {
  it("agree by both modes, of trees", async () => {
    const f = (p: { a: Tensor; b: Tensor }) => ({ y: p.a.mul(p.b.sum()), z: p.b.square() });
    const p = { a: tensor([[1, 2]]), b: tensor([3, 4, 5]) };
    for (const jacobian of [jacfwd(f)(p), jacrev(f)(p)]) {
      expect(jacobian.y.a.shape).toEqual([1, 2, 1, 2]);
      expect(await jacobian.y.a.array()).toEqual([[[[12, 0]], [[0, 12]]]]);
      expect(await jacobian.y.b.array()).toEqual([[[1, 1, 1], [2, 2, 2]]]);
      expect(await jacobian.z.a.array()).toEqual([[[0, 0]], [[0, 0]], [[0, 0]]]);
      expect(await jacobian.z.b.array()).toEqual([[6, 0, 0], [0, 8, 0], [0, 0, 10]]);
    }
    const [a, b] = jacfwd((a: Tensor, b: Tensor) => a.mul(b), { argnums: [0, 1] })(tensor([1, 2]), tensor([3, 4]));
    expect([await a.array(), await b.array()]).toEqual([[[3, 0], [0, 4]], [[1, 0], [0, 2]]]);
    expect(errorOf(() => jacrev((x: Tensor) => x.argmax(0))(tensor([1, 2])))).toBeInstanceOf(weft.DTypeError);
  });

  it("of Jacobians are Hessians", async () => {
    const f = (x: Tensor) => x.slice(0).pow(2).mul(x.slice(1)).add(x.slice(2).sin());
    const x = tensor([1, 2, 3]);
    const expected = [4, 2, 0, 2, 0, 0, 0, 0, -Math.sin(3)];
    for (const h of [hessian(f)(x), jacrev(jacfwd(f))(x), jacrev(grad(f))(x), jacfwd(grad(f))(x), jit(hessian(f))(x)]) {
      near(await values(h), expected);
    }
    const rows = vmap(hessian(f))(tensor([[1, 2, 3], [0, 0, 0]]));
    expect(rows.shape).toEqual([2, 3, 3]);
    near((await values(rows)).slice(0, 9), expected);
  });
});

describe("stopGradient", () => {
  it("stops every mode, in every nesting", async () => {
    const f = (x: Tensor) => x.mul(stopGradient(x));
    const x = tensor([1, 2]);
    expect(await values(vmap(grad(f))(x))).toEqual([1, 2]);
    expect(await values(grad((x: Tensor) => vmap(f)(x).sum())(x))).toEqual([1, 2]);
    expect(await values(jvp(f, [x], [[1, 1]])[1])).toEqual([1, 2]);
    const tree = stopGradient({ a: [x], b: 3 });
    expect([await values(tree.a[0] as Tensor), tree.b]).toEqual([[1, 2], 3]);
  });
});

describe("checkpoint", () => {
  it("changes no value and no derivative, with parameters and trees", async () => {
    const layer = new nn.Linear(2, 2);
    const block = (h: { x: Tensor }) => ({ x: layer.forward(h.x).tanh() });
    const kept = checkpoint(block);
    const x = tensor([[1, 2]]);
    expect(await kept({ x }).x.array()).toEqual(await block({ x }).x.array());
    const loss = (f: typeof block) => (m: nn.Linear, x: Tensor) => f(f({ x })).x.square().sum().add(m.weight.sum().mul(0));
    const options = { argnums: [0, 1] } as const;
    const [ofLayer, ofX] = grad(loss(block), options)(layer, x);
    const [ofLayer2, ofX2] = grad(loss(kept), options)(layer, x);
    near(await values(ofX2), await values(ofX));
    near(await values((ofLayer2 as { weight: Tensor }).weight), await values((ofLayer as { weight: Tensor }).weight));
    near(await values(jit(grad(checkpoint((x: Tensor) => x.sin().exp().sum())))(x)), await values(grad((x: Tensor) => x.sin().exp().sum())(x)));
  });

  it("leaves nothing behind when the function throws", () => {
    const before = memory().tensors;
    const failing = checkpoint((x: Tensor) => {
      if (x.size > 0) throw new RangeError("no");
      return x;
    });
    expect(errorOf(() => grad(failing)(tensor(1)))).toBeInstanceOf(RangeError);
    expect(errorOf(() => grad(checkpoint((async (x: Tensor) => x) as unknown as typeof cube))(tensor(1)))).toBeInstanceOf(weft.TraceError);
    expect(memory().tensors - before).toBeLessThanOrEqual(2);
  });
});

describe("derivatives of a derivative that the user gave", () => {
  /** The identity with a derivative of −1, which it is not: orders of derivatives differ. */
  const ruled = {
    vjp: customVjp((x: Tensor) => x, (x) => [x, null], (_, g: Tensor) => [g.neg()]),
    jvp: customJvp((x: Tensor) => x, ([x], [t]) => [x, (t as Tensor).neg()]),
  };
  /** The same with the function itself for a value, whose derivative is the rule's again. */
  const again = {
    vjp: customVjp((x: Tensor) => x, (x): [Tensor, null] => [again.vjp(x), null], (_: null, g: Tensor) => [g.neg()]) as (x: Tensor) => Tensor,
    jvp: customJvp((x: Tensor) => x, ([x], [t]): [Tensor, Tensor] => [again.jvp(x), t.neg()]) as (x: Tensor) => Tensor,
  };

  it.each(["vjp", "jvp"] as const)("go through what is computed, or by the rule where that calls the function, with %s, as in JAX", async (kind) => {
    const x = tensor(0.5);
    for (const [f, expected] of [[ruled[kind], -3], [again[kind], 3]] as const) {
      const cube = (x: Tensor) => f(x).pow(3);
      expect(await grad(cube)(x).item()).toBeCloseTo(-0.75, 5);
      const second = {
        reverse: grad(grad(cube))(x),
        forward: jvp(grad(cube), [x], [1])[1],
        "reverse over forward": grad((x: Tensor) => jvp(cube, [x], [tensor(1)])[1])(x),
        linearized: linearize(grad(cube), [x])[1](1),
        hessian: hessian(cube)(x),
        captured: jit(grad(grad(cube)))(x),
        batched: vmap(grad(grad(cube)))(x.reshape([1])),
        checkpointed: grad(grad(checkpoint(cube)))(x),
        "in a branch": grad(grad((x: Tensor) => weft.cond(x.greater(0), cube, (x) => x, x)))(x),
        "in a loop": grad(grad((x: Tensor) => weft.scan((s: Tensor) => [s.mul(f(x)), null], tensor(1), null, { length: 3 })[0]))(x),
      };
      for (const [how, value] of Object.entries(second)) expect([how, Math.round(await value.item() * 1e4) / 1e4]).toEqual([how, expected]);
    }
  });

  it.each(["vjp", "jvp"] as const)("are those of the loop written out, with %s", async (kind) => {
    for (const f of [ruled[kind], again[kind]]) {
      const step = (s: Tensor, x: Tensor) => f(s).mul(x).add(s.square().mul(0.5));
      const loop = (x: Tensor) => weft.scan((s: Tensor) => [step(s, x), s], x, null, { length: 3 }).map((y) => y.sum()).reduce((a, b) => a.add(b));
      const written = (x: Tensor) => {
        let [s, all] = [x, tensor(0)];
        for (let n = 0; n < 3; n++) [s, all] = [step(s, x), all.add(s)];
        return all.add(s);
      };
      const x = tensor(0.7);
      const orders = (f: (x: Tensor) => Tensor) => [f(x), grad(f)(x), grad(grad(f))(x), jvp(grad(f), [x], [1])[1], hessian(f)(x)];
      const [found, expected] = await Promise.all([loop, written].map((f) => Promise.all(orders(f).map((y) => y.item()))));
      near(found as number[], expected as number[]);
    }
  });
});

describe("customVjp and customJvp", () => {
  const ten = customVjp(
    (p: { a: Tensor; n: number }, x: Tensor) => ({ y: p.a.mul(x).mul(p.n) }),
    (p, x) => [{ y: p.a.mul(x).mul(p.n) }, { a: p.a, x }] as const,
    ({ a, x }, { y }) => [{ a: x.mul(y).mul(10) }, a.mul(y).mul(100)],
  );
  let a: Tensor;
  let x: Tensor;
  beforeAll(() => {
    [a, x] = [tensor([1, 2]), tensor([3, 4])];
  });

  it("take gradients from the rule, under every transform", async () => {
    const f = (a: Tensor, x: Tensor) => ten({ a, n: 2 }, x).y.sum();
    expect(await f(a, x).item()).toBe(22);
    const [ga, gx] = grad(f, { argnums: [0, 1] })(a, x);
    expect([await values(ga), await values(gx)]).toEqual([[30, 40], [100, 200]]);
    const rows = vmap(grad(f), { inAxes: [null, 0] })(a, tensor([[3, 4], [1, 1]]));
    expect(await rows.array()).toEqual([[30, 40], [10, 10]]);
    const shared = grad((a: Tensor) => vmap((x: Tensor) => f(a, x))(tensor([[3, 4], [1, 1]])).sum())(a);
    expect(await values(shared)).toEqual([40, 50]);
    expect(await values(jit(grad(f))(a, x))).toEqual([30, 40]);
    expect(await jvp(f, [a, x], [[1, 0], [0, 0]])[1].item()).toBe(30);
  });

  it("along directions too", async () => {
    const f = customJvp((x: Tensor) => x.square(), ([x], [t]) => [x.square(), t.mul(x).mul(20)]);
    expect(await values(f(a))).toEqual([1, 4]);
    expect(await values(jvp(f, [a], [[1, 1]])[1])).toEqual([20, 40]);
    expect(await values(grad((x: Tensor) => f(x).sum())(a))).toEqual([20, 40]);
    expect(await values(vmap(grad(f))(a))).toEqual([20, 40]);
    expect(await hessian((x: Tensor) => f(x).sum())(a).array()).toEqual([[20, 0], [0, 20]]);
  });

  it("refuse what does not fit", () => {
    const rule = (backward: () => unknown[]) => () => grad((x: Tensor) => customVjp((x: Tensor) => x, (x) => [x, 0], backward)(x).sum())(a);
    expect(errorOf(rule(() => []))).toBeInstanceOf(weft.ValueError);
    expect(errorOf(rule(() => [1]))).toBeInstanceOf(weft.ShapeError);
    expect(errorOf(rule(() => 5 as unknown as unknown[]))).toBeInstanceOf(weft.ValueError);
    const alone = customVjp((x: Tensor) => x, ((x: Tensor) => x) as never, () => []);
    expect(errorOf(() => grad((x: Tensor) => alone(x).sum())(a))).toBeInstanceOf(weft.ValueError);
    // A gradient that is null is zero.
    expect(rule(() => [null])().shape).toEqual([2]);
  });
});

describe("second derivatives at places where formulas change", () => {
  // Analytic everywhere, so that differences tell what a derivative is.
  const smooth =
    "sin cos asinh atan sinh cosh tanh exp expm1 exp2 sigmoid softplus logSigmoid silu mish gelu erf sinc square special.i0 special.i1 special.j0 special.j1 special.erfc special.ndtr special.logNdtr special.erfcx".split(" ");
  const places = [0, 0.1, -0.1, 0.25, -0.25, 0.5, -0.5, 1, -1, 2, -2, 3, 5];
  const of = (name: string) => name.split(".").reduce<unknown>((owner, part) => (owner as Record<string, unknown>)[part], weft) as (...x: Tensor[]) => Tensor;
  const h = 0.02;

  async function agree(found: Tensor, up: Tensor, down: Tensor, name: string): Promise<void> {
    const [got, above, below] = [await values(found), await values(up), await values(down)];
    got.forEach((value, n) => {
      const wanted = ((above[n] as number) - (below[n] as number)) / (2 * h);
      expect(Math.abs(value - wanted), `${name}, element ${n}: ${value}, by differences ${wanted}`).toBeLessThanOrEqual(0.02 * Math.max(1, Math.abs(wanted)));
    });
  }

  it.each(smooth)("%s", async (name) => {
    const x = tensor(places);
    const first = grad((x: Tensor) => of(name)(x).sum());
    await agree(first(x), of(name)(x.add(h)), of(name)(x.sub(h)), name);
    await agree(grad((x: Tensor) => first(x).sum())(x), first(x.add(h)), first(x.sub(h)), `${name}, twice`);
  });

  it.each(["logAddExp", "logAddExp2", "mul", "special.poch"])("%s, by each operand, where both are equal and where they are not", async (name) => {
    const [a, b] = [tensor([1, 1, 0.5, 2, 3, 1]), tensor([1, 0, 0.5, 1, 0, 2])];
    for (const argnums of [0, 1]) {
      const moved = (d: number): [Tensor, Tensor] => (argnums === 0 ? [a.add(d), b] : [a, b.add(d)]);
      const first = grad((a: Tensor, b: Tensor) => of(name)(a, b).sum(), { argnums });
      await agree(first(a, b), of(name)(...moved(h)), of(name)(...moved(-h)), name);
      await agree(grad((a: Tensor, b: Tensor) => first(a, b).sum(), { argnums })(a, b), first(...moved(h)), first(...moved(-h)), `${name}, twice`);
    }
  });
});
