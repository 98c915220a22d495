// CSV tables, as spreadsheets (RFC 4180), R and pandas write them: their columns, and the values in
// them.

import { countOf, flagOf, holds, listOf, noMore, optionsOf, shown, textOf } from "../core/check/check.js";
import type { Tensor } from "../core/tensor/tensor.js";
import { FormatError, ValueError } from "../core/errors.js";
import { tensor } from "../ops/create.js";
import { bytesOf } from "./array.js";
import { columnOf, columnTypes, isNumber, numbersOf, type Cells, type Column, type ColumnType } from "./column.js";
import { ABSENT, Fields } from "./rows.js";

/** How many fields are filled up beside one for each letter of the file: a small file whose first
 * row is long could ask for billions. */
const MOST_FILLED = 1e6;

/**
 * How a table is written.
 *
 * @example
 * data.csv("1;2\n3;4", { separator: ";", header: false }).tensor(); // [[1,2],[3,4]]
 * data.csv("# measured\nx\n-99\n7", { comment: "#", missing: ["-99"] }).tensor(); // [[NaN],[7]]
 */
export interface CsvOptions {
  /** Whether the first row names the columns. When it is not given, it does unless all its fields
   * are numbers; `Table.header` tells. */
  header?: boolean;
  /** What stands between fields: a character, or `"whitespace"` for any number of blanks. When it
   * is not given, the first of comma, tab, semicolon and bar that is in the first line, or blanks
   * where that has none and is numbers. */
  separator?: string;
  /** What begins a comment, which goes to the end of the line; none by default. */
  comment?: string;
  /** The first and the last line of the file that are the table, from 1 as errors count them, where
   * there is something else before or behind it; all of them by default. */
  lines?: readonly [first: number, last?: number];
  /** Whether rows that are shorter than the first are filled up with empty fields, rather than
   * refused; false by default. */
  fill?: boolean;
  /** Texts that stand for a missing value in all columns, besides the empty field and, in columns
   * of numbers, `NA`, `N/A`, `NaN`, `NULL`, `None` and their like. */
  missing?: readonly string[];
  /** Types of columns by their names; of others, their fields decide. */
  dtypes?: { readonly [name: string]: ColumnType };
}

/**
 * A table: texts in columns, and their values.
 *
 * @example
 * const table: data.Table = data.csv("x,name\n1,a\n2,b");
 * table.column("name"); // ["a","b"]
 * table.typed("x").dtype; // "i32"
 */
export interface Table {
  /** The names of the columns; their positions where there is no header. Of columns with one name,
   * the second is `name_1`, the third `name_2`; one without a name is `Unnamed: 0` by its
   * position. */
  readonly names: readonly string[];
  /** Whether the first row named the columns. */
  readonly header: boolean;
  /** How many rows there are, without the header. */
  readonly length: number;
  /** The rows, without the header: all texts of the table, made when they are asked for. */
  readonly rows: readonly (readonly string[])[];
  /** The first rows, five unless `count` says how many: of a long table, only their texts are
   * made. */
  head(count?: number): string[][];
  /** The texts of a column. Throws `ValueError` where there is none of this name. */
  column(name: string): string[];
  /** The values of a column, of the type that all its fields have, or that was asked for. Throws
   * `ValueError` as `column`, and `FormatError` for a field that is not of the type asked for. */
  typed(name: string): Column;
  /** The numbers of some columns, of all by default: f32 [rows, columns]; 0 and 1 for truth values,
   * NaN for missing ones. Throws `FormatError` for a field that is no number. */
  tensor(names?: readonly string[]): Tensor;
}

/** The text of a file, whose first bytes may say that it is UTF-16, as spreadsheets export it. */
function textFrom(op: string, text: unknown): string {
  if (typeof text === "string") return text;
  if (!ArrayBuffer.isView(text) && !holds(() => text instanceof ArrayBuffer)) return textOf(op, "the table", text);
  const bytes = bytesOf(op, text);
  const mark = (bytes[0] as number) * 256 + (bytes[1] ?? 0);
  return new TextDecoder(mark === 0xfffe ? "utf-16le" : mark === 0xfeff ? "utf-16be" : "utf-8").decode(bytes);
}

/**
 * Reads a table of separated fields, from a text or from the bytes of a file (UTF-8, or UTF-16 that
 * says so). Fields may be quoted; blank lines are passed over. Where all rows have one field more
 * than the header, their first are the names of rows, as R writes them, and a column without a
 * name. Texts and numbers are made when they are asked for; a column of ten million numbers takes
 * about a second, so that files of more than ten megabytes are better read in a worker. Throws
 * `FormatError`, with the line, where a row has more or fewer fields than the first, and where a
 * quote is not closed.
 *
 * @example
 * const table = data.csv("height,weight\n1.8,75\n1.6,52");
 * table.tensor(["weight"]); // [[75],[52]]
 */
export function csv(text: string | ArrayBuffer | ArrayBufferView, options: CsvOptions = {}): Table {
  const op = "csv";
  noMore(op, arguments, 2);
  const given = optionsOf(op, options, {
    header: undefined as boolean | undefined,
    separator: undefined as string | undefined,
    comment: undefined as string | undefined,
    lines: undefined as readonly [first: number, last?: number] | undefined,
    fill: false,
    missing: [] as readonly string[],
    dtypes: {} as Readonly<Record<string, ColumnType>>,
  });
  const { separator, comment } = given;
  if (separator !== undefined) textOf(op, "the separator", separator);
  if (separator !== undefined && separator !== "whitespace" && (separator.length !== 1 || /["\r\n]/.test(separator))) {
    throw new ValueError(op, `the separator must be "whitespace", or one character and no quote or line's end, got ${shown(separator)}`);
  }
  if (comment !== undefined && (textOf(op, "the comment", comment) === "" || /["\r\n]/.test(comment) || comment === separator)) {
    throw new ValueError(op, `a comment begins with a text without quotes and lines' ends that is not the separator, got ${shown(comment)}`);
  }
  const missing = new Set(listOf(op, "a list of texts that are missing values", given.missing).map((entry) => textOf(op, "a missing value", entry)));
  const [from, to] = given.lines === undefined ? [1, undefined] : listOf(op, "the first and the last line", given.lines);
  const range = { first: countOf(op, "the first line", from, 1), last: to === undefined ? Infinity : countOf(op, "the last line", to, 1) };
  const read = textFrom(op, text);
  const scanned = (separator: string | undefined) => {
    const fields = new Fields(op, read, separator, comment);
    const { starts, ends } = fields.scan(range);
    return { fields, starts, ends, first: Array.from(starts.subarray(0, ends[0] ?? 0), (start) => fields.textAt(start)) };
  };
  let found = scanned(separator);
  // Numbers with blanks between them, as NumPy's savetxt writes them, are not one field.
  const numbers = (found.first[0] ?? "").trim().split(/[ \t]+/);
  if (separator === undefined && found.first.length === 1 && numbers.length > 1 && numbers.every(isNumber)) found = scanned("whitespace");
  const { fields, starts, ends, first } = found;
  const header = given.header === undefined ? !(first.length > 0 && first.every(isNumber)) : flagOf(op, "header", given.header);
  if (header && haveNames(fields, starts, ends)) first.unshift("");
  const names = header ? distinct(first) : first.map((_, column) => String(column));
  const body = bodyOf(fields, starts, ends, first, header, given.fill);
  return table(fields, names, header, body, missing, dtypesOf(op, given.dtypes, names));
}

/** Whether the rows have names, for which the header has none: all have one field more, of which
 * the last is not just the separator at the end of the line. */
function haveNames(fields: Fields, starts: Uint32Array, ends: Uint32Array): boolean {
  const count = (ends[0] ?? 0) + 1;
  for (let row = 1; row < ends.length; row++) if ((ends[row] as number) - (ends[row - 1] as number) !== count) return false;
  for (let row = 1; row < ends.length; row++) if (fields.textAt(starts[(ends[row] as number) - 1] as number) !== "") return true;
  return false;
}

/** Where the fields begin of all rows that are not the header, of which each has as many as the
 * first. Throws `FormatError` where one has others. */
function bodyOf(fields: Fields, starts: Uint32Array, ends: Uint32Array, first: readonly string[], header: boolean, fill: boolean): Uint32Array {
  const { op, text } = fields;
  const width = first.length;
  let filled = 0;
  for (let row = 1; row < ends.length; row++) {
    const from = ends[row - 1] as number;
    const count = (ends[row] as number) - from;
    const missing = width - count;
    if (missing === 0) continue;
    const what = () => `line ${fields.lineOf(starts[from] as number)} has ${count} fields, the first row ${width}`;
    // The separator at the end of a line may be left out.
    const isFilled = missing > 0 && (fill || (missing === 1 && first.at(-1) === ""));
    if (!isFilled) throw new FormatError(op, `${what()}${missing > 0 ? "; { fill: true } pads it" : ""}`);
    filled += missing;
    if (filled > MOST_FILLED + text.length) throw new FormatError(op, `${what()}; it would be padded by more than the file has`);
  }
  const skipped = header ? 1 : 0;
  if (filled === 0) return starts.subarray(header ? ends[0] : 0);
  const body = new Uint32Array(width * (ends.length - skipped)).fill(ABSENT);
  for (let row = skipped; row < ends.length; row++) body.set(starts.subarray(row === 0 ? 0 : ends[row - 1], ends[row]), width * (row - skipped));
  return body;
}

/** The types that were asked for, checked. */
function dtypesOf(op: string, dtypes: unknown, names: readonly string[]): Map<string, ColumnType> {
  if (typeof dtypes !== "object" || dtypes === null) throw new ValueError(op, `dtypes is an object of types by columns, got ${shown(dtypes)}`);
  for (const [name, dtype] of Object.entries(dtypes)) {
    if (!names.includes(name)) throw new ValueError(op, `dtypes: ${noColumn(name, names)}`);
    if (!columnTypes.includes(dtype as ColumnType)) throw new ValueError(op, `dtypes: a column is of type ${columnTypes.join(", ")}, got ${shown(dtype)}`);
  }
  return new Map(Object.entries(dtypes));
}

function noColumn(name: unknown, names: readonly string[]): string {
  return `there is no column ${shown(name)}; there are ${names.slice(0, 20).join(", ")}`;
}

/** Names of columns, no two the same. */
function distinct(fields: readonly string[]): string[] {
  const taken = new Set(fields);
  const counts = new Map<string, number>();
  return fields.map((field, column) => {
    let count = counts.get(field);
    const base = field === "" ? `Unnamed: ${column}` : field;
    let name = base;
    // The first column of a name has it; others get a number, and no name that is already
    // somebody's.
    if (field === "" || count !== undefined) for (count ??= 0; taken.has(name); ) name = `${base}_${++count}`;
    if (field !== "") counts.set(field, count ?? 0);
    if (name !== field) taken.add(name);
    return name;
  });
}

/** The table whose rows begin, field by field, where `body` says. */
function table(fields: Fields, names: readonly string[], header: boolean, body: Uint32Array, missing: ReadonlySet<string>, dtypes: ReadonlyMap<string, ColumnType>): Table {
  const { op } = fields;
  const width = names.length;
  const count = width === 0 ? 0 : body.length / width;
  let positions: Map<string, number> | undefined;
  const position = (name: string) => {
    const column = (positions ??= new Map(names.map((name, column) => [name, column]))).get(name);
    if (column === undefined) throw new ValueError(op, noColumn(name, names));
    return column;
  };
  const cellsOf = (column: number): Cells => ({
    length: count,
    text: (row) => fields.textAt(body[row * width + column] as number),
    number: (row) => fields.numberAt(body[row * width + column] as number),
    isWhole: () => fields.isWhole,
    line: (row) => fields.lineOf(body[row * width] as number),
  });
  const columns = new Map<string, Column>();
  const typed = (name: string) => {
    let column = columns.get(name);
    if (!column) columns.set(name, (column = columnOf(op, name, cellsOf(position(name)), missing, dtypes.get(name))));
    return column;
  };
  const rowsTo = (end: number) => Array.from({ length: end }, (_, row) => names.map((_, column) => fields.textAt(body[row * width + column] as number)));
  let rows: readonly (readonly string[])[] | undefined;
  return {
    names,
    header,
    get rows() {
      return (rows ??= rowsTo(count));
    },
    length: count,
    head: (most = 5) => rowsTo(Math.min(count, countOf(op, "the number of rows", most))),
    column(name) {
      const at = position(name);
      return Array.from({ length: count }, (_, row) => fields.textAt(body[row * width + at] as number));
    },
    typed,
    tensor: (chosen = names) => {
      if (typeof chosen === "string") throw new ValueError(op, `tensor takes a list of columns: tensor([${shown(chosen)}]); typed(${shown(chosen)}) has the values of one`);
      const read = listOf(op, "a list of names", chosen).map((name) => typed(name as string));
      const values = new Float32Array(count * read.length);
      for (const [at, column] of read.entries()) {
        const numbers = numbersOf(column);
        for (let row = 0; row < count; row++) values[row * read.length + at] = numbers[row] as number;
      }
      return tensor(values, { shape: [count, read.length] });
    },
  };
}
