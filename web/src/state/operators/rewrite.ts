// Rewriting of operators, so that a cell can compute with tensors by `a * b + 1`. A check in front
// of each operator whose operands may be tensors lets numbers pass. Everything else goes to
// `$weft`, which calls the tensor's operation or JavaScript's own (`worker/run/operators.ts`).
//
//   a * b
//     →  (typeof a === "number" && typeof b === "number" ? a * b : $weft.mul(a, b))
//   f() * g()
//     →  ($1 = f(), $2 = g(), typeof $1 === "number" && typeof $2 === "number" ? $1 * $2 : $weft.mul($1, $2))
//   x += y
//     →  x = typeof x === "number" && typeof y === "number" ? x + y : $weft.add(x, y)
//   if (mask) …
//     →  if ((typeof mask === "object" ? $weft.test("if", mask) : mask)) …
//   x[i]
//     →  (x, typeof i === "object" ? $weft.at(x, i) : x[i]); where i is a number, the tensor's prototype answers
//
// The checks are written out, for engines compile a call of a shared function worse. Operands are
// evaluated once and in order: those that are no names or literals are kept in variables of the
// function around them. Where there is no place for variables (defaults of parameters, fields of
// classes), the operator becomes a plain call.

import type { AnyNode, AssignmentExpression, BinaryExpression, MemberExpression, Program, UnaryExpression, UpdateExpression } from "acorn";
import type { Edits, Part, Text } from "../code/edits";
import { children, isFunction } from "../code/syntax";
import { chained } from "./comparisons";
import { flowOf } from "./flow";
import type { Flow } from "./flow";
import { BINARY, isBinary, isUnary, UNARY, UPDATE } from "./names";
import type { Condition } from "./names";
import { freeName, placeAfter, placeOf, spaced } from "./places";

/** Variables of one function; null where none can be declared. */
interface Frame {
  count: number;
}

interface Visit {
  readonly node: AnyNode;
  readonly frame: Frame | null;
  readonly listed: boolean;
  /** Writes the node once everything below it is written; null before the node was entered. */
  leave: (() => void) | null;
}

/** An operand that can be written twice: a name, a literal, or a variable that keeps its value. */
type Ref = Part;

export interface RewriteOptions {
  /** Whether operators act on tensors; otherwise they stay as they are. */
  readonly operators: boolean;
  /** Functions that stay as they are written. */
  readonly except: ReadonlySet<AnyNode>;
  /** The statement whose value the cell shows. */
  readonly shown: AnyNode | null;
  /** For code that others read: calls without checks, and methods of what this says is a tensor. */
  readonly spelled?: (node: AnyNode) => boolean;
  /** Puts the declarations of the cell's own variables in front of everything. */
  readonly declare: (text: string) => void;
}

/** A function of the cell: its place in the source and, once the edits are applied, in the code. */
export interface FunctionPlace {
  readonly node: AnyNode;
  readonly start: () => number;
  readonly end: () => number;
}

/** Yields all functions that it passes. */
export function rewriteOperators(source: string, program: Program, edits: Edits, options: RewriteOptions): readonly FunctionPlace[] {
  return new Rewriter(source, program, edits, options).run();
}

const isObjectLike = (ref: Ref): string => `typeof ${ref.text} === "object"`;

class Rewriter {
  private readonly flow: Flow;
  private readonly functions: FunctionPlace[] = [];
  private readonly prefix: string;
  /** Where values are conditions, and of what. */
  private readonly conditions = new Map<AnyNode, Condition>();
  /** What stays as it is: members that are called, assigned to, deleted or behind a `?.`, and texts
   * with a tag. */
  private readonly kept = new Set<AnyNode>();
  /** Updates whose value nobody takes. */
  private readonly unused = new Set<AnyNode>();
  /** How many variables an expression needs while it is evaluated. */
  private readonly needs = new Map<AnyNode, number>();
  /** Places where something begins with a parenthesis now. */
  private readonly opened = new Set<number>();

  constructor(
    private readonly source: string,
    private readonly program: Program,
    private readonly edits: Edits,
    private readonly options: RewriteOptions,
  ) {
    this.flow = options.operators ? flowOf(program) : NOTHING_IS_A_TENSOR;
    this.prefix = freeName(source);
  }

  run(): readonly FunctionPlace[] {
    const pending: Visit[] = [{ node: this.program, frame: { count: 0 }, listed: false, leave: null }];
    for (let visit = pending.at(-1); visit; visit = pending.at(-1)) {
      if (visit.leave) {
        visit.leave();
        pending.pop();
        continue;
      }
      const { node, frame } = visit;
      const leave = this.enter(visit);
      const inner = node.type === "Program" || isFunction(node) ? { count: 0 } : frame;
      const declare = inner !== frame ? this.declaring(node, inner!) : null;
      const end = this.textOf(node);
      visit.leave = () => {
        leave();
        declare?.();
        end?.();
      };
      if (this.options.except.has(node)) continue;
      const list = node.type === "Program" || node.type === "BlockStatement" || node.type === "SwitchCase" || node.type === "StaticBlock";
      for (const child of children(node)) pending.push({ node: child, frame: frameOf(child, node, frame, inner), listed: list, leave: null });
    }
    return this.functions;
  }

  /** Marks where a function begins, and with what it returns where it ends. */
  private textOf(node: AnyNode): (() => void) | null {
    if (!hasText(node)) return null;
    const start = this.edits.mark(node.start);
    return () => void this.functions.push({ node, start, end: this.edits.mark(node.end) });
  }

  /** Reserves places in front of a node; the function that it returns writes them and the rest. */
  private enter({ node, frame, listed }: Visit): () => void {
    this.note(node);
    const semicolon = listed && node.type === "ExpressionStatement" && node !== this.options.shown ? this.edits.reserve(node.start) : null;
    const condition = this.conditionOf(node);
    const test = condition === null ? null : this.testing(node, condition, frame);
    const write = this.writerOf(node, frame);
    return () => {
      let need = 0;
      for (const child of children(node)) need = Math.max(need, this.needs.get(child) ?? 0);
      this.needs.set(node, need);
      write?.();
      test?.();
      if (isFunction(node) || node.type === "Program") this.needs.set(node, 0);
      // A parenthesis that begins a line would call what the line before ends with.
      if (semicolon && this.opened.has(node.start)) semicolon(";");
    };
  }

  /** Notes in which way a node uses those below it. */
  private note(node: AnyNode): void {
    const keep = (target: AnyNode | null | undefined) => target?.type === "MemberExpression" && this.kept.add(target);
    const pass = (to: AnyNode) => this.conditions.has(node) && this.conditions.set(to, this.conditions.get(node)!);
    switch (node.type) {
      case "IfStatement":
        return void this.conditions.set(node.test, "if");
      case "WhileStatement":
      case "DoWhileStatement":
        return void this.conditions.set(node.test, "while");
      case "ForStatement": {
        if (node.test) this.conditions.set(node.test, "for");
        for (const update of node.update?.type === "SequenceExpression" ? node.update.expressions : [node.update]) if (update) this.unused.add(update);
        return;
      }
      case "ExpressionStatement":
        return void this.unused.add(node.expression);
      case "ConditionalExpression":
        this.conditions.set(node.test, "?:");
        pass(node.consequent);
        return void pass(node.alternate);
      case "LogicalExpression":
        if (node.operator === "??") return;
        this.conditions.set(node.left, node.operator);
        return void pass(node.right);
      case "SequenceExpression":
        return void pass(node.expressions.at(-1)!);
      case "UnaryExpression":
        if (node.operator === "!") this.conditions.set(node.argument, "!");
        if (node.operator === "delete") keep(node.argument);
        return;
      case "CallExpression":
      case "NewExpression":
        return void keep(node.callee);
      case "TaggedTemplateExpression":
        this.kept.add(node.quasi);
        return void keep(node.tag);
      case "TemplateLiteral":
        if (!this.kept.has(node) && !this.options.spelled) for (const each of node.expressions) this.conditions.set(each, "${}");
        return;
      case "AssignmentExpression":
      case "AssignmentPattern":
      case "ForInStatement":
      case "ForOfStatement":
        return void keep(node.left);
      case "UpdateExpression":
      case "RestElement":
        return void keep(node.argument);
      case "ArrayPattern":
        return node.elements.forEach(keep);
      case "ObjectPattern":
        return node.properties.forEach((property) => keep(property.type === "Property" ? property.value : property.argument));
      case "ChainExpression": {
        const spine: AnyNode[] = [];
        for (let at: AnyNode = node.expression; at.type === "MemberExpression" || at.type === "CallExpression"; at = at.type === "MemberExpression" ? at.object : at.callee) spine.push(at);
        let behind = false;
        for (const each of spine.reverse()) {
          behind ||= (each as { optional?: boolean }).optional === true;
          if (behind) keep(each);
        }
        return;
      }
      default:
    }
  }

  /** The kind of condition that a node is, unless its operands are tested instead of it. */
  private conditionOf(node: AnyNode): Condition | null {
    const condition = this.conditions.get(node);
    if (condition === undefined || !this.flow.mayBeTensor(node)) return null;
    const parts = (node.type === "LogicalExpression" && node.operator !== "??") || node.type === "ConditionalExpression" || node.type === "SequenceExpression" || node.type === "BinaryExpression";
    return parts ? null : condition;
  }

  private writerOf(node: AnyNode, frame: Frame | null): (() => void) | null {
    const { flow } = this;
    switch (node.type) {
      case "BinaryExpression": {
        if (!isBinary(node.operator) || !(flow.mayBeTensor(node.left) || flow.mayBeTensor(node.right))) return null;
        if (/^[!=]=$/.test(node.operator) && [node.left, node.right].some(isNothing)) return null;
        return this.binary(node, frame);
      }
      case "UnaryExpression":
        return isUnary(node.operator) && flow.mayBeTensor(node.argument) ? this.unary(node, frame) : null;
      case "UpdateExpression":
        return flow.mayBeTensor(node.argument) ? this.update(node, frame) : null;
      case "AssignmentExpression": {
        const operator = node.operator.slice(0, -1);
        if (operator === "&&" || operator === "||") return flow.mayBeTensor(node.left) ? this.choose(node, operator, frame) : null;
        return isBinary(operator) && (flow.mayBeTensor(node.left) || flow.mayBeTensor(node.right)) ? this.compound(node, operator, frame) : null;
      }
      case "MemberExpression":
        if (!node.computed || node.object.type === "Super" || this.kept.has(node)) return null;
        if (node.property.type === "SequenceExpression" && placeAfter(this.source, placeOf(this.source, node.object.end, "[") + 1) === node.property.start) return flow.mayBeTensor(node.object) ? this.commas(node) : null;
        if (this.options.spelled && flow.mayBeTensor(node.object)) return this.member(node, frame);
        return (flow.mayBeTensor(node.object) ? flow.mayBeObject(node.property) : flow.mayBeTensor(node.property)) ? this.member(node, frame) : null;
      default:
        return null;
    }
  }

  /** A variable of the frame. */
  private temp(frame: Frame, index: number, at: number): Ref {
    frame.count = Math.max(frame.count, index);
    return { text: `${this.prefix}${index}`, original: at };
  }

  private needOf(node: AnyNode): number {
    return this.needs.get(node) ?? 0;
  }

  private use(node: AnyNode, count: number): void {
    this.needs.set(node, Math.max(this.needOf(node), count));
  }

  /** Reserves the place in front of a node. */
  private front(at: number): (text: Text) => void {
    const put = this.edits.reserve(at);
    return (text) => {
      if (/^\(/.test(typeof text === "string" ? text : textOf(text))) this.opened.add(at);
      put(text);
    };
  }

  private binary(node: BinaryExpression, frame: Frame | null): () => void {
    const before = this.front(node.start);
    const name = BINARY[node.operator as keyof typeof BINARY];
    return () => {
      const { left, right, operator } = node;
      const at = placeOf(this.source, left.end, operator);
      const end = at + operator.length;
      const [open, close] = this.tested(node);
      if (this.options.spelled?.(left) && this.options.spelled(node)) {
        const [start, stop] = isPrimary(left) || left.start !== node.start ? ["", ""] : ["(", ")"];
        before(joined(at, open, start));
        this.edits.replace(...spaced(this.source, at, end), `${stop}.${name}(`);
        return this.edits.insert(node.end, `)${close}`);
      }
      const instead = this.options.spelled ? null : chained(node, this.source);
      const [called, rest] = instead === null ? [name, ""] : ["chained", `, ${JSON.stringify(operator)}, ${JSON.stringify(instead)}`];
      if (!frame || this.options.spelled) {
        before(joined(at, `${open}$weft.${called}(`));
        this.edits.replace(...spaced(this.source, at, end), ", ");
        return this.edits.insert(node.end, `${rest})${close}`);
      }
      const [a, b] = [refOf(left), refOf(right)];
      const slow = (x: Ref, y: Ref) => joined(at, ` : ${open}$weft.${called}(`, x, ", ", y, `${rest})${close})`);
      if (a && b) {
        before(joined(at, "(", ...this.numbers([left, a], [right, b]), " ? "));
        return this.edits.insert(node.end, slow(a, b));
      }
      if (b) {
        const kept = this.temp(frame, 1, left.start);
        before(`(${kept.text} = `);
        this.edits.replace(at, end, `, ${textOf(this.numbers([left, kept], [right, b]))} ? ${kept.text} ${operator}`);
        this.use(node, 1);
        return this.edits.insert(node.end, slow(kept, b));
      }
      const used = this.needOf(right);
      const x = a && left.type === "Literal" ? a : this.temp(frame, used + 1, left.start);
      const y = this.temp(frame, used + 2, right.start);
      before(x === a ? "(" : `(${x.text} = `);
      this.edits.replace(at, end, `, ${y.text} = `);
      this.use(node, used + 2);
      this.edits.insert(node.end, joined(at, ", ", ...this.numbers([left, x], [right, y]), ` ? ${x.text} ${operator} ${y.text}`, ...slow(x, y)));
    };
  }

  /** What goes round a call whose result is a condition. */
  private tested(node: AnyNode): [string, string] {
    const condition = this.conditions.get(node);
    return condition === undefined ? ["", ""] : [`$weft.test(${JSON.stringify(condition)}, `, ")"];
  }

  /** The check that those of these that may be tensors are numbers. */
  private numbers(...operands: [AnyNode, Ref][]): Part[] {
    const checked = operands.filter(([node]) => this.flow.mayBeTensor(node));
    return checked.flatMap(([, ref], i) => joined(ref.original, `${i > 0 ? " && " : ""}typeof `, ref, ' === "number"'));
  }

  private unary(node: UnaryExpression, frame: Frame | null): () => void {
    const before = this.front(node.start);
    const name = UNARY[node.operator as keyof typeof UNARY];
    return () => {
      const { argument, start } = node;
      const [open, close] = this.tested(node);
      const ref = this.options.spelled ? null : refOf(argument);
      if (!frame || ref || this.options.spelled) {
        const slow = `${open}$weft.${name}(`;
        if (this.options.spelled?.(argument)) {
          const [opening, closing] = isPrimary(argument) ? ["", ""] : ["(", ")"];
          before(joined(start, open, opening));
          this.edits.replace(start, start + 1, "");
          return this.edits.insert(node.end, `${closing}.${name}()${close}`);
        }
        if (ref) {
          before(joined(start, "(", ...this.numbers([argument, ref]), " ? "));
          return this.edits.insert(node.end, joined(start, ` : ${slow}`, ref, `)${close})`));
        }
        before(joined(start, slow));
        this.edits.replace(start, start + 1, "");
        return this.edits.insert(node.end, `)${close}`);
      }
      const kept = this.temp(frame, 1, argument.start);
      before(`(${kept.text} = `);
      this.edits.replace(start, start + 1, "");
      this.use(node, 1);
      this.edits.insert(node.end, joined(start, `, typeof ${kept.text} === "number" ? ${node.operator}${kept.text} : ${open}$weft.${name}(${kept.text})${close})`));
    };
  }

  /** A value that is taken for a condition. */
  private testing(node: AnyNode, condition: Condition, frame: Frame | null): () => void {
    const before = this.front(node.start);
    return () => {
      const ref = this.options.spelled ? null : refOf(node);
      const call = `$weft.test(${JSON.stringify(condition)}, `;
      if (ref) {
        before(joined(node.start, `(${isObjectLike(ref)} ? ${call}`, ref, ") : "));
        return this.edits.insert(node.end, ")");
      }
      if (!frame || this.options.spelled) {
        before(joined(node.start, call));
        return this.edits.insert(node.end, ")");
      }
      const kept = this.temp(frame, 1, node.start);
      this.use(node, 1);
      before(`(typeof (${kept.text} = `);
      this.edits.insert(node.end, joined(node.start, `) === "object" ? ${call}${kept.text}) : ${kept.text})`));
    };
  }

  private member(node: MemberExpression, frame: Frame | null): () => void {
    const before = this.front(node.start);
    return () => {
      const { object, property } = node;
      const bracket = placeOf(this.source, object.end, "[");
      const last = node.end - 1;
      if (this.options.spelled?.(object) && property.type === "Literal" && typeof property.value === "number") {
        this.edits.replace(bracket, bracket + 1, ".slice(");
        return this.edits.replace(last, node.end, ")");
      }
      if (!frame || this.options.spelled) {
        before(joined(bracket, "$weft.at("));
        this.edits.replace(bracket, bracket + 1, ", ");
        return this.edits.replace(last, node.end, ")");
      }
      const [owner, key] = [refOf(object), refOf(property)];
      const choice = (of: Ref, by: Ref) => joined(bracket, `typeof ${by.text} === "object" ? $weft.at(`, of, ", ", by, ") : ");
      if (owner && key) {
        // The owner is read first, as JavaScript does: either may be a name that is not there.
        const first = object.type === "Identifier" && property.type === "Identifier" ? [`${owner.text}, `] : [];
        before(joined(bracket, "(", ...first, ...choice(owner, key)));
        return this.edits.insert(node.end, ")");
      }
      if (key) {
        const kept = this.temp(frame, 1, object.start);
        before(`(${kept.text} = `);
        this.edits.insert(bracket, joined(bracket, ", ", ...choice(kept, key), kept.text));
        this.use(node, 1);
        return this.edits.insert(node.end, ")");
      }
      const used = this.needOf(property);
      const [of, by] = [this.temp(frame, used + 1, object.start), this.temp(frame, used + 2, property.start)];
      before(`(${of.text} = `);
      this.edits.replace(bracket, bracket + 1, `, ${by.text} = `);
      this.use(node, used + 2);
      this.edits.replace(last, node.end, "");
      this.edits.insert(node.end, joined(bracket, ", ", ...choice(of, by), `${of.text}[${by.text}])`));
    };
  }

  /** `x[1, 2]`, which JavaScript takes for `x[2]`. */
  private commas(node: MemberExpression): () => void {
    const before = this.front(node.start);
    return () => {
      const bracket = placeOf(this.source, node.object.end, "[");
      before(joined(bracket, "$weft.oneIndex("));
      this.edits.insert(bracket, ")");
    };
  }

  /** What is assigned to: how it is read and written, from the variables that keep its parts. */
  private target(place: MemberExpression, frame: Frame, used: number): { read: string; count: number; base: string | null; key: string | null } {
    const { object, property, computed } = place;
    const owner = object.type === "ThisExpression" ? { text: "this" } : refOf(object);
    let count = Math.max(used, computed ? this.needOf(property) : 0);
    const base = owner ? null : this.temp(frame, ++count, object.start).text;
    const name = base ?? owner!.text;
    if (!computed) return { read: `${name}.${this.source.slice(property.start, property.end)}`, count, base, key: null };
    const known = refOf(property);
    const key = known ? null : this.temp(frame, ++count, property.start).text;
    return { read: `${name}[${key ?? known!.text}]`, count, base, key };
  }

  /** Splits a member, so that its parts are evaluated once; `then` precedes the base. */
  private takeApart(place: MemberExpression, base: string | null, key: string | null, then: string): void {
    const token = place.computed ? "[" : ".";
    const at = placeOf(this.source, place.object.end, token);
    const inside = key === null ? "" : `${key} = `;
    if (base !== null) this.edits.replace(at, at + 1, `, ${then}${base}${token}${inside}`);
    else if (inside !== "") this.edits.insert(at + 1, inside);
  }

  private compound(node: AssignmentExpression, operator: keyof typeof BINARY, frame: Frame | null): (() => void) | null {
    const { left, right } = node;
    const isMember = left.type === "MemberExpression";
    if (isMember ? !frame || left.object.type === "Super" || left.start !== node.start : left.type !== "Identifier") return null;
    const before = this.front(node.start);
    const name = BINARY[operator];
    return () => {
      const at = placeOf(this.source, left.end, node.operator);
      const end = at + node.operator.length;
      if (!frame || (this.options.spelled && !isMember)) {
        const variable = (left as { name: string }).name;
        this.edits.replace(at, spaced(this.source, at, end)[1], this.options.spelled?.(left) ? `= ${variable}.${name}(` : `= $weft.${name}(${variable}, `);
        return this.edits.insert(node.end, ")");
      }
      const b = refOf(right);
      const place = isMember ? this.target(left, frame, this.needOf(right)) : null;
      const used = place ? place.count : this.needOf(right);
      const slow = (x: Ref, y: Ref) => joined(at, ` : $weft.${name}(`, x, ", ", y, ")");
      const wrap = place?.base ? ")" : "";
      if (place?.base) before(`(${place.base} = `);
      if (isMember) this.takeApart(left, place!.base, place!.key, "");
      const variable: Ref = { text: isMember ? place!.read : (left as { name: string }).name, original: left.start };
      if (!isMember && b) {
        this.edits.replace(at, end, `= ${textOf(this.numbers([left, variable], [right, b]))} ? ${variable.text} ${operator}`);
        return this.edits.insert(node.end, slow(variable, b));
      }
      const x = this.temp(frame, used + 1, left.start);
      if (b) {
        this.edits.replace(at, end, `= (${x.text} = ${variable.text}, ${textOf(this.numbers([left, x], [right, b]))} ? ${x.text} ${operator}`);
        this.use(node, used + 1);
        return this.edits.insert(node.end, joined(at, ...slow(x, b), `)${wrap}`));
      }
      const y = this.temp(frame, used + 2, right.start);
      this.edits.replace(at, end, `= (${x.text} = ${variable.text}, ${y.text} = `);
      this.use(node, used + 2);
      this.edits.insert(node.end, joined(at, ", ", ...this.numbers([left, x], [right, y]), ` ? ${x.text} ${operator} ${y.text}`, ...slow(x, y), `)${wrap}`));
    };
  }

  /** `x ||= y` and `x &&= y`. */
  private choose(node: AssignmentExpression, operator: "&&" | "||", frame: Frame | null): (() => void) | null {
    const { left, right } = node;
    const isMember = left.type === "MemberExpression";
    if (isMember ? !frame || left.object.type === "Super" || left.start !== node.start : left.type !== "Identifier") return null;
    const before = this.front(node.start);
    return () => {
      const at = placeOf(this.source, left.end, node.operator);
      const end = at + node.operator.length;
      const test = (value: string) => `(typeof ${value} === "object" ? $weft.test("${operator}", ${value}) : ${value}) ${operator} `;
      if (!isMember) {
        const { name } = left as { name: string };
        before("(");
        this.edits.replace(at, end, `, ${test(name)}(${name} = `);
        return this.edits.insert(node.end, "))");
      }
      const place = this.target(left, frame!, this.needOf(right));
      const value = this.temp(frame!, place.count + 1, left.start).text;
      before(place.base === null ? `(${value} = ` : `(${place.base} = `);
      this.takeApart(left, place.base, place.key, `${value} = `);
      this.use(node, place.count + 1);
      this.edits.replace(at, end, `, ${test(value)}(${place.read} = `);
      this.edits.insert(node.end, "))");
    };
  }

  /** `x++` and its like. */
  private update(node: UpdateExpression, frame: Frame | null): (() => void) | null {
    const { argument, prefix, operator } = node;
    const isMember = argument.type === "MemberExpression";
    const taken = !prefix && !this.unused.has(node);
    if (isMember ? !frame || argument.object.type === "Super" || argument.start !== (prefix ? placeAfter(this.source, node.start + 2) : node.start) : argument.type !== "Identifier" || (taken && !frame)) return null;
    const before = this.front(node.start);
    const name = UPDATE[operator];
    return () => {
      const at = prefix ? node.start : node.end - 2;
      if (!isMember) {
        const variable: Ref = { text: (argument as { name: string }).name, original: argument.start };
        before(joined(at, "(", ...this.numbers([argument, variable]), " ? "));
        if (!taken) return this.edits.insert(node.end, joined(at, ` : ${variable.text} = $weft.${name}(`, variable, "))"));
        const old = this.temp(frame!, 1, argument.start).text;
        this.use(node, 1);
        return this.edits.insert(node.end, joined(at, ` : (${old} = $weft.numeric(`, variable, `), ${variable.text} = $weft.${name}(${old}), ${old}))`));
      }
      const place = this.target(argument, frame!, 0);
      const value = this.temp(frame!, place.count + 1, argument.start).text;
      const old = taken ? this.temp(frame!, place.count + 2, argument.start).text : null;
      this.use(node, place.count + (taken ? 2 : 1));
      before(place.base === null ? "(" : `(${place.base} = `);
      this.takeApart(argument, place.base, place.key, "");
      this.edits.replace(at, at + 2, "");
      const [fast, slow] = old === null ? [value, value] : [`(${old} = ${value})`, `${old} = $weft.numeric(${value})`];
      this.edits.insert(node.end, joined(at, ` = (typeof (${value} = ${place.read}) === "number" ? ${fast} ${operator[0]} 1 : $weft.${name}(${slow}))${old === null ? "" : `, ${old}`})`));
    };
  }

  /** Declares the variables that a function, or the cell, needs. */
  private declaring(node: AnyNode, frame: Frame): () => void {
    const arrow = node.type === "ArrowFunctionExpression" && node.body.type !== "BlockStatement" ? arrowEnd(this.source, node) : null;
    const put = node.type === "Program" ? this.options.declare : this.edits.reserve(arrow ?? (node as { body: AnyNode }).body.start + 1);
    return () => {
      if (frame.count === 0) return;
      const names = Array.from({ length: frame.count }, (_, i) => `${this.prefix}${i + 1}`).join(", ");
      put(arrow === null ? `let ${names};` : `{let ${names};return(`);
      if (arrow !== null) this.edits.insert(node.end, ")}");
    };
  }
}

const NOTHING_IS_A_TENSOR: Flow = { mayBeTensor: () => false, mayBeObject: () => false };

/** Whether this is what a function's `toString` gives: for a method it includes the name. */
const hasText = (node: AnyNode) => isFunction(node) || node.type === "MethodDefinition" || (node.type === "Property" && (node.method || node.kind !== "init"));

/** The frame of a node below `parent`. */
function frameOf(child: AnyNode, parent: AnyNode, outer: Frame | null, inner: Frame | null): Frame | null {
  // Parameters are evaluated before the function's variables exist.
  if (isFunction(parent)) return child === (parent as { body: AnyNode }).body ? inner : null;
  if (parent.type === "StaticBlock" || (parent.type === "PropertyDefinition" && child === parent.value)) return null;
  return parent.type === "Program" ? inner : outer;
}

const isNothing = (node: AnyNode) => (node.type === "Literal" && node.value === null && node.raw === "null") || (node.type === "Identifier" && node.name === "undefined");

/** What a method can be called on without parentheses. */
const isPrimary = (node: AnyNode): boolean => node.type === "Identifier" || node.type === "CallExpression" || node.type === "MemberExpression" || node.type === "ThisExpression";

/** A name, or a short literal: what may be written twice. */
function refOf(node: AnyNode): Ref | null {
  if (node.type === "Identifier") return { text: node.name, original: node.start };
  if (node.type === "Literal" && !("regex" in node) && node.raw !== undefined && node.raw.length <= 40) return { text: node.raw, original: node.start };
  return null;
}

/** The end of an arrow function's `=>`. */
function arrowEnd(source: string, node: { start: number; params: readonly AnyNode[] }): number {
  return placeOf(source, node.params.at(-1)?.end ?? node.start, "=>") + 2;
}

/** One text of several; those that are no parts of their own speak for the place `at`. */
function joined(at: number, ...texts: (string | Part)[]): Part[] {
  return texts.map((text) => (typeof text === "string" ? { text, original: at } : text));
}

const textOf = (parts: readonly Part[]) => parts.map(({ text }) => text).join("");
