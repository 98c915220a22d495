// Signature of the call round the caret: what the function takes, and which of its arguments the
// caret is in.

import type { SyntaxNode } from "@lezer/common";
import { meaningAt } from "./hover";
import type { Code, World } from "./infer";

export interface CallSignature {
  /** Where the arguments begin. */
  readonly from: number;
  readonly name: string;
  readonly parameters: readonly string[];
  /** Which of them the caret is in; the last, where that takes the rest. */
  readonly at: number;
  readonly doc: string;
}

/** The list of arguments round a place; null where a function or a block comes between. */
export function argumentsAround(code: Code, pos: number): SyntaxNode | null {
  for (let node: SyntaxNode | null = code.tree.resolveInner(pos, -1); node; node = node.parent) {
    if (/^(?:Block|ArrowFunction|FunctionExpression|TemplateString|String|LineComment|BlockComment)$/.test(node.name) && node.from < pos && (node.to > pos || node.name === "LineComment")) return null;
    const closed = node.lastChild?.name === ")" && node.to <= pos;
    if (node.name === "ArgList" && node.from < pos && !closed) return node;
  }
  return null;
}

/** The number of the argument that a place is in. */
export function placeOf(list: SyntaxNode, pos: number): number {
  let place = 0;
  for (let at = list.firstChild; at && at.to <= pos; at = at.nextSibling) if (at.name === ",") place++;
  return place;
}

/** The parameters of a signature such as `(a: Operand, options?: { b: (c) => d }): Tensor`; null
 * where it takes none. */
export function parametersOf(signature: string): string[] | null {
  const open = signature.indexOf("(");
  if (open < 0 || !/^(?:new )?[\w$]*\(/.test(signature)) return null;
  const found: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < signature.length; at++) {
    const character = signature[at]!;
    if ("([{<".includes(character)) depth++;
    else if (")]}".includes(character) || (character === ">" && signature[at - 1] !== "=")) depth--;
    const ends = depth === 0;
    if (ends || (depth === 1 && character === ",")) {
      const parameter = signature.slice(from, at).trim();
      if (parameter !== "") found.push(parameter);
      from = at + 1;
    }
    if (ends) return found;
  }
  return found;
}

export function signatureAt(code: Code, pos: number, world: World): CallSignature | null {
  const list = argumentsAround(code, pos);
  const callee = list?.prevSibling ?? null;
  if (!list || !callee) return null;
  const meaning = meaningAt(code, callee.to - 1, world);
  const parameters = meaning && parametersOf(meaning.signature);
  if (!meaning || !parameters || parameters.length === 0) return null;
  return { from: list.from, name: meaning.name, parameters, at: Math.min(placeOf(list, pos), parameters.length - 1), doc: meaning.doc };
}
