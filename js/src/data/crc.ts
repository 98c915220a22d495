// CRC-32 (ISO 3309, the polynomial of zip and gzip), eight bytes at a time: Kounavis and Berry, "A
// systematic approach to building high performance, software-based, CRC generators", 2005.

let tables: Int32Array | undefined;

/** What each byte adds to the checksum, with none to seven bytes behind it. */
function made(): Int32Array {
  const table = new Int32Array(8 * 256);
  for (let n = 0; n < 8 * 256; n++) {
    let sum = n < 256 ? n : (table[n - 256] as number);
    if (n >= 256) sum = (sum >>> 8) ^ (table[sum & 255] as number);
    else for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
    table[n] = sum;
  }
  return table;
}

/** The checksum of these bytes. */
export function crc32(bytes: Uint8Array): number {
  const t = (tables ??= made());
  const at = (n: number) => bytes[n] as number;
  let sum = -1;
  let n = 0;
  for (; n + 8 <= bytes.length; n += 8) {
    sum ^= at(n) | (at(n + 1) << 8) | (at(n + 2) << 16) | (at(n + 3) << 24);
    sum =
      (t[1792 + (sum & 255)] as number) ^ (t[1536 + ((sum >>> 8) & 255)] as number) ^ (t[1280 + ((sum >>> 16) & 255)] as number) ^ (t[1024 + (sum >>> 24)] as number) ^
      (t[768 + at(n + 4)] as number) ^ (t[512 + at(n + 5)] as number) ^ (t[256 + at(n + 6)] as number) ^ (t[at(n + 7)] as number);
  }
  for (; n < bytes.length; n++) sum = (sum >>> 8) ^ (t[(sum ^ at(n)) & 255] as number);
  return ~sum >>> 0;
}
