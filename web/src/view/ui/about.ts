// Help on a part of the page: a `?` that shows one or two sentences below it. The text is in
// the flow, so nothing is covered and nothing is cut off in a dialog or on a phone.

import { h } from "./dom";

export interface About {
  readonly button: HTMLButtonElement;
  readonly text: HTMLElement;
}

let count = 0;

/** `what` names the part for those who hear the button. */
export function about(what: string, sentences: string): About {
  const id = `about-${++count}`;
  const text = h("p", { class: "about-text", id, hidden: true }, sentences);
  const button = h("button", { class: "about-button", type: "button", "aria-label": `Help: ${what}`, title: `Help: ${what}`, "aria-expanded": "false", "aria-controls": id, onclick: () => show(text.hidden !== false) }, "?");
  const show = (open: boolean) => {
    text.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
  };
  button.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || text.hidden) return;
    // What is around it stays open.
    event.preventDefault();
    event.stopPropagation();
    show(false);
  });
  return { button, text };
}
