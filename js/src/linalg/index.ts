// What does `linalg` hold? Functions of matrices, and under the names that the array API gives them there, those that the package has anyway.

export * from "../ops/generated/linalg.js";
export { matmul, outer, cross, vecdot } from "../ops/generated/contract.js";
export { tensordot } from "../ops/contract.js";
export { diagonal, trace } from "../ops/generated/shape.js";
