// Expressions of Python that JavaScript computes as something else: tuples, `(2, 3)`, of which it
// keeps the last value, so that `zeros((2, 3))` would silently make three zeros; assignments of
// several values; texts that are formatted or repeated, which are NaN; and members of lists, for
// which it looks up positions.

import type { AnyNode, BinaryExpression, ExpressionStatement, SequenceExpression } from "acorn";

/** Longer ones are not repeated in a message. */
const SHORT = 60;

export interface Misread {
  readonly message: string;
  readonly at: number;
}

/** Where such an expression may be. */
export const MAY_BE_MISREAD = ["CallExpression", "NewExpression", "VariableDeclarator", "AssignmentExpression", "ReturnStatement", "ArrayExpression", "Property", "ArrowFunctionExpression", "ExpressionStatement", "BinaryExpression"] as const;

/** The first of `nodes` that is misread; null where none is. Arguments never mean a comma
 * expression; of other places those are left alone that compute something by the way. */
export function misread(nodes: readonly AnyNode[], source: string): Misread | null {
  let first: Misread | null = null;
  for (const node of nodes) for (const found of misreadIn(node, source)) if (!first || found.at < first.at) first = found;
  return first;
}

function misreadIn(node: AnyNode, source: string): Misread[] {
  switch (node.type) {
    case "CallExpression":
    case "NewExpression":
      return node.arguments.flatMap((each) => (isSequence(each) && !each.expressions.slice(0, -1).some(changes) ? [tuple(each, source)] : []));
    case "VariableDeclarator":
      return idleTuple(node.init, source);
    case "AssignmentExpression":
      return idleTuple(node.right, source);
    case "ReturnStatement":
      return idleTuple(node.argument, source);
    case "ArrayExpression":
      return node.elements.flatMap((each) => idleTuple(each, source));
    case "Property":
      return idleTuple(node.value, source);
    case "ArrowFunctionExpression":
      return idleTuple(node.body, source);
    case "ExpressionStatement":
      return severalAssigned(node, source);
    case "BinaryExpression":
      return [...text(node.operator, node.left, node.right, node.start), ...membership(node, source)];
    default:
      return [];
  }
}

const isSequence = (node: AnyNode | null | undefined): node is SequenceExpression => node?.type === "SequenceExpression";
const changes = ({ type }: AnyNode) => type === "AssignmentExpression" || type === "UpdateExpression";
const isShort = (text: string) => text.length <= SHORT && !/[\n/]/.test(text);

function tuple({ start, end }: SequenceExpression, source: string): Misread {
  const written = source.slice(start, end);
  const [what, list] = isShort(written) ? [`“${written}”`, `[${written}]`] : ["several with commas between them", "[a, b]"];
  return { message: `JavaScript keeps only the last value of ${what}: write ${list}`, at: start };
}

/** A comma expression whose values are dropped and do nothing else. */
const idleTuple = (node: AnyNode | null | undefined, source: string): Misread[] => (isSequence(node) && node.expressions.slice(0, -1).every(isIdle) ? [tuple(node, source)] : []);

function isIdle(node: AnyNode): boolean {
  if (node.type === "UnaryExpression") return (node.operator === "-" || node.operator === "+") && isIdle(node.argument);
  return node.type === "Identifier" || node.type === "Literal" || node.type === "ArrayExpression" || node.type === "ArrowFunctionExpression" || (node.type === "MemberExpression" && !node.computed);
}

/** `a, b = f()`, which assigns all of it to b, and `a, b = b, a`, which does nothing. */
function severalAssigned({ expression, start }: ExpressionStatement, source: string): Misread[] {
  if (!isSequence(expression)) return [];
  const at = expression.expressions.findIndex(changes);
  const assigned = expression.expressions[at];
  if (at < 1 || assigned?.type !== "AssignmentExpression" || assigned.operator !== "=" || assigned.left.type !== "Identifier") return [];
  if (![...expression.expressions.slice(0, at), ...expression.expressions.slice(at + 1)].every(isIdle)) return [];
  const [names, values] = [source.slice(start, assigned.left.end), source.slice(assigned.right.start, expression.end)];
  const several = at + 1 < expression.expressions.length ? `[${values}]` : values;
  const written = isShort(names + several) ? `[${names}] = ${several}` : "[a, b] = values";
  return [{ message: `Several values are assigned in brackets: write ${written}, or const ${written} where the names are new`, at: start }];
}

function text(operator: string, left: AnyNode, right: AnyNode, at: number): Misread[] {
  if (left.type !== "Literal" || typeof left.value !== "string") return [];
  if (operator === "%" && /%[-+ #0\d.]*[a-z]/i.test(left.value)) return [{ message: "A text is not formatted by %, which would be NaN: write `loss ${value.toFixed(2)}`", at }];
  if (operator === "*" && right.type === "Literal" && typeof right.value === "number" && left.value.trim() !== "" && Number.isNaN(Number(left.value))) return [{ message: `A text is not repeated by *, which would be NaN: write ${left.raw!.slice(0, SHORT)}.repeat(${right.raw})`, at }];
  return [];
}

/** `3 in [1, 2]`, which asks for a position. */
function membership({ operator, left, right, start }: BinaryExpression, source: string): Misread[] {
  if (operator !== "in" || right.type !== "ArrayExpression") return [];
  const [value, list] = [source.slice(left.start, left.end), source.slice(right.start, right.end)];
  return [{ message: `in asks whether a list has a position: write ${isShort(value + list) ? `${list}.includes(${value})` : "list.includes(value)"}`, at: start }];
}
