// Heartbeat of the worker. A cell may keep the worker busy for an hour, and it then answers
// nothing; a worker that ended itself, or that the browser ended, answers nothing either, and no
// event reports it. So a small worker inside it, which ends with it and runs no cell, answers
// instead: silence means that the worker has ended.

export interface HeartbeatOptions {
  /** Asks for a sign of life. */
  ask(): void;
  /** Called once, when there was none for too long. */
  dead(): void;
  /** Milliseconds between two questions. */
  readonly every?: number;
  /** Questions in a row without an answer, after which it is dead. */
  readonly patience?: number;
}

export class Heartbeat {
  private readonly timer: ReturnType<typeof setInterval>;
  /** Null until the first answer: a browser that makes no worker within a worker gives none, and is
   * no sign of death. */
  private unanswered: number | null = null;

  constructor(private readonly options: HeartbeatOptions) {
    this.timer = setInterval(() => this.beat(), options.every ?? 1_000);
    options.ask();
  }

  answered(): void {
    this.unanswered = 0;
  }

  end(): void {
    clearInterval(this.timer);
  }

  /** Questions are counted, not time: of a page that slept, or whose timers are slowed, as many are
   * lost as were asked. */
  private beat(): void {
    const { ask, dead, patience = 5 } = this.options;
    if (this.unanswered !== null && this.unanswered++ >= patience) {
      this.end();
      return dead();
    }
    ask();
  }
}
