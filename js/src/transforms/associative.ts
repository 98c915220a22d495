// Associative scan: all prefixes of a sequence under an associative function. It follows the
// recursion of JAX's `associative_scan`: the function joins neighbours, which halves the problem;
// each odd element of the result is one of the half's results, and each even element is the one
// before it joined with its own.

import { axisOf, flagOf, noMore, optionsOf } from "../core/check/check.js";
import { checkFunction, checkReturned } from "../core/tensor/functions.js";
import { matchTrees } from "../core/tensor/match.js";
import { Tensor } from "../core/tensor/tensor.js";
import { tidy } from "../core/tensor/tidy.js";
import { mapTree, tensorsOf } from "../core/tensor/tree.js";
import { ShapeError, ValueError } from "../core/errors.js";
import { concat, stack } from "../ops/generated/join.js";
import { slice } from "../ops/shape.js";
import { flip } from "../ops/generated/shape.js";

/**
 * How an `associativeScan` goes.
 *
 * @example
 * associativeScan((a: Tensor, b: Tensor) => a.add(b), tensor([1, 2, 3]), { reverse: true }); // [6,5,3]
 */
export interface AssociativeOptions {
  /** The axis of every tensor; the first by default. */
  axis?: number;
  /** Whether elements from each on are joined, instead of those up to it. */
  reverse?: boolean;
}

/**
 * For each element along an axis what `join` makes of all up to it. `join(earlier, later)` takes
 * and gives trees of the form of `xs`; it must be associative and work element by element on
 * tensors of any extent along that axis. It is called 2·log₂ n times, so that the work of n
 * elements is n joins.
 *
 * Throws `ShapeError` where extents along the axis differ, or `join` gives other shapes.
 *
 * @example
 * // h[i] = a[i] · h[i − 1] + b[i], as pairs of a and b
 * const xs = { a: tensor([1, 0.5, 0.5]), b: tensor([1, 1, 1]) };
 * associativeScan((x: typeof xs, y: typeof xs) => ({ a: x.a.mul(y.a), b: y.a.mul(x.b).add(y.b) }), xs).b; // [1,1.5,1.75]
 * // sums that start anew where a flag stands, as pairs of a flag and a sum
 * const rows = { begins: tensor([true, false, true, false]), sum: tensor([1, 2, 3, 4]) };
 * associativeScan((x: typeof rows, y: typeof rows) => ({ begins: x.begins.logicalOr(y.begins), sum: where(y.begins, y.sum, x.sum.add(y.sum)) }), rows).sum; // [1,3,3,7]
 */
export function associativeScan<T>(join: (earlier: T, later: T) => T, xs: T, options: AssociativeOptions = {}): T {
  const op = "associativeScan";
  noMore(op, arguments, 3);
  checkFunction(op, join);
  const given = optionsOf(op, options, { axis: 0, reverse: false });
  const axis = axisOf(op, given.axis);
  const reverse = flagOf(op, "reverse", given.reverse);
  const tensors = tensorsOf(xs);
  const axes = tensors.map((x) => (axis < 0 ? axis + x.shape.length : axis));
  const extents = tensors.map((x, n) => x.shape[axes[n] as number]);
  const extent = extents[0];
  if (tensors.length === 0) throw new ValueError(op, "takes a tensor, or a tree of tensors");
  if (extent === undefined || extents.some((other) => other !== extent)) {
    throw new ShapeError(op, `extents along axis ${axis} differ: ${extents.map((one) => one ?? "none").join(", ")}`);
  }
  /** A list of tensors in the form of `xs`. */
  const tree = (list: readonly Tensor[]): T => {
    let next = 0;
    return mapTree(xs, (leaf) => (leaf instanceof Tensor ? list[next++] : leaf)) as T;
  };
  const joined = (a: readonly Tensor[], b: readonly Tensor[]): Tensor[] => {
    const result: unknown = join(tree(a), tree(b));
    checkReturned(op, result);
    const found: Tensor[] = [];
    matchTrees(op, { what: "xs", tree: xs }, { what: "the result", tree: result }, (_, x: Tensor) => found.push(x));
    const alike = (x: Tensor, n: number): boolean => x.dtype === a[n]?.dtype && String(x.shape) === String(a[n]?.shape);
    if (found.every(alike)) return found;
    const list = (xs: readonly Tensor[]): string => xs.map((x) => `${x.dtype}[${String(x.shape)}]`).join(", ");
    throw new ShapeError(op, `the function must give what it takes, ${list(a)}, got ${list(found)}`);
  };
  const part = (list: readonly Tensor[], start: number, stop: number, step = 1): Tensor[] =>
    list.map((x, n) => slice(x, ...Array.from({ length: axes[n] as number }, () => null), [start, stop, step]));
  const both = (a: readonly Tensor[], b: readonly Tensor[], of: (a: Tensor, b: Tensor, axis: number) => Tensor): Tensor[] =>
    a.map((x, n) => of(x, b[n] as Tensor, axes[n] as number));
  const scanned = (list: readonly Tensor[], length: number): readonly Tensor[] => {
    if (length < 2) return list;
    const pairs = length >> 1;
    const odd = scanned(joined(part(list, 0, 2 * pairs, 2), part(list, 1, length, 2)), pairs);
    let even = part(list, 0, 1);
    if (length > 2) {
      const later = joined(part(odd, 0, ((length + 1) >> 1) - 1), part(list, 2, length, 2));
      even = both(even, later, (first, rest, along) => concat([first, rest], along));
    }
    return both(even, odd, (a, b, along) => interleaved(a, b, along));
  };
  return tidy(() => {
    const turned = (list: readonly Tensor[]): readonly Tensor[] => (reverse ? list.map((x, n) => flip(x, axes[n])) : list);
    return tree(turned(scanned(turned(tensors), extent)).map((x, n) => (x === tensors[n] ? slice(x) : x)));
  });
}

/** The elements of two tensors in turn; the first has as many as the second or one more. */
function interleaved(even: Tensor, odd: Tensor, axis: number): Tensor {
  const [many, few] = [even.shape[axis] as number, odd.shape[axis] as number];
  const whole = Array.from({ length: axis }, () => null);
  const pairs = stack([slice(even, ...whole, [0, few]), odd], axis + 1);
  const all = pairs.reshape(even.shape.map((extent, n) => (n === axis ? 2 * few : extent)));
  return many === few ? all : concat([all, slice(even, ...whole, [few, many])], axis);
}
