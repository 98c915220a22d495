// Operations that are methods of tensors.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table`: change that.

import type * as elementwise from "./elementwise.js";
import type * as arithmetic from "./arithmetic.js";
import type * as number from "./number.js";
import type * as compare from "./compare.js";
import type * as activation from "./activation.js";
import type * as loss from "./loss.js";
import type * as reduce from "./reduce.js";
import type * as scan from "./scan.js";
import type * as sort from "./sort.js";
import type * as shape from "./shape.js";
import type * as contract from "./contract.js";
import type * as signal from "./signal.js";
import type * as polynomials from "./polynomials.js";
import type * as statistics from "./statistics.js";

export { neg, abs, sign, floor, ceil, round, trunc, exp, exp2, expm1, log, log2, log10, log1p, sqrt, rsqrt, cbrt, square, reciprocal, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, sinc, degrees, radians, erf, erfInv, logicalNot, bitwiseNot, isnan, isinf, isfinite, nanToNum, detach, cast, bitcast } from "./elementwise.js";
export { add, sub, mul, div, floorDivide, remainder, fmod, pow, minimum, maximum, fmin, fmax, bitwiseAnd, bitwiseOr, bitwiseXor, shiftLeft, shiftRight, atan2, hypot, logAddExp, copysign, heaviside } from "./arithmetic.js";
export { signbit } from "./number.js";
export { equal, notEqual, less, lessEqual, greater, greaterEqual, logicalAnd, logicalOr, logicalXor, where, isClose, allClose, arrayEqual } from "./compare.js";
export { sigmoid, relu, gelu, silu, softplus, logSigmoid, elu, selu, celu, leakyRelu, relu6, hardSigmoid, hardSilu, hardTanh, mish, softSign, squareplus, glu, softmax, logSoftmax, standardize } from "./activation.js";
export { mseLoss, l1Loss, huberLoss, binaryCrossEntropy } from "./loss.js";
export { sum, prod, mean, max, min, argmax, argmin, any, all, logSumExp, variance, std, norm, ptp, countNonzero, logMeanExp, nansum, nanprod, nanmean, nanmax, nanmin, nanvar, nanstd, nanargmax, nanargmin } from "./reduce.js";
export { cumsum, cumprod, cummax, cummin } from "./scan.js";
export { sort, argsort, partition, argpartition, median, nanmedian, quantile, nanquantile, percentile, nanpercentile, uniqueCount, isIn } from "./sort.js";
export { reshape, flatten, permute, swapAxes, broadcastTo, expandDims, squeeze, flip, rot90, roll, tile, moveAxis, tril, triu, diagonal, diag, trace } from "./shape.js";
export { matmul, dot, inner, outer, vdot, vecdot, cross, kron, matrixPower } from "./contract.js";
export { interp, trapezoid, unwrap } from "./signal.js";
export { polyval } from "./polynomials.js";
export { cov, corrcoef, cdist, pdist } from "./statistics.js";

export type Functions =
  Pick<typeof elementwise, "neg" | "abs" | "sign" | "floor" | "ceil" | "round" | "trunc" | "exp" | "exp2" | "expm1" | "log" | "log2" | "log10" | "log1p" | "sqrt" | "rsqrt" | "cbrt" | "square" | "reciprocal" | "sin" | "cos" | "tan" | "asin" | "acos" | "atan" | "sinh" | "cosh" | "tanh" | "asinh" | "acosh" | "atanh" | "sinc" | "degrees" | "radians" | "erf" | "erfInv" | "logicalNot" | "bitwiseNot" | "isnan" | "isinf" | "isfinite" | "nanToNum" | "detach" | "cast" | "bitcast">
  & Pick<typeof arithmetic, "add" | "sub" | "mul" | "div" | "floorDivide" | "remainder" | "fmod" | "pow" | "minimum" | "maximum" | "fmin" | "fmax" | "bitwiseAnd" | "bitwiseOr" | "bitwiseXor" | "shiftLeft" | "shiftRight" | "atan2" | "hypot" | "logAddExp" | "copysign" | "heaviside">
  & Pick<typeof number, "signbit">
  & Pick<typeof compare, "equal" | "notEqual" | "less" | "lessEqual" | "greater" | "greaterEqual" | "logicalAnd" | "logicalOr" | "logicalXor" | "where" | "isClose" | "allClose" | "arrayEqual">
  & Pick<typeof activation, "sigmoid" | "relu" | "gelu" | "silu" | "softplus" | "logSigmoid" | "elu" | "selu" | "celu" | "leakyRelu" | "relu6" | "hardSigmoid" | "hardSilu" | "hardTanh" | "mish" | "softSign" | "squareplus" | "glu" | "softmax" | "logSoftmax" | "standardize">
  & Pick<typeof loss, "mseLoss" | "l1Loss" | "huberLoss" | "binaryCrossEntropy">
  & Pick<typeof reduce, "sum" | "prod" | "mean" | "max" | "min" | "argmax" | "argmin" | "any" | "all" | "logSumExp" | "variance" | "std" | "norm" | "ptp" | "countNonzero" | "logMeanExp" | "nansum" | "nanprod" | "nanmean" | "nanmax" | "nanmin" | "nanvar" | "nanstd" | "nanargmax" | "nanargmin">
  & Pick<typeof scan, "cumsum" | "cumprod" | "cummax" | "cummin">
  & Pick<typeof sort, "sort" | "argsort" | "partition" | "argpartition" | "median" | "nanmedian" | "quantile" | "nanquantile" | "percentile" | "nanpercentile" | "uniqueCount" | "isIn">
  & Pick<typeof shape, "reshape" | "flatten" | "permute" | "swapAxes" | "broadcastTo" | "expandDims" | "squeeze" | "flip" | "rot90" | "roll" | "tile" | "moveAxis" | "tril" | "triu" | "diagonal" | "diag" | "trace">
  & Pick<typeof contract, "matmul" | "dot" | "inner" | "outer" | "vdot" | "vecdot" | "cross" | "kron" | "matrixPower">
  & Pick<typeof signal, "interp" | "trapezoid" | "unwrap">
  & Pick<typeof polynomials, "polyval">
  & Pick<typeof statistics, "cov" | "corrcoef" | "cdist" | "pdist">;
