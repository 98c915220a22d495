// Search and replacement over the texts of all cells.

import type { Cells } from "./notebook";

export interface Query {
  readonly text: string;
  readonly matchCase: boolean;
  /** A regular expression in JavaScript's syntax, of which `^` and `$` are ends of lines. */
  readonly regular: boolean;
}

export interface Match {
  readonly cell: string;
  readonly from: number;
  readonly to: number;
}

/** Matches that are found at most. */
export const MOST = 10_000;

/** What a query looks for. Throws `SyntaxError` for what is no regular expression. */
export function patternOf({ text, matchCase, regular }: Query): RegExp {
  return new RegExp(regular ? text : text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), `gm${matchCase ? "" : "i"}${regular ? "u" : ""}`);
}

/** The matches in order, at most `MOST`; none of them empty. */
export function findAll(cells: Cells, query: Query): Match[] {
  if (query.text === "") return [];
  const pattern = patternOf(query);
  const found: Match[] = [];
  for (const { id, source } of cells)
    for (const match of source.matchAll(pattern)) {
      if (match[0] === "") continue;
      found.push({ cell: id, from: match.index, to: match.index + match[0].length });
      if (found.length >= MOST) return found;
    }
  return found;
}

/** What a match becomes: of a regular expression, `$1` and `$<name>` stand for its groups. */
export function replacementOf(source: string, { from, to }: Match, query: Query, replacement: string): string {
  if (!query.regular) return replacement;
  // Looked for again in the whole text, as it may look at what is round it.
  const pattern = new RegExp(patternOf(query).source, `${patternOf(query).flags}y`);
  pattern.lastIndex = from;
  const match = pattern.exec(source);
  if (!match || match.index + match[0].length !== to) return replacement;
  return replacement.replace(/\$(?:(\$)|(&)|(\d\d?)|<(\w+)>)/g, (whole, dollar?: string, all?: string, number?: string, name?: string) =>
    dollar ? "$" : all ? match[0] : number ? (match[Number(number)] ?? "") : (match.groups?.[name!] ?? whole),
  );
}

/** The texts that replacing all matches changes, by cell. */
export function replaceAll(cells: Cells, query: Query, replacement: string): Map<string, string> {
  const byCell = new Map<string, Match[]>();
  for (const match of findAll(cells, query)) byCell.set(match.cell, [...(byCell.get(match.cell) ?? []), match]);
  const texts = new Map<string, string>();
  for (const { id, source } of cells) {
    const matches = byCell.get(id);
    if (!matches) continue;
    let [text, at] = ["", 0];
    for (const match of matches) {
      text += source.slice(at, match.from) + replacementOf(source, match, query, replacement);
      at = match.to;
    }
    texts.set(id, text + source.slice(at));
  }
  return texts;
}
