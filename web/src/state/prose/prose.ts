// Markdown formatting. A text becomes a tree of a few elements, read by marked: no HTML passes from
// a notebook to the page. Hostile texts can take long to read, so a worker that the page can end
// does it (`prose/worker.ts`), and the result is bounded here.

import { Lexer, Tokenizer } from "marked";
import type { MarkedToken, Token, TokenizerThis, Tokens } from "marked";
import { LIMITS } from "../limits";
import type { MathElement, Prose, ProseElement, ProseNode, ProseTag } from "./prose-tree";

/** Raw HTML is text, and comments are nothing; an address in plain text is text. */
class ProseTokenizer extends Tokenizer {
  override html(source: string): Tokens.HTML | undefined {
    const token = super.html(source);
    return token?.raw.startsWith("<!--") ? token : undefined;
  }
  override tag(source: string): Tokens.Tag | undefined {
    const token = super.tag(source);
    return token?.raw.startsWith("<!--") ? token : undefined;
  }
  override url(): undefined {
    return undefined;
  }
}

/** Reads a formula; null where it cannot. */
export type ReadMaths = (tex: string, display: boolean) => MathElement | null;

interface Formula {
  readonly type: "formula";
  readonly raw: string;
  readonly text: string;
  readonly display: boolean;
}

/** `$x^2$`: what is inside touches its marks, and no figure follows, as one does a price; `$$…$$`
 * stands by itself or in a line. */
const INLINE = /^\$(?![\s$])((?:\\[^]|[^\\$\n]|\n(?!\s*\n))+)\$(?!\d)/;

function displayFormula(source: string): Formula | undefined {
  if (!source.startsWith("$$")) return undefined;
  const end = source.indexOf("$$", 2);
  const text = end < 0 ? "" : source.slice(2, end).trim();
  return text === "" || text.length > LIMITS.formula || /\n\s*\n/.test(text) ? undefined : { type: "formula", raw: source.slice(0, end + 2), text, display: true };
}

function inlineFormula(source: string): Formula | Tokens.Text | undefined {
  const display = displayFormula(source);
  if (display) return display;
  // Read as one piece: tried at every mark of it, a long run would take as long as its square.
  const [run] = /^\${2,}/.exec(source) ?? [];
  if (run !== undefined) return { type: "text", raw: run, text: run, escaped: false };
  const found = INLINE.exec(source.slice(0, LIMITS.formula + 2));
  return found && !/\s$/.test(found[1]!) ? { type: "formula", raw: found[0], text: found[1]!, display: false } : undefined;
}

const blockFormula = (source: string): Formula | undefined => {
  const formula = displayFormula(source);
  // Behind it the line ends.
  return formula && /^[ \t]*(?:\n|$)/.test(source.slice(formula.raw.length, formula.raw.length + 80)) ? formula : undefined;
};
type Extension = (this: TokenizerThis, source: string) => Tokens.Generic | undefined;
const start = (source: string) => {
  const at = source.indexOf("$");
  return at < 0 ? undefined : at;
};
const FORMULAS = {
  renderers: {},
  childTokens: {},
  block: [blockFormula as Extension],
  inline: [inlineFormula as Extension],
  startInline: [start as (source: string) => number | void],
};

/** Whether a text may hold formulas: what reads them is fetched for those alone. */
export const mayHoldMaths = (source: string): boolean => /\$[^]*\$/.test(source);

export function formatProse(source: string, maths: ReadMaths | null = null): Prose {
  const tokens = new Lexer({ gfm: true, tokenizer: new ProseTokenizer(), ...(maths ? { extensions: FORMULAS } : {}) }).lex(source);
  const builder = new Builder(maths);
  const nodes: ProseNode[] = [];
  let at = 0;
  for (const token of tokens) {
    const part = builder.blocks([token], 0);
    // A block is shown whole or not at all, unless it alone is more than a page can hold.
    if (builder.full) return { nodes: nodes.length > 0 ? nodes : part, rest: at };
    nodes.push(...part);
    at += token.raw.length;
  }
  return { nodes, rest: null };
}

class Builder {
  private left: number = LIMITS.proseElements;
  /** The last character written: quotation marks lean on it. */
  private before = " ";

  constructor(private readonly maths: ReadMaths | null) {}

  get full(): boolean {
    return this.left < 0;
  }

  private element(tag: ProseTag, children: ProseNode[], more: Omit<ProseElement, "tag" | "children"> = {}): ProseElement[] {
    return --this.left < 0 ? [] : [{ tag, children, ...more }];
  }

  blocks(tokens: readonly Token[], depth: number): ProseNode[] {
    if (depth > LIMITS.proseDepth) return tokens.map(({ raw }) => raw);
    const nodes: ProseNode[] = [];
    for (const token of tokens) {
      if (this.full) break;
      nodes.push(...this.node(token as MarkedToken, depth + 1));
    }
    return nodes;
  }

  private formula({ text, display, raw }: Formula): ProseNode[] {
    this.before = "x";
    const formula = this.maths?.(text, display);
    if (!formula) return this.element("code", [raw]);
    this.left -= sizeOf(formula);
    return this.full ? [] : [formula];
  }

  private node(token: MarkedToken | Formula, depth: number): ProseNode[] {
    const inside = (tokens: readonly Token[]) => this.blocks(tokens, depth);
    switch (token.type) {
      case "formula":
        return this.formula(token);
      case "heading":
        this.before = " ";
        return this.element(`h${token.depth}` as ProseTag, inside(token.tokens));
      case "paragraph":
        this.before = " ";
        return this.element("p", inside(token.tokens));
      case "text":
        return token.tokens ? inside(token.tokens) : [this.text(token.text)];
      case "escape":
        this.before = token.text;
        return [token.text];
      case "strong":
        return this.element("strong", inside(token.tokens));
      case "em":
        return this.element("em", inside(token.tokens));
      case "del":
        return this.element("s", inside(token.tokens));
      case "codespan":
        this.before = "x";
        return this.element("code", [token.text]);
      case "code":
        return this.element("pre", this.element("code", [`${token.text}\n`]));
      case "br":
        return this.element("br", []);
      case "hr":
        return this.element("hr", []);
      case "blockquote":
        return this.element("blockquote", inside(token.tokens));
      case "list":
        return this.element(token.ordered ? "ol" : "ul", this.items(token.items, depth), token.ordered && token.start !== "" ? { start: token.start } : {});
      case "checkbox":
        return [token.checked ? "☑ " : "☐ "];
      case "table":
        return this.table(token, depth);
      case "link":
        return this.element("a", inside(token.tokens), { address: decodeEntities(token.href), ...titled(token) });
      case "image":
        return this.element("img", [], { address: decodeEntities(token.href), alternative: decodeEntities(token.text), ...titled(token) });
      default:
        return [];
    }
  }

  private items(items: readonly Tokens.ListItem[], depth: number): ProseNode[] {
    return items.flatMap((item) => {
      if (this.full) return [];
      this.before = " ";
      return this.element("li", this.blocks(item.tokens, depth + 1));
    });
  }

  private table({ header, rows, align }: Tokens.Table, depth: number): ProseNode[] {
    // Columns of figures stand to the right, unless the text says otherwise.
    const figures = header.map((_, at) => rows.length > 0 && rows.slice(0, 50).every((cells) => FIGURE.test((cells[at]?.text ?? "").slice(0, 40))));
    const row = (tag: "th" | "td", cells: readonly Tokens.TableCell[]) =>
      this.element("tr", cells.flatMap((cell, at) => {
        if (this.full) return [];
        this.before = " ";
        const side = align[at] ?? (figures[at] ? "right" : null);
        return this.element(tag, this.blocks(cell.tokens, depth + 1), side ? { align: side } : {});
      }));
    const head = this.element("thead", row("th", header));
    const body = this.element("tbody", rows.flatMap((cells) => (this.full ? [] : row("td", cells))));
    return this.element("table", [...head, ...body]);
  }

  private text(raw: string): string {
    const text = typeset(decodeEntities(raw), this.before);
    this.before = text.at(-1) ?? this.before;
    return text;
  }
}

const FIGURE = /^[-+−]?[\d.,]+(?:e[-+]?\d+)?\s?%?$/i;

const sizeOf = ({ children }: MathElement): number => children.reduce((sum, child) => sum + (typeof child === "string" ? 0 : sizeOf(child)), 1);

const titled = ({ title }: { title?: string | null }) => (title ? { title: decodeEntities(title) } : {});

/** Quotation marks that open and close, apostrophes, dashes and dots, as they are printed. */
function typeset(text: string, before: string): string {
  const opens = (at: number, whole: string) => /[\s([{\u2013\u2014\u201c\u2018]/.test(at === 0 ? before : whole[at - 1]!);
  return text
    .replace(/\.{3}/g, "…")
    .replace(/-{2,3}/g, (dashes) => (dashes.length === 3 ? "—" : "–"))
    .replace(/"/g, (_, at: number, whole: string) => (opens(at, whole) ? "“" : "”"))
    .replace(/'/g, (_, at: number, whole: string) => (opens(at, whole) ? "‘" : "’"));
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", copy: "©", reg: "®", trade: "™", deg: "°", times: "×", middot: "·",
  minus: "−", plusmn: "±", ndash: "–", mdash: "—", hellip: "…", larr: "←", rarr: "→", harr: "↔", le: "≤", ge: "≥", ne: "≠", asymp: "≈",
  infin: "∞", sum: "∑", radic: "√", alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", theta: "θ", lambda: "λ", mu: "μ",
  pi: "π", sigma: "σ", eacute: "é", auml: "ä", ouml: "ö", uuml: "ü", szlig: "ß",
};

/** `&amp;`, `&#228;`, `&#xe4;`; a name that is not known stays as it is. */
function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]{1,12}));/g, (whole, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal);
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? "\ufffd" : String.fromCodePoint(code);
  });
}
