// What can be done to the reader's notebooks from lists and menus: rename, duplicate, download,
// delete, restore. Dialogs are fetched when they are asked for.

import { fetchPicture, fetchText } from "./host/fetch";
import type { Library } from "./library";
import { fileNameOf } from "./state/notebook/notebook";
import type { NotebookEntry } from "./state/notebook/records";
import type { Workspace } from "./state/notebook/workspace";
import { downloadText } from "./view/page/files";
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

  readonly showHistory = (entry: Pick<NotebookEntry, "id" | "title"> = this.shown): Promise<void> => this.tell(async () => console.log(entry));

  readonly showStorage = (): Promise<void> => this.tell(async () => undefined);

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
      this.toast.show(`This browser's storage refused: ${error instanceof Error ? error.message : String(error)}`, undefined, 12);
    }
  }
}
