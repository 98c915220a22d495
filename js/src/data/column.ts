// Type inference for columns of text, as pandas does it (`read_csv`), and the values of a column.

import { optionsOf, shown } from "../core/check.js";
import type { DType } from "../core/dtype.js";
import type { Tensor } from "../core/tensor.js";
import { FormatError } from "../errors.js";
import { tensor } from "../ops/create.js";

export const columnTypes = ["i32", "f64", "f32", "bool", "text"] as const;

/**
 * The type of a column's values.
 *
 * @example
 * const type: data.ColumnType = data.csv("x\n1").typed("x").dtype; // "i32"
 */
export type ColumnType = (typeof columnTypes)[number];

/**
 * The values of a column.
 *
 * @example
 * const column: data.Column = data.csv("x\n1.5\nNA").typed("x");
 * column.missing; // [1]
 * column.tensor(); // [1.5,NaN]
 */
export interface Column {
  readonly name: string;
  /** i32 where all are whole numbers of 32 bits, f64 where they are numbers or missing, bool where they are `true` and `false`, as Python, R or JavaScript write them, and text
   * else; or as asked for. Whole numbers beyond 2^53, which a float would round, are texts. */
  readonly dtype: ColumnType;
  /** A typed array of numbers, with NaN where one is missing; 0 and 1 of bool; of text, the texts, with null where one is missing. */
  readonly data: Int32Array | Float64Array | Float32Array | Uint8Array | readonly (string | null)[];
  /** The rows whose values are missing. */
  readonly missing: readonly number[];
  /** The values as a tensor: i32, bool, or f32 of floats and of texts that are numbers; or as asked. Throws `FormatError` where a text is no number. */
  tensor(options?: { dtype?: DType }): Tensor;
}

/** What pandas, R and spreadsheets write in place of a number. */
const MISSING = new Set(["", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"]);

const WHOLE = /^[+-]?\d+$/;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;
const TRUTH: Readonly<Record<string, number>> = { True: 1, TRUE: 1, true: 1, False: 0, FALSE: 0, false: 0 };

/** Whether a field is a number, and not one that is missing. */
export function isNumber(field: string): boolean {
  return !Number.isNaN(numberOf(field));
}

/** The number that a field is; NaN if it is none. */
function numberOf(field: string): number {
  const text = field.trim();
  return NUMBER.test(text) ? Number(text) : INFINITE.test(text) ? (text.startsWith("-") ? -Infinity : Infinity) : NaN;
}

/** The column of these texts, of which `given` are missing besides the usual ones. Throws `FormatError`, with the line of a row, where one is not of the type asked for. */
export function columnOf(op: string, name: string, texts: readonly string[], given: ReadonlySet<string>, asked: ColumnType | undefined, line: (row: number) => number): Column {
  const isMissing = (text: string) => given.has(text) || MISSING.has(text.trim());
  const refuse = (row: number, what: string): never => {
    throw new FormatError(op, `line ${line(row)} of column ${shown(name)} is ${what}: ${shown(texts[row])}`);
  };
  const dtype = asked ?? typeOf(texts, isMissing);
  const isAbsent = dtype === "text" ? (text: string) => text === "" || given.has(text) : isMissing;
  const missing: number[] = [];
  texts.forEach((text, row) => {
    if (isAbsent(text)) missing.push(row);
  });
  if ((dtype === "i32" || dtype === "bool") && missing[0] !== undefined) refuse(missing[0], `missing, which no ${dtype} can be`);
  const number = (text: string, row: number): number => {
    const value = isMissing(text) ? NaN : numberOf(text);
    return Number.isNaN(value) && !isMissing(text) ? refuse(row, "no number") : value;
  };
  const whole = (text: string, row: number): number => {
    const value = number(text, row);
    return value === (value | 0) ? value : refuse(row, "no whole number of 32 bits");
  };
  const truth = (text: string, row: number): number => TRUTH[text.trim()] ?? (/^[01]$/.test(text.trim()) ? Number(text) : refuse(row, "neither true nor false"));
  const data =
    dtype === "text" ? texts.map((text) => (isAbsent(text) ? null : text))
    : dtype === "bool" ? Uint8Array.from(texts, truth)
    : dtype === "i32" ? Int32Array.from(texts, whole)
    : dtype === "f32" ? Float32Array.from(texts, number)
    : Float64Array.from(texts, number);
  const column: Column = {
    name,
    dtype,
    data,
    missing,
    tensor: (options) => tensor(numbersOf(column), optionsOf("tensor", options, { dtype: (dtype === "i32" || dtype === "bool" ? dtype : "f32") as DType })),
  };
  numbers.set(column, () => (dtype === "text" ? Float32Array.from(texts, number) : (data as Float64Array)));
  return column;
}

/** How the numbers of a column are had. */
const numbers = new WeakMap<Column, () => Int32Array | Float64Array | Float32Array | Uint8Array>();

/** The numbers of a column, NaN for missing ones. Throws `FormatError` where a text is no number. */
export function numbersOf(column: Column): Int32Array | Float64Array | Float32Array | Uint8Array {
  return (numbers.get(column) as () => Float64Array)();
}

/** The type that all fields have which are not missing. */
function typeOf(texts: readonly string[], isMissing: (text: string) => boolean): ColumnType {
  let count = 0;
  const all = { whole: true, small: true, safe: true, numbers: true, truth: true };
  for (const text of texts) {
    if (isMissing(text)) continue;
    count++;
    const value = numberOf(text);
    const isWhole = WHOLE.test(text.trim());
    all.whole &&= isWhole;
    all.small &&= isWhole && value === (value | 0);
    all.safe &&= Number.isSafeInteger(value);
    all.numbers &&= !Number.isNaN(value);
    all.truth &&= Object.hasOwn(TRUTH, text.trim());
    if (!all.numbers && !all.truth) return "text";
  }
  const isComplete = count === texts.length && count > 0;
  if (all.small && isComplete) return "i32";
  if (all.numbers && (!all.whole || all.safe)) return "f64";
  return all.truth && isComplete ? "bool" : "text";
}
