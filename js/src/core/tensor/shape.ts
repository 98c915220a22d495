// Shapes of nested arrays: reading the shape of nested data, and nesting flat data again.

import { ShapeError, ValueError } from "../errors.js";
import { extentsOf, isArray as isPlainArray, kindOf } from "../check/check.js";
import { isGone, isTypedArray, type Data, type DType, type TypedArray } from "./dtype.js";

/**
 * Numbers or truth values in arrays of arrays; every array at one depth has the same length.
 *
 * @example
 * tensor([[1, 2], [3, 4]]).shape; // [2,2]
 */
export type Nested = number | boolean | TypedArray | readonly Nested[];

/**
 * Numbers or truth values in arrays of arrays, as `array()` returns them.
 *
 * @example
 * await ones([2, 2]).array(); // [[1,1],[1,1]]
 */
export type NestedArray = number | boolean | NestedArray[];

/** Number of elements. */
export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((size, extent) => size * extent, 1);
}

/** `[2,3]`. */
export function shapeText(shape: readonly number[]): string {
  return `[${shape.join(",")}]`;
}

/** Arrays nested deeper hold themselves, or are a mistake: the core takes twelve axes. */
const DEEPEST = 64;

/** The shape of nested data and its elements in row-major order. Throws `ShapeError` where it is
 * ragged. */
export function flattenNested(data: Nested, op: string): { shape: number[]; values: ArrayLike<number | boolean> } {
  if (typeof data === "number" || typeof data === "boolean") return { shape: [], values: [data] };
  if (isTypedArray(data)) return { shape: [data.length], values: present(data, op) };
  const shape: number[] = [];
  let first: Nested | undefined = data;
  while (isArray(first)) {
    shape.push(first.length);
    if (shape.length > DEEPEST) throw new ShapeError(op, "the data has more axes than any tensor: does an array hold itself?");
    first = (first as ArrayLike<Nested>)[0];
  }
  extentsOf(op, shape);
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
    const found = data === undefined ? "missing" : kindOf(data);
    throw new ShapeError(op, `ragged: ${path || "the data"} is ${found} where an array of ${shape[axis]} was expected`);
  }
  if (data.length !== shape[axis]) {
    throw new ShapeError(op, `ragged: ${path || "the data"} has length ${data.length} where others have ${shape[axis]}`);
  }
  if (isTypedArray(data)) {
    if (axis + 1 !== shape.length) throw new ShapeError(op, `ragged: ${path} holds numbers where arrays were expected`);
    for (const value of present(data, op)) into.push(value);
    return;
  }
  for (let i = 0; i < data.length; i++) fill(data[i] as Nested, axis + 1, `${path}[${i}]`, shape, into, op);
}

/** Throws `ValueError` for an array whose buffer was transferred: empty is not what it was meant to
 * be. */
function present(array: TypedArray, op: string): TypedArray {
  if (!isGone(array)) return array;
  throw new ValueError(op, `the buffer of ${kindOf(array)} was transferred elsewhere, and its elements with it`);
}

function notElement(data: unknown, path: string, shape: readonly number[], op: string): Error {
  if (isArray(data)) return new ShapeError(op, `ragged: ${path} is an array where a number was expected (shape ${shapeText(shape)})`);
  return new ValueError(op, `${path || "the data"} is ${kindOf(data)}; expected numbers, booleans, or arrays of them`);
}

function isArray(value: unknown): value is readonly Nested[] | TypedArray {
  return isPlainArray(value) || isTypedArray(value);
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
