// Progress of the notebook's run: which cell runs, and how far it is. The pill shows it, and Run
// all follows it.

import type { Session } from "./session";

export interface Whereabouts {
  readonly cell: string;
  /** From 0 to 1; null where nothing in the cell tells. */
  readonly share: number | null;
}

/** Null where nothing runs. */
export function whereaboutsOf(session: Session): Whereabouts | null {
  const cell = session.running;
  if (cell === null) return null;
  // Of bars within bars the first is that of the whole.
  for (const output of session.cell(cell).outputs.list) {
    if (output.kind !== "content" || output.content.kind !== "progress" || output.content.ended) continue;
    const { done, total } = output.content;
    const share = total > 0 ? done / total : 0;
    return { cell, share: Number.isFinite(share) ? Math.max(0, Math.min(1, share)) : null };
  }
  return { cell, share: null };
}

/** "cell 4 · 62 %" */
export function whereaboutsText(number: number, share: number | null): string {
  // Rounded down: what is not done does not read as done.
  return share === null ? `cell ${number}` : `cell ${number} · ${Math.floor(share * 100)} %`;
}
