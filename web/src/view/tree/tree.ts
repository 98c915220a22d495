// Tree of a value, by the tree pattern of ARIA: arrow keys walk and open, Home and End go to the
// ends, the asterisk opens all beside. Members are made when their parent is opened.

import type { Branch } from "../../protocol/messages";
import { membersAt, pathOf, rootsOf, UNASKED } from "../../state/outputs/branches";
import { h } from "../ui/dom";
import "../../styles/tree.css";

export interface Tree {
  readonly element: HTMLElement;
  /** What the reader has opened or closed, by path. */
  readonly opened: ReadonlyMap<string, boolean>;
}

export function drawTree(branches: readonly Branch[], opened: ReadonlyMap<string, boolean>): Tree {
  return new TreeView(branches, new Map(opened));
}

class TreeView implements Tree {
  readonly element: HTMLElement;
  private unasked = UNASKED;
  private readonly places = new WeakMap<Element, number>();

  constructor(
    private readonly branches: readonly Branch[],
    readonly opened: Map<string, boolean>,
  ) {
    // Opened members are no news: the reader asked for them.
    this.element = h("ul", { class: "value-tree", role: "tree", "aria-label": "Value", "aria-live": "off" }, ...rootsOf(branches).slice(0, UNASKED).map((at) => this.item(at)));
    this.items()[0]?.setAttribute("tabindex", "0");
    this.element.addEventListener("click", (event) => this.press(event));
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("focusin", ({ target }) => target instanceof HTMLElement && target.role === "treeitem" && this.makeTabStop(target));
  }

  private item(at: number): HTMLElement {
    const { key, text, depth, open } = this.branches[at]!;
    const opens = membersAt(this.branches, at).length > 0;
    const lines = text.includes("\n");
    const value = h(lines ? "pre" : "span", { class: `tree-text ${kindOf(text)}` }, document.createTextNode(text));
    const name = key !== "" && h("span", { class: "tree-key" }, h("bdi", {}, key), depth === 0 || key.endsWith("→") ? " " : ": ");
    const row = h("div", { class: opens ? "tree-row opens" : "tree-row", role: "treeitem", tabindex: "-1", "aria-level": depth + 1, "aria-expanded": opens ? "false" : null }, name, value);
    // Members stand beside their parent's line, so that its name is the line's alone.
    const item = h("li", { role: "none" }, row);
    this.places.set(row, at);
    if (opens && (this.opened.get(pathOf(this.branches, at)) ?? open)) this.open(row, this.opened.has(pathOf(this.branches, at)));
    return item;
  }

  private open(row: HTMLElement, asked: boolean): void {
    if (row.ariaExpanded !== "false") return;
    const members = membersAt(this.branches, this.places.get(row)!);
    if (!asked && (this.unasked -= members.length) < 0) return;
    row.setAttribute("aria-expanded", "true");
    row.after(h("ul", { role: "group" }, ...members.map((at) => this.item(at))));
  }

  private close(row: HTMLElement): void {
    const members = row.nextElementSibling;
    if (row.ariaExpanded !== "true" || !members) return;
    row.setAttribute("aria-expanded", "false");
    const held = members.contains(document.activeElement);
    members.remove();
    if (held) row.focus();
    else if (!this.items().some(({ tabIndex }) => tabIndex === 0)) this.makeTabStop(row);
  }

  private toggle(row: HTMLElement, open = row.ariaExpanded === "false"): void {
    if (row.ariaExpanded === null) return;
    this.opened.set(pathOf(this.branches, this.places.get(row)!), open);
    if (open) this.open(row, true);
    else this.close(row);
  }

  /** All items that are seen, in order. */
  private items(): HTMLElement[] {
    return [...this.element.querySelectorAll<HTMLElement>("[role=treeitem]")];
  }

  private makeTabStop(item: HTMLElement): void {
    for (const each of this.items()) each.tabIndex = each === item ? 0 : -1;
  }

  private press({ target }: Event): void {
    const row = target instanceof Element ? target.closest<HTMLElement>(".tree-row") : null;
    // A text that was selected is to be copied.
    if (!row || !getSelection()?.isCollapsed) return;
    row.focus({ preventScroll: true });
    this.toggle(row);
  }

  private key(event: KeyboardEvent): void {
    const item = event.target;
    if (!(item instanceof HTMLElement) || item.role !== "treeitem" || event.ctrlKey || event.metaKey || event.altKey) return;
    const items = this.items();
    const at = items.indexOf(item);
    const parent = item.closest("ul")?.previousElementSibling;
    const keys: Record<string, () => void> = {
      ArrowDown: () => items[at + 1]?.focus(),
      ArrowUp: () => items[at - 1]?.focus(),
      ArrowRight: () => (item.ariaExpanded === "true" ? items[at + 1]?.focus() : this.toggle(item, true)),
      ArrowLeft: () => (item.ariaExpanded === "true" ? this.toggle(item, false) : parent instanceof HTMLElement && parent.role === "treeitem" && parent.focus()),
      Home: () => items[0]?.focus(),
      End: () => items.at(-1)?.focus(),
      Enter: () => this.toggle(item),
      " ": () => this.toggle(item),
      "*": () => [...(item.closest("ul")?.children ?? [])].forEach(({ firstElementChild }) => firstElementChild instanceof HTMLElement && this.toggle(firstElementChild, true)),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    // The notebook's own keys go from cell to cell.
    event.stopPropagation();
    act();
  }
}

function kindOf(text: string): string {
  if (/^["'`]/.test(text)) return "tree-string";
  if (/^-?(?:\d|Infinity|NaN)[\d.,en+-]*$/.test(text)) return "tree-number";
  return /^(?:true|false|null|undefined)$/.test(text) ? "tree-word" : "tree-rest";
}
