// Trees are matched by name: gradients, cotangents, tangents, states and results may have their
// keys in any order, and names that do not match are refused.

import { describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { associativeScan, cond, customJvp, customVjp, forLoop, grad, jit, jvp, linearize, nn, optim, Parameter, scan, tensor, vjp, vmap, whileLoop, type Tensor } from "../../src/index.js";
import { disposeTree } from "../../src/core/tensor/tree.js";
import { errorOf, onCpu, values } from "../support/cpu.js";
import { Chance } from "../support/properties.js";

onCpu();

/** How many random trees each test tries; WEFT_FUZZ=50 tries fifty times as many. */
const TURNS = 20 * Number(process.env["WEFT_FUZZ"] ?? 1);

type Tree<T> = T | Tree<T>[] | { [key: string]: Tree<T> };

const isObject = (tree: unknown): tree is Record<string, unknown> => typeof tree === "object" && tree !== null && Object.getPrototypeOf(tree) === Object.prototype;

/** A random tree of three to five names or so, whose leaves are numbered. */
function form(chance: Chance, depth = 0): Tree<number> {
  let next = 0;
  const grow = (depth: number): Tree<number> => {
    const kind = depth === 0 ? 1 : chance.whole(0, depth > 2 ? 0 : 2);
    if (kind === 0) return next++;
    const size = chance.whole(1, 3);
    if (kind === 2) return Array.from({ length: size }, () => grow(depth + 1));
    return Object.fromEntries(Array.from({ length: size + 1 }, (_, n) => [`${"qzbka"[n]}${chance.whole(0, 9)}`, grow(depth + 1)]));
  };
  return grow(depth);
}

const mapped = <A, B>(tree: Tree<A>, leaf: (value: A) => B): Tree<B> => {
  if (Array.isArray(tree)) return tree.map((child) => mapped(child, leaf));
  if (isObject(tree)) return Object.fromEntries(Object.entries(tree).map(([key, child]) => [key, mapped(child as Tree<A>, leaf)]));
  return leaf(tree as A);
};

/** The same tree with the keys of its objects in another order. */
const shuffled = <T>(tree: Tree<T>, chance: Chance): Tree<T> => {
  if (Array.isArray(tree)) return tree.map((child) => shuffled(child, chance));
  if (!isObject(tree)) return tree;
  const left = Object.entries(tree) as [string, Tree<T>][];
  const entries = Array.from({ length: left.length }, () => left.splice(chance.whole(0, left.length - 1), 1)[0] as [string, Tree<T>]);
  return Object.fromEntries(entries.map(([key, child]) => [key, shuffled(child, chance)]));
};

/** The tree with one of its names changed. */
const renamed = <T>(tree: Tree<T>, chance: Chance): Tree<T> => {
  const entries = Object.entries(tree as Record<string, Tree<T>>);
  const changed = chance.whole(0, entries.length - 1);
  return Object.fromEntries(entries.map(([key, child], n) => [n === changed ? `${key}x` : key, child]));
};

/** The leaves by their places, whatever the order. */
const leaves = <T>(tree: Tree<T>, place = ""): [string, T][] => {
  if (Array.isArray(tree) || isObject(tree)) return Object.entries(tree).flatMap(([key, child]) => leaves(child as Tree<T>, `${place}.${key}`));
  return [[place, tree as T]];
};

/** The values of the tensors of a tree, by their places. */
const read = async (tree: unknown): Promise<Record<string, number[]>> => {
  const found: [string, number[]][] = [];
  for (const [place, leaf] of leaves(tree as Tree<Tensor>)) found.push([place, (await values(leaf)).map((x) => x + 0)]);
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
};
const same = async (a: unknown, b: unknown): Promise<void> => expect(await read(a)).toEqual(await read(b));

/** Numbers that tell the leaves apart. */
const numbers = (tree: Tree<number>, scale = 1, shift = 0): Tree<Tensor> => mapped(tree, (n) => tensor([scale * (n + 1) + shift, shift - n]));
type Named = Record<string, Tensor>;

/** Runs a test on random trees. */
function onTrees(name: string, test: (tree: Tree<number>, chance: Chance) => Promise<void> | void): void {
  it(name, async () => {
    const chance = new Chance(name);
    for (let n = 0; n < TURNS; n++) await test(form(chance), chance);
  });
}

const NAMES = /trees are matched by name, but .* is .*, and .* is /;
const refuses = (call: () => unknown, op: string): void => {
  const error = errorOf(call);
  expect(error).toBeInstanceOf(weft.ValueError);
  expect(error.op).toBe(op);
  expect(error.message).toMatch(NAMES);
};

describe("in random key order", () => {
  onTrees("an optimizer steps each parameter by the gradient of its name", async (tree, chance) => {
    const parameters = mapped(tree, (n) => new Parameter([n, -n]));
    const gradients = numbers(tree, 0.5);
    const expected = mapped(tree, (n) => tensor([n - 0.5 * (n + 1), -n + n]));
    const optimizer = optim.sgd(parameters, { lr: 1 });
    refuses(() => optimizer.step(renamed(numbers(tree), chance)), "step");
    optimizer.step(shuffled(gradients, chance));
    await same(parameters, expected);
    disposeTree(parameters);
  });

  onTrees("optimizer states are loaded by name", async (tree, chance) => {
    const make = () => mapped(tree, (n) => new Parameter([n, -n]));
    const [one, other] = [make(), shuffled(make(), chance)];
    const [first, second] = [optim.adam(one, { lr: 0.1 }), optim.adam(other, { lr: 0.1 })];
    first.step(numbers(tree));
    second.step(shuffled(numbers(tree), chance));
    second.loadStateDict(first.stateDict());
    first.step(numbers(tree, 3));
    second.step(numbers(tree, 3));
    await same(one, other);
    const state = first.stateDict();
    expect(Object.keys(state).sort()).toEqual(leaves(tree).flatMap(([place]) => [0, 1].map((k) => `${place}.${k}`.slice(1))).sort());
  });

  onTrees("treeMap takes several", async (tree, chance) => {
    await same(weft.treeMap((a, b) => a.mul(10).add(b), numbers(tree), shuffled(numbers(tree, 10), chance)), mapped(tree, (n) => tensor([20 * (n + 1), -11 * n])));
    refuses(() => weft.treeMap((a) => a, numbers(tree), renamed(numbers(tree), chance)), "treeMap");
    expect(weft.treeLeaves(tree)).toEqual(leaves(tree).map(([, leaf]) => leaf));
    expect(weft.treeMap((n: number) => n + 1, tree)).toEqual(mapped(tree, (n) => n + 1));
  });

  onTrees("a step that is refused keeps the gradients", async (tree, chance) => {
    const optimizer = optim.sgd(mapped(tree, () => new Parameter([1, 1])), { lr: 1 });
    const given = numbers(tree) as Tree<Tensor>;
    refuses(() => optimizer.step(renamed(given, chance)), "step");
    const wide = mapped(tree, () => tensor([1, 2, 3])) as Tree<Tensor>;
    expect(errorOf(() => optimizer.step(wide)).message).toMatch(/^step: .* is \[2\], and its gradient \[3\]$/);
    for (const [, gradient] of [...leaves(given), ...leaves(wide)]) expect(gradient.disposed).toBe(false);
    optimizer.step(given);
    for (const [, gradient] of leaves(given)) expect(gradient.disposed).toBe(true);
  });

  onTrees("gradients are accumulated", async (tree, chance) => {
    await same(optim.accumulate(numbers(tree), shuffled(numbers(tree, 10), chance)), mapped(tree, (n) => tensor([11 * (n + 1), -2 * n])));
    refuses(() => optim.accumulate(numbers(tree), renamed(numbers(tree), chance)), "accumulate");
  });

  onTrees("vjp takes cotangents", async (tree, chance) => {
    const f = (x: Tensor): Named => mapped(tree, (n) => x.mul(n + 1)) as Named;
    const [, [gradient]] = vjp(f, [tensor([1, 1])], shuffled(numbers(tree), chance) as never);
    const all = leaves(tree).map(([, n]) => n);
    const expected = [all.reduce((sum, n) => sum + (n + 1) ** 2, 0), all.reduce((sum, n) => sum - n * (n + 1), 0)];
    expect(await values(gradient as Tensor)).toEqual(expected.map((x) => x + 0));
    const [, pull] = vjp(f, [tensor([1, 1])]);
    expect(await values(pull(shuffled(numbers(tree), chance) as never)[0] as Tensor)).toEqual(expected.map((x) => x + 0));
    refuses(() => pull(renamed(numbers(tree), chance) as never), "vjp");
    refuses(() => vjp(f, [tensor([1, 1])], renamed(numbers(tree), chance) as never), "vjp");
  });

  onTrees("jvp and linearize take tangents", async (tree, chance) => {
    const f = (x: Tree<Tensor>) => mapped(x, (leaf) => leaf.square());
    const [, derivatives] = jvp(f, [numbers(tree)], [shuffled(numbers(tree, 3), chance)]);
    const expected = mapped(tree, (n) => tensor([6 * (n + 1) ** 2, 2 * n * n]));
    await same(derivatives, expected);
    const [, push] = linearize(f, [numbers(tree)]);
    await same(push(shuffled(numbers(tree, 3), chance)), expected);
    refuses(() => jvp(f, [numbers(tree)], [renamed(numbers(tree), chance)]), "jvp");
    refuses(() => push(renamed(numbers(tree), chance)), "linearize");
  });

  onTrees("loops and branches keep their states", async (tree, chance) => {
    const state = numbers(tree);
    const next = (s: Tree<Tensor>) => shuffled(mapped(s, (leaf) => leaf.mul(2)), chance);
    const expected = mapped(tree, (n) => tensor([4 * (n + 1), -4 * n]));
    await same(forLoop(0, 2, (_, s) => next(s) as never, state as Named), expected);
    await same(whileLoop((s) => (leaves(s as Tree<Tensor>)[0] as [string, Tensor])[1].slice(0).less(4), (s) => next(s as Tree<Tensor>) as never, numbers(mapped(tree, () => 0)) as Named), mapped(tree, () => tensor([4, 0])));
    const [last] = scan((s: unknown) => [next(s as Tree<Tensor>), null] as never, state as Named, null, { length: 2 });
    await same(last, expected);
    const taken = (p: boolean) => cond(p, (s) => next(s) as Named, (s) => shuffled(s, chance) as Named, state as Named);
    await same(taken(true), mapped(tree, (n) => tensor([2 * (n + 1), -2 * n])));
    await same(taken(false), state);
    refuses(() => forLoop(0, 2, (_, s) => renamed(s as Tree<Tensor>, chance) as never, state as Named), "forLoop");
    refuses(() => scan((s: unknown) => [renamed(s as Tree<Tensor>, chance), null] as never, state as Named, null, { length: 2 }), "scan");
    refuses(() => cond(true, (s) => s, (s) => renamed(s as Tree<Tensor>, chance) as never, state as Named), "cond");
  });

  onTrees("associativeScan joins what has the same name", async (tree, chance) => {
    const xs = mapped(tree, (n) => tensor([n, n + 1, n + 2]));
    const sums = (a: Tree<Tensor>, b: Tree<Tensor>): Tree<Tensor> => {
      const others = new Map(leaves(b));
      const places = leaves(a).map(([place]) => place).values();
      return shuffled(mapped(a, (leaf) => leaf.add(others.get(places.next().value as string) as Tensor)), chance);
    };
    await same(associativeScan(sums, xs), mapped(tree, (n) => tensor([n, 2 * n + 1, 3 * n + 3])));
    refuses(() => associativeScan((a: Tree<Tensor>) => renamed(a, chance), xs), "associativeScan");
  });

  onTrees("rules of custom derivatives give theirs", async (tree, chance) => {
    const f = (x: Named) => leaves<Tensor>(x).reduce((sum, [, leaf]) => sum.add(leaf.sum()), tensor(0));
    const own = (change: (gradients: Tree<Tensor>) => Tree<Tensor>) => customVjp(f, (x: Named) => [f(x), null] as const, (_: null, g: Tensor) => [change(mapped(numbers(tree), (n) => n.mul(g)))]);
    await same(grad(own((g) => shuffled(g, chance)))(numbers(tree) as Named), numbers(tree));
    refuses(() => grad(own((g) => renamed(g, chance)))(numbers(tree) as Named), "customVjp");
    const twice = (change: (derivatives: Tree<Tensor>) => Tree<Tensor>) =>
      customJvp((x: Tensor) => mapped(tree, (n) => x.mul(n)), ([x], [t]) => [mapped(tree, (n) => x.mul(n)), change(mapped(tree, (n) => t.mul(2 * n)))] as const);
    const along = (change: (derivatives: Tree<Tensor>) => Tree<Tensor>) => jvp(twice(change), [tensor([1, 1])], [[1, 1]])[1];
    await same(along((d) => shuffled(d, chance)), mapped(tree, (n) => tensor([2 * n, 2 * n])));
    refuses(() => along((d) => renamed(d, chance)), "customJvp");
  });

  onTrees("vmap takes axes", async (tree, chance) => {
    const xs = mapped(tree, (n) => tensor([[n, n + 1], [n + 2, n + 3]]));
    const axes = mapped(tree, (n) => (n % 3 === 2 ? null : n % 2));
    const f = vmap((x: Tree<Tensor>) => mapped(x, (leaf) => leaf.mul(1)), [shuffled(axes, chance) as weft.BatchAxes]);
    await same(f(xs), mapped(tree, (n) => (n % 3 === 2 ? tensor([[[n, n + 1], [n + 2, n + 3]], [[n, n + 1], [n + 2, n + 3]]]) : n % 2 ? tensor([[n, n + 2], [n + 1, n + 3]]) : tensor([[n, n + 1], [n + 2, n + 3]]))));
    refuses(() => vmap((x: Tree<Tensor>) => x, [renamed(axes, chance) as weft.BatchAxes])(xs), "vmap");
  });

  onTrees("jit, grad and their results keep names", async (tree, chance) => {
    const f = jit((x: Named, y: Named) => {
      const others = new Map(leaves<Tensor>(y));
      const places = leaves<Tensor>(x).map(([place]) => place).values();
      return mapped<Tensor, Tensor>(x, (leaf) => leaf.sub(others.get(places.next().value as string) as Tensor));
    });
    const expected = mapped(tree, (n) => tensor([-2 * (n + 1), 0]));
    for (let n = 0; n < 2; n++) await same(f(shuffled(numbers(tree), chance) as Named, shuffled(numbers(tree, 3), chance) as Named), expected);
    const loss = (x: Named) => leaves<Tensor>(x).reduce((sum, [place, leaf]) => sum.add(leaf.sum().mul(place.length)), tensor(0));
    const gradient = grad(loss)(shuffled(numbers(tree), chance) as Named);
    for (const [place, leaf] of leaves<Tensor>(gradient)) expect(await values(leaf)).toEqual([place.length, place.length]);
  });
});

describe("errors of trees that do not match have both names", () => {
  const message = (call: () => unknown) => errorOf(call).message;

  it("in steps of optimizers, also of modules and lists", () => {
    const [a, b] = [new Parameter([1]), new Parameter([2])];
    const optimizer = optim.sgd({ layer: { a, b } });
    expect(message(() => optimizer.step({ layer: { a: tensor([1]), c: tensor([1]) } }))).toBe("step: trees are matched by name, but parameters.layer is { a, b }, and gradients.layer is { a, c }");
    expect(message(() => optimizer.step({ layer: [tensor([1]), tensor([1])] }))).toContain("gradients.layer is a list of 2");
    expect(message(() => optimizer.step({ layer: { a: tensor([1]), b: tensor([1]), c: tensor([1]) } }))).toContain("gradients.layer is { a, b, c }");
    const model = new nn.Linear(2, 1);
    expect(message(() => optim.sgd(model).step({ weight: tensor([[1, 1]]) }))).toContain("parameters is { weight, bias }, and gradients is { weight }");
    expect(message(() => optim.sgd(model.parameters()).step(grad((m: nn.Linear) => m.forward(tensor([[1, 2]])).sum())(model) as Named))).toContain("parameters is a list of 2, and gradients is { weight, bias }");
  });

  it("where something else than a tensor stands", () => {
    expect(message(() => vjp((x: Tensor) => ({ a: x }), [tensor(1)], { a: "1" } as never))).toBe("vjp: trees are matched by name, but outputs.a is a tensor, and cotangents.a is a string");
    expect(message(() => jvp((x: Tensor, y: Tensor) => x.add(y), [tensor(1), tensor(2)], [1]))).toBe("jvp: trees are matched by name, but args is a list of 2, and tangents is a list of 1");
    expect(message(() => forLoop(0, 2, (_, s) => ({ ...s, b: tensor(1) }), { a: 1 }))).toBe("forLoop: trees are matched by name, but the state is { a }, and the result is { a, b }");
  });

  it("of a module, whose gradient is of its parameters alone", () => {
    class Net extends nn.Module {
      readonly conv = new nn.Conv2d(1, 1, 1);
      readonly layers = [new nn.ReLU(), new nn.Linear(1, 1, { bias: false })];
      readonly names = ["a", "b"];
      readonly plain = [new nn.ReLU(), new nn.Tanh()];
      readonly seen = new nn.Buffer([0]);
      readonly mask = tensor([1]);
    }
    const model = new Net();
    const gradient = grad((model: Net) => model.conv.forward(weft.ones([1, 1, 1, 1])).sum())(model);
    const form = (tree: unknown): unknown => (tree instanceof weft.Tensor ? "tensor" : Array.isArray(tree) ? tree.map(form) : Object.fromEntries(Object.entries(tree as object).map(([key, value]) => [key, form(value)])));
    expect(form(gradient)).toEqual({ conv: { weight: "tensor", bias: "tensor" }, layers: [{}, { weight: "tensor" }] });
    optim.sgd(model).step(gradient);
  });

  it("unless nothing is lost by it", async () => {
    // What holds no tensor needs no partner.
    const [, [gradient]] = vjp((x: Tensor) => ({ y: x.mul(2), name: "y", empty: {} }), [tensor(1)], { y: 3 } as never);
    expect(await (gradient as Tensor).item()).toBe(6);
    const module = new nn.Sequential(new nn.Linear(1, 1), new nn.Dropout(0.5), new nn.Linear(1, 1));
    const [, derivative] = jvp((m: nn.Sequential) => (m.layers[2] as nn.Linear).forward(tensor([[2]])), [module], [{ layers: [{}, {}, { bias: tensor([1]), weight: tensor([[10]]) }] }].map((tangent) => ({ layers: [{ bias: tensor([0]), weight: tensor([[0]]) }, ...tangent.layers.slice(1)] })));
    expect(await values(derivative)).toEqual([21]);
  });
});
