// Kernels' language: what JavaScript computes, kernels compute. Each function runs as plain
// JavaScript and, lowered to words, in the reference interpreter.

import { describe, expect, it } from "vitest";
import { compare } from "../support/kernel/compare.js";

const x = { shape: [3, 4], data: [0.5, -1.25, 2, 3.75, -4.5, 5, 0, -7.125, 8, 9.5, -10, 11.25] };
const n = { shape: [5], data: [3, -7, 0, 12, 5], dtype: "i32" as const };

describe("numbers", () => {
  it("operators", () => {
    compare((x: any, i: number, j: number) => x.at(i, j) * 2 + i - j / 3, { args: [x] });
    compare((x: any, i: number, j: number) => x.at(i, j) % 3, { args: [x] });
    compare((x: any, i: number, j: number) => -(x.at(i, j) ** 2) + x.at(i, j) ** 3, { args: [x] });
    compare((n: any, i: number) => n.at(i) % 4, { args: [n] });
    compare((n: any, i: number) => (n.at(i) % -4) * 10 + (i - 2) % 2, { args: [n] });
    compare((n: any, i: number) => (n.at(i) << 3) ^ (n.at(i) >> 1), { args: [n] });
    compare((n: any, i: number) => n.at(i) >>> 28, { args: [n] });
    compare((n: any, i: number) => ~n.at(i) & 0xff, { args: [n] });
    compare((n: any, i: number) => n.at(i) << (i + 30), { args: [n] });
  });

  it("bits of floats", () => {
    compare((i: number) => ((i * 0.5 - 1.25) * 4294967296.0) | 0, { shape: [6] });
    compare((i: number) => (i - 2.5) >>> 0, { shape: [6] });
    compare((i: number) => ~~((i - 2.5) * 1.1), { shape: [6] });
  });

  it("quotients of whole numbers are floats, and whole where the fraction is dropped", () => {
    compare((n: any, i: number) => n.at(i) / 2, { args: [n], dtype: "f32" });
    compare((n: any, i: number) => Math.floor(n.at(i) / 2), { args: [n], dtype: "i32" });
    compare((n: any, i: number) => Math.trunc(n.at(i) / 2) * 100 + ((n.at(i) / 4) | 0), { args: [n], dtype: "i32" });
  });

  it("comparisons and truth", () => {
    compare((x: any, i: number, j: number) => x.at(i, j) > 1, { args: [x], dtype: "bool" });
    compare((x: any, i: number, j: number) => (x.at(i, j) > 1 && i !== j) || !x.at(i, j), { args: [x], dtype: "bool" });
    compare((x: any, i: number, j: number) => x.at(i, j) || -1, { args: [x], dtype: "f32" });
    compare((_: any, i: number, j: number) => (i && j) + 0.5, { args: [x] });
    compare((n: any, i: number) => (n.at(i) < n.at(i) >>> 0 ? 1 : 0), { args: [n] });
    compare((n: any, i: number) => (n.at(i) >>> 0 > -1 ? 1 : 0), { args: [n] });
    compare((n: any, i: number) => +(n.at(i) > 3) + 2, { args: [n], dtype: "i32" });
  });

  it("dtypes of results", () => {
    compare((i: number) => i, { shape: [4], dtype: "i32" });
    compare((i: number) => (i > 1 ? 1 : 0), { shape: [4], dtype: "f32" });
    compare((i: number) => { if (i > 2) return 3; return 1; }, { shape: [4], dtype: "f32" });
    compare((i: number) => i * 0.5, { shape: [4], dtype: "f32" });
    compare((i: number) => i >>> 0, { shape: [4], dtype: "u32" });
    compare((i: number) => { let sum = 0; for (let k = 0; k <= i; k++) sum += k; return sum; }, { shape: [4], dtype: "i32" });
    compare((i: number) => { let sum = 0; for (let k = 0; k <= i; k++) sum += k / 2; return sum; }, { shape: [4], dtype: "f32" });
  });

  it("Math", () => {
    const one = ["abs", "sign", "floor", "ceil", "trunc", "round", "sin", "cos", "tan", "atan", "sinh", "cosh", "tanh", "asinh", "exp", "expm1", "cbrt", "fround"];
    for (const name of one) compare(`(x, i, j) => Math.${name}(x.at(i, j))`, { args: [x] });
    for (const name of ["sqrt", "log", "log2", "log10", "log1p"]) compare(`(x, i, j) => Math.${name}(Math.abs(x.at(i, j)) + 0.25)`, { args: [x] });
    for (const name of ["asin", "acos", "atanh"]) compare(`(x, i, j) => Math.${name}(x.at(i, j) / 12)`, { args: [x] });
    compare((x: any, i: number, j: number) => Math.acosh(1 + Math.abs(x.at(i, j))), { args: [x] });
    compare((x: any, i: number, j: number) => Math.atan2(x.at(i, j), j - 1.5) + Math.hypot(x.at(i, j), i, j), { args: [x] });
    compare((x: any, i: number, j: number) => Math.max(x.at(i, j), i, 2) - Math.min(x.at(i, j), 1.5), { args: [x] });
    compare((x: any, i: number, j: number) => Math.pow(Math.abs(x.at(i, j)), 1.5) + Math.PI, { args: [x] });
    compare((n: any, i: number) => Math.clz32(n.at(i)) + Math.imul(n.at(i), 0x7fff), { args: [n] });
    compare((i: number) => Math.round(i / 4 - 1.5), { shape: [12] });
    compare((x: any, i: number, j: number) => Number.isInteger(x.at(i, j)) || isNaN(0 / x.at(i, j)), { args: [x] });
    compare((i: number) => Math.sign(Math.atan2(-0.0, i)) + Math.cbrt(i * 27), { shape: [3] });
  });
});

describe("statements", () => {
  it("assignments of every kind", () => {
    compare((x: any, i: number, j: number) => {
      let a = x.at(i, j), b = 1, c;
      a += b; a -= 0.5; a *= 2; a /= 3; b <<= 2; b |= 1; b ^= 2; b %= 4; b **= 2; b &= 0xff; b >>= 1; b >>>= 0;
      c = b++ + ++b;
      c = c-- - --c;
      a ||= 4;
      let d = (a = a + 1, a * 2);
      return a + b + c + d;
    }, { args: [x] });
  });

  it("the order of evaluation", () => {
    compare((i: number) => { let a = i; return a + (a = 5) + a; }, { shape: [3] });
    compare((i: number) => { let a = i; return a++ * 10 + a++ * 100 + a; }, { shape: [3] });
    compare((i: number) => { let a = i, b = 2; [a, b] = [b, a]; return a * 10 + b; }, { shape: [3] });
    compare((i: number) => { let a = i; const f = () => { a = a * 2 + 1; return a; }; return a + f() * 100 + f(); }, { shape: [3] });
    compare((i: number) => { const v = [1, 2, 3]; let k = 0; v[k++] = 7 + k + i; return v[0]! * 10 + k; }, { shape: [3] });
    compare((i: number) => { let n = 0; (i > 1 && (n = 5)) || (n += 1); return n; }, { shape: [4] });
  });

  it("branches", () => {
    compare((i: number) => { if (i < 2) return 1; else if (i < 4) return i * 2; return -1; }, { shape: [6] });
    compare((i: number) => { let a = 0; if (i > 1) { a = 1; if (i > 2) a += 10; } else a = 0.5; return a; }, { shape: [4] });
    compare((i: number) => { if (i > 1) { if (i > 2) return 5; } else return 7; return i; }, { shape: [5] });
    compare((i: number) => { if (i > 0) { if (i > 1) { if (i > 2) return 1; } else return 2; } return 3; }, { shape: [5] });
  });

  it("loops", () => {
    compare((i: number) => { let s = 0; for (let k = 0; k < 10; k += 3) s += k * i; return s; }, { shape: [4] });
    compare((i: number) => { let s = 0; for (let k = 10; k >= i; k--) s += k; return s; }, { shape: [4] });
    compare((i: number) => { let s = 0; for (let k = i; k < 4.5; k++) { if (k === 2) continue; s += k; } return s; }, { shape: [6] });
    compare((i: number) => { let s = 0; for (let k = 0; k <= i / 2; k++) s += 1; return s; }, { shape: [6] });
    compare((i: number) => { let s = 0; for (let k = 0, m = i; 5 > k; k = k + 1) { s += m; if (s > 6) break; } return s; }, { shape: [4] });
    compare((i: number) => { let n = i + 6, c = 0; while (n !== 1) { n = n % 2 === 0 ? n / 2 : 3 * n + 1; c++; } return c; }, { shape: [6] });
    compare((i: number) => { let c = 0, k = i; do { c += k; if (c > 20) break; if (k === 3) continue; c++; } while (k-- > 0); return c; }, { shape: [6] });
    compare((i: number) => { let s = 0; for (let k = 0; k < 9; k++) { if (k % 2) { k++; continue; } s += k; } return s * i; }, { shape: [4] });
    compare((i: number) => { let s = 0; for (let t = 0.25; t < 2; t += 0.5) s += t * i; return s; }, { shape: [4] });
    compare((i: number) => { let s = 0; for (let a = -1; a <= 1; a++) for (let b = -1; b <= 1; b++) if (a || b) s += a * 2 + b * i; return s; }, { shape: [4] });
    compare((i: number) => { let s = 0, k = 0; for (;;) { if (k++ > i) break; s += k; } return s; }, { shape: [4] });
    compare((i: number) => { let s = 0; for (let k = 0; k < 4; k++) { let seen; if (k === i) seen = 5; s = s * 10 + (seen ? seen : 0); } return s; }, { shape: [4] });
  });

  it("returns from loops", () => {
    compare((i: number) => { for (let k = 0; k < 5; k++) if (k * k >= i) return k; return -1; }, { shape: [30] });
    compare((i: number) => { for (let a = 0; a < 5; a++) { for (let b = 0; b < 5; b++) { if (a * b === i) return a * 10 + b; } if (a > i) return -2; } return -1; }, { shape: [20] });
    compare((i: number) => { const find = (m: number) => { for (let k = 0; k < 4; k++) { if (k === m) return k * 2; } return 100; }; return find(i) + find(i + 2); }, { shape: [6] });
  });
});

describe("arrays and records", () => {
  it("of constant places", () => {
    compare((i: number) => { const v = [1, 2, 3]; v[1]! += i; const [a, b, c] = v; return a! * 100 + b! * 10 + c!; }, { shape: [3] });
    compare((i: number) => { let v = [i, 1]; v = [v[1]!, v[0]!]; v = [v[0]! + v[1]!, v[0]! - v[1]!]; return v[0]! * v[1]!; }, { shape: [4] });
    compare((i: number) => { const v = [0.5, 1.5], w = v; w[0] = i; return v[0]! + w[1]!; }, { shape: [3] });
    compare((i: number) => { const p = { x: i, y: 2 }; p.x *= 2; const { x, y: z } = p; return x + z; }, { shape: [3] });
  });

  it("of chosen places", () => {
    compare((i: number) => { const v = [5, 6, 7, 8]; v[i] = 1; let s = 0; for (let k = 0; k < v.length; k++) s = s * 10 + v[k]!; return s; }, { shape: [4] });
    compare((i: number) => { const v = new Array(5).fill(0); for (let k = 0; k < 5; k++) v[k] = k * i + 0.5; return v[i] + v[4 - i]; }, { shape: [5] });
    compare((i: number) => { const v = new Float32Array(20); for (let k = 0; k < 20; k++) v[k] = k * k; let s = 0; for (let k = 0; k < 20; k += 7) s += v[k]!; return s + i; }, { shape: [2] });
    compare((i: number) => { let s = 0; for (let r = 0; r < 3; r++) { const v = new Array(4).fill(1); v[(i + r) % 4] += r; for (let k = 0; k < 4; k++) s += v[k] * (k + 1); } return s; }, { shape: [4] });
    compare((i: number) => [3, 1, 4, 1, 5][i]!, { shape: [5] });
    compare((i: number) => { const sort = (v: number[]) => { for (let a = 1; a < 4; a++) for (let b = a; b > 0; b--) if (v[b]! < v[b - 1]!) { const t = v[b]!; v[b] = v[b - 1]!; v[b - 1] = t; } }; const v = [7, i, 3, 5 - i]; sort(v); return v[0]! * 1000 + v[1]! * 100 + v[2]! * 10 + v[3]!; }, { shape: [5] });
  });

  it("gone over", () => {
    compare((i: number) => { let s = 0; for (const v of [1, 2.5, i]) { if (v === 2.5 && i === 1) continue; s += v; } return s; }, { shape: [4] });
    compare((i: number) => { const a = [3, 1, i]; let s = 0; for (let v of a) { v *= 2; if (v > 7) break; s = s * 10 + v; } return s; }, { shape: [6] });
    compare((x: any, i: number, j: number) => { let s = 0; for (const [a, b] of [[-1, 0], [1, 0], [0, -1], [0, 1]] as [number, number][]) s += x.at(i + a, j + b); for (const n of x.shape) s += n; return s; }, { args: [x] });
    compare((i: number) => { const a = new Float32Array(20); for (let k = 0; k < 20; k++) a[k] = k * i; for (const v of a) if (v > 10) return v; return -1; }, { shape: [4] });
    compare((i: number) => { let s = 0; for (const { w, at: [p] } of [{ w: 2, at: [i] }, { w: 3, at: [1] }]) s += w * p!; for (const v of [] as number[]) s += v; return s; }, { shape: [3] });
    compare((i: number) => { let v = 0; for (v of [5, 7]) if (i > 0) break; return v; }, { shape: [2] });
  });

  it("as results", () => {
    compare((x: any, i: number, j: number) => [x.at(i, j), i, 0.5], { args: [x] });
    compare((x: any, i: number, j: number) => ({ value: x.at(i, j), place: [i, j] }), { args: [x] });
    compare((i: number) => { if (i > 1) return [1, 2]; return [i, 0.5]; }, { shape: [4] });
  });
});

describe("functions", () => {
  it("inside a kernel, and captured", () => {
    compare((i: number) => { const square = (v: number) => v * v; function twice(v: number, f = 2) { return v * f; } return twice(square(i)) + twice(square(i + 0.5), 3); }, { shape: [4] });
    const mix = (a: number, b: number, t: number) => a + (b - a) * t;
    const lerp3 = (a: number[], b: number[], t: number) => [a[0]! + (b[0]! - a[0]!) * t, a[1]! + (b[1]! - a[1]!) * t];
    compare((i: number, { mix, lerp3 }: any) => mix(i, 10, 0.25) + lerp3([1, i], [3, 4], 0.5)[1], { shape: [4], with: { mix, lerp3 } });
    compare((i: number, { rate, on }: any) => (on ? i * rate : rate), { shape: [4], with: { rate: 1.5, on: true } });
  });
});

describe("tensors", () => {
  it("edges", () => {
    for (const edge of ["clamp", "wrap", "mirror", "zero", 2.5] as const) compare((x: any, i: number, j: number) => x.at(i - 2, j + 3) + x.at(i + 4, j - 9), { args: [x], edge });
    compare((x: any, i: number, j: number) => x.at(i - 1, j, { edge: "wrap" }) + x.at(i, j + 1, { edge: i + 0.5 }), { args: [x] });
  });

  it("shapes and samples", () => {
    compare((x: any, _i: number, _j: number) => x.shape[0] * 10 + x.shape[1] + x.length * 100 + x.size + x.ndim, { args: [x] });
    compare((x: any, i: number, _: number) => { const [h, w] = x.shape; let s = 0; for (let k = 0; k < w; k++) s += x.at(i, k); return s / h; }, { args: [x] });
    compare((x: any, i: number, j: number) => x.sample(i * 0.7 - 0.3, j + 0.25) + x.sample(i - 0.5, j * 1.2, { filter: "cubic", edge: "wrap" }), { args: [x] });
    compare((n: any, i: number) => n.at(Math.floor(i * 0.5)) + n.at(Math.round(i / 3) + 1), { args: [n] });
    compare((b: any, i: number) => (b.at(i) === 1 ? 2 : b.at(i) + 0.5), { args: [{ shape: [3], data: [1, 0, 1], dtype: "bool" }], shape: [3] });
  });

  it("stores", () => {
    const outputs = { hist: { shape: [4], dtype: "u32" as const }, best: { shape: [2, 2], initial: -100 } };
    compare((x: any, i: number, j: number, { hist, best }: any) => { hist.add(1, (i + j) % 4); best.max(x.at(i, j), i % 2, j % 2); }, { args: [x], outputs, shape: [3, 4] });
    compare((i: number, { out }: any) => { out.set([i, i * 2, 0.5], i); }, { shape: [4], outputs: { out: { shape: [4, 3] } } });
    compare((i: number, { bits }: any) => { bits.or(1 << i, 0); return i; }, { shape: [4], outputs: { bits: { shape: [1], dtype: "u32" } } });
    compare((i: number, { next, list }: any) => { const at = next.add(1, 0); list.set(i * i, at); }, { shape: [4], outputs: { next: { shape: [1], dtype: "u32" }, list: { shape: [4] } } });
  });

  it("random numbers", () => {
    const key = { shape: [2], data: [123456789, 4000000000], dtype: "u32" as const };
    compare((key: any, i: number, { rand, threefry }: any) => rand(key, i) + rand(key, i, 2) + (threefry(key, 5, i) % 7), { args: [key], shape: [9] });
    compare((i: number, { threefry }: any) => threefry([i, 7], 0), { shape: [5] });
    compare((i: number, { rand, pcg }: any) => rand(i) + rand(i, 3) + (pcg(i) % 7), { shape: [8] });
    expect(compare((i: number, { pcg }: any) => pcg(i), { shape: [6] })[0]!.data).toEqual([129708002, 2831084092, 2055130248, 2131687100, 678955108, 2161170183]);
  });
});
