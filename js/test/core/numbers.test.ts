// Plain numbers beside integers: refused in arithmetic where the dtype does not hold them, and
// compared exactly, as in NumPy 2.

import { describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { DTypeError, jit, tensor, ValueError, type DType, type Tensor } from "../../src/index.js";
import { errorOf, onCpu, values } from "../support/cpu.js";
import { Chance } from "../support/properties.js";

onCpu();

const ends: Record<string, [least: number, most: number]> = { i8: [-128, 127], u8: [0, 255], i32: [-(2 ** 31), 2 ** 31 - 1], u32: [0, 2 ** 32 - 1] };
type Two = (a: weft.Operand, b: weft.Operand) => Tensor;

describe("a number beyond an integer dtype", () => {
  const names = ["add", "sub", "mul", "floorDivide", "remainder", "minimum", "maximum", "pow", "bitwiseAnd", "bitwiseOr", "bitwiseXor"] as const;
  const cases = Object.keys(ends).flatMap((dtype) => names.map((name) => [name, dtype] as const));

  it.each(cases)("is refused by %s of %s, on either side", (name, dtype) => {
    const [least, most] = ends[dtype] as [number, number];
    const x = tensor([1, 2], { dtype: dtype as DType });
    const f = weft[name] as Two;
    for (const number of [least - 1, most + 1]) {
      for (const call of [() => f(x, number), () => f(number, x)]) {
        const error = errorOf(call);
        expect(error).toBeInstanceOf(ValueError);
        // u8 is computed in u32, which already refuses what is below 0.
        expect(error.message.replace("u32", dtype)).toBe(`${name}: ${number} does not fit in ${dtype}`);
      }
    }
    expect(f(x, most).dtype).toBe(dtype);
    expect(f(x, 1.5 - 0.5).dtype).toBe(dtype);
  });

  it("is refused in jit as it is without", () => {
    const byCall = jit((x: Tensor, n: number) => x.add(n));
    expect(errorOf(() => byCall(tensor([1], { dtype: "u8" }), 300)).message).toBe("jit: 300 does not fit in u8");
    expect(byCall(tensor([1], { dtype: "u8" }), 254).dtype).toBe("u8");
    expect(errorOf(() => byCall(tensor([1], { dtype: "u8" }), -1)).message).toBe("jit: -1 does not fit in u32");
    expect(errorOf(() => jit((x: Tensor) => x.add(300))(tensor([1], { dtype: "u8" }))).message).toBe("add: 300 does not fit in u8");
    expect(weft.bitwiseAnd(tensor([1], { dtype: "u8" }), 255).dtype).toBe("u8");
    expect(errorOf(() => weft.bitwiseAnd(tensor([1], { dtype: "u8" }), 1.5))).toBeInstanceOf(DTypeError);
  });
});

describe("comparisons of integers with numbers", () => {
  const written = {
    less: (a: number, b: number) => a < b,
    lessEqual: (a: number, b: number) => a <= b,
    greater: (a: number, b: number) => a > b,
    greaterEqual: (a: number, b: number) => a >= b,
    equal: (a: number, b: number) => a === b,
    notEqual: (a: number, b: number) => a !== b,
  };

  it.each(Object.keys(written))("%s is exact, whatever the number", async (name) => {
    const f = weft[name as "less"] as Two;
    const test = written[name as "less"];
    const chance = new Chance(name);
    for (const dtype of [...Object.keys(ends), "bool"]) {
      const [least, most] = ends[dtype] ?? [0, 1];
      const elements = dtype === "bool" ? [0, 1] : [least, least + 1, 0, 1, most - 1, most];
      const numbers = [least - 1, least - 0.5, least, least + 0.5, 0, -0, 0.5, 1, most - 0.5, most, most + 0.5, most + 1, 2 ** 40, -(2 ** 40), Infinity, -Infinity, NaN];
      for (let n = 0; n < 10; n++) numbers.push(chance.whole(-300, 300) / 2);
      const x = tensor(dtype === "bool" ? [false, true] : elements, { dtype: dtype as DType });
      for (const number of numbers) {
        expect([dtype, number, await values(f(x, number))]).toEqual([dtype, number, elements.map((element) => Number(test(element, number)))]);
        expect([number, dtype, await values(f(number, x))]).toEqual([number, dtype, elements.map((element) => Number(test(number, element)))]);
      }
    }
  });
});

describe("numbers among the arguments of a captured function", () => {
  const names = [
    "add", "sub", "mul", "div", "floorDivide", "remainder", "pow", "minimum", "maximum", "equal", "notEqual", "less", "lessEqual", "greater", "greaterEqual", "logicalAnd", "bitwiseAnd", "bitwiseXor", "shiftLeft", "hypot",
  ] as const;
  /** What a call gives, or how it fails. */
  const outcome = async (call: () => Tensor) => {
    try {
      const x = call();
      return { dtype: x.dtype, values: await values(x) };
    } catch (error) {
      return (error as Error).constructor.name;
    }
  };

  it.each(names)("mean to %s what they mean outside", async (name) => {
    const f = weft[name] as Two;
    const [left, right] = [jit((n: number, x: Tensor) => f(n, x)), jit((x: Tensor, n: number) => f(x, n))];
    for (const dtype of ["f32", "f16", "i32", "u32", "i8", "u8", "bool"] as const) {
      const x = tensor(dtype === "bool" ? [true, false] : [3, 1, 100], { dtype });
      for (const number of [2, 0, -3, 2.5, 127, 300, 2 ** 31, -(2 ** 40), 1.5, 5]) {
        for (const [captured, eager] of [[() => right(x, number), () => f(x, number)], [() => left(number, x), () => f(number, x)]] as const) {
          const expected = await outcome(eager);
          const found = await outcome(captured);
          if (typeof expected === "string" || typeof found === "string") expect([dtype, number, found]).toEqual([dtype, number, expected]);
          else {
            expect([dtype, number, found.dtype]).toEqual([dtype, number, expected.dtype]);
            found.values.forEach((value, n) => expect(Object.is(value, expected.values[n]) || Math.abs(value - (expected.values[n] as number)) < 1e-3).toBe(true));
          }
        }
      }
    }
  });

  it("choose, fill and index", async () => {
    const step = jit((x: Tensor, n: number, i: number) => [weft.where(x.greater(1), x, n), x.add(n).sum(), x.take(i), x.at(i).set(n)] as const);
    const x = weft.arange(3);
    for (const [n, i] of [[7, 1], [8, 2], [9, -1]] as const) {
      const [chosen, sum, taken, set] = step(x, n, i);
      expect([chosen.dtype, sum.dtype, taken.dtype, set.dtype]).toEqual(["i32", "i32", "i32", "i32"]);
      expect(await values(chosen)).toEqual([n, n, 2]);
      expect(await sum.item()).toBe(3 + 3 * n);
      expect(await taken.item()).toBe(i < 0 ? 2 : i);
      expect(await values(set)).toEqual([0, 1, 2].map((value, at) => (at === (i + 3) % 3 ? n : value)));
    }
  });

  it("stay weak in loops, branches, transforms and captured functions within", async () => {
    const f = (x: Tensor, n: number) => weft.forLoop(0, 3, (_, s) => s.add(n), x);
    expect((await jit(f)(weft.arange(2), 5).array())).toEqual([15, 16]);
    const inner = jit((x: Tensor, n: number) => x.mul(n));
    const outer = jit((x: Tensor, n: number) => inner(x, n).add(inner(x, 2)));
    expect([outer(weft.arange(3), 4).dtype, await values(outer(weft.arange(3), 4))]).toEqual(["i32", [0, 6, 12]]);
    expect(await values(weft.vmap((x: Tensor) => inner(x, 3))(weft.arange(3)))).toEqual([0, 3, 6]);
    expect(weft.vmap((x: Tensor) => inner(x, 3))(weft.arange(3)).dtype).toBe("i32");
    const derived = weft.grad((w: Tensor) => inner(w, 3).sum());
    expect(await values(derived(tensor([1, 2])))).toEqual([3, 3]);
    expect(await weft.grad((n: number) => jit((m: number) => tensor(2).mul(m))(n))(4).item()).toBe(2);
  });

  it("are asked to be static, by the place of their argument, where they must be known", () => {
    const x = tensor([[1, 2], [3, 4]]);
    const uses: [start: string, (x: Tensor, n: number) => unknown][] = [
      ["reshape: ", (x, n) => x.reshape([4, n])],
      ["sum: ", (x, n) => x.sum(n)],
      ["slice: ", (x, n) => x.slice([n])],
      ["roll: ", (x, n) => x.roll(n)],
      ["zeros: ", (_, n) => weft.zeros([n])],
      ["arange: ", (_, n) => weft.arange(n)],
      ["jit: JavaScript's operators cannot act on ", (x, n) => x.mul(n * 2)],
      ["jit: JavaScript's operators cannot act on ", (x, n) => (n > 1 ? x : x.neg())],
      ["leakyRelu: ", (x, n) => weft.leakyRelu(x, n)],
    ];
    for (const [start, use] of uses) {
      const { message } = errorOf(() => jit(use)(x, 1));
      expect(message.slice(0, start.length)).toBe(start);
      expect(message).toContain("a number that each call gives anew: jit(fn, { static: 1 }) makes argument 1 a number inside");
      jit(use, { static: 1 })(x, 1);
    }
  });
});
