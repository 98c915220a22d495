// Numbers and arrays as tensors and indices. They become tensors for the call, and are freed after
// it: the graph keeps what it reads.

import { extentsOf, shown } from "../core/check/check.js";
import { core } from "../core/wasm/core.js";
import { dtypeCode, type DType } from "../core/tensor/dtype.js";
import { isGiven } from "../core/check/tracing.js";
import { flattenNested } from "../core/tensor/shape.js";
import { Tensor, type Operand } from "../core/tensor/tensor.js";
import { tidy } from "../core/tensor/tidy.js";
import { AxisError, DisposedError, DTypeError, ShapeError, TraceError, ValueError, type WeftError } from "../core/errors.js";
import { numbersOf, tensorFrom, upload } from "./create.js";
import type { Call } from "./operation.js";

/** Calls with the operands' handles. Operands that are not tensors live for the call; plain numbers
 * and arrays of them become `dtype`, by default f32. */
export function lend<R>(op: string, operands: readonly Operand[], call: (...handles: number[]) => R, dtype?: DType): R {
  const made: Tensor[] = [];
  try {
    const handles = Array.from(operands, (operand) => {
      const tensor = lifted(op, operand, dtype);
      if (tensor !== operand) made.push(tensor);
      return tensor.handle;
    });
    return call(...handles);
  } finally {
    for (const tensor of made) tensor.dispose();
  }
}

/** `tidy` of several calls that are one operation: errors of its parts are its own, under its name.
 * What one row does is called by that. */
export function composed<R>(op: string, body: () => R): R {
  try {
    return tidy(body);
  } catch (error) {
    const kind = [ShapeError, DTypeError, AxisError, ValueError, DisposedError, TraceError].find((kind) => error instanceof kind);
    if (!kind || (error as WeftError).op === op) throw error;
    const { op: part, message } = error as WeftError;
    throw new kind(op, message.startsWith(`${part}: `) ? message.slice(part.length + 2) : message);
  }
}

/** A tensor as it is; what is none becomes one, and so does one that stands for a plain number
 * where a dtype is asked for. */
export function lifted(op: string, x: Operand, dtype?: DType): Tensor {
  if (!(x instanceof Tensor)) return tensorFrom(x, op, dtype);
  return dtype && isGiven(x) ? Tensor.adopt(core().number_as(x.handle, dtypeCode(dtype, op))) : x;
}

/** Numbers from `least` up to, and without, `below`. */
export interface Bounds {
  /** What one such number is: an index, a class. */
  readonly what: string;
  readonly least: number;
  readonly below: number;
  /** One more that counts, wherever it lies. */
  readonly also?: number;
}

/** What an i32 or a u32 can hold. */
const COUNTABLE = { least: -(2 ** 31), below: 2 ** 32 };

/** The bounds of positions along an axis of `extent`, where negative ones count from the end; of an
 * empty axis the core tells. */
export function positions(extent: number | undefined): Bounds {
  return extent ? { what: "index", least: -extent, below: extent } : numbered("index");
}

/** The bounds of numbers that may lie anywhere: those of nothing are left out. */
export function numbered(what: string): Bounds {
  return { what, ...COUNTABLE };
}

/**
 * Throws `ValueError` unless all indices that can be known here are whole numbers within bounds:
 * those in plain numbers and arrays, and those of integer tensors whose values are known. Returns
 * what is to be made a tensor of.
 */
export function checkIndices(op: string, indices: Operand, bounds: Bounds): { shape: readonly number[]; values: ArrayLike<unknown> } | null {
  const given = indices instanceof Tensor ? null : flattenNested(numbersOf(op, indices), op);
  const values = given ? given.values : integersOf(indices as Tensor);
  const { what, least } = bounds;
  // Plain numbers become i32.
  const below = given ? Math.min(bounds.below, 2 ** 31) : bounds.below;
  for (let i = 0; i < values.length; i++) {
    const value: unknown = values[i];
    if (!Number.isInteger(value)) throw new ValueError(op, `${shown(value)} is no ${what}: expected whole numbers`);
    if (((value as number) < least || (value as number) >= below) && value !== bounds.also) {
      throw new ValueError(op, `${what} ${shown(value)} is out of range: expected ${least} to ${below - 1}`);
    }
  }
  return given;
}

/** What is known of the elements of an integer tensor; of others the core says that they are no
 * indices. */
export function integersOf(tensor: Tensor): ArrayLike<number> {
  return tensor.dtype === "i32" || tensor.dtype === "u32" ? (tensor.known ?? []) : [];
}

/** Puts indices into a call: a tensor, or whole numbers, which become i32. */
export function putIndices(call: Call, indices: Operand, bounds: Bounds): Call {
  const given = checkIndices(call.op, indices, bounds);
  if (!given) return call.tensor(indices, "i32");
  return call.own(upload(Int32Array.from(given.values as ArrayLike<number>), extentsOf(call.op, given.shape), "i32", call.op));
}

/** The shape of the operand that stands first in a call. */
export function shapeOf(x: Operand, call: Call): readonly number[] {
  return x instanceof Tensor ? x.shape : Array.from(core().shape(call.numbers[0] as number));
}
