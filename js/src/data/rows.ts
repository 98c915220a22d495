// Rows of fields: separators, quotes, comments and the ends of lines.

import { FormatError } from "../errors.js";

/** The fields of a table, row by row. */
export interface Rows {
  readonly rows: string[][];
  /** The line of the file that each row begins on, from 1. */
  readonly lines: number[];
}

/** Separators that are looked for where none is given, in this order. */
const usual = Array.from(",\t;|", (separator) => separator.charCodeAt(0));

const [NEWLINE, RETURN, QUOTE, SPACE, TAB] = [10, 13, 34, 32, 9];
// Behind the end of a text, `charCodeAt` is NaN.
const isEnd = (code: number) => code === NEWLINE || code === RETURN || Number.isNaN(code);
const isBlank = (code: number) => code === SPACE || code === TAB;

/** The rows of a table between two lines, without blank lines and comments. Throws `FormatError` for a quote that is not closed. */
export function rowsOf(op: string, text: string, given: string | undefined, comment: string | undefined, { first, last }: { first: number; last: number }): Rows {
  const [rows, lines]: [string[][], number[]] = [[], []];
  const fields: string[] = [];
  const letter = comment?.charCodeAt(0);
  const isComment = (at: number) => text.charCodeAt(at) === letter && text.startsWith(comment as string, at);
  const blanks = given === "whitespace";
  let separator = given?.charCodeAt(0);
  const isSeparator = (code: number) => (blanks ? isBlank(code) : code === separator);
  const endOf = (at: number) => {
    while (!isEnd(text.charCodeAt(at))) at++;
    return at;
  };
  const pastEnd = (at: number) => at + (text.charCodeAt(at) === RETURN && text.charCodeAt(at + 1) === NEWLINE ? 2 : 1);
  // A mark of the order of bytes is no part of the first field.
  let at = text.startsWith("\ufeff") ? 1 : 0;
  let line = 1;
  for (; at < text.length && line < first; line++) at = pastEnd(endOf(at));
  for (; at < text.length && line <= last; line++) {
    let start = at;
    while (isBlank(text.charCodeAt(start)) && (blanks || text.charCodeAt(start) !== separator)) start++;
    if (isEnd(text.charCodeAt(start)) || isComment(start)) {
      at = pastEnd(endOf(start));
      continue;
    }
    separator ??= separatorOf(text, at);
    if (blanks) at = start;
    fields.length = 0;
    lines.push(line);
    for (;;) {
      let field = "";
      if (text.charCodeAt(at) === QUOTE) {
        // A quote within is written twice.
        for (;;) {
          const end = text.indexOf('"', at + 1);
          if (end < 0) throw new FormatError(op, `a quote in line ${line} is not closed`);
          const part = text.slice(at + 1, end);
          line += part.split(/\r\n|\r|\n/).length - 1;
          field += part;
          at = end + 1;
          if (text.charCodeAt(at) !== QUOTE) break;
          field += '"';
        }
      }
      const rest = at;
      let code = text.charCodeAt(at);
      while (!isEnd(code) && !isSeparator(code) && !(code === letter && isComment(at))) code = text.charCodeAt(++at);
      fields.push(field + text.slice(rest, at));
      const separated = isSeparator(code);
      if (separated) at++;
      if (blanks) while (isBlank(text.charCodeAt(at))) at++;
      // Blanks at the end of a line are no field.
      if (!separated || (blanks && (isEnd(text.charCodeAt(at)) || isComment(at)))) break;
    }
    at = pastEnd(endOf(at));
    // A copy takes no more memory than its fields.
    rows.push(fields.slice());
  }
  return { rows, lines };
}

/** The code of the separator that is in the line at `at`. */
function separatorOf(text: string, at: number): number {
  const found: boolean[] = usual.map(() => false);
  let quoted = false;
  for (; at < text.length && (quoted || !isEnd(text.charCodeAt(at))); at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) quoted = !quoted;
    const place = usual.indexOf(code);
    if (!quoted && place >= 0) found[place] = true;
  }
  return usual[Math.max(found.indexOf(true), 0)] as number;
}
