// Tree of formatted prose: the elements that a notebook's text can become on the page.

export const PROSE_TAGS = [
  "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong", "s", "a", "img", "br", "hr",
  "table", "thead", "tbody", "tr", "th", "td",
] as const;
export type ProseTag = (typeof PROSE_TAGS)[number];

export interface ProseElement {
  readonly tag: ProseTag;
  readonly children: ProseNode[];
  /** Of a link or a picture, as it was written. */
  readonly address?: string;
  readonly title?: string;
  /** What stands for a picture that is not shown. */
  readonly alternative?: string;
  /** The first number of an ordered list. */
  readonly start?: number;
  /** Of a table's cell. */
  readonly align?: "center" | "left" | "right";
}

export const MATH_TAGS = [
  "math", "mrow", "mi", "mo", "mn", "mtext", "ms", "mspace", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts", "mprescripts",
  "mtable", "mtr", "mtd", "mpadded", "mphantom", "mstyle", "menclose",
] as const;
export type MathTag = (typeof MATH_TAGS)[number];
export const MATH_ATTRIBUTES = [
  "display", "displaystyle", "scriptlevel", "mathvariant", "stretchy", "fence", "separator", "form", "lspace", "rspace", "minsize", "maxsize", "symmetric", "largeop", "movablelimits", "accent",
  "accentunder", "linethickness", "width", "height", "depth", "voffset", "mathcolor", "mathbackground", "notation", "columnalign",
] as const;

/** A part of a formula. */
export interface MathElement {
  readonly math: MathTag;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (MathElement | string)[];
  /** Where a cell's content stands. */
  readonly side?: "left" | "right";
  /** Of a whole formula, as it was written. */
  readonly tex?: string;
}
export type ProseNode = string | ProseElement | MathElement;

export interface Prose {
  readonly nodes: ProseNode[];
  /** Where, in the source, begins what is not among the nodes; null where all of it is. */
  readonly rest: number | null;
}
