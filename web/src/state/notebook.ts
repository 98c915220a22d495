// What is a notebook? Markdown in which fenced `js` blocks are code cells and everything between them is prose.
// This file reads it, writes it back unchanged in meaning, and edits it; it knows no DOM and no storage.

export type CellKind = "code" | "prose";

export interface Cell {
  /** Stable while the notebook is open, whatever moves around it. */
  readonly id: string;
  readonly kind: CellKind;
  readonly source: string;
}

export type Cells = readonly Cell[];

let lastId = 0;
export const makeCell = (kind: CellKind, source = ""): Cell => ({ id: `c${++lastId}`, kind, source });

/** Keeps two neighbouring prose cells apart in the file; invisible wherever Markdown is rendered. */
const SEPARATOR = "<!-- cell -->";
const CODE_LANGUAGES = new Set(["js", "javascript", "mjs"]);

interface Fence {
  readonly mark: string;
  readonly language: string;
}

function opening(line: string): Fence | null {
  const found = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)[^`]*$/.exec(line);
  return found ? { mark: found[1]!, language: found[2]!.toLowerCase() } : null;
}

function closes(line: string, fence: Fence): boolean {
  const found = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line);
  return found !== null && found[1]![0] === fence.mark[0] && found[1]!.length >= fence.mark.length;
}

const trimBlankLines = (text: string) => text.replace(/^(?:[ \t]*\n)+/, "").replace(/\s+$/, "");

export function parseNotebook(markdown: string): Cell[] {
  const cells: Cell[] = [];
  let prose: string[] = [];
  const endProse = () => {
    const source = trimBlankLines(prose.join("\n"));
    if (source !== "") cells.push(makeCell("prose", source));
    prose = [];
  };

  const lines = markdown.replace(/\r\n?/g, "\n").replace(/^\uFEFF/, "").split("\n");
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const fence = opening(line);
    if (fence === null) {
      if (line.trim() === SEPARATOR) endProse();
      else prose.push(line);
      continue;
    }
    let end = i + 1;
    while (end < lines.length && !closes(lines[end]!, fence)) end++;
    if (CODE_LANGUAGES.has(fence.language)) {
      endProse();
      cells.push(makeCell("code", lines.slice(i + 1, end).join("\n").replace(/\s+$/, "")));
    } else {
      prose.push(...lines.slice(i, end + 1));
    }
    i = end;
  }
  endProse();
  return cells;
}

export function serializeNotebook(cells: Cells): string {
  const blocks: string[] = [];
  let previous: CellKind | null = null;
  for (const cell of cells) {
    if (cell.kind === "code") {
      const longest = Math.max(2, ...[...cell.source.matchAll(/^ {0,3}(`+)/gm)].map((run) => run[1]!.length));
      const mark = "`".repeat(longest + 1);
      blocks.push(`${mark}js\n${cell.source}${cell.source === "" ? "" : "\n"}${mark}`);
    } else {
      const source = trimBlankLines(cell.source);
      if (source === "") continue;
      if (previous === "prose") blocks.push(SEPARATOR);
      blocks.push(source);
    }
    previous = cell.kind;
  }
  return blocks.length === 0 ? "" : blocks.join("\n\n") + "\n";
}

/** The first heading and the first paragraph: how a gallery introduces the notebook. */
export function describeNotebook(markdown: string): { title: string; summary: string } {
  const prose = parseNotebook(markdown)
    .filter((cell) => cell.kind === "prose")
    .map((cell) => cell.source)
    .join("\n\n");
  const plain = (text: string) =>
    text
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replace(/[*_`]/g, "")
      .replace(/\s+/g, " ")
      .trim();
  const heading = /^#{1,6}[ \t]+(.+?)[ \t]*#*$/m.exec(prose);
  const rest = heading ? prose.slice(heading.index + heading[0].length) : prose;
  const paragraph = rest.split(/\n\s*\n/).find((block) => /^[ \t]*[^\s#>|\-*+`~\d]|^[ \t]*[*_`]\S/.test(block.trim()));
  return { title: heading ? plain(heading[1]!) : "Untitled", summary: paragraph ? plain(paragraph) : "" };
}

export const codeCells = (cells: Cells) => cells.filter((cell) => cell.kind === "code");

/** The number a reader sees on a code cell, from 1; 0 for prose and for cells that are gone. */
export const cellNumber = (cells: Cells, id: string) => codeCells(cells).findIndex((cell) => cell.id === id) + 1;

export const editCell = (cells: Cells, id: string, source: string): Cells =>
  cells.map((cell) => (cell.id === id ? { ...cell, source } : cell));

export const insertCell = (cells: Cells, at: number, cell: Cell): Cells => [...cells.slice(0, at), cell, ...cells.slice(at)];

export const removeCell = (cells: Cells, id: string): Cells => cells.filter((cell) => cell.id !== id);

/** Moves a cell by `offset` places; at either end it stays where it is. */
export function moveCell(cells: Cells, id: string, offset: -1 | 1): Cells {
  const from = cells.findIndex((cell) => cell.id === id);
  const to = from + offset;
  if (from < 0 || to < 0 || to >= cells.length) return cells;
  const moved = [...cells];
  [moved[from], moved[to]] = [moved[to]!, moved[from]!];
  return moved;
}
