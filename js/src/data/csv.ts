// How is a table of text read, as spreadsheets write it (RFC 4180)?

import { flagOf, noMore, optionsOf, shown, textOf } from "../core/check.js";
import type { Tensor } from "../core/tensor.js";
import { FormatError, ValueError } from "../errors.js";
import { tensor } from "../ops/create.js";

/**
 * How a table is written.
 *
 * @example
 * data.csv("1;2\n3;4", { separator: ";", header: false }).tensor(); // [[1,2],[3,4]]
 */
export interface CsvOptions {
  /** Whether the first row names the columns; true by default. */
  header?: boolean;
  /** What stands between fields; a comma by default. */
  separator?: string;
}

/**
 * A table: texts in columns.
 *
 * @example
 * const table: data.Table = data.csv("x,name\n1,a\n2,b");
 * table.column("name"); // ["a","b"]
 */
export interface Table {
  /** The names of the columns; their positions where there is no header. */
  readonly names: readonly string[];
  /** The rows, without the header. */
  readonly rows: readonly (readonly string[])[];
  /** The texts of a column. Throws `ValueError` where there is none of this name. */
  column(name: string): string[];
  /** The numbers of some columns, of all by default: f32 [rows, columns]. Empty fields are NaN. Throws `FormatError` for a field that is no number. */
  tensor(names?: readonly string[]): Tensor;
}

/**
 * Reads a table of separated fields, which may be quoted. Throws `FormatError` where a row has more or fewer fields than the first, and where a quote is not closed.
 *
 * @example
 * const table = data.csv("height,weight\n1.8,75\n1.6,52");
 * table.tensor(["weight"]); // [[75],[52]]
 */
export function csv(text: string, options: CsvOptions = {}): Table {
  const op = "csv";
  noMore(op, arguments, 2);
  const given = optionsOf(op, options, { header: true, separator: "," });
  const separator = textOf(op, "the separator", given.separator);
  if (separator.length !== 1 || /["\r\n]/.test(separator)) throw new ValueError(op, `the separator must be one character and no quote or line's end, got ${shown(separator)}`);
  const rows = rowsOf(op, textOf(op, "the table", text).replace(/^\ufeff/, ""), separator);
  const first = rows[0] ?? [];
  for (const [n, row] of rows.entries()) {
    if (row.length !== first.length) throw new FormatError(op, `row ${n + 1} has ${row.length} fields, the first ${first.length}`);
  }
  const named = flagOf(op, "header", given.header);
  const names = named ? first : first.map((_, column) => String(column));
  return table(names, named ? rows.slice(1) : rows);
}

function table(names: readonly string[], rows: readonly (readonly string[])[]): Table {
  const position = (name: string) => {
    const column = names.indexOf(name);
    if (column < 0) throw new ValueError("csv", `there is no column ${shown(name)}; there are ${names.slice(0, 20).join(", ")}`);
    return column;
  };
  return {
    names,
    rows,
    column: (name) => {
      const at = position(name);
      return rows.map((row) => row[at] as string);
    },
    tensor: (chosen = names) => {
      const columns = chosen.map(position);
      const values = new Float32Array(rows.length * columns.length);
      rows.forEach((row, n) =>
        columns.forEach((column, m) => {
          const field = (row[column] as string).trim();
          const value = field === "" || /^nan$/i.test(field) ? NaN : Number(field.replace(/^([+-]?)inf(inity)?$/i, "$1Infinity"));
          if (Number.isNaN(value) && field !== "" && !/^nan$/i.test(field)) {
            throw new FormatError("csv", `row ${n + 1} of column ${shown(names[column])} is no number: ${shown(field.slice(0, 40))}`);
          }
          values[n * columns.length + m] = value;
        }),
      );
      return tensor(values, { shape: [rows.length, columns.length] });
    },
  };
}

/** The fields of each row; an empty line at the end is none. */
function rowsOf(op: string, text: string, separator: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let field = "";
    if (text[at] === '"') {
      // A quote within is written twice.
      for (;;) {
        const end = text.indexOf('"', at + 1);
        if (end < 0) throw new FormatError(op, `a quote in row ${rows.length + 1} is not closed`);
        field += text.slice(at + 1, end);
        at = end + 1;
        if (text[at] !== '"') break;
        field += '"';
      }
    }
    const rest = at;
    while (at < text.length && text[at] !== separator && text[at] !== "\n" && text[at] !== "\r") at++;
    row.push(field + text.slice(rest, at));
    if (text[at] === separator) {
      at++;
      if (at === text.length) row.push("");
      continue;
    }
    rows.push(row);
    row = [];
    at += text[at] === "\r" && text[at + 1] === "\n" ? 2 : 1;
  }
  if (row.length > 0) rows.push(row);
  return rows;
}
