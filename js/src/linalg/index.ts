// The namespace `linalg`: functions of matrices, and functions that the package exports elsewhere,
// under the names that the array API gives them there.

export * from "../ops/generated/linalg.js";
export { matmul, outer, cross, vecdot } from "../ops/generated/contract.js";
export { tensordot } from "../ops/contract.js";
export { diagonal, trace } from "../ops/generated/shape.js";
