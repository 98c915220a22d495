// Matching of a saved state with a module's parameters, by names, all of them or none.

import { holds, isArray, shown } from "../core/check/check.js";
import { Tensor } from "../core/tensor/tensor.js";
import type { ArrayFile } from "../data/array.js";
import { DTypeError, ShapeError, ValueError } from "../core/errors.js";
import { tensor } from "../ops/create.js";

/**
 * Each of what is `held` with the tensor that `state` has for it. Names may be written as Python
 * writes them. Throws `ValueError` where `strict` and names are missing or too many, `ShapeError`
 * and `DTypeError` where something does not fit.
 */
export function fitting<T extends Tensor>(op: string, state: object, held: readonly (readonly [string, T])[], strict: boolean): [T, Tensor][] {
  const isObject = typeof state === "object" && state !== null && !isArray(state) && holds(() => Object.keys(state).length >= 0);
  if (!isObject) throw new ValueError(op, `takes an object of tensors by their names, got ${shown(state)}`);
  const given = new Map(Object.entries(state).map(([name, value]) => [camel(name), value]));
  const known = new Set(held.map(([name]) => camel(name)));
  const missing = held.map(([name]) => name).filter((name) => !given.has(camel(name)));
  const unknown = Object.keys(state).filter((name) => !known.has(camel(name)));
  if (strict && (missing.length > 0 || unknown.length > 0)) {
    const listed = (what: string, names: string[]) => (names.length > 0 ? [`${what} ${names.slice(0, 5).join(", ")}${names.length > 5 ? ` and ${names.length - 5} more` : ""}`] : []);
    throw new ValueError(op, [...listed("there is nothing for", missing), ...listed("there is no place for", unknown)].join("; "));
  }
  return held.flatMap(([name, place]) => {
    const value = given.get(camel(name));
    if (value === undefined) return [];
    const made = isArrayFile(value) ? value.tensor({ dtype: place.dtype }) : value instanceof Tensor ? value : tensor(value as never, { dtype: place.dtype });
    if (made.shape.join() !== place.shape.join()) throw new ShapeError(op, `${name} is [${place.shape.join(",")}], got [${made.shape.join(",")}]`);
    if (made.dtype !== place.dtype) throw new DTypeError(op, `${name} is ${place.dtype}, got ${made.dtype}`);
    return [[place, made] as [T, Tensor]];
  });
}

/** A name as JavaScript writes it. */
function camel(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function isArrayFile(value: unknown): value is ArrayFile {
  return typeof value === "object" && value !== null && !(value instanceof Tensor) && !isArray(value) && holds(() => typeof (value as ArrayFile).tensor === "function");
}
