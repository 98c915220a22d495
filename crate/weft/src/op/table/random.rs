operations! {
    random "Draws from distributions, permutations and samples."

    /// The standard Gumbel distribution: −log(−log u).
    ///
    /// @example
    /// random.gumbel(random.key(0), [2, 3]).shape; // [2,3]
    random.gumbel(key: key, shape: extents) ["" -> "f32", draws, deferred] => random::standard(&key, &shape, Standard::Gumbel);

    /// The standard exponential distribution: −log(1 − u).
    ///
    /// @example
    /// random.exponential(random.key(0), [2, 3]).shape; // [2,3]
    random.exponential(key: key, shape: extents) ["" -> "f32", draws, deferred] => random::standard(&key, &shape, Standard::Exponential);

    /// The standard Laplace distribution.
    ///
    /// @example
    /// random.laplace(random.key(0), [2, 3]).shape; // [2,3]
    random.laplace(key: key, shape: extents) ["" -> "f32", draws, deferred] => random::standard(&key, &shape, Standard::Laplace);

    /// The standard logistic distribution: log(u/(1 − u)).
    ///
    /// @example
    /// random.logistic(random.key(0), [2, 3]).shape; // [2,3]
    random.logistic(key: key, shape: extents) ["" -> "f32", draws, deferred] => random::standard(&key, &shape, Standard::Logistic);

    /// The standard Cauchy distribution.
    ///
    /// @example
    /// random.cauchy(random.key(0), [2, 3]).shape; // [2,3]
    random.cauchy(key: key, shape: extents) ["" -> "f32", draws, deferred] => random::standard(&key, &shape, Standard::Cauchy);

    /// The Maxwell distribution: lengths of vectors of three standard normals.
    ///
    /// @example
    /// random.maxwell(random.key(0), [2, 3]).shape; // [2,3]
    random.maxwell(key: key, shape: extents) ["" -> "f32", draws, deferred] => random::standard(&key, &shape, Standard::Maxwell);

    /// −1 or 1.
    ///
    /// @example
    /// random.rademacher(random.key(0), [9]).abs().all(); // true
    random.rademacher(key: key, shape: extents) ["" -> "i32", draws, deferred] => random::rademacher(&key, &shape);

    /// The normal distribution truncated to the numbers between two bounds.
    ///
    /// @example
    /// random.truncatedNormal(random.key(0), -2, 2, [100]).abs().less(2).all(); // true
    random.truncatedNormal(key: key, lower: number, upper: number, shape: extents) ["" -> "f32", draws, deferred] => random::truncated_normal(&key, lower, upper, &shape);

    /// The categorical distribution: positions along an axis, with probabilities in proportion to
    /// eˣ of the logits there. The shape ends with that of the logits without the axis, which it is
    /// by default. Those drawn for the same logits are of different positions if `distinct`:
    /// without replacement. Throws `ShapeError` where the shape does not fit.
    ///
    /// @example
    /// random.categorical(random.key(0), [-Infinity, 0, -Infinity]); // 1
    /// random.categorical(random.key(0), [0, 0], -1, [5]).shape; // [5]
    /// random.categorical(random.key(0), [0, 0, 0], -1, [3], true).sort(); // [0,1,2]
    random.categorical(key: key, logits: tensor, axis: axis = -1, shape: outer, distinct: flag = false) ["any" -> "i32", draws, deferred] => random::categorical(&key, &logits, axis, shape.as_deref(), distinct);

    /// The geometric distribution: how many tries it takes until one succeeds, each with
    /// probability `p`. Parameters broadcast to the shape, or with each other by default.
    ///
    /// @example
    /// random.geometric(random.key(0), 0.5, [100]).shape; // [100]
    random.geometric(key: key, p: operand, shape: outer) ["any" -> "i32", draws, deferred] => random::draw(&key, Family::Geometric, &[p], shape.as_deref());

    /// The Pareto distribution, of numbers above 1. Parameters broadcast to the shape, or with each
    /// other by default.
    ///
    /// @example
    /// random.pareto(random.key(0), 3, [100]).shape; // [100]
    random.pareto(key: key, b: operand, shape: outer) ["any" -> "f32", draws, deferred] => random::draw(&key, Family::Pareto, &[b], shape.as_deref());

    /// The Rayleigh distribution: lengths of vectors of two normals of a scale. Parameters
    /// broadcast to the shape, or with each other by default.
    ///
    /// @example
    /// random.rayleigh(random.key(0), 2, [100]).shape; // [100]
    random.rayleigh(key: key, scale: operand, shape: outer) ["any" -> "f32", draws, deferred] => random::draw(&key, Family::Rayleigh, &[scale], shape.as_deref());

    /// The log-normal distribution, whose logarithm is normal with a standard deviation. Parameters
    /// broadcast to the shape, or with each other by default.
    ///
    /// @example
    /// random.lognormal(random.key(0), 0.5, [100]).shape; // [100]
    random.lognormal(key: key, sigma: operand, shape: outer) ["any" -> "f32", draws, deferred] => random::draw(&key, Family::Lognormal, &[sigma], shape.as_deref());

    /// The Weibull distribution. Parameters broadcast to the shape, or with each other by default.
    ///
    /// @example
    /// random.weibull(random.key(0), 1, 2, [100]).shape; // [100]
    random.weibull(key: key, scale: operand, concentration: operand, shape: outer) ["any" -> "f32", draws, deferred] => random::draw(&key, Family::Weibull, &[scale, concentration], shape.as_deref());

    /// The triangular distribution from a left end over a mode to a right end. Parameters broadcast
    /// to the shape, or with each other by default.
    ///
    /// @example
    /// random.triangular(random.key(0), 0, 1, 3, [100]).shape; // [100]
    random.triangular(key: key, left: operand, mode: operand, right: operand, shape: outer) ["any" -> "f32", draws, deferred] => random::draw(&key, Family::Triangular, &[left, mode, right], shape.as_deref());

    /// The gamma distribution of a shape parameter and scale 1. Another stream than JAX's.
    /// Parameters broadcast to the shape, or with each other by default.
    ///
    /// @example
    /// random.gamma(random.key(0), 2.5, [100]).shape; // [100]
    random.gamma(key: key, a: operand, shape: outer) ["any" -> "f32", draws, deferred] => random::draw(&key, Family::Gamma, &[a], shape.as_deref());

    /// The beta distribution on [0, 1]. Another stream than JAX's. Parameters broadcast to the
    /// shape, or with each other by default.
    ///
    /// @example
    /// random.beta(random.key(0), 2, 3, [100]).shape; // [100]
    random.beta(key: key, a: operand, b: operand, shape: outer) ["any" -> "f32", draws, deferred] => random::draw(&key, Family::Beta, &[a, b], shape.as_deref());

    /// The chi-squared distribution: a sum of squares of `df` normals. Another stream than JAX's.
    /// Parameters broadcast to the shape, or with each other by default.
    ///
    /// @example
    /// random.chisquare(random.key(0), 4, [100]).shape; // [100]
    random.chisquare(key: key, df: operand, shape: outer) ["any" -> "f32", draws, deferred] => random::draw(&key, Family::ChiSquare, &[df], shape.as_deref());

    /// Student's t distribution with `df` degrees of freedom. Another stream than JAX's. Parameters
    /// broadcast to the shape, or with each other by default.
    ///
    /// @example
    /// random.t(random.key(0), 5, [100]).shape; // [100]
    random.t(key: key, df: operand, shape: outer) ["any" -> "f32", draws, deferred] => random::draw(&key, Family::StudentT, &[df], shape.as_deref());

    /// The binomial distribution: how many of `n` tries succeed with probability `p`, as f32; NaN
    /// where `p` is not a probability. Of counts up to 10⁵; another stream than JAX's. Parameters
    /// broadcast to the shape, or with each other by default.
    ///
    /// @example
    /// random.binomial(random.key(0), 10, 0.5, [100]).lessEqual(10).all(); // true
    random.binomial(key: key, n: operand, p: operand, shape: outer) ["any" -> "f32", draws, deferred] => random::draw(&key, Family::Binomial, &[n, p], shape.as_deref());

    /// The multinomial distribution: how many of `n` tries end in each of several ways, of
    /// probabilities along the last axis that add up to 1, as f32. The shape is what comes before
    /// them. Another stream than JAX's.
    ///
    /// @example
    /// random.multinomial(random.key(0), 10, [0.2, 0.3, 0.5]).sum(); // 10
    random.multinomial(key: key, n: tensor, p: tensor, shape: outer) ["any" -> "f32", draws, deferred] => random::multinomial(&key, &n, &p, shape.as_deref());

    /// The F distribution: the quotient of two means of squares, of `above` and of `below` normals.
    /// Another stream than JAX's. Parameters broadcast to the shape, or with each other by default.
    ///
    /// @example
    /// random.f(random.key(0), 5, 8, [100]).shape; // [100]
    random.f(key: key, above: operand, below: operand, shape: outer) ["any" -> "f32", draws, deferred] => random::draw(&key, Family::F, &[above, below], shape.as_deref());

    /// The generalized normal distribution, whose density falls as e to the power of −|x|ᵖ. Another
    /// stream than JAX's. Parameters broadcast to the shape, or with each other by default.
    ///
    /// @example
    /// random.generalizedNormal(random.key(0), 4, [100]).shape; // [100]
    random.generalizedNormal(key: key, p: operand, shape: outer) ["any" -> "f32", draws, deferred] => random::draw(&key, Family::GeneralizedNormal, &[p], shape.as_deref());

    /// Logarithms of numbers of the gamma distribution, of which a small parameter makes numbers
    /// too small for an f32. Another stream than JAX's. Parameters broadcast to the shape, or with
    /// each other by default.
    ///
    /// @example
    /// random.loggamma(random.key(0), 0.01, [100]).isfinite().all(); // true
    random.loggamma(key: key, a: operand, shape: outer) ["any" -> "f32", draws, deferred] => random::draw(&key, Family::LogGamma, &[a], shape.as_deref());

    /// The Wald or inverse Gaussian distribution, of a mean and the scale 1. Parameters
    /// broadcast to the shape, or with each other by default.
    ///
    /// @example
    /// random.wald(random.key(0), 2, [100]).greater(0).all(); // true
    random.wald(key: key, mean: operand, shape: outer) ["any" -> "f32", draws, deferred] => random::draw(&key, Family::Wald, &[mean], shape.as_deref());

    /// The Dirichlet distribution: shares along the last axis that add up to 1, with parameters
    /// along it; the shape is what comes before. Another stream than JAX's.
    ///
    /// @example
    /// random.dirichlet(random.key(0), [1, 2, 3], [5]).shape; // [5,3]
    random.dirichlet(key: key, alpha: tensor, shape: outer) ["any" -> "f32", draws, deferred] => random::dirichlet(&key, &alpha, &shape.unwrap_or_default());

    /// The multivariate normal distribution: vectors with a mean and a covariance; the shape is
    /// what comes before them.
    ///
    /// @example
    /// random.multivariateNormal(random.key(0), [0, 1], [[2, 1], [1, 2]], [5]).shape; // [5,2]
    random.multivariateNormal(key: key, mean: tensor, covariance: tensor, shape: outer) ["any" -> "f32", draws, deferred] => random::multivariate_normal(&key, &mean, &covariance, &shape.unwrap_or_default());

    /// Points in the ball of radius 1 in `dimension` dimensions, uniformly; the shape is what comes
    /// before them.
    ///
    /// @example
    /// linalg.vectorNorm(random.ball(random.key(0), 3, [50]), 2, -1).less(1).all(); // true
    random.ball(key: key, dimension: count, shape: outer) ["" -> "f32", draws, deferred] => random::ball(&key, dimension, &shape.unwrap_or_default());

    /// Orthogonal matrices with `rows` rows, uniformly (by the Haar measure); the shape is what
    /// comes before them.
    ///
    /// @example
    /// random.orthogonal(random.key(0), 3, [2]).shape; // [2,3,3]
    random.orthogonal(key: key, rows: count, shape: outer) ["" -> "f32", draws, deferred] => random::orthogonal(&key, rows, &shape.unwrap_or_default());

    /// The Poisson distribution: counts of events that happen `rate` times on average. Of rates up
    /// to 10⁵; the numbers are not JAX's. Of the shape of the rates, or of a shape to which they
    /// broadcast.
    ///
    /// Counts of up to 10 on average are those of arrivals; others are drawn by W. Hörmann's
    /// transformed rejection (Insurance: Mathematics and Economics 12, 1993).
    ///
    /// @example
    /// random.poisson(random.key(0), [1, 50]).shape; // [2]
    random.poisson(key: key, rate: tensor, shape: outer) ["any" -> "i32", draws, deferred] => random::poisson(&key, &rate, shape.as_deref());

    /// The double-sided Maxwell distribution: Maxwell numbers on both sides of `loc`, `scale` times
    /// as far.
    ///
    /// @example
    /// random.doubleSidedMaxwell(random.key(0), 0, 1, [3]).shape; // [3]
    random.doubleSidedMaxwell(key: key, loc: operand = 0, scale: operand = 1, shape: outer) ["any" -> "f32", draws, deferred] => random::double_sided_maxwell(&key, loc, scale, &shape.unwrap_or_default());

    random.permutation(key: tensor, x: tensor, axis: axis, independent: flag) ["u32; any" -> "same", smooth, deferred] => random::permutation(&key, &x, axis, independent);
    random.choice(key: tensor, x: tensor, shape: extents, once: flag, probabilities: tensors, axis: axis) ["u32; any; f32" -> "same", smooth, deferred] => random::choice(&key, &x, &shape, &Picks { once, probabilities: probabilities.first().cloned(), axis });
}
