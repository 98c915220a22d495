// `image`, and pictures of `heatmap`: shown once, or again and again through the handle they
// return, never more than one frame ahead of the page.

import { MAX_VALUES } from "../../protocol/messages";
import type { Content, OutputId } from "../../protocol/messages";
import { callFrom, check } from "../channel/context";
import { track } from "../channel/pending";
import { checkOptions } from "./arguments";
import { openSlot, shownHandles } from "./displays";
import { replaced } from "./frame";
import type { Slot } from "../channel/context";
import { showLate } from "../channel/latest";
import { brief } from "../../state/figure";
import { RAMPS } from "../../state/plots/colours";
import { isTensor } from "../library/library";
import type { Tensor } from "../library/library";
import { send } from "../channel/port";
import { COLORMAPS, layoutOf, MAX_TILES, Renderer } from "../library/render";
import type { Colormap } from "../library/render";
import type { PointOptions } from "../plots/points";

export interface ImageOptions {
  title?: string;
  /** Screen pixels per value; by default, chosen from the size. */
  scale?: number;
  /** Tiles in a row, for a batch or a list; where a page is narrow, they shrink. */
  columns?: number;
  /** A caption for each tile. */
  labels?: readonly unknown[];
  range?: readonly [number, number];
  colormap?: Colormap;
  /** Smooth enlargement, without visible squares. */
  smooth?: boolean;
}

export interface HeatmapOptions extends ImageOptions, PointOptions {
  /** What the left and the right edge stand for; by default, columns are counted. */
  x?: readonly [number, number];
  /** What the bottom and the top edge stand for; by default, rows are counted from the top. */
  y?: readonly [number, number];
  /** The names of the axes, across and up. */
  names?: readonly [string, string];
}

/** Where the pointer is on a picture: from 0 to 1 across and down. */
export interface Pointer {
  readonly x: number;
  readonly y: number;
  readonly down: boolean;
}

const pointers = new Map<OutputId, Pointer>();
export const pointed = (output: OutputId, pointer: Pointer) => void (pointers.has(output) && pointers.set(output, pointer));

/** Milliseconds between pictures of one that moves. */
const MOVING = 300;
/** Pictures of a list that stay side by side, however narrow the page is. */
const SIDE_BY_SIDE = 4;
/** Screen pixels that the pictures of a list may take side by side. */
const WIDTH = 640;
const clip = (value: unknown) => (value === undefined ? "" : String(value).slice(0, 120));

const waiting = new Map<OutputId, () => void>();

/** The page has drawn the last frame of that output. */
export function imageShown(output: OutputId): void {
  waiting.get(output)?.();
  waiting.delete(output);
}

export class LiveImage {
  private readonly renderer: Renderer;
  private readonly colormap: Colormap;
  /** Whether it must be a batch, as it has columns or captions. */
  private readonly tiles: boolean;
  private shown: Promise<void> = Promise.resolve();
  private drawn = -Infinity;

  constructor(
    private readonly slot: Slot,
    readonly what: "image" | "heatmap",
    private readonly options: HeatmapOptions,
    private readonly touch = false,
  ) {
    if (touch) pointers.set(slot.output, { x: 0.5, y: 0.5, down: false });
    this.renderer = new Renderer(what, (work) => callFrom(slot.run, work));
    this.tiles = options.columns !== undefined || options.labels !== undefined;
    this.colormap = options.colormap ?? (what === "image" ? "gray" : "viridis");
    shownHandles.add(this);
  }

  /** Where the reader points, on a picture that takes the pointer. */
  get pointer(): Pointer {
    return pointers.get(this.slot.output) ?? { x: 0.5, y: 0.5, down: false };
  }

  /** Shows another tensor, or other pictures, in the same place; resolves when the page is ready
   * for the next. */
  update(pictures: Pictures): Promise<void> {
    check();
    requirePictures(pictures, this.what);
    if (this.slot.run === null) return Promise.resolve();
    if (isTensor(pictures)) layoutOf(pictures.shape, this.what, this.tiles);
    if (!this.slot.late) return track(this.draw(pictures), this.slot.run);
    // Drawn only if it is still the latest when its time comes; by then the cell may have let go of
    // it.
    showLate(this.slot, () => void track(this.draw(pictures).catch(() => undefined)));
    return Promise.resolve();
  }

  /** The values of a small heatmap that comes by itself, to be read out; of one that moves, pixels
   * say enough. */
  private valuesOf(tensor: Tensor): Promise<Float64Array> | null {
    const now = performance.now();
    const moves = now - this.drawn < MOVING;
    this.drawn = now;
    if (this.what !== "heatmap" || moves || tensor.ndim !== 2 || tensor.size > MAX_VALUES) return null;
    return tensor.data().then((data) => Float64Array.from(data));
  }

  private ends(width: number, height: number) {
    const { x, y, names } = this.options;
    return { x: pair(x ?? [0, width]), y: pair(y ?? [height, 0]), names: [clip(names?.[0]), clip(names?.[1])] as [string, string] };
  }

  private draw(pictures: Pictures): Promise<void> {
    const { range, columns } = this.options;
    const options = { colormap: this.colormap, range, columns, tiles: this.tiles };
    const picture = isTensor(pictures) ? this.renderer.render(pictures, options) : this.renderer.renderEach(pictures, options);
    const before = this.shown;
    const values = isTensor(pictures) ? this.valuesOf(pictures) : null;
    return (async () => {
      const [{ bitmap, layout, omitted, columns, range, sizes }, data] = await Promise.all([picture, values]);
      await before;
      this.shown = new Promise((resolve) => {
        // A hidden page draws nothing: go on after a moment all the same.
        const timer = setTimeout(resolve, 250);
        waiting.set(this.slot.output, () => {
          clearTimeout(timer);
          resolve();
        });
      });
      const content: Content<"image"> = {
        kind: "image",
        title: (this.options.title ?? "").slice(0, 390),
        bitmap,
        tile: { width: layout.width, height: layout.height },
        columns,
        fixed: this.options.columns !== undefined || (!isTensor(pictures) && columns <= SIDE_BY_SIDE),
        sizes,
        count: layout.count,
        omitted,
        scale: this.options.scale ?? fitting(layout.count === 1 ? 280 : isTensor(pictures) ? 60 : Math.max(60, Math.min(280, Math.floor(WIDTH / columns))), layout.width, layout.height),
        smooth: this.options.smooth ?? false,
        touch: this.touch,
        values: data ?? undefined,
        labels: [...(this.options.labels ?? [])].slice(0, layout.count).map((label) => String(label).slice(0, 100)),
        legend: this.what === "heatmap" ? { low: range[0], high: range[1], stops: [...RAMPS[this.colormap]], ends: layout.count === 1 ? this.ends(layout.width, layout.height) : undefined } : null,
      };
      send({ type: "output", run: this.slot.run!, output: this.slot.output, content }, [bitmap]);
    })();
  }
}

const pair = ([low, high]: readonly [number, number]): [number, number] => [low, high];

/** Screen pixels a value: whole ones, so that values stay square and crisp, unless it would grow
 * wider than a page. */
function fitting(aim: number, width: number, height: number): number {
  const side = Math.max(width, height);
  return side > WIDTH ? WIDTH / side : Math.max(1, Math.round(aim / side));
}

/** A tensor, or a list of pictures. */
type Pictures = Tensor | readonly Tensor[];

export function requirePictures(value: unknown, what: "image" | "heatmap"): asserts value is Pictures {
  if (isTensor(value)) return;
  if (!Array.isArray(value) || !value.some(isTensor)) throw new TypeError(`${what}: expected a tensor, got ${value === null ? "null" : Array.isArray(value) ? `an array: write ${what}(tensor(rows))` : typeof value}`);
  if (what === "heatmap") throw new TypeError("heatmap: takes one tensor, not a list: several of one shape are heatmap(stack([a, b]))");
  if (value.length > MAX_TILES) throw new RangeError(`image: a list has at most ${MAX_TILES} pictures, not ${value.length.toLocaleString("en")}`);
  for (let i = 0; i < value.length; i++) {
    const each: unknown = value[i];
    if (!isTensor(each)) throw new TypeError(`image: a list of pictures holds tensors, but [${i}] is ${each === null ? "null" : Array.isArray(each) ? "a list: write tensor(rows) for it" : `a value of type ${typeof each}`}`);
    const { count } = layoutOf(each.shape, `image: [${i}]`, false);
    if (count !== 1) throw new TypeError(`image: each picture of a list is [H,W] or [H,W,3|4], but [${i}] is [${each.shape.join(",")}], a batch: write image([...unstack(a), b])`);
  }
}

export function checkImageOptions(what: string, { colormap, range, scale, columns }: ImageOptions): void {
  if (colormap !== undefined && !COLORMAPS.includes(colormap))
    throw new TypeError(`${what}: no colormap “${String(colormap)}”; the colormaps are ${COLORMAPS.join(", ")}`);
  if (range !== undefined && !(range.length === 2 && range[0] < range[1]))
    throw new RangeError(`${what}: range must be [low, high] with low < high, not [${range.map((end) => brief(end)).join(", ")}]`);
  if (scale !== undefined && !(scale > 0 && scale <= 256)) throw new RangeError(`${what}: scale must be between 0 and 256`);
  if (columns !== undefined && !(Number.isInteger(columns) && columns >= 1)) throw new RangeError(`${what}: columns must be a whole number of 1 or more`);
}

/** Checks what the edges of a heatmap stand for. */
export function checkEnds(what: string, options: HeatmapOptions): void {
  for (const axis of ["x", "y"] as const) {
    const ends = options[axis];
    if (ends !== undefined && !(Array.isArray(ends) && ends.length === 2 && ends.every((end) => Number.isFinite(end)) && ends[0] !== ends[1])) throw new RangeError(`${what}: ${axis} must be two different numbers, such as [0, 1]`);
  }
}

export function showPicture(what: "image" | "heatmap", tensor: Pictures, options: HeatmapOptions): LiveImage {
  checkOptions(what, options, ["title", "scale", "columns", "labels", "range", "colormap", "smooth", ...(what === "heatmap" ? ["x", "y", "names", "points", "color", "size"] : [])]);
  checkImageOptions(what, options);
  checkEnds(what, options);
  requirePictures(tensor, what);
  const live = replaced((known): known is LiveImage => known instanceof LiveImage && known.what === what, () => new LiveImage(openSlot(), what, options));
  void live.update(tensor);
  return live;
}

/**
 * Shows a tensor as a picture: [H, W] in grey, [H, W, 3 or 4] in colour, a batch [N, H, W] as a
 * grid; with `columns` or `labels`, three axes are a batch however wide. Of a list, as in
 * `image([before, after])`, each picture has its own size and range. Returns a handle whose
 * `update(tensor)` shows the next one.
 *
 * @example
 * const y = linspace(-1, 1, 64).reshape([64, 1]);
 * const x = linspace(-1, 1, 64);
 * image((x * x + y * y).sqrt().clip(0, 1), { title: "a disc", scale: 3 });
 */
export const image = (tensor: Tensor | readonly Tensor[], options: ImageOptions = {}) => showPicture("image", tensor, options);
