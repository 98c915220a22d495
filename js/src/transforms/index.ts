// Transformations of functions.

export { applyAlongAxis, applyOverAxes } from "./apply_along.js";
export { associativeScan, type AssociativeOptions } from "./associative.js";
export { cond, forLoop, scan, switchCase, whileLoop, type Lifted, type ScanOptions, type WhileOptions } from "./control.js";
export { checkpoint, customJvp, customVjp } from "./custom.js";
export { explain, explainRuns, labelRuns, type Run } from "./explain.js";
export { grad, valueAndGrad, valueAndGradAux, vjp, vjpAux, type GradOptions } from "./gradients.js";
export type { Gradient } from "./gradient.js";
export { hessian, jacfwd, jacrev, jvp, linearize, stopGradient, type Jacobian } from "./derivatives.js";
export { jit, type JitOptions } from "./jit.js";
export { precompile, type Spec, type TensorSpec } from "./precompile.js";
export { treeLeaves, treeMap, type Mapped } from "./trees.js";
export { vmap, type BatchAxes, type VmapOptions } from "./vmap.js";
