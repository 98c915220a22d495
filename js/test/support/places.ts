// Places of calls: the kinds of arguments, with a valid one of each, and the places of every row of
// the table of operations.

import { readFileSync } from "node:fs";
import { tensor } from "../../src/index.js";
import type { Kind } from "./junk.js";

/** A place in a call: what it takes, whether it may be left out, and a right argument. */
export interface Place {
  readonly kind: Kind;
  readonly optional: boolean;
  readonly right: () => unknown;
}

export const x = () => tensor([[1, 2], [3, 4]]);
export const place = (kind: Kind, right: () => unknown): Place => ({ kind, optional: false, right });
export const optional = (kind: Kind, right: () => unknown = () => undefined): Place => ({ kind, optional: true, right });
export const operand = place("operand", x);
export const axis = place("axis", () => 0);
export const axes = optional("axes");
export const options = optional("options");
export const shape = place("shape", () => [2, 2]);
export const count = place("count", () => 2);
export const dtype = place("dtype", () => "f32");

/** The place of a parameter of each kind of the table of operations. */
const kinds: Record<string, Place> = {
  tensor: operand,
  operand,
  storedOperand: operand,
  integers: place("operand", () => Int32Array.of(0, 1)),
  maybe: optional("bound", () => undefined),
  axis,
  axes,
  keepdims: options,
  initial: options,
  spread: options,
  fold: options,
  totalled: options,
  averaged: options,
  spacing: options,
  equality: options,
  inversion: options,
  winding: options,
  ends: options,
  shifts: place("shifts", () => 1),
  thirds: options,
  half: optional("uplo"),
  part: options,
  count,
  whole: place("axis", () => 1),
  wholes: place("wholes", () => 1),
  counts: place("parts", () => 2),
  places: place("wholes", () => 0),
  number: place("number", () => 1),
  finite: place("finite", () => 1),
  dtype,
  bound: optional("number"),
  closeness: options,
  between: options,
  flag: place("flag", () => true),
  text: place("text", () => "i->i"),
  extents: shape,
  reshape: place("reshape", () => [4]),
  order: place("shape", () => [1, 0]),
  tensors: place("list", () => [[1], [2]]),
  scalars: place("list", () => [0, 1]),
  position: optional("axis"),
  triangle: options,
  outer: optional("shape", () => undefined),
  matrixOrder: optional("number"),
};

export const rows = JSON.parse(readFileSync(new URL("../../../tests/conformance/operations.json", import.meta.url), "utf8")) as Record<string, [name: string, kind: string, isOptional: boolean][]>;
export const placesOf = (row: [name: string, kind: string, isOptional: boolean][]): Place[] =>
  // Without a key numbers are drawn from the generator.
  row.filter(([, kind]) => kind !== "key").map(([, kind, isOptional]) => ({ ...(kinds[kind] as Place), ...(isOptional && { optional: true }) }));
