// Menus, dialogs and toasts. Menus and dialogs open from a button, close on Escape or a click
// elsewhere, and return the focus.

import { about } from "./about";
import { h } from "./dom";
import type { Child } from "./dom";
import { icon } from "./icons";
import type { IconName } from "./icons";

export interface MenuItem {
  readonly icon: IconName;
  /** One that changes is asked for when the menu opens. */
  readonly label: string | (() => string);
  readonly action: () => void;
}

/** Any <details> used as a popup closes when the reader turns elsewhere. */
export function closesItself(details: HTMLDetailsElement): void {
  document.addEventListener("pointerdown", (event) => {
    if (details.open && !event.composedPath().includes(details)) details.open = false;
  });
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    // What is around it stays open.
    event.stopPropagation();
    details.open = false;
    details.querySelector("summary")?.focus();
  });
  details.addEventListener("focusout", (event) => {
    if (event.relatedTarget instanceof Node && !details.contains(event.relatedTarget)) details.open = false;
  });
}

/** `name` is its class: there is one menu of the page, and one for each card. */
export function menu(label: string, items: readonly MenuItem[], name = "menu"): HTMLDetailsElement {
  const texts = items.map(({ label: text }) => h("span", {}, typeof text === "string" ? text : text()));
  const buttons = items.map(({ icon: name, action }, at) =>
    h("button", {
      class: "menu-item",
      type: "button",
      onclick: () => {
        // What closes gives the focus back to where it is when it opens: this button is gone by
        // then.
        details.querySelector("summary")?.focus();
        details.open = false;
        action();
      },
    }, icon(name), texts[at]!),
  );
  const details = h("details", { class: name }, h("summary", { class: "icon-button", "aria-label": label, title: label }, icon("more")), h("div", { class: "menu-list" }, ...buttons));
  details.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || !details.open) return;
    event.preventDefault();
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[(at + step + buttons.length) % buttons.length]!.focus();
  });
  details.addEventListener("toggle", () => items.forEach(({ label: text }, at) => typeof text !== "string" && (texts[at]!.textContent = text())));
  closesItself(details);
  return details;
}

/** Opens a dialog over the page; resolves when it closes, with the value of the button that closed
 * it. `help` is what its `?` says. */
export function openDialog(title: string, body: readonly Child[], buttons: readonly { label: string; value: string; primary?: boolean }[], help?: string): Promise<string> {
  const said = help === undefined ? null : about(title, help);
  const dialog = h(
    "dialog",
    { "aria-label": title },
    h("div", { class: "dialog-head" }, h("h2", {}, title), said?.button),
    h("div", { class: "dialog-body" }, said?.text, ...body),
    h("div", { class: "dialog-buttons" }, ...buttons.map(({ label, value, primary }) => h("button", { class: primary ? "plain-button primary" : "plain-button", type: "button", onclick: () => dialog.close(value) }, label))),
  );
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close(""));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) =>
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    }),
  );
}

/** A short message at the foot of the page, with at most one thing to do about it. */
export class Toast {
  readonly element = h("div", { class: "toast", role: "status", hidden: true });
  private timer: ReturnType<typeof setTimeout> | undefined;

  show(message: string, action?: { label: string; run: () => void }, seconds = 6): void {
    clearTimeout(this.timer);
    const close = () => (this.element.hidden = true);
    const focused = this.element.contains(document.activeElement);
    // The menu stays while the reader is about to press its button.
    const later = () => (this.element.contains(document.activeElement) ? (this.timer = setTimeout(later, 1_000)) : close());
    const button = action && h("button", { type: "button", class: "toast-action", onclick: () => { close(); action.run(); } }, action.label);
    this.element.replaceChildren(h("span", {}, message), ...(button ? [button] : []));
    this.element.hidden = false;
    if (focused) button?.focus();
    this.timer = setTimeout(later, seconds * 1_000);
  }
}
