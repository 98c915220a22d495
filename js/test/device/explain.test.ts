// `explain`, of functions of any tree, loops, branches, tensors, and programs that ran. It runs
// nothing and leaves nothing behind.

import { describe, expect, it } from "vitest";
import {
  checkpoint, cond, explain, explainRuns, forLoop, grad, init, jit, labelRuns, memory, ones, optim, Parameter, random, scan, stats, tensor, tidy, vmap,
  TraceError, ValueError, type Explanation, type Stats, type Tensor,
} from "../../src/index.js";
import { errorOf, onCpu } from "../support/cpu.js";

onCpu();

/** Every number in an explanation names something that is there. */
function isWhole(explanation: Explanation): void {
  expect(explanation.dispatches.length).toBeGreaterThan(0);
  for (const { kernel, part, cluster, buffers, workgroups, times, choice } of explanation.dispatches) {
    expect(explanation.kernels[kernel]?.wgsl).toContain("@compute");
    expect(explanation.kernels[kernel]?.ir).toContain("kernel ");
    expect(explanation.parts[part]?.clusters[cluster]?.walks).toMatch(/^the /);
    for (const buffer of buffers) expect(explanation.buffers[buffer]).toBeDefined();
    expect(workgroups).toHaveLength(3);
    expect(times).toBeGreaterThan(0);
    expect(choice).not.toBe("");
  }
  const sizes = (kind: string) => explanation.buffers.filter((buffer) => buffer.kind === kind).reduce((sum, { bytes }) => sum + bytes, 0);
  expect(explanation.bytes).toEqual({ inputs: sizes("input"), outputs: sizes("output"), temporaries: sizes("temporary") });
  for (const part of explanation.parts) expect(`${explanation}`).toContain(part.program);
  for (const heading of ["# Program", "# Clusters", "# Dispatches", "# Memory", "# Kernel 0", "# WGSL of kernel 0"]) expect(`${explanation}`).toContain(heading);
  // Data alone: what is not text survives being copied to another thread.
  expect(structuredClone(explanation)).toEqual(explanation);
  expect(Object.keys(explanation)).not.toContain("toString");
}

describe("explain", () => {
  it("tells every stage of a function of trees, and runs nothing", () => {
    const [before, held] = [stats(), memory().tensors];
    const explanation = explain(({ x, scale }: { x: Tensor; scale: number }, [w]: Tensor[]) => ({ y: x.mul(scale).matmul(w as Tensor).softmax() }), { x: ones([32, 64]), scale: 2 }, [ones([64, 10])]);
    isWhole(explanation);
    expect(explanation.program).toContain("f32[32,64] = buffer 0");
    expect(explanation.program).toContain("= scalar 0");
    expect(explanation.parts[0]?.cuts.every(({ reason }) => reason.length > 0)).toBe(true);
    expect(stats().dispatches).toBe(before.dispatches);
    expect(stats().programMisses).toBe(before.programMisses);
    expect(memory().tensors - held).toBeLessThanOrEqual(2);
  });

  it("tells loops, branches and transforms", () => {
    const x = tensor([1, 2, 3]);
    isWhole(explain((x: Tensor) => forLoop(0, 1000, (_, y: Tensor) => y.mul(y).add(x), x), x));
    const stacked = explain((xs: Tensor) => scan((h: Tensor, x: Tensor) => [h.matmul(h).add(x).tanh(), h.sum()], ones([4, 4]), xs), ones([7, 4, 4]));
    isWhole(stacked);
    expect(stacked.dispatches.some(({ times }) => times === 7)).toBe(true);
    expect(stacked.parts.length).toBe(2);
    isWhole(explain((x: Tensor) => cond(x.sum().greater(0), (y: Tensor) => y.exp(), (y: Tensor) => y.sin(), x), x));
    isWhole(explain(grad((x: Tensor) => checkpoint((y: Tensor) => y.sin().exp())(x).sum()), x));
    isWhole(explain(vmap(jit((x: Tensor) => x.square().sum())), ones([5, 3])));
    isWhole(explain(() => random.normal([16])));
  });

  it("tells a training step, and leaves its parameters as they are", async () => {
    const weight = new Parameter([1, 2]);
    const optimizer = optim.sgd(weight, { lr: 0.1 });
    isWhole(explain((x: Tensor) => optimizer.step(grad((w: Tensor) => w.mul(x).sum())(weight)), tensor([3, 4])));
    expect(await weight.array()).toEqual([1, 2]);
  });

  it("refuses what cannot be run on stand-ins, and leaves nothing open", () => {
    expect(errorOf(() => explain(async () => ones([2])))).toBeInstanceOf(TraceError);
    expect(errorOf(() => explain((x: Tensor) => void x.data(), ones([2])))).toBeInstanceOf(TraceError);
    expect(errorOf(() => jit(() => explain(() => ones([2])))())).toBeInstanceOf(TraceError);
    expect(errorOf(() => grad((x: Tensor) => (explain(() => x.sum()), x.sum()))(tensor(1)))).toBeInstanceOf(TraceError);
    expect(errorOf(() => explain(() => { throw new RangeError("mine"); }))).toBeInstanceOf(RangeError);
    expect(errorOf(() => explain(3 as never))).toBeInstanceOf(ValueError);
    const held = memory().tensors;
    tidy(() => explain((x: Tensor) => x.exp(), ones([2])));
    expect(memory().tensors).toBe(held);
  });
});

describe("a tensor's explain", () => {
  it("tells what reading it would run, and nothing once it has its values", async () => {
    const x = random.normal([8, 8]);
    await x.data();
    const y = x.matmul(x).relu();
    isWhole(y.explain());
    expect(y.explain().bytes.outputs).toBe(256);
    await y.data();
    expect(y.explain().dispatches).toEqual([]);
    expect(tensor([1, 2]).explain().program).toBe("return\n");
    expect(errorOf(() => jit((x: Tensor) => (x.exp().explain(), x))(x))).toBeInstanceOf(TraceError);
  });
});

describe("explainRuns", () => {
  it("tells what ran under a label, each program once with how often it did", async () => {
    const x = random.normal([8]);
    await x.data();
    labelRuns(5);
    for (let i = 0; i < 3; i++) await x.sin().data();
    labelRuns(6);
    await x.cos().data();
    labelRuns(0);
    await x.tanh().data();
    expect(explainRuns(5).map(({ times, explanation }) => [times, explanation.program.includes("= sin ")])).toEqual([[3, true]]);
    expect(explainRuns(6).map(({ times, explanation }) => [times, explanation.program.includes("= cos ")])).toEqual([[1, true]]);
    expect(explainRuns(7)).toEqual([]);
    explainRuns(5).forEach(({ explanation }) => isWhole(explanation));
    expect(errorOf(() => labelRuns(-1))).toBeInstanceOf(ValueError);
    expect(errorOf(() => explainRuns(0.5))).toBeInstanceOf(ValueError);
  });
});

describe("stats of a label", () => {
  it("count what was asked for under it, and nothing that others asked for", async () => {
    const x = random.normal([300, 7]);
    await x.data();
    const before = stats();
    labelRuns(15);
    const sines = x.sin().data();
    labelRuns(16);
    const rest = [x.cos().data(), x.sin().data()];
    labelRuns(0);
    await Promise.all([sines, ...rest]);
    const counted = ({ passes, programHits, programMisses }: Stats) => [passes, programHits + programMisses];
    expect(counted(stats(15))).toEqual([1, 1]);
    expect(counted(stats(16))).toEqual([2, 2]);
    expect(counted(stats()).map((count, i) => count - counted(before)[i]!)).toEqual([3, 3]);
    expect(stats(17)).toMatchObject({ submits: 0, passes: 0, dispatches: 0, buffersCreated: 0, programHits: 0, bytesLive: stats().bytesLive });
    expect(errorOf(() => stats(-1))).toBeInstanceOf(ValueError);
  });
  it("stay with who asked when another device opens", async () => {
    labelRuns(18);
    await init({ device: "cpu" });
    await tensor([1, 2, 3]).exp().data();
    labelRuns(0);
    await tensor([1, 2, 3]).log().data();
    expect(stats(18).passes).toBe(1);
  });
});
