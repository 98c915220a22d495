// Which transformations of functions are there?

export { grad, valueAndGrad, valueAndGradAux, vjp, type Gradient, type GradOptions } from "./gradients.js";
export { jit, type JitOptions } from "./jit.js";
