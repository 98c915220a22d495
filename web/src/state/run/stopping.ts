// Time limits after Stop, until the session ends the worker. The limit is short where the worker
// does not answer, since it may hang in a loop. It is extended once where the worker has heard,
// since it may await a read from a slow device.

export class Stopping {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private over: (() => void) | undefined;
  private heardOf = false;

  constructor(private readonly patience: number) {}

  get underWay(): boolean {
    return this.timer !== undefined;
  }

  /** Calls `over` when patience ends. */
  begin(over: () => void): void {
    this.over = over;
    this.heardOf = false;
    this.wait(this.patience);
  }

  /** The worker has heard; once, so that it may not put its end off again and again. */
  heard(): void {
    if (!this.underWay || this.heardOf) return;
    this.heardOf = true;
    this.wait(2 * this.patience);
  }

  end(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private wait(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.over?.();
    }, milliseconds);
  }
}
