// The namespace `linalg`: functions of matrices, and functions that the package exports elsewhere,
// under the names that the array API gives them there.

export * from "../ops/linalg.js";
export * from "../ops/factors.js";
export { matmul, outer } from "../ops/product.js";
export { cross, vecdot } from "../ops/recipes.js";
export { tensordot } from "../ops/contract.js";
export { diagonal, trace } from "../ops/copies.js";
