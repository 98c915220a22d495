// Reading of JavaScript modules as notebooks. A module that the page exported carries the notebook
// in its last line. Where the module was edited since, and in modules of other programs, `// %%`
// lines part it into cells, as editors know them.

import { fingerprint } from "../notebook/fingerprint";
import { makeCell, parseNotebook, proseWithoutCode } from "../notebook/notebook";
import type { Cell } from "../notebook/notebook";
import { decodeShare, encodeShare } from "../notebook/share";
import { BadNotebook } from "./bad-notebook";

export const CARRIED = "//# weft-notebook=";
/** Behind the last cell. */
export const END = "// %% end";

/** Before a cell whose operators are written out: which of the code cells it is, and of what
 * text. */
export const rewrittenMark = (number: number, text: string): string => `// %% [cell ${number} ${digest(text)}]`;

/** By which a reader knows that nobody has edited the text. */
const digest = (body: string) => fingerprint(body.replace(/\r\n/g, "\n").trimEnd()).slice(0, 24);

/** The line that carries a notebook, for a module of this text. */
export async function carry(body: string, markdown: string): Promise<string> {
  return `${CARRIED}${digest(body)}${await encodeShare(markdown)}`;
}

export const isModule = (text: string): boolean => text.includes(`\n${CARRIED}`) || /^\/\/ ?%%/m.test(text.slice(0, 200_000));

/** The cells of a module; `edited` says that it was exported by the page and edited since. */
export async function readModule(source: string): Promise<{ cells: Cell[]; edited: boolean }> {
  const text = source.replace(/\r\n?/g, "\n");
  const at = text.lastIndexOf(`\n${CARRIED}`);
  const body = at < 0 ? text : text.slice(0, at);
  if (at >= 0) {
    const line = text.slice(at + 1 + CARRIED.length).split("\n", 1)[0]!;
    if (line.slice(0, 24) === digest(body)) return { cells: parseNotebook(await decodeShare(line.slice(24))), edited: false };
  }
  const cells = cellsOf(body, at < 0 ? [] : await carriedCode(text.slice(at + 1 + CARRIED.length).split("\n", 1)[0]!));
  if (cells.length === 0) throw new BadNotebook("This script has no cells. Separate them by lines such as “// %%”.");
  return { cells, edited: at >= 0 };
}

/** The code that a line carries; none where the line is damaged. */
async function carriedCode(line: string): Promise<string[]> {
  try {
    return parseNotebook(await decodeShare(line.slice(24))).flatMap(({ kind, source }) => (kind === "code" ? [source] : []));
  } catch {
    return [];
  }
}

/** Cells of a text. One that says which of `carried` it was written from, and is as it was written,
 * is that. */
function cellsOf(text: string, carried: readonly string[]): Cell[] {
  const cells: Cell[] = [];
  let kind: "code" | "prose" | null = null;
  let lines: string[] = [];
  let rewritten: RegExpExecArray | null = null;
  const end = () => {
    const source = (kind === "prose" ? lines.map((line) => line.replace(/^\/\/ ?/, "")) : lines).join("\n").replace(/^\n+/, "").trimEnd();
    const original = rewritten && rewritten[2] === digest(source) ? carried[Number(rewritten[1])] : undefined;
    if (kind !== null && source !== "") cells.push(kind === "prose" ? makeCell("prose", proseWithoutCode(source)) : makeCell("code", original ?? withoutShow(source)));
    lines = [];
  };
  for (const line of text.split("\n")) {
    const mark = /^\/\/ ?%%(.*)$/.exec(line);
    if (!mark) {
      lines.push(line);
      continue;
    }
    end();
    rewritten = /\[cell (\d{1,6}) (\w{24})\]/.exec(mark[1]!);
    kind = line === END ? null : /\[(markdown|md)\]/.test(mark[1]!) ? "prose" : "code";
  }
  end();
  return cells;
}

/** A cell's last value is shown by itself. */
const withoutShow = (source: string) => {
  const last = source.lastIndexOf("\nawait show(") + 1;
  const shown = /^await show\(([^]*)\)(;?)$/.exec(source.slice(last));
  return shown ? `${source.slice(0, last)}${shown[1]}${shown[2]}` : source;
};
