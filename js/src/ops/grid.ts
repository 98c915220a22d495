// Grids of coordinates and tensors from functions of them; splitting into a list; and `select`.

import { axisOf, countOf, extentsOf, isArray, listOf, noMore, optionsOf, shown, type Shape } from "../core/check/check.js";
import { core, register } from "../core/wasm/core.js";
import { dtypeCode, type DType } from "../core/tensor/dtype.js";
import { checkFunction } from "../core/tensor/functions.js";
import { Tensor, type Operand } from "../core/tensor/tensor.js";
import { tidy } from "../core/tensor/tidy.js";
import { AxisError, ShapeError, ValueError } from "../core/errors.js";
import { tensors } from "./kinds.js";
import { composed, lend } from "./lift.js";
import { invoke } from "./operation.js";
import { arange, type DTypeOptions } from "./create.js";
import { slice, split, type Range } from "./shape.js";
import { broadcastTo, reshape } from "./generated/shape.js";

/**
 * Which axis of a grid the first vector runs along.
 *
 * @example
 * meshgrid([1, 2], [3, 4, 5], { indexing: "ij" }).map((x) => x.shape); // [[2,3],[2,3]]
 */
export interface MeshgridOptions {
  /** "xy", the default: the second axis, as points are written; "ij": the first, as matrices
   * are. */
  indexing?: "xy" | "ij";
  /** Whether the other axes stay of extent 1, to broadcast later; false by default. */
  sparse?: boolean;
}

/**
 * The coordinates of the points of a grid, a tensor for each vector; several may come in a list.
 * Throws `ShapeError` for what is no vector.
 *
 * @example
 * const [x, y] = meshgrid([1, 2, 3], [4, 5]);
 * x; // [[1,2,3],[1,2,3]]
 * y; // [[4,4,4],[5,5,5]]
 */
export function meshgrid(...given: (Operand | readonly Operand[] | MeshgridOptions)[]): Tensor[] {
  const op = "meshgrid";
  const [first, ...rest] = given;
  const vectors = isArray(first) && !first.every((entry) => typeof entry === "number") ? [...first, ...rest] : given;
  const last = vectors.at(-1);
  const has = typeof last === "object" && last !== null && !(last instanceof Tensor) && !isArray(last) && !ArrayBuffer.isView(last);
  const { indexing, sparse } = optionsOf<Required<MeshgridOptions>>(op, has ? (last as object) : undefined, { indexing: "xy", sparse: false });
  if (indexing !== "xy" && indexing !== "ij") throw new ValueError(op, `indexing is "xy" or "ij", got ${shown(indexing)}`);
  const axes = (has ? vectors.slice(0, -1) : vectors) as Operand[];
  return lend(op, axes, (...handles) => {
    const shapes = handles.map((handle) => Array.from(core().shape(handle)));
    const lengths = shapes.map((shape) => {
      if (shape.length > 1) throw new ShapeError(op, `takes vectors, got [${shape.join(",")}]`);
      return shape[0] ?? 1;
    });
    const place = (n: number) => (indexing === "xy" && n < 2 && lengths.length > 1 ? 1 - n : n);
    const whole = lengths.map((_, axis) => lengths[place(axis)] as number);
    return axes.map((vector, n) => {
      const own = lengths.map((_, axis) => (axis === place(n) ? (lengths[n] as number) : 1));
      return tidy(() => broadcastTo(reshape(vector, own), sparse ? own : whole));
    });
  });
}

/**
 * The slices along an axis, without it.
 *
 * @example
 * const [a, b] = unstack([[1, 2], [3, 4]]);
 * b; // [3,4]
 */
export function unstack(x: Operand, axis = 0): Tensor[] {
  const op = "unstack";
  noMore(op, arguments, 2);
  const along = axisOf(op, axis);
  return lend(op, [x], (handle) => {
    const shape = core().shape(handle);
    const at = along < 0 ? along + shape.length : along;
    const extent = shape[at];
    if (extent === undefined) throw new AxisError(op, `axis ${along} is out of range for [${shape.join(",")}]`);
    const before = new Array<Range>(at).fill(null);
    return Array.from({ length: extent }, (_, n) => slice(x, ...before, n));
  });
}

/**
 * Cut along an axis into parts as equal as may be: the first ones are longer by one. Or at places
 * that a list names, as NumPy's `split` is given them; negative ones count from the end.
 *
 * @example
 * const [head, tail] = arraySplit([1, 2, 3], 2);
 * head; // [1,2]
 * arraySplit([1, 2, 3, 4], [1, 3]).map((x) => x.shape); // [[1],[2],[1]]
 */
export function arraySplit(x: Operand, parts: number | readonly number[], axis = 0): Tensor[] {
  const op = "arraySplit";
  noMore(op, arguments, 3);
  const along = axisOf(op, axis);
  const places = isArray(parts) ? Array.from(parts, (place) => countOf(op, "a place", place, -(2 ** 31))) : null;
  const count = places ? 1 : countOf(op, "the number of parts", parts);
  if (count === 0) throw new ValueError(op, "there must be at least one part");
  return lend(op, [x], (handle) => {
    const shape = core().shape(handle);
    const extent = shape[along < 0 ? along + shape.length : along];
    if (extent === undefined) throw new AxisError(op, `axis ${along} is out of range for [${shape.join(",")}]`);
    if (places) {
      const before = new Array<Range>(along < 0 ? along + shape.length : along).fill(null);
      return [...places, null].map((stop, n) => slice(x, ...before, [places[n - 1] ?? 0, stop]));
    }
    const longer = extent % count;
    return split(x, Array.from({ length: count }, (_, n) => Math.floor(extent / count) + (n < longer ? 1 : 0)), along);
  });
}

const chosen = register("select");

/**
 * At each place the choice whose condition is the first to hold, or what is given for where none
 * does.
 *
 * Takes bool, then any dtype, then any dtype; gives the promoted dtype. Differentiable; `vmap`
 * batches it.
 *
 * @example
 * const x = tensor([-2, 0.5, 3]);
 * select([x.less(0), x.greater(1)], [-1, 1], 0); // [-1,0,1]
 */
export function select(conditions: readonly Operand[], choices: readonly Operand[], otherwise: Operand = 0): Tensor {
  const op = "select";
  noMore(op, arguments, 3);
  return invoke(chosen, (call) => {
    tensors(call, listOf(op, "a list of conditions", conditions));
    const values = listOf(op, "a list of choices", choices);
    call.put(values.length);
    for (let n = 0; n < values.length; n++) call.operand(values[n]);
    call.operand(otherwise);
  });
}

const positionsOf = register("indices");

/**
 * What `indices` gives.
 *
 * @example
 * const options: IndicesOptions = { dtype: "f32" };
 * indices([2], options); // [[0,1]]
 */
export interface IndicesOptions extends DTypeOptions {
  /** Whether there is a tensor for each axis, of extent 1 along all others; false by default. */
  sparse?: boolean;
}

/**
 * The position along each axis of each element of a tensor of `shape`, along a new axis in front,
 * as i32 by default; or a tensor for each axis, to broadcast.
 *
 * Gives `dtype`.
 *
 * @example
 * indices([2, 2]); // [[[0,0],[1,1]],[[0,1],[0,1]]]
 * indices([2, 3], { sparse: true })[1]; // [[0,1,2]]
 */
export function indices(shape: Shape, options?: IndicesOptions & { sparse?: false }): Tensor;
export function indices(shape: Shape, options: IndicesOptions & { sparse: true }): Tensor[];
export function indices(shape: Shape, options: IndicesOptions): Tensor | Tensor[];
export function indices(shape: Shape, options: IndicesOptions = {}): Tensor | Tensor[] {
  const op = "indices";
  noMore(op, arguments, 2);
  const { dtype, sparse } = optionsOf(op, options, { dtype: "i32" as DType, sparse: false });
  const code = dtypeCode(dtype, op);
  const extents = extentsOf(op, shape);
  if (!sparse) return invoke(positionsOf, (call) => call.list(extents).put(code));
  return composed(op, () => Array.from(extents, (extent, n) => reshape(arange(0, extent, 1, { dtype }), Array.from(extents, (_, axis) => (axis === n ? extent : 1)))));
}

/**
 * What a function gives of the positions along each axis: it is called once, with a tensor of i32
 * for each axis.
 *
 * @example
 * fromFunction((i, j) => i.mul(10).add(j), [2, 3]); // [[0,1,2],[10,11,12]]
 */
export function fromFunction(f: (...positions: Tensor[]) => Tensor, shape: Shape): Tensor {
  const op = "fromFunction";
  noMore(op, arguments, 2);
  checkFunction(op, f);
  const extents = Array.from(extentsOf(op, shape));
  return tidy(() => f(...(extents.length ? unstack(indices(extents)) : [])));
}
