// Names of operators: the operation of tensors that stands for each operator of JavaScript.
// Elements are computed as JavaScript computes numbers, so that `%` has the sign of the dividend.

/** Operators of two operands. */
export const BINARY = {
  "+": "add", "-": "sub", "*": "mul", "/": "div", "%": "fmod", "**": "pow",
  "<": "less", "<=": "lessEqual", ">": "greater", ">=": "greaterEqual",
  "&": "bitwiseAnd", "|": "bitwiseOr", "^": "bitwiseXor", "<<": "shiftLeft", ">>": "shiftRight", ">>>": "shiftRightUnsigned",
  "==": "looseEqual", "!=": "looseNotEqual",
} as const;

export const UNARY = { "-": "neg", "~": "bitwiseNot" } as const;

export const UPDATE = { "++": "increment", "--": "decrement" } as const;

/** Operators that have no operation: they throw, and say what to write. */
export const REFUSED: ReadonlySet<string> = new Set(["shiftRightUnsigned", "looseEqual", "looseNotEqual"]);

const OF_COMPLEX = ["add", "sub", "mul", "div", "pow"] as const;

/** Whether complex numbers have an operation. */
export const isOfComplex = (name: string): name is (typeof OF_COMPLEX)[number] => (OF_COMPLEX as readonly string[]).includes(name);

/** Where a value is taken for a condition, or for a text: neither can be a tensor. */
export type Condition = "${}" | "if" | "while" | "for" | "?:" | "!" | "&&" | "||";

export const isBinary = (operator: string): operator is keyof typeof BINARY => Object.hasOwn(BINARY, operator);
export const isUnary = (operator: string): operator is keyof typeof UNARY => Object.hasOwn(UNARY, operator);
