// Attention, as a function and as a layer, with rotary and sinusoidal positions, and the cache of
// keys and values for a sequence that grows.

import { countOf, finiteOf, flagOf, noMore, optionsOf } from "../core/check/check.js";
import { core, needRest, register } from "../core/wasm/core.js";
import { inScope } from "../core/tensor/scope.js";
import { Tensor } from "../core/tensor/tensor.js";
import { ShapeError, ValueError } from "../core/errors.js";
import { add, mul } from "../ops/generated/arithmetic.js";
import { lessEqual, where } from "../ops/generated/compare.js";
import { arange, tensor, zeros } from "../ops/create.js";
import { at } from "../ops/indexing.js";
import { concat } from "../ops/generated/join.js";
import { maybe } from "../ops/kinds.js";
import { composed } from "../ops/lift.js";
import { invoke } from "../ops/operation.js";
import { slice } from "../ops/shape.js";
import { matmul } from "../ops/generated/contract.js";
import { roundedOnce } from "../ops/rounded.js";
import { expandDims, permute, reshape, swapAxes } from "../ops/generated/shape.js";
import { scan } from "../transforms/control.js";
import { checkpoint } from "../transforms/custom.js";
import { dropout, rateOf } from "./dropout.js";
import { Linear } from "./layers.js";
import { Module } from "./module.js";
import { begun, Buffer } from "../transforms/parameter.js";

/** What stands where a query must not look: it weighs nothing. */
const UNSEEN = -Infinity;

/** Scores that are computed in one piece, where nobody says how many: 256 MiB, which a gradient
 * holds four times. */
const MOST_SCORES = 2 ** 26;

/**
 * How queries look at keys.
 *
 * @example
 * const options: nn.AttentionOptions = { causal: true, scale: 0.5 };
 */
export interface AttentionOptions {
  /** Bool, true where a query may look at a key, or f32, which is added to the scores and hides a
   * key by −∞; of a shape that broadcasts to [..., queries, keys]. */
  mask?: Tensor;
  /** Whether query i looks at the keys up to i only; false by default. */
  causal?: boolean;
  /** What the scores are multiplied by; 1/√width by default. */
  scale?: number;
  /**
   * How many queries are taken at a time. A gradient then computes the scores of these queries
   * again instead of keeping those of all: its memory grows with the length of the sequence and not
   * with its square. All at once by default, up to 2²⁶ scores, and beyond that where nothing keeps
   * them: in causal attention without a mask that is not being differentiated.
   */
  queryChunk?: number;
}

/**
 * softmax(q·kᵀ · scale) · v, as PyTorch's function of this name. `query` is [..., heads, queries,
 * width], `key` and `value` [..., heads, keys, width]; they may have fewer heads, a divisor of the
 * query's, which groups of its heads share. A query that sees no key, by masks or by number, gets
 * 0, and so does its gradient. Throws `ShapeError`.
 *
 * @example
 * const x = tensor([[1, 0], [0, 1]]);
 * nn.scaledDotProductAttention(x, x, x, { causal: true }); // [[1,0],[0.33024,0.66976]]
 */
export function scaledDotProductAttention(query: Tensor, key: Tensor, value: Tensor, options: AttentionOptions = {}): Tensor {
  const op = "scaledDotProductAttention";
  noMore(op, arguments, 4);
  const given = optionsOf(op, options, { mask: undefined as Tensor | undefined, causal: false, scale: undefined as number | undefined, queryChunk: undefined as number | undefined });
  const [q, k, v] = [Tensor.of(op, "the query", query), Tensor.of(op, "the key", key), Tensor.of(op, "the value", value)];
  const [queries, width] = lastTwo(op, "the query", q);
  const [keys, keyWidth] = lastTwo(op, "the key", k);
  const [values] = lastTwo(op, "the value", v);
  if (width !== keyWidth) throw new ShapeError(op, `queries are ${width} wide, keys ${keyWidth}`);
  if (keys !== values) throw new ShapeError(op, `there are ${keys} keys, but ${values} values`);
  const scale = given.scale === undefined ? 1 / Math.sqrt(width) : finiteOf(op, "the scale", given.scale);
  const causal = flagOf(op, "causal", given.causal);
  const scores = (q.size / Math.max(1, width)) * keys;
  const few = Math.max(1, Math.floor((queries * MOST_SCORES) / Math.max(scores, MOST_SCORES)));
  // It is one kernel, which few programs have.
  needRest(op);
  // That keeps no scores, and of keys that are hidden it looks at none, which it knows of all
  // queries at once: 96 heads of 1,024 take 0.65 ms and 1.10 in chunks. Without a mask chunks are
  // as fast or, of long sequences, faster (16 heads of 8,192: 11.9 ms, and 14.0 at once; NVIDIA
  // H200, Dawn).
  const keepsNone = causal && given.mask === undefined && !core().is_transforming();
  const chunk = given.queryChunk === undefined ? (keepsNone ? queries : few) : countOf(op, "the chunk of queries", given.queryChunk, 1);
  return composed(op, () => {
    const masks = given.mask === undefined ? [] : [Tensor.of(op, "the mask", given.mask)];
    const groups = sharing(op, q, k);
    const how = { groups, causal, scale };
    return chunk < queries ? byChunks(q, k, v, masks, how, chunk) : attend(q, k, v, masks, how, 0);
  });
}

/** Some of the positions of [..., positions, width]. */
function rows(x: Tensor, start: number, end: number): Tensor {
  return slice(x, ...x.shape.slice(0, -2).map(() => null), [start, end]);
}

/** What is the same for all queries. */
interface How {
  /** How many heads share those of the keys. */
  groups: number;
  causal: boolean;
  scale: number;
}

/** As `attend`, of so many queries at a time, whose scores a gradient computes again. */
function byChunks(q: Tensor, k: Tensor, v: Tensor, masks: Tensor[], how: How, chunk: number): Tensor {
  const again = checkpoint(attend);
  const [queries, keys] = [q.shape.at(-2) as number, k.shape.at(-2) as number];
  // The first quarter of the queries sees a quarter of the keys.
  const apart = how.causal && masks.length === 0;
  const stretch = apart ? Math.ceil(queries / chunk / 4) * chunk : queries;
  const parts: Tensor[] = [];
  for (let start = 0; start < queries; start += stretch) {
    const end = Math.min(queries, start + stretch);
    const [ks, vs] = apart ? [rows(k, 0, Math.min(keys, end)), rows(v, 0, Math.min(keys, end))] : [k, v];
    const count = Math.floor((end - start) / chunk);
    const middle = start + count * chunk;
    const byQuery = masks.filter((mask) => (mask.shape.at(-2) ?? 1) > 1);
    const ofAll = masks.filter((mask) => !byQuery.includes(mask));
    if (count > 0) {
      // [..., positions, width] as [chunks, ..., positions of a chunk, width], and back.
      const inChunks = (x: Tensor) => {
        const lead = x.shape.slice(0, -2);
        const apart = reshape(rows(x, start, middle), [...lead, count, chunk, x.shape.at(-1) as number]);
        return permute(apart, [lead.length, ...lead.keys(), lead.length + 1, lead.length + 2]);
      };
      const [, found] = scan(
        (first: Tensor, [q, ...byQuery]: Tensor[]) => [add(first, chunk), again(q as Tensor, ks, vs, [...byQuery, ...ofAll], how, first)],
        tensor(start, { dtype: "i32" }),
        [q, ...byQuery].map(inChunks),
      );
      const lead = found.shape.slice(1, -2);
      const together = permute(found, [...lead.map((_, axis) => axis + 1), 0, lead.length + 1, lead.length + 2]);
      parts.push(reshape(together, [...lead, count * chunk, found.shape.at(-1) as number]));
    }
    if (middle < end) parts.push(again(rows(q, middle, end), ks, vs, [...byQuery.map((mask) => rows(mask, middle, end)), ...ofAll], how, middle));
  }
  return concat(parts, -2);
}

/** Attention of the queries from number `first` on. */
function attend(q: Tensor, k: Tensor, v: Tensor, masks: Tensor[], how: How, first: number | Tensor): Tensor {
  return roundedOnce([q, k, v, ...masks], (q, k, v, ...masks) => scaledDotProduct(q, k, v, masks, how, first));
}

const weights = register("attentionWeights");

/** `attend` of floats. */
function scaledDotProduct(q: Tensor, k: Tensor, v: Tensor, masks: Tensor[], { groups, causal, scale }: How, first: number | Tensor): Tensor {
  const [queries, keys] = [q.shape.at(-2) as number, k.shape.at(-2) as number];
  // Heads that share keys stand along an axis of their own, so that no key is copied.
  const grouped = (x: Tensor, heads: number) => (groups === 1 ? x : reshape(x, [...x.shape.slice(0, -3), heads / groups, groups, ...x.shape.slice(-2)]));
  const shared = (x: Tensor) => (groups === 1 ? x : expandDims(x, -3));
  const heads = q.shape.at(-3) ?? 1;
  let scores = mul(matmul(grouped(q, heads), swapAxes(shared(k), -1, -2)), scale);
  for (const mask of masks) {
    const ofHeads = groups > 1 && mask.shape.length >= 3;
    const placed = !ofHeads ? mask : mask.shape.at(-3) === 1 ? expandDims(mask, -3) : grouped(mask, heads);
    scores = mask.dtype === "bool" ? where(placed, scores, UNSEEN) : add(scores, placed);
  }
  const numbers = first === 0 ? arange(queries) : add(arange(queries), first);
  // Last, where the compiler looks for what hides keys by their numbers.
  if (causal) scores = where(lessEqual(arange(keys), expandDims(numbers, -1)), scores, UNSEEN);
  const seen = matmul(invoke(weights, (call) => call.tensor(scores)), shared(v));
  return groups === 1 ? seen : reshape(seen, [...q.shape.slice(0, -1), v.shape.at(-1) as number]);
}

function lastTwo(op: string, what: string, x: Tensor): [number, number] {
  const [rows, width] = x.shape.slice(-2);
  if (rows !== undefined && width !== undefined) return [rows, width];
  throw new ShapeError(op, `${what} must be [..., positions, width], got [${x.shape.join(",")}]`);
}

/** How many heads of the query share a head of the keys. */
function sharing(op: string, q: Tensor, k: Tensor): number {
  const [of, among] = [q.shape.at(-3) ?? 1, k.shape.at(-3) ?? 1];
  if (of === among || q.shape.length < 3 || k.shape.length < 3 || among === 1) return 1;
  if (of % among === 0) return of / among;
  throw new ShapeError(op, `${among} heads of keys cannot be shared by ${of} of queries`);
}

const [turned, waves] = [register("rotary"), register("sinusoidal")];

/**
 * Positions by rotation (RoPE, Su et al. 2021): the first half of the last axis with the second,
 * turned by the position times base^(−2i/width). `x` is [..., positions, width]; `positions` are 0,
 * 1, … unless given. Throws `ShapeError` where the width is odd.
 *
 * Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.rotary(tensor([[1, 0], [1, 0]])); // [[1,0],[0.5403,0.84147]]
 */
export function rotary(x: Tensor, options: { positions?: Tensor; base?: number } = {}): Tensor {
  const op = "rotary";
  noMore(op, arguments, 2);
  const given = optionsOf(op, options, { positions: undefined as Tensor | undefined, base: 10000 });
  const [acted, positions] = [Tensor.of(op, "what it acts on", x), given.positions && Tensor.of(op, "the positions", given.positions)];
  const base = finiteOf(op, "the base", given.base);
  if (base <= 0) throw new ValueError(op, `the base must be more than 0, got ${base}`);
  return invoke(turned, (call) => {
    maybe(call.tensor(acted), positions);
    call.put(base);
  });
}

/**
 * Positions as waves (Vaswani et al. 2017): [count, width], the even columns sines, the odd ones
 * cosines.
 *
 * Gives f32.
 *
 * @example
 * nn.sinusoidal(2, 2); // [[0,1],[0.84147,0.5403]]
 */
export function sinusoidal(count: number, width: number): Tensor {
  const op = "sinusoidal";
  noMore(op, arguments, 2);
  return invoke(waves, (call) => call.put(countOf(op, "the number of positions", count), countOf(op, "the width", width)));
}

/**
 * The keys and values of a sequence that grows, so that each step computes those of its own
 * positions only. Its extents are fixed, so that nothing is compiled for another length. Positions
 * beyond the capacity are left out.
 *
 * @example
 * const attention = new nn.MultiheadAttention(8, 2, { causal: true }).eval();
 * const cache = attention.cache(16, 1);
 * attention.forward(ones([1, 1, 8]), { cache }).shape; // [1,1,8]
 * cache.length.add(0); // 1
 */
export class KeyValueCache extends Module {
  /** [capacity, batch, heads, width] */
  readonly keys: Buffer;
  /** [capacity, batch, heads, width] */
  readonly values: Buffer;
  /** How many positions are kept: a 0-d i32. */
  readonly length: Buffer;

  constructor(capacity: number, batch: number, heads: number, width: number) {
    noMore("KeyValueCache", arguments, 4);
    super();
    const op = "KeyValueCache";
    const shape = [
      countOf(op, "the capacity", capacity, 1),
      countOf(op, "the batch", batch, 1),
      countOf(op, "the number of heads", heads, 1),
      countOf(op, "the width", width, 1),
    ];
    this.keys = begun(() => zeros(shape), Buffer);
    this.values = begun(() => zeros(shape), Buffer);
    this.length = begun(() => zeros([], { dtype: "i32" }), Buffer);
  }

  get capacity(): number {
    return this.keys.shape[0] as number;
  }

  /** Forgets all positions. */
  reset(): this {
    noMore("KeyValueCache", arguments, 0);
    this.length.assign(mul(this.length, 0));
    return this;
  }

  /**
   * Adds keys and values, [batch, heads, positions, width], and gives all that are kept, [batch,
   * heads, capacity, width], with a mask [positions, capacity] of which of them each new position
   * may look at: itself and what came before.
   */
  extend(keys: Tensor, values: Tensor): { keys: Tensor; values: Tensor; mask: Tensor } {
    noMore("KeyValueCache", arguments, 2);
    const added = Tensor.of("KeyValueCache", "the keys", keys).shape[2] as number;
    const expected = [this.keys.shape[1], this.keys.shape[2], added, this.keys.shape[3]].join();
    for (const tensor of [keys, values]) {
      if (tensor.shape.join() !== expected) throw new ShapeError("KeyValueCache", `takes [${expected}], got [${tensor.shape.join(",")}]`);
    }
    return inScope(
      () => {
        const places = add(this.length, arange(added));
        const put = (buffer: Buffer, tensor: Tensor) => buffer.assign(at(buffer, places).set(permute(tensor, [2, 0, 1, 3])));
        put(this.keys, keys);
        put(this.values, values);
        const mask = lessEqual(arange(this.capacity), expandDims(places, -1));
        this.length.assign(add(this.length, added));
        const laid = (buffer: Buffer) => permute(buffer, [1, 2, 0, 3]);
        return { keys: laid(this.keys), values: laid(this.values), mask };
      },
      (result) => Object.values(result),
    );
  }

  /** Of a cache there is nothing to compute: it is `x`. */
  forward(x: Tensor): Tensor {
    noMore("KeyValueCache", arguments, 1);
    return x;
  }
}

/**
 * How a `MultiheadAttention` is made.
 *
 * @example
 * new nn.MultiheadAttention(8, 4, { keyHeads: 2, rotary: true }).forward(ones([1, 3, 8])).shape; // [1,3,8]
 */
export interface MultiheadAttentionOptions {
  /** How many heads keys and values have: a divisor of the heads, which groups of them share. As
   * many by default. */
  keyHeads?: number;
  /** Whether the projections add biases; true by default. */
  bias?: boolean;
  /** Whether each position looks at itself and earlier ones only; false by default. */
  causal?: boolean;
  /** Whether queries and keys are turned by their position; false by default. */
  rotary?: boolean;
  /** The rate of dropout of what comes out, in training; 0 by default. */
  dropout?: number;
}

/**
 * What one call of attention is given besides its input.
 *
 * @example
 * const options: nn.AttendOptions = { context: ones([1, 7, 8]) };
 */
export interface AttendOptions {
  /** What keys and values are made of, [batch, keys, width]; the input itself by default. */
  context?: Tensor;
  /** As that of `scaledDotProductAttention`, for [batch, heads, queries, keys]. */
  mask?: Tensor;
  /** Where the keys and values of earlier calls are kept. */
  cache?: KeyValueCache;
}

/**
 * Attention of several heads with projections before and after: [batch, positions, width] to the
 * same.
 *
 * @example
 * new nn.MultiheadAttention(8, 2).forward(ones([1, 3, 8])).shape; // [1,3,8]
 */
export class MultiheadAttention extends Module {
  readonly width: number;
  readonly heads: number;
  readonly keyHeads: number;
  readonly causal: boolean;
  readonly rotary: boolean;
  readonly rate: number;
  readonly query: Linear;
  readonly key: Linear;
  readonly value: Linear;
  readonly output: Linear;

  constructor(width: number, heads: number, options: MultiheadAttentionOptions = {}) {
    noMore("MultiheadAttention", arguments, 3);
    super();
    const op = "MultiheadAttention";
    const given = optionsOf(op, options, { keyHeads: undefined as number | undefined, bias: true, causal: false, rotary: false, dropout: 0 });
    this.width = countOf(op, "the width", width, 1);
    this.heads = countOf(op, "the number of heads", heads, 1);
    this.keyHeads = given.keyHeads === undefined ? this.heads : countOf(op, "the number of heads of keys", given.keyHeads, 1);
    if (this.width % this.heads !== 0) throw new ValueError(op, `${this.heads} heads do not divide a width of ${this.width}`);
    if (this.heads % this.keyHeads !== 0) throw new ValueError(op, `${this.keyHeads} heads of keys do not divide ${this.heads} heads`);
    this.causal = flagOf(op, "causal", given.causal);
    this.rotary = flagOf(op, "rotary", given.rotary);
    this.rate = rateOf(op, given.dropout);
    const bias = flagOf(op, "bias", given.bias);
    const narrow = (this.width / this.heads) * this.keyHeads;
    if (this.rotary && (this.width / this.heads) % 2 !== 0) throw new ValueError(op, `heads that are turned must be of even width, got ${this.width / this.heads}`);
    this.query = new Linear(this.width, this.width, { bias });
    this.key = new Linear(this.width, narrow, { bias });
    this.value = new Linear(this.width, narrow, { bias });
    this.output = new Linear(this.width, this.width, { bias });
  }

  /** A cache for a sequence of up to `capacity` positions and a batch of `batch`. */
  cache(capacity: number, batch = 1): KeyValueCache {
    noMore("MultiheadAttention", arguments, 2);
    return new KeyValueCache(capacity, batch, this.keyHeads, this.width / this.heads);
  }

  forward(x: Tensor, options: AttendOptions = {}): Tensor {
    const op = "MultiheadAttention";
    noMore(op, arguments, 2);
    const { context, mask, cache } = optionsOf(op, options, { context: undefined as Tensor | undefined, mask: undefined as Tensor | undefined, cache: undefined as KeyValueCache | undefined });
    const source = context === undefined ? Tensor.of(op, "what it acts on", x) : Tensor.of(op, "the context", context);
    for (const tensor of [Tensor.of(op, "what it acts on", x), source]) {
      if (tensor.shape.length === 3 && tensor.shape[2] === this.width) continue;
      throw new ShapeError(op, `takes [batch, positions, ${this.width}], got [${tensor.shape.join(",")}]`);
    }
    if (cache !== undefined && !(cache instanceof KeyValueCache)) throw new ValueError(op, "the cache must be what cache() gave");
    if (cache && (context || mask !== undefined)) throw new ValueError(op, "with a cache there can be no context and no mask");
    return inScope(
      () => {
        const [batch, rows] = x.shape as [number, number];
        const headed = (tensor: Tensor, heads: number) => permute(reshape(tensor, [batch, tensor.shape[1] as number, heads, -1]), [0, 2, 1, 3]);
        const positions = cache ? add(cache.length, arange(rows)) : undefined;
        const turned = (tensor: Tensor) => (this.rotary ? rotary(tensor, positions ? { positions } : {}) : tensor);
        const query = turned(headed(this.query.forward(x), this.heads));
        const key = turned(headed(this.key.forward(source), this.keyHeads));
        const value = headed(this.value.forward(source), this.keyHeads);
        const kept = cache?.extend(key, value);
        const seen = kept
          ? scaledDotProductAttention(query, kept.keys, kept.values, { mask: kept.mask })
          : scaledDotProductAttention(query, key, value, { causal: this.causal, ...(mask === undefined ? {} : { mask }) });
        const joined = this.output.forward(reshape(permute(seen, [0, 2, 1, 3]), [batch, rows, this.width]));
        return this.training && this.rate > 0 ? dropout(joined, this.rate) : joined;
      },
      (result) => [result],
    );
  }
}
