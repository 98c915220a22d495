// Splitting and joining of lists, nested lists and shapes.

import { countOf, isArray, listOf, noMore, optionsOf, shapeOf } from "../core/check/check.js";
import { register } from "../core/wasm/core.js";
import type { Operand, Tensor } from "../core/tensor/tensor.js";
import { ShapeError, ValueError } from "../core/errors.js";
import { arange } from "./create.js";
import { concat } from "./generated/join.js";
import { composed, lifted } from "./lift.js";
import { invoke } from "./operation.js";
import { split } from "./shape.js";
import { broadcastTo, reshape } from "./generated/shape.js";

function cut(op: string, x: Operand, parts: number | readonly number[], axis: (rank: number) => number, least: number): Tensor[] {
  return composed(op, () => {
    const given = lifted(op, x);
    if (given.ndim < least) throw new ShapeError(op, `takes ${least} axes or more, got [${given.shape.join(",")}]`);
    return split(given, parts, axis(given.ndim));
  });
}

/**
 * `split` along the second axis, of vectors along their only one.
 *
 * @example
 * const [left, right] = hsplit([[1, 2], [3, 4]], 2);
 * right; // [[2],[4]]
 */
export function hsplit(x: Operand, parts: number | readonly number[]): Tensor[] {
  noMore("hsplit", arguments, 2);
  return cut("hsplit", x, parts, (rank) => (rank === 1 ? 0 : 1), 1);
}

/**
 * `split` along the first axis.
 *
 * @example
 * const [top, bottom] = vsplit([[1, 2], [3, 4]], 2);
 * bottom; // [[3,4]]
 */
export function vsplit(x: Operand, parts: number | readonly number[]): Tensor[] {
  noMore("vsplit", arguments, 2);
  return cut("vsplit", x, parts, () => 0, 2);
}

/**
 * `split` along the third axis.
 *
 * @example
 * const [front, back] = dsplit([[[1, 2]], [[3, 4]]], 2);
 * back; // [[[2]],[[4]]]
 */
export function dsplit(x: Operand, parts: number | readonly number[]): Tensor[] {
  noMore("dsplit", arguments, 2);
  return cut("dsplit", x, parts, () => 2, 3);
}

/**
 * The shape to which shapes broadcast. Throws `ShapeError` where they do not.
 *
 * @example
 * broadcastShapes([3, 1], [4]); // [3,4]
 */
export function broadcastShapes(...shapes: (readonly number[])[]): number[] {
  const op = "broadcastShapes";
  const all = shapes.map((shape) => shapeOf(op, shape));
  const rank = Math.max(0, ...all.map((shape) => shape.length));
  return Array.from({ length: rank }, (_, axis) => {
    const extents = all.map((shape) => shape[axis - rank + shape.length] ?? 1).filter((extent) => extent !== 1);
    if (extents.some((extent) => extent !== extents[0])) {
      throw new ShapeError(op, `${all.map((shape) => `[${shape.join(",")}]`).join(" and ")} do not broadcast`);
    }
    return extents[0] ?? 1;
  });
}

/**
 * Tensors broadcast to one shape.
 *
 * @example
 * const [a, b] = broadcastArrays([1, 2], [[3], [4]]);
 * a; // [[1,2],[1,2]]
 */
export function broadcastArrays(...tensors: Operand[]): Tensor[] {
  const op = "broadcastArrays";
  return composed(op, () => {
    const all = tensors.map((tensor) => lifted(op, tensor));
    const shape = broadcastShapes(...all.map((tensor) => tensor.shape));
    return all.map((tensor) => broadcastTo(tensor, shape));
  });
}

const between = register("ediff1d");

/**
 * What stands around differences.
 *
 * @example
 * const options: EdgeOptions = { toBegin: 0 };
 * ediff1d([1, 4], options); // [0,3]
 */
export interface EdgeOptions {
  /** What comes before them. */
  toBegin?: Operand;
  /** What comes behind them. */
  toEnd?: Operand;
}

/**
 * The differences of neighbours in the flattened tensor.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * ediff1d([1, 4, 9], { toEnd: [7] }); // [3,5,7]
 */
export function ediff1d(x: Operand, options: EdgeOptions = {}): Tensor {
  const op = "ediff1d";
  noMore(op, [...arguments], 2);
  const { toBegin, toEnd } = optionsOf<{ toBegin: Operand; toEnd: Operand }>(op, options, { toBegin: [], toEnd: [] });
  return invoke(between, (call) => call.tensor(x).tensor(toBegin).tensor(toEnd));
}

/** How many lists may stand around a block. */
const DEEPEST = 32;

/**
 * Tensors and numbers in nested lists, of which the innermost are joined along the last axis, those
 * around along the one before, and so on.
 *
 * @example
 * block([[ones([1, 1]), 2], [3, 4]]); // [[1,2],[3,4]]
 */
export function block(blocks: readonly unknown[]): Tensor {
  const op = "block";
  noMore(op, arguments, 1);
  const depthOf = (part: unknown, above = 0): number => {
    if (above > DEEPEST) throw new ValueError(op, "the lists are nested too deep: does one hold itself?");
    return isArray(part) ? 1 + Math.max(0, ...Array.from(part, (inner) => depthOf(inner, above + 1))) : 0;
  };
  const depth = depthOf(listOf(op, "a list of blocks", blocks));
  const joined = (part: unknown, left: number): Tensor => {
    if (isArray(part)) return concat(Array.from(part, (inner) => joined(inner, left - 1)), -left);
    if (left > 0) throw new ShapeError(op, "the lists are not equally deep");
    const leaf = lifted(op, part as Operand);
    return leaf.ndim < depth ? reshape(leaf, [...new Array<number>(depth - leaf.ndim).fill(1), ...leaf.shape]) : leaf;
  };
  return composed(op, () => joined(blocks, depth));
}

const lower = register("tri");

/**
 * A matrix of ones up to a diagonal, and zeros above.
 *
 * Gives f32.
 *
 * @example
 * tri(2, 3); // [[1,0,0],[1,1,0]]
 */
export function tri(rows: number, columns: number = rows, diagonal = 0): Tensor {
  const op = "tri";
  noMore(op, [...arguments], 3);
  return invoke(lower, (call) => call.put(countOf(op, "rows", rows), countOf(op, "columns", columns), countOf(op, "the diagonal", diagonal, -(2 ** 31))));
}

/**
 * The positions along each axis of the diagonal of a cube of n.
 *
 * @example
 * diagIndices(2).length; // 2
 */
export function diagIndices(n: number, axes = 2): Tensor[] {
  const op = "diagIndices";
  noMore(op, [...arguments], 2);
  const extent = countOf(op, "the extent", n);
  return Array.from({ length: countOf(op, "how many axes", axes) }, () => arange(extent));
}

function triangle(op: string, args: IArguments, lower: boolean): [rows: Tensor, columns: Tensor] {
  noMore(op, [...args], 3);
  const rows = countOf(op, "rows", args[0]);
  const [shift, columns] = [countOf(op, "the diagonal", args[1] === undefined ? 0 : args[1], -(2 ** 31)), countOf(op, "columns", args[2] === undefined ? rows : args[2])];
  const places: [number, number][] = [];
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) if (lower ? j - i <= shift : j - i >= shift) places.push([i, j]);
  const side = (n: 0 | 1) => lifted(op, Int32Array.from(places, (place) => place[n]));
  return [side(0), side(1)];
}

/**
 * The positions of a lower triangle, rows and columns.
 *
 * @example
 * trilIndices(2)[1]; // [0,0,1]
 */
export function trilIndices(rows: number, diagonal?: number, columns?: number): [rows: Tensor, columns: Tensor] {
  void [rows, diagonal, columns];
  return triangle("trilIndices", arguments, true);
}

/**
 * The positions of an upper triangle, rows and columns.
 *
 * @example
 * triuIndices(2)[1]; // [0,1,1]
 */
export function triuIndices(rows: number, diagonal?: number, columns?: number): [rows: Tensor, columns: Tensor] {
  void [rows, diagonal, columns];
  return triangle("triuIndices", arguments, false);
}

const raveled = register("ravelMultiIndex");

/**
 * The row-major positions of what stands at positions along each axis of a shape.
 *
 * Takes i32, u32; gives the promoted dtype. Without a gradient; `vmap` batches it.
 *
 * @example
 * ravelMultiIndex([[0, 1], [1, 2]], [2, 3]); // [1,5]
 */
export function ravelMultiIndex(positions: readonly Operand[], shape: readonly number[]): Tensor {
  const op = "ravelMultiIndex";
  noMore(op, arguments, 2);
  const given = listOf(op, "a list of positions", positions) as readonly Operand[];
  return invoke(raveled, (call) => {
    call.put(given.length);
    for (let n = 0; n < given.length; n++) call.tensor(given[n], "i32");
    call.list(shapeOf(op, shape));
  });
}
