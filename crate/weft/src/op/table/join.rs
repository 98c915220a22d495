operations! {
    join "How do several tensors become one?"

    /// Joined along an existing axis, or (null) flattened before; the other extents must agree. Throws `ShapeError`.
    ///
    /// @example
    /// concat([[1, 2], tensor([3])]); // [1,2,3]
    concat(tensors: tensors, axis: position = 0) ["any" -> "promoted", smooth] => joined(&tensors, axis);

    /// Joined along a new axis; the shapes must be equal. Throws `ShapeError`.
    ///
    /// @example
    /// stack([[1, 2], [3, 4]], 1); // [[1,3],[2,4]]
    stack(tensors: tensors, axis: axis = 0) ["any" -> "promoted", smooth] => crate::stack(&each(&tensors), axis);

    /// Joined along the second axis, vectors along their only one.
    ///
    /// @example
    /// hstack([[1, 2], [3]]); // [1,2,3]
    hstack(tensors: tensors) ["any" -> "promoted", smooth] => hstack(&each(&tensors));

    /// Joined along the first axis, vectors as rows.
    ///
    /// @example
    /// vstack([[1, 2], [3, 4]]); // [[1,2],[3,4]]
    vstack(tensors: tensors) ["any" -> "promoted", smooth] => vstack(&each(&tensors));

    /// Joined along the third axis.
    ///
    /// @example
    /// dstack([[1, 2], [3, 4]]); // [[[1,3],[2,4]]]
    dstack(tensors: tensors) ["any" -> "promoted", smooth] => dstack(&each(&tensors));

    /// Vectors as the columns of a matrix, and matrices beside them.
    ///
    /// @example
    /// columnStack([[1, 2], [3, 4]]); // [[1,3],[2,4]]
    columnStack(tensors: tensors) ["any" -> "promoted", smooth] => column_stack(&each(&tensors));
}
