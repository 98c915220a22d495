// Indices of several axes at once, as NumPy writes them, and modes for indices beyond an axis.

import { extentsOf, isArray, numberOf, optionsOf, shown } from "../core/check/check.js";
import { register } from "../core/wasm/core.js";
import { flattenNested, sizeOf } from "../core/tensor/shape.js";
import { Tensor, type Operand } from "../core/tensor/tensor.js";
import { ValueError } from "../core/errors.js";
import { numbersOf, upload } from "./create.js";
import { checkIndices, composed, integersOf, numbered } from "./lift.js";
import type { OutsideOptions, Place } from "./indexing.js";
import { invoke, type Call } from "./operation.js";

const MODES: readonly unknown[] = [undefined, "clip", "wrap", "fill", "drop"];

/** Options in the core's form: a mode, and what to fill with. Throws `ValueError`. */
export function outsideWords(op: string, options: OutsideOptions | undefined, x: Operand): number[] {
  const { mode, fillValue } = optionsOf<OutsideOptions>(op, options, { mode: undefined, fillValue: undefined });
  const code = MODES.indexOf(mode);
  if (code < 0) throw new ValueError(op, `the mode is one of ${MODES.slice(1).join(", ")}, got ${shown(mode)}`);
  // The core computes with small integers in large ones.
  const small = x instanceof Tensor ? { i8: -128, u8: 255 }[x.dtype as string] : undefined;
  const fill = fillValue === undefined ? small : numberOf(op, "fillValue", fillValue);
  return [Math.min(code, 3), ...(fill === undefined ? [0] : [1, fill])];
}

/** Kinds of places in the core's form, as `picks` in `crate/weft/src/ops/index/advanced.rs`
 * says. */
const INDEX = 1;
const RANGE = 2;
const NEW = 3;
const REST = 4;
const MANY = 5;
/** Stands for what is left out, or not known. */
const UNKNOWN = -0x8000_0000;

/** Whether these are truth values in arrays, or in a tensor. */
export function isMask(place: unknown): boolean {
  if (place instanceof Tensor) return !place.disposed && place.dtype === "bool";
  let first = place;
  for (let depth = 0; depth < 32 && isArray(first); depth++) first = first[0];
  return first !== place && typeof first === "boolean";
}

/** Puts places into a call. What it makes for that the scope frees in which it is called. Throws
 * `ValueError` for what is no place. */
function putPlaces(call: Call, places: readonly Place[]): void {
  const { op } = call;
  const [words, tensors]: [number[], Tensor[]] = [[], []];
  const many = (tensor: Tensor, ...known: readonly [least: number, greatest: number, extent: number]) => {
    words.push(MANY, ...known);
    tensors.push(tensor);
  };
  const made = (values: ArrayLike<number>, shape: readonly number[]) => upload(Int32Array.from(values), extentsOf(op, shape), "i32", op);
  for (const place of places) {
    if (place === null) words.push(NEW, 0, 0, 1);
    else if (typeof place === "string") words.push(...written(op, place));
    else if (isMask(place)) {
      if (place instanceof Tensor) {
        many(place, UNKNOWN, 0, -1);
        continue;
      }
      const { shape, values } = flattenNested(numbersOf(op, place), op);
      const chosen = Array.from(values as ArrayLike<unknown>, (value, n) => {
        if (typeof value !== "boolean") throw new ValueError(op, "a mask has truth values alone");
        return value ? n : -1;
      }).filter((n) => n >= 0);
      shape.forEach((extent, axis) => {
        const inner = sizeOf(shape.slice(axis + 1));
        many(made(chosen.map((n) => Math.floor(n / inner) % extent), [chosen.length]), UNKNOWN, 0, extent);
      });
    } else {
      const given = checkIndices(op, place, numbered("index"));
      const values = given ? (given.values as ArrayLike<number>) : integersOf(place as Tensor);
      const sorted = Float64Array.from(values).sort();
      if (typeof place === "number") words.push(INDEX, place, 0, 1);
      else many(given ? made(values, given.shape) : (place as Tensor), sorted[0] ?? UNKNOWN, sorted.at(-1) ?? 0, -1);
    }
  }
  call.list(words).put(tensors.length);
  for (const tensor of tensors) call.tensor(tensor);
}

/** A range as Python writes it, or one of the words. */
function written(op: string, text: string): readonly number[] {
  if (text === "...") return [REST, 0, 0, 1];
  if (text === "newaxis") return [NEW, 0, 0, 1];
  const found = /^\s*(-?\d+)?\s*:\s*(-?\d+)?\s*(?::\s*(-?\d+)?\s*)?$/.exec(text);
  if (!found) throw new ValueError(op, `${shown(text)} is no range such as "1:-1", nor "..." or "newaxis"`);
  const number = (n: number, usual: number) => (found[n] === undefined ? usual : Math.max(UNKNOWN, Math.min(0x7fff_ffff, Number(found[n]))));
  return [RANGE, number(1, UNKNOWN), number(2, UNKNOWN), number(3, 1)];
}

const picking = register("at.pick");
const putting = register("at.put");

/** What stands at the places. */
export function pick(op: string, x: Operand, places: readonly Place[], outside: readonly number[]): Tensor {
  return composed(op, () => invoke(picking, (call) => putPlaces(call.tensor(x).put(...outside), places)));
}

/** A copy in which `values` are put there, in the way of this number. */
export function put(op: string, x: Operand, places: readonly Place[], mode: number, way: number, values: Operand): Tensor {
  return composed(op, () =>
    invoke(putting, (call) => {
      putPlaces(call.tensor(x).put(mode, way), places);
      call.operand(values);
    }),
  );
}
