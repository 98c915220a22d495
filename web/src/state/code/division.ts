// Python's whole division, `x // 2`, which JavaScript reads as x and a comment.

import { tokenizer } from "acorn";

export interface DivisionLike {
  /** Where `//` begins and its line ends. */
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/** A comment that is a number, or a name of the cell. */
const DIVISOR = /^\s?(?:\d[\d_]*(?:\.\d+)?|([A-Za-z_$][\w$]*))\s*;?\s*$/;

/** Comments behind an expression that are nothing but what it could be divided by. */
export function divisionLike(source: string): DivisionLike[] {
  if (!/\S[^\n]*\/\/ ?[\w$.]+\s*;?\s*$/m.test(source)) return [];
  const found: DivisionLike[] = [];
  const names = new Set<string>();
  const comments: { text: string; from: number; to: number; end: number }[] = [];
  let end = 0;
  try {
    const onComment = (block: boolean, text: string, from: number, to: number) => void (block || comments.push({ text, from, to, end }));
    for (const token of tokenizer(source, { ecmaVersion: "latest", sourceType: "module", allowAwaitOutsideFunction: true, onComment })) {
      end = token.end;
      if (token.type.label === "name") names.add(source.slice(token.start, token.end));
    }
  } catch {
    return [];
  }
  for (const { text, from, to, end } of comments) {
    const [divisor, name] = DIVISOR.exec(text) ?? [];
    // Behind `;` and the like nothing can be divided.
    if (divisor === undefined || (name !== undefined && !names.has(name)) || !/[\w$)\]]/.test(source[end - 1] ?? "") || source.slice(end, from).includes("\n")) continue;
    const by = divisor.replace(";", "").trim();
    found.push({ from, to, message: `JavaScript reads a comment here. Whole division is Math.floor(a / ${by}), of tensors a.floorDivide(${by})` });
  }
  return found;
}
