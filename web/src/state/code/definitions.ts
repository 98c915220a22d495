// Names that a cell would define, read from its text; remembered, as a cell that changes is
// another.

import type { Cell } from "../notebook/notebook";
import { LIMITS } from "../limits";
import { namesIn } from "./names";
import { transformCell } from "./transform";

const known = new WeakMap<Cell, ReadonlySet<string>>();

export function definitionsOf(cell: Cell): ReadonlySet<string> {
  let names = known.get(cell);
  if (!names) known.set(cell, (names = read(cell.source)));
  return names;
}

function read(source: string): ReadonlySet<string> {
  if (source.length > LIMITS.codeShown) return new Set();
  try {
    return namesIn(transformCell(source).program).defines;
  } catch {
    return new Set();
  }
}
