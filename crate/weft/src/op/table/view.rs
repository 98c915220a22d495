operations! {
    view "How are elements arranged anew?"

    /// The same elements in row-major order under another shape; one extent may be −1 and is worked out. Throws `ShapeError`.
    ///
    /// @example
    /// reshape([1, 2, 3, 4], [2, -1]); // [[1,2],[3,4]]
    reshape(x: tensor, shape: reshape) ["any" -> "same", smooth] => x.reshape(&shape);

    /// The axes from `start` to `end`, both among them, as one: all of them unless told. Throws `AxisError`.
    ///
    /// @example
    /// flatten([[1, 2], [3, 4]]); // [1,2,3,4]
    /// flatten(zeros([2, 3, 4]), 1).shape; // [2,12]
    flatten(x: tensor, start: position, end: position) ["any" -> "same", smooth] => x.flatten_axes(start.map_or(0, |axis| axis[0]), end.map_or(-1, |axis| axis[0]));

    /// Output axis i is input axis `axes[i]`. Throws `AxisError` unless `axes` is a permutation.
    ///
    /// @example
    /// permute(zeros([2, 3, 4]), [2, 0, 1]).shape; // [4,2,3]
    permute(x: tensor, axes: order) ["any" -> "same", smooth] => x.permute(&axes);

    /// Two axes exchanged.
    ///
    /// @example
    /// swapAxes(zeros([2, 3, 4]), 0, -1).shape; // [4,3,2]
    swapAxes(x: tensor, a: axis, b: axis) ["any" -> "same", smooth] => x.swap_axes(a, b);

    /// Repeated along axes of extent 1, and along new axes in front, to `shape`. Throws `ShapeError` when that does not fit.
    ///
    /// @example
    /// broadcastTo([1, 2], [2, 2]); // [[1,2],[1,2]]
    broadcastTo(x: tensor, shape: extents) ["any" -> "same", smooth] => x.broadcast_to(&shape);

    /// A new axis of extent 1 at `axis`, or several at the places where they are to stand in the end.
    ///
    /// @example
    /// expandDims([1, 2], -1); // [[1],[2]]
    expandDims(x: tensor, axis: axes = 0) ["any" -> "same", smooth] => x.expand_dims_at(&axis.unwrap_or_default());

    /// Without the given axes of extent 1, or without all such.
    ///
    /// @example
    /// squeeze([[[1, 2]]]); // [1,2]
    squeeze(x: tensor, axis: axes) ["any" -> "same", smooth] => x.squeeze(axis.as_deref());

    /// Reversed along the given axes, or all.
    ///
    /// @example
    /// flip([[1, 2], [3, 4]], 1); // [[2,1],[4,3]]
    flip(x: tensor, axis: axes) ["any" -> "same", smooth] => x.flip(axis.as_deref());

    /// An axis moved to another place, or several to as many places, the others in their order.
    ///
    /// @example
    /// moveAxis(zeros([2, 3, 4]), 0, -1).shape; // [3,4,2]
    /// moveAxis(zeros([2, 3, 4]), [0, 1], [-1, 0]).shape; // [3,4,2]
    moveAxis(x: tensor, from: places, to: places) ["any" -> "same", smooth] => x.move_axis(&from, &to);

    /// What lies on and below a diagonal of each matrix, 0 elsewhere; `diagonal` moves it to the right. Throws `ShapeError` below two axes.
    ///
    /// @example
    /// tril([[1, 2], [3, 4]]); // [[1,0],[3,4]]
    tril(x: tensor, diagonal: whole = 0) ["any" -> "same", smooth] => x.tril(diagonal);

    /// What lies on and above a diagonal of each matrix, 0 elsewhere; `diagonal` moves it to the right. Throws `ShapeError` below two axes.
    ///
    /// @example
    /// triu([[1, 2], [3, 4]]); // [[1,2],[0,4]]
    triu(x: tensor, diagonal: whole = 0) ["any" -> "same", smooth] => x.triu(diagonal);
}
