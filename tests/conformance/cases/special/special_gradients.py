"""Derivatives of special functions: JAX's in float64, as in `gradients`, second ones too."""

import numpy as np

from ..format import Tensor, integers, normals, uniforms
from ..transforms.gradients import Cases

# Where the points lie.
UNARY = {
    "gammaln": (0.3, 9),
    "gamma": (0.3, 6),
    "digamma": (0.3, 9),
    "erfc": (-2, 3),
    "ndtr": (-3, 3),
    "logNdtr": (-8, 2),
    "ndtri": (0.02, 0.98),
    "i0": (-12, 12),
    "i0e": (0.5, 12),
    "i1": (-12, 12),
    "i1e": (0.5, 12),
    "j0": (-12, 12),
    "j1": (-12, 12),
    "exp1": (0.3, 6),
    "expi": (0.5, 14),
    "entr": (0.2, 3),
    "logit": (0.05, 0.95),
    "spence": (0.1, 4),
    "factorial": (0.3, 6),
}


def functions(jax, jnp):
    s = jax.scipy.special
    return {
        "gammaln": s.gammaln, "gamma": lambda x: jnp.exp(s.gammaln(x)), "digamma": s.digamma, "erfc": s.erfc, "ndtr": s.ndtr, "logNdtr": s.log_ndtr,
        "ndtri": s.ndtri, "i0": lambda x: jnp.exp(jnp.abs(x)) * s.i0e(x), "i0e": s.i0e, "i1": lambda x: jnp.exp(jnp.abs(x)) * s.i1e(x), "i1e": s.i1e,
        "j0": lambda x: wave(jax, jnp, 0, x), "j1": lambda x: wave(jax, jnp, 1, x), "besselJn": lambda x, order: jnp.stack([wave(jax, jnp, n, x) for n in range(order + 1)]),
        "exp1": lambda x: -s.expi(-x), "expi": s.expi, "entr": s.entr, "logit": s.logit, "polygamma": lambda x, order: s.polygamma(order, x),
        "spence": spence(jax), "factorial": lambda n: jnp.exp(s.gammaln(n + 1)), "expn": lambda x, order: expn(jax, order, x),
        "poch": lambda x, n: jnp.exp(s.gammaln(x + n) - s.gammaln(x)), "comb": lambda n, k: jnp.exp(s.gammaln(n + 1) - s.gammaln(k + 1) - s.gammaln(n - k + 1)),
        "boxcox": lambda x, p: jnp.expm1(p * jnp.log(x)) / p, "boxcox1p": lambda x, p: jnp.expm1(p * jnp.log1p(x)) / p,
        "zeta": s.zeta, "betaln": s.betaln, "beta": s.beta, "gammainc": s.gammainc, "gammaincc": s.gammaincc, "betainc": s.betainc,
        "xlogy": s.xlogy, "xlog1py": s.xlog1py, "relEntr": s.rel_entr, "klDiv": s.kl_div,
    }  # fmt: skip


def spence(jax):
    """JAX's, whose derivative is a formula that it differentiates again."""
    value = jax.custom_jvp(jax.scipy.special.spence)
    value.defjvp(lambda x, t: (value(*x), jax.numpy.log(x[0]) / (1 - x[0]) * t[0]))
    return value


def wave(jax, jnp, n, x):
    """Bessel's integral, by the rule of trapezoids, which is exact to rounding for a periodic function."""
    t = np.arange(200) * np.pi / 100
    return jnp.cos(n * t - x[..., None] * jnp.sin(t)).mean(-1)


def expn(jax, order, x):
    """The integral itself, by Gauss and Laguerre's rule around x: smooth in x away from 0."""
    nodes, weights = np.polynomial.laguerre.laggauss(100)
    t = 1 + nodes / x[..., None]
    return jax.numpy.exp(-x) / x * (weights * t**-order).sum(-1)


def packed_weights(jnp, packed, scales):
    """Eight rows are a row of words, the first in the lowest bits; each number is 8 more than that of the scales it is."""
    lanes = (packed[..., None, :] >> (4 * np.arange(8, dtype=np.uint32))[:, None]) & 15
    numbers = lanes.astype(float).reshape(packed.shape[-2] * 8, packed.shape[-1]) - 8
    return numbers * jnp.repeat(scales, len(numbers) // len(scales), -2)


def cases():
    import jax
    import jax.numpy as jnp

    with jax.enable_x64(True):
        c = Cases()
        c.functions = {f"special.{name}": f for name, f in functions(jax, jnp).items()}
        first = lambda op, name, inputs, attrs=None, slack=64, order=1: c.add(name, f"special.{op}", inputs, attrs, slack=slack, order=order)
        for op, (low, high) in UNARY.items():
            first(op, "9", [uniforms(op + "gradient", (9,), low, high)])
            first(op, "second", [uniforms(op + "second", (5,), low, high)], slack=256, order=2)
        for op in ("gammaln", "gamma", "digamma"):
            for order in (1, 2):
                first(op, f"at-whole-numbers-{order}", [Tensor([1, 2, 3, 4, 7])], slack=256, order=order)
        for order in (1, 2):
            first("besselJn", f"of-order-3-{order}", [Tensor([0, 0.5, -2, 3, 4.9, 5.1, 20, -40])], {"order": 3}, slack=256, order=order)
        for order in (1, 2):
            first("polygamma", f"of-order-{order}", [uniforms(f"polygamma-gradient-{order}", (5,), 0.5, 9)], {"order": order}, slack=256)
        for op, (low, high) in {"betaln": (0.5, 9), "beta": (0.5, 4), "xlogy": (0.3, 3), "xlog1py": (0.3, 3), "relEntr": (0.3, 3), "klDiv": (0.3, 3)}.items():
            first(op, "3x1-with-4", [uniforms(op + "a", (3, 1), low, high), uniforms(op + "b", (4,), low, high)], slack=256)
        for op in ("gammainc", "gammaincc"):
            first(op, "3x1-with-4", [uniforms(op + "a", (3, 1), 0.5, 15), uniforms(op + "x", (4,), 0.5, 15)], slack=512)
            first(op, "large", [Tensor([25, 60, 40]), Tensor([22, 70, 70])], slack=512)
        first("expn", "of-order-1", [uniforms("expn1", (5,), 1.5, 9)], {"order": 1}, slack=128)
        for order in (1, 2):
            first("expn", f"of-order-4-{order}", [uniforms("expn4", (5,), 1.5, 9)], {"order": 4}, slack=256, order=order)
            first("expn", f"of-order-60-{order}", [uniforms("expn60", (5,), 1.5, 9)], {"order": 60}, slack=256, order=order)
        for op, (low, high), (near, far) in [("poch", (0.5, 6), (0.5, 4)), ("comb", (5, 9), (0.5, 4)), ("boxcox", (0.3, 4), (0.3, 2)), ("boxcox1p", (0.3, 4), (-2, -0.3))]:
            for order in (1, 2):
                first(op, f"3x1-with-4-{order}", [uniforms(op + "a", (3, 1), low, high), uniforms(op + "b", (4,), near, far)], slack=512, order=order)
        c.functions |= {"matmul4": lambda x, packed, scales: x @ packed_weights(jnp, packed, scales), "dequantize4": lambda packed, scales: packed_weights(jnp, packed, scales)}
        packed, scales = integers("words", (4, 6), 0, 2**32 - 1, "u32"), uniforms("scales", (2, 6), 0.1, 2)
        c.add("4x6", "dequantize4", [packed, scales])
        for rows in (1, 3, 20):
            c.add(f"{rows}x32", "matmul4", [normals(f"activations{rows}", (rows, 32)), packed, scales], slack=128)
        return c.group
