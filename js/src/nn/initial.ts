// With which numbers do layers begin? Names are those of PyTorch's `nn.init`; randomness is the stateful generator's.

import type { Tensor } from "../core/tensor.js";
import { normal, uniform } from "../random/draws.js";

/** Uniform within ±`bound`. */
export function uniformWithin(shape: readonly number[], bound: number): Tensor {
  return uniform(shape, { low: -bound, high: bound });
}

/** PyTorch's default for dense layers: uniform within ±1/√(inputs). The inputs are the last axis. */
export function kaimingUniform(shape: readonly number[]): Tensor {
  return uniformWithin(shape, 1 / Math.sqrt(fan(shape).inputs));
}

/** He initialisation for ReLU networks: normal with deviation √(2/inputs). */
export function kaimingNormal(shape: readonly number[]): Tensor {
  return normal(shape, { std: Math.sqrt(2 / fan(shape).inputs) });
}

/** Glorot initialisation: uniform within ±√(6/(inputs + outputs)). */
export function xavierUniform(shape: readonly number[]): Tensor {
  const { inputs, outputs } = fan(shape);
  return uniformWithin(shape, Math.sqrt(6 / (inputs + outputs)));
}

/** Glorot initialisation: normal with deviation √(2/(inputs + outputs)). */
export function xavierNormal(shape: readonly number[]): Tensor {
  const { inputs, outputs } = fan(shape);
  return normal(shape, { std: Math.sqrt(2 / (inputs + outputs)) });
}

function fan(shape: readonly number[]): { inputs: number; outputs: number } {
  const [outputs = 1, ...rest] = shape;
  return { inputs: rest.reduce((size, extent) => size * extent, 1), outputs };
}
