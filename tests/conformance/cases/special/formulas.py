"""Losses, polynomials, parts of numbers and pieces of tensors, which are formulas of other
operations. NumPy and JAX in float64 compute the values; JAX their derivatives and batches."""

import math

import numpy as np

from ..format import EPS, Tensor, integers, normals, uniforms
from ..linear.linalg import one, several


def tried(cases, name, build, f, *xs, tolerance=64 * EPS, smooth=True, batched=True):
    """The results, those of a batch of three, and the gradients by what is f32."""
    jax, count = cases.jax, len(xs)
    given = [x.reference for x in xs]
    as_list = lambda made: [np.asarray(y) for y in (made if isinstance(made, (tuple, list)) else [made])]
    cases.says(name, build, list(xs), as_list(f(*given)), tolerance)
    if batched:
        more = [Tensor(np.stack([np.roll(x.values, n) for n in range(3)]), x.dtype) for x in xs]
        found = [as_list(f(*[x.reference[n] for x in more])) for n in range(3)]

        def batch(b, *given):
            return b.many("vmap", given, len(found[0]), {"axes": [0] * count}, [b.function(count, lambda b, *xs: build(b, *xs))])

        cases.says(f"{name}-vmap", batch, more, [np.stack(ys) for ys in zip(*found, strict=True)], tolerance)
    if smooth:
        moved = [n for n, x in enumerate(xs) if x.dtype == "f32"]

        def partial(*some):
            full = list(given)
            for n, x in zip(moved, some, strict=True):
                full[n] = x
            return f(*full)

        made, pull = jax.vjp(partial, *[given[n] for n in moved])
        weights = normals(f"{name}-weights", np.shape(made))

        def slopes(b, *ids):
            def inner(b, *some):
                full = list(ids[:count])
                for n, x in zip(moved, some, strict=True):
                    full[n] = x
                return build(b, *full)

            inputs = [ids[n] for n in moved]
            return b.many("vjp", [*inputs, ids[count]], 1 + len(moved), {"primals": len(moved)}, [b.function(len(moved), inner)])

        cases.says(f"{name}-vjp", slopes, [*xs, weights], [np.asarray(y) for y in (made, *pull(weights.reference))], tolerance)


def losses(cases):
    jax, jnp = cases.jax, cases.jax.numpy
    nn = jax.nn
    x, y = normals("loss-x", (4, 5)), normals("loss-y", (4, 5))
    shares = Tensor(np.round(np.random.RandomState(3).dirichlet(np.ones(5), 4), 3))
    truths = uniforms("loss-truths", (4, 5), 0.05, 0.95)
    signs = Tensor(np.where(normals("loss-signs", (4, 5)).values > 0, 1.0, -1.0))
    crossed = lambda x, t: -(t * nn.log_sigmoid(x) + (1 - t) * nn.log_sigmoid(-x))
    unit = lambda x: x / jnp.sqrt(jnp.sum(x * x, -1, keepdims=True))
    cosine = lambda x, y: jnp.sum(unit(x) * unit(y), -1)
    kl = lambda x, t: jnp.sum(t * (jnp.log(t) - x), -1)
    length = lambda x: jnp.sqrt(jnp.sum(x * x, -1))
    tried(cases, "l2Loss", one("l2Loss"), lambda x, y: 0.5 * (x - y) ** 2, x, y)
    tried(cases, "nn.l1Loss", one("nn.l1Loss"), lambda x, y: jnp.abs(x - y), x, y)
    tried(cases, "logCosh", one("logCosh"), lambda x, y: jnp.log(jnp.cosh(x - y)), x, y)
    tried(cases, "hingeLoss", one("hingeLoss"), lambda x, t: jnp.maximum(0, 1 - x * t), x, signs)
    tried(cases, "sigmoidCrossEntropy", one("sigmoidCrossEntropy"), crossed, x, truths)
    for op in ("softmaxCrossEntropy", "safeSoftmaxCrossEntropy"):
        tried(cases, op, one(op), lambda x, t: -jnp.sum(t * nn.log_softmax(x), -1), x, shares)
    tried(cases, "smoothLabels", one("smoothLabels", amount=0.3), lambda t: t * 0.7 + 0.3 / 5, shares)
    tried(cases, "cosineSimilarity", one("cosineSimilarity", epsilon=1e-8), cosine, x, y)
    tried(cases, "cosineDistance", one("cosineDistance", epsilon=1e-8), lambda x, y: 1 - cosine(x, y), x, y)
    tried(cases, "klDivergence", one("klDivergence"), kl, x, truths)
    tried(cases, "convexKlDivergence", one("convexKlDivergence"), lambda x, t: kl(x, t) + jnp.sum(jnp.exp(x) - t, -1), x, truths)
    tried(cases, "poissonLoss", one("poissonLoss"), lambda x, n: jnp.exp(x) - n * x, x, truths)
    far = normals("loss-far", (4, 5), 3)
    tried(cases, "tripletLoss", one("tripletLoss", margin=1.5), lambda a, p, n: nn.relu(length(a - p) - length(a - n) + 1.5), x, y, far)
    tried(cases, "focalLoss", one("focalLoss", gamma=2.5), lambda x, t: crossed(x, t) * (nn.sigmoid(x) + t - 2 * nn.sigmoid(x) * t) ** 2.5, x, truths)
    tried(cases, "log1mexp", one("log1mexp"), lambda x: jnp.log(-jnp.expm1(-x)), uniforms("log1mexp", (20,), 0.01, 5))
    probes = Tensor([-3, -1.5, -0.5, 0.25, 0.75, 2, 5])
    tried(cases, "sparsePlus", one("sparsePlus"), lambda x: jnp.where(x < -1, 0, jnp.where(x > 1, x, (x + 1) ** 2 / 4)), probes)
    tried(cases, "sparseSigmoid", one("sparseSigmoid"), lambda x: jnp.clip((x + 1) / 2, 0, 1), probes)

    def ntxent(x, ids):
        near = unit(x) @ unit(x).T / 0.5
        same = ids[:, None] == ids[None]
        others = nn.logsumexp(jnp.where(same, -jnp.inf, near), -1, keepdims=True)
        pairs = same & ~jnp.eye(len(ids), dtype=bool)
        return jnp.sum(jnp.where(pairs, jnp.logaddexp(near, others) - near, 0)) / jnp.sum(pairs)

    tried(cases, "ntxent", one("ntxent", temperature=0.5), ntxent, normals("ntxent", (5, 3)), Tensor([0, 1, 0, 1, 2], "i32"), tolerance=256 * EPS)


def polynomials(cases):
    jnp = cases.jax.numpy
    p, q = normals("polynomial-p", (4,)), normals("polynomial-q", (6,))
    plain = {"smooth": True, "batched": True}
    tried(cases, "polyadd", one("polyadd"), jnp.polyadd, p, q, **plain)
    tried(cases, "polysub", one("polysub"), jnp.polysub, p, q, **plain)
    tried(cases, "polymul", one("polymul"), jnp.polymul, p, q, **plain)
    i, j = Tensor([3, -1, 4], "i32"), Tensor([2, 7], "i32")
    for op, f in [("polyadd", np.polyadd), ("polysub", np.polysub), ("polymul", np.polymul)]:
        tried(cases, f"{op}-i32", one(op), lambda a, b, f=f: f(a, b).astype(np.int32), i, j, smooth=False)
    for times in (0, 1, 2, 5):
        expected = lambda x: jnp.polyder(x, times) if 0 < times < 6 else x
        tried(cases, f"polyder-{times}", one("polyder", times=times), expected, q)
    tried(cases, "polyder-i32", one("polyder", times=1), lambda x: np.polyder(x).astype(np.int32), i, smooth=False)
    for times in (0, 1, 3):
        label, build = f"polyint-{times}", lambda b, x: [b("polyint", x, [0.5], times=times)]
        tried(cases, label, build, lambda x: jnp.polyint(x, times, 0.5) if times else x, p)
    tried(cases, "polyint-each", lambda b, x, c: [b("polyint", x, c, times=2)], lambda x, c: jnp.polyint(x, 2, c), p, Tensor([1.5, -2]))
    monic = Tensor([1.5, -0.5, 0.25])
    divided = lambda a, b: tuple(np.asarray(y) for y in np.polydiv(a, b))
    cases.says("polydiv", several("polydiv", 2), [q, monic], divided(q.reference, monic.reference), 256 * EPS)
    cases.says("polydiv-shorter", several("polydiv", 2), [monic, q], [np.zeros(1), np.concatenate([np.zeros(2), monic.reference])])
    x = uniforms("polyfit-x", (9,), -1, 1)
    y, w = normals("polyfit-y", (9,)), uniforms("polyfit-w", (9,), 0.5, 2)
    for degree in (0, 1, 3):
        tried(cases, f"polyfit-{degree}", one("polyfit", degree=degree), lambda x, y: jnp.polyfit(x, y, degree), x, y, tolerance=3e-5, batched=False)
        tried(cases, f"polyfit-{degree}-weights", one("polyfit", degree=degree), lambda x, y, w: jnp.polyfit(x, y, degree, w=w), x, y, w, tolerance=3e-5, smooth=False, batched=False)
    columns = normals("polyfit-columns", (9, 2))
    tried(cases, "polyfit-columns", one("polyfit", degree=2), lambda x, y: np.polyfit(x, y, 2), x, columns, tolerance=3e-5, smooth=False, batched=False)
    roots = Tensor([1.5, -0.5, 2, 0.25])
    cases.says("poly", one("poly"), [roots], [np.poly(roots.reference)], 64 * EPS)
    cases.says("poly-none", one("poly"), [Tensor(np.zeros(0))], [np.ones(1)])


def numbers(cases):
    jnp = cases.jax.numpy
    exact = lambda name, build, f, *xs: tried(cases, name, build, f, *xs, tolerance=0, smooth=False)
    f32 = np.float32
    single = lambda f: lambda *xs: [np.asarray(y).astype(float if np.asarray(y).dtype == f32 else np.asarray(y).dtype) for y in np.atleast_1d(f(*xs))]
    probes = Tensor([8, -0.3, 0, math.inf, -math.inf, math.nan, 3e-38, 3e38, 1, -1, 0.5, 5e-20])
    exact("frexp", several("frexp", 2), lambda x: [y if y.dtype.kind == "i" else y for y in np.frexp(x)], probes)
    exact("modf", several("modf", 2), lambda x: list(np.modf(x)), Tensor([1.5, -2.25, 7, -0.5, 0, math.inf, math.nan, 1e10]))
    n = Tensor([4, -1, 0, 127, -126, 10, 3], "i32")
    exact("ldexp", one("ldexp"), np.ldexp, Tensor([0.5, 3, -7, 1, 1, 1.5, math.inf]), n)
    tried(cases, "ldexp-smooth", one("ldexp"), lambda x, n: x * 2.0**n, normals("ldexp", (7,)), Tensor([4, -1, 0, 2, -3, 1, 3], "i32"))
    a, b = Tensor([1, 1, -1, 2, math.nan, 1, 2.5, math.inf]), Tensor([2, 0, 0, 2, 1, math.nan, 9, 1])
    exact("nextafter", one("nextafter"), lambda a, b: np.nextafter(a.astype(f32), b.astype(f32)).astype(float), a, b)
    tried(cases, "floatPower", one("floatPower"), lambda a, b: a**b, uniforms("power-a", (9,), 0.5, 3), uniforms("power-b", (9,), -2, 2))
    exact("floatPower-i32", lambda b, x: [b("floatPower", x, [-1])], lambda x: 1.0 / x, Tensor([2, -4, 8], "i32"))
    tried(cases, "logAddExp2", one("logAddExp2"), jnp.logaddexp2, normals("lae-a", (9,), 3), normals("lae-b", (9,), 3))
    exact("isposinf", one("isposinf"), np.isposinf, probes)
    exact("isneginf", one("isneginf"), np.isneginf, probes)
    i = Tensor([12, -18, 0, 1071, 1134903170, 0, 7, -(2**31) + 1], "i32")
    j = Tensor([9, 12, 5, 462, 1836311903, 0, 1, 3], "i32")
    exact("gcd", one("gcd"), np.gcd, i, j)
    exact("lcm", one("lcm"), np.lcm, Tensor([4, 6, 0, -21], "i32"), Tensor([6, -4, 3, 6], "i32"))
    exact("bitwiseCount", one("bitwiseCount"), lambda x: np.bitwise_count(x).astype(np.int32), i)
    exact("bitwiseCount-u32", one("bitwiseCount"), lambda x: np.bitwise_count(x).astype(np.int32), Tensor([0, 2**32 - 1, 2**31, 12345], "u32"))
    for dtype in ("f32", "i32"):
        x, y = (normals("divmod-x", (12,), 5), Tensor([2.5])) if dtype == "f32" else (integers("divmod-x", (12,), -40, 40), Tensor([7], "i32"))
        exact(f"divmod-{dtype}", several("divmod", 2), lambda a, b: list(np.divmod(a, b)), x, y) if dtype == "i32" else cases.says("divmod-f32", several("divmod", 2), [x, y], list(np.divmod(x.reference, y.reference)), 16 * EPS)


def pieces(cases):
    jnp = cases.jax.numpy
    for shape in [(3, 4), (2, 3, 4)]:
        x = normals(f"pieces{shape}", shape)
        for op, f in [("flipud", jnp.flipud), ("fliplr", jnp.fliplr), ("matrixTranspose", lambda x: jnp.swapaxes(x, -1, -2))]:
            tried(cases, f"{op}-{len(shape)}", one(op), f, x, tolerance=0)
    for shape in [(), (3,), (2, 3), (2, 3, 2)]:
        for n, f in [(1, jnp.atleast_1d), (2, jnp.atleast_2d), (3, jnp.atleast_3d)]:
            tried(cases, f"atLeast{n}d-{len(shape)}", one(f"atLeast{n}d"), f, normals(f"least{shape}", shape), tolerance=0)
    x, more = normals("put-x", (3, 4)), normals("put-more", (2, 4))
    tried(cases, "append", one("append", axis=0), lambda a, b: jnp.append(a, b, axis=0), x, more, tolerance=0)
    tried(cases, "append-flat", one("append", axis=None), jnp.append, x, more, tolerance=0)
    row, column = normals("put-row", (4,)), normals("put-column", (3, 1))
    for at, values, axis in [([1], row, 0), ([3], more, 0), ([-1], column, 1), ([0, 2], more, 0), ([1, 1], more, 0), ([5], row, None), ([0, 12], Tensor([1.5, 2.5]), None)]:
        # NumPy turns a matrix that a plain number places.
        f = lambda x, v: jnp.insert(x, at[0] if len(at) == 1 and v.ndim == 1 else np.array(at), v, axis=axis)
        tried(cases, f"insert-{at}-{axis}", one("insert", positions=at, axis=axis), f, x, values, tolerance=0)
    for at, axis in [([0], 0), ([-1, 1], 1), ([0, 1, 2], 0), ([3, 3, 11], None)]:
        f = lambda x: jnp.delete(x, np.array(at), axis=axis)
        tried(cases, f"remove-{at}-{axis}", one("remove", positions=at, axis=axis), f, x, tolerance=0, batched=len(at) != 3 or axis is None)
    for shape in [(5,), (4, 5), (2, 2, 2), (0, 3)]:
        tried(cases, f"resize-{shape}", one("resize", shape=list(shape)), lambda x: jnp.resize(x, shape), x, tolerance=0)
    missing = Tensor(np.where(np.arange(12).reshape(3, 4) % 5 == 2, np.nan, x.values))
    for axis in (0, -1):
        for initial in (False, True):
            before = lambda y, number: jnp.concatenate([jnp.full_like(jnp.take(y, jnp.array([0]), axis), number), y], axis) if initial else y
            attrs = {"axis": axis, "includeInitial": initial}
            tried(cases, f"cumulativeSum-{axis}-{initial}", one("cumulativeSum", **attrs), lambda x: before(jnp.cumsum(x, axis), 0), x)
            tried(cases, f"cumulativeProd-{axis}-{initial}", one("cumulativeProd", **attrs), lambda x: before(jnp.cumprod(x, axis), 1), x)
        tried(cases, f"nancumsum-{axis}", one("nancumsum", axis=axis), lambda x: jnp.nancumsum(x, axis), missing)
        tried(cases, f"nancumprod-{axis}", one("nancumprod", axis=axis), lambda x: jnp.nancumprod(x, axis), missing)
    values = Tensor([0.5, 2, 3, 4, -1, 2.5])
    for name, edges in [("up", [1, 2, 3]), ("down", [4, 3, 2, 1]), ("one", [2])]:
        for right in (False, True):
            f = lambda x, e: np.digitize(x, e, right).astype(np.int32)
            tried(cases, f"digitize-{name}-{right}", one("digitize", right=right), f, values, Tensor(edges), smooth=False, batched=False)
    for places, shape in [([1, 5, 11], (2, 2, 3)), ([[0, 3], [2, 5]], (2, 3))]:
        f = lambda x: [y.astype(np.int32) for y in np.unravel_index(x, shape)]
        cases.says(f"unravelIndex-{shape}", several("unravelIndex", len(shape), shape=list(shape)), [Tensor(places, "i32")], f(np.array(places)))
    for op, f in [("percentile", np.percentile), ("nanpercentile", np.nanpercentile)]:
        of = x if op == "percentile" else missing
        for percent in (0, 30, 100):
            for axis in (None, 1):
                build = lambda b, x: [b(op, x, [percent], axis=axis, keepdims=False, method="linear")]
                tried(cases, f"{op}-{percent}-{axis}", build, lambda x: f(x, percent, axis=axis), of, tolerance=256 * EPS, smooth=False, batched=False)
