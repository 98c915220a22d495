// Records of the reader's notebooks, as the page's database holds them. What is read back is
// checked as if a stranger had written it: other pages of this origin may have.

import { integer, nullable, number, object, oneOf, text } from "../../protocol/schema";
import type { Infer, Schema } from "../../protocol/schema";
import { LIMITS } from "../limits";

/** Characters of an id, a title and a name. */
const NAME = 1_000;
/** Bytes of a picture. */
const PICTURE = 100_000;
const bytes: Schema<Uint8Array<ArrayBuffer>> = Object.assign(
  (value: unknown): value is Uint8Array<ArrayBuffer> => value instanceof Uint8Array && value.length <= PICTURE,
  { copy: (value: Uint8Array<ArrayBuffer>) => value },
);

/** What lists show of a notebook. Times are in milliseconds since 1970. */
const entry = object({
  id: text(NAME),
  /** `gallery`: the reader's edits of a notebook of the site; `link`: of one that came with a link;
   * `own`: the reader's own. */
  kind: oneOf("gallery", "link", "own"),
  /** The name of the file in the gallery, or of that on the reader's computer; null where there is
   * none. */
  file: nullable(text(NAME)),
  title: text(NAME),
  created: number,
  changed: number,
  /** When it was deleted: it can be restored until then plus `DELETED_FOR`. */
  deleted: nullable(number),
  /** Characters of its text. */
  size: integer(0, Number.MAX_SAFE_INTEGER),
  /** WebP of what it showed last. */
  picture: nullable(bytes),
});
export type NotebookEntry = Infer<typeof entry>;

const notebookText = object({
  id: text(NAME),
  text: text(LIMITS.text * 2),
  /** The text that it was made of, to which a reset returns; null where that is fetched, or not
   * known. */
  original: nullable(text(LIMITS.text)),
  /** The fingerprint of the text that the edits were made of. */
  base: text(NAME),
  /** Another one after each write: a tab that knows an older one has not seen what is held. */
  revision: text(NAME),
});
export type NotebookText = Infer<typeof notebookText>;

const version = object({
  notebook: text(NAME),
  at: number,
  /** What it was kept for: a run, a pause of typing, the text as it was found on opening, the text
   * before another took its place. */
  why: oneOf("run", "pause", "opened", "replaced"),
  text: text(LIMITS.text * 2),
});
export type Version = Infer<typeof version>;

/** Deleted notebooks can be restored for this long. */
export const DELETED_FOR = 30 * 24 * 3_600_000;

const readAll = <T>(schema: Schema<T>) => (rows: readonly unknown[]): T[] => rows.filter((row) => schema(row)).map((row) => schema.copy(row as T, () => undefined));
export const readEntries = readAll(entry);
export const readTexts = readAll(notebookText);
export const readVersions = readAll(version);

/** A text to be kept, with what lists show of it. */
export type Draft = Pick<NotebookEntry, "id" | "kind" | "file" | "title"> & Pick<NotebookText, "text" | "original" | "base">;

/** `other`: another tab wrote since; what it wrote, or null where it forgot the notebook. */
export type Outcome = { type: "kept" } | { type: "other"; held: NotebookText | null };

/** Where texts are kept. Every call may be refused. */
export interface TextStore {
  read(id: string): Promise<NotebookText | null>;
  /** Keeps a text as the revision `next`, or with null forgets it, where the store still holds the
   * revision that this tab has seen. */
  write(id: string, draft: Draft | null, seen: string | null, next: string): Promise<Outcome>;
}

/** Where nothing is kept. */
export const nowhere: TextStore = { read: () => Promise.resolve(null), write: () => Promise.reject(new Error("nothing is kept here")) };

/** A name that no other has. */
export const unique = (): string => globalThis.crypto?.randomUUID?.() ?? `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
