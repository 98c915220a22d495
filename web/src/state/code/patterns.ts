// Patterns that take a value apart. A check of the value says what to write where an array, a
// promise or a tensor is taken apart as something else.

import type { AssignmentExpression, Expression, Pattern, VariableDeclarator } from "acorn";

/** What is taken apart, and the check's arguments behind it (`worker/run/apart.ts`). */
export interface TakenApart {
  readonly value: Expression;
  readonly rest: string;
}

/** Those of `nodes` that have a pattern, outermost first where they begin at one place. */
export function takenApart(nodes: readonly (VariableDeclarator | AssignmentExpression)[], source: string): TakenApart[] {
  const found = nodes.flatMap((node): TakenApart[] => {
    const { pattern, value } = node.type === "VariableDeclarator" ? declared(node) : assigned(node);
    if (pattern.type !== "ArrayPattern" && pattern.type !== "ObjectPattern") return [];
    const call = value?.type === "AwaitExpression" ? value.argument : value;
    if (!value || !call || (call.type !== "CallExpression" && call.type !== "Identifier")) return [];
    // By position, engines refuse what is no list; of calls there is more to say.
    const names = pattern.type === "ArrayPattern" && call.type === "Identifier" ? null : namesIn(pattern);
    if (!names) return [];
    const callee = call.type === "CallExpression" ? source.slice(call.callee.start, call.callee.end) : "";
    const written = /^[\w$.]{1,60}$/.test(callee) ? `${callee}(…)` : "";
    return [{ value, rest: `, ${pattern.type === "ArrayPattern"}, ${JSON.stringify(written)}, ${JSON.stringify(names)}` }];
  });
  return found.sort((a, b) => a.value.start - b.value.start || b.value.end - a.value.end);
}

const declared = ({ id, init }: VariableDeclarator) => ({ pattern: id, value: init ?? null });
const assigned = ({ operator, left, right }: AssignmentExpression) => ({ pattern: left, value: operator === "=" ? right : null });

/** The names that a pattern takes; null where it asks for nothing. */
function namesIn(pattern: Pattern): string[] | null {
  if (pattern.type === "ArrayPattern") return pattern.elements.map((element) => (element?.type === "Identifier" ? element.name : "")).slice(0, MOST);
  if (pattern.type !== "ObjectPattern") return null;
  const names = pattern.properties.flatMap((property) => {
    if (property.type !== "Property" || property.computed || property.value.type === "AssignmentPattern") return [];
    return property.key.type === "Identifier" ? [property.key.name] : [String((property.key as { value?: unknown }).value)];
  });
  return names.length > 0 ? names.slice(0, MOST) : null;
}
const MOST = 20;
