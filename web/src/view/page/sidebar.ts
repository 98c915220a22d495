// The sidebar: the reader's notebooks and the gallery, a search over both, and the headings of the
// open notebook.

import type { GalleryEntry } from "../../state/notebook/gallery";
import { LIMITS } from "../../state/limits";
import { headings } from "../../state/notebook/notebook";
import { findIn, wordsOf } from "../../state/notebook/search";
import type { Workspace } from "../../state/notebook/workspace";
import { helpWith } from "../ui/about";
import { h } from "../ui/dom";
import { icon } from "../ui/icons";
import { closeDrawer, listenToDrawer } from "./drawer";
import { Mine } from "./mine";
import type { MineActions } from "./mine";

/** A card's picture beside its title; its place is kept from the first paint on, so that nothing
 * moves when it comes. */
class Cards {
  private readonly pictures = new Map<string, Promise<string>>();
  private wanted = false;
  private places: { path: string; element: HTMLElement }[] = [];

  constructor(private readonly fetchPicture: (path: string) => Promise<string>) {}

  /** A place for each of `entries`; the ones before are gone. */
  begin(): void {
    this.places = [];
  }

  picture({ file, picture }: GalleryEntry): HTMLElement {
    const element = h("span", { class: "card-picture", "data-picture": file.replace(/\.md$/, ""), "aria-hidden": "true" });
    if (picture === undefined) return element;
    this.places.push({ path: picture, element });
    if (this.wanted) this.show(picture, element);
    return element;
  }

  /** The page is painted. */
  load(): void {
    this.wanted = true;
    for (const { path, element } of this.places) this.show(path, element);
  }

  private show(path: string, element: HTMLElement): void {
    let address = this.pictures.get(path);
    if (!address) this.pictures.set(path, (address = this.fetchPicture(path)));
    // Without it the card is as good: its place stays in the colour of the ground.
    address.then((src) => element.replaceChildren(h("img", { src, alt: "", decoding: "async" })), () => undefined);
  }
}

export interface SidebarActions extends MineActions {
  /** The address of a picture of the site's own that the page may show. */
  fetchPicture(path: string): Promise<string>;
  fetchText(path: string): Promise<string>;
}

export interface Sidebar {
  readonly element: HTMLElement;
  loadPictures(): void;
  /** The reader's notebooks have changed. */
  refresh(): Promise<void>;
  focusSearch(): void;
}

export function sidebar(entries: readonly GalleryEntry[], workspace: Workspace, actions: SidebarActions): Sidebar {
  const cards = new Cards((path) => actions.fetchPicture(path));
  const mine = new Mine(workspace, actions);
  const list = h("div", {});
  const outline = h("ul", { class: "outline" });
  const outlineBlock = h("div", {}, h("h2", { id: "outline-title" }, "In this notebook"), outline);

  const help = helpWith("Gallery", "gallery");
  const heading = h("div", { class: "side-head" }, h("h2", {}, "Gallery"), help.button, help.text);
  const nothing = h("p", { class: "note none", role: "status" });
  const field = h("input", { class: "search", type: "search", placeholder: "Search notebooks", "aria-label": "Search notebooks", autocomplete: "off", spellcheck: "false" });
  let words: readonly string[] = [];
  /** What the gallery's notebooks say, as far as it is here. */
  const texts = new Map<string, string>();
  let edited: ReadonlySet<string | null> = new Set();

  const showGallery = (): number => {
    const { origin } = workspace;
    const found = entries.filter(({ file, title, summary }) => words.length === 0 || findIn(words, title, `${summary}\n${texts.get(file) ?? ""}`) !== null);
    cards.begin();
    heading.hidden = found.length === 0;
    const card = (entry: GalleryEntry) => {
      const { file, title } = entry;
      const line = words.length === 0 ? "" : findIn(words, title, `${entry.summary}\n${texts.get(file) ?? ""}`);
      const summary = line || entry.summary;
      const here = origin.kind === "gallery" && origin.file === file;
      const link = h("a", { href: `?notebook=${encodeURIComponent(file.replace(/\.md$/, ""))}`, "aria-current": here ? "page" : null }, cards.picture(entry), h("span", { class: "card-text" }, h("b", { dir: "auto" }, title, edited.has(file) && h("span", { class: "mark" }, " edited")), h("span", { class: "card-summary", dir: "auto" }, summary)));
      return h("li", {}, link);
    };
    list.replaceChildren(
      ...[...new Set(found.map(({ section }) => section))].flatMap((section) => [
        ...(section === undefined ? [] : [h("h3", {}, section)]),
        h("ul", { class: "gallery", "aria-label": section ?? "Gallery" }, ...found.filter((entry) => entry.section === section).map(card)),
      ]),
    );
    return found.length;
  };
  const search = async () => {
    const asked = wordsOf(field.value);
    words = asked;
    const [own, site] = [await mine.search(asked), showGallery()];
    if (words === asked) nothing.textContent = own + site === 0 ? "No notebook has these words." : "";
  };
  /** With the first search come the texts of the gallery. */
  const fetchTexts = async () => {
    const wanted = entries.filter(({ file }) => !texts.has(file));
    for (const { file } of wanted) texts.set(file, "");
    await Promise.all(wanted.map(async ({ file }) => texts.set(file, await actions.fetchText(`notebooks/${file}`).catch(() => ""))));
    if (wanted.length > 0) await search();
  };
  field.addEventListener("input", () => {
    void search();
    if (words.length > 0) void fetchTexts();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || field.value === "") return;
    // The drawer stays.
    event.stopPropagation();
    field.value = "";
    void search();
  });
  const showOutline = () => {
    const found = headings(workspace.cells, LIMITS.outline).filter(({ level }) => level === 2 || level === 3);
    outline.replaceChildren(
      ...found.map(({ cell, index, level, text }) => {
        const go = () => {
          const element = document.getElementById(`cell-${cell}`);
          const heading = element?.querySelectorAll(".prose :is(h1, h2, h3, h4, h5, h6)")[index];
          closeDrawer();
          (heading ?? element)?.scrollIntoView({ block: "start" });
        };
        return h("li", { class: level === 3 ? "inner" : null }, h("button", { type: "button", dir: "auto", onclick: go }, text));
      }),
    );
    outlineBlock.hidden = found.length === 0;
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  workspace.events.subscribe(({ type }) => {
    if (type === "opened") showGallery();
    clearTimeout(timer);
    timer = setTimeout(showOutline, 50);
  });
  const begin = h("a", { class: "plain-button new-notebook", href: "?new" }, icon("plus"), "New notebook");
  const element = h("nav", { class: "sidebar", id: "sidebar", "aria-label": "Notebooks" }, h("div", { class: "sidebar-top" }, begin, field), nothing, mine.element, heading, list, outlineBlock);
  listenToDrawer(element);
  const refresh = async () => {
    await mine.refresh();
    const now = mine.edited;
    if ([...now].join() === [...edited].join()) return;
    edited = now;
    showGallery();
  };
  return { element, loadPictures: () => cards.load(), refresh, focusSearch: () => field.focus() };
}
