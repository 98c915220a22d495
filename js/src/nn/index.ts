// What does `nn` hold? Models: modules, their layers and parameters, losses and initial values.

export { Module } from "./module.js";
export { Parameter } from "./parameter.js";
export { Dropout, Flatten, GELU, Linear, LogSoftmax, ReLU, Sequential, Sigmoid, Softmax, Tanh, type LinearOptions } from "./layers.js";
export { crossEntropy, logSoftmax, mseLoss, softmax } from "./functional.js";
export { dropout } from "./dropout.js";
export { gelu, relu, sigmoid, tanh } from "../ops/elementwise.js";
export { oneHot } from "../ops/indexing.js";

/**
 * With which numbers layers begin.
 *
 * @example
 * new Parameter(nn.initial.xavierUniform([8, 4])).shape; // [8,4]
 */
export * as initial from "./initial.js";
