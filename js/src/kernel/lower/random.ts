// Counter-based random numbers: PCG's output permutation of a key ("RXS-M-XS", O'Neill 2014; as a
// hash: Jarzynski and Olano, "Hash Functions for GPU Rendering", 2020).

import type { Builder } from "../builder.js";
import type { ExprId } from "../ir.js";

/** The hash of a u32. */
export function pcg(builder: Builder, key: ExprId): ExprId {
  const of = (value: number) => builder.literal("u32", value);
  const once = (x: ExprId) => builder.once("u32", x);
  const binary = builder.binary.bind(builder);
  const state = once(binary("Add", binary("Mul", key, of(747796405)), of(2891336453)));
  const by = binary("Add", binary("Shr", state, of(28)), of(4));
  const word = once(binary("Mul", binary("Xor", binary("Shr", state, by), state), of(277803737)));
  return once(binary("Xor", binary("Shr", word, of(22)), word));
}

/** A float in [0, 1), a multiple of 2⁻²⁴, from the upper 24 bits. */
export function uniform(builder: Builder, bits: ExprId): ExprId {
  const upper = builder.cast("f32", builder.binary("Shr", bits, builder.literal("u32", 8)));
  return builder.binary("Mul", upper, builder.literal("f32", 2 ** -24));
}
