// Elements that a boolean mask chooses. The number of results is data, which is read: functions
// here are asynchronous, and not for `jit` and other transformations, whose tensors have no values
// yet.

import { axisOf, noMore } from "../core/check/check.js";
import { sizeOf } from "../core/tensor/shape.js";
import { Tensor, type Operand } from "../core/tensor/tensor.js";
import { keep, tidy } from "../core/tensor/tidy.js";
import { ShapeError } from "../core/errors.js";
import { floorDivide, remainder, sub } from "./generated/arithmetic.js";
import { notEqual, where } from "./generated/compare.js";
import { arange, tensorFrom, zeros } from "./create.js";
import { at, take } from "./indexing.js";
import { unstack } from "./grid.js";
import { stack } from "./generated/join.js";
import { slice } from "./shape.js";
import { sum } from "./generated/reduce.js";
import { cumsum } from "./generated/scan.js";
import { reshape } from "./generated/shape.js";

/**
 * What `of` makes, along an axis, of the positions of the elements that are not zero. All that is
 * asked of the arguments is asked before the wait, during which they may be freed.
 */
async function chosen(op: string, x: Operand, of: (positions: Tensor, shape: readonly number[]) => Tensor, axis = 0): Promise<Tensor> {
  const [whole, count] = tidy(() => {
    const given = x instanceof Tensor ? x : tensorFrom(x, op);
    const size = sizeOf(given.shape);
    const mask = reshape(notEqual(given, 0), [size]);
    // Those of the mask are numbered, and each says at its number where it stands; the others have
    // none.
    const numbers = where(mask, sub(cumsum(mask), 1), size);
    const positions = size === 0 ? arange(0) : at(zeros([size], { dtype: "i32" }), numbers).set(arange(size));
    return [keep(of(positions, given.shape)), keep(sum(mask))];
  });
  try {
    const rows: [number, number] = [0, await count.item()];
    return slice(whole, ...Array.from({ length: axis < 0 ? axis + whole.ndim : axis }, () => null), rows);
  } finally {
    whole.dispose();
    count.dispose();
  }
}

/**
 * The positions in the flattened tensor of the elements that are not zero, as i32 in ascending
 * order; NaN is not zero. Asynchronous, for how many there are is data.
 *
 * @example
 * await flatNonzero([[0, 5], [6, 0]]); // [1,2]
 */
export async function flatNonzero(x: Operand): Promise<Tensor> {
  noMore("flatNonzero", arguments, 1);
  return chosen("flatNonzero", x, (positions) => positions);
}

/**
 * The positions of the elements that are not zero, a row of one along each axis for each element,
 * as i32. Asynchronous, as `flatNonzero`.
 *
 * @example
 * await argwhere([[0, 5], [6, 0]]); // [[0,1],[1,0]]
 */
export async function argwhere(x: Operand): Promise<Tensor> {
  noMore("argwhere", arguments, 1);
  return chosen("argwhere", x, places);
}

/** Positions along each axis of positions in the flattened tensor. */
function places(positions: Tensor, shape: readonly number[]): Tensor {
  if (shape.length === 0) return zeros([positions.shape[0] as number, 0], { dtype: "i32" });
  const along = shape.map((extent, axis) => remainder(floorDivide(positions, Math.max(1, sizeOf(shape.slice(axis + 1)))), Math.max(1, extent)));
  return stack(along, 1);
}

/**
 * The positions of the elements that are not zero, for each axis a tensor of them, as i32.
 * Asynchronous, as `flatNonzero`.
 *
 * @example
 * const [rows, columns] = await nonzero([[0, 5], [6, 0]]);
 * columns; // [1,0]
 */
export async function nonzero(x: Operand): Promise<Tensor[]> {
  noMore("nonzero", arguments, 1);
  const found = await chosen("nonzero", x, places);
  try {
    return found.shape[1] === 0 ? [] : [...unstack(found, 1)];
  } finally {
    found.dispose();
  }
}

/**
 * The sub-tensors along `axis` whose place in `mask`, a list, is not zero; without an axis, of the
 * flattened tensor. Those beyond a shorter mask are left out. Throws `ShapeError` for a longer one.
 * Asynchronous, as `flatNonzero`.
 *
 * @example
 * await compress([false, true, true], [[1, 2, 3], [4, 5, 6]], 1); // [[2,3],[5,6]]
 */
export async function compress(mask: Operand, x: Operand, axis: number | null = null): Promise<Tensor> {
  const along = axis === null ? null : axisOf("compress", axis);
  noMore("compress", arguments, 3);
  const choose = (positions: Tensor, shape: readonly number[]): Tensor => {
    const given = x instanceof Tensor ? x : tensorFrom(x, "compress");
    const extent = along === null ? sizeOf(given.shape) : given.shape.at(along);
    if (shape.length !== 1 || (extent !== undefined && (shape[0] as number) > extent)) {
      throw new ShapeError("compress", `a mask [${shape.join(",")}] is no list of at most ${extent}`);
    }
    return take(given, positions, along);
  };
  return chosen("compress", mask, choose, along ?? 0);
}

/**
 * The elements of `x` where `mask` is not zero, NumPy's `x[mask]`: the shape of the mask is that of
 * the first axes of `x`, and one axis takes their place. Throws `ShapeError` for other masks.
 * Asynchronous, as `flatNonzero`.
 *
 * @example
 * const x = tensor([[1, 2], [3, 4]]);
 * await extract(x.greater(2), x); // [3,4]
 * await extract([true, false], x); // [[1,2]]
 */
export async function extract(mask: Operand, x: Operand): Promise<Tensor> {
  noMore("extract", arguments, 2);
  return chosen("extract", mask, (positions, shape) => {
    const given = x instanceof Tensor ? x : tensorFrom(x, "extract");
    if (shape.some((extent, i) => given.shape[i] !== extent)) {
      throw new ShapeError("extract", `a mask [${shape.join(",")}] is not of the first axes of [${given.shape.join(",")}]`);
    }
    return take(reshape(given, [sizeOf(shape), ...given.shape.slice(shape.length)]), positions, 0);
  });
}
