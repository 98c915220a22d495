// Normalisation functions: the statistics and formulas of the layers, with weights as arguments.
// Names, defaults and formulas are PyTorch's.

import { countOf, finiteOf, isArray, noMore, optionsOf, shapeOf as extentsFor } from "../core/check/check.js";
import { inScope } from "../core/tensor/scope.js";
import type { Tensor, Operand } from "../core/tensor/tensor.js";
import { ShapeError, ValueError } from "../core/errors.js";
import { add, div, mul, sub } from "../ops/generated/arithmetic.js";
import { rsqrt, sqrt, square } from "../ops/generated/elementwise.js";
import { lifted } from "../ops/lift.js";
import { standardize } from "../ops/generated/activation.js";
import { mean } from "../ops/generated/reduce.js";
import { roundedOnce } from "../ops/rounded.js";
import { reshape } from "../ops/generated/shape.js";

/**
 * What a norm is given besides its input.
 *
 * @example
 * const options: nn.NormalizeOptions = { weight: [2, 2], bias: [1, 1] };
 * nn.layerNorm([[10, 30]], 2, options); // [[-1,3]]
 */
export interface NormalizeOptions {
  /** What the result is multiplied by; nothing by default. */
  weight?: Operand | null | undefined;
  /** What is added to it; nothing by default. */
  bias?: Operand | null | undefined;
  /** Added to the variance, or the mean of squares. */
  eps?: number | undefined;
}

/**
 * What `batchNorm` is given besides its input.
 *
 * @example
 * const options: nn.BatchNormalizeOptions = { runningMean: [2], runningVar: [4] };
 * nn.batchNorm([[4]], options); // [[1]]
 */
export interface BatchNormalizeOptions extends NormalizeOptions {
  /** The mean of each channel; by default the batch's own. */
  runningMean?: Operand | null | undefined;
  /** The variance of each channel, given with the mean. */
  runningVar?: Operand | null | undefined;
}

type Given = Operand | null;
const PLAIN = { weight: null as Given, bias: null as Given };

/** The axes that the last `count` are. */
const last = (count: number): number[] => Array.from({ length: count }, (_, n) => n - count);

/** The shape of what is normalised: one extent or several. */
export function extents(op: string, shape: number | readonly number[]): readonly number[] {
  return isArray(shape) ? extentsFor(op, shape) : [countOf(op, "the extent", shape)];
}

/** A number of 0 or more, which keeps roots from 0. */
export function epsilon(op: string, eps: unknown): number {
  const value = finiteOf(op, "eps", eps);
  if (value >= 0) return value;
  throw new ValueError(op, `eps must be 0 or more, got ${value}`);
}

/** The channels of `x`, axis 1. */
function channelsOf(op: string, x: Tensor): number {
  const channels = x.shape[1];
  if (channels !== undefined) return channels;
  throw new ShapeError(op, `takes [batch, channels, …], got [${x.shape.join(",")}]`);
}

/** Calls with the input, the weight, the bias and others as tensors of floats; `shape` is what
 * those must have. Rounds once what is made of halves. */
function normalized(op: string, x: Operand, others: { readonly [name: string]: Given }, shape: (x: Tensor) => readonly number[], made: (x: Tensor, ...others: (Tensor | null)[]) => Tensor): Tensor {
  return inScope(
    () => {
      const given = lifted(op, x);
      const wanted = shape(given);
      const parts = Object.entries(others).map(([name, other]) => {
        if (other === null) return null;
        const part = lifted(op, other);
        if (part.shape.join() !== wanted.join()) throw new ShapeError(op, `${name} must be [${wanted.join(",")}], got [${part.shape.join(",")}]`);
        return part;
      });
      return roundedOnce([given, ...parts], made as never);
    },
    (result) => [result],
  );
}

/** `x` times a weight and plus a bias, where there are some, which are reshaped if a shape is
 * given. */
function scaled(x: Tensor, weight: Tensor | null, bias: Tensor | null, shape?: readonly number[]): Tensor {
  const placed = (tensor: Tensor) => (shape ? reshape(tensor, shape) : tensor);
  const times = weight ? mul(x, placed(weight)) : x;
  return bias ? add(times, placed(bias)) : times;
}

/** The shape that weights of a norm have, which the last axes of its input must be. */
const lastAxes = (op: string, shape: readonly number[]) => (x: Tensor) => {
  if (x.shape.slice(x.shape.length - shape.length).join() === shape.join() && x.shape.length >= shape.length) return shape;
  throw new ShapeError(op, `the last axes must be [${shape.join(",")}], got [${x.shape.join(",")}]`);
};

/**
 * The last axes shifted and scaled to mean 0 and variance 1, then times a weight and plus a bias,
 * both of the shape of these axes. `shape` says which axes: their extents. Throws `ShapeError`.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.layerNorm([[10, 30], [300, 100]], 2); // [[-1,1],[1,-1]]
 */
export function layerNorm(x: Operand, shape: number | readonly number[], options: NormalizeOptions = {}): Tensor {
  const op = "layerNorm";
  noMore(op, arguments, 3);
  const { weight, bias, eps } = optionsOf(op, options, { ...PLAIN, eps: 1e-5 });
  const [along, least] = [extents(op, shape), epsilon(op, eps)];
  return normalized(op, x, { weight, bias }, lastAxes(op, along), (x, weight, bias) => scaled(standardize(x, last(along.length), least), weight as Tensor | null, bias as Tensor | null));
}

/**
 * The last axes divided by the root of the mean of their squares, then times a weight of the shape
 * of these axes. Throws `ShapeError`.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.rmsNorm([3, -3], 2); // [1,-1]
 */
export function rmsNorm(x: Operand, shape: number | readonly number[], options: Omit<NormalizeOptions, "bias"> = {}): Tensor {
  const op = "rmsNorm";
  noMore(op, arguments, 3);
  const { weight, eps } = optionsOf(op, options, { weight: null as Given, eps: 2 ** -23 });
  const [along, least] = [extents(op, shape), epsilon(op, eps)];
  return normalized(op, x, { weight }, lastAxes(op, along), (x, weight) => scaled(mul(x, rsqrt(add(mean(square(x), last(along.length), { keepdims: true }), least))), weight as Tensor | null, null));
}

/**
 * Channels (axis 1) in groups, each group of each example shifted and scaled to mean 0 and variance
 * 1, then times a weight and plus a bias for each channel. Throws `ShapeError`, and `ValueError`
 * where the groups do not divide the channels.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.groupNorm([[10, 30, 300, 100]], 2); // [[-1,1,1,-1]]
 */
export function groupNorm(x: Operand, groups: number, options: NormalizeOptions = {}): Tensor {
  const op = "groupNorm";
  noMore(op, arguments, 3);
  const { weight, bias, eps } = optionsOf(op, options, { ...PLAIN, eps: 1e-5 });
  const [count, least] = [countOf(op, "the number of groups", groups, 1), epsilon(op, eps)];
  const shape = (x: Tensor) => {
    const channels = channelsOf(op, x);
    if (channels % count !== 0) throw new ValueError(op, `${count} groups do not divide ${channels} channels`);
    return [channels];
  };
  return normalized(op, x, { weight, bias }, shape, (x, weight, bias) => {
    const [batch, channels, ...rest] = x.shape as [number, number, ...number[]];
    const grouped = reshape(x, [batch, count, channels / count, ...rest]);
    const even = reshape(standardize(grouped, last(rest.length + 1), least), x.shape);
    return scaled(even, weight as Tensor | null, bias as Tensor | null, [channels, ...rest.map(() => 1)]);
  });
}

/**
 * Each channel (axis 1) shifted and scaled by its mean and variance, then times a weight and plus a
 * bias for each: by those of the batch, or by those that are given, as after training. [N,
 * channels, …], any number of further axes. Throws `ShapeError`.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * nn.batchNorm([[10, 100], [30, 300]]); // [[-1,-1],[1,1]]
 * nn.batchNorm([[2, 20]], { runningMean: [2, 20], runningVar: [1, 1] }); // [[0,0]]
 */
export function batchNorm(x: Operand, options: BatchNormalizeOptions = {}): Tensor {
  const op = "batchNorm";
  noMore(op, arguments, 2);
  const { eps, ...given } = optionsOf(op, options, { runningMean: null as Given, runningVar: null as Given, ...PLAIN, eps: 1e-5 });
  const least = epsilon(op, eps);
  if ((given.runningMean === null) !== (given.runningVar === null)) throw new ValueError(op, "takes the running mean and the running variance together, or neither");
  return normalized(op, x, given, (x) => [channelsOf(op, x)], (x, mean, variance, weight, bias) => {
    const column = [x.shape[1] as number, ...x.shape.slice(2).map(() => 1)];
    const along = x.shape.map((_, axis) => axis).filter((axis) => axis !== 1);
    const even = mean && variance ? div(sub(x, reshape(mean, column)), sqrt(add(reshape(variance, column), least))) : standardize(x, along, least);
    return scaled(even, weight as Tensor | null, bias as Tensor | null, column);
  });
}
