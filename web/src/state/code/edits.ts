// Text replacements and position mapping. Rewriting is a list of replacements that never adds or
// removes a line. After they are applied, the list maps each position in the rewritten code back to
// the reader's code.

interface Edit {
  readonly start: number;
  readonly end: number;
  text: Text;
  /** Whether it ends a statement: it comes in front of what begins there. */
  readonly ends?: boolean;
  /** Where it came to be, once all were applied. */
  generated?: number;
}

/** New text; its parts may speak for other places of the source than where they are put. */
export type Text = string | readonly Part[];

export interface Part {
  readonly text: string;
  readonly original: number;
}

export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

export class Edits {
  private readonly edits: Edit[] = [];

  constructor(private readonly source: string) {}

  insert(at: number, text: Text): void {
    this.edits.push({ start: at, end: at, text });
  }

  /** At the end of a statement, where another may begin: in front of all else that is put there. */
  endStatement(at: number, text: string): void {
    this.edits.push({ start: at, end: at, text, ends: true });
  }

  /** Line breaks of what is replaced are kept behind the new text, so that lines keep their
   * numbers. */
  replace(start: number, end: number, text: string): void {
    const breaks = this.source.slice(start, end).split("\n").length - 1;
    this.edits.push({ start, end, text: text + "\n".repeat(breaks) });
  }

  /** Keeps a place among the insertions for a text that is known later. */
  reserve(at: number): (text: Text) => void {
    const edit: Edit = { start: at, end: at, text: "" };
    this.edits.push(edit);
    return (text) => void (edit.text = text);
  }

  /** Marks a place among the insertions; what it returns tells, once all are applied, where that is
   * in the new code. */
  mark(at: number): () => number {
    const edit: Edit = { start: at, end: at, text: "" };
    this.edits.push(edit);
    return () => edit.generated ?? 0;
  }

  apply(): Rewritten {
    // Array.prototype.sort is stable: edits at one place stay in the order in which they were asked
    // for.
    const edits = [...this.edits].sort((a, b) => a.start - b.start || Number(b.ends ?? false) - Number(a.ends ?? false));
    let code = "";
    let at = 0;
    const pieces: Piece[] = [];
    const keep = (end: number) => {
      // Inside of what was replaced.
      if (end < at) return;
      pieces.push({ generated: code.length, original: at, kept: true });
      code += this.source.slice(at, end);
      at = end;
    };
    for (const edit of edits) {
      keep(edit.start);
      edit.generated = code.length;
      for (const { text, original } of typeof edit.text === "string" ? [{ text: edit.text, original: edit.start }] : edit.text) {
        pieces.push({ generated: code.length, original, kept: false });
        code += text;
      }
      at = Math.max(at, edit.end);
    }
    keep(this.source.length);
    return new Rewritten(code, this.source, pieces);
  }
}

/** Its pieces, each with where it comes from: how many characters were copied from there, or what
 * was put there. */
export type PackedRewritten = readonly (readonly [original: number, copied: number | string])[];

interface Piece {
  readonly generated: number;
  readonly original: number;
  /** Copied from the source, rather than put there by an edit. */
  readonly kept: boolean;
}

export class Rewritten {
  constructor(
    readonly code: string,
    readonly source: string,
    private readonly pieces: readonly Piece[],
  ) {}

  pack(): PackedRewritten {
    return this.pieces.map(({ generated, original, kept }, i) => {
      const text = this.code.slice(generated, this.pieces[i + 1]?.generated);
      return [original, kept ? text.length : text];
    });
  }

  static unpack(source: string, packed: PackedRewritten): Rewritten {
    let code = "";
    const pieces = packed.map(([original, copied]) => {
      const piece = { generated: code.length, original, kept: typeof copied === "number" };
      code += typeof copied === "number" ? source.slice(original, original + copied) : copied;
      return piece;
    });
    return new Rewritten(code, source, pieces);
  }

  toOriginal({ line, column }: Position): Position {
    const offset = offsetOf(this.code, { line, column });
    let piece = this.pieces[0]!;
    for (const candidate of this.pieces) {
      if (candidate.generated > offset) break;
      piece = candidate;
    }
    return positionOf(this.source, piece.original + (piece.kept ? offset - piece.generated : 0));
  }
}

function offsetOf(text: string, { line, column }: Position): number {
  let start = 0;
  for (let i = 1; i < line; i++) {
    const next = text.indexOf("\n", start);
    if (next < 0) return text.length;
    start = next + 1;
  }
  return Math.min(start + column - 1, text.length);
}

export function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: before.length - start + 1 };
}
