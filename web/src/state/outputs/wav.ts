// WAV files of 16-bit samples. The page writes their headers itself, so that of what a notebook
// wrote its decoder gets the samples alone.

import type { Content } from "../../protocol/messages";

type Sound = Pick<Content<"sound">, "rate" | "channels" | "samples">;

const HEADER = 44;

/** RIFF WAVE, PCM of 16 bits. */
export function wavOf({ rate, channels, samples }: Sound): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER + samples.byteLength);
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
  samples.forEach((sample, i) => view.setInt16(HEADER + 2 * i, sample, true));
  return bytes;
}
