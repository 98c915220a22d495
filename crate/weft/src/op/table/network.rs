operations! {
    network "Which functions do neural networks add?"

    /// eˣ / Σ eˣ along an axis, without overflow, in f32. One kernel.
    ///
    /// @example
    /// softmax([1, 1]); // [0.5,0.5]
    softmax(x: tensor, axis: axis = -1) ["any" -> "f32", smooth] => x.softmax(axis);

    /// log(softmax(x)) along an axis.
    ///
    /// @example
    /// logSoftmax([1, 1]); // [-0.69315,-0.69315]
    logSoftmax(x: tensor, axis: axis = -1) ["any" -> "f32", smooth] => x.log_softmax(axis);

    /// The mean of (x − target)². A 0-d f32.
    ///
    /// @example
    /// mseLoss([1, 2], [3, 2]); // 2
    mseLoss(x: tensor, target: operand) ["any" -> "f32", smooth] => x.mse_loss(target);
}
