operations! {
    lesser "Which activations and losses do few networks use?"

    /// x above 0, alpha · (e^(x/alpha) − 1) below.
    ///
    /// @example
    /// celu([-1, 2]); // [-0.63212,2]
    celu(x: tensor, alpha: number = 1) ["any" -> "f32", smooth] => x.celu(alpha);

    /// x / (1 + |x|).
    ///
    /// @example
    /// softSign([-1, 3]); // [-0.5,0.75]
    softSign(x: tensor) ["any" -> "f32", smooth] => x.soft_sign();

    /// (x + √(x² + b))/2.
    ///
    /// @example
    /// squareplus([0, 1]); // [1,1.618]
    squareplus(x: tensor, b: number = 4) ["any" -> "f32", smooth] => x.squareplus(b);

    /// The first half of an axis times the sigmoid of the second. Throws `ShapeError` where it has no halves.
    ///
    /// @example
    /// glu([2, 0]); // [1]
    glu(x: tensor, axis: axis = -1) ["any" -> "f32", smooth] => x.glu(axis);

    /// The mean of a loss that is (x − target)²/2 where that is nearer than `delta`, and grows like delta · |x − target| beyond. A 0-d f32.
    ///
    /// @example
    /// huberLoss([0, 3], [0.5, 0]); // 1.3125
    huberLoss(x: tensor, target: operand, delta: number = 1) ["any" -> "f32 even of f16", smooth] => x.huber_loss(target, delta);
}
