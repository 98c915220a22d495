// The Files panel: the notebook's own files, with what can be done with each, and a way to add
// more.

import type { NotebookFile, NotebookFiles } from "../../state/files/files";
import { sizeText } from "../../state/files/files";
import { KIND_NAMES } from "../../state/files/kinds";
import { byTouch, h } from "../ui/dom";
import { openDialog } from "../ui/menu";

export interface PanelActions {
  /** Lets the reader choose files, and brings them. */
  choose(): void;
  /** Writes a cell that reads a file. */
  insert(file: NotebookFile): void;
  save(file: NotebookFile): void;
}

function stateOf({ kept, content }: NotebookFile): string {
  if (!content) return "Not kept: choose it again";
  return kept ? "Kept in this browser" : "Only until you leave the page";
}

/** Opens the panel; resolves when it closes. `said` is where it says what was done. */
export async function openPanel(files: NotebookFiles, said: HTMLElement, actions: PanelActions): Promise<void> {
  const list = h("ul", { class: "file-list" });
  const row = (file: NotebookFile): HTMLElement => {
    const button = (label: string, run: () => void) => h("button", { class: "plain-button small", type: "button", "aria-label": `${label}: ${file.name}`, onclick: run }, label);
    const remove = () => {
      const gone = files.remove(file.name);
      if (!gone) return;
      const restore = () => (said.replaceChildren(), void files.restore(gone).then(() => focus(gone.name, "Remove")));
      const undo = h("button", { class: "plain-button small", type: "button", onclick: restore }, "Undo");
      said.replaceChildren(h("bdi", {}, gone.name), document.createTextNode(" was removed. "), undo);
      undo.focus();
    };
    const there = file.content !== null;
    const buttons = there ? [button("Insert cell", () => actions.insert(file)), button("Save", () => actions.save(file))] : [button("Choose it again", actions.choose)];
    return h("li", { class: there ? null : "gone" },
      h("div", { class: "file-facts" }, h("bdi", { class: "file-name" }, file.name), h("span", { class: "note" }, `${KIND_NAMES[file.kind]}, ${sizeText(file.size)}. ${stateOf(file)}.`)),
      h("div", { class: "file-buttons" }, ...buttons, button("Remove", remove)),
    );
  };
  const hint = h("p", {}, `Files that you ${byTouch() ? "add" : "drop on the page"} are kept here, in this browser only. Cells read them by name: `, h("code", {}, 'await file("iris.csv")'), ".");
  /** Focuses a button of a file, or its first where it has no such. */
  const focus = (name: string, label: string) => {
    const buttons = [...(list.children[files.list.findIndex((file) => file.name === name)]?.querySelectorAll("button") ?? [])];
    (buttons.find(({ textContent }) => textContent === label) ?? buttons[0])?.focus();
  };
  const show = () => {
    const { activeElement } = document;
    const focused = activeElement && list.contains(activeElement) ? { name: activeElement.closest("li")?.querySelector("bdi")?.textContent ?? "", label: activeElement.textContent ?? "" } : null;
    list.replaceChildren(...files.list.map(row));
    list.hidden = files.list.length === 0;
    if (focused) focus(focused.name, focused.label);
  };
  show();
  const end = files.events.subscribe(show);
  const add = h("button", { class: "plain-button primary file-add", type: "button", onclick: actions.choose }, "Add files…");
  await openDialog("Files of this notebook", [hint, h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Files" }, list), said, add], [{ label: "Close", value: "" }], "Each notebook has files of its own: no other notebook reads them. Files of up to 64 MB are kept, 256 MB for a notebook; of larger ones only the name.");
  end();
}
