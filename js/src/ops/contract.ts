// Which sums of products are written in a way of their own: as a text, or with lists of axes?

import { axesOf, countOf, isArray, listOf, noOptions, shown, textOf } from "../core/check.js";
import { register } from "../core/core.js";
import type { Operand, Tensor } from "../core/tensor.js";
import { ShapeError, ValueError } from "../errors.js";
import { invoke } from "./operation.js";

const summed = register("einsum");

/**
 * The sum of products that a text writes: letters for the axes of each operand, and after an arrow those of the result. Letters that are not in
 * the result are summed over; without an arrow it has those that stand once, in the order of letters. `...` stands for axes that
 * broadcast. Long products are multiplied two at a time, in the order that keeps them small.
 *
 * Throws `ValueError` for text that says nothing, `ShapeError` where it does not fit the operands.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * einsum("ij,jk->ik", [[1, 2]], [[3], [4]]); // [[11]]
 * einsum("ii", [[1, 2], [3, 4]]); // 5
 */
export function einsum(text: string, ...operands: Operand[]): Tensor {
  const letters = Array.from(textOf("einsum", "the text", text), (letter) => letter.codePointAt(0) as number);
  return invoke(summed, (call) => {
    call.list(letters).put(operands.length);
    for (const operand of operands) call.tensor(operand);
  });
}

const contracted = register("tensordot");

/**
 * The sum of products over some axes of both: over the last of `a` and as many first of `b` where `axes` is a number, or over the axes that
 * two lists name, one of `a` with one of `b` each. The other axes of `a` come first. Throws `ShapeError` when extents differ, `AxisError` for axes
 * out of range or named twice.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * tensordot([[1, 2], [3, 4]], [5, 6], 1); // [17,39]
 * tensordot([[1, 2], [3, 4]], [[1, 2], [3, 4]], [[0, 1], [1, 0]]); // 29
 */
export function tensordot(
  a: Operand,
  b: Operand,
  axes: number | readonly [left: number | readonly number[], right: number | readonly number[]] = 2,
): Tensor {
  const op = "tensordot";
  noOptions(op, arguments, 3);
  const lists = typeof axes === "number" ? counted(countOf(op, "the number of axes", axes)) : axes;
  if (!isArray(lists) || lists.length !== 2)
    throw new ValueError(op, `axes are a number or two lists, got ${shown(axes)}`);
  const named = (list: unknown) => axesOf(op, typeof list === "number" ? [list] : listOf(op, "axes", list)) as Int32Array;
  const [left, right] = [named(lists[0]), named(lists[1])];
  return invoke(contracted, (call) => call.tensor(a).tensor(b).list(left).list(right));
}

function counted(count: number): [number[], number[]] {
  if (count > 64) throw new ShapeError("tensordot", `${count} axes are more than a tensor has`);
  const places = Array.from({ length: count }, (_, n) => n);
  return [places.map((n) => n - count), places];
}
