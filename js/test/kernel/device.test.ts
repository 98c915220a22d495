// Kernels on a GPU, by Dawn: what the CPU device computes.

import { beforeAll, describe, expect, it, vi } from "vitest";
import { explain, grad, init, jit, jvp, random, scan, tensor, vmap, type Tensor } from "../../src/index.js";
import { kernel, type KernelArgument } from "../../src/kernel/index.js";
import { wasmBytes } from "../support/cpu.js";
import { dawn } from "../support/dawn.js";

let gpu: GPU;
beforeAll(async () => {
  gpu = await dawn();
});

const kernels: Record<string, () => (...args: KernelArgument[]) => Tensor | Record<string, Tensor>> = {
  "a stencil that wraps": () =>
    kernel((world, i, j) => {
      let n = 0;
      for (let a = -1; a <= 1; a++) for (let b = -1; b <= 1; b++) if (a !== 0 || b !== 0) n += world.at(i + a, j + b);
      return n > 4 || (n > 2 && world.at(i, j) < 0.5) ? 1 : 0;
    }, { edge: "wrap" }),
  "a histogram, and what was there before": () =>
    kernel((x, i, j, { bins, total }) => {
      bins.add(1, Math.floor(x.at(i, j) * 8));
      total.add(x.at(i, j), i % 2);
    }, { outputs: { bins: { shape: [8], dtype: "u32" }, total: { shape: [2] } } }),
  "a median by a local array": () =>
    kernel((x, i, j) => {
      const v = new Array(9).fill(0);
      for (let k = 0; k < 9; k++) v[k] = x.at(i + Math.floor(k / 3) - 1, j + (k % 3) - 1);
      for (let a = 1; a < 9; a++) {
        let b = a;
        while (b > 0 && v[b - 1] > v[b]) {
          [v[b - 1], v[b]] = [v[b], v[b - 1]];
          b--;
        }
      }
      return v[4];
    }),
  "an early return, a record and samples": () =>
    kernel((x, i, j, { rand }) => {
      let [u, v] = [i, j * 0.5];
      for (let k = 0; k < 20; k++) {
        if (x.sample(u, v, { filter: "cubic" }) > 0.9) return { steps: k, place: [u, v] };
        u += rand(i, j, k) - 0.5;
        v += Math.fround(0.25);
      }
      return { steps: -1, place: [0, 0] };
    }),
  "subgroups": () =>
    kernel.group((x, i, j, { subgroupAdd, subgroupMax, subgroupAddBefore, shuffle }) => {
      let sum = subgroupAdd(x.at(i, j));
      for (let k = 0; k < 3; k++) sum += shuffle(x.at(i, j) * k, k) + subgroupAddBefore(x.at(i, j));
      return [sum, subgroupMax(i * 12 + j)];
    }, { workgroup: [8, 6] }),
  "tiles of a workgroup": () =>
    kernel((x, i, j, { local, group, shared, barrier }) => {
      const tile = shared("f32", 4, 5);
      tile[local[0]][local[1]] = x.at(i, j);
      barrier();
      return tile[local[1]][local[0]] + group[0];
    }, { workgroup: [4, 4] }),
};

describe("on a GPU as on the CPU", () => {
  for (const [name, make] of Object.entries(kernels)) {
    it(name, async () => {
      const read = async () => {
        random.seed(7);
        const made = make()(random.uniform([8, 12]));
        const all = Object.entries(made.constructor.name === "Object" ? made : { result: made as Tensor }) as [string, Tensor][];
        return Promise.all(all.map(async ([part, values]) => [part, values.shape, Array.from(await values.data())] as const));
      };
      await init({ device: "cpu", wasm: wasmBytes() });
      const expected = await read();
      expect((await init({ device: "webgpu", gpu, wasm: wasmBytes() })).kind).toBe("webgpu");
      const found = await read();
      expect(found.map(([part, shape]) => [part, shape])).toEqual(expected.map(([part, shape]) => [part, shape]));
      found.forEach(([part, , data], n) => data.forEach((value, k) => expect(Math.abs(value - expected[n]![2][k]!), `${part} at ${k}`).toBeLessThan(1e-5)));
    });
  }

  it("zeros have the signs that they have in JavaScript", async () => {
    const forms = (x: any, y: any, i: number) => {
      const [a, b] = [x.at(i), y.at(i)];
      const list = [0, 0];
      let [s, t, u] = [0, 0, 0];
      s += a;
      t -= a;
      for (let k = 0; k < 3; k++) u += a * b;
      list[i % 2] += a;
      return [
        1 / (a + 0), 1 / (0 + a), 1 / (0 - a), 1 / (Math.ceil(a) + 0), 1 / (a * b + 0), 1 / (0 - a * b), 1 / (a - b + b),
        1 / -(2 - b), 1 / -(b + -2), 1 / -(b - 2), 1 / -(a - b), 1 / ((a - b) * -1), 1 / s, 1 / t, 1 / u, 1 / list[i % 2]!,
      ];
    };
    const [a, b] = [[-0, 0, -0.5, 2, -0, 0], [1, 2, -1, 2, -1, -2]];
    const expected = a.map((_, i) => forms({ at: (k: number) => a[k] }, { at: (k: number) => b[k] }, i));
    for (const device of ["cpu", "webgpu"] as const) {
      await init({ device, wasm: wasmBytes(), ...(device === "webgpu" && { gpu, tune: false }) });
      const found = await (kernel(forms)(tensor(a), tensor(b)) as Tensor).array();
      expect(found, device).toEqual(expected.map((row) => row.map((value) => expect.closeTo(value, 5))));
    }
  });

  it("prints, asserts and finds the first NaN", async () => {
    await init({ device: "webgpu", gpu, wasm: wasmBytes() });
    const lines: string[] = [];
    vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
    vi.spyOn(console, "error").mockImplementation(() => {});
    try {
      const root = kernel((x, i, { print, assert }) => {
        if (i % 100 === 7) print("at", i, x.at(i), [-i, 0.5]);
        assert(x.at(i) < 250, "small");
        return Math.sqrt(x.at(i) - 20);
      }, { name: "root", debug: true });
      root(tensor(Array.from({ length: 300 }, (_, n) => n)));
      await expect(root.checked()).rejects.toThrow(/the first NaN is made here, at \[0\] \(and 19 more times\)/);
      root(tensor(Array.from({ length: 300 }, (_, n) => n + 20)));
      await expect(root.checked()).rejects.toThrow(/assertion failed at \[230\] \(and 69 more times\): small/);
      expect(lines.slice(0, 3)).toEqual(["root[7]: at 7 7 [-7, 0.5]", "root[107]: at 107 107 [-107, 0.5]", "root[207]: at 207 207 [-207, 0.5]"]);
      expect(lines.length).toBe(6);
    } finally {
      vi.restoreAllMocks();
    }
  });

  it("a number of a call compiles nothing anew, and neither does another shape of a kernel in JavaScript", async () => {
    await init({ device: "webgpu", gpu, wasm: wasmBytes() });
    const scale = kernel((x, rate, i) => x.at(i) * rate);
    expect(await scale(tensor([1, 2]), 2).array()).toEqual([2, 4]);
    expect(await scale(tensor([1, 2, 3]), 0.5).array()).toEqual([0.5, 1, 1.5]);
  });
});

/** Two outputs, of which one has two elements for each point. */
const slopes = kernel((x, i, j) => ({
  mean: (x.at(i, j) + x.at(i - 1, j) + x.at(i, j + 1)) / 3,
  both: [x.at(i + 1, j) - x.at(i, j), x.at(i, j) * x.at(i, j - 1)],
}), { edge: "wrap" });

/** What follows elementwise, of one output, of both, and of an input. */
const followed = (x: Tensor): Tensor => {
  const { mean, both } = slopes(x);
  return mean.reshape([...mean.shape, 1]).mul(both).sin().add(x.reshape([...x.shape, 1]).square());
};

/** Functions of x, 4 × 8. What they compute is followed, batched, differentiated, captured and
 * repeated. */
const followers: Record<string, (x: Tensor) => Tensor> = {
  "as it is": followed,
  "in jit": (x) => jit(followed)(x),
  "in vmap": (x) => vmap(followed)(x.reshape([2, 4, 4])),
  "in grad": (x) => grad((x: Tensor) => followed(x).square().sum())(x),
  "in grad of grad": (x) => grad((x: Tensor) => grad((x: Tensor) => followed(x).sum())(x).square().sum())(x),
  "in jvp": (x) => jvp(followed, [x], [x.cos()])[1] as Tensor,
  "in vmap of grad": (x) => vmap(grad((x: Tensor) => followed(x).sum()))(x.reshape([2, 4, 4])),
  "in grad of vmap, in jit": (x) => jit(grad((x: Tensor) => vmap(followed)(x.reshape([2, 4, 4])).cos().sum()))(x),
  "in scan": (x) => (scan((x: Tensor) => [followed(x).mean(-1), followed(x).slice(null, null, 0)], x, null, { length: 3 }) as [Tensor, Tensor])[1],
  "in grad of scan": (x) => grad((x: Tensor) => (scan((x: Tensor) => [followed(x).mean(-1), x.sum()], x, null, { length: 3 }) as [Tensor, Tensor])[0].sum())(x),
};

describe("what follows a kernel", () => {
  // Small, so that what is repeated stays small.
  const from = () => random.normal(random.key(5), [4, 8]).mul(0.25);

  for (const [name, follow] of Object.entries(followers)) {
    it(`computes the same ${name}`, async () => {
      await init({ device: "cpu", wasm: wasmBytes() });
      const expected = await follow(from()).data();
      await init({ device: "webgpu", gpu, wasm: wasmBytes() });
      const found = await follow(from()).data();
      expect(found.length).toBe(expected.length);
      const largest = Math.max(1, ...Array.from(expected, Math.abs));
      found.forEach((value, n) => expect(Math.abs(value - expected[n]!), `${n}`).toBeLessThan(2e-5 * largest));
    });
  }

  it("is one dispatch with it, also captured and batched", async () => {
    await init({ device: "webgpu", gpu, wasm: wasmBytes() });
    const dispatches = (follow: (x: Tensor) => unknown) => explain(follow, from()).dispatches.length;
    expect(dispatches(followed)).toBe(1);
    expect(dispatches(followers["in vmap"]!)).toBe(1);
    expect(dispatches(followers["in jit"]!)).toBe(1);
  });
});
