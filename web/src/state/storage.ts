// Where do edits live between visits? In the reader's own browser, one entry for each notebook, holding the whole
// Markdown text. Storage can be full or forbidden, so every access can fail, and failing loses nothing else.

export interface KeyValueStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const TEXT = "weft:notebook:";
const BASE = "weft:base:";
const FILE = "weft:file:";

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

  private get(key: string): string | null {
    try {
      return this.store?.getItem(key) ?? null;
    } catch {
      return null;
    }
  }

  private set(key: string, value: string): boolean {
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
