// The reader's files, as one part of the page that is fetched when it is needed: the notebook's own
// files, the cells that read them, and the Files panel.

import { provideFileNames } from "./editing/options";
import { fileStore, noStore } from "./host/files/store";
import type { FileReply } from "./protocol/messages";
import { NotebookFiles, sizeText, TooMany } from "./state/files/files";
import type { Brought, NotebookFile } from "./state/files/files";
import { LIMITS } from "./state/limits";
import { readingCell, readsFile } from "./state/files/kinds";
import { variableFor } from "./state/files/names";
import { namesIn } from "./state/code/names";
import { transformCell } from "./state/code/transform";
import { codeCells } from "./state/notebook/notebook";
import type { Workspace } from "./state/notebook/workspace";
import type { Session } from "./state/run/session";
import { fetchVocabulary } from "./view/editor/proposals";
import { saveBytes } from "./view/page/files";
import { openPanel } from "./view/files/panel";
import { h } from "./view/ui/dom";
import type { Toast } from "./view/ui/menu";
import "./styles/files.css";

export interface FilesOptions {
  readonly workspace: Workspace;
  readonly session: Session;
  readonly toast: Toast;
  /** Whether anything is kept, as it is not within another page. */
  readonly keeps: boolean;
  /** Opens a notebook that the reader brought. */
  openNotebook(file: File): Promise<void>;
}

/** Under what a notebook's files are kept. */
const keyOf = (workspace: Workspace): string => workspace.key;

export class Files {
  readonly files: NotebookFiles;
  /** Where the panel says what was done, while it is open: it covers the page's toast. */
  private said: HTMLElement | null = null;

  constructor(private readonly options: FilesOptions) {
    this.files = new NotebookFiles(options.keeps ? fileStore : noStore);
    const { workspace } = options;
    let notebook = "";
    // A notebook that is reset, or whose change is taken back, is the same one.
    const follow = () => {
      if (keyOf(workspace) !== notebook) void this.files.open((notebook = keyOf(workspace)));
    };
    follow();
    provideFileNames(() => this.names);
    workspace.events.subscribe(({ type }) => type === "opened" && follow());
  }

  get names(): string[] {
    return this.files.list.map(({ name }) => name);
  }

  /** What a cell asks for by this name; null where the notebook has no such file. */
  read(name: string): Promise<FileReply | null> {
    return this.files.read(name);
  }

  /** Takes what the reader dropped on a cell, or beside all of them. */
  async take(given: readonly File[], cell: string | null): Promise<void> {
    const [only] = given;
    if (!only) return this.tell("Folders cannot be read. Drop the files in them.");
    if (given.length === 1 && (await isNotebook(only))) {
      closePanel();
      return this.options.openNotebook(only);
    }
    const brought: Brought[] = [];
    let failure: string | null = null;
    for (const file of given) {
      try {
        brought.push(await this.files.bring(file));
      } catch (error) {
        failure = error instanceof TooMany ? error.message : `${file.name} could not be read.`;
      }
    }
    let at = cell;
    for (const { file } of brought) if (!this.isRead(file.name)) at = await this.insert(file, at);
    if (failure !== null) this.tell(failure);
    else if (brought.length > 0) this.tell(summaryOf(brought), { label: "Files", run: () => void this.show() });
  }

  private tell(text: string, action?: { label: string; run: () => void }): void {
    if (this.said) this.said.replaceChildren(text);
    else this.options.toast.show(text, action, 12);
  }

  /** Brings one file, without a cell. */
  async bring(given: File): Promise<string> {
    return (await this.files.bring(given)).file.name;
  }

  async show(): Promise<void> {
    this.said = h("p", { class: "file-said", role: "status" });
    await openPanel(this.files, this.said, {
      choose: () => this.choose(),
      insert: (file) => {
        closePanel();
        void this.insert(file, null);
      },
      save: (file) => void this.save(file),
    });
    this.said = null;
  }

  choose(): void {
    const chooser = h("input", { type: "file", multiple: true });
    chooser.addEventListener("change", () => void this.take([...(chooser.files ?? [])], null));
    chooser.click();
  }

  private async save({ name }: NotebookFile): Promise<void> {
    const reply = await this.files.read(name);
    if (reply?.ok) saveBytes(name, reply.bytes, "application/octet-stream");
    else this.tell(reply?.message ?? "The file is gone.");
  }

  /** Whether a cell reads it already. */
  private isRead(name: string): boolean {
    return codeCells(this.options.workspace.cells).some(({ source }) => readsFile(source, name));
  }

  /** Writes a cell that reads a file below another, or at the end, and runs it; its id. */
  private async insert(file: NotebookFile, below: string | null): Promise<string> {
    const { workspace, session } = this.options;
    const source = readingCell(file.name, file.kind, variableFor(file.name, await this.takenNames()));
    const { cells } = workspace;
    const at = cells.findIndex(({ id }) => id === below);
    const place = at >= 0 ? cells[at] : cells.at(-1);
    // An empty cell is where something was to be written.
    const cell = place?.kind === "code" && place.source.trim() === "" ? place : workspace.insert(at < 0 ? cells.length : at + 1, "code");
    workspace.edit(cell.id, source, false);
    session.run([{ cell: cell.id, source }]);
    requestAnimationFrame(() => document.getElementById(`cell-${cell.id}`)?.scrollIntoView({ block: "nearest" }));
    return cell.id;
  }

  /** Names that a new variable would hide: the library's, and those of the notebook's cells. */
  private async takenNames(): Promise<Set<string>> {
    const taken = new Set<string>();
    const known = await fetchVocabulary().catch(() => null);
    for (const entries of known ? [known.library, known.notebook, known.kernels, known.language] : []) for (const [name] of entries) taken.add(name);
    for (const { source } of codeCells(this.options.workspace.cells)) {
      try {
        const { defines, reads } = namesIn(transformCell(source).program);
        for (const name of [...defines, ...reads]) taken.add(name);
      } catch {
        // What cannot run declares nothing.
      }
    }
    return taken;
  }
}

/** A page or a script is a notebook where the page exported it; others are files. */
async function isNotebook(file: File): Promise<boolean> {
  if (/\.(md|markdown|ipynb)$/i.test(file.name)) return true;
  if (!/\.(html?|[cm]?js)$/i.test(file.name) || file.size > 4 * LIMITS.file) return false;
  const { isExport } = await import("./state/formats/read");
  return isExport(await file.text().catch(() => ""));
}

const closePanel = () => document.querySelector<HTMLDialogElement>("dialog[open]")?.close();

/** What became of them, in a sentence. */
function summaryOf(brought: readonly Brought[]): string {
  const [first] = brought;
  if (brought.length > 1) {
    const lost = brought.filter(({ file }) => !file.kept).length;
    return `${brought.length} files were added to this notebook.${lost > 0 ? ` ${lost} of them are too large to be kept: hand them over again after a reload.` : ""}`;
  }
  const { file, replaced } = first!;
  const done = replaced ? `${file.name} was replaced. Run the cells that read it again.` : `${file.name} was added to this notebook.`;
  return file.kept ? done : `${done} It is too large to keep (${sizeText(file.size)}): choose it again after a reload.`;
}
