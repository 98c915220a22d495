// Errors of kernels: where in the function's source, an excerpt with a caret, and what to write
// instead.

import { WeftError } from "../index.js";

/**
 * A function that cannot become a kernel. The message names the line and the column in the
 * function's own source, shows the line, and says what to write instead.
 *
 * @example
 * const half = kernel((x: KernelTensor, i: number) => x.at(i / 2));
 * half(tensor([1, 2])); // throws KernelError
 */
export class KernelError extends WeftError {
  /** Line in the function's source, from 1. */
  readonly line: number;
  /** Column, from 1. */
  readonly column: number;

  constructor(op: string, message: string, line: number, column: number) {
    super(op, message);
    this.line = line;
    this.column = column;
  }
}

for (const target of [KernelError.prototype, KernelError]) Object.defineProperty(target, "name", { value: "KernelError", configurable: true });

/** The source of a function, in which errors point at places. */
export interface Source {
  /** The name of the kernel, in whose name errors are. */
  readonly op: string;
  readonly text: string;
  /** How many characters at either end of `text` are not the user's. */
  readonly skip: number;
}

/** An error at a place of a source. */
export function errorAt(source: Source, at: number, message: string): KernelError {
  const text = source.text.slice(source.skip, source.text.length - source.skip);
  const place = Math.max(0, Math.min(at - source.skip, text.length));
  const start = text.lastIndexOf("\n", place - 1) + 1;
  const line = text.slice(0, place).split("\n").length;
  const end = text.indexOf("\n", start);
  const row = text.slice(start, end < 0 ? text.length : end);
  const column = place - start + 1;
  // Minified code is one long line: what is round the place is enough.
  const from = row.length > 100 ? Math.max(0, column - 41) : 0;
  const indent = row.slice(from).search(/\S|$/);
  const begin = Math.min(from + indent, column - 1);
  const shown = `${from > 0 ? "…" : ""}${row.slice(begin, begin + 100).trimEnd()}`;
  const caret = `${" ".repeat(column - 1 - begin + (from > 0 ? 1 : 0))}^`;
  return new KernelError(source.op, `line ${line}, column ${column}: ${message}\n  ${shown}\n  ${caret}`, line, column);
}
