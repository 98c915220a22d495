// Kinds of parameters: each checks an argument and puts it into a call, for every kind that the
// table of operations knows.

import { axesOf, axisOf, countOf, extentsOf, finiteOf, flagOf, isArray, listOf, numberOf, optionsOf, shapeOf, shown, textOf } from "../core/check/check.js";
import { isGiven } from "../core/check/tracing.js";
import { register } from "../core/wasm/core.js";
import { dtypeCode, type DType } from "../core/tensor/dtype.js";
import { Tensor } from "../core/tensor/tensor.js";
import { DTypeError, ValueError } from "../core/errors.js";
import type { Kind } from "./operation.js";

/** A kind whose argument may be left out. */
export function or(kind: Kind, usual: number | boolean | string): Kind {
  return Object.assign(((call, value) => kind(call, value === undefined ? usual : value)) as Kind, kind);
}

const isNone = (value: unknown): value is null | undefined => value === null || value === undefined;

/** A tensor, or what becomes one. */
export const tensor: Kind = (call, value) => call.tensor(value);

/** A tensor, or what becomes one of i32. */
export const integers: Kind = (call, value) => call.tensor(value, "i32");

/** A tensor, or a plain number as such. */
export const operand: Kind = (call, value) => call.operand(value);

/** A tensor, or none. */
export const maybe: Kind = (call, value) => (isNone(value) ? call.put(0) : call.tensor(value));

/** A list of tensors. */
export const tensors: Kind = (call, value) => {
  const list = listOf(call.op, "a list of tensors", value);
  call.put(list.length);
  for (let i = 0; i < list.length; i++) call.tensor(list[i]);
};

/** A list of numbers and 0-d tensors. */
export const scalars: Kind = (call, value) => {
  const list = listOf(call.op, "a list of numbers and tensors", value);
  call.put(list.length);
  for (let i = 0; i < list.length; i++) call.operand(list[i]);
};

/** A number. */
export const number =
  (what: string): Kind =>
  (call, value) =>
    call.put(numberOf(call.op, what, value));

/** A finite number. */
export const finite =
  (what: string): Kind =>
  (call, value) =>
    call.put(finiteOf(call.op, what, value));

/** A whole number of 0 or more. */
export const count =
  (what: string): Kind =>
  (call, value) =>
    call.put(countOf(call.op, what, value));

/** A whole number. */
export const whole =
  (what: string): Kind =>
  (call, value) =>
    call.put(countOf(call.op, what, value, -(2 ** 31)));

/** Whole numbers of `least` or more, one or several. */
const numbers =
  (what: string, least: number): Kind =>
  (call, value) =>
    isArray(value) ? call.list(Array.from(value, (number) => countOf(call.op, what, number, least))) : call.put(1, countOf(call.op, what, value, least));

/** A whole number, or several. */
export const wholes = (what: string): Kind => numbers(what, -(2 ** 31));

/** A whole number of 0 or more, or several. */
export const counts = (what: string): Kind => numbers(what, 0);

/** A truth value. */
export const flag =
  (what: string): Kind =>
  (call, value) =>
    call.put(Number(flagOf(call.op, what, value)));

/** A number, or none. */
export const bound =
  (what: string): Kind =>
  (call, value) =>
    isNone(value) ? call.put(0) : call.put(1, numberOf(call.op, what, value));

const ORDERS = ["fro", "nuc"];

/** Which norm of a matrix: a number, or a name; or none. */
export const matrixOrder: Kind = (call, value) => {
  if (value === undefined || value === null) call.put(0);
  else if (typeof value === "string" && ORDERS.includes(value)) call.put(2 + ORDERS.indexOf(value));
  else call.put(1, numberOf(call.op, `the order, a number or one of ${ORDERS.join(", ")},`, value));
};

/** A text, letter by letter. */
export const text =
  (what: string): Kind =>
  (call, value) =>
    call.list(Array.from(textOf(call.op, what, value), (letter) => letter.codePointAt(0) as number));

/** One axis. */
export const axis: Kind = (call, value) => call.put(axisOf(call.op, value));

/** One axis, several, or all. */
export const axes: Kind = (call, value) => (isNone(value) ? call.put(-1) : places(call, value));

/** One axis, or all. */
export const position: Kind = (call, value) => (isNone(value) ? call.put(-1) : call.put(1, axisOf(call.op, value)));

/** One axis, or several. */
export const places: Kind = (call, value) => (isArray(value) ? call.list(axesOf(call.op, value) as Int32Array) : call.put(1, axisOf(call.op, value)));

/** A list of all axes. */
export const order: Kind = (call, value) => call.list(axesOf(call.op, listOf(call.op, "a list of axes", value)) as Int32Array);

/** A shape. */
export const extents: Kind = (call, value) => call.list(extentsOf(call.op, value));

/** A shape, or none. */
export const outer: Kind = (call, value) => {
  if (value === undefined) call.put(-1);
  else call.list(extentsOf(call.op, value));
};

/** A shape, one extent of which may be −1. */
export const reshape: Kind = (call, value) => call.list(shapeOf(call.op, value, -1));

/** A dtype. */
export const dtype: Kind = (call, value) => call.put(dtypeCode(value as DType, call.op));

const among = register("among");

/** How a reduction is taken: whether axes stay, and a correction where there is one; with what it
 * begins with, which elements count or a dtype another operation does it. */
function reduced(defaults: { keepdims: boolean; correction?: number; initial?: number | null; where: unknown; dtype?: DType | null }): Kind {
  const kind: Kind = (call, value) => {
    const { keepdims, correction, initial, where, dtype } = optionsOf(call.op, value as object | undefined, defaults);
    call.put(Number(keepdims));
    if (!isNone(initial ?? where ?? dtype)) {
      call.instead = among;
      text("")(call, call.op);
      call.put(correction ?? 0);
      bound("the initial")(call, initial);
      maybe(call, where);
      if (isNone(dtype)) call.put(0);
      else call.put(1, dtypeCode(dtype as DType, call.op));
    } else if (correction !== undefined) call.put(correction);
  };
  kind.options = true;
  return kind;
}

/** Whether axes stay, what a reduction begins with, and which elements count. */
export const fold: Kind = reduced({ keepdims: false, initial: null, where: null });

/** The same, and what elements are cast to first. */
export const totalled: Kind = reduced({ keepdims: false, initial: null, where: null, dtype: null });

/** Whether axes stay, which elements count, and what they are cast to first. */
export const averaged: Kind = reduced({ keepdims: false, where: null, dtype: null });

/** Whether axes stay, and which elements count. */
export const part: Kind = reduced({ keepdims: false, where: null });

/** Whether axes stay, how a variance is corrected, and which elements count. */
export const spread: Kind = reduced({ keepdims: false, correction: 0, where: null });

/** Whether axes stay, and what is between two elements. */
export const between: Kind = (call, value) => {
  const { keepdims, method } = optionsOf(call.op, value as object | undefined, { keepdims: false, method: "linear" });
  text("the method")(call.put(Number(keepdims)), method);
};
between.options = true;

/** Whether the end is among numbers that are spaced, and their dtype. */
export const spacing: Kind = (call, value) => {
  const { endpoint, dtype } = optionsOf(call.op, value as object | undefined, { endpoint: true, dtype: "f32" as DType });
  call.put(Number(endpoint), dtypeCode(dtype, call.op));
};
spacing.options = true;

/** Whole numbers, or a tensor of integers. */
export const shifts =
  (what: string): Kind =>
  (call, value) => {
    if (!(value instanceof Tensor) || isGiven(value)) return wholes(what)(call, value);
    if (value.dtype === "bool" || value.dtype.startsWith("f")) throw new DTypeError(call.op, `${what} must be integers, got ${value.dtype}`);
    call.put(-1).tensor(value);
  };

/** What is left and right of a curve, and its period. */
export const ends: Kind = (call, value) => {
  const given = optionsOf(call.op, value as object | undefined, { left: null as number | null, right: null as number | null, period: null as number | null });
  for (const end of ["left", "right", "period"] as const) bound(end)(call, given[end]);
};
ends.options = true;

/** The period of numbers, and what a jump between them is at least. */
export const winding: Kind = (call, value) => {
  const { period, discont } = optionsOf(call.op, value as object | undefined, { period: 2 * Math.PI, discont: null as number | null });
  bound("discont")(call.put(period), discont);
};
winding.options = true;

/** The axes of two operands and of their product; those that are left out are the one axis
 * before. */
export const thirds: Kind = (call, value) => {
  const { axisA, axisB, axisC } = optionsOf(call.op, value as object | undefined, { axisA: null as number | null, axisB: null as number | null, axisC: null as number | null });
  const given = [axisA, axisB, axisC];
  const usual = call.numbers.at(-1) as number;
  if (given.every((axis) => axis === null)) call.put(-1);
  else call.list(given.map((axis) => (axis === null ? usual : axisOf(call.op, axis))));
};
thirds.options = true;

const HALVES = ["L", "U"];

/** Which half of a symmetric matrix is read: both, the lower or the upper. */
export const half: Kind = (call, value) => {
  const given = value === undefined || value === null ? 0 : HALVES.indexOf(value as string) + 1;
  if (given === 0 && value !== undefined && value !== null) throw new ValueError(call.op, `the triangle is "L" or "U", got ${shown(value)}`);
  call.put(given);
};

/** Options, numbers and truth values, in this order and with these defaults. */
export function options(defaults: Readonly<Record<string, number | boolean>>): Kind {
  const kind: Kind = (call, value) => {
    const read = optionsOf(call.op, value as object | undefined, defaults);
    for (const name of Object.keys(defaults)) call.put(Number(read[name]));
  };
  kind.options = true;
  return kind;
}
