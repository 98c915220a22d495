// The reader's notebooks in this browser: which one an address asks for, and how files of the
// reader's and copies become notebooks of the reader's own.

import { fetchText } from "./host/fetch";
import { forgetUnwritten, keepUnwritten, takeEarlier } from "./host/earlier";
import { copyOf, newId, NotebookStore } from "./host/notebooks";
import { askToPersist, makeRoom } from "./host/room";
import { chooseNotebook } from "./state/notebook/gallery";
import type { GalleryEntry } from "./state/notebook/gallery";
import { fingerprint } from "./state/notebook/fingerprint";
import { decodeShare, hasOutputs, isShare } from "./state/notebook/share";
import type { SavedCell } from "./state/run/saved";
import type { Workspace } from "./state/notebook/workspace";

/** What a new notebook begins with. */
const NEW = "# Untitled\n\n```js\n```\n";

/** What reads other formats than Markdown is fetched when it is needed. */
const readFormats = async (text: string, name: string) => (await import("./state/formats/read")).readNotebookFile(text, name);

/** The page's own store, which makes room by itself. */
export const notebookStore: NotebookStore = new NotebookStore(() => makeRoom(notebookStore));

export class Library {
  /** Outputs that the notebook which is being opened brings along. */
  brought: readonly SavedCell[] = [];
  private asked = false;

  /** `keeps`: whether anything is kept, as it is not within another page. */
  constructor(
    readonly store: NotebookStore,
    private readonly workspace: Workspace,
    private readonly keeps = true,
  ) {
    if (!keeps) return;
    workspace.events.subscribe((event) => {
      if (event.type !== "saved" || !event.kept) return;
      forgetUnwritten(workspace.key);
      if (workspace.origin.kind !== "own") return;
      this.showAddress();
      if (!this.asked) void askToPersist();
      this.asked = true;
    });
    const leave = () => {
      keepUnwritten(workspace);
      void workspace.save();
    };
    addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", () => document.hidden && leave());
  }

  /** Opens what the address asks for. */
  async open(entries: readonly GalleryEntry[]): Promise<void> {
    const { workspace } = this;
    if (this.keeps) await takeEarlier(this.store);
    if (isShare(location.hash)) return this.openLink(await decodeShare(location.hash), hasOutputs(location.hash));
    const asked = new URLSearchParams(location.search);
    const from = asked.get("from");
    if (from !== null) return this.openSource(from);
    if (asked.has("new")) return this.begin(NEW);
    const [mine, file, wanted] = ["mine", "file", "notebook"].map((name) => asked.get(name));
    if (mine) return this.openOwn(mine);
    if (file) {
      const id = await this.ofFile(file);
      if (id === null) throw new Error(`This browser has no saved file “${file}”. Open it from the menu.`);
      return this.openOwn(id);
    }
    const entry = chooseNotebook(entries, location.search);
    if (!entry) throw new Error(wanted ? `There is no notebook “${wanted}” here.` : "This site has no notebooks.");
    const [text, held] = await Promise.all([fetchText(`notebooks/${entry.file}`), this.held(`gallery:${entry.file}`)]);
    workspace.open({ kind: "gallery", file: entry.file }, text, held);
  }

  /** A new notebook of the reader's own, which is kept from its first edit on. */
  begin(markdown: string): void {
    this.workspace.open({ kind: "own", id: newId(), file: null }, markdown, null);
  }

  /** A file of the reader's becomes a notebook of their own; the one that it was before, where
   * there is one. */
  async openFile(file: string, text: string): Promise<{ kept: boolean; note: string }> {
    const { markdown, shown, note } = await readFormats(text, file);
    return { kept: await this.bringing(shown, () => this.openMarkdown(file, markdown)), note };
  }

  private async openMarkdown(file: string, markdown: string): Promise<boolean> {
    const id = (await this.ofFile(file)) ?? newId();
    const held = await this.held(id);
    this.workspace.open({ kind: "own", id, file }, markdown, held);
    if (held) return this.workspace.save().then(() => (this.showAddress(), true));
    const { draft } = this.workspace.leaving;
    const kept = draft !== null && (await this.store.write(id, draft, null).then(({ type }) => type === "kept", () => false));
    if (kept) await this.workspace.look();
    this.showAddress();
    return kept;
  }

  /** Keeps a copy of what is shown as a notebook of the reader's own; its id. */
  async keepCopy(title = this.workspace.title): Promise<string> {
    const { workspace, store } = this;
    const copy = copyOf(title, workspace.markdown);
    await store.write(copy.id, copy, null);
    await store.copyFiles(workspace.key, copy.id);
    return copy.id;
  }

  private async openLink(text: string, withOutputs: boolean): Promise<void> {
    const { markdown, shown } = withOutputs ? await readFormats(text, "link.ipynb") : { markdown: text, shown: [] };
    const held = await this.held(`link:${fingerprint(markdown)}`);
    await this.bringing(shown, () => this.workspace.open({ kind: "link" }, markdown, held));
  }

  /** A notebook on the web, which is a stranger's like one that came with a link. */
  private async openSource(from: string): Promise<void> {
    const { fetchNotebook } = await import("./host/source");
    const { url, name, text } = await fetchNotebook(from, this.keeps);
    const { markdown, shown } = await readFormats(text, name);
    const id = `web:${fingerprint(url)}`;
    const held = await this.held(id);
    await this.bringing(shown, () => this.workspace.open({ kind: "link", id, from: url }, markdown, held));
  }

  /** What is opened shows these outputs until its cells run. */
  private async bringing<T>(shown: readonly (SavedCell | null)[], open: () => T): Promise<Awaited<T>> {
    this.brought = shown.filter((each) => each !== null);
    try {
      return await open();
    } finally {
      this.brought = [];
    }
  }

  private async openOwn(id: string): Promise<void> {
    const [entry, held] = await Promise.all([this.store.entry(id), this.store.read(id)]).catch(() => [null, null]);
    if (!entry || !held) throw new Error("This browser has no notebook with this address. It may be in another browser, or deleted for good.");
    if (entry.deleted !== null) throw new Error(`You deleted “${entry.title}”. “All my notebooks” can restore it.`);
    const { kind, file } = entry;
    if (kind === "gallery") return location.replace(`?notebook=${encodeURIComponent(file ?? "")}`);
    this.workspace.open(kind === "link" ? { kind, id } : { kind, id, file }, held.original ?? held.text, held);
  }

  /** Where nothing can be read there is nothing. */
  private held(id: string) {
    return !this.keeps ? Promise.resolve(null) : this.store.read(id).catch(() => null);
  }

  private async ofFile(file: string): Promise<string | null> {
    const entries = await this.store.list().catch(() => []);
    return entries.find((entry) => entry.kind === "own" && entry.file === file && entry.deleted === null)?.id ?? null;
  }

  /** What is shown is found again under its own address. */
  private showAddress(): void {
    const address = new URL(location.href);
    const { key } = this.workspace;
    if (address.searchParams.get("mine") === key && address.hash === "") return;
    address.hash = "";
    for (const name of ["notebook", "file", "new", "from"]) address.searchParams.delete(name);
    address.searchParams.set("mine", key);
    history.replaceState(null, "", address);
  }
}
