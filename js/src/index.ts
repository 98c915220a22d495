// What does the package `weft-gpu` offer? Everything public, by name.

export { deviceInfo, init, synchronize, type DeviceInfo, type InitOptions } from "./core/init.js";
export type { AdapterInfo, GpuObject, PowerPreference } from "./core/adapter.js";
export type { WasmSource } from "./core/source.js";

export { Tensor, type Operand } from "./core/tensor.js";
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
  type LinspaceOptions,
  type TensorOptions,
} from "./ops/create.js";

export * from "./ops/arithmetic.js";
export * from "./ops/compare.js";
export * from "./ops/elementwise.js";
export * from "./ops/indexing.js";
export * from "./ops/join.js";
export * from "./ops/product.js";
export * from "./ops/reduce.js";
export * from "./ops/view.js";
export type { Axes } from "./core/check.js";
export { crossEntropy, logSoftmax, mseLoss, softmax } from "./nn/functional.js";

export { keep, tidy } from "./core/tidy.js";
export { memory, realize, stats, type Memory, type Stats } from "./core/memory.js";
export type { TensorTree } from "./core/tree.js";

export * from "./transforms/index.js";
export { Parameter } from "./nn/parameter.js";
export * as nn from "./nn/index.js";
export * as optim from "./optim/index.js";
export * as random from "./random/index.js";
export * as data from "./data/index.js";
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
