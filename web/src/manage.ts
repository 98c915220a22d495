// Commands on the reader's notebooks, from lists and menus: rename, duplicate, download, delete,
// restore. Dialogs are fetched when they are asked for.

import { fetchPicture, fetchText } from "./host/fetch";
import { versionsOf } from "./host/historian";
import type { Historian } from "./host/historian";
import { copyOf } from "./host/notebooks";
import { askToPersist, makeRoom, roomNow } from "./host/room";
import type { Library } from "./library";
import { fileNameOf, parseNotebook } from "./state/notebook/notebook";
import type { NotebookEntry } from "./state/notebook/records";
import type { Workspace } from "./state/notebook/workspace";
import { downloadText, saveBytes } from "./view/page/files";
import type { SidebarActions } from "./view/page/sidebar";
import type { Toast } from "./view/ui/menu";

/** In the session: the notebook that was deleted while it was shown. */
const DELETED = "weft:deleted";

const go = (id: string) => location.assign(`?mine=${encodeURIComponent(id)}`);

export class Manager implements SidebarActions {
  constructor(
    private readonly library: Library,
    private readonly workspace: Workspace,
    private readonly toast: Toast,
    private readonly historian: Historian,
  ) {}

  readonly fetchPicture = fetchPicture;
  readonly fetchText = fetchText;
  readonly list = () => this.library.store.list();
  readonly texts = () => this.library.store.texts();

  /** The notebook that is shown, as lists would show it. */
  private get shown(): Pick<NotebookEntry, "id" | "title"> {
    return { id: this.workspace.key, title: this.workspace.title };
  }

  readonly rename = (entry: Pick<NotebookEntry, "id" | "title"> = this.shown): Promise<void> =>
    this.tell(async () => {
      const { askForTitle } = await import("./view/page/rename");
      const title = await askForTitle(entry.title);
      if (title === null) return;
      if (entry.id !== this.workspace.key) return this.library.store.rename(entry.id, title);
      if (this.workspace.rename(title)) await this.workspace.save();
    });

  readonly duplicate = (entry: Pick<NotebookEntry, "id" | "title"> = this.shown): Promise<void> =>
    this.tell(async () => {
      const id = entry.id === this.workspace.key ? await this.library.keepCopy() : await this.library.store.duplicate(entry.id);
      if (id !== null) this.toast.show(`“${entry.title}” was duplicated.`, { label: "Open the copy", run: () => go(id) }, 12);
    });

  readonly download = ({ id, title, file }: NotebookEntry): Promise<void> =>
    this.tell(async () => {
      const held = await this.library.store.read(id);
      if (held) downloadText(file ?? fileNameOf(title), held.text, "text/markdown");
    });

  readonly remove = (entry: Pick<NotebookEntry, "id" | "title">): Promise<void> =>
    this.tell(async () => {
      await this.workspace.save();
      await this.library.store.remove(entry.id);
      if (entry.id !== this.workspace.key) return this.sayRemoved(entry);
      sessionStorage.setItem(DELETED, JSON.stringify({ id: entry.id, title: entry.title }));
      location.assign("./");
    });

  readonly restore = ({ id, title }: Pick<NotebookEntry, "id" | "title">): Promise<void> =>
    this.tell(async () => {
      await this.library.store.restore(id);
      this.toast.show(`“${title}” was restored.`, { label: "Open", run: () => go(id) });
    });

  readonly showHistory = (entry: Pick<NotebookEntry, "id" | "title"> = this.shown): Promise<void> =>
    this.tell(async () => {
      const { workspace, library: { store } } = this;
      const open = entry.id === workspace.key;
      if (open) await this.historian.record("pause");
      const [{ askForVersion }, versions, held] = await Promise.all([import("./view/page/history"), versionsOf(entry.id), open ? null : store.read(entry.id)]);
      const now = open ? workspace.markdown : (held?.text ?? "");
      const chosen = await askForVersion(entry.title, versions, now);
      if (chosen === null) return;
      const { version: { text }, as } = chosen;
      if (as === "copy") {
        const copy = copyOf(entry.title, text);
        await store.create(copy);
        return go(copy.id);
      }
      if (open) {
        workspace.replaceWith(parseNotebook(text));
        return this.toast.show("The version was restored.", { label: "Undo", run: () => workspace.undo() }, 12);
      }
      await store.replaceText(entry.id, text);
      this.toast.show(`“${entry.title}” was restored to that version.`, { label: "Undo", run: () => void this.tell(() => store.replaceText(entry.id, now)) }, 12);
    });

  readonly showStorage = (): Promise<void> =>
    this.tell(async () => {
      const { store } = this.library;
      const [{ askAboutStorage }, room, entries] = await Promise.all([import("./view/page/storage"), roomNow(), store.list()]);
      const chosen = await askAboutStorage({ ...room, notebooks: entries.filter(({ deleted }) => deleted === null).length });
      if (chosen === "persist") this.toast.show((await askToPersist()) ? "The browser will keep your notebooks." : "The browser does not promise to keep them yet; that depends on how often you visit. Download your notebooks to be sure.", undefined, 12);
      if (chosen === "download") await this.downloadAll();
      if (chosen === "clear") this.toast.show((await makeRoom(store)) ? "Deleted notebooks and old versions were cleared." : "There was nothing to clear.");
    });

  /** Says so while little room is left, before something cannot be saved. */
  async warnOfLittleRoom(): Promise<void> {
    const { little, left } = await roomNow();
    if (little && (await this.list().catch(() => [])).length > 0) this.toast.show(`Only ${((left ?? 0) / 1e6).toFixed(1)} MB are left in this browser's storage.`, { label: "Storage…", run: () => void this.showStorage() }, 30);
  }

  private async downloadAll(): Promise<void> {
    const { store } = this.library;
    const [{ zipped }, entries, texts] = await Promise.all([import("../../js/src/data/zip"), store.list(), store.texts()]);
    const byId = new Map(texts.map(({ id, text }) => [id, text]));
    const files = new Map<string, Uint8Array>();
    for (const { id, title, file, deleted } of entries) {
      const text = byId.get(id);
      if (deleted !== null || text === undefined) continue;
      const name = file ?? fileNameOf(title);
      let free = name;
      for (let i = 2; files.has(free); i++) free = name.replace(/(\.\w+)?$/, ` ${i}$1`);
      files.set(free, new TextEncoder().encode(text));
    }
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for await (const part of zipped(files)) parts.push(part);
    saveBytes("weft-notebooks.zip", new Uint8Array(await new Blob(parts).arrayBuffer()), "application/zip");
  }

  /** The page that was left was that of the deleted notebook: it can be taken back here. */
  greet(): void {
    const deleted = sessionStorage.getItem(DELETED);
    if (deleted === null) return;
    sessionStorage.removeItem(DELETED);
    this.sayRemoved(JSON.parse(deleted) as Pick<NotebookEntry, "id" | "title">);
  }

  private sayRemoved(entry: Pick<NotebookEntry, "id" | "title">): void {
    this.toast.show(`“${entry.title}” was deleted.`, { label: "Undo", run: () => void this.restore(entry) }, 20);
  }

  private async tell(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.toast.show(`This browser could not store it: ${error instanceof Error ? error.message : String(error)}`, undefined, 12);
    }
  }
}
