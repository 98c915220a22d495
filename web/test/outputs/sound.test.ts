// Sounds: what a worker sends is samples alone, of which the page makes a WAV file, and which it
// keeps.
import { describe, expect, it, vi } from "vitest";
import { Gate } from "../../src/protocol/gate";
import { MAX_SAMPLES } from "../../src/protocol/messages";
import type { Content } from "../../src/protocol/messages";
import { outputText } from "../../src/state/outputs/outputs";
import { readSamples, soundText, writeSamples } from "../../src/state/outputs/sound";
import { wavOf } from "../../src/state/outputs/wav";

vi.stubGlobal("ImageBitmap", class {});

const sound = (more: Partial<Content<"sound">> = {}): Content<"sound"> => ({ kind: "sound", title: "A4", rate: 8_000, channels: 1, samples: new Int16Array(16_000).map((_, i) => i % 100), seconds: 2, ...more });
const judged = (content: unknown) => new Gate().judge({ type: "output", run: 1, output: 1, content });

describe("a sound", () => {
  it("is a WAV file of its samples", () => {
    const bytes = wavOf(sound({ channels: 2, rate: 44_100, samples: Int16Array.of(1, -2, 300, -32_768) }));
    const view = new DataView(bytes.buffer);
    expect([new TextDecoder().decode(bytes.subarray(0, 4)), new TextDecoder().decode(bytes.subarray(8, 16)), view.getUint32(4, true), view.getUint16(22, true), view.getUint32(24, true), view.getUint32(28, true), view.getUint32(40, true)]).toEqual(["RIFF", "WAVEfmt ", bytes.length - 8, 2, 44_100, 176_400, 8]);
    expect([44, 46, 48, 50].map((at) => view.getInt16(at, true))).toEqual([1, -2, 300, -32_768]);
  });

  it("says how long it is, and how much of it is played", () => {
    expect(outputText(sound())).toBe("A4: 2.00 s, 8,000 samples a second");
    expect(soundText(sound({ title: "", channels: 2, seconds: 90 }))).toBe("the first 1.00 s of 90.0 s, 8,000 samples a second, stereo");
  });

  it("passes as a copy, of bounded size, or not at all", () => {
    const sent = sound();
    const verdict = judged({ ...sent, samples: new Int16Array(sent.samples), html: "<script>" });
    const passed = typeof verdict === "object" && verdict.pass.type === "output" && verdict.pass.content.kind === "sound" ? verdict.pass.content : null;
    expect(passed).toEqual(sent);
    for (const wrong of [{ samples: new Int16Array(MAX_SAMPLES + 1) }, { samples: new Float32Array(8) }, { samples: [1] }, { rate: 0 }, { rate: 1e9 }, { rate: NaN }, { channels: 3 }, { channels: 0 }, { seconds: Infinity }]) expect(judged({ ...sound(), ...wrong })).toBe("refused");
  });

  it("is read from where it was kept, and nothing else is taken for one", () => {
    const { samples } = sound();
    expect(readSamples(writeSamples(samples))).toEqual(samples);
    for (const wrong of [null, 1, "AA==", "<b>", "A".repeat(7_000_000)]) expect(readSamples(wrong)).toBe(null);
  });
});
