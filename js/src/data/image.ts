// Pictures as tensors: from files, canvases, cameras and videos by the browser's 2d canvas, which
// takes them all, and from bytes of pixels directly. It works in workers too.

import type { Ambient } from "../core/wasm/ambient.js";
import { holds, noMore, optionsOf, shown } from "../core/check/check.js";
import type { Tensor } from "../core/tensor/tensor.js";
import { FormatError, ValueError } from "../core/errors.js";
import { tensor } from "../ops/create.js";

/**
 * Pixels, four bytes each: red, green, blue and opacity. `ImageData` is such a thing, and in Node
 * any object may be.
 *
 * @example
 * const pixels: data.Pixels = { width: 1, height: 1, data: Uint8Array.of(255, 0, 0, 255) };
 */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray | Uint8Array;
}

/**
 * What a picture can be taken from.
 *
 * @example
 * const source: data.ImageSource = new OffscreenCanvas(64, 64);
 */
export type ImageSource =
  | Pixels
  | ArrayBuffer
  | Uint8Array
  | Ambient<"Blob">
  | Ambient<"ImageBitmap">
  | Ambient<"OffscreenCanvas">
  | Ambient<"HTMLCanvasElement">
  | Ambient<"HTMLImageElement">
  | Ambient<"HTMLVideoElement">
  | Ambient<"VideoFrame">;

/**
 * What a picture becomes.
 *
 * @example
 * const options: data.ImageOptions = { channels: 1, dtype: "f32" };
 */
export interface ImageOptions {
  /** 3 for red, green and blue, the default; 4 for opacity too; 1 for how bright it is (299, 587
   * and 114 thousandths of them, ITU-R BT.601). */
  channels?: 1 | 3 | 4;
  /** `"u8"`, from 0 to 255, the default; or `"f32"`, from 0 to 1. */
  dtype?: "u8" | "f32";
}

/**
 * A picture as a tensor of [height, width, channels], the first row on top: of pixels, a file (its
 * bytes, or a `Blob`, such as fetched ones and those of an `<input>`), an `ImageBitmap`, a canvas,
 * an image or video element as it shows now, or a `VideoFrame`. Colours are sRGB; those of pixels
 * that one can see through may be rounded, as a canvas keeps them. `createImageBitmap` scales and
 * cuts pictures before.
 *
 * Throws `FormatError` for a file that is no picture; `ValueError` for what has no pixels (an image
 * or video that is not loaded yet, a frame or bitmap that was closed), and for what the page may
 * not look into: pictures of another site without CORS, and canvases on which such were drawn.
 *
 * @example
 * const picture = await data.image({ width: 2, height: 1, data: Uint8Array.of(255, 0, 0, 255, 9, 9, 9, 255) });
 * picture; // [[[255,0,0],[9,9,9]]]
 */
export async function image(source: ImageSource, options: ImageOptions = {}): Promise<Tensor> {
  const op = "image";
  noMore(op, arguments, 2);
  const { channels, dtype } = optionsOf(op, options, { channels: 3 as 1 | 3 | 4, dtype: "u8" as "u8" | "f32" });
  if (![1, 3, 4].includes(channels) || (dtype !== "u8" && dtype !== "f32")) {
    throw new ValueError(op, `makes 1, 3 or 4 channels of "u8" or "f32", not ${shown(channels)} of ${shown(dtype)}`);
  }
  const { width, height, data } = await pixelsOf(op, source);
  if (!(width > 0 && height > 0 && data.length === width * height * 4)) {
    throw new ValueError(op, `there are ${data.length} bytes for ${shown(width)} × ${shown(height)} pixels of four`);
  }
  const bytes = new Uint8Array(width * height * channels);
  const at = (place: number) => data[place] as number;
  for (let from = 0, to = 0; to < bytes.length; from += 4) {
    if (channels === 1) bytes[to++] = Math.round((at(from) * 299 + at(from + 1) * 587 + at(from + 2) * 114) / 1000);
    else for (let channel = 0; channel < channels; channel++) bytes[to++] = at(from + channel);
  }
  const whole = tensor(bytes, { shape: [height, width, channels], dtype: "u8" });
  if (dtype === "u8") return whole;
  const scaled = whole.cast("f32").div(255);
  whole.dispose();
  return scaled;
}

/** The pixels of a source, whatever it is. */
async function pixelsOf(op: string, source: ImageSource): Promise<Pixels> {
  const data = property(source, "data");
  if (data instanceof Uint8ClampedArray || data instanceof Uint8Array) return source as Pixels;
  const isBytes = holds(() => source instanceof Uint8Array || source instanceof ArrayBuffer);
  if (!isBytes && !holds(() => source instanceof Blob)) return drawn(op, source as CanvasImageSource);
  let decoded: ImageBitmap;
  try {
    decoded = await createImageBitmap(isBytes ? new Blob([source as Uint8Array<ArrayBuffer>]) : (source as Blob));
  } catch (error) {
    throw new FormatError(op, `no picture that can be read here: ${String(error)}`);
  }
  try {
    return drawn(op, decoded);
  } finally {
    decoded.close();
  }
}

/** A property of what may be anything. */
function property(value: unknown, name: string): unknown {
  try {
    return (value as Record<string, unknown> | null | undefined)?.[name];
  } catch {
    return undefined;
  }
}

/** What a source shows now, drawn on a canvas of its size. */
function drawn(op: string, source: CanvasImageSource): Pixels {
  const extent = (name: string) => [`natural${name}`, `video${name}`, `display${name}`, name.toLowerCase()].map((name) => property(source, name)).find(Number.isInteger) as number | undefined;
  const [across, down] = [extent("Width"), extent("Height")];
  if (across === undefined || down === undefined) throw new ValueError(op, `takes a picture, got ${shown(source)}`);
  // A video that has its size may not have a picture yet.
  const isEmpty = across === 0 || down === 0 || holds(() => (source as HTMLVideoElement).readyState < 2);
  if (isEmpty) throw new ValueError(op, `${shown(source)} has no pixels: it is not loaded, is empty, or was closed`);
  try {
    const context = new OffscreenCanvas(across, down).getContext("2d", { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
    context.drawImage(source, 0, 0, across, down);
    return context.getImageData(0, 0, across, down);
  } catch (error) {
    // The browser says what it is that keeps it back.
    throw new ValueError(op, `the pixels of ${shown(source)} cannot be read: ${String(error)}`);
  }
}
