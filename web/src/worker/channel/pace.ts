// Rate limiting of a display that changes. It updates at most a given number of times a second,
// however often it changes, and always once more with its last state: later by a timer, or when its
// cell ends.

const waiting = new Set<Pace>();

export class Pace {
  private last = -Infinity;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `every` is in milliseconds. */
  constructor(
    private readonly send: () => void,
    private readonly every: number,
  ) {}

  /** Something changed: sends now if the last time is long enough ago, else soon. */
  changed(): void {
    // A loop that never lets a timer fire still speaks as often.
    if (performance.now() - this.last >= this.every) return this.flush();
    this.timer ??= setTimeout(() => this.flush(), this.every);
    waiting.add(this);
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    waiting.delete(this);
    this.last = performance.now();
    this.send();
  }
}

/** Sends what still waits for its time. */
export function flushPaces(): void {
  for (const pace of [...waiting]) pace.flush();
}
