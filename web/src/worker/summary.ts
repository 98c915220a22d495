// What does one need to see of a tensor? Its dtype and shape, how its values spread, and its corner.

import type { TensorSummary } from "../protocol/messages";
import { brief } from "./inspect";
import type { TensorLike } from "./library";

const ROWS = 8;
const COLUMNS = 8;

export async function summarize(tensor: TensorLike): Promise<TensorSummary> {
  const shape = [...tensor.shape];
  const { dtype } = tensor;
  return { dtype, shape, ...describe(await tensor.data(), shape, dtype) };
}

type Described = Pick<TensorSummary, "statistics" | "corner" | "cut" | "lead">;

export function describe(data: ArrayLike<number | boolean>, shape: readonly number[], dtype: string): Described {
  const columns = shape.at(-1) ?? 1;
  const rows = shape.length >= 2 ? shape.at(-2)! : 1;
  const shownRows = data.length === 0 ? 0 : Math.min(rows, ROWS);
  const shownColumns = Math.min(columns, COLUMNS);
  const write = (value: number | boolean | undefined) =>
    dtype === "bool" ? (value ? "true" : "false") : brief(Number(value));
  const corner = Array.from({ length: shownRows }, (_, row) =>
    Array.from({ length: shownColumns }, (_, column) => write(data[row * columns + column])),
  );
  return {
    statistics: data.length === 0 ? null : statistics(data),
    corner,
    cut: { rows: rows > shownRows, columns: columns > shownColumns },
    lead: shape.length > 2 ? `[${"0, ".repeat(shape.length - 2)}…]` : "",
  };
}

/** Of the numbers that are numbers: a NaN is counted, and would otherwise hide everything else. */
function statistics(data: ArrayLike<number | boolean>): NonNullable<TensorSummary["statistics"]> {
  let min = Infinity;
  let max = -Infinity;
  let sum = 0;
  let nan = 0;
  let infinite = 0;
  for (let i = 0; i < data.length; i++) {
    const value = Number(data[i]);
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
