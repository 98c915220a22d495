// Reverse-mode differentiation of JavaScript functions. Marked placeholders replace the arguments,
// the function builds its graph on them, and the core derives a graph of gradients, which fuses and
// runs like any other. Transforms nest.

import { countOf, isArray, listOf, noMore, optionsOf } from "../core/check/check.js";
import { core, coreOf, currentSession, wholeCore, type Core } from "../core/wasm/core.js";
import { isFloat } from "../core/tensor/dtype.js";
import { checkFunction, checkReturned } from "../core/tensor/functions.js";
import { formOf, matchTrees, Place } from "../core/tensor/match.js";
import { inScope } from "../core/tensor/scope.js";
import { ensureScope } from "../core/wasm/stack.js";
import { Tensor } from "../core/tensor/tensor.js";
import { isTracing } from "../core/check/tracing.js";
import { copyModule, isCopy, mapTree, prune, tensorsOf } from "../core/tensor/tree.js";
import { ValueError, WeftError } from "../core/errors.js";
import { Parameter } from "./parameter.js";
import { tensorFrom } from "../ops/create.js";
import type { Gradient } from "./gradient.js";

/**
 * By which arguments to differentiate.
 *
 * @example
 * grad((x: Tensor, y: Tensor) => x.mul(y), { argnums: 1 })(tensor(2), tensor(3)); // 2
 */
export interface GradOptions<N extends number | readonly number[] = number | readonly number[]> {
  /** The position of an argument, or several; 0 by default. */
  argnums?: N;
}

/** The gradients of the arguments that are asked for. */
export type Picked<Args extends readonly unknown[], N> = N extends number
  ? Gradient<Args[N]>
  : N extends readonly number[]
    ? { [I in keyof N]: N[I] extends number ? Gradient<Args[N[I]]> : never }
    : never;

/**
 * The function that computes `fn` and its gradient together. `fn` takes any trees and returns a 0-d
 * f32; the gradient has the form of the argument (of several, a list). Everything else made inside
 * `fn` is freed.
 *
 * Throws `ShapeError` or `DTypeError` when `fn` returns anything but a single float, `TraceError`
 * when it is async.
 *
 * @example
 * const [value, gradient] = valueAndGrad((x: Tensor) => x.square().sum())(tensor([1, 2]));
 * value; // 5
 * gradient; // [2,4]
 */
export function valueAndGrad<Args extends unknown[], const N extends number | readonly number[] = 0>(
  fn: (...args: Args) => Tensor,
  options?: GradOptions<N>,
): (...args: Args) => [value: Tensor, gradient: Picked<Args, N>] {
  noMore("valueAndGrad", arguments, 2);
  return named("valueAndGrad", fn, options);
}

/** `valueAndGrad`, whose errors speak in the name of `op`. */
function named<Args extends unknown[], const N extends number | readonly number[]>(
  op: string,
  fn: (...args: Args) => Tensor,
  options: GradOptions<N> | undefined,
): (...args: Args) => [value: Tensor, gradient: Picked<Args, N>] {
  checkFunction(op, fn);
  const argnums = argnumsOf(op, options);
  return (...args) =>
    inScope(() => {
      const [value, gradients] = underMarks(
        op,
        args,
        listed(argnums),
        (...a) => single(op, fn(...a)),
        (loss, marks) => core().gradients(loss.handle, marks),
      );
      watch([value]);
      return [value, picked<Args, N>(gradients, argnums)];
    }, tensorsOf);
}

/**
 * As `valueAndGrad`, for an `fn` that returns `[value, aux]`: `aux`, any tree, comes along
 * underived.
 *
 * @example
 * const [value, gradient, aux] = valueAndGradAux((x: Tensor) => [x.square().sum(), x.max()] as const)(tensor([1, 2]));
 * gradient; // [2,4]
 * aux; // 2
 */
export function valueAndGradAux<Args extends unknown[], Aux, const N extends number | readonly number[] = 0>(
  fn: (...args: Args) => readonly [Tensor, Aux],
  options?: GradOptions<N>,
): (...args: Args) => [value: Tensor, gradient: Picked<Args, N>, aux: Aux] {
  const op = "valueAndGradAux";
  noMore(op, arguments, 2);
  const argnums = argnumsOf(op, options);
  const pair = paired(op, "value", fn);
  return (...args) =>
    inScope(() => {
      const one = (...a: Args): readonly [Tensor, Aux] => {
        const [value, aux] = pair(...a);
        return [single(op, value), aux];
      };
      const [[value, aux], gradients] = underMarks(op, args, listed(argnums), one, ([loss], marks) =>
        core().gradients(loss.handle, marks),
      );
      watch([value, ...tensorsOf(aux)]);
      return [value, picked<Args, N>(gradients, argnums), aux];
    }, tensorsOf);
}

/** `fn`, which must return two things. */
function paired<Args extends unknown[], A, B>(op: string, what: string, fn: (...args: Args) => readonly [A, B]): (...args: Args) => readonly [A, B] {
  checkFunction(op, fn);
  return (...args) => {
    const result: unknown = fn(...args);
    checkReturned(op, result);
    if (!isArray(result) || result.length !== 2) throw new ValueError(op, `the function must return [${what}, aux]`);
    return result as unknown as readonly [A, B];
  };
}

/** Has what comes along with gradients computed by the step that uses them, if it is small: reading
 * it later does not need the parameters of now, and they are not kept for that. */
function watch(tensors: readonly Tensor[]): void {
  if (!isTracing() && !core().is_transforming()) core().watch(handlesOf(tensors));
}

/** By which arguments to differentiate, checked; whether a call has them is seen when it comes. */
export function argnumsOf(op: string, options: GradOptions | undefined): number | readonly number[] {
  const { argnums = 0 } = optionsOf(op, options, { argnums: undefined as unknown });
  const position = (value: unknown) => countOf(op, "argnums, the position of an argument,", value);
  return isArray(argnums) ? Array.from(argnums, position) : position(argnums);
}

export function listed(argnums: number | readonly number[]): readonly number[] {
  return Array.isArray(argnums) ? argnums : [argnums as number];
}

export function picked<Args extends readonly unknown[], N>(gradients: readonly unknown[], argnums: number | readonly number[]): Picked<Args, N> {
  return (typeof argnums === "number" ? gradients[0] : gradients) as Picked<Args, N>;
}

/**
 * The function that computes the gradient of `fn`; see `valueAndGrad`.
 *
 * @example
 * grad((x: Tensor) => x.pow(3).sum())(tensor([1, 2])); // [3,12]
 */
export function grad<Args extends unknown[], const N extends number | readonly number[] = 0>(
  fn: (...args: Args) => Tensor,
  options?: GradOptions<N>,
): (...args: Args) => Picked<Args, N> {
  noMore("grad", arguments, 2);
  const both = named("grad", fn, options);
  return (...args) => inScope(() => both(...args)[1], tensorsOf);
}

/** A gradient for each argument. */
type Gradients<Args extends readonly unknown[]> = { [I in keyof Args]: Gradient<Args[I]> };

/**
 * Cotangents of outputs: a tensor of its shape for each tensor, or a number for one that is a
 * single number.
 *
 * @example
 * const cotangents: Cotangents<[Tensor, Tensor]> = [1, tensor([1, 10])];
 */
export type Cotangents<Outputs> = Outputs extends Tensor ? Tensor | number : Outputs extends readonly unknown[] | object ? { [K in keyof Outputs]: Cotangents<Outputs[K]> } : Outputs;

/**
 * The outputs of `fn` at `args`, and the gradients of Σ outputs · cotangents by every argument.
 * Outputs and cotangents are trees of one form, matched by name; a cotangent has the shape of its
 * output. Arguments of integers and bools have `null` for a gradient, and such outputs need no
 * cotangent. Without cotangents the function that takes them to the gradients, as JAX gives it:
 * `fn` runs once, and its values are kept for as long as that function is.
 *
 * @example
 * const [outputs, [gradient]] = vjp((x: Tensor) => x.square(), [tensor([1, 2])], tensor([1, 10]));
 * gradient; // [2,40]
 * const [, pull] = vjp((x: Tensor) => x.square(), [tensor([1, 2])]);
 * pull(tensor([1, 10]))[0]; // [2,40]
 */
export function vjp<Args extends unknown[], Outputs>(fn: (...args: Args) => Outputs, args: [...Args]): [outputs: Outputs, pull: (cotangents: Cotangents<Outputs>) => Gradients<Args>];
export function vjp<Args extends unknown[], Outputs>(fn: (...args: Args) => Outputs, args: [...Args], cotangents: Cotangents<NoInfer<Outputs>>): [outputs: Outputs, gradients: Gradients<Args>];
export function vjp<Args extends unknown[], Outputs>(fn: (...args: Args) => Outputs, args: [...Args], cotangents?: unknown): [Outputs, unknown] {
  noMore("vjp", arguments, 3);
  return pulled("vjp", fn, args, cotangents, (outputs) => outputs);
}

/**
 * As `vjp`, for an `fn` that returns `[outputs, aux]`: `aux`, any tree, comes along underived.
 *
 * @example
 * const [, [gradient], aux] = vjpAux((x: Tensor) => [x.square(), x.sum()] as const, [tensor([1, 2])], tensor([1, 10]));
 * gradient; // [2,40]
 * aux; // 3
 */
export function vjpAux<Args extends unknown[], Outputs, Aux>(fn: (...args: Args) => readonly [Outputs, Aux], args: [...Args]): [outputs: Outputs, pull: (cotangents: Cotangents<Outputs>) => Gradients<Args>, aux: Aux];
export function vjpAux<Args extends unknown[], Outputs, Aux>(fn: (...args: Args) => readonly [Outputs, Aux], args: [...Args], cotangents: Cotangents<NoInfer<Outputs>>): [outputs: Outputs, gradients: Gradients<Args>, aux: Aux];
export function vjpAux<Args extends unknown[], Outputs, Aux>(fn: (...args: Args) => readonly [Outputs, Aux], args: [...Args], cotangents?: unknown): [Outputs, unknown, Aux] {
  const op = "vjpAux";
  noMore(op, arguments, 3);
  const [[outputs, aux], gradients] = pulled(op, paired(op, "outputs", fn), args, cotangents, ([outputs]) => outputs);
  return [outputs, gradients, aux];
}

/** What `fn` gives, and the gradients of Σ outputs · cotangents, where `outputsOf` says which of it
 * the outputs are; or the function to them. */
function pulled<Args extends unknown[], R>(op: string, fn: (...args: Args) => R, args: [...Args], cotangents: unknown, outputsOf: (result: R) => unknown): [R, unknown] {
  checkFunction(op, fn);
  listOf(op, "a list of arguments", args);
  const everyArgument = args.map((_, position) => position);
  let kept: { inputs: readonly Tensor[]; gradients: readonly Tensor[]; form: unknown; outputs: unknown } | undefined;
  const isCotangent = (value: unknown) => value instanceof Tensor || typeof value === "number";
  const seedsFor = (outputs: unknown, given: unknown): Tensor[] => {
    const seeds: Tensor[] = [];
    const [first, second] = [{ what: "outputs", tree: outputs }, { what: "cotangents", tree: given }];
    const visit = (_: unknown, seed: Tensor | number) => seeds.push(seed instanceof Tensor ? seed : tensorFrom(seed, op));
    matchTrees(op, first, second, visit, { leaf: (value) => isFloats(value) || value instanceof Place, fits: isCotangent });
    return seeds;
  };
  const [result, gradients] = inScope(
    () =>
      withMarks(op, args as Args, everyArgument, fn, (result, marks, shaped) => {
        const outputs = outputsOf(result);
        const ys = tensorsOf(outputs).filter(isFloats);
        const later = cotangents === undefined;
        const inputs = later ? ys.map((y) => Tensor.adopt(wholeCore(op).stand_in(y.handle)).keep()) : seedsFor(outputs, cotangents);
        const gradients = adopted(core().vjp(handlesOf(ys), handlesOf(inputs), handlesOf(marks)));
        if (later) kept = { inputs, gradients: gradients.map((tensor) => tensor.keep()), form: shaped(gradients), outputs: formOf(outputs, isFloats) };
        return [result, later ? undefined : shaped(gradients)] as [R, unknown];
      }, true),
    tensorsOf,
  );
  if (!kept) return [result, gradients];
  const { inputs, gradients: open, form, outputs } = kept;
  const pull = (given: unknown): unknown =>
    inScope(() => {
      const seeds = seedsFor(outputs, given);
      const found = adopted(inNameOf(op, () => core().substitute(handlesOf(open), handlesOf(inputs), handlesOf(seeds))));
      return mapTree(form, (leaf) => (leaf instanceof Tensor ? found[open.indexOf(leaf)] : leaf));
    }, tensorsOf);
  return [result, pull];
}

/**
 * Calls `fn` with stand-ins for the arguments at `positions`, then `derive` with its result and the
 * handles of the marks, which yields a gradient for each mark; returns the result and the gradients
 * as trees.
 */
function underMarks<Args extends unknown[], R>(
  op: string,
  args: Args,
  positions: readonly number[],
  fn: (...args: Args) => R,
  derive: (result: R, marks: Uint32Array) => Uint32Array,
): [R, unknown[]] {
  return withMarks(op, args, positions, fn, (result, marks, shaped) => [result, shaped(adopted(derive(result, handlesOf(marks)), marks))]);
}

/**
 * Calls `fn` with stand-ins for the arguments at `positions`, then `derive` with its result, the
 * marks, and a function that shapes a tensor for each mark as the arguments are, in the order of
 * `positions`. With `passesOthers` tensors of integers and bools, which have no derivative, are
 * passed on, and have `null` in their place; otherwise the core refuses them.
 */
export function withMarks<Args extends unknown[], R, D>(
  op: string,
  args: Args,
  positions: readonly number[],
  fn: (...args: Args) => R,
  derive: (result: R, marks: readonly Tensor[], shaped: (tensors: readonly Tensor[]) => unknown[]) => D,
  passesOthers = false,
): D {
  for (const position of positions) {
    if (Number.isInteger(position) && position >= 0 && position < args.length) continue;
    throw new ValueError(op, `there is no argument ${position}: the function is called with ${args.length}`);
  }
  if (positions.length > 1 && new Set(positions).size < positions.length) throw new ValueError(op, `an argument is named twice: ${positions.join(", ")}`);
  ensureScope();
  core().begin_transform();
  const session = currentSession();
  const standIns = new StandIns(op, passesOthers);
  try {
    const replaced = args.map((arg, position) => (positions.includes(position) ? standIns.replace(arg) : arg)) as Args;
    standIns.begin();
    const result = fn(...replaced);
    checkReturned(op, result);
    const shaped = (tensors: readonly Tensor[]) => {
      const trees = standIns.trees(tensors);
      // In the order in which the stand-ins were made, whatever the order asked for.
      const byPosition = args.map((arg, position) => (positions.includes(position) ? trees(arg) : undefined));
      return positions.map((position) => byPosition[position]);
    };
    return inNameOf(op, () => derive(result, standIns.marks, shaped));
  } finally {
    standIns.end(coreOf(session));
    coreOf(session)?.end_transform();
  }
}

/** What stands for differentiated arguments while the function runs: a marked tensor for each
 * tensor and number; parameters keep their identity and hold a marked value meanwhile, so that
 * functions which close over them are differentiated too. */
class StandIns {
  readonly marks: Tensor[] = [];
  readonly #op: string;
  readonly #passesOthers: boolean;
  /** The places of parameters among the marks. */
  readonly #parameters = new Map<Parameter, number>();
  #begun = false;

  constructor(op: string, passesOthers: boolean) {
    this.#op = op;
    this.#passesOthers = passesOthers;
  }

  /** `tree` with stand-ins. */
  replace(tree: unknown): unknown {
    return mapTree(
      tree,
      (leaf) => {
        if (!(leaf instanceof Parameter)) return this.#value(leaf);
        return leaf.frozen ? leaf : this.#parameter(leaf);
      },
      (module) => {
        if (isCopy(module)) return copyModule(module, (tensor) => this.#mark(tensor));
        for (const tensor of tensorsOf(module)) if (tensor instanceof Parameter && tensor.learned) this.#parameter(tensor);
        return module;
      },
    );
  }

  #value(leaf: unknown): unknown {
    if (leaf instanceof Tensor) return this.#mark(leaf);
    return typeof leaf === "number" ? this.#mark(tensorFrom(leaf, this.#op)) : leaf;
  }

  /** Its mark comes with those of all others, in one call of the core; its place is taken. */
  #parameter(parameter: Parameter): Parameter {
    if (!this.#parameters.has(parameter)) this.#parameters.set(parameter, this.marks.push(parameter) - 1);
    return parameter;
  }

  #mark(tensor: Tensor): Tensor {
    if (this.#passes(tensor)) return tensor;
    const mark = Tensor.adopt(inNameOf(this.#op, () => core().mark(tensor.handle)));
    this.marks.push(mark);
    return mark;
  }

  /** Whether a tensor is passed on as it is. */
  #passes(tensor: Tensor): boolean {
    return this.#passesOthers && !isFloat(tensor.dtype);
  }

  /** Lets marks stand for the values of parameters. */
  begin(): void {
    if (this.#parameters.size === 0) return;
    const marks = core().stand_in_begin(handlesOf([...this.#parameters.keys()]));
    this.#begun = true;
    let n = 0;
    for (const [parameter, place] of this.#parameters) this.marks[place] = Tensor.adopt(marks[n++] as number, parameter.form);
  }

  /** Gives parameters their values back, but for those that were assigned meanwhile. */
  end(core: Core | null): void {
    if (this.#begun) core?.stand_in_end();
  }

  /** A function from argument to gradient tree, to be called for the arguments in the order in
   * which they were replaced. */
  trees(gradients: readonly Tensor[]): (argument: unknown) => unknown {
    const ofParameters = new Set(this.#parameters.values());
    const ofValues = gradients.filter((_, index) => !ofParameters.has(index)).values();
    const parameter = (leaf: Parameter): Tensor | undefined => gradients[this.#parameters.get(leaf) ?? -1];
    const leaf = (value: unknown) => {
      // A frozen one has none.
      if (value instanceof Parameter) return parameter(value) ?? null;
      if (value instanceof Tensor && this.#passes(value)) return null;
      return value instanceof Tensor || typeof value === "number" ? ofValues.next().value : value;
    };
    const module = (node: object): unknown => {
      if (!isCopy(node)) return prune(node, (value) => (value instanceof Parameter ? parameter(value) : undefined));
      const own = new Map<Tensor, unknown>();
      const once = (tensor: Tensor) => {
        if (!own.has(tensor)) own.set(tensor, this.#passes(tensor) ? undefined : ofValues.next().value);
        return own.get(tensor);
      };
      return prune(node, (value) => (value instanceof Tensor ? once(value) : undefined));
    };
    return (argument) => mapTree(argument, leaf, module);
  }
}

/** The names that the core has for its transforms. */
const TRANSFORMS = new Set(["grad", "vjp", "jvp", "linearize", "jacobian", "jacfwd", "jacrev"]);

/** What `derive` gives. What the core refuses in the name of a transform of its own is refused in
 * the name of the function that was called. */
function inNameOf<T>(op: string, derive: () => T): T {
  try {
    return derive();
  } catch (error) {
    if (!(error instanceof WeftError) || error.op === op || !TRANSFORMS.has(error.op)) throw error;
    const Kind = error.constructor as new (op: string, message: string) => WeftError;
    throw new Kind(op, error.message.slice(error.op.length + 2));
  }
}

/** Whether a value is a tensor that has derivatives. */
export function isFloats(value: unknown): value is Tensor {
  return value instanceof Tensor && isFloat(value.dtype);
}

/** The handles of tensors, for the core. */
export function handlesOf(tensors: readonly Tensor[]): Uint32Array {
  const handles = new Uint32Array(tensors.length);
  for (let n = 0; n < tensors.length; n++) handles[n] = (tensors[n] as Tensor).handle;
  return handles;
}

/** The tensors that the core gave these handles, each of the form of its place in `like`. */
export function adopted(handles: Uint32Array, like: readonly Tensor[] = []): Tensor[] {
  const tensors: Tensor[] = [];
  for (let n = 0; n < handles.length; n++) tensors.push(Tensor.adopt(handles[n] as number, like[n]?.knownForm));
  return tensors;
}

/** The value of a function that must return a tensor at once. Its shape and dtype are the core's to
 * check. */
function single(op: string, result: unknown): Tensor {
  // A parameter may be assigned before the value is read.
  if (result instanceof Parameter) return Tensor.adopt(core().clone(result.handle));
  if (result instanceof Tensor) return result;
  checkReturned(op, result);
  throw new ValueError(op, `the function must return a tensor of one float, not ${result === null ? "null" : typeof result}`);
}
