// How are tensors put together of pieces, and taken apart, otherwise than along one axis at places given beforehand?

import { axisOf, countOf, isArray, listOf, noMore, noOptions, optionsOf, shapeOf } from "../core/check.js";
import { sizeOf } from "../core/shape.js";
import { Tensor, type Operand } from "../core/tensor.js";
import { AxisError, ShapeError, ValueError } from "../errors.js";
import { add, floorDivide, mul, remainder } from "./arithmetic.js";
import { cast } from "./elementwise.js";
import { arange, ones } from "./create.js";
import { take } from "./indexing.js";
import { concat } from "./join.js";
import { composed, lifted } from "./lift.js";
import { diff, slice, split, type Range } from "./parts.js";
import { broadcastTo, expandDims, flatten, flip, reshape, swapAxes, tril } from "./view.js";

/** A tensor of its own, where nothing may have been done. */
const own = (x: Tensor): Tensor => reshape(x, x.shape);

/**
 * `values` behind `x`: both flattened, or joined along an axis.
 *
 * @example
 * append([1, 2], [[3], [4]]); // [1,2,3,4]
 */
export function append(x: Operand, values: Operand, axis: number | null = null): Tensor {
  const op = "append";
  noMore(op, [...arguments], 3);
  return composed(op, () => {
    const both = [lifted(op, x), lifted(op, values)];
    return axis === null || axis === undefined ? concat(both.map(flatten)) : concat(both, axisOf(op, axis));
  });
}

/** The axis to insert at or to remove from, and the tensor, flattened where there is none. */
function line(op: string, x: Operand, axis: number | null | undefined): [x: Tensor, axis: number] {
  const given = lifted(op, x);
  if (axis === null || axis === undefined) return [flatten(given), 0];
  const along = axisOf(op, axis);
  const at = along < 0 ? along + given.ndim : along;
  if (at < 0 || at >= given.ndim) throw new AxisError(op, `axis ${along} is out of range for [${given.shape.join(",")}]`);
  return [given, at];
}

/** Positions along an extent, of which one past the end may be allowed. */
function placesOf(op: string, at: number | readonly number[], extent: number, most: number): number[] {
  const list = (typeof at === "number" ? [at] : listOf(op, "a position or a list of positions", at)) as readonly number[];
  // Holes are no positions either.
  return Array.from(list, (place) => {
    const found = countOf(op, "a position", place, -(2 ** 31));
    if (found < -extent || found > most) throw new ValueError(op, `position ${found} is out of range: expected ${-extent} to ${most}`);
    return found < 0 ? found + extent : found;
  });
}

/**
 * `values` put before the positions `at`, which are those before anything is put in; flattened, or along an axis.
 *
 * @example
 * insert([1, 2, 3], 1, 9); // [1,9,2,3]
 * insert([[1, 2], [3, 4]], [0, 2], 0, 1); // [[0,1,2,0],[0,3,4,0]]
 */
export function insert(x: Operand, at: number | readonly number[], values: Operand, axis: number | null = null): Tensor {
  const op = "insert";
  noMore(op, [...arguments], 4);
  return composed(op, () => {
    const [base, along] = line(op, x, axis);
    const extent = base.shape[along] as number;
    const places = placesOf(op, at, extent, extent);
    const given = lifted(op, values);
    // One place takes all values along the axis; several take one each.
    const several = isArray(at) && at.length !== 1;
    const count = several ? places.length : given.ndim === base.ndim ? (given.shape[along] as number) : base.ndim === 1 ? given.size : 1;
    const shape = base.shape.map((n, axis) => (axis === along ? count : n));
    const shaped = !several && base.ndim > 1 && given.ndim === base.ndim - 1 ? expandDims(given, along) : base.ndim === 1 && given.ndim > 0 ? flatten(given) : given;
    const added = broadcastTo(shaped, shape);
    const order = several ? places : new Array<number>(count).fill(places[0] ?? 0);
    // Where each element of both together stands: by position, those added first.
    const all = [...order.map((place, n) => [place, extent + n] as const), ...Array.from({ length: extent }, (_, n) => [n + 0.5, n] as const)];
    all.sort(([a, first], [b, second]) => a - b || first - second);
    return take(concat([base, added], along), all.map(([, n]) => n), along);
  });
}

/**
 * Without what stands at the positions `at`; flattened, or along an axis. NumPy's `delete`, which is a word of the language here.
 *
 * @example
 * remove([1, 2, 3, 4], [0, -1]); // [2,3]
 */
export function remove(x: Operand, at: number | readonly number[], axis: number | null = null): Tensor {
  const op = "remove";
  noMore(op, [...arguments], 3);
  return composed(op, () => {
    const [base, along] = line(op, x, axis);
    const extent = base.shape[along] as number;
    const gone = new Set(placesOf(op, at, extent, extent - 1));
    const kept = Array.from({ length: extent }, (_, n) => n).filter((n) => !gone.has(n));
    return kept.length ? take(base, kept, along) : slice(base, ...new Array<Range>(along).fill(null), [0, 0]);
  });
}

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
  noOptions("hsplit", arguments, 2);
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
  noOptions("vsplit", arguments, 2);
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
  noOptions("dsplit", arguments, 2);
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
    return all.map((tensor) => own(broadcastTo(tensor, shape)));
  });
}

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
 * @example
 * ediff1d([1, 4, 9], { toEnd: [7] }); // [3,5,7]
 */
export function ediff1d(x: Operand, options: EdgeOptions = {}): Tensor {
  const op = "ediff1d";
  noMore(op, [...arguments], 2);
  const { toBegin, toEnd } = optionsOf<{ toBegin: Operand; toEnd: Operand }>(op, options, { toBegin: [], toEnd: [] });
  return composed(op, () => {
    const inner = diff(flatten(lifted(op, x)));
    const edge = (of: Operand) => cast(flatten(lifted(op, of)), inner.dtype);
    return concat([edge(toBegin), inner, edge(toEnd)]);
  });
}

/**
 * The elements in row-major order as often as fills a shape.
 *
 * @example
 * resize([1, 2, 3], [2, 2]); // [[1,2],[3,1]]
 */
export function resize(x: Operand, shape: readonly number[]): Tensor {
  const op = "resize";
  noOptions(op, arguments, 2);
  const extents = [...shapeOf(op, shape)];
  return composed(op, () => {
    const all = flatten(lifted(op, x));
    const size = sizeOf(extents);
    if (all.size === 0 && size > 0) throw new ShapeError(op, `nothing fills no [${extents.join(",")}]`);
    return reshape(size === 0 ? slice(all, [0, 0]) : take(all, remainder(arange(size), all.size), 0), extents);
  });
}

/** How many lists may stand around a block. */
const DEEPEST = 32;

/**
 * Tensors and numbers in nested lists, of which the innermost are joined along the last axis, those around along the one before, and so on.
 *
 * @example
 * block([[ones([1, 1]), 2], [3, 4]]); // [[1,2],[3,4]]
 */
export function block(blocks: readonly unknown[]): Tensor {
  const op = "block";
  noOptions(op, arguments, 1);
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

/**
 * The rows in the opposite order.
 *
 * @example
 * flipud([[1, 2], [3, 4]]); // [[3,4],[1,2]]
 */
export function flipud(x: Operand): Tensor {
  noOptions("flipud", arguments, 1);
  return composed("flipud", () => flip(x, 0));
}

/**
 * The columns in the opposite order.
 *
 * @example
 * fliplr([[1, 2], [3, 4]]); // [[2,1],[4,3]]
 */
export function fliplr(x: Operand): Tensor {
  noOptions("fliplr", arguments, 1);
  return composed("fliplr", () => flip(x, 1));
}

/**
 * The last two axes exchanged.
 *
 * @example
 * matrixTranspose([[1, 2, 3]]); // [[1],[2],[3]]
 */
export function matrixTranspose(x: Operand): Tensor {
  noOptions("matrixTranspose", arguments, 1);
  return composed("matrixTranspose", () => swapAxes(x, -1, -2));
}

/**
 * With at least one axis.
 *
 * @example
 * atLeast1d(3); // [3]
 */
export function atLeast1d(x: Operand): Tensor {
  noOptions("atLeast1d", arguments, 1);
  return composed("atLeast1d", () => {
    const given = lifted("atLeast1d", x);
    return reshape(given, given.ndim < 1 ? [1] : given.shape);
  });
}

/**
 * With at least two axes; a vector is a row.
 *
 * @example
 * atLeast2d([1, 2]); // [[1,2]]
 */
export function atLeast2d(x: Operand): Tensor {
  noOptions("atLeast2d", arguments, 1);
  return composed("atLeast2d", () => {
    const given = lifted("atLeast2d", x);
    return reshape(given, given.ndim < 2 ? [1, given.size] : given.shape);
  });
}

/**
 * With at least three axes, as NumPy's: a vector lies along the second, a matrix along the first two.
 *
 * @example
 * atLeast3d([1, 2]); // [[[1],[2]]]
 */
export function atLeast3d(x: Operand): Tensor {
  noOptions("atLeast3d", arguments, 1);
  return composed("atLeast3d", () => {
    const given = lifted("atLeast3d", x);
    return reshape(given, given.ndim < 2 ? [1, given.size, 1] : given.ndim < 3 ? [...given.shape, 1] : given.shape);
  });
}

/**
 * A matrix of ones up to a diagonal, and zeros above.
 *
 * @example
 * tri(2, 3); // [[1,0,0],[1,1,0]]
 */
export function tri(rows: number, columns: number = rows, diagonal = 0): Tensor {
  const op = "tri";
  noMore(op, [...arguments], 3);
  return composed(op, () => tril(ones([countOf(op, "rows", rows), countOf(op, "columns", columns)]), countOf(op, "the diagonal", diagonal, -(2 ** 31))));
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

/**
 * The positions along each axis of a shape of what stands at row-major positions.
 *
 * @example
 * const [row, column] = unravelIndex([1, 5], [2, 3]);
 * row; // [0,1]
 */
export function unravelIndex(positions: Operand, shape: readonly number[]): Tensor[] {
  const op = "unravelIndex";
  noOptions(op, arguments, 2);
  const extents = [...shapeOf(op, shape)];
  return composed(op, () => {
    let rest = lifted(op, positions, "i32");
    const found: Tensor[] = [];
    for (const extent of [...extents].reverse()) {
      found.unshift(remainder(rest, extent));
      rest = floorDivide(rest, extent);
    }
    return found;
  });
}

/**
 * The row-major positions of what stands at positions along each axis of a shape.
 *
 * @example
 * ravelMultiIndex([[0, 1], [1, 2]], [2, 3]); // [1,5]
 */
export function ravelMultiIndex(positions: readonly Operand[], shape: readonly number[]): Tensor {
  const op = "ravelMultiIndex";
  noOptions(op, arguments, 2);
  const extents = [...shapeOf(op, shape)];
  const given = listOf(op, "a list of positions", positions) as readonly Operand[];
  if (given.length !== extents.length) throw new ShapeError(op, `takes positions along ${extents.length} axes, got ${given.length}`);
  return composed(op, () => given.reduce((sum: Tensor, along, axis) => add(mul(sum, extents[axis] as number), lifted(op, along, "i32")), lifted(op, 0, "i32")));
}
