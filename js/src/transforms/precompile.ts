// `precompile`: compiles the kernels of a function ahead of its first call.

import { holds, isArray, shapeOf, shown } from "../core/check/check.js";
import { core, wholeCore } from "../core/wasm/core.js";
import { checkFunction } from "../core/tensor/functions.js";
import { isTracing } from "../core/check/tracing.js";
import { inScope } from "../core/tensor/scope.js";
import { tensorsOf } from "../core/tensor/tree.js";
import { TraceError, ValueError } from "../core/errors.js";
import type { DType } from "../core/tensor/dtype.js";
import { Tensor } from "../core/tensor/tensor.js";
import { zeros } from "../ops/create.js";
import { capture } from "./capture.js";
import { handlesOf } from "./gradients.js";

/**
 * Stands for a tensor of this shape and dtype, f32 unless it is given.
 *
 * @example
 * const spec: TensorSpec = { shape: [64, 64] };
 * await precompile((x: Tensor) => x.matmul(x), spec);
 */
export interface TensorSpec {
  readonly shape: readonly number[];
  readonly dtype?: DType;
}

/**
 * What `precompile` takes for an argument: the argument itself, or a `TensorSpec` in place of each
 * tensor in it.
 *
 * @example
 * const spec: Spec<[Tensor, number]> = [{ shape: [8] }, 2];
 * await precompile(([x, n]: [Tensor, number]) => x.mul(n), spec);
 */
export type Spec<T> = T | (T extends Tensor ? TensorSpec : T extends object ? { [K in keyof T]: Spec<T[K]> } : never);

/**
 * Compiles what `fn` computes of such arguments, and waits until the fastest text of each kernel is
 * compiled: a call with arguments of these shapes and dtypes then waits for no compiler, and none
 * of its kernels is exchanged later. Without it the first call runs with kernels that compile soon,
 * where there are such, and the fastest take over between calls. `fn` is run once, on what stands
 * for the tensors and numbers of its arguments, as `jit` does; nothing is computed, and no
 * parameter changes. On the CPU device there is nothing to wait for.
 *
 * Throws `TraceError` when `fn` is async or reads a value, and inside a function that is
 * transformed.
 *
 * @example
 * const layer = jit((x: Tensor, w: Tensor) => x.matmul(w).relu());
 * await precompile(layer, { shape: [32, 64] }, { shape: [64, 16] });
 */
export async function precompile<Args extends unknown[]>(fn: (...args: Args) => unknown, ...specs: { [K in keyof Args]: Spec<Args[K]> }): Promise<void> {
  const op = "precompile";
  checkFunction(op, fn);
  if (isTracing() || core().is_transforming()) throw new TraceError(op, "a function is being transformed: precompile the whole function from outside");
  await inScope(
    () => {
      const args = specs.map((spec) => filled(op, spec)) as Args;
      return capture(op, fn, args, new Set(), ({ result }) => wholeCore(op).trace_precompile(handlesOf(tensorsOf(result))) as Promise<void>);
    },
    () => [],
  );
}

/** Nested deeper, or in itself, nothing is a spec: what captures trees says what is wrong with
 * such. */
const DEEPEST = 100;

/** The tree with a tensor in place of each spec; nobody reads its values. */
function filled(op: string, tree: unknown, above: readonly unknown[] = []): unknown {
  if (above.length > DEEPEST || above.includes(tree)) return tree;
  const inside = [...above, tree];
  if (isArray(tree)) return Array.from(tree, (part) => filled(op, part, inside));
  if (!isPlain(tree)) return tree;
  const { shape, dtype, ...rest } = tree;
  if (!isArray(shape)) return Object.fromEntries(Object.entries(tree).map(([name, part]) => [name, filled(op, part, inside)]));
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new ValueError(op, `a spec has a shape and a dtype, not ${shown(unknown)}`);
  return zeros(shapeOf(op, shape), dtype === undefined ? {} : { dtype: dtype as DType });
}

/** Whether it is an object of no class whose properties can be read. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return holds(() => {
    const above: unknown = typeof value === "object" && value !== null && Object.values(value) && Object.getPrototypeOf(value);
    return above === null || above === Object.prototype;
  });
}
