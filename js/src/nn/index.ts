// The namespace `nn`: modules, their layers and parameters, losses and initial values.

export { Module, type AnyModule, type ModuleBase } from "./module.js";
export { Buffer, Parameter } from "../transforms/parameter.js";
export { Dropout, Flatten, Linear, Sequential, type Layer, type LinearOptions } from "./layers.js";
export * from "./activations.js";
export { BatchNorm, GroupNorm, InstanceNorm, LayerNorm, RMSNorm, type BatchNormOptions, type NormOptions } from "./norms.js";
export { batchNorm, groupNorm, layerNorm, rmsNorm, type BatchNormalizeOptions, type NormalizeOptions } from "./normalized.js";
export { Embedding } from "./embedding.js";
export {
  GRU,
  GRUCell,
  LSTM,
  LSTMCell,
  RNN,
  RNNCell,
  type Cell,
  type CellOptions,
  type LSTMState,
  type RecurrentOptions,
} from "./recurrent.js";
export {
  KeyValueCache,
  MultiheadAttention,
  rotary,
  scaledDotProductAttention,
  sinusoidal,
  type AttendOptions,
  type AttentionOptions,
  type MultiheadAttentionOptions,
} from "./attention.js";
export { TransformerBlock, type TransformerOptions, type TransformOptions } from "./transformer.js";
export * from "./convolutions.js";
export { crossEntropy } from "./functional.js";
export { logSoftmax, softmax } from "../ops/generated/activation.js";
export { mseLoss } from "../ops/generated/loss.js";
export * from "../ops/generated/loss_per_element.js";
export { ctcLoss, type CtcOptions } from "./alignment.js";
export { dropout } from "./dropout.js";
export { gelu, relu, sigmoid } from "../ops/generated/activation.js";
export { tanh } from "../ops/generated/elementwise.js";
export { oneHot } from "../ops/indexing.js";

/**
 * With which numbers layers begin.
 *
 * @example
 * new Parameter(nn.initial.xavierUniform([8, 4])).shape; // [8,4]
 */
export * as initial from "./initial.js";
