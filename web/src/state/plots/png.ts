// PNG of a small indexed picture, without compression: a drawing that contains it can be made
// anywhere, at once.

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n >>> 0;
});

function crc(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = CRC[(value ^ byte) & 0xff]! ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

function adler(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return ((b << 16) | a) >>> 0;
}

const word = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];

function chunk(name: string, data: Uint8Array): number[] {
  const body = Uint8Array.from([...name].map((letter) => letter.charCodeAt(0)).concat(Array.from(data)));
  return [...word(data.length), ...body, ...word(crc(body))];
}

/** DEFLATE blocks that are stored as they are (RFC 1951, 3.2.4), in the frame of zlib (RFC
 * 1950). */
function stored(bytes: Uint8Array): Uint8Array {
  const most = 65_535;
  const blocks = Math.max(1, Math.ceil(bytes.length / most));
  const out = new Uint8Array(2 + bytes.length + 5 * blocks + 4);
  out.set([0x78, 0x01]);
  let at = 2;
  for (let block = 0; block < blocks; block++) {
    const part = bytes.subarray(block * most, (block + 1) * most);
    out.set([block === blocks - 1 ? 1 : 0, part.length & 255, part.length >> 8, ~part.length & 255, (~part.length >> 8) & 255], at);
    out.set(part, at + 5);
    at += 5 + part.length;
  }
  out.set(word(adler(bytes)), at);
  return out;
}

/** The address of a picture whose pixels number its colours, at most 255 of them; 255 is
 * transparent. */
export function pictureUrl(pixels: Uint8Array, width: number, height: number, colours: readonly (readonly [number, number, number])[]): string {
  const rows = new Uint8Array((width + 1) * height);
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const palette = new Uint8Array(3 * 256);
  colours.forEach((colour, i) => palette.set(colour, 3 * i));
  const clear = new Uint8Array(256).fill(255);
  clear[255] = 0;
  const png = Uint8Array.from([
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a,
    ...chunk("IHDR", Uint8Array.from([...word(width), ...word(height), 8, 3, 0, 0, 0])),
    ...chunk("PLTE", palette), ...chunk("tRNS", clear), ...chunk("IDAT", stored(rows)), ...chunk("IEND", new Uint8Array(0)),
  ]);
  let binary = "";
  for (let at = 0; at < png.length; at += 8_192) binary += String.fromCharCode(...png.subarray(at, at + 8_192));
  return `data:image/png;base64,${btoa(binary)}`;
}
