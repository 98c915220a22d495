// Places in source text that a syntax tree does not give: where the token between two nodes is, and
// which names a cell leaves free.

/** Where `token` begins, behind `from`: comments, spaces and closing parentheses are passed over.
 * The empty token is any other character. */
export function placeOf(source: string, from: number, token: string): number {
  for (let at = from; at < source.length; at++) {
    const comment = source[at] === "/" ? source[at + 1] : undefined;
    if (comment === "*") at = source.indexOf("*/", at + 2) + 1;
    else if (comment === "/") at = endOfLine(source, at);
    else if (token === "" ? !/\s/.test(source[at]!) : source.startsWith(token, at)) return at;
  }
  return source.length;
}

/** The first character at or behind `at` that is neither space nor comment. */
export const placeAfter = (source: string, at: number): number => placeOf(source, at, "");

/** A token with the spaces round it. */
export function spaced(source: string, from: number, to: number): [number, number] {
  while (source[from - 1] === " ") from--;
  while (source[to] === " ") to++;
  return [from, to];
}

function endOfLine(source: string, from: number): number {
  for (let at = from; at < source.length; at++) if (/[\n\r\u2028\u2029]/.test(source[at]!)) return at;
  return source.length;
}

/** A beginning that none of a cell's names followed by a digit has: `$`, or more of them. */
export function freeName(source: string): string {
  let longest = 0;
  let run = 0;
  for (let at = 0; at <= source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === 36) run++;
    else {
      if (code >= 48 && code <= 57) longest = Math.max(longest, run);
      run = 0;
    }
  }
  return "$".repeat(longest + 1);
}
