// `audio`: sounds as tensors of samples, and tensors of samples as sounds. The worker's frame
// decodes files, because workers have no decoder; the page plays samples.

import { tensor } from "weft-gpu";
import { MAX_SAMPLES, PLAYED_RATES, SOUND } from "../../protocol/messages";
import type { Sound } from "../../protocol/messages";
import { made } from "../channel/heap";
import { track } from "../channel/pending";
import { send } from "../channel/port";
import { Requests } from "../channel/requests";
import { checkOptions } from "../displays/arguments";
import { fill, openSlot } from "../displays/displays";
import { isTensor } from "../library/library";
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

export interface PlayerOptions {
  /** Samples a second. */
  rate?: number;
  title?: string;
}

export interface DecodedSound {
  /** f32 [channels, samples], from -1 to 1. */
  readonly samples: Tensor;
  /** Samples a second. */
  readonly rate: number;
  readonly seconds: number;
}

/**
 * Reads a sound or plays one. Given a file, by its name or its bytes (WAV, MP3, Ogg, FLAC, M4A:
 * what the browser plays, at most 32 MB), it decodes it. Given samples from -1 to 1, as
 * `audio(tone, 44100)`, it shows a player: a tensor [n] or [channels, n], numbers, or a sound that
 * was decoded.
 *
 * @example
 * const seconds = linspace(0, 1, 8_000);
 * audio(sin(seconds * 2 * Math.PI * 440) * 0.3, { rate: 8_000, title: "A" });
 */
export function audio(source: string | Uint8Array | ArrayBuffer, options?: SoundOptions): Promise<DecodedSound>;
export function audio(sound: Tensor | DecodedSound | readonly number[] | Float32Array | Float64Array, rate?: number | PlayerOptions): Promise<void>;
export function audio(source: unknown, given?: unknown): Promise<DecodedSound | void> {
  if (typeof source === "string" || source instanceof Uint8Array || source instanceof ArrayBuffer) return decode(source, given as SoundOptions | undefined);
  return play(source, given);
}

async function decode(source: string | Uint8Array | ArrayBuffer, options: SoundOptions = {}): Promise<DecodedSound> {
  checkOptions("audio", options, ["rate"]);
  const bytes = typeof source === "string" ? await file(source) : source instanceof ArrayBuffer ? new Uint8Array(source) : source;
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

const EXPECTED = "expected a file's name or bytes, or samples: a tensor [n] or [channels, n], or numbers";

const isDecoded = (value: unknown): value is DecodedSound => typeof value === "object" && value !== null && isTensor((value as DecodedSound).samples);

function play(source: unknown, given: unknown): Promise<void> {
  const options = (typeof given === "number" ? { rate: given } : (given ?? {})) as PlayerOptions;
  checkOptions("audio", options, ["rate", "title"]);
  const { samples, rate } = isDecoded(source) ? { ...source, ...options } : { samples: source, rate: options.rate };
  if (rate === undefined) throw new TypeError("audio: give the samples a second too, as in audio(tone, 44100)");
  const [lowest, highest] = PLAYED_RATES;
  if (!(Number.isInteger(rate) && rate >= lowest && rate <= highest)) throw new RangeError(`audio: the rate must be a whole number of samples a second from ${lowest} to ${highest}, not ${String(rate)}`);
  const { channels, count, read } = samplesOf(samples);
  const slot = openSlot();
  if (slot.run === null) return Promise.resolve();
  const title = options.title === undefined ? "" : String(options.title).slice(0, 390);
  return track(read(Math.floor(MAX_SAMPLES / Math.min(channels, 2))).then((found) => fill(slot, { kind: "sound", title, rate, channels: Math.min(channels, 2), samples: pcm(found, channels), seconds: count / rate })), slot.run);
}

interface Source {
  readonly channels: number;
  /** Samples of each channel. */
  readonly count: number;
  /** Reads at most so many of each, channel after channel. What the tensor holds when this is
   * called is what is played. */
  readonly read: (most: number) => Promise<ArrayLike<number>>;
}

function samplesOf(value: unknown): Source {
  if (isTensor(value)) {
    const { shape } = value;
    const [channels, count] = shape.length === 1 ? [1, shape[0]!] : [shape[0] ?? 0, shape[1] ?? 0];
    if (shape.length === 2 && count <= 2 && channels > 2) throw new TypeError(`audio: [${shape.join(",")}] has its channels last; transpose it to [${count},${channels}], channels first`);
    if (shape.length < 1 || shape.length > 2 || channels > 32) throw new TypeError(`audio: [${shape.join(",")}] is no sound: ${EXPECTED}`);
    if (channels * count === 0) throw new RangeError(`audio: [${shape.join(",")}] has no samples`);
    const read = async (most: number) => {
      if (count <= most) return value.data();
      const part = shape.length === 1 ? value.slice([0, most]) : value.slice(null, [0, most]);
      try {
        return await part.data();
      } finally {
        part.dispose();
      }
    };
    return { channels, count, read };
  }
  const numbers = value instanceof Float32Array || value instanceof Float64Array || (Array.isArray(value) && value.every((each) => typeof each === "number")) ? (value as ArrayLike<number>) : null;
  if (!numbers) throw new TypeError(`audio: ${EXPECTED}, not ${value === null ? "null" : Array.isArray(value) ? "a list of other values" : typeof value}`);
  if (numbers.length === 0) throw new RangeError("audio: there are no samples");
  return { channels: 1, count: numbers.length, read: async (most) => Array.prototype.slice.call(numbers, 0, most) as number[] };
}

/** 16-bit samples, the channels of each moment side by side; more than two are mixed. What goes
 * beyond -1 to 1 is scaled down as a whole, and what is no number is silence. */
function pcm(values: ArrayLike<number>, channels: number): Int16Array<ArrayBuffer> {
  const count = values.length / channels;
  const kept = Math.min(channels, 2);
  let peak = 1;
  for (let i = 0; i < values.length; i++) if (Number.isFinite(values[i])) peak = Math.max(peak, Math.abs(values[i]!));
  const level = 32_767 / peak;
  const samples = new Int16Array(kept * count);
  for (let at = 0; at < count; at++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) {
      const value = values[channel * count + at]!;
      const sample = Number.isFinite(value) ? value * level : 0;
      if (kept === channels) samples[at * kept + channel] = Math.round(sample);
      sum += sample;
    }
    if (kept < channels) samples.fill(Math.round(sum / channels), at * kept, at * kept + kept);
  }
  return samples;
}
