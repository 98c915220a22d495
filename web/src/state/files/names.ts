// Names of a notebook's own files. A name comes with the file, and ends up in a cell's
// text, in the notebook and on the page, so it is reduced to what is safe in all of them.

/** Characters of a name. */
export const LONGEST = 80;
const EXTENSION = 16;

/**
 * A name without folders, control characters, directional controls and what file systems or
 * Markdown give a meaning. The result is not empty and has no slash, so it is never the path of a
 * file of the site.
 */
export function cleanName(given: string): string {
  const base = given.slice(-4_000).normalize("NFC").split(/[/\\]/).pop() ?? "";
  const plain = base
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    // Marks without end grow over the lines above and below.
    .replace(/(\p{M}{2})\p{M}+/gu, "$1")
    .replace(/[<>:"|?*%#`]/g, "-")
    .replace(/\s+/g, " ")
    .replace(/^[. ]+|[. ]+$/g, "");
  if (plain === "") return "file";
  const letters = [...plain];
  if (letters.length <= LONGEST) return plain;
  const dot = letters.lastIndexOf(".");
  const extension = dot > 0 && letters.length - dot <= EXTENSION ? letters.slice(dot) : [];
  return letters.slice(0, LONGEST - extension.length).join("").trimEnd() + extension.join("");
}

/** The last extension, in small letters, past `.gz`: "csv", "idx3-ubyte"; "" where there is
 * none. */
export function extensionOf(name: string): string {
  const plain = name.toLowerCase().replace(/\.gz$/, "");
  const dot = plain.lastIndexOf(".");
  return dot > 0 ? plain.slice(dot + 1) : "";
}

const RESERVED = new Set(
  "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield globalThis self".split(" "),
);

/** A variable for what a file holds: `train-images.csv` becomes `trainImages`, with a number where
 * that is `taken`. */
export function variableFor(name: string, taken: ReadonlySet<string>): string {
  const stem = name.replace(/\.gz$/i, "").replace(/\.[^.]*$/, "");
  const words = stem.normalize("NFKD").match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words
    .map((word, at) => (at === 0 ? word.replace(/^[A-Z]+(?=[A-Z][a-z]|[^a-zA-Z]|$)|^[A-Z]/, (head) => head.toLowerCase()) : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("")
    .slice(0, 32);
  const base = /^[a-z]/i.test(joined) ? joined : joined === "" ? "loaded" : `file${joined}`;
  const free = (candidate: string) => !RESERVED.has(candidate) && !taken.has(candidate);
  if (free(base)) return base;
  for (let number = 2; ; number++) if (free(`${base}${number}`)) return `${base}${number}`;
}

/** Names of files that a cell reads, as far as its text tells: those that it offers for download
 * are not among them. */
export const filesReadIn = (source: string): string[] => [...source.matchAll(/\b(?:file(?:\.\w+)?|audio)\(\s*["'`]([^"'`/:\n]{1,120})["'`]/g)].map(([, name]) => name!);
