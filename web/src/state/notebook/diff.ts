// Longest common subsequence of two lists of texts, by Myers' greedy algorithm ("An O(ND)
// Difference Algorithm", 1986).

/** Beyond so many insertions and deletions the lists are taken to have nothing more in common. */
const MOST = 1_000;

/** Pairs of positions, ascending, at which both lists have the same text. */
export function align(a: readonly string[], b: readonly string[]): [number, number][] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) [endA, endB] = [endA - 1, endB - 1];
  const head = Array.from({ length: start }, (_, i): [number, number] => [i, i]);
  const tail = Array.from({ length: a.length - endA }, (_, i): [number, number] => [endA + i, endB + i]);
  const middle = walk(a.slice(start, endA), b.slice(start, endB)).map(([i, j]): [number, number] => [i + start, j + start]);
  return [...head, ...middle, ...tail];
}

/** `reached[k]` is how far in `a` the path on diagonal k comes with so many edits; k is the
 * position in `a` less that in `b`. */
function walk(a: readonly string[], b: readonly string[]): [number, number][] {
  const steps: Int32Array[] = [];
  const most = Math.min(a.length + b.length, MOST);
  let reached: Int32Array = new Int32Array(2 * most + 3);
  const at = (k: number) => k + most + 1;
  for (let edits = 0; edits <= most; edits++) {
    steps.push(reached.slice(at(-edits - 1), at(edits + 1) + 1));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && reached[at(k - 1)]! < reached[at(k + 1)]!);
      let i = down ? reached[at(k + 1)]! : reached[at(k - 1)]! + 1;
      while (i < a.length && i - k < b.length && a[i] === b[i - k]) i++;
      reached[at(k)] = i;
      if (i >= a.length && i - k >= b.length) return backtrack(steps, a.length, b.length);
    }
  }
  return [];
}

function backtrack(steps: readonly Int32Array[], i: number, j: number): [number, number][] {
  const pairs: [number, number][] = [];
  for (let edits = steps.length - 1; edits >= 0; edits--) {
    // What was reached with one edit less, on the diagonals from -edits - 1 on.
    const reached = (k: number) => steps[edits]![k + edits + 1]!;
    const k = i - j;
    const down = k === -edits || (k !== edits && reached(k - 1) < reached(k + 1));
    const from = edits === 0 ? 0 : down ? reached(k + 1) : reached(k - 1) + 1;
    while (i > from && j > from - k) pairs.push([--i, --j]);
    if (edits > 0) [i, j] = down ? [i, j - 1] : [i - 1, j];
  }
  return pairs.reverse();
}
