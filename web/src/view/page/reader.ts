// The reader's view: text and outputs, with the code of each cell folded behind a button. An
// attribute of the document's root says that it is on; the styles do the rest.

import { setAttribute } from "../ui/dom";

const root = () => document.documentElement;
const isReading = () => root().dataset["view"] === "reader";
let listeners: (() => void)[] = [];

export function setReading(on: boolean): void {
  if (on) root().dataset["view"] = "reader";
  else delete root().dataset["view"];
  for (const listener of listeners) listener();
}

export const toggleReading = (): void => setReading(!isReading());

/** A switch shows whether it is on. */
export function showsReading(button: HTMLElement): void {
  const show = () => {
    setAttribute(button, "aria-pressed", String(isReading()));
    button.title = isReading() ? "Show all code" : "Reader's view: fold the code";
  };
  show();
  listeners = [...listeners, show];
}
