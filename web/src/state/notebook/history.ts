// History of a notebook: which versions are kept, and how two texts differ.

import { align } from "./diff";

/** Versions of a notebook, and characters of them all. */
export const KEPT = { versions: 120, characters: 4_000_000 } as const;
/** The newest, which are kept whatever their times. */
const NEWEST = 30;

export interface Stamp {
  /** When it was kept, in milliseconds. */
  readonly at: number;
  readonly size: number;
}

/**
 * Which versions go, oldest first, so that the rest is within the bounds. Those go first that are
 * near their neighbours for their age, so that what stays is dense lately and sparse long ago.
 */
export function thin(stamps: readonly Stamp[], now: number): number[] {
  const left = [...stamps].sort((a, b) => a.at - b.at);
  const gone: number[] = [];
  let characters = left.reduce((sum, { size }) => sum + size, 0);
  while (left.length > 1 && (left.length > KEPT.versions || characters > KEPT.characters)) {
    // Where the newest alone are too large, the oldest of them goes.
    let [worst, least] = [0, Infinity];
    for (let i = 1; i < left.length - NEWEST; i++) {
      const gap = (left[i + 1]!.at - left[i - 1]!.at) / Math.max(1, now - left[i]!.at);
      if (gap < least) [worst, least] = [i, gap];
    }
    const [old] = left.splice(worst, 1);
    characters -= old!.size;
    gone.push(old!.at);
  }
  return gone.sort((a, b) => a - b);
}

/** A line of a difference: of both texts, of the first or of the second alone, or how many of both
 * are left out. */
export type DiffLine = { kind: "same" | "gone" | "new"; text: string } | { kind: "gap"; lines: number };

/** Lines of both that are shown around a change. */
const AROUND = 2;

export function differenceOf(before: string, after: string): { lines: DiffLine[]; gone: number; added: number } {
  const [a, b] = [before.trimEnd().split("\n"), after.trimEnd().split("\n")];
  const all: Exclude<DiffLine, { kind: "gap" }>[] = [];
  let [i, j] = [0, 0];
  for (const [x, y] of [...align(a, b), [a.length, b.length] as const]) {
    while (i < x) all.push({ kind: "gone", text: a[i++]! });
    while (j < y) all.push({ kind: "new", text: b[j++]! });
    if (x < a.length) all.push({ kind: "same", text: a[x]! });
    [i, j] = [x + 1, y + 1];
  }
  const near = new Uint8Array(all.length);
  all.forEach(({ kind }, at) => kind !== "same" && near.fill(1, Math.max(0, at - AROUND), at + AROUND + 1));
  const lines: DiffLine[] = [];
  all.forEach((line, at) => {
    const last = lines.at(-1);
    if (near[at]) lines.push(line);
    else if (last?.kind === "gap") lines[lines.length - 1] = { kind: "gap", lines: last.lines + 1 };
    else lines.push({ kind: "gap", lines: 1 });
  });
  const count = (kind: string) => all.filter((line) => line.kind === kind).length;
  return { lines, gone: count("gone"), added: count("new") };
}
