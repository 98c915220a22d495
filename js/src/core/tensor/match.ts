// Tree matching: two trees of one form, leaf by leaf. Objects are matched by key, whatever the
// order of their keys, and lists by position.

import { ValueError } from "../errors.js";
import { isArray, kindOf } from "../check/check.js";
import { Tensor } from "./tensor.js";
import { isModule, isNode, mapTree } from "./tree.js";

/** A tree, and what errors call it, as `gradients`. */
export interface Side {
  readonly what: string;
  readonly tree: unknown;
}

/** Stands for a tensor in a form. */
export class Place {
  readonly #isPlace = true;

  /** Throws for no value, as `instanceof` does for proxies that were revoked. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && #isPlace in value && value.#isPlace;
  }
}

/** The form alone of a tree, with places for the tensors that `has` names, by default all, and
 * `null` for others, so that nobody has to keep them. */
export function formOf(tree: unknown, has: (tensor: Tensor) => boolean = () => true): unknown {
  return mapTree(tree, (leaf) => (leaf instanceof Tensor ? (has(leaf) ? new Place() : null) : leaf));
}

/** What `matchTrees` looks for. */
export interface Matching {
  /** Whether a value of the first tree is a leaf, given what the second has in its place; by
   * default a tensor is. */
  readonly leaf?: (value: unknown, other?: unknown) => boolean;
  /** Whether a value of the second tree fits a leaf; by default a tensor does. */
  readonly fits?: (value: unknown) => boolean;
  /** Whether `null` or `undefined` in the second tree stands for nothing in all that the first has
   * there. */
  readonly optional?: boolean;
  /** Whether modules in the first tree are passed over, as constants of the program. */
  readonly passModules?: boolean;
}

const isTensor = (value: unknown): boolean => value instanceof Tensor;
const isGiven = (value: unknown): boolean => value instanceof Tensor || typeof value === "number";

/**
 * Calls `visit` with each leaf of the first tree, in its order, what the second tree has in its
 * place (`null` for nothing), and a function that writes the place out, as `.layers[0]`. The second
 * may lack names below which the first has no leaf. Throws `ValueError` in the name of `op` for
 * other names that only one of them has, and where one has a leaf and the other a list or an
 * object; the error tells what either has there.
 */
export function matchTrees<L, O>(op: string, first: Side, second: Side, visit: (leaf: L, other: O, place: () => string) => void, rules: Matching = {}): void {
  const { leaf = isTensor, fits = isTensor, optional = false, passModules = false } = rules;
  const path: string[] = [];
  // Trees that hold themselves end there.
  const above = new Set<unknown>();
  const isLeaf = (value: unknown): boolean => leaf(value);
  /** Whether a tree holds what `is` names. Only asked where trees differ. */
  const holds = (tree: unknown, is: (value: unknown) => boolean): boolean => {
    if (is(tree)) return true;
    if (!isNode(tree) || above.has(tree) || (passModules && isModule(tree))) return false;
    above.add(tree);
    const found = Object.values(tree).some((child) => holds(child, is));
    above.delete(tree);
    return found;
  };
  const place = (): string => path.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`)).join("");
  const unlike = (a: unknown, b: unknown): ValueError => {
    return new ValueError(op, `trees are matched by name, but ${first.what}${place()} is ${described(a)}, and ${second.what}${place()} is ${described(b)}`);
  };
  const child = (node: object, key: string): unknown => (node as Record<string, unknown>)[key];

  const walk = (a: unknown, b: unknown): void => {
    const nothing = optional && (b === null || b === undefined);
    if (leaf(a, b)) {
      if (!nothing && !fits(b)) throw unlike(a, b);
      return visit(a as L, (nothing ? null : b) as O, place);
    }
    if (passModules && isModule(a)) {
      if (!isModule(b) && holds(b, isTensor)) throw unlike(a, b);
      return;
    }
    if (!isNode(a) || above.has(a)) {
      // A tensor that is no leaf, as state that is not learned, takes whatever comes.
      if (!(a instanceof Tensor) && holds(b, isTensor)) throw unlike(a, b);
      return;
    }
    if (!nothing && (!isNode(b) || isArray(a) !== isArray(b))) {
      if (holds(a, isLeaf) || holds(b, isTensor)) throw unlike(a, b);
      return;
    }
    above.add(a);
    for (const key of Object.keys(a)) {
      if (nothing || Object.hasOwn(b as object, key)) {
        path.push(key);
        walk(child(a, key), nothing ? null : child(b as object, key));
        path.pop();
      } else if (holds(child(a, key), isLeaf)) throw unlike(a, b);
    }
    if (!nothing) for (const key of Object.keys(b as object)) if (!Object.hasOwn(a, key) && holds(child(b as object, key), isGiven)) throw unlike(a, b);
    above.delete(a);
  };
  walk(first.tree, second.tree);
}

/** What stands in a place of a tree, for errors. */
function described(value: unknown): string {
  if (value instanceof Tensor || value instanceof Place) return "a tensor";
  if (value === undefined) return "missing";
  if (!isNode(value)) return kindOf(value);
  if (isArray(value)) return `a list of ${value.length}`;
  const names = Object.keys(value);
  if (names.length === 0) return "{}";
  return `{ ${names.slice(0, 8).join(", ")}${names.length > 8 ? ` and ${names.length - 8} more` : ""} }`;
}
