several! {
    factors "What factors does linear algebra make of matrices, batched over all axes but the last two?"

    /// A = Q·R with orthonormal columns Q and an upper triangle R: as many columns as the smaller side, or all where it is to be complete.
    ///
    /// @example
    /// const [q, r] = linalg.qr([[3, 0], [4, 5]]);
    /// q.matmul(r).round(); // [[3,0],[4,5]]
    linalg.qr(x: tensor, complete: flag = false) ["any" -> "q f32, r f32", smooth] => matrix::qr(&x, complete);

    /// P·A = L·U with rows exchanged for the largest pivots: L below the diagonal (without its ones) and U on and above it, in one matrix; the row that each was
    /// exchanged with; and the rows of A in their new order.
    ///
    /// @example
    /// const [lu, pivots, permutation] = linalg.lu([[4, 3], [8, 3]]);
    /// lu; // [[8,3],[0.5,1.5]]
    /// permutation; // [1,0]
    linalg.lu(x: tensor) ["any" -> "lu f32, pivots i32, permutation i32", smooth] => matrix::lu(&x);

    /// Eigenvalues in ascending order, and eigenvectors as columns, of a symmetric matrix. The symmetric part of x is taken, or of "L" and "U" what lies below or
    /// above the diagonal.
    ///
    /// @example
    /// const [values, vectors] = linalg.eigh([[2, 0], [0, 1]]);
    /// values; // [1,2]
    linalg.eigh(x: tensor, uplo: half) ["any" -> "values f32, vectors f32", smooth] => matrix::eigh_of(&x, uplo);

    /// A = U·diag(s)·Vᵀ: left vectors as columns, singular values in descending order, right vectors as rows. As many as the smaller side; all where they are
    /// to be full, and through those beyond flows no gradient.
    ///
    /// @example
    /// const [u, s, vt] = linalg.svd([[3, 0], [0, -4]]);
    /// s; // [4,3]
    linalg.svd(x: tensor, full: flag = false) ["any" -> "u f32, s f32, vt f32", smooth] => matrix::svd(&x, full);

    /// The sign of the determinant of a square matrix and the logarithm of its magnitude; −∞ for a singular one.
    ///
    /// @example
    /// const [sign, log] = linalg.slogdet([[1, 2], [3, 4]]);
    /// sign; // -1
    linalg.slogdet(x: tensor) ["any" -> "sign f32, log f32", smooth] => matrix::slogdet(&x);

    /// The shortest X that makes the squares of A·X − B least, their sums, the rank of A, and its singular values. B is a matrix, or a vector. Singular
    /// values of at most `rtol` times the largest count as 0; ε times the larger side unless told. Throws `ShapeError` where they do not fit.
    ///
    /// @example
    /// const [x, residuals, rank, s] = linalg.lstsq([[1], [1]], [1, 3]);
    /// x.round(); // [2]
    linalg.lstsq(a: tensor, b: tensor, rtol: bound) ["any" -> "x f32, residuals f32, rank i32, s f32", smooth] => matrix::lstsq(&a, &b, rtol);
}
