operations! {
    nans "Which reductions leave out what is NaN?"

    /// Sum of what is not NaN.
    ///
    /// @example
    /// nansum([1, NaN, 2]); // 3
    nansum(x: tensor, axis: axes, options: totalled) ["any" -> "the same, i32 of bool", smooth] => x.nansum(axis.as_deref(), options);

    /// Product of what is not NaN.
    ///
    /// @example
    /// nanprod([2, NaN, 3]); // 6
    nanprod(x: tensor, axis: axes, options: totalled) ["any" -> "the same, i32 of bool", smooth] => x.nanprod(axis.as_deref(), options);

    /// Mean of what is not NaN; NaN where nothing is.
    ///
    /// @example
    /// nanmean([1, NaN, 3]); // 2
    nanmean(x: tensor, axis: axes, options: averaged) ["any" -> "f32", smooth] => x.nanmean(axis.as_deref(), options);

    /// The largest of what is not NaN; NaN where nothing is. Throws `ShapeError` over nothing.
    ///
    /// @example
    /// nanmax([1, NaN, 3]); // 3
    nanmax(x: tensor, axis: axes, options: fold) ["any" -> "same", smooth] => x.nanmax(axis.as_deref(), options);

    /// The smallest of what is not NaN; NaN where nothing is. Throws `ShapeError` over nothing.
    ///
    /// @example
    /// nanmin([1, NaN, 3]); // 1
    nanmin(x: tensor, axis: axes, options: fold) ["any" -> "same", smooth] => x.nanmin(axis.as_deref(), options);

    /// Variance of what is not NaN.
    ///
    /// @example
    /// nanvar([1, NaN, 3]); // 1
    nanvar(x: tensor, axis: axes, options: spread) ["any" -> "f32", smooth] => x.nanvar(axis.as_deref(), options.keepdims, options.correction);

    /// Standard deviation of what is not NaN.
    ///
    /// @example
    /// nanstd([1, NaN, 5]); // 2
    nanstd(x: tensor, axis: axes, options: spread) ["any" -> "f32", smooth] => x.nanstd(axis.as_deref(), options.keepdims, options.correction);

    /// The position of the largest of what is not NaN, the first among equals, as i32.
    ///
    /// @example
    /// nanargmax([1, NaN, 3]); // 2
    nanargmax(x: tensor, axis: position, options: keepdims) ["any" -> "i32", none] => x.nanargmax(axis.as_deref(), options);

    /// The position of the smallest of what is not NaN, the first among equals, as i32.
    ///
    /// @example
    /// nanargmin([1, NaN, 3]); // 0
    nanargmin(x: tensor, axis: position, options: keepdims) ["any" -> "i32", none] => x.nanargmin(axis.as_deref(), options);
}
