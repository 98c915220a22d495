// What factors does linear algebra make of matrices, batched over all axes but the last two?
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/factors.rs`: change that.

import type { Operand, Tensor } from "../core/tensor.js";
import type { Uplo } from "./forms.js";
import * as kind from "./kinds.js";
import { several } from "./operation.js";

/**
 * A = Q·R with orthonormal columns Q and an upper triangle R: as many columns as the smaller side, or all where it is to be complete.
 *
 * Takes any dtype; gives q f32, r f32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [q, r] = linalg.qr([[3, 0], [4, 5]]);
 * q.matmul(r).round(); // [[3,0],[4,5]]
 */
export const qr: (x: Operand, complete?: boolean) => [q: Tensor, r: Tensor] = several("linalg.qr", kind.tensor, kind.or(kind.flag("the complete"), false));

/**
 * P·A = L·U with rows exchanged for the largest pivots: L below the diagonal (without its ones) and U on and above it, in one matrix; the row that each was
 * exchanged with; and the rows of A in their new order.
 *
 * Takes any dtype; gives lu f32, pivots i32, permutation i32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [lu, pivots, permutation] = linalg.lu([[4, 3], [8, 3]]);
 * lu; // [[8,3],[0.5,1.5]]
 * permutation; // [1,0]
 */
export const lu: (x: Operand) => [lu: Tensor, pivots: Tensor, permutation: Tensor] = several("linalg.lu", kind.tensor);

/**
 * Eigenvalues in ascending order, and eigenvectors as columns, of a symmetric matrix. The symmetric part of x is taken, or of "L" and "U" what lies below or
 * above the diagonal.
 *
 * Takes any dtype; gives values f32, vectors f32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [values, vectors] = linalg.eigh([[2, 0], [0, 1]]);
 * values; // [1,2]
 */
export const eigh: (x: Operand, uplo?: Uplo) => [values: Tensor, vectors: Tensor] = several("linalg.eigh", kind.tensor, kind.half);

/**
 * A = U·diag(s)·Vᵀ: left vectors as columns, singular values in descending order, right vectors as rows. As many as the smaller side; all where they are
 * to be full, and through those beyond flows no gradient.
 *
 * Takes any dtype; gives u f32, s f32, vt f32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [u, s, vt] = linalg.svd([[3, 0], [0, -4]]);
 * s; // [4,3]
 */
export const svd: (x: Operand, full?: boolean) => [u: Tensor, s: Tensor, vt: Tensor] = several("linalg.svd", kind.tensor, kind.or(kind.flag("the full"), false));

/**
 * The sign of the determinant of a square matrix and the logarithm of its magnitude; −∞ for a singular one.
 *
 * Takes any dtype; gives sign f32, log f32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [sign, log] = linalg.slogdet([[1, 2], [3, 4]]);
 * sign; // -1
 */
export const slogdet: (x: Operand) => [sign: Tensor, log: Tensor] = several("linalg.slogdet", kind.tensor);

/**
 * The shortest X that makes the squares of A·X − B least, their sums, the rank of A, and its singular values. B is a matrix, or a vector. Singular
 * values of at most `rtol` times the largest count as 0; ε times the larger side unless told. Throws `ShapeError` where they do not fit.
 *
 * Takes any dtype; gives x f32, residuals f32, rank i32, s f32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [x, residuals, rank, s] = linalg.lstsq([[1], [1]], [1, 3]);
 * x.round(); // [2]
 */
export const lstsq: (a: Operand, b: Operand, rtol?: number | null) => [x: Tensor, residuals: Tensor, rank: Tensor, s: Tensor] = several("linalg.lstsq", kind.tensor, kind.tensor, kind.bound("the rtol"));
