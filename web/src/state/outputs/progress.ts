// Estimates of the time left. They use the pace of the recent past, steadied by the whole past, and
// are written in words.

export interface Sample {
  readonly done: number;
  /** Milliseconds since the work began. */
  readonly elapsed: number;
}

/** Estimates what is left from progress so far; a new one for each piece of work. */
export class TimeLeft {
  private previous: Sample = { done: 0, elapsed: 0 };
  /** Milliseconds a unit takes of late. */
  private pace: number | null = null;

  /** Milliseconds left, or null while nothing can be said. */
  update({ done, elapsed }: Sample, total: number): number | null {
    if (done < this.previous.done) {
      this.previous = { done: 0, elapsed: 0 };
      this.pace = null;
    }
    const units = done - this.previous.done;
    if (units > 0) {
      const pace = (elapsed - this.previous.elapsed) / units;
      // One update weighs by how much of the work it covers, and at least a tenth.
      const weight = this.pace === null ? 1 : Math.max(0.1, Math.min(1, units / Math.max(done, 1)));
      this.pace = (this.pace ?? 0) * (1 - weight) + pace * weight;
      this.previous = { done, elapsed };
    }
    if (this.pace === null || done <= 0 || total <= 0) return null;
    const sinceUpdate = elapsed - this.previous.elapsed;
    return Math.max(0, (total - done) * this.pace - sinceUpdate);
  }
}

/** 87 ms, 4.2 s, 3 min 05 s, 2 h 10 min */
export function duration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 59.95) return `${seconds < 9.95 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, "0")} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}
