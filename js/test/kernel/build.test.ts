// Kernels that a program builds, on the CPU device: the same IR as of functions.

import { describe, expect, it } from "vitest";
import { grad, jit, tensor, type Tensor } from "../../src/index.js";
import { compileKernel, type KernelSpec } from "../../src/kernel/compile.js";
import { writeKernel } from "../../src/kernel/build.js";
import { kernel, type BuiltOutput, type BuiltTensor, type KernelBuilder, type KernelTerm } from "../../src/kernel/index.js";
import { errorOf, onCpu } from "../support/cpu.js";

onCpu();

const x = { is: "tensor", dtype: "f32", rank: 1 } as const;

describe("kernels that are built", () => {
  it("are the kernels of functions", () => {
    const spec: KernelSpec = { name: "k", source: "", args: [x], rank: 1, captured: { rate: { is: "scalar", dtype: "f32" } }, outputs: {}, dtype: null, edge: "Clamp", limit: 1000, report: "none" };
    const built = writeKernel("k", (b: KernelBuilder, x: BuiltTensor, i: KernelTerm, { rate }: { rate: KernelTerm }) => {
      const sum = b.variable(0);
      b.for(0, x.length, (k) => b.if(x.at(k).greater(rate), () => sum.set(sum.add(x.at(k, { edge: "wrap" }))), () => b.continue()));
      return b.math.max(sum, x.at(i));
    }, { args: [x], rank: 1, captured: spec.captured, outputs: {}, inGroups: false });
    expect(built).toBe(`(a0, i0, { "rate": c0 }) => {
  let v0 = 0;
  for (let k1 = 0; k1 < a0.length; k1 += 1) {
    const t2 = a0.at(k1);
    const t3 = t2 > c0;
    if (t3) {
      const t4 = a0.at(k1, { edge: "wrap" });
      const t5 = v0 + t4;
      v0 = t5;
    }
    else {
      continue;
    }
  }
  const t6 = a0.at(i0);
  const t7 = Math.max(v0, t6);
  return t7;
}
`.trimEnd());
    const written = `(a0, i0, { rate: c0 }) => { let v0 = 0; for (let k1 = 0; k1 < a0.length; k1++) { const t2 = a0.at(k1); const t3 = t2 > c0; if (t3) { const t4 = a0.at(k1, { edge: "wrap" }); const t5 = v0 + t4; v0 = t5; } else continue; } const t6 = a0.at(i0); const t7 = Math.max(v0, t6); return t7; }`;
    expect(compileKernel({ ...spec, source: built }).kernel).toEqual(compileKernel({ ...spec, source: written }).kernel);
  });

  it("compute, differentiate and run as plain JavaScript", async () => {
    const polynomial = (coefficients: readonly number[]) =>
      kernel.build((_, x: BuiltTensor, i: KernelTerm) => coefficients.reduceRight<KernelTerm | number>((sum, c) => x.at(i).mul(sum).add(c), 0), { name: "polynomial" });
    const cubic = polynomial([1, 0, -2, 0.5]);
    expect(await cubic([0, 1, 2]).array()).toEqual([1, -0.5, -3]);
    expect(await cubic.run(2)([0, 1, 2])).toBe(-3);
    expect(await grad((y: Tensor) => cubic(y).sum())(tensor([2])).array()).toEqual([-2]);
    expect(await jit((y: Tensor) => cubic(y))(tensor([1])).array()).toEqual([-0.5]);
  });

  it("have arrays, loops, outputs, captures and functions", async () => {
    const shift = tensor([10, 20, 30]);
    const twice = (v: number) => v * 2;
    const made = kernel.build((b: KernelBuilder, x: BuiltTensor, i: KernelTerm, { shift, twice, hits, last }: { shift: BuiltTensor; twice: (v: KernelTerm) => KernelTerm; hits: BuiltOutput; last: BuiltOutput }) => {
      const v = b.array(4);
      b.for(3, -1, (k) => v.set(k.mul(i), k), -1);
      const steps = b.variable(0);
      b.while(() => steps.less(3), () => { steps.set(steps.add(1)); b.if(steps.equal(2), () => b.break()); });
      last.set(hits.before("add", 1, 0), i);
      b.assert(i.greaterEqual(0), "indices");
      return { sum: twice(x.at(i)).add(shift.at(i)), parts: [v.get(steps), b.select(i.bitwiseAnd(1).equal(1), 5, -1), b.call("pcg", i).fmod(7), i.neg().float()] };
    }, { with: { shift, twice }, outputs: { hits: { shape: 1, dtype: "u32" }, last: { shape: 3, dtype: "u32" } } });
    const { sum, parts, last } = made([1, 2, 3]);
    expect(await (sum as Tensor).array()).toEqual([12, 24, 36]);
    expect(await (parts as Tensor).array()).toEqual([[0, -1, 129708002 % 7, 0], [2, 5, 2831084092 % 7, -1], [4, -1, 2055130248 % 7, -2]]);
    expect(await last.array()).toEqual([0, 1, 2]);
    await made.checked();
  });

  it("work in groups", async () => {
    const turned = kernel.build((b: KernelBuilder, x: BuiltTensor, i: KernelTerm) => {
      const tile = b.shared("f32", 4);
      tile.set(x.at(i), b.local(0));
      b.barrier();
      return tile.get(b.local(0).neg().add(3)).add(b.group(0).mul(100)).add(b.call("subgroupMax", i));
    }, { workgroup: [4] });
    expect(await turned([1, 2, 3, 4, 5, 6, 7, 8]).array()).toEqual([7, 6, 5, 4, 115, 114, 113, 112]);
  });

  it("say what went wrong", () => {
    const messageOf = (fn: (...args: any[]) => unknown) => errorOf(() => kernel.build(fn, { name: "made" })([1, 2])).message;
    expect(messageOf((_, x) => x)).toBe("made: a kernel is built of terms and numbers, got a tensor: read an element of a tensor by at, and of an array by get");
    expect(messageOf((_, x, i) => x.at(i).add("1"))).toBe("made: a kernel is built of terms and numbers, got a string: read an element of a tensor by at, and of an array by get");
    expect(messageOf((_, x, i) => x.at(i) + 1)).toBe("made: terms have no operators: write a.add(b) for a + b, and a.less(b) for a < b");
    expect(messageOf((_, x, i) => x.at(i.div(2)))).toBe("made: line 3, column 20: an index is a whole number, and `t0` may have a fraction: write Math.floor(t0), or Math.round\n  const t1 = a0.at(t0);\n                   ^");
  });
});
