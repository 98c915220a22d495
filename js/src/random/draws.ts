// Random numbers. Keys are Threefry's, and bits and uniforms are identical to JAX's with
// `threefry_partitionable`. Each function takes a key first; without one it draws from the stateful
// generator, which `seed` sets.

import { countOf, drawnAs, extentsOf, finiteOf, listOf, listText, noMore, optionsOf, shown, type Shape } from "../core/check/check.js";
import { core, needRest } from "../core/wasm/core.js";
import { dtypeCode, type DType } from "../core/tensor/dtype.js";
import { Tensor, type Operand } from "../core/tensor/tensor.js";
import { ValueError } from "../core/errors.js";
import { less } from "../ops/generated/compare.js";
import { cast } from "../ops/generated/elementwise.js";
import { stack } from "../ops/generated/join.js";
import { composed } from "../ops/lift.js";
import { broadcastTo } from "../ops/generated/shape.js";

/**
 * A key: a u32 tensor of shape [2]. Using a key twice yields the same numbers twice: `split` it.
 *
 * @example
 * const key: random.Key = random.key(0);
 * random.uniform(key, [2]).equal(random.uniform(key, [2])).all(); // true
 */
export type Key = Tensor;

/**
 * The key of a seed: a whole number of at most 64 bits, or an i32 or u32 of a tensor, which `vmap`
 * and `jit` may have.
 *
 * @example
 * random.key(42).shape; // [2]
 * vmap(random.key)(arange(3)).shape; // [3,2]
 */
export function key(seed: number | bigint | Tensor): Key {
  noMore("random.key", arguments, 1);
  if (seed instanceof Tensor) {
    if (seed.ndim !== 0 || !["i32", "u32"].includes(seed.dtype)) throw new ValueError("random.key", `a seed is one whole number, got ${seed.form.text}`);
    return composed("random.key", () => stack([0, seed].map((half) => cast(half, "u32"))));
  }
  return Tensor.adopt(core().random_key(...halves("random.key", seed)));
}

/**
 * `count` keys that are independent of each other and of `key`: a tensor [count, 2], which can be
 * destructured into keys.
 *
 * @example
 * const [weights, noise] = random.split(random.key(0));
 * weights?.shape; // [2]
 */
export function split(key: Key, count = 2): Tensor {
  noMore("random.split", arguments, 2);
  const { handle } = Tensor.of("random.split", "the key", key);
  return Tensor.adopt(core().random_split(handle, countOf("random.split", "the count", count)));
}

/**
 * A key for `number` among those that `key` leads to: for step numbers, layers, and such. In a loop
 * the number may be the index, a 0-d integer tensor. Throws `ValueError` for a number that is not
 * whole or does not fit u32, `DTypeError` and `ShapeError` for another tensor.
 *
 * @example
 * random.foldIn(random.key(0), 7).shape; // [2]
 * forLoop(0, 3, (i, sum) => sum.add(random.normal(random.foldIn(random.key(0), i))), tensor(0)).shape; // []
 */
export function foldIn(key: Key, number: number | Tensor): Key {
  noMore("random.foldIn", arguments, 2);
  const { handle } = Tensor.of("random.foldIn", "the key", key);
  if (number instanceof Tensor) {
    return Tensor.adopt(core().random_fold_in_tensor(handle, Tensor.of("random.foldIn", "the number", number).handle));
  }
  if (!Number.isInteger(number) || number < 0 || number >= 2 ** 32) {
    throw new ValueError("random.foldIn", `takes a whole number below 2^32, got ${shown(number)}`);
  }
  return Tensor.adopt(core().random_fold_in(handle, number));
}

/**
 * Restarts the stateful generator. Its first seed is 0: programs without a seed repeat too.
 *
 * Each draw takes the next key. Inside `jit` each call draws anew, inside a loop each iteration,
 * and under `vmap` each member: the iteration's or member's number is folded into the key as
 * `foldIn` does, the outermost first.
 *
 * @example
 * random.seed(1);
 * const first = random.uniform([2]);
 * random.seed(1);
 * random.uniform([2]).equal(first).all(); // true
 */
export function seed(number: number | bigint): void {
  noMore("random.seed", arguments, 1);
  core().random_seed(...halves("random.seed", number));
}

/**
 * Where the stateful generator is: numbers to be saved, from which `restore` has it go on, so that
 * a training that was interrupted draws what it would have drawn.
 *
 * @example
 * const state = random.state();
 * const first = random.uniform([2]);
 * random.restore(state);
 * random.uniform([2]).equal(first).all(); // true
 */
export function state(): number[] {
  return Array.from(core().random_state());
}

/**
 * Has the stateful generator go on from where `state` was called. Throws `ValueError` for what
 * `state` cannot have given.
 *
 * @example
 * random.restore(random.state());
 * random.restore([1]); // throws ValueError
 */
export function restore(state: readonly number[]): void {
  const op = "random.restore";
  noMore(op, arguments, 1);
  const words = listOf(op, "what state() gave", state);
  const fit = words.length === 4 && words.every((word) => typeof word === "number" && Number.isInteger(word) && word >= 0 && word < 2 ** 32);
  if (!fit) throw new ValueError(op, `takes what state() gave, four whole numbers, got ${listText(words)}`);
  core().random_restore(...(words as [number, number, number, number]));
}

/**
 * Uniform 32-bit integers, u32.
 *
 * Gives u32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.bits([4]).dtype; // "u32"
 */
export function bits(shape: Shape): Tensor;
export function bits(key: Key, shape?: Shape): Tensor;
export function bits(...args: unknown[]): Tensor {
  const [source, shape] = parse("random.bits", args, 1);
  return Tensor.adopt(core().random_bits(source, shape));
}

/**
 * The ends of a range.
 *
 * @example
 * random.uniform([100], { low: -1, high: 1 }).abs().lessEqual(1).all(); // true
 */
export interface UniformOptions {
  /** Least value; 0 by default. */
  low?: number;
  /** What all values stay below; 1 by default. */
  high?: number;
}

/**
 * Uniform f32 numbers in [low, high).
 *
 * Gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.uniform(random.key(0), [2, 3]).shape; // [2,3]
 */
export function uniform(shape: Shape, options?: UniformOptions): Tensor;
export function uniform(key: Key, shape?: Shape, options?: UniformOptions): Tensor;
export function uniform(...args: unknown[]): Tensor {
  const [source, shape, options] = parse<UniformOptions>("random.uniform", args, 2);
  const { low, high } = optionsOf("random.uniform", options, { low: 0, high: 1 });
  return Tensor.adopt(core().random_uniform(source, shape, low, high));
}

/**
 * Centre and width of a normal distribution.
 *
 * @example
 * random.normal([2], { mean: 10, std: 0.1 }).shape; // [2]
 */
export interface NormalOptions {
  /** The mean; 0 by default. */
  mean?: number;
  /** The standard deviation; 1 by default. */
  std?: number;
}

/**
 * Normally distributed f32 numbers.
 *
 * Gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.normal([1000]).mean().abs().less(0.2); // true
 */
export function normal(shape: Shape, options?: NormalOptions): Tensor;
export function normal(key: Key, shape?: Shape, options?: NormalOptions): Tensor;
export function normal(...args: unknown[]): Tensor {
  const [source, shape, options] = parse<NormalOptions>("random.normal", args, 2);
  const { mean, std } = optionsOf("random.normal", options, { mean: 0, std: 1 });
  if (std < 0) throw new ValueError("random.normal", `the standard deviation must be 0 or more, got ${std}`);
  return Tensor.adopt(core().random_normal(source, shape, mean, std));
}

/**
 * Whole numbers in [low, high), as i32 by default: each as likely as the others. `high` may be the
 * one after the largest that the dtype holds. Over spans of up to 65,536 they are JAX's, also where
 * `high` is not above `low`: all are `low` then.
 *
 * Gives `dtype`. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.randint([100], 0, 6).less(6).all(); // true
 */
export function randint(shape: Shape, low: number, high: number, dtype?: DType): Tensor;
export function randint(key: Key, shape: Shape, low: number, high: number, dtype?: DType): Tensor;
export function randint(...args: unknown[]): Tensor {
  const op = "random.randint";
  const [source, shape, low, high, dtype] = parse<number, number, DType>(op, args, 4);
  if (low === undefined || high === undefined) throw new ValueError(op, `takes a shape, the least number, and the number to stay below${drawnAs(op)}`);
  finiteOf(op, "the least number", low);
  finiteOf(op, "the number to stay below", high);
  // `randint(0, 10, 3)`, as NumPy has it; with a shape that is an array, JAX gives `low`.
  if (high < low && typeof args[0] === "number") throw new ValueError(op, `${high} is below ${low}${drawnAs(op)}`);
  // Wide spans are drawn otherwise, which few programs do.
  if (high - low > 2 ** 16) needRest(op);
  if (dtype === "u32" && low < 0) throw new ValueError(op, `a u32 is at least 0, and the least number is ${low}`);
  return Tensor.adopt(core().random_randint(source, shape, low, high, dtypeCode(dtype === undefined ? "i32" : dtype, op)));
}

/**
 * True with the given probability, or with those that a tensor or arrays name, which broadcast to
 * the shape; bool.
 *
 * Gives bool. Without a gradient; under `vmap` each member draws by a key of its own.
 *
 * @example
 * random.bernoulli([4], 0.5).dtype; // "bool"
 */
export function bernoulli(shape: Shape, probability?: Operand): Tensor;
export function bernoulli(key: Key, shape?: Shape, probability?: Operand): Tensor;
export function bernoulli(...args: unknown[]): Tensor {
  const op = "random.bernoulli";
  const [source, shape, probability = 0.5] = parse<Operand>(op, args, 2);
  if (typeof probability === "number") return Tensor.adopt(core().random_bernoulli(source, shape, finiteOf(op, "the probability", probability)));
  return composed(op, () => less(Tensor.adopt(core().random_uniform(source, shape, 0, 1)), broadcastTo(probability, Array.from(shape))));
}

/** The handle of the key (0 for the stateful generator), the shape, and what follows: `most`
 * arguments besides the key. */
function parse<A = never, B = never, C = never>(op: string, args: unknown[], most: number): [number, Uint32Array, A?, B?, C?] {
  const [first] = args;
  noMore(op, args, first instanceof Tensor ? most + 1 : most);
  const [source, shape, ...rest] = first instanceof Tensor ? [first.handle, ...args.slice(1)] : [0, ...args];
  // By a key alone a single number is drawn, as in JAX.
  return [source, extentsOf(op, shape === undefined && source !== 0 ? [] : shape), ...(rest as [A?, B?, C?])];
}

/** The high and low 32 bits of a seed. */
function halves(op: string, seed: number | bigint): [high: number, low: number] {
  if (typeof seed === "bigint" && (seed >= 2n ** 64n || seed < -(2n ** 63n))) {
    throw new ValueError(op, `a seed has at most 64 bits, got ${seed}`);
  }
  if (typeof seed === "bigint") return [Number(BigInt.asUintN(32, seed >> 32n)), Number(BigInt.asUintN(32, seed))];
  if (!Number.isSafeInteger(seed)) throw new ValueError(op, `a seed is a whole number, got ${shown(seed)}`);
  return [Math.floor(seed / 2 ** 32) >>> 0, seed >>> 0];
}
