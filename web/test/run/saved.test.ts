// Outputs of an earlier visit: shown as they were, found by the texts of their cells, and never
// trusted.
import { describe, expect, it, vi } from "vitest";
import type { OutputContent } from "../../src/protocol/messages";
import { keep, KEPT, readKept } from "../../src/state/outputs/kept";
import { makeCell } from "../../src/state/notebook/notebook";
import { areOlder, packOutputs, unpackOutputs } from "../../src/state/run/saved";
import { Session } from "../../src/state/run/session";
import type { RunnerEvents } from "../../src/state/run/worker-life";
import { OutputStore } from "../../src/state/notebook/storage";
import { reader } from "../support/reader";

class FakeBitmap {
  constructor(
    readonly width: number,
    readonly height: number,
  ) {}
  close() {}
}
vi.stubGlobal("ImageBitmap", FakeBitmap);
const none = () => null;

function makeSession() {
  let events: RunnerEvents | undefined;
  const session = new Session({ spawn: (given) => ((events = given), { send: () => undefined, terminate: () => undefined }), reader, readFile: async () => ({ ok: false, failure: "failed", message: "" }), now: () => 0 });
  events!.message({ type: "ready", device: { kind: "cpu", adapter: null, reason: null }, names: [] });
  return { session, say: events!.message.bind(events) };
}
const texts = (session: Session, id: string) => session.cell(id).outputs.list.map((output) => (output.kind === "text" ? output.head + output.tail : output.content.kind));

function visit() {
  const cells = [makeCell("code", "print(1)"), makeCell("code", "2"), makeCell("code", "throw 3")];
  const { session, say } = makeSession();
  session.run(cells.map(({ id, source }) => ({ cell: id, source })));
  say({ type: "text", run: 1, output: 1, stream: "print", text: "one\n", omitted: 0 });
  say({ type: "output", run: 1, output: 2, content: { kind: "chart", title: "", x: "", panels: [{ title: "", y: "", series: ["a"], log: false, range: null }] } });
  say({ type: "points", run: 1, output: 2, points: [{ x: 1, values: { a: NaN } }, { x: 2, values: { a: Infinity } }] });
  say({ type: "output", run: 1, output: 3, content: { kind: "button", name: null, label: "press" } });
  say({ type: "finished", run: 1, status: "done", error: null });
  say({ type: "output", run: 2, output: 4, content: { kind: "progress", label: "", done: 1, total: 2, text: "", elapsed: 5, ended: false } });
  say({ type: "finished", run: 2, status: "done", error: null });
  say({ type: "finished", run: 3, status: "failed", error: { name: "Thrown", message: "3", frames: [], members: undefined, hint: undefined } });
  return packOutputs(cells.map((cell) => ({ cell, run: session.cell(cell.id) })), none);
}
function revisit(json: string, ...sources: string[]) {
  const cells = sources.map((source) => makeCell("code", source));
  const { session } = makeSession();
  const saved = unpackOutputs(json, cells);
  for (const cell of cells) if (saved.has(cell.id)) session.showSaved(cell, saved.get(cell.id)!);
  return { session, cells };
}

describe("outputs of an earlier visit", () => {
  it("are shown, except for what only lives while its worker does", () => {
    const { session, cells } = revisit(visit(), "print(1)", "2", "throw 3");
    const [a, b, c] = cells.map(({ id }) => id) as [string, string, string];
    expect([texts(session, a), texts(session, b), session.cell(c).error?.message]).toEqual([["one\n", "chart"], ["progress"], "3"]);
    expect([session.cell(a).saved?.status, session.cell(a).status, session.cell(c).saved?.status]).toEqual(["done", "idle", "failed"]);
    const [, chart] = session.cell(a).outputs.list;
    expect(chart?.kind === "content" && chart.points.map(({ values }) => values["a"])).toEqual([NaN, Infinity]);
  });
  it("are found by the texts of their cells, wherever these are now", () => {
    const { session, cells } = revisit(visit(), "new", "2", "print(1)", "2");
    expect(cells.map(({ id }) => texts(session, id).length)).toEqual([0, 1, 2, 0]);
  });
  it("are not those of a text that shares 32 bits with theirs", () => {
    const [text, other] = ["print(522789)", "print(739192)"];
    const { session, say } = makeSession();
    const cell = makeCell("code", text);
    session.run([{ cell: cell.id, source: text }]);
    say({ type: "text", run: 1, output: 1, stream: "print", text: "mine\n", omitted: 0 });
    say({ type: "finished", run: 1, status: "done", error: null });
    const json = packOutputs([{ cell, run: session.cell(cell.id) }], none);
    const { session: again, cells } = revisit(json, other!, text!);
    expect(cells.map(({ id }) => texts(again, id))).toEqual([[], ["mine\n"]]);
    expect(areOlder(json)).toBe(false);
    const older = json.replace(/"source":"[^"]*"/, '"text":"a0f4c8d1"');
    expect([areOlder(older), revisit(older, text!).session.cell(cells[0]!.id).outputs.list]).toEqual([true, []]);
  });
  it("outlive a visit in which nothing ran", () => {
    const { session, cells } = revisit(visit(), "print(1)");
    const again = revisit(packOutputs(cells.map((cell) => ({ cell, run: session.cell(cell.id) })), none), "print(1)");
    expect(texts(again.session, again.cells[0]!.id)).toEqual(["one\n", "chart"]);
  });
  it("give way to a run", () => {
    const { session, cells } = revisit(visit(), "print(1)");
    session.run([{ cell: cells[0]!.id, source: "print(1)" }]);
    expect([session.cell(cells[0]!.id).saved, texts(session, cells[0]!.id)]).toEqual([null, []]);
  });
  it("keep to a budget, and say how much it cost", () => {
    const cell = makeCell("code", "x");
    const { session, say } = makeSession();
    session.run([{ cell: cell.id, source: "x" }]);
    for (let i = 1; i <= 10; i++) say({ type: "output", run: 1, output: i, content: { kind: "value", text: "v".repeat(100_000), tree: undefined } });
    say({ type: "finished", run: 1, status: "done", error: null });
    const json = packOutputs([{ cell, run: session.cell(cell.id) }], none);
    expect(json.length).toBeLessThan(310_000);
    const again = revisit(json, "x");
    expect([texts(again.session, again.cells[0]!.id).length, again.session.cell(again.cells[0]!.id).saved?.omitted]).toEqual([2, 8]);
  });
  it.each(["", "{", "null", "[1]", '[{"text":"x"}]', '{"a":1}'])("that are %j are none", (json) => {
    expect(unpackOutputs(json, [makeCell("code", "x")]).size).toBe(0);
  });
});

/** The beginning of a PNG that claims a size. */
function claim(width: number, height: number): string {
  const bytes = new Uint8Array(24);
  const view = new DataView(bytes.buffer);
  [0x89504e47, 0x0d0a1a0a, 13, 0x49484452, width, height].forEach((word, i) => view.setUint32(4 * i, word));
  return btoa(String.fromCharCode(...bytes));
}
const picture = (width = 8, height = 4): OutputContent => ({
  kind: "image", title: "p", bitmap: new FakeBitmap(width, height) as unknown as ImageBitmap, tile: { width, height }, columns: 1, fixed: undefined, sizes: undefined, count: 1, omitted: 0, scale: 2, labels: [], legend: null, smooth: false, touch: true, values: undefined,
});

describe("pictures of an earlier visit", () => {
  /** What a cell that made these pictures, and said a word before each, shows on the next visit. */
  function again(pictures: readonly OutputContent[], data: string | null, change = (json: string) => json) {
    const cell = makeCell("code", "x");
    const { session, say } = makeSession();
    session.run([{ cell: cell.id, source: "x" }]);
    pictures.forEach((content, i) => {
      say({ type: "text", run: 1, output: 2 * i, stream: "print", text: `${i}\n`, omitted: 0 });
      say({ type: "output", run: 1, output: 2 * i + 1, content });
    });
    say({ type: "finished", run: 1, status: "done", error: null });
    const json = change(packOutputs([{ cell, run: session.cell(cell.id) }], ({ content }) => (data === null || content.kind !== "image" ? null : keep(content, data))));
    const next = revisit(json, "x");
    const { outputs, saved } = next.session.cell(next.cells[0]!.id);
    return { json, outputs, saved, next };
  }
  it("stand where they stood, take no pointer, and outlive a visit in which nothing ran", () => {
    const { outputs, saved, next } = again([picture(), picture()], claim(8, 4));
    expect(outputs.list.map((output) => (output.kind === "text" ? output.head : output.content.kind))).toEqual(["0\n", "kept", "1\n", "kept"]);
    expect(saved?.omitted).toBe(0);
    const [, shown] = outputs.list;
    expect(shown?.kind === "content" && shown.content).toMatchObject({ title: "p", scale: 2, tile: { width: 8, height: 4 } });
    expect(shown?.kind === "content" && "touch" in shown.content).toBe(false);
    const third = revisit(packOutputs(next.cells.map((cell) => ({ cell, run: next.session.cell(cell.id) })), none), "x");
    expect(third.session.cell(third.cells[0]!.id).outputs.list.length).toBe(4);
  });
  it("that were not encoded, or are too many, are reported, and never take the place of words", () => {
    expect(again([picture()], null).saved?.omitted).toBe(1);
    const many = again(Array.from({ length: 20 }, () => picture()), "A".repeat(KEPT.characters - 4));
    expect(many.json.length).toBeLessThan(301_000);
    expect(many.saved?.omitted).toBe(18);
    expect(many.outputs.list.filter(({ kind }) => kind === "text").length).toBe(20);
  });
  it.each([
    ["of a size that no page can take", (json: string) => json.replace('"width":8,"height":4', '"width":8192,"height":8192')],
    ["of more tiles than fit", (json: string) => json.replace('"count":1', '"count":4096').replace('"width":8,"height":4', '"width":100,"height":100')],
    ["of no size", (json: string) => json.replace('"width":8', '"width":0')],
    ["longer than any that is kept", (json: string) => json.replace('"data":"', `"data":"${"A".repeat(KEPT.characters)}`)],
    ["without pixels", (json: string) => json.replace('"data"', '"url"')],
  ])("%s are refused before anything is decoded, and counted", (_, change) => {
    const { outputs, saved } = again([picture()], claim(8, 4), change);
    expect([outputs.list.length, saved?.omitted]).toEqual([1, 1]);
  });
  it.each([
    ["claim another size than their bytes", claim(8192, 8192)],
    ["are no pictures", btoa("<svg onload=alert(1)>")],
    ["are GIFs", btoa("GIF89a\x08\0\x04\0")],
    ["are not base64", "§§§"],
    ["are cut off", claim(8, 4).slice(0, 12)],
  ])("are not decoded where they %s", (_, data) => {
    const { outputs } = again([picture()], data);
    const [, shown] = outputs.list;
    const content = shown?.kind === "content" ? shown.content : null;
    expect(content?.kind === "kept" && readKept(content)).toBe(null);
    expect(content?.kind === "kept" && readKept({ ...content, data: claim(8, 4) })).toMatchObject({ type: "image/png" });
  });
});

it("outputs are kept of a few notebooks, and where there is room", () => {
  const map = new Map<string, string>();
  const size = () => [...map.values()].reduce((sum, value) => sum + value.length, 0);
  const store = new OutputStore({
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => {
      if (size() + value.length > 1_000) throw new DOMException("full", "QuotaExceededError");
      map.set(key, value);
    },
    removeItem: (key) => void map.delete(key),
  });
  for (let i = 0; i < 9; i++) store.write(`n${i}`, "x".repeat(60));
  expect([..."012345678"].filter((i) => store.read(`n${i}`) !== null).join("")).toBe("345678");
  store.write("n8", "w".repeat(900));
  expect([store.read("n8"), store.read("n7")?.length]).toEqual([null, 60]);
});
