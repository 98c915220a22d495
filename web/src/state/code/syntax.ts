// Syntax tree utilities for rewriting a cell: the children of a node, its loops, and whether a loop
// lets the event loop turn.

import type { AnyNode, DoWhileStatement, ForInStatement, ForOfStatement, ForStatement, WhileStatement } from "acorn";

export type Loop = DoWhileStatement | ForInStatement | ForOfStatement | ForStatement | WhileStatement;

const LOOPS = new Set(["DoWhileStatement", "ForInStatement", "ForOfStatement", "ForStatement", "WhileStatement"]);
const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

export const isFunction = (node: AnyNode) => FUNCTIONS.has(node.type);
export const isLoop = (node: AnyNode): node is Loop => LOOPS.has(node.type);

const isNode = (value: unknown): value is AnyNode =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

/** The nodes right below a node, in the order of its members. Loops, as passes over a large cell
 * call this half a million times. */
export function children(node: AnyNode): AnyNode[] {
  const found: AnyNode[] = [];
  for (const key in node) {
    const value = (node as unknown as Record<string, unknown>)[key];
    if (isNode(value)) found.push(value);
    else if (Array.isArray(value)) for (const element of value) if (isNode(element)) found.push(element);
  }
  return found;
}

/** All nodes of some types, without those inside the nodes of `except`. */
export function allOf<T extends AnyNode["type"]>(root: AnyNode, types: readonly T[], except: ReadonlySet<AnyNode> = new Set()): Extract<AnyNode, { type: T }>[] {
  const found: Extract<AnyNode, { type: T }>[] = [];
  const pending: AnyNode[] = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (except.has(node)) continue;
    if (types.includes(node.type as T)) found.push(node as Extract<AnyNode, { type: T }>);
    for (const child of children(node)) pending.push(child);
  }
  return found;
}

interface Enclosing {
  readonly loop: Loop;
  readonly outer: Enclosing | null;
}

/** The loops of which a turn itself awaits; functions written inside a loop run at other times. */
export function awaitingLoops(root: AnyNode): Set<Loop> {
  const found = new Set<Loop>();
  const pending: { node: AnyNode; inside: Enclosing | null }[] = [{ node: root, inside: null }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node } = next;
    let inside = isFunction(node) ? null : next.inside;
    if (isLoop(node)) inside = { loop: node, outer: inside };
    if (node.type === "AwaitExpression" || (node.type === "ForOfStatement" && node.await)) {
      // Where one loop is known to await, those round it are known too: each is marked once,
      // however deep they nest.
      for (let at = inside; at && !found.has(at.loop); at = at.outer) found.add(at.loop);
    }
    for (const child of children(node)) pending.push({ node: child, inside });
  }
  return found;
}
