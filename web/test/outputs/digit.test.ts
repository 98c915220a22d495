// Normalisation of digits: a drawing comes out as the training images are, so that a network that
// learned from them can read it.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { normalizeInk } from "../../src/state/outputs/digit";
import type { DigitForm } from "../../src/state/outputs/digit";

const SIDE = 240;
/** As notebooks/mnist.md asks for it, for the digits that ship with the page. */
const SHIPPED: DigitForm = { size: 8, margin: [1, 0], fit: "box", ink: 0.3 };

type Stroke = readonly (readonly [number, number])[];
const arc = (x: number, y: number, rx: number, ry: number, from: number, to: number): Stroke =>
  Array.from({ length: 25 }, (_, i) => {
    const angle = ((from + ((to - from) * i) / 24) * Math.PI) / 180;
    return [x + rx * Math.cos(angle), y + ry * Math.sin(angle)] as const;
  });

/** Digits as people draw them with a pointer, in a square of side 1; some in two ways. */
const DRAWN: readonly (readonly [digit: number, strokes: readonly Stroke[]])[] = [
  [0, [arc(0.5, 0.5, 0.24, 0.34, -90, 270)]],
  [1, [[[0.5, 0.15], [0.5, 0.85]]]],
  [1, [[[0.38, 0.3], [0.52, 0.15], [0.52, 0.85]]]],
  [2, [[...arc(0.5, 0.34, 0.22, 0.18, -170, 40), [0.28, 0.83], [0.76, 0.83]]]],
  [3, [arc(0.47, 0.33, 0.2, 0.17, -150, 90), arc(0.47, 0.66, 0.23, 0.18, -90, 150)]],
  [4, [[[0.5, 0.14], [0.26, 0.56], [0.78, 0.56]], [[0.62, 0.36], [0.58, 0.88]]]],
  [5, [[[0.7, 0.16], [0.36, 0.16], [0.33, 0.46], ...arc(0.48, 0.64, 0.22, 0.2, -110, 150)]]],
  [6, [[[0.62, 0.13], ...arc(0.52, 0.5, 0.24, 0.36, -110, -190), ...arc(0.5, 0.66, 0.2, 0.19, 190, -170)]]],
  [7, [[[0.26, 0.17], [0.74, 0.17], [0.44, 0.86]]]],
  [8, [Array.from({ length: 49 }, (_, i) => [0.5 + 0.18 * Math.sin((i * Math.PI) / 12), 0.5 - 0.35 * Math.cos((i * Math.PI) / 24)] as const)]],
  [9, [[...arc(0.5, 0.34, 0.2, 0.19, 0, -360), [0.68, 0.5], [0.6, 0.87]]]],
];

/** The pad's picture of strokes: round pen, `pen` pixels wide. */
function picture(strokes: readonly Stroke[], pen: number, scale: number, left: number, top: number) {
  const values = new Float32Array(SIDE * SIDE);
  for (const stroke of strokes)
    for (let i = 1; i < stroke.length; i++) {
      const [[ax, ay], [bx, by]] = [stroke[i - 1]!, stroke[i]!].map(([x, y]) => [left + x * scale, top + y * scale]) as [[number, number], [number, number]];
      const steps = Math.ceil(Math.hypot(bx - ax, by - ay)) + 1;
      for (let s = 0; s <= steps; s++) {
        const [cx, cy] = [ax + ((bx - ax) * s) / steps, ay + ((by - ay) * s) / steps];
        for (let y = Math.max(0, Math.floor(cy - pen / 2)); y < Math.min(SIDE, cy + pen / 2); y++)
          for (let x = Math.max(0, Math.floor(cx - pen / 2)); x < Math.min(SIDE, cx + pen / 2); x++)
            if ((x + 0.5 - cx) ** 2 + (y + 0.5 - cy) ** 2 <= (pen / 2) ** 2) values[y * SIDE + x] = 1;
      }
    }
  return { values, width: SIDE, height: SIDE };
}

const file = (name: string) => gunzipSync(readFileSync(new URL(`../../public/data/digits/${name}.gz`, import.meta.url)));
const images = file("train-images-idx3-ubyte").subarray(16);
const labels = file("train-labels-idx1-ubyte").subarray(8);

/** What most of the five most similar training images are. */
function nearest(pixels: Float32Array): number {
  const distances = Array.from(labels, (label, i) => {
    let sum = 0;
    for (let k = 0; k < 64; k++) sum += (images[i * 64 + k]! / 255 - pixels[k]!) ** 2;
    return { label, sum };
  }).sort((a, b) => a.sum - b.sum);
  const votes = new Map<number, number>();
  for (const { label } of distances.slice(0, 5)) votes.set(label, (votes.get(label) ?? 0) + 1);
  return [...votes].sort(([, a], [, b]) => b - a)[0]![0];
}

describe("a digit drawn for the 8 × 8 set", () => {
  for (const [how, pen, scale, left, top] of [["large", 19, 240, 0, 0], ["small, in a corner", 19, 130, 100, 10], ["with a fine pen", 9, 200, 20, 20]] as const)
    it(`${how}, is read by its nearest training images`, () => {
      const read = DRAWN.map(([, strokes]) => nearest(normalizeInk(picture(strokes, pen, scale, left, top), SHIPPED)));
      expect(read).toEqual(DRAWN.map(([digit]) => digit));
    }, 120_000);
  it("fills the height, keeps out of the margin and has as much ink as the training images", () => {
    for (const [, strokes] of DRAWN) {
      const pixels = normalizeInk(picture(strokes, 19, 150, 40, 30), SHIPPED);
      const row = (y: number) => pixels.subarray(y * 8, y * 8 + 8).some((value) => value > 0.1);
      expect([row(0), row(7)]).toEqual([true, true]);
      expect(pixels.filter((value, i) => (i % 8 === 0 || i % 8 === 7) && value > 0.01).length).toBe(0);
      expect(pixels.reduce((sum, value) => sum + value, 0) / 64).toBeCloseTo(0.3, 1);
    }
  }, 120_000);
});
