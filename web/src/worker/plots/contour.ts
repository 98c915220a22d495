// `contour`: lines of equal value of a function of two numbers, or of a matrix.

import { linspace, tidy } from "weft-gpu";
import { ticks } from "../../state/outputs/curve";
import { PLOT } from "../../protocol/plots";
import type { ColormapName } from "../../protocol/plots";
import { checkImageOptions } from "../displays/images";
import { isTensor } from "../library/library";
import type { Tensor } from "../library/library";
import { spanOf } from "./bins";
import { checkPlotOptions, clip, frameOf, onePanel, show } from "./options";
import type { CommonOptions, Drawn } from "./options";
import { checkInterval, scalar } from "./curves";
import { POINT_OPTIONS, pointMarks } from "./points";
import type { PointOptions } from "./points";
import { isPromise } from "./values";

export interface ContourOptions extends CommonOptions, PointOptions {
  /** How many levels there are, about, from 1 to 40, or their values; by default about 10. */
  levels?: number | readonly number[];
  /** Whether the areas between the levels are filled; they are by default. */
  filled?: boolean;
  colormap?: ColormapName;
  /** What the values are. */
  label?: string;
  /** One unit is as long on both axes. */
  equal?: boolean;
}

/** Samples of a function along each axis; fewer where it is asked number by number. */
const SIDE = 160;
const SINGLE = 64;

type Surface = (x: never, y: never) => unknown;

/**
 * Draws contours of a function, `contour((x, y) => …, [-2, 2], [-1, 1])`, or of a matrix [H, W]
 * whose first row is the lowest. `{ points: xy, color: labels }` draws points over them.
 *
 * @example
 * contour((x, y) => x ** 2 - y ** 2, [-2, 2], [-1, 1], { title: "A saddle" });
 */
export function contour(fn: Surface, x: readonly [number, number], y: readonly [number, number], options?: ContourOptions): Drawn;
export function contour(values: Tensor | readonly ArrayLike<number>[] | PromiseLike<Tensor>, options?: ContourOptions): Drawn;
export function contour(first: unknown, ...rest: unknown[]): Drawn {
  const isFunction = typeof first === "function";
  const options = ((isFunction ? rest[2] : rest[0]) ?? {}) as ContourOptions;
  checkPlotOptions("contour", options, ["levels", "filled", "colormap", "label", "equal", ...POINT_OPTIONS]);
  checkImageOptions("contour", options.colormap === undefined ? {} : { colormap: options.colormap });
  checkLevels(options.levels);
  const example = "contour(f, [-2, 2], [-1, 1])";
  const [x, y] = isFunction ? [checkInterval("contour", rest[0], example), checkInterval("contour", rest[1], example)] : [null, null];
  const grid = isFunction ? sample(first as (x: unknown, y: unknown) => unknown, x!, y!) : gridOf("contour", first);
  const marks = pointMarks("contour", options);
  return show(contour, async () => {
    const { columns, rows, values } = await grid;
    const { low, high } = spanOf(values);
    const levels = levelsOf(options.levels, low, high);
    const [across, up] = [x ?? options.domain?.map(Number) ?? [0, columns - 1], y ?? options.range ?? [0, rows - 1]] as [Interval, Interval];
    const mark = { type: "field" as const, name: "", colour: 0, columns, rows, x: cellsOf(across, columns), y: cellsOf(up, rows), values, levels, filled: options.filled ?? true };
    const named = isFunction ? { x: "x", y: "y", ...options } : options;
    const [from, to] = low < high ? [low, high] : low === high ? [low - 0.5, high + 0.5] : [0, 1];
    return frameOf({ ...named, domain: across, range: up, log: false }, { x: "numbers", y: "numbers" }, onePanel([mark, ...(await marks)]), { scale: { label: clip(options.label), low: from, high: to, colormap: options.colormap ?? "viridis" }, equal: options.equal ?? false });
  });
}

type Interval = readonly [number, number];

/** The extent of cells whose middles are at equal distances from one end to the other. */
function cellsOf([from, to]: Interval, count: number): [number, number] {
  const half = count > 1 ? (to - from) / (count - 1) / 2 : 0.5;
  return [from - half, to + half];
}

function checkLevels(levels: unknown): void {
  if (levels === undefined) return;
  const fine = Array.isArray(levels) ? levels.length >= 1 && levels.length <= PLOT.levels && levels.every(Number.isFinite) : Number.isInteger(levels) && (levels as number) >= 1 && (levels as number) <= PLOT.levels;
  if (!fine) throw new RangeError(`contour: levels must be a number from 1 to ${PLOT.levels}, or a list of as many values at most`);
}

function levelsOf(levels: ContourOptions["levels"], low: number, high: number): Float64Array<ArrayBuffer> {
  if (typeof levels === "object") return Float64Array.from(levels);
  if (!(high > low)) return new Float64Array(0);
  return Float64Array.from(ticks({ low, high }, levels ?? 10).filter((value) => value > low && value < high).slice(0, PLOT.levels));
}

interface Grid {
  readonly columns: number;
  readonly rows: number;
  readonly values: Float64Array<ArrayBuffer>;
}

async function sample(fn: (x: unknown, y: unknown) => unknown, [left, right]: Interval, [bottom, top]: Interval): Promise<Grid> {
  const at = (from: number, to: number, i: number) => from + ((to - from) * i) / (SINGLE - 1);
  let failure: unknown = null;
  try {
    const [x, y] = tidy(() => [
      linspace(left, right, SIDE).reshape([1, SIDE]).expand([SIDE, SIDE]),
      linspace(bottom, top, SIDE).reshape([SIDE, 1]).expand([SIDE, SIDE]),
    ] as const);
    const z = await (fn(x, y) as unknown);
    if (isTensor(z) && z.size === SIDE * SIDE) return { columns: SIDE, rows: SIDE, values: Float64Array.from(await z.data()) };
    if (isTensor(z)) throw new TypeError(`contour: the function of [${SIDE},${SIDE}] points gives [${z.shape.join(",")}] rather than a value for each`);
  } catch (error) {
    failure = error;
  }
  try {
    const values = await Promise.all(Array.from({ length: SINGLE * SINGLE }, (_, i) => scalar("contour", fn(at(left, right, i % SINGLE), at(bottom, top, Math.floor(i / SINGLE))))));
    return { columns: SINGLE, rows: SINGLE, values: Float64Array.from(values) };
  } catch (error) {
    throw failure ?? error;
  }
}

/** A matrix, its first row first. */
export async function gridOf(what: string, given: unknown): Promise<Grid> {
  const value = isPromise(given) ? await given : given;
  if (isTensor(value)) {
    if (value.ndim !== 2 || value.size === 0) throw new TypeError(`${what}: expected a matrix [H, W], not [${value.shape.join(",")}]`);
    const [rows = 1, columns = 1] = value.shape;
    return reduced(columns, rows, await value.data());
  }
  if (!Array.isArray(value) || value.length === 0 || !value.every((row: ArrayLike<number>) => typeof row === "object" && row !== null && row.length === (value[0] as ArrayLike<number>).length && row.length > 0)) throw new TypeError(`${what}: expected a function, a tensor [H, W] or rows of equal lengths`);
  const rows = value as ArrayLike<number>[];
  return reduced(rows[0]!.length, rows.length, rows.flatMap((row) => Array.from(row)));
}

/** At most as many columns and rows as a plot takes, by leaving out. */
function reduced(columns: number, rows: number, values: ArrayLike<number>): Grid {
  const [across, down] = [Math.min(columns, PLOT.side), Math.min(rows, PLOT.side)];
  const from = (i: number, count: number, of: number) => Math.floor(((i + 0.5) * of) / count);
  return { columns: across, rows: down, values: Float64Array.from({ length: across * down }, (_, i) => values[from(Math.floor(i / across), down, rows) * columns + from(i % across, across, columns)]!) };
}
