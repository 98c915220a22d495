// Drawing of tensors on canvases. The GPU draws a tensor from where it is, without reading it back;
// the CPU device reads it and writes the same pixels.

import type { Ambient } from "../core/wasm/ambient.js";
import { holds, noMore, optionsOf, shown } from "../core/check/check.js";
import { Claim, core, needRest } from "../core/wasm/core.js";
import { restIsNear } from "../core/wasm/parts.js";
import { Tensor, type Operand } from "../core/tensor/tensor.js";
import { releaseAbandoned } from "../core/tensor/scope.js";
import { shapeText } from "../core/tensor/shape.js";
import { ShapeError, ValueError } from "../core/errors.js";
import { tensorFrom } from "../ops/create.js";
import { colormaps, type Colormap } from "./colormap.js";
import { pixelsOf } from "./pixels.js";

export type { Colormap } from "./colormap.js";

/**
 * What can be drawn on.
 *
 * @example
 * const surface: canvas.Canvas = new OffscreenCanvas(256, 256);
 */
export type Canvas = Ambient<"OffscreenCanvas"> | Ambient<"HTMLCanvasElement">;

/**
 * How to draw.
 *
 * @example
 * await canvas.draw(random.normal([16, 16]), new OffscreenCanvas(64, 64), { low: -3, high: 3, colormap: "diverging" });
 */
export interface DrawOptions {
  /** The number drawn darkest; 0 by default. */
  low?: number;
  /** The number drawn brightest; 1 by default. */
  high?: number;
  /** Colours of a single channel; `"gray"` by default. */
  colormap?: Colormap;
  /** Whether the first row is at the bottom; false by default. */
  flip?: boolean;
}

/**
 * Draws a tensor over the whole of a canvas, at the size the canvas has: [height, width], or
 * [height, width, channels] with 1, 3 (red, green, blue) or 4 channels (and opacity). Each pixel
 * shows the element it falls into; NaN is magenta. The canvas has the picture when the promise is
 * fulfilled; on a GPU that has compiled what computes the tensor, when the call returns.
 *
 * Throws `ShapeError` for other shapes, `ValueError` for a canvas that is in use otherwise.
 *
 * @example
 * const element = document.querySelector("canvas");
 * if (element) await canvas.draw(linspace(0, 1, 256).expand([64, 256]), element, { colormap: "viridis" });
 */
export async function draw(x: Operand, canvas: Canvas, options: DrawOptions = {}): Promise<void> {
  noMore("draw", arguments, 3);
  const usual: Style = { low: 0, high: 1, colormap: "gray", flip: false };
  const style = optionsOf("draw", options, usual);
  if (!colormaps.includes(style.colormap)) {
    throw new ValueError("draw", `there is no colormap ${shown(style.colormap)}: there are ${colormaps.join(", ")}`);
  }
  if (!isCanvas(canvas)) throw new ValueError("draw", `takes a canvas to draw on, got ${shown(canvas)}`);
  const given = x instanceof Tensor ? x : tensorFrom(x, "draw");
  // The shader that draws reads elements of 32 bits.
  const tensor = /^(?:f16|i8|u8)$/.test(given.dtype) ? given.cast("f32") : given;
  try {
    if (!core().can_draw() || isFlat(canvas)) await drawOnCpu(tensor, canvas, style);
    else {
      needRest("draw");
      await drawInTurn(tensor, canvas as HTMLCanvasElement & OffscreenCanvas, style);
    }
  } finally {
    for (const made of new Set([given, tensor])) if (made !== x) made.dispose();
  }
}

/**
 * Lets go of what drawing on a canvas needs. The canvas itself stays as it is.
 *
 * @example
 * const surface = new OffscreenCanvas(64, 64);
 * await canvas.draw(eye(8), surface);
 * canvas.release(surface);
 */
export function release(canvas: Canvas): void {
  noMore("canvas.release", arguments, 1);
  const behind = isElement(canvas) ? stages.get(canvas) : canvas;
  const surface = behind && surfaces.get(behind);
  if (surface === undefined || !behind) return;
  surface.release((known, number) => known.canvas_drop(number));
  surfaces.delete(behind);
}

/** Whether this is a canvas, of this window or another. */
function isCanvas(value: unknown): value is OffscreenCanvas | HTMLCanvasElement {
  return holds(() => typeof (value as HTMLCanvasElement | null)?.getContext === "function");
}

type Style = Required<DrawOptions>;

/** The core's numbers of canvases. */
const surfaces = new WeakMap<OffscreenCanvas, Claim>();
/** What is drawn on behind a canvas element, which stays free for drawing in 2d. */
const stages = new WeakMap<HTMLCanvasElement, OffscreenCanvas>();

function isElement(canvas: OffscreenCanvas | HTMLCanvasElement): canvas is HTMLCanvasElement {
  return typeof HTMLCanvasElement !== "undefined" && canvas instanceof HTMLCanvasElement;
}

/** The last drawing of each canvas, if it waits. */
const waits = new WeakMap<object, Promise<unknown>>();

/** Draws at once, or when pipelines are compiled, or a loop without a limit has ended: then it
 * shows what the tensor holds now, after what waits to be drawn on the same canvas. */
async function drawInTurn(tensor: Tensor, canvas: HTMLCanvasElement & OffscreenCanvas, style: Style): Promise<void> {
  const once = (tensor: Tensor): boolean => (isElement(canvas) ? drawBehind : drawOnGpu)(tensor, canvas, style);
  const before = waits.get(canvas);
  if (!before && once(tensor)) return;
  // The caller may dispose of the tensor meanwhile.
  const held = Tensor.adopt(core().clone(tensor.handle)).keep();
  const drawn = (async () => {
    await before;
    do await core().idle();
    while (!once(held));
  })().finally(() => held.dispose());
  const ended = drawn.catch(() => {});
  waits.set(canvas, ended);
  try {
    await drawn;
  } finally {
    if (waits.get(canvas) === ended) waits.delete(canvas);
  }
}

function drawOnGpu(tensor: Tensor, canvas: OffscreenCanvas, { low, high, colormap, flip }: Style): boolean {
  let surface = surfaces.get(canvas);
  // Another device needs another.
  if (!surface?.stands) surfaces.set(canvas, (surface = new Claim(core().canvas_surface(canvas))));
  const drawn = core().canvas_draw(surface.number("draw", "the canvas"), tensor.handle, low, high, colormap, flip);
  releaseAbandoned();
  return drawn;
}

function drawBehind(tensor: Tensor, canvas: HTMLCanvasElement, style: Style): boolean {
  let stage = stages.get(canvas);
  if (!stage) stages.set(canvas, (stage = new OffscreenCanvas(canvas.width, canvas.height)));
  if (stage.width !== canvas.width) stage.width = canvas.width;
  if (stage.height !== canvas.height) stage.height = canvas.height;
  if (!drawOnGpu(tensor, stage, style)) return false;
  const context = flatContext(canvas);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.drawImage(stage, 0, 0);
  return true;
}

/** Canvases that were first drawn on while the code that draws on the GPU was still to be fetched:
 * they keep their context. */
const flat = new WeakSet<object>();

function isFlat(canvas: object): boolean {
  if (!restIsNear() && !surfaces.has(canvas as OffscreenCanvas)) flat.add(canvas);
  return flat.has(canvas);
}

async function drawOnCpu(tensor: Tensor, canvas: OffscreenCanvas | HTMLCanvasElement, style: Style): Promise<void> {
  const { shape } = tensor;
  const [rows = 0, columns = 0, channels = 1] = shape;
  if (![2, 3].includes(shape.length) || ![1, 3, 4].includes(channels) || rows * columns === 0) {
    throw new ShapeError("draw", `${shapeText(shape)} is not [height,width] or [height,width,1, 3 or 4]`);
  }
  const data = await tensor.data();
  const pixels = pixelsOf({ data, rows, columns, channels, ...style }, canvas.width, canvas.height);
  const context = flatContext(canvas);
  // Of the context rather than the constructor, which canvases in Node.js lack.
  const image = context.createImageData(canvas.width, canvas.height);
  image.data.set(pixels);
  context.putImageData(image, 0, 0);
}

function flatContext(canvas: OffscreenCanvas | HTMLCanvasElement): CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext("2d") as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D | null;
  if (context) return context;
  throw new ValueError("draw", "the canvas has a context of another kind already");
}
