// Special cases of the Python array API standard (2024.12): the exact results that it states for
// elementwise functions, and its rules for shapes, dtypes and empty axes, on the CPU device and on
// a GPU.

import { beforeAll, describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { init, tensor, type Tensor } from "../../src/index.js";
import { values, wasmBytes } from "../support/cpu.js";
import { dawn } from "../support/dawn.js";

const [nan, inf, pi] = [NaN, Infinity, Math.PI];

type Unary = readonly [x: number, result: number][];
type Binary = readonly [a: number, b: number, result: number][];

const ODD: Unary = [[0, 0], [-0, -0]];

/** The standard's cases of functions of one number, NaN of NaN aside, which all share but those
 * that tell what a number is. */
const UNARY: Record<string, Unary> = {
  abs: [[-0, 0], [-inf, inf]],
  acos: [[1.5, nan], [-1.5, nan], [1, 0]],
  acosh: [[0.5, nan], [1, 0], [inf, inf]],
  asin: [[1.5, nan], [-1.5, nan], ...ODD],
  asinh: [...ODD, [inf, inf], [-inf, -inf]],
  atan: [...ODD, [inf, pi / 2], [-inf, -pi / 2]],
  atanh: [[1.5, nan], [-1.5, nan], [1, inf], [-1, -inf], ...ODD],
  ceil: [...ODD, [3, 3], [inf, inf], [-inf, -inf], [-0.5, -0]],
  cos: [[0, 1], [-0, 1], [inf, nan], [-inf, nan]],
  cosh: [[0, 1], [-0, 1], [inf, inf], [-inf, inf]],
  exp: [[0, 1], [-0, 1], [inf, inf], [-inf, 0]],
  expm1: [...ODD, [inf, inf], [-inf, -1]],
  floor: [...ODD, [3, 3], [inf, inf], [-inf, -inf], [0.5, 0]],
  log: [[-1, nan], [0, -inf], [-0, -inf], [1, 0], [inf, inf]],
  log1p: [[-2, nan], [-1, -inf], ...ODD, [inf, inf]],
  log2: [[-1, nan], [0, -inf], [-0, -inf], [1, 0], [inf, inf]],
  log10: [[-1, nan], [0, -inf], [-0, -inf], [1, 0], [inf, inf]],
  neg: [[0, -0], [-0, 0], [inf, -inf], [3, -3]],
  reciprocal: [[inf, 0], [-inf, -0], [0, inf], [-0, -inf]],
  round: [...ODD, [inf, inf], [-inf, -inf], [0.5, 0], [1.5, 2], [2.5, 2], [-0.5, -0], [-1.5, -2]],
  sign: [[-3, -1], [3, 1], [0, 0], [-inf, -1]],
  sin: [...ODD, [inf, nan], [-inf, nan]],
  sinh: [...ODD, [inf, inf], [-inf, -inf]],
  sqrt: [[-1, nan], ...ODD, [inf, inf]],
  square: [[-0, 0], [-inf, inf]],
  tan: [...ODD, [inf, nan], [-inf, nan]],
  tanh: [...ODD, [inf, 1], [-inf, -1]],
  trunc: [...ODD, [3, 3], [inf, inf], [-inf, -inf], [-0.5, -0], [0.5, 0]],
};

const quarter = pi / 4;
/** Those of functions of two numbers. */
const BINARY: Record<string, Binary> = {
  add: [[nan, 1, nan], [1, nan, nan], [inf, -inf, nan], [-inf, inf, nan], [inf, inf, inf], [-inf, -inf, -inf], [inf, 3, inf], [3, -inf, -inf], [-0, -0, -0], [-0, 0, 0], [0, -0, 0], [3, -3, 0], [-0, 3, 3]],
  sub: [[nan, 1, nan], [inf, inf, nan], [-inf, -inf, nan], [inf, -inf, inf], [3, inf, -inf], [0, 0, 0], [-0, 0, -0], [3, 3, 0]],
  mul: [[nan, 1, nan], [1, nan, nan], [inf, 0, nan], [0, -inf, nan], [inf, -inf, -inf], [inf, -2, -inf], [-2, -inf, inf], [-0, 3, -0], [-0, -3, 0], [0, -3, -0]],
  div: [
    [nan, 1, nan], [inf, inf, nan], [inf, -inf, nan], [0, 0, nan], [-0, 0, nan], [0, 3, 0], [-0, 3, -0], [0, -3, -0], [-0, -3, 0], [3, 0, inf], [3, -0, -inf], [-3, 0, -inf], [-3, -0, inf],
    [inf, 3, inf], [inf, -3, -inf], [-inf, 3, -inf], [-inf, -3, inf], [3, inf, 0], [3, -inf, -0], [-3, inf, -0], [-3, -inf, 0],
  ],
  atan2: [
    [nan, 1, nan], [1, nan, nan], [3, 0, pi / 2], [3, -0, pi / 2], [0, 3, 0], [0, 0, 0], [0, -0, pi], [0, -3, pi], [-0, 3, -0], [-0, 0, -0], [-0, -0, -pi], [-0, -3, -pi], [-3, 0, -pi / 2], [-3, -0, -pi / 2],
    [3, inf, 0], [3, -inf, pi], [-3, inf, -0], [-3, -inf, -pi], [inf, 3, pi / 2], [-inf, 3, -pi / 2], [inf, inf, quarter], [inf, -inf, 3 * quarter], [-inf, inf, -quarter], [-inf, -inf, -3 * quarter],
  ],
  copysign: [[3, -0, -3], [-3, 0, 3], [0, -1, -0], [-0, 1, 0], [3, -inf, -3], [nan, 1, nan]],
  floorDivide: [
    [nan, 1, nan], [inf, inf, nan], [0, 0, nan], [0, 3, 0], [-0, 3, -0], [0, -3, -0], [-0, -3, 0], [3, 0, inf], [3, -0, -inf], [-3, 0, -inf], [-3, -0, inf], [3, inf, 0], [3, -inf, -1], [-3, inf, -1], [-3, -inf, 0],
    [7, 2, 3], [-7, 2, -4], [7, -2, -4],
  ],
  hypot: [[inf, 1, inf], [1, -inf, inf], [inf, nan, inf], [nan, -inf, inf], [nan, 1, nan], [1, nan, nan], [3, 0, 3], [-0, -3, 3]],
  logAddExp: [[nan, 1, nan], [1, nan, nan], [inf, 1, inf], [-inf, 1, 1]],
  maximum: [[nan, 1, nan], [1, nan, nan], [inf, 1, inf], [-inf, 1, 1]],
  minimum: [[nan, 1, nan], [1, nan, nan], [inf, 1, 1], [-inf, 1, -inf]],
  nextafter: [[nan, 1, nan], [1, nan, nan], [1, 1, 1], [0, -0, -0], [-0, 0, 0], [1, 2, 1 + 2 ** -23], [1, inf, 1 + 2 ** -23], [1, -inf, 1 - 2 ** -24], [inf, 1, (2 - 2 ** -23) * 2 ** 127], [-1, 0, -1 + 2 ** -24]],
  pow: [
    [3, nan, nan], [3, 0, 1], [nan, 0, 1], [nan, -0, 1], [nan, 2, nan], [3, inf, inf], [-3, inf, inf], [3, -inf, 0], [1, inf, 1], [-1, inf, 1], [1, -inf, 1], [-1, -inf, 1], [0.5, inf, 0], [-0.5, -inf, inf],
    [inf, 2, inf], [inf, -2, 0], [-inf, 3, -inf], [-inf, 2, inf], [-inf, 0.5, inf], [-inf, -3, -0], [-inf, -2, 0], [0, 2, 0], [0, -2, inf], [-0, 3, -0], [-0, 2, 0], [-0, -3, -inf], [-0, -2, inf], [-3, 0.5, nan],
  ],
  remainder: [
    [nan, 1, nan], [1, nan, nan], [inf, inf, nan], [inf, 3, nan], [-inf, 3, nan], [3, 0, nan], [3, -0, nan], [0, 3, 0], [-0, 3, 0], [0, -3, -0], [-0, -3, -0],
    [3, inf, 3], [3, -inf, -inf], [-3, inf, inf], [-3, -inf, -3], [6, 3, 0], [-6, 3, 0], [6, -3, -0], [-6, -3, -0], [7, -3, -2], [-7, 3, 2],
  ],
};

/** Those that say what a number is. */
const QUESTIONS: Record<string, readonly [x: number, result: boolean][]> = {
  isfinite: [[nan, false], [inf, false], [-inf, false], [-0, true], [3, true]],
  isinf: [[nan, false], [inf, true], [-inf, true], [3, false]],
  isnan: [[nan, true], [inf, false], [0, false]],
  signbit: [[0, false], [-0, true], [inf, false], [-inf, true], [-3, true], [3, false]],
};

const functions = weft as unknown as Record<string, (...args: unknown[]) => Tensor>;
const shown = (x: number) => (Object.is(x, -0) ? "-0" : String(x));

/** What is exact must be, its sign too; π and its parts to f32's precision. */
function wrongs(name: string, cases: readonly (readonly number[])[], found: readonly number[]): string[] {
  return cases.flatMap((numbers, n) => {
    const [result, expected] = [found[n] as number, numbers.at(-1) as number];
    const isExact = Object.is(expected, Math.fround(expected));
    const agrees = isExact ? Object.is(result, expected) : Math.abs(result - expected) <= 1e-6;
    return agrees ? [] : [`${name}(${numbers.slice(0, -1).map(shown).join(", ")}) is ${shown(result)}, not ${shown(expected)}`];
  });
}

describe.each(["cpu", "webgpu"] as const)("special cases of the standard, %s", (device) => {
  beforeAll(async () => {
    await init(device === "cpu" ? { device, wasm: wasmBytes() } : { device, gpu: await dawn(), wasm: wasmBytes(), tune: false });
  });

  const column = (cases: readonly (readonly number[])[], n: number) => tensor(Float32Array.from(cases, (numbers) => numbers[n] as number));

  it.each(Object.keys(UNARY))("%s", async (name) => {
    const cases = [[nan, nan] as const, ...(UNARY[name] as Unary)];
    const call = functions[name];
    expect(call, `there is ${name}`).toBeTypeOf("function");
    expect(wrongs(name, cases, await values(call!(column(cases, 0))))).toEqual([]);
  });

  it.each(Object.keys(BINARY))("%s", async (name) => {
    const cases = BINARY[name] as Binary;
    const call = functions[name];
    expect(call, `there is ${name}`).toBeTypeOf("function");
    expect(wrongs(name, cases, await values(call!(column(cases, 0), column(cases, 1))))).toEqual([]);
  });

  it.each(Object.keys(QUESTIONS))("%s", async (name) => {
    const cases = QUESTIONS[name]!;
    const found = await values(functions[name]!(tensor(Float32Array.from(cases, ([x]) => x))));
    expect(found.map(Boolean)).toEqual(cases.map(([, result]) => result));
  });
});
