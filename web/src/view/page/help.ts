// Keyboard shortcuts, and the dialog that lists them.

import { h } from "../ui/dom";
import { openDialog } from "../ui/menu";

const apple = /Mac|iPhone|iPad/.test(navigator.platform);
const MOD = apple ? "⌘" : "Ctrl";

const GROUPS: readonly [title: string, keys: readonly [string, string][]][] = [
  ["Run", [
    ["Shift Enter", "Run the cell and go to the next"],
    [`${MOD} Enter`, "Run the cell and stay"],
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
  ["Writing", [
    ["Ctrl Space", "Complete a name"],
    ["Tab", "Accept the suggestion, or indent; after Escape, leave the editor"],
    ["Enter", "Accept the suggestion only if you chose it with the arrows"],
    [`${MOD} /`, "Comment or uncomment the line"],
    ["Alt ArrowUp", "Move the line up; ArrowDown, down"],
    [`${MOD} Z`, "Undo typing; with Shift, redo"],
  ]],
  ["Notebook", [
    [`${MOD} S`, "Download the notebook"],
    ["?", "This list, outside an editor"],
  ]],
  ["Operators on tensors", [
    ["a*b a+1 -a a**2", "Element by element, as a.mul(b) and a.add(1)"],
    ["a<b a&b", "Masks: for where(mask, a, b); if and && take none"],
    ["a[i]", "Part i of the first axis; a = a.at(i).set(v) changes it"],
    ["a===b", "Whether both are one tensor; a.equal(b) compares elements"],
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
}

export function listenForShortcuts({ runAll, stop, goThere, download, undo }: Shortcuts): void {
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]")) return;
    const mod = apple ? event.metaKey : event.ctrlKey;
    const typing = event.composedPath().some((node) => node instanceof HTMLElement && (node.isContentEditable || node.matches("input, textarea")));
    const act =
      mod && event.shiftKey && event.key === "Enter" ? runAll
      : mod && event.key === "." ? stop
      : mod && event.key.toLowerCase() === "s" ? download
      : event.altKey && event.shiftKey && !event.ctrlKey && !event.metaKey && event.code === "KeyR" ? goThere
      : mod && !event.shiftKey && event.key.toLowerCase() === "z" && !typing ? undo
      : event.key === "?" && !typing ? showHelp
      : null;
    if (!act) return;
    event.preventDefault();
    act();
  }, { capture: true });
}
