// Kernels as users call them, on the CPU device.

import { describe, expect, it } from "vitest";
import { grad, jit, jvp, ones, random, tensor, vmap, type Tensor } from "../../src/index.js";
import { kernel, kernelIn, KernelError, pcg, rand, threefry, type KernelGroup, type KernelOutput, type KernelTensor } from "../../src/kernel/index.js";
import { errorOf, onCpu } from "../support/cpu.js";

onCpu();

const life = kernel((world, i, j) => {
  let n = 0;
  for (let a = -1; a <= 1; a++) for (let b = -1; b <= 1; b++) if (a !== 0 || b !== 0) n += world.at(i + a, j + b);
  return n === 3 || (n === 2 && world.at(i, j) === 1) ? 1 : 0;
}, { shape: (world: Tensor) => world.shape, edge: "wrap" });

const glider = [[0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [1, 1, 1, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]];

describe("calls", () => {
  it("the game of life", async () => {
    let world: Tensor = tensor(glider);
    for (let n = 0; n < 4; n++) world = life(world);
    expect(await world.array()).toEqual([[0, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [0, 1, 1, 1, 0], [0, 0, 0, 0, 0]]);
    expect(world.dtype).toBe("f32");
  });

  it("numbers are read at each call, and the shapes need no other kernel", async () => {
    const settings = { rate: 2 };
    const scale = kernel((x: KernelTensor, offset: number, i: number, { rate }: { rate: number }) => x.at(i) * rate + offset, { with: settings });
    expect(await scale([1, 2], 0.5).array()).toEqual([2.5, 4.5]);
    settings.rate = 10;
    expect(await scale([1, 2, 3], 0.25).array()).toEqual([10.25, 20.25, 30.25]);
  });

  it("dtypes of inputs", async () => {
    const double = kernel((x, i) => x.at(i) * 2);
    expect(double(tensor([1, 2], { dtype: "i32" })).dtype).toBe("i32");
    expect(double(tensor([1, 2], { dtype: "u8" })).dtype).toBe("u32");
    expect(double(tensor([1, 2.5], { dtype: "f16" })).dtype).toBe("f32");
    expect(await double(tensor([true, false] as never)).array()).toEqual([2, 0]);
  });

  it("records, arrays and outputs", async () => {
    const polar = kernel((x, y, i) => ({ r: Math.hypot(x.at(i), y.at(i)), both: [x.at(i), y.at(i)] }));
    const { r, both } = polar([3, 0], [4, 2]);
    expect(await r.array()).toEqual([5, 2]);
    expect(await both.array()).toEqual([[3, 4], [0, 2]]);
    const count = kernel((x: KernelTensor, i: number, { bins, most }: { bins: KernelOutput; most: KernelOutput }) => {
      bins.add(1, Math.floor(x.at(i)));
      most.max(x.at(i), 0);
      return x.at(i) > 1;
    }, { outputs: { bins: { shape: [4], dtype: "i32", initial: () => tensor([10, 0, 0, 0], { dtype: "i32" }) }, most: { shape: 1, initial: -Infinity } } });
    const { bins, most, result } = count([0.5, 1.5, 1.25, 3]);
    expect([await bins.array(), await most.array(), await result.array()]).toEqual([[11, 2, 0, 1], [3], [false, true, true, true]]);
  });

  it("helpers and tensors that are captured", async () => {
    const mix = (a: number, b: number, t: number) => a + (b - a) * t;
    const weights = tensor([0.25, 0.75]);
    const blend = kernel((x, i, { mix, weights }) => mix(x.at(i), 1, weights.at(i)), { with: { mix, weights } });
    expect(await blend([0, 0]).array()).toEqual([0.25, 0.75]);
  });

  it("names around, where something finds them", async () => {
    const scope: Record<string, unknown> = { rate: 2, shift: tensor([10, 20]), other: "text" };
    const own = kernelIn((name) => scope[name]);
    scope["helper"] = new Function("return (v) => v * rate")();
    const used = own(new Function("return (x, i) => helper(x.at(i)) + shift.at(i)")());
    expect(await used([1, 2]).array()).toEqual([12, 24]);
    scope["rate"] = 3;
    expect(await used([1, 2]).array()).toEqual([13, 26]);
    const rewritten = kernelIn((name) => scope[name], undefined, (fn) => Function.prototype.toString.call(fn).replaceAll("counted(new Float32Array(2))", "new Float32Array(2)"));
    const array = rewritten(new Function("counted", "return (x, i) => { const a = counted(new Float32Array(2)); a[i] = x.at(i); return a[0] + a[1]; }")());
    expect(await array([1, 2]).array()).toEqual([1, 2]);
  });

  it("inside jit", async () => {
    const step = jit((world: Tensor) => life(life(world)));
    expect(await step(tensor(glider)).array()).toEqual(await life(life(glider)).array());
    const scale = kernel((x, rate, i) => x.at(i) * rate);
    const scaled = jit((x: Tensor, rate: number) => scale(x, rate));
    expect([await scaled(tensor([1, 2]), 3).array(), await scaled(tensor([1, 2]), 0.5).array()]).toEqual([[3, 6], [0.5, 1]]);
    expect(await scale.run(1)([1, 2], tensor(4))).toBe(8);
  });

  it("random numbers are those of JavaScript", async () => {
    const noise = kernel((i, { rand }) => rand(i, 5), { shape: 4 });
    expect(await noise().array()).toEqual([0, 1, 2, 3].map((i) => rand(i, 5)));
    expect([0, 1, 2].map((i) => pcg(i))).toEqual([129708002, 2831084092, 2055130248]);
    // Those of tensors, by their keys.
    const key = random.key(-12345);
    const draw = kernel((key, i, { rand, threefry }) => ({ bits: threefry(key, i), uniform: rand(key, i), folded: rand(key, 3, i) }), { shape: 5 });
    const drawn = draw(key);
    const words = Array.from(await key.data());
    expect(await drawn.bits.array()).toEqual(await random.bits(key, [5]).array());
    expect(await drawn.uniform.array()).toEqual(await random.uniform(key, [5]).array());
    expect(await drawn.folded.array()).toEqual(await random.uniform(random.foldIn(key, 3), [5]).array());
    expect([0, 1, 2, 3, 4].map((i) => threefry(words, i))).toEqual(await drawn.bits.array());
    expect([0, 1, 2, 3, 4].map((i) => rand(words, 3, i))).toEqual(await drawn.folded.array());
    expect(await draw.run(2)(key)).toEqual({ bits: threefry(words, 2), uniform: rand(words, 2), folded: rand(words, 3, 2) });
    // Random123's known answer.
    expect(threefry([0, 0], 0)).toBe((0x6b200159 ^ 0x99ba4efe) >>> 0);
    expect(threefry([0, 7], 3)).toBe(Array.from(await random.bits(random.key(7), [4]).data())[3]);
    const renamed = kernel((i: number, { draw }: { draw: typeof rand }) => draw(i, 5), { shape: 4, with: { draw: rand } });
    expect(await renamed().array()).toEqual([0, 1, 2, 3].map((i) => rand(i, 5)));
  });
});

describe("transforms", () => {
  const product = kernel((x, i) => x.at(i) * x.at(i + 1), { edge: "wrap" });
  const scale = kernel((x, rate, i) => x.at(i) * rate);

  it("gradients", async () => {
    expect(await grad((x: Tensor) => product(x).sum())(tensor([1, 2, 3])).array()).toEqual([5, 4, 3]);
    expect(await grad((rate: Tensor) => scale([1, 2, 3], rate).sum())(tensor(2)).item()).toBe(6);
    expect(await grad((x: Tensor) => grad((y: Tensor) => product(y).square().sum())(x).sum())(tensor([1, 2, 3])).array()).toEqual(
      await grad((x: Tensor) => grad((y: Tensor) => y.mul(y.roll(-1)).square().sum())(x).sum())(tensor([1, 2, 3])).array(),
    );
    const [, tangent] = jvp(product, [tensor([1, 2, 3])], [tensor([1, 0, 0])]);
    expect(await (tangent as Tensor).array()).toEqual([2, 0, 3]);
  });

  it("batches", async () => {
    expect(await vmap((x: Tensor) => product(x))(tensor([[1, 2, 3], [4, 5, 6]])).array()).toEqual([[2, 6, 3], [20, 30, 24]]);
  });
});

describe("one invocation as plain JavaScript", () => {
  it("gives what the kernel gives", async () => {
    const all = (await life(glider).array()) as number[][];
    for (const [i, j] of [[0, 0], [2, 1], [3, 1], [4, 4]] as const) expect(await life.run(i, j)(glider)).toBe(all[i]?.[j]);
  });

  it("calls functions that it captures", async () => {
    const printed: unknown[] = [];
    const log = (value: unknown) => printed.push(value);
    const print = kernel((x, i, { log }) => { log(i); return x.at(i) * 2; }, { with: { log } });
    expect(await print.run(1)([5, 6])).toBe(12);
    expect(printed).toEqual([1]);
  });

  it("stands where the grid is", async () => {
    await expect(life.run(5, 0)(glider)).rejects.toThrow("run takes the place of an invocation in the grid [5,5], and this is [5,0]");
  });
});

describe("mistakes in calls", () => {
  it("say what to write", () => {
    expect(errorOf(() => kernel(3 as never)).message).toBe("kernel: takes a function, as in kernel((x, i) => x.at(i) * 2), got number");
    expect(errorOf(() => kernel((x, i) => x.at(i), { edges: "wrap" } as never)).message).toBe('kernel: there is no option "edges": there are shape, outputs, edge, with, dtype, limit, name, workgroup, debug');
    expect(errorOf(() => kernel((x, i) => x.at(i), { edge: "warp" } as never)).message).toBe('kernel: an edge is "clamp", "wrap", "mirror", "zero" or a number, got warp');
    expect(errorOf(() => kernel((i) => i)()).message).toBe("kernel: no argument is a tensor whose shape the grid could have: say which it has, as in kernel(fn, { shape: [64, 64] })");
    expect(errorOf(() => life("world" as never)).message).toBe("kernel: argument 1 must be a tensor, an array or a number, got a string");
    const captured = kernel((x, i, { rate }) => x.at(i) * rate, { with: { rate: "fast" as never } });
    expect(errorOf(() => captured([1])).message).toBe("kernel: `rate` of `with` must be a number, a tensor or a function, got a string");
    const unknown = errorOf(() => kernel((x, i) => x.at(i) * (globalThis as any).rate)([1]));
    expect(unknown).toBeInstanceOf(KernelError);
    expect(unknown.message).toContain("line 1, column ");
    expect(errorOf(() => life(ones([2]))).message).toContain("this kernel was called with 1 argument and a grid of 1 axis, so that its parameters are (world, i)");
  });
});

describe("groups", () => {
  it("share memory between barriers", async () => {
    const sums = kernel((x, i, { local, group, shared, barrier, sums }) => {
      const tile = shared("f32", 4);
      tile[local[0]] = x.at(i);
      barrier();
      if (local[0] === 0) {
        let sum = 0;
        for (let k = 0; k < 4; k++) sum += tile[k];
        sums.set(sum, group[0]);
      }
    }, { workgroup: [4], outputs: { sums: { shape: [2] } } });
    expect(await sums([1, 2, 3, 4, 10, 20, 30, 40]).sums.array()).toEqual([10, 100]);
    const transposed = kernel((x, i, j, { local, group, shared, barrier }) => {
      const tile = shared("f32", 2, 3);
      tile[local[0]][local[1]] = x.at(i, j);
      barrier();
      return tile[local[1]][local[0]] + group[0] * 100 + group[1] * 1000;
    }, { workgroup: [2, 2] });
    expect(await transposed([[1, 2, 5, 6], [3, 4, 7, 8]]).array()).toEqual([[1, 3, 1005, 1007], [2, 4, 1006, 1008]]);
  });

  it("of the extents that are given, or of a tensor's elements", async () => {
    const made = kernel.group((_n: number, i: number, j: number, { local, group }: KernelGroup) => [i, j, local[0]!, local[1]!, group[0]!, group[1]!], { workgroup: [1, 2], grid: (n: number) => [2, n] });
    const all = (await made(3).array()) as number[][][];
    expect([all.length, all[0]!.length, all[1]![3]]).toEqual([2, 6, [1, 3, 0, 1, 1, 1]]);
    const over = kernel.group((x: KernelTensor, i: number, { shared, f32, local, barrier }: KernelGroup) => { const a = shared(f32, 4); a[local[0]!] = x.at(i); barrier(); return a[3 - local[0]!]!; }, { workgroup: [4] });
    expect(await over([1, 2, 3, 4]).array()).toEqual([4, 3, 2, 1]);
    expect(errorOf(() => over([1, 2, 3])).message).toBe("kernel: the grid [3] is not a multiple of the workgroup's 4");
    expect(errorOf(() => kernel.group((i) => i, { workgroup: [2], shape: [4] } as never)).message).toBe("kernel.group: takes `grid`, how many workgroups there are along each axis, and no `shape`: { workgroup: [16, 16], grid: [4, 4] }");
    expect(errorOf(() => kernel.group((i) => i, {} as never)).message).toBe("kernel.group: takes the extents of a workgroup: kernel.group(fn, { workgroup: [16, 16] })");
  });

  it("have subgroups of 32", async () => {
    const made = kernel.group((i: number, { subgroupAdd, subgroupMin, subgroupMax, subgroupAddBefore, shuffle }: KernelGroup) => [subgroupAdd(i), subgroupMin(i * 0.5), subgroupMax(-i), subgroupAddBefore(i), shuffle(i * 2, 1), shuffle(i, 40)], { workgroup: [48], grid: 2 });
    const rows = (await made().array()) as number[][];
    rows.forEach((row, i) => {
      const first = i % 48 < 32 ? i - (i % 48) : i - (i % 48) + 32;
      const last = i % 48 < 32 ? first + 31 : first + 15;
      const sum = (from: number, to: number) => ((from + to) * (to - from + 1)) / 2;
      expect(row.map((value) => value + 0)).toEqual([sum(first, last), first / 2, 0 - first, i === first ? 0 : sum(first, i - 1), 2 * (first + 1), last]);
    });
  });

  it("refuse a barrier that not all invocations reach, and single invocations", async () => {
    const messageOf = (source: string) => errorOf(() => kernel.group(new Function(`return ${source}`)(), { workgroup: [2], name: "wrong" })([1, 2, 3, 4])).message;
    expect(messageOf("(x, i, { barrier }) => {\n  if (i > 1) barrier();\n  return x.at(i);\n}")).toBe(`wrong: line 2, column 14: all invocations of a workgroup must reach \`barrier()\` or none, and here a branch, a loop or a return before it depends on the invocation or on data: move it out of there
  if (i > 1) barrier();
             ^`);
    expect(messageOf("(x, i, { barrier }) => {\n  for (let k = 0; k < x.at(i); k++) {\n    barrier();\n  }\n  return 1;\n}")).toMatch(/^wrong: line 3, column 5: all invocations/);
    expect(messageOf("(x, i, { subgroupAdd }) => {\n  if (x.at(i) > 2) return 0;\n  const s = subgroupAdd(x.at(i));\n  return s;\n}")).toMatch(/^wrong: line 3, column 13: all invocations of a workgroup must reach `subgroupAdd\(x\.at\(i\)\)` or none/);
    const wrong = kernel((x, i, { barrier }) => { barrier(); return x.at(i); }, { workgroup: [2] });
    await expect(wrong.run(0)([1, 2])).rejects.toThrow("run cannot run one invocation of a kernel that works in groups: its invocations wait for each other");
  });
});
