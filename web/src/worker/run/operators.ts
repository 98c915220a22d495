// Operators on values of any kind, which rewritten cells call (`state/operators/rewrite.ts`): where
// an operand is a tensor or a pair of complex numbers, its operation; else JavaScript's own
// operator. Also indices, which the prototypes of both answer, and the refusal of tensors where a
// condition is wanted.

import * as weft from "weft-gpu";
import { TraceError, ValueError } from "weft-gpu";
import type { Complex, Tensor } from "weft-gpu";
import { apart } from "./apart";
import { BINARY, isOfComplex, REFUSED, UNARY } from "../../state/operators/names";
import type { Condition } from "../../state/operators/names";

type Binary = (a: unknown, b: unknown) => unknown;
type Unary = (a: unknown) => unknown;

const isTensor = (value: unknown): value is Tensor => value instanceof weft.Tensor;
const isComplex = (value: unknown): value is Complex => value instanceof weft.Complex;
const isOperand = (value: unknown): value is Tensor | Complex => isTensor(value) || isComplex(value);
const isObject = (value: unknown) => typeof value === "object" || typeof value === "function";

/** The error of the same kind as the library has for operators that reach a tensor: inside of `jit`
 * and the like another than outside. */
function refusal(op: string, tensor: Tensor, outside: string, inside: string): Error {
  try {
    Number(tensor);
  } catch (error) {
    if (!(error instanceof TraceError)) return new ValueError(op, outside);
    // It names the argument that could be a number.
    return new TraceError(op, /static/.test(error.message) ? `${error.message.replace(/^[\w.]+: /, "").replace(/JavaScript's operators cannot act on /, "no branch can depend on ").replace(/; or use methods.*$/, "")}; ${inside}` : inside);
  }
  return new ValueError(op, outside);
}

function binary(operator: keyof typeof BINARY, act: Binary, plain: Binary): Binary {
  return (a, b) => {
    if (!isObject(a) && !isObject(b)) return plain(a, b);
    if (!isOperand(a) && !isOperand(b)) return plain(a, b);
    const other = isOperand(a) ? b : a;
    if (operator === "+" && typeof other === "string") throw new ValueError("+", 'a tensor is no text: write print("loss", loss) to show both, or await item() or array() for its numbers');
    if (other instanceof Promise) throw new ValueError(operator, "one side is a promise: write await in front of it");
    return (isComplex(a) || isComplex(b)) && !REFUSED.has(BINARY[operator]) ? complex(operator, a, b) : act(a, b);
  };
}

/** Where one side is complex, so is the other: a number as exact as that one. */
function complex(operator: keyof typeof BINARY, a: unknown, b: unknown): unknown {
  const name = BINARY[operator];
  if (!isOfComplex(name)) throw new ValueError(operator, "complex numbers have no such operation: write it of z.abs(), z.re or z.im, which are tensors");
  if (isComplex(a)) return a[name](b as Complex);
  const { dtype } = (b as Complex).re;
  return weft.tidy(() => (typeof a === "number" ? new weft.Complex(weft.tensor(a, { dtype }), weft.tensor(0, { dtype })) : new weft.Complex(a as Tensor))[name](b as Complex));
}

const operation = (name: string): Binary => (weft as unknown as Record<string, Binary>)[name]!;

const sameOrEqual = (operator: "==" | "!=", method: string): Binary => (a, b) => {
  if (a === null || a === undefined || b === null || b === undefined) return operator === "!=";
  if (isComplex(a) || isComplex(b)) throw new ValueError(operator, `write (a - b).abs() to see how far apart complex numbers are, or a ${operator}= b to ask whether both are one`);
  throw new ValueError(operator, `write a.${method}(b) to compare elements, or a ${operator}= b to ask whether both are one tensor`);
};

const unsigned: Binary = (a, b) => {
  if (isTensor(a) && a.dtype === "u32") return a.shiftRight(b as Tensor);
  throw new ValueError(">>>", 'shifts tensors of u32 alone: write x >> n, or x.bitcast("u32") >>> n');
};

const PLAIN: Readonly<Record<keyof typeof BINARY, (a: never, b: never) => unknown>> = {
  "+": (a: number, b: number) => a + b, "-": (a: number, b: number) => a - b, "*": (a: number, b: number) => a * b, "/": (a: number, b: number) => a / b,
  "%": (a: number, b: number) => a % b, "**": (a: number, b: number) => a ** b,
  "<": (a: number, b: number) => a < b, "<=": (a: number, b: number) => a <= b, ">": (a: number, b: number) => a > b, ">=": (a: number, b: number) => a >= b,
  "&": (a: number, b: number) => a & b, "|": (a: number, b: number) => a | b, "^": (a: number, b: number) => a ^ b,
  "<<": (a: number, b: number) => a << b, ">>": (a: number, b: number) => a >> b, ">>>": (a: number, b: number) => a >>> b,
  "==": (a: number, b: number) => a == b, "!=": (a: number, b: number) => a != b,
};

const OWN: Readonly<Record<string, Binary>> = { shiftRightUnsigned: unsigned, looseEqual: sameOrEqual("==", "equal"), looseNotEqual: sameOrEqual("!=", "notEqual") };

const binaries = Object.fromEntries((Object.keys(BINARY) as (keyof typeof BINARY)[]).map((operator) => [BINARY[operator], binary(operator, OWN[BINARY[operator]] ?? operation(BINARY[operator]), PLAIN[operator] as Binary)]));

const unaries: Record<(typeof UNARY)[keyof typeof UNARY], Unary> = {
  neg: (value) => (isOperand(value) ? value.neg() : -(value as number)),
  bitwiseNot: (value) => {
    if (isComplex(value)) throw new ValueError("~", "complex numbers have no bits");
    return isTensor(value) ? value.bitwiseNot() : ~(value as number);
  },
};

/** What to write instead of a tensor as a condition: outside of traced functions, and inside. */
const INSTEAD: Readonly<Record<Condition, readonly [string, string]>> = {
  "${}": ['write ${await x.item()} for its number, ${await x.array()} for its numbers, or print("loss", x)', "return the tensor, and write the text where the function is called"],
  if: ["write if (await mask.any().item()), or .all(), or where(mask, a, b) to choose element by element", "write cond(mask, () => a, () => b), or where(mask, a, b)"],
  while: ["write while (await mask.any().item()), or .all()", "write whileLoop(cond, body, start)"],
  for: ["write await mask.any().item(), or .all()", "write whileLoop(cond, body, start)"],
  "?:": ["write where(mask, a, b) to choose element by element, or (await mask.any().item()) ? a : b", "write where(mask, a, b)"],
  "!": ["write mask.logicalNot() for each element", "write mask.logicalNot()"],
  "&&": ["write a & b for each element", "write a & b"],
  "||": ["write a | b for each element", "write a | b"],
};

/** A value that is taken for a condition or a text, which a tensor is not: its values are on the
 * device, and there are many. */
function test(condition: Condition, value: unknown): unknown {
  if (isComplex(value) && condition !== "${}") throw new ValueError(condition === "?:" ? "condition ? a : b" : condition, "takes one truth value, not complex numbers: compare z.abs(), z.re or z.im, which are tensors");
  if (!isTensor(value)) return value;
  const [outside, inside] = INSTEAD[condition];
  const type = `${value.dtype}[${value.shape.join(",")}]`;
  if (condition === "${}") throw refusal("text", value, `the tensor ${type} is no text: ${outside}`, `the tensor ${type} has no values inside a traced function, and is no text: ${inside}`);
  const what = condition === "?:" ? "condition ? a : b" : condition;
  throw refusal(what, value, `takes one truth value, not the tensor ${type}: ${outside}. To ask whether there is a tensor, write x !== null or x !== undefined`, `takes one truth value, and inside a traced function the tensor ${type} has none yet: ${inside}`);
}

/** The second of the comparisons `a < b < c`: JavaScript compares the truth value of the first one,
 * which for tensors would always give something, and never what was meant. */
function chained(a: unknown, b: unknown, operator: "<" | "<=" | ">" | ">=", instead: string): unknown {
  if (isTensor(a) || isTensor(b)) throw new ValueError(operator, `compares the truth values of the comparison in front of it: write ${instead}`);
  return (PLAIN[operator] as Binary)(a, b);
}

/** Reads `owner[key]`, where the key is an object. */
function at(owner: unknown, key: unknown): unknown {
  if (isOperand(owner) && active && (isTensor(key) || Array.isArray(key) || ArrayBuffer.isView(key))) return isComplex(owner) ? owner.map((part) => part.at(key as Tensor).get()) : owner.at(key as Tensor).get();
  if (isTensor(key) && owner !== null && owner !== undefined && !isOperand(owner)) throw new ValueError("[ ]", "an array takes a number as its index, not a tensor: write items[await i.item()]");
  return (owner as Record<PropertyKey, unknown>)[key as PropertyKey];
}

/** The owner of `owner[1, 2]`, of which JavaScript takes the last index alone. */
function oneIndex(owner: unknown): unknown {
  if (isOperand(owner)) throw new ValueError("[ ]", "takes one index, for JavaScript reads x[1, 2] as x[2]: write x[1][2], or x.slice(1, 2)");
  return owner;
}

/** What `++` and `--` take their operand for, and give back behind it. */
function numeric(value: unknown): unknown {
  if (isOperand(value)) return value;
  let number = value as number;
  return number++;
}

function increment(value: unknown): unknown {
  if (isOperand(value)) return value.add(1);
  let number = value as number;
  return ++number;
}

function decrement(value: unknown): unknown {
  if (isOperand(value)) return value.sub(1);
  let number = value as number;
  return --number;
}

/** Whether the cells that run have operators. */
let active = true;

export function setOperators(on: boolean): void {
  active = on;
}

/** What rewritten cells find in `$weft`. */
export const operators = { ...binaries, ...unaries, test, chained, at, oneIndex, numeric, increment, decrement, apart };

const OF_PARTS: ReadonlySet<string> = new Set(["shape", "ndim", "size"]);
const WHOLE = /^-?\d+$/;
const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** Lets tensors and complex numbers be read by index, and refuses to be written to. What the
 * library says of other names stays; of complex numbers their parts say what shape they have. */
export function installIndices(): void {
  for (const { prototype } of [weft.Tensor, weft.Complex]) {
    const above = Object.getPrototypeOf(prototype) as object;
    const handler: ProxyHandler<object> = {
      get(target, name, receiver): unknown {
        if (active && typeof name === "string" && isOperand(receiver)) {
          if (WHOLE.test(name)) return isComplex(receiver) ? receiver.map((part) => part.slice(Number(name))) : receiver.slice(Number(name));
          if (!NAME.test(name) || name === "NaN" || name === "Infinity") throw notAnIndex(name);
          if (isComplex(receiver) && OF_PARTS.has(name)) return receiver.re[name as keyof Tensor];
        }
        return Reflect.get(target, name, receiver) as unknown;
      },
      set(target, name, value, receiver): boolean {
        if (typeof name === "string" && !NAME.test(name) && isOperand(receiver)) throw new ValueError("[ ] =", `tensors do not change: write x = x.at(${WHOLE.test(name) ? name : "i"}).set(value), a changed copy; x.at(i).add(value) adds to what is there`);
        return Reflect.set(target, name, value, receiver);
      },
    };
    Object.setPrototypeOf(prototype, new Proxy(above, handler));
  }
}

function notAnIndex(name: string): Error {
  const shown = name.length > 40 ? `${name.slice(0, 39)}…` : name;
  if (/^[-\d:,. ]*$/.test(name) && /[:,]/.test(name)) return new ValueError("[ ]", `“${shown}” is no index: write x.at(${name.split(",").map((part) => (part.includes(":") ? JSON.stringify(part.trim()) : part.trim())).join(", ")}).get()`);
  return new ValueError("[ ]", `“${shown}” is no index: an index is a whole number, a tensor or an array of them, or a mask`);
}
