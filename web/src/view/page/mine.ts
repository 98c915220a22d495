// The reader's own notebooks in the sidebar: those changed last, all of them on request, and those
// that were deleted and can be restored.

import type { NotebookEntry, NotebookText } from "../../state/notebook/records";
import { ago, findIn } from "../../state/notebook/search";
import type { Workspace } from "../../state/notebook/workspace";
import { asName } from "../../state/prose/bidi";
import { helpWith } from "../ui/about";
import { h, setAttribute } from "../ui/dom";
import { menu } from "../ui/menu";
import { weave } from "./weave";

/** What is listed before the reader asks for all. */
const LATEST = 4;

export interface MineActions {
  list(): Promise<NotebookEntry[]>;
  texts(): Promise<NotebookText[]>;
  rename(entry: NotebookEntry): void;
  duplicate(entry: NotebookEntry): void;
  showHistory(entry: NotebookEntry): void;
  download(entry: NotebookEntry): void;
  remove(entry: NotebookEntry): void;
  restore(entry: NotebookEntry): void;
  showStorage(): void;
}

/** Notebooks of the gallery with edits are listed there. */
const isMine = ({ kind }: NotebookEntry) => kind !== "gallery";

export class Mine {
  private readonly list = h("ul", { class: "gallery own" });
  private readonly deletedList = h("ul", { class: "deleted" });
  private readonly deletedBlock = h("div", {}, h("h2", { id: "deleted-title" }, "Recently deleted"), this.deletedList);
  private readonly all = h("button", { class: "quiet-button", type: "button", "aria-expanded": "false", onclick: () => this.toggle() });
  private readonly storage = h("button", { class: "quiet-button", type: "button", onclick: () => this.actions.showStorage() }, "Storage…");
  private readonly help = helpWith("Your own", "mine");
  readonly element = h("section", { class: "mine", "aria-labelledby": "mine-title", hidden: true }, h("div", { class: "side-head" }, h("h2", { id: "mine-title" }, "My notebooks"), this.help.button, this.help.text), this.list, h("div", { class: "mine-foot" }, this.all, this.storage), this.deletedBlock);
  private entries: readonly NotebookEntry[] = [];
  private texts: ReadonlyMap<string, string> = new Map();
  private words: readonly string[] = [];
  private whole = false;
  /** By their ids: a card keeps the focus, its menu and its picture while its notebook changes. */
  private readonly cards = new Map<string, Card>();

  constructor(
    private readonly workspace: Workspace,
    private readonly actions: MineActions,
  ) {}

  /** Reads anew what there is. */
  async refresh(): Promise<void> {
    this.entries = await this.actions.list().catch(() => []);
    if (this.words.length > 0) await this.readTexts();
    this.show();
  }

  /** Shows what has these words; all where there are none. Resolves to how many that are. */
  async search(words: readonly string[]): Promise<number> {
    const began = this.words.length === 0;
    this.words = words;
    if (words.length > 0 && began) await this.readTexts();
    return this.show();
  }

  /** Notebooks of the gallery that have edits, by their files. */
  get edited(): ReadonlySet<string | null> {
    return new Set(this.entries.filter((entry) => !isMine(entry)).map(({ file }) => file));
  }

  private async readTexts(): Promise<void> {
    this.texts = new Map((await this.actions.texts().catch(() => [])).map(({ id, text }) => [id, text]));
  }

  private toggle(): void {
    this.whole = !this.whole;
    this.show();
  }

  private show(): number {
    const { words } = this;
    const mine = this.entries.filter((entry) => isMine(entry) && entry.deleted === null);
    const deleted = this.entries.filter((entry) => isMine(entry) && entry.deleted !== null);
    const found = mine.flatMap((entry) => {
      const line = words.length === 0 ? "" : findIn(words, entry.title, this.texts.get(entry.id) ?? "");
      return line === null ? [] : [{ entry, line }];
    });
    const shown = this.whole || words.length > 0 ? found : found.slice(0, LATEST);
    this.arrange(shown.map(({ entry, line }) => this.card(entry, line)));
    const whole = this.whole && words.length === 0;
    this.element.hidden = mine.length + deleted.length === 0 || (words.length > 0 && found.length === 0);
    this.all.hidden = words.length > 0 || (mine.length <= LATEST && deleted.length === 0);
    this.all.textContent = whole ? "Show fewer" : mine.length > LATEST ? `All ${mine.length}` : "Recently deleted";
    this.all.setAttribute("aria-expanded", String(whole));
    this.storage.hidden = words.length > 0;
    this.deletedBlock.hidden = !whole || deleted.length === 0;
    this.deletedList.replaceChildren(...deleted.map((entry) => h("li", {}, h("span", { dir: "auto" }, entry.title), h("button", { class: "quiet-button", type: "button", "aria-label": `Restore ${entry.title}`, onclick: () => this.actions.restore(entry) }, "Restore"))));
    return found.length;
  }

  private card(entry: NotebookEntry, line: string): HTMLElement {
    let card = this.cards.get(entry.id);
    if (!card) this.cards.set(entry.id, (card = new Card(this.actions)));
    card.show(entry, line, this.workspace.key === entry.id);
    return card.element;
  }

  private arrange(elements: readonly HTMLElement[]): void {
    const before = [...this.list.children];
    if (before.length === elements.length && elements.every((element, i) => element === before[i])) return;
    const focused = document.activeElement;
    this.list.replaceChildren(...elements);
    // What is put in anew has lost it.
    if (focused instanceof HTMLElement && this.list.contains(focused)) focused.focus({ preventScroll: true });
  }
}

class Card {
  private readonly picture = h("span", { class: "card-picture", "aria-hidden": "true" });
  private readonly title = h("b", { dir: "auto" });
  private readonly below = h("span", { class: "card-summary" });
  private readonly link = h("a", {}, this.picture, h("span", { class: "card-text" }, this.title, this.below));
  private readonly menu: HTMLElement;
  readonly element: HTMLElement;
  private entry: NotebookEntry | null = null;
  private shown: { bytes: Uint8Array | null; address: string } | null = null;

  constructor({ rename, duplicate, showHistory, download, remove }: MineActions) {
    const on = (act: (entry: NotebookEntry) => void) => () => this.entry && act(this.entry);
    this.menu = menu("", [
      { icon: "pencil", label: "Rename…", action: on(rename) },
      { icon: "copy", label: "Duplicate", action: on(duplicate) },
      { icon: "history", label: "History…", action: on(showHistory) },
      { icon: "download", label: "Download", action: on(download) },
      { icon: "trash", label: "Delete", action: on(remove) },
    ], "card-menu");
    this.element = h("li", {}, this.link, this.menu);
    this.link.addEventListener("keydown", (event) => {
      const act = event.key === "F2" ? rename : event.key === "Delete" ? remove : null;
      if (!act) return;
      event.preventDefault();
      on(act)();
    });
  }

  /** `line` is what was found in its text, or "". */
  show(entry: NotebookEntry, line: string, here: boolean): void {
    const { id, title, changed, kind } = entry;
    this.entry = entry;
    this.link.href = `?mine=${encodeURIComponent(id)}`;
    if (here) this.link.setAttribute("aria-current", "page");
    else this.link.removeAttribute("aria-current");
    if (this.title.textContent !== title) this.title.textContent = asName(title);
    const summary = this.menu.querySelector("summary")!;
    setAttribute(summary, "aria-label", `Actions for ${title}`);
    setAttribute(summary, "title", `Actions for ${title}`);
    const when = h("time", { datetime: new Date(changed).toISOString(), title: new Date(changed).toLocaleString() }, ago(changed, Date.now()));
    this.below.replaceChildren(...(line === "" ? [when, ...(kind === "link" ? [" · from a link"] : [])] : [h("bdi", {}, line)]));
    this.showPicture(entry);
  }

  private showPicture({ id, picture }: NotebookEntry): void {
    const { shown } = this;
    if (shown && (picture === null ? shown.bytes === null : shown.bytes?.length === picture.length && picture.every((byte, i) => byte === shown.bytes![i]))) return;
    if (shown) URL.revokeObjectURL(shown.address);
    const address = picture === null ? "" : URL.createObjectURL(new Blob([picture], { type: "image/webp" }));
    this.shown = { bytes: picture, address };
    this.picture.replaceChildren(picture === null ? weave(id) : h("img", { src: address, alt: "" }));
  }
}
