// Batches of training examples. The device takes each batch by a run-time position, so that all
// batches are one program and none is uploaded.

import { countOf, finiteOf, flagOf, listOf, noMore, optionsOf } from "../core/check/check.js";
import { throttle } from "../core/device/current.js";
import { Tensor, type Operand } from "../core/tensor/tensor.js";
import type { Nested } from "../core/tensor/shape.js";
import { ShapeError } from "../core/errors.js";
import { numbersOf, tensorFrom } from "../ops/create.js";
import { take } from "../ops/indexing.js";
import { slice } from "../ops/shape.js";

/**
 * How to walk.
 *
 * @example
 * Array.from(data.batches([arange(5)], { size: 2, shuffle: 1, dropLast: true })).length; // 2
 */
export interface BatchOptions {
  /** Examples per batch; 32 by default. */
  size?: number;
  /** Whether to walk in random order; a number makes the order repeatable. */
  shuffle?: boolean | number;
  /** Whether to leave out a last batch that is smaller; false by default. */
  dropLast?: boolean;
}

/**
 * Walks arrays with a common first extent in batches:
 * `for (const [x, y] of data.batches([images, labels], { size: 128 }))`. The tensors of a batch are
 * freed when the next one comes, and at the end; `keep()` those that should live on. With
 * `for await` the device may catch up before each batch, as with `throttle`.
 *
 * Throws `ShapeError` when the first extents differ, `ValueError` for a size below 1.
 *
 * @example
 * const sums = [];
 * for (const [x, y] of data.batches([arange(4), [5, 6, 7, 8]], { size: 2 })) sums.push(await x.add(y).sum().item());
 * sums; // [12,20]
 */
export function batches<const Arrays extends readonly Operand[]>(
  arrays: Arrays,
  options: BatchOptions = {},
): Batches<{ [I in keyof Arrays]: Tensor }> {
  noMore("batches", arguments, 2);
  // Here rather than at the first turn of the loop, so that the error leads to this call.
  listOf("batches", "a list of arrays", arrays);
  for (const array of arrays) if (!(array instanceof Tensor)) numbersOf("batches", array);
  const walked = walk(arrays, read("batches", options));
  async function* paced(): AsyncGenerator<Tensor[], void, undefined> {
    for (const batch of walked) {
      await throttle();
      yield batch;
    }
  }
  return Object.defineProperty(walked, Symbol.asyncIterator, { value: paced }) as unknown as Batches<{ [I in keyof Arrays]: Tensor }>;
}

/** Batches, to be walked once: by `for`, or by `for await`. */
interface Batches<Batch> extends Generator<Batch, void, undefined> {
  [Symbol.asyncIterator](): AsyncGenerator<Batch, void, undefined>;
}

/** The options of a call, checked. */
function read(op: string, options: BatchOptions | undefined): Required<BatchOptions> {
  const { size, shuffle = false, dropLast } = optionsOf(op, options, { size: 32, shuffle: undefined as unknown, dropLast: false });
  countOf(op, "the size", size, 1);
  const order = typeof shuffle === "number" ? finiteOf(op, "shuffle", shuffle) : flagOf(op, "shuffle", shuffle);
  return { size, shuffle: order, dropLast };
}

function* walk(arrays: readonly Operand[], { size, shuffle, dropLast }: Required<BatchOptions>): Generator<Tensor[], void, undefined> {
  const made: Tensor[] = [];
  const own = (array: Nested): Tensor => {
    const tensor = tensorFrom(array, "batches").keep();
    made.push(tensor);
    return tensor;
  };
  let batch: Tensor[] = [];
  try {
    const sources = arrays.map((array) => (array instanceof Tensor ? array : own(array)));
    const count = commonLength(sources);
    const order = shuffle === false ? null : own(permutation(count, shuffle));
    for (let start = 0; start < count; start += size) {
      const stop = Math.min(start + size, count);
      if (dropLast && stop - start < size) break;
      free(batch);
      const positions = order ? slice(order, [start, stop]) : null;
      batch = sources.map((source) => (positions ? take(source, positions, 0) : slice(source, [start, stop])));
      positions?.dispose();
      yield batch;
    }
  } finally {
    free(batch);
    for (const tensor of made) tensor.dispose();
  }
}

/**
 * How many batches there are of `count` examples.
 *
 * @example
 * data.batchCount(100, { size: 32 }); // 4
 * data.batchCount(100, { size: 32, dropLast: true }); // 3
 */
export function batchCount(count: number, options: BatchOptions = {}): number {
  noMore("batchCount", arguments, 2);
  const { size, dropLast } = read("batchCount", options);
  const batches = countOf("batchCount", "the count", count) / size;
  return dropLast ? Math.floor(batches) : Math.ceil(batches);
}

function free(batch: readonly Tensor[]): void {
  for (const tensor of batch) if (!tensor.kept) tensor.dispose();
}

function commonLength(sources: readonly Tensor[]): number {
  const shapes = sources.map((source) => `[${source.shape.join(",")}]`);
  const [first, ...rest] = sources.map((source) => source.shape[0]);
  if (first === undefined) throw new ShapeError("batches", "takes arrays with at least one axis");
  if (rest.some((length) => length !== first)) throw new ShapeError("batches", `the first extents differ: ${shapes.join(", ")}`);
  return first;
}

/** The numbers below `count` in random order (Fisher and Yates). */
function permutation(count: number, seed: true | number): Int32Array {
  const random = seed === true ? Math.random : mulberry32(seed);
  const order = Int32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  return order;
}

/** A small generator for shuffling on the host (Tommy Ettinger's Mulberry32): numbers in [0, 1). */
function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
