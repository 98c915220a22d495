operations! {
    order "In which order do elements stand?"

    /// The elements of each line of an axis, or (null) all of them, in ascending order, or descending; NaN behind all, in descending order before.
    ///
    /// @example
    /// sort([3, 1, 2]); // [1,2,3]
    /// sort([3, 1, 2], -1, true); // [3,2,1]
    sort(x: tensor, axis: position = -1, descending: flag = false) ["any" -> "same", smooth] => on(x, axis, |x, axis| x.sort(axis, descending));

    /// The positions that put each line of an axis, or (null) all elements in row-major order, in order; those of equal elements in ascending order either way.
    ///
    /// @example
    /// argsort([3, 1, 2]); // [1,2,0]
    argsort(x: tensor, axis: position = -1, descending: flag = false) ["any" -> "i32", none] => on(x, axis, |x, axis| x.argsort(axis, descending));

    /// The positions that put lines of several keys in order, of which the last counts most. Throws `ShapeError` where shapes differ.
    ///
    /// @example
    /// lexsort([[2, 1, 0], [0, 1, 0]]); // [2,0,1]
    lexsort(keys: tensors, axis: axis = -1) ["any" -> "i32", none] => lexsort(&each(&keys), axis);

    /// Each line of an axis, or (null) all elements as one, with the element at `kth` where it belongs: none greater before it and none smaller behind, which all are sorted too.
    ///
    /// @example
    /// partition([3, 1, 2], 1); // [1,2,3]
    partition(x: tensor, kth: whole, axis: position = -1) ["any" -> "same", smooth] => on(x, axis, |x, axis| x.partition(kth, axis));

    /// The positions that `partition` takes elements from.
    ///
    /// @example
    /// argpartition([3, 1, 2], 1); // [1,2,0]
    argpartition(x: tensor, kth: whole, axis: position = -1) ["any" -> "i32", none] => on(x, axis, |x, axis| x.argpartition(kth, axis));

    /// The middle element in order, or the mean of the two in the middle; NaN where any is. Throws `ShapeError` over nothing.
    ///
    /// @example
    /// median([3, 1, 2]); // 2
    median(x: tensor, axis: axes, options: keepdims) ["any" -> "f32", smooth] => x.median(axis.as_deref(), options);

    /// The middle of what is not NaN; NaN where nothing is.
    ///
    /// @example
    /// nanmedian([3, NaN, 2]); // 2.5
    nanmedian(x: tensor, axis: axes, options: keepdims) ["any" -> "f32", smooth] => x.nanmedian(axis.as_deref(), options);

    /// What a share `q` of the elements lies below; NaN where any is. The axes of `q` come first. Throws `ValueError` for a number outside 0 to 1.
    ///
    /// @example
    /// quantile([1, 2, 3, 4], 0.5); // 2.5
    /// quantile([1, 2, 3, 4], 0.5, null, { method: "lower" }); // 2
    quantile(x: tensor, q: operand, axis: axes, options: between) ["any; any" -> "f32", smooth] => x.quantile(q, axis.as_deref(), options.0, options.1);

    /// What a share `q` of what is not NaN lies below; NaN where nothing is.
    ///
    /// @example
    /// nanquantile([1, NaN, 3], 0.5); // 2
    nanquantile(x: tensor, q: operand, axis: axes, options: between) ["any; any" -> "f32", smooth] => x.nanquantile(q, axis.as_deref(), options.0, options.1);

    /// What a percentage of the elements lies below: `quantile` of a hundredth.
    ///
    /// @example
    /// percentile([1, 2, 3, 4], 50); // 2.5
    percentile(x: tensor, percent: operand, axis: axes, options: between) ["any; any" -> "f32", smooth] => x.quantile(hundredth(percent)?, axis.as_deref(), options.0, options.1);

    /// `percentile` of what is not NaN.
    ///
    /// @example
    /// nanpercentile([1, NaN, 3], 50); // 2
    nanpercentile(x: tensor, percent: operand, axis: axes, options: between) ["any; any" -> "f32", smooth] => x.nanquantile(hundredth(percent)?, axis.as_deref(), options.0, options.1);

    /// How many different elements there are; all NaN are one.
    ///
    /// @example
    /// uniqueCount([2, 1, 2]); // 2
    uniqueCount(x: tensor) ["any" -> "i32", none] => x.unique_count();
}
