// A session: one worker, the queue of cells that it runs, and their outputs. It guarantees that
// Stop ends whatever runs. It reaches the worker through `Runner`, so tests need no worker.

import type {
  AnimationRequest, ControlValue, DeviceReport, ErrorReport, LibraryName, MemoryReport, OutputId, PageMessage, RunId, WorkerMessage,
} from "../../protocol/messages";
import { nameOf, rememberChoice, withValue } from "../outputs/chosen";
import type { Change } from "../outputs/chosen";
import { Emitter } from "../emitter";
import { locateError } from "../code/errors";
import type { CellError, KnownRun } from "../code/errors";
import { FileQueue } from "./file-queue";
import type { ReadFile } from "./file-queue";
import { HEAP_FULL } from "./heap";
import { LateWork } from "./late-work";
import { comesOfLoss, LOSSES } from "../device/loss";
import type { Loss } from "../device/loss";
import { namesIn, NO_NAMES } from "../code/names";
import type { Names } from "../code/names";
import { nameMeant } from "../code/meant";
import { Outputs } from "../outputs/outputs";
import type { ContentOutput, Output } from "../outputs/outputs";
import { PageRooms } from "../outputs/room";
import type { Cell } from "../notebook/notebook";
import type { SavedCell } from "./saved";
import { Stopping } from "./stopping";
import { CellSyntaxError, transformCell } from "../code/transform";

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
  /** It has ended, and something that it began goes on. */
  atWork: boolean;
  /** The names that text gives the notebook, and takes. */
  names: Names;
  /** What the reader chose of its controls, by key, where that is not what its text says; and what of it its run was told. */
  readonly chosen: Map<string, ControlValue>;
  told: ReadonlyMap<string, ControlValue>;
  /** When the reader last changed what a name of this cell's stands for: the latest run of any cell then; "" for values without a name. */
  readonly changes: Map<string, Change>;
  /** It runs because something that it uses was changed. */
  again: boolean;
  /** What is shown is of an earlier visit: how the cell ended then, and how many of its outputs were not kept. */
  saved: Pick<SavedCell, "status" | "milliseconds" | "omitted"> | null;
}

export type WorkerState =
  | { kind: "starting" }
  | { kind: "ready"; device: DeviceReport }
  /** The worker lives, its device or its core does not: tensors are gone, and nothing more can be computed. */
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
  /** Which of a cell's outputs are shown, or how many there are, changed. */
  | { type: "outputs"; cell: string }
  | { type: "error"; cell: string; error: CellError }
  | { type: "device-lost"; loss: Loss }
  /** Arrays of cells take so many bytes in JavaScript. */
  | { type: "heap"; bytes: number }
  /** What tensors take; null where it is not known, as in a worker that has just begun. */
  | { type: "memory"; memory: MemoryReport | null }
  /** Variables are gone: the worker was replaced. */
  | { type: "scope-lost" }
  | { type: "idle" };

export interface SessionOptions {
  readonly spawn: Spawn;
  readonly readFile: ReadFile;
  readonly now?: () => number;
  /** Whether the reader wants nothing to move unasked. */
  readonly still?: () => boolean;
  /** How long a cell may take to stop by itself before its worker is ended. */
  readonly patience?: number;
}

interface Waiting {
  readonly cell: string;
  readonly source: string;
  readonly again?: boolean;
}

/** Milliseconds after which the latest output of a cell that makes many is shown. */
const SETTLE = 1_000;

export class Session {
  readonly events = new Emitter<SessionEvent>();
  worker: WorkerState = { kind: "starting" };
  names: readonly LibraryName[] = [];
  memory: MemoryReport | null = null;

  private readonly cells = new Map<string, CellRun>();
  /** What the outputs of all cells take together. */
  private readonly rooms = new PageRooms();
  private readonly files = new FileQueue();
  /** Cells that have ended and still show. */
  private readonly late: LateWork;
  /** The device as the library told of it before any cell ran. */
  private first: DeviceReport | null = null;
  /** Cells whose latest output is to be shown when they pause. */
  private readonly unsettled = new Map<string, ReturnType<typeof setTimeout>>();
  private readonly runs = new Map<RunId, KnownRun>();
  /** The run of which the reader asked what it computed. */
  private asked: RunId | null = null;
  private queue: Waiting[] = [];
  private active: { run: RunId; cell: string } | null = null;
  private lastRun = 0;
  /** Which cell declared a name last, in this worker. */
  private readonly declaredBy = new Map<string, string>();
  private runner: Runner;
  /** Counts workers: what an ended one still says is not listened to. */
  private life = 0;
  /** Whether this worker lost a device or its core. */
  private lossSeen = false;
  private readonly stopping: Stopping;
  private readonly now: () => number;

  constructor(private readonly options: SessionOptions) {
    this.now = options.now ?? (() => performance.now());
    this.stopping = new Stopping(options.patience ?? 500);
    this.late = new LateWork(this.now, (cell, atWork) => this.setAtWork(cell, atWork));
    this.runner = this.spawn();
  }

  /** Whether cells can run; without its device a worker can still say so, and run what needs none. */
  private get alive(): boolean {
    return this.worker.kind === "ready" || this.worker.kind === "lost";
  }

  get busy(): boolean {
    return this.active !== null || this.queue.length > 0;
  }

  /** The cell that runs just now. */
  get running(): string | null {
    return this.active?.cell ?? null;
  }

  /** Whether there is something to stop. */
  get atWork(): boolean {
    return this.busy || this.playing.length > 0 || [...this.late.cells].some((cell) => this.cell(cell).atWork);
  }

  /** Cells of which something is drawn frame by frame. */
  private get playing(): CellRun[] {
    return [...this.cells.values()].filter(({ outputs, stale }) => !stale && outputs.playing);
  }

  cell(id: string): CellRun {
    let run = this.cells.get(id);
    if (!run) {
      run = {
        run: 0, status: "idle", started: 0, milliseconds: 0, outputs: new Outputs(this.rooms), error: null, stale: false, source: "", names: NO_NAMES,
        saved: null, atWork: false, chosen: new Map(), told: new Map(), changes: new Map(), again: false,
      };
      this.cells.set(id, run);
    }
    return run;
  }

  /** What cells other than these have defined in this worker: those that were deleted. */
  definedBeside(present: ReadonlySet<string>): Set<string> {
    const left = [...this.cells].filter(([id, { run, stale }]) => run > 0 && !stale && !present.has(id));
    return new Set(left.flatMap(([, { names }]) => [...names.defines]));
  }

  /** Queues cells in order; those that run or wait already keep their place. */
  run(cells: readonly Waiting[]): void {
    for (const { cell, source, again = false } of cells) {
      if (this.active?.cell === cell || this.queue.some((waiting) => waiting.cell === cell)) continue;
      this.queue.push({ cell, source });
      this.cell(cell).again = again;
      this.setStatus(cell, "queued");
    }
    this.next();
  }

  /** Ends the running cell and forgets the waiting ones. Asks first; ends the worker if that does not help. */
  stop(): void {
    this.dropQueue();
    const active = this.active;
    for (const { run } of this.playing) this.runner.send({ type: "stop", run });
    if (!active && this.playing.length > 0) {
      if (this.stopping.underWay) return;
      return this.stopping.begin(() => {
        if (this.playing.length > 0) this.replaceWorker("stopped");
      });
    }
    // What goes on after its cell has ended hears no request: only its worker's end ends it.
    if (!active && this.atWork) return this.replaceWorker("stopped");
    if (!active || this.stopping.underWay) return;
    this.setStatus(active.cell, "stopping");
    this.runner.send({ type: "stop", run: active.run });
    this.stopping.begin(() => this.replaceWorker("stopped"));
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

  /** Whether an error comes of a loss, so that running again in a new worker mends it. */
  mendedByRecovery({ name }: CellError): boolean {
    return this.lossSeen && comesOfLoss(name);
  }

  /** The reader chose a value: kept for the runs to come, and told to the worker. */
  choose(cell: string, output: ContentOutput, value: ControlValue): void {
    const { content, id } = output;
    if (content.kind !== "control") return;
    output.content = withValue(content, value);
    const { chosen } = this.cell(cell);
    rememberChoice(output, chosen);
    const { name } = content;
    this.use(cell, name, true, { type: "control", output: id, value, bound: this.declares(cell, name) });
  }

  click(cell: string, output: ContentOutput): void {
    this.use(cell, nameOf(output), false, { type: "click", output: output.id });
  }

  draw(cell: string, output: ContentOutput, pixels: Float32Array<ArrayBuffer>): void {
    this.use(cell, nameOf(output), false, { type: "drawing", output: output.id, pixels });
  }

  private declares(cell: string, name: string | null): boolean {
    return name !== null && this.declaredBy.get(name) === cell;
  }

  private use(cell: string, name: string | null, own: boolean, message: PageMessage): void {
    const { run, stale, changes } = this.cell(cell);
    // What an earlier visit or worker shows moves, and nothing listens.
    if (run === 0 || stale) return;
    this.late.use(cell);
    this.runner.send(message);
    if (name === null && !own) return;
    changes.set(name ?? "", { after: this.lastRun, own });
    this.events.emit({ type: "changed", cell });
  }

  animate(cell: string, output: OutputId, does: AnimationRequest): void {
    if (!this.cell(cell).stale) this.runner.send({ type: "animation", output, does });
  }

  point(cell: string, output: OutputId, x: number, y: number, down: boolean): void {
    if (!this.cell(cell).stale) this.runner.send({ type: "pointer", output, x, y, down });
  }

  /** Asks what the latest run of a cell computed; an event tells. */
  explain(cell: string): void {
    const { run, stale } = this.cell(cell);
    if (run === 0 || stale) return this.events.emit({ type: "explained", cell, text: "Run the cell to see what it computes." });
    this.asked = run;
    this.runner.send({ type: "explain", run });
  }

  private receiveExplanation(run: RunId, text: string): void {
    const cell = this.runs.get(run)?.cell;
    if (cell === undefined || this.asked !== run) return;
    this.asked = null;
    this.events.emit({ type: "explained", cell, text });
  }

  shown(output: OutputId): void {
    this.runner.send({ type: "shown", output });
  }

  /** Shows what a cell showed on an earlier visit, until it runs. */
  showSaved({ id, source }: Cell, { edited, status, milliseconds, error, messages, omitted }: SavedCell): void {
    const run = this.cell(id);
    if (run.run > 0 || run.saved) return;
    for (const message of messages) rememberChoice(run.outputs.apply(message), run.chosen);
    run.error = error && { ...error, location: null, trace: [] };
    run.source = edited ? "" : source;
    run.saved = { status, milliseconds, omitted };
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
    this.stopping.end();
    this.runner.terminate();
    const active = this.active;
    this.active = null;
    if (active) this.finish(active.cell, status);
    this.markStale();
    this.lossSeen = false;
    this.declaredBy.clear();
    this.setMemory(null);
    this.setWorker({ kind: "starting" });
    this.runner = this.spawn();
    this.events.emit({ type: "scope-lost" });
    this.settle();
  }

  /** What the cells declared went with their worker. */
  private markStale(): void {
    this.late.end();
    this.files.clear();
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
    this.cell(cell).outputs.end();
    const fresh: Partial<CellRun> = { run, started: this.now(), outputs: new Outputs(this.rooms), error: null, stale: false, source, names: NO_NAMES, saved: null, atWork: false, told: new Map(this.cell(cell).chosen) };
    Object.assign(this.cell(cell), fresh);
    this.cell(cell).changes.clear();
    this.events.emit({ type: "cleared", cell });
    try {
      const module = transformCell(source);
      this.runs.set(run, { cell, rewritten: module.rewritten });
      this.cell(cell).names = namesIn(module.program);
      this.active = { run, cell };
      this.setStatus(cell, "running");
      const code = `${module.rewritten.code}\n//# sourceURL=cell-${run}.js`;
      const gone = [...this.declaredBy].filter(([name, by]) => by === cell && !module.declared.includes(name)).map(([name]) => name);
      for (const name of gone) this.declaredBy.delete(name);
      for (const name of module.declared) this.declaredBy.set(name, cell);
      this.runner.send({ type: "run", run, code, fresh: module.fresh, gone, replaces, chosen: Object.fromEntries(this.cell(cell).told), still: this.options.still?.() ?? false });
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
        // Once: what comes later was said by a cell.
        if (this.worker.kind !== "starting") return;
        this.names = message.names;
        this.first = message.device;
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
        return this.setMemory({ live: message.live, peak: message.peak, pooled: message.pooled });
      case "file":
        return this.answerFile(message.request, message.path);
      case "heap":
        return message.over ? this.fail(HEAP_FULL) : this.events.emit({ type: "heap", bytes: message.bytes });
      case "winners":
        // They are none of a notebook's: who made the worker answers.
        return;
      case "explanation":
        return this.receiveExplanation(message.run, message.text);
      case "stopping":
        if (this.active?.run === message.run) this.stopping.heard();
        return;
    }
  }

  private receiveOutput(message: Extract<WorkerMessage, { type: "output" | "text" | "points" }>): void {
    const cell = this.runs.get(message.run)?.cell;
    // A callback of an earlier run may still speak; only the latest run has a place on the page.
    if (cell === undefined || this.cell(cell).run !== message.run) return;
    const { outputs } = this.cell(cell);
    const played = outputs.playing;
    const output = outputs.apply(message);
    if (!output) return;
    if (output.kind === "content") this.catchUp(cell, output);
    if (!outputs.playing) this.noticeWork(cell);
    if (outputs.playing !== played) this.events.emit({ type: "status", cell });
    this.events.emit({ type: "output", cell, output, message });
    if (!output.shown && !this.unsettled.has(cell)) this.unsettled.set(cell, setTimeout(() => this.settleOutputs(cell), SETTLE));
  }

  /** A control that is made anew while the reader moves it learns what was chosen since its cell began to run. */
  private catchUp(cell: string, output: ContentOutput): void {
    const { content, id } = output;
    if (content.kind !== "control") return;
    const { chosen, told } = this.cell(cell);
    const [wanted, known] = [chosen, told].map((values) => values.get(content.key) ?? content.choice.initial);
    if (wanted === undefined || Object.is(wanted, known)) return;
    output.content = withValue(content, wanted);
    this.use(cell, content.name, true, { type: "control", output: id, value: wanted, bound: this.declares(cell, content.name) });
  }

  /** Shows what a cell made last: where it makes more than it may show, its latest output still tells how it ended. */
  private settleOutputs(cell: string): void {
    clearTimeout(this.unsettled.get(cell));
    this.unsettled.delete(cell);
    this.cell(cell).outputs.settle();
    this.events.emit({ type: "outputs", cell });
  }

  /** Shows more of what a cell's outputs hold. */
  reveal(cell: string): void {
    this.cell(cell).outputs.reveal();
    this.events.emit({ type: "outputs", cell });
  }

  private receiveOmitted(run: RunId, count: number): void {
    const cell = this.runs.get(run)?.cell;
    if (cell === undefined || this.cell(cell).run !== run) return;
    this.cell(cell).outputs.dropped += count;
    this.events.emit({ type: "outputs", cell });
  }

  private receiveFinished({ run, status, error }: Extract<WorkerMessage, { type: "finished" }>): void {
    if (this.active?.run !== run) return;
    this.stopping.end();
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

  /** A cell opened another device. Of that one only the kind is taken on trust: the badge speaks for the page, not for a cell. */
  private changeDevice(kind: DeviceReport["kind"]): void {
    if (this.worker.kind !== "ready" && this.worker.kind !== "lost") return;
    const { first } = this;
    if (!first) return;
    this.setWorker({ kind: "ready", device: kind === first.kind ? first : { kind, adapter: kind === "webgpu" ? first.adapter : null, reason: null } });
  }

  private receiveLoss(loss: Loss): void {
    this.lossSeen = true;
    // The device and the cell that next asks something of it both tell.
    if (this.worker.kind !== "ready") return;
    this.setWorker({ kind: "lost", device: this.worker.device, loss });
    this.events.emit({ type: "device-lost", loss });
  }

  private answerFile(request: number, path: string): void {
    const { runner } = this;
    this.files.answer(path, this.options.readFile, (reply) => runner === this.runner && runner.send({ type: "file", request, reply }, reply.ok ? [reply.bytes.buffer] : []));
  }

  private noticeWork(cell: string): void {
    const run = this.cell(cell);
    if (run.stale || this.active?.cell === cell || run.status === "queued") return;
    this.late.notice(cell);
  }

  private setAtWork(cell: string, atWork: boolean): void {
    const run = this.cell(cell);
    if (run.atWork === atWork) return;
    run.atWork = atWork;
    this.events.emit({ type: "status", cell });
  }

  private fail(message: string): void {
    this.life++;
    this.runner.terminate();
    this.setWorker({ kind: "failed", message });
    const active = this.active;
    this.active = null;
    this.stopping.end();
    if (active) {
      this.showError(active.cell, { name: "Error", message, location: null, trace: [] });
      this.finish(active.cell, "failed");
    }
    this.dropQueue();
    this.markStale();
    this.settle();
  }

  private showError(cell: string, told: CellError): void {
    const meant = nameMeant(told.message, this.names, this.declaredBy.keys());
    const error = meant === null ? told : { ...told, message: `${told.message}\nDid you mean “${meant}”?` };
    this.cell(cell).error = error;
    this.events.emit({ type: "error", cell, error });
  }

  private finish(cell: string, status: "done" | "stopped" | "failed"): void {
    if (this.unsettled.has(cell)) this.settleOutputs(cell);
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

  private setMemory(memory: MemoryReport | null): void {
    this.memory = memory;
    this.events.emit({ type: "memory", memory });
  }

  private setWorker(state: WorkerState): void {
    this.worker = state;
    this.events.emit({ type: "worker", state });
  }
}
