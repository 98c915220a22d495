// Normalisation of drawn digits to the form of a network's training images. It crops a drawing to
// the ink, makes the strokes as thick as theirs, scales it into a box, and places it there by its
// centre of mass, as MNIST's are, or so that it fills the box.

export interface Ink {
  /** 0 (empty) to 1, row by row. */
  readonly values: ArrayLike<number>;
  readonly width: number;
  readonly height: number;
}

export interface DigitForm {
  /** Pixels a side of the result. */
  readonly size: number;
  /** Pixels left empty on each side: across and down. */
  readonly margin: readonly [number, number];
  /** `mass`: proportions kept, the centre of mass in the middle. `box`: as high as the box, no
   * wider than it, in its middle. */
  readonly fit: "mass" | "box";
  /** The mean of the result, for which strokes are made thicker or thinner; null leaves them as
   * they are. */
  readonly ink: number | null;
}

interface Box {
  readonly left: number;
  readonly top: number;
  /** Behind the last column and row. */
  readonly right: number;
  readonly bottom: number;
}

const DRAWN = 0.05;

/** `size` × `size` values; all zeros where there is no ink. */
export function normalizeInk(drawn: Ink, form: DigitForm): Float32Array<ArrayBuffer> {
  const { size } = form;
  const result = new Float32Array(size * size);
  const ink = form.ink === null ? drawn : weighted(drawn, form, form.ink);
  const { values, width, height } = ink;
  const box = boxOf(ink);
  if (!box) return result;
  const [scaleX, scaleY] = scalesOf(box, form);
  const [centreX, centreY] = form.fit === "mass" ? massOf(ink) : [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  // Ink never leaves the picture for the sake of its centre.
  const place = (centre: number, low: number, high: number, scale: number) => Math.max(-low * scale, Math.min(size - high * scale, size / 2 - centre * scale));
  const offsetX = place(centreX, box.left, box.right, scaleX);
  const offsetY = place(centreY, box.top, box.bottom, scaleY);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++)
      result[y * size + x] = average(values, width, height, (x - offsetX) / scaleX, (y - offsetY) / scaleY, 1 / scaleX, 1 / scaleY);
  return result;
}

function boxOf({ values, width, height }: Ink): Box | null {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (values[y * width + x]! > DRAWN) {
        left = Math.min(left, x);
        right = Math.max(right, x + 1);
        top = Math.min(top, y);
        bottom = Math.max(bottom, y + 1);
      }
  return right === 0 ? null : { left, top, right, bottom };
}

function scalesOf({ left, top, right, bottom }: Box, { size, margin, fit }: DigitForm): [number, number] {
  const across = (size - 2 * margin[0]) / (right - left);
  const down = (size - 2 * margin[1]) / (bottom - top);
  return fit === "mass" ? [Math.min(across, down), Math.min(across, down)] : [Math.min(across, down), down];
}

function massOf({ values, width, height }: Ink): [number, number] {
  let [mass, x, y] = [0, 0, 0];
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const value = values[row * width + column]!;
      mass += value;
      x += value * (column + 0.5);
      y += value * (row + 0.5);
    }
  return [x / mass, y / mass];
}

/** The mean over a rectangle whose corner is (x, y), by area; outside there is no ink. */
function average(values: ArrayLike<number>, width: number, height: number, x: number, y: number, across: number, down: number): number {
  let sum = 0;
  for (let row = Math.max(0, Math.floor(y)); row < Math.min(height, y + down); row++) {
    const tall = Math.min(row + 1, y + down) - Math.max(row, y);
    for (let column = Math.max(0, Math.floor(x)); column < Math.min(width, x + across); column++) {
      const wide = Math.min(column + 1, x + across) - Math.max(column, x);
      sum += values[row * width + column]! * tall * wide;
    }
  }
  return Math.min(1, sum / (across * down));
}

/** The drawing with every stroke wider or narrower by as much as brings its mean to `aim` once it
 * is scaled. */
function weighted(ink: Ink, form: DigitForm, aim: number): Ink {
  const { values, width, height } = ink;
  const drawn = Float64Array.from(values, (value) => (value > 0.5 ? 1 : 0));
  const outside = distancesTo(drawn, 1, width, height);
  const inside = distancesTo(drawn, 0, width, height);
  // To the edge of the ink, in pixels: negative within.
  const edge = outside.map((distance, i) => Math.sqrt(distance) - Math.sqrt(inside[i]!));
  const within = (reach: number) => ({ width, height, values: edge.map((distance) => (distance <= reach ? 1 : 0)) });
  const meanOf = (candidate: Ink & { values: Float64Array }) => {
    const box = boxOf(candidate);
    if (!box) return 0;
    const [scaleX, scaleY] = scalesOf(box, form);
    return (candidate.values.reduce((sum, value) => sum + value, 0) * scaleX * scaleY) / form.size ** 2;
  };
  // Half of the thickest stroke stays at least.
  let [low, high] = [edge.reduce((least, distance) => Math.min(least, distance), 0) / 2, Math.max(width, height) / 4];
  for (let i = 0; i < 8; i++) {
    const middle = (low + high) / 2;
    if (meanOf(within(middle)) < aim) low = middle;
    else high = middle;
  }
  return within(high);
}

/** From each pixel the squared distance to the nearest one of that value, exact (Felzenszwalb and
 * Huttenlocher, 2012). */
function distancesTo(values: Float64Array, value: number, width: number, height: number): Float64Array {
  const far = (width + height) ** 2;
  const result = values.map((each) => (each === value ? 0 : far));
  for (let x = 0; x < width; x++) lowerEnvelope(result, x, width, height);
  for (let y = 0; y < height; y++) lowerEnvelope(result, y * width, 1, width);
  return result;
}

/** Replaces each of `count` values f(q) by the least (p − q)² + f(q). */
function lowerEnvelope(values: Float64Array, start: number, stride: number, count: number): void {
  const f = Float64Array.from({ length: count }, (_, i) => values[start + i * stride]!);
  const roots = new Int32Array(count);
  const ends = new Float64Array(count + 1);
  let last = 0;
  [ends[0], ends[1]] = [-Infinity, Infinity];
  for (let q = 1; q < count; q++) {
    const crossing = () => (f[q]! + q * q - (f[roots[last]!]! + roots[last]! ** 2)) / (2 * (q - roots[last]!));
    let at = crossing();
    while (at <= ends[last]!) {
      last--;
      at = crossing();
    }
    last++;
    [roots[last], ends[last], ends[last + 1]] = [q, at, Infinity];
  }
  for (let p = 0, k = 0; p < count; p++) {
    while (ends[k + 1]! < p) k++;
    values[start + p * stride] = (p - roots[k]!) ** 2 + f[roots[k]!]!;
  }
}
