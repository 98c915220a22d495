// Stale outputs. A cell's output is stale where its text was edited since it ran, or where it uses
// a name from another cell that was edited, ran again since, was deleted, or is itself stale.

import type { Names } from "../code/reading";
import type { Change } from "../outputs/chosen";

/** `by` is the cell for whose sake this one is outdated; `name` is what a cell that was deleted had
 * defined. */
export type Freshness = { readonly kind: "fresh" } | { readonly kind: "edited" } | { readonly kind: "outdated"; readonly by: string } | { readonly kind: "orphaned"; readonly name: string };

export interface RanCell {
  readonly id: string;
  readonly source: string;
  /** Its latest run in this worker, and the text and names of then; null where there is none. */
  readonly ran: { readonly id: number; readonly source: string; readonly names: Names; readonly changes?: ReadonlyMap<string, Change> } | null;
}

export const FRESH: Freshness = { kind: "fresh" };
const EDITED: Freshness = { kind: "edited" };

/**
 * Cells stand in the notebook's order: a name comes from the nearest cell above that defines it,
 * else from the first below. `gone` are the names that cells had defined which were deleted since.
 */
export function freshnessOf(cells: readonly RanCell[], gone: ReadonlySet<string> = new Set()): Map<string, Freshness> {
  const found = new Map<string, Freshness>();
  const first = new Map<string, RanCell>();
  for (const cell of cells) for (const name of cell.ran?.names.defines ?? []) if (!first.has(name)) first.set(name, cell);
  const above = new Map<string, RanCell>();
  for (const cell of cells) {
    const { ran } = cell;
    if (!ran) continue;
    found.set(cell.id, cell.source === ran.source ? outdated(cell, above, first, found, gone) : EDITED);
    for (const name of ran.names.defines) above.set(name, cell);
  }
  return found;
}

function outdated(cell: RanCell, above: ReadonlyMap<string, RanCell>, first: ReadonlyMap<string, RanCell>, found: ReadonlyMap<string, Freshness>, gone: ReadonlySet<string>): Freshness {
  for (const name of cell.ran!.names.reads) {
    const from = above.get(name) ?? first.get(name);
    if (!from && gone.has(name)) return { kind: "orphaned", name };
    if (!from?.ran || from.id === cell.id) continue;
    const known = found.get(from.id);
    const touched = cell.ran!.names.uses.has(name) && (from.ran.changes?.get(name)?.after ?? -1) >= cell.ran!.id;
    const changed = touched || from.source !== from.ran.source || from.ran.id > cell.ran!.id || (known !== undefined && known.kind !== "fresh");
    if (changed) return { kind: "outdated", by: from.id };
  }
  return FRESH;
}
