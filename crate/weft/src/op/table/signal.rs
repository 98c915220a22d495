operations! {
    signal "Sampled signals: interpolation, integrals, gradients, convolution in one dimension, resampled pictures."

    /// Between the points of a curve the height at each x, by straight lines; beyond them the
    /// heights of its ends, or the numbers that `left` and `right` say. The places must ascend, but
    /// for those of a curve with a `period`, which has no ends.
    ///
    /// @example
    /// interp([0.5, 1.5, 9], [0, 1, 2], [0, 10, 40]); // [5,25,40]
    /// interp([-1, 0.5, 9], [0, 1], [0, 10], { left: -1 }); // [-1,5,10]
    /// interp([355, 5], [350, 10], [0, 20], { period: 360 }); // [5,15]
    interp(x: operand, places: tensor, heights: tensor, options: ends, device: device) ["any" -> "f32", smooth, deferred] => interpolate::interp(&device, x, &places, &heights, &options);

    /// The area under a curve of values along an axis, by trapezoids of the given widths: a number,
    /// or one for each step. If there are as many numbers as values, they are positions instead, as
    /// NumPy's `x`. A vector lies along the axis, and other tensors broadcast.
    ///
    /// @example
    /// trapezoid([1, 2, 3]); // 4
    /// trapezoid([1, 2, 3], [0, 1, 3]); // 6.5
    trapezoid(y: tensor, widths: operand = 1, axis: axis = -1) ["any" -> "f32", smooth, deferred] => y.trapezoid(widths, axis);

    /// The slope of samples along an axis: central differences inside, one-sided ones at the ends.
    /// `spacing` is the distance between samples, or a vector of where they are. Throws
    /// `ShapeError` for fewer than two.
    ///
    /// @example
    /// gradient([1, 2, 4, 7]); // [1,1.5,2.5,3]
    /// gradient([1, 2, 4], [0, 1, 3]); // [1,1,1]
    gradient(x: tensor, spacing: operand = 1, axis: axis = -1) ["any" -> "f32", smooth, deferred, function] => x.slope(spacing, axis);

    /// Angles along an axis without jumps of more than half a turn, or numbers of another period.
    ///
    /// @example
    /// unwrap([3, -3]); // [3,3.2832]
    /// unwrap([350, 10], -1, { period: 360 }); // [350,370]
    unwrap(x: tensor, axis: axis = -1, options: winding) ["any" -> "f32", smooth, deferred] => x.unwrap_angles(axis, options.period, options.most);

    /// Samples, such as those of pictures, with other extents, as `jax.image.resize`: `method` is
    /// "nearest", "linear", "cubic", "lanczos3" or "lanczos5", and shrinking averages over the
    /// samples that an element covers, unless `antialias` is false. Throws `ShapeError` where axes
    /// are missing.
    ///
    /// @example
    /// resizeImage([[0, 2], [4, 6]], [1, 2]); // [[2,4]]
    /// resizeImage([1, 2], [4], "nearest"); // [1,1,2,2]
    resizeImage(x: tensor, shape: extents, method: text = "linear", antialias: flag = true) ["any" -> "f32", smooth, deferred, function] => resize::resize(&x, &shape, resize::Between::parse(&method)?, antialias);

    /// Values at coordinates, whose first axis runs over the axes of x: order 1 interpolates
    /// linearly, order 0 takes the nearest element. Beyond the ends is `value`, or, by the modes
    /// "nearest", "wrap", "mirror" and "reflect", the value of SciPy's `map_coordinates`. Throws
    /// `ValueError` for other orders.
    ///
    /// @example
    /// mapCoordinates([0, 10, 20], [[0.5, 1.25, 9]]); // [5,12.5,0]
    /// mapCoordinates([0, 10, 20], [[9]], 1, "nearest"); // [20]
    mapCoordinates(x: tensor, coordinates: tensor, order: count = 1, mode: text = "constant", value: number = 0) ["any; any" -> "same", smooth, deferred, function] => x.map_coordinates(&coordinates, order, Beyond::parse(&mode)?, value);

    convolve(a: tensor, b: tensor, overlap: count) ["any" -> "promoted", smooth, deferred] => a.convolve(&b, Overlap::ALL[overlap.min(2)]);
    correlate(a: tensor, b: tensor, overlap: count) ["any" -> "promoted", smooth, deferred] => a.correlate(&b, Overlap::ALL[overlap.min(2)]);
}
