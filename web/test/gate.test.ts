// Filter for the worker's messages: each passes to the page only with the form it claims, and in a
// size and a number that a page can take.
import { describe, expect, it, vi } from "vitest";
import { Gate, Valve } from "../src/protocol/gate";
import type { Passed, Verdict } from "../src/protocol/gate";

class FakeBitmap {
  constructor(
    readonly width: number,
    readonly height: number,
  ) {}
}
vi.stubGlobal("ImageBitmap", FakeBitmap);

const device = { kind: "cpu", adapter: null, reason: null };
const ready = { type: "ready", device, names: [] };
const text = (text: string) => ({ type: "text", run: 1, output: 1, stream: "print", text, omitted: 0 });
const image = (width: number, height: number, claims: object) => ({
  type: "output", run: 1, output: 1,
  content: { kind: "image", title: "", bitmap: new FakeBitmap(width, height), tile: { width: 28, height: 28 }, columns: 2, count: 3, omitted: 0, scale: 1, labels: [], legend: null, smooth: false, touch: false, ...claims },
});
const passed = (verdict: Verdict) => typeof verdict === "object";

describe("the gate", () => {
  it("lets messages pass, without what came along", () => {
    const verdict = new Gate().judge({ ...text("x"), luggage: new ArrayBuffer(1e6), type: "text" });
    expect(verdict).toMatchObject({ pass: text("x"), moved: [] });
    expect(typeof verdict === "object" && Object.keys(verdict.pass)).toEqual(["type", "run", "output", "stream", "text", "omitted"]);
    const nested = new Gate().judge({ type: "points", run: 1, output: 1, points: [{ x: 1, values: { loss: 2 }, luggage: 1 }] });
    expect(typeof nested === "object" && nested.pass).toEqual({ type: "points", run: 1, output: 1, points: [{ x: 1, values: { loss: 2 } }] });
  });
  it.each([null, 1, "ready", {}, { type: "constructor" }, { type: "output" }, text("x".repeat(500_000)), { type: "points", run: 1, output: 1, points: new Array(5) }])(
    "refuses what is no message: %#",
    (data) => expect(new Gate().judge(data)).toBe("refused"),
  );
  it("takes whole numbers of kernels alone for those that are optimised", () => {
    const memory = (optimising: unknown) => new Gate().judge({ type: "memory", live: 1, peak: 2, pooled: 3, optimising });
    expect([0, 3].every((count) => passed(memory(count)))).toBe(true);
    for (const other of [-1, 0.5, NaN, 1e9, "3", "<b>", null, undefined]) expect(memory(other)).toBe("refused");
  });
  it("takes trees of a bounded size, whatever their depths", () => {
    const value = (tree: unknown) => new Gate().judge({ type: "output", run: 1, output: 1, content: { kind: "value", text: "", tree } });
    const line = { key: "__proto__", text: "x", depth: 12, open: true };
    expect(passed(value([line, { ...line, depth: 3, luggage: new ArrayBuffer(1e6) }]))).toBe(true);
    for (const bad of [Array(2_001).fill(line), [{ ...line, depth: 13 }], [{ ...line, depth: -1 }], [{ ...line, key: "k".repeat(201) }], [{ ...line, text: "x".repeat(5_001) }], Array(2_000).fill({ ...line, text: "x".repeat(5_000) }), new Array(3), {}]) expect(value(bad)).toBe("refused");
  });
  it("lets `ready` pass once", () => {
    const gate = new Gate();
    expect([gate.open, passed(gate.judge(ready)), gate.open, gate.judge(ready), gate.judge({ type: "unusable", error: { name: "", message: "", frames: [] } })]).toEqual([false, true, true, "refused", "refused"]);
  });
  it("measures pictures against what was sent", () => {
    expect(passed(new Gate().judge(image(56, 56, {})))).toBe(true);
    expect(new Gate().judge(image(56, 56, { tile: { width: 8_192, height: 8_192 }, columns: 64, count: 4_096 }))).toBe("refused");
    expect(new Gate().judge(image(56, 56, { count: 1 }))).toBe("refused");
  });
  it("refuses a message that weighs too much", () => {
    const rows = Array.from({ length: 1_000 }, () => Array.from({ length: 100 }, () => "x".repeat(2_000)));
    expect(new Gate().judge({ type: "output", run: 1, output: 1, content: { kind: "table", columns: [], rows: rows.slice(0, 20), omitted: 0 } })).toBe("refused");
    expect(new Gate().judge({ type: "output", run: 1, output: 1, content: { kind: "table", columns: [], rows, omitted: 0 } })).toBe("flood");
  });
  it("ends a flood, of messages or of bytes, and not what is spread over time", () => {
    let now = 0;
    const steady = new Gate(() => now);
    for (let i = 0; i < 20_000; i++) {
      now += 1;
      steady.breathe();
      expect(steady.judge(text("x"))).not.toBe("flood");
    }
    const flooded = (data: unknown, most: number, breathes = true) => {
      const gate = new Gate(() => 0);
      for (let i = 0; i < most; i++) {
        if (gate.judge(data) === "flood") return true;
        if (breathes) gate.breathe();
      }
      return false;
    };
    // However slow the frame is, a worker that is ahead of it by thousands is a flood.
    expect([flooded(null, 3_000, false), flooded(null, 3_001, false)]).toEqual([false, true]);
    expect([flooded(text("x"), 6_000), flooded(text("x"), 6_001), flooded(null, 6_001), flooded(text("x".repeat(400_000)), 200)]).toEqual([false, true, true, true]);
  });
});

describe("the valve", () => {
  it("refuses what waits where it is more than a page could take in", () => {
    const valve = new Valve(() => undefined);
    const message = { pass: ready, moved: [], weight: 3_000_000 } as unknown as Passed;
    const taken = Array.from({ length: 100 }, () => valve.add(message));
    expect([taken[0], taken[50], taken.at(-1)]).toEqual([true, true, false]);
  });
  it("hands on in order, a little at a time, and at once where little comes", () => {
    vi.useFakeTimers();
    const sent: Passed[] = [];
    const valve = new Valve((message) => sent.push(message));
    const messages = Array.from({ length: 20 }, (_, i): Passed => ({ pass: { type: "stopping", run: i }, moved: [], weight: 300_000 }));
    for (const message of messages) valve.add(message);
    expect(sent.length).toBe(2);
    vi.advanceTimersByTime(30);
    expect(sent.length).toBe(4);
    vi.advanceTimersByTime(3_000);
    expect(sent).toEqual(messages);
    expect(vi.getTimerCount()).toBe(0);
    valve.add(messages[0]!);
    expect(sent.length).toBe(21);
    vi.useRealTimers();
  });
});
