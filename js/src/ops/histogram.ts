// Counts and histograms.

import { countOf, finiteOf, flagOf, isArray, listOf, noMore, optionsOf, shown } from "../core/check/check.js";
import { register, type OpCode } from "../core/wasm/core.js";
import { Tensor, type Operand } from "../core/tensor/tensor.js";
import { ShapeError, ValueError } from "../core/errors.js";
import { tensorFrom } from "./create.js";
import type { Indices } from "./indexing.js";
import { maybe } from "./kinds.js";
import { composed, lifted, numbered, putIndices } from "./lift.js";
import { invoke } from "./operation.js";
import { slice } from "./shape.js";
import { reshape } from "./generated/shape.js";

/**
 * How `bincount` counts.
 *
 * @example
 * const options: BincountOptions = { length: 3, weights: [0.5, 1, 2] };
 * bincount([0, 2, 2], options); // [0.5,0,3]
 */
export interface BincountOptions {
  /** Of how many numbers, from 0 on; others are left out. */
  length: number;
  /** What each counts, which broadcasts; by default 1. */
  weights?: Operand | undefined;
}

const [numbers, spread, counting, jointCounting] = [register("bincount"), register("histogram.edges"), register("histogram.counts"), register("histogramdd")];

/**
 * How often each number from 0 to `length` − 1 occurs in a tensor of integers, as i32; with weights
 * their sums, in their dtype. The length has to be given, for it would depend on data; numbers
 * outside are left out, also negative ones.
 *
 * Takes i32, u32; gives i32, or the dtype of weights. Differentiable; `vmap` batches it.
 *
 * @example
 * bincount([1, 3, 1, -1, 7], { length: 4 }); // [0,2,0,1]
 */
export function bincount(x: Indices, options: BincountOptions): Tensor {
  const { length, weights } = optionsOf("bincount", options, { length: undefined as number | undefined, weights: undefined as Operand | undefined });
  const count = countOf("bincount", "the length", length);
  noMore("bincount", arguments, 2);
  return invoke(numbers, (call) => maybe(putIndices(call, x, numbered("segment")).put(count), weights));
}

/**
 * Into which bins `histogram` puts elements.
 *
 * @example
 * const options: HistogramOptions = { bins: 2, range: [0, 4] };
 * histogram([0, 1, 4, 9], options).counts; // [2,1]
 */
export interface HistogramOptions {
  /** How many bins of one width, by default 10, or their edges in ascending order. */
  bins?: number | Operand | undefined;
  /** Where bins of one width begin and end; by default at the smallest and the largest element. */
  range?: readonly [number, number] | undefined;
  /** What each element counts, which broadcasts; by default 1. */
  weights?: Operand | undefined;
  /** Whether counts are divided by their sum and the widths, so that the area is 1. */
  density?: boolean | undefined;
}

/**
 * How many elements lie in each bin, and the edges of the bins, as NumPy's `histogram`: a bin has
 * its left edge and not its right one, the last has both. What lies outside, and NaN, is left out.
 * Counts are i32, sums of weights in their dtype, densities f32. The range of elements is found on
 * the device; of equal ones it is 1 wide around them, of none 0 to 1.
 *
 * Takes any dtype; gives i32, the dtype of weights, or f32. Differentiable; `vmap` batches it.
 *
 * @example
 * histogram([1, 2, 2, 5], { bins: 4 }).counts; // [1,2,0,1]
 * histogram([1, 2, 2, 5], { bins: [0, 2, 5] }).counts; // [1,3]
 * histogram([1, 2, 2, 5], { bins: 4 }).edges; // [1,2,3,4,5]
 */
export function histogram(x: Operand, options: HistogramOptions = {}): { counts: Tensor; edges: Tensor } {
  const { bins, range, weights, density } = given("histogram", options);
  noMore("histogram", arguments, 2);
  return composed("histogram", () => {
    const all = lifted("histogram", x);
    const edges = edgesFor(all, bins as HistogramOptions["bins"], range);
    return { counts: counted(counting, [all], [edges], density, weights), edges };
  });
}

/**
 * The edges of the bins that `histogram` would count in.
 *
 * Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
 *
 * @example
 * histogramBinEdges([1, 2, 5], { bins: 4 }); // [1,2,3,4,5]
 */
export function histogramBinEdges(x: Operand, options: Pick<HistogramOptions, "bins" | "range"> = {}): Tensor {
  const op = "histogramBinEdges";
  const { bins, range } = optionsOf(op, options, { bins: undefined as HistogramOptions["bins"], range: undefined as HistogramOptions["range"] });
  noMore(op, arguments, 2);
  return composed(op, () => edgesFor(lifted(op, x), bins, range));
}

/**
 * Into which bins `histogramdd` and `histogram2d` put points.
 *
 * @example
 * const options: JointHistogramOptions = { bins: [2, [0, 1, 4]], range: [[0, 4], undefined] };
 * histogram2d([1, 3], [0, 2], options).counts; // [[1,0],[0,1]]
 */
export interface JointHistogramOptions {
  /** How many bins each coordinate has, by default 10, or for each coordinate how many, or their
   * edges. */
  bins?: number | readonly (number | Operand)[] | undefined;
  /** For each coordinate where bins of one width begin and end; by default at the smallest and the
   * largest. */
  range?: readonly (readonly [number, number] | undefined)[] | undefined;
  /** What each point counts; by default 1. */
  weights?: Operand | undefined;
  /** Whether counts are divided by their sum and the volumes of bins, so that the whole is 1. */
  density?: boolean | undefined;
}

/**
 * How many points, rows of a matrix, lie in each bin of all coordinates together, and the edges
 * along each, as NumPy's `histogramdd`. Bins are as in `histogram`.
 *
 * Takes any dtype; gives i32, the dtype of weights, or f32. Differentiable; `vmap` batches it.
 *
 * @example
 * histogramdd([[0, 0], [0, 1], [1, 1]], { bins: 2 }).counts; // [[1,1],[0,1]]
 */
export function histogramdd(points: Operand, options: JointHistogramOptions = {}): { counts: Tensor; edges: Tensor[] } {
  const op = "histogramdd";
  noMore(op, arguments, 2);
  return composed(op, () => {
    const all = lifted(op, points);
    if (all.ndim !== 2) throw new ShapeError(op, `points are rows of a matrix, not of shape [${all.shape.join(",")}]`);
    return jointly(op, Array.from({ length: all.shape[1] as number }, (_, n) => slice(all, null, n)), options);
  });
}

/**
 * `histogramdd` of points whose coordinates are given apart: the first decides the row.
 *
 * @example
 * histogram2d([0, 0, 1], [0, 1, 1], { bins: 2 }).counts; // [[1,1],[0,1]]
 */
export function histogram2d(x: Operand, y: Operand, options: JointHistogramOptions = {}): { counts: Tensor; edges: Tensor[] } {
  const op = "histogram2d";
  noMore(op, arguments, 3);
  return composed(op, () => {
    return jointly(op, [lifted(op, x), lifted(op, y)], options);
  });
}

/** Counts of points by all of their coordinates. */
function jointly(op: string, coordinates: readonly Tensor[], options: JointHistogramOptions): { counts: Tensor; edges: Tensor[] } {
  const { bins, range, weights, density } = given(op, options);
  const each = <T>(what: string, of: T | readonly T[] | undefined): readonly (T | undefined)[] => {
    if (!isArray(of)) return coordinates.map(() => of as T | undefined);
    if (of.length !== coordinates.length) throw new ValueError(op, `${what} are given for ${of.length} of ${coordinates.length} coordinates`);
    return of as readonly T[];
  };
  if (range !== undefined && !isArray(range)) throw new ValueError(op, `takes a range for each coordinate, got ${shown(range)}`);
  const [kinds, ranges] = [each("bins", bins), each("ranges", range as JointHistogramOptions["range"])];
  const edges = coordinates.map((x, n) => edgesFor(x, kinds[n] as HistogramOptions["bins"], ranges[n] as HistogramOptions["range"]));
  return { counts: counted(jointCounting, coordinates, edges, density, weights), edges };
}

/** Calls what counts elements between edges. */
function counted(opcode: OpCode, elements: readonly Tensor[], edges: readonly Tensor[], density: unknown, weights: Operand | undefined): Tensor {
  return invoke(opcode, (call) => {
    for (const list of [elements, edges]) {
      if (opcode.code === jointCounting.code) call.put(list.length);
      for (const each of list) call.tensor(each);
    }
    maybe(call.put(Number(flagOf("histogram", "density", density ?? false))), weights);
  });
}

/** Options of histograms. */
function given(op: string, options: object) {
  return optionsOf(op, options as HistogramOptions & JointHistogramOptions, {
    bins: undefined as HistogramOptions["bins"] | JointHistogramOptions["bins"],
    range: undefined as HistogramOptions["range"] & JointHistogramOptions["range"],
    weights: undefined as Operand | undefined,
    density: false as boolean | undefined,
  });
}

const edgesFor = (all: Tensor, bins: HistogramOptions["bins"], range: HistogramOptions["range"]): Tensor =>
  bins === undefined || typeof bins === "number" ? evenly(all, countOf("histogram", "the number of bins", bins ?? 10, 1), range) : edgesOf(bins, range);

/** Edges that are given. */
function edgesOf(bins: Operand, range: HistogramOptions["range"]): Tensor {
  const own = bins instanceof Tensor ? bins : tensorFrom(bins, "histogram");
  // Another handle: the caller may free both.
  const edges = reshape(own, own.shape);
  if (edges.ndim !== 1 || (edges.shape[0] as number) < 2) throw new ShapeError("histogram", `edges are a list of 2 or more, not of shape [${edges.shape.join(",")}]`);
  if (range !== undefined) throw new ValueError("histogram", "bins whose edges are given have no range");
  const known = own.known ?? [];
  for (let i = 1; i < known.length; i++) {
    if (!((known[i - 1] as number) <= (known[i] as number))) throw new ValueError("histogram", `edges must ascend: ${known[i]} comes after ${known[i - 1]}`);
  }
  return edges;
}

/** Edges of bins of one width. */
function evenly(all: Tensor, bins: number, range: HistogramOptions["range"]): Tensor {
  const ends = range === undefined ? [0, 0] : boundsIn(range).flatMap((end) => [1, end]);
  return invoke(spread, (call) => call.tensor(all).put(bins, ...ends));
}

function boundsIn(range: unknown): [number, number] {
  const list = listOf("histogram", "a range such as [0, 1]", range);
  const [low, high] = [finiteOf("histogram", "where the range begins", list[0]), finiteOf("histogram", "where the range ends", list[1])];
  if (list.length !== 2 || low > high) throw new ValueError("histogram", `a range is two numbers in ascending order, got [${list.map(Number).join(",")}]`);
  return [low, high];
}
