// Cells that go on showing outputs after their run has ended. Such a cell counts as running, and
// the reader can stop it, until it pauses. An output that answers the reader's hand, while that
// moves, does not count.

/** Milliseconds for which a cell that ended and goes on showing counts as at work, and how long it
 * must have gone on. */
const AT_WORK = 1_500;
const GOES_ON = 400;

export class LateWork {
  private readonly late = new Map<string, { began: number; latest: number; timer: ReturnType<typeof setTimeout> }>();
  /** When the reader last used what a cell shows. */
  private readonly used = new Map<string, number>();

  constructor(
    private readonly now: () => number,
    private readonly tell: (cell: string, atWork: boolean) => void,
  ) {}

  get cells(): Iterable<string> {
    return this.late.keys();
  }

  /** The reader used a control, a button or a pad of that cell. */
  use(cell: string): void {
    this.used.set(cell, this.now());
  }

  /** A cell that has ended showed something. */
  notice(cell: string): void {
    const now = this.now();
    const since = this.late.get(cell);
    const began = Math.max(since && now - since.latest < AT_WORK ? since.began : now, this.used.get(cell) ?? 0);
    clearTimeout(since?.timer);
    const timer = setTimeout(() => {
      this.late.delete(cell);
      this.tell(cell, false);
    }, AT_WORK);
    this.late.set(cell, { began, latest: now, timer });
    if (now - began >= GOES_ON) this.tell(cell, true);
  }

  /** Their worker is gone. */
  end(): void {
    for (const [cell, { timer }] of this.late) {
      clearTimeout(timer);
      this.tell(cell, false);
    }
    this.late.clear();
    this.used.clear();
  }
}
