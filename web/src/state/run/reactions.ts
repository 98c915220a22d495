// Reactive runs. When the reader changes a control, the cells below that use its value run again,
// and the cells that use theirs; the control's own cell runs again only where it uses the value
// itself. One round runs at a time: changes meanwhile wait for the next round, so that a drag never
// queues, and Stop ends it.

import type { RanCell } from "./freshness";
import type { Session } from "./session";

/** Cells, in the notebook's order, of whose last run something that they use has since been changed
 * by the reader. */
export function affected(cells: readonly RanCell[]): string[] {
  const again = new Set<string>();
  const above = new Map<string, RanCell>();
  for (const cell of cells) {
    const { ran } = cell;
    if (!ran) continue;
    const late = (changes: NonNullable<RanCell["ran"]>["changes"], name: string) => (changes?.get(name)?.after ?? -1) >= ran.id;
    const own = [...(ran.changes ?? [])].some(([name, change]) => change.own && change.after >= ran.id && (name === "" || ran.names.uses.has(name)));
    const taken = [...ran.names.reads].some((name) => {
      const from = ran.names.uses.has(name) ? above.get(name) : undefined;
      return from !== undefined && (again.has(from.id) || late(from.ran?.changes, name));
    });
    // What is being edited runs when its reader says so.
    if ((own || taken) && cell.source === ran.source) again.add(cell.id);
    for (const name of ran.names.defines) above.set(name, cell);
  }
  return [...again];
}

export class Reactions {
  private pending = false;

  constructor(
    private readonly session: Session,
    private readonly cells: () => readonly RanCell[],
  ) {
    session.events.subscribe((event) => {
      if (event.type === "changed") {
        this.pending = true;
        this.react();
      } else if (event.type === "idle") this.react();
      else if (event.type === "scope-lost" || (event.type === "status" && /^stopp/.test(session.cell(event.cell).status))) this.pending = false;
    });
  }

  private react(): void {
    if (!this.pending || this.session.busy) return;
    this.pending = false;
    const sources = new Map(this.cells().map(({ id, source }) => [id, source]));
    this.session.run(affected(this.cells()).map((cell) => ({ cell, source: sources.get(cell)!, automatic: true })));
  }
}
