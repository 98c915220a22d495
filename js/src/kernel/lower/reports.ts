// Reports of a kernel: lines that `print` writes, conditions that `assert` checks, and the first
// NaN. The kernel itself does without. A second one, made of the same source, has four outputs of
// its own for them, so that a report changes neither a result nor a derivative.
//
// An assertion that fails keeps the least number of an invocation in which it does, and how often,
// which no order of invocations changes. A line takes its place in a buffer by an atomic add.

import type { AnyNode, CallExpression, Expression, TemplateLiteral } from "acorn";
import type { Source } from "../errors.js";
import type { ExprId, KernelDType, KernelOutput, Stmt } from "../ir.js";
import { num, type Num } from "../numbers.js";
import { Accesses } from "./accesses.js";
import { NOTHING, type Value } from "./values.js";

/** Words of the buffer that lines go into. */
export const REPORT_WORDS = 8192;
/** Elements of a local array that a line shows. */
const MOST_SHOWN = 32;

/** A part of a line. */
export type Shown =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "number"; readonly dtype: KernelDType }
  | { readonly is: "list"; readonly keys: readonly string[] | null; readonly items: readonly Shown[] };

/** A place of the source that reports. */
export interface Site {
  readonly kind: "print" | "assert" | "nan";
  readonly source: Source;
  readonly at: number;
  /** The parts of a line, each group without spaces between. */
  readonly groups: readonly (readonly Shown[])[];
  /** What an assertion says. */
  readonly text: string;
}

/** The outputs of a report: the least invocation by site, how often by site, the words of lines so
 * far, the lines. */
export const REPORT_OUTPUTS: readonly KernelOutput[] = [
  { name: "first", dtype: "u32", rank: 1, combine: "Min", initial: { bits: 0xffff_ffff } },
  { name: "count", dtype: "u32", rank: 1, combine: "Add", initial: { bits: 0 } },
  { name: "used", dtype: "u32", rank: 1, combine: "Add", initial: { bits: 0 } },
  { name: "lines", dtype: "u32", rank: 1, combine: "Set", initial: { bits: 0 } },
];
const [FIRST, COUNT, USED, LINES] = [0, 1, 2, 3] as const;

export abstract class Reports extends Accesses {
  /** Places that report, in the order in which they were lowered. */
  readonly sites: Site[] = [];

  private site(kind: Site["kind"], at: number, groups: Site["groups"] = [], text = ""): number {
    return this.sites.push({ kind, source: this.source, at, groups, text }) - 1;
  }

  private get reports(): boolean {
    return this.settings.report !== "none";
  }

  protected print(node: CallExpression, isUsed: boolean): Value {
    if (isUsed) this.fail(node, "print gives nothing back: write it as a statement of its own");
    const pieces = node.arguments.map((each) => (each.type === "TemplateLiteral" ? piecesOf(each) : [each]));
    const asked = pieces.flat().filter((piece): piece is Exclude<typeof piece, string> => typeof piece !== "string" && !isText(piece));
    const { builder } = this;
    const before = builder.effects;
    const [values, block] = builder.within(() =>
      this.inOrder(asked, (each) => (each.type === "SpreadElement" ? this.fail(each, "`...` is not supported here: print the array itself") : this.expression(each))),
    );
    // Without a report the arguments are evaluated for what they do alone.
    if (this.reports || builder.effects !== before) builder.block.push(...block);
    const words: ExprId[] = [];
    const [groups, writing] = builder.within(() => {
      let next = 0;
      return pieces.map((group) => group.map((piece): Shown => {
        if (typeof piece === "string") return { is: "text", text: piece };
        return isText(piece) ? { is: "text", text: piece.value } : this.shown(piece, values[next++] as Value, words);
      }));
    });
    if (this.reports) builder.block.push(...writing);
    const site = this.site("print", node.start, groups);
    if (this.reports) this.line(site, words);
    return NOTHING;
  }

  /** The form of a value; its numbers join `words`. */
  private shown(node: AnyNode, value: Value, words: ExprId[]): Shown {
    const number = (x: Num): Shown => {
      const bits = x.dtype === "f32" || x.dtype === "i32" ? this.builder.add({ is: "Bitcast", dtype: "u32", x: this.arithmetic.own(x) }) : this.arithmetic.as("u32", x);
      words.push(this.builder.once("u32", bits, "word"));
      return { is: "number", dtype: x.dtype };
    };
    switch (value.is) {
      case "aggregate":
        return { is: "list", keys: value.keys, items: value.fields.map((_, n) => this.shown(node, this.field(value, n), words)) };
      case "memory":
        if (value.length > MOST_SHOWN) this.fail(node, `\`${this.text(node)}\` has ${value.length} elements, and a line shows at most ${MOST_SHOWN}: print some of them`);
        return { is: "list", keys: null, items: Array.from({ length: value.length }, (_, n) => number(this.element(value, n))) };
      default:
        return number(this.asNumber(node, value));
    }
  }

  protected assert(node: CallExpression, isUsed: boolean): Value {
    const [condition, said] = node.arguments;
    if (!condition || condition.type === "SpreadElement" || node.arguments.length > 2 || (said && !isText(said))) {
      return this.fail(node, 'assert takes a condition, and what to say where it does not hold: assert(x > 0, "x is positive")');
    }
    if (isUsed) this.fail(node, "assert gives nothing back: write it as a statement of its own");
    const before = this.builder.effects;
    const [holds, block] = this.builder.within(() => this.test(condition));
    const site = this.site("assert", node.start, [], said ? (said as { value: string }).value : this.text(condition));
    if (this.reports || this.builder.effects !== before) this.builder.block.push(...block);
    if (this.reports) this.count(site, this.arithmetic.not(holds));
    return NOTHING;
  }

  /** The value, whose first NaN is reported where the kernel looks for them. */
  protected override watched(value: Num): Num {
    if (this.settings.report !== "nan" || value.dtype !== "f32" || value.constant !== null || this.builder.isStable(value.expr)) return value;
    const once = this.arithmetic.once(value, "seen");
    this.count(this.site("nan", this.start), num("bool", this.builder.unary("IsNan", once.expr)));
    return once;
  }

  /** The invocation's number in row-major order, as a u32. */
  private get invocation(): ExprId {
    const { builder } = this;
    let number = builder.literal("i32", 0);
    for (let axis = 0; axis < this.settings.rank; axis++) {
      const at = builder.add({ is: "Index", coordinate: "Grid", axis });
      number = axis === 0 ? at : builder.binary("Add", builder.binary("Mul", number, builder.add({ is: "GridExtent", axis })), at);
    }
    return builder.cast("u32", number);
  }

  /** Counts an invocation at a site where a condition holds, and keeps the least that did. */
  private count(site: number, condition: Num): void {
    if (condition.constant === 0) return;
    const { builder } = this;
    const at = builder.literal("i32", site);
    const then: Stmt[] = [this.report(FIRST, at, this.invocation), this.report(COUNT, at, builder.literal("u32", 1))];
    if (condition.constant === 1) then.forEach((stmt) => builder.emit(stmt));
    else builder.emit({ is: "If", condition: condition.expr, then, otherwise: [] });
  }

  /** Appends a line: its site, the invocation, and the numbers. */
  private line(site: number, words: readonly ExprId[]): void {
    const { builder } = this;
    const place = builder.local("place", "u32");
    builder.emit(this.report(COUNT, builder.literal("i32", site), builder.literal("u32", 1)));
    builder.emit(this.report(USED, builder.literal("i32", 0), builder.literal("u32", words.length + 2), place));
    // Beyond the buffer, however far the count has gone, nothing is stored.
    const first = builder.once("i32", builder.cast("i32", builder.binary("Min", builder.read(place), builder.literal("u32", REPORT_WORDS))), "first");
    [builder.literal("u32", site), this.invocation, ...words].forEach((word, n) => {
      builder.emit(this.report(LINES, builder.binary("Add", first, builder.literal("i32", n)), word));
    });
  }

  private report(which: number, at: ExprId, value: ExprId, before: number | null = null): Stmt {
    return { is: "Store", output: this.settings.firstReport + which, indices: [at], value, before };
  }
}

/** A string that is written out. */
function isText(node: AnyNode): node is Extract<AnyNode, { type: "Literal" }> & { value: string } {
  return node.type === "Literal" && typeof node.value === "string";
}

/** The texts and expressions of a template. */
function piecesOf({ quasis, expressions }: TemplateLiteral): (string | Expression)[] {
  return quasis.flatMap(({ value }, n) => [value.cooked ?? value.raw, ...(expressions[n] ? [expressions[n]] : [])]).filter((piece) => piece !== "");
}
