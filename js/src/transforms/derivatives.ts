// Directional derivatives, Jacobians and Hessians. The core derives them, like gradients, from the
// graph that a function builds on marked placeholders, and they nest with everything.

import { isArray, listOf, noMore } from "../core/check/check.js";
import { core, wholeCore } from "../core/wasm/core.js";
import { checkFunction } from "../core/tensor/functions.js";
import { formOf, matchTrees, Place } from "../core/tensor/match.js";
import { inScope } from "../core/tensor/scope.js";
import type { Nested } from "../core/tensor/shape.js";
import { Tensor } from "../core/tensor/tensor.js";
import { isCopy, mapTree, prune, tensorsOf } from "../core/tensor/tree.js";
import { DTypeError, ValueError } from "../core/errors.js";
import { Parameter } from "./parameter.js";
import { tensorFrom } from "../ops/create.js";
import { adopted, argnumsOf, handlesOf, isFloats, listed, picked, withMarks, type GradOptions, type Picked } from "./gradients.js";

/**
 * The outputs of `fn` at `args`, and their derivatives along `tangents`: a tree with the form of
 * the arguments, a tensor or number for each of theirs. Arguments of integers and bools take no
 * tangent (`null`), and outputs of them have `null` for a derivative. The cost is about that of
 * `fn`, whatever the number of outputs.
 *
 * @example
 * const [outputs, derivatives] = jvp((x: Tensor) => x.square(), [tensor([1, 2])], [[1, 10]]);
 * derivatives; // [2,40]
 */
export function jvp<Args extends unknown[], Outputs>(
  fn: (...args: Args) => Outputs,
  args: [...Args],
  tangents: readonly unknown[],
): [outputs: Outputs, derivatives: Outputs] {
  noMore("jvp", arguments, 3);
  checkFunction("jvp", fn);
  listOf("jvp", "a list of arguments", args);
  const derive = (outputs: Outputs, marks: readonly Tensor[]): [Outputs, Outputs] => {
    const along = directions("jvp", marksOf(args), tangents);
    const found = adopted(wholeCore("jvp").jvp(handlesOf(tensorsOf(outputs).filter(isFloats)), handlesOf(marks), handlesOf(along)));
    return [outputs, filled(outputs, found)];
  };
  return inScope(() => withMarks("jvp", args as Args, every(args), fn, derive, true), tensorsOf);
}

/**
 * The outputs of `fn` at `args`, and the function that takes tangents, one for each argument, to
 * the derivatives along them. `fn` runs once, and its values are kept for as long as that function
 * is.
 *
 * @example
 * const [outputs, push] = linearize((x: Tensor) => x.square(), [tensor([1, 2])]);
 * push([1, 10]); // [2,40]
 * push([1, 0]); // [2,0]
 */
export function linearize<Args extends unknown[], Outputs>(
  fn: (...args: Args) => Outputs,
  args: [...Args],
): [outputs: Outputs, push: (...tangents: unknown[]) => Outputs] {
  noMore("linearize", arguments, 2);
  checkFunction("linearize", fn);
  listOf("linearize", "a list of arguments", args);
  let kept: { inputs: Tensor[]; pushed: Tensor[]; form: unknown } | undefined;
  const derive = (result: Outputs, marks: readonly Tensor[]): Outputs => {
    const inputs = marks.map((mark) => Tensor.adopt(core().stand_in(mark.handle)).keep());
    const pushed = adopted(wholeCore("linearize").jvp(handlesOf(tensorsOf(result).filter(isFloats)), handlesOf(marks), handlesOf(inputs)));
    kept = { inputs, pushed: pushed.map((tensor) => tensor.keep()), form: formOf(result, isFloats) };
    return result;
  };
  const outputs = inScope(() => withMarks("linearize", args as Args, every(args), fn, derive, true), tensorsOf);
  const { inputs, pushed, form } = kept as NonNullable<typeof kept>;
  const expected = marksOf(args);
  const push = (...tangents: unknown[]): Outputs =>
    inScope(() => {
      const along = directions("linearize", expected, tangents);
      const found = adopted(core().substitute(handlesOf(pushed), handlesOf(inputs), handlesOf(along))).values();
      return mapTree(form, (leaf) => (leaf instanceof Place ? found.next().value : leaf)) as Outputs;
    }, tensorsOf);
  return [outputs, push];
}

/**
 * The derivatives of every output by every input: a tree of the outputs' form, with a gradient in
 * the place of each tensor whose tensors have the shape of the output, then that of the input.
 *
 * @example
 * const f = (x: Tensor) => ({ square: x.square(), sum: x.sum() });
 * const derivatives: Jacobian<ReturnType<typeof f>, Tensor> = jacrev(f)(tensor([1, 2]));
 * derivatives.square; // [[2,0],[0,4]]
 * derivatives.sum; // [1,1]
 */
export type Jacobian<Outputs, G> = Outputs extends Tensor ? G : Outputs extends readonly unknown[] | object ? { [K in keyof Outputs]: Jacobian<Outputs[K], G> } : Outputs;

/**
 * The Jacobian of `fn`, by forward mode: one pass for each element of the inputs, all of them at
 * once. For functions with more outputs than inputs. Throws `DTypeError` when `fn` returns anything
 * but floats.
 *
 * @example
 * jacfwd((x: Tensor) => x.square())(tensor([1, 2])); // [[2,0],[0,4]]
 */
export function jacfwd<Args extends unknown[], Outputs, const N extends number | readonly number[] = 0>(
  fn: (...args: Args) => Outputs,
  options: GradOptions<N> = {},
): (...args: Args) => Jacobian<Outputs, Picked<Args, N>> {
  noMore("jacfwd", arguments, 2);
  return jacobian("jacfwd", fn, options, false);
}

/**
 * As `jacfwd`, by reverse mode: one pass for each element of the outputs. For functions with more
 * inputs than outputs.
 *
 * @example
 * jacrev((x: Tensor, y: Tensor) => x.mul(y), { argnums: 1 })(tensor([1, 2]), tensor([3, 4])); // [[1,0],[0,2]]
 */
export function jacrev<Args extends unknown[], Outputs, const N extends number | readonly number[] = 0>(
  fn: (...args: Args) => Outputs,
  options: GradOptions<N> = {},
): (...args: Args) => Jacobian<Outputs, Picked<Args, N>> {
  noMore("jacrev", arguments, 2);
  return jacobian("jacrev", fn, options, true);
}

/**
 * The second derivatives of `fn`: in the place of each tensor of the gradient the gradient of that.
 * Forward mode over reverse mode.
 *
 * @example
 * hessian((x: Tensor) => x.pow(3).sum())(tensor([1, 2])); // [[6,0],[0,12]]
 */
export function hessian<Args extends unknown[], Outputs, const N extends number | readonly number[] = 0>(
  fn: (...args: Args) => Outputs,
  options: GradOptions<N> = {},
): (...args: Args) => Jacobian<Jacobian<Outputs, Picked<Args, N>>, Picked<Args, N>> {
  noMore("hessian", arguments, 2);
  return jacobian("hessian", jacobian("hessian", fn, options, true), options, false);
}

function jacobian<Args extends unknown[], Outputs, const N extends number | readonly number[]>(
  op: string,
  fn: (...args: Args) => Outputs,
  options: GradOptions<N>,
  reverse: boolean,
): (...args: Args) => Jacobian<Outputs, Picked<Args, N>> {
  checkFunction(op, fn);
  const argnums = argnumsOf(op, options);
  return (...args) =>
    inScope(
      () =>
        withMarks(op, args, listed(argnums), fn, (outputs, marks, shaped) => {
          const all = adopted(wholeCore(op).jacobians(handlesOf(tensorsOf(outputs)), handlesOf(marks), reverse));
          let next = 0;
          const ofOne = () => picked(shaped(all.slice(next, (next += marks.length))), argnums);
          return mapTree(outputs, (leaf) => (leaf instanceof Tensor ? ofOne() : leaf)) as Jacobian<Outputs, Picked<Args, N>>;
        }),
      tensorsOf,
    );
}

/**
 * A tree of the same values, through which no derivative flows.
 *
 * @example
 * grad((x: Tensor) => x.mul(stopGradient(x)))(tensor(3)); // 3
 */
export function stopGradient<T>(tree: T): T {
  noMore("stopGradient", arguments, 1);
  return mapTree(tree, (leaf) => (leaf instanceof Tensor ? leaf.detach() : leaf)) as T;
}

function every(args: readonly unknown[]): number[] {
  return args.map((_, position) => position);
}

/** The form of arguments, with a place for each mark that they get: a parameter has one, wherever
 * it is. */
function marksOf(args: unknown): unknown {
  const places = new Map<unknown, Place>();
  const once = (tensor: Tensor): Place => {
    if (!places.has(tensor)) places.set(tensor, new Place());
    return places.get(tensor) as Place;
  };
  const leaf = (value: unknown) => {
    if (value instanceof Parameter) return value.frozen ? value : once(value);
    return isFloats(value) || typeof value === "number" ? new Place() : value;
  };
  return mapTree(args, leaf, (module) => {
    const isMarked = (value: unknown) => isCopy(module) || (value instanceof Parameter && value.learned);
    return prune(module, (value) => (isMarked(value) ? once(value as Tensor) : undefined));
  });
}

/** A tensor for each place among the marks, from a tree of their form. */
function directions(op: string, marks: unknown, tangents: unknown): Tensor[] {
  const found = new Map<unknown, Tensor>();
  const [first, second] = [{ what: "args", tree: marks }, { what: "tangents", tree: tangents }];
  const isNothing = (value: unknown) => value === null || value === undefined;
  const fits = (value: unknown) => isNothing(value) || value instanceof Tensor || typeof value === "number" || isArray(value) || ArrayBuffer.isView(value);
  const visit = (leaf: Place | Tensor, tangent: Tensor | Nested | null | undefined, place: () => string) => {
    if (leaf instanceof Tensor) {
      if (isNothing(tangent)) return;
      throw new DTypeError(op, `args${place()} is ${leaf.form.text}, which has no derivative: its tangent is null`);
    }
    if (tangent === null || tangent === undefined) throw new ValueError(op, `tangents${place()} is missing`);
    if (!found.has(leaf)) found.set(leaf, tangent instanceof Tensor ? tangent : tensorFrom(tangent, op));
  };
  const isOther = (value: unknown) => value instanceof Tensor && !(value instanceof Parameter) && !isFloats(value);
  matchTrees(op, first, second, visit, { leaf: (value) => value instanceof Place || isOther(value), fits });
  return [...found.values()];
}

/** `tree` with its tensors of floats exchanged, and `null` for those of others. */
function filled<T>(tree: T, tensors: readonly Tensor[]): T {
  const next = tensors.values();
  return mapTree(tree, (leaf) => (leaf instanceof Tensor ? (isFloats(leaf) ? next.next().value : null) : leaf)) as T;
}
