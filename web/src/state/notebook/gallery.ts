// The gallery of notebooks: the checked content of `notebooks/index.json`, and the notebook that an
// address asks for.

import { array, object, optional, text } from "../../protocol/schema";
import type { Infer } from "../../protocol/schema";

/** `picture` is where on the site the picture of its card is. Entries of a section follow one
 * another. */
const entry = object({ file: text(200), section: optional(text(200)), title: text(1_000), summary: text(10_000), picture: optional(text(200)) });
export type GalleryEntry = Infer<typeof entry>;
const gallery = array(entry, 1_000);

export function parseGallery(json: string): GalleryEntry[] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    value = null;
  }
  if (!gallery(value)) throw new TypeError("notebooks/index.json is not a list of notebooks");
  return value.filter(({ file }) => /^[\w][\w.-]*\.md$/.test(file));
}

/** The notebook that `?notebook=mnist` or `?notebook=mnist.md` names; the first where none is
 * named; else null. */
export function chooseNotebook(entries: readonly GalleryEntry[], query: string): GalleryEntry | null {
  const wanted = new URLSearchParams(query).get("notebook");
  if (wanted === null || wanted === "") return entries[0] ?? null;
  const name = wanted.split("/").at(-1)!;
  return entries.find(({ file }) => file === name || file === `${name}.md`) ?? null;
}
