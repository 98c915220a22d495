// View of Markdown: elements made one by one from the tree of `state/prose/prose.ts`. Nothing here
// turns text into HTML. A text that is too long, or took too long to read, is shown unformatted
// when the reader asks for it.

import { site } from "../../host/fetch";
import { readProse } from "../../host/prose";
import { asName, withControlsShown, withoutOverrides } from "../../state/prose/bidi";
import { LIMITS } from "../../state/limits";
import { destination } from "../../state/notebook/links";
import { carriedPicture, extractPictures } from "../../state/prose/pictures";
import { MATH_ATTRIBUTES, MATH_TAGS, PROSE_TAGS } from "../../state/prose/prose-tree";
import { preparedProse } from "../../state/prose/prepared";
import type { MathElement, ProseElement, ProseNode } from "../../state/prose/prose-tree";
import { h } from "../ui/dom";
import type { Child } from "../ui/dom";
import { openDialog } from "../ui/menu";
import { pictureView } from "./picture";

const tags: ReadonlySet<string> = new Set(PROSE_TAGS);
const mathTags: ReadonlySet<string> = new Set(MATH_TAGS);
const mathAttributes: ReadonlySet<string> = new Set(MATH_ATTRIBUTES);
/** Characters of a text as it is written that are added at a time. */
const PAGE = 20_000;

/** A word as nobody writes it: kerned, each of its lines would cost as much as all of them
 * together. */
const UNBROKEN = /\S{200}/;

/** Which showing of an element is the latest: texts may be read in another order than they were
 * asked for. */
const showings = new WeakMap<HTMLElement, number>();
let lastShowing = 0;

/** Shows `source` in `element`. What stands there stays until the text is formatted. */
export function showProse(element: HTMLElement, source: string): void {
  const showing = ++lastShowing;
  showings.set(element, showing);
  const ready = preparedProse(source);
  if (ready) {
    element.replaceChildren(...ready.nodes.flatMap((node) => build(node, [])).filter((child): child is Node | string => Boolean(child)));
    return;
  }
  const { text, carried } = extractPictures(source);
  const end = text.length <= LIMITS.prose ? text.length : cut(text, LIMITS.prose);
  // Seen only if it takes a while until the text is formatted.
  if (!element.hasChildNodes()) element.append(h("div", { class: "as-written waiting" }, text.slice(0, 2_000)));
  void readProse(text.slice(0, end)).then((prose) => {
    if (showings.get(element) !== showing) return;
    const content = prose ? prose.nodes.flatMap((node) => build(node, carried)) : [];
    const rest = prose ? (prose.rest ?? end) : 0;
    element.classList.toggle("unbroken", UNBROKEN.test(text.slice(0, end)));
    element.replaceChildren(...content.filter((child): child is Node | string => Boolean(child)));
    if (rest < text.length) element.append(remainder(text.slice(rest), prose !== null));
  });
}

/** What is still to be shown in `element` is not wanted any more. */
export const forgetProse = (element: HTMLElement): void => void showings.delete(element);

/** Where to cut a text: behind a block if there is one's end near, else behind a line, else
 * anywhere. */
function cut(text: string, limit: number): number {
  const block = text.lastIndexOf("\n\n", limit);
  if (block > limit / 2) return block;
  const line = text.lastIndexOf("\n", limit);
  return line > limit / 2 ? line : limit;
}

function remainder(text: string, formatted: boolean): HTMLElement {
  const why = formatted ? "" : "This text took too long to format. ";
  const note = h("span", { class: "note" });
  const more = h("button", { class: "plain-button small", type: "button", onclick: () => show() }, "Show as text");
  const bar = h("p", { class: "more-bar" }, note, more);
  const element = h("div", {}, bar);
  let at = 0;
  const show = () => {
    bar.before(h("div", { class: "as-written" }, text.slice(at, at + PAGE)));
    at += PAGE;
    if (at >= text.length) bar.remove();
    else count();
  };
  const count = () => (note.textContent = `${at === 0 ? why : ""}${(text.length - at).toLocaleString("en")} more characters not shown. `);
  count();
  if (!formatted) show();
  return element;
}

/** Elements that take their direction from what stands in them. */
const READ_BY_THEMSELVES: ReadonlySet<string> = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote", "th", "td"]);

/** How the texts within an element are written, where that is another way than those around it. */
function writtenIn(tag: string): ((text: string) => string) | null {
  if (/^h[1-6]$/.test(tag)) return asName;
  return tag === "pre" || tag === "code" ? withControlsShown : null;
}

function build(node: ProseNode, carried: readonly string[], written = withoutOverrides): Child[] {
  if (typeof node === "string") return [document.createTextNode(written(node))];
  if ("math" in node) return [formula(node)];
  if (!tags.has(node.tag)) return [];
  const { tag, address = "", alternative = "", title } = node;
  if (tag === "img") return [pictureView(carriedPicture(address, carried), alternative, title)];
  const children = node.children.flatMap((child) => build(child, carried, writtenIn(tag) ?? written));
  if (tag === "a") return [link(address, title, children)];
  // A notebook is not a page of its own: its headings begin below the page's.
  if (/^h[1-6]$/.test(tag)) return [h(tag, { class: tag, dir: "auto" }, ...children)];
  // Alone, a table scrolls sideways on a narrow screen instead of widening the page.
  if (tag === "table") return [h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Table" }, h("table", {}, ...children))];
  return [h(tag, attributes(node), ...children)];
}

/** A formula, in a frame of its own in which it scrolls where it is wide. */
function formula(node: MathElement): HTMLElement {
  const display = node.attributes["display"] === "block";
  return h("span", { class: display ? "formula display" : "formula", ...(display ? { tabindex: 0, role: "group", "aria-label": "Formula" } : {}) }, mathElement(node));
}

function mathElement({ math, attributes, children, side, tex }: MathElement): Element {
  const element = document.createElementNS("http://www.w3.org/1998/Math/MathML", mathTags.has(math) ? math : "mrow");
  for (const [name, value] of Object.entries(attributes)) if (mathAttributes.has(name)) element.setAttribute(name, value);
  if (side) element.setAttribute("class", `align-${side}`);
  if (tex !== undefined) element.setAttribute("alttext", asName(tex));
  element.append(...children.map((child) => (typeof child === "string" ? asName(child) : mathElement(child))));
  return element;
}

function attributes({ tag, start, align }: ProseElement): Record<string, string | number> {
  const direction: Record<string, string> = READ_BY_THEMSELVES.has(tag) ? { dir: "auto" } : {};
  if (tag === "ol" && start !== undefined && start !== 1) return { ...direction, start };
  return align ? { ...direction, class: `align-${align}` } : direction;
}

/** A link that leads out learns nothing of where it was followed, and asks before it is. */
function link(address: string, title: string | undefined, children: Child[]): HTMLElement {
  const to = destination(address, site);
  if (!to) return h("span", { title }, ...children);
  if (to.kind === "inside") return h("a", { href: to.href, title }, ...children);
  const ask = (event: MouseEvent) => {
    if (event.button > 1) return;
    event.preventDefault();
    void leave(to.href, to.place);
  };
  return h("a", { href: to.href, title, rel: "noreferrer noopener nofollow", target: "_blank", onclick: ask, onauxclick: ask }, ...children);
}

async function leave(href: string, place: string): Promise<void> {
  const shown = href.length > 300 ? `${href.slice(0, 300)}…` : href;
  const answer = await openDialog(
    "Leave this page?",
    [h("p", {}, "This notebook's link leads to ", h("b", {}, place), ". It opens in a new tab."), h("p", { class: "address" }, shown)],
    [{ label: "Open it", value: "open", primary: true }, { label: "Stay here", value: "" }],
  );
  if (answer === "open") window.open(href, "_blank", "noopener,noreferrer");
}
