// Cache keys of captures. A key writes out the form of a call's arguments: the places of tensors
// and numbers, the dtypes and shapes of tensors, and everything else by its value or identity.

import { isArray } from "../core/check/check.js";
import { Tensor, type Form } from "../core/tensor/tensor.js";
import { cyclic, entriesOf, isModule, isNode } from "../core/tensor/tree.js";
import { Parameter } from "./parameter.js";

/** The arguments of a call as a capture takes them. */
export interface Inputs {
  readonly key: string;
  /** Tensors, in the order in which they stand in the arguments. */
  readonly tensors: readonly Tensor[];
  /** Numbers, likewise. */
  readonly numbers: readonly number[];
  /** Which of the tensors the call may overwrite. */
  readonly donated: readonly number[];
}

/** Numbers for objects, so that identity can stand in a key. */
export class Identities {
  readonly #numbers = new WeakMap<object, number>();
  #next = 0;

  of(object: object): number {
    let number = this.#numbers.get(object);
    if (number === undefined) this.#numbers.set(object, (number = this.#next++));
    return number;
  }
}

/** Reads the arguments of a call: those at `fixed` positions are part of the key, as modules and
 * parameters are. */
export function readInputs(
  args: readonly unknown[],
  fixed: ReadonlySet<number>,
  donate: ReadonlySet<number>,
  identities: Identities,
): Inputs {
  const tensors: Tensor[] = [];
  const numbers: number[] = [];
  const donated: number[] = [];

  const above = new Set<unknown>();
  const constant = (value: unknown): string => {
    if (typeof value === "object" && value !== null) {
      const identity = `#${identities.of(value)}`;
      if (!isNode(value) || above.has(value)) return identity;
      // A module's switches (such as `training`) count by value.
      above.add(value);
      const parts = entriesOf(value).map(([name, child]) => `${name}:${constant(child)}`);
      above.delete(value);
      return `${identity}{${parts.join()}}`;
    }
    if (typeof value === "function") return `#${identities.of(value)}`;
    return typeof value === "string" ? JSON.stringify(value) : `${typeof value} ${String(value)}`;
  };

  const variable = (value: unknown, donates: boolean): string => {
    if (value instanceof Tensor && !(value instanceof Parameter)) {
      if (donates) donated.push(tensors.length);
      tensors.push(value);
      const { text } = value.form;
      return donates ? `${text}!` : text;
    }
    if (typeof value === "number") {
      numbers.push(value);
      // Beside integers whole numbers stay integers, and others make floats of them.
      return Number.isInteger(value) ? "n" : "r";
    }
    if (!isNode(value) || isModule(value)) return constant(value);
    if (above.has(value)) throw cyclic();
    above.add(value);
    const node: object = value;
    let parts = "";
    if (isArray(node)) for (let n = 0; n < node.length; n++) parts += `${variable(node[n], donates)},`;
    else for (const [name, child] of Object.entries(node)) parts += `${JSON.stringify(name)}:${variable(child, donates)},`;
    above.delete(value);
    return isArray(node) ? `[${parts}]` : `{${parts}}`;
  };

  let key = "";
  for (let i = 0; i < args.length; i++) key += `${fixed.has(i) ? constant(args[i]) : variable(args[i], donate.has(i))};`;
  return { key, tensors, numbers, donated };
}

/** What arguments look like that are tensors and arrays of them, without writing out a key. */
export type Likeness = readonly (Form | Likeness)[];

/** What `args` look like; null where they are anything but tensors and arrays of them. */
export function likenessOf(args: readonly unknown[], depth = 0): Likeness | null {
  const like: (Form | Likeness)[] = [];
  for (const given of args) {
    let one: Form | Likeness | null = null;
    if (given instanceof Tensor) one = given instanceof Parameter ? null : given.form;
    else if (isList(given) && depth < MOST_DEPTH) one = likenessOf(given, depth + 1);
    if (!one) return null;
    like.push(one);
  }
  return like;
}

/** The tensors of arguments that look like those of the last call; null where they do not, or
 * where only their key can tell. */
export function tensorsLike(like: Likeness, args: readonly unknown[], tensors: Tensor[] = []): Tensor[] | null {
  if (args.length !== like.length) return null;
  for (let n = 0; n < like.length; n++) {
    const one = like[n];
    const given = args[n];
    if (isArray(one)) {
      if (!isList(given) || !tensorsLike(one as Likeness, given, tensors)) return null;
    } else if (given instanceof Tensor && given.form === one) tensors.push(given);
    else return null;
  }
  return tensors;
}

/** Arrays in arrays that are looked into. */
const MOST_DEPTH = 4;

function isList(value: unknown): value is readonly unknown[] {
  return isArray(value) && !isModule(value);
}
