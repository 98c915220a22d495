// Argument validation. JavaScript lets any value through, and the core would truncate fractions or
// take nonsense for 0; so every argument passes one of these checks, whose errors name the
// operation.

import { AxisError, ShapeError, ValueError } from "../errors.js";
import { givenText } from "./tracing.js";

/** Numbers up to here fit the core. */
const MOST = 2 ** 31 - 1;

/** `value` as a message shows it. Never throws, whatever it is. */
export function shown(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
    case "bigint":
      return `${value}n`;
    case "function":
      return "a function";
    case "object":
      return value === null ? "null" : named(value);
    default:
      return String(value);
  }
}

/** What kind of thing `value` is: `a number`, `a Float32Array`, `null`. Never throws, whatever it
 * is. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === "object" ? named(value) : `a ${typeof value}`;
}

/** What kind of object this is, by the name of its class. */
function named(value: object): string {
  const given = givenText(value);
  if (given !== undefined) return given;
  let name: unknown;
  try {
    name = value.constructor?.name;
  } catch {
    // A proxy or a getter that refuses to be looked at.
  }
  if (typeof name !== "string" || name === "" || name === "Object") return "an object";
  return `${/^[AEIOU]/.test(name) ? "an" : "a"} ${name === "Array" ? "array" : name}`;
}

/** Whether `test` holds. A proxy that was revoked throws at every look, and so holds for
 * nothing. */
export function holds(test: () => boolean): boolean {
  try {
    return test();
  } catch {
    return false;
  }
}

/** As `Array.isArray`, which throws for a proxy that was revoked. */
export function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** `[2,3]`, of any list. */
export function listText(list: readonly unknown[]): string {
  return `[${Array.from(list, (entry) => (typeof entry === "object" ? "…" : typeof entry === "symbol" ? "symbol" : String(entry))).join(",")}]`;
}

function isWhole(value: unknown, least: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= MOST;
}

/** The bound that an error names for a number that is no such whole number. */
function boundFor(value: unknown, least: number): string {
  return typeof value === "number" && value > MOST ? `${MOST} or less` : `${least} or more`;
}

/**
 * Extents along all axes; a whole number is the extent of the only one.
 *
 * @example
 * zeros(3); // [0,0,0]
 */
export type Shape = number | readonly number[];

/** A shape whose extents are whole numbers of `least` or more. Throws `ShapeError` for all else. */
export function shapeOf(op: string, given: unknown, least = 0): readonly number[] {
  const shape = typeof given === "number" ? [given] : given;
  if (!isArray(shape)) throw new ShapeError(op, `a shape is a list such as [2, 3], got ${shown(shape)}${drawnAs(op)}`);
  for (let n = 0; n < shape.length; n++) {
    const extent = shape[n];
    if (isWhole(extent, least)) continue;
    const wanted = `a whole number of ${boundFor(extent, 0)}${least === 0 ? "" : ", or one of them -1"}`;
    throw new ShapeError(op, `${listText(shape)}: an extent is ${wanted}, not ${shown(extent)}${drawnAs(op)}`);
  }
  return shape as readonly number[];
}

/** Extents as the core takes them. Throws `ShapeError` for anything but whole numbers of 0 or
 * more. */
export function extentsOf(op: string, shape: unknown): Uint32Array {
  const extents = shapeOf(op, shape);
  if (extents.reduce((size, extent) => size * extent, 1) > MOST) {
    throw new ShapeError(op, `${listText(extents)} has more than 2^31 - 1 elements`);
  }
  return Uint32Array.from(extents);
}

/** A count as the core takes it. Throws `ValueError` for anything but a whole number of `least` or
 * more. */
export function countOf(op: string, what: string, count: unknown, least = 0): number {
  if (isWhole(count, least)) return count;
  throw new ValueError(op, `${what} must be a whole number of ${boundFor(count, least)}, got ${shown(count)}`);
}

/** Throws `ValueError` for anything but a number; NaN and infinities are numbers. */
export function numberOf(op: string, what: string, value: unknown): number {
  if (typeof value === "number") return value;
  throw new ValueError(op, `${what} must be a number, got ${shown(value)}`);
}

/** Throws `ValueError` for anything but a finite number. */
export function finiteOf(op: string, what: string, value: unknown): number {
  if (Number.isFinite(value)) return value as number;
  throw new ValueError(op, `${what} must be a finite number, got ${shown(value)}${drawnAs(op)}`);
}

/** Throws `ValueError` for anything but true and false. */
export function flagOf(op: string, what: string, value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw new ValueError(op, `${what} must be true or false, got ${shown(value)}`);
}

/** Throws `ValueError` for anything but a text. */
export function textOf(op: string, what: string, value: unknown): string {
  if (typeof value === "string") return value;
  throw new ValueError(op, `${what} must be a string, got ${shown(value)}`);
}

/** Throws `ValueError` for anything but a list. */
export function listOf(op: string, what: string, list: unknown): readonly unknown[] {
  if (isArray(list)) return list;
  const example = what === "a list of tensors" ? `: ${op}([a, b])` : "";
  throw new ValueError(op, `takes ${what}, got ${shown(list)}${example}`);
}

/** An axis as the core takes it: range is for the core to check. Throws `AxisError` for all but
 * whole numbers. */
export function axisOf(op: string, axis: unknown): number {
  if (isWhole(axis, -MOST)) return axis;
  throw new AxisError(op, `an axis is a whole number, not ${shown(axis)}${misplaced(axis)}`);
}

/**
 * One axis, several, or (null) all. Negative axes count from the end.
 *
 * @example
 * ones([2, 3, 4]).sum([0, -1]); // [8,8,8]
 */
export type Axes = number | readonly number[] | null;

/** Axes as the core takes them: `undefined` for all. Throws `AxisError` for all but whole numbers,
 * lists of them, and null. */
export function axesOf(op: string, axes: unknown): Int32Array | undefined {
  if (axes === null || axes === undefined) return undefined;
  if (isArray(axes)) return Int32Array.from(Array.from(axes), (axis) => axisOf(op, axis));
  return Int32Array.of(axisOf(op, axes));
}

/** What to say when options stand where an axis is expected. */
function misplaced(axis: unknown): string {
  if (!isBag(axis)) return "";
  const named = axis["axis"] ?? axis["dim"] ?? axis["axes"];
  const example = typeof named === "number" ? `: (${named}, { … })` : ", and null stands for all axes: (null, { … })";
  return `; options come after it${example}`;
}

/** Whether `value` is an object that holds options: a plain one, or an instance of a class that has
 * something to read. */
export function isBag(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || isArray(value) || ArrayBuffer.isView(value)) return false;
  try {
    const prototype: unknown = Object.getPrototypeOf(value);
    // `Object.prototype` of any realm has none above it.
    return prototype === null || Object.getPrototypeOf(prototype) === null || Object.keys(value).length > 0;
  } catch {
    return false;
  }
}

/**
 * The options of a call, each from `options` or else from `defaults`, which names them all. Numbers
 * must be finite, and flags true or false, where the default is such. Throws `ValueError` for an
 * option that there is not, and for what cannot hold options.
 */
export function optionsOf<D extends object>(
  op: string,
  options: { readonly [K in keyof D]?: D[K] | undefined } | undefined,
  defaults: D,
): D {
  if (options === undefined) return defaults;
  const known = Object.keys(defaults);
  if (!isBag(options)) throw new ValueError(op, `takes options such as { ${known[0]}: … }, got ${shown(options)}${ofShape(op, options)}`);
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(defaults, name)) continue;
    const hint = meant(name, known);
    throw new ValueError(op, `there is no option ${shown(name)}: ${hint ? `did you mean ${hint}?` : `there ${known.length > 1 ? "are" : "is"} ${known.join(", ")}`}`);
  }
  const read = { ...defaults } as Record<string, unknown>;
  for (const name of known) {
    const value = (options as Record<string, unknown>)[name];
    if (value === undefined) continue;
    if (typeof read[name] === "number") finiteOf(op, name, value);
    if (typeof read[name] === "boolean") flagOf(op, name, value);
    read[name] = value;
  }
  return read as D;
}

/** Functions that take a shape, behind which other libraries take more of its extents. */
const SHAPED = /^(zeros|ones|full|reshape|broadcastTo|expand|random\.\w+)$/;

/** What to say when more of a shape stands where it has ended. */
function ofShape(op: string, value: unknown): string {
  return drawnAs(op) || (typeof value === "number" && SHAPED.test(op) ? ": a shape is an array, as in [2, 3]" : "");
}

/** What stands behind the shape of draws that NumPy gives its size at the end. */
const DRAWN: Readonly<Record<string, string>> = { normal: ", { mean: 0, std: 1 }", uniform: ", { low: 0, high: 1 }", randint: ", 0, 10", bernoulli: ", 0.5", exponential: "" };

/** How to write a draw whose shape comes first. */
export function drawnAs(op: string): string {
  const [, name = ""] = op.split("random.");
  return Object.hasOwn(DRAWN, name) ? `: write ${op}([2, 3]${DRAWN[name]})` : "";
}

/** Throws `ValueError` for more than `count` arguments: `x.flip(0, 1)` would otherwise turn one
 * axis. */
export function noMore(op: string, args: ArrayLike<unknown>, count: number): void {
  if (args.length <= count || isIteration(args, count)) return;
  for (let i = count; i < args.length && drawnAs(op) === ""; i++) {
    if (isBag(args[i])) throw new ValueError(op, `takes no options, got ${shown(args[i])}`);
  }
  const several = ofShape(op, args[count]) || (typeof args[count] === "number" ? "; several numbers in one place are an array: [0, 1]" : "");
  throw new ValueError(op, `takes ${count} ${count === 1 ? "argument" : "arguments"}, got ${args.length}${several}`);
}

/** Whether an array's `map` calls a function of one argument, or its `reduce` one of two: they pass
 * the position and the array besides. */
function isIteration(args: ArrayLike<unknown>, count: number): boolean {
  const [place, array] = [args[count], args[count + 1]];
  return count <= 2 && args.length === count + 2 && typeof place === "number" && isArray(array) && array[place] === args[count - 1];
}

/** What other libraries call our options, in small letters. */
const ELSEWHERE: Record<string, string> = {
  learningrate: "lr",
  stepsize: "lr",
  alpha: "lr",
  type: "dtype",
  datatype: "dtype",
  ddof: "correction",
  unbiased: "correction",
  mu: "mean",
  loc: "mean",
  sigma: "std",
  stddev: "std",
  stdev: "std",
  scale: "std",
  min: "low",
  minval: "low",
  vmin: "low",
  max: "high",
  maxval: "high",
  vmax: "high",
  batch: "size",
  batchsize: "size",
  seed: "shuffle",
  droplast: "dropLast",
  dropremainder: "dropLast",
  usebias: "bias",
  k: "diagonal",
  offset: "diagonal",
  cmap: "colormap",
  origin: "flip",
  beta: "betas",
  beta1: "betas",
  beta2: "betas",
  decay: "weightDecay",
  l2: "weightDecay",
  staticargnums: "static",
  donateargnums: "donate",
  backend: "device",
  module: "wasm",
  wasmurl: "wasm",
};

/** The option that `name` may have been meant for. */
function meant(name: string, known: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "");
  const wanted = plain(name);
  return (
    known.find((option) => plain(option) === wanted) ??
    known.find((option) => option === ELSEWHERE[wanted]) ??
    known.find((option) => wanted.length < 40 && edits(plain(option), wanted) <= (option.length > 4 ? 2 : 1))
  );
}

/** How many letters must change, come or go to make `b` of `a` (Levenshtein). */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
