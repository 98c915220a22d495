// Timers that show the latest output of a cell once it pauses. A cell that makes more than it may
// show still shows how it ended.

/** Milliseconds after which the latest output of a cell that makes many is shown. */
const PAUSE = 1_000;

export class Settling {
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(private readonly show: (cell: string) => void) {}

  /** Has the latest output of a cell shown later. */
  later(cell: string): void {
    if (!this.timers.has(cell)) this.timers.set(cell, setTimeout(() => this.settle(cell), PAUSE));
  }

  /** Shows it now, if it waits to be shown. */
  settle(cell: string): void {
    if (!this.timers.has(cell)) return;
    clearTimeout(this.timers.get(cell));
    this.timers.delete(cell);
    this.show(cell);
  }
}
