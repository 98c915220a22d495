// Display of what files hold: a table with the types of its columns, an array, or a list of the
// arrays that one file has.

import type { data } from "weft-gpu";
import type { Content } from "../../protocol/messages";
import { isArrayLike } from "../library/inspect";
import { Zip } from "../run/unzip";

type Table = data.Table;
type ArrayFile = data.ArrayFile;

const ROWS = 100;
const COLUMNS = 60;
/** Fields of a table whose types are found out for its display: of ten million numbers that takes a
 * second. */
const TYPED = 2_000_000;
const CHARACTERS = 200_000;
const ENTRIES = 500;

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

function isTable(value: Fields): boolean {
  return Array.isArray(value["names"]) && typeof value["length"] === "number" && [value["head"], value["typed"], value["column"]].every((each) => typeof each === "function");
}

/** Looks at no value: one that is packed would be unpacked for it. */
const isArrayFile = (value: unknown): value is ArrayFile => isObject(value) && ["shape", "dtype", "bits", "tensor"].every((name) => Object.hasOwn(value, name));

/** Where to find the arrays of a file of several; null where the value is no such file. A list's
 * elements have no names: to ask for those of millions would take a minute. */
function arraysOf(value: Fields): readonly [string, ArrayFile][] | null {
  if (isArrayLike(value)) return null;
  const { tensors } = value;
  const among = isObject(tensors) && "metadata" in value ? tensors : value;
  const entries: [string, ArrayFile][] = [];
  for (const name of Object.keys(among)) {
    const each: unknown = Object.getOwnPropertyDescriptor(among, name)?.value;
    if (!isArrayFile(each)) return null;
    entries.push([name, each]);
  }
  return entries.length > 0 ? entries : null;
}

const plural = (count: number, what: string) => `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;

function tableOf(table: Table, title: string): Content<"table"> {
  const names = table.names.slice(0, COLUMNS);
  let left = CHARACTERS;
  const cell = (text: string) => {
    const shown = text.length > left || text.length > 400 ? `${text.slice(0, Math.max(10, Math.min(400, left)))}…` : text;
    left -= shown.length;
    return shown;
  };
  const rows = table.head(ROWS).map((row) => row.slice(0, COLUMNS).map(cell));
  const types = table.length * names.length <= TYPED ? names.map((name) => typeOf(table, name)) : undefined;
  const size = `${plural(table.length, "row")}, ${plural(table.names.length, "column")}${table.names.length > COLUMNS ? `, of which ${COLUMNS} are shown` : ""}`;
  return { kind: "table", title: title === "" ? size : `${title}: ${size}`, columns: names.map((name) => name.slice(0, 390)), types, rows, omitted: table.length - rows.length };
}

function typeOf(table: Table, name: string): string {
  try {
    const { dtype, missing } = table.typed(name);
    return missing.length > 0 ? `${dtype}, ${missing.length} missing` : dtype;
  } catch {
    return "";
  }
}

function listOf(arrays: readonly [string, ArrayFile][], title: string): Content<"table"> {
  const rows = arrays.slice(0, ENTRIES).map(([name, array]) => {
    try {
      return [name.slice(0, 400), array.dtype, `[${array.shape.join(", ")}]`];
    } catch (error) {
      return [name.slice(0, 400), "", String(error instanceof Error ? error.message : error).slice(0, 400)];
    }
  });
  const size = plural(arrays.length, "array");
  return { kind: "table", title: title === "" ? size : `${title}: ${size}`, columns: ["name", "dtype", "shape"], types: undefined, rows, omitted: arrays.length - rows.length };
}

function zipTable({ names, sizeOf }: Zip, title: string): Content<"table"> {
  const rows = names.slice(0, ENTRIES).map((name) => [name.slice(0, 400), sizeOf(name).toLocaleString("en")]);
  const size = plural(names.length, "file");
  return { kind: "table", title: title === "" ? size : `${title}: ${size}`, columns: ["name", "bytes"], types: undefined, rows, omitted: names.length - rows.length };
}

/** What shows a value that a file was read into: a table, or the array of which a tensor is shown.
 * Null for any other value. */
export function dataContent(value: unknown, title: string): { table: Content<"table"> } | { array: ArrayFile } | null {
  if (!isObject(value)) return null;
  try {
    if (value instanceof Zip) return { table: zipTable(value, title) };
    if (isTable(value)) return { table: tableOf(value as unknown as Table, title) };
    if (isArrayFile(value)) return { array: value };
    const arrays = arraysOf(value);
    return arrays && { table: listOf(arrays, title) };
  } catch {
    // It only looks like one.
    return null;
  }
}
