operations! {
    pieces "What is a tensor with its rows, columns or axes otherwise?"

    /// The rows in the opposite order.
    ///
    /// @example
    /// flipud([[1, 2], [3, 4]]); // [[3,4],[1,2]]
    flipud(x: tensor) ["any" -> "same", smooth] => x.flipud();

    /// The columns in the opposite order.
    ///
    /// @example
    /// fliplr([[1, 2], [3, 4]]); // [[2,1],[4,3]]
    fliplr(x: tensor) ["any" -> "same", smooth] => x.fliplr();

    /// The last two axes exchanged.
    ///
    /// @example
    /// matrixTranspose([[1, 2, 3]]); // [[1],[2],[3]]
    matrixTranspose(x: tensor) ["any" -> "same", smooth] => x.matrix_transpose();

    /// With at least one axis.
    ///
    /// @example
    /// atLeast1d(3); // [3]
    atLeast1d(x: tensor) ["any" -> "same", smooth] => x.at_least(1);

    /// With at least two axes; a vector is a row.
    ///
    /// @example
    /// atLeast2d([1, 2]); // [[1,2]]
    atLeast2d(x: tensor) ["any" -> "same", smooth] => x.at_least(2);

    /// With at least three axes, as NumPy's: a vector lies along the second, a matrix along the first two.
    ///
    /// @example
    /// atLeast3d([1, 2]); // [[[1],[2]]]
    atLeast3d(x: tensor) ["any" -> "same", smooth] => x.at_least(3);
}
