// Comma expressions where Python has tuples. JavaScript computes both sides of `(2, 3)` and keeps
// the last: `zeros((2, 3))` would silently make three zeros.

import type { AnyNode, SequenceExpression } from "acorn";

/** Longer ones are not repeated in a message. */
const SHORT = 60;

export interface CommaError {
  readonly message: string;
  readonly at: number;
}

/** Where such an expression may be. */
export const MAY_HAVE_TUPLES = ["CallExpression", "NewExpression", "VariableDeclarator", "AssignmentExpression", "ReturnStatement", "ArrayExpression", "Property", "ArrowFunctionExpression"] as const;

/** The first of `nodes` that takes a comma expression for a list; null where none does. Arguments
 * never mean one; of other places those are left alone that compute something by the way. */
export function misreadTuple(nodes: readonly AnyNode[], source: string): CommaError | null {
  let first: SequenceExpression | null = null;
  for (const node of nodes) for (const found of tuplesOf(node)) if (!first || found.start < first.start) first = found;
  if (!first) return null;
  const text = source.slice(first.start, first.end);
  const short = text.length <= SHORT && !/[\n/]/.test(text);
  return { message: `JavaScript keeps only the last value of ${short ? `“${text}”` : "several with commas between them"}: write ${short ? `[${text}]` : "[a, b]"}`, at: first.start };
}

function tuplesOf(node: AnyNode): SequenceExpression[] {
  switch (node.type) {
    case "CallExpression":
    case "NewExpression":
      return node.arguments.filter(isSequence).filter(({ expressions }) => !expressions.slice(0, -1).some(changes));
    case "VariableDeclarator":
      return idle(node.init);
    case "AssignmentExpression":
      return idle(node.right);
    case "ReturnStatement":
      return idle(node.argument);
    case "ArrayExpression":
      return node.elements.flatMap(idle);
    case "Property":
      return idle(node.value);
    case "ArrowFunctionExpression":
      return idle(node.body);
    default:
      return [];
  }
}

const isSequence = (node: AnyNode | null | undefined): node is SequenceExpression => node?.type === "SequenceExpression";
const changes = ({ type }: AnyNode) => type === "AssignmentExpression" || type === "UpdateExpression";

/** A comma expression whose values are dropped and do nothing else. */
const idle = (node: AnyNode | null | undefined): SequenceExpression[] => (isSequence(node) && node.expressions.slice(0, -1).every(isIdle) ? [node] : []);

function isIdle(node: AnyNode): boolean {
  if (node.type === "UnaryExpression") return (node.operator === "-" || node.operator === "+") && isIdle(node.argument);
  return node.type === "Identifier" || node.type === "Literal" || node.type === "ArrayExpression" || node.type === "ArrowFunctionExpression" || (node.type === "MemberExpression" && !node.computed);
}
