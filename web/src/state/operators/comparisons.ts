// Chains of comparisons. In JavaScript `a < b < c` compares the truth value of `a < b` with c. Such
// an operator is rewritten as others are, but calls $weft.chained(…), which refuses tensors.

import type { AnyNode, BinaryExpression } from "acorn";

/** Longer operands are not repeated in a message. */
const SHORT = 60;

const compares = (operator: string) => operator === "<" || operator === "<=" || operator === ">" || operator === ">=";

/** What to write for tensors in the place of a chain; null where a node is none. */
export function chained({ start, end, left, right, operator }: BinaryExpression, source: string): string | null {
  // In parentheses a comparison is an operand like others.
  if (!compares(operator) || left.type !== "BinaryExpression" || !compares(left.operator) || left.start !== start) return null;
  const text = (node: AnyNode) => source.slice(node.start, node.end);
  return end - start > SHORT ? `(a ${left.operator} b) & (b ${operator} c)` : `(${text(left)}) & (${text(left.right)} ${operator} ${text(right)})`;
}
