// Linear algebra, batched over all axes but the last two.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/linalg.rs`: change that.

import type { Axes } from "../../core/check/check.js";
import type { Operand, Tensor } from "../../core/tensor/tensor.js";
import type { Binary, ReduceOptions, Unary, MatrixOrder, TriangleOptions, Uplo } from "../signatures.js";
import * as kind from "../kinds.js";
import { operation, several } from "../operation.js";

/**
 * The X of A·X = B for a square matrix A, and B a matrix or a vector. NaN or infinities where
 * A is singular. Throws `ShapeError` where they do not fit.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * linalg.solve([[2, 0], [0, 4]], [2, 2]); // [1,0.5]
 */
export const solve: Binary = operation("linalg.solve", kind.tensor, kind.tensor);

/**
 * The X of A·X = B for a triangle A, the lower one by default, and B a matrix or a vector; the
 * other triangle is not read.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * linalg.triangularSolve([[2, 0], [1, 3]], [4, 5]); // [2,1]
 */
export const triangularSolve: (a: Operand, b: Operand, options?: TriangleOptions) => Tensor = operation("linalg.triangularSolve", kind.tensor, kind.tensor, kind.options({ lower: true, transposed: false, unitDiagonal: false }));

/**
 * The inverse of a square matrix. NaN or infinities where it is singular.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * linalg.inv([[2, 0], [0, 4]]); // [[0.5,0],[0,0.25]]
 */
export const inv: Unary = operation("linalg.inv", kind.tensor);

/**
 * The determinant of a square matrix.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * linalg.det([[1, 2], [3, 4]]); // -2
 */
export const det: Unary = operation("linalg.det", kind.tensor);

/**
 * The sign of the determinant of a square matrix and the logarithm of its magnitude; −∞ for a
 * singular one.
 *
 * Takes any dtype; gives sign f32, log f32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [sign, log] = linalg.slogdet([[1, 2], [3, 4]]);
 * sign; // -1
 */
export const slogdet: (x: Operand) => [sign: Tensor, log: Tensor] = several("linalg.slogdet", "sign, log", kind.tensor);

/**
 * The lower triangle L of a symmetric positive definite matrix L·Lᵀ, or the upper one of Uᵀ·U.
 * The symmetric part of x is taken; NaN where it is not positive definite.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * linalg.cholesky([[4, 2], [2, 5]]); // [[2,0],[1,2]]
 */
export const cholesky: (x: Operand, upper?: boolean) => Tensor = operation("linalg.cholesky", kind.tensor, kind.or(kind.flag("the upper"), false));

/**
 * A = Q·R with orthonormal columns Q and an upper triangle R: as many columns as the smaller
 * side, or all where it is to be complete.
 *
 * Takes any dtype; gives q f32, r f32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [q, r] = linalg.qr([[3, 0], [4, 5]]);
 * q.matmul(r).round(); // [[3,0],[4,5]]
 */
export const qr: (x: Operand, complete?: boolean) => [q: Tensor, r: Tensor] = several("linalg.qr", "q, r", kind.tensor, kind.or(kind.flag("the complete"), false));

/**
 * P·A = L·U with rows exchanged for the largest pivots: L below the diagonal (without its
 * ones) and U on and above it, in one matrix; the row that each was exchanged with; and the
 * rows of A in their new order.
 *
 * Takes any dtype; gives lu f32, pivots i32, permutation i32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [lu, pivots, permutation] = linalg.lu([[4, 3], [8, 3]]);
 * lu; // [[8,3],[0.5,1.5]]
 * permutation; // [1,0]
 */
export const lu: (x: Operand) => [lu: Tensor, pivots: Tensor, permutation: Tensor] = several("linalg.lu", "lu, pivots, permutation", kind.tensor);

/**
 * Eigenvalues in ascending order, and eigenvectors as columns, of a symmetric matrix. Takes
 * the symmetric part of x, or, for "L" or "U", the triangle below or above the diagonal.
 *
 * Takes any dtype; gives values f32, vectors f32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [values, vectors] = linalg.eigh([[2, 0], [0, 1]]);
 * values; // [1,2]
 */
export const eigh: (x: Operand, uplo?: Uplo) => [values: Tensor, vectors: Tensor] = several("linalg.eigh", "values, vectors", kind.tensor, kind.half);

/**
 * The eigenvalues of a symmetric matrix in ascending order. Takes the symmetric part of x, or,
 * for "L" or "U", the triangle below or above the diagonal.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * linalg.eigvalsh([[2, 1], [1, 2]]).round(); // [1,3]
 */
export const eigvalsh: (x: Operand, uplo?: Uplo) => Tensor = operation("linalg.eigvalsh", kind.tensor, kind.half);

/**
 * A = U·diag(s)·Vᵀ: left vectors as columns, singular values in descending order, right
 * vectors as rows. As many as the smaller side; all where they are to be full, and through
 * those beyond flows no gradient.
 *
 * Takes any dtype; gives u f32, s f32, vt f32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [u, s, vt] = linalg.svd([[3, 0], [0, -4]]);
 * s; // [4,3]
 */
export const svd: (x: Operand, full?: boolean) => [u: Tensor, s: Tensor, vt: Tensor] = several("linalg.svd", "u, s, vt", kind.tensor, kind.or(kind.flag("the full"), false));

/**
 * The singular values of a matrix in descending order.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * linalg.svdvals([[3, 0], [0, -4]]); // [4,3]
 */
export const svdvals: Unary = operation("linalg.svdvals", kind.tensor);

/**
 * The pseudo-inverse of a matrix: singular values of at most `rtol` times the largest count as
 * 0; 10 ε times the larger side by default.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * linalg.pinv([[2], [0]]); // [[0.5,0]]
 */
export const pinv: (x: Operand, rtol?: number | null) => Tensor = operation("linalg.pinv", kind.tensor, kind.bound("the rtol"));

/**
 * The shortest X that makes the squares of A·X − B least, their sums for each column of B, the
 * rank of A, and its singular values. B is a matrix, or a vector, which is one column.
 * Singular values of at most `rtol` times the largest count as 0; ε times the larger side by
 * default. Throws `ShapeError` where they do not fit.
 *
 * Takes any dtype; gives x f32, residuals f32, rank i32, s f32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [x, residuals, rank, s] = linalg.lstsq([[1], [1]], [1, 3]);
 * x.round(); // [2]
 */
export const lstsq: (a: Operand, b: Operand, rtol?: number | null) => [x: Tensor, residuals: Tensor, rank: Tensor, s: Tensor] = several("linalg.lstsq", "x, residuals, rank, s", kind.tensor, kind.tensor, kind.bound("the rtol"));

/**
 * How many singular values are above `rtol` times the largest; ε times the larger side by
 * default.
 *
 * Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
 *
 * @example
 * linalg.matrixRank([[1, 2], [2, 4]]); // 1
 */
export const matrixRank: (x: Operand, rtol?: number | null) => Tensor = operation("linalg.matrixRank", kind.tensor, kind.bound("the rtol"));

/**
 * A square matrix multiplied by itself `times` times; its inverse below 0. NaN or infinities
 * where it is singular and has to be inverted.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * linalg.matrixPower([[2, 0], [0, 4]], -1); // [[0.5,0],[0,0.25]]
 */
export const matrixPower: (x: Operand, times: number) => Tensor = operation("linalg.matrixPower", kind.tensor, kind.whole("the times"));

/**
 * The exponential of a square matrix.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * linalg.expm([[0, 1], [0, 0]]); // [[1,1],[0,1]]
 */
export const expm: Unary = operation("linalg.expm", kind.tensor);

/**
 * The norm of the matrices of the last two axes: `"fro"`, `"nuc"` (the sum of singular
 * values), 2 and −2 (the largest and smallest of them), 1 and −1 (of columns the largest and
 * smallest sum of magnitudes), ±Infinity (of rows). Frobenius' by default. Throws
 * `ValueError` for another.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * linalg.matrixNorm([[1, -2], [3, 4]], 1); // 6
 */
export const matrixNorm: (x: Operand, order?: MatrixOrder, options?: ReduceOptions) => Tensor = operation("linalg.matrixNorm", kind.tensor, kind.matrixOrder, kind.options({ keepdims: false }));

/**
 * The norm of vectors along axes, of order 2 by default.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * linalg.vectorNorm([3, 4]); // 5
 */
export const vectorNorm: (x: Operand, order?: number, axis?: Axes, options?: ReduceOptions) => Tensor = operation("linalg.vectorNorm", kind.tensor, kind.or(kind.number("the order"), 2), kind.axes, kind.options({ keepdims: false }));

/**
 * The norm of all elements, or along axes: with an order of vectors along one axis, of
 * matrices along two. Throws `ValueError` for an order that there is not.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * linalg.norm([[1, -2], [3, 4]], Infinity); // 7
 */
export const norm: (x: Operand, order?: MatrixOrder, axis?: Axes, options?: ReduceOptions) => Tensor = operation("linalg.norm", kind.tensor, kind.matrixOrder, kind.axes, kind.options({ keepdims: false }));

/**
 * How much a matrix enlarges errors: the quotient of its largest and smallest singular value,
 * or for another order its norm times that of its inverse.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * linalg.cond([[1, 0], [0, 4]]); // 4
 */
export const cond: (x: Operand, order?: MatrixOrder) => Tensor = operation("linalg.cond", kind.tensor, kind.matrixOrder);

/**
 * The product of several matrices in the order that takes the fewest multiplications; the
 * first and the last may be vectors. Throws `ShapeError` where they do not fit.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * linalg.multiDot([[1, 2], [[1, 0], [0, 1]], [3, 4]]); // 11
 */
export const multiDot: (matrices: readonly Operand[]) => Tensor = operation("linalg.multiDot", kind.tensors);

/**
 * The matrix with constant diagonals, of a first column and a first row, or the column again.
 * What stands before the last axis is a batch.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * linalg.toeplitz([1, 2, 3], [1, 8, 9]); // [[1,8,9],[2,1,8],[3,2,1]]
 */
export const toeplitz: (column: Operand, row?: Operand | null) => Tensor = operation("linalg.toeplitz", kind.tensor, kind.maybe);

/**
 * Matrices along the diagonal of one, with zeros elsewhere; vectors and numbers are rows.
 * Throws `ShapeError` for more axes.
 *
 * Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * linalg.blockDiag([[[1, 2], [3, 4]], [5]]); // [[1,2,0],[3,4,0],[0,0,5]]
 */
export const blockDiag: (blocks: readonly Operand[]) => Tensor = operation("linalg.blockDiag", kind.tensors);

/**
 * The x for which `tensordot(a, x, x.ndim)` is b; named axes of a are moved to its end first.
 * Throws `ShapeError` where that is no square system.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * linalg.tensorsolve(eye(4).reshape([2, 2, 2, 2]), [[1, 2], [3, 4]]); // [[1,2],[3,4]]
 */
export const tensorsolve: (a: Operand, b: Operand, axis?: Axes) => Tensor = operation("linalg.tensorsolve", kind.tensor, kind.tensor, kind.axes);

/**
 * The inverse of a tensor as a matrix, whose rows are the first `axes` axes. Throws
 * `ShapeError` where it is not square.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * linalg.tensorinv(eye(6).reshape([2, 3, 6]), 2).shape; // [6,2,3]
 */
export const tensorinv: (a: Operand, axes?: number) => Tensor = operation("linalg.tensorinv", kind.tensor, kind.or(kind.count("the axes"), 2));
