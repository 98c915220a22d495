// Drawings as trees of plain objects: an element of SVG with its attributes and what it contains.
// The page makes elements of them, and an export makes text. No attribute is a style: all are
// presentation attributes, which any program that shows SVG knows and which the page's policy
// allows.

import { asName } from "../prose/bidi";

export type Tag = "svg" | "g" | "path" | "rect" | "circle" | "line" | "text" | "image";

export interface Shape {
  readonly tag: Tag;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children: readonly (Shape | string)[];
}

export const shape = (tag: Tag, attributes: Readonly<Record<string, string | number>>, ...children: (Shape | string | null)[]): Shape => ({
  tag, attributes, children: children.filter((child) => child !== null),
});

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** XML has no place for control characters, nor for halves of surrogate pairs. */
const escape = (text: string) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Surrogate}]/gu, "").replace(/[&<>"]/g, (character) => ESCAPES[character]!);

/** A coordinate, in as many digits as can be seen. */
export const px = (value: number): number => Math.round(value * 10) / 10;

/** The drawing as XML. */
export function serialize({ tag, attributes, children }: Shape): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escape(asName(String(value)))}"`).join("");
  const inner = children.map((child) => (typeof child === "string" ? escape(asName(child)) : serialize(child))).join("");
  return inner === "" ? `<${tag}${written}/>` : `<${tag}${written}>${inner}</${tag}>`;
}
