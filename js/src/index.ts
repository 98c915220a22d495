// The entry of the package `weft-gpu`: everything public, by name.

import { nameClasses } from "./core/check/constructor.js";
import { Tensor } from "./core/tensor/tensor.js";
import * as nn from "./nn/index.js";
import * as optim from "./optim/index.js";
import { Complex } from "./ops/complex.js";

export { deviceInfo, gpuDevice, synchronize, throttle, type DeviceInfo } from "./core/device/current.js";
export { init, preload, type InitOptions } from "./start/init.js";
export type { AdapterInfo, GpuObject, PowerPreference } from "./core/device/adapter.js";
export type { WasmSource } from "./core/wasm/source.js";

export { Tensor, type Operand } from "./core/tensor/tensor.js";
export type { ExplainedBuffer, ExplainedDispatch, ExplainedKernel, ExplainedPart, Explanation } from "./core/tensor/explanation.js";
export type { Methods } from "./start/methods.js";
export type { Data, DType, TypedArray } from "./core/tensor/dtype.js";
export type { Nested, NestedArray } from "./core/tensor/shape.js";
export {
  arange,
  eye,
  full,
  linspace,
  ones,
  onesLike,
  tensor,
  zeros,
  zerosLike,
  type DTypeOptions,
  type EyeOptions,
  type TensorOptions,
} from "./ops/create.js";

export * from "./ops/along.js";
export * from "./ops/histogram.js";
export * from "./ops/blocks.js";
export * from "./ops/mask.js";
export * from "./ops/clip.js";
export * from "./ops/contract.js";
export * from "./ops/convolution.js";
export * from "./ops/unique.js";
export * from "./ops/dtypes.js";
export * from "./ops/signatures.js";
export * from "./ops/generated/activation.js";
export * from "./ops/generated/arithmetic.js";
export * from "./ops/generated/compare.js";
export * from "./ops/generated/contract.js";
export * from "./ops/generated/create.js";
export * from "./ops/generated/elementwise.js";
export * from "./ops/generated/indexing.js";
export * from "./ops/generated/join.js";
export * from "./ops/generated/loss.js";
export * from "./ops/generated/number.js";
export * from "./ops/generated/polynomials.js";
export * from "./ops/generated/reduce.js";
export * from "./ops/generated/scan.js";
export * from "./ops/generated/shape.js";
export * from "./ops/generated/signal.js";
export * from "./ops/generated/sort.js";
export * from "./ops/generated/statistics.js";
export * from "./ops/grid.js";
export * from "./ops/indexing.js";
export * from "./ops/shape.js";
export * from "./ops/segment.js";
export * from "./ops/sets.js";
export * from "./ops/conv.js";
export type { Axes, Shape } from "./core/check/check.js";
export * from "./nn/functional.js";

export { keep, tidy } from "./core/tensor/tidy.js";
export { memory, realize, resetPeak, stats, type Memory, type Stats } from "./core/device/memory.js";
export type { Named, TensorTree } from "./core/tensor/tree.js";

export * from "./transforms/index.js";
export { Parameter } from "./transforms/parameter.js";

/**
 * Modules, layers, losses and initial values.
 *
 * @example
 * const model = new nn.Sequential(new nn.Linear(2, 8), new nn.ReLU(), new nn.Linear(8, 1));
 * model.size(); // 33
 */
export * as nn from "./nn/index.js";

/**
 * Optimizers.
 *
 * @example
 * const weight = new Parameter([1, 2]);
 * const optimizer = optim.sgd(weight, { lr: 0.1 });
 * optimizer.step(grad((w: Tensor) => w.square().sum())(weight));
 * weight; // [0.8,1.6]
 */
export * as optim from "./optim/index.js";

export { Complex } from "./ops/complex.js";

/**
 * Fourier transforms along any axes, of any length, of real and of complex numbers.
 *
 * @example
 * fft.rfft([1, 2, 3, 4]).re; // [10,-2,-2]
 */
export * as fft from "./fft/index.js";

/**
 * Linear algebra: systems, inverses, factorizations and norms of matrices, each batched over the
 * axes before the last two.
 *
 * @example
 * linalg.solve([[3, 1], [1, 2]], [9, 8]).round(); // [2,3]
 */
export * as linalg from "./linalg/index.js";

/**
 * Special functions: gamma and beta functions and their incomplete kin, error functions, Bessel
 * functions, exponential integrals, entropies. Each is elementwise and says how far off it may be.
 *
 * @example
 * special.gammaln([1, 5]); // [0,3.1781]
 */
export * as special from "./special/index.js";

/**
 * Random numbers: keys, draws by key, and draws from a generator that `seed` restarts.
 *
 * @example
 * random.seed(0);
 * random.normal([2, 3]).shape; // [2,3]
 */
export * as random from "./random/index.js";

/**
 * Readers of files and pictures, buffers of one's own WebGPU code, and batches of examples.
 *
 * @example
 * for (const [x, y] of data.batches([ones([5, 2]), arange(5)], { size: 2 })) console.log(x.shape, y.shape);
 */
export * as data from "./data/index.js";

/**
 * Races between kernels: on a GPU, while nothing else is asked of it, the ways to compute the same
 * are timed, and the fastest serves from then on. `init({ tune: false })` holds none. Sums of
 * floats may be added in another order after a race, within the bounds that operations document;
 * winners are kept for later visits where there is IndexedDB, or in `init({ store })`.
 *
 * @example
 * await tune.race(); // all that wait, now
 * const winners = tune.export();
 */
export * as tune from "./tune/index.js";

/**
 * Drawing tensors without reading them back.
 *
 * @example
 * const surface = new OffscreenCanvas(256, 256);
 * await canvas.draw(random.uniform([16, 16]), surface);
 */
export * as canvas from "./canvas/index.js";

export {
  AdapterError,
  AxisError,
  DeviceLostError,
  DisposedError,
  DTypeError,
  FormatError,
  InternalError,
  OutOfMemoryError,
  ShapeError,
  TraceError,
  ValueError,
  WeftError,
} from "./core/errors.js";

for (const namespace of [nn, optim, { Tensor, Complex }]) nameClasses(namespace);
