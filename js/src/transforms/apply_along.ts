// Functions applied along axes: to each line of one axis at once, or to one axis after the other.

import { axisOf, axesOf, noMore } from "../core/check/check.js";
import { checkFunction, checkReturned } from "../core/tensor/functions.js";
import { Tensor, type Operand } from "../core/tensor/tensor.js";
import { tidy } from "../core/tensor/tidy.js";
import { AxisError, ShapeError, ValueError } from "../core/errors.js";
import { add } from "../ops/generated/arithmetic.js";
import { moveAxis, reshape } from "../ops/generated/shape.js";
import { lifted } from "../ops/lift.js";
import { vmap } from "./vmap.js";

/** An axis counted from the front. */
function placeOf(op: string, axis: number, x: Tensor): number {
  const along = axisOf(op, axis);
  const place = along < 0 ? along + x.ndim : along;
  if (place < 0 || place >= x.ndim) throw new AxisError(op, `axis ${along} is out of range for [${x.shape.join(",")}]`);
  return place;
}

/**
 * What a function of a vector gives of each line of an axis, in the place of that axis.
 *
 * @example
 * applyAlongAxis((line) => line.max().sub(line.min()), 1, [[1, 4], [5, 7]]); // [3,2]
 */
export function applyAlongAxis(f: (line: Tensor) => Tensor, axis: number, x: Operand): Tensor {
  const op = "applyAlongAxis";
  checkFunction(op, f);
  noMore(op, arguments, 3);
  return tidy(() => {
    const given = lifted(op, x);
    const place = placeOf(op, axis, given);
    const lines = moveAxis(given, place, -1);
    const around = lines.shape.slice(0, -1);
    const vector = (line: Tensor): Tensor => {
      const made: unknown = f(line);
      checkReturned(op, made);
      if (!(made instanceof Tensor)) throw new ValueError(op, "takes a function that returns a tensor");
      return made;
    };
    const each = vmap(vector)(reshape(lines, [around.reduce((a, b) => a * b, 1), lines.shape.at(-1) as number])) as Tensor;
    const made = each.shape.slice(1);
    let found = reshape(each, [...around, ...made]);
    for (let n = 0; n < made.length; n++) found = moveAxis(found, around.length + n, place + n);
    return found;
  });
}

/**
 * What a function of a tensor and an axis gives, applied to one axis after the other; what has lost
 * the axis gets it back with an extent of 1.
 *
 * @example
 * applyOverAxes((x, axis) => x.sum(axis), [[1, 2], [3, 4]], [0, 1]); // [[10]]
 */
export function applyOverAxes(f: (x: Tensor, axis: number) => Tensor, x: Operand, axes: number | readonly number[]): Tensor {
  const op = "applyOverAxes";
  checkFunction(op, f);
  noMore(op, arguments, 3);
  return tidy(() => {
    let found = add(lifted(op, x), 0);
    for (const axis of axesOf(op, axes) ?? []) {
      const place = placeOf(op, axis, found);
      const made = f(found, place);
      if (!(made instanceof Tensor)) throw new ValueError(op, "takes a function that returns a tensor");
      if (made.ndim !== found.ndim && made.ndim !== found.ndim - 1) throw new ShapeError(op, `the function made [${made.shape.join(",")}] of [${found.shape.join(",")}]`);
      found = made.ndim === found.ndim ? made : reshape(made, [...made.shape.slice(0, place), 1, ...made.shape.slice(place)]);
    }
    return found;
  });
}
