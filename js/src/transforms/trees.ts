// Functions of trees of tensors: what `jax.tree` has of them.

import { noMore, shown } from "../core/check/check.js";
import { ValueError } from "../core/errors.js";
import { checkFunction } from "../core/tensor/functions.js";
import { matchTrees } from "../core/tensor/match.js";
import { inScope } from "../core/tensor/scope.js";
import { Tensor } from "../core/tensor/tensor.js";
import { isNode, mapTree, prune, tensorsOf } from "../core/tensor/tree.js";
import type { ModuleBase } from "../nn/module.js";
import type { Complex } from "../ops/complex.js";
import type { Gradient } from "./gradient.js";
import { Parameter } from "./parameter.js";

/**
 * A tree of the form of `T`, of modules their learned parameters by name, with an `R` for each
 * leaf.
 *
 * @example
 * const shapes: Mapped<{ a: Tensor }, readonly number[]> = treeMap((x) => x.shape, { a: ones([2]) });
 * shapes.a; // [2]
 */
export type Mapped<T, R> = T extends Tensor | number
  ? R
  : T extends Complex | ((...args: never[]) => unknown)
    ? T
    : T extends ModuleBase
      ? Mapped<Gradient<T>, R>
      : T extends readonly (infer Item)[]
        ? number extends T["length"]
          ? Mapped<Item, R>[]
          : { [K in keyof T]: Mapped<T[K], R> }
        : T extends object
          ? { [K in keyof T]: Mapped<T[K], R> }
          : T;

const isLeaf = (value: unknown): value is Tensor | number => value instanceof Tensor || typeof value === "number";

/** A tree whose modules are their learned parameters by name, as gradients are. */
function plain(op: string, tree: unknown): unknown {
  if (!isLeaf(tree) && !isNode(tree)) throw new ValueError(op, `takes tensors in arrays and objects, got ${shown(tree)}`);
  return mapTree(tree, (leaf) => leaf, (module) => prune(module, (tensor) => (tensor instanceof Parameter && tensor.learned ? tensor : undefined)));
}

/**
 * A tree with each tensor and number exchanged for what `change` makes of it, and, of several
 * trees, of those of the same name in each: `jax.tree.map`. What is no tensor and no number stays.
 * Of a module it is an object with an entry for each parameter that is learned, nested as the
 * module is, as gradients are. Throws `ValueError` where names differ.
 *
 * @example
 * const [params, grads] = [{ w: tensor([1, 2]), b: tensor(3) }, { w: tensor([10, 20]), b: tensor(30) }];
 * treeMap((p, g) => p.sub(g.mul(0.1)), params, grads).w; // [0,0]
 * treeMap((n: number) => n + 1, [1, [2]]); // [2,[3]]
 */
export function treeMap<T, R, L extends Tensor | number = Tensor>(change: (leaf: L, ...others: L[]) => R, tree: T, ...others: readonly unknown[]): Mapped<T, R> {
  const op = "treeMap";
  checkFunction(op, change);
  const first = plain(op, tree);
  const rows: L[][] = [];
  mapTree(first, (leaf) => isLeaf(leaf) && rows.push([leaf as L]));
  for (const [n, other] of others.entries()) {
    const next = rows.values();
    const visit = (_: L, own: L) => void (next.next().value as L[]).push(own);
    matchTrees(op, { what: "the first tree", tree: first }, { what: `tree ${n + 2}`, tree: plain(op, other) }, visit, { leaf: isLeaf, fits: isLeaf });
  }
  const next = rows.values();
  return inScope(() => mapTree(first, (leaf) => (isLeaf(leaf) ? change(...(next.next().value as [L, ...L[]])) : leaf)), tensorsOf) as Mapped<T, R>;
}

/**
 * The tensors and numbers of a tree in order, of modules the parameters that are learned:
 * `jax.tree.leaves`.
 *
 * @example
 * treeLeaves(new nn.Linear(3, 2)).reduce((count, { size }) => count + size, 0); // 8
 */
export function treeLeaves<L extends Tensor | number = Tensor>(tree: unknown): L[] {
  const op = "treeLeaves";
  noMore(op, arguments, 1);
  const leaves: L[] = [];
  mapTree(plain(op, tree), (leaf) => isLeaf(leaf) && leaves.push(leaf as L));
  return leaves;
}
