// How long may what was asked to stop go on? Until its worker is ended: briefly where that says nothing, since it may hang in a loop; longer, once, where it
// has heard, since what it awaits may be a read of a slow device.

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
