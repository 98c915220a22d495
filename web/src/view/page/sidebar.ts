// The sidebar: the gallery of notebooks, and the headings of the open one.

import type { GalleryEntry } from "../../state/notebook/gallery";
import { LIMITS } from "../../state/limits";
import { headings } from "../../state/notebook/notebook";
import type { Workspace } from "../../state/notebook/workspace";
import { h } from "../ui/dom";
import { closeDrawer, listenToDrawer } from "./drawer";

/** A card's picture beside its title; its place is kept from the first paint on, so that nothing moves when it comes. */
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

export interface Sidebar {
  readonly element: HTMLElement;
  loadPictures(): void;
}

export function sidebar(entries: readonly GalleryEntry[], workspace: Workspace, fetchPicture: (path: string) => Promise<string>): Sidebar {
  const cards = new Cards(fetchPicture);
  const list = h("ul", { class: "gallery" });
  const outline = h("ul", { class: "outline" });
  const outlineBlock = h("div", {}, h("h2", { id: "outline-title" }, "In this notebook"), outline);

  const showGallery = () => {
    const { origin } = workspace;
    cards.begin();
    list.replaceChildren(
      ...entries.map((entry) => {
        const { file, title, summary } = entry;
        const here = origin.kind === "gallery" && origin.file === file;
        const link = h("a", { href: `?notebook=${encodeURIComponent(file.replace(/\.md$/, ""))}`, "aria-current": here ? "page" : null }, cards.picture(entry), h("span", { class: "card-text" }, h("b", { dir: "auto" }, title), h("span", { class: "card-summary", dir: "auto" }, summary)));
        return h("li", {}, link);
      }),
    );
  };
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
  const element = h("nav", { class: "sidebar", id: "sidebar", "aria-label": "Notebooks" }, h("h2", {}, "Notebooks"), list, outlineBlock);
  listenToDrawer(element);
  return { element, loadPictures: () => cards.load() };
}
