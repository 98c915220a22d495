// What must be known of a syntax tree to rewrite a cell? Its children in general, its loops, and whether a loop
// gives the event loop a turn.

import type { AnyNode, DoWhileStatement, ForInStatement, ForOfStatement, ForStatement, WhileStatement } from "acorn";

export type Loop = DoWhileStatement | ForInStatement | ForOfStatement | ForStatement | WhileStatement;

const LOOPS = new Set(["DoWhileStatement", "ForInStatement", "ForOfStatement", "ForStatement", "WhileStatement"]);
const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

export const isLoop = (node: AnyNode): node is Loop => LOOPS.has(node.type);

const isNode = (value: unknown): value is AnyNode =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

export function children(node: AnyNode): AnyNode[] {
  return Object.values(node).flatMap((value: unknown) => (Array.isArray(value) ? value : [value])).filter(isNode);
}

/** Whether a turn of the loop itself awaits; functions written inside it run at other times. */
export function awaits(loop: Loop): boolean {
  if (loop.type === "ForOfStatement" && loop.await) return true;
  const pending = children(loop);
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.type === "AwaitExpression" || (node.type === "ForOfStatement" && node.await)) return true;
    if (!FUNCTIONS.has(node.type)) pending.push(...children(node));
  }
  return false;
}
