// How does a tensor become a picture? The one place that turns values into pixels; everything that shows an image
// goes through `render`.

import type { TensorLike } from "./library";
import { tableOf } from "./colormap";
import type { Colormap } from "./colormap";

export interface Layout {
  readonly count: number;
  readonly height: number;
  readonly width: number;
  /** 1, 3 or 4. */
  readonly channels: number;
}

export interface RenderOptions {
  readonly colormap: Colormap;
  /** The values that become the ends of the map; found from the data where absent. */
  readonly range?: readonly [number, number] | undefined;
  /** Tiles in a row. */
  readonly columns?: number | undefined;
}

export interface Picture {
  readonly bitmap: ImageBitmap;
  readonly layout: Layout;
  readonly columns: number;
  readonly range: readonly [number, number];
}

const MAX_TILES = 400;
const MAX_SIDE = 8_192;

/** How a shape is read as images: [H, W], [H, W, 3|4], [N, H, W] or [N, H, W, 1|3|4]. */
export function layoutOf(shape: readonly number[], what: string): Layout {
  const [a = 0, b = 0, c = 0, d = 0] = shape;
  const make = (count: number, height: number, width: number, channels: number): Layout => {
    if (count * height * width === 0) throw new RangeError(`${what}: [${shape.join(",")}] holds no pixels`);
    return { count, height, width, channels };
  };
  if (shape.length === 2) return make(1, a, b, 1);
  if (shape.length === 3) return c === 3 || c === 4 ? make(1, a, b, c) : make(a, b, c, 1);
  if (shape.length === 4 && (d === 1 || d === 3 || d === 4)) return make(a, b, c, d);
  throw new TypeError(`${what}: [${shape.join(",")}] is no image: expected [H,W], [H,W,3|4], [N,H,W] or [N,H,W,1|3|4]`);
}

export async function render(tensor: TensorLike, options: RenderOptions, what: string): Promise<Picture> {
  const full = layoutOf(tensor.shape, what);
  const layout = { ...full, count: Math.min(full.count, MAX_TILES) };
  const columns = Math.min(options.columns ?? Math.ceil(Math.sqrt(layout.count * 1.6)), layout.count);
  const rows = Math.ceil(layout.count / columns);
  if (columns * layout.width > MAX_SIDE || rows * layout.height > MAX_SIDE)
    throw new RangeError(`${what}: [${tensor.shape.join(",")}] is larger than ${MAX_SIDE} pixels a side`);
  const data = await tensor.data();
  const range = options.range ?? rangeOf(data, tensor.dtype);
  const pixels = paint(data, layout, columns, range, tableOf(options.colormap));
  const canvas = new OffscreenCanvas(columns * layout.width, rows * layout.height);
  const context = canvas.getContext("2d");
  if (!context) throw new Error(`${what}: this browser gives a worker no 2D canvas`);
  context.putImageData(new ImageData(pixels, canvas.width, canvas.height), 0, 0);
  return { bitmap: canvas.transferToImageBitmap(), layout, columns, range };
}

/** 0…1 for what lies within it, 0…255 for bytes, else the values' own extent. */
function rangeOf(data: ArrayLike<number>, dtype: string): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < data.length; i++) {
    const value = data[i]!;
    if (value < low) low = value;
    if (value > high && value !== Infinity) high = value;
  }
  if (!(low <= high)) return [0, 1];
  if (dtype === "bool" || (low >= 0 && high <= 1)) return [0, 1];
  if (dtype !== "f32" && low >= 0 && high <= 255) return [0, 255];
  return low === high ? [low, low + 1] : [low, high];
}

function paint(
  data: ArrayLike<number>,
  { count, height, width, channels }: Layout,
  columns: number,
  [low, high]: readonly [number, number],
  table: Uint8ClampedArray,
): Uint8ClampedArray<ArrayBuffer> {
  const stride = columns * width;
  const pixels = new Uint8ClampedArray(stride * Math.ceil(count / columns) * height * 4);
  const gain = 255 / (high - low);
  let from = 0;
  for (let tile = 0; tile < count; tile++) {
    const left = (tile % columns) * width;
    const top = Math.floor(tile / columns) * height;
    for (let y = 0; y < height; y++) {
      let to = ((top + y) * stride + left) * 4;
      for (let x = 0; x < width; x++, to += 4, from += channels) {
        if (channels === 1) {
          const level = (data[from]! - low) * gain;
          // NaN stays transparent: it is no colour of the map.
          if (level !== level) continue;
          const entry = Math.max(0, Math.min(255, Math.round(level))) * 3;
          pixels[to] = table[entry]!;
          pixels[to + 1] = table[entry + 1]!;
          pixels[to + 2] = table[entry + 2]!;
          pixels[to + 3] = 255;
        } else {
          for (let channel = 0; channel < 3; channel++) pixels[to + channel] = (data[from + channel]! - low) * gain;
          pixels[to + 3] = channels === 4 ? (data[from + 3]! - low) * gain : 255;
        }
      }
    }
  }
  return pixels;
}
