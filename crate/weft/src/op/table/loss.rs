operations! {
    loss "Losses that are means over all elements, as 0-d tensors."

    /// The mean of (x − target)². A 0-d f32.
    ///
    /// @example
    /// mseLoss([1, 2], [3, 2]); // 2
    mseLoss(x: tensor, target: operand) ["any" -> "f32 even of f16", smooth] => x.mse_loss(target);

    /// The mean of |x − target|. A 0-d f32.
    ///
    /// @example
    /// l1Loss([1, 2], [3, 2]); // 1
    l1Loss(x: tensor, target: operand) ["any" -> "f32 even of f16", smooth, deferred] => x.l1_loss(target);

    /// The mean of a loss that is (x − target)²/2 where that is nearer than `delta`, and grows like
    /// delta · |x − target| beyond. A 0-d f32.
    ///
    /// @example
    /// huberLoss([0, 3], [0.5, 0]); // 1.3125
    huberLoss(x: tensor, target: operand, delta: number = 1) ["any" -> "f32 even of f16", smooth, deferred] => x.huber_loss(target, delta);

    /// The mean cross entropy of truths (0 to 1) and the sigmoid of x, without overflow. A 0-d f32.
    ///
    /// @example
    /// binaryCrossEntropy([0, 0], [0, 1]); // 0.69315
    binaryCrossEntropy(x: tensor, target: operand) ["any" -> "f32 even of f16", smooth, deferred] => x.binary_cross_entropy(target);

    crossEntropy(logits: tensor, targets: tensor) ["any; i32, u32, f32" -> "f32 even of f16", smooth] => logits.cross_entropy(&targets);
    crossEntropy.weighted(logits: tensor, targets: tensor, ignored: bound, smoothing: number) ["any; i32, u32, f32" -> "f32 even of f16", smooth, deferred] => loss::cross_entropy(&logits, &targets, ignored, smoothing);
    ctcLoss(logits: tensor, logit_pads: tensor, labels: integers, label_pads: tensor, blank: count, none: finite) ["any; any; i32, u32; any" -> "f32", smooth, deferred] => loss::ctc((&logits, &logit_pads), (&labels, &label_pads), blank, none);
}
