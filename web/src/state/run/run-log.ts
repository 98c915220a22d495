// Runs by their numbers: the cell of each, and how its text was rewritten.

import type { RunId } from "../../protocol/messages";
import type { KnownRun } from "../code/errors";

export class RunLog {
  readonly known = new Map<RunId, KnownRun>();
  private last: RunId = 0;

  /** The number of the run that began last. */
  get latest(): RunId {
    return this.last;
  }

  /** The number of a new run. */
  number(): RunId {
    return ++this.last;
  }

  cellOf(run: RunId | null): string | undefined {
    return run === null ? undefined : this.known.get(run)?.cell;
  }
}
