// A session: one worker, the queue of cells that it runs, and their outputs. It guarantees that
// Stop ends whatever runs. It reaches the worker through `Runner`, so tests need no worker.

import type { DeviceReport, ErrorReport, LibraryName, MemoryReport, OutputId, RunId, WorkerMessage, PageMessage } from "../../protocol/messages";
import { Emitter } from "../emitter";
import { locateError } from "../code/errors";
import type { CellError, CellLocation } from "../code/errors";
import { CellRun } from "./cell-run";
import type { EndStatus, Run } from "./cell-run";
import { FileQueue } from "./file-queue";
import type { ReadFile } from "./file-queue";
import { HEAP_FULL } from "./heap";
import { Inputs } from "./inputs";
import { LateWork } from "./late-work";
import { comesOfLoss, LOSSES } from "../device/loss";
import type { Loss } from "../device/loss";
import { NO_NAMES, UNREAD } from "../code/reading";
import type { CellReader, Reading, Unreadable } from "../code/reading";
import { membersSaid, nameMeant, unboundName } from "../code/meant";
import type { Output } from "../outputs/outputs";
import { PageRooms } from "../outputs/room";
import type { Cell } from "../notebook/notebook";
import { RunLog } from "./run-log";
import { RunQueue } from "./run-queue";
import type { Waiting } from "./run-queue";
import type { SavedCell } from "./saved";
import { Settling } from "./settling";
import { Stopping } from "./stopping";
import { WorkerLife } from "./worker-life";
import type { Spawn } from "./worker-life";

export type WorkerState =
  | { kind: "starting" }
  | { kind: "ready"; device: DeviceReport }
  /** The worker lives, its device or its core does not: tensors are gone, and nothing more can be
   * computed. */
  | { kind: "lost"; device: DeviceReport; loss: Loss }
  | { kind: "failed"; message: string };

export type SessionEvent =
  | { type: "worker"; state: WorkerState }
  | { type: "status"; cell: string }
  | { type: "cleared"; cell: string }
  /** The reader changed what a name of that cell's stands for. */
  | { type: "changed"; cell: string }
  | { type: "output"; cell: string; output: Output; message: Extract<WorkerMessage, { type: "output" | "text" | "points" }> }
  /** What the latest run of a cell computed, which was asked for. */
  | { type: "explained"; cell: string; text: string }
  /** A part of an answer to the inspector. */
  | { type: "inspected"; part: Extract<WorkerMessage, { type: "inspected" }> }
  /** Which of a cell's outputs are shown, or how many there are, changed. */
  | { type: "outputs"; cell: string }
  | { type: "error"; cell: string; error: CellError }
  | { type: "device-lost"; loss: Loss }
  /** Arrays of cells take so many bytes in JavaScript. */
  | { type: "heap"; bytes: number }
  /** What tensors take; null where it is not known, as in a worker that has just begun. */
  | { type: "memory"; memory: MemoryReport | null }
  /** Variables are gone: the worker was replaced, because a cell did not end when it was asked to
   * where `hung`. */
  | { type: "scope-lost"; hung: boolean }
  | { type: "idle" };

/** Hosts and devices that cells ask the reader for. `cell` is the one that asks; null where that is
 * not known. */
export interface GrantDesk {
  receive(message: Extract<WorkerMessage, { type: "ask" | "sample" | "release" }>, cell: string | null, worker: Pick<WorkerLife, "send" | "alive">): void;
  /** A cell runs anew, was stopped, or is gone: what its last run had opened is closed. */
  leave(cell: string): void;
  /** The worker has ended. */
  end(): void;
}

export interface SessionOptions {
  readonly spawn: Spawn;
  readonly readFile: ReadFile;
  readonly reader: CellReader;
  /** Answers what cells ask of the reader. */
  readonly grants?: GrantDesk;
  readonly now?: () => number;
  /** Whether the reader wants nothing to move unasked. */
  readonly still?: () => boolean;
  /** Whether operators act on tensors in the notebook. */
  readonly operators?: () => boolean;
  /** The number of a cell, run or not, that is to declare a name which another cell lacks. */
  readonly declares?: (name: string, lacking: string) => number | null;
  /** How long a cell may take to stop by itself before its worker is ended. */
  readonly patience?: number;
}

export class Session {
  readonly events = new Emitter<SessionEvent>();
  worker: WorkerState = { kind: "starting" };
  names: readonly LibraryName[] = [];
  memory: MemoryReport | null = null;
  /** What the reader does with outputs. */
  readonly inputs: Inputs;

  private readonly cells = new Map<string, CellRun>();
  /** What the outputs of all cells take together. */
  private readonly rooms = new PageRooms();
  private readonly queue = new RunQueue();
  private readonly runs = new RunLog();
  private readonly files = new FileQueue();
  /** Cells that have ended and still show outputs. */
  private readonly late: LateWork;
  private readonly settling: Settling;
  private readonly stopping: Stopping;
  private life: WorkerLife;
  /** The run that the reader asked to have explained. */
  private asked: RunId | null = null;
  private readonly now: () => number;

  constructor(private readonly options: SessionOptions) {
    this.now = options.now ?? (() => performance.now());
    this.stopping = new Stopping(options.patience ?? 500);
    this.late = new LateWork(this.now, (cell, atWork) => this.cell(cell).setAtWork(atWork) && this.tellStatus(cell));
    this.settling = new Settling((cell) => this.settleOutputs(cell));
    this.inputs = new Inputs({
      cell: (id) => this.cell(id),
      worker: () => this.life,
      latestRun: () => this.runs.latest,
      used: (cell) => this.late.use(cell),
      changed: (cell) => this.events.emit({ type: "changed", cell }),
    });
    this.life = this.spawn();
  }

  get reader(): CellReader {
    return this.options.reader;
  }

  /** Whether cells can run; without its device a worker can still say so, and run what needs
   * none. */
  private get canRun(): boolean {
    return this.worker.kind === "ready" || this.worker.kind === "lost";
  }

  get busy(): boolean {
    return this.queue.busy;
  }

  /** The cell that runs just now. */
  get running(): string | null {
    return this.queue.active?.cell ?? null;
  }

  /** Whether there is something to stop. */
  get atWork(): boolean {
    return this.busy || this.playing.length > 0 || this.goesOn;
  }

  /** Whether a cell that ended goes on showing something other than frames. */
  get goesOn(): boolean {
    return [...this.late.cells].some((cell) => this.cell(cell).atWork);
  }

  /** Runs whose cells show something that is drawn frame by frame. */
  private get playing(): Run[] {
    return [...this.cells.values()].flatMap(({ outputs, live }) => (live && outputs.playing ? [live] : []));
  }

  cell(id: string): CellRun {
    let cell = this.cells.get(id);
    if (!cell) {
      cell = new CellRun(this.rooms);
      this.cells.set(id, cell);
    }
    return cell;
  }

  /** What cells other than these have defined in this worker: those that were deleted. */
  definedBeside(present: ReadonlySet<string>): Set<string> {
    return new Set([...this.cells].flatMap(([id, { live }]) => (live && !present.has(id) ? [...live.names.defines] : [])));
  }

  /** Queues cells in order; those that run or wait already keep their place. */
  run(cells: readonly Waiting[]): void {
    for (const waiting of cells) {
      const cell = this.cell(waiting.cell);
      if (cell.busy) continue;
      this.queue.add(waiting);
      cell.enqueue(waiting.automatic ?? false);
      this.tellStatus(waiting.cell);
    }
    this.next();
  }

  /** Ends the running cell and forgets the waiting ones. Asks first; ends the worker if that does
   * not help. */
  stop(): void {
    this.dropQueue();
    const { active } = this.queue;
    for (const { id } of this.playing) this.life.send({ type: "stop", run: id });
    if (!active && this.playing.length > 0) {
      if (this.stopping.underWay) return;
      return this.stopping.begin(() => {
        if (this.playing.length > 0) this.replaceWorker({ hung: true });
      });
    }
    // What goes on after its cell has ended hears no request: only its worker's end ends it.
    if (!active && this.atWork) return this.replaceWorker();
    if (!active || this.stopping.underWay) return;
    this.cell(active.cell).stop();
    this.tellStatus(active.cell);
    this.life.send({ type: "stop", run: active.run });
    this.stopping.begin(() => this.replaceWorker({ hung: true }));
  }

  /** A new worker with nothing declared. */
  restart(): void {
    this.dropQueue();
    this.replaceWorker();
  }

  /** A new worker, in which those of `cells` run again that had run in this one. */
  recover(cells: readonly Waiting[]): void {
    const ran = cells.filter(({ cell }) => this.cell(cell).live);
    this.restart();
    this.run(ran);
  }

  /** Whether an error comes of a loss, so that running again in a new worker mends it. */
  mendedByRecovery({ name }: CellError): boolean {
    return this.life.lossSeen && comesOfLoss(name);
  }

  /** Asks what the latest run of a cell computed; an event tells. */
  explain(cell: string): void {
    const run = this.cell(cell).live;
    if (!run) return this.events.emit({ type: "explained", cell, text: "Run the cell to see what it computes." });
    this.asked = run.id;
    this.life.send({ type: "explain", run: run.id });
  }

  private receiveExplanation(run: RunId, text: string): void {
    const cell = this.runs.cellOf(run);
    if (cell === undefined || this.asked !== run) return;
    this.asked = null;
    this.events.emit({ type: "explained", cell, text });
  }

  /** Asks something of the worker in the inspector's name. */
  inspect(message: Extract<PageMessage, { type: "inspect" }>): void {
    this.life.send(message);
  }

  /** The cell of a run, and the place in its text that a place of the run's module stands for. */
  placeOf(run: RunId, line: number, column: number): CellLocation | null {
    const known = this.runs.known.get(run);
    return known ? { cell: known.cell, ...known.rewritten.toOriginal({ line, column }) } : null;
  }

  /** The cell of a run. */
  cellOf(run: RunId): string | null {
    return this.runs.cellOf(run) ?? null;
  }

  shown(output: OutputId): void {
    this.life.send({ type: "shown", output });
  }

  /** Shows what a cell showed on an earlier visit, until it runs. */
  showSaved({ id, source }: Cell, saved: SavedCell): void {
    this.cell(id).showSaved(source, saved);
  }

  /** A cell was deleted: it no longer waits. What it showed is kept, for it may be brought back. */
  cancel(cell: string): void {
    this.options.grants?.leave(cell);
    if (this.queue.remove(cell)) this.leaveQueue(cell);
  }

  private spawn(): WorkerLife {
    return new WorkerLife(this.options.spawn, { message: (message) => this.receive(message), failed: (message) => this.fail(message) });
  }

  private replaceWorker({ hung = false } = {}): void {
    this.endWorker();
    this.setMemory(null);
    this.setWorker({ kind: "starting" });
    this.life = this.spawn();
    this.events.emit({ type: "scope-lost", hung });
    this.settle();
  }

  /** Ends the worker and what runs in it, `error` or else Stop being the reason. What cells
   * declared goes with it. */
  private endWorker(error?: CellError): void {
    const ran = [...this.cells].filter(([, { live }]) => live);
    this.stopping.end();
    this.life.end();
    this.options.grants?.end();
    const active = this.queue.finish();
    if (active && error) this.showError(active.cell, error);
    if (active) this.finish(active.cell, error ? "failed" : "stopped");
    if (error) this.dropQueue();
    this.late.end();
    this.files.clear();
    for (const [cell] of ran) this.tellStatus(cell);
  }

  /** `otherwise` is what a cell is where what reads cells is not there. */
  private next(otherwise: Unreadable | null = null): void {
    while (this.canRun && this.queue.active === null) {
      const waiting = this.queue.first;
      if (!waiting) return this.settle();
      const operators = this.options.operators?.() ?? true;
      const read = this.options.reader.read(waiting.source, operators) ?? otherwise;
      // It waits meanwhile, and may be stopped.
      if (!read) return void this.options.reader.fetch().then(() => this.next(), () => this.next(UNREAD));
      this.queue.remove(waiting.cell);
      this.begin(waiting, read, operators);
    }
    if (this.worker.kind === "failed") this.dropQueue();
  }

  private begin({ cell, automatic = false, early = false, source }: Waiting, read: Reading | Unreadable, operators: boolean): void {
    const { chosen, run: replaced } = this.cell(cell);
    const started = this.now();
    const names = read.ok ? read.names : NO_NAMES;
    const run: Run = { id: this.runs.number(), source, names, started, settings: new Map(chosen), changes: new Map(), automatic, worker: this.life };
    this.cell(cell).begin(run);
    this.options.grants?.leave(cell);
    this.events.emit({ type: "cleared", cell });
    if (!read.ok) {
      const { name, message, at } = read;
      this.showError(cell, { name, message, location: at && { cell, ...at }, trace: [] });
      this.finish(cell, "failed");
      return this.dropQueue();
    }
    const { rewritten, declared, redeclared, functions, kernels } = read;
    this.runs.known.set(run.id, { cell, rewritten });
    this.queue.active = { run: run.id, cell };
    this.tellStatus(cell);
    const code = `${rewritten.code}\n//# sourceURL=cell-${run.id}.js`;
    const gone = this.life.declare(cell, declared);
    const settings = Object.fromEntries(run.settings);
    this.life.send({ type: "run", run: run.id, code, redeclared, gone, replaces: replaced?.id ?? 0, chosen: settings, still: this.options.still?.() ?? false, kernels, early, operators, texts: { source, functions } });
  }

  private receive(message: WorkerMessage): void {
    switch (message.type) {
      case "ready":
        // Once: what comes later was said by a cell.
        if (this.worker.kind !== "starting") return;
        this.names = message.names;
        this.life.device = message.device;
        this.setWorker({ kind: "ready", device: message.device });
        return this.next();
      case "device":
        return this.changeDevice(message.device.kind);
      case "unusable":
        return this.worker.kind === "starting" ? this.fail(message.error.message) : undefined;
      case "output":
      case "text":
      case "points":
        return this.receiveOutput(message);
      case "omitted":
        return this.receiveOmitted(message.run, message.count);
      case "finished":
        return this.receiveFinished(message);
      case "stray":
        return this.receiveStray(message.run, message.error);
      case "device-lost":
        return this.receiveLoss(LOSSES[message.cause]);
      case "memory":
        return this.setMemory({ live: message.live, peak: message.peak, pooled: message.pooled, optimising: message.optimising });
      case "file":
        return this.answerFile(message.request, message.path);
      case "ask":
        return this.receiveAsk(message);
      case "sample":
      case "release":
        return this.options.grants?.receive(message, null, this.life);
      case "heap":
        return message.over ? this.fail(HEAP_FULL) : this.events.emit({ type: "heap", bytes: message.bytes });
      case "winners":
        // They are none of a notebook's: who made the worker answers.
        return;
      case "explanation":
        return this.receiveExplanation(message.run, message.text);
      case "inspected":
        return this.events.emit({ type: "inspected", part: message });
      case "stopping":
        if (this.queue.active?.run === message.run) this.stopping.heard();
        return;
    }
  }

  private receiveAsk(message: Extract<WorkerMessage, { type: "ask" }>): void {
    const cell = this.runs.cellOf(message.run) ?? null;
    const known = cell === null ? null : this.cell(cell);
    // What a cell left behind, such as a timer, asks nothing once the reader has stopped the cell.
    const stopped = known?.run?.id === message.run && (known.status === "stopped" || known.status === "stopping");
    if (stopped) return this.life.send({ type: "answer", request: message.request, answer: { ok: false, message: `${message.want.kind}: the reader stopped the cell that asks` } });
    this.options.grants?.receive(message, cell, this.life);
  }

  private receiveOutput(message: Extract<WorkerMessage, { type: "output" | "text" | "points" }>): void {
    const cell = this.runs.cellOf(message.run);
    // A callback of an earlier run may still speak; only the latest run has a place on the page.
    if (cell === undefined || this.cell(cell).run?.id !== message.run) return;
    const { outputs } = this.cell(cell);
    const played = outputs.playing;
    const output = outputs.apply(message);
    if (!output) return;
    if (output.kind === "content") this.inputs.catchUp(cell, output);
    if (!outputs.playing) this.noticeWork(cell);
    if (outputs.playing !== played) this.events.emit({ type: "status", cell });
    this.events.emit({ type: "output", cell, output, message });
    if (!output.shown) this.settling.later(cell);
  }

  /** Shows what a cell made last: where it makes more than it may show, its latest output still
   * tells how it ended. */
  private settleOutputs(cell: string): void {
    this.cell(cell).outputs.settle();
    this.events.emit({ type: "outputs", cell });
  }

  /** Shows more of what a cell's outputs hold. */
  reveal(cell: string): void {
    this.cell(cell).outputs.reveal();
    this.events.emit({ type: "outputs", cell });
  }

  private receiveOmitted(run: RunId, count: number): void {
    const cell = this.runs.cellOf(run);
    if (cell === undefined || this.cell(cell).run?.id !== run) return;
    this.cell(cell).outputs.dropped += count;
    this.events.emit({ type: "outputs", cell });
  }

  private receiveFinished({ run, status, error }: Extract<WorkerMessage, { type: "finished" }>): void {
    if (this.queue.active?.run !== run) return;
    this.stopping.end();
    const { cell } = this.queue.active;
    this.queue.finish();
    if (error) this.showError(cell, locateError(error, this.runs.known));
    // A promise that was rejected meanwhile, and that nothing awaited, is a failure too.
    const ended = status === "done" && this.cell(cell).error ? "failed" : status;
    this.finish(cell, ended);
    if (ended !== "done") this.dropQueue();
    this.next();
  }

  private receiveStray(run: RunId | null, report: ErrorReport): void {
    const error = locateError(report, this.runs.known);
    const cell = error.location?.cell ?? this.runs.cellOf(run);
    if (cell === undefined) return;
    this.showError(cell, error);
    if (this.cell(cell).failLate()) this.tellStatus(cell);
  }

  /** A cell opened another device. Of that one only the kind is taken on trust: the badge speaks
   * for the page, not for a cell. */
  private changeDevice(kind: DeviceReport["kind"]): void {
    const first = this.life.device;
    if (!this.canRun || !first) return;
    this.setWorker({ kind: "ready", device: kind === first.kind ? first : { kind, adapter: kind === "webgpu" ? first.adapter : null, reason: null } });
  }

  private receiveLoss(loss: Loss): void {
    this.life.lossSeen = true;
    // The device and the cell that next asks something of it both tell.
    if (this.worker.kind !== "ready") return;
    this.setWorker({ kind: "lost", device: this.worker.device, loss });
    this.events.emit({ type: "device-lost", loss });
  }

  private answerFile(request: number, path: string): void {
    const { life } = this;
    this.files.answer(path, this.options.readFile, (reply) => life.send({ type: "file", request, reply }, reply.ok ? [reply.bytes.buffer] : []));
  }

  private noticeWork(id: string): void {
    const cell = this.cell(id);
    if (!cell.stale && !cell.busy) this.late.notice(id);
  }

  private fail(message: string): void {
    this.setWorker({ kind: "failed", message });
    this.endWorker({ name: "Error", message, location: null, trace: [] });
    this.settle();
  }

  private showError(cell: string, reported: CellError): void {
    const unbound = unboundName(reported.message);
    const by = unbound === null ? null : (this.options.declares?.(unbound, cell) ?? null);
    const elsewhere = by === null ? (reported.hint ?? null) : `Cell ${by} declares it, and has not run or has failed: run that one first.`;
    const meant = elsewhere === null ? nameMeant(reported.message, this.names, this.life.names, reported.members) : null;
    const hint = elsewhere ?? (meant === null ? membersSaid(reported.message, reported.members ?? []) : `Did you mean “${meant}”?`);
    const error = hint === null ? reported : { ...reported, message: `${reported.message}\n${hint}` };
    this.cell(cell).error = error;
    this.events.emit({ type: "error", cell, error });
  }

  private finish(cell: string, status: EndStatus): void {
    this.settling.settle(cell);
    if (status === "stopped") this.options.grants?.leave(cell);
    this.cell(cell).end(status, this.now());
    this.tellStatus(cell);
  }

  private dropQueue(): void {
    for (const cell of this.queue.clear()) this.leaveQueue(cell);
  }

  private leaveQueue(cell: string): void {
    this.cell(cell).leaveQueue();
    this.tellStatus(cell);
  }

  private settle(): void {
    if (!this.busy) this.events.emit({ type: "idle" });
  }

  private tellStatus(cell: string): void {
    this.events.emit({ type: "status", cell });
  }

  private setMemory(memory: MemoryReport | null): void {
    this.memory = memory;
    this.events.emit({ type: "memory", memory });
  }

  private setWorker(state: WorkerState): void {
    this.worker = state;
    this.events.emit({ type: "worker", state });
  }
}
