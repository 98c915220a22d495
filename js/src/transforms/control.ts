// Loops and branches inside programs. Their functions run once, on placeholders for their
// arguments; what they build becomes a program within the program, which the device repeats or
// chooses without JavaScript.

import { countOf, flagOf, isArray, noMore, numberOf, optionsOf, shown } from "../core/check/check.js";
import { core, coreOf, currentSession, wholeCore } from "../core/wasm/core.js";
import { isFloat } from "../core/tensor/dtype.js";
import { checkFunction, checkReturned } from "../core/tensor/functions.js";
import { matchTrees } from "../core/tensor/match.js";
import { typeText } from "../core/tensor/print.js";
import { inScope } from "../core/tensor/scope.js";
import { ensureScope } from "../core/wasm/stack.js";
import { Tensor, type Operand } from "../core/tensor/tensor.js";
import { inside } from "../core/check/tracing.js";
import { mapTree, tensorsOf } from "../core/tensor/tree.js";
import { DTypeError, ShapeError, ValueError } from "../core/errors.js";
import type { Complex } from "../ops/complex.js";
import { tensorFrom } from "../ops/create.js";
import { lend } from "../ops/lift.js";

/**
 * A tree as a loop carries it: its numbers are tensors.
 *
 * @example
 * const count = (state: Lifted<{ iterations: number }>) => ({ iterations: state.iterations.add(1) });
 * forLoop(0, 3, (_, state) => count(state), { iterations: 0 }).iterations; // 3
 */
export type Lifted<T> = T extends Tensor | number ? Tensor : T extends Complex ? Complex : T extends readonly unknown[] | object ? { [K in keyof T]: T[K] extends Method ? T[K] : Lifted<T[K]> } : T;

/** What values of classes have besides tensors. */
type Method = (...args: never[]) => unknown;

/**
 * How a `scan` goes.
 *
 * @example
 * const [, powers] = scan((x: Tensor) => [x.mul(2), x], tensor(1), null, { length: 4 });
 * powers; // [1,2,4,8]
 */
export interface ScanOptions {
  /** How many iterations; needed where there is nothing to go over. */
  length?: number;
  /** Whether the last slice comes first; what is stacked lies beside the slice it came from either
   * way. */
  reverse?: boolean;
}

/**
 * How a `whileLoop`, or a `forLoop` between ends that are tensors, goes.
 *
 * @example
 * whileLoop((x: Tensor) => x.less(100), (x) => x.mul(2), tensor(1), { limit: 3 }); // 8
 */
export interface WhileOptions {
  /** The most iterations. Needed for gradients; on a GPU, with at most 256 the host need not ask
   * the device whether the loop goes on. */
  limit?: number;
}

/** The operations, as the core names them. */
type Operation = "scan" | "forLoop" | "whileLoop" | "cond" | "switchCase";

/**
 * Goes over slices of `xs` along their first axes with a state: `body(state, x)` gives
 * `[next state, y]`. Gives the last state, and the ys stacked along a new first axis. `xs`, states
 * and ys are trees; a state keeps its form, shapes and dtypes. `body` is called once.
 *
 * Throws `ShapeError`, `DTypeError` or `ValueError` where the state changes, naming what does, and
 * `TraceError` when `body` reads a value, assigns a parameter, or is async.
 *
 * @example
 * const [total, sums] = scan((sum: Tensor, x: Tensor) => [sum.add(x), sum.add(x)], tensor(0), tensor([1, 2, 3]));
 * total; // 6
 * sums; // [1,3,6]
 */
export function scan<S, X, Y>(
  body: (state: Lifted<S>, x: Lifted<X>) => readonly [Lifted<S>, Y],
  state: S,
  xs: X,
  options: ScanOptions = {},
): [state: Lifted<S>, ys: Lifted<Y>] {
  const op = "scan";
  noMore(op, arguments, 4);
  checkFunction(op, body);
  const given = optionsOf(op, options, { length: undefined as unknown, reverse: false as unknown });
  const reverse = flagOf(op, "reverse", given.reverse);
  const length = given.length === undefined ? undefined : countOf(op, "length", given.length);
  return region(op, 0, state, xs, (places) => {
    const iterations = lengthOf(op, places.slices, length);
    const result: unknown = body(places.fill(state) as Lifted<S>, places.fillSlices(xs) as Lifted<X>);
    checkReturned(op, result);
    if (!Array.isArray(result) || result.length !== 2) throw new ValueError(op, "the function must return [state, y]");
    const next = nextOf(op, state, places.state, result[0]);
    const stacks = leavesOf(op, result[1]);
    const handles = places.loop(next, stacks.tensors, 0, iterations, reverse);
    return [filled(state, handles), filled(result[1], handles.slice(next.length))] as [Lifted<S>, Lifted<Y>];
  });
}

/**
 * `body(i, state)` for i from `from` up to but not including `to`: an i32 tensor that `body` may
 * compute with. Gives the last state, a tree that keeps its form, shapes and dtypes. `body` is
 * called once; what it throws leaves nothing behind. The ends may be 0-d integer tensors, whose
 * values need not be known: such a loop is a `whileLoop`, and `limit` its limit, which gradients
 * need.
 *
 * Throws as `scan` does.
 *
 * @example
 * forLoop(1, 6, (i, product) => product.mul(i), 1); // 120
 * forLoop(0, tensor([3, 1, 2]).argmax(), (i, x) => x.add(i), 7); // 7
 */
export function forLoop<S>(
  from: number | Tensor,
  to: number | Tensor,
  body: (i: Tensor, state: Lifted<S>) => Lifted<S>,
  state: S,
  options: WhileOptions = {},
): Lifted<S> {
  const op = "forLoop";
  noMore(op, arguments, 5);
  checkFunction(op, body);
  const limit = limitOf(op, options);
  const [first, end] = [endOf(op, "from", from), endOf(op, "to", to)];
  const counted = typeof first === "number" && typeof end === "number" ? Math.max(end - first, 0) : undefined;
  return region(op, typeof first === "number" ? first : 0, state, null, (places) => {
    const i = typeof first === "number" ? places.index() : places.index().add(first);
    const holds = counted === undefined ? i.less(end).handle : 0;
    const result = body(i, places.fill(state) as Lifted<S>);
    checkReturned(op, result);
    const next = nextOf(op, state, places.state, result);
    const iterations = counted === undefined ? limit : limit < 0 ? counted : Math.min(counted, limit);
    return filled(state, places.loop(next, [], holds, iterations, false)) as Lifted<S>;
  });
}

/** An end of a range: a whole number, or a 0-d integer tensor as an i32. */
function endOf(op: string, what: string, end: unknown): number | Tensor {
  if (!(end instanceof Tensor)) return wholeOf(op, what, end);
  if (isFloat(end.dtype) || end.dtype === "bool") throw new DTypeError(op, `${what} must be a whole number, got ${end.form.text}`);
  if (end.ndim !== 0) throw new ShapeError(op, `${what} must be one number, got ${end.form.text}`);
  return (end.dtype === "u32" ? end.minimum(2 ** 31 - 1) : end).cast("i32");
}

/** The most iterations; −1 for no end. */
function limitOf(op: string, options: WhileOptions): number {
  const { limit } = optionsOf(op, options, { limit: undefined as unknown });
  return limit === undefined ? -1 : countOf(op, "limit", limit);
}

/**
 * `body(state)` as long as `condition(state)`, a single bool, holds. Gives the last state, a tree
 * that keeps its form, shapes and dtypes. Both functions are called once.
 *
 * Throws as `scan` does. Without a `limit` a GPU is asked now and then, more and more seldom,
 * whether the loop goes on, while JavaScript is free: what comes after the loop waits for its end,
 * and a loop that never ends keeps a promise waiting and the page alive. With a limit of more than
 * 256 it is asked too, as most such loops end long before; with less, every iteration up to it is
 * sent there.
 *
 * @example
 * whileLoop((x: Tensor) => x.less(100), (x) => x.mul(2), tensor(3)); // 192
 */
export function whileLoop<S>(
  condition: (state: Lifted<S>) => Tensor,
  body: (state: Lifted<S>) => Lifted<S>,
  state: S,
  options: WhileOptions = {},
): Lifted<S> {
  const op = "whileLoop";
  noMore(op, arguments, 4);
  checkFunction(op, condition);
  checkFunction(op, body);
  const limit = limitOf(op, options);
  return region(op, 0, state, null, (places) => {
    const holds: unknown = condition(places.fill(state) as Lifted<S>);
    checkReturned(op, holds);
    const result = body(places.fill(state) as Lifted<S>);
    checkReturned(op, result);
    const next = nextOf(op, state, places.state, result);
    if (!(holds instanceof Tensor)) throw new ValueError(op, `the condition must return a tensor of one bool, not ${shown(holds)}`);
    return filled(state, places.loop(next, [], holds.handle, limit, false)) as Lifted<S>;
  });
}

/**
 * `then(...operands)` where `predicate`, a single value, is true (or not 0), else
 * `otherwise(...operands)`. Both are called once, and give trees of one form, with the same shapes
 * and dtypes. Only the one that is taken is computed; a GPU, where nobody can look at the predicate
 * meanwhile, computes both and selects where they are cheap.
 *
 * Throws `ShapeError`, `DTypeError` or `ValueError` where they differ, naming what does, and
 * `TraceError` as `scan` does.
 *
 * @example
 * cond(tensor(true), (x) => x.neg(), (x) => x.mul(2), tensor([1, 2])); // [-1,-2]
 */
export function cond<Args extends unknown[], R>(
  predicate: Operand,
  then: (...operands: Lifted<Args>) => R,
  otherwise: (...operands: Lifted<Args>) => NoInfer<R>,
  ...operands: Args
): Lifted<R> {
  checkFunction("cond", then);
  checkFunction("cond", otherwise);
  const truth = (x: Operand) => (x instanceof Tensor ? x.cast("bool") : tensorFrom(x as number, "cond", "bool"));
  return branch("cond", () => truth(predicate), [otherwise, then] as Branch[], operands) as Lifted<R>;
}

/**
 * The one of `branches` that `index` names, a single integer, called with the operands: 0 or less
 * is the first, too much the last. Each is called once, and all give trees of one form, with the
 * same shapes and dtypes.
 *
 * Throws as `cond` does.
 *
 * @example
 * const shapes = [(x: Tensor) => x.square(), (x: Tensor) => x.abs(), (x: Tensor) => x.sign()];
 * switchCase(tensor(1, { dtype: "i32" }), shapes, tensor([-2, 3])); // [2,3]
 */
export function switchCase<Args extends unknown[], R>(
  index: Operand,
  branches: readonly ((...operands: Lifted<Args>) => R)[],
  ...operands: Args
): Lifted<R> {
  const op = "switchCase";
  if (!isArray(branches) || branches.length === 0) throw new ValueError(op, `takes a list of functions, got ${shown(branches)}`);
  for (const one of branches) checkFunction(op, one);
  if (typeof index === "number") wholeOf(op, "the index", index);
  const chosen = () => lend(op, [index], (handle) => Tensor.adopt(core().clone(handle)), "i32");
  return branch(op, chosen, branches as readonly Branch[], operands) as Lifted<R>;
}

type Branch = (...operands: unknown[]) => unknown;

function branch(op: Operation, selector: () => Tensor, branches: readonly Branch[], operands: readonly unknown[]): unknown {
  return region(op, 0, operands, null, (places) => {
    const results = branches.map((one) => {
      const result = one(...(places.fill(operands) as unknown[]));
      checkReturned(op, result);
      return result;
    });
    // All are known before numbers become tensors, so that it does not matter which branch has the
    // tensor.
    const found = results.map((result) => foundIn(op, result, "a branch", results[0]));
    const all = found.map((one) => lifted(op, one, found));
    const lists = all.map((one) => same(op, "a branch", all[0] as Leaves, one));
    const { handle } = selector();
    return filled(results[0], places.choose(handle, lists));
  });
}

/** The tensors and numbers of a tree, with where they are. */
interface Leaves<T = Tensor> {
  readonly places: readonly string[];
  readonly tensors: readonly T[];
}

function isLeaf(value: unknown): value is Tensor | number {
  return value instanceof Tensor || typeof value === "number";
}

/** The tensors and numbers of a tree, in the order of `form`, which it must be like. Throws
 * `ValueError` where it is not, or holds itself. */
function foundIn(op: string, tree: unknown, what: string, form: unknown = tree): Leaves<Tensor | number> {
  const places: string[] = [];
  const tensors: (Tensor | number)[] = [];
  mapTree(tree, itself, itself);
  const visit = (_: unknown, leaf: Tensor | number, place: () => string) => {
    places.push(place());
    tensors.push(leaf);
  };
  matchTrees(op, { what, tree: form }, { what: "the result", tree }, visit, { leaf: isLeaf, fits: isLeaf, passModules: true });
  return { places, tensors };
}

/** Numbers become tensors: of the dtype of the first tensor that one of `others` has at the same
 * place, else f32. */
function lifted(op: string, { places, tensors }: Leaves<Tensor | number>, others: readonly Leaves<Tensor | number>[] = []): Leaves {
  const dtypeAt = (n: number) => {
    for (const other of others) {
      const one = other.tensors[n];
      if (one instanceof Tensor) return one.dtype;
    }
    return "f32";
  };
  return { places, tensors: tensors.map((value, n) => (value instanceof Tensor ? value : tensorFrom(value, op, dtypeAt(n)))) };
}

/** The tensors of a tree, whose numbers become such. */
function leavesOf(op: string, tree: unknown): Leaves {
  return lifted(op, foundIn(op, tree, "a tree"));
}

/** The tensors of the state after an iteration, in the order of those before it. */
function nextOf(op: string, tree: unknown, before: Leaves, result: unknown): readonly Tensor[] {
  return same(op, "the state", before, lifted(op, foundIn(op, result, "the state", tree), [before]));
}

/** The tensors of `after`, which must be like those of `before`. */
function same(op: string, what: string, before: Leaves, after: Leaves): readonly Tensor[] {
  before.tensors.forEach((a, n) => {
    const b = after.tensors[n] as Tensor;
    const changed = () => `${what}${before.places[n]} is ${typeText(a.dtype, a.shape)}, then ${typeText(b.dtype, b.shape)}: it must stay as it is`;
    if (a.shape.join() !== b.shape.join()) throw new ShapeError(op, changed());
    if (a.dtype !== b.dtype) throw new DTypeError(op, changed());
  });
  return after.tensors;
}

/** A tree with its tensors and numbers exchanged for `tensors`, in order. */
function filled(tree: unknown, tensors: readonly Tensor[]): unknown {
  const rest = tensors.values();
  return mapTree(tree, (leaf) => (isLeaf(leaf) ? rest.next().value : leaf), itself);
}

function itself<T>(value: T): T {
  return value;
}

function handlesOf(tensors: readonly Tensor[]): Uint32Array {
  return Uint32Array.from(tensors, (tensor) => tensor.handle);
}

function wholeOf(op: string, what: string, value: unknown): number {
  const number = numberOf(op, what, value);
  if ((number | 0) === number) return number;
  throw new ValueError(op, `${what} must be a whole number that an i32 holds, got ${shown(value)}`);
}

function lengthOf(op: string, slices: Leaves, length: number | undefined): number {
  const lengths = slices.tensors.map((x) => x.shape[0] ?? 0);
  const iterations = lengths[0] ?? length;
  if (iterations === undefined) throw new ValueError(op, "there is nothing to iterate over: give a length");
  const other = [...lengths, length ?? iterations].find((each) => each !== iterations);
  if (other !== undefined) throw new ShapeError(op, `the lengths differ: ${iterations} and ${other}`);
  return iterations;
}

/** What stands for the arguments of the functions of a region, and how it is closed. */
interface Places {
  readonly state: Leaves;
  readonly slices: Leaves;
  index(): Tensor;
  fill(state: unknown): unknown;
  fillSlices(xs: unknown): unknown;
  loop(next: readonly Tensor[], stacks: readonly Tensor[], condition: number, iterations: number, reverse: boolean): Tensor[];
  choose(selector: number, lists: readonly (readonly Tensor[])[]): Tensor[];
}

/** Runs `trace`, which calls the functions and closes the region. Whatever it throws, nothing is
 * left behind. */
function region<R>(op: Operation, from: number, stateTree: unknown, xs: unknown, trace: (places: Places) => R): R {
  ensureScope();
  return inScope(() => {
    const [state, slices] = [leavesOf(op, stateTree), leavesOf(op, xs)];
    const [inputs, sliced] = [handlesOf(state.tensors), handlesOf(slices.tensors)];
    const placeholders = Array.from(wholeCore(op).region_begin(op, from, inputs, sliced), (handle) => Tensor.adopt(handle));
    const session = currentSession();
    const first = placeholders.length - inputs.length - sliced.length;
    const second = first + inputs.length;
    let open = true;
    const closed = (close: () => Uint32Array) => {
      open = false;
      return Array.from(close(), (handle) => Tensor.adopt(handle));
    };
    const places: Places = {
      state,
      slices,
      index: () => placeholders[0] as Tensor,
      fill: (tree) => filled(tree, placeholders.slice(first, second)),
      fillSlices: (tree) => filled(tree, placeholders.slice(second)),
      loop: (next, stacks, condition, iterations, reverse) =>
        closed(() => core().loop_close(inputs, sliced, handlesOf(next), handlesOf(stacks), condition, iterations, reverse)),
      choose: (selector, lists) => closed(() => core().branch_close(selector, inputs, handlesOf(lists.flat()), lists.length)),
    };
    try {
      return inside(op, () => trace(places));
    } finally {
      if (open) coreOf(session)?.region_abort();
    }
  }, tensorsOf);
}
