operations! {
    recipes "What do numerical recipes take products and sums for?"

    /// The sum of products along an axis, broadcast otherwise.
    ///
    /// @example
    /// vecdot([[1, 2], [3, 4]], [5, 6]); // [17,39]
    vecdot(a: operand, b: operand, axis: axis = -1, device: device) ["f32, i32, u32" -> "promoted", smooth] => tensordot::two::vecdot(&device, a, b, axis);

    /// The cross product of the three elements along an axis, or along one of each of the two, broadcast otherwise.
    ///
    /// @example
    /// cross([1, 0, 0], [0, 1, 0]); // [0,0,1]
    /// cross([[1], [0], [0]], [0, 1, 0], -1, { axisA: 0 }); // [[0,0,1]]
    cross(a: operand, b: operand, axis: axis = -1, axes: thirds, device: device) ["f32, i32, u32" -> "promoted", smooth] => match axes.as_deref() {
        Some(&[a_axis, b_axis, of_both]) => tensordot::two::cross_along(&device, a, b, [a_axis, b_axis, of_both]),
        _ => tensordot::two::cross(&device, a, b, axis),
    };

    /// Kronecker product: each element of a times the whole of b.
    ///
    /// @example
    /// kron([1, 2], [3, 4]); // [3,4,6,8]
    kron(a: tensor, b: tensor) ["f32, i32, u32" -> "promoted", smooth] => a.kron(&b);

    /// A square matrix multiplied by itself so many times, the identity for 0.
    ///
    /// @example
    /// matrixPower([[1, 1], [0, 1]], 3); // [[1,3],[0,1]]
    matrixPower(x: tensor, times: count) ["f32, i32, u32" -> "promoted", smooth] => x.matrix_power(times);

    /// Covariances of the rows of a matrix, each a variable, over its columns, each an observation; of a vector its variance. Divided by as many
    /// less `correction`. The variables of `y` come behind those of `x`.
    ///
    /// @example
    /// cov([[1, 2, 3], [3, 2, 1]]); // [[1,-1],[-1,1]]
    /// cov([1, 2, 3], [3, 2, 1]); // [[1,-1],[-1,1]]
    cov(x: tensor, y: maybe, correction: number = 1) ["any" -> "f32", smooth] => x.beside("cov", y)?.cov(correction);

    /// Correlations of the rows of a matrix, each a variable, over its columns, each an observation. The variables of `y` come
    /// behind those of `x`.
    ///
    /// @example
    /// corrcoef([[1, 2, 3], [3, 2, 1]]); // [[1,-1],[-1,1]]
    corrcoef(x: tensor, y: maybe) ["any" -> "f32", smooth] => x.beside("corrcoef", y)?.corrcoef();

    /// A polynomial at each x, by its coefficients, that of the highest power first.
    ///
    /// @example
    /// polyval([1, 0, -2], [0, 3]); // [-2,7]
    polyval(coefficients: tensor, x: operand, device: device) ["any" -> "promoted", smooth] => signal::polyval(&device, &coefficients, x);

    /// Between the points of a curve the height at each x, by straight lines; beyond them the heights of its ends. The places must ascend.
    ///
    /// @example
    /// interp([0.5, 1.5, 9], [0, 1, 2], [0, 10, 40]); // [5,25,40]
    interp(x: operand, places: tensor, heights: tensor, device: device) ["any" -> "f32", smooth] => signal::interp(&device, x, &places, &heights);

    /// The area under a curve of values along an axis, by trapezoids of the given widths: a number, or one for each step. As many numbers as there are
    /// values are their places instead, as NumPy's `x`. A vector lies along the axis, and other tensors broadcast.
    ///
    /// @example
    /// trapezoid([1, 2, 3]); // 4
    /// trapezoid([1, 2, 3], [0, 1, 3]); // 6.5
    trapezoid(y: tensor, widths: operand = 1, axis: axis = -1) ["any" -> "f32", smooth] => y.trapezoid(widths, axis);

    /// Angles along an axis without jumps of more than half a turn, or numbers of another period.
    ///
    /// @example
    /// unwrap([3, -3]); // [3,3.2832]
    /// unwrap([350, 10], -1, { period: 360 }); // [350,370]
    unwrap(x: tensor, axis: axis = -1, options: winding) ["any" -> "f32", smooth] => x.unwrap_angles(axis, options.period, options.most);

    /// The distances of all points in rows of `a` from all in rows of `b`, by the norm of an order: `Infinity` for the largest difference, 0 for how many differ. Between points in
    /// one place the slope is 0.
    ///
    /// @example
    /// cdist([[0, 0]], [[3, 4], [0, 1]]); // [[5,1]]
    /// cdist([[0, 0]], [[3, 4]], 1); // [[7]]
    cdist(a: tensor, b: tensor, order: number = 2) ["any" -> "f32", smooth] => a.distances(&b, order);

    /// The distances of each point in rows of a matrix from those behind it, one after the other.
    ///
    /// @example
    /// pdist([[0, 0], [3, 4], [0, 1]]); // [5,1,4.2426]
    pdist(x: tensor, order: number = 2) ["any" -> "f32", smooth] => x.pair_distances(order);
}
