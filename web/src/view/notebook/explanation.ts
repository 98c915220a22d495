// View of an explanation: what a cell computed, as text in a dialog that the reader can scroll,
// select and copy.

import { h } from "../ui/dom";
import { openDialog } from "../ui/menu";

/** Shows what the cell of that number computed, stage by stage. */
export function showExplanation(number: number, text: string): void {
  if (document.querySelector("dialog[open]")) return;
  const body = h("pre", { class: "scroll explanation", tabindex: 0, role: "group", "aria-label": "Explanation" }, text);
  void openDialog(`What cell ${number} computed`, [body], [{ label: "Close", value: "", primary: true }]);
}
