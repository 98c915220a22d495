// Trees of tensors: arrays, plain objects and modules, with tensors (and, where a transform takes
// them, numbers) at the leaves. Transforms walk their arguments and results as trees; all else in
// them passes through untouched.

import { ValueError } from "../errors.js";
import { holds, isArray } from "../check/check.js";
import { Tensor } from "./tensor.js";
import { noteRead, switchOf, type Switched } from "../check/tracing.js";

/** Marks classes whose instances are walked like plain objects. Modules carry it. */
export const treeNode = Symbol("weft.treeNode");

/** The method of classes whose instances are values, as complex numbers are: one of the class, of
 * other entries. */
export const treeValue = Symbol("weft.treeValue");

/** A value like `value`, of these entries. */
function valueOf(value: object, entries: Iterable<readonly [string, unknown]>): unknown {
  const parts = Object.fromEntries(entries);
  return treeValue in value ? (value[treeValue] as (parts: Record<string, unknown>) => unknown)(parts) : parts;
}

/**
 * Tensors in arrays and objects, nested.
 *
 * @example
 * const weights: TensorTree = { hidden: ones([2, 2]), output: [ones([2]), zeros([1])] };
 */
export type TensorTree = Tensor | readonly TensorTree[] | AnyRecord;

/**
 * An object whose entries are checked when the program runs: TypeScript takes interfaces for
 * objects of any keys only where it does not look at the values. Not a function, a promise, or a
 * list.
 */
export type AnyRecord = { readonly apply?: never; readonly then?: never; readonly [Symbol.iterator]?: never; readonly [key: string]: any };

/**
 * A bound, `T extends Named<T, Value>`, of objects whose entries all are `Value`. Interfaces are
 * such, too, which they are not where keys are any.
 *
 * @example
 * const sizes = <T extends Named<T, Tensor>>(tensors: T) => Object.values<Tensor>(tensors).map(({ size }) => size);
 * sizes({ a: ones([2]), b: ones([3]) }); // [2,3]
 */
export type Named<T, Value> = object & { readonly [K in keyof T]: Value };

/** Whether `value` is an array or object that is walked. */
export function isNode(value: unknown): value is Record<string, unknown> | readonly unknown[] {
  if (typeof value !== "object" || value === null || value instanceof Tensor) return false;
  // A step asks this of every place of a model several times: without a function for each.
  try {
    if (Array.isArray(value)) return true;
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null || treeNode in value || treeValue in value;
  } catch {
    return false;
  }
}

/** Whether `value` is a node with an identity of its own, which a transform passes on as it is: a
 * module. */
export function isModule(value: unknown): value is object {
  if (typeof value !== "object" || value === null || value instanceof Tensor) return false;
  try {
    return treeNode in value;
  } catch {
    return false;
  }
}

/** Modules whose tensors stand for those of another: transforms look into them as into trees, since
 * no parameter has to keep its identity. */
const copies = new WeakSet<object>();

/** Whether `module` is a copy that `copyModule` made. */
export function isCopy(module: object): boolean {
  return copies.has(module);
}

/** A module like `module`, with the same properties but for its tensors, each exchanged by `leaf`,
 * which is given a path; one that stands twice once. */
export function copyModule(module: object, leaf: (tensor: Tensor, path: readonly string[]) => unknown): object {
  const made = new Map<unknown, unknown>();
  const once = (value: unknown, make: () => unknown) => {
    if (!made.has(value)) made.set(value, make());
    return made.get(value);
  };
  const walk = (value: unknown, path: readonly string[]): unknown => {
    if (value instanceof Tensor) return once(value, () => leaf(value, path));
    if (!isNode(value) || made.has(value)) return made.get(value) ?? value;
    if (treeValue in value) return once(value, () => valueOf(value, entriesOf(value).map(([key, child]) => [key, walk(child, [...path, key])] as const)));
    const copy: object = isArray(value) ? [] : (Object.create(Object.getPrototypeOf(value) as object | null) as object);
    made.set(value, copy);
    if (isModule(value)) {
      copies.add(copy);
      // The copy goes with the call: a function that reads the copy's switch depends on this
      // module.
      if (switchOf in value) noteRead(value as Switched);
      for (const symbol of Object.getOwnPropertySymbols(value)) Object.defineProperty(copy, symbol, { value: value[symbol as never], writable: true, configurable: true });
    }
    for (const [key, child] of entriesOf(value)) Object.defineProperty(copy, key, { value: walk(child, [...path, key]), enumerable: true, writable: true, configurable: true });
    return copy;
  };
  return walk(module, []) as object;
}

/** The entries of a node in a fixed order: of arrays by position, holes being undefined, of objects
 * as they were added. */
export function entriesOf(node: Record<string, unknown> | readonly unknown[]): [string, unknown][] {
  return isArray(node) ? Array.from(node, (child, position) => [String(position), child]) : Object.entries(node);
}

/** Every tensor of a tree, in order; one that stands twice comes twice. */
export function tensorsOf(tree: unknown): Tensor[] {
  return tree instanceof Tensor ? [tree] : tensorsIn(tree);
}

function tensorsIn(tree: unknown): Tensor[] {
  const found: Tensor[] = [];
  // What is being walked: a module may lead back to one above it.
  const above = new Set<unknown>();
  const walk = (value: unknown): void => {
    if (value instanceof Tensor) found.push(value);
    if (!isNode(value) || above.has(value)) return;
    above.add(value);
    if (isArray(value)) for (let n = 0; n < value.length; n++) walk(value[n]);
    else for (const key of Object.keys(value)) walk((value as Record<string, unknown>)[key]);
    above.delete(value);
  };
  walk(tree);
  return found;
}

/** A tree of the same form with each leaf exchanged. `leaf` gets everything that is not a node;
 * `module`, if given, whole modules. */
export function mapTree(tree: unknown, leaf: (value: unknown) => unknown, module?: (value: object) => unknown): unknown {
  const above = new Set<unknown>();
  const walk = (value: unknown): unknown => {
    if (!isNode(value)) return leaf(value);
    if (module && isModule(value)) return module(value);
    if (above.has(value)) throw cyclic();
    above.add(value);
    let mapped: unknown = [];
    // Lists without a pair for each place, nor an iterator: a step maps its parameters and
    // gradients.
    if (isArray(value)) for (let n = 0; n < value.length; n++) (mapped as unknown[]).push(walk(value[n]));
    else mapped = valueOf(value, Object.entries(value).map(([key, child]) => [key, walk(child)] as const));
    above.delete(value);
    return mapped;
  };
  return walk(tree);
}

/** The tensors of a module for which `leaf` has something, each exchanged by `leaf`, nested as the
 * module is and without what holds none. */
export function prune(node: object, leaf: (value: unknown) => unknown): unknown {
  const above = new Set<unknown>();
  const walk = (value: unknown): unknown => {
    if (value instanceof Tensor) return leaf(value);
    if (!isNode(value) || above.has(value)) return undefined;
    above.add(value);
    const children: unknown[] = [];
    const kept: (readonly [string, unknown])[] = [];
    for (const key of Object.keys(value)) {
      const child = walk((value as Record<string, unknown>)[key]);
      children.push(child ?? {});
      if (child !== undefined) kept.push([key, child]);
    }
    above.delete(value);
    if (kept.length === 0) return undefined;
    return Array.isArray(value) ? children : Object.fromEntries(kept);
  };
  return walk(node) ?? {};
}

/** The error for an array or object that holds itself: a transform could not give it back. */
export function cyclic(): ValueError {
  return new ValueError("tree", "arrays and objects of tensors must not hold themselves");
}

/** Frees every tensor of a tree. */
export function disposeTree(tree: unknown): void {
  for (const tensor of tensorsOf(tree)) tensor.dispose();
}

/** Whether `value` is what an async function returns. */
export function isPromise(value: unknown): boolean {
  // Of members that they have not tensors ask a proxy.
  return typeof value === "object" && value !== null && !(value instanceof Tensor) && holds(() => typeof (value as { then?: unknown }).then === "function");
}
