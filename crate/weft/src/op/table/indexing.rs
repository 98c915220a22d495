operations! {
    indexing "Elements by index: gathers, scatters, dynamic slices, segments."

    /// A part of `sizes` elements along each axis, from `starts` on, which may be computed: numbers
    /// and 0-d integer tensors. Negative starts count from the end; one from which the part would
    /// not fit is the last from which it does. Throws `ShapeError` for a part larger than x. As
    /// `jax.lax.dynamic_slice`.
    ///
    /// @example
    /// dynamicSlice([1, 2, 3, 4], [tensor([5, 9, 7]).argmax()], [2]); // [2,3]
    dynamicSlice(x: tensor, starts: scalars, sizes: extents) ["any; i32, u32" -> "same", smooth, deferred, function] => x.dynamic_slice(&starts.0, &sizes);

    /// `x` with `update`, which becomes of its dtype, in the place of the part that `dynamicSlice`
    /// would give. As `jax.lax.dynamic_update_slice`.
    ///
    /// @example
    /// dynamicUpdateSlice([1, 2, 3, 4], [8, 9], [tensor([5, 9, 7]).argmax()]); // [1,8,9,4]
    dynamicUpdateSlice(x: tensor, update: tensor, starts: scalars) ["any; any; i32, u32" -> "same", smooth, deferred, function] => x.dynamic_update_slice(&update, &starts.0);

    /// The coordinates, along each axis of a shape, of row-major positions.
    ///
    /// @example
    /// const [row, column] = unravelIndex([1, 5], [2, 3]);
    /// row; // [0,1]
    unravelIndex(positions: integers, shape: extents) ["i32, u32" -> "each the same", none, deferred, several, function] => positions.unravel(&shape);

    ravelMultiIndex(positions: tensors, shape: extents, device: device) ["i32, u32" -> "promoted", none, deferred] => ravel(&device, &each(&positions), &shape);
    take(x: tensor, indices: tensor, axis: position) ["any; i32, u32" -> "same", smooth] => x.take(&indices, axis.map(|axis| axis[0]));
    oneHot(x: tensor, classes: count, dtype: dtype) ["i32, u32" -> "`dtype`", none] => x.one_hot(classes, dtype);
    at.set(x: tensor, indices: operand, values: operand) ["any; i32, u32; any" -> "same", smooth, deferred] => x.at(indices).set(values);
    at.add(x: tensor, indices: operand, values: operand) ["any; i32, u32; any" -> "same", smooth, deferred] => x.at(indices).add(values);
    at.min(x: tensor, indices: operand, values: operand) ["any; i32, u32; any" -> "same", smooth, deferred] => x.at(indices).min(values);
    at.max(x: tensor, indices: operand, values: operand) ["any; i32, u32; any" -> "same", smooth, deferred] => x.at(indices).max(values);
    at.pick(x: tensor, mode: whole, fill: bound, words: order, indices: tensors) ["any; i32, u32" -> "same", smooth, deferred] => x.pick(&advanced::picks(&words, &indices), advanced::outside(mode, fill));
    at.put(x: tensor, mode: whole, way: count, words: order, indices: tensors, values: operand) ["any; i32, u32; any" -> "same", smooth, deferred] => x.put(&advanced::picks(&words, &indices), advanced::outside(mode, None), Put::ALL[way.min(10)], values);
    takeAlongAxis(x: tensor, indices: tensor, axis: axis) ["any; i32, u32" -> "same", smooth, deferred] => x.take_along_axis(&indices, axis);
    along.pick(x: tensor, indices: tensor, axis: axis, mode: whole, fill: bound) ["any; i32, u32" -> "same", smooth, deferred] => x.take_along_axis_or(&indices, axis, advanced::outside(mode, fill));
    along.put(x: tensor, indices: integers, values: tensor, axis: axis, mode: whole) ["any; i32, u32; any" -> "same", smooth, deferred] => x.put_along_axis(&indices, &values, axis, advanced::outside(mode, None));
    segmentSum(x: tensor, ids: tensor, count: count) ["any; i32, u32" -> "the same, i32 of bool", smooth, deferred] => x.segment_sum(&ids, count);
    segmentMean(x: tensor, ids: tensor, count: count) ["any; i32, u32" -> "f32", smooth, deferred] => x.segment_mean(&ids, count);
    segmentMax(x: tensor, ids: tensor, count: count) ["any; i32, u32" -> "same", smooth, deferred] => x.segment_max(&ids, count);
    segmentMin(x: tensor, ids: tensor, count: count) ["any; i32, u32" -> "same", smooth, deferred] => x.segment_min(&ids, count);
}
