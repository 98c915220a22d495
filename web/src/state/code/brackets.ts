// Brackets that are never closed, or closed by another kind: reported where they were opened, where
// a parser notices only much later.

import { tokenizer } from "acorn";

const CLOSES: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "${": "}" };

export interface BracketError {
  readonly message: string;
  /** Where the bracket stands that is to blame. */
  readonly at: number;
}

/** The first bracket that does not match, or the last that nothing closes; null where all match as
 * far as the text can be read. */
export function unmatchedBracket(source: string): BracketError | null {
  const open: { text: string; at: number }[] = [];
  try {
    for (const { type, start } of tokenizer(source, { ecmaVersion: "latest", sourceType: "module", allowAwaitOutsideFunction: true })) {
      const { label } = type;
      if (Object.hasOwn(CLOSES, label)) open.push({ text: label, at: start });
      else if (label === ")" || label === "]" || label === "}") {
        const last = open.pop();
        if (!last) return { message: `“${label}” closes nothing`, at: start };
        if (CLOSES[last.text] !== label) return { message: `“${last.text}” is closed by “${label}” on line ${lineOf(source, start)}`, at: last.at };
      }
    }
  } catch {
    // What is no token is the parser's to tell.
    return null;
  }
  const last = open.pop();
  return last ? { message: `“${last.text}” is never closed`, at: last.at } : null;
}

const lineOf = (source: string, at: number) => source.slice(0, at).split("\n").length;
