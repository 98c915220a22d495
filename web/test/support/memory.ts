// A store of texts in memory, which tabs of a test share.
import type { Draft, NotebookText, Outcome, TextStore } from "../../src/state/notebook/records";

export class MemoryStore implements TextStore {
  readonly texts = new Map<string, NotebookText>();
  writes = 0;
  /** What a refusal throws; null where the store takes everything. */
  refuses: unknown = null;

  async read(id: string): Promise<NotebookText | null> {
    return this.texts.get(id) ?? null;
  }

  async write(id: string, draft: Draft | null, seen: string | null, next: string): Promise<Outcome> {
    await Promise.resolve();
    this.writes++;
    if (this.refuses !== null) throw this.refuses;
    const held = this.texts.get(id) ?? null;
    if ((held?.revision ?? null) !== seen) return { type: "other", held };
    if (draft === null) this.texts.delete(id);
    else this.texts.set(id, { id, text: draft.text, original: draft.original, base: draft.base, revision: next });
    return { type: "kept" };
  }
}
