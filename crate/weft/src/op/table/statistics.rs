operations! {
    statistics "Covariances, distances and histograms."

    /// Covariances of the rows of a matrix, each a variable, over its columns, each an observation;
    /// of a vector its variance. Divided by as many less `correction`. The variables of `y` come
    /// behind those of `x`.
    ///
    /// @example
    /// cov([[1, 2, 3], [3, 2, 1]]); // [[1,-1],[-1,1]]
    /// cov([1, 2, 3], [3, 2, 1]); // [[1,-1],[-1,1]]
    cov(x: tensor, y: maybe, correction: number = 1) ["any" -> "f32", smooth, deferred] => x.beside("cov", y)?.cov(correction);

    /// Correlations of the rows of a matrix, each a variable, over its columns, each an
    /// observation. The variables of `y` come behind those of `x`.
    ///
    /// @example
    /// corrcoef([[1, 2, 3], [3, 2, 1]]); // [[1,-1],[-1,1]]
    corrcoef(x: tensor, y: maybe) ["any" -> "f32", smooth, deferred] => x.beside("corrcoef", y)?.corrcoef();

    /// The distances of all points in rows of `a` from all in rows of `b`, by the norm of an order:
    /// `Infinity` for the largest difference, 0 for how many differ. Between points in one place
    /// the slope is 0.
    ///
    /// @example
    /// cdist([[0, 0]], [[3, 4], [0, 1]]); // [[5,1]]
    /// cdist([[0, 0]], [[3, 4]], 1); // [[7]]
    cdist(a: tensor, b: tensor, order: number = 2) ["any" -> "f32", smooth, deferred] => a.distances(&b, order);

    /// The distances of each point in rows of a matrix from those behind it, one after the other.
    ///
    /// @example
    /// pdist([[0, 0], [3, 4], [0, 1]]); // [5,1,4.2426]
    pdist(x: tensor, order: number = 2) ["any" -> "f32", smooth, deferred] => x.pair_distances(order);

    bincount(x: tensor, length: count, weights: maybe) ["i32, u32" -> "i32, or the dtype of weights", smooth, deferred] => x.bincount(length, weights.as_ref());
    histogram.edges(x: tensor, bins: count, low: bound, high: bound) ["any" -> "f32 even of f16", smooth, deferred] => x.histogram_edges(bins, low.zip(high));
    histogram.counts(x: tensor, edges: tensor, density: flag, weights: maybe) ["any" -> "i32, the dtype of weights, or f32", smooth, deferred] => x.histogram(&edges, weights.as_ref(), density);
    histogramdd(coordinates: tensors, edges: tensors, density: flag, weights: maybe) ["any" -> "i32, the dtype of weights, or f32", smooth, deferred] => histogramdd(&each(&coordinates), &each(&edges), weights.as_ref(), density);
}
