// Pairs of texts that share 32 bits of FNV-1a, under which earlier versions of the page kept edits
// and outputs: anyone makes them in a moment, by hashing some hundred thousand variants of both.

/** FNV-1a of 32 bits over the units of a text. @param {string} text */
export function fnv(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16);
}

/** A variant of each that has the hash of the other.
 * @param {(n: number) => string} first
 * @param {(n: number) => string} second
 * @returns {[string, string]} */
export function collide(first, second) {
  const known = new Map(Array.from({ length: 150_000 }, (_, n) => [fnv(first(n)), n]));
  for (let n = 0; ; n++) {
    const other = known.get(fnv(second(n)));
    if (other !== undefined) return [first(other), second(n)];
  }
}
