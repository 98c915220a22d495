// Progress of the notebook's run, as the pill shows it.
import { describe, expect, it } from "vitest";
import type { OutputContent, WorkerMessage } from "../../src/protocol/messages";
import { Session } from "../../src/state/run/session";
import type { RunnerEvents } from "../../src/state/run/worker-life";
import { whereaboutsOf, whereaboutsText } from "../../src/state/run/whereabouts";
import { reader } from "../support/reader";

function running(): { session: Session; show: (output: number, content: OutputContent) => void; finish: () => void } {
  let events: RunnerEvents | null = null;
  const session = new Session({
    spawn: (on) => ((events = on), { send: () => undefined, terminate: () => undefined }),
    reader,
    readFile: () => Promise.reject(new Error("no files")),
    now: () => 0,
  });
  const say = (message: WorkerMessage) => events!.message(message);
  say({ type: "ready", device: { kind: "cpu", adapter: null, reason: null }, names: [] });
  session.run([{ cell: "a", source: "1" }]);
  return { session, show: (output, content) => say({ type: "output", run: 1, output, content }), finish: () => say({ type: "finished", run: 1, status: "done", error: null }) };
}
const bar = (done: number, total: number, ended = false): OutputContent => ({ kind: "progress", label: "", done, total, text: "", elapsed: 1, ended });

describe("where it runs", () => {
  it("is nowhere before and after a run, and in its cell meanwhile", () => {
    const { session, finish } = running();
    expect(whereaboutsOf(session)).toEqual({ cell: "a", share: null });
    finish();
    expect(whereaboutsOf(session)).toBeNull();
  });
  it("is identified by the first bar that has not ended", () => {
    const { session, show } = running();
    show(1, { kind: "value", text: "x", tree: undefined });
    show(2, bar(31, 50));
    show(3, bar(1, 2));
    expect(whereaboutsOf(session)).toEqual({ cell: "a", share: 0.62 });
    show(2, bar(50, 50, true));
    expect(whereaboutsOf(session)).toEqual({ cell: "a", share: 0.5 });
  });
  it.each([[5, 0, 0], [9, 3, 1], [-1, 2, 0], [NaN, 2, null], [1, Infinity, 0]])("%s of %s is a share of %s", (done, total, share) => {
    const { session, show } = running();
    show(1, bar(done, total));
    expect(whereaboutsOf(session)?.share).toBe(share);
  });
  it("reads as a place and a share, never done too early", () => {
    expect([whereaboutsText(4, 0.629), whereaboutsText(4, 0.999), whereaboutsText(4, null)]).toEqual(["cell 4 · 62 %", "cell 4 · 99 %", "cell 4"]);
  });
});
