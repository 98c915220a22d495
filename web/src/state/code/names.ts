// Names that a cell defines and uses: the declarations and assignments at its top level, and every
// name it mentions that nothing in the cell itself binds. The walk over the tree with its scopes is
// iterative, for code may nest deeper than a stack.

import type { AnyNode, Pattern, Program } from "acorn";
import type { Names } from "./reading";
import { children, isFunction } from "./syntax";

interface Scope {
  readonly names: ReadonlySet<string>;
  readonly outer: Scope | null;
}

interface Visit {
  readonly node: AnyNode;
  readonly scope: Scope | null;
  /** It is assigned to. */
  readonly written: boolean;
  /** It is called at every frame, not when the cell runs. */
  readonly later: boolean;
}

export function namesIn(program: Program): Names {
  const top = topLevelNames(program);
  const [defines, reads, uses] = [new Set(top), new Set<string>(), new Set<string>()];
  const bound = (name: string, scope: Scope | null) => {
    for (let at = scope; at; at = at.outer) if (at.names.has(name)) return true;
    return false;
  };
  const pending: Visit[] = [{ node: program, scope: null, written: false, later: false }];
  for (let visit = pending.pop(); visit; visit = pending.pop()) {
    const { node, scope, written, later } = visit;
    if (node.type === "Identifier") {
      if (bound(node.name, scope)) continue;
      if (!top.has(node.name)) (written ? defines : reads).add(node.name);
      if (!written && !later) uses.add(node.name);
      continue;
    }
    const inner = node === program ? scope : within(node, scope);
    const frames = framesOf(node, (name) => top.has(name) || bound(name, scope));
    for (const { child, target, also } of parts(node, written)) {
      const visited = { node: child, scope: inner, later: later || child === frames };
      pending.push({ ...visited, written: target });
      if (also) pending.push({ ...visited, written: false });
    }
  }
  return { defines, reads, uses };
}

/** What a cell declares for all cells. */
export const topLevelNames = (program: Program): Set<string> => new Set([...declaredIn(program), ...varsIn(program)]);

/** The function that a call of `animate` is given. */
function framesOf(node: AnyNode, hidden: (name: string) => boolean): AnyNode | null {
  if (node.type !== "CallExpression" || node.callee.type !== "Identifier" || node.callee.name !== "animate" || hidden("animate")) return null;
  const [first] = node.arguments;
  return first && isFunction(first) ? first : null;
}

interface Part {
  readonly child: AnyNode;
  /** Whether the child is assigned to. */
  readonly target: boolean;
  /** Whether it is read as well, as by `+=`. */
  readonly also?: boolean;
}

/** The children of a node that are code rather than names of properties and labels. */
function parts(node: AnyNode, written: boolean): Part[] {
  const read = (...nodes: (AnyNode | null | undefined)[]): Part[] => nodes.flatMap((child) => (child ? [{ child, target: false }] : []));
  const same = (...nodes: (AnyNode | null | undefined)[]): Part[] => nodes.flatMap((child) => (child ? [{ child, target: written }] : []));
  switch (node.type) {
    case "MemberExpression":
      return read(node.object, node.computed ? node.property : null);
    case "Property":
      return [...read(node.computed ? node.key : null), ...same(node.value)];
    case "MethodDefinition":
    case "PropertyDefinition":
      return read(node.computed ? node.key : null, node.value);
    case "AssignmentExpression":
      return [{ child: node.left, target: true, also: node.operator !== "=" }, ...read(node.right)];
    case "VariableDeclarator":
      return [{ child: node.id, target: true }, ...read(node.init)];
    case "UpdateExpression":
      return [{ child: node.argument, target: true, also: true }];
    case "ForInStatement":
    case "ForOfStatement":
      return [{ child: node.left, target: node.left.type !== "VariableDeclaration" }, ...read(node.right, node.body)];
    case "ArrayPattern":
      return same(...node.elements);
    case "ObjectPattern":
      return same(...node.properties);
    case "RestElement":
      return same(node.argument);
    case "AssignmentPattern":
      return [...same(node.left), ...read(node.right)];
    case "LabeledStatement":
      return read(node.body);
    case "BreakStatement":
    case "ContinueStatement":
    case "MetaProperty":
    case "ImportDeclaration":
      return [];
    case "ExportNamedDeclaration":
      return read(node.declaration);
    default:
      return read(...children(node));
  }
}

/** The scope inside a node; the one around where the node binds nothing. */
function within(node: AnyNode, outer: Scope | null): Scope | null {
  const names = boundBy(node);
  return names.size > 0 ? { names, outer } : outer;
}

/** The names that hold inside a node and not around it. */
export function boundBy(node: AnyNode): Set<string> {
  const names = new Set<string>();
  if (isFunction(node)) {
    const { params, body, id } = node as { params: Pattern[]; body: AnyNode; id?: { name: string } | null };
    for (const param of params) bindings(param, names);
    if (id && node.type === "FunctionExpression") names.add(id.name);
    names.add("arguments");
    for (const name of varsIn(body)) names.add(name);
  } else if (node.type === "ClassExpression" && node.id) {
    names.add(node.id.name);
  } else if (node.type === "CatchClause" && node.param) {
    bindings(node.param, names);
  } else {
    for (const name of declaredIn(node)) names.add(name);
  }
  return names;
}

/** What `let`, `const`, `class`, `function` and imports bind directly in a block, a loop's head or
 * a program. */
function declaredIn(node: AnyNode): Set<string> {
  const names = new Set<string>();
  const statements: readonly (AnyNode | null | undefined)[] =
    node.type === "Program" || node.type === "BlockStatement" || node.type === "StaticBlock" ? node.body
    : node.type === "SwitchStatement" ? node.cases.flatMap(({ consequent }) => consequent)
    : node.type === "ForStatement" ? [node.init]
    : node.type === "ForInStatement" || node.type === "ForOfStatement" ? [node.left]
    : [];
  for (const statement of statements) {
    const declaration = statement?.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declaration?.type === "VariableDeclaration") for (const { id } of declaration.declarations) bindings(id, names);
    else if (declaration?.type === "FunctionDeclaration" || declaration?.type === "ClassDeclaration") names.add(declaration.id!.name);
    else if (declaration?.type === "ImportDeclaration") for (const { local } of declaration.specifiers) names.add(local.name);
  }
  return names;
}

/** What `var` binds anywhere in a body, functions within it left out. */
function varsIn(body: AnyNode): Set<string> {
  const names = new Set<string>();
  const pending: AnyNode[] = [body];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.type === "VariableDeclaration" && node.kind === "var") for (const { id } of node.declarations) bindings(id, names);
    for (const child of children(node)) if (!isFunction(child)) pending.push(child);
  }
  return names;
}

/** Adds the names that a pattern binds. */
export function bindings(pattern: AnyNode, names: Set<string>): void {
  const pending: AnyNode[] = [pattern];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.type === "Identifier") names.add(node.name);
    else if (node.type === "AssignmentPattern") pending.push(node.left);
    else if (node.type === "Property") pending.push(node.value);
    else if (node.type === "ArrayPattern" || node.type === "ObjectPattern" || node.type === "RestElement") pending.push(...children(node));
  }
}
