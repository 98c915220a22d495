operations! {
    network "Which functions do neural networks add?"

    /// eˣ / Σ eˣ along the last axis or given ones, without overflow, in f32. One kernel.
    ///
    /// @example
    /// softmax([1, 1]); // [0.5,0.5]
    softmax(x: tensor, axis: axes = -1) ["any" -> "f32", smooth] => x.softmax_over(axis.as_deref());

    /// log(softmax(x)) along the last axis or given ones.
    ///
    /// @example
    /// logSoftmax([1, 1]); // [-0.69315,-0.69315]
    logSoftmax(x: tensor, axis: axes = -1) ["any" -> "f32", smooth] => x.log_softmax_over(axis.as_deref());

    /// The mean of (x − target)². A 0-d f32.
    ///
    /// @example
    /// mseLoss([1, 2], [3, 2]); // 2
    mseLoss(x: tensor, target: operand) ["any" -> "f32 even of f16", smooth] => x.mse_loss(target);

    /// x · sigmoid(x).
    ///
    /// @example
    /// silu([0, 1]); // [0,0.73106]
    silu(x: tensor) ["any" -> "f32", smooth] => x.silu();

    /// log(1 + eˣ), without overflow.
    ///
    /// @example
    /// softplus([0, 100]); // [0.69315,100]
    softplus(x: tensor) ["any" -> "f32", smooth] => x.softplus();

    /// log(sigmoid(x)), without overflow.
    ///
    /// @example
    /// logSigmoid([0, -100]); // [-0.69315,-100]
    logSigmoid(x: tensor) ["any" -> "f32", smooth] => x.log_sigmoid();

    /// x above 0, alpha · (eˣ − 1) below.
    ///
    /// @example
    /// elu([-1, 2]); // [-0.63212,2]
    elu(x: tensor, alpha: number = 1) ["any" -> "f32", smooth] => x.elu(alpha);

    /// `elu` scaled so that means of 0 and variances of 1 stay.
    ///
    /// @example
    /// selu([-1, 2]); // [-1.1113,2.1014]
    selu(x: tensor) ["any" -> "f32", smooth] => x.selu();

    /// x above 0, slope · x below.
    ///
    /// @example
    /// leakyRelu([-1, 2]); // [-0.01,2]
    leakyRelu(x: tensor, slope: number = 0.01) ["any" -> "f32", smooth] => x.leaky_relu(slope);

    /// x within 0 and 6.
    ///
    /// @example
    /// relu6([-1, 2, 9]); // [0,2,6]
    relu6(x: tensor) ["any" -> "f32", smooth] => x.relu6();

    /// (x + 3)/6 within 0 and 1.
    ///
    /// @example
    /// hardSigmoid([-4, 0, 4]); // [0,0.5,1]
    hardSigmoid(x: tensor) ["any" -> "f32", smooth] => x.hard_sigmoid();

    /// x · hardSigmoid(x).
    ///
    /// @example
    /// hardSilu([-4, 1, 4]); // [0,0.66667,4]
    hardSilu(x: tensor) ["any" -> "f32", smooth] => x.hard_silu();

    /// x within −1 and 1.
    ///
    /// @example
    /// hardTanh([-4, 0.5, 4]); // [-1,0.5,1]
    hardTanh(x: tensor) ["any" -> "f32", smooth] => x.hard_tanh();

    /// x · tanh(softplus(x)).
    ///
    /// @example
    /// mish([0, 1]); // [0,0.8651]
    mish(x: tensor) ["any" -> "f32", smooth] => x.mish();

    /// Shifted and scaled along the last axis or given ones to mean 0 and variance 1.
    ///
    /// @example
    /// standardize([10, 30]); // [-1,1]
    standardize(x: tensor, axis: axes = -1, epsilon: number = 0.00001) ["any" -> "f32", smooth] => x.standardize(axis.as_deref(), epsilon);

    /// The mean of |x − target|. A 0-d f32.
    ///
    /// @example
    /// l1Loss([1, 2], [3, 2]); // 1
    l1Loss(x: tensor, target: operand) ["any" -> "f32 even of f16", smooth] => x.l1_loss(target);

    /// The mean cross entropy of truths (0 to 1) and the sigmoid of x, without overflow. A 0-d f32.
    ///
    /// @example
    /// binaryCrossEntropy([0, 0], [0, 1]); // 0.69315
    binaryCrossEntropy(x: tensor, target: operand) ["any" -> "f32 even of f16", smooth] => x.binary_cross_entropy(target);
}
