// The source of a function and its syntax tree, by acorn, and the facts of names that lowering
// needs beforehand: which declared names are assigned again.

import { parse, type AnyNode, type ArrowFunctionExpression, type FunctionDeclaration, type FunctionExpression, type Pattern } from "acorn";
import { errorAt, type Source } from "./errors.js";

/** A function of the source, in any of the ways to write one. */
export type FunctionNode = FunctionDeclaration | FunctionExpression | ArrowFunctionExpression;

/** A function that was parsed. */
export interface Parsed {
  readonly source: Source;
  readonly node: FunctionNode;
  /** Starts of declared names that something assigns after their declaration. */
  readonly assigned: ReadonlySet<string>;
}

const known = new Map<string, Parsed>();
/** Sources to remember; a page that makes kernels of ever new sources forgets the old ones. */
const REMEMBERED = 256;

/** Parses `text`, the source of a function. Errors are in the name of `op`. */
export function parseFunction(op: string, text: string): Parsed {
  const key = `${op}\n${text}`;
  const parsed = known.get(key) ?? parseAnew(op, text);
  known.delete(key);
  known.set(key, parsed);
  if (known.size > REMEMBERED) known.delete(known.keys().next().value as string);
  return parsed;
}

function parseAnew(op: string, text: string): Parsed {
  const whole: Source = { op, text, skip: 0 };
  if (/\{\s*\[native code\]\s*\}\s*$/.test(text)) {
    throw errorAt(whole, 0, "this function has no source: it is built in, or was bound. Write an arrow function that calls what it does: (x) => Math.sin(x)");
  }
  let failure: { message: string; at: number; source: Source } | null = null;
  // What stands alone, then the methods of an object.
  for (const [before, after] of [["(", ")"], ["({", "})"]] as const) {
    const source: Source = { op, text: before + text + after, skip: before.length };
    try {
      const program = parse(source.text, { ecmaVersion: "latest", sourceType: "module", allowAwaitOutsideFunction: true });
      const node = functionIn(program.body[0] as AnyNode);
      if (!node) throw errorAt(source, source.skip, "a kernel is a function: kernel((x, i) => x.at(i) * 2)");
      checkKind(source, node);
      return { source, node, assigned: assignedNames(node) };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const { message, pos } = error as SyntaxError & { pos: number };
      failure ??= { message: message.replace(/ \(\d+:\d+\)$/, ""), at: pos, source };
    }
  }
  const { message, at, source } = failure as NonNullable<typeof failure>;
  throw errorAt(source, at, `the source of this function cannot be read: ${message}`);
}

function functionIn(statement: AnyNode): FunctionNode | null {
  if (statement.type !== "ExpressionStatement") return null;
  const { expression } = statement;
  if (expression.type === "ArrowFunctionExpression" || expression.type === "FunctionExpression") return expression;
  if (expression.type !== "ObjectExpression") return null;
  const [property] = expression.properties;
  if (property?.type !== "Property" || property.kind !== "init") return null;
  return property.value.type === "FunctionExpression" || property.value.type === "ArrowFunctionExpression" ? property.value : null;
}

function checkKind(source: Source, node: FunctionNode): void {
  if (node.async) {
    throw errorAt(source, source.skip, "a kernel cannot be async: nothing in it can wait. Remove `async`, and await what you need before the call");
  }
  if (node.generator) throw errorAt(source, source.skip, "a kernel cannot be a generator: remove the `*`, and return the value");
}

/** The nodes directly below a node. */
export function childrenOf(node: AnyNode): AnyNode[] {
  const children: AnyNode[] = [];
  // Every walk of a kernel's text calls this for each node, so that no list is made on the way.
  for (const key in node) {
    const value: unknown = node[key as keyof AnyNode];
    if (typeof value !== "object") continue;
    if (Array.isArray(value)) {
      for (const each of value as unknown[]) if (isNode(each)) children.push(each);
    } else if (isNode(value)) children.push(value);
  }
  return children;
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}

/** The names that a pattern binds or assigns. */
export function namesIn(pattern: Pattern): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "ArrayPattern":
      return pattern.elements.flatMap((element) => (element ? namesIn(element) : []));
    case "ObjectPattern":
      return pattern.properties.flatMap((property) => namesIn(property.type === "RestElement" ? property.argument : property.value));
    case "AssignmentPattern":
      return namesIn(pattern.left);
    case "RestElement":
      return namesIn(pattern.argument);
    default:
      return [];
  }
}

/** The names that a node assigns by itself. */
function assignedBy(node: AnyNode): string[] {
  if (node.type === "AssignmentExpression") return namesIn(node.left);
  if (node.type === "ForOfStatement" && node.left.type !== "VariableDeclaration") return namesIn(node.left);
  return node.type === "UpdateExpression" && node.argument.type === "Identifier" ? [node.argument.name] : [];
}

/**
 * Names that something assigns. By name, not by scope: of two variables of one name, of which one
 * is assigned, both count as assigned, which costs a local.
 */
export function assignedNames(root: AnyNode): Set<string> {
  const names = new Set<string>();
  const pending: AnyNode[] = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    for (const name of assignedBy(node)) names.add(name);
    pending.push(...childrenOf(node));
  }
  return names;
}

/** Names of variables outside of `root` that it assigns: what it declares itself, under whatever
 * name, is its own. */
export function changedNames(root: AnyNode): Set<string> {
  const names = new Set<string>();
  const pending: { node: AnyNode; own: ReadonlySet<string> }[] = [{ node: root, own: new Set() }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const declared = declaredBy(next.node);
    const own = declared.length > 0 ? new Set([...next.own, ...declared]) : next.own;
    for (const name of assignedBy(next.node)) if (!own.has(name)) names.add(name);
    for (const node of childrenOf(next.node)) pending.push({ node, own });
  }
  return names;
}

/** The names that a node declares for what is inside of it. */
function declaredBy(node: AnyNode): string[] {
  const of = (declaration: AnyNode | null | undefined) =>
    declaration?.type === "VariableDeclaration" && declaration.kind !== "var" ? declaration.declarations.flatMap(({ id }) => namesIn(id)) : [];
  switch (node.type) {
    case "BlockStatement":
      return node.body.flatMap((statement) => (statement.type === "FunctionDeclaration" ? [statement.id.name] : of(statement)));
    case "ForStatement":
      return of(node.init);
    case "ForOfStatement":
      return of(node.left);
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return node.params.flatMap(namesIn);
    default:
      return [];
  }
}

const free = new WeakMap<Parsed, readonly string[]>();

/** Names that a function uses and declares nowhere inside. */
export function freeNames(parsed: Parsed): readonly string[] {
  const known = free.get(parsed) ?? freeNamesIn(parsed.node);
  free.set(parsed, known);
  return known;
}

function freeNamesIn(root: AnyNode): string[] {
  const [used, declared] = [new Set<string>(), new Set<string>()];
  const pending: AnyNode[] = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    switch (node.type) {
      case "Identifier":
        used.add(node.name);
        continue;
      case "MemberExpression":
        pending.push(node.object, ...(node.computed ? [node.property] : []));
        continue;
      case "Property":
        pending.push(node.value, ...(node.computed ? [node.key] : []));
        continue;
      case "VariableDeclarator":
        for (const name of namesIn(node.id)) declared.add(name);
        break;
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        for (const name of node.params.flatMap(namesIn)) declared.add(name);
        if (node.id) declared.add(node.id.name);
        break;
    }
    pending.push(...childrenOf(node));
  }
  return [...used].filter((name) => !declared.has(name));
}

/** How many `return` statements a function has, those of functions inside it left out. */
export function returnsOf(root: AnyNode): number {
  let count = 0;
  const pending: AnyNode[] = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.type === "ReturnStatement") count++;
    if (node === root || !/Function/.test(node.type)) pending.push(...childrenOf(node));
  }
  return count;
}

/** The text that an expression is, if it is one: minifiers write "f32" as a template. */
export function writtenText(node: AnyNode): string | null {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : null;
  return node.type === "TemplateLiteral" && node.expressions.length === 0 ? (node.quasis[0]?.value.cooked ?? null) : null;
}
