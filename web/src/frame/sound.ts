// Decoding of sounds, one at a time, by the document's decoder, which also resamples.

import { SOUND } from "../protocol/messages";
import type { PageMessage, Sound, WorkerMessage } from "../protocol/messages";

const WAITING = 16;

export class SoundDecoder {
  private last: Promise<void> = Promise.resolve();
  private waiting = 0;

  constructor(private readonly send: (message: PageMessage, moved: Transferable[]) => void) {}

  decode({ request, bytes, rate }: Extract<WorkerMessage, { type: "audio" }>): void {
    const answer = (sound: Sound) => this.send({ type: "audio", request, sound }, sound.ok ? sound.channels.map(({ buffer }) => buffer) : []);
    if (bytes.byteLength > SOUND) return answer({ ok: false, message: `a sound has at most ${SOUND / 1e6} MB` });
    if (this.waiting >= WAITING) return answer({ ok: false, message: "too many sounds are being decoded" });
    this.waiting++;
    this.last = this.last
      .then(() => decoded(bytes as Uint8Array<ArrayBuffer>, rate))
      .then(answer)
      .finally(() => this.waiting--);
  }
}

async function decoded(bytes: Uint8Array<ArrayBuffer>, rate: number): Promise<Sound> {
  try {
    const sound = await new OfflineAudioContext(1, 1, rate).decodeAudioData(bytes.slice().buffer);
    return { ok: true, channels: Array.from({ length: sound.numberOfChannels }, (_, channel) => new Float32Array(sound.getChannelData(channel))) };
  } catch (error) {
    return { ok: false, message: `no sound that this browser can read: ${error instanceof Error ? error.message : String(error)}` };
  }
}
