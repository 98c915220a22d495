// Layout of the page: header, sidebar, notebook, and overlays. The build makes the same page, for
// the reader to see before any script, and the script takes it over.

import type { DevicePreference } from "../../state/device/device";
import type { GalleryEntry } from "../../state/notebook/gallery";
import { LIMITS } from "../../state/limits";
import { cellNumber, headings } from "../../state/notebook/notebook";
import type { RawGpu } from "../../state/device/raw-gpu";
import type { KnownWinners } from "../../state/device/tuning";
import type { Session } from "../../state/run/session";
import type { Workspace } from "../../state/notebook/workspace";
import { openDrawer } from "./drawer";
import { editedNote, originBanner, rivalBanner } from "./banner";
import { h } from "../ui/dom";
import { Follower } from "./follow";
import { header } from "./header";
import type { HeaderActions } from "./header";
import { NotebookView } from "../notebook/notebook";
import { toggleReading } from "./reader";
import { sidebar } from "./sidebar";
import type { Sidebar, SidebarActions } from "./sidebar";

export interface PageParts {
  readonly workspace: Workspace;
  readonly session: Session;
  readonly device: DevicePreference;
  readonly rawGpu: RawGpu;
  readonly winners: KnownWinners;
}

export interface PageActions extends HeaderActions {
  readonly library: SidebarActions;
  rename(): void;
  duplicateNotebook(): void;
  showHistory(): void;
  download(): void;
  openFile(): void;
  openAddress(): void;
  showFiles(): void;
  /** Makes a file one of the notebook's; resolves with its name. */
  bring(given: File): Promise<string>;
  undo(): void;
  reset(): void;
  showHelp(): void;
  /** Lets operators act on tensors in this notebook, or no longer. */
  toggleOperators(): void;
  /** What was done to the cells can be taken back; what it was, in a sentence. */
  changed(what: string): void;
  /** Opens the inspector with a cell. */
  inspect(cell: string): void;
}

/** Marks what the build put into index.html, until the page's own takes its place. */
const FIRST = "data-first";

export class PageView {
  readonly notebook: NotebookView;
  readonly rival: ReturnType<typeof rivalBanner>;
  readonly follower: Follower;
  private readonly heading = h("h1", { class: "visually-hidden" });
  private readonly main: HTMLElement;
  private sidebar: Sidebar | null = null;

  constructor(
    private readonly parts: PageParts,
    private readonly actions: PageActions,
  ) {
    const { workspace, session } = parts;
    this.notebook = new NotebookView(workspace, session, () => actions.recover(), (what) => actions.changed(what), () => actions.undo(), (given) => actions.bring(given), (cell) => actions.inspect(cell));
    this.rival = rivalBanner(workspace);
    this.follower = new Follower(session, (cell) => cellNumber(workspace.cells, cell));
    // A page has a first heading, also where its notebook has none.
    workspace.events.subscribe(({ type }) => {
      if (type === "typed") return;
      this.heading.textContent = workspace.title;
      this.heading.hidden = headings(workspace.cells, LIMITS.outline).some(({ level }) => level === 1);
    });
    this.main = h("main", { class: "main", id: "notebook", tabindex: -1 }, this.heading, originBanner(workspace), this.rival.element, this.notebook.element, editedNote(workspace, () => actions.reset()));
  }

  /** All of it, for `entries` beside the notebook. Made before the notebook is opened: its parts
   * listen. */
  elements(entries: readonly GalleryEntry[]): HTMLElement[] {
    const { workspace, session, device, rawGpu, winners } = this.parts;
    const { actions } = this;
    const top = header(session, device, rawGpu, winners, this.follower.pill, actions, [
      { icon: "pencil", label: "Rename this notebook…", action: actions.rename },
      { icon: "copy", label: "Duplicate this notebook", action: actions.duplicateNotebook },
      { icon: "history", label: "History of this notebook…", action: actions.showHistory },
      { icon: "download", label: "Download as Markdown", action: actions.download },
      { icon: "open", label: "Open a file…", action: actions.openFile },
      { icon: "link", label: "Open from the web…", action: actions.openAddress },
      { icon: "files", label: "Files of this notebook…", action: actions.showFiles },
      { icon: "share", label: "Share and export…", action: actions.share },
      { icon: "find", label: "Find and replace…", action: () => this.notebook.find() },
      { icon: "format", label: "Format all code", action: () => void this.notebook.formatAll() },
      { icon: "reader", label: "Reader's view on or off", action: toggleReading },
      { icon: "undo", label: "Undo the last change to cells", action: actions.undo },
      { icon: "restart", label: "Reset to original…", action: actions.reset },
      { icon: "operators", label: () => (workspace.operators ? "Turn operators on tensors off" : "Turn operators on tensors on"), action: actions.toggleOperators },
      { icon: "meter", label: "Benchmark this device", action: () => location.assign("bench.html") },
      { icon: "book", label: "Reference", action: () => this.notebook.showReference() },
      { icon: "keyboard", label: "Keyboard shortcuts", action: actions.showHelp },
    ]);
    const backdrop = h("div", { class: "backdrop", onclick: actions.toggleSidebar });
    this.sidebar = sidebar(entries, workspace, actions.library);
    const layout = h("div", { class: "layout" }, this.sidebar.element, this.main);
    const toFirstCell = (event: Event) => {
      event.preventDefault();
      this.notebook.focusFirst();
    };
    const skip = [h("a", { class: "skip", href: "#notebook", onclick: toFirstCell }, "Skip to the first cell"), h("a", { class: "skip", href: "#notebook" }, "Skip to the notebook")];
    return [...skip, top, layout, backdrop];
  }

  /** What can be read without: once the page is painted. */
  loadPictures(): void {
    this.sidebar?.loadPictures();
  }

  /** The reader's notebooks have changed. */
  async refreshNotebooks(): Promise<void> {
    await this.sidebar?.refresh();
  }

  focusSearch(): void {
    openDrawer();
    this.sidebar?.focusSearch();
  }

  /** Says why another notebook is shown than was asked for. */
  showProblem(message: string | null): void {
    this.main.querySelector(".banner.failed")?.remove();
    if (message === null) return;
    const text = h("p", {}, h("b", {}, "The notebook could not be opened."), ` ${message} Here is an empty notebook.`);
    this.heading.after(h("div", { class: "banner failed", role: "alert" }, text));
  }
}

/** Puts the page in the place of what index.html showed, in one turn: nothing is seen to move. */
export function takeOver(elements: readonly HTMLElement[]): void {
  for (const first of document.querySelectorAll(`body > [${FIRST}]`)) first.remove();
  document.body.prepend(...elements);
  delete document.documentElement.dataset["first"];
}

/** What index.html holds of `elements`, as HTML. */
export function firstPage(elements: readonly HTMLElement[]): string {
  for (const element of elements) {
    element.setAttribute(FIRST, "");
    // The policy forbids styles in HTML; those there are guess the height of what is not laid out
    // yet.
    for (const styled of element.querySelectorAll("[style]")) styled.removeAttribute("style");
  }
  return elements.map((element) => element.outerHTML).join("\n");
}
