// Where do edits live between visits? In the reader's own browser, one entry for each notebook, holding the whole
// Markdown text. Storage can be full or forbidden, so every access can fail, and failing loses nothing else.

export interface KeyValueStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const PREFIX = "weft:notebook:";

export class EditStore {
  constructor(private readonly store: KeyValueStore | null) {}

  read(notebook: string): string | null {
    try {
      return this.store?.getItem(PREFIX + notebook) ?? null;
    } catch {
      return null;
    }
  }

  /** False where the browser would not keep it. */
  write(notebook: string, markdown: string): boolean {
    try {
      this.store?.setItem(PREFIX + notebook, markdown);
      return this.store !== null;
    } catch {
      return false;
    }
  }

  forget(notebook: string): void {
    try {
      this.store?.removeItem(PREFIX + notebook);
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
