// Slices of Python, `x[1:3, ::2]`, and how they are written here.

/** Characters around a place that are looked at, and those of a text that a message repeats. */
const NEAR = 200;
const SHORT = 80;

const OPENING = "([{";
const CLOSING = ")]}";
const CHANGES: Readonly<Record<string, string>> = { "": "set", "+": "add", "-": "sub", "*": "mul", "/": "div" };

/** What to write in the place of an index with `:`, `...` or `None` around a position; undefined
 * where there is none. */
export function saidOfSlice(source: string, pos: number): string | undefined {
  const open = openingBefore(source, pos);
  if (open === null) return undefined;
  const owner = ownerBefore(source, open);
  const close = closingAfter(source, open);
  if (owner === "" || close === null) return undefined;
  const inside = source.slice(open + 1, close);
  if (/[?;{}]/.test(inside)) return undefined;
  const parts = split(inside, ",").filter((part, i, all) => part !== "" || i < all.length - 1);
  const places = parts.map(placeOf);
  if (parts.length === 0 || places.every((place, i) => place === parts[i])) return undefined;
  const at = `.at(${places.join(", ")})`;
  const name = owner.length + at.length <= SHORT ? owner : "x";
  const [, operator, value = ""] = /^\s*([-+*/]?)=(?!=)\s*([^\n;]*)/.exec(source.slice(close + 1, close + NEAR)) ?? [];
  if (operator !== undefined) return `JavaScript has no slices, and tensors do not change: write ${name} = ${name}${at}.${CHANGES[operator]}(${value.length <= SHORT ? value.trim() : "values"})`;
  const list = places.length === 1 && /^(?:[\w$.]+|\[.*\])$/s.test(owner) ? sliceOfList(parts[0]!) : null;
  const said = `JavaScript has no slices with “${parts.some((part) => ranged(part)) ? ":" : "..."}”: write`;
  if (owner.startsWith("[") && list !== null) return `${said} ${name}.slice(${list})`;
  return `${said} ${name}${at}.get()${list === null ? "" : `; a list has ${name}.slice(${list})`}`;
}

/** The bracket that is open at a position. */
function openingBefore(source: string, pos: number): number | null {
  let depth = 0;
  for (let at = pos - 1; at >= Math.max(0, pos - NEAR); at--) {
    const character = source[at]!;
    if (CLOSING.includes(character)) depth++;
    else if (OPENING.includes(character) && depth-- === 0) return character === "[" ? at : null;
  }
  return null;
}

function closingAfter(source: string, open: number): number | null {
  let depth = 0;
  for (let at = open; at < Math.min(source.length, open + NEAR); at++) {
    if (OPENING.includes(source[at]!)) depth++;
    else if (CLOSING.includes(source[at]!) && --depth === 0) return at;
  }
  return null;
}

/** What an index is of: names, calls and indices joined by dots; "" where nothing is in front. */
function ownerBefore(source: string, open: number): string {
  let depth = 0;
  let at = open - 1;
  for (; at >= Math.max(0, open - NEAR); at--) {
    const character = source[at]!;
    if (CLOSING.includes(character)) depth++;
    else if (OPENING.includes(character)) {
      if (depth-- === 0) break;
    } else if (depth === 0 && !/[\w$.]/.test(character)) break;
  }
  return source.slice(at + 1, open);
}

/** The parts between separators that are in no brackets. */
function split(text: string, separator: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const character of text) {
    if (OPENING.includes(character)) depth++;
    else if (CLOSING.includes(character)) depth--;
    if (character === separator && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}

const ranged = (part: string) => split(part, ":").length > 1;
const isNumber = (bound: string) => /^-?\d*$/.test(bound);

/** One axis of an index, as `at` takes it. */
function placeOf(part: string): string {
  if (part === "..." || part === "Ellipsis") return '"..."';
  if (/^(?:None|(?:np|numpy|jnp|tf)\.newaxis)$/.test(part)) return "null";
  if (!ranged(part)) return part;
  const bounds = split(part, ":");
  return bounds.every(isNumber) ? JSON.stringify(bounds.join(":")) : `\`${bounds.map((bound) => (isNumber(bound) ? bound : `\${${bound}}`)).join(":")}\``;
}

/** What `slice` of a list takes for a range without a step. */
function sliceOfList(part: string): string | null {
  const [from = "", to = "", step = ""] = split(part, ":");
  if (!ranged(part) || step !== "") return null;
  return to === "" ? from : `${from || "0"}, ${to}`;
}
