// Storage of outputs in the browser's local storage, which answers before the first paint. Storage
// can be full or forbidden, so every access can fail, and a failure loses nothing else.

export interface KeyValueStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const OUTPUTS = "weft:outputs:";
const RECENT = "weft:outputs";
/** Notebooks whose outputs are kept: those last run. */
const KEPT = 6;

export class OutputStore {
  constructor(private readonly store: KeyValueStore | null) {}

  /** What the notebook showed, as `write` got it. */
  read(notebook: string): string | null {
    return this.get(OUTPUTS + notebook);
  }

  /** Keeps what a notebook showed; "" forgets it. Of no more than a few notebooks, and only where
   * there is room. */
  write(notebook: string, outputs: string): void {
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

/** The browser's store, or null where reading the property itself throws (cookies blocked,
 * sandboxed). */
export function browserStore(): KeyValueStore | null {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}

/** Before the hosts that the reader allowed to a notebook (`state/grants/hosts.ts`). */
export const HOSTS = "weft:hosts:";

/** Whether the reader may have allowed a notebook hosts, for later visits too. */
export function hasHosts(notebook: string): boolean {
  try {
    return browserStore()?.getItem(HOSTS + notebook) != null;
  } catch {
    return false;
  }
}
