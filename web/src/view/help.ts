// Which keys do what? The dialog that says so.

import { h } from "./dom";
import { openDialog } from "./menu";

const apple = /Mac|iPhone|iPad/.test(navigator.platform);
const MOD = apple ? "⌘" : "Ctrl";

const KEYS: readonly [string, string][] = [
  ["Shift Enter", "Run the cell and go to the next"],
  [`${MOD} Enter`, "Run the cell and stay"],
  [`${MOD} Shift Enter`, "Run all cells"],
  [`${MOD} .`, "Stop"],
  ["Alt PageUp", "To the cell above"],
  ["Alt PageDown", "To the cell below"],
  ["Ctrl Space", "Propose names"],
  ["Tab", "Indent; after Escape, leave the editor"],
  [`${MOD} S`, "Download the notebook"],
  [`${MOD} Z`, "Outside an editor, undo the last deletion"],
  ["?", "This list, outside an editor"],
];

export function showHelp(): void {
  const rows = KEYS.map(([keys, meaning]) =>
    h("tr", {}, h("td", {}, ...keys.split(" ").map((key) => h("kbd", {}, key))), h("td", {}, meaning)),
  );
  void openDialog("Keyboard", [h("table", { class: "keys" }, h("tbody", {}, ...rows))], [{ label: "Close", value: "", primary: true }]);
}

export interface Shortcuts {
  runAll(): void;
  stop(): void;
  download(): void;
  undo(): void;
}

export function listenForShortcuts({ runAll, stop, download, undo }: Shortcuts): void {
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]")) return;
    const mod = apple ? event.metaKey : event.ctrlKey;
    const typing = event.composedPath().some((node) => node instanceof HTMLElement && (node.isContentEditable || node.matches("input, textarea")));
    const act =
      mod && event.shiftKey && event.key === "Enter" ? runAll
      : mod && event.key === "." ? stop
      : mod && event.key.toLowerCase() === "s" ? download
      : mod && !event.shiftKey && event.key.toLowerCase() === "z" && !typing ? undo
      : event.key === "?" && !typing ? showHelp
      : null;
    if (!act) return;
    event.preventDefault();
    act();
  }, { capture: true });
}
