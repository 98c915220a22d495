// Are outputs of an earlier visit shown as they were, told by the texts of their cells, and never trusted?
import { describe, expect, it } from "vitest";
import { makeCell } from "../src/state/notebook";
import { packOutputs, unpackOutputs } from "../src/state/saved";
import { Session } from "../src/state/session";
import type { RunnerEvents } from "../src/state/session";
import { EditStore } from "../src/state/storage";

function makeSession() {
  let events: RunnerEvents | undefined;
  const session = new Session({ spawn: (given) => ((events = given), { send: () => undefined, terminate: () => undefined }), readFile: async () => ({ ok: false, failure: "failed", message: "" }), now: () => 0 });
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
  say({ type: "finished", run: 3, status: "failed", error: { name: "Thrown", message: "3", frames: [] } });
  return packOutputs(cells.map((cell) => ({ cell, run: session.cell(cell.id) })));
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
  it("are told by the texts of their cells, wherever these stand now", () => {
    const { session, cells } = revisit(visit(), "new", "2", "print(1)", "2");
    expect(cells.map(({ id }) => texts(session, id).length)).toEqual([0, 1, 2, 0]);
  });
  it("outlive a visit in which nothing ran", () => {
    const { session, cells } = revisit(visit(), "print(1)");
    const again = revisit(packOutputs(cells.map((cell) => ({ cell, run: session.cell(cell.id) }))), "print(1)");
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
    for (let i = 1; i <= 10; i++) say({ type: "output", run: 1, output: i, content: { kind: "value", text: "v".repeat(100_000) } });
    say({ type: "finished", run: 1, status: "done", error: null });
    const json = packOutputs([{ cell, run: session.cell(cell.id) }]);
    expect(json.length).toBeLessThan(310_000);
    const again = revisit(json, "x");
    expect([texts(again.session, again.cells[0]!.id).length, again.session.cell(again.cells[0]!.id).saved?.omitted]).toEqual([2, 8]);
  });
  it.each(["", "{", "null", "[1]", '[{"text":"x"}]', '{"a":1}'])("that are %j are none", (json) => {
    expect(unpackOutputs(json, [makeCell("code", "x")]).size).toBe(0);
  });
});

it("outputs are kept of a few notebooks, and give way to what was written", () => {
  const map = new Map<string, string>();
  const size = () => [...map.values()].reduce((sum, value) => sum + value.length, 0);
  const store = new EditStore({
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => {
      if (size() + value.length > 1_000) throw new DOMException("full", "QuotaExceededError");
      map.set(key, value);
    },
    removeItem: (key) => void map.delete(key),
  });
  for (let i = 0; i < 9; i++) store.writeOutputs(`n${i}`, "x".repeat(60));
  expect([..."012345678"].filter((i) => store.readOutputs(`n${i}`) !== null).join("")).toBe("345678");
  expect(store.write("n8", "w".repeat(900), "b")).toBe(true);
  expect([store.readOutputs("n8"), store.read("n8")?.length]).toEqual([null, 900]);
});
