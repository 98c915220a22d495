// Questions that a notebook's cells have the page ask. One is asked at a time. What the reader has
// refused is not asked again before the notebook is restarted, and a notebook that was refused a
// few times asks nothing more: a loop cannot wear the reader down.

/** Refusals after which nothing more is asked, and questions that may wait for another. */
const REFUSALS = 3;
const WAITING = 4;

export type Outcome<T> = { given: T } | { refused: string };

export class Asks {
  private readonly refused = new Set<string>();
  private refusals = 0;
  private waiting = 0;
  private last: Promise<unknown> = Promise.resolve();
  private era = 0;

  /** The notebook begins anew. What was refused may be asked again; a question that waits is not
   * asked any more. */
  restart(): void {
    this.refused.clear();
    this.refusals = 0;
    this.era++;
  }

  /** Has `ask` ask in its turn. `key` tells what from anything else; null is a refusal. `settled`
   * is asked again when the turn comes. */
  async ask<T>(key: string, settled: () => T | null, ask: () => Promise<T | null>): Promise<Outcome<T>> {
    const { era } = this;
    if (this.waiting >= WAITING) return { refused: "too many questions wait for the reader" };
    this.waiting++;
    const turn = this.last.then(async (): Promise<Outcome<T>> => {
      const known = settled();
      if (known !== null) return { given: known };
      if (era !== this.era) return { refused: "the notebook was restarted" };
      if (this.refused.has(key)) return { refused: "the reader refused it. Restart the notebook to be asked again" };
      if (this.refusals >= REFUSALS) return { refused: "the reader refused several times, so nothing more is asked before a restart" };
      const given = await ask();
      if (given !== null) return { given };
      if (era === this.era) {
        this.refused.add(key);
        this.refusals++;
      }
      return { refused: "the reader refused it" };
    });
    this.last = turn.catch(() => undefined);
    return turn.finally(() => this.waiting--);
  }
}
