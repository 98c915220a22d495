// Points over a surface, such as the data beside a classifier's boundary: `contour` and `heatmap`
// draw them in their axes.

import type { Mark } from "../../protocol/plots";
import { isTensor } from "../library/library";
import { checkLengths, clip, groupsOf } from "./options";
import { read } from "./values";
import type { Column, PlotValues } from "./values";

export interface PointOptions {
  /** Points over it: a tensor [N, 2], a list of [x, y], or { x, y } with the values of each. */
  points?: PlotValues | { readonly x: PlotValues; readonly y: PlotValues };
  /** What colours the points: words and whole numbers a colour each, other numbers by the scale. */
  color?: PlotValues;
  /** The radius of a point in pixels, from 0.5 to 20; by default 4. */
  size?: number;
}

export const POINT_OPTIONS = ["points", "color", "size"] as const;

/** Points that are drawn one by one. */
const MOST = 10_000;
/** Whole numbers that are classes rather than amounts. */
const CLASSES = 12;

/** The coordinates of a list of [x, y] or { x, y }; null where the list is none. */
export function pairsOf(points: unknown): [unknown[], unknown[]] | null {
  if (!Array.isArray(points) || points.length === 0) return null;
  if (points.every((point) => Array.isArray(point) && point.length === 2)) return [points.map((point: unknown[]) => point[0]), points.map((point: unknown[]) => point[1])];
  const isPoint = (point: unknown): point is { x: unknown; y: unknown } => typeof point === "object" && point !== null && "x" in point && "y" in point;
  return points.every(isPoint) ? [points.map(({ x }) => x), points.map(({ y }) => y)] : null;
}

export function checkSize(what: string, size: unknown): void {
  if (!(typeof size === "number" && size >= 0.5 && size <= 20)) throw new RangeError(`${what}: size must be a number from 0.5 to 20, not ${String(size)}`);
}

function coordinates(what: string, points: unknown): readonly [unknown, unknown] {
  if (isTensor(points)) {
    if (points.ndim !== 2 || points.shape[1] !== 2) throw new TypeError(`${what}: points are [N, 2], not [${points.shape.join(",")}]`);
    return [points.slice(null, 0), points.slice(null, 1)];
  }
  const pairs = pairsOf(points);
  if (pairs) return pairs;
  const { x, y } = (typeof points === "object" && points !== null ? points : {}) as { x?: unknown; y?: unknown };
  if (x === undefined || y === undefined) throw new TypeError(`${what}: points are a tensor [N, 2], a list of [x, y], or { x, y }, as in ${what}(f, { points: xy, color: labels })`);
  return [x, y];
}

/** Begins to read the points at once, and draws them; none where there are none. */
export function pointMarks(what: string, { points, color, size = 4 }: PointOptions): Promise<Mark[]> {
  checkSize(what, size);
  if (points === undefined) {
    if (color !== undefined) throw new TypeError(`${what}: color is that of points: give points too, or a colormap for the values`);
    return Promise.resolve([]);
  }
  const [x, y] = coordinates(what, points).map((values) => read(what, values)) as [Promise<Column>, Promise<Column>];
  const by = color === undefined ? null : read(what, color);
  return Promise.all([x, y, by]).then(([xs, ys, cs]) => marksOf(what, xs, ys, cs, size));
}

function marksOf(what: string, xs: Column, ys: Column, cs: Column | null, radius: number): Mark[] {
  if (xs.kind === "words" || ys.kind === "words") throw new TypeError(`${what}: points stand at numbers, not at words`);
  checkLengths(what, "x and y of points", xs, ys);
  if (cs) checkLengths(what, "color and points", cs, ys);
  if (xs.length > MOST) throw new RangeError(`${what}: at most ${MOST.toLocaleString("en")} points are drawn over it, not ${xs.length.toLocaleString("en")}: give a slice of them`);
  const dots = (name: string, colour: number, chosen: (i: number) => boolean, values: Float64Array | null): Mark => ({ type: "dots", name: clip(name), colour, x: xs.numbers.filter((_, i) => chosen(i)), y: ys.numbers.filter((_, i) => chosen(i)), values, radius });
  if (!cs) return [dots("", 0, () => true, null)];
  if (cs.kind === "numbers" && !areClasses(cs.numbers)) return [dots("", 0, () => true, cs.numbers)];
  const { names, of } = groupsOf(what, cs, MOST_CLASSES);
  return names.map((name, colour) => dots(name, colour, (i) => of[i] === colour, null));
}

/** Marks of a panel, but for the surface. */
const MOST_CLASSES = 23;

function areClasses(values: Float64Array): boolean {
  const different = new Set<number>();
  for (const value of values) {
    if (!Number.isInteger(value)) return false;
    if (different.add(value).size > CLASSES) return false;
  }
  return true;
}
