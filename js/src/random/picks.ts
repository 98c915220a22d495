// Random permutations and choices, by JAX's algorithms and with JAX's values.

import { axisOf, extentsOf, flagOf, noMore, optionsOf, shown, type Shape } from "../core/check/check.js";
import { core, register } from "../core/wasm/core.js";
import { ValueError } from "../core/errors.js";
import { Tensor, type Operand } from "../core/tensor/tensor.js";
import { arange } from "../ops/create.js";
import { invoke, type Call } from "../ops/operation.js";
import type { Key } from "./draws.js";

/**
 * How a permutation is made.
 *
 * @example
 * random.permutation(random.key(0), [[1, 2], [3, 4]], { axis: 1 }).shape; // [2,2]
 */
export interface PermutationOptions {
  /** The axis along which slices change places; the first by default. */
  axis?: number;
  /** Whether each line has an order of its own; not by default: whole slices move. */
  independent?: boolean;
}

const permuted = register("random.permutation");
const chosen = register("random.choice");

/** The arguments behind a key, or behind null or nothing, for which the stateful generator
 * draws. */
function parse(op: string, args: unknown[], most: number): [key: Tensor | null, x: Operand, ...rest: unknown[]] {
  const [first] = args;
  const keyed = first === null || (first instanceof Tensor && first.dtype === "u32" && first.ndim === 1 && first.shape[0] === 2);
  const given = keyed ? args.slice(1) : args;
  noMore(op, given, most);
  const x = given[0];
  if (x === undefined || x === null) throw new ValueError(op, `takes what is picked from, as in ${op}([1, 2, 3]), got ${shown(x)}`);
  return [keyed ? first : null, x as Operand, ...given.slice(1)];
}

/** The key, or one of the stateful generator. */
function source(call: Call, key: Key | null): Call {
  return key === null ? call.own(Tensor.adopt(core().random_bits(0, Uint32Array.of(2)))) : call.put(key.handle);
}

/** What is picked from: a tensor, or the numbers below one. */
function from(call: Call, x: Operand): Call {
  return typeof x === "number" ? call.own(arange(x, { dtype: "i32" })) : call.tensor(x);
}

/**
 * The elements of `x` along an axis in random order, or, for a number, those of `arange(x)`.
 * Without a key, or with `null` for one, the stateful generator is drawn from.
 *
 * Takes u32, then any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * random.permutation(random.key(0), 5).sum(); // 10
 * random.permutation([7, 8, 9]).max(); // 9
 */
export function permutation(x: Operand, options?: PermutationOptions): Tensor;
export function permutation(key: Key | null, x: Operand, options?: PermutationOptions): Tensor;
export function permutation(...args: unknown[]): Tensor {
  const op = "random.permutation";
  const [key, x, options] = parse(op, args, 2);
  const { axis, independent } = optionsOf(op, options as PermutationOptions | undefined, { axis: 0, independent: false });
  const along = axisOf(op, axis);
  return invoke(permuted, (call) => from(source(call, key), x).put(along, Number(flagOf(op, "independent", independent))));
}

/**
 * How elements are picked.
 *
 * @example
 * random.choice(random.key(0), 10, [3], { replace: false }).shape; // [3]
 */
export interface ChoiceOptions {
  /** Whether an element may be picked again; it may by default. */
  replace?: boolean;
  /** The probability of each element along the axis, which sum to 1; the same for all by
   * default. */
  p?: Operand | null;
  /** The axis along which elements are picked; the first by default. */
  axis?: number;
}

/**
 * Elements of `x` along an axis, or, for a number, of `arange(x)`, picked at random into `shape`,
 * which takes the axis's place. Without a key, or with `null` for one, the stateful generator is
 * drawn from. Throws `ValueError` where more are picked than there are without replacement.
 *
 * Takes u32, then any dtype, then f32; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * random.choice(random.key(0), ["heads", "tails"].length, [4]).less(2).all(); // true
 * random.choice([2, 3, 5], [4], { replace: true }).shape; // [4]
 */
export function choice(x: Operand, shape?: Shape, options?: ChoiceOptions): Tensor;
export function choice(key: Key | null, x: Operand, shape?: Shape, options?: ChoiceOptions): Tensor;
export function choice(...args: unknown[]): Tensor {
  const op = "random.choice";
  const [key, x, shape = [], options] = parse(op, args, 3);
  const given = optionsOf(op, options as ChoiceOptions | undefined, { replace: true, p: undefined as Operand | null | undefined, axis: 0 });
  const along = axisOf(op, given.axis);
  const once = Number(!flagOf(op, "replace", given.replace));
  const extents = extentsOf(op, shape);
  return invoke(chosen, (call) => {
    from(source(call, key), x).list(extents).put(once);
    if (given.p === undefined || given.p === null) call.put(0);
    else call.put(1).tensor(given.p);
    call.put(along);
  });
}
