// The notebook format: Markdown, in which fenced `js` blocks are code cells and everything between
// them is prose. This file parses it, writes it back unchanged in meaning, and edits it. It knows
// no DOM and no storage.

import { asName } from "../prose/bidi";
import { LIMITS, TooLarge } from "../limits";

export type CellKind = "code" | "prose";

export interface Cell {
  /** Stable while the notebook is open, whatever moves around it. */
  readonly id: string;
  readonly kind: CellKind;
  readonly source: string;
  /** A code cell of which the site's own notebooks show what it makes rather than its text: ````
   * ```js fold ````. */
  readonly fold?: true;
}

export type Cells = readonly Cell[];

let lastId = 0;
export const makeCell = (kind: CellKind, source = ""): Cell => ({ id: `c${++lastId}`, kind, source });

/** Keeps two neighbouring prose cells apart in the file; invisible wherever Markdown is
 * rendered. */
const SEPARATOR = "<!-- cell -->";
const CODE_LANGUAGES = new Set(["js", "javascript", "mjs"]);

// Anybody may have written a file, so every scan here reads each character a bounded number of
// times: a regular expression that tries again from every space would let one line of a link hold
// the page for minutes.

interface Fence {
  readonly mark: string;
  readonly length: number;
  readonly language: string;
  readonly fold: boolean;
}

/** The run of `` ` `` or `~` that a line begins with, behind at most three spaces; null where there
 * is none. */
function fenceRun(line: string): { mark: string; length: number; rest: string } | null {
  let start = 0;
  while (start < 3 && line[start] === " ") start++;
  const mark = line[start];
  if (mark !== "`" && mark !== "~") return null;
  let end = start;
  while (line[end] === mark) end++;
  return end - start < 3 ? null : { mark, length: end - start, rest: line.slice(end) };
}

function opening(line: string): Fence | null {
  const run = fenceRun(line);
  if (!run || run.rest.includes("`")) return null;
  const information = run.rest.trim();
  const space = information.search(/\s/);
  return { mark: run.mark, length: run.length, language: (space < 0 ? information : information.slice(0, space)).toLowerCase(), fold: space >= 0 && information.slice(space).trim() === "fold" };
}

function closes(line: string, fence: Fence): boolean {
  const run = fenceRun(line);
  return run !== null && run.mark === fence.mark && run.length >= fence.length && run.rest.trim() === "";
}

function trimBlankLines(text: string): string {
  const first = text.search(/\S/);
  return first < 0 ? "" : text.slice(text.lastIndexOf("\n", first) + 1).trimEnd();
}

const MARK = /[ \t]*[`~#<]/y;
/** The end of a line before one that may mean something. */
const BEFORE_MARK = /\n[ \t]*[`~#<]/g;

/** Reads a text line by line, without an array of lines. */
class Lines {
  private at = 0;
  constructor(readonly text: string) {}

  /** Where the next line begins. */
  get position(): number {
    return Math.min(this.at, this.text.length);
  }

  next(): string | null {
    if (this.at > this.text.length) return null;
    const end = this.text.indexOf("\n", this.at);
    const line = this.text.slice(this.at, end < 0 ? undefined : end);
    this.at = end < 0 ? this.text.length + 1 : end + 1;
    return line;
  }

  /**
   * Goes to the next line that may be one that means something: a fence, a heading, a comment;
   * false where there is none. One search passes over a million lines of text in milliseconds,
   * which reading them does not.
   */
  seek(): boolean {
    MARK.lastIndex = this.at;
    if (MARK.test(this.text)) return true;
    BEFORE_MARK.lastIndex = this.at;
    const found = BEFORE_MARK.exec(this.text);
    this.at = found ? found.index + 1 : this.text.length + 1;
    return found !== null;
  }

  /** Goes behind the fence's end; where its last line begins. */
  skip(fence: Fence): number {
    while (this.seek()) {
      const start = this.position;
      if (closes(this.next()!, fence)) return start;
    }
    return this.position;
  }
}

/** Throws `TooLarge` where there are more cells than a notebook may have. */
export function parseNotebook(markdown: string): Cell[] {
  const cells: Cell[] = [];
  const add = (kind: CellKind, source: string, fold?: boolean) => {
    if (cells.length === LIMITS.cells) throw new TooLarge(`It has more than ${LIMITS.cells.toLocaleString("en")} cells, the most that a notebook can have.`);
    cells.push(fold ? { ...makeCell(kind, source), fold } : makeCell(kind, source));
  };
  const text = markdown.replace(/\r\n?/g, "\n").replace(/^\uFEFF/, "");
  const lines = new Lines(text);
  let proseFrom = 0;
  const endProse = (end: number) => {
    const source = trimBlankLines(text.slice(proseFrom, end));
    if (source !== "") add("prose", source);
  };
  while (lines.seek()) {
    const start = lines.position;
    const line = lines.next()!;
    const fence = opening(line);
    if (fence === null) {
      if (line.trim() !== SEPARATOR) continue;
      endProse(start);
      proseFrom = lines.position;
      continue;
    }
    const from = lines.position;
    const end = lines.skip(fence);
    if (!CODE_LANGUAGES.has(fence.language)) continue;
    endProse(start);
    add("code", text.slice(from, end).trimEnd(), fence.fold);
    proseFrom = lines.position;
  }
  endProse(text.length);
  return cells;
}

/** Ends a fence that the text leaves open: behind it, the cells that follow would be part of it. */
function withFencesClosed(source: string): string {
  let open: Fence | null = null;
  const lines = new Lines(source);
  while (lines.seek()) {
    const fence = opening(lines.next()!);
    if (!fence) continue;
    open = fence;
    while (open && lines.seek()) if (closes(lines.next()!, fence)) open = null;
  }
  return open ? `${source}\n${open.mark.repeat(open.length)}` : source;
}

/**
 * Prose from elsewhere as one text of a notebook: its blocks of JavaScript would be cells that run,
 * so they are named `jsx`; what parts cells in the file is left out, and a fence left open is
 * closed.
 */
export function proseWithoutCode(source: string): string {
  const text = source.replace(/\r\n?/g, "\n").replace(/^\uFEFF/, "");
  const lines = new Lines(text);
  let written = "";
  let from = 0;
  while (lines.seek()) {
    const start = lines.position;
    const line = lines.next()!;
    const fence = opening(line);
    if (!fence) {
      if (line.trim() !== SEPARATOR) continue;
      written += text.slice(from, start);
      from = lines.position;
      continue;
    }
    if (CODE_LANGUAGES.has(fence.language)) {
      written += `${text.slice(from, start)}${fence.mark.repeat(fence.length)}jsx`;
      from = start + line.length;
    }
    lines.skip(fence);
  }
  return withFencesClosed(trimBlankLines(written + text.slice(from)));
}

export function serializeNotebook(cells: Cells): string {
  const blocks: string[] = [];
  let previous: CellKind | null = null;
  for (const cell of cells) {
    if (cell.kind === "code") {
      let longest = 2;
      for (const run of cell.source.matchAll(/^ {0,3}(`+)/gm)) longest = Math.max(longest, run[1]!.length);
      const mark = "`".repeat(longest + 1);
      blocks.push(`${mark}js${cell.fold ? " fold" : ""}\n${cell.source}${cell.source === "" ? "" : "\n"}${mark}`);
    } else {
      const source = withFencesClosed(trimBlankLines(cell.source));
      if (source === "") continue;
      if (previous === "prose") blocks.push(SEPARATOR);
      blocks.push(source);
    }
    previous = cell.kind;
  }
  return blocks.length === 0 ? "" : blocks.join("\n\n") + "\n";
}

/** Whether two notebooks would be written as the same text. */
export function sameNotebook(a: Cells, b: Cells): boolean {
  if (a === b) return true;
  const written = (cells: Cells) => cells.filter(({ kind, source }) => kind === "code" || source.trim() !== "");
  const [left, right] = [written(a), written(b)];
  const text = ({ kind, source }: Cell) => (kind === "code" ? source : trimBlankLines(source));
  return (
    left.length === right.length &&
    left.every((cell, at) => {
      const other = right[at]!;
      return cell.kind === other.kind && (cell.source === other.source || text(cell) === text(other));
    })
  );
}

export interface Heading {
  readonly cell: string;
  /** Which heading of its cell, from 0. */
  readonly index: number;
  /** 1 to 6. */
  readonly level: number;
  readonly text: string;
}

/** Characters of a line that a heading or a summary is made from: nobody reads more in a title. */
const READ = 1_000;

/** Text without its marks; what it is given is short. */
const plain = (text: string, length: number) => {
  const words = asName(text.slice(0, READ))
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "")
    .replace(/\s+/g, " ")
    .trim();
  return words.length > length ? `${words.slice(0, length - 1)}…` : words;
};

function headingOf(line: string): { level: number; text: string } | null {
  let level = 0;
  while (level < 7 && line[level] === "#") level++;
  if (level === 0 || level > 6 || (line[level] !== " " && line[level] !== "\t")) return null;
  const text = line.slice(level).trim();
  let end = text.length;
  while (text[end - 1] === "#") end--;
  // A closing run of # stands behind a space: that of “C#” belongs to the text.
  const closed = end === 0 || text[end - 1] === " " || text[end - 1] === "\t";
  return text === "" ? null : { level, text: plain(closed ? text.slice(0, end) : text, 200) };
}

/** The lines of a prose cell that lie in no fenced block. */
function* proseLines(source: string): Generator<string> {
  const lines = new Lines(source);
  for (let line = lines.next(); line !== null; line = lines.next()) {
    const fence = opening(line);
    if (!fence) yield line;
    else {
      lines.skip(fence);
      yield "";
    }
  }
}

/** The headings of a notebook, in order, up to `limit` of them. */
export function headings(cells: Cells, limit: number): Heading[] {
  const found: Heading[] = [];
  for (const { id, kind, source } of cells) {
    if (kind !== "prose") continue;
    const lines = new Lines(source);
    for (let index = 0; lines.seek(); ) {
      const line = lines.next()!;
      const fence = opening(line);
      const heading = fence ? null : headingOf(line);
      if (fence) lines.skip(fence);
      if (!heading) continue;
      if (found.length === limit) return found;
      found.push({ cell: id, index: index++, ...heading });
    }
  }
  return found;
}

/** What a notebook whose operators are JavaScript's own begins with; invisible wherever Markdown is
 * rendered. */
const NO_OPERATORS = "<!-- operators: off -->";

/** Whether operators act on tensors in this notebook: `a * b` instead of `a.mul(b)`. */
export function hasOperators([first]: Cells): boolean {
  return first?.kind !== "prose" || first.source.slice(0, READ).split("\n", 1)[0]!.trim() !== NO_OPERATORS;
}

export function setOperators(cells: Cells, on: boolean): Cells {
  const [first] = cells;
  if (hasOperators(cells) === on) return cells;
  if (!on) return first?.kind === "prose" ? editCell(cells, first.id, `${NO_OPERATORS}\n\n${first.source}`) : [makeCell("prose", NO_OPERATORS), ...cells];
  const rest = trimBlankLines(first!.source.trimStart().slice(NO_OPERATORS.length));
  return rest === "" && cells.length > 1 ? cells.slice(1) : editCell(cells, first!.id, rest);
}

/** The cells of a notebook never change in place, so what is known of them is kept as long as they
 * are. */
const titles = new WeakMap<Cells, string>();

export function titleOf(cells: Cells): string {
  let title = titles.get(cells);
  if (title === undefined) titles.set(cells, (title = headings(cells, 1)[0]?.text || "Untitled"));
  return title;
}

/** The name of a file for a notebook of this title. */
export const fileNameOf = (title: string): string => `${title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "notebook"}.md`;

/** The same notebook under another title: that of its first heading, or of one above all else. */
export function retitle(cells: Cells, title: string): Cells {
  const words = title.replace(/\s+/g, " ").trim().slice(0, 200);
  const [first] = headings(cells, 1);
  if (!first) return [makeCell("prose", `# ${words}`), ...cells];
  const { source } = findCell(cells, first.cell)!;
  const lines = new Lines(source);
  while (lines.seek()) {
    const start = lines.position;
    const line = lines.next()!;
    const fence = opening(line);
    if (fence) lines.skip(fence);
    else if (headingOf(line)) return editCell(cells, first.cell, `${source.slice(0, start)}${"#".repeat(first.level)} ${words}${source.slice(start + line.length)}`);
  }
  return cells;
}

const beginsParagraph = (line: string) => /^[^\s#>|\-*+`~\d]|^[*_`]\S/.test(line.slice(0, 200).trimStart());

/** The first heading and the first paragraph behind it: how a gallery introduces the notebook. */
export function describeNotebook(markdown: string): { title: string; summary: string } {
  let title: string | null = null;
  let summary = "";
  for (const { kind, source } of parseNotebook(markdown)) {
    if (kind !== "prose") continue;
    let paragraph: string[] | null = null;
    let between = true;
    const end = () => {
      if (paragraph && summary === "") summary = plain(paragraph.join(" "), 500);
      paragraph = null;
    };
    for (const line of proseLines(source)) {
      const heading = headingOf(line);
      if (heading || line.trim() === "") {
        end();
        between = true;
        // What stands above the title introduces nothing.
        if (heading && title === null) [title, summary] = [heading.text, ""];
      } else if (paragraph !== null) {
        if ((paragraph as string[]).length < 20) (paragraph as string[]).push(line.slice(0, READ));
      } else if (between) {
        between = false;
        if (beginsParagraph(line)) paragraph = [line.slice(0, READ)];
      }
    }
    end();
    if (title !== null && summary !== "") break;
  }
  return { title: title || "Untitled", summary };
}

export const codeCells = (cells: Cells) => cells.filter((cell) => cell.kind === "code");

const known = new WeakMap<Cells, { cells: Map<string, Cell>; numbers: Map<string, number> }>();

function indexOf(cells: Cells) {
  let index = known.get(cells);
  if (!index) {
    index = { cells: new Map(cells.map((cell) => [cell.id, cell])), numbers: new Map(codeCells(cells).map(({ id }, at) => [id, at + 1])) };
    known.set(cells, index);
  }
  return index;
}

export const findCell = (cells: Cells, id: string): Cell | undefined => indexOf(cells).cells.get(id);

/** The number a reader sees on a code cell, from 1; 0 for prose and for cells that are gone. */
export const cellNumber = (cells: Cells, id: string): number => indexOf(cells).numbers.get(id) ?? 0;

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
