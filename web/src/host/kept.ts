// Encoding and decoding of saved pictures. Pictures become WebP without loss, which browsers encode
// beside their other work, or with loss where that would be too long. Decoding measures the bytes
// first and fetches nothing.

import { KEPT, readKept } from "../state/outputs/kept";
import type { KeptPicture } from "../state/outputs/kept";

/** Base64 makes four characters of three bytes. */
const BYTES = Math.floor(KEPT.characters / 4) * 3;
const QUALITIES = [1, 0.85];

/** Base64 of an encoded picture; null where it is too large to be kept. */
export async function encodePicture(canvas: OffscreenCanvas): Promise<string | null> {
  if (canvas.width * canvas.height > KEPT.pixels) return null;
  for (const quality of QUALITIES) {
    const blob = await canvas.convertToBlob({ type: "image/webp", quality });
    if (blob.size > BYTES) continue;
    const bytes = new Uint8Array(await blob.arrayBuffer());
    let binary = "";
    for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return btoa(binary);
  }
  return null;
}

/** Pixels of a thumbnail's sides: a card shows it at half of that. */
const THUMBNAIL = 96;

/** WebP of the middle square, small. */
export async function encodeThumbnail(canvas: OffscreenCanvas): Promise<Uint8Array<ArrayBuffer>> {
  const side = Math.min(canvas.width, canvas.height);
  const small = new OffscreenCanvas(THUMBNAIL, THUMBNAIL);
  const context = small.getContext("2d")!;
  // What has few pixels keeps its edges.
  context.imageSmoothingEnabled = side > THUMBNAIL;
  context.imageSmoothingQuality = "high";
  context.drawImage(canvas, (canvas.width - side) / 2, (canvas.height - side) / 2, side, side, 0, 0, THUMBNAIL, THUMBNAIL);
  const blob = await small.convertToBlob({ type: "image/webp", quality: 0.8 });
  return new Uint8Array(await blob.arrayBuffer());
}

/** Null where what is kept is no picture of the size that it claims. */
export async function decodePicture(picture: KeptPicture): Promise<ImageBitmap | null> {
  const read = readKept(picture);
  return read && createImageBitmap(new Blob([read.bytes], { type: read.type })).catch(() => null);
}
