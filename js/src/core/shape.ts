// How are nested arrays and shapes related? Reading the shape of nested data, and nesting flat data again.

import { ShapeError, ValueError } from "../errors.js";
import { isTypedArray, type Data, type DType, type TypedArray } from "./dtype.js";

/** Numbers or truth values in arrays of arrays; every array at one depth has the same length. */
export type Nested = number | boolean | TypedArray | readonly Nested[];

/** Numbers or truth values in arrays of arrays, as `array()` returns them. */
export type NestedArray = number | boolean | NestedArray[];

/** Number of elements. */
export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((size, extent) => size * extent, 1);
}

/** `[2,3]`. */
export function shapeText(shape: readonly number[]): string {
  return `[${shape.join(",")}]`;
}

/** The shape of nested data and its elements in row-major order. Throws `ShapeError` where it is ragged. */
export function flattenNested(data: Nested, op: string): { shape: number[]; values: ArrayLike<number | boolean> } {
  if (typeof data === "number" || typeof data === "boolean") return { shape: [], values: [data] };
  if (isTypedArray(data)) return { shape: [data.length], values: data };
  const shape: number[] = [];
  let first: Nested | undefined = data;
  while (isArray(first)) {
    shape.push(first.length);
    first = (first as ArrayLike<Nested>)[0];
  }
  const values: (number | boolean)[] = [];
  fill(data, 0, "", shape, values, op);
  return { shape, values };
}

function fill(data: Nested, axis: number, path: string, shape: readonly number[], into: (number | boolean)[], op: string): void {
  if (axis === shape.length) {
    if (typeof data !== "number" && typeof data !== "boolean") throw notElement(data, path, shape, op);
    into.push(data);
    return;
  }
  if (!isArray(data)) {
    const found = data === undefined ? "missing" : `${describe(data)}`;
    throw new ShapeError(op, `ragged: ${path || "the data"} is ${found} where an array of ${shape[axis]} was expected`);
  }
  if (data.length !== shape[axis]) {
    throw new ShapeError(op, `ragged: ${path || "the data"} has length ${data.length} where others have ${shape[axis]}`);
  }
  if (isTypedArray(data)) {
    if (axis + 1 !== shape.length) throw new ShapeError(op, `ragged: ${path} holds numbers where arrays were expected`);
    for (const value of data) into.push(value);
    return;
  }
  for (let i = 0; i < data.length; i++) fill(data[i] as Nested, axis + 1, `${path}[${i}]`, shape, into, op);
}

function notElement(data: unknown, path: string, shape: readonly number[], op: string): Error {
  if (isArray(data)) return new ShapeError(op, `ragged: ${path} is an array where a number was expected (shape ${shapeText(shape)})`);
  return new ValueError(op, `${path || "the data"} is ${describe(data)}; expected numbers, booleans, or arrays of them`);
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "object") return `a ${value.constructor?.name ?? "object"}`;
  return `a ${typeof value}`;
}

function isArray(value: unknown): value is readonly Nested[] | TypedArray {
  return Array.isArray(value) || isTypedArray(value);
}

/** Flat elements nested by `shape`. A 0-d tensor yields the element itself. */
export function nest(data: Data, shape: readonly number[], dtype: DType): NestedArray {
  const element = (i: number): number | boolean => (dtype === "bool" ? data[i] !== 0 : (data[i] as number));
  let next = 0;
  const build = (axis: number): NestedArray => {
    if (axis === shape.length) return element(next++);
    return Array.from({ length: shape[axis] as number }, () => build(axis + 1));
  };
  return build(0);
}
