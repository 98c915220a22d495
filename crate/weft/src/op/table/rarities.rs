operations! {
    rarities "What do signals, bits and packed weights need now and then?"

    /// The window of Kaiser: a Bessel function of the distance from the middle. The larger `beta`, the narrower.
    ///
    /// @example
    /// kaiser(3, 0); // [1,1,1]
    kaiser(count: count, beta: number, device: device) ["" -> "f32", none] => device.kaiser(count, beta);

    /// `gelu` by a hyperbolic tangent, within 5e-4 of it: as GPT-2 has it, and `jax.nn.gelu` unless told.
    ///
    /// @example
    /// geluTanh([-1, 0, 1]); // [-0.15881,0,0.84119]
    geluTanh(x: tensor) ["any" -> "f32", smooth] => x.gelu_tanh();

    /// The slope of samples along an axis: central differences inside, one-sided ones at the ends. `spacing` is the distance between samples, or a
    /// vector of where they are. Throws `ShapeError` for fewer than two.
    ///
    /// @example
    /// gradient([1, 2, 4, 7]); // [1,1.5,2.5,3]
    /// gradient([1, 2, 4], [0, 1, 3]); // [1,1,1]
    gradient(x: tensor, spacing: operand = 1, axis: axis = -1) ["any" -> "f32", smooth] => x.slope(spacing, axis);

    /// How many zeros stand before the first one of each element's 32 bits.
    ///
    /// @example
    /// clz(tensor([0, 1, -1], { dtype: "i32" })); // [32,31,0]
    clz(x: tensor) ["i32, u32" -> "same", none] => x.leading_zeros();

    /// The exclusive or of all elements: of bools whether an odd number of them holds.
    ///
    /// @example
    /// reduceXor(tensor([5, 3, 1], { dtype: "i32" })); // 7
    reduceXor(x: tensor, axis: axes, keepdims: keepdims) ["bool, i32, u32" -> "same", none] => x.parity(axis.as_deref(), keepdims);

    /// Whether elements are not 0, as bits, eight to a byte: along an axis, or of the flattened tensor. The first is the highest bit, or the lowest with `little`;
    /// zeros fill the last byte.
    ///
    /// @example
    /// packbits([1, 0, 0, 0, 0, 0, 1, 1, 1]); // [131,128]
    packbits(x: tensor, axis: position, little: flag = false) ["any" -> "u8", none] => bits::pack(&x, axis.map(|axis| axis[0]), little);

    /// The bits of bytes as 0 and 1, along an axis, or of the flattened tensor: the first `count`, followed by zeros where
    /// there are fewer, or all but the last −`count`, where it is told. Throws `DTypeError` for other than u8.
    ///
    /// @example
    /// unpackbits(packbits([1, 0, 1]), null, 4); // [1,0,1,0]
    unpackbits(x: stored, axis: position, count: bound, little: flag = false) ["u8" -> "u8", none] => bits::unpack(&x.0, axis.map(|axis| axis[0]), count, little);

    /// The windows that slide along axes, or all: their places stand where the axes do, and the windows along new last axes, as
    /// `numpy.lib.stride_tricks.sliding_window_view`. Throws `ShapeError` for a window longer than its axis.
    ///
    /// @example
    /// slidingWindowView([1, 2, 3, 4], 3); // [[1,2,3],[2,3,4]]
    slidingWindowView(x: tensor, window: counts, axis: axes) ["any" -> "same", smooth] => x.sliding_windows(&window, axis.as_deref());

    /// Samples, such as those of pictures, with other extents, as `jax.image.resize`: `method` is "nearest", "linear", "cubic", "lanczos3" or "lanczos5", and what
    /// gets smaller is averaged over what it stands for, unless `antialias` is false. Throws `ShapeError` where axes are missing.
    ///
    /// @example
    /// resizeImage([[0, 2], [4, 6]], [1, 2]); // [[2,4]]
    /// resizeImage([1, 2], [4], "nearest"); // [1,1,2,2]
    resizeImage(x: tensor, shape: extents, method: text = "linear", antialias: flag = true) ["any" -> "f32", smooth] => resize::resize(&x, &shape, resize::Between::parse(&method)?, antialias);

    /// What `quantize4` packed, in full.
    ///
    /// @example
    /// const [packed, scales] = quantize4(full([8, 1], -3.5), 8);
    /// dequantize4(packed, scales).min(); // -3.5
    dequantize4(packed: tensor, scales: tensor) ["u32; f32, f16" -> "f32", smooth] => quantized::dequantize4(&packed, &scales);

    /// `matmul` by a matrix that `quantize4` packed: it is unpacked where it is multiplied, and stays packed in memory. Differentiable by x and the scales.
    ///
    /// @example
    /// const [packed, scales] = quantize4(ones([8, 1]), 8);
    /// matmul4(ones([1, 8]), packed, scales); // [[8]]
    matmul4(x: tensor, packed: tensor, scales: tensor) ["any; u32; f32, f16" -> "f32", smooth] => quantized::matmul4(&x, &packed, &scales);

    /// What lies at coordinates, those along each axis one after the other along the first axis: of order 1 between elements by straight lines, of order 0 the nearest. Beyond the ends lies
    /// `value`, or by the modes "nearest", "wrap", "mirror" and "reflect" what SciPy's `map_coordinates` finds there. Throws `ValueError` for other orders.
    ///
    /// @example
    /// mapCoordinates([0, 10, 20], [[0.5, 1.25, 9]]); // [5,12.5,0]
    /// mapCoordinates([0, 10, 20], [[9]], 1, "nearest"); // [20]
    mapCoordinates(x: tensor, coordinates: tensor, order: count = 1, mode: text = "constant", value: number = 0) ["any; any" -> "same", smooth] => x.map_coordinates(&coordinates, order, Beyond::parse(&mode)?, value);

    /// The rank of each element among all, or of a line of an axis, from 1. Equal ones share their mean, or by the method "min", "max" or "dense" what SciPy's `rankdata` gives them; by
    /// "ordinal" they are ranked as they stand. Beside NaN all are NaN.
    ///
    /// @example
    /// rankData([20, 10, 20, 40]); // [2.5,1,2.5,4]
    /// rankData([20, 10, 20, 40], "dense"); // [2,1,2,3]
    rankData(x: tensor, method: text = "average", axis: position) ["any" -> "f32", none] => x.rank_data(axis.map(|axis| axis[0]), Ties::parse(&method)?);
}
