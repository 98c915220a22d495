// The programs that TensorFrost shows what a tensor language can say with, as kernels, and the
// faults of its compiler: each computes here, and its answer is compared with one of another kind.

import { describe, expect, it } from "vitest";
import { Complex, customVjp, fft, grad, random, stack, tensor, type Tensor } from "../../src/index.js";
import { kernel, pcg } from "../../src/kernel/index.js";
import { compileKernel } from "../../src/kernel/compile.js";
import { onCpu, values } from "../support/cpu.js";

onCpu();

const sorted = (list: readonly number[]) => [...list].sort((a, b) => a - b);
const near = (found: readonly number[], expected: readonly number[], most: number) => {
  expect(found).toHaveLength(expected.length);
  expected.forEach((value, n) => expect(Math.abs((found[n] as number) - value), `element ${n}: ${found[n]} for ${value}`).toBeLessThanOrEqual(most));
};

describe("sorts", () => {
  it("bitonic", async () => {
    const exchange = kernel((x, distance, size, i) => {
      const partner = i ^ Math.floor(distance);
      const [mine, other] = [x.at(i), x.at(partner)];
      const rises = (i & Math.floor(size)) === 0;
      return (i < partner) === rises ? Math.min(mine, other) : Math.max(mine, other);
    });
    let x = random.normal([256]);
    const expected = sorted(await values(x));
    for (let size = 2; size <= 256; size *= 2) for (let distance = size / 2; distance >= 1; distance /= 2) x = exchange(x, distance, size);
    expect(await values(x)).toEqual(expected);
  });

  it("radix, four bits at a time, equal keys in their order", async () => {
    const BLOCK = 16;
    const digits = kernel((keys, shift, block) => {
      const counts = new Int32Array(16);
      for (let n = 0; n < 16; n++) {
        const digit = (keys.at(block * 16 + n) >>> Math.floor(shift)) & 15;
        counts[digit] = counts[digit]! + 1;
      }
      return counts;
    }, { shape: (keys: Tensor) => [(keys.shape[0] as number) / BLOCK], dtype: "i32" });
    const place = kernel((keys, order, before, shift, block, { nextKeys, nextOrder }) => {
      const next = new Int32Array(16);
      for (let digit = 0; digit < 16; digit++) next[digit] = before.at(digit, block);
      for (let n = 0; n < 16; n++) {
        const key = keys.at(block * 16 + n);
        const digit = (key >>> Math.floor(shift)) & 15;
        nextKeys.set(key, next[digit]);
        nextOrder.set(order.at(block * 16 + n), next[digit]);
        next[digit] = next[digit]! + 1;
      }
    }, {
      shape: (keys: Tensor) => [(keys.shape[0] as number) / BLOCK],
      outputs: { nextKeys: { shape: (keys: Tensor) => keys.shape, dtype: "u32" }, nextOrder: { shape: (keys: Tensor) => keys.shape, dtype: "i32" } },
    });
    const given = Array.from({ length: 128 }, (_, n) => pcg(n) % 4096);
    let [keys, order] = [tensor(given, { dtype: "u32" }), tensor(given.map((_, n) => n), { dtype: "i32" })];
    for (let shift = 0; shift < 12; shift += 4) {
      const counts = digits(keys, shift).transpose();
      const flat = counts.reshape([-1]);
      const before = flat.cumsum().sub(flat).reshape(counts.shape).cast("i32");
      ({ nextKeys: keys, nextOrder: order } = place(keys, order, before, shift));
    }
    const expected = given.map((key, n) => [key, n] as const).sort(([a, m], [b, n]) => a - b || m - n);
    expect(await values(keys)).toEqual(expected.map(([key]) => key));
    expect(await values(order)).toEqual(expected.map(([, n]) => n));
  });
});

describe("transforms and products", () => {
  for (const n of [256, 1024]) {
    it(`an FFT of ${n} in shared memory`, async () => {
      const transform = kernel((x, line, _i, { local, shared, barrier, size, bits, y }) => {
        const [re, im] = [shared("f32", 1024), shared("f32", 1024)];
        for (let at = local[0]; at < Math.floor(size); at += 128) {
          let [from, to] = [at, 0];
          for (let bit = 0; bit < Math.floor(bits); bit++) {
            to = (to << 1) | (from & 1);
            from >>= 1;
          }
          re[to] = x.at(line, at, 0);
          im[to] = x.at(line, at, 1);
        }
        barrier();
        for (let stage = 0; stage < Math.floor(bits); stage++) {
          const half = 1 << stage;
          for (let pair = local[0]; pair < Math.floor(size) >> 1; pair += 128) {
            const k = pair & (half - 1);
            const top = ((pair >> stage) << (stage + 1)) + k;
            const angle = (-Math.PI * k) / half;
            const [c, s] = [Math.cos(angle), Math.sin(angle)];
            const [a, b] = [re[top + half] * c - im[top + half] * s, re[top + half] * s + im[top + half] * c];
            const [u, v] = [re[top], im[top]];
            re[top] = u + a;
            im[top] = v + b;
            re[top + half] = u - a;
            im[top + half] = v - b;
          }
          barrier();
        }
        for (let at = local[0]; at < Math.floor(size); at += 128) {
          y.set(re[at], line, at, 0);
          y.set(im[at], line, at, 1);
        }
      }, { shape: [2, 128], workgroup: [128], with: { size: n, bits: Math.log2(n) }, outputs: { y: { shape: [2, n, 2] } } });
      const x = random.normal([2, n, 2]);
      const found = transform(x).y;
      const [re, im] = [x.slice([0, 2], [0, n], [0, 1]).reshape([2, n]), x.slice([0, 2], [0, n], [1, 2]).reshape([2, n])];
      const expected = fft.fft(new Complex(re, im));
      const difference = found.sub(stack([expected.re, expected.im], -1)).abs().max();
      expect(await difference.item()).toBeLessThan(1e-3);
    });
  }

  it("a QR of 5 × 5 by one invocation", async () => {
    const qr = kernel((a, _i, { q, r }) => {
      const v = new Array(5).fill(0);
      const basis = new Float32Array(25);
      for (let column = 0; column < 5; column++) {
        for (let row = 0; row < 5; row++) v[row] = a.at(row, column);
        for (let before = 0; before < column; before++) {
          let dot = 0.0;
          for (let row = 0; row < 5; row++) dot += basis[row * 5 + before]! * v[row];
          r.set(dot, before, column);
          for (let row = 0; row < 5; row++) v[row] -= dot * basis[row * 5 + before]!;
        }
        let norm = 0.0;
        for (let row = 0; row < 5; row++) norm += v[row] * v[row];
        norm = Math.sqrt(norm);
        r.set(norm, column, column);
        for (let row = 0; row < 5; row++) {
          basis[row * 5 + column] = v[row] / norm;
          q.set(v[row] / norm, row, column);
        }
      }
    }, { shape: [1], outputs: { q: { shape: [5, 5] }, r: { shape: [5, 5] } } });
    random.seed(5);
    const a = random.normal([5, 5]);
    const { q, r } = qr(a);
    expect(await q.matmul(r).sub(a).square().sum().sqrt().item()).toBeLessThan(1e-5);
    expect(await q.transpose().matmul(q).trace().item()).toBeCloseTo(5, 5);
  });

  it("a product by scattered adds", async () => {
    const product = kernel((a, b, i, j, k, { c }) => {
      c.add(a.at(i, k) * b.at(k, j), i, j);
    }, { shape: (a: Tensor, b: Tensor) => [a.shape[0] as number, b.shape[1] as number, a.shape[1] as number], outputs: { c: { shape: (a: Tensor, b: Tensor) => [a.shape[0] as number, b.shape[1] as number] } } });
    const [a, b] = [random.normal([7, 5]), random.normal([5, 6])];
    near(await values(product(a, b).c), await values(a.matmul(b)), 1e-5);
    const loss = (a: Tensor, b: Tensor) => product(a, b).c.square().sum();
    near(await values(grad(loss)(a, b)), await values(grad((a: Tensor, b: Tensor) => a.matmul(b).square().sum())(a, b)), 1e-4);
  });

  it("permutations of axes, and their gradients", async () => {
    const turned = kernel((x, i, j, k) => x.at(k, i, j), { shape: (x: Tensor) => [x.shape[1] as number, x.shape[2] as number, x.shape[0] as number] });
    const x = random.normal([3, 4, 5]);
    expect(await values(turned(x))).toEqual(await values(x.permute([1, 2, 0])));
    const weight = random.normal([4, 5, 3]);
    near(await values(grad((x: Tensor) => turned(x).mul(weight).sum())(x)), await values(weight.permute([2, 0, 1])), 1e-6);
  });

  it("an operation with a derivative of one's own", async () => {
    const forwards = kernel((x, i) => Math.tanh(x.at(i)));
    const backwards = kernel((y, g, i) => g.at(i) * (1 - y.at(i) * y.at(i)) * 2);
    const twice = customVjp(
      (x: Tensor) => forwards(x) as Tensor,
      (x: Tensor) => {
        const y = forwards(x) as Tensor;
        return [y, y] as const;
      },
      (y: Tensor, g: Tensor) => [backwards(y, g)],
    );
    const x = tensor([0.5, -1]);
    const expected = (await values(grad((x: Tensor) => x.tanh().sum())(x))).map((value) => 2 * value);
    near(await values(grad((x: Tensor) => twice(x).sum())(x)), expected, 1e-6);
  });
});

describe("sums", () => {
  it("running ones in groups", async () => {
    const scan = kernel((x, i, { local, group, shared, barrier, totals }) => {
      const sums = shared("f32", 64);
      sums[local[0]] = x.at(i);
      barrier();
      for (let distance = 1; distance < 64; distance *= 2) {
        const before = local[0] >= distance ? sums[local[0] - distance] : 0.0;
        barrier();
        sums[local[0]] += before;
        barrier();
      }
      if (local[0] === 63) totals.set(sums[63], group[0]);
      return { sums: sums[local[0]] };
    }, { workgroup: [64], outputs: { totals: { shape: (x: Tensor) => [(x.shape[0] as number) / 64] } } });
    const whole = kernel((sums, before, i) => sums.at(i) + before.at(Math.floor(i / 64)));
    const x = random.uniform([512]);
    const { sums, totals } = scan(x) as unknown as { sums: Tensor; totals: Tensor };
    near(await values(whole(sums, totals.cumsum().sub(totals))), await values(x.cumsum()), 1e-3);
  });

  it("of a workgroup, by a tree", async () => {
    const total = kernel((x, i, { local, group, shared, barrier, sums }) => {
      const part = shared("f32", 32);
      part[local[0]] = x.at(i);
      barrier();
      for (let half = 16; half > 0; half >>= 1) {
        if (local[0] < half) part[local[0]] += part[local[0] + half];
        barrier();
      }
      if (local[0] === 0) sums.set(part[0], group[0]);
    }, { workgroup: [32], outputs: { sums: { shape: [4] } } });
    const x = random.uniform([128]);
    near(await values(total(x).sums), await values(x.reshape([4, 32]).sum(1)), 1e-5);
  });

  it("inside a branch that not all invocations take", async () => {
    const some = kernel((x, i) => {
      if (x.at(i, 0) > 0) {
        let sum = 0.0;
        for (let j = 0; j < x.shape[1]; j++) sum += x.at(i, j);
        return sum;
      }
      return -1;
    }, { shape: [4] });
    const x = tensor([[1, 2, 3], [-1, 5, 5], [2, 2, 2], [0, 9, 9]]);
    expect(await values(some(x))).toEqual([6, -1, 6, -1]);
    expect(await values(grad((x: Tensor) => some(x).sum())(x))).toEqual([1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0]);
  });
});

describe("what another compiler got wrong", () => {
  it("pcg", async () => {
    const hash = kernel((_x, i, { pcg }) => pcg(i), { dtype: "u32" });
    const expected = [129708002, 2831084092, 2055130248, 2131687100, 678955108, 2161170183];
    expect(await values(hash(tensor([0, 0, 0, 0, 0, 0])))).toEqual(expected);
    expect(expected.map((_, n) => pcg(n))).toEqual(expected);
  });

  const slopes: Record<string, [(x: Tensor) => Tensor, (x: number) => number]> = {
    asin: [kernel((x, i) => Math.asin(x.at(i))) as (x: Tensor) => Tensor, (x) => 1 / Math.sqrt(1 - x * x)],
    acos: [kernel((x, i) => Math.acos(x.at(i))) as (x: Tensor) => Tensor, (x) => -1 / Math.sqrt(1 - x * x)],
    atan: [kernel((x, i) => Math.atan(x.at(i))) as (x: Tensor) => Tensor, (x) => 1 / (1 + x * x)],
    "a mix of two": [kernel((x, i) => x.at(i) * 3 * (1 - x.at(i)) + x.at(i) * x.at(i)) as (x: Tensor) => Tensor, (x) => 3 - 4 * x],
    "nine iterations": [kernel((x, i) => {
      let v = x.at(i);
      for (let n = 0; n < 9; n++) v = v * 0.5 + Math.sin(x.at(i));
      return v;
    }) as (x: Tensor) => Tensor, (x) => 0.5 ** 9 + Math.cos(x) * ((1 - 0.5 ** 9) / 0.5)],
  };
  for (const [name, [f, slope]] of Object.entries(slopes)) {
    it(`the gradient of ${name}`, async () => {
      const at = [-0.7, 0.1, 0.6];
      near(await values(grad((x: Tensor) => f(x).sum())(tensor(at))), at.map(slope), 1e-5);
    });
  }

  it("the gradient of a running sum", async () => {
    const running = kernel((x, i) => {
      let sum = 0.0;
      for (let j = 0; j <= i; j++) sum += x.at(j);
      return sum;
    });
    const weight = tensor([1, 10, 100, 1000]);
    expect(await values(grad((x: Tensor) => running(x).mul(weight).sum())(tensor([1, 2, 3, 4])))).toEqual([1111, 1110, 1100, 1000]);
  });

  it("ties of a minimum and a maximum share a gradient", async () => {
    const least = kernel((x, y, i) => Math.min(x.at(i), y.at(i)));
    const largest = kernel((x, y, i) => Math.max(x.at(i), y.at(i)));
    const [x, y] = [tensor([1, 2, 3]), tensor([1, 5, 0])];
    expect(await values(grad((x: Tensor) => least(x, y).sum())(x))).toEqual([0.5, 1, 0]);
    expect(await values(grad((x: Tensor) => largest(x, y).sum())(x))).toEqual([0.5, 0, 1]);
  });

  it("a loop of a bound that is read", async () => {
    const power = kernel((x, n, i) => {
      let v = 1.0;
      for (let k = 0; k < n.at(i); k++) v *= x.at(i);
      return v;
    });
    const [x, n] = [tensor([2, 3, 0.5, 7]), tensor([9, 2, 3, 0], { dtype: "i32" })];
    near(await values(power(x, n)), [512, 9, 0.125, 1], 1e-4);
    near(await values(grad((x: Tensor) => power(x, n).sum())(x)), [9 * 256, 6, 0.75, 0], 1e-3);
  });

  it("stores in place", async () => {
    const shift = kernel((x, i, { y }) => {
      const v = [x.at(i), x.at(i + 1)];
      v[0] = v[0] * v[1];
      v[1] = v[0] + v[1];
      if (i % 2 === 0) y.set(v[0] * v[1], i);
    }, { edge: "wrap", outputs: { y: { shape: (x: Tensor) => x.shape, initial: (x: Tensor) => x } } });
    const f = (x: Tensor) => shift(x).y.sum();
    const x = tensor([2, 3, 5, 7]);
    expect(await values(shift(x).y)).toEqual([6 * 9, 3, 35 * 42, 7]);
    // (a b)² + a b²: by a 2 a b² + b², by b 2 a² b + 2 a b.
    expect(await values(grad(f)(x))).toEqual([2 * 2 * 9 + 9, 2 * 4 * 3 + 2 * 2 * 3 + 1, 2 * 5 * 49 + 49, 2 * 25 * 7 + 2 * 5 * 7 + 1]);
  });

  it("gradients of gradients", async () => {
    const f = kernel((x, i) => Math.sin(x.at(i)) * x.at(i + 1), { edge: "wrap" });
    const energy = (x: Tensor) => grad((x: Tensor) => f(x).sum())(x).square().sum();
    const at = [0.3, -0.8, 1.2];
    const plain = (x: readonly number[]) => x.map((_, n) => Math.cos(x[n]!) * x[(n + 1) % 3]! + Math.sin(x[(n + 2) % 3]!)).reduce((sum, g) => sum + g * g, 0);
    const h = 1e-5;
    const expected = at.map((_, n) => (plain(at.map((x, m) => (m === n ? x + h : x))) - plain(at.map((x, m) => (m === n ? x - h : x)))) / (2 * h));
    near(await values(grad(energy)(tensor(at))), expected, 1e-3);
  });

  it("the largest of 1,500 negatives", async () => {
    const largest = kernel((x, i, { most }) => {
      most.max(x.at(i), 0);
    }, { outputs: { most: { shape: [1], initial: -Infinity } } });
    const x = random.uniform([1500]).add(1).neg();
    expect(await values(largest(x).most)).toEqual([await x.max().item()]);
  });

  it("the least of floats that meet", async () => {
    const least = kernel((x, i, { bins }) => {
      bins.min(x.at(i), i % 3);
    }, { outputs: { bins: { shape: [3], initial: 100 } } });
    const given = [2.5, -0, 7, -3.25, 1e-3, 1e9, 0.5];
    expect((await values(least(tensor(given)).bins)).map((x) => x + 0)).toEqual([-3.25, 0, 7]);
  });

  it("a kernel of twice as many lines is of twice the size", () => {
    const size = (lines: number) => {
      const body = Array.from({ length: lines }, (_, n) => `v${n + 1} = Math.sin(v${n}) * x.at(i + ${n});`);
      const declared = Array.from({ length: lines + 1 }, (_, n) => `let v${n} = 0.0;`);
      const source = `(x, i) => { ${declared.join(" ")} ${body.join(" ")} return v${lines}; }`;
      const { kernel: made } = compileKernel({ name: "long", source, args: [{ is: "tensor", dtype: "f32", rank: 1 }], rank: 1, captured: {}, outputs: {}, edge: "Clamp", limit: 1000, report: "none", dtype: null });
      return made.exprs.length + made.body.length;
    };
    expect(size(400) / size(200)).toBeLessThan(2.1);
  });
});
