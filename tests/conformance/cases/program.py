"""Programs as data, and JAX's results of them: the format of `transforms.json`, `nesting.json` and
`programs.json`.

A function is `[takes, steps, gives]`. Values are numbered in the order in which they are made:
those of the function around it, then its arguments, then the results of its steps; `gives` are
the numbers of its results. A step is `[op, inputs, attrs, functions]`, the last two left out
where they are empty; an input is the number of a value, or `[number]` for a plain number.
`README.md` has the list.
"""

import numpy as np

from .format import EPS, Tensor
from .transforms.gradients import functions as operations


class Builder:
    """Writes a function, step by step."""

    def __init__(self, first, takes):
        self.takes, self.count, self.steps = takes, first + takes, []
        self.parameters = list(range(first, first + takes))

    def many(self, op, inputs, count, attrs=None, functions=()):
        """Appends a step that yields `count` values."""
        step = [op, list(inputs)]
        if attrs or functions:
            step.append(attrs or {})
        if functions:
            step.append(list(functions))
        self.steps.append(step)
        self.count += count
        return list(range(self.count - count, self.count))

    def __call__(self, op, *inputs, **attrs):
        """Appends a step that yields one value."""
        return self.many(op, inputs, 1, attrs)[0]

    def function(self, takes, build):
        """A function made here: `build` gets its builder and what it takes, and says what it gives."""
        inner = Builder(self.count, takes)
        gives = build(inner, *inner.parameters)
        return [takes, inner.steps, list(gives)]


def expected(jax, main, inputs):
    """What JAX gives in float64, and the tolerance in units of the largest of each result: from what inputs that differ in their last bits change
    about it. `None` where that is much, as for a condition that hangs on the last bit."""
    call = compiled(jax, main)
    exact = call([x.reference for x in inputs])
    worst = 0.0
    for n in range(4):
        state = np.random.RandomState(n)
        shift = lambda x: x.reference * (1 + 4e-7 * state.uniform(-1, 1, x.values.shape)) if x.dtype == "f32" else x.values
        for a, b in zip(exact, call([shift(x) for x in inputs]), strict=True):
            if a.dtype.kind != "f":
                if not np.array_equal(a, b):
                    return None
            elif a.size:
                off = np.abs(a - b).max() / max(np.abs(a).max(), 1e-3)
                if not off < 1e-4:
                    return None
                worst = max(worst, float(off))
    return exact, max(32 * EPS, 8 * worst)


def case(jax, name, main, inputs):
    found = expected(jax, main, inputs)
    if found is None:
        return None
    results, slack = found
    names = {"f": "f32", "b": "bool", "i": "i32", "u": "u32"}
    return {
        "name": name,
        "inputs": [x.to_json() for x in inputs],
        "main": main,
        "expected": [Tensor(rounded(y), names[y.dtype.kind]).to_json() for y in results],
        "tolerance": float(f"{slack:.2g}"),
    }


def compiled(jax, main):
    call = jax.jit(function(jax, main))
    lift = lambda x: jax.numpy.asarray(x, np.float64 if np.asarray(x).dtype.kind == "f" else None)
    return lambda inputs: [np.asarray(y) for y in call(*map(lift, inputs))]


def function(jax, main):
    return lambda *inputs: Interpreter(jax).call(main, [], inputs)


class Interpreter:
    """Runs functions in JAX."""

    def __init__(self, jax):
        self.jax, self.jnp = jax, jax.numpy
        self.operations = {**operations(jax, jax.numpy), **more_operations(jax, jax.numpy)}

    def call(self, function, outer, inputs):
        takes, steps, gives = function
        inputs = list(inputs)
        assert takes == len(inputs), (takes, len(inputs))
        values = [*outer, *inputs]
        for op, given, *rest in steps:
            attrs = rest[0] if rest else {}
            functions = rest[1] if len(rest) > 1 else []
            # A whole number fits integers too.
            given = [values[x] if isinstance(x, int) else int(x[0]) if x[0] == int(x[0]) else x[0] for x in given]
            if hasattr(self, op):
                bound = [lambda *xs, f=f, values=tuple(values): self.call(f, values, xs) for f in functions]
                values += getattr(self, op)(given, attrs, bound)
            else:
                made = self.operations[op](*given, **attrs)
                values += made if isinstance(made, tuple) else [made]
        return [values[n] for n in gives]

    def scan(self, given, attrs, functions):
        state, xs = given[: attrs["carried"]], given[attrs["carried"] :]
        count = len(state)

        def turn(state, xs):
            found = functions[0](*state, *xs)
            return found[:count], found[count:]

        state, ys = self.jax.lax.scan(turn, state, xs, length=attrs["length"], reverse=attrs["reverse"])
        return [*state, *ys]

    def forLoop(self, given, attrs, functions):
        indices = self.jnp.arange(attrs["from"], attrs["to"], dtype=np.int32)
        return self.jax.lax.scan(lambda state, i: (functions[0](i, *state), None), given, indices)[0]

    def whileLoop(self, given, attrs, functions):
        condition, body = functions
        if attrs["limit"] is None:
            return self.jax.lax.while_loop(lambda state: condition(*state)[0], lambda state: body(*state), given)

        # Bounded, so that it has a gradient.
        def turn(state, _):
            return self.jax.lax.cond(condition(*state)[0], lambda s: body(*s), lambda s: s, state), None

        return self.jax.lax.scan(turn, given, None, length=attrs["limit"])[0]

    def cond(self, given, attrs, functions):
        return self.jax.lax.cond(given[0], functions[0], functions[1], *given[1:])

    def switchCase(self, given, attrs, functions):
        return self.jax.lax.switch(given[0], functions, *given[1:])

    def grad(self, given, attrs, functions):
        value, gradients = self.jax.value_and_grad(lambda xs: functions[0](*xs)[0])(given)
        return [value, *gradients]

    def vjp(self, given, attrs, functions):
        xs, cotangents = given[: attrs["primals"]], given[attrs["primals"] :]
        ys, pull = self.jax.vjp(functions[0], *xs)
        return [*ys, *pull(cotangents)]

    def jvp(self, given, attrs, functions):
        xs, tangents = given[: attrs["primals"]], given[attrs["primals"] :]
        ys, pushed = self.jax.jvp(functions[0], xs, tangents)
        return [*ys, *pushed]

    def linearize(self, given, attrs, functions):
        xs, tangents = given[: attrs["primals"]], given[attrs["primals"] :]
        ys, push = self.jax.linearize(functions[0], *xs)
        return [*ys, *push(*tangents)]

    def vmap(self, given, attrs, functions):
        return self.jax.vmap(functions[0], in_axes=tuple(attrs["axes"]))(*given)

    def jacobian(self, given, functions, transform):
        found = transform(lambda *xs: functions[0](*xs), argnums=tuple(range(len(given))))(*given)
        return [derivative for of_output in found for derivative in of_output]

    def jacfwd(self, given, attrs, functions):
        return self.jacobian(given, functions, self.jax.jacfwd)

    def jacrev(self, given, attrs, functions):
        return self.jacobian(given, functions, self.jax.jacrev)

    def hessian(self, given, attrs, functions):
        found = self.jax.hessian(lambda *xs: functions[0](*xs)[0], argnums=tuple(range(len(given))))(*given)
        return [derivative for by_first in found for derivative in by_first]

    def checkpoint(self, given, attrs, functions):
        return self.jax.checkpoint(functions[0])(*given)

    def jit(self, given, attrs, functions):
        return self.jax.jit(functions[0])(*given)

    def customVjp(self, given, attrs, functions):
        count = attrs["outputs"]
        call = self.jax.custom_vjp(lambda *xs: functions[0](*xs)[:count])
        call.defvjp(
            lambda *xs: (lambda found: (found[:count], found[count:]))(functions[0](*xs)),
            lambda residuals, cotangents: tuple(functions[1](*residuals, *cotangents)),
        )
        return call(*given)

    def customJvp(self, given, attrs, functions):
        call = self.jax.custom_jvp(functions[0])
        call.defjvp(lambda xs, tangents: (functions[0](*xs), functions[1](*xs, *tangents)))
        return call(*given)


def more_operations(jax, jnp):
    """Operations that have no gradient of their own, or are made of others."""
    kinds = {"f32": np.float64, "i32": np.int32, "u32": np.uint32, "bool": np.bool_}

    def axes(axis):
        return tuple(axis) if isinstance(axis, list) else axis

    def spread(f):
        return lambda x, axis, keepdims, correction: f(x, axis=axes(axis), keepdims=keepdims, ddof=correction)

    compared = {
        "equal": jnp.equal, "notEqual": jnp.not_equal, "less": jnp.less, "lessEqual": jnp.less_equal, "greater": jnp.greater,
        "greaterEqual": jnp.greater_equal, "logicalAnd": jnp.logical_and, "logicalOr": jnp.logical_or,
        "logicalXor": jnp.logical_xor, "bitwiseAnd": jnp.bitwise_and, "bitwiseOr": jnp.bitwise_or,
        "bitwiseXor": jnp.bitwise_xor, "shiftLeft": jnp.left_shift, "shiftRight": jnp.right_shift,
        "floorDivide": jnp.floor_divide, "logicalNot": jnp.logical_not, "bitwiseNot": jnp.bitwise_not, "isnan": jnp.isnan,
        "isfinite": jnp.isfinite, "square": jnp.square, "reciprocal": jnp.reciprocal, "asinh": jnp.arcsinh, "acosh": jnp.arccosh, "atanh": jnp.arctanh,
        "erfInv": jax.scipy.special.erfinv, "detach": jax.lax.stop_gradient, "stopGradient": jax.lax.stop_gradient, "flatten": jnp.ravel,
    }  # fmt: skip
    return {
        **compared,
        **composites(jax, jnp),
        **matrices(jax, jnp),
        **rarities(jax, jnp),
        "any": lambda x, axis, keepdims: jnp.any(x, axis=axes(axis), keepdims=keepdims),
        "all": lambda x, axis, keepdims: jnp.all(x, axis=axes(axis), keepdims=keepdims),
        "argmax": lambda x, axis, keepdims: jnp.argmax(x, axis=axis, keepdims=keepdims).astype(np.int32),
        "argmin": lambda x, axis, keepdims: jnp.argmin(x, axis=axis, keepdims=keepdims).astype(np.int32),
        "variance": spread(jnp.var),
        "std": spread(jnp.std),
        # A sum of integers stays what it is.
        "sum": lambda x, axis, keepdims: jnp.sum(x, axis=axes(axis), keepdims=keepdims, dtype=x.dtype),
        "cast": lambda x, dtype: jnp.asarray(x).astype(kinds[dtype]),
        "swapAxes": lambda x, a, b: jnp.swapaxes(x, a, b),
        "expandDims": lambda x, axis: jnp.expand_dims(x, axis),
        "squeeze": lambda x, axis: jnp.squeeze(x, axes(axis)),
        "diff": lambda x, times, axis: jnp.diff(x, n=times, axis=axis),
        "roll": lambda x, shift, axis: jnp.roll(x, shift, axes(axis)),
        "mseLoss": lambda x, target: jnp.mean(jnp.square(x - target)),
        "oneHot": lambda x, numClasses: jax.nn.one_hot(x, numClasses),
        "atSet": lambda x, indices, value: x.at[indices].set(value),
        "atAdd": lambda x, indices, value: x.at[indices].add(value),
        "zeros": lambda shape, dtype: jnp.zeros(shape, kinds[dtype]),
        "ones": lambda shape, dtype: jnp.ones(shape, kinds[dtype]),
        "full": lambda shape, value, dtype: jnp.full(shape, value, kinds[dtype]),
        "arange": lambda start, stop, step, dtype: jnp.arange(start, stop, step, kinds[dtype]),
    }


def composites(jax, jnp):
    """Functions that are made of others."""
    nn = jax.nn
    axes = lambda axis: tuple(axis) if isinstance(axis, list) else axis
    reduced = lambda f: lambda x, axis, keepdims: f(x, axis=axes(axis), keepdims=keepdims)
    return {
        "exp2": jnp.exp2, "log2": jnp.log2, "log10": jnp.log10, "cbrt": jnp.cbrt, "tan": jnp.tan, "asin": jnp.arcsin, "acos": jnp.arccos,
        "atan": jnp.arctan, "sinh": jnp.sinh, "cosh": jnp.cosh, "sinc": jnp.sinc, "degrees": jnp.degrees, "radians": jnp.radians,
        "trunc": jnp.trunc, "silu": nn.silu, "softplus": nn.softplus, "logSigmoid": nn.log_sigmoid, "selu": nn.selu, "relu6": nn.relu6,
        "hardSigmoid": nn.hard_sigmoid, "hardSilu": nn.hard_silu, "hardTanh": nn.hard_tanh, "softSign": nn.soft_sign, "mish": nn.mish,
        "elu": lambda x, alpha: nn.elu(x, alpha), "celu": lambda x, alpha: nn.celu(x, alpha), "leakyRelu": lambda x, slope: nn.leaky_relu(x, slope),
        "squareplus": lambda x, b: nn.squareplus(x, b), "isinf": jnp.isinf, "signbit": jnp.signbit,
        "nanToNum": lambda x, nan, above, below: jnp.nan_to_num(x, nan=nan, posinf=above, neginf=below),
        "atan2": jnp.arctan2, "hypot": jnp.hypot, "logAddExp": jnp.logaddexp, "copysign": jnp.copysign, "heaviside": jnp.heaviside,
        "fmod": jnp.fmod, "fmax": jnp.fmax, "fmin": jnp.fmin,
        "isClose": lambda a, b, rtol, atol, equalNan: jnp.isclose(a, b, rtol, atol, equalNan),
        "allClose": lambda a, b, rtol, atol, equalNan: jnp.allclose(a, b, rtol, atol, equalNan),
        "arrayEqual": jnp.array_equal, "isIn": jnp.isin,
        "nansum": reduced(jnp.nansum), "nanprod": reduced(jnp.nanprod), "nanmean": reduced(jnp.nanmean), "nanmax": reduced(jnp.nanmax),
        "nanmin": reduced(jnp.nanmin), "ptp": reduced(jnp.ptp), "logMeanExp": reduced(lambda x, axis, keepdims: jax.nn.logsumexp(x, axis, keepdims=keepdims) - jnp.log(x.shape[axis])),
        "nanvar": lambda x, axis, keepdims, correction: jnp.nanvar(x, axis=axes(axis), keepdims=keepdims, ddof=correction),
        "nanstd": lambda x, axis, keepdims, correction: jnp.nanstd(x, axis=axes(axis), keepdims=keepdims, ddof=correction),
        "countNonzero": lambda x, axis, keepdims: jnp.count_nonzero(x, axis, keepdims=keepdims).astype(np.int32),
        "nanargmax": lambda x, axis, keepdims: jnp.nanargmax(x, axis, keepdims=keepdims).astype(np.int32),
        "nanargmin": lambda x, axis, keepdims: jnp.nanargmin(x, axis, keepdims=keepdims).astype(np.int32),
        "norm": lambda x, order, axis, keepdims: jnp.linalg.norm(x, order, axis, keepdims),
        "cumsum": lambda x, axis: jnp.cumsum(x, axis), "cumprod": lambda x, axis: jnp.cumprod(x, axis),
        "cummax": lambda x, axis: jax.lax.cummax(x, axis), "cummin": lambda x, axis: jax.lax.cummin(x, axis),
        "logCumSumExp": lambda x, axis: jax.lax.cumlogsumexp(x, axis),
        "tile": lambda x, times: jnp.tile(x, times), "repeat": lambda x, times, axis: jnp.repeat(x, times, axis),
        "rot90": lambda x, times, **plane: jnp.rot90(x, times, (plane["from"], plane["to"])),
        "moveAxis": lambda x, **places: jnp.moveaxis(x, places["from"], places["to"]),
        "tril": lambda x, diagonal: jnp.tril(x, diagonal), "triu": lambda x, diagonal: jnp.triu(x, diagonal),
        "diagonal": lambda x, offset, a, b: jnp.diagonal(x, offset, a, b), "diag": lambda x, offset: jnp.diag(x, offset),
        "trace": lambda x, offset, a, b: jnp.trace(x, offset, a, b),
        "hstack": lambda *xs: jnp.hstack(xs), "vstack": lambda *xs: jnp.vstack(xs), "dstack": lambda *xs: jnp.dstack(xs),
        "columnStack": lambda *xs: jnp.column_stack(xs), "glu": lambda x, axis: nn.glu(x, axis),
        "standardize": lambda x, axis, epsilon: nn.standardize(x, axes(axis), epsilon=epsilon),
        "dot": jnp.dot, "inner": jnp.inner, "outer": jnp.outer, "vdot": jnp.vdot, "kron": jnp.kron,
        "vecdot": lambda a, b, axis: jnp.vecdot(a, b, axis=axis), "cross": lambda a, b, axis: jnp.cross(a, b, axis=axis),
        "matrixPower": lambda x, times: jnp.linalg.matrix_power(x, times),
        "tensordot": lambda a, b, left, right: jnp.tensordot(a, b, (left, right)),
        "trapezoid": lambda y, widths, axis: jnp.trapezoid(y, jnp.concatenate([jnp.zeros(1), jnp.cumsum(widths)]), axis=axis),
        "unwrap": lambda x, axis: jnp.unwrap(x, axis=axis), "cov": lambda x, correction: jnp.cov(x, ddof=correction), "corrcoef": jnp.corrcoef,
        "polyval": jnp.polyval, "interp": jnp.interp, "convolve": lambda a, b, overlap: jnp.convolve(a, b, overlap),
        "vander": lambda x, columns, ascending: jnp.vander(x, columns, ascending),
        "takeAlongAxis": lambda x, indices, axis: jnp.take_along_axis(x, indices, axis),
        "searchSorted": lambda a, v, after: jnp.searchsorted(a, v, side="right" if after else "left").astype(np.int32),
        "l1Loss": lambda x, target: jnp.mean(jnp.abs(x - target)),
        "huberLoss": lambda x, target, delta: jnp.mean(jnp.where(jnp.abs(x - target) < delta, (x - target) ** 2 / 2, delta * (jnp.abs(x - target) - delta / 2))),
        "binaryCrossEntropy": lambda x, target: jnp.mean(nn.softplus(x) - x * target),
        "einsum": lambda *xs, text: jnp.einsum(text, *xs),
    }  # fmt: skip


def rounded(y):
    """Floats in seven digits, which is less than any tolerance here: the files are half as large for it."""
    return np.vectorize(lambda v: float(f"{v:.7g}"), otypes=[np.float64])(y) if y.dtype.kind == "f" else y


def matrices(jax, jnp):
    """Linear algebra. What yields several gives a tuple."""
    named = lambda value: {"inf": np.inf, "-inf": -np.inf}.get(value, value)
    axes = lambda axis: tuple(axis) if isinstance(axis, list) else axis
    both = lambda x: (x + jnp.swapaxes(x, -1, -2)) / 2
    cholesky = lambda x, upper: jnp.swapaxes(jnp.linalg.cholesky(both(x)), -1, -2) if upper else jnp.linalg.cholesky(both(x))
    return {
        "linalg.solve": lambda a, b: jnp.linalg.solve(a, b),
        "linalg.triangularSolve": lambda a, b, lower, transposed, unitDiagonal: triangular_solve(jax, jnp, a, b, lower, transposed, unitDiagonal),
        "linalg.inv": jnp.linalg.inv, "linalg.det": jnp.linalg.det, "linalg.cholesky": cholesky,
        "linalg.eigvalsh": lambda x: jnp.linalg.eigh(both(x))[0],
        "linalg.svdvals": lambda x: jnp.linalg.svd(x, compute_uv=False),
        "linalg.pinv": lambda x, rtol: jnp.linalg.pinv(x, rtol=rtol),
        "linalg.matrixRank": lambda x, rtol: jnp.linalg.matrix_rank(x, rtol).astype(np.int32) if rtol else jnp.linalg.matrix_rank(x, 1e-6).astype(np.int32),
        "linalg.expm": jax.scipy.linalg.expm,
        "linalg.matrixNorm": lambda x, order, keepdims: jnp.linalg.norm(x, named(order), (-2, -1), keepdims),
        "linalg.vectorNorm": lambda x, order, axis, keepdims: jnp.linalg.vector_norm(x, ord=named(order), axis=axes(axis), keepdims=keepdims),
        "linalg.norm": lambda x, order, axis, keepdims: jnp.linalg.norm(x, named(order), axes(axis), keepdims),
        "linalg.cond": lambda x, order: jnp.linalg.cond(x, named(order)),
        "linalg.multiDot": lambda *xs: jnp.linalg.multi_dot(xs),
        "linalg.qr": lambda x, complete: tuple(jnp.linalg.qr(x, "complete" if complete else "reduced")),
        "linalg.lu": lambda x: tuple(jax.lax.linalg.lu(x)),
        "linalg.eigh": lambda x: tuple(jnp.linalg.eigh(both(x))),
        "linalg.svd": lambda x, full: tuple(jnp.linalg.svd(x, full_matrices=full)),
        "linalg.slogdet": lambda x: tuple(jnp.linalg.slogdet(x)),
        "linalg.lstsq": lambda a, b, rtol: tuple(y.astype(np.int32) if y.dtype.kind == "i" else y for y in jnp.linalg.lstsq(a, b, rtol)),
    }


def slope(jnp, x, spacing, axis):
    """NumPy's gradient, in JAX's functions, which knows distances alone."""
    x, spacing = jnp.moveaxis(x, axis, -1), jnp.asarray(spacing)
    widths = jnp.diff(spacing) if spacing.ndim else jnp.full(x.shape[-1] - 1, spacing)
    slopes = jnp.diff(x, axis=-1) / widths
    inside = (slopes[..., :-1] * widths[1:] + slopes[..., 1:] * widths[:-1]) / (widths[1:] + widths[:-1])
    return jnp.moveaxis(jnp.concatenate([slopes[..., :1], inside, slopes[..., -1:]], -1), -1, axis)


def rarities(jax, jnp):
    special = jax.scipy.special
    return {
        "special.sici": lambda x: tuple(special.sici(x)),
        "special.fresnel": lambda x: tuple(special.fresnel(x)),
        "gradient": lambda x, spacing, axis: slope(jnp, x, spacing, axis),
        "linalg.toeplitz": lambda *xs: jax.scipy.linalg.toeplitz(*xs),
        "linalg.blockDiag": lambda *xs: jax.scipy.linalg.block_diag(*xs),
        "linalg.tensorsolve": lambda a, b, axis: jnp.linalg.tensorsolve(a, b, axis),
        "linalg.tensorinv": lambda a, axes: jnp.linalg.tensorinv(a, axes),
        "cdist": lambda a, b, order: distance(jnp, a[..., :, None, :] - b[..., None, :, :], order),
        "pdist": lambda x, order: distance(jnp, x[np.triu_indices(x.shape[0], 1)[0]] - x[np.triu_indices(x.shape[0], 1)[1]], order),
        "mapCoordinates": lambda x, at, order, mode, value: jax.scipy.ndimage.map_coordinates(x, list(at), order, mode, value),
    }


def distance(jnp, x, order):
    if order == 2:
        return jnp.sqrt(jnp.sum(x * x, -1))
    return jnp.max(jnp.abs(x), -1) if order == "inf" else jnp.sum(jnp.abs(x) ** order, -1) ** (1 / order)


def triangular_solve(jax, jnp, a, b, lower, transposed, unit):
    columns = b if b.ndim > 1 else b[:, None]
    batch = np.broadcast_shapes(a.shape[:-2], columns.shape[:-2])
    a, columns = jnp.broadcast_to(a, batch + a.shape[-2:]), jnp.broadcast_to(columns, batch + columns.shape[-2:])
    x = jax.lax.linalg.triangular_solve(a, columns, left_side=True, lower=lower, transpose_a=transposed, unit_diagonal=unit)
    return x if b.ndim > 1 else x[:, 0]
