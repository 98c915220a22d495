// How do numbers and arrays stand where tensors stand? They become tensors for the call, and are freed after it: the graph keeps
// what it reads. Where the core takes a plain number as such, it gets handle 0 and the number.

import { extentsOf, shown } from "../core/check.js";
import { core, type Slot } from "../core/core.js";
import type { DType } from "../core/dtype.js";
import { flattenNested } from "../core/shape.js";
import { Tensor, type Operand } from "../core/tensor.js";
import { ValueError } from "../errors.js";
import { numbersOf, tensorFrom, upload } from "./create.js";

/** The tensor that `call` makes of the operands' handles. Operands that are not tensors live for the call. */
export function apply(op: string, operands: readonly Operand[], call: (...handles: number[]) => number): Tensor {
  return lend(op, operands, (...handles) => Tensor.adopt(call(...handles)));
}

/** As `apply`, for a call that returns anything; plain numbers and arrays of them become `dtype`, by default f32. */
export function lend<R>(op: string, operands: readonly Operand[], call: (...handles: number[]) => R, dtype?: DType): R {
  const made: Tensor[] = [];
  try {
    const handles = Array.from(operands, (operand) => {
      if (operand instanceof Tensor) return operand.handle;
      const tensor = tensorFrom(operand, op, dtype);
      made.push(tensor);
      return tensor.handle;
    });
    return call(...handles);
  } finally {
    for (const tensor of made) tensor.dispose();
  }
}

/** Calls with an operand in the form in which the core takes numbers: its handle, or 0 and the number. */
export function lendNumber<R>(
  op: string,
  operand: Operand,
  dtype: DType | undefined,
  call: (handle: number, number: number) => R,
): R {
  return typeof operand === "number" ? call(0, operand) : lend(op, [operand], (handle) => call(handle, 0), dtype);
}

/** Numbers from `least` up to, and without, `below`. */
export interface Bounds {
  /** What one such number is: an index, a class. */
  readonly what: string;
  readonly least: number;
  readonly below: number;
}

/** What an i32 can count. */
const COUNTABLE = { least: -(2 ** 31), below: 2 ** 31 };

/** The bounds of positions along an axis of `extent`, where negative ones count from the end; of an empty axis the core tells. */
export function positions(extent: number | undefined): Bounds {
  return extent ? { what: "index", least: -extent, below: extent } : { what: "index", ...COUNTABLE };
}

/**
 * Throws `ValueError` unless all indices that can be known here are whole numbers within bounds: those in plain numbers and arrays, and
 * those of integer tensors whose values are known. Returns what is to be made a tensor of.
 */
function checkIndices(op: string, indices: Operand, bounds: Bounds): { shape: readonly number[]; values: ArrayLike<unknown> } | null {
  const given = indices instanceof Tensor ? null : flattenNested(numbersOf(op, indices), op);
  const values = given ? given.values : integersOf(indices as Tensor);
  const { what, least, below } = bounds;
  for (let i = 0; i < values.length; i++) {
    const value: unknown = values[i];
    if (!Number.isInteger(value)) throw new ValueError(op, `${shown(value)} is no ${what}: expected whole numbers`);
    if ((value as number) < least || (value as number) >= below) {
      throw new ValueError(op, `${what} ${shown(value)} is out of range: expected ${least} to ${below - 1}`);
    }
  }
  return given;
}

/** What is known of the elements of an integer tensor; of others the core says that they are no indices. */
function integersOf(tensor: Tensor): ArrayLike<number> {
  return tensor.dtype === "i32" || tensor.dtype === "u32" ? (tensor.known ?? []) : [];
}

/** Calls with the handle of indices: of a tensor, or of whole numbers, which become i32. */
export function lendIndices<R>(op: string, indices: Operand, bounds: Bounds, call: (handle: number) => R): R {
  const given = checkIndices(op, indices, bounds);
  if (!given) return call((indices as Tensor).handle);
  const made = upload(Int32Array.from(given.values as ArrayLike<number>), extentsOf(op, given.shape), "i32", op);
  try {
    return call(made.handle);
  } finally {
    made.dispose();
  }
}

/** An operation on one operand. */
export function applyUnary(slot: Slot, x: Operand): Tensor {
  if (x instanceof Tensor) return Tensor.adopt(core().unary(slot.code, x.handle));
  return apply(slot.name, [x], (handle) => core().unary(slot.code, handle));
}

/** An operation on two. A plain number beside a tensor keeps its dtype as far as it fits, and is no part of what is compiled. */
export function applyBinary(slot: Slot, a: Operand, b: Operand): Tensor {
  if (a instanceof Tensor) {
    if (b instanceof Tensor) return Tensor.adopt(core().binary(slot.code, a.handle, b.handle, 0));
    if (typeof b === "number") return Tensor.adopt(core().binary(slot.code, a.handle, 0, b));
  } else if (typeof a === "number" && typeof b !== "number") {
    return apply(slot.name, [b], (handle) => core().binary(slot.code, 0, handle, a));
  }
  return lend(slot.name, [a], (left) =>
    lendNumber(slot.name, b, undefined, (right, number) => Tensor.adopt(core().binary(slot.code, left, right, number))),
  );
}
