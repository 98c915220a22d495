// Saved form of a plot's numbers: base64 of f32, relative to an offset. On a screen nobody sees
// more digits, and milliseconds of dates, which need them, lie close together.

/** Characters of one array that are read. */
const MOST = 6_000_000;

/** "offset;base64" */
export function writeFloats(values: Float64Array): string {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  // Only what is far from zero is nearer to something else.
  const offset = low > 0 && high - low < low / 8 ? low : high < 0 && high - low < -high / 8 ? high : 0;
  const bytes = new Uint8Array(Float32Array.from(values, (value) => value - offset).buffer);
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8_192) binary += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return `${offset};${btoa(binary)}`;
}

/** The numbers; null, which no plot takes, where the text is none of `writeFloats`. */
export function readFloats(text: unknown): Float64Array | null {
  const parts = typeof text === "string" && text.length <= MOST ? /^(-?[\d.e+-]{1,30});([A-Za-z0-9+/=]*)$/.exec(text) : null;
  const offset = Number(parts?.[1]);
  if (!parts || !Number.isFinite(offset)) return null;
  try {
    const bytes = Uint8Array.from(atob(parts[2]!), (character) => character.charCodeAt(0));
    if (bytes.length % 4 !== 0) return null;
    return Float64Array.from(new Float32Array(bytes.buffer), (value) => value + offset);
  } catch {
    return null;
  }
}
