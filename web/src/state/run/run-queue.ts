// Queue of cells to run: the one that runs, and those that wait, in order.

import type { RunId } from "../../protocol/messages";

export interface Waiting {
  readonly cell: string;
  readonly source: string;
  /** It runs because a value that it uses was changed, not because the reader asked. */
  readonly automatic?: boolean;
  /** It does without the deferred part of the library, as the site says of its greeting: it need
   * not wait for that. */
  readonly early?: boolean;
}

export class RunQueue {
  active: { readonly run: RunId; readonly cell: string } | null = null;
  private waiting: Waiting[] = [];

  get busy(): boolean {
    return this.active !== null || this.waiting.length > 0;
  }

  add(cell: Waiting): void {
    this.waiting.push(cell);
  }

  /** The cell whose turn is next. */
  get first(): Waiting | undefined {
    return this.waiting[0];
  }

  /** False where it does not wait. */
  remove(cell: string): boolean {
    const left = this.waiting.filter((waiting) => waiting.cell !== cell);
    const removed = left.length < this.waiting.length;
    this.waiting = left;
    return removed;
  }

  /** Empties it; yields the cells that waited. */
  clear(): string[] {
    return this.waiting.splice(0).map(({ cell }) => cell);
  }

  /** Nothing runs any more; yields what ran. */
  finish(): RunQueue["active"] {
    const { active } = this;
    this.active = null;
    return active;
  }
}
