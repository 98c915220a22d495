// Binning of more values than a plot can show: along a line the lowest and the highest of each
// column, in a cloud the number of points of each cell. Tensors are binned on their device, and
// only the bins are read; arrays are binned here, alike.

import { histogram2d, isfinite, segmentMax, segmentMin, tidy, where } from "weft-gpu";
import type { Tensor } from "../library/library";

/** Columns of a binned line. */
export const COLUMNS = 1_500;
/** Cells of a binned cloud: about square where a plot is twice as wide as high. */
export const CELLS = { x: 240, y: 120 } as const;

export interface Points {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

export interface Span {
  readonly low: number;
  readonly high: number;
}

/** Work of a run that is asked of the device after a wait. */
export type Call = <T>(work: () => T) => T;

/** A line through the lowest and the highest value of each column; where a column has none, a
 * gap. */
function lineThrough(count: number, x: (i: number) => number, low: ArrayLike<number>, high: ArrayLike<number>, holds: (i: number) => boolean): Points {
  const [xs, ys]: [number[], number[]] = [[], []];
  for (let i = 0; i < count; i++) {
    if (!holds(i)) continue;
    const [a, b] = [low[i]!, high[i]!];
    const empty = !(a <= b);
    xs.push(x(i), x(i));
    if (empty) ys.push(NaN, NaN);
    else {
      // Lowest first where the line rises to the next.
      const next = low[i + 1]! + high[i + 1]!;
      const rises = !(next < a + b);
      ys.push(...(rises ? [a, b] : [b, a]));
    }
  }
  return { x: Float64Array.from(xs), y: Float64Array.from(ys) };
}

const isRising = (x: Float64Array) => {
  for (let i = 1; i < x.length; i++) if (!(x[i]! >= x[i - 1]!)) return false;
  return true;
};

/** A line of at most about twice `COLUMNS` points that looks like this one; one whose x goes back
 * and forth keeps its shape. */
export function thinLine(x: Float64Array, y: Float64Array, log = false): Points {
  if (x.length <= 2 * COLUMNS) return { x, y };
  if (!isRising(x)) return thinCurve(x, y);
  const place = log ? Math.log : (value: number) => value;
  const { low: from, high: to } = spanOf(log ? x.map((value) => (value > 0 ? value : NaN)) : x);
  const [start, end] = [place(from), place(to)];
  const low = new Float64Array(COLUMNS).fill(Infinity);
  const high = new Float64Array(COLUMNS).fill(-Infinity);
  const seen = new Uint8Array(COLUMNS);
  for (let i = 0; i < x.length; i++) {
    const at = Math.min(COLUMNS - 1, Math.floor(((place(x[i]!) - start) / (end - start)) * COLUMNS));
    if (!(at >= 0)) continue;
    seen[at] = 1;
    const value = y[i]!;
    if (!Number.isFinite(value)) continue;
    if (value < low[at]!) low[at] = value;
    if (value > high[at]!) high[at] = value;
  }
  const back = log ? Math.exp : (value: number) => value;
  return lineThrough(COLUMNS, (i) => back(start + ((i + 0.5) / COLUMNS) * (end - start)), low, high, (i) => seen[i] === 1);
}

/** Of points that fall into one cell of a fine grid, one after another, the first. */
function thinCurve(x: Float64Array, y: Float64Array): Points {
  const [h, v] = [spanOf(x), spanOf(y)];
  for (let side = 1_500; ; side /= 2) {
    const [xs, ys]: [number[], number[]] = [[], []];
    let before = "";
    for (let i = 0; i < x.length; i++) {
      const key = `${Math.round(((x[i]! - h.low) / (h.high - h.low || 1)) * side)} ${Math.round(((y[i]! - v.low) / (v.high - v.low || 1)) * side)}`;
      if (key === before) continue;
      before = key;
      xs.push(x[i]!);
      ys.push(y[i]!);
      if (xs.length > 12_000) break;
    }
    if (xs.length <= 12_000 || side < 10) return { x: Float64Array.from(xs), y: Float64Array.from(ys) };
  }
}

/** The least and the greatest of what is finite. */
export function spanOf(values: ArrayLike<number>): Span {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return { low, high };
}

async function readAll(tensors: readonly Tensor[]): Promise<ArrayLike<number>[]> {
  try {
    return await Promise.all(tensors.map((each) => each.data()));
  } finally {
    for (const each of tensors) each.dispose();
  }
}

/** The ends of a tensor's finite values, and of those above zero where `log`. */
export async function spanOnDevice(tensor: Tensor, call: Call, log = false): Promise<Span> {
  const [low, high] = await readAll(call(() => tidy(() => {
    const fine = log ? isfinite(tensor).logicalAnd(tensor.greater(0)) : isfinite(tensor);
    return [where(fine, tensor, Infinity).min(), where(fine, tensor, -Infinity).max()] as const;
  })));
  return { low: low![0]!, high: high![0]! };
}

/** The lowest and highest of equally many neighbours each, on the device: a line over its own
 * positions. */
export async function thinOnDevice(y: Tensor, first: number, step: number, call: Call): Promise<Points> {
  const run = Math.ceil(y.size / COLUMNS);
  const whole = Math.floor(y.size / run);
  const rest = y.size - whole * run;
  const [low, high, lastLow, lastHigh] = await readAll(call(() => tidy(() => {
    const fine = isfinite(y);
    const [above, below] = [where(fine, y, Infinity), where(fine, y, -Infinity)];
    const main = (t: Tensor) => t.slice([0, whole * run]).reshape([whole, run]);
    const ends = rest > 0 ? [above.slice([whole * run, y.size]).min(), below.slice([whole * run, y.size]).max()] : [];
    return [main(above).min(1), main(below).max(1), ...ends];
  })));
  const [lows, highs] = [[...Array.from(low!), ...Array.from(lastLow ?? [])], [...Array.from(high!), ...Array.from(lastHigh ?? [])]];
  return lineThrough(lows.length, (i) => first + step * (i < whole ? i * run + (run - 1) / 2 : whole * run + (rest - 1) / 2), lows, highs, () => true);
}

/** The same of a line over x that never falls; null where it does. */
export async function thinBothOnDevice(x: Tensor, y: Tensor, log: boolean, call: Call): Promise<Points | null> {
  const n = x.size;
  const [rising] = await readAll(call(() => tidy(() => [x.slice([1, n]).greaterEqual(x.slice([0, n - 1])).all()])));
  if (!rising![0]) return null;
  const { low: from, high: to } = await spanOnDevice(x, call, log);
  if (!(to > from)) return null;
  const [start, end] = log ? [Math.log(from), Math.log(to)] : [from, to];
  const [low, high, held] = await readAll(call(() => tidy(() => {
    const place = log ? x.log() : x;
    // What is before the first column, as log of what is not positive, belongs to none.
    const ids = where(isfinite(place), place.sub(start).mul(COLUMNS / (end - start)).floor().clip(0, COLUMNS - 1), COLUMNS).cast("i32");
    const fine = isfinite(y);
    const one = where(isfinite(place), 1, 0);
    return [segmentMin(where(fine, y, Infinity), ids, COLUMNS + 1), segmentMax(where(fine, y, -Infinity), ids, COLUMNS + 1), segmentMax(one, ids, COLUMNS + 1)] as const;
  })));
  const back = log ? Math.exp : (value: number) => value;
  return lineThrough(COLUMNS, (i) => back(start + ((i + 0.5) / COLUMNS) * (end - start)), low!, high!, (i) => held![i]! > 0);
}

export interface Cloud {
  readonly columns: number;
  readonly rows: number;
  readonly x: [number, number];
  readonly y: [number, number];
  /** Row 0 is the lowest. */
  readonly counts: Float64Array;
  /** Means of what colours the points; NaN where there are none. */
  readonly values: Float64Array | null;
}

export interface CloudAxes {
  readonly x: Span;
  readonly y: Span;
  readonly log: { readonly x: boolean; readonly y: boolean };
}

const ends = ({ low, high }: Span, log: boolean): [number, number] => (log ? [Math.log(low), Math.log(high)] : [low, high]);

/** How many points fall into each cell. */
export function countCloud(x: Float64Array, y: Float64Array, values: Float64Array | null, axes: CloudAxes): Cloud {
  const [columns, rows] = [CELLS.x, CELLS.y];
  const [[left, right], [bottom, top]] = [ends(axes.x, axes.log.x), ends(axes.y, axes.log.y)];
  const counts = new Float64Array(columns * rows);
  const sums = values && new Float64Array(columns * rows);
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const [a, b] = [axes.log.x ? Math.log(x[i]!) : x[i]!, axes.log.y ? Math.log(y[i]!) : y[i]!];
    // The last cell has both of its ends, as NumPy's histograms do.
    const column = a === right ? columns - 1 : Math.floor(((a - left) / (right - left)) * columns);
    const row = b === top ? rows - 1 : Math.floor(((b - bottom) / (top - bottom)) * rows);
    if (!(column >= 0 && column < columns && row >= 0 && row < rows)) continue;
    counts[row * columns + column]!++;
    if (sums) sums[row * columns + column]! += values[i]!;
  }
  return { columns, rows, x: [axes.x.low, axes.x.high], y: [axes.y.low, axes.y.high], counts, values: sums && sums.map((sum, i) => sum / counts[i]!) };
}

export async function countOnDevice(x: Tensor, y: Tensor, values: Tensor | null, axes: CloudAxes, call: Call): Promise<Cloud> {
  const [columns, rows] = [CELLS.x, CELLS.y];
  const range = [ends(axes.x, axes.log.x), ends(axes.y, axes.log.y)] as const;
  const read = await readAll(call(() => tidy(() => {
    const place = (t: Tensor, log: boolean) => (log ? t.log() : t);
    // What is not finite lies beyond the cells.
    const inside = (t: Tensor, [low, high]: readonly [number, number]) => where(isfinite(t), t, high + (high - low));
    const [a, b] = [inside(place(x, axes.log.x), range[0]), inside(place(y, axes.log.y), range[1])];
    const options = { bins: [columns, rows], range };
    const { counts } = histogram2d(a, b, options);
    return values ? [counts, histogram2d(a, b, { ...options, weights: values }).counts] : [counts];
  })));
  const turned = (grid: ArrayLike<number>) => Float64Array.from({ length: columns * rows }, (_, i) => grid[(i % columns) * rows + Math.floor(i / columns)]!);
  const counts = turned(read[0]!);
  return { columns, rows, x: [axes.x.low, axes.x.high], y: [axes.y.low, axes.y.high], counts, values: read[1] ? turned(read[1]).map((sum, i) => sum / counts[i]!) : null };
}
