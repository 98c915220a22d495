// How do numbers and arrays stand where tensors stand? They become tensors for the call, and are freed after it: the graph keeps
// what it reads. Where the core takes a plain number as such, it gets handle 0 and the number.

import { core, type Slot } from "../core/core.js";
import type { DType } from "../core/dtype.js";
import { Tensor, type Operand } from "../core/tensor.js";
import { tensorFrom } from "./create.js";

/** The tensor that `call` makes of the operands' handles. Operands that are not tensors live for the call. */
export function apply(op: string, operands: readonly Operand[], call: (...handles: number[]) => number): Tensor {
  return lend(op, operands, (...handles) => Tensor.adopt(call(...handles)));
}

/** As `apply`, for a call that returns anything; plain numbers and arrays of them become `dtype`, by default f32. */
export function lend<R>(op: string, operands: readonly Operand[], call: (...handles: number[]) => R, dtype?: DType): R {
  const made: Tensor[] = [];
  try {
    const handles = operands.map((operand) => {
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
