// Recognition of counted loops: a counter that only the loop's own step changes, and a bound that
// the body does not change. They need no limit, and derivatives know how long they are.

import type { AnyNode, AssignmentExpression, Expression, ForStatement, VariableDeclaration, VariableDeclarator } from "acorn";
import { changedNames, childrenOf, type Parsed } from "../source.js";

export interface CountedLoop {
  readonly declarator: VariableDeclarator;
  readonly name: string;
  readonly bound: Expression;
  /** Whether the bound itself is reached. */
  readonly includes: boolean;
  /** Whether the counter goes down. */
  readonly isDown: boolean;
  /** The step, without its sign where the counter goes down. */
  readonly by: Expression;
}

const ONE = { type: "Literal", value: 1, raw: "1", start: 0, end: 0 } as unknown as Expression;
const MIRRORED: Record<string, string> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

const recognised = new WeakMap<ForStatement, CountedLoop | null>();

/** The loop as a counted one; null where it is none. */
export function countedLoop(node: ForStatement, init: VariableDeclaration, parsed: Parsed): CountedLoop | null {
  const known = recognised.get(node);
  if (known !== undefined) return known;
  const found = recognise(node, init, parsed);
  recognised.set(node, found);
  return found;
}

function recognise(node: ForStatement, init: VariableDeclaration, parsed: Parsed): CountedLoop | null {
  const { test, update, body } = node;
  if (test?.type !== "BinaryExpression" || !Object.hasOwn(MIRRORED, test.operator) || !update) return null;
  const left = test.left as Expression;
  const declared = (side: Expression) => init.declarations.find(({ id, init: first }) => side.type === "Identifier" && id.type === "Identifier" && id.name === side.name && first);
  const isMirrored = !declared(left);
  const counter = isMirrored ? test.right : left;
  const declarator = declared(counter);
  if (!declarator || counter.type !== "Identifier") return null;
  const { name } = counter;
  const operator = isMirrored ? (MIRRORED[test.operator] as string) : test.operator;
  const bound = isMirrored ? left : test.right;
  const step = stepOf(update, name);
  if (!step || step.isDown !== operator.startsWith(">")) return null;
  // What the body or a function anywhere assigns may change while the loop runs.
  const changing = changedNames(body);
  for (const each of assignedInFunctions(parsed)) changing.add(each);
  if (changing.has(name)) return null;
  changing.add(name);
  if (!isInvariant(bound, changing) || !isInvariant(step.by, changing)) return null;
  return { declarator, name, bound, includes: operator.endsWith("="), isDown: step.isDown, by: step.by };
}

function stepOf(update: Expression, name: string): { isDown: boolean; by: Expression } | null {
  const isCounter = (node: AnyNode) => node.type === "Identifier" && node.name === name;
  if (update.type === "UpdateExpression") return isCounter(update.argument) ? { isDown: update.operator === "--", by: ONE } : null;
  if (update.type !== "AssignmentExpression" || !isCounter(update.left)) return null;
  if (update.operator === "+=" || update.operator === "-=") return { isDown: update.operator === "-=", by: update.right };
  return sumOf(update, isCounter);
}

/** k = k + 2, k = k - 2. */
function sumOf({ operator, right }: AssignmentExpression, isCounter: (node: AnyNode) => boolean): { isDown: boolean; by: Expression } | null {
  if (operator !== "=" || right.type !== "BinaryExpression" || !isCounter(right.left)) return null;
  return right.operator === "+" || right.operator === "-" ? { isDown: right.operator === "-", by: right.right } : null;
}

const inFunctions = new WeakMap<Parsed, Set<string>>();

/** Names that functions inside the function assign; calling one may change them. */
function assignedInFunctions(parsed: Parsed): Set<string> {
  const known = inFunctions.get(parsed);
  if (known) return known;
  const names = new Set<string>();
  const pending = childrenOf(parsed.node);
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.type === "FunctionDeclaration" || node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression") {
      for (const name of changedNames(node)) names.add(name);
    } else pending.push(...childrenOf(node));
  }
  inFunctions.set(parsed, names);
  return names;
}

/** Whether an expression yields the same in each iteration. */
function isInvariant(node: AnyNode, changing: ReadonlySet<string>): boolean {
  switch (node.type) {
    case "Literal":
      return true;
    case "Identifier":
      return !changing.has(node.name);
    case "UnaryExpression":
      return isInvariant(node.argument, changing);
    case "BinaryExpression":
      return isInvariant(node.left, changing) && isInvariant(node.right, changing);
    case "ConditionalExpression":
      return [node.test, node.consequent, node.alternate].every((each) => isInvariant(each, changing));
    case "MemberExpression":
      return isExtent(node);
    case "CallExpression": {
      const { callee } = node;
      const isMath = callee.type === "MemberExpression" && callee.object.type === "Identifier" && callee.object.name === "Math";
      return isMath && node.arguments.every((each) => isInvariant(each, changing));
    }
    default:
      return false;
  }
}

/** `x.length`, `x.shape[0]`, `Math.PI`. */
function isExtent(node: Extract<AnyNode, { type: "MemberExpression" }>): boolean {
  const { object, property, computed } = node;
  if (!computed) return (property as { name: string }).name === "length" || (object.type === "Identifier" && object.name === "Math");
  return property.type === "Literal" && object.type === "MemberExpression" && !object.computed && (object.property as { name: string }).name === "shape";
}
