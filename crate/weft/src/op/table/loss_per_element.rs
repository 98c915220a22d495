operations! {
    loss_per_element "Losses of each element or line, to be reduced by `mean` or `sum`, and a few activations that optax has beside them."

    /// ½·(x − target)² of each element.
    ///
    /// @example
    /// nn.l2Loss([1, 3], 1); // [0,2]
    l2Loss(x: tensor, target: operand = 0) ["any" -> "f32", smooth, deferred, function] => loss::l2(&x, target);

    /// |x − target| of each element.
    ///
    /// @example
    /// nn.l1Loss([1, 3], 1); // [0,2]
    nn.l1Loss(x: tensor, target: operand = 0) ["any" -> "the promoted dtype, i32 of bools", smooth, deferred] => loss::l1(&x, target);

    /// log(cosh(x − target)) of each element, without overflow.
    ///
    /// @example
    /// nn.logCosh([0, 100]); // [0,99.307]
    logCosh(x: tensor, target: operand = 0) ["any" -> "f32", smooth, deferred, function] => loss::log_cosh(&x, target);

    /// max(0, 1 − x·target) of each element, targets −1 and 1.
    ///
    /// @example
    /// nn.hingeLoss([0.5, 2], [1, -1]); // [0.5,3]
    hingeLoss(x: tensor, target: operand) ["any" -> "the promoted dtype, i32 of bools", smooth, deferred, function] => loss::hinge(&x, target);

    /// The binary cross-entropy of each element of logits with labels from 0 to 1, without
    /// overflow.
    ///
    /// @example
    /// nn.sigmoidCrossEntropy([0, -100], [1, 1]); // [0.69315,100]
    sigmoidCrossEntropy(logits: tensor, labels: tensor) ["any" -> "f32", smooth, deferred, function] => loss::sigmoid_cross_entropy(&logits, &labels);

    /// The cross-entropy of each line of the last axis of logits with probabilities.
    ///
    /// @example
    /// nn.softmaxCrossEntropy([[0, 0]], [[0.5, 0.5]]); // [0.69315]
    softmaxCrossEntropy(logits: tensor, labels: tensor) ["any" -> "f32", smooth, deferred, function] => loss::softmax_cross_entropy(&logits, &labels);

    /// `nn.softmaxCrossEntropy` where a label of 0 counts nothing, whatever its logit is: also −∞
    /// and NaN.
    ///
    /// @example
    /// nn.safeSoftmaxCrossEntropy([[0, 0, -Infinity]], [[0.5, 0.5, 0]]); // [0.69315]
    safeSoftmaxCrossEntropy(logits: tensor, labels: tensor) ["any" -> "f32", smooth, deferred, function] => loss::safe_softmax_cross_entropy(&logits, &labels);

    /// Probabilities mixed with equal ones: `amount` of each line of the last axis is shared among
    /// all classes.
    ///
    /// @example
    /// nn.smoothLabels([[1, 0]], 0.2); // [[0.9,0.1]]
    smoothLabels(labels: tensor, amount: finite) ["any" -> "f32", smooth, deferred, function] => loss::smooth_labels(&labels, amount);

    /// The cosine of the angle between lines of the last axis, whose lengths count as `epsilon` at
    /// least.
    ///
    /// @example
    /// nn.cosineSimilarity([[1, 0]], [[1, 1]]); // [0.70711]
    cosineSimilarity(x: tensor, target: tensor, epsilon: finite = 1e-8) ["any" -> "f32", smooth, deferred, function] => loss::cosine_similarity(&x, &target, epsilon);

    /// 1 less `nn.cosineSimilarity`.
    ///
    /// @example
    /// nn.cosineDistance([[1, 0]], [[0, 1]]); // [1]
    cosineDistance(x: tensor, target: tensor, epsilon: finite = 1e-8) ["any" -> "f32", smooth, deferred, function] => loss::cosine_distance(&x, &target, epsilon);

    /// How far distributions are from targets: Σ t·(log t − x) over the last axis, x logarithms of
    /// probabilities, t probabilities.
    ///
    /// @example
    /// nn.klDivergence(log([[0.5, 0.5]]), [[1, 0]]); // [0.69315]
    klDivergence(logs: tensor, targets: tensor) ["any" -> "f32", smooth, deferred, function] => loss::kl_divergence(&logs, &targets);

    /// `nn.klDivergence` of what need not add up to 1: Σ t·(log t − x) − t + eˣ over the last axis.
    /// Convex in both.
    ///
    /// @example
    /// nn.convexKlDivergence(log([[0.5, 1]]), [[1, 1]]); // [0.19315]
    convexKlDivergence(logs: tensor, targets: tensor) ["any" -> "f32", smooth, deferred, function] => loss::convex_kl_divergence(&logs, &targets);

    /// eˣ − target·x of each element: the likelihood of counts, x logarithms of rates.
    ///
    /// @example
    /// nn.poissonLoss([0, 0], [1, 2]); // [1,1]
    poissonLoss(logs: tensor, counts: operand) ["any" -> "f32", smooth, deferred, function] => loss::poisson(&logs, counts);

    /// How far, by a margin, lines of the last axis are nearer to the negative than to the positive
    /// ones: max(0, |a − p| − |a − n| + margin).
    ///
    /// @example
    /// nn.tripletLoss([[0, 0]], [[3, 4]], [[0, 1]]); // [5]
    tripletLoss(anchors: tensor, positives: tensor, negatives: tensor, margin: finite = 1) ["any" -> "f32", smooth, deferred, function] => loss::triplet(&anchors, &positives, &negatives, margin);

    /// The binary cross-entropy of each element, in which well predicted elements count less: times
    /// (1 − p)ᵞ, p the probability of the label.
    ///
    /// @example
    /// nn.focalLoss([0], [1]); // [0.17329]
    focalLoss(logits: tensor, labels: tensor, gamma: finite = 2) ["any" -> "f32", smooth, deferred, function] => loss::focal(&logits, &labels, gamma);

    /// How far a batch of vectors, `[batch, features]`, is from one in which those of one label
    /// point the same way and all others elsewhere: the normalised cross-entropy of cosines over a
    /// temperature (Chen et al. 2020), as `optax.ntxent`. A 0-d f32; NaN where no label occurs
    /// twice.
    ///
    /// @example
    /// nn.ntxent([[1, 0], [1, 0], [0, 1]], tensor([0, 0, 1], { dtype: "i32" }), 1); // 0.31326
    ntxent(vectors: tensor, labels: integers, temperature: finite = 0.07) ["any; i32, u32" -> "f32 even of f16", smooth, deferred, function] => loss::ntxent(&vectors, &labels, temperature);

    /// log(1 − e⁻ˣ) for x above 0, without cancellation.
    ///
    /// @example
    /// nn.log1mexp([1, 50]); // [-0.45868,-1.9287e-22]
    log1mexp(x: tensor) ["any" -> "f32", smooth, deferred, function] => loss::log1mexp(&x);

    /// 0 below −1, x above 1, and (x + 1)²/4 between.
    ///
    /// @example
    /// nn.sparsePlus([-2, 0, 3]); // [0,0.25,3]
    sparsePlus(x: tensor) ["any" -> "f32", smooth, deferred, function] => loss::sparse_plus(&x);

    /// 0 below −1, 1 above 1, and (x + 1)/2 between.
    ///
    /// @example
    /// nn.sparseSigmoid([-2, 0, 3]); // [0,0.5,1]
    sparseSigmoid(x: tensor) ["any" -> "f32", smooth, deferred, function] => loss::sparse_sigmoid(&x);
}
