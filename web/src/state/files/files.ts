// A notebook's own files: what the reader brought, by name. Each is kept in this browser up to a
// limit. Of one that is larger, or that the browser had no room for, the name is kept, and the
// reader can hand it over again.

import type { FileReply } from "../../protocol/messages";
import { Emitter } from "../emitter";
import { HEAD, kindOf } from "./kinds";
import type { FileKind } from "./kinds";
import { cleanName } from "./names";

export const FILE_LIMITS = {
  /** Bytes of a file that is kept, and of all files of a notebook together. */
  keptEach: 64_000_000,
  keptTogether: 256_000_000,
  /** Bytes of a file that a cell can read: it is in memory as a whole. */
  read: 1_000_000_000,
  files: 200,
} as const;

/** A file of the reader's. */
export interface NotebookFile {
  readonly name: string;
  readonly kind: FileKind;
  readonly size: number;
  /** Whether it is there on the next visit. */
  readonly kept: boolean;
  /** What it holds; null where that was not kept: the reader is asked for it again. */
  readonly content: Blob | null;
}

/** Where files are kept, by notebook and name. Every call may fail. */
export interface FileStore {
  list(notebook: string): Promise<NotebookFile[]>;
  /** Keeps a file, or, where its content is null, that there is one. */
  put(notebook: string, file: NotebookFile): Promise<void>;
  remove(notebook: string, name: string): Promise<void>;
}

export interface Brought {
  readonly file: NotebookFile;
  /** Whether there was one of this name. */
  readonly replaced: boolean;
}

export const sizeText = (bytes: number): string =>
  bytes < 1_000 ? `${bytes} ${bytes === 1 ? "byte" : "bytes"}` : bytes < 1e6 ? `${Math.round(bytes / 1e3)} KB` : bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

export class TooMany extends Error {}

export class NotebookFiles {
  /** What there is has changed. */
  readonly events = new Emitter<void>();
  private readonly known = new Map<string, NotebookFile>();
  private notebook = "";
  private loaded: Promise<void> = Promise.resolve();
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly store: FileStore) {}

  /** By name. */
  get list(): readonly NotebookFile[] {
    return [...this.known.values()].sort((a, b) => a.name.localeCompare(b.name));
  }

  find(name: string): NotebookFile | undefined {
    return this.known.get(name);
  }

  /** From now on these are the files of another notebook. */
  open(notebook: string): Promise<void> {
    this.notebook = notebook;
    this.known.clear();
    this.loaded = this.load();
    return this.loaded;
  }

  /** What the store holds and this tab does not know, as another tab put it there. */
  private async load(): Promise<void> {
    const { notebook } = this;
    const kept = await this.store.list(notebook).catch(() => []);
    if (this.notebook !== notebook) return;
    for (const file of kept) if (!this.known.has(file.name)) this.known.set(file.name, file);
    this.events.emit();
  }

  /** Makes a file of the reader's one of the notebook's, in the place of one of its name. Throws
   * `TooMany`. */
  bring(given: File): Promise<Brought> {
    return this.inTurn(async () => {
      const name = cleanName(given.name);
      const replaced = this.known.has(name);
      if (!replaced && this.known.size >= FILE_LIMITS.files) throw new TooMany(`A notebook has at most ${FILE_LIMITS.files} files. Remove some in the Files panel.`);
      const { notebook } = this;
      const { size } = given;
      const fits = this.hasRoom({ name, size });
      const kind = kindOf(name, new Uint8Array(await given.slice(0, HEAD).arrayBuffer()));
      // What a disk holds may change: what is kept is what it held. A larger one stays where it is.
      const content = fits ? new Blob([await given.arrayBuffer()], { type: given.type }) : given;
      return { file: await this.put(notebook, { name, kind, size, kept: fits, content }), replaced };
    });
  }

  /** One after the other: each takes room from those behind it. */
  private inTurn<T>(then: () => Promise<T>): Promise<T> {
    const done = Promise.all([this.loaded, this.turn]).then(then);
    this.turn = done.catch(() => undefined);
    return done;
  }

  private hasRoom({ name, size }: Pick<NotebookFile, "name" | "size">): boolean {
    const others = this.list.reduce((sum, other) => sum + (other.kept && other.name !== name ? other.size : 0), 0);
    return size <= FILE_LIMITS.keptEach && others + size <= FILE_LIMITS.keptTogether;
  }

  /** Keeps a file, or, where it is not to be kept or cannot be, that there is one. */
  private async put(notebook: string, file: NotebookFile): Promise<NotebookFile> {
    const kept = file.kept && (await this.keep(notebook, file));
    if (!kept) await this.keep(notebook, { ...file, kept: false, content: null });
    const there = { ...file, kept };
    if (this.notebook === notebook) {
      this.known.set(file.name, there);
      this.events.emit();
    }
    return there;
  }

  private keep(notebook: string, file: NotebookFile): Promise<boolean> {
    return this.store.put(notebook, file).then(() => true, () => false);
  }

  remove(name: string): NotebookFile | null {
    const file = this.known.get(name);
    if (!file) return null;
    this.known.delete(name);
    void this.store.remove(this.notebook, name).catch(() => undefined);
    this.events.emit();
    return file;
  }

  /** Takes back a removal. */
  async restore(file: NotebookFile): Promise<void> {
    await this.inTurn(() => this.put(this.notebook, { ...file, kept: file.kept && this.hasRoom(file) }));
  }

  /** What a cell asks for by this name; null where the notebook has no such file. */
  async read(name: string): Promise<FileReply | null> {
    await this.loaded;
    if (!this.known.has(name)) await this.load();
    const file = this.known.get(name);
    if (!file) return null;
    const failed = (why: string): FileReply => ({ ok: false, failure: "failed", message: `file(${JSON.stringify(name)}): ${why}` });
    if (!file.content) return failed(`it is too large to keep between visits (${sizeText(file.size)}). Drop it on the page again`);
    if (file.size > FILE_LIMITS.read) return failed(`it is ${sizeText(file.size)} large; a cell can read files of up to ${sizeText(FILE_LIMITS.read)}`);
    try {
      return { ok: true, bytes: new Uint8Array(await file.content.arrayBuffer()) };
    } catch {
      return failed("it was changed, moved or deleted on your disk. Drop it on the page again");
    }
  }
}
