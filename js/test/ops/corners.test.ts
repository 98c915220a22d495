// Corners of functions that take options, against NumPy and JAX.
// `tests/conformance/corners.py` computes the expected values.

import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { cbrt, diff, forLoop, grad, init, jit, linalg, nn, optim, Parameter, random, scan, special, tensor, topK, vjp, vmap, zeros, type Tensor } from "../../src/index.js";
import { check, make, type TensorJson } from "../support/cases.js";
import { wasmBytes } from "../support/cpu.js";
import { dawn } from "../support/dawn.js";

type Tensors = Record<string, Tensor>;

const programs: Record<string, (inputs: Tensors) => Tensors> = {
  bestOfBytes({ signed, plain }) {
    const [[rows, rowPlaces], [columns, columnPlaces], [all, allPlaces]] = [topK(signed!, 5), topK(plain!, 2, 0), topK(signed!, 40)];
    return { rows, rowPlaces, columns, columnPlaces, all, allPlaces };
  },

  slopesOfRoots({ x }) {
    return { root: cbrt(x!), slope: grad((x: Tensor) => cbrt(x).sum())(x!) };
  },

  differencesWithEnds({ x, row, column }) {
    return {
      noneOfThree: diff(x!, 0),
      before: diff(x!, 1, 0, { prepend: row! }),
      behind: diff(x!, 1, 1, { append: column! }),
      both: diff(x!, 2, 1, { prepend: column!, append: 0.5 }),
      number: diff(x!, 1, -1, { prepend: 1 }),
      thrice: diff(x!, 3, 1, { prepend: column! }),
      beyond: diff(x!, 5, 1, { append: 2 }),
    };
  },

  triangleOfEigh({ a }) {
    const found: Tensors = {};
    for (const uplo of ["L", "U"] as const) {
      const [values, vectors] = linalg.eigh(a!, uplo);
      Object.assign(found, { [`values${uplo}`]: values, [`whole${uplo}`]: vectors.mul(values.expandDims(-2)).matmul(vectors.swapAxes(-1, -2)), [`only${uplo}`]: linalg.eigvalsh(a!, uplo) });
    }
    return found;
  },

  rowsThatSeeNothing({ q, k, v, mask }) {
    const found: Tensors = {};
    // What is added to the scores hides as well.
    const added = weft.where(mask!, 0, -Infinity);
    for (const [name, options] of [["Mask", { mask: mask! }], ["Causal", { mask: added, causal: true }]] as const) {
      const attend = (q: Tensor, k: Tensor, v: Tensor) => nn.scaledDotProductAttention(q, k, v, options);
      const slopes = grad((q: Tensor, k: Tensor, v: Tensor) => attend(q, k, v).square().sum(), { argnums: [0, 1, 2] })(q!, k!, v!);
      found[`out${name}`] = attend(q!, k!, v!);
      slopes.forEach((slope, n) => (found[`d${"qkv"[n]}${name}`] = slope));
    }
    return found;
  },

  drawsInLoops({ keys }) {
    const draw = (key: Tensor) => random.normal(key, [2]);
    const split = (key: Tensor) => scan((sum: Tensor, key: Tensor) => [sum.add(draw(key)), draw(key)] as const, zeros([2]), random.split(key, 4));
    const folded = (key: Tensor) => forLoop(0, 4, (i, sum: Tensor) => sum.add(draw(random.foldIn(key, i))), zeros([2]));
    const walked = (key: Tensor) =>
      scan(
        ([key, x]: [Tensor, Tensor]) => {
          const [next, use] = weft.unstack(random.split(key)) as [Tensor, Tensor];
          return [[next, x.add(random.uniform(use, []))] as [Tensor, Tensor], x] as const;
        },
        [key, tensor(0)] as [Tensor, Tensor],
        null,
        { length: 3 },
      )[1];
    const at = (n: number) => keys!.slice(n);
    const [sum, each] = jit(split)(at(0));
    return { sum, each, sums: vmap(split)(keys!)[0], folded: jit(folded)(at(1)), foldeds: jit(vmap(folded))(keys!), walked: walked(at(2)), walks: vmap(jit(walked))(keys!) };
  },

  resultsThatMembersShare({ x, table }) {
    const [own, shared] = vmap((x: Tensor) => [x.matmul(table!), table!.square().sum(0)] as const, { outAxes: [1, null] })(x!) as [Tensor, Tensor];
    return { own, shared };
  },

  halvesNearTheirEnds({ x, logits, targets, large: g, small: h }) {
    const [large, small] = optim.clipByGlobalNorm([g!, h!], 5) as [Tensor, Tensor];
    const [alone] = optim.clipByGlobalNorm([h!], 2 ** -20) as [Tensor];
    return { norm: nn.rmsNorm(x!, 4, { eps: 1e-6 }), loss: nn.crossEntropy(logits!, targets!), large, small, alone };
  },

  normsFarFromZero({ x }) {
    const layer = new nn.BatchNorm(4, { affine: false });
    const batch = layer.forward(x!);
    return { batch, running: layer.runningVar, layer: nn.layerNorm(x!, 16), group: nn.groupNorm(x!, 4), deviation: x!.std([0, 2]) };
  },

  productsOfNoCoefficients({ none, p }) {
    return { left: weft.polymul(none!, p!), right: weft.polymul(p!, none!), both: weft.polymul(none!, none!) };
  },

  rollsByTensors({ x, row, by }) {
    const at = (n: number) => by!.at(n).get();
    return {
      flat: x!.roll(at(0)),
      axis: jit((s: Tensor) => x!.roll(s, 1))(at(1)),
      both: x!.roll(by!.at(":2").get(), [0, 1]),
      members: vmap((s: Tensor) => row!.roll(s))(by!),
      loop: forLoop(0, 3, (n, turned: Tensor) => turned.roll(n).add(1), row!),
      slope: grad((y: Tensor) => y.roll(at(0)).mul(row!).sum())(row!),
    };
  },

  curvesWithEnds({ x, places, heights, angles, turns, rises }) {
    return {
      plain: x!.interp(places!, heights!),
      left: x!.interp(places!, heights!, { left: -9 }),
      right: x!.interp(places!, heights!, { right: 7 }),
      one: x!.interp(places!.at(":1").get(), heights!.at(":1").get(), { left: -9, right: 7 }),
      turned: angles!.interp(turns!, rises!, { period: 360 }),
      back: angles!.interp(turns!, rises!, { period: -360 }),
    };
  },

  betweenPoles({ a, b, x, n }) {
    return { beta: special.beta(a!, b!), log: special.betaln(a!, b!), slope: grad((y: Tensor) => special.poch(y, n!).sum())(x!) };
  },

  treesInAnyOrder({ a, b, da, db }) {
    const found: Tensors = {};
    for (const [name, rule] of [["sgd", (p: object) => optim.sgd(p, { lr: 0.1, momentum: 0.9 })], ["adam", (p: object) => optim.adam(p, { lr: 0.1 })]] as const) {
      const at = { b: new Parameter(b!), a: new Parameter(a!) };
      const optimizer = rule(at);
      for (const scale of [1, -0.5, 3]) optimizer.step({ a: da!.mul(scale), b: db!.mul(scale) });
      Object.assign(found, { [`${name}A`]: at.a, [`${name}B`]: at.b });
    }
    const [, [slopes]] = vjp((x: { a: Tensor; b: Tensor }) => ({ b: x.b.matmul(x.b), a: x.a.square() }), [{ b: b!, a: a! }], { a: da!, b: db! });
    const joined = weft.associativeScan((l: { sum: Tensor; rate: Tensor }, r) => ({ rate: l.rate.mul(r.rate), sum: l.sum.mul(r.rate).add(r.sum) }), { sum: a!, rate: da! });
    return { ...found, slopeA: slopes.a, slopeB: slopes.b, rate: joined.rate, sum: joined.sum };
  },

  groupsOfParameters({ a, b, da, db }) {
    const rules = {
      sgd: (a: Parameter, b: Parameter) => optim.sgd([{ params: a, lr: 0.5, weightDecay: 0.1 }, { params: b, momentum: 0 }], { lr: 0.1, momentum: 0.9 }),
      adamw: (a: Parameter, b: Parameter) => optim.adamw([{ params: a, betas: [0.5, 0.6] }, { params: b, lr: 0.2, weightDecay: 0.5 }], { lr: 0.1, weightDecay: 0 }),
    };
    const found: Tensors = {};
    for (const [name, make] of Object.entries(rules)) {
      const [x, y] = [new Parameter(a!), new Parameter(b!)];
      const optimizer = make(x, y);
      [1, -0.5, 3].forEach((scale, n) => {
        optimizer.groups[0]!.lr *= 1 - n / 4;
        optimizer.step([da!.mul(scale), db!.mul(scale)]);
      });
      Object.assign(found, { [`${name}A`]: x, [`${name}B`]: y });
    }
    return found;
  },

  numbersInCalls({ x, y }) {
    const calls: Record<string, (n: number) => Tensor> = {
      sum: (n) => x!.add(n),
      product: (n) => weft.mul(n, y!),
      power: (n) => x!.pow(n),
      quotient: (n) => x!.floorDivide(n),
      least: (n) => x!.minimum(n),
      chosen: (n) => weft.where(x!.greater(n), x!, n),
      beside: (n) => y!.add(x!.mul(n)),
      loop: (n) => forLoop(0, 3, (_, s: Tensor) => s.add(n), x!),
    };
    const members = vmap((x: Tensor) => jit((n: number) => x.mul(n))(3))(x!);
    return { ...Object.fromEntries(Object.entries(calls).map(([key, f]) => [key, jit(f)(5)])), members };
  },

  ofOneNumber({ x }) {
    return { sum: weft.cumsum(tensor(5, { dtype: "i32" }), 0), product: x!.cumprod(0), backwards: weft.cumsum(x!, -1), all: x!.cumsum() };
  },

  poolingsTwice({ x, v }) {
    const found: Tensors = {};
    for (const [name, pool] of [["max", nn.maxPool3d], ["mean", nn.avgPool3d]] as const) {
      const slope = grad((x: Tensor) => pool(x, 2, { stride: 1 }).pow(3).sum()) as (x: Tensor) => Tensor;
      const twice = vmap((v: Tensor) => grad((x: Tensor) => slope(x).mul(v).sum())(x!));
      Object.assign(found, { [name]: slope(x!), [`${name}Twice`]: twice(v!) });
    }
    return found;
  },

  rulesAndLoops({ table, push, ids, n, x, update }) {
    const cube = (x: Tensor) => turned(x).pow(3);
    const turned = weft.customVjp((x: Tensor) => x, (x) => [x, null], (_, g: Tensor) => [g.neg()]);
    const rows = (ids: Tensor, table: Tensor) => table.square().take(ids, 0);
    const slid = (x: Tensor) => forLoop(0, 4, (i, s: Tensor) => weft.dynamicUpdateSlice(s, s.slice([0, 2]).mul(weft.dynamicSlice(s, [i.add(1)], [2])).add(update!), [i]), x);
    const grown = (n: Tensor) => forLoop(1, n.add(1), (i, s: Tensor) => s.mul(i).add(1), tensor(0, { dtype: "i32" }));
    const halved = (x: Tensor) => weft.whileLoop(([s]: [Tensor, Tensor]) => s.greater(1), ([s, k]) => [s.mul(0.5), k.add(1)] as [Tensor, Tensor], [x.abs().mul(100), tensor(0, { dtype: "i32" })] as [Tensor, Tensor], { limit: 100_000 });
    const [rest, times] = vmap(halved)(x!);
    return {
      second: vmap(grad(grad(cube)))(x!),
      forward: vmap((x: Tensor) => weft.jvp(grad(cube), [x], [1])[1])(x!),
      rows: weft.jvp(rows, [ids!, table!], [null, push!])[1],
      back: vjp(rows, [ids!, table!], weft.ones([3, 2]))[1][1],
      slid: jit(slid)(x!),
      slope: grad((x: Tensor) => slid(x).square().sum())(x!),
      grown: jit(grown)(n!.at(2).get()),
      growns: vmap(grown)(n!),
      halved: rest,
      times,
      none: vmap(halved)(x!.slice([0, 0]))[0],
    };
  },
};

const known = JSON.parse(readFileSync(new URL("../../../tests/conformance/corners.json", import.meta.url), "utf8")) as Record<
  string,
  { inputs: Record<string, TensorJson>; expected: Record<string, TensorJson> }
>;

/** Sums of a few terms; of halves one rounding, and the smallest of them. */
const bounds = { f32: { abs: 4e-6, rel: 4e-6 }, f16: { abs: 2 ** -24, rel: 2 ** -10 } };

it("every program of corners.py is here", () => {
  expect(Object.keys(programs)).toEqual(Object.keys(known));
});

describe.each(["cpu", "webgpu"] as const)("on %s", (device) => {
  beforeAll(async () => {
    await init({ device, wasm: wasmBytes(), ...(device === "cpu" ? {} : { gpu: await dawn(), tune: false }) });
  });

  it.each(Object.keys(programs))("%s", async (name) => {
    const { inputs, expected } = known[name]!;
    const made = programs[name]!(Object.fromEntries(Object.entries(inputs).map(([key, input]) => [key, make(input)])));
    expect(Object.keys(made).sort()).toEqual(Object.keys(expected).sort());
    for (const [key, value] of Object.entries(expected)) {
      await check(key, made[key] as Tensor, value, bounds[value.dtype as "f32"] ?? { abs: 0, rel: 0 });
    }
  });
});
