// Custom derivatives and checkpoints. The function runs on placeholders, and its rule with it: both
// become programs within the program, which every transform can transform. Outside of transforms it
// is just the function.

import { core, coreOf, currentSession, wholeCore } from "../core/wasm/core.js";
import { isArray, noMore } from "../core/check/check.js";
import { isFloat } from "../core/tensor/dtype.js";
import { checkFunction, checkReturned } from "../core/tensor/functions.js";
import { matchTrees, type Side } from "../core/tensor/match.js";
import { inScope } from "../core/tensor/scope.js";
import type { Nested } from "../core/tensor/shape.js";
import { ensureScope } from "../core/wasm/stack.js";
import { Tensor } from "../core/tensor/tensor.js";
import { inside } from "../core/check/tracing.js";
import { mapTree, tensorsOf } from "../core/tensor/tree.js";
import { ValueError } from "../core/errors.js";
import { tensorFrom, zerosLike } from "../ops/create.js";
import { adopted, handlesOf } from "./gradients.js";

/** What makes such functions, as the core names it. */
type Operation = "checkpoint" | "customVjp" | "customJvp";

/** What a function and its rule made: the results, and derivatives made of seeds. */
interface Made {
  outputs: unknown;
  seeds: readonly Tensor[];
  derived: readonly Tensor[];
}

/**
 * `fn`, whose values a gradient computes again from the arguments instead of keeping them from the
 * way there to the way back: less memory for more work. What `fn` yields is the same.
 *
 * @example
 * const block = checkpoint((x: Tensor) => x.sin().exp());
 * grad((x: Tensor) => block(block(x)).sum())(tensor([0])); // [1.2534]
 */
export function checkpoint<Args extends unknown[], R>(fn: (...args: Args) => R): (...args: Args) => R {
  noMore("checkpoint", arguments, 1);
  checkFunction("checkpoint", fn);
  return own("checkpoint", fn, (replaced) => ({ outputs: fn(...replaced), seeds: [], derived: [] }));
}

/**
 * `fn` with a gradient of its own. Where something is differentiated, `forward` runs in its place
 * and yields `[outputs, residuals]`; of the residuals, any tree, and cotangents in the form of the
 * outputs `backward` makes a list with the gradient of each argument. One that is `null` is zero.
 * As in JAX, the derivative of that gradient goes through `forward` and `backward` as they are
 * written: by this rule again where `forward` calls the function itself, and past it where it
 * computes the outputs otherwise.
 *
 * Throws `ShapeError` or `DTypeError` for gradients unlike their arguments; `TraceError` where what
 * is differentiated by is no argument, and in forward mode, which transposes `backward`, unless
 * that is linear in the cotangents.
 *
 * @example
 * const clipped = customVjp(
 *   (x: Tensor) => x,
 *   (x: Tensor) => [x, null],
 *   (_: null, g: Tensor) => [g.clip(-1, 1)],
 * );
 * grad((x: Tensor) => clipped(x).mul([0.5, 7]).sum())(tensor([1, 1])); // [0.5,1]
 */
export function customVjp<Args extends unknown[], R, Residuals>(
  fn: (...args: Args) => R,
  forward: (...args: Args) => readonly [outputs: R, residuals: Residuals],
  backward: (residuals: Residuals, cotangents: R) => readonly unknown[],
): (...args: Args) => R {
  const op = "customVjp";
  noMore(op, arguments, 3);
  for (const each of [fn, forward, backward]) checkFunction(op, each);
  return own(op, fn, (replaced) => {
    const [outputs, residuals] = pair<R, Residuals>(op, forward(...replaced), "[outputs, residuals]");
    const [cotangents, seeds] = seeded(outputs);
    const gradients: unknown = backward(residuals, cotangents);
    checkReturned(op, gradients);
    if (!isArray(gradients) || gradients.length !== replaced.length) throw new ValueError(op, `backward must return a list with a gradient for each of the ${replaced.length} arguments`);
    return { outputs, seeds, derived: derivatives(op, { what: "args", tree: replaced }, { what: "gradients", tree: gradients }) };
  });
}

/**
 * `fn` with a derivative of its own along directions. Where something is differentiated, `rule`
 * runs in its place: of the list of arguments and a list of tangents in their form it makes
 * `[outputs, derivatives]`, both in the form of the outputs. The tangent of what is not of floats
 * is itself. Derivatives of derivatives are as with `customVjp`: by the rule again where `rule`
 * calls the function itself.
 *
 * Throws as `customVjp`; reverse mode transposes `rule`, which must then be linear in the tangents.
 *
 * @example
 * const log1pexp = customJvp(
 *   (x: Tensor) => x.exp().add(1).log(),
 *   ([x], [t]) => [x.exp().add(1).log(), t.mul(x.sigmoid())],
 * );
 * grad(log1pexp)(tensor(100)); // 1
 */
export function customJvp<Args extends unknown[], R>(
  fn: (...args: Args) => R,
  rule: (args: Args, tangents: Args) => readonly [outputs: R, derivatives: unknown],
): (...args: Args) => R {
  const op = "customJvp";
  noMore(op, arguments, 2);
  for (const each of [fn, rule]) checkFunction(op, each);
  return own(op, fn, (replaced) => {
    const [tangents, seeds] = seeded(replaced);
    const [outputs, found] = pair<R, unknown>(op, rule(replaced, tangents), "[outputs, derivatives]");
    return { outputs, seeds, derived: derivatives(op, { what: "outputs", tree: outputs }, { what: "derivatives", tree: found }) };
  });
}

/** `fn` outside of transforms; inside, what `run` makes of stand-ins. */
function own<Args extends unknown[], R>(op: Operation, fn: (...args: Args) => R, run: (replaced: Args) => Made): (...args: Args) => R {
  // The calls that run: whether one called the function itself, as rules do whose value is the
  // function's.
  const open: { again: boolean }[] = [];
  return (...args) =>
    inScope(() => {
      const within = op === "checkpoint" ? undefined : open.at(-1);
      if (within) within.again = true;
      if (within || !core().is_transforming()) {
        const result = fn(...args);
        checkReturned(op, result);
        return result;
      }
      ensureScope();
      const inputs = leavesOf(args);
      const placeholders = wholeCore(op).custom_begin(op, handlesOf(inputs));
      const session = currentSession();
      let isOpen = true;
      const call = { again: false };
      try {
        const next = adopted(placeholders).values();
        const replaced = mapTree(args, (leaf) => (leaf instanceof Tensor ? next.next().value : leaf), itself) as Args;
        const { outputs, seeds, derived } = inside(op, () => {
          open.push(call);
          try {
            const made = run(replaced);
            checkReturned(op, made.outputs);
            return made;
          } finally {
            open.pop();
          }
        });
        isOpen = false;
        const handles = core().custom_end(op, handlesOf(inputs), handlesOf(leavesOf(outputs)), handlesOf(seeds), handlesOf(derived), call.again);
        const results = adopted(handles).values();
        return mapTree(outputs, (leaf) => (leaf instanceof Tensor ? results.next().value : leaf), itself) as R;
      } finally {
        if (isOpen) coreOf(session)?.custom_abort();
      }
    }, tensorsOf);
}

function itself(module: object): object {
  return module;
}

/** The tensors of a tree, without those of modules, which are read from outside. */
function leavesOf(tree: unknown): Tensor[] {
  const found: Tensor[] = [];
  mapTree(tree, (leaf) => leaf instanceof Tensor && found.push(leaf), itself);
  return found;
}

/** A tree with what stands for the derivative of each of its float tensors. */
function seeded<T>(tree: T): [T, Tensor[]] {
  const seeds: Tensor[] = [];
  const seed = (leaf: unknown) => {
    if (!(leaf instanceof Tensor) || !isFloat(leaf.dtype)) return leaf;
    const made = Tensor.adopt(core().custom_seed(leaf.handle));
    seeds.push(made);
    return made;
  };
  return [mapTree(tree, seed, itself) as T, seeds];
}

function pair<A, B>(op: string, result: unknown, form: string): readonly [A, B] {
  checkReturned(op, result);
  if (!isArray(result) || result.length !== 2) throw new ValueError(op, `the function must return ${form}`);
  return result as unknown as readonly [A, B];
}

/** The derivative of each float tensor of a tree, from a tree of its form; zeros where that has
 * `null`. */
function derivatives(op: string, tree: Side, given: Side): Tensor[] {
  const found: Tensor[] = [];
  const fits = (value: unknown) => value instanceof Tensor || typeof value === "number" || isArray(value) || ArrayBuffer.isView(value);
  const visit = (x: Tensor, derivative: Tensor | Nested | null) => {
    if (!isFloat(x.dtype)) return;
    found.push(derivative === null ? zerosLike(x) : derivative instanceof Tensor ? derivative : tensorFrom(derivative, op));
  };
  matchTrees(op, tree, given, visit, { fits, optional: true, passModules: true });
  return found;
}
