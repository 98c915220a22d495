// Which notebooks are there, and where in this one am I? The gallery, and the headings of the open notebook.

import type { GalleryEntry } from "../state/gallery";
import { LIMITS } from "../state/limits";
import { headings } from "../state/notebook";
import type { Workspace } from "../state/workspace";
import { h } from "./dom";

export function sidebar(entries: readonly GalleryEntry[], workspace: Workspace): HTMLElement {
  const list = h("ul", { class: "gallery" });
  const outline = h("ul", { class: "outline" });
  const outlineBlock = h("div", {}, h("h2", { id: "outline-title" }, "In this notebook"), outline);

  const showGallery = () => {
    const { origin } = workspace;
    list.replaceChildren(
      ...entries.map(({ file, title, summary }) => {
        const here = origin.kind === "gallery" && origin.file === file;
        const link = h("a", { href: `?notebook=${encodeURIComponent(file.replace(/\.md$/, ""))}`, "aria-current": here ? "page" : null }, h("b", {}, title), h("span", {}, summary));
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
          (heading ?? element)?.scrollIntoView({ block: "start" });
        };
        return h("li", { class: level === 3 ? "inner" : null }, h("button", { type: "button", onclick: go }, text));
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
  return h("nav", { class: "sidebar", id: "sidebar", "aria-label": "Notebooks" }, h("h2", {}, "Notebooks"), list, outlineBlock);
}
