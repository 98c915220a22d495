"""Gradients of each operation: JAX's in float64, of sum(weights · op(inputs)) with respect to each
f32 input.

The generator also checks every case away from a kink against central differences. Cases with
`directions` nest: with g₁ = ∇sum(weights · op(x)) the next is g₂ = ∇sum(directions[0] · g₁), and
so on, each with respect to the first input.
"""

import math

import numpy as np

from ..format import EPS, Group, Number, Tensor, bools, brief, integers, normals, tolerance_json, uniforms


class Cases:
    """Adds gradient cases; holds JAX, which is imported only when cases are made."""

    def __init__(self):
        import jax
        import jax.numpy as jnp

        self.jax, self.jnp = jax, jnp
        self.group = Group()
        self.functions = functions(jax, jnp)

    def add(self, name, op, inputs, attrs=None, weights=None, order=1, kink=False, slack=8, nan_as=None):
        """`slack` is the tolerance in units of ε, relative and of the largest magnitude in sight. `kink` skips the differences;
        `nan_as` is the convention where JAX gives NaN."""
        name = f"{op}-{name}"
        attrs = attrs or {}
        function = self.functions[op]
        values = [x.reference for x in inputs]
        floats = [k for k, x in enumerate(inputs) if isinstance(x, Tensor) and x.dtype == "f32"]

        def apply(*chosen):
            full = list(values)
            for k, v in zip(floats, chosen):
                full[k] = v
            return function(*full, **attrs)

        point = [self.jnp.asarray(values[k]) for k in floats]
        shape = apply(*point).shape
        weights = normals(name + "weights", shape) if weights is None else Tensor(weights)

        def total(*chosen):
            return self.jnp.sum(apply(*chosen) * weights.reference)

        if order == 1:
            found = self.jax.grad(total, argnums=tuple(range(len(point))))(*point)
            if not kink:
                self.compare_with_differences(name, total, point, found)
            gradients = [None] * len(inputs)
            for k, g in zip(floats, found):
                gradients[k] = np.asarray(g) if nan_as is None else np.nan_to_num(g, nan=nan_as, posinf=np.inf, neginf=-np.inf)
            extra = {}
        else:
            directions = [normals(f"{name}direction{n}", point[0].shape) if point[0].ndim else Tensor(1.0) for n in range(1, order)]
            scalar = total
            for direction in directions:
                scalar = self.contracted(scalar, direction.reference)
            gradients = [np.asarray(self.jax.grad(scalar)(*point))] + [None] * (len(inputs) - 1)
            if not kink:
                self.compare_with_differences(name, scalar, point[:1], gradients[:1], point[1:])
            extra = {"directions": [d.to_json() for d in directions]}

        finite = [np.abs(g[np.isfinite(g)]).max(initial=0) for g in gradients if g is not None]
        largest = max([*finite, np.abs(weights.values).max(initial=0)])
        self.group.append(
            name,
            op,
            inputs,
            attrs,
            weights=weights.to_json(),
            **extra,
            gradients=[None if g is None else Tensor(g).to_json() for g in gradients],
            tolerance=tolerance_json((slack * EPS * largest, slack * EPS)),
        )

    def contracted(self, scalar, direction):
        return lambda *chosen: self.jnp.sum(self.jax.grad(scalar)(*chosen) * direction)

    def compare_with_differences(self, name, scalar, point, found, rest=()):
        """Central differences in float64: right to about the cube root of its ε, squared."""
        h = 1e-5
        for k, (x, g) in enumerate(zip(point, found)):
            x = np.asarray(x)
            numeric = np.zeros_like(x)
            for index in np.ndindex(x.shape):
                moved = []
                for sign in (1, -1):
                    y = x.copy()
                    y[index] += sign * h
                    moved.append(float(scalar(*point[:k], y, *point[k + 1 :], *rest)))
                numeric[index] = (moved[0] - moved[1]) / (2 * h)
            scale = max(1.0, np.abs(np.asarray(g)).max(initial=0))
            np.testing.assert_allclose(np.asarray(g), numeric, rtol=1e-6, atol=1e-6 * scale, err_msg=name)


def functions(jax, jnp):
    """Each operation in JAX, taking the inputs in order and the attributes by name."""

    def axes(axis):
        return tuple(axis) if isinstance(axis, list) else axis

    def reduction(f):
        return lambda x, axis, keepdims: f(x, axis=axes(axis), keepdims=keepdims)

    def cut(x, starts, stops, steps):
        return x[tuple(slice(*r) for r in zip(starts, stops, steps))]

    def cross_entropy(x, classes):
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(x, axis=1), classes[:, None], axis=1))

    unary = {
        "neg": jnp.negative, "exp": jnp.exp, "log": jnp.log, "sqrt": jnp.sqrt, "rsqrt": jax.lax.rsqrt, "sin": jnp.sin,
        "cos": jnp.cos, "tanh": jnp.tanh, "sigmoid": jax.nn.sigmoid, "relu": jax.nn.relu, "erf": jax.lax.erf, "sign": jnp.sign,
        "expm1": jnp.expm1, "log1p": jnp.log1p, "floor": jnp.floor, "ceil": jnp.ceil, "round": jnp.round,
    }  # fmt: skip
    binary = {
        "add": jnp.add, "sub": jnp.subtract, "mul": jnp.multiply, "div": jnp.divide, "remainder": jnp.remainder, "pow": jnp.power,
        "fmod": jnp.fmod, "minimum": jnp.minimum, "maximum": jnp.maximum, "matmul": jnp.matmul, "where": jnp.where,
    }  # fmt: skip
    reductions = {
        "sum": jnp.sum, "prod": jnp.prod, "mean": jnp.mean, "max": jnp.max, "min": jnp.min,
        "logSumExp": jax.scipy.special.logsumexp,
    }  # fmt: skip
    def spread(f):
        return lambda x, axis, keepdims, correction: f(x, axis=axes(axis), keepdims=keepdims, ddof=correction)

    return {
        **unary,
        **binary,
        **{op: reduction(f) for op, f in reductions.items()},
        **{op: reduction(getattr(jnp, op)) for op in ("nansum", "nanprod", "nanmean", "nanmax", "nanmin")},
        **{op: spread(getattr(jnp, op)) for op in ("nanvar", "nanstd")},
        # JAX takes a part of the infinity beside the median, which is NaN.
        "median": lambda x, axis, keepdims: jnp.median(jnp.clip(x, -1e9, 1e9), axis=axis, keepdims=keepdims),
        # Without the choice before it JAX gives NaN where what does not count is infinite.
        "variance": lambda x, among, axis, keepdims, correction: jnp.var(jnp.where(among, x, 0), axis=axis, ddof=correction, where=among),
        # Zero at 0, where JAX's own takes the slope from the right.
        "abs": lambda x: x * jnp.sign(x),
        "gelu": lambda x: jax.nn.gelu(x, approximate=False),
        "clip": lambda x, min, max: jnp.clip(x, min, max),
        "reshape": lambda x, shape: jnp.reshape(x, shape),
        "permute": lambda x, axes: jnp.transpose(x, axes),
        "broadcastTo": lambda x, shape: jnp.broadcast_to(x, shape),
        "slice": cut,
        "flip": lambda x, axis: jnp.flip(x, axes(axis)),
        "pad": lambda x, pads, value: jnp.pad(x, pads, constant_values=value),
        "concat": lambda *xs, axis: jnp.concatenate(xs, axis),
        "stack": lambda *xs, axis: jnp.stack(xs, axis),
        "take": lambda x, indices, axis: jnp.take(x, indices, axis=axis),
        "softmax": lambda x, axis: jax.nn.softmax(x, axis=axis),
        "logSoftmax": lambda x, axis: jax.nn.log_softmax(x, axis=axis),
        "crossEntropy": cross_entropy,
    }


def cases():
    import jax

    with jax.enable_x64(True):
        c = Cases()
        elementwise(c)
        kinks(c)
        binary(c)
        powers(c)
        reductions(c)
        views(c)
        products(c)
        networks(c)
        nested(c)
    return c.group


SMOOTH = ["neg", "exp", "sin", "cos", "tanh", "sigmoid", "erf", "gelu", "expm1"]
POSITIVE = ["log", "sqrt", "rsqrt", "log1p"]


def elementwise(c):
    for op in SMOOTH:
        c.add("3x5", op, [normals(f"grad-{op}", (3, 5), 2)])
        c.add("0d", op, [Tensor(0.75)])
    c.add("far-and-near", "expm1", [Tensor([-90, -1, 0, 1e-3, 0.999, 30])])
    c.add("far-and-near", "log1p", [Tensor([-0.9, -0.25, 0, 1e-3, 0.25, 1e30])], kink=True)
    for op in POSITIVE:
        c.add("3x5", op, [uniforms(f"grad-{op}", (3, 5), 0.2, 6)])
    off_kinks = Tensor([-3.25, -1.75, -0.6, -0.2, 0.3, 0.7, 1.2, 2.8])
    for op in ("relu", "abs", "sign", "floor", "ceil", "round"):
        c.add("8", op, [off_kinks])
    c.add("both", "clip", [off_kinks], {"min": -1, "max": 1})
    c.add("min-only", "clip", [off_kinks], {"min": -1, "max": None})
    c.add("empty", "exp", [Tensor(np.zeros((0, 3)))])
    # Saturated: the gradient is 0, not NaN.
    c.add("saturated", "tanh", [Tensor([-100, -20, 20, 100, 1e10])], kink=True)
    c.add("saturated", "sigmoid", [Tensor([-200, 200])], kink=True)
    c.add("far-out", "gelu", [Tensor([-30, -10, 10, 30])], kink=True)
    c.add("far-out", "erf", [Tensor([-30, -10, 10, 30])], kink=True)


def kinks(c):
    c.add("at-0-is-0", "relu", [Tensor([0.0, -1.0, 1.0])], kink=True)
    c.add("at-0-is-0", "abs", [Tensor([0.0, -1.0, 1.0])], kink=True)
    c.add("everywhere-0", "sign", [Tensor([0.0, -1.0, 1.0])], kink=True)
    c.add("on-whole-numbers-0", "floor", [Tensor([0.0, -1.0, 2.0])], kink=True)
    c.add("at-0-is-infinite", "sqrt", [Tensor([0.0, 4.0])], weights=[1.0, 1.0], kink=True)
    # Ties share.
    x, y = Tensor([1.0, 2.0, 3.0, 0.0]), Tensor([1.0, 5.0, -3.0, 0.0])
    c.add("ties-share", "maximum", [x, y], kink=True)
    c.add("ties-share", "minimum", [x, y], kink=True)
    c.add("ties-with-a-number", "maximum", [x, Number(2)], kink=True)
    rows = Tensor([[1, 3, 3, 2], [0, 0, 0, 0], [5, 1, 5, 5]])
    c.add("ties-share", "max", [rows], {"axis": 1, "keepdims": False}, kink=True)
    c.add("ties-share", "min", [rows], {"axis": 1, "keepdims": False}, kink=True)
    c.add("ties-share-over-all", "max", [rows], {"axis": None, "keepdims": False}, kink=True)


def binary(c):
    for a, b in [((3, 1), (1, 4)), ((2, 3, 2), (3, 1)), ((), (4,)), ((5,), (5,)), ((2, 1, 2, 1, 2), (3, 1, 1, 2))]:
        name = f"{brief(a)}-with-{brief(b)}"
        for op in ("add", "sub", "mul") if a != (3, 1) else ("add", "sub", "mul", "div", "minimum", "maximum"):
            second = uniforms(name + op, b, 0.5, 3) if op == "div" else normals(name + op, b)
            c.add(name, op, [normals(op + name, a), second])
    x = normals("grad-number", (5,))
    c.add("number-right", "mul", [x, Number(2.5)])
    c.add("number-left", "sub", [Number(1), x])
    c.add("number-left", "div", [Number(1), Tensor([0.5, -2, 3])])
    c.add("same-shape", "div", [x, Tensor([0.7, -1.3, 2.1, -0.4, 3.3])])
    # Quotients away from whole numbers, of all signs.
    c.add("signs", "remainder", [Tensor([5.3, -5.3, 5.3, -5.3, 0.4]), Tensor([2.0, 2.0, -2.0, -2.0, 0.9])])
    c.add("number", "remainder", [Tensor([5.3, -5.3, 0.4]), Number(2.5)])
    c.add("number-left", "remainder", [Number(7), Tensor([2.9, -2.9])])
    c.add("signs", "fmod", [Tensor([5.3, -5.3, 5.3, -5.3, 0.4]), Tensor([2.0, 2.0, -2.0, -2.0, 0.9])])
    c.add("of-0", "fmod", [Tensor([0.0, 0.0]), Tensor([2.0, -2.0])], kink=True)
    c.add("3x4", "where", [bools("grad-where", (3, 4)), normals("grad-where-a", (3, 1)), normals("grad-where-b", (4,))])
    c.add("number", "where", [bools("grad-where", (5,)), x, Number(0)])
    # The branch not chosen passes no gradient on.
    c.add("all-of-one", "where", [Tensor([1, 1, 1], "bool"), Tensor([1, 2, 3]), Tensor([4, 5, 6])])
    c.add("f32-by-i32", "mul", [x, integers("grad-i32", (5,), -3, 3)])


def powers(c):
    c.add("3x1-with-1x4", "pow", [uniforms("grad-pow-a", (3, 1), 0.3, 4), normals("grad-pow-b", (1, 4))])
    c.add("0d", "pow", [Tensor(1.7), Tensor(-2.3)])
    x = Tensor([-2.5, -1, 0.5, 1, 3])
    for n in (2, 3, -1, -2):
        c.add(f"number-{n}", "pow", [x, Number(n)])
    for n in (0.5, -0.5, 1.7):
        c.add(f"number-{n}", "pow", [Tensor([0.5, 1, 3]), Number(n)])
    c.add("number-base", "pow", [Number(2), Tensor([-1.5, 0, 2])])
    # At 0: x^n has slope 0 for n > 1, 1 for n = 1, 0 for n = 0, a tensor's 0 as well; x^½ has an
    # infinite one. Towards the exponent 0^y is flat.
    for n in (0, 1, 2, 3, 1.5):
        c.add(f"number-{n}-at-0", "pow", [Tensor([0.0, 2.0]), Number(n)], kink=True)
    c.add("number-0.5-at-0", "pow", [Tensor([0.0, 4.0]), Number(0.5)], weights=[1.0, 1.0], kink=True)
    c.add("tensors-at-0", "pow", [Tensor([0.0, 0.0, 0.0, 0.0]), Tensor([0.0, 1.0, 2.0, 2.5])], kink=True, nan_as=0.0)


def reductions(c):
    places = [
        ((7,), None, False), ((), None, False), ((3, 5), 0, False), ((3, 5), -1, True), ((2, 3, 4), [0, 2], False),
        ((2, 1, 2, 3, 2), [3, 1], True),
    ]  # fmt: skip
    for op in ("sum", "mean", "max", "min", "prod", "logSumExp"):
        for shape, axis, keepdims in places:
            label = "all" if axis is None else "axis" + "".join(f"_{a}" for a in np.atleast_1d(axis))
            if op in ("max", "min"):
                # Distinct values, far enough apart for differences.
                order = np.random.RandomState(7).permutation(int(np.prod(shape)))
                x = Tensor((order.reshape(shape) - 5) / 4)
            else:
                x = normals(f"grad-{op}-{brief(shape)}", shape, 1 if op != "prod" else 0.7)
            c.add(f"{brief(shape)}-{label}", op, [x], {"axis": axis, "keepdims": keepdims}, slack=8 + 2 * math.sqrt(x.values.size))
    along = {"axis": 1, "keepdims": False}
    c.add("with-zeros", "prod", [Tensor([[2, 0, 3], [0, 0, 4], [1.5, -2, 4]])], along)
    c.add("large", "logSumExp", [Tensor([[1000, 1000, 999], [-1000, -1001, -1000]])], along, kink=True)
    c.add("masked-by-minus-infinity", "logSumExp", [Tensor([[1, -math.inf, 2]])], along, kink=True)
    c.add("empty", "sum", [Tensor(np.zeros((0, 3)))], {"axis": 0, "keepdims": False})
    # Missing elements have none, and take nothing from those that are there.
    nan = math.nan
    holes = Tensor([[1, nan, 3, -2], [4, 5, nan, nan], [0.5, -7, 2, 8]])
    for op in ("nansum", "nanprod", "nanmean", "nanmax", "nanmin"):
        c.add("holes", op, [holes], along)
    for op in ("nanvar", "nanstd"):
        c.add("holes", op, [holes], {**along, "correction": 1})
        c.add("holes-of-all", op, [holes], {"axis": None, "keepdims": False, "correction": 0})
    c.add("infinite", "median", [Tensor([[1, 2, math.inf], [-math.inf, 7, 4], [math.inf, 3, -math.inf]])], along)
    c.add("between", "median", [Tensor([[1, 2, 8, math.inf], [-math.inf, 7, 4, 1]])], along)
    among = Tensor([[1, -math.inf, 3, -2], [4, 5, nan, math.inf]])
    c.add("finite", "variance", [among, Tensor(np.isfinite(among.values), "bool")], {**along, "correction": 1})


def views(c):
    x = normals("grad-view", (3, 5))
    c.add("3x5-to-5x3", "reshape", [x], {"shape": [5, 3]})
    c.add("1-to-0d", "reshape", [Tensor([2.0])], {"shape": []})
    c.add("rank-4", "permute", [normals("grad-permute", (2, 1, 3, 2))], {"axes": [3, 1, 0, 2]})
    c.add("3x1-to-2x3x4", "broadcastTo", [normals("grad-broadcast", (3, 1))], {"shape": [2, 3, 4]})
    c.add("0d-to-7", "broadcastTo", [Tensor(2.0)], {"shape": [7]})
    c.add("to-empty", "broadcastTo", [Tensor([2.0])], {"shape": [0]})
    c.add("middle", "slice", [normals("grad-slice", (7,))], {"starts": [1], "stops": [5], "steps": [1]})
    c.add("step-2-and-reversed", "slice", [x], {"starts": [0, None], "stops": [3, None], "steps": [2, -1]})
    c.add("reversed-step-3", "slice", [normals("grad-slice-17", (17,))], {"starts": [15], "stops": [2], "steps": [-3]})
    c.add("nothing", "slice", [x], {"starts": [2], "stops": [2], "steps": [1]})
    c.add("axis-1", "flip", [x], {"axis": 1})
    c.add("2d", "pad", [normals("grad-pad", (2, 3))], {"pads": [[1, 0], [0, 2]], "value": 4})
    parts = [normals(f"grad-part-{k}", (2, k)) for k in (1, 3, 2)]
    c.add("axis-1", "concat", parts, {"axis": 1})
    c.add("with-empty", "concat", [Tensor(np.zeros((2, 0))), parts[1]], {"axis": 1})
    rows = [normals(f"grad-row-{k}", (3,)) for k in range(3)]
    c.add("axis-1", "stack", rows, {"axis": 1})
    c.add("rows", "take", [x, Tensor([2, 0], "i32")], {"axis": 0})
    c.add("repeated-indices-add-up", "take", [x, Tensor([1, 1, 0, 1], "i32")], {"axis": 0})
    c.add("negative-indices", "take", [x, Tensor([-1, 4, -5], "i32")], {"axis": 1})
    c.add("indices-of-rank-2", "take", [x, Tensor([[0, 1], [1, 2]], "i32")], {"axis": 0})
    c.add("0d-index", "take", [x, Tensor(1, "i32")], {"axis": 1})


def products(c):
    for a, b in [((5,), (5,)), ((3,), (3, 4)), ((4, 3), (3,)), ((2, 3), (3, 4)), ((7, 17), (17, 3)), ((2, 3, 4), (2, 4, 2)),
                 ((2, 3, 4), (4, 2)), ((3, 4), (2, 4, 2)), ((2, 1, 2, 3), (1, 3, 3, 2)), ((3,), (2, 3, 2)), ((2, 2, 3), (3,)),
                 ((3, 0), (0, 2))]:  # fmt: skip
        name = f"{brief(a)}-by-{brief(b)}"
        c.add(name, "matmul", [normals("grad" + name, a, 1, 2), normals(name + "grad", b, 1, 2)])


def networks(c):
    for shape, axis in [((7,), 0), ((3, 5), 1), ((3, 5), 0), ((2, 3, 2), 1), ((2, 33), -1)]:
        for op in ("softmax", "logSoftmax"):
            name = f"{brief(shape)}-axis_{axis}"
            c.add(name, op, [normals(f"grad-{op}-{name}", shape, 2)], {"axis": axis}, slack=16)
    for op in ("softmax", "logSoftmax"):
        c.add("large-logits", op, [Tensor([[1000, 1001, 999], [80, -80, 0]])], {"axis": 1}, slack=16, kink=True)
    for n, k in [(1, 3), (4, 5), (7, 10)]:
        name = f"{n}x{k}"
        c.add(name, "crossEntropy", [normals("grad-ce" + name, (n, k), 2), integers("grad-classes" + name, (n,), 0, k - 1)],
              weights=1.0, slack=16)  # fmt: skip
    c.add("weighted", "crossEntropy", [normals("grad-ce", (3, 4), 2), Tensor([3, 0, 3], "i32")], weights=-2.5, slack=16)
    c.add("large-logits", "crossEntropy", [Tensor([[1000, 0, -1000], [0, 1000, 999]]), Tensor([2, 2], "i32")], weights=1.0,
          slack=16, kink=True)  # fmt: skip


def nested(c):
    """Gradients of gradients, to the third."""
    # tanh′(2) = 0.07065082, tanh″(2) = −0.13621868, tanh‴(2) = 0.25265408
    for order in (1, 2, 3):
        c.add(f"at-2-order-{order}", "tanh", [Tensor(2.0)], weights=1.0, order=order)
    for op in SMOOTH[1:] + POSITIVE:
        for order in (2, 3):
            x = uniforms(f"nested-{op}", (5,), 0.4, 3)
            c.add(f"5-order-{order}", op, [x], order=order, slack=32)
    for n in (1, 2, 3):
        c.add(f"number-{n}-at-0-order-2", "pow", [Tensor([0.0, 2.0]), Number(n)], order=2, kink=True)
    c.add("number-2.5-order-2", "pow", [Tensor([0.5, 1, 3]), Number(2.5)], order=2, slack=16)
    c.add("tensors-order-2", "pow", [Tensor([0.5, 1.5, 3]), Tensor([2.5, -1, 0.5])], order=2, slack=16)
    c.add("order-2", "div", [Tensor([1.5, 2, -3]), Tensor([0.7, -2, 1.1])], order=2)
    c.add("of-a-number-order-2", "div", [Number(1), Tensor([0.7, -2, 1.1])], order=2, slack=16)
    c.add("at-0-order-2", "relu", [Tensor([0.0, -1.0, 1.0])], order=2, kink=True)
    c.add("order-2", "prod", [Tensor([[2, 0.5, 3], [0, 0, 4]])], {"axis": 1, "keepdims": False}, order=2)
    c.add("order-2", "logSumExp", [normals("nested-lse", (2, 5))], {"axis": 1, "keepdims": False}, order=2, slack=16)
    c.add("order-2", "softmax", [normals("nested-softmax", (2, 5))], {"axis": 1}, order=2, slack=16)
    c.add("order-2", "logSoftmax", [normals("nested-log-softmax", (2, 5))], {"axis": 1}, order=2, slack=16)
    c.add("order-2", "crossEntropy", [normals("nested-ce", (3, 4)), Tensor([3, 0, 1], "i32")], weights=1.0, order=2, slack=16)
