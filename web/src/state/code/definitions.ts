// Names that a cell would define, read from its text; remembered, as a cell that changes is
// another.

import type { Cell } from "../notebook/notebook";
import { LIMITS } from "../limits";
import type { CellReader } from "./reading";

const known = new WeakMap<Cell, ReadonlySet<string>>();
const NONE: ReadonlySet<string> = new Set();

/** None as long as what reads cells is not there. */
export function definitionsOf(cell: Cell, reader: CellReader): ReadonlySet<string> {
  const found = known.get(cell);
  if (found || cell.source.length > LIMITS.codeShown) return found ?? NONE;
  const read = reader.read(cell.source, true);
  if (!read) return NONE;
  const names = read.ok ? read.names.defines : NONE;
  known.set(cell, names);
  return names;
}

/** Whether a text, which may be none that runs, seems to declare a name. */
export const declaresName = (source: string, name: string): boolean => new RegExp(`\\b(?:const|let|var|class|function)\\b[^;\n]*(?<![\\w$.])${name.replace(/\$/g, "\\$&")}(?![\\w$])`).test(source.slice(0, LIMITS.codeShown));
