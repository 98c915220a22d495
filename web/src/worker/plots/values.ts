// Values that a notebook gives a plot: tensors, arrays of any kind, dates, words, columns of a
// table, promises of any of them. They come as numbers in an array, or as words.

import { deviceInfo } from "weft-gpu";
import { isTensor } from "../library/library";
import type { Tensor } from "../library/library";

/** What a plot takes for the values of one axis: a tensor, an array of numbers, dates or words, a
 * column of a table, or a promise of one. */
export type PlotValues = Tensor | ArrayLike<unknown> | Iterable<unknown> | { readonly data: ArrayLike<unknown> } | PromiseLike<unknown>;

export type Kind = "numbers" | "dates" | "words";

export interface Column {
  readonly kind: Kind;
  /** Numbers, or milliseconds of dates; empty for words. */
  readonly numbers: Float64Array;
  readonly words: readonly string[];
  readonly length: number;
}

/** A tensor on a GPU that is too large to be worth reading: it is binned where it is. Owned by the
 * plot, and flat. */
export interface OnDevice {
  readonly tensor: Tensor;
  readonly length: number;
}
export type Values = Column | OnDevice;
export const isOnDevice = (values: Values): values is OnDevice => "tensor" in values;

/** Values that one plot reads. */
const MOST = 1 << 24;
/** From here on a tensor stays on its device. */
export const LARGE = 1 << 16;

const column = (kind: Kind, numbers: Float64Array, words: readonly string[] = []): Column => ({ kind, numbers, words, length: kind === "words" ? words.length : numbers.length });
export const numbersOf = (values: ArrayLike<number>): Column => column("numbers", Float64Array.from(values));

function checkCount(what: string, count: number): void {
  if (count > MOST) throw new RangeError(`${what}: at most ${MOST.toLocaleString("en")} values, not ${count.toLocaleString("en")}; plot a slice`);
}

/** A tensor that the plot owns, flat, whatever becomes of the cell's. */
export const owned = (tensor: Tensor): Tensor => tensor.reshape([tensor.size]).keep();

const large = (tensor: Tensor) => tensor.size > LARGE && tensor.dtype !== "bool" && deviceInfo()?.kind === "webgpu";

/** Begins to read at once: what a tensor holds now is what is shown. */
export function take(what: string, given: unknown): Promise<Values> {
  if (isTensor(given) && large(given)) return Promise.resolve({ tensor: owned(given), length: given.size });
  return read(what, given);
}

export function read(what: string, given: unknown): Promise<Column> {
  if (isTensor(given)) {
    checkCount(what, given.size);
    return given.data().then(numbersOf);
  }
  if (isPromise(given)) return Promise.resolve(given).then((value) => read(what, value));
  return readArray(what, given);
}

export const isPromise = (value: unknown): value is PromiseLike<unknown> => typeof value === "object" && value !== null && !isTensor(value) && typeof (value as { then?: unknown }).then === "function";
/** What `data.csv` gives. */
const isTable = (value: object): value is { names: readonly unknown[] } => Array.isArray((value as { names?: unknown }).names) && typeof (value as { typed?: unknown }).typed === "function";

function refuseTable(what: string, value: object): void {
  if (isTable(value)) throw new TypeError(`${what}: a table is drawn by its columns, as in ${what}(table.typed(${value.names.slice(0, 2).map((name) => JSON.stringify(String(name).slice(0, 60))).join("), table.typed(")}))`);
}

/** A column of `data.csv`. */
const isColumn = (value: object): value is { data: ArrayLike<unknown> } => "dtype" in value && "data" in value && typeof (value as { data: unknown }).data === "object";

async function readArray(what: string, given: unknown): Promise<Column> {
  if (typeof given === "number" || given instanceof Date) return readArray(what, [given]);
  if (typeof given !== "object" || given === null) throw new TypeError(`${what}: expected a tensor or an array of values, got ${given === null ? "null" : typeof given}`);
  refuseTable(what, given);
  if (isColumn(given)) return readArray(what, given.data);
  if (ArrayBuffer.isView(given) && !(given instanceof DataView)) {
    const values = given as unknown as ArrayLike<number | bigint>;
    checkCount(what, values.length);
    return column("numbers", Float64Array.from(values as ArrayLike<number>, Number));
  }
  const list = listOf(what, given);
  const first = list.find((each) => each !== null && each !== undefined);
  if (isTensor(first)) return column("numbers", Float64Array.from(await Promise.all(list.map((each) => scalarOf(what, each)))));
  if (first instanceof Date) return column("dates", Float64Array.from(list, (each) => (each instanceof Date ? each.getTime() : NaN)));
  if (typeof first === "string") return fromWords(list.map((each) => (each === null || each === undefined ? "" : String(each))));
  return column("numbers", Float64Array.from(list, (each) => numberOf(what, each)));
}

function listOf(what: string, given: object): unknown[] {
  if (Array.isArray(given)) {
    checkCount(what, given.length);
    return given;
  }
  if (Symbol.iterator in given) {
    const list: unknown[] = [];
    for (const each of given as Iterable<unknown>) {
      list.push(each);
      checkCount(what, list.length);
    }
    return list;
  }
  const { length } = given as { length?: unknown };
  if (typeof length !== "number" || !Number.isInteger(length) || length < 0) throw new TypeError(`${what}: expected a tensor or an array of values, got an object`);
  checkCount(what, length);
  return Array.from(given as ArrayLike<unknown>);
}

async function scalarOf(what: string, value: unknown): Promise<number> {
  if (!isTensor(value)) return numberOf(what, value);
  if (value.size !== 1) throw new TypeError(`${what}: a list of tensors is read as numbers where each has one element, but one is [${value.shape.join(",")}]`);
  return value.item();
}

function numberOf(what: string, value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value === "bigint" || typeof value === "boolean") return Number(value);
  if (value === null || value === undefined) return NaN;
  if (value instanceof Date) return value.getTime();
  throw new TypeError(`${what}: values must be numbers, dates or words, not ${Array.isArray(value) ? "arrays of different lengths" : typeof value}`);
}

const DAY = /^\d{4}-\d{2}(-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?)?$/;

/** A file's fields are texts: where all are numbers, or dates as ISO 8601 writes them, they are
 * read as such. */
function fromWords(words: string[]): Column {
  const filled = words.filter((word) => word !== "");
  if (filled.length > 0) {
    const numbers = words.map((word) => (word.trim() === "" || /^(NA|NaN|null)$/i.test(word) ? NaN : Number(word)));
    if (words.every((word, i) => word.trim() === "" || /^(NA|NaN|null)$/i.test(word) || !Number.isNaN(numbers[i]!))) return column("numbers", Float64Array.from(numbers));
    // Without a zone, as Python and spreadsheets write them, dates are in UTC: so the same file is
    // the same plot everywhere.
    if (filled.every((word) => DAY.test(word))) return column("dates", Float64Array.from(words, (word) => Date.parse(/[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(word) ? `${word.replace(" ", "T")}Z` : word)));
  }
  return column("words", new Float64Array(0), words);
}

export interface Series<T> {
  readonly name: string;
  readonly values: T;
}

/** Whether these are values of their own, rather than a list or an object of several series. */
const isValues = (value: unknown): boolean => typeof value === "object" && value !== null && (isTensor(value) || Array.isArray(value) || ArrayBuffer.isView(value) || isPromise(value) || isColumn(value));
const isPlain = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !isValues(value) && !(value instanceof Date) && !(Symbol.iterator in value);

/** Several series: an object from names to values, a list of values, or the columns of a matrix.
 * One series has the name "". */
export function seriesOf<T = unknown>(given: unknown, isOne: (value: unknown) => boolean = () => false, what = "plot"): Series<T>[] {
  if (typeof given === "object" && given !== null) refuseTable(what, given);
  if (isPlain(given) && !isOne(given)) return Object.entries(given).map(([name, values]) => ({ name, values: values as T }));
  if (isTensor(given) && given.ndim === 2) {
    const [, columns = 1] = given.shape;
    if (columns === 1) return [{ name: "", values: owned(given) as T }];
    const shape = `${what}: a matrix is drawn column by column, and [${given.shape.join(",")}] has`;
    if (given.shape[0] === 1) throw new RangeError(`${shape} one row: write ${what}(x[0])`);
    if (columns > MOST_SERIES) throw new RangeError(`${shape} ${columns.toLocaleString("en")} columns, of which at most ${MOST_SERIES} are drawn: write ${what}(x[0]) for a row, ${what}(x.flatten()) for all values`);
    return Array.from({ length: columns }, (_, i) => ({ name: String(i), values: given.slice(null, i).keep() as T }));
  }
  if (Array.isArray(given) && given.length > 0 && given.length <= MOST && given.every((each) => isOne(each) || (isValues(each) && !(isTensor(each) && each.size === 1)))) return given.map((values: T, i) => ({ name: given.length > 1 ? String(i) : "", values }));
  return [{ name: "", values: given as T }];
}

export const MOST_SERIES = 24;
