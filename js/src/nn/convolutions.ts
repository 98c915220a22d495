// Convolutions, transposed convolutions and pooling in one to three dimensions, as functions and as
// modules. Names, arguments and initial values are PyTorch's; the features are the second axis.

import { countOf, isArray, noMore, optionsOf } from "../core/check/check.js";
import { inScope } from "../core/tensor/scope.js";
import type { Nested } from "../core/tensor/shape.js";
import { Tensor, type Operand } from "../core/tensor/tensor.js";
import { ShapeError } from "../core/errors.js";
import { add } from "../ops/generated/arithmetic.js";
import { tensorFrom } from "../ops/create.js";
import { lifted } from "../ops/lift.js";
import { roundedOnce } from "../ops/rounded.js";
import { expandDims, reshape, squeeze } from "../ops/generated/shape.js";
import { averageWindow, conv, convTranspose, reduceWindow, type WindowOptions, type WindowPadding } from "../ops/conv.js";
import { uniformWithin } from "./initial.js";
import { Module } from "./module.js";
import { Parameter } from "../transforms/parameter.js";

/**
 * How a convolution of a network slides; a number stands for all axes.
 *
 * @example
 * const options: nn.ConvLayerOptions = { stride: 2, padding: 1 };
 * nn.conv1d(ones([1, 1, 5]), ones([1, 1, 3]), options).shape; // [1,1,3]
 */
export interface ConvLayerOptions {
  /** From one output to the next; 1 by default. */
  stride?: number | readonly number[];
  /** Zeros at the ends, `"same"` or `"valid"`; none by default. */
  padding?: WindowPadding;
  /** How far apart neighbours of the kernel are; 1 by default. */
  dilation?: number | readonly number[];
  /** Groups of features, each with its own kernels; 1 by default. */
  groups?: number;
  /** What is added to each feature: of the functions a tensor, none by default; of the layers
   * whether there is one, true by default. */
  bias?: Operand | boolean | null;
}

/**
 * How a transposed convolution of a network slides.
 *
 * @example
 * const options: nn.ConvTransposeLayerOptions = { stride: 2, outputPadding: 1 };
 * nn.convTranspose1d(ones([1, 1, 3]), ones([1, 1, 3]), options).shape; // [1,1,8]
 */
export interface ConvTransposeLayerOptions extends ConvLayerOptions {
  /** By how many elements the output is longer at the end; 0 by default. */
  outputPadding?: number | readonly number[];
}

/**
 * How windows of a pooling slide; by default side by side.
 *
 * @example
 * const options: nn.PoolOptions = { stride: 1 };
 * nn.maxPool1d([[[1, 3, 2]]], 2, options); // [[[3,3]]]
 */
export interface PoolOptions extends WindowOptions {
  /** Of averages, whether what lies beyond the ends counts as zeros; true by default. */
  countPadding?: boolean;
}

const PLAIN = { stride: null as Several, padding: "valid" as WindowPadding, dilation: null as Several, groups: 1, bias: null as Operand | null };
const POOL = { stride: null as Several, padding: "valid" as WindowPadding, dilation: null as Several, ceil: false };
type Several = number | readonly number[] | null;

/** `call` on `x` with a batch axis, which is taken off again where it had none. */
function batched(op: string, x: Operand, spatial: number, call: (x: Tensor) => Tensor): Tensor {
  return inScope(
    () => {
      const whole = x instanceof Tensor ? x : tensorFrom(x as Nested, op);
      const { length } = whole.shape;
      if (length === spatial + 2) return call(whole);
      if (length !== spatial + 1) {
        throw new ShapeError(op, `takes [batch, features, …] with ${spatial + 2} axes, or one without the batch, got ${length} axes`);
      }
      return squeeze(call(expandDims(whole, 0)), 0);
    },
    (result) => [result],
  );
}

/** Without what was left out. */
function given<T extends object>(options: T): { [K in keyof T]: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null)) as { [K in keyof T]: NonNullable<T[K]> };
}

type Convolve = (x: Operand, kernel: Operand, options: object) => Tensor;

function convolution(op: string, spatial: number, call: Convolve, defaults: typeof PLAIN) {
  return (x: Operand, weight: Operand, options: object = {}, ...more: unknown[]): Tensor => {
    noMore(op, [x, weight, options, ...more], 3);
    const { bias, ...how } = optionsOf(op, options, defaults);
    return batched(op, x, spatial, (x) => {
      if (bias === null) return call(x, weight, given(how));
      return roundedOnce([x, lifted(op, weight), lifted(op, bias)], (x, weight, bias) => {
        return add(call(x, weight, given(how)), reshape(bias, [-1, ...Array.from({ length: spatial }, () => 1)]));
      });
    });
  };
}

type Conv = (x: Operand, weight: Operand, options?: ConvLayerOptions) => Tensor;
type ConvT = (x: Operand, weight: Operand, options?: ConvTransposeLayerOptions) => Tensor;
type Pool = (x: Operand, window: number | readonly number[], options?: PoolOptions) => Tensor;

/**
 * The convolution of [batch, features, length] with [features made, features taken, length].
 * Without the batch axis, of one member.
 *
 * @example
 * nn.conv1d([[[1, 2, 3]]], [[[1, 1]]], { bias: [10] }); // [[[13,15]]]
 */
export const conv1d: Conv = convolution("conv1d", 1, conv as Convolve, PLAIN);

/**
 * The convolution of [batch, features, height, width] with [features made, features taken, height,
 * width].
 *
 * @example
 * nn.conv2d(ones([1, 3, 8, 8]), ones([4, 3, 3, 3]), { padding: "same" }).shape; // [1,4,8,8]
 */
export const conv2d: Conv = convolution("conv2d", 2, conv as Convolve, PLAIN);

/**
 * The convolution of [batch, features, depth, height, width] with [features made, features taken,
 * depth, height, width].
 *
 * @example
 * nn.conv3d(ones([1, 2, 4, 4, 4]), ones([3, 2, 2, 2, 2])).shape; // [1,3,3,3,3]
 */
export const conv3d: Conv = convolution("conv3d", 3, conv as Convolve, PLAIN);

const TRANSPOSED = { ...PLAIN, outputPadding: null as Several };

/**
 * The transposed convolution of [batch, features, length] with [features taken, features made,
 * length].
 *
 * @example
 * nn.convTranspose1d([[[1, 2]]], [[[1, 1]]], { stride: 2 }); // [[[1,1,2,2]]]
 */
export const convTranspose1d: ConvT = convolution("convTranspose1d", 1, convTranspose as Convolve, TRANSPOSED);

/**
 * The transposed convolution of [batch, features, height, width] with [features taken, features
 * made, height, width].
 *
 * @example
 * nn.convTranspose2d(ones([1, 3, 4, 4]), ones([3, 2, 2, 2]), { stride: 2 }).shape; // [1,2,8,8]
 */
export const convTranspose2d: ConvT = convolution("convTranspose2d", 2, convTranspose as Convolve, TRANSPOSED);

/**
 * The transposed convolution of [batch, features, depth, height, width] with [features taken,
 * features made, depth, height, width].
 *
 * @example
 * nn.convTranspose3d(ones([1, 1, 2, 2, 2]), ones([1, 1, 2, 2, 2])).shape; // [1,1,3,3,3]
 */
export const convTranspose3d: ConvT = convolution("convTranspose3d", 3, convTranspose as Convolve, TRANSPOSED);

/** The extents of a window over so many axes. */
function windowOf(op: string, spatial: number, window: unknown): number[] {
  const list = isArray(window) ? window : Array.from({ length: spatial }, () => window);
  if (list.length !== spatial) throw new ShapeError(op, `a window has ${spatial} extents, got ${list.length}`);
  return Array.from(list, (extent) => countOf(op, "the extent of a window", extent, 1));
}

function maximum(op: string, spatial: number): Pool {
  return (x, window, options = {}, ...more: unknown[]) => {
    noMore(op, [x, window, options, ...more], 3);
    const how = given(optionsOf(op, options, POOL));
    return batched(op, x, spatial, (x) => reduceWindow(x, "max", windowOf(op, spatial, window), how));
  };
}

function average(op: string, spatial: number): Pool {
  return (x, window, options = {}, ...more: unknown[]) => {
    noMore(op, [x, window, options, ...more], 3);
    const how = given(optionsOf(op, options, { ...POOL, countPadding: true }));
    return batched(op, x, spatial, (x) => averageWindow(x, windowOf(op, spatial, window), how));
  };
}

/**
 * The largest element of each window over the last axis of [batch, features, length].
 *
 * @example
 * nn.maxPool1d([[[1, 3, 2, 0]]], 2); // [[[3,2]]]
 */
export const maxPool1d: Pool = maximum("maxPool1d", 1);

/**
 * The largest element of each window over the last two axes.
 *
 * @example
 * nn.maxPool2d([[[[1, 2], [3, 4]]]], 2); // [[[[4]]]]
 */
export const maxPool2d: Pool = maximum("maxPool2d", 2);

/**
 * The largest element of each window over the last three axes.
 *
 * @example
 * nn.maxPool3d(ones([1, 1, 4, 4, 4]), 2).shape; // [1,1,2,2,2]
 */
export const maxPool3d: Pool = maximum("maxPool3d", 3);

/**
 * The mean of each window over the last axis of [batch, features, length].
 *
 * @example
 * nn.avgPool1d([[[1, 3, 2, 0]]], 2); // [[[2,1]]]
 */
export const avgPool1d: Pool = average("avgPool1d", 1);

/**
 * The mean of each window over the last two axes.
 *
 * @example
 * nn.avgPool2d([[[[1, 2], [3, 4]]]], 2); // [[[[2.5]]]]
 */
export const avgPool2d: Pool = average("avgPool2d", 2);

/**
 * The mean of each window over the last three axes.
 *
 * @example
 * nn.avgPool3d(ones([1, 1, 4, 4, 4]), 2).shape; // [1,1,2,2,2]
 */
export const avgPool3d: Pool = average("avgPool3d", 3);

/** A layer with a kernel. */
abstract class Sliding extends Module {
  readonly inputs: number;
  readonly outputs: number;
  readonly weight: Parameter;
  readonly bias: Parameter | null;
  protected readonly how: object;

  protected constructor(op: string, spatial: number, inputs: number, outputs: number, window: number | readonly number[], options: object, transposed: boolean) {
    super();
    const { bias, ...how } = optionsOf(op, options, { ...(transposed ? TRANSPOSED : PLAIN), bias: true });
    this.inputs = countOf(op, "the number of features taken", inputs, 1);
    this.outputs = countOf(op, "the number of features made", outputs, 1);
    const groups = countOf(op, "groups", how.groups, 1);
    if (inputs % groups !== 0 || outputs % groups !== 0) {
      throw new ShapeError(op, `${inputs} features in and ${outputs} out do not fall into ${groups} groups`);
    }
    const extents = windowOf(op, spatial, window);
    const size = extents.reduce((size, extent) => size * extent, 1);
    const [first, second] = transposed ? [inputs, outputs / groups] : [outputs, inputs / groups];
    const bound = 1 / Math.sqrt(second * size);
    this.how = given(how);
    this.weight = drawn([first, second, ...extents], bound);
    this.bias = bias ? drawn([outputs], bound) : null;
  }

  /** What the function of the layer is called with besides the input and the kernel. */
  protected options(): object {
    return { ...this.how, bias: this.bias };
  }
}

/** A parameter whose initial value is not left behind. */
function drawn(shape: readonly number[], bound: number): Parameter {
  return inScope(
    () => new Parameter(uniformWithin(shape, bound)),
    () => [],
  );
}

/**
 * A convolution over one axis, of [batch, inputs, length]. `weight` is [outputs, inputs / groups,
 * window], `bias` [outputs].
 *
 * @example
 * new nn.Conv1d(3, 8, 5, { padding: 2 }).forward(ones([2, 3, 16])).shape; // [2,8,16]
 */
export class Conv1d extends Sliding {
  constructor(inputs: number, outputs: number, window: number | readonly number[], options: ConvLayerOptions = {}) {
    noMore("Conv1d", arguments, 4);
    super("Conv1d", 1, inputs, outputs, window, options, false);
  }

  forward(x: Tensor): Tensor {
    noMore("Conv1d", arguments, 1);
    return conv1d(x, this.weight, this.options());
  }
}

/**
 * A convolution over two axes, of [batch, inputs, height, width].
 *
 * @example
 * new nn.Conv2d(3, 8, 3, { stride: 2, padding: 1 }).forward(ones([2, 3, 16, 16])).shape; // [2,8,8,8]
 */
export class Conv2d extends Sliding {
  constructor(inputs: number, outputs: number, window: number | readonly number[], options: ConvLayerOptions = {}) {
    noMore("Conv2d", arguments, 4);
    super("Conv2d", 2, inputs, outputs, window, options, false);
  }

  forward(x: Tensor): Tensor {
    noMore("Conv2d", arguments, 1);
    return conv2d(x, this.weight, this.options());
  }
}

/**
 * A convolution over three axes, of [batch, inputs, depth, height, width].
 *
 * @example
 * new nn.Conv3d(1, 4, 3).forward(ones([1, 1, 5, 5, 5])).shape; // [1,4,3,3,3]
 */
export class Conv3d extends Sliding {
  constructor(inputs: number, outputs: number, window: number | readonly number[], options: ConvLayerOptions = {}) {
    noMore("Conv3d", arguments, 4);
    super("Conv3d", 3, inputs, outputs, window, options, false);
  }

  forward(x: Tensor): Tensor {
    noMore("Conv3d", arguments, 1);
    return conv3d(x, this.weight, this.options());
  }
}

/**
 * A transposed convolution over one axis. `weight` is [inputs, outputs / groups, window].
 *
 * @example
 * new nn.ConvTranspose1d(3, 2, 4, { stride: 2, padding: 1 }).forward(ones([1, 3, 8])).shape; // [1,2,16]
 */
export class ConvTranspose1d extends Sliding {
  constructor(inputs: number, outputs: number, window: number | readonly number[], options: ConvTransposeLayerOptions = {}) {
    noMore("ConvTranspose1d", arguments, 4);
    super("ConvTranspose1d", 1, inputs, outputs, window, options, true);
  }

  forward(x: Tensor): Tensor {
    noMore("ConvTranspose1d", arguments, 1);
    return convTranspose1d(x, this.weight, this.options());
  }
}

/**
 * A transposed convolution over two axes.
 *
 * @example
 * new nn.ConvTranspose2d(3, 2, 2, { stride: 2 }).forward(ones([1, 3, 8, 8])).shape; // [1,2,16,16]
 */
export class ConvTranspose2d extends Sliding {
  constructor(inputs: number, outputs: number, window: number | readonly number[], options: ConvTransposeLayerOptions = {}) {
    noMore("ConvTranspose2d", arguments, 4);
    super("ConvTranspose2d", 2, inputs, outputs, window, options, true);
  }

  forward(x: Tensor): Tensor {
    noMore("ConvTranspose2d", arguments, 1);
    return convTranspose2d(x, this.weight, this.options());
  }
}

/**
 * A transposed convolution over three axes.
 *
 * @example
 * new nn.ConvTranspose3d(1, 2, 2, { stride: 2 }).forward(ones([1, 1, 3, 3, 3])).shape; // [1,2,6,6,6]
 */
export class ConvTranspose3d extends Sliding {
  constructor(inputs: number, outputs: number, window: number | readonly number[], options: ConvTransposeLayerOptions = {}) {
    noMore("ConvTranspose3d", arguments, 4);
    super("ConvTranspose3d", 3, inputs, outputs, window, options, true);
  }

  forward(x: Tensor): Tensor {
    noMore("ConvTranspose3d", arguments, 1);
    return convTranspose3d(x, this.weight, this.options());
  }
}

/** A layer that pools. */
abstract class Pooling extends Module {
  readonly window: readonly number[];
  protected readonly how: PoolOptions;

  protected constructor(op: string, spatial: number, window: number | readonly number[], options: PoolOptions, counts: boolean) {
    super();
    this.window = windowOf(op, spatial, window);
    this.how = given(optionsOf(op, options, counts ? { ...POOL, countPadding: true } : POOL));
  }
}

/**
 * `maxPool1d` as a layer.
 *
 * @example
 * new nn.MaxPool1d(2).forward(ones([1, 3, 8])).shape; // [1,3,4]
 */
export class MaxPool1d extends Pooling {
  constructor(window: number | readonly number[], options: PoolOptions = {}) {
    noMore("MaxPool1d", arguments, 2);
    super("MaxPool1d", 1, window, options, false);
  }

  forward(x: Tensor): Tensor {
    noMore("MaxPool1d", arguments, 1);
    return maxPool1d(x, this.window, this.how);
  }
}

/**
 * `maxPool2d` as a layer.
 *
 * @example
 * new nn.MaxPool2d(3, { stride: 2, padding: 1 }).forward(ones([1, 3, 8, 8])).shape; // [1,3,4,4]
 */
export class MaxPool2d extends Pooling {
  constructor(window: number | readonly number[], options: PoolOptions = {}) {
    noMore("MaxPool2d", arguments, 2);
    super("MaxPool2d", 2, window, options, false);
  }

  forward(x: Tensor): Tensor {
    noMore("MaxPool2d", arguments, 1);
    return maxPool2d(x, this.window, this.how);
  }
}

/**
 * `maxPool3d` as a layer.
 *
 * @example
 * new nn.MaxPool3d(2).forward(ones([1, 1, 4, 4, 4])).shape; // [1,1,2,2,2]
 */
export class MaxPool3d extends Pooling {
  constructor(window: number | readonly number[], options: PoolOptions = {}) {
    noMore("MaxPool3d", arguments, 2);
    super("MaxPool3d", 3, window, options, false);
  }

  forward(x: Tensor): Tensor {
    noMore("MaxPool3d", arguments, 1);
    return maxPool3d(x, this.window, this.how);
  }
}

/**
 * `avgPool1d` as a layer.
 *
 * @example
 * new nn.AvgPool1d(2).forward(tensor([[[1, 3]]])); // [[[2]]]
 */
export class AvgPool1d extends Pooling {
  constructor(window: number | readonly number[], options: PoolOptions = {}) {
    noMore("AvgPool1d", arguments, 2);
    super("AvgPool1d", 1, window, options, true);
  }

  forward(x: Tensor): Tensor {
    noMore("AvgPool1d", arguments, 1);
    return avgPool1d(x, this.window, this.how);
  }
}

/**
 * `avgPool2d` as a layer.
 *
 * @example
 * new nn.AvgPool2d(2).forward(ones([1, 3, 8, 8])).shape; // [1,3,4,4]
 */
export class AvgPool2d extends Pooling {
  constructor(window: number | readonly number[], options: PoolOptions = {}) {
    noMore("AvgPool2d", arguments, 2);
    super("AvgPool2d", 2, window, options, true);
  }

  forward(x: Tensor): Tensor {
    noMore("AvgPool2d", arguments, 1);
    return avgPool2d(x, this.window, this.how);
  }
}

/**
 * `avgPool3d` as a layer.
 *
 * @example
 * new nn.AvgPool3d(2).forward(ones([1, 1, 4, 4, 4])).shape; // [1,1,2,2,2]
 */
export class AvgPool3d extends Pooling {
  constructor(window: number | readonly number[], options: PoolOptions = {}) {
    noMore("AvgPool3d", arguments, 2);
    super("AvgPool3d", 3, window, options, true);
  }

  forward(x: Tensor): Tensor {
    noMore("AvgPool3d", arguments, 1);
    return avgPool3d(x, this.window, this.how);
  }
}
