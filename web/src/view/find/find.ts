// Panel for finding and replacing text over the whole notebook.

import { findAll, MOST, replaceAll, replacementOf } from "../../state/notebook/find";
import type { Match, Query } from "../../state/notebook/find";
import type { Workspace } from "../../state/notebook/workspace";
import { about } from "../ui/about";
import { h } from "../ui/dom";
import type { Early } from "../ui/early";
import { icon } from "../ui/icons";
import "../../styles/find.css";

export interface FindActions {
  readonly workspace: Workspace;
  reveal(id: string, from: number, to: number): void;
  changed(what: string): void;
}

let open: FindPanel | null = null;

/** Opens the panel, or gives it the focus; looks for what is selected, where that is a part of a
 * line, or for what was typed before the panel came. */
export function showFind(wanted: Early, actions: FindActions): void {
  open ??= new FindPanel(actions, () => (open = null));
  open.begin(wanted);
}

class FindPanel {
  private readonly text = h("input", { type: "text", class: "find-field", "aria-label": "Find", placeholder: "Find", spellcheck: "false" });
  private readonly replacement = h("input", { type: "text", class: "find-field", "aria-label": "Replace with", placeholder: "Replace with", spellcheck: "false" });
  private readonly matchCase = toggle("Aa", "Match case", () => this.search());
  private readonly regular = toggle(".*", "Regular expression", () => this.search());
  private readonly count = h("span", { class: "find-count", role: "status" });
  private readonly element: HTMLElement;
  private matches: readonly Match[] = [];
  private at = -1;
  private readonly before = document.activeElement;
  private readonly end: () => void;

  constructor(
    private readonly actions: FindActions,
    private readonly closed: () => void,
  ) {
    const button = (label: string, act: () => void) => h("button", { type: "button", class: "plain-button small", onclick: act }, label);
    const small = (name: "up" | "down" | "close", label: string, act: () => void) => h("button", { type: "button", class: `icon-button find-${name}`, "aria-label": label, title: label, onclick: act }, icon(name));
    const help = about("Find and replace", "Searches the text and code of all cells. Enter goes to the next match, Shift Enter to the one before; in a regular expression, $1 stands for the first group.");
    this.element = h(
      "div",
      { class: "find", role: "search", "aria-label": "Find and replace" },
      h("div", { class: "find-row" }, this.text, this.matchCase, this.regular, this.count, small("up", "Previous match", () => this.go(-1)), small("down", "Next match", () => this.go(1)), help.button, small("close", "Close", () => this.close())),
      h("div", { class: "find-row" }, this.replacement, button("Replace", () => this.replace()), button("Replace all", () => this.replaceAll())),
      help.text,
    );
    this.text.addEventListener("input", () => this.search());
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
      else if (event.key === "Enter" && event.target === this.text) this.go(event.shiftKey ? -1 : 1);
      else if (event.key === "Enter" && event.target === this.replacement) this.replace();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    this.end = actions.workspace.events.subscribe(({ type }) => type !== "saved" && type !== "rival" && this.look());
    document.querySelector("header")?.after(this.element);
  }

  begin({ text, typed }: Early): void {
    if (text !== "") this.text.value = text;
    this.text.focus();
    if (typed) this.text.setSelectionRange(text.length, text.length);
    else this.text.select();
    this.search();
  }

  private get query(): Query {
    return { text: this.text.value, matchCase: this.matchCase.getAttribute("aria-pressed") === "true", regular: this.regular.getAttribute("aria-pressed") === "true" };
  }

  private search(): void {
    this.at = -1;
    this.look();
  }

  /** Finds anew: the text or what is looked for has changed. */
  private look(): void {
    try {
      this.matches = findAll(this.actions.workspace.cells, this.query);
      this.text.removeAttribute("aria-invalid");
      this.at = Math.min(this.at, this.matches.length - 1);
      this.tell();
    } catch {
      this.matches = [];
      this.text.setAttribute("aria-invalid", "true");
      this.count.textContent = "Not a regular expression";
    }
  }

  private tell(): void {
    const { length } = this.matches;
    const all = length >= MOST ? `${MOST.toLocaleString("en")}+` : length.toLocaleString("en");
    this.count.textContent = this.text.value === "" ? "" : length === 0 ? "No matches" : this.at >= 0 ? `${this.at + 1} of ${all}` : `${all} ${length === 1 ? "match" : "matches"}`;
  }

  private go(step: -1 | 1): void {
    const { length } = this.matches;
    if (length === 0) return;
    this.at = this.at < 0 ? (step > 0 ? 0 : length - 1) : (this.at + step + length) % length;
    const match = this.matches[this.at]!;
    this.actions.reveal(match.cell, match.from, match.to);
    this.tell();
  }

  private replace(): void {
    const match = this.matches[this.at];
    const source = match && this.actions.workspace.find(match.cell)?.source;
    if (!match || source === undefined) return this.go(1);
    const text = replacementOf(source, match, this.query, this.replacement.value);
    this.actions.workspace.rewrite(new Map([[match.cell, source.slice(0, match.from) + text + source.slice(match.to)]]));
    // The next one has its number now, unless the replacement matches too.
    const next = this.matches.findIndex(({ cell, from }) => cell === match.cell && from >= match.from + text.length);
    this.at = (next >= 0 ? next : this.at) - 1;
    this.go(1);
  }

  private replaceAll(): void {
    const { length } = this.matches;
    if (length === 0) return;
    this.actions.workspace.rewrite(replaceAll(this.actions.workspace.cells, this.query, this.replacement.value));
    this.actions.changed(`${length.toLocaleString("en")} ${length === 1 ? "match was" : "matches were"} replaced.`);
  }

  private close(): void {
    this.end();
    this.element.remove();
    this.closed();
    if (this.before instanceof HTMLElement && this.before.isConnected) this.before.focus({ preventScroll: true });
  }
}

function toggle(text: string, label: string, changed: () => void): HTMLButtonElement {
  const button = h("button", {
    type: "button",
    class: "find-toggle",
    "aria-pressed": "false",
    "aria-label": label,
    title: label,
    onclick: () => {
      button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
      changed();
    },
  }, text);
  return button;
}
