// Transformer blocks: attention and two dense layers, each with a norm and a residual connection.

import { countOf, flagOf, noMore, optionsOf, shown } from "../core/check/check.js";
import { inScope } from "../core/tensor/scope.js";
import { Tensor } from "../core/tensor/tensor.js";
import { ValueError } from "../core/errors.js";
import { add, mul } from "../ops/generated/arithmetic.js";
import { gelu, relu, silu } from "../ops/generated/activation.js";
import { MultiheadAttention, type KeyValueCache, type MultiheadAttentionOptions } from "./attention.js";
import { dropout, rateOf } from "./dropout.js";
import { Linear } from "./layers.js";
import { Module } from "./module.js";
import { LayerNorm, RMSNorm } from "./norms.js";

/** The activations by name. "swiglu" multiplies by a second dense layer. */
const activations = { gelu, relu, silu, swiglu: silu } as const;

/**
 * How a `TransformerBlock` is made.
 *
 * @example
 * const llama: nn.TransformerOptions = { causal: true, norm: "rms", activation: "swiglu", rotary: true, bias: false };
 * new nn.TransformerBlock(8, 2, llama).forward(ones([1, 3, 8])).shape; // [1,3,8]
 */
export interface TransformerOptions extends MultiheadAttentionOptions {
  /** The extent between the two dense layers; four times the width by default. */
  hidden?: number;
  /** The activation between them; "gelu" by default. */
  activation?: keyof typeof activations;
  /** Which norm; "layer" by default. */
  norm?: "layer" | "rms";
  /** Whether norms come before what they belong to, and not behind the sum; true by default. */
  normFirst?: boolean;
  /** Whether there is attention to a context too, as decoders have it; false by default. */
  cross?: boolean;
}

/**
 * What one call of a block is given besides its input.
 *
 * @example
 * const block = new nn.TransformerBlock(8, 2, { cross: true });
 * block.forward(ones([1, 3, 8]), { context: ones([1, 5, 8]) }).shape; // [1,3,8]
 */
export interface TransformOptions {
  /** What a block with cross attention looks at, [batch, keys, width]. */
  context?: Tensor;
  /** As that of `scaledDotProductAttention`, for attention of the input to itself. */
  mask?: Tensor;
  /** Where the keys and values of earlier calls are kept. */
  cache?: KeyValueCache;
}

/**
 * A block of a transformer: attention, then two dense layers, each added to its input: [batch,
 * positions, width] to the same. Encoders, decoders and decoders alone (`causal`) are made of it.
 *
 * @example
 * const blocks = new nn.Sequential(...[1, 2].map(() => new nn.TransformerBlock(8, 2, { causal: true })));
 * blocks.forward(ones([1, 3, 8])).shape; // [1,3,8]
 */
export class TransformerBlock extends Module {
  readonly normFirst: boolean;
  readonly activation: keyof typeof activations;
  readonly rate: number;
  readonly attentionNorm: LayerNorm | RMSNorm;
  readonly attention: MultiheadAttention;
  readonly crossNorm: LayerNorm | RMSNorm | null;
  readonly cross: MultiheadAttention | null;
  readonly denseNorm: LayerNorm | RMSNorm;
  readonly up: Linear;
  readonly gate: Linear | null;
  readonly down: Linear;

  constructor(width: number, heads: number, options: TransformerOptions = {}) {
    noMore("TransformerBlock", arguments, 3);
    super();
    const op = "TransformerBlock";
    const { hidden, activation, norm, normFirst, cross, ...attention } = optionsOf(op, options, {
      keyHeads: undefined as number | undefined,
      bias: true,
      causal: false,
      rotary: false,
      dropout: 0,
      hidden: undefined as number | undefined,
      activation: "gelu" as keyof typeof activations,
      norm: "layer" as "layer" | "rms",
      normFirst: true,
      cross: false,
    });
    const extent = countOf(op, "the width", width, 1);
    const count = countOf(op, "the number of heads", heads, 1);
    if (extent % count !== 0) throw new ValueError(op, `${count} heads do not divide a width of ${extent}`);
    const between = hidden === undefined ? 4 * extent : countOf(op, "hidden", hidden, 1);
    if (typeof activation !== "string" || !Object.hasOwn(activations, activation)) {
      throw new ValueError(op, `the activation is one of ${Object.keys(activations).join(", ")}, got ${shown(activation)}`);
    }
    if (norm !== "layer" && norm !== "rms") throw new ValueError(op, `the norm is "layer" or "rms", got ${shown(norm)}`);
    const bias = flagOf(op, "bias", attention.bias);
    const even = () => (norm === "layer" ? new LayerNorm(extent, { bias }) : new RMSNorm(extent));
    this.normFirst = flagOf(op, "normFirst", normFirst);
    this.activation = activation;
    this.rate = rateOf(op, attention.dropout);
    const { keyHeads, ...rest } = attention;
    const given: MultiheadAttentionOptions = keyHeads === undefined ? rest : attention as MultiheadAttentionOptions;
    this.attentionNorm = even();
    this.attention = new MultiheadAttention(extent, count, given);
    this.crossNorm = flagOf(op, "cross", cross) ? even() : null;
    this.cross = cross ? new MultiheadAttention(extent, count, { ...given, causal: false, rotary: false }) : null;
    this.denseNorm = even();
    this.up = new Linear(extent, between, { bias });
    this.gate = activation === "swiglu" ? new Linear(extent, between, { bias }) : null;
    this.down = new Linear(between, extent, { bias });
  }

  /** A cache for a sequence of up to `capacity` positions and a batch of `batch`. */
  cache(capacity: number, batch = 1): KeyValueCache {
    noMore("TransformerBlock", arguments, 2);
    return this.attention.cache(capacity, batch);
  }

  forward(x: Tensor, options: TransformOptions = {}): Tensor {
    const op = "TransformerBlock";
    noMore(op, arguments, 2);
    Tensor.of(op, "what it acts on", x);
    const given = optionsOf(op, options, { context: undefined as Tensor | undefined, mask: undefined as Tensor | undefined, cache: undefined as KeyValueCache | undefined });
    const { context, ...attend } = given;
    if (!context !== !this.cross) throw new ValueError(op, this.cross ? "cross attention needs a context" : "a context needs cross attention: { cross: true }");
    return inScope(
      () => {
        const own = Object.fromEntries(Object.entries(attend).filter(([, value]) => value !== undefined));
        let value = around(this, x, this.attentionNorm, (inner) => this.attention.forward(inner, own));
        const { cross, crossNorm } = this;
        if (cross && crossNorm && context) value = around(this, value, crossNorm, (inner) => cross.forward(inner, { context }));
        return around(this, value, this.denseNorm, (inner) => dense(this, inner));
      },
      (result) => [result],
    );
  }
}

/** A layer with its norm, and its input added. */
function around(block: TransformerBlock, x: Tensor, norm: LayerNorm | RMSNorm, layer: (x: Tensor) => Tensor): Tensor {
  return block.normFirst ? add(x, layer(norm.forward(x))) : norm.forward(add(x, layer(x)));
}

function dense({ activation, gate, up, down, training, rate }: TransformerBlock, x: Tensor): Tensor {
  const active = activations[activation];
  const between = gate ? mul(active(gate.forward(x)), up.forward(x)) : active(up.forward(x));
  const result = down.forward(between);
  return training && rate > 0 ? dropout(result, rate) : result;
}
