// Text of a tensor for consoles: its dtype and shape, and its values where they are known without
// asking the device.

import type { Data, DType } from "./dtype.js";
import { shapeText } from "./shape.js";

/** The most elements that are shown in full. */
const SHOWN_IN_FULL = 200;
/** Otherwise, elements from each end of each axis. */
const EDGE = 3;

/** `f32[2,3]`. */
export function typeText(dtype: DType, shape: readonly number[]): string {
  return `${dtype}${shapeText(shape)}`;
}

/** A number as it stands in a table: whole numbers whole, others with five significant digits. */
export function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return Object.is(value, -0) ? "-0" : String(value);
  if (!Number.isFinite(value)) return String(value);
  const rounded = Number(value.toPrecision(5));
  const magnitude = Math.abs(rounded);
  return magnitude >= 1e-4 && magnitude < 1e6 ? String(rounded) : rounded.toExponential().replace("e+", "e");
}

/** The values as nested brackets, elided when there are many. */
export function valuesText(data: Data, shape: readonly number[], dtype: DType): string {
  const text = (i: number) => (dtype === "bool" ? String(data[i] !== 0) : numberText(data[i] as number));
  if (shape.length === 0) return text(0);
  const elide = data.length > SHOWN_IN_FULL;
  const indices = shape.map((extent) => shownAlong(extent, elide));
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));

  let width = 0;
  const measure = (axis: number, offset: number): void => {
    for (const i of indices[axis] as (number | null)[]) {
      if (i === null) continue;
      const at = offset + i * (strides[axis] as number);
      if (axis === shape.length - 1) width = Math.max(width, text(at).length);
      else measure(axis + 1, at);
    }
  };
  measure(0, 0);

  const build = (axis: number, offset: number): string => {
    const last = axis === shape.length - 1;
    const parts = (indices[axis] as (number | null)[]).map((i) => {
      if (i === null) return "…";
      const at = offset + i * (strides[axis] as number);
      return last ? text(at).padStart(width) : build(axis + 1, at);
    });
    const separator = last ? ", " : `,${"\n".repeat(Math.max(1, shape.length - 1 - axis))}${" ".repeat(axis + 1)}`;
    return `[${parts.join(separator)}]`;
  };
  return build(0, 0);
}

function shownAlong(extent: number, elide: boolean): (number | null)[] {
  const all = Array.from({ length: extent }, (_, i) => i);
  return elide && extent > 2 * EDGE ? [...all.slice(0, EDGE), null, ...all.slice(-EDGE)] : all;
}
