// The inspector's state: answers that are checked, graphs that stay small, times and places.

import { parseHTML } from "linkedom";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readAnswer } from "../../src/protocol/inspection";
import type { InspectedPart, InspectedRuns } from "../../src/protocol/inspection";
import { InspectorClient } from "../../src/state/inspect/client";
import { bytesText, elementText, shareText, timeText } from "../../src/state/inspect/figures";
import { graphOf } from "../../src/state/inspect/graph";
import { originOf, spansOf, timedDispatches } from "../../src/state/inspect/program";
import { racesView } from "../../src/view/inspect/races";
import { timelineView } from "../../src/view/inspect/timeline";
import type { PageMessage, WorkerMessage } from "../../src/protocol/messages";

type Part = Extract<WorkerMessage, { type: "inspected" }>;

const answer = (value: unknown, sites: unknown = []) => JSON.stringify({ answer: value, sites });

describe("answers", () => {
  test("what has another form than it should is refused", () => {
    expect(readAnswer("limits", answer({ copy: 1, product: 2 })).answer).toEqual({ copy: 1, product: 2 });
    for (const wrong of [{ copy: "1", product: 2 }, { copy: 1 }, null, [], { copy: Number.MAX_VALUE * 2, product: 1 }]) expect(() => readAnswer("limits", answer(wrong))).toThrow();
    expect(() => readAnswer("limits", answer({ copy: 1, product: 2 }, [[1, 2]]))).toThrow();
    expect(() => readAnswer("limits", answer({ copy: 1, product: 2 }, [["<b>", 2, 3]]))).toThrow();
    expect(() => readAnswer("races", answer([{ key: "x".repeat(5_000), candidates: [], winner: "", spread: 0 }]))).toThrow();
    expect(() => readAnswer("runs", "not JSON")).toThrow();
  });

  test("parts are put together in order, strangers are ignored, and nobody waits for a worker that has ended", async () => {
    let tell: (part: Part) => void = () => undefined;
    let end: () => void = () => undefined;
    const sent: PageMessage[] = [];
    const client = new InspectorClient({ send: (message) => sent.push(message), listen: (onPart, ended) => ((tell = onPart), (end = ended), () => undefined) }, () => Promise.resolve("module"));
    const part = (text: string, more: Partial<Part>): Part => ({ type: "inspected", request: 1, part: 0, parts: 1, text, failed: false, ...more });
    const first = client.ask({ ask: "limits" });
    await Promise.resolve();
    expect(sent[0]).toMatchObject({ type: "inspect", request: 1, source: "module" });
    const text = answer({ copy: 3, product: 4 });
    tell(part("{", { request: 9 }));
    tell(part(text.slice(10), { part: 1, parts: 2 }));
    tell(part(text.slice(0, 10), { part: 0, parts: 2 }));
    tell(part(text.slice(10), { part: 1, parts: 2 }));
    expect(await first).toEqual({ copy: 3, product: 4 });
    const second = client.ask({ ask: "limits" });
    await Promise.resolve();
    expect(sent[1]).toMatchObject({ source: null });
    end();
    await expect(second).rejects.toThrow("restarted");
  });
});

/** A chain of clusters of so many nodes each. */
function chain(clusters: number, each: number): InspectedPart {
  const node = (op: string, inputs: number[]) => ({ op, dtype: "f32", shape: [4], inputs, detail: "", site: 0 });
  const nodes = [node("buffer", [])];
  const made: InspectedPart["clusters"] = [];
  for (let cluster = 0; cluster < clusters; cluster++) {
    const computes: number[] = [];
    for (let n = 0; n < each; n++) computes.push(nodes.push(node(n % 2 ? "sin" : "exp", [nodes.length - 1])) - 1);
    made.push({ walks: "", computes, stores: [computes.at(-1)!], operations: 1 });
  }
  const cuts = made.slice(0, -1).map(({ stores }) => ({ node: stores[0]!, reason: "a test" }));
  return { nodes, outputs: [nodes.length - 1], clusters: made, cuts };
}

describe("graphs", () => {
  test("a cluster is a box until it is opened, and a cut says why", () => {
    const part = chain(3, 4);
    const closed = graphOf(part, new Set());
    expect(closed.boxes.map(({ id }) => id)).toEqual(["c0", "l0", "c1", "c2"]);
    expect(closed.edges.map(({ from, to, reason }) => [from, to, reason])).toEqual([["l0", "c0", null], ["c0", "c1", "a test"], ["c1", "c2", "a test"]]);
    const open = graphOf(part, new Set(["c1"]));
    expect(open.boxes.filter(({ kind }) => kind === "node")).toHaveLength(4);
    expect(open.edges).toHaveLength(6);
  });

  test("2,000 nodes in 1,000 clusters are few boxes, and each group opens by itself", () => {
    const part = chain(1_000, 2);
    const closed = graphOf(part, new Set());
    expect(closed.boxes.length).toBeLessThan(130);
    const open = graphOf(part, new Set(["g3"]));
    expect(open.boxes.length).toBeLessThan(150);
    expect(open.boxes.some(({ kind }) => kind === "cluster")).toBe(true);
  });
});

test("places are call sites, runs, or not known", () => {
  const sites = [[7, 2, 5], [0, 0, 0]] as const;
  expect(originOf(2 ** 30, sites)).toEqual({ run: 7, line: 2, column: 5, gradient: false });
  expect(originOf(2 ** 31 + 2 ** 30, sites)).toEqual({ run: 7, line: 2, column: 5, gradient: true });
  expect(originOf(12, sites)).toEqual({ run: 12, line: null, gradient: false });
  expect([originOf(0, sites), originOf(2 ** 30 + 1, sites), originOf(2 ** 30 + 99, sites)]).toEqual([null, null, null]);
});

test("the times of dispatches add up", () => {
  const run = { program: 0, number: 0, asked: 0, returned: 1, ended: 0, live: 0, kept: false, dispatches: [0, 100, 150, 1, 150, 350, 0, 400, 450] };
  expect(spansOf(run)).toEqual([{ place: 0, begin: 0, end: 50 }, { place: 1, begin: 50, end: 250 }, { place: 0, begin: 300, end: 350 }]);
  expect(timedDispatches([run, run])).toEqual([{ place: 1, count: 2, total: 400 }, { place: 0, count: 4, total: 200 }]);
});

test("figures read well", () => {
  expect([bytesText(12), bytesText(1_500), bytesText(65_536)]).toEqual(["12 bytes", "1.50 KB", "65.5 KB"]);
  expect([timeText(18), timeText(1_480_000), timeText(65_536)]).toEqual(["18 ns", "1.48 ms", "65.5 µs"]);
  expect([shareText(0.004), shareText(0.37), shareText(0)]).toEqual(["< 1 %", "37 %", "0 %"]);
  expect([elementText(0x40400000, "f32"), elementText(0x7fc00000, "f32"), elementText(0xffffffff, "i32"), elementText(1, "bool")]).toEqual(["3", "NaN", "-1", "true"]);
});

describe("views", () => {
  const named = (root: Element, label: string) => [...root.querySelectorAll("[aria-label]")].find((each) => each.getAttribute("aria-label") === label);
  const rows = (root: Element, label: string) => [...(named(root, label)?.querySelectorAll("tbody tr") ?? [])].map((row) => [...row.children].map(({ textContent }) => textContent).join(" | "));

  beforeAll(() => {
    const { document } = parseHTML("<!doctype html><html><body></body></html>");
    vi.stubGlobal("document", document);
    vi.stubGlobal("Text", class { constructor(text: string) { return document.createTextNode(text); } });
  });
  afterAll(() => vi.unstubAllGlobals());

  test("a device without timestamps has times of whole runs, by the clock", () => {
    const run = (number: number, more: object) => ({ program: 3, number, asked: 1_000, returned: 21_000, ended: 0, live: 8, kept: true, dispatches: [], ...more });
    const runs = { report: { device: "webgpu", timestamps: false, quantum: 0, recorded: true, programs: [], runs: [run(0, { ended: 4_001_000 }), run(1, {}), run(2, { program: 4 })] }, stats: "" } as unknown as InspectedRuns;
    const view = timelineView({ runs, program: null, number: 3, search: "", chosen: 0, choose: () => undefined, limits: null, measure: () => undefined, pick: () => undefined });
    expect(view.textContent).toContain("This device has no timestamps: these are times of whole runs by the clock");
    expect(rows(view, "Times of runs")).toEqual(["1 | 20.0 µs | 4.00 ms", "2 | 20.0 µs | —"]);
  });

  test("a race says who took part, who fell behind and who was fastest, and is in the log", () => {
    const race = (key: string) => ({ key, candidates: [{ choice: "one row", milliseconds: 2 }, { choice: "two rows", milliseconds: 1.5 }, { choice: "tree", milliseconds: null }], winner: "two rows", spread: 3 });
    const view = racesView([race("sum along f32"), race("matmul f32")], "MATMUL");
    expect(view.textContent).toContain("2 races; the first in each is the kernel that ran before.");
    expect(rows(view, "Race of sum along f32")).toEqual([]);
    expect(rows(view, "Race of matmul f32")).toEqual(["one row | 2 ms | ", "two rows | 1.5 ms | fastest, ±3 %", "tree | fell behind | "]);
    expect(named(view, "Log")?.textContent).toBe(["sum along f32", "matmul f32"].map((key) => `${key}\none row => 2ms\ntwo rows => 1.5ms\ntree => left\nFastest: two rows ±3%`).join("\n\n"));
    expect([...view.querySelectorAll("mark")].map(({ textContent }) => textContent)).toEqual(["matmul"]);
  });
});
