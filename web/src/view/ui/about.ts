// Help on a part of the page: a `?` that shows one or two sentences below it. The text is in
// the flow, so nothing is covered and nothing is cut off in a dialog or on a phone.

import { h } from "./dom";
import type { HELP } from "./help";

export interface About {
  readonly button: HTMLButtonElement;
  readonly text: HTMLElement;
}

let count = 0;

/** `what` names the part for those who hear the button; `said` may be fetched when it is first
 * asked for. */
export function about(what: string, said: string | (() => Promise<string>)): About {
  const id = `about-${++count}`;
  const text = h("p", { class: "about-text", id, hidden: true }, typeof said === "string" ? said : "");
  const button = h("button", { class: "about-button", type: "button", "aria-label": `Help: ${what}`, title: `Help: ${what}`, "aria-expanded": "false", "aria-controls": id, onclick: () => show(text.hidden !== false) });
  // The mark itself is of the style sheet: it is no part of an output's text.
  const show = (open: boolean) => {
    if (typeof said !== "string" && text.textContent === "") void said().then((found) => (text.textContent = found), () => (text.textContent = "The help could not be fetched."));
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

/** Help whose words come with the first that is asked for. */
export const helpWith = (what: string, key: keyof typeof HELP): About => about(what, () => import("./help").then(({ HELP }) => HELP[key]));

/** Help in the corner of an output: what the output is drawn with, after all else. */
export function explained(element: HTMLElement, what: string, key: keyof typeof HELP): readonly HTMLElement[] {
  const { button, text } = helpWith(what, key);
  element.classList.add("explained", `about-${key}`);
  return [button, text];
}
