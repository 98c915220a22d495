// A function as a kernel, run by every invocation in the reference interpreter and as plain
// JavaScript, and the two compared.

import { expect } from "vitest";
import { compileKernel, type KernelSpec } from "../../../src/kernel/compile.js";
import type { KernelDType } from "../../../src/kernel/ir.js";
import type { Given } from "../../../src/kernel/lower/values.js";
import { plainOutput, plainTensor, type PlainEdge } from "../../../src/kernel/plain.js";
import { pcg, rand, threefry } from "../../../src/kernel/random.js";
import { encode } from "../../../src/kernel/words.js";
import { evaluate, type Array_ } from "./evaluate.js";

type TensorGiven = Array_ & { readonly dtype?: KernelDType };
type Function_ = (...args: any[]) => unknown;

export interface Case {
  readonly args?: readonly (TensorGiven | number)[];
  readonly shape?: readonly number[];
  readonly edge?: PlainEdge;
  readonly with?: Readonly<Record<string, number | boolean | Function_>>;
  readonly outputs?: Readonly<Record<string, { shape: readonly number[]; dtype?: KernelDType; initial?: number }>>;
  /** The dtype that the first returned result must have. */
  readonly dtype?: KernelDType;
  /** The text that plain JavaScript runs, where it is another. */
  readonly reference?: string;
  /** How far off a float may be, relative to its size or 1. */
  readonly tolerance?: number;
}

const EDGES = { clamp: "Clamp", wrap: "Wrap", mirror: "Mirror", zero: { value: 0 } } as const;

/** The description of a case as the front end takes it. */
export function specOf(fn: Function_ | string, { args = [], shape, edge = "clamp", with: captured = {}, outputs = {} }: Case): KernelSpec {
  const grid = shape ?? (args[0] as TensorGiven).shape;
  const given = (value: TensorGiven | number | boolean | Function_): Given => {
    if (typeof value === "function") return { is: "function", source: value.toString() };
    if (typeof value === "object") return { is: "tensor", dtype: value.dtype ?? "f32", rank: value.shape.length };
    return { is: "scalar", dtype: typeof value === "boolean" ? "bool" : "f32" };
  };
  return {
    name: "kernel", source: fn.toString(), args: args.map(given), rank: grid.length, limit: 1000, dtype: null, report: "none",
    captured: Object.fromEntries(Object.entries(captured).map(([name, value]) => [name, given(value)])),
    outputs: Object.fromEntries(Object.entries(outputs).map(([name, { shape: own, dtype = "f32", initial = 0 }]) => [name, { dtype, rank: own.length, initial }])),
    edge: typeof edge === "number" ? { value: edge } : EDGES[edge],
  };
}

/** Compares, and gives what the interpreter has. */
export function compare(fn: Function_ | string, given: Case): Array_[] {
  const { args = [], edge = "clamp", with: captured = {}, outputs = {}, tolerance = 2e-5 } = given;
  const grid = given.shape ?? (args[0] as TensorGiven).shape;
  const { kernel, returned } = compileKernel(specOf(fn, given));
  const shapes = [...Object.values(outputs).map(({ shape }) => shape), ...returned.map(({ length }) => (length === null ? grid : [...grid, length]))];
  const tensors = args.filter((arg): arg is TensorGiven => typeof arg === "object");
  const scalars = [...args, ...Object.values(captured)].filter((each) => typeof each === "number" || typeof each === "boolean").map(Number);
  const found = evaluate(encode(kernel), { tensors, scalars, grid, shapes });
  if (given.dtype) expect(kernel.outputs[Object.keys(outputs).length]?.dtype, fn.toString()).toBe(given.dtype);

  const text = given.reference ?? fn;
  const plain = typeof text === "string" ? (new Function(`return ${text}`)() as Function_) : text;
  const expected = kernel.outputs.map((_, n): Array_ => ({ shape: shapes[n]!, data: new Array<number>(shapes[n]!.reduce((a, b) => a * b, 1)).fill(n < Object.keys(outputs).length ? (Object.values(outputs)[n]!.initial ?? 0) : 0) }));
  const stores = Object.keys(outputs).map((name, n) => [name, plainOutput(name, kernel.outputs[n]!.dtype, shapes[n]!, expected[n]!.data)] as const);
  const record = { ...captured, ...Object.fromEntries(stores), rand, pcg, threefry };
  const inputs = args.map((arg) => (typeof arg === "object" ? plainTensor("x", arg.shape, arg.data, edge) : arg));
  const size = grid.reduce((a, b) => a * b, 1);
  for (let at = 0; at < size; at++) {
    const place = grid.map((extent, axis) => Math.floor(at / grid.slice(axis + 1).reduce((a, b) => a * b, 1)) % extent);
    const result = plain(...inputs, ...place, record);
    returned.forEach(({ name, length }, n) => {
      const value = name === null ? result : (result as Record<string, unknown>)[name];
      const into = expected[Object.keys(outputs).length + n]!.data;
      if (length === null) into[at] = Number(value);
      else (value as number[]).forEach((element, k) => (into[at * length + k] = Number(element)));
    });
  }
  kernel.outputs.forEach(({ dtype }, n) => {
    found[n]!.data.forEach((value, k) => {
      const wanted = expected[n]!.data[k]!;
      const close = dtype === "f32" ? Object.is(value, wanted) || (Number.isNaN(value) && Number.isNaN(wanted)) || value === wanted || Math.abs(value - wanted) <= tolerance * Math.max(1, Math.abs(wanted)) : value === (dtype === "u32" ? wanted >>> 0 : wanted);
      if (!close) expect.fail(`${fn.toString()}\nresult ${n} at ${k}: the kernel has ${value} (${dtype}), JavaScript ${wanted}`);
    });
  });
  return found;
}
