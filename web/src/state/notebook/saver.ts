// Saving of one notebook's text. Writes follow each other, one at a time, each with the text as it
// is by then; what another tab wrote meanwhile is never overwritten.

import { unique } from "./records";
import type { Draft, Outcome, TextStore } from "./records";

export type Saved = Outcome | { type: "refused"; error: unknown };

export class Saver {
  private wanted = false;
  private running: Promise<void> | null = null;
  /** The revision that is being written. */
  private next: string | null = null;

  constructor(
    private readonly store: TextStore,
    readonly id: string,
    /** The revision that this tab has seen; null where nothing was kept. */
    public seen: string | null,
    /** What is to be kept, asked as it is written; null is to forget it. */
    private draft: () => Draft | null,
    private readonly done: (saved: Saved) => void,
  ) {}

  /** Whether something is not yet kept. */
  get busy(): boolean {
    return this.wanted || this.running !== null;
  }

  /** Resolves when nothing is left to write. */
  get settled(): Promise<void> {
    return this.running ?? Promise.resolve();
  }

  /** What is to be kept now, which `draft` returns from then on: the notebook is left. */
  retire(): void {
    const last = this.busy ? this.draft() : null;
    this.draft = () => last;
  }

  /** What the store holds if nobody else has written: this tab may not hear whether its last write
   * came to it. */
  get known(): (string | null)[] {
    return this.running ? [this.seen, this.next] : [this.seen];
  }

  /** Writes what is to be kept; resolves when nothing is left to write. */
  save(): Promise<void> {
    this.wanted = true;
    return (this.running ??= this.write().finally(() => (this.running = null)));
  }

  private async write(): Promise<void> {
    while (this.wanted) {
      this.wanted = false;
      let saved: Saved;
      const draft = this.draft();
      this.next = draft && unique();
      try {
        saved = await this.store.write(this.id, draft, this.seen, this.next ?? "");
      } catch (error) {
        saved = { type: "refused", error };
      }
      if (saved.type === "kept") this.seen = this.next;
      else this.wanted = false;
      this.done(saved);
    }
  }
}
