// Rows of fields: separators, quotes, comments and the ends of lines. A table is scanned once, and
// only where its fields begin is kept: four bytes a field. A text is cut out of the file, and a
// number read from it, when it is asked for.

import { FormatError } from "../core/errors.js";

/** Separators that are looked for where none is given, in this order. */
const usual = Array.from(",\t;|", (separator) => separator.charCodeAt(0));

const [TAB, NEWLINE, RETURN, SPACE, QUOTE, PLUS, MINUS, POINT, ZERO, UPPER_E, LOWER_E] = [9, 10, 13, 32, 34, 43, 45, 46, 48, 69, 101];
/** A code that no text has. */
const NONE = -1;
/** Where a field begins that the file does not have: rows may be filled up. No text is so long. */
export const ABSENT = 2 ** 32 - 1;

/** Powers of ten that are doubles. */
const POWERS = Array.from({ length: 23 }, (_, n) => 10 ** n);

const isEnd = (code: number) => code === NEWLINE || code === RETURN || code === NONE;
const isBlank = (code: number) => code === SPACE || code === TAB;
const isDigit = (code: number) => code >= ZERO && code < ZERO + 10;
const isNumeric = (code: number) => isDigit(code) || code === PLUS || code === MINUS || code === POINT || code === UPPER_E || code === LOWER_E;

/** The lines of a file that are read, from 1. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** How fields are found in a text, and what they are. */
export class Fields {
  /** Whether the number that was read last was written without point and exponent. */
  isWhole = false;
  readonly #comment: string | undefined;
  /** What ends a field beside a line's end; of blanks there are two. */
  #one: number;
  #other: number;
  /** The first code of a comment. */
  readonly #letter: number;
  /** Whether nothing that ends a field can be in a number. */
  #isPlain: boolean | undefined;

  constructor(
    readonly op: string,
    readonly text: string,
    separator: string | undefined,
    comment: string | undefined,
  ) {
    const code = separator === undefined ? NONE : separator.charCodeAt(0);
    this.#one = separator === "whitespace" ? SPACE : code;
    this.#other = separator === "whitespace" ? TAB : code;
    this.#comment = comment;
    this.#letter = comment === undefined ? NONE : comment.charCodeAt(0);
  }

  /** The rows between two lines, without blank lines and comments: where each field begins, and how
   * many fields there are up to the end of each row. Throws `FormatError` for a quote that is not
   * closed. */
  scan({ first, last }: LineRange): { starts: Uint32Array; ends: Uint32Array } {
    const { text } = this;
    const { length } = text;
    let starts = new Uint32Array(1024);
    let ends = new Uint32Array(1024);
    let fields = 0;
    let rows = 0;
    // A mark of the order of bytes is no part of the first field.
    let at = text.startsWith("\ufeff") ? 1 : 0;
    let line = 1;
    for (; at < length && line < first; line++) at = this.#nextLine(at);
    for (; at < length && line <= last; line++) {
      const begins = text.charCodeAt(at);
      const start = begins > SPACE ? at : this.#pastBlanks(at);
      if (begins <= SPACE && isEnd(this.#code(start)) || this.#isComment(start)) {
        at = this.#nextLine(start);
        continue;
      }
      if (this.#one === NONE) this.#one = this.#other = separatorOf(text, at);
      const one = this.#one;
      const other = this.#other;
      const blanks = one !== other;
      if (blanks) at = start;
      for (;;) {
        if (fields === starts.length) starts = grown(starts);
        starts[fields++] = at;
        const end = this.#end(at);
        if (this.#code(at) === QUOTE) line += lineEnds(text, at, end);
        at = end;
        const code = this.#code(at);
        const separated = code !== NONE && (code === one || code === other);
        if (separated) at++;
        if (blanks) while (isBlank(this.#code(at))) at++;
        // Blanks at the end of a line are no field.
        if (!separated || (blanks && (isEnd(this.#code(at)) || this.#isComment(at)))) break;
      }
      if (rows === ends.length) ends = grown(ends);
      ends[rows++] = fields;
      at = at < length && text.charCodeAt(at) === NEWLINE ? at + 1 : this.#nextLine(at);
    }
    return { starts: starts.subarray(0, fields), ends: ends.subarray(0, rows) };
  }

  /** The text of the field that begins at `start`. */
  textAt(start: number): string {
    if (start === ABSENT) return "";
    const end = this.#end(start);
    if (this.#code(start) !== QUOTE) return this.text.slice(start, end);
    const closed = this.#closed(start);
    return this.text.slice(start + 1, closed - 1).replaceAll('""', '"') + this.text.slice(closed, end);
  }

  /** The number that begins at `start`, where it is a decimal of so few digits that two doubles
   * make it, rounded once (Clinger, "How to Read Floating Point Numbers Accurately", 1990); NaN for
   * all else, which may be a number too. `isWhole` tells how it is written. */
  numberAt(start: number): number {
    // What ends a field may be what numbers are made of.
    if (!(this.#isPlain ??= ![this.#one, this.#other, this.#letter].some(isNumeric))) return NaN;
    const { text } = this;
    const { length } = text;
    const one = this.#one;
    const other = this.#other;
    let at = start;
    const next = (): number => (++at < length ? text.charCodeAt(at) : NONE);
    let code = at < length ? text.charCodeAt(at) : NONE;
    const isQuoted = code === QUOTE;
    if (isQuoted) code = next();
    while (isBlank(code) && code !== one && code !== other) code = next();
    const isNegative = code === MINUS;
    if (isNegative || code === PLUS) code = next();
    // Beyond 2^53 it is rounded, and never becomes less than that again.
    let whole = 0;
    let digits = 0;
    let exponent = 0;
    for (; isDigit(code); code = next()) {
      whole = whole * 10 + (code - ZERO);
      digits++;
    }
    this.isWhole = code !== POINT && code !== UPPER_E && code !== LOWER_E;
    if (code === POINT) {
      for (code = next(); isDigit(code); code = next()) {
        whole = whole * 10 + (code - ZERO);
        digits++;
        exponent--;
      }
    }
    if (digits === 0 || whole > Number.MAX_SAFE_INTEGER) return NaN;
    if (code === UPPER_E || code === LOWER_E) {
      code = next();
      const sign = code === MINUS ? -1 : 1;
      if (code === MINUS || code === PLUS) code = next();
      if (!isDigit(code)) return NaN;
      let power = 0;
      for (; isDigit(code); code = next()) power = Math.min(power * 10 + (code - ZERO), 1000);
      exponent += sign * power;
    }
    while (isBlank(code) && code !== one && code !== other) code = next();
    if (isQuoted) {
      if (code !== QUOTE) return NaN;
      code = next();
    }
    if (!isEnd(code) && code !== one && code !== other && !this.#isComment(at)) return NaN;
    if (exponent < -22 || exponent > 22) return NaN;
    const value = exponent < 0 ? whole / (POWERS[-exponent] as number) : whole * (POWERS[exponent] as number);
    return isNegative ? -value : value;
  }

  /** The line of the file that is at `place`, from 1. */
  lineOf(place: number): number {
    return 1 + lineEnds(this.text, 0, place);
  }

  #code(at: number): number {
    return at < this.text.length ? this.text.charCodeAt(at) : NONE;
  }

  #isComment(at: number): boolean {
    return this.#letter !== NONE && this.#code(at) === this.#letter && this.text.startsWith(this.#comment as string, at);
  }

  /** Where blanks end that do not separate fields. */
  #pastBlanks(at: number): number {
    const one = this.#one;
    const other = this.#other;
    while (isBlank(this.#code(at)) && (one !== other || this.#code(at) !== one)) at++;
    return at;
  }

  /** Where the next line begins. */
  #nextLine(at: number): number {
    while (!isEnd(this.#code(at))) at++;
    return at + (this.#code(at) === RETURN && this.#code(at + 1) === NEWLINE ? 2 : 1);
  }

  /** Where the field ends that begins at `at`. */
  #end(at: number): number {
    const { text } = this;
    const { length } = text;
    const one = this.#one;
    const other = this.#other;
    const letter = this.#letter;
    // Most letters and digits are beyond all that could end a field.
    const most = Math.max(RETURN, one, other, letter);
    if (this.#code(at) === QUOTE) at = this.#closed(at);
    for (; at < length; at++) {
      const code = text.charCodeAt(at);
      if (code > most) continue;
      if (code === one || code === other || code === NEWLINE || code === RETURN || (code === letter && this.#isComment(at))) break;
    }
    return at;
  }

  /** Where the quote that begins at `at` is closed, behind it. A quote within is written twice. */
  #closed(at: number): number {
    for (;;) {
      const end = this.text.indexOf('"', at + 1);
      if (end < 0) throw new FormatError(this.op, `a quote in line ${this.lineOf(at)} is not closed`);
      at = end + 1;
      if (this.#code(at) !== QUOTE) return at;
    }
  }
}

/** How many lines end between two places. */
function lineEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === NEWLINE || (code === RETURN && !(at + 1 < text.length && text.charCodeAt(at + 1) === NEWLINE))) count++;
  }
  return count;
}

function grown(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(2 * numbers.length);
  more.set(numbers);
  return more;
}

/** The code of the separator that is in the line at `at`. */
function separatorOf(text: string, at: number): number {
  const found: boolean[] = usual.map(() => false);
  let quoted = false;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!quoted && isEnd(code)) break;
    if (code === QUOTE) quoted = !quoted;
    const place = usual.indexOf(code);
    if (!quoted && place >= 0) found[place] = true;
  }
  return usual[Math.max(found.indexOf(true), 0)] as number;
}
