operations! {
    lines "What is put into the lines of an axis, taken out of them, or told of them?"

    /// `values` behind `x`: both flattened, or joined along an axis.
    ///
    /// @example
    /// append([1, 2], [[3], [4]]); // [1,2,3,4]
    append(x: tensor, values: tensor, axis: position) ["any" -> "promoted", smooth] => x.append(&values, axis.map(|axis| axis[0]));

    /// `values` put before `positions`, which are those before anything is put in; flattened, or along an axis.
    ///
    /// @example
    /// insert([1, 2, 3], 1, 9); // [1,9,2,3]
    /// insert([[1, 2], [3, 4]], [0, 2], 0, 1); // [[0,1,2,0],[0,3,4,0]]
    insert(x: tensor, positions: wholes, values: tensor, axis: position) ["any" -> "promoted", smooth] => x.insert(&positions, &values, axis.map(|axis| axis[0]));

    /// Without what stands at `positions`; flattened, or along an axis. NumPy's `delete`, which is a word of the language here.
    ///
    /// @example
    /// remove([1, 2, 3, 4], [0, -1]); // [2,3]
    remove(x: tensor, positions: wholes, axis: position) ["any" -> "same", smooth] => x.remove(&positions, axis.map(|axis| axis[0]));

    /// A part of `sizes` elements along each axis, from `starts` on, which may be computed: numbers and 0-d integer tensors. Negative starts count from the
    /// end; one from which the part would not fit is the last from which it does. Throws `ShapeError` for a part larger than x. As `jax.lax.dynamic_slice`.
    ///
    /// @example
    /// dynamicSlice([1, 2, 3, 4], [tensor([5, 9, 7]).argmax()], [2]); // [2,3]
    dynamicSlice(x: tensor, starts: scalars, sizes: extents) ["any; i32, u32" -> "same", smooth] => x.dynamic_slice(&starts.0, &sizes);

    /// `x` with `update`, which becomes of its dtype, in the place of the part that `dynamicSlice` would give. As `jax.lax.dynamic_update_slice`.
    ///
    /// @example
    /// dynamicUpdateSlice([1, 2, 3, 4], [8, 9], [tensor([5, 9, 7]).argmax()]); // [1,8,9,4]
    dynamicUpdateSlice(x: tensor, update: tensor, starts: scalars) ["any; any; i32, u32" -> "same", smooth] => x.dynamic_update_slice(&update, &starts.0);

    /// The elements in row-major order as often as fills a shape.
    ///
    /// @example
    /// resize([1, 2, 3], [2, 2]); // [[1,2],[3,1]]
    resize(x: tensor, shape: extents) ["any" -> "same", smooth] => x.resize(&shape);

    /// The sum of each element and all before it along an axis; with `includeInitial` after a 0, so that there is one more than there are elements.
    ///
    /// @example
    /// cumulativeSum([1, 2, 3]); // [1,3,6]
    /// cumulativeSum([1, 2, 3], 0, { includeInitial: true }); // [0,1,3,6]
    cumulativeSum(x: tensor, axis: position = -1, options: initial) ["any" -> "the same, i32 of bool", smooth] => on(x, axis, |x, axis| x.cumulative_sum(axis, options));

    /// The product of each element and all before it along an axis; with `includeInitial` after a 1, so that there is one more than there are elements.
    ///
    /// @example
    /// cumulativeProd([2, 3], 0, { includeInitial: true }); // [1,2,6]
    cumulativeProd(x: tensor, axis: position = -1, options: initial) ["any" -> "the same, i32 of bool", smooth] => on(x, axis, |x, axis| x.cumulative_prod(axis, options));

    /// `cumsum` with 0 for NaN.
    ///
    /// @example
    /// nancumsum([1, NaN, 2]); // [1,1,3]
    nancumsum(x: tensor, axis: position = -1) ["any" -> "the same, i32 of bool", smooth] => on(x, axis, |x, axis| x.nancumsum(axis));

    /// `cumprod` with 1 for NaN.
    ///
    /// @example
    /// nancumprod([2, NaN, 3]); // [2,2,6]
    nancumprod(x: tensor, axis: position = -1) ["any" -> "the same, i32 of bool", smooth] => on(x, axis, |x, axis| x.nancumprod(axis));

    /// The bin in which each element lies: how many of the ascending edges are not above it (or, from the right, below it). Edges may descend, too.
    ///
    /// @example
    /// digitize([0.5, 1, 9], [1, 2, 3]); // [0,1,3]
    /// digitize([0.5, 1, 9], [1, 2, 3], true); // [0,0,3]
    digitize(x: operand, edges: tensor, right: flag = false, device: device) ["any" -> "i32", none] => piece::digitize(&device, x, &edges, right);
}
