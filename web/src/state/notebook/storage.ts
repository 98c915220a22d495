// Storage of edits in the reader's own browser: one entry for each notebook, with its whole
// Markdown text. Storage can be full or forbidden, so every access can fail, and a failure loses
// nothing else.

export interface KeyValueStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const TEXT = "weft:notebook:";
const BASE = "weft:base:";
const FILE = "weft:file:";
const OUTPUTS = "weft:outputs:";
const HOSTS = "weft:hosts:";
const RECENT = "weft:outputs";
/** Notebooks whose outputs are kept: those last run. */
const KEPT = 6;

export class EditStore {
  constructor(private readonly store: KeyValueStore | null) {}

  read(notebook: string): string | null {
    return this.get(TEXT + notebook);
  }

  /** What the edits were made of, as it was told to `write`; null where that is not known. */
  readBase(notebook: string): string | null {
    return this.get(BASE + notebook);
  }

  /** False where the browser would not keep it. */
  write(notebook: string, markdown: string, base: string): boolean {
    return this.set(TEXT + notebook, markdown) && this.set(BASE + notebook, base);
  }

  forget(notebook: string): void {
    this.remove(TEXT + notebook);
    this.remove(BASE + notebook);
  }

  /** A file of the reader's as it was opened: a page cannot read it again by itself. */
  readFile(name: string): string | null {
    return this.get(FILE + name);
  }

  /** False where the browser would not keep it. */
  writeFile(name: string, markdown: string): boolean {
    return this.set(FILE + name, markdown);
  }

  forgetFile(name: string): void {
    this.remove(FILE + name);
  }

  /** Whether the reader may have allowed it hosts (`state/grants/hosts.ts`). */
  hasGrants(notebook: string): boolean {
    return this.get(HOSTS + notebook) !== null;
  }

  /** What the notebook showed, as `writeOutputs` was told. */
  readOutputs(notebook: string): string | null {
    return this.get(OUTPUTS + notebook);
  }

  /** Keeps what a notebook showed; "" forgets it. Of no more than a few notebooks, and only where there is room. */
  writeOutputs(notebook: string, outputs: string): void {
    const others = this.recent().filter((each) => each !== notebook);
    for (const old of others.splice(0, Math.max(0, others.length - KEPT + 1))) this.remove(OUTPUTS + old);
    const kept = outputs !== "" && this.put(OUTPUTS + notebook, outputs);
    if (!kept) this.remove(OUTPUTS + notebook);
    this.put(RECENT, JSON.stringify(kept ? [...others, notebook] : others));
  }

  private recent(): string[] {
    try {
      const value: unknown = JSON.parse(this.get(RECENT) ?? "[]");
      return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
    } catch {
      return [];
    }
  }

  private get(key: string): string | null {
    try {
      return this.store?.getItem(key) ?? null;
    } catch {
      return null;
    }
  }

  /** What was written goes before what can be computed again. */
  private set(key: string, value: string): boolean {
    if (this.put(key, value)) return true;
    for (const notebook of this.recent()) this.remove(OUTPUTS + notebook);
    this.remove(RECENT);
    return this.put(key, value);
  }

  private put(key: string, value: string): boolean {
    try {
      this.store?.setItem(key, value);
      return this.store !== null;
    } catch {
      return false;
    }
  }

  private remove(key: string): void {
    try {
      this.store?.removeItem(key);
    } catch {
      // Nothing was kept, so there is nothing to forget.
    }
  }
}

/** The browser's store, or null where reading the property itself throws (cookies blocked, sandboxed). */
export function browserStore(): KeyValueStore | null {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}
