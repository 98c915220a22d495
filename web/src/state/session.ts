// What runs, what ran, what is waiting? Drives one worker through a queue of cells, keeps what they showed, and
// guarantees that Stop ends whatever runs. The worker is reached through `Runner`, so all of it tests without one.

import type {
  DeviceReport, ErrorReport, FileReply, LibraryName, OutputId, PageMessage, RunId, WorkerMessage,
} from "../protocol/messages";
import { Emitter } from "./emitter";
import { locateError } from "./errors";
import type { CellError, KnownRun } from "./errors";
import { Outputs } from "./outputs";
import type { Output } from "./outputs";
import { CellSyntaxError, transformCell } from "./transform";

/** One life of the worker. */
export interface Runner {
  send(message: PageMessage, transfer?: Transferable[]): void;
  terminate(): void;
}
export interface RunnerEvents {
  message(message: WorkerMessage): void;
  /** The worker could not be made or died. */
  failed(message: string): void;
}
export type Spawn = (events: RunnerEvents) => Runner;
export type ReadFile = (path: string) => Promise<FileReply>;

export type CellStatus = "idle" | "queued" | "running" | "stopping" | "done" | "failed" | "stopped";

export interface CellRun {
  /** Its latest run; 0 before the first. */
  run: RunId;
  status: CellStatus;
  /** When it began, by the session's clock. */
  started: number;
  milliseconds: number;
  outputs: Outputs;
  error: CellError | null;
  /** It ran in a worker that is gone: what it declared is gone too. */
  stale: boolean;
  /** The text that ran. */
  source: string;
}

export type WorkerState =
  | { kind: "starting" }
  | { kind: "ready"; device: DeviceReport }
  /** The worker lives, its device does not: tensors are gone, and nothing more can be computed. */
  | { kind: "lost"; device: DeviceReport; message: string }
  | { kind: "failed"; message: string };

export type SessionEvent =
  | { type: "worker"; state: WorkerState }
  | { type: "status"; cell: string }
  | { type: "cleared"; cell: string }
  | { type: "output"; cell: string; output: Output; message: Extract<WorkerMessage, { type: "output" | "text" | "points" }> }
  | { type: "error"; cell: string; error: CellError }
  | { type: "device-lost"; message: string }
  /** Variables are gone: the worker was replaced. */
  | { type: "scope-lost" }
  | { type: "idle" };

export interface SessionOptions {
  readonly spawn: Spawn;
  readonly readFile: ReadFile;
  readonly now?: () => number;
  /** How long a cell may take to stop by itself before its worker is ended. */
  readonly patience?: number;
}

interface Waiting {
  readonly cell: string;
  readonly source: string;
}

export class Session {
  readonly events = new Emitter<SessionEvent>();
  worker: WorkerState = { kind: "starting" };
  names: readonly LibraryName[] = [];

  private readonly cells = new Map<string, CellRun>();
  private readonly runs = new Map<RunId, KnownRun>();
  private queue: Waiting[] = [];
  private active: { run: RunId; cell: string } | null = null;
  private lastRun = 0;
  /** Which cell declared a name last, in this worker. */
  private readonly declaredBy = new Map<string, string>();
  private runner: Runner;
  /** Counts workers: what an ended one still says is not listened to. */
  private life = 0;
  /** Whether this worker lost a device. */
  private lossSeen = false;
  private stopTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly now: () => number;
  private readonly patience: number;

  constructor(private readonly options: SessionOptions) {
    this.now = options.now ?? (() => performance.now());
    this.patience = options.patience ?? 500;
    this.runner = this.spawn();
  }

  /** Whether cells can run; without its device a worker can still say so, and run what needs none. */
  private get alive(): boolean {
    return this.worker.kind === "ready" || this.worker.kind === "lost";
  }

  get busy(): boolean {
    return this.active !== null || this.queue.length > 0;
  }

  cell(id: string): CellRun {
    let run = this.cells.get(id);
    if (!run) {
      run = { run: 0, status: "idle", started: 0, milliseconds: 0, outputs: new Outputs(), error: null, stale: false, source: "" };
      this.cells.set(id, run);
    }
    return run;
  }

  /** Queues cells in order; those that run or wait already keep their place. */
  run(cells: readonly Waiting[]): void {
    for (const { cell, source } of cells) {
      if (this.active?.cell === cell || this.queue.some((waiting) => waiting.cell === cell)) continue;
      this.queue.push({ cell, source });
      this.setStatus(cell, "queued");
    }
    this.next();
  }

  /** Ends the running cell and forgets the waiting ones. Asks first; ends the worker if that does not help. */
  stop(): void {
    this.dropQueue();
    const active = this.active;
    if (!active || this.stopTimer !== undefined) return;
    this.setStatus(active.cell, "stopping");
    this.runner.send({ type: "stop", run: active.run });
    this.stopTimer = setTimeout(() => this.replaceWorker("stopped"), this.patience);
  }

  /** A new worker with nothing declared. */
  restart(): void {
    this.dropQueue();
    this.replaceWorker("stopped");
  }

  /** A new worker, in which those of `cells` run again that had run in this one. */
  recover(cells: readonly Waiting[]): void {
    const ran = cells.filter(({ cell }) => this.cell(cell).run > 0 && !this.cell(cell).stale);
    this.restart();
    this.run(ran);
  }

  /** Whether an error comes of a lost device, so that running again in a new worker mends it. */
  mendedByRecovery({ name }: CellError): boolean {
    return this.lossSeen && (name === "DeviceLostError" || name === "DisposedError");
  }

  click(output: OutputId): void {
    this.runner.send({ type: "click", output });
  }

  draw(output: OutputId, pixels: Float32Array<ArrayBuffer>): void {
    this.runner.send({ type: "drawing", output, pixels });
  }

  shown(output: OutputId): void {
    this.runner.send({ type: "shown", output });
  }

  /** A cell was deleted: it no longer waits. What it showed is kept, for it may be brought back. */
  cancel(cell: string): void {
    if (!this.queue.some((waiting) => waiting.cell === cell)) return;
    this.queue = this.queue.filter((waiting) => waiting.cell !== cell);
    this.setStatus(cell, "idle");
  }

  private spawn(): Runner {
    const life = ++this.life;
    const current = () => life === this.life;
    return this.options.spawn({
      message: (message) => current() && this.receive(message),
      failed: (message) => current() && this.fail(message),
    });
  }

  private replaceWorker(status: "stopped" | "failed"): void {
    clearTimeout(this.stopTimer);
    this.stopTimer = undefined;
    this.runner.terminate();
    const active = this.active;
    this.active = null;
    if (active) this.finish(active.cell, status);
    this.markStale();
    this.lossSeen = false;
    this.declaredBy.clear();
    this.setWorker({ kind: "starting" });
    this.runner = this.spawn();
    this.events.emit({ type: "scope-lost" });
    this.settle();
  }

  /** What the cells declared went with their worker. */
  private markStale(): void {
    for (const [cell, run] of this.cells) {
      if (run.status === "idle" || run.stale) continue;
      run.stale = true;
      this.events.emit({ type: "status", cell });
    }
  }

  private next(): void {
    while (this.alive && this.active === null) {
      const waiting = this.queue.shift();
      if (!waiting) return this.settle();
      this.begin(waiting);
    }
    if (this.worker.kind === "failed" && this.queue.length > 0) this.dropQueue();
  }

  private begin({ cell, source }: Waiting): void {
    const run = ++this.lastRun;
    const replaces = this.cell(cell).run;
    const fresh: Partial<CellRun> = { run, started: this.now(), outputs: new Outputs(), error: null, stale: false, source };
    Object.assign(this.cell(cell), fresh);
    this.events.emit({ type: "cleared", cell });
    try {
      const module = transformCell(source);
      this.runs.set(run, { cell, rewritten: module.rewritten });
      this.active = { run, cell };
      this.setStatus(cell, "running");
      const code = `${module.rewritten.code}\n//# sourceURL=cell-${run}.js`;
      const gone = [...this.declaredBy].filter(([name, by]) => by === cell && !module.declared.includes(name)).map(([name]) => name);
      for (const name of gone) this.declaredBy.delete(name);
      for (const name of module.declared) this.declaredBy.set(name, cell);
      this.runner.send({ type: "run", run, code, fresh: module.fresh, gone, replaces });
    } catch (error) {
      const location = error instanceof CellSyntaxError ? { cell, ...error.position } : null;
      const { name, message } = error as Error;
      this.showError(cell, { name, message, location, trace: [] });
      this.finish(cell, "failed");
      this.dropQueue();
    }
  }

  private receive(message: WorkerMessage): void {
    switch (message.type) {
      case "ready":
        this.names = message.names;
        this.setWorker({ kind: "ready", device: message.device });
        return this.next();
      case "device":
        return this.setWorker({ kind: "ready", device: message.device });
      case "unusable":
        return this.fail(message.error.message);
      case "output":
      case "text":
      case "points":
        return this.receiveOutput(message);
      case "finished":
        return this.receiveFinished(message);
      case "stray":
        return this.receiveStray(message.run, message.error);
      case "device-lost":
        return this.receiveLoss(message.message);
      case "file":
        return void this.answerFile(message.request, message.path);
      case "stopping":
        return;
    }
  }

  private receiveOutput(message: Extract<WorkerMessage, { type: "output" | "text" | "points" }>): void {
    const cell = this.runs.get(message.run)?.cell;
    // A callback of an earlier run may still speak; only the latest run has a place on the page.
    if (cell === undefined || this.cell(cell).run !== message.run) return;
    const output = this.cell(cell).outputs.apply(message);
    if (!output) return;
    this.events.emit({ type: "output", cell, output, message });
  }

  private receiveFinished({ run, status, error }: Extract<WorkerMessage, { type: "finished" }>): void {
    if (this.active?.run !== run) return;
    clearTimeout(this.stopTimer);
    this.stopTimer = undefined;
    const { cell } = this.active;
    this.active = null;
    if (error) this.showError(cell, locateError(error, this.runs));
    // A promise that was rejected meanwhile, and that nothing awaited, is a failure too.
    const ended = status === "done" && this.cell(cell).error ? "failed" : status;
    this.finish(cell, ended);
    if (ended !== "done") this.dropQueue();
    this.next();
  }

  private receiveStray(run: RunId | null, report: ErrorReport): void {
    const error = locateError(report, this.runs);
    const cell = error.location?.cell ?? (run === null ? undefined : this.runs.get(run)?.cell);
    if (cell === undefined) return;
    this.showError(cell, error);
    if (this.cell(cell).status === "done") this.setStatus(cell, "failed");
  }

  private receiveLoss(message: string): void {
    this.lossSeen = true;
    // The device and the cell that next asks something of it both tell.
    if (this.worker.kind !== "ready") return;
    this.setWorker({ kind: "lost", device: this.worker.device, message });
    this.events.emit({ type: "device-lost", message });
  }

  private async answerFile(request: number, path: string): Promise<void> {
    const { runner } = this;
    const reply = await this.options.readFile(path);
    if (runner === this.runner) runner.send({ type: "file", request, reply }, reply.ok ? [reply.bytes.buffer] : []);
  }

  private fail(message: string): void {
    this.life++;
    this.runner.terminate();
    this.setWorker({ kind: "failed", message });
    const active = this.active;
    this.active = null;
    clearTimeout(this.stopTimer);
    this.stopTimer = undefined;
    if (active) {
      this.showError(active.cell, { name: "Error", message, location: null, trace: [] });
      this.finish(active.cell, "failed");
    }
    this.dropQueue();
    this.markStale();
    this.settle();
  }

  private showError(cell: string, error: CellError): void {
    this.cell(cell).error = error;
    this.events.emit({ type: "error", cell, error });
  }

  private finish(cell: string, status: "done" | "stopped" | "failed"): void {
    const run = this.cell(cell);
    run.milliseconds = this.now() - run.started;
    this.setStatus(cell, status);
  }

  private dropQueue(): void {
    const dropped = this.queue;
    this.queue = [];
    for (const { cell } of dropped) this.setStatus(cell, "idle");
  }

  private settle(): void {
    if (!this.busy) this.events.emit({ type: "idle" });
  }

  private setStatus(cell: string, status: CellStatus): void {
    this.cell(cell).status = status;
    this.events.emit({ type: "status", cell });
  }

  private setWorker(state: WorkerState): void {
    this.worker = state;
    this.events.emit({ type: "worker", state });
  }
}
