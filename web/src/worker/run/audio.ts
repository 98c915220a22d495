// Sounds as tensors of samples. The worker's frame decodes them: workers have no decoder.

import { tensor } from "weft-gpu";
import { SOUND } from "../../protocol/messages";
import type { Sound } from "../../protocol/messages";
import { made } from "../channel/heap";
import { send } from "../channel/port";
import { Requests } from "../channel/requests";
import { checkOptions } from "../displays/controls";
import type { Tensor } from "../library/library";
import { file } from "./files";

const asked = new Requests<Sound>();
export const soundArrived = (request: number, sound: Sound) => asked.answered(request, sound);

/** Samples a second where neither the reader nor the file says. */
const USUAL = 48_000;

/** The rate that a WAV file states; null for others, whose decoders resample. */
function rateOf(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 28 || view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57415645) return null;
  for (let at = 12; at + 16 <= bytes.length; at += 8 + view.getUint32(at + 4, true) + (view.getUint32(at + 4, true) & 1)) {
    if (view.getUint32(at) === 0x666d7420) return view.getUint32(at + 12, true);
  }
  return null;
}

export interface SoundOptions {
  /** Samples a second to give; by default those of a WAV file, and 48000 of others. */
  rate?: number;
}

export interface DecodedSound {
  /** f32 [channels, samples], from -1 to 1. */
  readonly samples: Tensor;
  /** Samples a second. */
  readonly rate: number;
  readonly seconds: number;
}

/**
 * Decodes a sound (WAV, MP3, Ogg, FLAC, M4A: what the browser plays): a file by its name, or its
 * bytes. Throws an error for what is no sound, and for more than 32 MB.
 */
export async function audio(source: string | Uint8Array | ArrayBuffer, options: SoundOptions = {}): Promise<DecodedSound> {
  checkOptions("audio", options, ["rate"]);
  const bytes = typeof source === "string" ? await file(source) : source instanceof ArrayBuffer ? new Uint8Array(source) : source;
  if (!(bytes instanceof Uint8Array)) throw new TypeError(`audio: takes the name of a file, or its bytes, not ${source === null ? "null" : typeof source}`);
  if (bytes.length > SOUND) throw new RangeError(`audio: a sound has at most ${SOUND / 1e6} MB, not ${(bytes.length / 1e6).toFixed(1)}`);
  const { rate = Math.min(192_000, Math.max(8_000, rateOf(bytes) ?? USUAL)) } = options;
  if (!(Number.isInteger(rate) && rate >= 8_000 && rate <= 192_000)) throw new RangeError(`audio: rate must be between 8000 and 192000, not ${String(rate)}`);
  // The bytes stay the cell's: a copy goes.
  const own = bytes.slice();
  const sound = await asked.ask((request) => send({ type: "audio", request, bytes: own, rate }, [own.buffer]));
  if (!sound.ok) throw new Error(`audio: ${sound.message}`);
  const count = sound.channels[0]?.length ?? 0;
  const samples = made(new Float32Array(sound.channels.length * count));
  sound.channels.forEach((channel, at) => samples.set(channel, at * count));
  return { samples: tensor(samples, { shape: [sound.channels.length, count] }), rate, seconds: count / rate };
}
