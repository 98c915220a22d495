operations! {
    running "What is accumulated along an axis?"

    /// The sum of all elements up to each along an axis, or (null) of all in row-major order, or from each on; without its own if `exclusive`.
    ///
    /// @example
    /// cumsum([1, 2, 3]); // [1,3,6]
    /// cumsum([[1, 2], [3, 4]], null); // [1,3,6,10]
    cumsum(x: tensor, axis: position = -1, reverse: flag = false, exclusive: flag = false) ["any" -> "the same, i32 of bool", smooth] => on(x, axis, |x, axis| x.cumsum_with(axis, Running { reverse, exclusive }));

    /// The product of all elements up to each along an axis, or (null) of all in row-major order, or from each on; without its own if `exclusive`.
    ///
    /// @example
    /// cumprod([1, 2, 3]); // [1,2,6]
    cumprod(x: tensor, axis: position = -1, reverse: flag = false, exclusive: flag = false) ["any" -> "the same, i32 of bool", smooth] => on(x, axis, |x, axis| x.cumprod_with(axis, Running { reverse, exclusive }));

    /// The largest of all elements up to each along an axis, or (null) of all in row-major order, or from each on; without its own if `exclusive`. The gradient goes to the first of equal ones.
    ///
    /// @example
    /// cummax([1, 3, 2]); // [1,3,3]
    cummax(x: tensor, axis: position = -1, reverse: flag = false, exclusive: flag = false) ["any" -> "same", smooth] => on(x, axis, |x, axis| x.cummax_with(axis, Running { reverse, exclusive }));

    /// The smallest of all elements up to each along an axis, or (null) of all in row-major order, or from each on; without its own if `exclusive`. The gradient goes to the first of equal ones.
    ///
    /// @example
    /// cummin([3, 1, 2]); // [3,1,1]
    cummin(x: tensor, axis: position = -1, reverse: flag = false, exclusive: flag = false) ["any" -> "same", smooth] => on(x, axis, |x, axis| x.cummin_with(axis, Running { reverse, exclusive }));
}
