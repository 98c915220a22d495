// A text's tree as HTML, for exported pages: the elements of `view/prose/prose.ts`, written out.
// Names of elements and attributes are those of the tree's own lists; all else is escaped.

import { destination } from "../notebook/links";
import { carriedPicture } from "../prose/pictures";
import { MATH_ATTRIBUTES, MATH_TAGS, PROSE_TAGS } from "../prose/prose-tree";
import type { MathElement, ProseNode } from "../prose/prose-tree";
import { escapeHtml } from "./escape";

const tags: ReadonlySet<string> = new Set(PROSE_TAGS);
const mathTags: ReadonlySet<string> = new Set(MATH_TAGS);
const mathAttributes: ReadonlySet<string> = new Set(MATH_ATTRIBUTES);
const EMPTY: ReadonlySet<string> = new Set(["br", "hr"]);

export interface ProseSurroundings {
  /** Pictures that the text carries itself. */
  readonly carried: readonly string[];
  /** Address of the folder that holds the page. */
  readonly site: string;
  /** A picture as a `data:` address; null where there is none. */
  readonly picture: (address: string) => string | null;
}

export const proseHtml = (nodes: readonly ProseNode[], around: ProseSurroundings): string => nodes.map((node) => nodeHtml(node, around)).join("");

function nodeHtml(node: ProseNode, around: ProseSurroundings): string {
  if (typeof node === "string") return escapeHtml(node);
  if ("math" in node) return mathHtml(node);
  if (!tags.has(node.tag)) return "";
  const { tag, address = "", alternative = "", title, start, align } = node;
  const titled = title === undefined ? "" : ` title="${escapeHtml(title)}"`;
  if (tag === "img") {
    const picture = around.picture(carriedPicture(address, around.carried));
    return picture === null ? `<span class="note">[${escapeHtml(alternative || "picture")}]</span>` : `<img src="${escapeHtml(picture)}" alt="${escapeHtml(alternative)}"${titled}>`;
  }
  const inside = proseHtml(node.children, around);
  if (tag === "a") {
    const to = destination(address, around.site);
    if (!to) return `<span${titled}>${inside}</span>`;
    const href = to.kind === "inside" && !to.href.startsWith("#") ? new URL(to.href, around.site).href : to.href;
    return `<a href="${escapeHtml(href)}"${titled} rel="noreferrer noopener nofollow">${inside}</a>`;
  }
  if (EMPTY.has(tag)) return `<${tag}>`;
  const attributes = `${tag === "ol" && start !== undefined && start !== 1 ? ` start="${Number(start)}"` : ""}${align ? ` class="align-${escapeHtml(align)}"` : ""}`;
  const element = `<${tag}${attributes}>${inside}</${tag}>`;
  return tag === "table" ? `<div class="scroll">${element}</div>` : element;
}

function mathHtml({ math, attributes, children, side, tex }: MathElement): string {
  const tag = mathTags.has(math) ? math : "mrow";
  const written = Object.entries(attributes).flatMap(([name, value]) => (mathAttributes.has(name) ? [` ${name}="${escapeHtml(value)}"`] : []));
  if (side) written.push(` class="align-${side}"`);
  if (tex !== undefined) written.push(` alttext="${escapeHtml(tex)}"`);
  return `<${tag}${written.join("")}>${children.map((child) => (typeof child === "string" ? escapeHtml(child) : mathHtml(child))).join("")}</${tag}>`;
}
