// Which derivatives are there besides gradients? Those along a direction, and whole Jacobians. Like gradients they are derived in the core, from
// the graph that a function builds on marked stand-ins, and nest with everything.

import { listOf } from "../core/check.js";
import { core, wholeCore } from "../core/core.js";
import { checkFunction } from "../core/functions.js";
import { inScope } from "../core/scope.js";
import type { Nested } from "../core/shape.js";
import { Tensor } from "../core/tensor.js";
import { entriesOf, isModule, isNode, mapTree, tensorsOf } from "../core/tree.js";
import { ValueError } from "../errors.js";
import { tensorFrom } from "../ops/create.js";
import { adopted, argnumsOf, handlesOf, listed, picked, withMarks, type GradOptions, type Picked } from "./gradients.js";

/**
 * The outputs of `fn` at `args`, and their derivatives along `tangents`: a tree with the form of the arguments, a tensor or number for
 * each of theirs. The cost is about that of `fn`, whatever the number of outputs.
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
  checkFunction("jvp", fn);
  listOf("jvp", "a list of arguments", args);
  return inScope(
    () =>
      withMarks("jvp", args as Args, every(args), fn, (outputs, marks) => {
        const along = directions("jvp", args, tangents);
        return [outputs, filled(outputs, adopted(wholeCore("jvp").jvp(handlesOf(tensorsOf(outputs)), handlesOf(marks), handlesOf(along))))];
      }),
    tensorsOf,
  );
}

/**
 * The outputs of `fn` at `args`, and the function that takes tangents, one for each argument, to the derivatives along them. `fn` runs once,
 * and its values are kept for as long as that function is.
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
  checkFunction("linearize", fn);
  listOf("linearize", "a list of arguments", args);
  let kept: { inputs: Tensor[]; pushed: Tensor[]; form: unknown } | undefined;
  const outputs = inScope(
    () =>
      withMarks("linearize", args as Args, every(args), fn, (result, marks) => {
        const inputs = marks.map((mark) => Tensor.adopt(core().stand_in(mark.handle)).keep());
        const pushed = adopted(wholeCore("linearize").jvp(handlesOf(tensorsOf(result)), handlesOf(marks), handlesOf(inputs)));
        kept = { inputs, pushed: pushed.map((tensor) => tensor.keep()), form: formOf(result, true) };
        return result;
      }),
    tensorsOf,
  );
  const { inputs, pushed, form } = kept as NonNullable<typeof kept>;
  const expected = formOf(args);
  const push = (...tangents: unknown[]): Outputs =>
    inScope(() => {
      const along = directions("linearize", expected, tangents);
      const found = adopted(core().substitute(handlesOf(pushed), handlesOf(inputs), handlesOf(along))).values();
      return mapTree(form, (leaf) => (leaf === place ? found.next().value : leaf)) as Outputs;
    }, tensorsOf);
  return [outputs, push];
}

/** Stands for a tensor or number in a form. */
const place = Symbol("place");

/** The form alone of arguments or results, so that nobody has to keep what was in it. */
function formOf(tree: unknown, isResult = false): unknown {
  const stands = (leaf: unknown) => leaf instanceof Tensor || (typeof leaf === "number" && !isResult);
  return mapTree(tree, (leaf) => (stands(leaf) ? place : leaf), (module) => module);
}

/**
 * The derivatives of every output by every input: a tree of the outputs' form, with a gradient in the place of each tensor whose tensors have
 * the shape of the output, then that of the input.
 *
 * @example
 * const f = (x: Tensor) => ({ square: x.square(), sum: x.sum() });
 * const derivatives: Jacobian<ReturnType<typeof f>, Tensor> = jacrev(f)(tensor([1, 2]));
 * derivatives.square; // [[2,0],[0,4]]
 * derivatives.sum; // [1,1]
 */
export type Jacobian<Outputs, G> = Outputs extends Tensor ? G : Outputs extends readonly unknown[] | object ? { [K in keyof Outputs]: Jacobian<Outputs[K], G> } : Outputs;

/**
 * The Jacobian of `fn`, by forward mode: one pass for each element of the inputs, all of them at once. For functions with more outputs than
 * inputs. Throws `DTypeError` when `fn` returns anything but floats.
 *
 * @example
 * jacfwd((x: Tensor) => x.square())(tensor([1, 2])); // [[2,0],[0,4]]
 */
export function jacfwd<Args extends unknown[], Outputs, const N extends number | readonly number[] = 0>(
  fn: (...args: Args) => Outputs,
  options: GradOptions<N> = {},
): (...args: Args) => Jacobian<Outputs, Picked<Args, N>> {
  return jacobian("jacfwd", fn, options, false);
}

/**
 * As `jacfwd`, by reverse mode: one pass for each element of the outputs. For functions with more inputs than outputs.
 *
 * @example
 * jacrev((x: Tensor, y: Tensor) => x.mul(y), { argnums: 1 })(tensor([1, 2]), tensor([3, 4])); // [[1,0],[0,2]]
 */
export function jacrev<Args extends unknown[], Outputs, const N extends number | readonly number[] = 0>(
  fn: (...args: Args) => Outputs,
  options: GradOptions<N> = {},
): (...args: Args) => Jacobian<Outputs, Picked<Args, N>> {
  return jacobian("jacrev", fn, options, true);
}

/**
 * The second derivatives of `fn`: in the place of each tensor of the gradient the gradient of that. Forward mode over reverse mode.
 *
 * @example
 * hessian((x: Tensor) => x.pow(3).sum())(tensor([1, 2])); // [[6,0],[0,12]]
 */
export function hessian<Args extends unknown[], Outputs, const N extends number | readonly number[] = 0>(
  fn: (...args: Args) => Outputs,
  options: GradOptions<N> = {},
): (...args: Args) => Jacobian<Jacobian<Outputs, Picked<Args, N>>, Picked<Args, N>> {
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
  return mapTree(tree, (leaf) => (leaf instanceof Tensor ? leaf.detach() : leaf)) as T;
}

function every(args: readonly unknown[]): number[] {
  return args.map((_, position) => position);
}

/** A tensor for each tensor and number of `args`, from a tree of their form. */
function directions(op: string, args: unknown, tangents: unknown): Tensor[] {
  const found: Tensor[] = [];
  const unlike = () => new ValueError(op, "tangents must have the form of the arguments: one for each, and in it one for each tensor and number");
  const walk = (arg: unknown, tangent: unknown): void => {
    if (arg instanceof Tensor || typeof arg === "number" || arg === place) {
      if (tangent === undefined) throw unlike();
      found.push(tangent instanceof Tensor ? tangent : tensorFrom(tangent as Nested, op));
    } else if (isModule(arg)) {
      found.push(...tensorsOf(tangent));
    } else if (isNode(arg)) {
      if (!isNode(tangent) || entriesOf(tangent).length !== entriesOf(arg).length) throw unlike();
      const given = new Map(entriesOf(tangent));
      for (const [key, child] of entriesOf(arg)) walk(child, given.get(key));
    }
  };
  walk(args, tangents);
  return found;
}

/** `tree` with its tensors exchanged. */
function filled<T>(tree: T, tensors: readonly Tensor[]): T {
  const next = tensors.values();
  return mapTree(tree, (leaf) => (leaf instanceof Tensor ? next.next().value : leaf)) as T;
}
