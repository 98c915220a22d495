// Does what a worker says pass to the page only if it is what it claims, of a size and a number that a page can take?
import { describe, expect, it, vi } from "vitest";
import { Gate } from "../src/protocol/gate";
import type { Verdict } from "../src/protocol/gate";

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
  content: { kind: "image", title: "", bitmap: new FakeBitmap(width, height), tile: { width: 28, height: 28 }, columns: 2, count: 3, omitted: 0, scale: 1, labels: [], legend: null, ...claims },
});
const passed = (verdict: Verdict) => typeof verdict === "object";

describe("the gate", () => {
  it("lets messages pass, without what came along", () => {
    const verdict = new Gate().judge({ ...text("x"), luggage: new ArrayBuffer(1e6), type: "text" });
    expect(verdict).toEqual({ pass: text("x"), moved: [] });
    const nested = new Gate().judge({ type: "points", run: 1, output: 1, points: [{ x: 1, values: { loss: 2 }, luggage: 1 }] });
    expect(nested).toEqual({ pass: { type: "points", run: 1, output: 1, points: [{ x: 1, values: { loss: 2 } }] }, moved: [] });
  });
  it.each([null, 1, "ready", {}, { type: "constructor" }, { type: "output" }, text("x".repeat(500_000)), { type: "points", run: 1, output: 1, points: new Array(5) }])(
    "refuses what is no message: %#",
    (data) => expect(new Gate().judge(data)).toBe("refused"),
  );
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
      expect(steady.judge(text("x"))).not.toBe("flood");
    }
    const flooded = (data: unknown, most: number) => {
      const gate = new Gate(() => 0);
      for (let i = 0; i < most; i++) if (gate.judge(data) === "flood") return true;
      return false;
    };
    expect([flooded(text("x"), 6_000), flooded(text("x"), 6_001), flooded(null, 6_001), flooded(text("x".repeat(400_000)), 100)]).toEqual([false, true, true, true]);
  });
});
