// Checks of functions that a transform runs for the tensors they make: they must be functions, not
// classes, and must return at once.

import { TraceError, ValueError } from "../errors.js";
import { isPromise } from "./tree.js";

/** Whether `value` is a class, which cannot be called without `new`: what tells it from a function
 * is that its prototype stays. */
export function isClass(value: unknown): boolean {
  return typeof value === "function" && Object.getOwnPropertyDescriptor(value, "prototype")?.writable === false;
}

/** Throws `ValueError` in the name of `op` unless `fn` is a function. */
export function checkFunction(op: string, fn: unknown): void {
  if (isClass(fn)) throw new ValueError(op, "takes a function, got a class");
  if (typeof fn !== "function") throw new ValueError(op, `takes a function, got ${fn === null ? "null" : typeof fn}`);
}

/** Throws `TraceError` in the name of `op` when `result` is what an async function returns. */
export function checkReturned(op: string, result: unknown): void {
  if (!isPromise(result)) return;
  // Should it fail, too, this error says why.
  (result as PromiseLike<unknown>).then(undefined, () => {});
  throw new TraceError(op, "takes a function that returns at once; this one is async");
}
