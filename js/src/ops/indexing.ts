// How are elements chosen, and replaced, by position?

import { axisOf, countOf, noOptions, optionsOf } from "../core/check.js";
import { register, type Slot } from "../core/core.js";
import { dtypeCode, type DType } from "../core/dtype.js";
import { sizeOf } from "../core/shape.js";
import type { Operand, Tensor } from "../core/tensor.js";
import type { DTypeOptions } from "./create.js";
import { position } from "./kinds.js";
import { positions, putIndices, shapeOf } from "./lift.js";
import { invoke } from "./operation.js";

/**
 * Indices as tensors take them: i32 or u32, or whole numbers, which become i32.
 *
 * @example
 * tensor([5, 6, 7]).take(tensor([2, 0], { dtype: "i32" })); // [7,5]
 */
export type Indices = Operand;

/**
 * The sub-tensors at `indices` along `axis`, as NumPy's `take`: the axis is replaced by the shape of the indices. Without an axis,
 * positions in row-major order. Negative indices count from the end. Throws `ValueError` for an index beyond either end where it can be
 * known without waiting for the device: in numbers, arrays, and integer tensors whose values are `known`; others mean the nearest element.
 *
 * Takes any dtype, then i32, u32; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * take([[1, 2], [3, 4]], [1, 0], 0); // [[3,4],[1,2]]
 * take([5, 6, 7], -1); // 7
 * take([5, 6, 7], [3]); // throws ValueError
 */
export function take(x: Operand, indices: Indices, axis: number | null = null): Tensor {
  noOptions("take", arguments, 3);
  const along = axis === null || axis === undefined ? undefined : axisOf("take", axis);
  return invoke(taken, (call) => {
    const shape = shapeOf(x, call.tensor(x));
    // An axis that does not exist is the core's to report.
    const extent = along === undefined ? sizeOf(shape) : shape[along < 0 ? along + shape.length : along];
    position(putIndices(call, indices, positions(extent)), along);
  });
}

const taken = register("take");

/**
 * 1 where the new last axis, of extent `classes`, equals the element, 0 elsewhere. Of integers. Throws `ValueError` for a class that there
 * is not where it can be known, as with `take`; only zeros stand for others.
 *
 * Takes i32, u32; gives `dtype`. Without a gradient; `vmap` batches it.
 *
 * @example
 * oneHot([1, 0], 3); // [[0,1,0],[1,0,0]]
 */
export function oneHot(x: Indices, classes: number, options: DTypeOptions = {}): Tensor {
  const code = dtypeCode(optionsOf("oneHot", options, { dtype: "f32" as DType }).dtype, "oneHot");
  const below = countOf("oneHot", "the number of classes", classes);
  return invoke(oneOf, (call) => putIndices(call, x, { what: "class", least: 0, below }).put(below, code));
}

const oneOf = register("oneHot");

/**
 * A place in a tensor, to make a changed copy from.
 *
 * @example
 * const place: At = tensor([1, 2, 3]).at([0, 2]);
 * place.add(10); // [11,2,13]
 */
export interface At {
  /** The sub-tensors there, as `take` along the first axis. */
  get(): Tensor;
  /** A copy with the sub-tensors there replaced by `values`, which broadcast. */
  set(values: Operand): Tensor;
  /** A copy with `values` added there; to positions that stand twice, twice. */
  add(values: Operand): Tensor;
  /** A copy with the smaller of what is there and `values`; NaN where either is. */
  min(values: Operand): Tensor;
  /** A copy with the larger of what is there and `values`; NaN where either is. */
  max(values: Operand): Tensor;
}

/**
 * The sub-tensors at `indices` along the first axis: `x.at(i).get()` yields them, and `x.at(i).set(v)`, `add(v)`, `min(v)` and
 * `max(v)` changed copies. Negative indices count from the end. Throws `ValueError` for an index beyond either end where it can be known, as `take` does; others
 * are left out, where `get` means the nearest.
 *
 * Takes any dtype, then i32, u32, then any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * at([1, 2, 3], 0).set(9); // [9,2,3]
 * tensor([1, 2, 3]).at([1, 1]).add(1); // [1,4,3]
 * tensor([1, 2, 3]).at([0, 0, 2]).max([5, 4, 2]); // [5,2,3]
 */
export function at(x: Operand, indices: Indices): At {
  noOptions("at", arguments, 2);
  const update = (slot: Slot) => (values: Operand) =>
    invoke(slot, (call) => {
      call.tensor(x);
      // A plain number is no part of what is compiled, and checked by the core.
      if (typeof indices === "number") call.operand(indices);
      else putIndices(call, indices, positions(shapeOf(x, call)[0]));
      call.operand(values);
    });
  return { get: () => take(x, indices, 0), set: update(setting), add: update(adding), min: update(lowering), max: update(raising) };
}

const setting = register("at.set");
const adding = register("at.add");
const lowering = register("at.min");
const raising = register("at.max");
