// Random draws inside loops: each iteration draws numbers of its own. The tests cover every
// sampler, shuffling, and layers that draw, in every loop, alone and captured.

import { describe, expect, it } from "vitest";
import { forLoop, grad, jit, nn, ones, random, scan, tensor, vmap, whileLoop, type Tensor } from "../../src/index.js";
import { errorOf, onCpu, values } from "../support/cpu.js";

onCpu();

const sizes = [8];

/** A draw by each function of `random` that has one, of enough elements that two draws are not
 * alike by chance. */
const draws: Record<string, () => Tensor> = {
  bits: () => random.bits(sizes),
  uniform: () => random.uniform(sizes),
  normal: () => random.normal(sizes),
  randint: () => random.randint(sizes, 0, 1000),
  bernoulli: () => random.bernoulli([64]),
  ...Object.fromEntries((["gumbel", "exponential", "laplace", "logistic", "cauchy", "maxwell"] as const).map((name) => [name, () => random[name](sizes)])),
  rademacher: () => random.rademacher([64]),
  truncatedNormal: () => random.truncatedNormal(-1, 1, sizes),
  categorical: () => random.categorical([0, 0, 0, 0], 0, [32]),
  geometric: () => random.geometric(0.1, [32]),
  ...Object.fromEntries((["pareto", "rayleigh", "lognormal", "gamma", "chisquare", "t", "generalizedNormal", "loggamma", "wald"] as const).map((name) => [name, () => random[name](2, sizes)])),
  weibull: () => random.weibull(1, 2, sizes),
  triangular: () => random.triangular(0, 1, 2, sizes),
  beta: () => random.beta(1, 2, sizes),
  f: () => random.f(3, 4, sizes),
  binomial: () => random.binomial(1000, 0.5, sizes),
  multinomial: () => random.multinomial(1000, [0.2, 0.3, 0.5], [4]),
  dirichlet: () => random.dirichlet([1, 2, 3]),
  multivariateNormal: () => random.multivariateNormal([0, 1], [[1, 0], [0, 1]], [4]),
  ball: () => random.ball(3, [2]),
  orthogonal: () => random.orthogonal(3),
  poisson: () => random.poisson(100, sizes),
  doubleSidedMaxwell: () => random.doubleSidedMaxwell(0, 1, sizes),
  permutation: () => random.permutation(null, 16),
  choice: () => random.choice(null, 1000, sizes),
  dropout: () => new nn.Dropout(0.5).forward(ones([64])),
};

const undrawn = new Set(["key", "split", "foldIn", "seed", "state", "restore"]);

describe("draws inside loops", () => {
  it("are tried for every sampler", () => {
    const names = Object.keys(random).filter((name) => !undrawn.has(name));
    expect(names.filter((name) => !(name in draws))).toEqual([]);
  });

  for (const [name, draw] of Object.entries(draws)) {
    it(`${name} draws anew in each iteration`, async () => {
      random.seed(1);
      const [, all] = scan((state: Tensor) => [state, draw()], tensor(0), null, { length: 4 });
      const rows = (await all.reshape([4, -1]).array()) as number[][];
      expect(new Set(rows.map(String)).size).toBe(4);
    });
  }

  it("are the same again from the same seed, and go on from call to call, captured or not", async () => {
    const walk = () => forLoop(0, 5, (_, x) => x.add(random.normal([2])), tensor([0, 0]));
    const run = async (f: () => Tensor) => {
      random.seed(4);
      return [await values(f()), await values(f())];
    };
    const eager = await run(walk);
    expect(eager[0]).not.toEqual(eager[1]);
    const captured = await run(jit(walk));
    captured.forEach((walked, call) => walked.forEach((x, n) => expect(x).toBeCloseTo((eager[call] as number[])[n] as number, 5)));
  });

  it("differ in a whileLoop, in loops within loops and for members of a batch", async () => {
    random.seed(2);
    const state = { n: tensor(0), last: tensor(0), repeated: tensor(0) };
    const { repeated, n } = whileLoop(
      ({ n }) => n.less(20),
      ({ n, last, repeated }) => {
        const drawn = random.uniform([]);
        return { n: n.add(1), last: drawn, repeated: repeated.add(drawn.equal(last)) };
      },
      state,
    );
    expect([await n.item(), await repeated.item()]).toEqual([20, 0]);
    const nested = () => scan((s: Tensor) => [s, scan((t: Tensor) => [t, random.uniform([])], s, null, { length: 3 })[1]], tensor(0), null, { length: 3 })[1];
    const all = vmap((x: Tensor) => nested().add(x))(tensor([0, 0]));
    expect(all.shape).toEqual([2, 3, 3]);
    expect(new Set(await values(all)).size).toBe(18);
  });

  it("drop other elements in each step of a loop, and a gradient those that were dropped", async () => {
    const layer = new nn.Dropout(0.5);
    const loss = (w: Tensor) => forLoop(0, 6, (_, x) => layer.forward(x).mul(w), ones([200])).sum();
    random.seed(3);
    const left = await loss(ones([200])).item();
    // A sixth power of the factors is what is left of it, and each factor counts once.
    random.seed(3);
    const gradient = await values(grad(loss)(ones([200])));
    expect(gradient.reduce((sum, x) => sum + x, 0)).toBeCloseTo(6 * left, 2);
    // Of 200 elements one in 64 comes through six masks: of one mask used six times it would be
    // half.
    expect(gradient.filter((x) => x !== 0).length).toBeLessThan(20);
  });

  it("may take a key from the index", async () => {
    const key = random.key(0);
    const found = forLoop(0, 3, (i, sum) => sum.add(random.uniform(random.foldIn(key, i), [])), tensor(0));
    const each = await Promise.all([0, 1, 2].map((i) => random.uniform(random.foldIn(key, i), []).item()));
    expect(await found.item()).toBeCloseTo(each.reduce((a, b) => a + b), 5);
    expect(errorOf(() => random.foldIn(key, tensor(1))).message).toBe("random.foldIn: the number is an integer, got f32[]");
    expect(errorOf(() => random.foldIn(key, tensor([1], { dtype: "i32" }))).message).toBe("random.foldIn: the number is a 0-d tensor, got i32[1]");
  });
});
