operations! {
    shape "Reshaping, permuting, repeating, padding and slicing."

    /// The same elements in row-major order under another shape; one extent may be −1 and is worked
    /// out. Throws `ShapeError`.
    ///
    /// @example
    /// reshape([1, 2, 3, 4], [2, -1]); // [[1,2],[3,4]]
    reshape(x: tensor, shape: reshape) ["any" -> "same", smooth] => x.reshape(&shape);

    /// The axes from `start` to `end`, both among them, as one: all of them by default. Throws
    /// `AxisError`.
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
    swapAxes(x: tensor, a: axis, b: axis) ["any" -> "same", smooth, deferred] => x.swap_axes(a, b);

    /// The last two axes exchanged.
    ///
    /// @example
    /// matrixTranspose([[1, 2, 3]]); // [[1],[2],[3]]
    matrixTranspose(x: tensor) ["any" -> "same", smooth, deferred, function] => x.matrix_transpose();

    /// Repeated along axes of extent 1, and along new axes in front, to `shape`. Throws
    /// `ShapeError` when that does not fit.
    ///
    /// @example
    /// broadcastTo([1, 2], [2, 2]); // [[1,2],[1,2]]
    broadcastTo(x: tensor, shape: extents) ["any" -> "same", smooth] => x.broadcast_to(&shape);

    /// A new axis of extent 1 at `axis`, or several at the given positions of the result.
    ///
    /// @example
    /// expandDims([1, 2], -1); // [[1],[2]]
    expandDims(x: tensor, axis: axes = 0) ["any" -> "same", smooth] => x.expand_dims_at(&axis.unwrap_or_default());

    /// Without the given axes of extent 1, or without all such.
    ///
    /// @example
    /// squeeze([[[1, 2]]]); // [1,2]
    squeeze(x: tensor, axis: axes) ["any" -> "same", smooth] => x.squeeze(axis.as_deref());

    /// With at least one axis.
    ///
    /// @example
    /// atLeast1d(3); // [3]
    atLeast1d(x: tensor) ["any" -> "same", smooth, deferred, function] => x.at_least(1);

    /// With at least two axes; a vector is a row.
    ///
    /// @example
    /// atLeast2d([1, 2]); // [[1,2]]
    atLeast2d(x: tensor) ["any" -> "same", smooth, deferred, function] => x.at_least(2);

    /// With at least three axes, as NumPy's: a vector lies along the second, a matrix along the
    /// first two.
    ///
    /// @example
    /// atLeast3d([1, 2]); // [[[1],[2]]]
    atLeast3d(x: tensor) ["any" -> "same", smooth, deferred, function] => x.at_least(3);

    /// Reversed along the given axes, or all.
    ///
    /// @example
    /// flip([[1, 2], [3, 4]], 1); // [[2,1],[4,3]]
    flip(x: tensor, axis: axes) ["any" -> "same", smooth, deferred] => x.flip(axis.as_deref());

    /// The rows in the opposite order.
    ///
    /// @example
    /// flipud([[1, 2], [3, 4]]); // [[3,4],[1,2]]
    flipud(x: tensor) ["any" -> "same", smooth, deferred, function] => x.flipud();

    /// The columns in the opposite order.
    ///
    /// @example
    /// fliplr([[1, 2], [3, 4]]); // [[2,1],[4,3]]
    fliplr(x: tensor) ["any" -> "same", smooth, deferred, function] => x.fliplr();

    /// Turned by quarter turns in the plane of two axes, from the first towards the second.
    ///
    /// @example
    /// rot90([[1, 2], [3, 4]]); // [[2,4],[1,3]]
    rot90(x: tensor, times: whole = 1, from: axis = 0, to: axis = 1) ["any" -> "same", smooth, deferred] => x.rot90(times, from, to);

    /// Elements moved along the given axes, or of the flattened tensor; those that leave at one end
    /// come in at the other. One shift serves all axes, or each has its own; they may be a tensor
    /// of integers. Throws `ShapeError` for another number of shifts.
    ///
    /// @example
    /// roll([1, 2, 3], 1); // [3,1,2]
    /// roll([[1, 2], [3, 4]], -1, 0); // [[3,4],[1,2]]
    /// roll([[1, 2], [3, 4]], [1, 1], [0, 1]); // [[4,3],[2,1]]
    roll(x: tensor, shift: shifts, axis: axes) ["any" -> "same", smooth, deferred] => x.rolled(&shift, axis.as_deref());

    /// The whole repeated along each axis, or along the last one; where there are more numbers than
    /// axes, along new axes in front.
    ///
    /// @example
    /// tile([1, 2], 2); // [1,2,1,2]
    /// tile([1, 2], [2, 1]); // [[1,2],[1,2]]
    tile(x: tensor, times: counts) ["any" -> "same", smooth, deferred] => x.tile(&times);

    /// An axis moved to another place, or several to as many places, the others in their order.
    ///
    /// @example
    /// moveAxis(zeros([2, 3, 4]), 0, -1).shape; // [3,4,2]
    /// moveAxis(zeros([2, 3, 4]), [0, 1], [-1, 0]).shape; // [3,4,2]
    moveAxis(x: tensor, from: places, to: places) ["any" -> "same", smooth] => x.move_axis(&from, &to);

    /// The elements on and below a diagonal of each matrix, 0 elsewhere; `diagonal` moves it to the
    /// right. Throws `ShapeError` below two axes.
    ///
    /// @example
    /// tril([[1, 2], [3, 4]]); // [[1,0],[3,4]]
    tril(x: tensor, diagonal: whole = 0) ["any" -> "same", smooth, deferred] => x.tril(diagonal);

    /// The elements on and above a diagonal of each matrix, 0 elsewhere; `diagonal` moves it to the
    /// right. Throws `ShapeError` below two axes.
    ///
    /// @example
    /// triu([[1, 2], [3, 4]]); // [[1,2],[0,4]]
    triu(x: tensor, diagonal: whole = 0) ["any" -> "same", smooth, deferred] => x.triu(diagonal);

    /// The diagonal of the matrices of two axes, as a last axis; `offset` moves it to the right.
    ///
    /// @example
    /// diagonal([[1, 2], [3, 4]]); // [1,4]
    diagonal(x: tensor, offset: whole = 0, a: axis = 0, b: axis = 1) ["any" -> "same", smooth, deferred] => x.diagonal(offset, a, b);

    /// A vector along the diagonal of a matrix otherwise 0, or the diagonal of a matrix; `offset`
    /// moves it to the right.
    ///
    /// @example
    /// diag([1, 2]); // [[1,0],[0,2]]
    /// diag([[1, 2], [3, 4]], 1); // [2]
    diag(x: tensor, offset: whole = 0) ["any" -> "same", smooth, deferred] => x.diag(offset);

    /// The sum of the diagonal of the matrices of two axes; `offset` moves it to the right.
    ///
    /// @example
    /// trace([[1, 2], [3, 4]]); // 5
    trace(x: tensor, offset: whole = 0, a: axis = 0, b: axis = 1) ["any" -> "the same, i32 of bool", smooth, deferred] => x.trace(offset, a, b);

    /// The windows that slide along some axes, or all: their positions are along those axes, and
    /// their elements along new last axes, as `numpy.lib.stride_tricks.sliding_window_view`. Throws
    /// `ShapeError` for a window longer than its axis.
    ///
    /// @example
    /// slidingWindowView([1, 2, 3, 4], 3); // [[1,2,3],[2,3,4]]
    slidingWindowView(x: tensor, window: counts, axis: axes) ["any" -> "same", smooth, deferred, function] => x.sliding_windows(&window, axis.as_deref());

    transpose(x: tensor) ["any" -> "same", smooth] => x.transpose();
    pad(x: tensor, widths: widths, value: number) ["any" -> "same", smooth] => x.pad(&widths.0, value);
    pad.border(x: tensor, widths: widths, mode: text) ["any" -> "same", smooth, deferred] => x.pad_with(&widths.0, Border::parse("pad", &mode)?);
    slice(x: tensor, ranges: ranges) ["any" -> "same", smooth] => x.part(&ranges.0);
    repeat(x: tensor, times: counts, axis: position) ["any" -> "same", smooth, deferred] => x.repeat(&times, axis.map(|axis| axis[0]));
    repeat.by(x: tensor, times: integers, length: count, axis: position) ["any; i32, u32" -> "same", smooth, deferred] => x.repeat_by(&times, length, axis.map(|axis| axis[0]));
}
