// Estimate of the time to parse a cell. The parser looks through all enclosing scopes at every
// name, and through all names at every declaration, on the page's own thread. The cell's tokens,
// which are cheap to read, predict how often.

import { tokenizer, tokTypes } from "acorn";
import { LIMITS } from "../limits";

/** Shorter cells cost little whatever stands in them. */
const SHORT = 5_000;
/** Tokens, each as often as there are scopes round it. */
const SCOPED = 10_000_000;
const NAMES = 6_000;
const TOKENS = 150_000;

export interface TooMuch {
  readonly message: string;
  readonly at: number;
}

const OPENING = new Set([tokTypes.braceL, tokTypes.parenL, tokTypes.bracketL, tokTypes.dollarBraceL]);
const CLOSING = new Set([tokTypes.braceR, tokTypes.parenR, tokTypes.bracketR]);

/** Null where the parser may go ahead. */
export function effortOf(source: string): TooMuch | null {
  if (source.length <= SHORT) return null;
  if (source.length > LIMITS.codeCell)
    return { message: `a cell can have at most ${LIMITS.codeCell.toLocaleString("en")} characters; this one has ${source.length.toLocaleString("en")}`, at: 0 };
  const names = new Set<string>();
  /** For each open bracket, how many scopes without brackets (`for (…) for (…)`, `a => b =>`) were
   * open before it. */
  const open: number[] = [];
  let bare = 0;
  let bareBelow = 0;
  let scoped = 0;
  let tokens = 0;
  let at = 0;
  try {
    for (const token of tokenizer(source, { ecmaVersion: "latest", sourceType: "module", allowAwaitOutsideFunction: true })) {
      const { type } = token;
      at = token.start;
      if (OPENING.has(type)) {
        open.push(bare);
        bareBelow += bare;
        bare = 0;
      } else if (CLOSING.has(type)) {
        bare = open.pop() ?? 0;
        bareBelow -= bare;
        if (type === tokTypes.braceR) bare = 0;
      } else if (type === tokTypes.semi || type === tokTypes.comma) {
        bare = 0;
      } else if (type === tokTypes._for || type === tokTypes.arrow) {
        bare++;
      } else if (type === tokTypes.name) {
        names.add(source.slice(token.start, token.end));
      }
      if (++tokens > TOKENS) return { message: `this cell has more than ${TOKENS.toLocaleString("en")} tokens`, at };
      scoped += open.length + bareBelow + bare;
      if (scoped > SCOPED) return { message: "this cell is nested too deeply", at };
      if (names.size > NAMES) return { message: `this cell uses more than ${NAMES.toLocaleString("en")} names`, at };
    }
  } catch (error) {
    // What is no token ends the count; the parser says the same of it, or would have to read on
    // uncounted.
    const { message, pos } = error as SyntaxError & { pos?: number };
    return { message: message.replace(/ \(\d+:\d+\)$/, ""), at: pos ?? at };
  }
  return null;
}
