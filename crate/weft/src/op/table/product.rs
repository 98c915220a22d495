operations! {
    product "What are the products of vectors, matrices and batches of them?"

    /// Matrix product as NumPy's `matmul`: over the last axis of `a` and the last but one of `b`; axes before them broadcast; a 1-d
    /// operand is a row on the left, a column on the right. Throws `ShapeError` when the inner extents differ.
    ///
    /// @example
    /// matmul([[1, 2], [3, 4]], [5, 6]); // [17,39]
    matmul(a: tensor, b: tensor) ["f32, i32, u32" -> "promoted", smooth] => a.matmul(&b);
}
