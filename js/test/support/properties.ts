// Random calls of a function, each with its expected shape and dtype, or a refusal, for tables of
// the Python array API standard's rules.

import { afterEach, describe, expect, it } from "vitest";
import { disposeTree } from "../../src/core/tensor/tree.js";
import * as weft from "../../src/index.js";
import { Complex, tensor, Tensor, WeftError, type DType } from "../../src/index.js";
import { values } from "./cpu.js";

/** How many draws each function gets; WEFT_FUZZ=50 tries fifty times as many. */
const DRAWS = 40 * Number(process.env["WEFT_FUZZ"] ?? 1);
/** The seed of the run, which `cargo xtask test` changes with the commit. */
const SEED = Number(process.env["WEFT_SEED"] ?? 0);

export type Shape = readonly number[];
export type Function = (...args: unknown[]) => unknown;

/** A generator of its own for each name, so that a new row leaves the others as they are. */
export class Chance {
  #state: number;
  constructor(name: string) {
    this.#state = [...name].reduce((hash, letter) => Math.imul(hash, 31) + letter.charCodeAt(0), 17 + SEED) >>> 0;
  }
  /** A whole number from `low` to `high`, both among them. */
  whole(low: number, high: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return low + Math.floor((this.#state / 2 ** 32) * (high - low + 1));
  }
  of<T>(list: readonly T[]): T {
    return list[this.whole(0, list.length - 1)] as T;
  }
  shape(least = 0, most = 4): number[] {
    return Array.from({ length: this.whole(least, most) }, () => this.of([0, 1, 1, 2, 3, 4]));
  }
  /** Shapes that broadcast to one. */
  broadcast(count: number): [shapes: number[][], together: number[]] {
    const together = this.shape();
    const shapes = Array.from({ length: count }, () => together.slice(this.whole(0, together.length)).map((extent) => (this.whole(0, 2) === 0 ? 1 : extent)));
    return [shapes, broadcast(...shapes)];
  }
  /** An axis of a tensor of that rank, counted from either end. */
  axis(rank: number): number {
    return this.whole(-rank, rank - 1);
  }
  /** Some axes, none twice: none of them, one as a number or in a list, several, or all. */
  axes(rank: number): number | number[] | null {
    const kind = this.whole(0, 3);
    if (kind === 0) return null;
    if (kind === 1 && rank > 0) return this.axis(rank);
    const places = Array.from({ length: rank }, (_, axis) => axis).filter(() => this.whole(0, 1) === 1);
    return places.map((axis) => (this.whole(0, 1) === 1 ? axis : axis - rank));
  }
  order(rank: number): number[] {
    const left = Array.from({ length: rank }, (_, axis) => axis);
    return Array.from({ length: rank }, () => left.splice(this.whole(0, left.length - 1), 1)[0] as number);
  }
}

export const size = (shape: Shape) => shape.reduce((a, b) => a * b, 1);

/** The standard's section on broadcasting. */
export function broadcast(...shapes: Shape[]): number[] {
  const rank = Math.max(0, ...shapes.map(({ length }) => length));
  return Array.from({ length: rank }, (_, axis) => {
    const extents = shapes.flatMap((shape) => shape[axis - rank + shape.length] ?? []);
    return extents.find((extent) => extent !== 1) ?? 1;
  });
}

/** Numbers that every function is defined of: 1, 2, 3 or true. */
export const filled = (shape: Shape, dtype: DType = "f32") => tensor(Array.from({ length: size(shape) }, (_, n) => (dtype === "bool" ? true : 1 + (n % 3))), { shape, dtype });

const SIGNED = ["i8", "i32"] as const;
const UNSIGNED = ["u8", "u32"] as const;
export const INTEGERS = [...SIGNED, ...UNSIGNED] as const;
export const FLOATS = ["f16", "f32"] as const;
export const NUMERIC = [...INTEGERS, ...FLOATS] as const;
export const ALL = [...NUMERIC, "bool"] as const;

/** The standard's table of promotion, of the dtypes that are there; i16 and i64, which are not, are
 * i32. */
const PROMOTED: Record<string, DType> = { "i8 i32": "i32", "u8 u32": "u32", "i8 u8": "i32", "i8 u32": "i32", "i32 u8": "i32", "i32 u32": "i32", "f16 f32": "f32" };
export const promoted = (a: DType, b: DType): DType => (a === b ? a : (PROMOTED[`${a} ${b}`] ?? (PROMOTED[`${b} ${a}`] as DType)));
/** Two dtypes of one kind, which promote. */
export const together = (chance: Chance, dtypes: readonly DType[]): [DType, DType] => {
  const first = chance.of(dtypes);
  const kind: readonly DType[] = [INTEGERS, FLOATS, ["bool"] as const].find((kind) => (kind as readonly DType[]).includes(first)) as readonly DType[];
  return [first, chance.of(kind.filter((dtype) => dtypes.includes(dtype)))];
};
/** What a sum is kept in: the default integer at least. */
export const accumulated = (dtype: DType): DType => ({ i8: "i32", u8: "u32" })[dtype as string] as DType ?? dtype;

const get = (name: string): Function => {
  const found = name.split(".").reduce<unknown>((owner, part) => (owner as Record<string, unknown>)[part], weft);
  expect(found, `there is ${name}`).toBeTypeOf("function");
  return found as Function;
};

/** One call: its arguments, and what it has to give, `null` where it has to refuse. */
export interface Draw {
  readonly args: readonly unknown[];
  readonly gives: readonly (readonly [shape: Shape, dtype: DType])[] | null;
  /** What every element is, where that is known. */
  readonly all?: number;
}

export const one = (args: readonly unknown[], shape: Shape, dtype: DType, all?: number): Draw => ({ args, gives: [[shape, dtype]], ...(all !== undefined && { all }) });

const written = (value: unknown): string => {
  if (value instanceof Tensor) return `${value.dtype}[${value.shape.join(",")}]`;
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  return typeof value === "object" && value !== null && !(value instanceof Complex) ? JSON.stringify(value) : String(value);
};

/** The tensors of a result; of a pair both, which are alike. */
const parts = (made: unknown): Tensor[] => (made instanceof Tensor ? [made] : made instanceof Complex ? [made.re, made.im] : Object.values(made as Tensor[]).flatMap(parts));

/** What is wrong with a call. */
async function complaint(name: string, { args, gives, all }: Draw): Promise<string[]> {
  const call = `${name}(${args.map(written).join(", ")})`;
  const given = args.flatMap((value) => (value instanceof Tensor ? [value] : Array.isArray(value) ? value.filter((item) => item instanceof Tensor) : []));
  let made: Tensor[] = [];
  try {
    made = parts(await get(name)(...args));
    if (gives === null) return [`${call} was taken`];
    const found = made.map(({ shape, dtype }) => `${dtype}[${shape.join(",")}]`).join(" ");
    const wanted = gives.map(([shape, dtype]) => `${dtype}[${shape.join(",")}]`).join(" ");
    if (found !== wanted) return [`${call} is ${found}, not ${wanted}`];
    for (const result of made) {
      const elements = await values(result);
      if (elements.length !== size(result.shape)) return [`${call} has ${elements.length} elements`];
      if (all !== undefined && !elements.every((element) => Object.is(element, all))) return [`${call} is ${elements}, not ${all} everywhere`];
    }
    return [];
  } catch (error) {
    if (!(error instanceof WeftError) || error instanceof weft.InternalError) return [`${call} threw ${String(error)}`];
    if (gives !== null) return [`${call} was refused: ${error.message}`];
    return error.op === name ? [] : [`${call} was refused in the name of ${error.op}: ${error.message}`];
  } finally {
    for (const value of [...given, ...made]) if (!value.disposed) disposeTree(value);
  }
}

/** A table: what a function is called with, and what it gives. */
export function properties(title: string, table: Record<string, (chance: Chance) => Draw>): void {
  describe(title, () => {
    it.each(Object.keys(table))("%s", async (name) => {
      const chance = new Chance(name);
      const wrong: string[] = [];
      for (let n = 0; n < DRAWS && wrong.length < 5; n++) wrong.push(...(await complaint(name.split(" ")[0] as string, (table[name] as (chance: Chance) => Draw)(chance))));
      expect(wrong).toEqual([]);
    });
  });
}

afterEach(async () => {
  expect(await values(tensor([1, 2]).add(1))).toEqual([2, 3]);
});

export const rows = (names: string, row: (name: string) => (chance: Chance) => Draw) => Object.fromEntries(names.split(" ").map((name) => [name, row(name)]));

/** The shape after a reduction. */
export function reduced(shape: Shape, axes: number | readonly number[] | null, keepdims: boolean): number[] {
  const gone = new Set((axes === null ? shape.map((_, axis) => axis) : [axes].flat()).map((axis) => (axis < 0 ? axis + shape.length : axis)));
  return shape.flatMap((extent, axis) => (gone.has(axis) ? (keepdims ? [1] : []) : [extent]));
}

/** How many elements each result is made of. */
export const folded = (shape: Shape, axes: number | readonly number[] | null) => size((axes === null ? shape : [axes].flat().map((axis) => shape.at(axis) as number)));

export const outside = (chance: Chance, rank: number) => chance.of([rank, -rank - 1, rank + 7]);

/** A tensor of any dtype, and its shape. */
export const anything = (chance: Chance, least = 0): [Tensor, number[], DType] => {
  const [shape, dtype] = [chance.shape(least), chance.of(ALL)];
  return [filled(shape, dtype), shape, dtype];
};
