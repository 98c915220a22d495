operations! {
    sort "Sorting, order statistics, searches in sorted vectors, unique elements and sets."

    /// The elements of each line of an axis, or (null) all of them, in ascending order, or
    /// descending; NaN behind all, in descending order before.
    ///
    /// @example
    /// sort([3, 1, 2]); // [1,2,3]
    /// sort([3, 1, 2], -1, true); // [3,2,1]
    sort(x: tensor, axis: position = -1, descending: flag = false) ["any" -> "same", smooth, deferred] => on(x, axis, |x, axis| x.sort(axis, descending));

    /// The positions that put each line of an axis, or (null) all elements in row-major order, in
    /// order; those of equal elements in ascending order either way.
    ///
    /// @example
    /// argsort([3, 1, 2]); // [1,2,0]
    argsort(x: tensor, axis: position = -1, descending: flag = false) ["any" -> "i32", none, deferred] => on(x, axis, |x, axis| x.argsort(axis, descending));

    /// The positions that put lines of several keys in order, of which the last counts most. Throws
    /// `ShapeError` where shapes differ.
    ///
    /// @example
    /// lexsort([[2, 1, 0], [0, 1, 0]]); // [2,0,1]
    lexsort(keys: tensors, axis: axis = -1) ["any" -> "i32", none, deferred, function] => lexsort(&each(&keys), axis);

    /// Each line of an axis, or (null) all elements as one, with the element at `kth` where it
    /// belongs: none greater before it and none smaller behind, which all are sorted too.
    ///
    /// @example
    /// partition([3, 1, 2], 1); // [1,2,3]
    partition(x: tensor, kth: whole, axis: position = -1) ["any" -> "same", smooth, deferred] => on(x, axis, |x, axis| x.partition(kth, axis));

    /// The positions that `partition` takes elements from.
    ///
    /// @example
    /// argpartition([3, 1, 2], 1); // [1,2,0]
    argpartition(x: tensor, kth: whole, axis: position = -1) ["any" -> "i32", none, deferred] => on(x, axis, |x, axis| x.argpartition(kth, axis));

    /// The middle element in order, or the mean of the two in the middle; NaN where any is, and
    /// of nothing.
    ///
    /// @example
    /// median([3, 1, 2]); // 2
    median(x: tensor, axis: axes, options: keepdims) ["any" -> "f32", smooth, deferred] => x.median(axis.as_deref(), options);

    /// The median of the elements that are not NaN; NaN where all are, and of nothing.
    ///
    /// @example
    /// nanmedian([3, NaN, 2]); // 2.5
    nanmedian(x: tensor, axis: axes, options: keepdims) ["any" -> "f32", smooth, deferred] => x.nanmedian(axis.as_deref(), options);

    /// The value below which a share `q` of the elements lies; NaN where any element is NaN. The
    /// axes of `q` come first. Throws `ValueError` for a number outside 0 to 1.
    ///
    /// @example
    /// quantile([1, 2, 3, 4], 0.5); // 2.5
    /// quantile([1, 2, 3, 4], 0.5, null, { method: "lower" }); // 2
    quantile(x: tensor, q: operand, axis: axes, options: between) ["any; any" -> "f32", smooth, deferred] => x.quantile(q, axis.as_deref(), options.0, options.1);

    /// `quantile` of the elements that are not NaN; NaN where all are.
    ///
    /// @example
    /// nanquantile([1, NaN, 3], 0.5); // 2
    nanquantile(x: tensor, q: operand, axis: axes, options: between) ["any; any" -> "f32", smooth, deferred] => x.nanquantile(q, axis.as_deref(), options.0, options.1);

    /// The value below which a percentage of the elements lies: `quantile` of a hundredth of it.
    ///
    /// @example
    /// percentile([1, 2, 3, 4], 50); // 2.5
    percentile(x: tensor, percent: operand, axis: axes, options: between) ["any; any" -> "f32", smooth, deferred] => x.quantile(hundredth(percent)?, axis.as_deref(), options.0, options.1);

    /// `percentile` of the elements that are not NaN.
    ///
    /// @example
    /// nanpercentile([1, NaN, 3], 50); // 2
    nanpercentile(x: tensor, percent: operand, axis: axes, options: between) ["any; any" -> "f32", smooth, deferred] => x.nanquantile(hundredth(percent)?, axis.as_deref(), options.0, options.1);

    /// How many different elements there are; all NaN are one.
    ///
    /// @example
    /// uniqueCount([2, 1, 2]); // 2
    uniqueCount(x: tensor) ["any" -> "i32", none, deferred] => x.unique_count();

    /// The rank of each element among all, or of a line of an axis, from 1. Equal elements get the
    /// mean of their ranks, or by the methods "min", "max" and "dense" the rank of SciPy's
    /// `rankdata`; by "ordinal" they are ranked in their order. With a NaN among them all ranks are
    /// NaN.
    ///
    /// @example
    /// rankData([20, 10, 20, 40]); // [2.5,1,2.5,4]
    /// rankData([20, 10, 20, 40], "dense"); // [2,1,2,3]
    rankData(x: tensor, method: text = "average", axis: position) ["any" -> "f32", none, deferred, function] => x.rank_data(axis.map(|axis| axis[0]), Ties::parse(&method)?);

    /// Where each of `values` would have to be inserted into a sorted vector so that it stays
    /// sorted: before equals, or after them.
    ///
    /// @example
    /// searchSorted([1, 2, 2, 5], [2, 9]); // [1,4]
    searchSorted(sorted: tensor, values: operand, after: flag = false, device: device) ["any" -> "i32", none, deferred, function] => search::search_sorted(&device, &sorted, values, after);

    /// The bin in which each element lies: how many of the ascending edges are not above it (or,
    /// from the right, below it). Edges may descend, too.
    ///
    /// @example
    /// digitize([0.5, 1, 9], [1, 2, 3]); // [0,1,3]
    /// digitize([0.5, 1, 9], [1, 2, 3], true); // [0,0,3]
    digitize(x: operand, edges: tensor, right: flag = false, device: device) ["any" -> "i32", none, deferred, function] => search::digitize(&device, x, &edges, right);

    /// Whether each element is one of `values`, or, with `invert`, none of them.
    ///
    /// @example
    /// isIn([1, 2, 3], [3, 1]); // [true,false,true]
    /// isIn([1, 2, 3], [3, 1], { invert: true }); // [false,true,false]
    isIn(x: tensor, values: tensor, options: inversion) ["any" -> "bool", none, deferred] => x.is_in(&values, options);

    topK(x: tensor, k: count, axis: axis) ["any" -> "values same, indices i32", smooth, deferred, several] => {
        let (values, indices) = x.top_k(k, axis)?;
        Ok(vec![values, indices])
    };

    unique.values(x: tensor, size: count) ["any" -> "same", smooth, deferred] => Ok(x.unique(size)?.values);
    unique.indices(x: tensor, size: count) ["any" -> "i32", none, deferred] => Ok(x.unique(size)?.indices);
    unique.inverse(x: tensor, size: count) ["any" -> "i32", none, deferred] => Ok(x.unique(size)?.inverse);
    unique.counts(x: tensor, size: count) ["any" -> "i32", none, deferred] => Ok(x.unique(size)?.counts);
    unique.slices(x: tensor, axis: axis) ["any" -> "i32", none, deferred] => unique::unique_slices(&x, axis);
    members.values(a: tensor, b: tensor, which: count, size: count, fill: number) ["any" -> "promoted", none, deferred] => a.members(&b, Members::ALL[which.min(3)], size, fill);
    members.count(a: tensor, b: tensor, which: count) ["any" -> "i32", none, deferred] => a.member_count(&b, Members::ALL[which.min(3)]);
}
