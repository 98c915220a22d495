// State of a cell: what it shows, and whether it waits, runs or has ended. Each state holds what
// is known in it and nothing else; the methods are the transitions.

import type { ControlValue, RunId } from "../../protocol/messages";
import type { CellError } from "../code/errors";
import type { Names } from "../code/reading";
import { rememberChoice } from "../outputs/chosen";
import type { Change } from "../outputs/chosen";
import { Outputs } from "../outputs/outputs";
import type { PageRooms } from "../outputs/room";
import type { SavedCell } from "./saved";

export type EndStatus = "done" | "failed" | "stopped";
export type CellStatus = "idle" | "queued" | "running" | "stopping" | EndStatus;

/** One run of a cell. */
export interface Run {
  /** Counted from 1 over all cells. */
  readonly id: RunId;
  /** The text that ran, and the names that it gives the notebook and takes. */
  readonly source: string;
  readonly names: Names;
  /** When it began, by the session's clock. */
  readonly started: number;
  /** The settings of the cell's controls that the worker was sent with it. */
  readonly settings: ReadonlyMap<string, ControlValue>;
  /** When the reader last changed what a name of the cell stands for: the latest run of any cell
   * then; "" for values without a name. */
  readonly changes: Map<string, Change>;
  /** It runs because a value that it uses was changed, not because the reader asked. */
  readonly automatic: boolean;
  /** Once this worker has ended, what the run declared is gone. */
  readonly worker: { readonly alive: boolean };
}

interface EndedRun {
  readonly kind: "run";
  readonly run: Run;
  readonly status: EndStatus;
  readonly milliseconds: number;
  /** Something that it began goes on. */
  readonly atWork: boolean;
}

/** What a cell shows while it does not run: nothing yet, outputs of an earlier visit, or those of
 * its latest run. */
type Shown = { readonly kind: "nothing" } | ({ readonly kind: "saved"; readonly source: string } & Pick<SavedCell, "status" | "milliseconds" | "omitted" | "brought">) | EndedRun;

export type CellState =
  /** It has not run, or has left the queue before it ran once more. */
  | { readonly kind: "idle"; readonly shown: Shown }
  | { readonly kind: "queued"; readonly shown: Shown; readonly automatic: boolean }
  | { readonly kind: "running" | "stopping"; readonly run: Run }
  | { readonly kind: "ended"; readonly shown: EndedRun };

const NOTHING: Shown = { kind: "nothing" };

export class CellRun {
  outputs: Outputs;
  error: CellError | null = null;
  /** The reader's settings of its controls, by key, where they differ from its text. They outlive
   * runs. */
  readonly chosen = new Map<string, ControlValue>();
  private state: CellState = { kind: "idle", shown: NOTHING };

  constructor(private readonly rooms: PageRooms) {
    this.outputs = new Outputs(rooms);
  }

  get status(): CellStatus {
    return this.state.kind === "ended" ? this.state.shown.status : this.state.kind;
  }

  /** Whether it waits or runs. */
  get busy(): boolean {
    return this.state.kind !== "idle" && this.state.kind !== "ended";
  }

  /** Its latest run. */
  get run(): Run | null {
    return "run" in this.state ? this.state.run : (this.ended?.run ?? null);
  }

  /** Its latest run, unless the worker of that has ended. */
  get live(): Run | null {
    return this.run?.worker.alive ? this.run : null;
  }

  /** It ran in a worker that is gone: what it declared is gone too. */
  get stale(): boolean {
    return this.run !== null && this.live === null;
  }

  /** How it ended on an earlier visit, while outputs of then are shown. */
  get saved(): Extract<Shown, { kind: "saved" }> | null {
    return "shown" in this.state && this.state.shown.kind === "saved" ? this.state.shown : null;
  }

  /** The text whose outputs are shown. */
  get source(): string {
    return this.run?.source ?? this.saved?.source ?? "";
  }

  /** How long its latest run took. */
  get milliseconds(): number {
    return this.ended?.milliseconds ?? 0;
  }

  get atWork(): boolean {
    return this.ended?.atWork ?? false;
  }

  /** Whether it waits, runs or ran because a value that it uses was changed. */
  get automatic(): boolean {
    return this.state.kind === "queued" ? this.state.automatic : (this.run?.automatic ?? false);
  }

  enqueue(automatic: boolean): void {
    if ("shown" in this.state) this.state = { kind: "queued", shown: this.state.shown, automatic };
  }

  leaveQueue(): void {
    if (this.state.kind === "queued") this.state = { kind: "idle", shown: this.state.shown };
  }

  begin(run: Run): void {
    this.outputs.end();
    this.outputs = new Outputs(this.rooms);
    this.error = null;
    this.state = { kind: "running", run };
  }

  stop(): void {
    if (this.state.kind === "running") this.state = { ...this.state, kind: "stopping" };
  }

  end(status: EndStatus, now: number): void {
    if (!("run" in this.state)) return;
    const { run } = this.state;
    this.state = { kind: "ended", shown: { kind: "run", run, status, milliseconds: now - run.started, atWork: false } };
  }

  /** A run that ended well turns out to have failed; false where none did. */
  failLate(): boolean {
    return this.status === "done" && this.change({ status: "failed" });
  }

  /** False where nothing changes. */
  setAtWork(atWork: boolean): boolean {
    return this.atWork !== atWork && this.change({ atWork });
  }

  /** Shows what it showed on an earlier visit, unless it has run since. */
  showSaved(source: string, { edited, status, milliseconds, error, messages, omitted, brought }: SavedCell): void {
    if ((this.state.kind !== "idle" && this.state.kind !== "queued") || this.state.shown.kind !== "nothing") return;
    for (const message of messages) rememberChoice(this.outputs.apply(message), this.chosen);
    this.error = error && { ...error, location: null, trace: [] };
    this.state = { ...this.state, shown: { kind: "saved", source: edited ? "" : source, status, milliseconds, omitted, ...(brought ? { brought } : {}) } };
  }

  private get ended(): EndedRun | null {
    return "shown" in this.state && this.state.shown.kind === "run" ? this.state.shown : null;
  }

  private change(change: Partial<EndedRun>): boolean {
    const { ended, state } = this;
    if (!ended || "run" in state) return false;
    this.state = { ...state, shown: { ...ended, ...change } };
    return true;
  }
}
