// Source texts of functions. A cell's functions are rewritten before they run; kernels read what
// the author wrote, which the page sends along with the cell.

import type { FunctionTexts } from "../../protocol/messages";

/** By the code that runs: a cell that runs again unchanged adds nothing. */
const known = new Map<string, FunctionTexts>();

export function noteTexts(code: string, texts: FunctionTexts): void {
  if (texts.functions.length > 0) known.set(code, texts);
}

/** The text of a function as its author wrote it. */
export function textOf(fn: (...args: never[]) => unknown): string {
  const text = Function.prototype.toString.call(fn);
  for (const [code, { source, functions }] of known) {
    const found = functions.find(({ code: [from, to] }) => to - from === text.length && code.startsWith(text, from));
    if (found) return source.slice(...found.source);
  }
  return text;
}
