// Checks of values that cells take apart by patterns (`state/code/patterns.ts`): names asked of an
// array, a promise or a tensor that lacks them would be undefined without a word.

import * as weft from "weft-gpu";
import { ValueError } from "weft-gpu";

/** The value, which a pattern takes apart: by position, or by names. `written` is how the cell
 * makes it, or empty. */
export function apart(value: unknown, byPosition: boolean, written: string, names: readonly string[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  return byPosition ? byPlaces(value, written, names) : byNames(value, written, names);
}

const listed = (names: readonly string[]) => names.slice(0, 6).join(", ");
const refusal = (pattern: string, written: string, said: string) => new ValueError(pattern, `${written || "this"} is ${said}`);

function byNames(value: object, written: string, names: readonly string[]): object {
  const missing = names.find((name) => !(name in value));
  if (missing === undefined) return value;
  const pattern = `const { ${listed(names)} }`;
  if (value instanceof Promise) throw refusal(pattern, written, `a promise, which is awaited first: write ${pattern} = await ${written || "…"}`);
  const what = value instanceof weft.Tensor ? "a tensor" : Array.isArray(value) || ArrayBuffer.isView(value) ? "an array" : null;
  if (what === null) return value;
  // What the library says of a name comes first.
  Reflect.get(value, missing);
  throw refusal(pattern, written, `${what}, which has no ${missing}: its parts go by position, as in const [${listed(names)}] = ${written || "…"}`);
}

/** Names of positions, which PyTorch gives beside the values. */
const POSITIONS = /^(i|ind|idx|ids|index|indices|indexes|order|arg\w*|positions)$/i;

function byPlaces(value: object, written: string, names: readonly string[]): object {
  if (value instanceof weft.Tensor) {
    const operation = /(?:^|\.)(max|min|sort)\(…\)$/.exec(written)?.[1];
    if (operation === undefined || names.length !== 2 || !POSITIONS.test(names[1]!)) return value;
    throw new ValueError(operation, `gives the values alone: positions are ${written.replace(/\w+\(…\)$/, `arg${operation}(…)`)}`);
  }
  if (Symbol.iterator in value) return value;
  const pattern = `const [${listed(names)}]`;
  if (value instanceof Promise) throw refusal(pattern, written, `a promise, which is awaited first: write ${pattern} = await ${written || "…"}`);
  const parts = Object.keys(value);
  if (parts.length === 0 || parts.length > 12) return value;
  throw refusal(pattern, written, `an object, whose parts have names: write const { ${parts.join(", ")} } = ${written || "…"}`);
}
