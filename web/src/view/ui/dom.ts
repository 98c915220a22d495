// Element construction. `h("button", { class: "quiet", onclick }, "Run")` takes properties,
// listeners and children. Text is always text: nothing here parses HTML. Strings are names and the
// page's own words; text that keeps its writer's direction comes as a `Text` node.

import { asName } from "../../state/prose/bidi";

type Attribute = string | number | boolean | null | undefined;
type Listener = (event: never) => void;
export type Attributes = Record<string, Attribute | Listener>;
export type Child = Node | string | null | undefined | false;

/** Attributes that are read aloud or shown. */
const WORDS: ReadonlySet<string> = new Set(["aria-label", "aria-valuetext", "alt", "placeholder", "title"]);
const written = (name: string, value: string) => (WORDS.has(name) ? asName(value) : value);

function apply(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, written(name, String(value)));
  }
}

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  apply(element, attributes);
  for (const child of children) if (child) element.append(typeof child === "string" ? asName(child) : child);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  apply(element, attributes);
  for (const child of children) if (child) element.append(typeof child === "string" ? asName(child) : child);
  return element;
}

/** Sets an attribute only if it differs, so that observers and screen readers hear of no change
 * that is none. */
export function setAttribute(element: Element, name: string, value: string): void {
  const words = written(name, value);
  if (element.getAttribute(name) !== words) element.setAttribute(name, words);
}

/** A paragraph of documentation, in which names stand between backticks; false where there is
 * none. */
export const docOf = (doc: string): HTMLElement | false => doc !== "" && h("p", {}, ...doc.split("`").map((part, n) => (n % 2 === 1 ? h("code", {}, part) : part)));

/** Whether fingers use the page, which have no keys at hand and drop no files. */
export const byTouch = (): boolean => matchMedia("(hover: none)").matches;

/** Calls `draw` at most once a frame, however often it is asked for. */
export function onceAFrame(draw: () => void): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  };
}
