// Corners of functions that take options, against NumPy and JAX.
// `tests/conformance/corners.py` computes the expected values.

import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { cbrt, diff, forLoop, grad, init, jit, linalg, nn, optim, random, scan, special, tensor, topK, vmap, zeros, type Tensor } from "../../src/index.js";
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
