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

/** Which of the code cells declares a name, counted from 1, beside the one that lacks it; null if
 * none does. Of a text that cannot be read the words in front of a name decide. */
export function declaringCell(cells: readonly Cell[], name: string, lacking: string, reader: CellReader): number | null {
  const named = `(?<![\\w$.])${name.replace(/\$/g, "\\$&")}(?![\\w$])`;
  const seems = new RegExp(`\\b(?:const|let|var)\\b[^=;\n]*${named}|\\b(?:class|function)\\b[\\s*]*${named}`);
  const declares = (cell: Cell) => {
    const source = cell.source.slice(0, LIMITS.codeShown);
    return reader.read(source, true)?.ok ? definitionsOf(cell, reader).has(name) : seems.test(source);
  };
  const at = cells.findIndex((cell) => cell.id !== lacking && cell.source.includes(name) && declares(cell));
  return at < 0 ? null : at + 1;
}
