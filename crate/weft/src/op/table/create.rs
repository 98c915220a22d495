operations! {
    create "Tensors from a rule: constants, ranges, window functions."

    /// Numbers in equal ratios from `start` to `stop`, both included by default. Throws
    /// `ValueError` where one is 0 or their signs differ.
    ///
    /// @example
    /// geomspace(1, 1000, 4); // [1,10,100,1000]
    /// geomspace(1, 16, 4, { endpoint: false }); // [1,2,4,8]
    geomspace(start: number, stop: number, count: count = 50, options: spacing, device: device) ["" -> "`dtype`", none, deferred, function] => device.geomspace(start, stop, count, options);

    /// `base` to the power of evenly spaced numbers from `start` to `stop`, both included by
    /// default; integers without their fractions.
    ///
    /// @example
    /// logspace(0, 3, 4); // [1,10,100,1000]
    /// logspace(0, 4, 4, 2, { endpoint: false, dtype: "i32" }); // [1,2,4,8]
    logspace(start: number, stop: number, count: count = 50, base: number = 10, options: spacing, device: device) ["" -> "`dtype`", none, deferred, function] => device.logspace(start, stop, count, base, options);

    /// The window of Hann: half a cosine up from 0 and down.
    ///
    /// @example
    /// hann(5); // [0,0.5,1,0.5,0]
    hann(count: count, device: device) ["" -> "f32", none, deferred, function] => device.hann(count);

    /// The window of Hamming: Hann's raised so that its first side lobe vanishes.
    ///
    /// @example
    /// hamming(5); // [0.08,0.54,1,0.54,0.08]
    hamming(count: count, device: device) ["" -> "f32", none, deferred, function] => device.hamming(count);

    /// The window of Blackman, of two cosines.
    ///
    /// @example
    /// blackman(3).max(); // 1
    blackman(count: count, device: device) ["" -> "f32", none, deferred, function] => device.blackman(count);

    /// The window of Bartlett: a triangle from 0 to 1 and back.
    ///
    /// @example
    /// bartlett(5); // [0,0.5,1,0.5,0]
    bartlett(count: count, device: device) ["" -> "f32", none, deferred, function] => device.bartlett(count);

    /// The window of Kaiser: a Bessel function of the distance from the middle. The larger `beta`,
    /// the narrower.
    ///
    /// @example
    /// kaiser(3, 0); // [1,1,1]
    kaiser(count: count, beta: number, device: device) ["" -> "f32", none, deferred, function] => device.kaiser(count, beta);

    /// The powers of a vector's elements as rows, the highest first, or from 0 up. Throws
    /// `ShapeError` unless it is a vector.
    ///
    /// @example
    /// vander([1, 2, 3], 3); // [[1,1,1],[4,2,1],[9,3,1]]
    vander(x: tensor, columns: count, ascending: flag = false) ["any" -> "the same, i32 of bool", smooth, deferred, function] => x.vander(columns, ascending);

    full(shape: extents, value: number, dtype: dtype, device: device) ["" -> "`dtype`", none] => device.full(&shape, value, dtype);
    arange(start: number, stop: number, step: number, dtype: dtype, device: device) ["" -> "`dtype`", none] => device.arange(start, stop, step, dtype);
    linspace(start: number, stop: number, count: count, endpoint: flag, device: device) ["" -> "`dtype`", none, deferred] => device.linspace(start, stop, count, endpoint);
    linspace.spaced(start: number, stop: number, count: count, options: spacing, device: device) ["" -> "`dtype`", none, deferred] => device.linspace_with(start, stop, count, options);
    eye(rows: count, columns: count, diagonal: whole, dtype: dtype, device: device) ["" -> "`dtype`", none, deferred] => device.eye(rows, columns, diagonal, dtype);
    tri(rows: count, columns: count, diagonal: whole, device: device) ["" -> "f32", none, deferred] => device.tri(rows, columns, diagonal);
    indices(shape: extents, dtype: dtype, device: device) ["" -> "`dtype`", none, deferred] => device.indices(&shape, dtype);
}
