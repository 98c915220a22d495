// Reactive runs: which cells run again when the reader changes a control, and how often.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Content, PageMessage } from "../../src/protocol/messages";
import type { ContentOutput } from "../../src/state/outputs/outputs";
import { Reactions } from "../../src/state/run/reactions";
import { packOutputs, unpackOutputs } from "../../src/state/run/saved";
import { Session } from "../../src/state/run/session";
import type { RunnerEvents } from "../../src/state/run/worker-life";
import { reader } from "../support/reader";

const device = { kind: "cpu" as const, adapter: null, reason: null };

let session: Session;
let worker: RunnerEvents;
let sent: PageMessage[] = [];
let cells: { id: string; source: string }[] = [];
let lastOutput = 0;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  lastOutput = 0;
  begun = [];
  session = new Session({
    spawn: (events) => {
      worker = events;
      return { send: (message) => void sent.push(message), terminate: () => undefined };
    },
    reader,
    readFile: async () => ({ ok: false, failure: "failed", message: "" }),
    now: () => Date.now(),
  });
  session.events.subscribe((event) => event.type === "cleared" && begun.push(event.cell));
  new Reactions(session, () => cells.map(({ id, source }) => ({ id, source, ran: session.cell(id).live })));
  worker.message({ type: "ready", device, names: [] });
});
afterEach(() => vi.useRealTimers());

const runs = () => sent.filter((message) => message.type === "run");
/** The cells that were sent to run since the last look. */
let begun: string[] = [];
const ran = () => begun.splice(0);
const finish = (status: "done" | "failed" | "stopped" = "done") =>
  worker.message({ type: "finished", run: runs().at(-1)!.run, status, error: status === "failed" ? { name: "Error", message: "no", frames: [], members: undefined, hint: undefined } : null });

/** Runs cells of these texts; the first of them shows a slider of that name. */
function notebook(name: string | null, ...sources: string[]): ContentOutput {
  cells = sources.map((source, i) => ({ id: "abcdefgh"[i]!, source }));
  session.run(cells.map(({ id, source }) => ({ cell: id, source })));
  const control = show(name);
  for (const _ of cells) finish();
  ran();
  return control;
}
function show(name: string | null, value = 5, max = 10): ContentOutput {
  const content: Content<"control"> = { kind: "control", label: "k", key: "slider k", name, choice: { type: "slider", min: 0, max, step: 1, initial: 5, value } };
  const output = ++lastOutput;
  worker.message({ type: "output", run: session.cell("a").run!.id, output, content });
  return session.cell("a").outputs.find(output) as ContentOutput;
}
const choose = (control: ContentOutput, value: number) => session.inputs.choose("a", control, value);

describe("a changed control", () => {
  it("runs the cells below that use its name, and those that use theirs, not its own", () => {
    const control = notebook("k", "const k = slider('k')", "const y = k * 2", "other", "print(y)");
    choose(control, 7);
    expect(sent.filter(({ type }) => type === "control")).toEqual([{ type: "control", output: 1, value: 7, bound: true }]);
    finish();
    finish();
    expect(ran()).toEqual(["b", "d"]);
    expect(session.busy).toBe(false);
  });
  it("runs its own cell too where that uses the value", () => {
    choose(notebook("k", "const k = slider('k'); const half = k / 2", "half"), 7);
    finish();
    finish();
    expect(ran()).toEqual(["a", "b"]);
    choose(notebook(null, "const k = slider('k') / 2", "k"), 7);
    expect(runs().at(-1)).toMatchObject({ chosen: { "slider k": 7 } });
    finish();
    finish();
    expect(ran()).toEqual(["a", "b"]);
  });
  it("leaves alone what takes the value at every frame, what is hidden by another definition, and what never ran", () => {
    const control = notebook("k", "const k = slider('k')", "animate(() => image(x.mul(k)))", "((k) => k)(1)", "const k = 3", "k");
    cells.push({ id: "f", source: "k" });
    choose(control, 7);
    expect(ran()).toEqual([]);
    expect(sent.at(-1)).toMatchObject({ type: "control", bound: false });
  });
  it("leaves alone a cell whose text was edited since it ran", () => {
    const control = notebook("k", "const k = slider('k')", "k", "k + 1");
    cells[1]!.source = "k +";
    choose(control, 7);
    finish();
    expect(ran()).toEqual(["c"]);
  });
  it("runs them once more for whatever was chosen while they ran: a drag never queues", () => {
    const control = notebook("k", "const k = slider('k')", "k");
    for (let value = 0; value < 100; value++) choose(control, value % 10);
    expect(ran()).toEqual(["b"]);
    finish();
    expect(ran()).toEqual(["b"]);
    finish();
    expect(ran()).toEqual([]);
    expect(session.busy).toBe(false);
  });
  it("stays stopped when the reader stops what it runs", () => {
    const control = notebook("k", "const k = slider('k')", "k");
    choose(control, 1);
    choose(control, 2);
    session.stop();
    finish("stopped");
    expect(ran()).toEqual(["b"]);
    expect(session.busy).toBe(false);
    choose(control, 3);
    expect(ran()).toEqual(["b"]);
  });
  it("comes to the latest value although one before it made the cell fail", () => {
    const control = notebook("k", "const k = slider('k')", "k", "k");
    choose(control, 1);
    choose(control, 2);
    finish("failed");
    finish();
    finish();
    expect(ran()).toEqual(["b", "b", "c"]);
  });
});

describe("what the reader chose", () => {
  it("is sent with every later run, until it is what the text says again", () => {
    const control = notebook("k", "const k = slider('k')");
    choose(control, 7);
    session.run([{ cell: "a", source: cells[0]!.source }]);
    expect(runs().at(-1)).toMatchObject({ chosen: { "slider k": 7 } });
    const again = show("k", 7);
    finish();
    choose(again, 5);
    session.run([{ cell: "a", source: cells[0]!.source }]);
    expect(runs().at(-1)).toMatchObject({ chosen: {} });
  });
  it("reaches a control that is made anew while it moves", () => {
    const control = notebook("k", "const k = slider('k')", "k");
    choose(control, 7);
    finish();
    session.run([{ cell: "a", source: cells[0]!.source }]);
    choose(control, 8);
    const again = show("k", 7);
    expect((again.content as Content<"control">).choice.value).toBe(8);
    expect(sent.at(-1)).toMatchObject({ type: "control", output: again.id, value: 8 });
  });
  it("survives a restart and another visit", () => {
    const control = notebook("k", "const k = slider('k')");
    choose(control, 7);
    session.restart();
    choose(control, 8);
    expect(sent.filter(({ type }) => type === "control").length).toBe(1);
    const code = cells.map(({ id, source }) => ({ id, source, kind: "code" as const }));
    const saved = unpackOutputs(packOutputs(code.map((cell) => ({ cell, run: session.cell(cell.id) })), () => null), code);
    const later = new Session({ spawn: (events) => ((worker = events), { send: (message) => void sent.push(message), terminate: () => undefined }), reader, readFile: async () => ({ ok: false, failure: "failed", message: "" }) });
    worker.message({ type: "ready", device, names: [] });
    later.showSaved(code[0]!, saved.get("a")!);
    later.run([{ cell: "a", source: cells[0]!.source }]);
    expect(runs().at(-1)).toMatchObject({ chosen: { "slider k": 8 } });
  });
});
