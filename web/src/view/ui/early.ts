// Letters typed before the module of a panel has come: a field that nobody sees takes them, so that
// they go neither into the text nor nowhere.

import { h } from "./dom";

export interface Early {
  readonly text: string;
  /** Whether any of it was typed here. */
  readonly typed: boolean;
}

let current: EarlyField | null = null;

export class EarlyField {
  private readonly before: Element | null;
  private readonly field: HTMLInputElement;
  private typed = false;
  private ended = false;

  /** Has the focus at once, and `text` selected, as the panel's own field will. */
  constructor(label: string, text: string) {
    this.before = current === null ? document.activeElement : current.before;
    this.field = h("input", { type: "text", class: "visually-hidden early-field", "aria-label": label, spellcheck: "false" });
    this.field.value = text;
    this.field.addEventListener("input", () => (this.typed = true));
    this.field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") this.end();
    });
    document.body.append(this.field);
    this.field.focus({ preventScroll: true });
    this.field.select();
    current = this;
  }

  /** Gives the focus back to what had it; null where the reader does not want the panel any
   * more. */
  end(): Early | null {
    if (this.ended) return null;
    this.ended = true;
    if (current === this) current = null;
    const { value } = this.field;
    const held = document.activeElement === this.field;
    this.field.remove();
    if (held && this.before instanceof HTMLElement) this.before.focus({ preventScroll: true });
    return { text: value, typed: this.typed };
  }
}
