operations! {
    contract "Products of vectors, matrices and tensors, also of matrices of four bits."

    /// Matrix product as NumPy's `matmul`: over the last axis of `a` and the last but one of `b`;
    /// axes before them broadcast; a 1-d operand is a row on the left, a column on the right.
    /// Throws `ShapeError` when the inner extents differ.
    ///
    /// @example
    /// matmul([[1, 2], [3, 4]], [5, 6]); // [17,39]
    matmul(a: tensor, b: tensor) ["f32, i32, u32" -> "promoted", smooth] => a.matmul(&b);

    /// NumPy's `dot`: over the last axis of a and the last but one of b; with a 0-d tensor, its
    /// multiple. Throws `ShapeError` when the extents differ.
    ///
    /// @example
    /// dot([1, 2, 3], [4, 5, 6]); // 32
    dot(a: tensor, b: tensor) ["f32, i32, u32" -> "promoted", smooth, deferred] => a.dot(&b);

    /// Over the last axes of both; with a 0-d tensor, its multiple. Throws `ShapeError` when the
    /// extents differ.
    ///
    /// @example
    /// inner([[1, 2], [3, 4]], [5, 6]); // [17,39]
    inner(a: tensor, b: tensor) ["f32, i32, u32" -> "promoted", smooth, deferred] => a.inner(&b);

    /// Each element of a times each of b, both flattened: a matrix.
    ///
    /// @example
    /// outer([1, 2], [3, 4]); // [[3,4],[6,8]]
    outer(a: tensor, b: tensor) ["f32, i32, u32" -> "promoted", smooth, deferred] => a.outer(&b);

    /// The sum of the products of all elements, both flattened.
    ///
    /// @example
    /// vdot([[1, 2]], [3, 4]); // 11
    vdot(a: tensor, b: tensor) ["f32, i32, u32" -> "promoted", smooth, deferred] => a.vdot(&b);

    /// The sum of products along an axis, broadcast otherwise.
    ///
    /// @example
    /// vecdot([[1, 2], [3, 4]], [5, 6]); // [17,39]
    vecdot(a: operand, b: operand, axis: axis = -1, device: device) ["f32, i32, u32" -> "promoted", smooth, deferred] => tensordot::two::vecdot(&device, a, b, axis);

    /// The cross product of the three elements along an axis, or along one of each of the two,
    /// broadcast otherwise. Two elements lie in a plane: beside three their third is 0, and the
    /// product of two each is a number.
    ///
    /// @example
    /// cross([1, 0, 0], [0, 1, 0]); // [0,0,1]
    /// cross([1, 2], [3, 4]); // -2
    /// cross([[1], [0], [0]], [0, 1, 0], -1, { axisA: 0 }); // [[0,0,1]]
    cross(a: operand, b: operand, axis: axis = -1, axes: thirds, device: device) ["f32, i32, u32" -> "promoted", smooth, deferred] => match axes.as_deref() {
        Some(&[a_axis, b_axis, of_both]) => tensordot::two::cross_along(&device, a, b, [a_axis, b_axis, of_both]),
        _ => tensordot::two::cross(&device, a, b, axis),
    };

    /// Kronecker product: each element of a times the whole of b.
    ///
    /// @example
    /// kron([1, 2], [3, 4]); // [3,4,6,8]
    kron(a: tensor, b: tensor) ["f32, i32, u32" -> "promoted", smooth, deferred] => a.kron(&b);

    /// A square matrix to a whole power, the identity for 0.
    ///
    /// @example
    /// matrixPower([[1, 1], [0, 1]], 3); // [[1,3],[0,1]]
    matrixPower(x: tensor, times: count) ["f32, i32, u32" -> "promoted", smooth, deferred] => x.matrix_power(times);

    /// A matrix, or a stack of them, with four bits for each element. The rows are taken in groups
    /// of `group`, a multiple of 8 that divides their number, and each column of a group has a
    /// scale, a seventh of its largest magnitude: an element is a whole number from −7 to 7 of
    /// scales, so that it is off by half a scale at most. Eight rows are a row of words, the first
    /// in the lowest bits. Throws `ShapeError` where the rows are no whole groups. `matmul4`
    /// multiplies by it as it is.
    ///
    /// @example
    /// const [packed, scales] = quantize4(ones([32, 2]).mul(7));
    /// scales; // [[1,1]]
    /// dequantize4(packed, scales).max(); // 7
    quantize4(x: tensor, group: count = 32) ["any" -> "packed u32, scales f32", none, deferred, several, function] => quantized::quantize4(&x, group);

    /// The matrix that `quantize4` packed, unpacked.
    ///
    /// @example
    /// const [packed, scales] = quantize4(full([8, 1], -3.5), 8);
    /// dequantize4(packed, scales).min(); // -3.5
    dequantize4(packed: tensor, scales: tensor) ["u32; f32, f16" -> "f32", smooth, deferred, function] => quantized::dequantize4(&packed, &scales);

    /// `matmul` by a matrix that `quantize4` packed: it is unpacked where it is multiplied, and
    /// stays packed in memory. Differentiable by x and the scales.
    ///
    /// @example
    /// const [packed, scales] = quantize4(ones([8, 1]), 8);
    /// matmul4(ones([1, 8]), packed, scales); // [[8]]
    matmul4(x: tensor, packed: tensor, scales: tensor) ["any; u32; f32, f16" -> "f32", smooth, deferred, function] => quantized::matmul4(&x, &packed, &scales);

    einsum(text: text, tensors: tensors) ["f32, i32, u32" -> "promoted", smooth, deferred] => einsum(&text, &each(&tensors));
    tensordot(a: tensor, b: tensor, left: order, right: order) ["f32, i32, u32" -> "promoted", smooth, deferred] => a.tensordot(&b, &left, &right);
}
