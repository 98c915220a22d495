"""Systems, factorizations and functions of matrices, and their derivatives, by JAX in float64.
Factors that are not unique are compared by their products, and by the results of their uses."""

import numpy as np

from ..format import EPS, Group, Tensor, normals
from ..program import Builder, case, rounded


def matrix(name, *shape):
    """Well conditioned: NumPy's normals with more weight on the diagonal."""
    x = normals(name, shape).values
    return Tensor(np.round(x + 2 * np.eye(*shape[-2:]), 3))


def symmetric(name, *shape):
    x = normals(name, shape).values
    return Tensor(np.round(x + np.swapaxes(x, -1, -2), 3))


def definite(name, *shape):
    x = normals(name, shape).values
    return Tensor(np.round(x @ np.swapaxes(x, -1, -2) / 2 + np.eye(shape[-1]), 3))


def triangle(name, *shape, lower=True):
    x = normals(name, shape).values
    x = (np.tril(x) if lower else np.triu(x)) / shape[-1] ** 0.5
    return Tensor(np.round(x + 1.5 * np.eye(shape[-1]), 3))


SIZES = [(1, 1), (2, 2), (3, 3), (5, 5), (8, 8), (17, 17), (33, 33), (2, 4, 4), (2, 3, 3, 3)]
RECTANGLES = [(1, 1), (3, 3), (5, 3), (3, 5), (1, 4), (4, 1), (16, 7), (7, 16), (33, 20), (2, 5, 3), (2, 3, 5)]


def brief(x):
    return "x".join(map(str, x.values.shape))


class Cases:
    def __init__(self, jax):
        self.jax, self.group = jax, Group()

    def add(self, name, build, *inputs):
        """`build` gets a builder and the inputs, and says what is given."""
        name = f"{name}-{'-'.join(map(brief, inputs))}"
        main = Builder(0, len(inputs))
        gives = build(main, *main.parameters)
        made = case(self.jax, name, [len(inputs), main.steps, list(gives)], list(inputs))
        if made is None:
            raise ValueError(f"{name}: it hangs on the last bits of its inputs")
        self.keep(name, made)

    def keep(self, name, made):
        if name in self.group.names:
            raise ValueError(f"two cases are named {name}")
        self.group.names.add(name)
        self.group.cases.append({**made, "name": name})

    def known(self, name, build, inputs, expected, tolerance=4 * EPS):
        """What is given is known, as where it is not finite."""
        main = Builder(0, len(inputs))
        gives = build(main, *main.parameters)
        kinds = {"f": "f32", "i": "i32"}
        found = [Tensor(np.asarray(y), kinds[np.asarray(y).dtype.kind]).to_json() for y in expected]
        self.keep(name, {"name": name, "inputs": [x.to_json() for x in inputs], "main": [len(inputs), main.steps, list(gives)], "expected": found, "tolerance": float(f"{tolerance:.2g}")})

    def derived(self, name, build, *inputs, twice=True):
        """The results, a vjp, a jvp, and a jvp of the vjp."""
        count = len(inputs)
        shapes = [y.shape for y in self.values(build, inputs)]
        weights = [normals(f"{name}-weights{n}", shape) for n, shape in enumerate(shapes)]
        moves = [normals(f"{name}-moves{n}", x.values.shape) for n, x in enumerate(inputs)]

        def whole(b, *given):
            xs, ws, ds = given[:count], given[count : count + len(weights)], given[count + len(weights) :]
            inner = lambda b: b.function(count, lambda b, *xs: build(b, *xs))
            gives = b.many("vjp", [*xs, *ws], len(weights) + count, {"primals": count}, [inner(b)])
            gives += b.many("jvp", [*xs, *ds], 2 * len(weights), {"primals": count}, [inner(b)])[len(weights) :]
            if twice:

                def pulled(b, *xs):
                    made = b.many("vjp", [*xs, *ws], len(weights) + count, {"primals": count}, [inner(b)])
                    return made[len(weights) :]

                gives += b.many("jvp", [*xs, *ds], 2 * count, {"primals": count}, [b.function(count, pulled)])[count:]
            return gives

        self.add(f"{name}-derivatives", whole, *inputs, *weights, *moves)

    def values(self, build, inputs):
        from ..program import compiled

        main = Builder(0, len(inputs))
        gives = build(main, *main.parameters)
        return compiled(self.jax, [len(inputs), main.steps, list(gives)])([x.reference for x in inputs])


def one(op, **attrs):
    return lambda b, *xs: [b(op, *xs, **attrs)]


def several(op, count, **attrs):
    return lambda b, *xs: b.many(op, xs, count, attrs)


def systems(cases):
    for shape in SIZES:
        a = matrix("solve", *shape)
        cases.add("solve", one("linalg.solve"), a, normals("solve-b", (*shape[:-1], 3)))
        cases.add("inv", one("linalg.inv"), a)
        cases.add("det", one("linalg.det"), a)
        cases.add("slogdet", several("linalg.slogdet", 2), a)
    cases.add("solve", one("linalg.solve"), matrix("solve", 4, 4), normals("solve-b", (4,)))
    cases.add("solve", one("linalg.solve"), matrix("solve", 4, 4), normals("solve-b", (3, 4, 2)))
    cases.add("solve", one("linalg.solve"), matrix("solve", 3, 1, 4, 4), normals("solve-b", (2, 4, 2)))
    for lower in (True, False):
        for transposed in (True, False):
            for unit in (True, False):
                attrs = {"lower": lower, "transposed": transposed, "unitDiagonal": unit}
                label = f"triangularSolve-{lower}-{transposed}-{unit}"
                cases.add(label, one("linalg.triangularSolve", **attrs), matrix(label, 5, 5), normals("b", (5, 2)))
                cases.add(label, one("linalg.triangularSolve", **attrs), triangle(label, 40, 40, lower=lower), normals("b", (40, 3)))
    plain = {"lower": True, "transposed": False, "unitDiagonal": False}
    cases.add("triangularSolve", one("linalg.triangularSolve", **plain), triangle("triangularSolve", 6, 6), normals("b", (6,)))
    cases.add("triangularSolve", one("linalg.triangularSolve", **plain), triangle("triangularSolve", 2, 3, 3), normals("b", (2, 3, 2)))
    cases.derived("solve", one("linalg.solve"), matrix("solve", 4, 4), normals("solve-b", (4, 2)))
    cases.derived("solve", one("linalg.solve"), matrix("solve", 2, 3, 3), normals("solve-b", (3, 2)))
    cases.derived("inv", one("linalg.inv"), matrix("inv", 4, 4))
    for n in (2, 3, 5):
        cases.derived(f"det{n}", one("linalg.det"), matrix("det", n, n))
        cases.derived(f"slogdet{n}", several("linalg.slogdet", 2), matrix("slogdet", n, n))
    for lower, transposed, unit in [(True, False, False), (False, False, False), (True, True, False), (False, False, True)]:
        attrs = {"lower": lower, "transposed": transposed, "unitDiagonal": unit}
        cases.derived(f"triangularSolve-{lower}-{transposed}-{unit}", one("linalg.triangularSolve", **attrs), triangle("tri", 5, 5, lower=lower), normals("b", (5, 2)))
    batch = lambda op, count: lambda b, *xs: b.many("vmap", xs, count, {"axes": [0] * len(xs)}, [b.function(len(xs), lambda b, *xs: b.many(op, xs, count))])
    cases.add("solve-vmap", batch("linalg.solve", 1), matrix("solve", 3, 4, 4), normals("solve-b", (3, 4)))
    cases.add("slogdet-vmap", batch("linalg.slogdet", 2), matrix("slogdet", 3, 4, 4))
    cases.add("inv-vmap", batch("linalg.inv", 1), matrix("inv", 3, 4, 4))


def factors(cases):
    for shape in SIZES:
        a = definite("cholesky", *shape)
        for upper in (False, True):
            cases.add(f"cholesky-{upper}", one("linalg.cholesky", upper=upper), a)
        s = symmetric("eigh", *shape)
        cases.add("eigvalsh", one("linalg.eigvalsh"), s)

        def of_vectors(b, x):
            w, v = b.many("linalg.eigh", [x], 2)
            vt = b("swapAxes", v, a=-1, b=-2)
            scaled = b("mul", v, b("expandDims", w, axis=-2))
            return [w, b("matmul", scaled, vt), b("matmul", vt, v)]

        cases.add("eigh", of_vectors, s)
    for shape in RECTANGLES:
        x = normals("factors", shape)
        cases.add("lu", several("linalg.lu", 3), x)
        cases.add("qr-reduced", several("linalg.qr", 2, complete=False), x)
        cases.add("svdvals", one("linalg.svdvals"), x)
        for full in (False, True):

            def of_both(b, x, full=full, k=min(shape[-2:]), m=shape[-2], n=shape[-1]):
                u, s, vt = b.many("linalg.svd", [x], 3, {"full": full})
                ut, v = b("swapAxes", u, a=-1, b=-2), b("swapAxes", vt, a=-1, b=-2)
                cut = lambda x, columns: b("slice", x, starts=[None] * len(shape[:-1]) + [0], stops=[None] * len(shape[:-1]) + [k], steps=[1] * len(shape))
                left = b("mul", cut(u, m), b("expandDims", s, axis=-2))
                whole = b("matmul", left, b("swapAxes", cut(v, n), a=-1, b=-2))
                return [s, whole, b("matmul", ut, u), b("matmul", vt, v)]

            cases.add(f"svd-{full}", of_both, x)

        def complete(b, x):
            q, r = b.many("linalg.qr", [x], 2, {"complete": True})
            return [b("matmul", q, r), b("matmul", b("swapAxes", q, a=-1, b=-2), q), r]

        cases.add("qr-complete", complete, x)
    cases.derived("cholesky", one("linalg.cholesky", upper=False), definite("cholesky", 4, 4))
    cases.derived("lu", lambda b, x: b.many("linalg.lu", [x], 3)[:1], normals("lu", (4, 4)))
    cases.derived("lu-tall", lambda b, x: b.many("linalg.lu", [x], 3)[:1], normals("lu", (5, 3)), twice=False)
    cases.derived("lu-wide", lambda b, x: b.many("linalg.lu", [x], 3)[:1], normals("lu", (3, 5)), twice=False)
    cases.derived("qr", several("linalg.qr", 2, complete=False), normals("qr", (4, 4)))
    cases.derived("qr-tall", several("linalg.qr", 2, complete=False), normals("qr", (5, 3)))
    cases.derived("eigvalsh", one("linalg.eigvalsh"), symmetric("eigh", 4, 4))
    cases.derived("svdvals", one("linalg.svdvals"), normals("svd", (4, 3)))
    cases.derived("svdvals-wide", one("linalg.svdvals"), normals("svd", (3, 4)))

    def function_of(b, x):
        """Of the vectors, what does not hang on their signs: v·f(w)·vᵀ."""
        w, v = b.many("linalg.eigh", [x], 2)
        scaled = b("mul", v, b("expandDims", b("sin", w), axis=-2))
        return [b("matmul", scaled, b("swapAxes", v, a=-1, b=-2))]

    cases.derived("eigh", function_of, symmetric("eigh", 4, 4))

    def function_of_both(b, x):
        u, s, vt = b.many("linalg.svd", [x], 3, {"full": False})
        return [b("matmul", b("mul", u, b("expandDims", b("sin", s), axis=-2)), vt)]

    for shape in [(3, 3), (4, 3), (3, 4)]:
        cases.derived(f"svd{shape}", function_of_both, normals("svd", shape))
    batch = lambda op, count, **attrs: lambda b, *xs: b.many("vmap", xs, count, {"axes": [1] * len(xs)}, [b.function(len(xs), lambda b, *xs: b.many(op, xs, count, attrs))])
    cases.add("qr-vmap", batch("linalg.qr", 2, complete=False), normals("qr", (4, 2, 3)))
    cases.add("lu-vmap", batch("linalg.lu", 3), normals("lu", (4, 2, 3)))
    cases.add("cholesky-vmap", batch("linalg.cholesky", 1, upper=False), Tensor(np.swapaxes(definite("cholesky", 2, 3, 3).values, 0, 1)))
    cases.add("eigvalsh-vmap", batch("linalg.eigvalsh", 1), symmetric("eigh", 3, 3, 3))
    cases.add("svdvals-vmap", batch("linalg.svdvals", 1), normals("svd", (4, 2, 3)))


def functions_of(cases):
    for shape in [(1, 1), (2, 2), (5, 5), (9, 9), (2, 3, 3)]:
        cases.add("expm", one("linalg.expm"), normals("expm", shape))
    cases.add("expm-small", one("linalg.expm"), normals("expm", (4, 4), 0.01))
    cases.add("expm-large", one("linalg.expm"), Tensor(normals("expm", (3, 3), 4).values - 12 * np.eye(3)))
    cases.derived("expm", one("linalg.expm"), normals("expm", (3, 3)), twice=False)
    for shape in [(1, 1), (5, 3), (16, 7), (2, 3, 5)]:
        x = normals("norms", shape)
        for order in ("fro", "nuc", 1, -1, 2, "inf", "-inf"):
            cases.add(f"matrixNorm-{order}", one("linalg.matrixNorm", order=order, keepdims=False), x)
    x = normals("norms", (2, 3, 4))
    for order in (1, 2, "inf"):
        cases.add(f"matrixNorm-{order}-kept", one("linalg.matrixNorm", order=order, keepdims=True), x)
        cases.add(f"vectorNorm-{order}", one("linalg.vectorNorm", order=order, axis=1, keepdims=False), x)
        cases.add(f"norm-vectors-{order}", one("linalg.norm", order=order, axis=2, keepdims=False), x)
        for kept in (False, True):
            cases.add(f"norm-matrices-{order}-{kept}", one("linalg.norm", order=order, axis=[2, 0], keepdims=kept), x)
    cases.add("norm-all", one("linalg.norm", order=None, axis=None, keepdims=False), x)
    cases.add("norm-axes", one("linalg.norm", order=None, axis=[0, 1], keepdims=False), x)
    for order in (None, 1, "fro", "inf", -2):
        cases.add(f"cond-{order}", one("linalg.cond", order=order), matrix("cond", 4, 4))
    cases.derived("matrixNorm", one("linalg.matrixNorm", order="nuc", keepdims=False), normals("norms", (4, 3)))
    for shape in RECTANGLES:
        cases.add("pinv", one("linalg.pinv", rtol=None), normals("pinv", shape))
        cases.add("matrixRank", one("linalg.matrixRank", rtol=None), normals("pinv", shape))
    cases.add("pinv-of-less-rank", one("linalg.pinv", rtol=0.01), Tensor([[1, 2, 3], [2, 4, 6], [1, 0, 1], [0, 2, 2]]))
    cases.add("matrixRank-less", one("linalg.matrixRank", rtol=None), Tensor([[1, 2, 3], [2, 4, 6], [1, 0, 1], [0, 2, 2]]))
    cases.add("matrixRank-zero", one("linalg.matrixRank", rtol=None), Tensor(np.zeros((3, 2))))
    for shape in [(3, 3), (4, 3), (3, 4)]:
        cases.derived(f"pinv{shape}", one("linalg.pinv", rtol=None), normals("pinv", shape))
    for a, b in [((5, 3), (5,)), ((5, 3), (5, 2)), ((3, 5), (3, 2)), ((4, 4), (4,))]:
        cases.add("lstsq", lambda b, *xs: [b.many("linalg.lstsq", xs, 4, {"rtol": None})[n] for n in (0, 2, 3)], normals("lstsq", a), normals("lstsq-b", b))
    cases.derived("lstsq", lambda b, *xs: b.many("linalg.lstsq", xs, 4, {"rtol": None})[:2], normals("lstsq", (5, 3)), normals("lstsq-b", (5, 2)), twice=False)
    for shapes in [((3, 4), (4, 5), (5, 2)), ((10, 2), (2, 20), (20, 3), (3, 4)), ((3,), (3, 4), (4,)), ((3, 4), (4, 2)), ((4,), (4,))]:
        cases.add("multiDot", one("linalg.multiDot"), *(normals(f"multiDot{n}", shape) for n, shape in enumerate(shapes)))


def edges(cases):
    nan, inf = np.nan, np.inf
    none, empty = Tensor(np.zeros((0, 0))), np.zeros((0, 0))
    of = lambda values: Tensor(np.array(values, float))
    cases.known("inv-empty", one("linalg.inv"), [none], [empty])
    cases.known("det-empty", one("linalg.det"), [none], [1.0])
    cases.known("solve-empty", one("linalg.solve"), [none, Tensor(np.zeros((0, 2)))], [np.zeros((0, 2))])
    cases.known("solve-no-columns", one("linalg.solve"), [of([[1, 0], [0, 1]]), Tensor(np.zeros((2, 0)))], [np.zeros((2, 0))])
    cases.known("cholesky-empty", one("linalg.cholesky", upper=False), [none], [empty])
    cases.known("expm-empty", one("linalg.expm"), [none], [empty])
    cases.known("eigh-empty", several("linalg.eigh", 2), [none], [np.zeros(0), empty])
    cases.known("batch-empty", one("linalg.inv"), [Tensor(np.zeros((0, 3, 3)))], [np.zeros((0, 3, 3))])
    for shape in [(0, 0), (3, 0), (0, 3)]:
        x, k = Tensor(np.zeros(shape)), min(shape)
        cases.known(f"svd-{brief(x)}", several("linalg.svd", 3, full=False), [x], [np.zeros((shape[0], k)), np.zeros(k), np.zeros((k, shape[1]))])
        cases.known(f"qr-{brief(x)}", several("linalg.qr", 2, complete=False), [x], [np.zeros((shape[0], k)), np.zeros((k, shape[1]))])
        cases.known(f"lu-{brief(x)}", several("linalg.lu", 3), [x], [np.zeros(shape), np.zeros(k, int), np.arange(shape[0])])
        cases.known(f"pinv-{brief(x)}", one("linalg.pinv", rtol=None), [x], [np.zeros(shape[::-1])])
        cases.known(f"matrixRank-{brief(x)}", one("linalg.matrixRank", rtol=None), [x], [np.zeros((), int)])
    cases.known("cholesky-not-definite", one("linalg.cholesky", upper=False), [of([[1, 2], [2, 1]])], [[[nan, 0], [nan, nan]]])
    cases.known("cholesky-of-one-in-a-batch", one("linalg.cholesky", upper=False), [of([[[4.0]], [[-1.0]]])], [[[[2.0]], [[nan]]]])
    cases.known("det-singular", one("linalg.det"), [of(np.ones((4, 4)))], [0.0])
    cases.known("slogdet-singular", several("linalg.slogdet", 2), [of(np.ones((4, 4)))], [0.0, -inf])
    cases.known("lu-singular", several("linalg.lu", 3), [of([[0, 0], [0, 0]])], [[[0.0, 0.0], [0.0, 0.0]], np.array([0, 1]), np.array([0, 1])])
    cases.known("eigh-of-one-value", one("linalg.eigvalsh"), [of(3 * np.eye(5))], [np.full(5, 3.0)])
    cases.known("svdvals-of-nothing", one("linalg.svdvals"), [of(np.zeros((4, 3)))], [np.zeros(3)])
    cases.known("svdvals-large", one("linalg.svdvals"), [of([[3e30, 0], [0, 4e-30]])], [[3e30, 4e-30]])
    cases.known("svdvals-repeated", one("linalg.svdvals"), [of(np.ones((6, 6)))], [[6.0, 0, 0, 0, 0, 0]])

    def orthonormal(b, x):
        u, _, vt = b.many("linalg.svd", [x], 3, {"full": False})
        return [b("matmul", b("swapAxes", u, a=-1, b=-2), u), b("matmul", vt, b("swapAxes", vt, a=-1, b=-2))]

    for name, x in [("zeros", np.zeros((5, 3))), ("ones", np.ones((5, 3))), ("one", np.outer([1, 2, 3], [1, 0, 0]))]:
        cases.known(f"svd-vectors-of-{name}", orthonormal, [of(x)], [np.eye(3), np.eye(3)], 32 * EPS)

    def pulled(op, **attrs):
        return lambda b, x, w: b.many("vjp", [x, w], 2, {"primals": 1}, [b.function(1, lambda b, x: [b(op, x, **attrs)])])[1:]

    # Values have gradients where vectors have none.
    cases.known("eigvalsh-gradient-of-one-value", pulled("linalg.eigvalsh"), [of(np.eye(3)), of([1, 1, 1])], [np.eye(3)])
    cases.known("svdvals-gradient-of-one-value", pulled("linalg.matrixNorm", order="nuc", keepdims=False), [of(np.eye(3)), of(1.0)], [np.eye(3)], 16 * EPS)
    cases.known("pinv-gradient-of-one-value", pulled("linalg.pinv", rtol=None), [of(np.eye(2)), of([[1, 2], [3, 4]])], [-np.array([[1.0, 2], [3, 4]])], 16 * EPS)
    cases.known("det-gradient-singular", pulled("linalg.det"), [of([[1, 2], [2, 4]]), of(1.0)], [[[4.0, -2], [-2, 1]]])


def cases():
    import jax

    with jax.enable_x64(True):
        made = Cases(jax)
        systems(made)
        factors(made)
        functions_of(made)
        edges(made)
    return made.group
