// Three-way merge of a notebook that two tabs have edited, cell by cell. Cells that only one of
// them changed are taken from it, and what both added stays; a cell that both changed is a
// conflict.

import { align } from "./diff";
import type { Cell, Cells } from "./notebook";

const tokenOf = ({ kind, source }: Cell) => `${kind} ${source}`;

interface Changes {
  /** What became of each cell of the common ancestor; null where it was deleted. */
  readonly became: (Cell | null)[];
  /** Cells that were added before each of them, and behind the last. */
  readonly added: Cell[][];
}

function changesOf(base: Cells, now: Cells): Changes {
  const became: (Cell | null)[] = base.map(() => null);
  const added: Cell[][] = Array.from({ length: base.length + 1 }, () => []);
  let [from, to] = [0, 0];
  const pairs = align(base.map(tokenOf), now.map(tokenOf));
  for (const [i, j] of [...pairs, [base.length, now.length] as const]) {
    // Between two cells that stayed, those of one kind are the same ones, edited.
    for (; to < j; to++) {
      const cell = now[to]!;
      if (from < i && base[from]!.kind === cell.kind) became[from++] = cell;
      else added[from]!.push(cell);
    }
    if (i < base.length) became[i] = now[j]!;
    [from, to] = [i + 1, j + 1];
  }
  return { became, added };
}

/** Null where both changed one cell. Cells that are in `mine` keep their ids. */
export function merge(base: Cells, mine: Cells, theirs: Cells): Cell[] | null {
  const [left, right] = [changesOf(base, mine), changesOf(base, theirs)];
  const same = (a: Cell | null | undefined, b: Cell | null | undefined) => (a && b ? tokenOf(a) === tokenOf(b) : !a && !b);
  const merged: Cell[] = [];
  for (let at = 0; at <= base.length; at++) {
    const [ours, others] = [left.added[at]!, right.added[at]!];
    merged.push(...ours);
    if (!(ours.length === others.length && ours.every((cell, i) => same(cell, others[i])))) merged.push(...others);
    if (at === base.length) break;
    const [before, one, other] = [base[at]!, left.became[at]!, right.became[at]!];
    if (same(one, other) || same(other, before)) one && merged.push(one);
    else if (!same(one, before)) return null;
    else if (one && other) merged.push({ ...one, source: other.source });
  }
  return merged;
}
