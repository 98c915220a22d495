// Weight initialisation. Names are those of PyTorch's `nn.init`; the stateful generator draws the
// random numbers.

import { finiteOf, noMore, shapeOf, type Shape } from "../core/check/check.js";
import type { Tensor } from "../core/tensor/tensor.js";
import { normal, uniform } from "../random/draws.js";

/**
 * Uniform within ±`bound`.
 *
 * @example
 * nn.initial.uniformWithin([100], 0.1).abs().lessEqual(0.1).all(); // true
 */
export function uniformWithin(shape: Shape, bound: number): Tensor {
  noMore("uniformWithin", arguments, 2);
  finiteOf("uniformWithin", "the bound", bound);
  return uniform(shapeOf("uniformWithin", shape), { low: -bound, high: bound });
}

/**
 * PyTorch's default for dense layers: uniform within ±1/√(inputs). The inputs are the last axis.
 *
 * @example
 * nn.initial.kaimingUniform([8, 4]).shape; // [8,4]
 */
export function kaimingUniform(shape: Shape): Tensor {
  noMore("kaimingUniform", arguments, 1);
  const { inputs } = fan("kaimingUniform", shape);
  return uniformWithin(shape, 1 / Math.sqrt(inputs));
}

/**
 * He initialisation for ReLU networks: normal with deviation √(2/inputs).
 *
 * @example
 * nn.initial.kaimingNormal([8, 4]).shape; // [8,4]
 */
export function kaimingNormal(shape: Shape): Tensor {
  noMore("kaimingNormal", arguments, 1);
  const { inputs } = fan("kaimingNormal", shape);
  return normal(shape, { std: Math.sqrt(2 / inputs) });
}

/**
 * Glorot initialisation: uniform within ±√(6/(inputs + outputs)).
 *
 * @example
 * nn.initial.xavierUniform([8, 4]).shape; // [8,4]
 */
export function xavierUniform(shape: Shape): Tensor {
  noMore("xavierUniform", arguments, 1);
  const { inputs, outputs } = fan("xavierUniform", shape);
  return uniformWithin(shape, Math.sqrt(6 / (inputs + outputs)));
}

/**
 * Glorot initialisation: normal with deviation √(2/(inputs + outputs)).
 *
 * @example
 * nn.initial.xavierNormal([8, 4]).shape; // [8,4]
 */
export function xavierNormal(shape: Shape): Tensor {
  noMore("xavierNormal", arguments, 1);
  const { inputs, outputs } = fan("xavierNormal", shape);
  return normal(shape, { std: Math.sqrt(2 / (inputs + outputs)) });
}

/** How many numbers go into each output, and how many outputs there are. An empty tensor has
 * numbers for neither; any bound will do. */
function fan(op: string, shape: Shape): { inputs: number; outputs: number } {
  const [outputs = 1, ...rest] = shapeOf(op, shape);
  return { inputs: Math.max(1, rest.reduce((size, extent) => size * extent, 1)), outputs };
}
