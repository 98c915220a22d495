// The entry of the package `weft-gpu`: everything public, by name.

import { nameClasses } from "./core/print.js";
import { Tensor } from "./core/tensor.js";
import * as nn from "./nn/index.js";
import * as optim from "./optim/index.js";
import { Complex } from "./ops/complex.js";

export { deviceInfo, gpuDevice, init, preload, synchronize, throttle, type DeviceInfo, type InitOptions } from "./core/init.js";
export type { AdapterInfo, GpuObject, PowerPreference } from "./core/adapter.js";
export type { WasmSource } from "./core/source.js";

export { Tensor, type Operand } from "./core/tensor.js";
export type { ExplainedBuffer, ExplainedDispatch, ExplainedKernel, ExplainedPart, Explanation } from "./core/explanation.js";
export type { Methods } from "./core/methods.js";
export type { Data, DType, TypedArray } from "./core/dtype.js";
export type { Nested, NestedArray } from "./core/shape.js";
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
export * from "./ops/arithmetic.js";
export * from "./ops/bins.js";
export * from "./ops/blocks.js";
export * from "./ops/chosen.js";
export * from "./ops/clip.js";
export * from "./ops/compare.js";
export * from "./ops/contract.js";
export * from "./ops/copies.js";
export * from "./ops/curves.js";
export * from "./ops/distinct.js";
export * from "./ops/dtypes.js";
export * from "./ops/elementwise.js";
export * from "./ops/floats.js";
export * from "./ops/forms.js";
export * from "./ops/mathematics.js";
export * from "./ops/grid.js";
export * from "./ops/indexing.js";
export * from "./ops/join.js";
export * from "./ops/lines.js";
export * from "./ops/loops.js";
export * from "./ops/nans.js";
export * from "./ops/order.js";
export * from "./ops/parts.js";
export * from "./ops/pieces.js";
export * from "./ops/polynomials.js";
export * from "./ops/product.js";
export * from "./ops/rarities.js";
export * from "./ops/recipes.js";
export * from "./ops/reduce.js";
export * from "./ops/running.js";
export * from "./ops/segments.js";
export * from "./ops/sequence.js";
export * from "./ops/sets.js";
export * from "./ops/tallies.js";
export { divmod, frexp, modf, polydiv, quantize4, unravelIndex } from "./ops/twofold.js";
export * from "./ops/view.js";
export * from "./ops/windows.js";
export type { Axes, Shape } from "./core/check.js";
export * from "./nn/functional.js";

export { keep, tidy } from "./core/tidy.js";
export { memory, realize, resetPeak, stats, type Memory, type Stats } from "./core/memory.js";
export type { TensorTree } from "./core/tree.js";

export * from "./transforms/index.js";
export { Parameter } from "./nn/parameter.js";

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
 * Linear algebra: systems, inverses, factorizations and norms of matrices, each batched over the axes before the last two.
 *
 * @example
 * linalg.solve([[3, 1], [1, 2]], [9, 8]).round(); // [2,3]
 */
export * as linalg from "./linalg/index.js";

/**
 * Special functions: gamma and beta functions and their incomplete kin, error functions, Bessel functions, exponential integrals, entropies. Each is
 * elementwise and says how far off it may be.
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
 * Races between kernels: on a GPU, while nothing else is asked of it, the ways to compute the same are timed, and the fastest serves from then
 * on. `init({ tune: false })` holds none. Sums of floats may be added in another order after a race, within the bounds that operations
 * document; winners are kept for later visits where there is IndexedDB, or in `init({ store })`.
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
} from "./errors.js";

for (const namespace of [nn, optim, { Tensor, Complex }]) nameClasses(namespace);
