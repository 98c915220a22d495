operations! {
    join "How do several tensors become one?"

    /// Joined along an existing axis; the other extents must agree. Throws `ShapeError`.
    ///
    /// @example
    /// concat([[1, 2], tensor([3])]); // [1,2,3]
    concat(tensors: tensors, axis: axis = 0) ["any" -> "promoted", smooth] => crate::concat(&each(&tensors), axis);

    /// Joined along a new axis; the shapes must be equal. Throws `ShapeError`.
    ///
    /// @example
    /// stack([[1, 2], [3, 4]], 1); // [[1,3],[2,4]]
    stack(tensors: tensors, axis: axis = 0) ["any" -> "promoted", smooth] => crate::stack(&each(&tensors), axis);
}
