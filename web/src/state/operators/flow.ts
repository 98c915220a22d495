// Data flow analysis: which expressions of a cell may be tensors when they run, and which may be
// objects. Facts spread from the expressions that nothing is known of (calls, members, parameters,
// other cells' names) along assignments and operators to whatever takes its value from them. What
// they do not reach is a number, a string or the like, whose operators stay as they are written.

import type { AnyNode, Identifier, Program } from "acorn";
import { bindings, boundBy, topLevelNames } from "../code/names";
import { children, isFunction } from "../code/syntax";

export interface Flow {
  mayBeTensor(node: AnyNode): boolean;
  /** A tensor, or an array, which a tensor takes as indices. */
  mayBeObject(node: AnyNode): boolean;
}

/** A variable of a function or a block; those of the cell itself are every cell's, and nothing is
 * known of them. */
class Variable {
  readonly isVariable = true;
}

type Vertex = AnyNode | Variable;

interface Scope {
  readonly names: ReadonlyMap<string, Variable>;
  readonly outer: Scope | null;
}

/** Built-in functions and namespaces of functions that never yield a tensor, unless a cell declares
 * their names anew. */
const PLAIN_FUNCTIONS = new Set(["BigInt", "Boolean", "Date", "Number", "String", "Symbol", "isFinite", "isNaN", "parseFloat", "parseInt"]);
const PLAIN_NAMESPACES = new Set(["Date", "JSON", "Math", "Number", "performance"]);
const PLAIN_VALUES = new Set(["Infinity", "NaN", "undefined"]);
const PLAIN_CLASSES = new Set(["Array", "ArrayBuffer", "Date", "Error", "Map", "RangeError", "RegExp", "Set", "TypeError", "WeakMap", "WeakSet"]);
const isPlainClass = (name: string) => PLAIN_CLASSES.has(name) || /^(?:Big)?(?:Float|Int|Uint)\d+(?:Clamped)?Array$/.test(name);

const PLAIN = new Set(["ArrowFunctionExpression", "ClassExpression", "FunctionExpression", "ImportExpression", "Literal", "MetaProperty", "TemplateLiteral"]);

/** Operators that make a value of their own, or throw, whatever they are given. */
const NEVER_TENSORS = { two: new Set(["==", "!=", "===", "!==", "in", "instanceof"]), one: new Set(["typeof", "void", "delete", "!", "+"]) };

export function flowOf(program: Program): Flow {
  return new Analysis(program).run();
}

class Analysis {
  /** To where a value goes as it is. */
  private readonly values = new Map<Vertex, Vertex[]>();
  /** To what an operator makes of it: a tensor of a tensor, a number or a string of anything
   * else. */
  private readonly operands = new Map<Vertex, Vertex[]>();
  private readonly unknown: Vertex[] = [];
  private readonly objects: Vertex[] = [];
  private readonly top: ReadonlySet<string>;

  constructor(private readonly program: Program) {
    this.top = topLevelNames(program);
  }

  run(): Flow {
    const pending: { node: AnyNode; scope: Scope | null }[] = [{ node: this.program, scope: null }];
    for (let next = pending.pop(); next; next = pending.pop()) {
      const { node } = next;
      const scope = node === this.program ? null : within(node, next.scope);
      this.visit(node, scope);
      for (const child of children(node)) pending.push({ node: child, scope });
    }
    const tensors = this.spread(this.unknown, [this.values, this.operands]);
    const objects = this.spread([...tensors, ...this.objects], [this.values]);
    return { mayBeTensor: (node) => tensors.has(node), mayBeObject: (node) => objects.has(node) };
  }

  private spread(from: Iterable<Vertex>, along: readonly Map<Vertex, Vertex[]>[]): Set<Vertex> {
    const reached = new Set(from);
    const pending = [...reached];
    for (let vertex = pending.pop(); vertex; vertex = pending.pop()) {
      for (const edges of along) {
        for (const next of edges.get(vertex) ?? []) {
          if (reached.has(next)) continue;
          reached.add(next);
          pending.push(next);
        }
      }
    }
    return reached;
  }

  private edge(kind: "values" | "operands", from: Vertex, to: Vertex): void {
    const edges = this[kind].get(from);
    if (edges) edges.push(to);
    else this[kind].set(from, [to]);
  }

  private variable(name: string, scope: Scope | null): Variable | null {
    for (let at = scope; at; at = at.outer) {
      const variable = at.names.get(name);
      if (variable) return variable;
    }
    return null;
  }

  /** Whether a name means what the language says. */
  private isBuiltIn(node: AnyNode, scope: Scope | null, among: (name: string) => boolean): boolean {
    return node.type === "Identifier" && among(node.name) && !this.top.has(node.name) && !this.variable(node.name, scope);
  }

  /** Nothing is known of what these variables are given. */
  private forget(pattern: AnyNode, scope: Scope | null): void {
    const names = new Set<string>();
    bindings(pattern, names);
    for (const name of names) {
      const variable = this.variable(name, scope);
      if (variable) this.unknown.push(variable);
    }
  }

  private assign(target: AnyNode, kind: "values" | "operands", value: AnyNode, scope: Scope | null): void {
    if (target.type !== "Identifier") return this.forget(target, scope);
    const variable = this.variable(target.name, scope);
    if (variable) this.edge(kind, value, variable);
  }

  private visit(node: AnyNode, scope: Scope | null): void {
    if (isFunction(node)) for (const param of (node as { params: AnyNode[] }).params) this.forget(param, scope);
    switch (node.type) {
      case "VariableDeclarator":
        if (node.init) this.assign(node.id, "values", node.init, scope);
        else if (node.id.type !== "Identifier") this.forget(node.id, scope);
        return;
      case "ForOfStatement":
        return this.forget(node.left.type === "VariableDeclaration" ? node.left.declarations[0]!.id : node.left, scope);
      case "CatchClause":
        return node.param ? this.forget(node.param, scope) : undefined;
      case "Identifier":
        return this.reference(node, scope);
      case "BinaryExpression":
        if (!NEVER_TENSORS.two.has(node.operator)) for (const operand of [node.left, node.right]) this.edge("operands", operand, node);
        return;
      case "UnaryExpression":
        return NEVER_TENSORS.one.has(node.operator) ? undefined : this.edge("operands", node.argument, node);
      case "UpdateExpression":
        return this.edge("operands", node.argument, node);
      case "LogicalExpression":
        for (const operand of [node.left, node.right]) this.edge("values", operand, node);
        return;
      case "ConditionalExpression":
        for (const choice of [node.consequent, node.alternate]) this.edge("values", choice, node);
        return;
      case "SequenceExpression":
        return this.edge("values", node.expressions.at(-1)!, node);
      case "ChainExpression":
        return this.edge("values", node.expression, node);
      case "AssignmentExpression": {
        const kind = /^(?:=|&&=|\|\|=|\?\?=)$/.test(node.operator) ? "values" : "operands";
        this.edge(kind, node.right, node);
        if (node.operator !== "=") this.edge(kind, node.left, node);
        return this.assign(node.left, kind, node.right, scope);
      }
      case "ArrayExpression":
      case "ObjectExpression":
        return void this.objects.push(node);
      case "NewExpression":
        return void (this.isBuiltIn(node.callee, scope, isPlainClass) ? this.objects : this.unknown).push(node);
      case "CallExpression": {
        const { callee } = node;
        const owner = callee.type === "MemberExpression" && !callee.computed ? callee.object : null;
        const plain = owner ? this.isBuiltIn(owner, scope, (name) => PLAIN_NAMESPACES.has(name)) : this.isBuiltIn(callee, scope, (name) => PLAIN_FUNCTIONS.has(name));
        // What JSON parses may be an array.
        return void (plain ? this.objects : this.unknown).push(node);
      }
      case "MemberExpression":
        if (!node.computed && this.isBuiltIn(node.object, scope, (name) => name === "Math" || name === "Number")) return;
        return void this.unknown.push(node);
      default:
        if (/Expression$/.test(node.type) && !PLAIN.has(node.type)) this.unknown.push(node);
    }
  }

  private reference(node: Identifier, scope: Scope | null): void {
    const variable = this.variable(node.name, scope);
    if (variable) this.edge("values", variable, node);
    else if (!this.isBuiltIn(node, scope, (name) => PLAIN_VALUES.has(name))) this.unknown.push(node);
  }
}

function within(node: AnyNode, outer: Scope | null): Scope | null {
  const names = boundBy(node);
  return names.size === 0 ? outer : { names: new Map([...names].map((name) => [name, new Variable()])), outer };
}
