operations! {
    copies "What repeats elements, moves and turns them and picks diagonals?"

    /// The whole repeated along each axis, or along the last one; where there are more numbers than axes, along new axes in front.
    ///
    /// @example
    /// tile([1, 2], 2); // [1,2,1,2]
    /// tile([1, 2], [2, 1]); // [[1,2],[1,2]]
    tile(x: tensor, times: counts) ["any" -> "same", smooth] => x.tile(&times);

    /// Elements moved along the given axes, or of the flattened tensor; those that leave at one end come in at the other. One shift serves all axes, or
    /// each has its own. Throws `ShapeError` for another number of shifts.
    ///
    /// @example
    /// roll([1, 2, 3], 1); // [3,1,2]
    /// roll([[1, 2], [3, 4]], -1, 0); // [[3,4],[1,2]]
    /// roll([[1, 2], [3, 4]], [1, 1], [0, 1]); // [[4,3],[2,1]]
    roll(x: tensor, shift: wholes, axis: axes) ["any" -> "same", smooth] => x.roll(&shift, axis.as_deref());

    /// Turned by quarter turns in the plane of two axes, from the first towards the second.
    ///
    /// @example
    /// rot90([[1, 2], [3, 4]]); // [[2,4],[1,3]]
    rot90(x: tensor, times: whole = 1, from: axis = 0, to: axis = 1) ["any" -> "same", smooth] => x.rot90(times, from, to);

    /// The diagonal of the matrices of two axes, as a last axis; `offset` moves it to the right.
    ///
    /// @example
    /// diagonal([[1, 2], [3, 4]]); // [1,4]
    diagonal(x: tensor, offset: whole = 0, a: axis = 0, b: axis = 1) ["any" -> "same", smooth] => x.diagonal(offset, a, b);

    /// A vector along the diagonal of a matrix otherwise 0, or the diagonal of a matrix; `offset` moves it to the right.
    ///
    /// @example
    /// diag([1, 2]); // [[1,0],[0,2]]
    /// diag([[1, 2], [3, 4]], 1); // [2]
    diag(x: tensor, offset: whole = 0) ["any" -> "same", smooth] => x.diag(offset);

    /// The sum of the diagonal of the matrices of two axes; `offset` moves it to the right.
    ///
    /// @example
    /// trace([[1, 2], [3, 4]]); // 5
    trace(x: tensor, offset: whole = 0, a: axis = 0, b: axis = 1) ["any" -> "the same, i32 of bool", smooth] => x.trace(offset, a, b);
}
