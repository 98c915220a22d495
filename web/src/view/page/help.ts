// Keyboard shortcuts, and the dialog that lists them.

import { h } from "../ui/dom";
import { openDialog } from "../ui/menu";

const apple = /Mac|iPhone|iPad/.test(navigator.platform);
const MOD = apple ? "⌘" : "Ctrl";

const GROUPS: readonly [title: string, keys: readonly [string, string][]][] = [
  ["Run", [
    ["Shift Enter", "Run the cell and go to the next"],
    [`${MOD} Enter`, "Run the cell and stay"],
    ["Alt Enter", "Run the cell and add one below"],
    [`${MOD} Shift Enter`, "Run all cells"],
    [`${MOD} .`, "Stop"],
    ["Alt Shift R", "Go to the running cell"],
  ]],
  ["Cells", [
    ["Alt PageUp", "Go to the cell above"],
    ["Alt PageDown", "Go to the cell below"],
    ["Alt Shift PageUp", "Move the cell up"],
    ["Alt Shift PageDown", "Move the cell down"],
    ["Alt Shift S", "Split the cell at the caret"],
    ["Alt Shift M", "Merge with the cell below"],
    ["Alt Shift D", "Duplicate the cell"],
    [`${MOD} Z`, "Outside an editor, undo the last change to cells"],
  ]],
  ["Command mode: Escape in a cell, Enter to write", [
    ["j", "Next cell; k or the arrows, too"],
    ["a", "Add a cell above"],
    ["b", "Add a cell below"],
    ["x", "Cut the cell"],
    ["c", "Copy it"],
    ["v", "Paste below"],
    ["d d", "Delete it"],
    ["z", "Undo the last change to cells"],
    ["m", "Make it text"],
    ["y", "Make it code"],
    ["Shift M", "Merge with the cell below"],
    ["f", "Find and replace in all cells"],
  ]],
  ["Writing", [
    ["Ctrl Space", "Complete a name, an option or a file"],
    [`${MOD} Shift Space`, "Show what a call takes"],
    [`${MOD} F`, "Find and replace in all cells"],
    ["Shift Alt F", "Format the code"],
    ["Ctrl Shift -", "Split the cell at the caret"],
    ["Tab", "Accept the suggestion, or indent; after Escape, go on"],
    ["Enter", "Accept the suggestion only if you chose it with the arrows"],
    [`${MOD} /`, "Comment or uncomment the line"],
    ["Alt ArrowUp", "Move the line up; ArrowDown, down"],
    [`${MOD} Z`, "Undo typing; with Shift, redo"],
  ]],
  ["Notebook", [
    [`${MOD} S`, "Download the notebook"],
    ["F1", "Reference: every function, with examples"],
    ["Alt Shift N", "New notebook"],
    ["Alt Shift S", "Search notebooks"],
    ["Alt Shift H", "History of this notebook"],
    ["F2", "On a notebook of yours in the list, rename it; Delete deletes it"],
    ["?", "This list, outside an editor"],
  ]],
];

export function showHelp(): void {
  const group = ([title, keys]: (typeof GROUPS)[number]) =>
    h("tbody", {}, h("tr", {}, h("th", { colspan: 2, scope: "rowgroup" }, title)), ...keys.map(([pressed, meaning]) => h("tr", {}, h("td", {}, ...pressed.split(" ").map((key) => h("kbd", {}, key))), h("td", {}, meaning))));
  void openDialog("Keyboard", [h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Shortcuts" }, h("table", { class: "keys" }, ...GROUPS.map(group)))], [{ label: "Close", value: "", primary: true }]);
}

export interface Shortcuts {
  runAll(): void;
  stop(): void;
  goThere(): void;
  download(): void;
  undo(): void;
  reference(): void;
  begin(): void;
  search(): void;
  showHistory(): void;
}

/** With Alt and Shift. */
const byCode = ({ goThere, begin, search, showHistory }: Shortcuts): Readonly<Record<string, () => void>> => ({ KeyR: goThere, KeyN: begin, KeyS: search, KeyH: showHistory });

export function listenForShortcuts(shortcuts: Shortcuts): void {
  const { runAll, stop, download, undo, reference } = shortcuts;
  const codes = byCode(shortcuts);
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]")) return;
    const mod = apple ? event.metaKey : event.ctrlKey;
    const typing = event.composedPath().some((node) => node instanceof HTMLElement && (node.isContentEditable || node.matches("input, textarea")));
    const act =
      mod && event.shiftKey && event.key === "Enter" ? runAll
      : mod && event.key === "." ? stop
      : mod && event.key.toLowerCase() === "s" ? download
      : event.altKey && event.shiftKey && !event.ctrlKey && !event.metaKey && codes[event.code] ? codes[event.code]!
      : mod && !event.shiftKey && event.key.toLowerCase() === "z" && !typing ? undo
      : event.key === "F1" ? reference
      : event.key === "?" && !typing ? showHelp
      : null;
    if (!act) return;
    event.preventDefault();
    act();
  }, { capture: true });
}
