// The inspector's state: answers that are checked, graphs that stay small, times and places.

import { describe, expect, test } from "vitest";
import { readAnswer } from "../../src/protocol/inspection";
import type { InspectedPart } from "../../src/protocol/inspection";
import { InspectorClient } from "../../src/state/inspect/client";
import { bytesText, elementText, shareText, timeText } from "../../src/state/inspect/figures";
import { graphOf } from "../../src/state/inspect/graph";
import { originOf, spansOf, timedDispatches } from "../../src/state/inspect/program";
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
