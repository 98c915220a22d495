// Type inference for columns of text, as pandas does it (`read_csv`), and the values of a column.

import { optionsOf, shown } from "../core/check/check.js";
import type { DType } from "../core/tensor/dtype.js";
import type { Tensor } from "../core/tensor/tensor.js";
import { FormatError } from "../core/errors.js";
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
  /** i32 where all are whole numbers of 32 bits, f64 where they are numbers or missing, bool where
   * they are `true` and `false`, as Python, R or JavaScript write them, and text else; or as asked
   * for. Whole numbers beyond 2^53, which a float would round, are texts. */
  readonly dtype: ColumnType;
  /** A typed array of numbers, with NaN where one is missing; 0 and 1 of bool; of text, the texts,
   * with null where one is missing. */
  readonly data: Int32Array | Float64Array | Float32Array | Uint8Array | readonly (string | null)[];
  /** The rows whose values are missing. */
  readonly missing: readonly number[];
  /** The values as a tensor: i32, bool, or f32 of floats and of texts that are numbers; or as
   * asked. Throws `FormatError` where a text is no number. */
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

/** The fields of a column. */
export interface Cells {
  readonly length: number;
  /** The text of a row's field. */
  text(row: number): string;
  /** The number of a row's field, if it can be read without making its text; NaN else. */
  number(row: number): number;
  /** Whether the number that was read last is written without point and exponent. */
  isWhole(): boolean;
  /** The line of the file that a row is on. */
  line(row: number): number;
}

/** What fields are as numbers. */
interface Numbers {
  /** NaN where one is missing, or no number. */
  readonly values: Float64Array<ArrayBuffer>;
  readonly missing: readonly number[];
  /** The first row that is neither missing nor a number; the number of rows if there is none. */
  readonly end: number;
  /** Whether all are whole numbers, as they are written; whether all are whole numbers of 32 bits;
   * whether doubles hold all. */
  readonly whole: boolean;
  readonly small: boolean;
  readonly safe: boolean;
}

/** The column of these fields, of which `given` are missing besides the usual ones. Throws
 * `FormatError`, with the line of a row, where one is not of the type asked for. */
export function columnOf(op: string, name: string, cells: Cells, given: ReadonlySet<string>, asked: ColumnType | undefined): Column {
  const isMissing = (text: string) => given.has(text) || MISSING.has(text.trim());
  const refuse = (row: number, what: string): never => {
    throw new FormatError(op, `line ${cells.line(row)} of column ${shown(name)} is ${what}: ${shown(cells.text(row))}`);
  };
  const read = asked === "text" || asked === "bool" ? null : numbersIn(cells, given, isMissing, asked !== undefined);
  const dtype = asked ?? typeOf(cells, read as Numbers, isMissing);
  const { data, missing } = dtype === "text" ? textsIn(cells, given) : dtype === "bool" ? truthIn(cells, isMissing, refuse) : valuesIn(read as Numbers, dtype, refuse);
  const column: Column = {
    name,
    dtype,
    data,
    missing,
    tensor: (options) => tensor(numbersOf(column), optionsOf("tensor", options, { dtype: (dtype === "i32" || dtype === "bool" ? dtype : "f32") as DType })),
  };
  numbers.set(column, () => (dtype === "text" ? valuesIn(numbersIn(cells, given, isMissing, true), "f32", refuse).data : data) as Float32Array);
  return column;
}

/** How the numbers of a column are had. */
const numbers = new WeakMap<Column, () => Int32Array | Float64Array | Float32Array | Uint8Array>();

/** The numbers of a column, NaN for missing ones. Throws `FormatError` where a text is no
 * number. */
export function numbersOf(column: Column): Int32Array | Float64Array | Float32Array | Uint8Array {
  return (numbers.get(column) as () => Float64Array)();
}

/** The fields as numbers: up to the first that is none, or all of them. */
function numbersIn(cells: Cells, given: ReadonlySet<string>, isMissing: (text: string) => boolean, toTheEnd: boolean): Numbers {
  const { length } = cells;
  const values = new Float64Array(length);
  const missing: number[] = [];
  // Texts that stand for missing values may be numbers as well.
  const suspects = new Set([...given].map(numberOf).filter((value) => !Number.isNaN(value)));
  let end = length;
  let whole = true;
  let small = true;
  let safe = true;
  for (let row = 0; row < length; row++) {
    let value = cells.number(row);
    let isWhole = cells.isWhole();
    if (Number.isNaN(value)) {
      const text = cells.text(row);
      value = numberOf(text);
      isWhole = WHOLE.test(text.trim());
    }
    if (Number.isNaN(value) || (suspects.size > 0 && suspects.has(value))) {
      if (isMissing(cells.text(row))) {
        missing.push(row);
        values[row] = NaN;
        continue;
      }
      if (Number.isNaN(value)) {
        end = Math.min(end, row);
        if (!toTheEnd) break;
      }
    }
    values[row] = value;
    whole &&= isWhole;
    small &&= isWhole && value === (value | 0);
    safe &&= Number.isSafeInteger(value);
  }
  return { values, missing, end, whole, small, safe };
}

/** What a column holds. */
type Values = Pick<Column, "data" | "missing">;
type Refuse = (row: number, what: string) => never;

/** The numbers of fields, of a type. */
function valuesIn({ values, missing, end }: Numbers, dtype: "i32" | "f64" | "f32", refuse: Refuse): Values {
  if (dtype === "i32" && missing[0] !== undefined) refuse(missing[0], "missing, which no i32 can be");
  for (let row = 0; dtype === "i32" && row < end; row++) {
    const value = values[row] as number;
    if (value !== (value | 0)) refuse(row, "no whole number of 32 bits");
  }
  if (end < values.length) refuse(end, "no number");
  return { data: dtype === "i32" ? new Int32Array(values) : dtype === "f32" ? new Float32Array(values) : values, missing };
}

/** The truth values of fields. */
function truthIn(cells: Cells, isMissing: (text: string) => boolean, refuse: Refuse): Values {
  const texts = Array.from({ length: cells.length }, (_, row) => cells.text(row));
  const absent = texts.findIndex(isMissing);
  if (absent >= 0) refuse(absent, "missing, which no bool can be");
  const data = new Uint8Array(texts.length);
  for (const [row, written] of texts.entries()) {
    const text = written.trim();
    data[row] = TRUTH[text] ?? (text === "0" || text === "1" ? Number(text) : refuse(row, "neither true nor false"));
  }
  return { data, missing: [] };
}

/** The texts of fields, null where one is missing. */
function textsIn(cells: Cells, given: ReadonlySet<string>): Values {
  const missing: number[] = [];
  const data = Array.from({ length: cells.length }, (_, row) => {
    const text = cells.text(row);
    if (text !== "" && !given.has(text)) return text;
    missing.push(row);
    return null;
  });
  return { data, missing };
}

/** The type that all fields have which are not missing. */
function typeOf(cells: Cells, { end, missing, whole, small, safe }: Numbers, isMissing: (text: string) => boolean): ColumnType {
  const { length } = cells;
  if (end === length && small && missing.length === 0 && length > 0) return "i32";
  if (end === length && (!whole || safe)) return "f64";
  for (let row = 0; row < length; row++) {
    const text = cells.text(row);
    if (isMissing(text) || !Object.hasOwn(TRUTH, text.trim())) return "text";
  }
  return "bool";
}
