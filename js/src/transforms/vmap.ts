// `vmap`, which turns a function of one example into one of a batch. The function runs once, on
// placeholders for one member; from the graph between them and the results the core makes the one
// that computes all members together.

import { isArray, noMore, optionsOf } from "../core/check/check.js";
import { core, coreOf, currentSession, wholeCore } from "../core/wasm/core.js";
import { checkFunction, checkReturned } from "../core/tensor/functions.js";
import { matchTrees } from "../core/tensor/match.js";
import { inScope } from "../core/tensor/scope.js";
import { ensureScope } from "../core/wasm/stack.js";
import { Tensor } from "../core/tensor/tensor.js";
import { inside } from "../core/check/tracing.js";
import { copyModule, entriesOf, isModule, isNode, mapTree, tensorsOf, type AnyRecord } from "../core/tensor/tree.js";
import { ShapeError, ValueError } from "../core/errors.js";
import { adopted, handlesOf } from "./gradients.js";

/**
 * Along which axis the members of a batch are: a number for all tensors of a tree, `null` for those
 * that all members share, or a tree of those with the form of the tree, or of its upper part. Of a
 * module that names properties, what is not named is shared.
 *
 * @example
 * const axes: BatchAxes = [{ weights: null, inputs: 0 }, 1];
 */
export type BatchAxes = number | null | readonly BatchAxes[] | AnyRecord;

/**
 * How a function is mapped over.
 *
 * @example
 * const scaled = vmap((x: Tensor, y: Tensor) => x.mul(y), { inAxes: [0, null], outAxes: 1 });
 * scaled(tensor([[1, 2], [3, 4]]), tensor([10, 100])); // [[10,30],[200,400]]
 */
export interface VmapOptions {
  /** Of all arguments, or a list with an entry for each; 0 by default. */
  inAxes?: BatchAxes;
  /** Of the result; 0 by default. `null` for what is the same for all members, which comes once. */
  outAxes?: BatchAxes;
}

/** As the core writes an axis that is `null`. */
const NO_AXIS = -(2 ** 31);

/**
 * `fn` for every member of a batch at once: of each tensor with an axis it gets the part at one
 * place along that axis, and what it returns is put together along the axes of the results. What it
 * reads from outside is shared, and a module with the axis `null`. A module with axes is one whose
 * parameters have the members along them (an ensemble): `fn` gets a copy of it, made of its
 * properties, with the member's tensors for parameters.
 *
 * A draw from the generator of `random` is a draw for each member, with the keys that
 * `random.split` makes of one. Throws `AxisError` and `ShapeError` for axes that are not there or
 * of different lengths, `ValueError` for a result with the axis `null` in which members differ,
 * `TraceError` when `fn` reads a value, assigns what it computed to a parameter, or is async.
 *
 * @example
 * const dot = (a: Tensor, b: Tensor) => a.mul(b).sum();
 * vmap(dot)(tensor([[1, 2], [3, 4]]), tensor([[1, 1], [10, 10]])); // [3,70]
 * vmap(grad((x: Tensor) => x.pow(3)))(tensor([1, 2])); // [3,12]
 * vmap(dot, [1, null])(tensor([[1, 2], [3, 4]]), tensor([1, 10])); // [31,42]
 */
export function vmap<Args extends unknown[], Outputs>(
  fn: (...args: Args) => Outputs,
  options: VmapOptions | number | null | readonly BatchAxes[] = {},
  outAxesOf?: BatchAxes,
): (...args: Args) => Outputs {
  const op = "vmap";
  noMore(op, arguments, 3);
  checkFunction(op, fn);
  // As in JAX, axes may stand without names.
  const inOrder = isArray(options) || typeof options === "number" || options === null;
  const given = optionsOf(op, inOrder ? { inAxes: options, outAxes: outAxesOf } : options, { inAxes: undefined as unknown, outAxes: undefined as unknown });
  const { inAxes = 0, outAxes = 0 } = given as VmapOptions;
  return (...args) =>
    inScope(() => {
      ensureScope();
      wholeCore(op).batch_begin();
      const session = currentSession();
      try {
        const inputs: { x: Tensor; standIn: Tensor; axis: number }[] = [];
        const replaced = mapAxes("inAxes", args, inAxes, (leaf, axis) => {
          if (axis === null) return leaf;
          if (typeof leaf === "number") throw new ShapeError(op, "a number has no axis to map over: give inAxes null in its place");
          if (!(leaf instanceof Tensor)) return leaf;
          const standIn = Tensor.adopt(core().batch_input(leaf.handle, axis));
          inputs.push({ x: leaf, standIn, axis });
          return standIn;
        }) as Args;
        const result = inside(op, () => fn(...replaced));
        checkReturned(op, result);

        const axes: number[] = [];
        mapAxes("outAxes", result, outAxes, (leaf, axis) => {
          if (!(leaf instanceof Tensor)) return leaf;
          return axes.push(axis ?? NO_AXIS);
        });
        const handles = core().batch_outputs(
          handlesOf(tensorsOf(result)),
          handlesOf(inputs.map(({ standIn }) => standIn)),
          handlesOf(inputs.map(({ x }) => x)),
          Int32Array.from(inputs, ({ axis }) => axis),
          Int32Array.from(axes),
        );
        const next = adopted(handles).values();
        return mapTree(result, (leaf) => (leaf instanceof Tensor ? next.next().value : leaf)) as Outputs;
      } finally {
        coreOf(session)?.batch_end();
      }
    }, tensorsOf);
}

/** The axis of what stands at `path` in a module: that of the innermost of what it is in which has
 * one. What is not named is shared. */
function axisAt(what: string, axes: unknown, path: readonly string[]): number | null {
  let found = axes;
  for (const key of path) {
    if (!isNode(found)) break;
    found = new Map(entriesOf(found)).get(key) ?? null;
  }
  if (found === null || Number.isInteger(found)) return found as number | null;
  throw new ValueError("vmap", `${what} must be whole numbers, null, or a tree of them with the form of what it is for`);
}

const isAxis = (value: unknown): value is number | null => value === null || Number.isInteger(value);

/** A tree of the form of `tree`, made of its leaves and the axis of each. */
function mapAxes(what: string, tree: unknown, axes: BatchAxes, visit: (leaf: unknown, axis: number | null) => unknown): unknown {
  const check = (leaf: unknown): void => {
    if (!isAxis(leaf)) throw new ValueError("vmap", `${what} must be whole numbers, null, or a tree of them with the form of what it is for`);
  };
  mapTree(axes, check);
  const [first, second] = [{ what, tree: axes }, { what: what === "inAxes" ? "args" : "outputs", tree }];
  // A module is looked into below: what is not named of it is shared.
  matchTrees("vmap", first, second, () => {}, { leaf: (axis, value) => isAxis(axis) || isModule(value), fits: () => true });
  const walk = (value: unknown, axes: BatchAxes | undefined): unknown => {
    if (isAxis(axes)) {
      const module = (found: object) => (axes === null ? found : copyModule(found, (tensor) => visit(tensor, axes)));
      return mapTree(value, (leaf) => visit(leaf, axes), module);
    }
    // No tensor has this name.
    if (axes === undefined || !isNode(value)) return value;
    const given = new Map(entriesOf(axes)) as Map<string, BatchAxes>;
    if (isModule(value)) {
      const known = new Set(Object.keys(value));
      const wrong = [...given.keys()].find((key) => !known.has(key));
      if (wrong !== undefined) throw new ValueError("vmap", `${what} must name properties of the module it is for, and ${wrong} is none`);
      return copyModule(value, (tensor, path) => visit(tensor, axisAt(what, axes, path)));
    }
    const mapped = entriesOf(value).map(([key, child]) => [key, walk(child, given.get(key))] as const);
    return Array.isArray(value) ? mapped.map(([, child]) => child) : Object.fromEntries(mapped);
  };
  return walk(tree, axes);
}
