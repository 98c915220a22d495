// Permission for a notebook's cells to use WebGPU themselves. The reader gives it to a notebook as
// it was opened: another notebook of the same name needs it anew. For a notebook from a link it
// holds for this visit only.

import type { KeyValueStore } from "../notebook/storage";
import type { Origin } from "../notebook/workspace";

const KEY = "weft:raw-gpu:";

export interface OpenNotebook {
  readonly origin: Origin;
  readonly key: string;
  /** Tells its text, without the reader's edits, from any other. */
  readonly source: string;
}

export class RawGpu {
  /** The one that was allowed during this visit. */
  private allowedNow = "";

  constructor(
    private readonly notebook: OpenNotebook,
    private readonly store: KeyValueStore | null,
  ) {}

  get allowed(): boolean {
    const { key, source } = this.notebook;
    return this.allowedNow === `${key} ${source}` || (this.isKept && this.stored() === source);
  }

  allow(allowed: boolean): void {
    const { key, source } = this.notebook;
    this.allowedNow = allowed ? `${key} ${source}` : "";
    try {
      if (!allowed) this.store?.removeItem(KEY + key);
      else if (this.isKept) this.store?.setItem(KEY + key, source);
    } catch {
      // Not remembered, but done.
    }
  }

  private get isKept(): boolean {
    return this.notebook.origin.kind !== "link";
  }

  private stored(): string | null {
    try {
      return this.store?.getItem(KEY + this.notebook.key) ?? null;
    } catch {
      return null;
    }
  }
}
