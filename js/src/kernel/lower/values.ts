// Values of names and expressions while a kernel's source is lowered, and the scopes that names are
// looked up in.

import type { AnyNode } from "acorn";
import type { FunctionNode, Parsed } from "../source.js";
import type { Edge, KernelDType } from "../ir.js";
import type { Num, NumType } from "../numbers.js";

/** A number that is assigned again: a local. */
export interface Variable {
  readonly is: "variable";
  readonly key: string;
  readonly name: string;
  readonly local: number;
  readonly type: NumType;
  /** Whether what was assigned counts as literals if all of it was: of a function's result. */
  readonly keepsLiteral: boolean;
}

/** A small array or record, each of whose fields has a dtype of its own. */
export interface Aggregate {
  readonly is: "aggregate";
  /** Names of the fields; null of an array. */
  readonly keys: readonly string[] | null;
  readonly fields: readonly (Value | Variable)[];
  /** Where it was made, by which the next pass knows it; null of what is read only. */
  readonly key: string | null;
  /** Whether its fields are locals, which can be assigned. */
  readonly settled: boolean;
  /** What it is called in messages and in print. */
  readonly name: string;
}

/** An array whose elements are chosen while the kernel runs. */
export interface Memory {
  readonly is: "memory";
  readonly key: string;
  readonly name: string;
  readonly array: number;
  readonly length: number;
  readonly type: NumType;
  /** Whether its dtype is given, as that of a Float32Array. */
  readonly fixed: boolean;
  /** Extents of an array of several axes, as `shared` makes it: of a[i], those that are left. */
  readonly extents: readonly number[];
  /** The i32 expression of where the part begins that a[i] is; null of the whole. */
  readonly offset: number | null;
}

/** A function of the source, with the names that it sees. */
export interface Closure {
  readonly is: "function";
  readonly name: string;
  readonly node: FunctionNode;
  readonly parsed: Parsed;
  readonly scope: Scope;
}

export interface TensorRef {
  readonly is: "tensor";
  readonly name: string;
  readonly tensor: number;
  readonly dtype: KernelDType;
  readonly rank: number;
}

export interface OutputRef {
  readonly is: "output";
  readonly name: string;
  readonly output: number;
  readonly dtype: KernelDType;
  readonly rank: number;
}

/** `Math`, `Number`, or a function that kernels have besides. */
export interface Builtin {
  readonly is: "builtin";
  readonly name: string;
}

/** A name that is declared without a value; its first assignment says what it is. */
export interface Slot {
  readonly is: "slot";
  readonly key: string;
  readonly name: string;
  content: Variable | Aggregate | null;
  readonly keepsLiteral: boolean;
}

/** `undefined`: what a function without a result yields. */
export interface Nothing {
  readonly is: "nothing";
}

export type Value = Num | Aggregate | Memory | Closure | TensorRef | OutputRef | Builtin | Nothing;

/** What a name is bound to. */
export interface Binding {
  readonly value: Value | Variable | Slot;
  readonly kind: "const" | "let" | "given";
}

export const NOTHING: Nothing = { is: "nothing" };

/** Names, inside the names around them. */
export class Scope {
  readonly #names = new Map<string, Binding>();

  constructor(readonly parent: Scope | null) {}

  bind(name: string, value: Binding["value"], kind: Binding["kind"]): void {
    this.#names.set(name, { value, kind });
  }

  find(name: string): Binding | undefined {
    return this.#names.get(name) ?? this.parent?.find(name);
  }

  /** Every name that is known here. */
  names(): string[] {
    return [...this.#names.keys(), ...(this.parent?.names() ?? [])];
  }
}

/** Something that a kernel is given. */
export type Given =
  | { readonly is: "tensor"; readonly dtype: KernelDType; readonly rank: number }
  | { readonly is: "scalar"; readonly dtype: "f32" | "bool" }
  | { readonly is: "function"; readonly source: string }
  | { readonly is: "builtin"; readonly name: string };

/** What a kernel reports: nothing, what its source asks for, or each NaN as well. */
export type ReportMode = "none" | "asked" | "nan";

/** How loads beyond the edge go, for a whole kernel. */
export type EdgeRule = Exclude<Edge, object> | { readonly value: number };

/** Whether a node is of this type, for a look ahead. */
export function isType<T extends AnyNode["type"]>(node: AnyNode | null | undefined, type: T): node is Extract<AnyNode, { type: T }> {
  return node?.type === type;
}
