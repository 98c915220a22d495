// Rasterisation of tensors on the CPU, as `shaders/image.wgsl` does it: each pixel shows the
// element that it falls into.

import type { Data } from "../core/tensor/dtype.js";
import { colour, type Colormap } from "./colormap.js";

/** What is drawn, and how. */
export interface Picture {
  readonly data: Data;
  readonly rows: number;
  readonly columns: number;
  /** 1 (through the colormap), 3 (red, green, blue) or 4 (and opacity). */
  readonly channels: number;
  readonly low: number;
  readonly high: number;
  readonly colormap: Colormap;
  /** Whether the first row is at the bottom. */
  readonly flip: boolean;
}

const NAN: readonly number[] = [255, 0, 255, 255];

/** Red, green, blue and opacity, a byte each, of `width` × `height` pixels. */
export function pixelsOf(picture: Picture, width: number, height: number): Uint8ClampedArray<ArrayBuffer> {
  const { data, rows, columns, channels, low, high, colormap, flip } = picture;
  const pixels = new Uint8ClampedArray(width * height * 4);
  const scaled = (i: number) => (high === low ? 0.5 : Math.min(1, Math.max(0, ((data[i] as number) - low) / (high - low))));
  for (let y = 0; y < height; y++) {
    const fromTop = Math.min(Math.floor(((y + 0.5) / height) * rows), rows - 1);
    const row = flip ? rows - 1 - fromTop : fromTop;
    for (let x = 0; x < width; x++) {
      const column = Math.min(Math.floor(((x + 0.5) / width) * columns), columns - 1);
      const first = (row * columns + column) * channels;
      const places = Array.from({ length: channels }, (_, channel) => first + channel);
      const into = (y * width + x) * 4;
      if (places.some((place) => Number.isNaN(data[place]))) {
        pixels.set(NAN, into);
        continue;
      }
      const parts = channels === 1 ? colour(colormap, scaled(first)) : places.map(scaled);
      pixels.set([...parts.slice(0, 3), parts[3] ?? 1].map((part) => part * 255), into);
    }
  }
  return pixels;
}
