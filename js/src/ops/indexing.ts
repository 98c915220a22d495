// Elements chosen, and replaced, by position.

import { axisOf, countOf, isBag, noMore, optionsOf } from "../core/check/check.js";
import { register, type OpCode } from "../core/wasm/core.js";
import { dtypeCode, type DType } from "../core/tensor/dtype.js";
import { checkFunction } from "../core/tensor/functions.js";
import { sizeOf } from "../core/tensor/shape.js";
import { Tensor, type Operand } from "../core/tensor/tensor.js";
import { tidy } from "../core/tensor/tidy.js";
import { ShapeError, ValueError } from "../core/errors.js";
import { where } from "./generated/compare.js";
import type { DTypeOptions } from "./create.js";
import { cast } from "./generated/elementwise.js";
import { position } from "./kinds.js";
import { composed, lifted, numbered, positions, putIndices, shapeOf } from "./lift.js";
import { invoke } from "./operation.js";
import { isMask, outsideWords, pick, put } from "./multi_index.js";
import { broadcastTo, flatten, reshape } from "./generated/shape.js";

/**
 * Indices as tensors take them: i32 or u32, or whole numbers, which become i32.
 *
 * @example
 * tensor([5, 6, 7]).take(tensor([2, 0], { dtype: "i32" })); // [7,5]
 */
export type Indices = Operand;

/**
 * What stands for an axis in `at`: a number, for one position; a range as Python writes it, such as
 * `"1:-1"`, `"::2"` or `":"`; `"..."` for all axes that nothing else stands for; `null` or
 * `"newaxis"`, for a new one of extent 1; or indices, in a tensor or in arrays. Arrays of truth
 * values are a mask, which stands for as many axes as it has.
 *
 * @example
 * const lastColumn: Place[] = ["...", -1];
 * tensor([[1, 2], [3, 4]]).at(...lastColumn).get(); // [2,4]
 */
export type Place = Operand | string | null;

/**
 * What indices beyond an axis mean. Where nothing is said, one that is known beforehand is an
 * error; of others what is read is the nearest element, and what is written is left out, which
 * costs nothing and is JAX's rule: no device can throw in the middle of a program.
 *
 * @example
 * const options: OutsideOptions = { mode: "fill", fillValue: 0 };
 * take([1, 2], [0, 5], null, options); // [1,0]
 */
export interface OutsideOptions {
  /** "clip": the nearest element. "wrap": they go on counting from the other end. "fill" or "drop":
   * `fillValue` is read, and nothing is written. */
  mode?: "clip" | "wrap" | "fill" | "drop" | undefined;
  /** What is read there; by default NaN, the least of signed integers, the greatest of others, and
   * true. */
  fillValue?: number | undefined;
}

/**
 * The sub-tensors at `indices` along `axis`, as NumPy's `take`: the axis is replaced by the shape
 * of the indices. Without an axis, positions in row-major order. Negative indices count from the
 * end, but with `"clip"`, as in NumPy, where they mean the first. Throws `ValueError` for an index
 * beyond either end where it can be known without waiting for the device: in numbers, arrays, and
 * integer tensors whose values are `known`; others mean the nearest element, or what `options` say.
 *
 * Takes any dtype, then i32, u32; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * take([[1, 2], [3, 4]], [1, 0], 0); // [[3,4],[1,2]]
 * take([5, 6, 7], -1); // 7
 * take([5, 6, 7], [3]); // throws ValueError
 * take([5, 6, 7], [3, 4], null, { mode: "wrap" }); // [5,6]
 */
export function take(x: Operand, indices: Indices, axis: number | null = null, options?: OutsideOptions): Tensor {
  noMore("take", arguments, 4);
  const along = axis === null || axis === undefined ? undefined : axisOf("take", axis);
  if (options !== undefined) {
    const [mode, ...fill] = outsideWords("take", options, x);
    return composed("take", () => {
      const given = lifted("take", x);
      const place = along === undefined ? 0 : along < 0 ? along + given.ndim : along;
      // Of an axis that does not exist it is the core that tells: there are more places than axes.
      const before = new Array<Place>(place < 0 ? given.ndim : place).fill(":");
      return pick("take", along === undefined ? reshape(given, [given.size]) : given, [...before, indices], [mode === CLIP ? FROM_START : (mode as number), ...fill]);
    });
  }
  return invoke(taken, (call) => {
    const shape = shapeOf(x, call.tensor(x));
    // An axis that does not exist is the core's to report.
    const extent = along === undefined ? sizeOf(shape) : shape[along < 0 ? along + shape.length : along];
    position(putIndices(call, indices, positions(extent)), along);
  });
}

/** Modes in the core's form, as `outside` in `crate/weft/src/ops/index/advanced.rs` says. */
const CLIP = 1;
const FROM_START = 4;

const taken = register("take");

/**
 * 1 where the new last axis, of extent `classes`, equals the element, 0 elsewhere. Of integers.
 * Throws `ValueError` for a class that there is not where it can be known, as with `take`; only
 * zeros stand for others.
 *
 * Takes i32, u32; gives `dtype`. Without a gradient; `vmap` batches it.
 *
 * @example
 * oneHot([1, 0], 3); // [[0,1,0],[1,0,0]]
 */
export function oneHot(x: Indices, classes: number, options: DTypeOptions = {}): Tensor {
  noMore("oneHot", arguments, 3);
  const code = dtypeCode(optionsOf("oneHot", options, { dtype: "f32" as DType }).dtype, "oneHot");
  const below = countOf("oneHot", "the number of classes", classes);
  return invoke(oneOf, (call) => putIndices(call, x, { what: "class", least: 0, below }).put(below, code));
}

const oneOf = register("oneHot");

/**
 * Along an axis, or (null) of all in row-major order, the elements at indices, which have as many
 * axes and broadcast along the others. Negative indices count from the end; those beyond it mean
 * the nearest element, or what `options` say.
 *
 * Takes any dtype, then i32, u32; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * takeAlongAxis([[3, 1], [2, 4]], argmax([[3, 1], [2, 4]], 1, { keepdims: true }), 1); // [[3],[4]]
 * takeAlongAxis([3, 1], tensor([1, 2], { dtype: "i32" }), 0, { mode: "fill" }); // [1,NaN]
 */
export function takeAlongAxis(x: Operand, indices: Indices, axis: number | null = -1, options?: OutsideOptions): Tensor {
  noMore("takeAlongAxis", arguments, 4);
  if (axis === null) return composed("takeAlongAxis", () => takeAlongAxis(flatten(x), indices, 0, options));
  const along = axisOf("takeAlongAxis", axis);
  const outside = options === undefined ? [] : outsideWords("takeAlongAxis", options, x);
  return composed("takeAlongAxis", () => invoke(options === undefined ? besides : besidesOr, (call) => putIndices(call.tensor(x), indices, numbered("index")).put(along, ...outside)));
}

const besides = register("takeAlongAxis");
const besidesOr = register("along.pick");

/**
 * Places in a tensor, to make a changed copy from.
 *
 * @example
 * const place: At = tensor([1, 2, 3]).at([0, 2]);
 * place.add(10); // [11,2,13]
 */
export interface At {
  /** The chosen elements: with one list of indices as `take` along the first axis. */
  get(): Tensor;
  /** A copy with the chosen elements replaced by `values`, which broadcast. */
  set(values: Operand): Tensor;
  /** A copy with `values` added to the chosen elements; to repeated positions, repeatedly. */
  add(values: Operand): Tensor;
  /** A copy with the smaller of each chosen element and `values`; NaN where either is. */
  min(values: Operand): Tensor;
  /** A copy with the larger of each chosen element and `values`; NaN where either is. */
  max(values: Operand): Tensor;
  /** A copy with `values` subtracted from the chosen elements; from repeated positions,
   * repeatedly. */
  sub(values: Operand): Tensor;
  /** A copy with the chosen elements times `values`; for repeated positions, times each of them. */
  mul(values: Operand): Tensor;
  /** A copy with the chosen elements divided by `values`; for repeated positions, by their
   * product. */
  div(values: Operand): Tensor;
  /** A copy with the chosen elements to the power of `values`; for repeated positions, of their
   * product. */
  pow(values: Operand): Tensor;
  /** A copy with the bits that both the chosen elements and `values` have. Of integers and truth
   * values, as the next two. */
  and(values: Operand): Tensor;
  /** A copy with the bits that the chosen elements or `values` have. */
  or(values: Operand): Tensor;
  /** A copy with the bits changed there that `values` have. */
  xor(values: Operand): Tensor;
  /** A copy with the results of a function of the chosen elements, which have the same shape or one
   * that broadcasts to it. Repeated positions count once. */
  apply(f: (part: Tensor) => Tensor): Tensor;
}

/**
 * The elements at places: `x.at(i).get()` yields them, and `x.at(i).set(v)`, `add(v)`, `mul(v)` and
 * their like changed copies. One list of indices means sub-tensors along the first axis. Several
 * places follow NumPy's rules: each stands for an axis, a mask for as many as it has, those that
 * are left out are whole; indices broadcast together, and the axes to which they do take the place
 * of theirs if they stand side by side, and come first if not. How much a mask chooses must be
 * known, so that it is an array of truth values; one that is a tensor stands alone, is not read,
 * and takes values that broadcast to each of its elements. Negative indices count from the end.
 * Throws `ValueError` for an index beyond either end where it can be known, as `take` does; others
 * are left out, where `get` means the nearest; or what the options that come last say.
 *
 * Takes any dtype, then i32, u32; gives the same. Differentiable; `vmap` batches it. Takes any
 * dtype, then i32, u32, then any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * at([1, 2, 3], 0).set(9); // [9,2,3]
 * tensor([1, 2, 3]).at([1, 1]).add(1); // [1,4,3]
 * tensor([1, 2, 3]).at([0, 0, 2]).max([5, 4, 2]); // [5,2,3]
 * tensor([1, 2, 3]).at([0, 0, 2]).mul([2, 3, 4]); // [6,2,12]
 * tensor([[1, 2, 3], [4, 5, 6]]).at(":", [2, 0]).get(); // [[3,1],[6,4]]
 * tensor([[1, 2], [3, 4]]).at([0, 1], [1, 0]).set(0); // [[1,0],[0,4]]
 * const x = tensor([-1, 2, -3]);
 * x.at(x.less(0)).mul(10); // [-10,2,-30]
 * x.at("1:").apply((part) => part.square()); // [-1,4,9]
 */
export function at(x: Operand, ...places: (Place | OutsideOptions)[]): At {
  const last = places.at(-1);
  const options = !(last instanceof Tensor) && isBag(last) ? (places.pop() as OutsideOptions) : undefined;
  const [first] = places as Place[];
  if (places.length === 0) throw new ValueError("at", "takes at least one index");
  const outside = outsideWords("at", options, x);
  const isSimple = places.length === 1 && options === undefined && first !== null && typeof first !== "string" && !isMask(first);
  const indices = first as Indices;
  const update = (way: number, opcode: OpCode | null) => (values: Operand, ...more: unknown[]) => {
    noMore(`at.${WAYS[way]}`, [values, ...more], 1);
    if (!opcode || !isSimple) return put(`at.${WAYS[way]}`, x, places as Place[], outside[0] as number, way, values);
    return invoke(opcode, (call) => {
      call.tensor(x);
      // A plain number is no part of what is compiled, and checked by the core.
      if (typeof indices === "number") call.operand(indices);
      else putIndices(call, indices, positions(shapeOf(x, call)[0]));
      call.operand(values);
    });
  };
  const set = update(0, opcodes[0] as OpCode);
  const get = (...more: unknown[]) => {
    noMore("at.get", more, 0);
    return isSimple ? take(x, indices, 0) : pick("at.get", x, places as Place[], outside);
  };
  const apply = (f: (part: Tensor) => Tensor, ...more: unknown[]) => {
    const op = "at.apply";
    noMore(op, [f, ...more], 1);
    checkFunction(op, f);
    return tidy(() => {
      // What a mask in a tensor chooses has no shape: the function is asked for all, and the mask
      // chooses among that.
      const isMasked = places.length === 1 && first instanceof Tensor && isMask(first);
      const given = lifted(op, x);
      const made: unknown = f(isMasked ? reshape(given, given.shape) : get());
      if (!(made instanceof Tensor)) throw new ValueError(op, "takes a function that returns a tensor");
      const same = made.dtype === given.dtype ? made : cast(made, given.dtype);
      if (!isMasked) return set(same);
      if (first.shape.some((extent, n) => given.shape[n] !== extent)) throw new ShapeError(op, `a mask [${first.shape.join(",")}] is not of the first axes of [${given.shape.join(",")}]`);
      return where(reshape(first, [...first.shape, ...given.shape.slice(first.ndim).fill(1)]), broadcastTo(same, given.shape), given);
    });
  };
  const updates = Object.fromEntries(WAYS.map((name, way) => [name, update(way, opcodes[way] ?? null)]));
  return { ...(updates as unknown as At), get, apply };
}

/**
 * Ways to update, by their numbers in the core. The first have functions of their own there for one
 * index, as `take` has beside `at.pick`: those are in the part that every page downloads, and
 * several places in the one that is fetched when they are first asked for.
 */
const WAYS = ["set", "add", "min", "max", "sub", "mul", "div", "pow", "and", "or", "xor"];
const opcodes = WAYS.slice(0, 4).map((name) => register(`at.${name}`));
