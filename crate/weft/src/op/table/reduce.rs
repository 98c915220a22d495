operations! {
    reduce "Reductions over axes, also of what is not NaN."

    /// Sum; bools count as 0 and 1. With a `dtype` elements are cast to it first.
    ///
    /// @example
    /// sum([[1, 2], [3, 4]]); // 10
    /// sum([[1, 2], [3, 4]], 0); // [4,6]
    /// sum([1, 2, 3], null, { where: [1, 0, 1], initial: 10 }); // 14
    /// sum(tensor([200, 100], { dtype: "f16" }), null, { dtype: "f32" }); // 300
    sum(x: tensor, axis: axes, options: totalled) ["any" -> "the same, i32 of bool", smooth] => x.sum(axis.as_deref(), options);

    /// Product.
    ///
    /// @example
    /// prod([2, 3, 4]); // 24
    prod(x: tensor, axis: axes, options: totalled) ["any" -> "the same, i32 of bool", smooth, deferred] => x.prod(axis.as_deref(), options);

    /// Mean, in f32.
    ///
    /// @example
    /// mean([[1, 2], [3, 6]], 1); // [1.5,4.5]
    mean(x: tensor, axis: axes, options: averaged) ["any" -> "f32", smooth] => x.mean(axis.as_deref(), options);

    /// The largest; NaN if any is. Throws `ShapeError` over nothing, unless it has something to
    /// begin with.
    ///
    /// @example
    /// max([[1, 5], [3, 2]], -1); // [5,3]
    max(x: tensor, axis: axes, options: fold) ["any" -> "same", smooth] => x.max(axis.as_deref(), options);

    /// The smallest; NaN if any is. Throws `ShapeError` over nothing, unless it has something to
    /// begin with.
    ///
    /// @example
    /// min([4, 2, 8]); // 2
    min(x: tensor, axis: axes, options: fold) ["any" -> "same", smooth] => x.min(axis.as_deref(), options);

    /// The position of the largest, the first among equals, as i32.
    ///
    /// @example
    /// argmax([[1, 5], [3, 2]], 1); // [1,0]
    argmax(x: tensor, axis: position, options: keepdims) ["any" -> "i32", none] => x.argmax(axis.as_deref(), options);

    /// The position of the smallest, the first among equals, as i32.
    ///
    /// @example
    /// argmin([4, 2, 8]); // 1
    argmin(x: tensor, axis: position, options: keepdims) ["any" -> "i32", none, deferred] => x.argmin(axis.as_deref(), options);

    /// Whether any element is true, or not zero.
    ///
    /// @example
    /// any([false, true]); // true
    any(x: tensor, axis: axes, options: part) ["any" -> "bool", none] => x.any(axis.as_deref(), options);

    /// Whether all elements are true, or not zero.
    ///
    /// @example
    /// all([false, true]); // false
    all(x: tensor, axis: axes, options: part) ["any" -> "bool", none] => x.all(axis.as_deref(), options);

    /// log Σ eˣ, without overflow.
    ///
    /// @example
    /// logSumExp([1000, 1000]); // 1000.7
    logSumExp(x: tensor, axis: axes, options: part) ["any" -> "f32", smooth, deferred] => x.log_sum_exp(axis.as_deref(), options);

    /// Variance, in f32.
    ///
    /// @example
    /// variance([1, 2, 3]); // 0.66667
    variance(x: tensor, axis: axes, options: spread) ["any" -> "f32", smooth] => x.var(axis.as_deref(), options.keepdims, options.correction);

    /// Standard deviation, in f32.
    ///
    /// @example
    /// std([[1, 3], [2, 6]], 1); // [1,2]
    std(x: tensor, axis: axes, options: spread) ["any" -> "f32", smooth] => x.std(axis.as_deref(), options.keepdims, options.correction);

    /// (Σ |x|ᵖ)^(1/p): of order 2 the length, of `Infinity` the largest magnitude, of 0 how many
    /// are not zero.
    ///
    /// @example
    /// norm([3, 4]); // 5
    /// norm([3, -4], Infinity); // 4
    norm(x: tensor, order: number = 2, axis: axes, options: keepdims) ["any" -> "f32", smooth, deferred] => x.norm(order, axis.as_deref(), options);

    /// The largest less the smallest. Throws `ShapeError` over nothing.
    ///
    /// @example
    /// ptp([4, 2, 8]); // 6
    ptp(x: tensor, axis: axes, options: keepdims) ["any" -> "the dtype of x, i32 of bool", smooth, deferred] => x.ptp(axis.as_deref(), options);

    /// How many elements are not zero, as i32.
    ///
    /// @example
    /// countNonzero([0, 3, 1]); // 2
    countNonzero(x: tensor, axis: axes, options: keepdims) ["any" -> "i32", none, deferred] => x.count_nonzero(axis.as_deref(), options);

    /// log of the mean of eˣ, without overflow.
    ///
    /// @example
    /// logMeanExp([1000, 1000]); // 1000
    logMeanExp(x: tensor, axis: axes, options: keepdims) ["any" -> "f32", smooth, deferred] => x.log_mean_exp(axis.as_deref(), options);

    /// The exclusive or of all elements: of bools whether an odd number of them holds.
    ///
    /// @example
    /// reduceXor(tensor([5, 3, 1], { dtype: "i32" })); // 7
    reduceXor(x: tensor, axis: axes, keepdims: keepdims) ["bool, i32, u32" -> "same", none, deferred, function] => x.parity(axis.as_deref(), keepdims);

    /// The sum of the elements that are not NaN.
    ///
    /// @example
    /// nansum([1, NaN, 2]); // 3
    nansum(x: tensor, axis: axes, options: totalled) ["any" -> "the same, i32 of bool", smooth, deferred] => x.nansum(axis.as_deref(), options);

    /// The product of the elements that are not NaN.
    ///
    /// @example
    /// nanprod([2, NaN, 3]); // 6
    nanprod(x: tensor, axis: axes, options: totalled) ["any" -> "the same, i32 of bool", smooth, deferred] => x.nanprod(axis.as_deref(), options);

    /// The mean of the elements that are not NaN; NaN where all are.
    ///
    /// @example
    /// nanmean([1, NaN, 3]); // 2
    nanmean(x: tensor, axis: axes, options: averaged) ["any" -> "f32", smooth, deferred] => x.nanmean(axis.as_deref(), options);

    /// The largest of the elements that are not NaN; NaN where all are. Throws `ShapeError` over
    /// nothing.
    ///
    /// @example
    /// nanmax([1, NaN, 3]); // 3
    nanmax(x: tensor, axis: axes, options: fold) ["any" -> "same", smooth, deferred] => x.nanmax(axis.as_deref(), options);

    /// The smallest of the elements that are not NaN; NaN where all are. Throws `ShapeError` over
    /// nothing.
    ///
    /// @example
    /// nanmin([1, NaN, 3]); // 1
    nanmin(x: tensor, axis: axes, options: fold) ["any" -> "same", smooth, deferred] => x.nanmin(axis.as_deref(), options);

    /// The variance of the elements that are not NaN.
    ///
    /// @example
    /// nanvar([1, NaN, 3]); // 1
    nanvar(x: tensor, axis: axes, options: spread) ["any" -> "f32", smooth, deferred] => x.nanvar(axis.as_deref(), options.keepdims, options.correction);

    /// The standard deviation of the elements that are not NaN.
    ///
    /// @example
    /// nanstd([1, NaN, 5]); // 2
    nanstd(x: tensor, axis: axes, options: spread) ["any" -> "f32", smooth, deferred] => x.nanstd(axis.as_deref(), options.keepdims, options.correction);

    /// The position of the largest element that is not NaN, the first among equals, as i32.
    ///
    /// @example
    /// nanargmax([1, NaN, 3]); // 2
    nanargmax(x: tensor, axis: position, options: keepdims) ["any" -> "i32", none, deferred] => x.nanargmax(axis.as_deref(), options);

    /// The position of the smallest element that is not NaN, the first among equals, as i32.
    ///
    /// @example
    /// nanargmin([1, NaN, 3]); // 0
    nanargmin(x: tensor, axis: position, options: keepdims) ["any" -> "i32", none, deferred] => x.nanargmin(axis.as_deref(), options);

    among(x: stored, axis: axes, keepdims: flag, over: text, correction: number, initial: bound, mask: maybe, dtype: bound) ["any" -> "`dtype`", smooth, deferred] => {
        let dtype = dtype.and_then(|code| DType::ALL.get(code as usize).copied());
        among_by_name(&x.0, &over, axis.as_deref(), keepdims, correction, &Among { initial, mask, dtype })
    };

    average(x: tensor, axis: axes, keepdims: flag, weights: maybe) ["any" -> "f32", smooth, deferred] => x.average(axis.as_deref(), weights.as_ref(), keepdims);
}
