// Kernels that a program builds: a function is called once, on terms instead of numbers, and what
// it does with them is written down as the source of a kernel. From there on both are one: the
// rules of numbers, the messages and the IR are those of functions.

import { ValueError } from "../index.js";
import type { Combine } from "./ir.js";
import { GROUP_BUILTINS } from "./lower/calls.js";
import type { Given } from "./lower/values.js";
import { MATH } from "./math.js";
import type { LoadOptions } from "./types.js";

/**
 * What a term can be combined with.
 *
 * @example
 * const halved: (x: KernelTerm) => KernelTerm = (x) => x.mul(0.5 satisfies KernelOperand);
 * kernel.build((_, x: BuiltTensor, i) => halved(x.at(i)))([3]); // [1.5]
 */
export type KernelOperand = KernelTerm | number | boolean;

/** Methods of terms that write an operator of JavaScript. */
const OPERATORS = {
  add: "+", sub: "-", mul: "*", div: "/", fmod: "%", pow: "**", less: "<", lessEqual: "<=", greater: ">", greaterEqual: ">=", equal: "==", notEqual: "!=",
  logicalAnd: "&&", logicalOr: "||", bitwiseAnd: "&", bitwiseOr: "|", bitwiseXor: "^", shiftLeft: "<<", shiftRight: ">>",
} as const;

type Operators = { readonly [K in keyof typeof OPERATORS]: (other: KernelOperand) => KernelTerm };

/**
 * A number in a kernel that is being built. Each method computes at the place where it is called.
 *
 * @example
 * const square = (x: KernelTerm) => x.mul(x);
 * kernel.build((_, x: BuiltTensor, i) => square(x.at(i).add(1)))([2]); // [9]
 */
export interface KernelTerm extends Operators {
  neg(): KernelTerm;
  logicalNot(): KernelTerm;
  bitwiseNot(): KernelTerm;
  /** As f32. */
  float(): KernelTerm;
  /** As i32, without the fraction. */
  int(): KernelTerm;
  /** As u32, without the fraction. */
  uint(): KernelTerm;
}

/**
 * A number that a kernel assigns again. Whatever is computed of it has its value of that moment.
 *
 * @example
 * kernel.build((b, x: BuiltTensor) => {
 *   const sum: KernelVariable = b.variable(0);
 *   b.for(0, x.length, (k) => sum.set(sum.add(x.at(k))));
 *   return sum;
 * })([1, 2, 3]); // [6,6,6]
 */
export interface KernelVariable extends KernelTerm {
  set(value: KernelOperand): void;
}

/**
 * An array of a kernel that is being built: local, or shared by a workgroup.
 *
 * @example
 * kernel.build((b, x: BuiltTensor, i) => {
 *   const pair: BuiltArray = b.array([x.at(i), 1]);
 *   pair.set(pair.get(0).mul(2), 0);
 *   return pair.get(0).add(pair.get(1));
 * })([5]); // [11]
 */
export interface BuiltArray {
  get(...place: readonly KernelOperand[]): KernelTerm;
  set(value: KernelOperand, ...place: readonly KernelOperand[]): void;
}

/**
 * A tensor of a kernel that is being built.
 *
 * @example
 * kernel.build((_, x: BuiltTensor, i) => x.at(x.length.sub(1).sub(i)))([1, 2, 3]); // [3,2,1]
 */
export interface BuiltTensor {
  readonly shape: readonly KernelTerm[];
  readonly length: KernelTerm;
  readonly size: KernelTerm;
  readonly ndim: number;
  at(...place: readonly (KernelOperand | LoadOptions)[]): KernelTerm;
  sample(...place: readonly (KernelOperand | LoadOptions)[]): KernelTerm;
}

/**
 * An output of a kernel that is being built; `before` also gives what was there before the store.
 *
 * @example
 * const count = kernel.build((b, x: BuiltTensor, i, { bins }: { bins: BuiltOutput }) => {
 *   bins.add(1, b.math.floor(x.at(i)));
 * }, { outputs: { bins: { shape: [3] } } });
 * count([0.5, 2, 2.5]).bins; // [1,0,2]
 */
export interface BuiltOutput extends Readonly<Record<"set" | "add" | "min" | "max" | "and" | "or" | "xor", (value: KernelOperand, ...place: readonly KernelOperand[]) => void>> {
  readonly shape: readonly KernelTerm[];
  before(store: "add" | "min" | "max" | "and" | "or" | "xor", value: KernelOperand, ...place: readonly KernelOperand[]): KernelTerm;
}

type MathName = Exclude<{ [K in keyof Math]: Math[K] extends (...args: never[]) => number ? K : never }[keyof Math], "random" | undefined>;

/**
 * What a kernel is built with: variables, arrays, loops, branches and functions.
 *
 * @example
 * const clamped = (b: KernelBuilder, x: KernelTerm) => b.math.min(b.math.max(x, 0), 1);
 * kernel.build((b, x: BuiltTensor, i) => clamped(b, x.at(i)))([-1, 0.5, 2]); // [0,0.5,1]
 */
export interface KernelBuilder {
  /** JavaScript's Math, of terms. */
  readonly math: { readonly [K in MathName]: (...args: readonly KernelOperand[]) => KernelTerm };
  /** A number as a term: one without a fraction is whole, and `b.number(1).float()` f32. */
  number(value: number | boolean): KernelTerm;
  /** A variable; its dtype is that of all that is assigned to it. */
  variable(value: KernelOperand): KernelVariable;
  /** A local array: of these elements, or of this many zeros. */
  array(elements: readonly KernelOperand[] | number): BuiltArray;
  if(condition: KernelOperand, then: () => void, otherwise?: () => void): void;
  /** Counts from one number up to, but not including, another. */
  for(from: KernelOperand, to: KernelOperand, body: (k: KernelTerm) => void, step?: number): void;
  /** Repeats while a condition holds, which is computed before each iteration. */
  while(condition: () => KernelOperand, body: () => void): void;
  break(): void;
  continue(): void;
  select(condition: KernelOperand, a: KernelOperand, b: KernelOperand): KernelTerm;
  /** A function that kernels have: `rand`, `pcg`, and of groups `subgroupAdd` and its like. */
  call(name: string, ...args: readonly KernelOperand[]): KernelTerm;
  print(...values: readonly (KernelOperand | string)[]): void;
  assert(condition: KernelOperand, text: string): void;
  /** The invocation's coordinate in its workgroup, and its workgroup's, along an axis. */
  local(axis: number): KernelTerm;
  group(axis: number): KernelTerm;
  shared(dtype: "f32" | "i32" | "u32", ...extents: readonly number[]): BuiltArray;
  barrier(): void;
}

/** What is known of a call when a kernel is built. */
export interface BuildSignature {
  readonly args: readonly Given[];
  readonly rank: number;
  readonly captured: Readonly<Record<string, Given>>;
  readonly outputs: Readonly<Record<string, { readonly rank: number }>>;
  readonly inGroups: boolean;
}

const names = new WeakMap<object, string>();

/** The source of a kernel that `fn` builds. */
export function writeKernel(op: string, fn: (...args: never[]) => unknown, { args, rank, captured, outputs, inGroups }: BuildSignature): string {
  const writer = new Writer(op);
  const given = args.map((value, n) => writer.given(`a${n}`, value));
  const indices = Array.from({ length: rank }, (_, axis) => writer.term(`i${axis}`));
  const record: Record<string, unknown> = {};
  const seen: string[] = [];
  const see = (name: string, make: (alias: string) => unknown) => {
    const alias = `c${seen.length}`;
    seen.push(`${JSON.stringify(name)}: ${alias}`);
    record[name] = make(alias);
  };
  for (const [name, value] of Object.entries(captured)) see(name, (alias) => writer.given(alias, value));
  for (const [name, { rank: axes }] of Object.entries(outputs)) see(name, (alias) => writer.output(alias, axes));
  if (inGroups) seen.push("local", "group", ...GROUP_BUILTINS);
  const result = (fn as (...all: unknown[]) => unknown)(writer.builder(), ...given, ...indices, record);
  if (result !== undefined) writer.line(`return ${writer.result(result)};`);
  const parameters = [...args.map((_, n) => `a${n}`), ...indices.map((_, axis) => `i${axis}`), ...(seen.length > 0 ? [`{ ${seen.join(", ")} }`] : [])];
  return `(${parameters.join(", ")}) => {\n${writer.text}}`;
}

class Writer {
  text = "";
  #depth = 1;
  #count = 0;

  constructor(readonly op: string) {}

  line(text: string): void {
    this.text += `${"  ".repeat(this.#depth)}${text}\n`;
  }

  #block(head: string, body: () => void): void {
    this.line(head);
    this.#depth++;
    try {
      body();
    } finally {
      this.#depth--;
    }
    this.line("}");
  }

  #name(letter: string): string {
    return `${letter}${this.#count++}`;
  }

  /** The text of an operand. */
  #of = (value: unknown): string => {
    if (typeof value === "number") return value < 0 || Object.is(value, -0) ? `(${Object.is(value, -0) ? "-0" : value})` : String(value);
    if (typeof value === "boolean") return String(value);
    const name = typeof value === "object" && value !== null ? names.get(value) : undefined;
    if (name !== undefined) return name;
    const what = typeof value !== "object" ? `a ${typeof value}` : value !== null && "at" in value ? "a tensor" : "another object";
    throw new ValueError(this.op, `a kernel is built of terms and numbers, got ${what}: read an element of a tensor by at, and of an array by get`);
  };

  #list = (values: readonly unknown[]) => values.map(this.#of).join(", ");

  /** A term of what is computed here. */
  #bind(text: string): KernelTerm {
    const name = this.#name("t");
    this.line(`const ${name} = ${text};`);
    return this.term(name);
  }

  term(name: string): KernelTerm {
    const binary = Object.entries(OPERATORS).map(([method, operator]) => [method, (other: KernelOperand) => this.#bind(`${name} ${operator} ${this.#of(other)}`)] as const);
    const term = Object.assign(Object.fromEntries(binary) as unknown as Operators, {
      neg: () => this.#bind(`-${name}`), logicalNot: () => this.#bind(`!${name}`), bitwiseNot: () => this.#bind(`~${name}`),
      float: () => this.#bind(`Math.fround(${name})`), int: () => this.#bind(`${name} | 0`), uint: () => this.#bind(`${name} >>> 0`),
      // An operator of JavaScript would make text of a term.
      [Symbol.toPrimitive]: (): never => {
        throw new ValueError(this.op, "terms have no operators: write a.add(b) for a + b, and a.less(b) for a < b");
      },
    });
    names.set(term, name);
    return term;
  }

  given(name: string, value: Given): unknown {
    switch (value.is) {
      case "tensor":
        return value.rank === 0 ? this.term(name) : this.#tensor(name, value.rank);
      case "scalar":
        return this.term(name);
      default:
        return (...args: readonly unknown[]) => this.#bind(`${name}(${this.#list(args)})`);
    }
  }

  #shape(name: string, rank: number): KernelTerm[] {
    return Array.from({ length: rank }, (_, axis) => this.term(`${name}.shape[${axis}]`));
  }

  #tensor(name: string, rank: number): BuiltTensor {
    const read = (method: string) => (...args: readonly unknown[]) => {
      const last = args.at(-1);
      const isOptions = typeof last === "object" && last !== null && !names.has(last);
      const places = isOptions ? args.slice(0, -1) : args;
      const options = isOptions ? Object.entries(last as object).map(([key, value]) => `${key}: ${typeof value === "string" ? JSON.stringify(value) : this.#of(value)}`) : [];
      return this.#bind(`${name}.${method}(${[...places.map(this.#of), ...(isOptions ? [`{ ${options.join(", ")} }`] : [])].join(", ")})`);
    };
    return { shape: this.#shape(name, rank), length: this.term(`${name}.length`), size: this.term(`${name}.size`), ndim: rank, at: read("at"), sample: read("sample") };
  }

  output(name: string, rank: number): BuiltOutput {
    const stores = (["set", "add", "min", "max", "and", "or", "xor"] as const satisfies readonly Lowercase<Combine>[]).map((store) => [store, (...args: readonly unknown[]) => this.line(`${name}.${store}(${this.#list(args)});`)]);
    return { ...(Object.fromEntries(stores) as Omit<BuiltOutput, "shape" | "before">), shape: this.#shape(name, rank), before: (store, ...args) => this.#bind(`${name}.${store}(${this.#list(args)})`) };
  }

  #array(text: string): BuiltArray {
    const name = this.#name("v");
    this.line(`const ${name} = ${text};`);
    const at = (place: readonly KernelOperand[]) => name + place.map((each) => `[${this.#of(each)}]`).join("");
    return { get: (...place) => this.#bind(at(place)), set: (value, ...place) => this.line(`${at(place)} = ${this.#of(value)};`) };
  }

  builder(): KernelBuilder {
    const call = (name: string, ...args: readonly KernelOperand[]) => this.#bind(`${name}(${this.#list(args)})`);
    return {
      math: Object.fromEntries([...MATH.keys()].map((name) => [name, (...args: readonly KernelOperand[]) => call(`Math.${name}`, ...args)])) as KernelBuilder["math"],
      number: (value) => this.#bind(this.#of(value)),
      variable: (value) => {
        const name = this.#name("v");
        this.line(`let ${name} = ${this.#of(value)};`);
        return Object.assign(this.term(name), { set: (next: KernelOperand) => this.line(`${name} = ${this.#of(next)};`) });
      },
      array: (elements) => this.#array(typeof elements === "number" ? `new Array(${elements}).fill(0)` : `[${this.#list(elements)}]`),
      if: (condition, then, otherwise) => {
        this.#block(`if (${this.#of(condition)}) {`, then);
        if (otherwise) this.#block("else {", otherwise);
      },
      for: (from, to, body, step = 1) => {
        const k = this.#name("k");
        this.#block(`for (let ${k} = ${this.#of(from)}; ${k} ${step < 0 ? ">" : "<"} ${this.#of(to)}; ${k} += ${this.#of(step)}) {`, () => body(this.term(k)));
      },
      while: (condition, body) => {
        this.#block("while (true) {", () => {
          this.line(`if (!(${this.#of(condition())})) break;`);
          body();
        });
      },
      break: () => this.line("break;"),
      continue: () => this.line("continue;"),
      select: (condition, a, b) => this.#bind(`${this.#of(condition)} ? ${this.#of(a)} : ${this.#of(b)}`),
      call,
      print: (...values) => this.line(`print(${values.map((value) => (typeof value === "string" ? JSON.stringify(value) : this.#of(value))).join(", ")});`),
      assert: (condition, text) => this.line(`assert(${this.#of(condition)}, ${JSON.stringify(text)});`),
      local: (axis) => this.term(`local[${axis}]`),
      group: (axis) => this.term(`group[${axis}]`),
      shared: (dtype, ...extents) => this.#array(`shared(${[JSON.stringify(dtype), ...extents].join(", ")})`),
      barrier: () => this.line("barrier();"),
    };
  }

  /** What the function returned, as it returns in the kernel. */
  result(value: unknown): string {
    if (typeof value === "object" && value !== null && "at" in value && !Array.isArray(value)) return this.#of(value);
    if (Array.isArray(value)) return `[${this.#list(value)}]`;
    if (typeof value !== "object" || value === null || names.has(value)) return this.#of(value);
    return `{ ${Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${this.result(each)}`).join(", ")} }`;
  }
}
