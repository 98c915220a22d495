// Counter-based random numbers: PCG's output permutation of a key ("RXS-M-XS", O'Neill 2014; as a
// hash: Jarzynski and Olano, "Hash Functions for GPU Rendering", 2020), and Threefry-2x32 with 20
// rounds (Salmon et al. 2011), whose bits are those of `random`.

import type { Builder } from "../builder.js";
import type { ExprId } from "../ir.js";
import { GROUPS, PARITY, ROTATIONS } from "../random.js";

/** Both words of Threefry's block of the counter [0, number]. */
export function threefry(builder: Builder, [a, b]: readonly [ExprId, ExprId], number: ExprId): [ExprId, ExprId] {
  const of = (value: number) => builder.literal("u32", value);
  const once = (x: ExprId) => builder.once("u32", x);
  const binary = builder.binary.bind(builder);
  const keys = [a, b, once(binary("Xor", binary("Xor", a, b), of(PARITY)))] as const;
  let x = a;
  let y = once(binary("Add", number, b));
  for (let group = 0; group < GROUPS; group++) {
    for (const by of ROTATIONS[(group % 2) as 0 | 1]) {
      x = once(binary("Add", x, y));
      y = once(binary("Xor", binary("Or", binary("Shl", y, of(by)), binary("Shr", y, of(32 - by))), x));
    }
    x = once(binary("Add", x, keys[(group + 1) % 3] as ExprId));
    y = once(binary("Add", binary("Add", y, keys[(group + 2) % 3] as ExprId), of(group + 1)));
  }
  return [x, y];
}

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

/** A float in [0, 1), a multiple of 2⁻ⁿ, from the upper n bits. */
export function uniform(builder: Builder, bits: ExprId, n: number): ExprId {
  const upper = builder.cast("f32", builder.binary("Shr", bits, builder.literal("u32", 32 - n)));
  return builder.binary("Mul", upper, builder.literal("f32", 2 ** -n));
}
