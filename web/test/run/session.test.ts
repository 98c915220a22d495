// Sessions: cells run in order, Stop ends a cell that does not stop by itself, and the values of
// two workers stay apart.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ErrorReport, PageMessage, WorkerMessage } from "../../src/protocol/messages";
import { LOSSES } from "../../src/state/device/loss";
import { makeCell } from "../../src/state/notebook/notebook";
import { nowhere } from "../../src/state/notebook/records";
import { Workspace } from "../../src/state/notebook/workspace";
import { restartBetween } from "../../src/state/run/between";
import { Session } from "../../src/state/run/session";
import type { SessionEvent } from "../../src/state/run/session";
import type { RunnerEvents } from "../../src/state/run/worker-life";
import { readCell } from "../../src/state/code/read";
import { CellReader } from "../../src/state/code/reading";
import { reader } from "../support/reader";

const device = { kind: "cpu" as const, adapter: null, reason: null };

/** A worker under the test's control: what it was sent, and a way to speak for it. */
class FakeWorker {
  readonly sent: PageMessage[] = [];
  terminated = false;
  constructor(readonly events: RunnerEvents) {}
  send(message: PageMessage) {
    this.sent.push(message);
  }
  terminate() {
    this.terminated = true;
  }
  say(message: WorkerMessage) {
    this.events.message(message);
  }
  get runs() {
    return this.sent.filter((message) => message.type === "run");
  }
}

let workers: FakeWorker[] = [];
let session: Session;
let heard: SessionEvent[] = [];
const worker = () => workers.at(-1)!;
const cell = (id: string, source = "1") => ({ cell: id, source });
const finish = (run: number, status: "done" | "failed" | "stopped" = "done", error: ErrorReport | null = null) =>
  worker().say({ type: "finished", run, status, error });
const statuses = (...ids: string[]) => ids.map((id) => session.cell(id).status);

beforeEach(() => {
  vi.useFakeTimers();
  workers = [];
  heard = [];
  session = new Session({
    spawn: (events) => {
      workers.push(new FakeWorker(events));
      return worker();
    },
    reader,
    readFile: async () => ({ ok: true, bytes: new Uint8Array([1, 2]) }),
    now: () => Date.now(),
    patience: 500,
  });
  session.events.subscribe((event) => heard.push(event));
});
afterEach(() => vi.useRealTimers());
const ready = () => worker().say({ type: "ready", device, names: [] });

describe("another notebook", () => {
  it("has a worker of its own from the moment it is opened, for whatever runs then", () => {
    const workspace = new Workspace(nowhere);
    restartBetween(workspace, session);
    workspace.open({ kind: "gallery", file: "a.md" }, "# A", null);
    expect(workers).toHaveLength(1);
    ready();
    session.run([cell("a")]);
    // A click follows before anything is stored.
    workspace.events.subscribe(({ type }) => type === "opened" && session.run([cell("b")]));
    workspace.open({ kind: "own", id: "own:b", file: "b.md" }, "# B", null);
    expect(workers.map(({ terminated }) => terminated)).toEqual([true, false]);
    ready();
    expect(workers.map(({ runs }) => runs.length)).toEqual([1, 1]);
    finish(2);
    expect(statuses("a", "b")).toEqual(["stopped", "done"]);
  });
  it("is not what another version of the same notebook is", () => {
    const workspace = new Workspace(nowhere);
    restartBetween(workspace, session);
    workspace.open({ kind: "gallery", file: "a.md" }, "# A", null);
    workspace.replaceWith([makeCell("prose", "# Earlier")]);
    workspace.undo();
    expect(workers).toHaveLength(1);
  });
});

describe("running", () => {
  it("waits for the worker, then runs one cell after another", () => {
    session.run([cell("a"), cell("b")]);
    expect(statuses("a", "b")).toEqual(["queued", "queued"]);
    ready();
    expect(statuses("a", "b")).toEqual(["running", "queued"]);
    finish(1);
    expect(statuses("a", "b")).toEqual(["done", "running"]);
    finish(2);
    expect(heard.at(-1)).toEqual({ type: "idle" });
  });
  it("sends the transformed cell under a name of its own", () => {
    ready();
    session.run([cell("a", "const x = 1")]);
    expect(worker().runs[0]).toMatchObject({ run: 1, redeclared: ["x"] });
    expect(worker().runs[0]!.code).toMatch(/globalThis\.x = 1.*\n\/\/# sourceURL=cell-1\.js$/s);
  });
  it("runs what the build has read at once, and the rest when what reads cells is there", async () => {
    let come = () => undefined as void;
    const later = new CellReader(() => new Promise((resolve) => (come = () => resolve(readCell))), (source, operators) => (source === "known" ? readCell(source, operators) : null));
    session = new Session({ spawn: (events) => (workers.push(new FakeWorker(events)), worker()), reader: later, readFile: () => Promise.reject(new Error("no files")) });
    ready();
    session.run([cell("a", "known"), cell("b"), cell("c")]);
    expect(statuses("a", "b", "c")).toEqual(["running", "queued", "queued"]);
    finish(1);
    expect(statuses("a", "b", "c")).toEqual(["done", "queued", "queued"]);
    session.stop();
    expect(statuses("b", "c")).toEqual(["idle", "idle"]);
    session.run([cell("c")]);
    come();
    await vi.advanceTimersByTimeAsync(0);
    expect(statuses("b", "c")).toEqual(["idle", "running"]);
    expect(worker().runs).toHaveLength(2);
  });
  it("says where what reads cells does not come, and asks again for the next run", async () => {
    let times = 0;
    const failing = new CellReader(() => (++times === 1 ? Promise.reject(new Error("offline")) : Promise.resolve(readCell)));
    session = new Session({ spawn: (events) => (workers.push(new FakeWorker(events)), worker()), reader: failing, readFile: () => Promise.reject(new Error("no files")) });
    ready();
    session.run([cell("a"), cell("b")]);
    await vi.advanceTimersByTimeAsync(0);
    expect(statuses("a", "b")).toEqual(["failed", "idle"]);
    expect(session.cell("a").error?.message).toMatch(/could not be loaded/);
    session.run([cell("a"), cell("b")]);
    await vi.advanceTimersByTimeAsync(0);
    expect([statuses("a", "b"), times]).toEqual([["running", "queued"], 2]);
  });
  it("drops the cells that wait when one fails", () => {
    ready();
    session.run([cell("a"), cell("b")]);
    finish(1, "failed", { name: "TypeError", message: "no", frames: [{ run: 1, line: 1, column: 1, name: "" }], members: undefined, hint: undefined });
    expect(statuses("a", "b")).toEqual(["failed", "idle"]);
    expect(session.cell("a").error?.location).toEqual({ cell: "a", line: 1, column: 1 });
  });
  it("fails a cell with a syntax error without asking the worker", () => {
    ready();
    session.run([cell("a", "let = 1"), cell("b")]);
    expect(statuses("a", "b")).toEqual(["failed", "idle"]);
    expect(worker().runs).toEqual([]);
  });
  it("knows what cells defined that are deleted, as long as their worker lives", () => {
    ready();
    session.run([cell("a", "const x = 1"), cell("b", "x")]);
    finish(1);
    finish(2);
    expect([...session.definedBeside(new Set(["a", "b"]))]).toEqual([]);
    expect([...session.definedBeside(new Set(["b"]))]).toEqual(["x"]);
    session.restart();
    expect([...session.definedBeside(new Set(["b"]))]).toEqual([]);
  });
  it("knows what a cell that left the queue had defined, and that it is gone with its worker", () => {
    ready();
    session.run([cell("b", "const x = 1")]);
    finish(1);
    session.run([cell("a"), cell("b", "const x = 1")]);
    finish(2, "failed");
    expect([statuses("b"), session.cell("b").live?.id]).toEqual([["idle"], 1]);
    session.restart();
    expect([session.cell("b").stale, session.cell("b").live]).toEqual([true, null]);
    session.explain("b");
    expect(worker().sent).toEqual([]);
  });
  it("does not queue a cell twice", () => {
    ready();
    session.run([cell("a"), cell("b")]);
    session.run([cell("a"), cell("b")]);
    finish(1);
    finish(2);
    expect(worker().runs.length).toBe(2);
  });
  it("counts a rejected promise that nothing awaited as a failure, before or after the cell ends", () => {
    const error = { name: "Error", message: "late", frames: [], members: undefined, hint: undefined };
    ready();
    session.run([cell("a"), cell("b")]);
    worker().say({ type: "stray", run: 1, error });
    finish(1);
    expect(statuses("a", "b")).toEqual(["failed", "idle"]);
    session.run([cell("b")]);
    finish(2);
    worker().say({ type: "stray", run: 2, error });
    expect(statuses("b")).toEqual(["failed"]);
  });
  it("maps an error in an earlier cell's function to that cell", () => {
    ready();
    session.run([cell("a", "function f() {\n  null.x }"), cell("b", "\nf()")]);
    finish(1);
    finish(2, "failed", { name: "TypeError", message: "null", frames: [{ run: 1, line: 2, column: 3, name: "f" }, { run: 2, line: 2, column: 13, name: "" }], members: undefined, hint: undefined });
    const { error } = session.cell("b");
    expect(error?.location).toEqual({ cell: "a", line: 2, column: 3 });
    expect(error?.trace[1]).toMatchObject({ cell: "b", line: 2, column: 1 });
  });
});

describe("outputs", () => {
  const text = (run: number, output: number, line: string): WorkerMessage => ({ type: "text", run, output, stream: "print", text: line, omitted: 0 });
  it("stand in the order of their numbers", () => {
    ready();
    session.run([cell("a")]);
    worker().say(text(1, 2, "second\n"));
    worker().say(text(1, 1, "first\n"));
    expect(session.cell("a").outputs.list.map(({ id }) => id)).toEqual([1, 2]);
  });
  it("of an earlier run are not shown", () => {
    ready();
    session.run([cell("a")]);
    finish(1);
    session.run([cell("a")]);
    worker().say(text(1, 1, "old\n"));
    expect(session.cell("a").outputs.list).toEqual([]);
  });
});

describe("stopping", () => {
  it("asks, and leaves the worker alone if that helps", () => {
    ready();
    session.run([cell("a"), cell("b")]);
    session.stop();
    expect(statuses("a", "b")).toEqual(["stopping", "idle"]);
    expect(worker().sent.at(-1)).toEqual({ type: "stop", run: 1 });
    finish(1, "stopped");
    vi.advanceTimersByTime(5_000);
    expect(workers.length).toBe(1);
    expect(session.cell("a").stale).toBe(false);
  });
  it("is the last of a cell: what it left behind asks the reader nothing", () => {
    const asked: (string | null)[] = [];
    const left: string[] = [];
    session = new Session({
      spawn: (events) => (workers.push(new FakeWorker(events)), worker()),
      reader,
      readFile: async () => ({ ok: true, bytes: new Uint8Array() }),
      grants: { receive: (_, cell) => asked.push(cell), leave: (cell) => left.push(cell), end: () => undefined },
    });
    const ask = (request: number, run: number) => worker().say({ type: "ask", request, run, want: { kind: "microphone" }, why: "" });
    ready();
    session.run([cell("a")]);
    ask(1, 1);
    session.stop();
    ask(2, 1);
    left.length = 0;
    finish(1, "stopped");
    ask(3, 1);
    expect([asked, left]).toEqual([["a"], ["a"]]);
    expect(worker().sent.flatMap((message) => (message.type === "answer" ? [message.request] : []))).toEqual([2, 3]);
    session.run([cell("a")]);
    ask(4, 2);
    expect(asked).toEqual(["a", "a"]);
  });
  it("ends the worker if asking does not help, and the next cell runs in a new one", () => {
    ready();
    session.run([cell("a")]);
    finish(1);
    session.run([cell("b")]);
    session.stop();
    session.stop();
    vi.advanceTimersByTime(500);
    expect(workers.map(({ terminated }) => terminated)).toEqual([true, false]);
    expect(statuses("a", "b")).toEqual(["done", "stopped"]);
    expect([session.cell("a").stale, session.cell("b").stale]).toEqual([true, true]);
    session.run([cell("c")]);
    ready();
    expect(statuses("c")).toEqual(["running"]);
  });
  it("gives a worker that has heard it longer, once", () => {
    ready();
    session.run([cell("a")]);
    session.stop();
    vi.advanceTimersByTime(400);
    worker().say({ type: "stopping", run: 1 });
    vi.advanceTimersByTime(900);
    worker().say({ type: "stopping", run: 1 });
    expect([workers.length, ...statuses("a")]).toEqual([1, "stopping"]);
    vi.advanceTimersByTime(100);
    expect(workers[0]?.terminated).toBe(true);
    expect(statuses("a")).toEqual(["stopped"]);
  });
  it("does not listen to a worker that was ended", () => {
    ready();
    session.run([cell("a")]);
    const old = worker();
    session.restart();
    old.say({ type: "finished", run: 1, status: "done", error: null });
    expect(statuses("a")).toEqual(["stopped"]);
  });
});

describe("the worker", () => {
  it("that cannot start fails what waits, and can be started again", () => {
    session.run([cell("a")]);
    worker().events.failed("no worker");
    expect(session.worker).toEqual({ kind: "failed", message: "no worker" });
    expect(statuses("a")).toEqual(["idle"]);
    session.restart();
    ready();
    session.run([cell("a")]);
    expect(statuses("a")).toEqual(["running"]);
  });
  it("that is gone fails its cell, is taken away, and takes what was declared with it", () => {
    ready();
    session.run([cell("a"), cell("b"), cell("c")]);
    finish(1);
    const gone = worker();
    gone.events.failed("The worker is gone.");
    expect(gone.terminated).toBe(true);
    expect(statuses("a", "b", "c")).toEqual(["done", "failed", "idle"]);
    expect([session.cell("a").stale, session.cell("b").error?.message]).toEqual([true, "The worker is gone."]);
    gone.say({ type: "ready", device, names: [] });
    expect(session.worker.kind).toBe("failed");
  });
  it("whose device is lost says so, and runs again what had run in one step", () => {
    const error = { name: "DisposedError", message: "gone", frames: [], members: undefined, hint: undefined };
    ready();
    session.run([cell("a"), cell("b"), cell("c")]);
    finish(1);
    finish(2, "failed", error);
    const { error: shown } = session.cell("b");
    expect(session.mendedByRecovery(shown!)).toBe(false);
    worker().say({ type: "device-lost", cause: "device" });
    worker().say({ type: "device-lost", cause: "core" });
    expect(session.worker).toEqual({ kind: "lost", device, loss: LOSSES.device });
    expect(heard.filter(({ type }) => type === "device-lost").length).toBe(1);
    expect(session.mendedByRecovery(shown!)).toBe(true);
    expect(session.mendedByRecovery({ ...shown!, name: "TypeError" })).toBe(false);
    session.recover([cell("a"), cell("b"), cell("c")]);
    expect(workers.length).toBe(2);
    ready();
    finish(3);
    finish(4);
    expect([statuses("a", "b", "c"), worker().runs.length]).toEqual([["done", "done", "idle"], 2]);
  });
  it("whose core failed says that it was the core", () => {
    ready();
    worker().say({ type: "device-lost", cause: "core" });
    expect(session.worker).toEqual({ kind: "lost", device, loss: LOSSES.core });
    const failed = { name: "InternalError", message: "weft: the core failed", location: null, trace: [] };
    expect(session.mendedByRecovery(failed)).toBe(true);
  });
  it("whose device is lost runs what needs none, and is whole again with another device", () => {
    ready();
    worker().say({ type: "device-lost", cause: "device" });
    session.run([cell("a")]);
    expect(statuses("a")).toEqual(["running"]);
    worker().say({ type: "device", device });
    expect(session.worker.kind).toBe("ready");
  });
  it("is ready once, and what a cell makes it say of its device stays out of the badge", () => {
    const forged = { kind: "webgpu" as const, adapter: { vendor: "Your session has expired", architecture: "", description: "visit evil.org", isFallback: false }, reason: "visit evil.org" };
    ready();
    worker().say({ type: "ready", device: forged, names: [{ label: "evil", kind: "constant", members: [] }] });
    worker().say({ type: "unusable", error: { name: "Error", message: "visit evil.org", frames: [], members: undefined, hint: undefined } });
    expect([session.worker, session.names]).toEqual([{ kind: "ready", device }, []]);
    worker().say({ type: "device", device: forged });
    expect(session.worker).toEqual({ kind: "ready", device: { kind: "webgpu", adapter: null, reason: null } });
  });
  it("that is drawn frame by frame can be stopped, and is no other work that goes on", () => {
    ready();
    session.run([cell("a")]);
    finish(1);
    worker().say({ type: "output", run: 1, output: 1, content: { kind: "animation", title: "", state: "playing", frame: 1, rate: 30, resets: false } });
    vi.advanceTimersByTime(600);
    worker().say({ type: "output", run: 1, output: 1, content: { kind: "animation", title: "", state: "playing", frame: 9, rate: 30, resets: false } });
    expect([session.atWork, session.busy, session.goesOn, session.cell("a").atWork]).toEqual([true, false, false, false]);
  });
  it("that goes on after its cell has ended is seen at work, and Stop ends it", () => {
    const tick = (output: number): WorkerMessage => ({ type: "text", run: 1, output, stream: "print", text: "x", omitted: 0 });
    ready();
    session.run([cell("a")]);
    finish(1);
    worker().say(tick(1));
    expect(session.atWork).toBe(false);
    vi.advanceTimersByTime(600);
    worker().say(tick(1));
    expect([session.busy, session.atWork, session.cell("a").atWork]).toEqual([false, true, true]);
    vi.advanceTimersByTime(2_000);
    expect([session.atWork, session.cell("a").atWork]).toEqual([false, false]);
    for (let i = 0; i < 3; i++) {
      worker().say(tick(1));
      vi.advanceTimersByTime(300);
    }
    session.stop();
    expect([workers.length, workers[0]!.terminated, session.atWork]).toEqual([2, true, false]);
  });
  it("that only answers the reader's hand is not at work; what goes on after it is", () => {
    ready();
    session.run([cell("a")]);
    const slider: WorkerMessage = { type: "output", run: 1, output: 1, content: { kind: "control", label: "x", key: "slider x", name: null, choice: { type: "slider", min: 0, max: 1, step: 0.1, initial: 0, value: 0 } } };
    worker().say(slider);
    finish(1);
    const output = session.cell("a").outputs.find(1);
    for (let i = 0; i < 40; i++) {
      if (output?.kind === "content") session.inputs.choose("a", output, i / 40);
      vi.advanceTimersByTime(50);
      worker().say({ type: "text", run: 1, output: 2, stream: "print", text: "x", omitted: 0 });
    }
    expect(session.cell("a").atWork).toBe(false);
    for (let i = 0; i < 10; i++) {
      vi.advanceTimersByTime(50);
      worker().say({ type: "text", run: 1, output: 2, stream: "print", text: "x", omitted: 0 });
    }
    expect(session.cell("a").atWork).toBe(true);
  });
  it("gets files a few at a time, and is refused a flood of them", async () => {
    let [open, most] = [0, 0];
    const replies: (() => void)[] = [];
    const paced = new Session({
      spawn: (events) => {
        workers.push(new FakeWorker(events));
        return worker();
      },
      reader,
      readFile: (path) => {
        most = Math.max(most, ++open);
        return new Promise((resolve) => replies.push(() => (open--, resolve({ ok: false, failure: "not-found", message: path }))));
      },
      now: () => Date.now(),
    });
    worker().say({ type: "ready", device, names: [] });
    for (let i = 0; i < 1_200; i++) worker().say({ type: "file", request: i, path: `data/${i}` });
    const answers = () => worker().sent.flatMap((message) => (message.type === "file" ? [message] : []));
    expect(answers().length).toBe(196);
    expect(answers()[0]!.reply).toMatchObject({ ok: false, message: 'file("data/1004"): 1,000 files are already being fetched' });
    for (let i = 0; i < 1_004; i++) {
      replies[i]!();
      await vi.advanceTimersByTimeAsync(0);
    }
    expect([answers().length, most, paced.busy]).toEqual([1_200, 4, false]);
  });
  it("gets the files that it asks for", async () => {
    ready();
    worker().say({ type: "file", request: 7, path: "data/x" });
    await vi.advanceTimersByTimeAsync(0);
    expect(worker().sent.at(-1)).toEqual({ type: "file", request: 7, reply: { ok: true, bytes: new Uint8Array([1, 2]) } });
  });
});

describe("what a cell computed", () => {
  const explained = () => heard.flatMap((event) => (event.type === "explained" ? [event.text] : []));

  it("is asked of the worker for the cell's latest run, and given once", () => {
    session.explain("a");
    expect(explained()).toEqual([expect.stringContaining("Run the cell")]);
    ready();
    session.run([cell("a")]);
    finish(1);
    session.explain("a");
    expect(worker().sent.at(-1)).toEqual({ type: "explain", run: 1 });
    worker().say({ type: "explanation", run: 1, text: "one" });
    worker().say({ type: "explanation", run: 1, text: "again, unasked" });
    expect(explained().slice(1)).toEqual(["one"]);
  });

  it("is given for no other run than was asked for", () => {
    ready();
    session.run([cell("a"), cell("b")]);
    finish(1);
    finish(2);
    session.explain("b");
    worker().say({ type: "explanation", run: 1, text: "another" });
    expect(explained()).toEqual([]);
  });
});
