// One worker, from its start to its end: what it declared, and what it lost. Messages that arrive
// after its end are ignored.

import type { DeviceReport, PageMessage, WorkerMessage } from "../../protocol/messages";

/** A worker, or what stands for one in tests. */
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

export class WorkerLife {
  /** The device as the library reported it before any cell ran. */
  device: DeviceReport | null = null;
  /** Whether it lost a device or its core. */
  lossSeen = false;
  private ended = false;
  /** Which cell declared a name last. */
  private readonly declaredBy = new Map<string, string>();
  private readonly runner: Runner;

  constructor(spawn: Spawn, events: RunnerEvents) {
    this.runner = spawn({
      message: (message) => this.alive && events.message(message),
      failed: (message) => this.alive && events.failed(message),
    });
  }

  get alive(): boolean {
    return !this.ended;
  }

  /** Every name that a cell declared in it. */
  get names(): Iterable<string> {
    return this.declaredBy.keys();
  }

  send(message: PageMessage, transfer?: Transferable[]): void {
    if (this.alive) this.runner.send(message, transfer);
  }

  end(): void {
    this.ended = true;
    this.runner.terminate();
  }

  /** Records the names that a cell declares; yields those that it declared before and no longer
   * does. */
  declare(cell: string, names: readonly string[]): string[] {
    const gone = [...this.declaredBy].filter(([name, by]) => by === cell && !names.includes(name)).map(([name]) => name);
    for (const name of gone) this.declaredBy.delete(name);
    for (const name of names) this.declaredBy.set(name, cell);
    return gone;
  }

  /** Whether a name stands for what this cell declared. */
  declares(cell: string, name: string | null): boolean {
    return name !== null && this.declaredBy.get(name) === cell;
  }
}
