// Summary of a tensor: its dtype and shape, the spread of its values, and its corner.

import type { TensorSummary } from "../../protocol/messages";
import { brief } from "../../state/figure";
import type { Tensor } from "./library";

const ROWS = 8;
const COLUMNS = 8;
/** Larger tensors are reduced where they are: reading them to count their NaNs would take long. */
const READ_WHOLE = 1 << 18;

type Statistics = NonNullable<TensorSummary["statistics"]>;

export async function summarize(tensor: Tensor): Promise<TensorSummary> {
  const { dtype, size } = tensor;
  const shape = [...tensor.shape];
  const [rows, columns] = [shape.at(-2) ?? 1, shape.at(-1) ?? 1];
  const cut = { rows: rows > ROWS, columns: columns > COLUMNS };
  const lead = shape.length > 2 ? `[${"0, ".repeat(shape.length - 2)}…]` : "";
  const summary = { dtype, shape, cut, lead };
  if (size === 0) return { ...summary, statistics: null, corner: [] };
  if (size <= READ_WHOLE || dtype === "bool") {
    const data = await tensor.data();
    return { ...summary, statistics: statistics(data), corner: cornerOf(data, rows, columns, dtype) };
  }
  const corner = tensor.slice(...shape.map((_, axis) => (axis < shape.length - 2 ? 0 : axis === shape.length - 1 ? [0, COLUMNS] : [0, ROWS]) as number | [number, number]));
  try {
    const [found, data] = await Promise.all([reduced(tensor), corner.data()]);
    return { ...summary, statistics: found, corner: cornerOf(data, Math.min(rows, ROWS), Math.min(columns, COLUMNS), dtype) };
  } finally {
    corner.dispose();
  }
}

/** Elements that are written out. */
const WRITTEN = 1_000;

/** A tensor in text: its values where they are few, else how they spread. */
export async function valuesOf(tensor: Tensor): Promise<string> {
  if (tensor.size <= WRITTEN) {
    // One of its own: the cell may let go of the other meanwhile.
    const held = tensor.reshape([...tensor.shape]).keep();
    try {
      await held.data();
      return held.toString().replace(/^\w+ /, "");
    } finally {
      held.dispose();
    }
  }
  const { dtype, shape, statistics: found } = await summarize(tensor);
  const spread = found ? ` min ${brief(found.min)}, max ${brief(found.max)}, mean ${brief(found.mean)}${found.nan > 0 ? `, ${found.nan} NaN` : ""}` : "";
  return `${dtype}[${shape.join(",")}]${spread}`;
}

/** The same, computed on the device; only where there are NaNs or infinities must the values come
 * here. */
async function reduced(tensor: Tensor): Promise<Statistics> {
  const parts = [tensor.min(), tensor.max(), tensor.mean()];
  try {
    const [min = NaN, max = NaN, mean = NaN] = await Promise.all(parts.map((part) => part.item()));
    if ([min, max, mean].every(Number.isFinite)) return { min, max, mean, nan: 0, infinite: 0 };
    return statistics(await tensor.data());
  } finally {
    for (const part of parts) part.dispose();
  }
}

function cornerOf(data: ArrayLike<number>, rows: number, columns: number, dtype: string): string[][] {
  const write = (value: number | undefined) => (dtype === "bool" ? (value ? "true" : "false") : brief(value ?? NaN));
  return Array.from({ length: Math.min(rows, ROWS) }, (_, row) =>
    Array.from({ length: Math.min(columns, COLUMNS) }, (_, column) => write(data[row * columns + column])),
  );
}

/** Of the numbers that are numbers: a NaN is counted, and would otherwise hide everything else. */
function statistics(data: ArrayLike<number>): Statistics {
  let min = Infinity;
  let max = -Infinity;
  let sum = 0;
  let nan = 0;
  let infinite = 0;
  for (let i = 0; i < data.length; i++) {
    const value = data[i]!;
    if (value !== value) {
      nan++;
      continue;
    }
    if (value < min) min = value;
    if (value > max) max = value;
    if (value === Infinity || value === -Infinity) infinite++;
    sum += value;
  }
  const count = data.length - nan;
  return count === 0
    ? { min: NaN, max: NaN, mean: NaN, nan, infinite }
    : { min, max, mean: sum / count, nan, infinite };
}
