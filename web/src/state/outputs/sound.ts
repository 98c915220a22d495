// Sounds as the page keeps them and tells of them.

import type { Content } from "../../protocol/messages";

type Sound = Pick<Content<"sound">, "rate" | "channels" | "samples">;

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
