operations! {
    activation "Activations, softmax and positional encodings of neural networks."

    /// 1/(1+e⁻ˣ).
    ///
    /// @example
    /// sigmoid([0, 2]); // [0.5,0.8808]
    sigmoid(x: tensor) ["any" -> "f32", smooth] => x.sigmoid();

    /// max(x, 0).
    ///
    /// @example
    /// relu([-1, 2]); // [0,2]
    relu(x: tensor) ["f32, i32, u32" -> "same", smooth] => x.relu();

    /// Gaussian error linear unit: x·Φ(x).
    ///
    /// @example
    /// gelu([-1, 0, 1]); // [-0.15866,0,0.84134]
    gelu(x: tensor) ["any" -> "f32", smooth] => x.gelu();

    /// `gelu` by a hyperbolic tangent, within 5e-4 of it: as GPT-2 has it, and `jax.nn.gelu` by
    /// default.
    ///
    /// @example
    /// geluTanh([-1, 0, 1]); // [-0.15881,0,0.84119]
    geluTanh(x: tensor) ["any" -> "f32", smooth, deferred, function] => x.gelu_tanh();

    /// x · sigmoid(x).
    ///
    /// @example
    /// silu([0, 1]); // [0,0.73106]
    silu(x: tensor) ["any" -> "f32", smooth, deferred] => x.silu();

    /// log(1 + eˣ), without overflow.
    ///
    /// @example
    /// softplus([0, 100]); // [0.69315,100]
    softplus(x: tensor) ["any" -> "f32", smooth, deferred] => x.softplus();

    /// log(sigmoid(x)), without overflow.
    ///
    /// @example
    /// logSigmoid([0, -100]); // [-0.69315,-100]
    logSigmoid(x: tensor) ["any" -> "f32", smooth, deferred] => x.log_sigmoid();

    /// x above 0, alpha · (eˣ − 1) below.
    ///
    /// @example
    /// elu([-1, 2]); // [-0.63212,2]
    elu(x: tensor, alpha: number = 1) ["any" -> "f32", smooth, deferred] => x.elu(alpha);

    /// `elu` scaled so that means of 0 and variances of 1 stay.
    ///
    /// @example
    /// selu([-1, 2]); // [-1.1113,2.1014]
    selu(x: tensor) ["any" -> "f32", smooth, deferred] => x.selu();

    /// x above 0, alpha · (e^(x/alpha) − 1) below.
    ///
    /// @example
    /// celu([-1, 2]); // [-0.63212,2]
    celu(x: tensor, alpha: number = 1) ["any" -> "f32", smooth, deferred] => x.celu(alpha);

    /// x from 0 on, slope · x below.
    ///
    /// @example
    /// leakyRelu([-1, 2]); // [-0.01,2]
    leakyRelu(x: tensor, slope: number = 0.01) ["any" -> "f32", smooth, deferred] => x.leaky_relu(slope);

    /// x within 0 and 6.
    ///
    /// @example
    /// relu6([-1, 2, 9]); // [0,2,6]
    relu6(x: tensor) ["any" -> "f32", smooth, deferred] => x.relu6();

    /// (x + 3)/6 within 0 and 1.
    ///
    /// @example
    /// hardSigmoid([-4, 0, 4]); // [0,0.5,1]
    hardSigmoid(x: tensor) ["any" -> "f32", smooth, deferred] => x.hard_sigmoid();

    /// x · hardSigmoid(x).
    ///
    /// @example
    /// hardSilu([-4, 1, 4]); // [0,0.66667,4]
    hardSilu(x: tensor) ["any" -> "f32", smooth, deferred] => x.hard_silu();

    /// x within −1 and 1.
    ///
    /// @example
    /// hardTanh([-4, 0.5, 4]); // [-1,0.5,1]
    hardTanh(x: tensor) ["any" -> "f32", smooth, deferred] => x.hard_tanh();

    /// x · tanh(softplus(x)).
    ///
    /// @example
    /// mish([0, 1]); // [0,0.8651]
    mish(x: tensor) ["any" -> "f32", smooth, deferred] => x.mish();

    /// x / (1 + |x|).
    ///
    /// @example
    /// softSign([-1, 3]); // [-0.5,0.75]
    softSign(x: tensor) ["any" -> "f32", smooth, deferred] => x.soft_sign();

    /// (x + √(x² + b))/2.
    ///
    /// @example
    /// squareplus([0, 1]); // [1,1.618]
    squareplus(x: tensor, b: number = 4) ["any" -> "f32", smooth, deferred] => x.squareplus(b);

    /// The first half of an axis times the sigmoid of the second. Throws `ShapeError` where it has
    /// no halves.
    ///
    /// @example
    /// glu([2, 0]); // [1]
    glu(x: tensor, axis: axis = -1) ["any" -> "f32", smooth, deferred] => x.glu(axis);

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

    /// Shifted and scaled along the last axis or given ones to mean 0 and variance 1.
    ///
    /// @example
    /// standardize([10, 30]); // [-1,1]
    standardize(x: tensor, axis: axes = -1, epsilon: number = 0.00001) ["any" -> "f32", smooth] => x.standardize(axis.as_deref(), epsilon);

    rotary(x: tensor, positions: maybe, base: finite) ["any" -> "f32 even of f16", smooth, deferred] => x.rotary(positions.as_ref(), base);
    sinusoidal(count: count, width: count, device: device) ["" -> "f32", none, deferred] => device.sinusoidal(count, width);
    attentionWeights(scores: tensor) ["any" -> "f32", smooth, deferred] => scores.attention_weights();
}
