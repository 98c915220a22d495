// Lines that kernels print, assertions, and the first NaN, on the CPU device.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { explain, grad, jit, jvp, scan, tensor, vmap, type Tensor } from "../../src/index.js";
import { assert, kernel, kernelIn, print, type KernelOutput, type KernelReport, type KernelTensor } from "../../src/kernel/index.js";
import { errorOf, onCpu } from "../support/cpu.js";

onCpu();

let lines: string[] = [];
let errors: string[] = [];
beforeEach(() => {
  [lines, errors] = [[], []];
  vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
  vi.spyOn(console, "error").mockImplementation((line: string) => void errors.push(line));
});
afterEach(() => vi.restoreAllMocks());

const failureOf = (work: Promise<void>) => work.then(() => "nothing failed", (error: Error) => error.message);

describe("print", () => {
  it("shows lines with the invocation's index, in row-major order", async () => {
    const shown = kernel((x: KernelTensor, i: number, j: number) => {
      if (x.at(i, j) > 2.5) print("large", x.at(i, j), i > 0, [i, j], { half: x.at(i, j) / 2 }, `at ${i}/${j}`);
      return x.at(i, j) * 2;
    }, { name: "shown" });
    expect(await shown([[1, 3.1], [-4, 4e-7]]).array()).toEqual([[2, Math.fround(6.2)], [-8, Math.fround(8e-7)]]);
    expect(await shown([[5, 0], [0, 3]]).array()).toEqual([[10, 0], [0, 6]]);
    await shown.checked();
    expect(lines).toEqual([
      "shown[0, 1]: large 3.1 false [0, 1] { half: 1.55 } at 0/1",
      "shown[0, 0]: large 5 false [0, 0] { half: 2.5 } at 0/0",
      "shown[1, 1]: large 3 true [1, 1] { half: 1.5 } at 1/1",
    ]);
  });

  it("in loops, functions and arrays", async () => {
    const sums = kernel((x, i) => {
      const step = (sum: number, k: number) => { print("sum", sum); return sum + x.at(k); };
      const seen = new Array(3).fill(0);
      let sum = 0;
      for (let k = 0; k <= i; k++) seen[k] = sum = step(sum, k);
      print(seen, x.at(i) >>> 0);
      return sum;
    }, { name: "sums" });
    sums([1, 2, -3]);
    await sums.checked();
    expect(lines).toEqual([
      "sums[0]: sum 0", "sums[0]: [1, 0, 0] 1", "sums[1]: sum 0", "sums[1]: sum 1", "sums[1]: [1, 3, 0] 2",
      "sums[2]: sum 0", "sums[2]: sum 1", "sums[2]: sum 3", "sums[2]: [1, 3, 0] 4294967293",
    ]);
  });

  it("is bounded", async () => {
    const many = kernel((i, { print }) => { for (let k = 0; k < 100; k++) print(i, k); return i; }, { shape: 300, name: "many" });
    many();
    await many.checked();
    expect(lines.length).toBe(201);
    expect([lines[0], lines[199], lines[200]]).toEqual(["many[0]: 0 0", "many[1]: 1 99", "… and 29800 more lines of many"]);
    lines = [];
    for (let n = 0; n < 20; n++) many();
    await many.checked();
    expect(lines.at(201)).toBe("… and 4 more calls of many, too many to report");
  });

  it("does what its arguments do, and changes no result", async () => {
    const run = (debug: boolean) => kernel((i: number, { hits, last, print }: { hits: KernelOutput; last: KernelOutput; print: (...values: unknown[]) => void }) => {
      print("before", hits.add(2, 0));
      last.set(i, 0);
    }, { shape: 4, debug, outputs: { hits: { shape: 1, dtype: "i32" }, last: { shape: 1 } } });
    const quiet = run(false)();
    expect([await quiet.hits.array(), await quiet.last.array()]).toEqual([[8], [3]]);
    expect(lines).toEqual([]);
    const loud = run(true);
    const { hits, last } = loud();
    expect([await hits.array(), await last.array()]).toEqual([[8], [3]]);
    await loud.checked();
    expect(lines).toEqual(["kernel[0]: before 0", "kernel[1]: before 2", "kernel[2]: before 4", "kernel[3]: before 6"]);
  });

  it("beside sums of floats", async () => {
    const sums = kernel((x, i, { total, best, print }) => { total.add(x.at(i), 0); best.max(x.at(i), 0); print(i); }, { outputs: { total: { shape: 1 }, best: { shape: 1 } }, name: "sums" });
    const { total, best } = sums([1.5, 2]);
    expect([await total.array(), await best.array()]).toEqual([[3.5], [2]]);
    await sums.checked();
    expect(lines).toEqual(["sums[0]: 0", "sums[1]: 1"]);
  });

  it("by console.log, and console.assert", async () => {
    const shown = kernel((x, i) => { console.log(i, "is", x.at(i)); console.assert(x.at(i) > 0, "positive"); return 0; }, { name: "shown" });
    shown([1.5, 0]);
    expect(await failureOf(shown.checked())).toContain("assertion failed at [1]: positive");
    expect(lines).toEqual(["shown[0]: 0 is 1.5", "shown[1]: 1 is 0"]);
  });

  it("in groups", async () => {
    const sums = kernel((x, i, { local, shared, barrier, print }) => {
      const tile = shared("f32", 2);
      tile[local[0]] = x.at(i);
      barrier();
      if (local[0] === 0) print(tile[0] + tile[1]);
      return tile[0];
    }, { workgroup: [2], name: "sums" });
    sums([1, 2, 3, 4]);
    await sums.checked();
    expect(lines).toEqual(["sums[0]: 3", "sums[2]: 7"]);
  });
});

describe("assert", () => {
  const root = kernel((x: KernelTensor, i: number) => {
    const value = x.at(i);
    assert(value >= 0, "roots are of positive numbers");
    assert(value < 100);
    return Math.sqrt(value);
  }, { name: "root" });

  it("names the first invocation, the place and how often", async () => {
    expect(await root([4, 9]).array()).toEqual([2, 3]);
    expect(await failureOf(root.checked())).toBe("nothing failed");
    root([1, 400, -1, -2, -3]);
    expect(await failureOf(root.checked())).toMatch(/^root: line \d, column \d+: assertion failed at \[1\]: value < 100\n/);
    root([1, 4, -1, -2, -3]);
    expect(await failureOf(root.checked())).toMatch(/^root: line \d, column \d+: assertion failed at \[2\] \(and 2 more times\): roots are of positive numbers\n/);
    expect(errors.length).toBe(2);
    expect(await failureOf(root.checked())).toBe("nothing failed");
  });

  it("is given to the call that settles", async () => {
    const reports: Promise<KernelReport>[] = [];
    const made = kernelIn(() => undefined, (report) => reports.push(report))((x, i) => { assert(x.at(i) === 1, "one"); return 0; }, { name: "ones" });
    made([1, 1]);
    made([1, 2]);
    const settled = await Promise.all(reports);
    expect(settled.map(({ lines, error }) => [lines, error?.message.split(": ").at(-1)?.split("\n")[0]])).toEqual([[[], undefined], [[], "one"]]);
    expect(errors).toEqual([]);
  });

  it("in one invocation as plain JavaScript", async () => {
    expect(await root.run(0)([4])).toBe(2);
    await expect(root.run(1)([4, -4])).rejects.toThrow("assert: roots are of positive numbers");
  });
});

describe("the first NaN", () => {
  it("is found where it is made", async () => {
    const ratio = new Function("x", "i", "const size = Math.abs(x.at(i));\nlet sum = 0;\nfor (let k = 0; k < 3; k++) sum += x.at(i) / size;\nreturn sum;") as (...args: any[]) => number;
    const found = kernel(ratio, { debug: true, name: "ratio" });
    expect(await found([1, -2]).array()).toEqual([3, -3]);
    expect(await failureOf(found.checked())).toBe("nothing failed");
    found([1, 0, 2, 0]);
    expect(await failureOf(found.checked())).toBe(`ratio: line 5, column 29: the first NaN is made here, at [1] (and 5 more times)
  for (let k = 0; k < 3; k++) sum += x.at(i) / size;
                              ^`);
    expect(await failureOf(kernel(ratio)([0]) && found.checked())).toBe("nothing failed");
  });

  it("in results, arrays and outputs", async () => {
    const messages: string[] = [];
    for (const source of ["(x, i) => Math.sqrt(x.at(i))", "(x, i) => [0, Math.log(x.at(i))]", "(x, i, { out }) => { out.max(Math.asin(2 * x.at(i)), 0); }", "(x, i) => { const a = new Array(20).fill(0); a[i] = x.at(i) ** 0.5; return a[1]; }"]) {
      const made = kernel(new Function(`return ${source}`)(), { debug: true, outputs: source.includes("out") ? { out: { shape: 1 } } : {}, name: "made" });
      made([0.25, -1]);
      messages.push((await failureOf(made.checked())).split("\n")[0]!);
    }
    expect(messages).toEqual([
      "made: line 1, column 11: the first NaN is made here, at [1]",
      "made: line 1, column 11: the first NaN is made here, at [1]",
      "made: line 1, column 30: the first NaN is made here, at [1]",
      "made: line 1, column 46: the first NaN is made here, at [1]",
    ]);
  });
});

describe("in transforms", () => {
  const shown = kernel((x, i) => { print(x.at(i)); assert(x.at(i) < 10, "small"); return x.at(i) * x.at(i); }, { name: "shown" });

  it("jit reports at each call", async () => {
    const twice = jit((x: Tensor) => shown(shown(x)));
    expect(await twice(tensor([1, 2])).array()).toEqual([1, 16]);
    expect(await twice(tensor([3, 0])).array()).toEqual([81, 0]);
    await shown.checked();
    expect(lines).toEqual([1, 2, 1, 4, 3, 0, 9, 0].map((value, n) => `shown[${n % 2}]: ${value}`));
    twice(tensor([4, 0]));
    expect(await failureOf(shown.checked())).toContain("assertion failed at [0]: small");
  });

  it("gradients report what the function does", async () => {
    expect(await grad((x: Tensor) => shown(x).sum())(tensor([1, 2])).array()).toEqual([2, 4]);
    await shown.checked();
    expect(lines).toEqual(["shown[0]: 1", "shown[1]: 2"]);
    lines = [];
    jvp((x: Tensor) => shown(x), [tensor([5, 6])], [tensor([1, 0])]);
    await shown.checked();
    expect(lines).toEqual(["shown[0]: 5", "shown[1]: 6"]);
    lines = [];
    expect(await jit(grad((x: Tensor) => shown(x).sum()))(tensor([3, 4])).array()).toEqual([6, 8]);
    await shown.checked();
    expect(lines).toEqual(["shown[0]: 3", "shown[1]: 4"]);
  });

  it("others refuse, and explain leaves reports out", async () => {
    const message = "shown: it prints or asserts, which it cannot inside vmap: call it outside, or make it with { debug: false }, which leaves both out";
    expect(errorOf(() => vmap((x: Tensor) => shown(x))(tensor([[1, 2]]))).message).toBe(message);
    expect(errorOf(() => jit((x: Tensor) => vmap((y: Tensor) => shown(y))(x))(tensor([[1, 2]]))).message).toBe(message);
    expect(errorOf(() => scan((x: Tensor) => [shown(x), null], tensor([1, 2]), null, { length: 2 })).message).toBe(message.replace("vmap", "scan"));
    expect(explain((x: Tensor) => shown(x), tensor([1, 2])).kernels.length).toBeGreaterThan(0);
    expect(lines).toEqual([]);
  });
});

describe("mistakes", () => {
  const messageOf = (source: string) => errorOf(() => kernel(new Function(`return ${source}`)())([1])).message.split("\n")[0];

  it("say what to write", () => {
    expect(messageOf("(x, i) => print(i)")).toBe("kernel: line 1, column 11: print gives nothing back: write it as a statement of its own");
    expect(messageOf("(x, i) => { assert(); return 0; }")).toBe('kernel: line 1, column 13: assert takes a condition, and what to say where it does not hold: assert(x > 0, "x is positive")');
    expect(messageOf("(x, i) => { assert(i > 0, i); return 0; }")).toBe('kernel: line 1, column 13: assert takes a condition, and what to say where it does not hold: assert(x > 0, "x is positive")');
    expect(messageOf("(x, i) => { print(x); return 0; }")).toBe("kernel: line 1, column 19: `x` is a tensor, and a number is needed here: read an element, as in x.at(i)");
    expect(messageOf("(x, i) => { print(...[1]); return 0; }")).toBe("kernel: line 1, column 19: `...` is not supported here: print the array itself");
    expect(messageOf("(x, i) => { const a = new Array(40).fill(0); print(a); return 0; }")).toBe("kernel: line 1, column 52: `a` has 40 elements, and a line shows at most 32: print some of them");
  });
});
