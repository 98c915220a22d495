operations! {
    tallies "How do tensors compare as wholes, and what do their elements come to?"

    /// The largest less the smallest. Throws `ShapeError` over nothing.
    ///
    /// @example
    /// ptp([4, 2, 8]); // 6
    ptp(x: tensor, axis: axes, options: keepdims) ["any" -> "the dtype of x, i32 of bool", smooth] => x.ptp(axis.as_deref(), options);

    /// How many elements are not zero, as i32.
    ///
    /// @example
    /// countNonzero([0, 3, 1]); // 2
    countNonzero(x: tensor, axis: axes, options: keepdims) ["any" -> "i32", none] => x.count_nonzero(axis.as_deref(), options);

    /// log of the mean of eˣ, without overflow.
    ///
    /// @example
    /// logMeanExp([1000, 1000]); // 1000
    logMeanExp(x: tensor, axis: axes, options: keepdims) ["any" -> "f32", smooth] => x.log_mean_exp(axis.as_deref(), options);

    /// Whether |a − b| ≤ atol + rtol · |b| for each pair.
    ///
    /// @example
    /// isClose([1, 2], [1.000001, 2.1]); // [true,false]
    isClose(a: operand, b: operand, options: closeness, device: device) ["any" -> "bool", none] => nan::two::is_close(&device, a, b, options);

    /// Whether all pairs are close, as `isClose` tells: one bool.
    ///
    /// @example
    /// allClose([1, 2], [1, 2.1]); // false
    allClose(a: operand, b: operand, options: closeness, device: device) ["any" -> "bool", none] => nan::two::all_close(&device, a, b, options);

    /// Whether both have one shape and equal elements: one bool.
    ///
    /// @example
    /// arrayEqual([1, 2], [1, 2]); // true
    /// arrayEqual([1, NaN], [1, NaN], { equalNan: true }); // true
    arrayEqual(a: tensor, b: tensor, options: equality) ["any" -> "bool", none] => a.array_equal(&b, options);

    /// Whether each element is one of `values`, or, with `invert`, none of them.
    ///
    /// @example
    /// isIn([1, 2, 3], [3, 1]); // [true,false,true]
    /// isIn([1, 2, 3], [3, 1], { invert: true }); // [false,true,false]
    isIn(x: tensor, values: tensor, options: inversion) ["any" -> "bool", none] => x.is_in(&values, options);
}
