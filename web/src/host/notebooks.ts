// Store of the reader's notebooks in the page's database. A text is written only where the store
// still holds what its tab has seen, in one transaction, so no tab overwrites another's.

import { Emitter } from "../state/emitter";
import { fingerprint } from "../state/notebook/fingerprint";
import { parseNotebook, retitle, serializeNotebook, titleOf } from "../state/notebook/notebook";
import { DELETED_FOR, readEntries, readTexts, unique } from "../state/notebook/records";
import type { Draft, NotebookEntry, NotebookText, Outcome, TextStore } from "../state/notebook/records";
import { answer, isFull, ofNotebook, transact } from "./database";

/** Tells local storage, which answers before the first paint, that a notebook of the gallery has
 * edits. */
const EDITED = "weft:edited:";

/** The id of a notebook that is not yet kept. */
export const newId = (): string => `own:${unique().replace(/-/g, "").slice(0, 16)}`;

function hint(id: string, edited: boolean): void {
  try {
    if (edited) localStorage.setItem(EDITED + id, "1");
    else localStorage.removeItem(EDITED + id);
  } catch {
    // The page flickers once.
  }
}

export class NotebookStore implements TextStore {
  /** Ids of notebooks that this tab has changed in the store. */
  readonly events = new Emitter<string>();

  /** Makes room where the store is full, from what is least missed; false where there is none to
   * make. */
  constructor(private readonly makeRoom: () => Promise<boolean>) {}

  /** All that there are, those changed last first, and those that were deleted among them. */
  async list(): Promise<NotebookEntry[]> {
    const rows = await transact(["notebooks"], "readonly", (of) => answer(of("notebooks").getAll()));
    return readEntries(rows).sort((a, b) => b.changed - a.changed);
  }

  async read(id: string): Promise<NotebookText | null> {
    return readTexts([await transact(["texts"], "readonly", (of) => answer(of("texts").get(id)))])[0] ?? null;
  }

  async entry(id: string): Promise<NotebookEntry | null> {
    return readEntries([await transact(["notebooks"], "readonly", (of) => answer(of("notebooks").get(id)))])[0] ?? null;
  }

  /** The texts of all, for searching. */
  async texts(): Promise<NotebookText[]> {
    return readTexts(await transact(["texts"], "readonly", (of) => answer(of("texts").getAll())));
  }

  async write(id: string, draft: Draft | null, seen: string | null, next: string = unique()): Promise<Outcome> {
    const outcome = await this.withRoom(() =>
      transact(["notebooks", "texts"], "readwrite", async (of): Promise<Outcome> => {
        const held = readTexts([await answer(of("texts").get(id))])[0] ?? null;
        if ((held?.revision ?? null) !== seen) return { type: "other", held };
        if (draft === null) {
          for (const table of ["notebooks", "texts"] as const) of(table).delete(id);
          return { type: "kept" };
        }
        const before = readEntries([await answer(of("notebooks").get(id))])[0];
        put(of, draft, before, next);
        return { type: "kept" };
      }),
    );
    if (outcome.type === "kept") {
      if (id.startsWith("gallery:")) hint(id, draft !== null);
      this.events.emit(id);
    }
    return outcome;
  }

  /** Keeps a notebook that is new, or the same as what is kept under its id; false where another
   * one is. */
  async create(draft: Draft): Promise<boolean> {
    const { id, text } = draft;
    const outcome = await this.write(id, draft, null);
    return outcome.type === "kept" || outcome.held?.text === text;
  }

  /** A copy, as a notebook of the reader's own, with its files; its id, or null where there is none
   * of this id. */
  async duplicate(id: string): Promise<string | null> {
    const copy = newId();
    const made = await this.withRoom(() =>
      transact(["notebooks", "texts", "files"], "readwrite", async (of) => {
        const held = readTexts([await answer(of("texts").get(id))])[0];
        const entry = readEntries([await answer(of("notebooks").get(id))])[0];
        if (!held || !entry) return false;
        const draft = copyOf(entry.title, held.text, copy);
        put(of, draft, { ...entry, ...draft, created: Date.now() });
        for (const row of await answer(of("files").getAll(ofNotebook(id)))) of("files").put({ ...(row as object), notebook: copy });
        return true;
      }),
    );
    if (made) this.events.emit(copy);
    return made ? copy : null;
  }

  /** The files of one notebook, also for another one. */
  async copyFiles(from: string, to: string): Promise<void> {
    await this.withRoom(() =>
      transact(["files"], "readwrite", async (of) => {
        for (const row of await answer(of("files").getAll(ofNotebook(from)))) of("files").put({ ...(row as object), notebook: to });
      }),
    );
  }

  /** Gives a notebook another title: a tab that shows it takes it in. */
  async rename(id: string, title: string): Promise<void> {
    await this.change(id, (entry, held, of) => {
      const cells = retitle(parseNotebook(held.text), title);
      put(of, { ...entry, title: titleOf(cells), text: serializeNotebook(cells), original: held.original, base: held.base }, entry);
    });
  }

  /** Gives a notebook another text. */
  async replaceText(id: string, text: string): Promise<void> {
    await this.change(id, (entry, held, of) => put(of, { ...entry, title: titleOf(parseNotebook(text)), text, original: held.original, base: held.base }, entry));
  }

  /** It can be restored for a while. */
  remove(id: string): Promise<void> {
    return this.change(id, (entry, _, of) => void of("notebooks").put({ ...entry, deleted: Date.now() } satisfies NotebookEntry));
  }

  restore(id: string): Promise<void> {
    return this.change(id, (entry, _, of) => void of("notebooks").put({ ...entry, deleted: null } satisfies NotebookEntry));
  }

  /** What it showed last. */
  keepPicture(id: string, picture: Uint8Array<ArrayBuffer>): Promise<void> {
    return this.change(id, (entry, _, of) => void of("notebooks").put({ ...entry, picture } satisfies NotebookEntry));
  }

  /** Removes notebooks that were deleted before a time, with all that belongs to them; how many
   * that were. */
  async purge(before = Date.now() - DELETED_FOR): Promise<number> {
    const isDue = ({ deleted }: NotebookEntry) => deleted !== null && deleted <= before;
    // Every visit asks, and most find nothing to write.
    if (!(await this.list()).some(isDue)) return 0;
    const gone = await transact(["notebooks", "texts", "versions", "files"], "readwrite", async (of) => {
      // Another tab may have restored one meanwhile.
      const due = readEntries(await answer(of("notebooks").getAll())).filter(isDue);
      for (const { id } of due) {
        for (const table of ["notebooks", "texts"] as const) of(table).delete(id);
        for (const table of ["versions", "files"] as const) of(table).delete(ofNotebook(id));
      }
      return due.length;
    });
    if (gone > 0) this.events.emit("");
    return gone;
  }

  private async change(id: string, work: (entry: NotebookEntry, held: NotebookText, of: Parameters<typeof put>[0]) => void): Promise<void> {
    await this.withRoom(() =>
      transact(["notebooks", "texts"], "readwrite", async (of) => {
        const entry = readEntries([await answer(of("notebooks").get(id))])[0];
        const held = readTexts([await answer(of("texts").get(id))])[0];
        if (entry && held) work(entry, held, of);
      }),
    );
    this.events.emit(id);
  }

  private async withRoom<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isFull(error) || !(await this.makeRoom())) throw error;
      return work();
    }
  }
}

/** Puts both rows. */
function put(of: (table: "notebooks" | "texts") => IDBObjectStore, { id, kind, file, title, text, original, base }: Draft, before: NotebookEntry | undefined, revision = unique()): void {
  const now = Date.now();
  of("texts").put({ id, text, original, base, revision } satisfies NotebookText);
  of("notebooks").put({ id, kind, file, title: title.slice(0, 1_000), created: before?.created ?? now, changed: now, deleted: null, size: text.length, picture: before?.picture ?? null } satisfies NotebookEntry);
}

/** A notebook of the reader's own with another one's text, under a title that says so. */
export function copyOf(title: string, text: string, id = newId()): Draft {
  const cells = retitle(parseNotebook(text), `${title} (copy)`);
  const copied = serializeNotebook(cells);
  return { id, kind: "own", file: null, title: titleOf(cells), text: copied, original: copied, base: fingerprint(copied) };
}
