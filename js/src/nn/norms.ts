// Normalisation layers. Names, defaults and formulas are PyTorch's.

import { countOf, finiteOf, noMore, optionsOf } from "../core/check/check.js";
import { Tensor } from "../core/tensor/tensor.js";
import { ShapeError, ValueError } from "../core/errors.js";
import { add, mul } from "../ops/generated/arithmetic.js";
import { ones, zeros } from "../ops/create.js";
import { cast, detach } from "../ops/generated/elementwise.js";
import { composed } from "../ops/lift.js";
import { mean, variance } from "../ops/generated/reduce.js";
import { widened } from "../ops/rounded.js";
import { Module } from "./module.js";
import { batchNorm, epsilon, extents, groupNorm, layerNorm, rmsNorm } from "./normalized.js";
import { begun, Buffer, type Parameter } from "../transforms/parameter.js";

/**
 * How a `LayerNorm`, `RMSNorm` or `GroupNorm` is made.
 *
 * @example
 * new nn.LayerNorm(4, { bias: false }).parameters().length; // 1
 */
export interface NormOptions {
  /** Added to the variance. */
  eps?: number;
  /** Whether to scale by a weight that is learned; true by default. */
  affine?: boolean;
  /** Whether to add a bias that is learned, where there is a weight; true by default. */
  bias?: boolean;
}

/** Checks that axis 1 of `x` has `channels`. */
function checkChannels(op: string, x: Tensor, channels: number): readonly number[] {
  const { shape } = Tensor.of(op, "what it acts on", x);
  if (shape.length >= 2 && shape[1] === channels) return shape;
  throw new ShapeError(op, `axis 1 must have ${channels} channels, got [${shape.join(",")}]`);
}

/** What a layer calls its function for: errors are the layer's own. */
function layer(op: string, x: Tensor, call: (x: Tensor) => Tensor): Tensor {
  return composed(op, () => call(Tensor.of(op, "what it acts on", x)));
}

/**
 * The last axes shifted and scaled to mean 0 and variance 1, then times `weight` and plus `bias`.
 * `shape` says which axes: their extents.
 *
 * @example
 * new nn.LayerNorm(2).forward(tensor([[10, 30], [300, 100]])); // [[-1,1],[1,-1]]
 */
export class LayerNorm extends Module {
  readonly shape: readonly number[];
  readonly eps: number;
  readonly weight: Parameter | null;
  readonly bias: Parameter | null;

  constructor(shape: number | readonly number[], options: NormOptions = {}) {
    noMore("LayerNorm", arguments, 2);
    super();
    const { eps, affine, bias } = optionsOf("LayerNorm", options, { eps: 1e-5, affine: true, bias: true });
    this.shape = extents("LayerNorm", shape);
    this.eps = epsilon("LayerNorm", eps);
    this.weight = affine ? begun(() => ones(this.shape)) : null;
    this.bias = affine && bias ? begun(() => zeros(this.shape)) : null;
  }

  forward(x: Tensor): Tensor {
    noMore("LayerNorm", arguments, 1);
    return layer("LayerNorm", x, (x) => layerNorm(x, this.shape, { weight: this.weight, bias: this.bias, eps: this.eps }));
  }
}

/**
 * The last axes divided by the root of the mean of their squares, then times `weight`.
 *
 * @example
 * new nn.RMSNorm(2).forward(tensor([3, -3])); // [1,-1]
 */
export class RMSNorm extends Module {
  readonly shape: readonly number[];
  readonly eps: number;
  readonly weight: Parameter | null;

  constructor(shape: number | readonly number[], options: { eps?: number; affine?: boolean } = {}) {
    noMore("RMSNorm", arguments, 2);
    super();
    const { eps, affine } = optionsOf("RMSNorm", options, { eps: 2 ** -23, affine: true });
    this.shape = extents("RMSNorm", shape);
    this.eps = epsilon("RMSNorm", eps);
    this.weight = affine ? begun(() => ones(this.shape)) : null;
  }

  forward(x: Tensor): Tensor {
    noMore("RMSNorm", arguments, 1);
    return layer("RMSNorm", x, (x) => rmsNorm(x, this.shape, { weight: this.weight, eps: this.eps }));
  }
}

/**
 * Channels (axis 1) in groups, each group of each example shifted and scaled to mean 0 and variance
 * 1, then times a weight and plus a bias for each channel. Throws `ValueError` where the groups do
 * not divide the channels.
 *
 * @example
 * new nn.GroupNorm(2, 4).forward(ones([3, 4, 5])).shape; // [3,4,5]
 */
export class GroupNorm extends Module {
  readonly groups: number;
  readonly channels: number;
  readonly eps: number;
  readonly weight: Parameter | null;
  readonly bias: Parameter | null;

  constructor(groups: number, channels: number, options: NormOptions = {}) {
    noMore("GroupNorm", arguments, 3);
    super();
    const { eps, affine, bias } = optionsOf("GroupNorm", options, { eps: 1e-5, affine: true, bias: true });
    this.groups = countOf("GroupNorm", "the number of groups", groups, 1);
    this.channels = countOf("GroupNorm", "the number of channels", channels, 1);
    if (this.channels % this.groups !== 0) throw new ValueError("GroupNorm", `${this.groups} groups do not divide ${this.channels} channels`);
    this.eps = epsilon("GroupNorm", eps);
    this.weight = affine ? begun(() => ones([this.channels])) : null;
    this.bias = affine && bias ? begun(() => zeros([this.channels])) : null;
  }

  forward(x: Tensor): Tensor {
    noMore("GroupNorm", arguments, 1);
    checkChannels("GroupNorm", x, this.channels);
    return layer("GroupNorm", x, (x) => groupNorm(x, this.groups, { weight: this.weight, bias: this.bias, eps: this.eps }));
  }
}

/**
 * How a `BatchNorm` is made.
 *
 * @example
 * new nn.BatchNorm(4, { momentum: 0.01 }).momentum; // 0.01
 */
export interface BatchNormOptions extends NormOptions {
  /** How much of what a batch shows goes into the running mean and variance; 0.1 by default. */
  momentum?: number;
}

/**
 * Each channel (axis 1) shifted and scaled to mean 0 and variance 1, then times a weight and plus a
 * bias for each. In training by the batch's own mean and variance, which go into the running ones;
 * after `eval()` by those. [N, channels, ...], any number of further axes.
 *
 * @example
 * const norm = new nn.BatchNorm(2);
 * norm.forward(tensor([[10, 100], [30, 300]])); // [[-1,-1],[1,1]]
 * norm.runningMean.add(0); // [2,20]
 * norm.eval().forward(tensor([[2, 20]])); // [[0,0]]
 */
export class BatchNorm extends Module {
  readonly channels: number;
  readonly eps: number;
  readonly momentum: number;
  readonly weight: Parameter | null;
  readonly bias: Parameter | null;
  readonly runningMean: Buffer;
  readonly runningVar: Buffer;

  constructor(channels: number, options: BatchNormOptions = {}) {
    noMore("BatchNorm", arguments, 2);
    super();
    const { eps, affine, bias, momentum } = optionsOf("BatchNorm", options, { eps: 1e-5, affine: true, bias: true, momentum: 0.1 });
    this.channels = countOf("BatchNorm", "the number of channels", channels, 1);
    this.eps = epsilon("BatchNorm", eps);
    this.momentum = finiteOf("BatchNorm", "the momentum", momentum);
    this.weight = affine ? begun(() => ones([this.channels])) : null;
    this.bias = affine && bias ? begun(() => zeros([this.channels])) : null;
    this.runningMean = begun(() => zeros([this.channels]), Buffer);
    this.runningVar = begun(() => ones([this.channels]), Buffer);
  }

  forward(x: Tensor): Tensor {
    noMore("BatchNorm", arguments, 1);
    const shape = checkChannels("BatchNorm", x, this.channels);
    const along = shape.map((_, axis) => axis).filter((axis) => axis !== 1);
    return layer("BatchNorm", x, (x) => {
      if (this.training) learn(this, x, along, shape);
      const { weight, bias, eps, runningMean, runningVar } = this;
      return batchNorm(x, { weight, bias, eps, ...(this.training ? {} : { runningMean, runningVar }) });
    });
  }
}

/** What the batch shows goes into the running mean and variance; of one element there is no
 * variance. */
function learn({ runningMean, runningVar, momentum }: BatchNorm, x: Tensor, along: readonly number[], shape: readonly number[]): void {
  const count = along.reduce((size, axis) => size * (shape[axis] as number), 1);
  // A member of a batch of models has tensors in the places of its buffers, which nobody can
  // assign.
  if (count < 2 || !(runningMean instanceof Buffer)) return;
  // Of halves too in floats: the variance of such a batch is beyond what a half holds.
  const still = widened(detach(x));
  const towards = (running: Buffer, shown: Tensor) => running.assign(cast(add(mul(widened(running), 1 - momentum), mul(shown, momentum)), running.dtype));
  towards(runningMean, mean(still, along));
  towards(runningVar, variance(still, along, { correction: 1 }));
}

/**
 * Each channel (axis 1) of each example shifted and scaled to mean 0 and variance 1 over the axes
 * behind it; with `affine` then times a weight and plus a bias for each channel.
 *
 * @example
 * new nn.InstanceNorm(1).forward(tensor([[[10, 30]]])); // [[[-1,1]]]
 */
export class InstanceNorm extends GroupNorm {
  constructor(channels: number, options: NormOptions = {}) {
    noMore("InstanceNorm", arguments, 2);
    const given = optionsOf("InstanceNorm", options, { eps: 1e-5, affine: false, bias: true });
    const count = countOf("InstanceNorm", "the number of channels", channels, 1);
    super(count, count, given);
  }
}
