// Parts that the inspector's tabs share: tables, texts to copy, links to lines.

import { h } from "../ui/dom";
import type { Child } from "../ui/dom";
import type { Origin } from "../../state/inspect/program";

/** What tabs need of the inspector. */
export interface Places {
  /** The number that the reader sees on the cell of a run; null where it is gone. */
  cellOf(run: number): number | null;
  /** The line of a place in the cell's own text, and that line. */
  lineOf(origin: Origin): { readonly cell: number; readonly line: number; readonly text: string } | null;
  goTo(origin: Origin): void;
}

export const note = (...children: Child[]): HTMLElement => h("p", { class: "inspector-note" }, ...children);

export function button(label: string, run: () => void, primary = false): HTMLButtonElement {
  return h("button", { class: primary ? "plain-button small primary" : "plain-button small", type: "button", onclick: run }, label);
}

/** A table that scrolls by itself. */
export function table(label: string, columns: readonly string[], rows: readonly (readonly Child[])[], numeric: readonly number[] = []): HTMLElement {
  const cell = (tag: "td" | "th", child: Child, column: number) => h(tag, { class: numeric.includes(column) ? "numeric" : null, ...(tag === "th" ? { scope: "col" } : {}) }, child);
  return h(
    "div",
    { class: "inspector-table", tabindex: 0, role: "group", "aria-label": label },
    h("table", {}, h("thead", {}, h("tr", {}, ...columns.map((name, n) => cell("th", name, n)))), h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((child, n) => cell("td", child, n)))))),
  );
}

/** A text with its matches marked. */
export function marked(text: string, wanted: string): Node[] {
  if (wanted === "") return [new Text(text)];
  const nodes: Node[] = [];
  const lower = text.toLowerCase();
  const sought = wanted.toLowerCase();
  let from = 0;
  for (let at = lower.indexOf(sought); at >= 0 && nodes.length < 2_000; at = lower.indexOf(sought, from)) {
    const mark = document.createElement("mark");
    mark.append(new Text(text.slice(at, at + wanted.length)));
    nodes.push(new Text(text.slice(from, at)), mark);
    from = at + wanted.length;
  }
  return [...nodes, new Text(text.slice(from))];
}

/** A text under a heading, with a button that copies it. */
export function listing(title: string, text: string, wanted: string, ...more: Child[]): HTMLElement {
  const said = h("span", { class: "inspector-said", role: "status" });
  const copy = button("Copy", () => {
    void navigator.clipboard.writeText(text).then(
      () => (said.textContent = "Copied"),
      () => (said.textContent = "This browser forbids copying: select the text instead"),
    );
  });
  copy.setAttribute("aria-label", `Copy ${title}`);
  const body = h("pre", { tabindex: 0, role: "group", "aria-label": title });
  body.append(...marked(text, wanted));
  return h("div", { class: "inspector-listing" }, h("div", { class: "inspector-listing-head" }, h("h3", {}, title), said, copy, ...more), body);
}

/** A link to the place where something was asked for, in words. */
export function placeLink(origin: Origin | null, places: Places): HTMLElement {
  if (!origin) return h("span", { class: "inspector-faint" }, "not known");
  const at = origin.line === null ? null : places.lineOf(origin);
  const cell = at?.cell ?? places.cellOf(origin.run);
  if (cell === null) return h("span", { class: "inspector-faint" }, "a cell that is gone");
  const words = `${origin.gradient ? "gradient of " : ""}cell ${cell}${at ? `, line ${at.line}` : ""}`;
  const link = h("button", { class: "inspector-link", type: "button", onclick: () => places.goTo(origin), title: at?.text.trim().slice(0, 200) || null }, words);
  return at ? h("span", {}, link, h("code", { class: "inspector-line" }, ` ${at.text.trim().slice(0, 120)}`)) : link;
}
