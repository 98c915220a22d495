// Plain numbers beside integers: refused in arithmetic where the dtype does not hold them, and compared exactly, as in NumPy 2.

import { describe, expect, it } from "vitest";
import * as weft from "../src/index.js";
import { DTypeError, jit, tensor, ValueError, type DType, type Tensor } from "../src/index.js";
import { errorOf, onCpu, values } from "./cpu.js";
import { Chance } from "./properties.js";

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
