operations! {
    product "What are the products of vectors, matrices and batches of them?"

    /// Matrix product as NumPy's `matmul`: over the last axis of `a` and the last but one of `b`; axes before them broadcast; a 1-d
    /// operand is a row on the left, a column on the right. Throws `ShapeError` when the inner extents differ.
    ///
    /// @example
    /// matmul([[1, 2], [3, 4]], [5, 6]); // [17,39]
    matmul(a: tensor, b: tensor) ["f32, i32, u32" -> "promoted", smooth] => a.matmul(&b);

    /// NumPy's `dot`: over the last axis of a and the last but one of b; with a 0-d tensor, its multiple. Throws `ShapeError` when the extents differ.
    ///
    /// @example
    /// dot([1, 2, 3], [4, 5, 6]); // 32
    dot(a: tensor, b: tensor) ["f32, i32, u32" -> "promoted", smooth] => a.dot(&b);

    /// Over the last axes of both; with a 0-d tensor, its multiple. Throws `ShapeError` when the extents differ.
    ///
    /// @example
    /// inner([[1, 2], [3, 4]], [5, 6]); // [17,39]
    inner(a: tensor, b: tensor) ["f32, i32, u32" -> "promoted", smooth] => a.inner(&b);

    /// Each element of a times each of b, both flattened: a matrix.
    ///
    /// @example
    /// outer([1, 2], [3, 4]); // [[3,4],[6,8]]
    outer(a: tensor, b: tensor) ["f32, i32, u32" -> "promoted", smooth] => a.outer(&b);

    /// The sum of the products of all elements, both flattened.
    ///
    /// @example
    /// vdot([[1, 2]], [3, 4]); // 11
    vdot(a: tensor, b: tensor) ["f32, i32, u32" -> "promoted", smooth] => a.vdot(&b);
}
