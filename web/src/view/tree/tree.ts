// Tree of a value, by the tree pattern of ARIA: arrow keys walk and open, Home and End go to the ends,
// the asterisk opens all beside. Members are made when their parent is opened.

import type { Branch } from "../../protocol/messages";
import { membersAt, pathOf, rootsOf } from "../../state/outputs/branches";
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

/** Lines that stand open unasked. */
const UNASKED = 200;

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
    this.element.addEventListener("focusin", ({ target }) => target instanceof HTMLElement && target.role === "treeitem" && this.hold(target));
  }

  private item(at: number): HTMLElement {
    const { key, text, depth, open } = this.branches[at]!;
    const opens = membersAt(this.branches, at).length > 0;
    const lines = text.includes("\n");
    const value = h(lines ? "pre" : "span", { class: `tree-text ${kindOf(text)}` }, document.createTextNode(text));
    const name = key !== "" && h("span", { class: "tree-key" }, h("bdi", {}, key), depth === 0 || key.endsWith("→") ? " " : ": ");
    const row = h("div", { class: opens ? "tree-row opens" : "tree-row" }, name, value);
    // By its own line: what is open in it has names of its own.
    const item = h("li", { role: "treeitem", "aria-label": (row.textContent ?? "").slice(0, 300), tabindex: "-1", "aria-expanded": opens ? "false" : null }, row);
    this.places.set(item, at);
    if (opens && --this.unasked > 0 && (this.opened.get(pathOf(this.branches, at)) ?? open)) this.open(item);
    return item;
  }

  private open(item: HTMLElement): void {
    if (item.ariaExpanded !== "false") return;
    item.setAttribute("aria-expanded", "true");
    const members = membersAt(this.branches, this.places.get(item)!);
    item.append(h("ul", { role: "group" }, ...members.map((at) => this.item(at))));
  }

  private close(item: HTMLElement): void {
    if (item.ariaExpanded !== "true") return;
    item.setAttribute("aria-expanded", "false");
    const held = item.contains(document.activeElement) && document.activeElement !== item;
    item.lastElementChild?.remove();
    if (held) item.focus();
    else if (!this.items().some(({ tabIndex }) => tabIndex === 0)) this.hold(item);
  }

  private toggle(item: HTMLElement, open = item.ariaExpanded === "false"): void {
    if (item.ariaExpanded === null) return;
    this.opened.set(pathOf(this.branches, this.places.get(item)!), open);
    if (open) this.open(item);
    else this.close(item);
  }

  /** All items that are seen, in order. */
  private items(): HTMLElement[] {
    return [...this.element.querySelectorAll<HTMLElement>("[role=treeitem]")];
  }

  private hold(item: HTMLElement): void {
    for (const each of this.items()) each.tabIndex = each === item ? 0 : -1;
  }

  private press({ target }: Event): void {
    const row = target instanceof Element ? target.closest(".tree-row") : null;
    const item = row?.parentElement;
    // A text that was selected is to be copied.
    if (!item || !getSelection()?.isCollapsed) return;
    item.focus({ preventScroll: true });
    this.toggle(item);
  }

  private key(event: KeyboardEvent): void {
    const item = event.target;
    if (!(item instanceof HTMLElement) || item.role !== "treeitem" || event.ctrlKey || event.metaKey || event.altKey) return;
    const items = this.items();
    const at = items.indexOf(item);
    const parent = item.parentElement?.closest<HTMLElement>("[role=treeitem]");
    const keys: Record<string, () => void> = {
      ArrowDown: () => items[at + 1]?.focus(),
      ArrowUp: () => items[at - 1]?.focus(),
      ArrowRight: () => (item.ariaExpanded === "true" ? items[at + 1]?.focus() : this.toggle(item, true)),
      ArrowLeft: () => (item.ariaExpanded === "true" ? this.toggle(item, false) : parent?.focus()),
      Home: () => items[0]?.focus(),
      End: () => items.at(-1)?.focus(),
      Enter: () => this.toggle(item),
      " ": () => this.toggle(item),
      "*": () => [...(item.parentElement?.children ?? [])].forEach((each) => this.toggle(each as HTMLElement, true)),
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
