operations! {
    linalg "Linear algebra, batched over all axes but the last two."

    /// The X of A·X = B for a square matrix A, and B a matrix or a vector. NaN or infinities where
    /// A is singular. Throws `ShapeError` where they do not fit.
    ///
    /// @example
    /// linalg.solve([[2, 0], [0, 4]], [2, 2]); // [1,0.5]
    linalg.solve(a: tensor, b: tensor) ["any" -> "f32", smooth, deferred] => matrix::solve(&a, &b);

    /// The X of A·X = B for a triangle A, the lower one by default, and B a matrix or a vector; the
    /// other triangle is not read.
    ///
    /// @example
    /// linalg.triangularSolve([[2, 0], [1, 3]], [4, 5]); // [2,1]
    linalg.triangularSolve(a: tensor, b: tensor, options: triangle) ["any" -> "f32", smooth, deferred] => matrix::triangular_solve(&a, &b, options.lower, options.transposed, options.unit);

    /// The inverse of a square matrix. NaN or infinities where it is singular.
    ///
    /// @example
    /// linalg.inv([[2, 0], [0, 4]]); // [[0.5,0],[0,0.25]]
    linalg.inv(x: tensor) ["any" -> "f32", smooth, deferred] => matrix::inv(&x);

    /// The determinant of a square matrix.
    ///
    /// @example
    /// linalg.det([[1, 2], [3, 4]]); // -2
    linalg.det(x: tensor) ["any" -> "f32", smooth, deferred] => matrix::det(&x);

    /// The sign of the determinant of a square matrix and the logarithm of its magnitude; −∞ for a
    /// singular one.
    ///
    /// @example
    /// const [sign, log] = linalg.slogdet([[1, 2], [3, 4]]);
    /// sign; // -1
    linalg.slogdet(x: tensor) ["any" -> "sign f32, log f32", smooth, deferred, several] => matrix::slogdet(&x);

    /// The lower triangle L of a symmetric positive definite matrix L·Lᵀ, or the upper one of Uᵀ·U.
    /// The symmetric part of x is taken; NaN where it is not positive definite.
    ///
    /// @example
    /// linalg.cholesky([[4, 2], [2, 5]]); // [[2,0],[1,2]]
    linalg.cholesky(x: tensor, upper: flag = false) ["any" -> "f32", smooth, deferred] => matrix::cholesky(&x, upper);

    /// A = Q·R with orthonormal columns Q and an upper triangle R: as many columns as the smaller
    /// side, or all where it is to be complete.
    ///
    /// @example
    /// const [q, r] = linalg.qr([[3, 0], [4, 5]]);
    /// q.matmul(r).round(); // [[3,0],[4,5]]
    linalg.qr(x: tensor, complete: flag = false) ["any" -> "q f32, r f32", smooth, deferred, several] => matrix::qr(&x, complete);

    /// P·A = L·U with rows exchanged for the largest pivots: L below the diagonal (without its
    /// ones) and U on and above it, in one matrix; the row that each was exchanged with; and the
    /// rows of A in their new order.
    ///
    /// @example
    /// const [lu, pivots, permutation] = linalg.lu([[4, 3], [8, 3]]);
    /// lu; // [[8,3],[0.5,1.5]]
    /// permutation; // [1,0]
    linalg.lu(x: tensor) ["any" -> "lu f32, pivots i32, permutation i32", smooth, deferred, several] => matrix::lu(&x);

    /// Eigenvalues in ascending order, and eigenvectors as columns, of a symmetric matrix. Takes
    /// the symmetric part of x, or, for "L" or "U", the triangle below or above the diagonal.
    ///
    /// @example
    /// const [values, vectors] = linalg.eigh([[2, 0], [0, 1]]);
    /// values; // [1,2]
    linalg.eigh(x: tensor, uplo: half) ["any" -> "values f32, vectors f32", smooth, deferred, several] => matrix::eigh_of(&x, uplo);

    /// The eigenvalues of a symmetric matrix in ascending order. Takes the symmetric part of x, or,
    /// for "L" or "U", the triangle below or above the diagonal.
    ///
    /// @example
    /// linalg.eigvalsh([[2, 1], [1, 2]]).round(); // [1,3]
    linalg.eigvalsh(x: tensor, uplo: half) ["any" -> "f32", smooth, deferred] => matrix::eigvalsh_of(&x, uplo);

    /// A = U·diag(s)·Vᵀ: left vectors as columns, singular values in descending order, right
    /// vectors as rows. As many as the smaller side; all where they are to be full, and through
    /// those beyond flows no gradient.
    ///
    /// @example
    /// const [u, s, vt] = linalg.svd([[3, 0], [0, -4]]);
    /// s; // [4,3]
    linalg.svd(x: tensor, full: flag = false) ["any" -> "u f32, s f32, vt f32", smooth, deferred, several] => matrix::svd(&x, full);

    /// The singular values of a matrix in descending order.
    ///
    /// @example
    /// linalg.svdvals([[3, 0], [0, -4]]); // [4,3]
    linalg.svdvals(x: tensor) ["any" -> "f32", smooth, deferred] => matrix::svdvals(&x);

    /// The pseudo-inverse of a matrix: singular values of at most `rtol` times the largest count as
    /// 0; 10 ε times the larger side by default.
    ///
    /// @example
    /// linalg.pinv([[2], [0]]); // [[0.5,0]]
    linalg.pinv(x: tensor, rtol: bound) ["any" -> "f32", smooth, deferred] => matrix::pinv(&x, rtol);

    /// The shortest X that makes the squares of A·X − B least, their sums for each column of B, the
    /// rank of A, and its singular values. B is a matrix, or a vector, which is one column.
    /// Singular values of at most `rtol` times the largest count as 0; ε times the larger side by
    /// default. Throws `ShapeError` where they do not fit.
    ///
    /// @example
    /// const [x, residuals, rank, s] = linalg.lstsq([[1], [1]], [1, 3]);
    /// x.round(); // [2]
    linalg.lstsq(a: tensor, b: tensor, rtol: bound) ["any" -> "x f32, residuals f32, rank i32, s f32", smooth, deferred, several] => matrix::lstsq(&a, &b, rtol);

    /// How many singular values are above `rtol` times the largest; ε times the larger side by
    /// default.
    ///
    /// @example
    /// linalg.matrixRank([[1, 2], [2, 4]]); // 1
    linalg.matrixRank(x: tensor, rtol: bound) ["any" -> "i32", none, deferred] => matrix::matrix_rank(&x, rtol);

    /// A square matrix multiplied by itself `times` times; its inverse below 0. NaN or infinities
    /// where it is singular and has to be inverted.
    ///
    /// @example
    /// linalg.matrixPower([[2, 0], [0, 4]], -1); // [[0.5,0],[0,0.25]]
    linalg.matrixPower(x: tensor, times: whole) ["any" -> "f32", smooth, deferred] => matrix::power(&x, times);

    /// The exponential of a square matrix.
    ///
    /// @example
    /// linalg.expm([[0, 1], [0, 0]]); // [[1,1],[0,1]]
    linalg.expm(x: tensor) ["any" -> "f32", smooth, deferred] => matrix::expm(&x);

    /// The norm of the matrices of the last two axes: `"fro"`, `"nuc"` (the sum of singular
    /// values), 2 and −2 (the largest and smallest of them), 1 and −1 (of columns the largest and
    /// smallest sum of magnitudes), ±Infinity (of rows). Frobenius' by default. Throws
    /// `ValueError` for another.
    ///
    /// @example
    /// linalg.matrixNorm([[1, -2], [3, 4]], 1); // 6
    linalg.matrixNorm(x: tensor, order: matrixOrder, options: keepdims) ["any" -> "f32", smooth, deferred] => matrix::matrix_norm(&x, order.unwrap_or(Order::Frobenius), options);

    /// The norm of vectors along axes, of order 2 by default.
    ///
    /// @example
    /// linalg.vectorNorm([3, 4]); // 5
    linalg.vectorNorm(x: tensor, order: number = 2, axis: axes, options: keepdims) ["any" -> "f32", smooth, deferred] => matrix::vector_norm(&x, order, axis.as_deref(), options);

    /// The norm of all elements, or along axes: with an order of vectors along one axis, of
    /// matrices along two. Throws `ValueError` for an order that there is not.
    ///
    /// @example
    /// linalg.norm([[1, -2], [3, 4]], Infinity); // 7
    linalg.norm(x: tensor, order: matrixOrder, axis: axes, options: keepdims) ["any" -> "f32", smooth, deferred] => matrix::norm(&x, order, axis.as_deref(), options);

    /// How much a matrix enlarges errors: the quotient of its largest and smallest singular value,
    /// or for another order its norm times that of its inverse.
    ///
    /// @example
    /// linalg.cond([[1, 0], [0, 4]]); // 4
    linalg.cond(x: tensor, order: matrixOrder) ["any" -> "f32", smooth, deferred] => matrix::cond(&x, order.unwrap_or(Order::Number(2.0)));

    /// The product of several matrices in the order that takes the fewest multiplications; the
    /// first and the last may be vectors. Throws `ShapeError` where they do not fit.
    ///
    /// @example
    /// linalg.multiDot([[1, 2], [[1, 0], [0, 1]], [3, 4]]); // 11
    linalg.multiDot(matrices: tensors) ["f32, i32, u32" -> "promoted", smooth, deferred] => matrix::multi_dot(&matrices);

    /// The matrix with constant diagonals, of a first column and a first row, or the column again.
    /// What stands before the last axis is a batch.
    ///
    /// @example
    /// linalg.toeplitz([1, 2, 3], [1, 8, 9]); // [[1,8,9],[2,1,8],[3,2,1]]
    linalg.toeplitz(column: tensor, row: maybe) ["any" -> "promoted", smooth, deferred] => matrix::toeplitz(&column, row.as_ref());

    /// Matrices along the diagonal of one, with zeros elsewhere; vectors and numbers are rows.
    /// Throws `ShapeError` for more axes.
    ///
    /// @example
    /// linalg.blockDiag([[[1, 2], [3, 4]], [5]]); // [[1,2,0],[3,4,0],[0,0,5]]
    linalg.blockDiag(blocks: tensors) ["any" -> "promoted", smooth, deferred] => matrix::block_diag(&blocks);

    /// The x for which `tensordot(a, x, x.ndim)` is b; named axes of a are moved to its end first.
    /// Throws `ShapeError` where that is no square system.
    ///
    /// @example
    /// linalg.tensorsolve(eye(4).reshape([2, 2, 2, 2]), [[1, 2], [3, 4]]); // [[1,2],[3,4]]
    linalg.tensorsolve(a: tensor, b: tensor, axis: axes) ["any" -> "f32", smooth, deferred] => matrix::tensor_solve(&a, &b, axis.as_deref());

    /// The inverse of a tensor as a matrix, whose rows are the first `axes` axes. Throws
    /// `ShapeError` where it is not square.
    ///
    /// @example
    /// linalg.tensorinv(eye(6).reshape([2, 3, 6]), 2).shape; // [6,2,3]
    linalg.tensorinv(a: tensor, axes: count = 2) ["any" -> "f32", smooth, deferred] => matrix::tensor_inv(&a, axes);
}
