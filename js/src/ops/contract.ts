// Sums of products written as a text (`einsum`) or with lists of axes (`tensordot`).

import { axesOf, countOf, isArray, listOf, noMore, shown, textOf } from "../core/check/check.js";
import { register } from "../core/wasm/core.js";
import type { Operand, Tensor } from "../core/tensor/tensor.js";
import { ShapeError, ValueError } from "../core/errors.js";
import { invoke } from "./operation.js";

const summed = register("einsum");

/**
 * The sum of products that a text writes: letters for the axes of each operand, and after an arrow
 * those of the result. Letters that are not in the result are summed over; without an arrow it has
 * those that stand once, in the order of letters. `...` stands for axes that broadcast. Long
 * products are multiplied two at a time, in the order that keeps them small.
 *
 * As in NumPy, instead of a text each operand may be followed by a list of whole numbers from 0 to
 * 51, one for each of its axes, and all by that of the result.
 *
 * Throws `ValueError` for text that says nothing, `ShapeError` where it does not fit the operands.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * einsum("ij,jk->ik", [[1, 2]], [[3], [4]]); // [[11]]
 * einsum("ii", [[1, 2], [3, 4]]); // 5
 * einsum([[1, 2]], [0, 1], [[3], [4]], [1, 2], [0, 2]); // [[11]]
 */
export function einsum(text: string, ...operands: Operand[]): Tensor;
export function einsum(first: Operand, axes: readonly number[], ...more: (Operand | readonly number[])[]): Tensor;
export function einsum(...given: (string | Operand)[]): Tensor {
  const isText = typeof given[0] === "string" || given.length < 2;
  const operands = given.filter((_, n) => (isText ? n > 0 : n % 2 === 0 && n + 1 < given.length));
  const text = isText ? textOf("einsum", "the text", given[0]) : written(given);
  return invoke(summed, (call) => {
    call.list(Array.from(text, (letter) => letter.codePointAt(0) as number)).put(operands.length);
    for (const operand of operands) call.tensor(operand);
  });
}

/** Operands with lists of axes as a text: letters in the order of their numbers. */
function written(given: readonly unknown[]): string {
  const letter = (axis: unknown) => {
    const code = countOf("einsum", "an axis", axis);
    if (code > 51) throw new ValueError("einsum", `axes are numbered from 0 to 51, got ${code}`);
    return String.fromCharCode(code < 26 ? 65 + code : 71 + code);
  };
  const letters = (n: number) => Array.from(listOf("einsum", "a text, or a list of axes behind each operand", given[n]), letter).join("");
  const parts = Array.from({ length: given.length >> 1 }, (_, n) => letters(2 * n + 1)).join(",");
  return given.length % 2 === 1 ? `${parts}->${letters(given.length - 1)}` : parts;
}

const contracted = register("tensordot");

/**
 * The sum of products over some axes of both: over the last of `a` and as many first of `b` where
 * `axes` is a number, or over the axes that two lists name, one of `a` with one of `b` each. The
 * other axes of `a` come first. Throws `ShapeError` when extents differ, `AxisError` for axes out
 * of range or named twice.
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
  noMore(op, arguments, 3);
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
