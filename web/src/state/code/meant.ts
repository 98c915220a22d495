// Spelling suggestions. Where an error names something that does not exist, this finds the nearest
// name that does: of the library, the notebook or the reader's own code, or among the members of
// the value before the dot.

import type { LibraryName } from "../../protocol/messages";

const LONGEST = 60;

/** The name that an error's message says is not defined, in the words of V8, Firefox or Safari. */
export function unboundName(message: string): string | null {
  const text = message.slice(0, 400);
  return /^([\w$]+) is not defined$/.exec(text)?.[1] ?? /^Can't find variable: ([\w$]+)$/.exec(text)?.[1] ?? null;
}

/** Members that are listed. */
const LISTED = 24;

/** What a value has, where the message names a member that it lacks; null where it has too much to
 * list. */
export function membersSaid(message: string, members: readonly string[]): string | null {
  const owner = /^([\w$]+)\./.exec(message.slice(0, 400))?.[1];
  return owner === undefined || members.length === 0 || members.length > LISTED ? null : `${owner} has ${members.join(", ")}.`;
}

/** The name that was meant by one that an error's message says does not exist; null where none is
 * near. `members` are those of the value that lacks one. */
export function nameMeant(message: string, names: readonly LibraryName[], declared: Iterable<string>, members?: readonly string[]): string | null {
  const text = message.slice(0, 400);
  const unbound = unboundName(text);
  if (unbound !== null) return within(unbound, names) ?? nearest(unbound, [...declared, ...names.map(({ label }) => label)]);
  const notExported = /exports no “([\w$]+)”$/.exec(text);
  if (notExported) return nearest(notExported[1]!, names.map(({ label }) => label));
  const member = /^(.*)\.([\w$]+) is not a (?:function|constructor)\b/s.exec(text);
  if (!member) return null;
  const [, owner = "", name = ""] = member;
  // A text, a list and an object have members of their own.
  if (/^["'`[{]/.test(owner)) return null;
  const namespace = names.find(({ label, kind }) => label === owner && kind === "namespace");
  const tensor = names.find(({ label }) => label === "Tensor");
  return nearest(name, members ?? namespace?.members ?? tensor?.members ?? []);
}

/** A member of a namespace, where the name alone was written: `nn.Linear` for `Linear`. */
function within(name: string, names: readonly LibraryName[]): string | null {
  // What differs in capitals alone is meant before a member of another name.
  if (name.length < 3 || names.some(({ label }) => label.toLowerCase() === name.toLowerCase())) return null;
  for (const { label, kind, members } of names) {
    const member = kind === "namespace" && label !== "weft" ? members.find((each) => each.toLowerCase() === name.toLowerCase()) : undefined;
    if (member !== undefined) return `${label}.${member}`;
  }
  return null;
}

function nearest(name: string, candidates: Iterable<string>): string | null {
  if (name.length > LONGEST || name.length < 2) return null;
  // Of a short name one letter may be wrong, of a longer one two.
  let best = name.length < 7 ? 1.5 : 2.5;
  let found: string | null = null;
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) > 2 || !begins(name, candidate)) continue;
    const away = candidate.toLowerCase() === name.toLowerCase() ? 0.5 : distance(name, candidate);
    if (away < best) [best, found] = [away, candidate];
  }
  return found;
}

/** Whether two names begin alike, or with their first letters swapped: the first letter is seldom
 * wrong. Of three letters none may be another. */
function begins(name: string, candidate: string): boolean {
  const [a, b] = [name.toLowerCase(), candidate.toLowerCase()];
  if (name.length < 4 && a.length === b.length && [...a].sort().join() !== [...b].sort().join()) return false;
  return a[0] === b[0] || (a[0] === b[1] && a[1] === b[0]);
}

/** Letters to insert, remove, exchange or swap with their neighbour (Damerau and Levenshtein's
 * restricted distance). */
function distance(a: string, b: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(change, row[j]! + 1, next[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) next[j] = Math.min(next[j]!, before[j - 2]! + 1);
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
