// Saved form of a picture: its pixels as WebP or PNG, in base64, and their layout. Reading trusts
// nothing: it decodes a picture only where the bytes are of the size that the picture claims.

import { imageFacts } from "../../protocol/messages";
import type { Content, OutputContent } from "../../protocol/messages";
import { object, oneOf, text } from "../../protocol/schema";
import type { Infer } from "../../protocol/schema";
import { measurePicture } from "../prose/pictures";

/** Of one picture. */
export const KEPT = { pixels: 4_000_000, characters: 120_000 } as const;

const fields = object({ kind: oneOf("kept"), ...imageFacts, data: text(KEPT.characters) });
export type KeptPicture = Infer<typeof fields>;
/** What an output on the page shows: what a worker sent, or a picture of an earlier visit. */
export type ShownContent = OutputContent | KeptPicture;

/** The size of all tiles together. */
export const sizeOf = ({ tile, columns, count }: Pick<KeptPicture, "tile" | "columns" | "count">) => ({ width: columns * tile.width, height: Math.ceil(count / columns) * tile.height });

export function isKept(value: unknown): value is KeptPicture {
  if (!fields(value)) return false;
  const { width, height } = sizeOf(value);
  return width * height <= KEPT.pixels;
}

/** What is kept of a picture, whose pixels are `data`. */
export function keep(content: Content<"image">, data: string): KeptPicture {
  const { title, tile, columns, fixed, sizes, count, omitted, scale, smooth, labels, legend } = content;
  return { kind: "kept", title, tile, columns, fixed, sizes, count, omitted, scale, smooth, labels, legend, data };
}

/** The bytes and their format; null where they are no picture of the size that it claims. */
export function readKept(picture: KeptPicture): { bytes: Uint8Array<ArrayBuffer>; type: string } | null {
  let binary: string;
  try {
    binary = atob(picture.data);
  } catch {
    return null;
  }
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const facts = measurePicture(bytes);
  const { width, height } = sizeOf(picture);
  if (!facts || (facts.type !== "image/webp" && facts.type !== "image/png")) return null;
  return facts.width === width && facts.height === height ? { bytes, type: facts.type } : null;
}
