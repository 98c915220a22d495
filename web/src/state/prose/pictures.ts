// Pictures in a text: those that the text carries itself (`data:`), and files of the site's own
// `data/`. Their formats state the size at their beginning: a small file can claim more pixels than
// there is memory, so the page measures each before it decodes it.

export const PICTURES = {
  /** Of one notebook. */
  count: 40,
  bytes: 24_000_000,
  pixels: 64_000_000,
  /** Of one picture. */
  bytesEach: 8_000_000,
  pixelsEach: 24_000_000,
} as const;

export interface Extracted {
  /** The text, with a short address in place of each picture that it carries. */
  readonly text: string;
  /** What stands behind those addresses, by their numbers. */
  readonly carried: readonly string[];
}

const CARRIED = "data:picture-";

/** Takes the pictures that a text carries out of it: they are no text, and must not count as
 * such. */
export function extractPictures(source: string): Extracted {
  const carried: string[] = [];
  let text = "";
  let from = 0;
  for (;;) {
    const start = source.indexOf("(data:image/", from);
    if (start < 0) return { text: text + source.slice(from), carried };
    let end = start + 1;
    while (end < source.length && !isEnd(source.charCodeAt(end))) end++;
    text += `${source.slice(from, start + 1)}${CARRIED}${carried.length}`;
    carried.push(source.slice(start + 1, end));
    from = end;
  }
}

/** A closing parenthesis or white space. */
const isEnd = (code: number) => code === 41 || code === 32 || (code >= 9 && code <= 13);

export const carriedPicture = (address: string, carried: readonly string[]): string => {
  const number = address.startsWith(CARRIED) ? Number(address.slice(CARRIED.length)) : NaN;
  return carried[number] ?? address;
};

/** The bytes of a `data:` address of a picture; null where it is none. */
export function decodeData(address: string): Uint8Array<ArrayBuffer> | null {
  const head = /^data:image\/[a-z.+-]{1,20};base64,/i.exec(address.slice(0, 64));
  if (!head) return null;
  try {
    const binary = atob(address.slice(head[0].length));
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
  } catch {
    return null;
  }
}

export interface PictureFacts {
  readonly type: "image/png" | "image/gif" | "image/jpeg" | "image/webp";
  readonly width: number;
  readonly height: number;
}

/** What a picture's first bytes say of it; null for what is no PNG, GIF, JPEG or WebP. */
export function measurePicture(bytes: Uint8Array): PictureFacts | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const has = (at: number, text: string) => [...text].every((character, i) => bytes[at + i] === character.charCodeAt(0));
  if (bytes.length >= 24 && view.getUint32(0) === 0x89504e47) return { type: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
  if (bytes.length >= 10 && has(0, "GIF8")) return { type: "image/gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (bytes.length >= 30 && has(0, "RIFF") && has(8, "WEBP")) {
    if (has(12, "VP8X")) return { type: "image/webp", width: 1 + (view.getUint32(24, true) & 0xffffff), height: 1 + (view.getUint32(26, true) >>> 8) };
    if (has(12, "VP8L")) {
      const size = view.getUint32(21, true);
      return { type: "image/webp", width: 1 + (size & 0x3fff), height: 1 + ((size >>> 14) & 0x3fff) };
    }
    return has(12, "VP8 ") ? { type: "image/webp", width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff } : null;
  }
  return bytes.length >= 4 && view.getUint16(0) === 0xffd8 ? measureJpeg(view) : null;
}

/** A JPEG's size stands in its frame header, behind other segments. */
function measureJpeg(view: DataView): PictureFacts | null {
  for (let at = 2; at + 9 < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    const frame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (frame) return { type: "image/jpeg", height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return null;
}
