// Rendering of tensors as pictures. The GPU draws a tensor on a canvas of the worker, without
// reading it back, and the canvas gives a bitmap that the worker can send. Everything that shows an
// image goes through here.

import { canvas, tidy } from "weft-gpu";
import type { Tensor } from "./library";
import { joined } from "./rest";

export type Colormap = canvas.Colormap;
export const COLORMAPS: readonly Colormap[] = ["gray", "viridis", "diverging"];

export interface Layout {
  readonly count: number;
  readonly height: number;
  readonly width: number;
  /** 1, 3 or 4. */
  readonly channels: number;
}

export interface RenderOptions {
  readonly colormap: Colormap;
  /** The values that become the ends of the map; found from the tensor where absent. */
  readonly range?: readonly [number, number] | undefined;
  /** Tiles in a row. */
  readonly columns?: number | undefined;
  /** Whether the tensor is a batch for sure. */
  readonly tiles: boolean;
}

export interface Picture {
  readonly bitmap: ImageBitmap;
  readonly layout: Layout;
  /** Tiles of the batch that are not shown. */
  readonly omitted: number;
  readonly columns: number;
  readonly range: readonly [number, number];
  /** Of the pictures of a list, where they differ. */
  readonly sizes: [number, number][] | undefined;
}

type Call = <T>(work: () => T) => T;

/** Tiles of a grid. */
export const MAX_TILES = 400;
const MAX_SIDE = 8_192;
/** An idle canvas is let go of after so many milliseconds. */
const IDLE = 2_000;

/** How a shape is read as images: [H, W], [H, W, 3|4], [N, H, W] or [N, H, W, 1|3|4]. Three axes of
 * `tiles` are always [N, H, W]. */
export function layoutOf(shape: readonly number[], what: string, tiles: boolean): Layout {
  const [a = 0, b = 0, c = 0, d = 0] = shape;
  const make = (count: number, height: number, width: number, channels: number): Layout => {
    if (count * height * width === 0) throw new RangeError(`${what}: [${shape.join(",")}] has no pixels`);
    return { count, height, width, channels };
  };
  if (shape.length === 2) return make(1, a, b, 1);
  if (shape.length === 3) return !tiles && (c === 3 || c === 4) ? make(1, a, b, c) : make(a, b, c, 1);
  if (shape.length === 4 && (d === 1 || d === 3 || d === 4)) return make(a, b, c, d);
  if (shape.length < 2) throw new TypeError(`${what}: [${shape.join(",")}] is not an image, which has two axes or more: plot(t) draws a curve, t.reshape([height, width]) makes two axes`);
  throw new TypeError(`${what}: [${shape.join(",")}] is not an image: expected [H,W], [H,W,3|4], [N,H,W] or [N,H,W,1|3|4]`);
}

/** Draws one picture after another on the same canvas. */
export class Renderer {
  private surface: OffscreenCanvas | null = null;
  /** Whether the GPU draws on it: before the library is whole, what it drew is read. */
  private fast = false;
  private idle: ReturnType<typeof setTimeout> | undefined;

  /** What it asks of the device after a wait it asks in `call`, which says whose work that is. */
  constructor(
    private readonly what: string,
    private readonly call: Call,
  ) {}

  /** What the tensor holds when this is called is what the picture shows. */
  async render(tensor: Tensor, options: RenderOptions): Promise<Picture> {
    const full = layoutOf(tensor.shape, this.what, options.tiles);
    const layout = { ...full, count: Math.min(full.count, MAX_TILES) };
    const columns = columnsOf(layout.count, options.columns);
    const { width, height } = this.checkSide(`[${tensor.shape.join(",")}]`, columns * layout.width, Math.ceil(layout.count / columns) * layout.height);
    const sheet = tidy(() => sheetOf(tensor, layout, columns));
    try {
      const range = options.range ?? rangeFor(await extentOf(tensor, this.call), tensor.dtype, options.colormap);
      const surface = this.surfaceOf(width, height);
      await this.call(() => canvas.draw(sheet, surface, { low: range[0], high: range[1], colormap: options.colormap }));
      return { bitmap: surface.transferToImageBitmap(), layout, omitted: full.count - layout.count, columns, range, sizes: undefined };
    } finally {
      sheet.dispose();
    }
  }

  /** Pictures beside each other, each in the corner of a tile as large as the largest, and over its
   * own range. */
  async renderEach(pictures: readonly Tensor[], options: RenderOptions): Promise<Picture> {
    const layouts = pictures.map(({ shape }) => layoutOf(shape, this.what, false));
    const [width, height] = [Math.max(...layouts.map((each) => each.width)), Math.max(...layouts.map((each) => each.height))];
    const columns = columnsOf(layouts.length, options.columns);
    const sheet = this.checkSide(`${layouts.length} pictures of up to [${height},${width}]`, columns * width, Math.ceil(layouts.length / columns) * height);
    const canvas = new OffscreenCanvas(sheet.width, sheet.height);
    const context = canvas.getContext("2d")!;
    // What the tensors hold now is shown, whatever the cell does to them meanwhile.
    const kept = pictures.map((each) => each.reshape(each.shape).keep());
    let range: readonly [number, number] = [0, 1];
    try {
      for (const [i, tensor] of kept.entries()) {
        const picture = await this.call(() => this.render(tensor, { ...options, columns: 1, tiles: false }));
        context.drawImage(picture.bitmap, (i % columns) * width, Math.floor(i / columns) * height);
        picture.bitmap.close();
        range = picture.range;
      }
    } finally {
      for (const each of kept) each.dispose();
    }
    const differ = layouts.some((each) => each.width !== width || each.height !== height);
    const sizes = differ ? layouts.map((each): [number, number] => [each.width, each.height]) : undefined;
    return { bitmap: canvas.transferToImageBitmap(), layout: { count: layouts.length, width, height, channels: 4 }, omitted: 0, columns, range, sizes };
  }

  private checkSide(what: string, width: number, height: number): { width: number; height: number } {
    if (width > MAX_SIDE || height > MAX_SIDE) throw new RangeError(`${this.what}: ${what} is larger than ${MAX_SIDE} pixels a side`);
    return { width, height };
  }

  private surfaceOf(width: number, height: number): OffscreenCanvas {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.release(), IDLE);
    if (this.surface?.width !== width || this.surface.height !== height || this.fast !== joined) {
      this.release();
      this.fast = joined;
      this.surface = new OffscreenCanvas(width, height);
    }
    return this.surface;
  }

  private release(): void {
    if (this.surface) canvas.release(this.surface);
    this.surface = null;
  }
}

/** Columns of a grid: as many as are asked for, else about half as many again as rows. */
const columnsOf = (count: number, asked: number | undefined) => Math.min(asked ?? Math.ceil(Math.sqrt(count * 1.6)), count);

/** All tiles as one image of [rows · H, columns · W], or with channels; a kernel that only moves,
 * fused into what made them. */
function sheetOf(tensor: Tensor, { count, height, width, channels }: Layout, columns: number): Tensor {
  const rows = Math.ceil(count / columns);
  const tiles = tensor.reshape([tensor.size / (height * width * channels), height, width, channels]).slice([0, count]);
  const filled = count === rows * columns ? tiles : tiles.pad([[0, rows * columns - count], [0, 0], [0, 0], [0, 0]]);
  const shape = [rows * height, columns * width];
  return filled
    .reshape([rows, columns, height, width, channels])
    .permute([0, 2, 1, 3, 4])
    .reshape(channels === 1 ? shape : [...shape, channels]);
}

/** The least and the greatest value; infinities and NaN are none. */
async function extentOf(tensor: Tensor, call: Call): Promise<{ low: number; high: number }> {
  const { dtype } = tensor;
  if (dtype === "bool") return { low: 0, high: 1 };
  const all = tensor.reshape([tensor.size]);
  const ends = [all.min(), all.max()];
  try {
    let [low = NaN, high = NaN] = await Promise.all(ends.map((end) => end.item()));
    if (!Number.isFinite(low) || !Number.isFinite(high)) [low, high] = finiteExtent(await call(() => all.data()));
    return { low, high };
  } finally {
    for (const used of [all, ...ends]) used.dispose();
  }
}

/** 0…1 for what lies within it, 0…255 for bytes, else the values' own extent. A diverging map's
 * middle is zero, where the values lie on both sides of it. */
export function rangeFor({ low, high }: { low: number; high: number }, dtype: string, colormap: Colormap): readonly [number, number] {
  if (low > high || (low >= 0 && high <= 1)) return [0, 1];
  if (dtype !== "f32" && low >= 0 && high <= 255) return [0, 255];
  if (colormap !== "diverging" || low >= 0 || high <= 0) return low === high ? [low, low + 1] : [low, high];
  const reach = Math.max(-low, high);
  return [-reach, reach];
}

function finiteExtent(data: ArrayLike<number>): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < data.length; i++) {
    const value = data[i]!;
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}
