operations! {
    scan "Cumulative reductions and differences along an axis."

    /// The sum of all elements up to each along an axis, or (null) of all in row-major order, or
    /// from each on; without its own if `exclusive`.
    ///
    /// @example
    /// cumsum([1, 2, 3]); // [1,3,6]
    /// cumsum([[1, 2], [3, 4]], null); // [1,3,6,10]
    cumsum(x: tensor, axis: position = -1, reverse: flag = false, exclusive: flag = false) ["any" -> "the same, i32 of bool", smooth, deferred] => on(x, axis, |x, axis| x.cumsum_with(axis, Running { reverse, exclusive }));

    /// The product of all elements up to each along an axis, or (null) of all in row-major order,
    /// or from each on; without its own if `exclusive`.
    ///
    /// @example
    /// cumprod([1, 2, 3]); // [1,2,6]
    cumprod(x: tensor, axis: position = -1, reverse: flag = false, exclusive: flag = false) ["any" -> "the same, i32 of bool", smooth, deferred] => on(x, axis, |x, axis| x.cumprod_with(axis, Running { reverse, exclusive }));

    /// The largest of all elements up to each along an axis, or (null) of all in row-major order,
    /// or from each on; without its own if `exclusive`. The gradient goes to the first of equal
    /// ones.
    ///
    /// @example
    /// cummax([1, 3, 2]); // [1,3,3]
    cummax(x: tensor, axis: position = -1, reverse: flag = false, exclusive: flag = false) ["any" -> "same", smooth, deferred] => on(x, axis, |x, axis| x.cummax_with(axis, Running { reverse, exclusive }));

    /// The smallest of all elements up to each along an axis, or (null) of all in row-major order,
    /// or from each on; without its own if `exclusive`. The gradient goes to the first of equal
    /// ones.
    ///
    /// @example
    /// cummin([3, 1, 2]); // [3,1,1]
    cummin(x: tensor, axis: position = -1, reverse: flag = false, exclusive: flag = false) ["any" -> "same", smooth, deferred] => on(x, axis, |x, axis| x.cummin_with(axis, Running { reverse, exclusive }));

    /// log Σ eˣ of all elements up to each along an axis, or (null) of all in row-major order, or
    /// from each on, without overflow.
    ///
    /// @example
    /// logCumSumExp([0, 0]); // [0,0.69315]
    logCumSumExp(x: tensor, axis: position = -1, reverse: flag = false) ["any" -> "f32", smooth, deferred, function] => on(x, axis, |x, axis| x.log_cum_sum_exp_with(axis, reverse));

    /// The sum of each element and all before it along an axis; with `includeInitial` after a 0, so
    /// that there is one more than there are elements.
    ///
    /// @example
    /// cumulativeSum([1, 2, 3]); // [1,3,6]
    /// cumulativeSum([1, 2, 3], 0, { includeInitial: true }); // [0,1,3,6]
    cumulativeSum(x: tensor, axis: position = -1, options: initial) ["any" -> "the same, i32 of bool", smooth, deferred, function] => on(x, axis, |x, axis| x.cumulative_sum(axis, options));

    /// The product of each element and all before it along an axis; with `includeInitial` after a
    /// 1, so that there is one more than there are elements.
    ///
    /// @example
    /// cumulativeProd([2, 3], 0, { includeInitial: true }); // [1,2,6]
    cumulativeProd(x: tensor, axis: position = -1, options: initial) ["any" -> "the same, i32 of bool", smooth, deferred, function] => on(x, axis, |x, axis| x.cumulative_prod(axis, options));

    /// `cumsum` with 0 for NaN.
    ///
    /// @example
    /// nancumsum([1, NaN, 2]); // [1,1,3]
    nancumsum(x: tensor, axis: position = -1) ["any" -> "the same, i32 of bool", smooth, deferred, function] => on(x, axis, |x, axis| x.nancumsum(axis));

    /// `cumprod` with 1 for NaN.
    ///
    /// @example
    /// nancumprod([2, NaN, 3]); // [2,2,6]
    nancumprod(x: tensor, axis: position = -1) ["any" -> "the same, i32 of bool", smooth, deferred, function] => on(x, axis, |x, axis| x.nancumprod(axis));

    diff(x: tensor, times: count, axis: axis) ["any" -> "same", smooth, deferred] => x.diff(times, axis);
    ediff1d(x: tensor, begin: tensor, end: tensor) ["any" -> "same", smooth, deferred] => x.ediff1d(&begin, &end);
}
