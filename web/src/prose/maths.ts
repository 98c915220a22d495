// TeX formulas as MathML. A formula becomes a tree of the few MathML elements that formulas need,
// read by Temml, which the worker fetches when a text has a formula. A text may be hostile: its
// formulas are bounded in length, in expansions and in depth, and only names and plain lengths
// pass.

import temml from "temml";
import { LIMITS } from "../state/limits";
import { MATH_ATTRIBUTES, MATH_TAGS } from "../state/prose/prose-tree";
import type { MathElement, MathTag } from "../state/prose/prose-tree";

/** What Temml makes: elements, lists of them, and texts. */
interface TemmlNode {
  readonly type?: string;
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly classes?: readonly string[];
  readonly children?: readonly TemmlNode[];
}
const render = (temml as unknown as { __renderToMathMLTree(tex: string, options: object): TemmlNode }).__renderToMathMLTree;

const tags: ReadonlySet<string> = new Set(MATH_TAGS);
const attributes: ReadonlySet<string> = new Set(MATH_ATTRIBUTES);
/** A word, a number, a length of less than a hundred, a colour. */
const VALUE = /^(?:[a-z-]{1,24}|[+-]?\d{0,2}(?:\.\d{1,6})?(?:em|ex|px|pt|mu|%)?|#[\da-f]{6})$/i;

class TooDeep extends Error {}

/** Null where a formula cannot be read, or is more than is shown. */
export function readMaths(tex: string, display: boolean): MathElement | null {
  if (tex.length > LIMITS.formula) return null;
  try {
    // Macros are a formula's own: an object for each.
    const tree = render(tex, { displayMode: display, throwOnError: true, trust: false, strict: false, maxExpand: LIMITS.formulaExpansions, maxSize: [10, 20], macros: {} });
    const budget = { left: LIMITS.formulaElements };
    const [math] = convert(tree, 0, budget);
    return typeof math === "object" ? { ...math, tex } : null;
  } catch {
    // What Temml does not understand, too many expansions, a stack that ends.
    return null;
  }
}

function convert(node: TemmlNode, depth: number, budget: { left: number }): (MathElement | string)[] {
  if (depth > LIMITS.formulaDepth || --budget.left < 0) throw new TooDeep();
  if (node.text !== undefined) return [node.text];
  const children = (node.children ?? []).flatMap((child) => convert(child, depth + 1, budget));
  if (node.type === undefined) return children;
  if (!tags.has(node.type)) throw new TooDeep();
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(node.attributes ?? {})) if (attributes.has(name) && VALUE.test(String(value))) kept[name] = String(value);
  const side = node.classes?.find((each) => each === "tml-right" || each === "tml-left");
  return [{ math: node.type as MathTag, attributes: kept, children, ...(side ? { side: side === "tml-right" ? "right" : "left" } : {}) }];
}
