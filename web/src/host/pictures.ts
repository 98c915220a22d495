// Loading of the pictures in a text. It decodes their bytes or fetches them (without credentials,
// from the site's `data/` only), measures and counts them, and gives the page a blob: the policy
// lets the page load pictures no other way.

import { resolveFile } from "../state/notebook/files";
import { decodeData, measurePicture, PICTURES } from "../state/prose/pictures";
import type { PictureFacts } from "../state/prose/pictures";
import { site } from "./fetch";

export interface Picture extends PictureFacts {
  readonly url: string;
}

/** A picture that is not shown, and why. */
export class NoPicture extends Error {
  override readonly name = "NoPicture";
  constructor(
    message: string,
    /** It would be, if the reader allowed more of them. */
    readonly couldBe = false,
  ) {
    super(message);
  }
}

interface Budget {
  count: number;
  bytes: number;
  pixels: number;
}
const fullBudget = (): Budget => ({ count: PICTURES.count, bytes: PICTURES.bytes, pixels: PICTURES.pixels });

let left = fullBudget();
const known = new Map<string, Promise<Picture>>();

/** Another notebook is open. */
export function forgetPictures(): void {
  for (const picture of known.values()) picture.then(({ url }) => URL.revokeObjectURL(url), () => undefined);
  known.clear();
  left = fullBudget();
}

/** The reader wants to see more than a notebook shows by itself. */
export function allowMorePictures(): void {
  left = fullBudget();
}

export function loadPicture(address: string): Promise<Picture> {
  const before = known.get(address);
  if (before) return before;
  const picture = load(address);
  known.set(address, picture);
  picture.catch(() => known.delete(address));
  return picture;
}

async function load(address: string): Promise<Picture> {
  if (left.count <= 0) throw new NoPicture(`a notebook loads only ${PICTURES.count} pictures by itself`, true);
  left.count--;
  const bytes = address.startsWith("data:") ? decodeData(address) : await fetchPicture(address);
  if (!bytes) throw new NoPicture("its data cannot be read");
  const facts = measurePicture(bytes);
  if (!facts) throw new NoPicture("it is not a PNG, JPEG, GIF or WebP");
  const pixels = facts.width * facts.height;
  if (pixels > PICTURES.pixelsEach) throw new NoPicture(`${facts.width} × ${facts.height} pixels are too large`);
  if (bytes.length > left.bytes || pixels > left.pixels) throw new NoPicture("this notebook's pictures are large", true);
  left.bytes -= bytes.length;
  left.pixels -= pixels;
  return { ...facts, url: URL.createObjectURL(new Blob([bytes], { type: facts.type })) };
}

async function fetchPicture(address: string): Promise<Uint8Array<ArrayBuffer>> {
  const request = resolveFile(address, site, ["data/"]);
  if (!request.ok) throw new NoPicture("only pictures inside the text or in this site’s data/ folder are shown");
  const response = await fetch(request.url, { credentials: "omit", redirect: "error", referrerPolicy: "no-referrer" }).catch(() => null);
  if (!response?.ok || !response.body) throw new NoPicture("it could not be fetched");
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const limit = Math.min(PICTURES.bytesEach, left.bytes);
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    size += chunk.length;
    // Leaving the loop cancels what is still on its way.
    if (size > limit) throw new NoPicture("this notebook's pictures are large", size <= PICTURES.bytesEach);
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
