operations! {
    join "Concatenation, and lines of an axis inserted, deleted and appended."

    /// Joined along an existing axis, or (null) flattened before; the other extents must agree.
    /// Throws `ShapeError`.
    ///
    /// @example
    /// concat([[1, 2], tensor([3])]); // [1,2,3]
    concat(tensors: tensors, axis: position = 0) ["any" -> "promoted", smooth, function] => joined(&tensors, axis);

    /// Joined along a new axis; the shapes must be equal. Throws `ShapeError`.
    ///
    /// @example
    /// stack([[1, 2], [3, 4]], 1); // [[1,3],[2,4]]
    stack(tensors: tensors, axis: axis = 0) ["any" -> "promoted", smooth, function] => crate::stack(&each(&tensors), axis);

    /// Joined along the second axis, vectors along their only one.
    ///
    /// @example
    /// hstack([[1, 2], [3]]); // [1,2,3]
    hstack(tensors: tensors) ["any" -> "promoted", smooth, deferred, function] => hstack(&each(&tensors));

    /// Joined along the first axis, vectors as rows.
    ///
    /// @example
    /// vstack([[1, 2], [3, 4]]); // [[1,2],[3,4]]
    vstack(tensors: tensors) ["any" -> "promoted", smooth, deferred, function] => vstack(&each(&tensors));

    /// Joined along the third axis.
    ///
    /// @example
    /// dstack([[1, 2], [3, 4]]); // [[[1,3],[2,4]]]
    dstack(tensors: tensors) ["any" -> "promoted", smooth, deferred, function] => dstack(&each(&tensors));

    /// Vectors as the columns of a matrix, and matrices beside them.
    ///
    /// @example
    /// columnStack([[1, 2], [3, 4]]); // [[1,3],[2,4]]
    columnStack(tensors: tensors) ["any" -> "promoted", smooth, deferred, function] => column_stack(&each(&tensors));

    /// `values` behind `x`: both flattened, or joined along an axis.
    ///
    /// @example
    /// append([1, 2], [[3], [4]]); // [1,2,3,4]
    append(x: tensor, values: tensor, axis: position) ["any" -> "promoted", smooth, deferred, function] => x.append(&values, axis.map(|axis| axis[0]));

    /// `values` put before `positions`, which are those before anything is put in; flattened, or
    /// along an axis.
    ///
    /// @example
    /// insert([1, 2, 3], 1, 9); // [1,9,2,3]
    /// insert([[1, 2], [3, 4]], [0, 2], 0, 1); // [[0,1,2,0],[0,3,4,0]]
    insert(x: tensor, positions: wholes, values: tensor, axis: position) ["any" -> "promoted", smooth, deferred, function] => x.insert(&positions, &values, axis.map(|axis| axis[0]));

    /// A copy without the elements at `positions`; flattened, or along an axis. NumPy's `delete`,
    /// which is a keyword of JavaScript.
    ///
    /// @example
    /// remove([1, 2, 3, 4], [0, -1]); // [2,3]
    remove(x: tensor, positions: wholes, axis: position) ["any" -> "same", smooth, deferred, function] => x.remove(&positions, axis.map(|axis| axis[0]));

    /// The elements in row-major order as often as fills a shape.
    ///
    /// @example
    /// resize([1, 2, 3], [2, 2]); // [[1,2],[3,1]]
    resize(x: tensor, shape: extents) ["any" -> "same", smooth, deferred, function] => x.resize(&shape);
}
