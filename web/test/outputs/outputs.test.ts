// Bounds on the outputs of a run. The last output, and outputs that go on, are never among those
// left out.
import { describe, expect, it, vi } from "vitest";
import type { OutputContent } from "../../src/protocol/messages";
import { Outputs } from "../../src/state/outputs/outputs";
import { PageRooms } from "../../src/state/outputs/room";

class FakeBitmap {
  closed = false;
  constructor(
    readonly width: number,
    readonly height: number,
  ) {}
  close() {
    this.closed = true;
  }
}
vi.stubGlobal("ImageBitmap", FakeBitmap);

const value = (text: string): OutputContent => ({ kind: "value", text, tree: undefined });
const table = (): OutputContent => ({ kind: "table", title: undefined, columns: [], types: undefined, rows: Array.from({ length: 200 }, () => Array.from({ length: 60 }, () => "1")), omitted: 0 });
const picture = (side: number): OutputContent => ({ kind: "image", title: "", bitmap: new FakeBitmap(side, side) as unknown as ImageBitmap, tile: { width: side, height: side }, columns: 1, fixed: undefined, sizes: undefined, count: 1, omitted: 0, scale: 1, labels: [], legend: null, smooth: false, touch: false, values: undefined });
const show = (outputs: Outputs, output: number, content: OutputContent) => outputs.apply({ type: "output", run: 1, output, content });
const shown = (outputs: Outputs) => outputs.list.filter((output) => output.shown).map(({ id }) => id);

describe("outputs", () => {
  it("beyond what a run shows are held, counted, and shown on demand", () => {
    const outputs = new Outputs();
    for (let i = 1; i <= 700; i++) show(outputs, i, value("x"));
    expect([shown(outputs).length, outputs.hidden, outputs.dropped]).toEqual([300, 400, 0]);
    outputs.reveal();
    expect([shown(outputs).length, outputs.hidden]).toEqual([600, 100]);
    outputs.reveal();
    expect(outputs.hidden).toBe(0);
  });
  it("end with the last one shown, whatever came before", () => {
    const outputs = new Outputs();
    for (let i = 1; i <= 5_000; i++) {
      show(outputs, i, value("x"));
      if (i % 1_000 === 0) outputs.settle();
    }
    show(outputs, 5_001, value("the result"));
    outputs.settle();
    expect(shown(outputs).at(-1)).toBe(5_001);
    expect([shown(outputs).length, outputs.list.length, outputs.hidden + outputs.dropped + 301]).toEqual([301, 1_001, 5_001]);
  });
  it("end with the last words shown too, where they went to a text begun before", () => {
    const outputs = new Outputs();
    const say = (text: string) => outputs.apply({ type: "text", run: 1, output: 400, stream: "print", text, omitted: 0 });
    for (let i = 1; i <= 399; i++) show(outputs, i, value("x"));
    say("begun\n");
    for (let i = 401; i <= 500; i++) show(outputs, i, value("x"));
    outputs.settle();
    say("the result\n");
    outputs.settle();
    expect(shown(outputs).slice(-2)).toEqual([400, 500]);
  });
  it("end with the last words shown, where what was shown before them comes after them", () => {
    const outputs = new Outputs();
    const say = (text: string) => outputs.apply({ type: "text", run: 1, output: 1_001, stream: "print", text, omitted: 0 });
    for (let i = 1; i <= 1_000; i++) show(outputs, i, value("x"));
    say("begun\n");
    show(outputs, 1_500, value("x"));
    say("the result\n");
    show(outputs, 2_000, value("the last"));
    outputs.settle();
    expect(shown(outputs).slice(-2)).toEqual([1_001, 2_000]);
    expect(outputs.find(1_001)).toMatchObject({ head: "begun\nthe result\n" });
    expect(outputs.dropped).toBe(1);
  });
  it("that go on are shown however late they come", () => {
    const outputs = new Outputs();
    for (let i = 1; i <= 3_000; i++) show(outputs, i, value("x"));
    show(outputs, 3_001, { kind: "button", name: null, label: "go" });
    show(outputs, 3_002, { kind: "chart", title: "", x: "", panels: [{ title: "", y: "", series: ["a"], log: false, range: null }] });
    for (let i = 3_003; i <= 4_000; i++) show(outputs, i, value("x"));
    expect(shown(outputs).slice(-2)).toEqual([3_001, 3_002]);
    // Not without end, though.
    for (let i = 5_000; i < 6_000; i++) show(outputs, i, { kind: "button", name: null, label: "go" });
    expect(shown(outputs).length).toBe(400);
  });
  it("end with the result, however late the news of what goes on come, and count each that was not kept once", () => {
    const outputs = new Outputs();
    const moving = (state: "playing" | "ended", frame: number): OutputContent => ({ kind: "animation", title: "", state, frame, rate: 0, resets: false });
    for (let i = 1; i <= 3_000; i++) show(outputs, i, moving("playing", 0));
    show(outputs, 3_001, value("the result"));
    outputs.settle();
    // In any order, as their pictures become ready.
    for (let frame = 1; frame <= 5; frame++) {
      for (let i = 1; i <= 3_000; i++) show(outputs, ((i * 7) % 3_000) + 1, moving(frame < 5 ? "playing" : "ended", frame));
      outputs.settle();
      expect(shown(outputs).at(-1)).toBe(3_001);
    }
    expect(outputs.list.length + outputs.dropped).toBe(3_001);
    expect(outputs.playing).toBe(false);
  });
  it("of many elements are few", () => {
    const outputs = new Outputs();
    for (let i = 1; i <= 290; i++) show(outputs, i, table());
    outputs.settle();
    expect(shown(outputs)).toEqual([...Array.from({ length: 14 }, (_, i) => i + 1), outputs.list.at(-1)!.id]);
    expect(outputs.list.at(-1)!.id).toBe(290);
  });
  it("of many pixels are few, and let go of what is not kept", () => {
    const outputs = new Outputs();
    const all = Array.from({ length: 10 }, () => picture(4_000));
    all.forEach((content, i) => show(outputs, i + 1, content));
    expect([shown(outputs).length, outputs.list.length, outputs.dropped]).toEqual([3, 5, 5]);
    expect(all.map((content) => (content.kind === "image" ? (content.bitmap as unknown as FakeBitmap).closed : null))).toEqual([false, false, false, false, true, true, true, true, true, false]);
  });
  it("of all cells share one page, and give back what they took", () => {
    const rooms = new PageRooms();
    const cells = Array.from({ length: 4 }, () => new Outputs(rooms));
    for (const outputs of cells) for (let i = 1; i <= 3; i++) show(outputs, i, picture(4_000));
    expect(cells.map((outputs) => shown(outputs).length)).toEqual([3, 3, 2, 0]);
    cells[0]!.end();
    const again = new Outputs(rooms);
    show(again, 1, picture(4_000));
    expect(shown(again)).toEqual([1]);
  });
  it("that are replaced do not add up", () => {
    const outputs = new Outputs();
    for (let i = 0; i < 50; i++) expect(show(outputs, 1, picture(4_000))).not.toBe(null);
    expect(show(outputs, 1, picture(8_192 * 2))).toBe(null);
    expect(outputs.list.length).toBe(1);
  });
  it("of text keep to what a run may hold", () => {
    const outputs = new Outputs();
    for (let i = 1; i <= 900; i++) for (let j = 0; j < 3; j++) outputs.apply({ type: "text", run: 1, output: i, stream: "print", text: `${"x".repeat(39_999)}\n`, omitted: 0 });
    const held = outputs.list.reduce((sum, output) => sum + (output.kind === "text" ? output.head.length + output.tail.length : 0), 0);
    expect(2 * held).toBeLessThan(60_000_000);
  });
});
