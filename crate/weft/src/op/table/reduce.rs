operations! {
    reduce "How do many elements become one?"

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
    prod(x: tensor, axis: axes, options: totalled) ["any" -> "the same, i32 of bool", smooth] => x.prod(axis.as_deref(), options);

    /// Mean, in f32.
    ///
    /// @example
    /// mean([[1, 2], [3, 6]], 1); // [1.5,4.5]
    mean(x: tensor, axis: axes, options: averaged) ["any" -> "f32", smooth] => x.mean(axis.as_deref(), options);

    /// The largest; NaN if any is. Throws `ShapeError` over nothing, unless it has something to begin with.
    ///
    /// @example
    /// max([[1, 5], [3, 2]], -1); // [5,3]
    max(x: tensor, axis: axes, options: fold) ["any" -> "same", smooth] => x.max(axis.as_deref(), options);

    /// The smallest; NaN if any is. Throws `ShapeError` over nothing, unless it has something to begin with.
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
    argmin(x: tensor, axis: position, options: keepdims) ["any" -> "i32", none] => x.argmin(axis.as_deref(), options);

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
    logSumExp(x: tensor, axis: axes, options: part) ["any" -> "f32", smooth] => x.log_sum_exp(axis.as_deref(), options);

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

    /// (Σ |x|ᵖ)^(1/p): of order 2 the length, of `Infinity` the largest magnitude, of 0 how many are not zero.
    ///
    /// @example
    /// norm([3, 4]); // 5
    /// norm([3, -4], Infinity); // 4
    norm(x: tensor, order: number = 2, axis: axes, options: keepdims) ["any" -> "f32", smooth] => x.norm(order, axis.as_deref(), options);
}
