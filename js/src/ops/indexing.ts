// How are elements chosen, and replaced, by position?

import { axisOf, countOf } from "../core/check.js";
import { core } from "../core/core.js";
import { dtypeCode } from "../core/dtype.js";
import { Tensor, type Operand } from "../core/tensor.js";
import type { DTypeOptions } from "./create.js";
import { apply, lend, lendNumber } from "./lift.js";

/** Indices as tensors take them: i32 or u32, or numbers, which become i32. */
export type Indices = Operand;

/**
 * The sub-tensors at `indices` along `axis`, as NumPy's `take`: the axis is replaced by the shape of the indices. Without an axis,
 * positions in row-major order. Negative indices count from the end; those beyond either end mean the nearest element.
 */
export function take(x: Operand, indices: Indices, axis: number | null = null): Tensor {
  return lend("take", [indices], (at) => apply("take", [x], (handle) => core().take(handle, at, axis === null ? undefined : axisOf("take", axis))), "i32");
}

/** 1 where the new last axis, of extent `classes`, equals the element, 0 elsewhere. Of integers. */
export function oneHot(x: Indices, classes: number, options: DTypeOptions = {}): Tensor {
  const dtype = dtypeCode(options.dtype ?? "f32", "oneHot");
  return lend("oneHot", [x], (handle) => Tensor.adopt(core().one_hot(handle, countOf("oneHot", "the number of classes", classes), dtype)), "i32");
}

/** A place in a tensor, to make a changed copy from. */
export interface At {
  /** A copy with the sub-tensors there replaced by `values`, which broadcast. */
  set(values: Operand): Tensor;
  /** A copy with `values` added there; to positions that stand twice, twice. */
  add(values: Operand): Tensor;
}

/** The sub-tensors at `indices` along the first axis: `x.at(i).set(v)` and `x.at(i).add(v)` yield changed copies. Negative indices
 * count from the end. */
export function at(x: Operand, indices: Indices): At {
  const update = (op: string, add: boolean) => (values: Operand) =>
    apply(op, [x], (handle) =>
      lendNumber(op, indices, "i32", (place, index) =>
        lendNumber(op, values, undefined, (value, number) => core().scatter(add, handle, place, index, value, number)),
      ),
    );
  return { set: update("at.set", false), add: update("at.add", true) };
}
