"""JAX's draws by a key from distributions that take one draw for each number. JAX computes them in
float32, as Weft does."""

import numpy as np

from ..format import EPS, TINY, Group, Tensor


def cases():
    import jax

    group = Group()
    key = Tensor(np.array([7, 11]), "u32")
    raw = jax.numpy.array([7, 11], np.uint32)
    draw = jax.random

    def add(op, name, expected, inputs=(), dtype="f32", tolerance=(32 * EPS, 16 * EPS), **attrs):
        exact = None if dtype == "i32" else tolerance
        group.add(f"{op}-{name}", f"random.{op}", [key, *inputs], np.asarray(expected, np.float64 if dtype == "f32" else np.int64), dtype, attrs, exact)

    for shape in [(40,), (3, 5), (1,), (0,), ()]:
        for op in ("gumbel", "exponential", "laplace", "logistic", "maxwell"):
            add(op, str(shape), getattr(draw, op)(raw, shape), shape=list(shape))
        # Far out a tangent is as wrong as its angle is, times its square.
        add("rademacher", str(shape), draw.rademacher(raw, shape), dtype="i32", shape=list(shape))
    middle = np.asarray(draw.cauchy(raw, (40,)), np.float64)
    add("cauchy", "40", middle, tolerance=(32 * EPS + 8 * EPS * float(np.max(middle**2)), 32 * EPS), shape=[40])
    for low, high in [(-2, 2), (0, 1), (-1, 3)]:
        add("truncatedNormal", f"{low}-{high}", draw.truncated_normal(raw, low, high, (40,)), tolerance=(64 * EPS, 64 * EPS), lower=low, upper=high, shape=[40])
    for name, logits, axis, shape in [("vector", [0.1, 2, -1], -1, None), ("rows", [[0, 1, 2], [2, 1, 0]], 1, None), ("columns", [[0, 1, 2], [2, 1, 0]], 0, None), ("many", [0.5, 0.5, 1], -1, [30]), ("rows-many", [[0, 1, 2], [2, 1, 0]], -1, [5, 2])]:
        expected = draw.categorical(raw, jax.numpy.array(logits, np.float32), axis, tuple(shape) if shape else None)
        add("categorical", name, expected, [Tensor(np.array(logits, float))], "i32", axis=axis, shape=shape)
    number = lambda *values: [Tensor(np.array(value, float)) for value in values]
    for op, name, given in [("geometric", "half", (0.5,)), ("geometric", "seldom", (0.05,)), ("pareto", "3", (3.0,)), ("rayleigh", "2", (2.0,)), ("lognormal", "half", (0.5,)), ("wald", "2", (2.0,)), ("triangular", "0-1-3", (0.0, 1.0, 3.0))]:
        add(op, name, getattr(draw, op)(raw, *given, shape=(40,)), number(*given), "i32" if op == "geometric" else "f32", shape=[40])
    add("pareto", "each", draw.pareto(raw, jax.numpy.array([1.0, 2, 3]), shape=(4, 3)), number([1, 2, 3]), shape=[4, 3])
    add("weibull", "2-half", draw.weibull_min(raw, 2.0, 0.5, (40,)), number(2, 0.5), tolerance=(TINY, 64 * EPS), shape=[40])
    mean, covariance = np.array([1.0, -2, 0]), np.array([[2, 0.5, 0], [0.5, 1, 0.25], [0, 0.25, 3]])
    expected = draw.multivariate_normal(raw, jax.numpy.array(mean, np.float32), jax.numpy.array(covariance, np.float32), (10,))
    add("multivariateNormal", "10", expected, number(mean, covariance), shape=[10])
    return group
