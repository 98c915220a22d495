// How does a drawing become what a network was trained on? As MNIST was made: cropped to the ink, scaled to fit a box
// with its proportions kept, and placed so that its centre of mass is the centre.

export interface Ink {
  /** 0 (empty) to 1, row by row. */
  readonly values: ArrayLike<number>;
  readonly width: number;
  readonly height: number;
}

/** `size` × `size` values with the ink inside a margin; all zeros where there is no ink. */
export function normalizeInk({ values, width, height }: Ink, size: number, margin: number): Float32Array<ArrayBuffer> {
  const result = new Float32Array(size * size);
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (values[y * width + x]! > 0.05) {
        left = Math.min(left, x);
        right = Math.max(right, x);
        top = Math.min(top, y);
        bottom = Math.max(bottom, y);
      }
  if (right < left) return result;

  let [mass, massX, massY] = [0, 0, 0];
  for (let y = top; y <= bottom; y++)
    for (let x = left; x <= right; x++) {
      const value = values[y * width + x]!;
      mass += value;
      massX += value * (x + 0.5);
      massY += value * (y + 0.5);
    }
  const scale = (size - 2 * margin) / Math.max(right - left + 1, bottom - top + 1);
  // Ink never leaves the picture for the sake of its centre of mass.
  const place = (centre: number, low: number, high: number) =>
    Math.max(-low * scale, Math.min(size - high * scale, size / 2 - centre * scale));
  const offsetX = place(massX / mass, left, right + 1);
  const offsetY = place(massY / mass, top, bottom + 1);

  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++)
      result[y * size + x] = average(values, width, height, (x - offsetX) / scale, (y - offsetY) / scale, 1 / scale);
  return result;
}

/** The mean over a square of side `side` whose corner is (x, y), by area; outside there is no ink. */
function average(values: ArrayLike<number>, width: number, height: number, x: number, y: number, side: number): number {
  let sum = 0;
  for (let row = Math.max(0, Math.floor(y)); row < Math.min(height, y + side); row++) {
    const tall = Math.min(row + 1, y + side) - Math.max(row, y);
    for (let column = Math.max(0, Math.floor(x)); column < Math.min(width, x + side); column++) {
      const wide = Math.min(column + 1, x + side) - Math.max(column, x);
      sum += values[row * width + column]! * tall * wide;
    }
  }
  return Math.min(1, sum / (side * side));
}
