// How do axes reach the core? As 32-bit integers; `undefined` means all of them.

/** One axis, several, or (null) all. Negative axes count from the end. */
export type Axes = number | readonly number[] | null;

/** The core's form of axes. */
export function axesOf(axis: Axes | undefined): Int32Array | undefined {
  if (axis === null || axis === undefined) return undefined;
  return typeof axis === "number" ? Int32Array.of(axis) : Int32Array.from(axis);
}
