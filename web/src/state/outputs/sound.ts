// Sounds as the page plays and keeps them: a WAV file of 16-bit samples, and its base64. The page
// writes the file's head itself, so that its decoder gets nothing that a notebook wrote.

import type { Content } from "../../protocol/messages";

type Sound = Pick<Content<"sound">, "rate" | "channels" | "samples">;

const HEAD = 44;

/** RIFF WAVE, PCM of 16 bits. */
export function wavOf({ rate, channels, samples }: Sound): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEAD + samples.byteLength);
  const view = new DataView(bytes.buffer);
  const word = (at: number, text: string) => [...text].forEach((letter, i) => view.setUint8(at + i, letter.charCodeAt(0)));
  word(0, "RIFF");
  view.setUint32(4, bytes.length - 8, true);
  word(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * channels * 2, true);
  view.setUint16(32, channels * 2, true);
  view.setUint16(34, 16, true);
  word(36, "data");
  view.setUint32(40, samples.byteLength, true);
  samples.forEach((sample, i) => view.setInt16(HEAD + 2 * i, sample, true));
  return bytes;
}

export function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}

/** Seconds that are played. */
export const playedSeconds = ({ rate, channels, samples }: Sound): number => samples.length / channels / rate;

const duration = (seconds: number) => `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;

/** "A4: 2.00 s, 44,100 samples a second" */
export function soundText({ title, seconds, ...sound }: Content<"sound">): string {
  const played = playedSeconds(sound);
  const whole = played + 0.005 < seconds ? `the first ${duration(played)} of ${duration(seconds)}` : duration(seconds);
  return `${title === "" ? "" : `${title}: `}${whole}, ${sound.rate.toLocaleString("en")} samples a second${sound.channels === 2 ? ", stereo" : ""}`;
}

/** Characters of a sound that are read from where it was kept. */
const MOST = 6_000_000;

/** Of samples in the order of this machine's bytes, which all that browsers run on have. */
export const writeSamples = (samples: Int16Array): string => base64(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));

/** The samples; null, which no sound takes, where the text is none of `writeSamples`. */
export function readSamples(text: unknown): Int16Array<ArrayBuffer> | null {
  if (typeof text !== "string" || text.length > MOST || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return bytes.length % 2 === 0 ? new Int16Array(bytes.buffer) : null;
  } catch {
    return null;
  }
}
