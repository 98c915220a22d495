// Argument validation: every call either works as documented or refuses, in its own name and by a
// typed error. The tests call each function and method of the package with each value of the table
// `junk` in each place, and with many at once.

import { describe, expect, it } from "vitest";
import { disposeTree } from "../../src/core/tensor/tree.js";
import * as weft from "../../src/index.js";
import { canvas, data, nn, optim, random, tensor, WeftError } from "../../src/index.js";
import { errorOf, onCpu, values } from "../support/cpu.js";
import { junk, type Junk } from "../support/junk.js";
import { x } from "../support/places.js";
import { asMethods, classes, everywhere, loss, namespaces, operators, subjects, type Subject } from "../support/subjects.js";

onCpu();

/** Calls with several mistakes; WEFT_FUZZ=50 tries fifty times as many. */
const TURNS = 4000 * Number(process.env["WEFT_FUZZ"] ?? 1);

/** Calls, and gives what was thrown, or what a promise was rejected with; everything made is
 * freed. */
async function outcome(subject: Subject, args: () => readonly unknown[]): Promise<unknown> {
  let result: unknown;
  try {
    result = weft.tidy(() => {
      const made = subject.call(...args());
      if (typeof made === "object" && made !== null && Symbol.iterator in made && "return" in made) (made as Generator).return(undefined);
      return typeof made === "object" && made !== null && "then" in made ? { made: () => made } : undefined;
    });
    // What a promise brings was made outside of the scope.
    if (result) disposeTree(await (result as { made(): unknown }).made());
    return undefined;
  } catch (error) {
    return error;
  }
}

async function stillWorks(after: string): Promise<void> {
  expect([after, await values(tensor([1, 2]).add(1))]).toEqual([after, [2, 3]]);
}

/** What is wrong with how a call went, or null. */
function complaint(subject: Subject, error: unknown, mustRefuse: boolean): string | null {
  if (error === undefined) return mustRefuse ? "was taken" : null;
  if (!(error instanceof WeftError)) return `threw ${String(error)}`;
  if (error.constructor === WeftError || error instanceof weft.InternalError) return `threw ${error.name}: ${error.message}`;
  return subject.ops.includes(error.op) ? null : `refused in the name of ${error.op}: ${error.message}`;
}

/** What makes parameters, or a function that keeps tensors, is not asked to free them: they live
 * on. */
const lasting = /linearize|Parameter|module|Module|nn\.|Linear|Conv|Norm|PReLU|Embedding|GRU|LSTM|Attention|Block|optim|Optimizer|keep|vjp\w* undefined/;

/** Where `null` stands for all axes. */
const nullForAll = /arg(max|min)|fft\.|^(x\.)?((arg)?(sort|partition)|(logC|nanc|c)um(sum|prod|max|min|SumExp)|cumulative(Sum|Prod)|concat|rankData|flatten|(take|put)AlongAxis|take|append|insert|remove|compress|repeat|packbits|unpackbits|nanToNum|linalg\.(norm|cond|matrixNorm|pinv|matrixRank|lstsq))$/;

async function tryOut(subject: Subject, values: readonly Junk[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const [position, { kind, optional: mayBeLeftOut }] of subject.places.entries()) {
    for (const value of values) {
      const leftOut = value.name === "undefined" || (value.name === "null" && ["axis", "number", "count"].includes(kind) && nullForAll.test(subject.name));
      // A key alone draws one number.
      const isKey = value.name === "u32[2]" && /^random\.(bits|uniform|normal)$/.test(subject.name);
      const isNewAxis = value.name === "null" && /^(x\.)?at$/.test(subject.name) && kind === "index";
      const fits = isKey || isNewAxis || kind === "any" || value.fits.includes(kind) || (mayBeLeftOut && leftOut);
      const before = weft.memory().tensors;
      const args = () => subject.places.map(({ right }, i) => (i === position ? value.make() : right()));
      const found = complaint(subject, await outcome(subject, args), !fits);
      if (found) wrong.push(`${subject.name}, argument ${position}, ${value.name}: ${found}`);
      const left = weft.memory().tensors - before;
      if (left > 0 && !lasting.test(`${subject.name} ${value.name}`)) wrong.push(`${subject.name}, argument ${position}, ${value.name}: left ${left} tensors`);
    }
  }
  await stillWorks(subject.name);
  return wrong;
}

describe("options", () => {
  const matrix = x;
  const refused = (call: () => unknown) => String(errorOf(call));

  it("are refused where an axis belongs", () => {
    expect(refused(() => matrix().sum({ keepdims: true } as never))).toMatch(/^AxisError: sum: an axis is a whole number, not an object; options come after it/);
    expect(refused(() => matrix().mean({} as never))).toMatch(/^AxisError: mean: /);
    expect(refused(() => matrix().max("" as never))).toBe('AxisError: max: an axis is a whole number, not ""');
    expect(refused(() => matrix().sum(NaN))).toBe("AxisError: sum: an axis is a whole number, not NaN");
  });

  it("that there are not are refused by name, with what may have been meant", () => {
    expect(refused(() => matrix().sum(0, { keepDims: true } as never))).toBe('ValueError: sum: there is no option "keepDims": did you mean keepdims?');
    const sgd = () => optim.sgd(new weft.Parameter(1), { learningRate: 0.1 } as never);
    expect(refused(sgd)).toBe('ValueError: sgd: there is no option "learningRate": did you mean lr?');
    expect(refused(() => matrix().variance(0, { ddof: 1 } as never))).toContain("did you mean correction?");
    expect(refused(() => random.normal([2], { stdev: 1 } as never))).toContain("did you mean std?");
    expect(refused(() => weft.zeros([2], { colour: 1 } as never))).toBe('ValueError: zeros: there is no option "colour": there is dtype');
    expect(refused(() => weft.jit(loss(), { donated: 0 } as never))).toContain("did you mean donate?");
    expect(refused(() => weft.grad(loss(), { argnum: 0 } as never))).toContain("did you mean argnums?");
    expect(refused(() => new nn.Linear(1, 2, { useBias: false } as never))).toContain("did you mean bias?");
    expect(refused(() => data.batches([[1, 2]], { batchSize: 1 } as never))).toContain("did you mean size?");
  });

  it("are objects, and their values of the type they are said to be", async () => {
    expect(refused(() => matrix().sum(0, null as never))).toBe("ValueError: sum: takes options such as { keepdims: … }, got null");
    expect(refused(() => optim.adam(new weft.Parameter(1), 0.01 as never))).toBe("ValueError: adam: takes options such as { lr: … }, got 0.01");
    expect(refused(() => matrix().sum(0, { keepdims: 1 } as never))).toBe("ValueError: sum: keepdims must be true or false, got 1");
    expect(refused(() => optim.sgd(new weft.Parameter(1), { lr: "0.1" } as never))).toContain('lr must be a finite number, got "0.1"');
    await expect(canvas.draw([[1]], { getContext: () => null } as never, { colourmap: "gray" } as never)).rejects.toThrow("did you mean colormap?");
    await expect(weft.init({ devices: "cpu" } as never)).rejects.toThrow('init: there is no option "devices": did you mean device?');
    await expect(weft.init(null as never)).rejects.toBeInstanceOf(weft.ValueError);
    class Settings {
      keepdims = true;
    }
    expect(matrix().sum(0, new Settings()).shape).toEqual([1, 2]);
  });
});

describe("what refuses", () => {
  const refused = (call: () => unknown) => String(errorOf(call));

  it("is what was called, not a part of it", () => {
    const wrong = weft.zeros([2, 4]);
    const [query, mask] = [weft.zeros([1, 3, 2]), weft.zeros([5, 5])];
    expect(refused(() => weft.clip([1, 2], [0, 0, 0], null))).toMatch(/^ShapeError: clip: /);
    expect(refused(() => weft.clip([1, 2], null, [0, 0, 0]))).toMatch(/^ShapeError: clip: /);
    expect(refused(() => new nn.Linear(3, 2).forward(wrong))).toMatch(/^ShapeError: Linear: \[2,4\]/);
    expect(refused(() => new nn.Embedding(3, 2).forward([3]))).toMatch(/^ValueError: Embedding: /);
    expect(refused(() => nn.scaledDotProductAttention(query, query, query, { mask }))).toMatch(/^ShapeError: scaledDotProductAttention: /);
  });

  it("names the bound that was passed", () => {
    expect(refused(() => weft.roll(x(), 1e20, 0))).toBe("ValueError: roll: the shift must be a whole number of 2147483647 or less, got 100000000000000000000");
    expect(refused(() => weft.roll(x(), -1e20, 0))).toContain("must be a whole number of -2147483648 or more");
    expect(refused(() => weft.roll(x(), 1.5, 0))).toContain("must be a whole number of -2147483648 or more, got 1.5");
    expect(refused(() => weft.zeros(1e20))).toContain("an extent is a whole number of 2147483647 or less");
  });
});

describe("functions without options", () => {
  const refused = (call: () => unknown) => String(errorOf(call));

  it("refuse them, rather than do what was not asked for", () => {
    const call = (name: "crossEntropy" | "mseLoss" | "matmul", ...args: unknown[]) => refused(() => (weft[name] as (...args: unknown[]) => unknown)(...args));
    expect(call("crossEntropy", x(), [0, 1], { reduction: "sum" })).toBe('ValueError: crossEntropy: there is no option "reduction": there are ignoreIndex, labelSmoothing');
    expect(call("mseLoss", x(), x(), { reduction: "sum" })).toContain("mseLoss: takes no options");
    expect(call("matmul", x(), x(), { transposeB: true })).toContain("matmul: takes no options");
    expect(refused(() => (x().gelu as (options: object) => unknown)({ approximate: "tanh" }))).toContain("gelu: takes no options");
    expect(refused(() => (x().add as (...args: unknown[]) => unknown)(1, { alpha: 2 }))).toContain("add: takes no options");
  });

  it("refuse one argument more, in their own name", () => {
    // What takes as many as one likes, none at all, or is a function that somebody wrote.
    const exempt = /^(new nn\.Sequential|at|slice|einsum|meshgrid|broadcast\w+|resultType|cond|switchCase|realize|explain|precompile|expand|stopGradient|stats|memory|resetPeak|deviceInfo|synchronize|throttle|preload|gpuDevice|.*\(\)|random\.state|tune\.\w+|canvas\.draw)$/;
    const wrong: string[] = [];
    for (const { name, call, ops, places } of [...subjects, ...asMethods()]) {
      const bare = name.replace(/^x\./, "");
      if (exempt.test(bare)) continue;
      try {
        const made: unknown = call(...places.map(({ right }) => right()), 5);
        if (made instanceof Promise) made.catch(() => {});
        else wrong.push(`${name} took it`);
      } catch (error) {
        if (!(error instanceof WeftError) || !ops.includes(error.op)) wrong.push(`${name}: ${String(error)}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("refuse arguments too many, which would be lost without a word", () => {
    const flip = (...axes: number[]) => (x().flip as (...args: unknown[]) => unknown)(...axes);
    expect(refused(() => flip(0, 1))).toBe("ValueError: flip: takes 2 arguments, got 3; several numbers in one place are an array: [0, 1]");
    expect(refused(() => (x().sum as (...args: unknown[]) => unknown)(0, { keepdims: true }, 1))).toContain("sum: takes 3 arguments, got 4");
    expect(refused(() => [x()].map(weft.softmax as (x: weft.Tensor) => weft.Tensor))).toContain("softmax: takes");
    expect(refused(() => (weft.exp as (...args: unknown[]) => unknown)(x(), 5))).toBe("ValueError: exp: takes 1 argument, got 2; several numbers in one place are an array: [0, 1]");
    expect(refused(() => (weft.zeros as (...args: unknown[]) => unknown)(2, {}, 4))).toContain("zeros: takes 2 arguments, got 3");
    expect(refused(() => (weft.add as (...args: unknown[]) => unknown)(x(), 1, 2))).toContain("add: takes 2 arguments, got 3");
    // `map` and `reduce` of arrays pass the position and the array.
    expect([x(), x()].map(weft.exp as (x: weft.Tensor) => weft.Tensor).reduce(weft.add as (a: weft.Tensor, b: weft.Tensor) => weft.Tensor).shape).toEqual([2, 2]);
    expect(refused(() => [x(), x()].map(weft.add as never))).toContain("add: takes 2 arguments, got 3");
  });

  it("may be given to map and reduce", async () => {
    expect(await Promise.all([1, 4].map(weft.sqrt).map((root) => root.item()))).toEqual([1, 2]);
    expect(await [tensor(1), tensor(2), tensor(3)].reduce(weft.add).item()).toBe(6);
  });
});

describe("values", () => {
  const refused = (call: () => unknown) => String(errorOf(call));

  it("that were silently cut, dropped or taken for 0 are refused", () => {
    expect(refused(() => weft.full([2], undefined as never))).toMatch(/^ValueError: full: expected a tensor, numbers or arrays of them, got undefined/);
    expect(refused(() => x().pad([[1, 0, 0], [1]] as never))).toBe("ValueError: pad: widths come in pairs [before, after], got a list of 3");
    expect(refused(() => x().take([0.5], 0))).toBe("ValueError: take: 0.5 is no index: expected whole numbers");
    expect(refused(() => x().at([0.5]).set(1))).toContain("at.set: 0.5 is no index");
    expect(refused(() => weft.zeros([2, undefined] as never))).toBe("ShapeError: zeros: [2,undefined]: an extent is a whole number of 0 or more, not undefined");
    expect(refused(() => x().reshape(["4"] as never))).toMatch(/^ShapeError: reshape: /);
    expect(refused(() => x().transpose(0 as never))).toMatch(/^ValueError: transpose: /);
    expect(refused(() => x().add(1n as never))).toContain("add: expected a tensor, numbers or arrays of them, got 1n");
    expect(refused(() => x().add(Symbol("s") as never))).toContain("got Symbol(s)");
    expect(refused(() => nn.dropout(x(), 1))).toContain("dropout: the rate must lie in [0, 1), got 1");
    expect(refused(() => new (weft.Tensor as never as new (handle: number) => unknown)(1))).toContain("not with new");
  });

  it("that are proxies of tensors are known as such", () => {
    const proxy = new Proxy(x(), {});
    for (const call of [() => weft.exp(proxy), () => proxy.exp(), () => proxy.shape, () => proxy.dispose(), () => weft.keep(proxy)]) {
      expect(refused(call)).toContain("a proxy of a tensor");
    }
    expect(proxy instanceof weft.Tensor).toBe(false);
    expect(new weft.Parameter(1)).toBeInstanceOf(weft.Tensor);
    expect(x()).not.toBeInstanceOf(weft.Parameter);
  });

  it("that an integer cannot hold are refused, as with full; fractions are cut", async () => {
    expect(refused(() => tensor([1, 3e9], { dtype: "i32" }))).toBe("ValueError: tensor: 3000000000 does not fit in i32");
    expect(refused(() => tensor([-1], { dtype: "u32" }))).toBe("ValueError: tensor: -1 does not fit in u32");
    expect(refused(() => tensor(Float32Array.of(NaN), { dtype: "i32" }))).toBe("ValueError: tensor: NaN does not fit in i32");
    expect(await values(tensor([1.9, -1.9, -(2 ** 31)], { dtype: "i32" }))).toEqual([1, -1, -(2 ** 31)]);
    expect(await values(tensor([-0.5, 2 ** 32 - 1], { dtype: "u32" }))).toEqual([0, 2 ** 32 - 1]);
    expect(await values(tensor(Int32Array.of(-1), { dtype: "u32" }))).toEqual([2 ** 32 - 1]);
    expect(refused(() => weft.arange(0, 2, 0.5, { dtype: "i32" }))).toContain("arange: counts in i32 from a whole number by whole steps");
    expect(refused(() => random.normal([2], { std: -1 }))).toContain("random.normal: the standard deviation must be 0 or more");
  });

  it("keep what they are: truth values, and numbers beside them", async () => {
    expect(await tensor([NaN, 0, -0, 0.1], { dtype: "bool" }).array()).toEqual([true, false, false, true]);
    expect(await tensor([NaN]).cast("bool").array()).toEqual([true]);
    expect(tensor([true, false]).dtype).toBe("bool");
    const mixed = tensor([true, 2]);
    expect([mixed.dtype, await values(mixed)]).toEqual(["f32", [1, 2]]);
  });
});

describe("classes and indices", () => {
  const logits = () => tensor([[1, 2, 3], [3, 2, 1]]);
  const refused = (call: () => unknown) => String(errorOf(call));

  it("out of range are refused where they can be known", () => {
    expect(refused(() => weft.crossEntropy(logits(), [0, 3]))).toBe("ValueError: crossEntropy: class 3 is out of range: expected 0 to 2");
    expect(refused(() => weft.crossEntropy(logits(), [-1, 0]))).toContain("class -1 is out of range");
    expect(refused(() => weft.crossEntropy(logits(), [0, 1.5]))).toContain("1.5 is no class: expected whole numbers");
    expect(refused(() => weft.crossEntropy(logits(), tensor([0, 7], { dtype: "i32" })))).toContain("class 7");
    expect(refused(() => weft.crossEntropy(tensor([1, 2]), 2))).toContain("class 2");
    expect(refused(() => weft.oneHot([3], 3))).toBe("ValueError: oneHot: class 3 is out of range: expected 0 to 2");
    expect(refused(() => logits().take([2], 0))).toBe("ValueError: take: index 2 is out of range: expected -2 to 1");
    expect(refused(() => logits().take(-7))).toContain("index -7 is out of range: expected -6 to 5");
    expect(refused(() => logits().take(tensor([3], { dtype: "u32" }), -1))).toContain("index 3 is out of range");
    expect(refused(() => logits().at([0, 2]).add(1))).toBe("ValueError: at.add: index 2 is out of range: expected -2 to 1");
  });

  it("that only the device knows do what is documented", async () => {
    const far = weft.arange(3).mul(5).add(5);
    expect(await values(tensor([1, 2, 3]).take(far))).toEqual([3, 3, 3]);
    expect(await values(tensor([1, 2, 3]).at(far).set(9))).toEqual([1, 2, 3]);
    expect(await values(weft.oneHot(weft.arange(1).add(5), 2))).toEqual([0, 0]);
    const loss = weft.crossEntropy(logits(), weft.arange(2).add(5));
    expect(await loss.item()).toBeCloseTo(Math.log(1 + Math.exp(-1) + Math.exp(-2)), 5);
  });
});

describe("every function of the package", () => {
  it("is in the table above", () => {
    const notCalled = /Error$|^(Tensor|init|Module|nn|Optimizer|ReLU|GELU|Tanh|Sigmoid|Flatten|initial|linalg|fft|special|random|data|optim|canvas|schedule|tune)$/;
    const exported = [
      ...Object.keys(weft),
      ...Object.entries(namespaces).flatMap(([name, members]) => Object.keys(members).map((member) => `${name}.${member}`)),
    ];
    const known = (name: string) => name in everywhere || name in classes || notCalled.test(name.slice(name.lastIndexOf(".") + 1));
    const again = (name: string) => /^(nn|linalg|special)\./.test(name) && known(name.slice(name.indexOf(".") + 1));
    expect(exported.filter((name) => !known(name) && !again(name))).toEqual([]);
  });

  it("refuses what it cannot take, in its own name, and goes on", { timeout: 300_000 }, async () => {
    const wrong: string[] = [];
    // Of operators that differ in their name alone, and of methods, which are the functions again,
    // each meets a part of the table.
    const part = (turn: number) => junk.filter((_, i) => (i + turn) % 6 === 0);
    // At a landing each function meets a third of it, which rotates, and where it is to be quick
    // such a part.
    const tier = process.env["WEFT_TIER"];
    const third = (turn: number) => junk.filter((_, i) => (i + turn) % 3 === 0);
    const own = (turn: number) => (tier === "full" ? junk : tier === "quick" ? part(turn) : third(turn));
    const seed = Number(process.env["WEFT_SEED"] ?? 0) % 6;
    for (const [i, subject] of subjects.entries()) wrong.push(...(await tryOut(subject, operators.includes(subject.name) ? part(i + seed) : own(i + seed))));
    for (const [i, subject] of asMethods().entries()) wrong.push(...(await tryOut(subject, part(i + seed))));
    expect(wrong).toEqual([]);
  });

  it("says of an axis that is out of range that this is what is wrong", async () => {
    const wrong: string[] = [];
    let count = 0;
    for (const subject of [...subjects, ...asMethods()]) {
      for (const [position, { kind }] of subject.places.entries()) {
        if (kind !== "axis" && kind !== "axes") continue;
        const error = await outcome(subject, () => subject.places.map(({ right }, i) => (i === position ? 77 : right())));
        // A number in such a place may be another than an axis.
        if (!(error instanceof WeftError) || !/\baxis 77\b/.test(error.message)) continue;
        count++;
        if (!(error instanceof weft.AxisError)) wrong.push(`${subject.name}, argument ${position}: ${String(error)}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(150);
  });

  it("survives several mistakes at once", { timeout: 300_000 }, async () => {
    let state = 1 + Number(process.env["WEFT_SEED"] ?? 0);
    const pick = <T>(list: readonly T[]): T => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return list[Math.floor((state / 2 ** 32) * list.length)] as T;
    };
    const wrong: string[] = [];
    const all = [...subjects, ...asMethods()];
    for (let turn = 0; turn < TURNS; turn++) {
      const subject = pick(all);
      const chosen: Junk[] = Array.from({ length: subject.places.length + pick([0, 0, 1, 2]) }, () => pick(junk));
      const found = complaint(subject, await outcome(subject, () => chosen.map(({ make }) => make())), false);
      if (found) wrong.push(`${subject.name}(${chosen.map(({ name }) => name).join(", ")}): ${found}`);
    }
    await stillWorks("all that");
    expect(wrong).toEqual([]);
  });
});
