"""Functions composed of other functions, beyond those of `unary`, `binary`, `reduce` and `view`:
the rest of trigonometry, signs, activations, reductions that leave out NaN, running ones,
triangles and diagonals, sums of products."""

import math

import numpy as np

from ..format import EPS, TINY, Group, Number, Tensor, brief, integers, normals, uniforms
from .unary import sigmoid

SPECIALS = [math.nan, math.inf, -math.inf, 0.0, -0.0]


def softplus(x):
    return np.logaddexp(x, 0)


def above(x, below):
    return np.where(x > 0, x, below)


SELU = (1.0507009873554804934193349852946, 1.6732632423543772848170429916717)

# The function, its bound as (abs, rel), where it is defined, and values at which implementations go
# wrong.
UNARY = {
    "exp2": (np.exp2, (TINY, 8 * EPS), (-9, 9), [-127, -126, -1, 0.5, 1, 10, 23, 127, 127.9, 128, -150, 200]),
    "log2": (np.log2, (EPS, 4 * EPS), (0.01, 99), [1, 2, 8, 0.5, 0.125, 1024, 3, 0.7, 0.71, 1.41, 1.42, 3e38, 1.2e-38, -1, -0.5, -87, -1e-20, 0, np.inf, -np.inf, np.nan]),
    "log10": (np.log10, (EPS, 4 * EPS), (0.01, 99), [1, 10, 100, 1000, 1e10, 0.1, 1e-20, 3e38, 1.2e-38, -1, -0.5, -87, -1e-20, 0, np.inf, -np.inf, np.nan]),
    "cbrt": (np.cbrt, (TINY, 8 * EPS), (-9, 9), [8, -27, 1e-30, -1e-30, 1e30, 3e38, 1, 2]),
    "tan": (np.tan, (4 * EPS, 8 * EPS), (-1.4, 1.4), [0.1, 1, 3, -3, 4, 10, 1e-10]),
    "asin": (np.arcsin, (TINY, 8 * EPS), (-1, 1), [1, -1, 0.5, -0.5, 0.4999, 0.999999, 1e-10, 1.1, -2]),
    "acos": (np.arccos, (2 * EPS, 8 * EPS), (-1, 1), [1, -1, 0.5, -0.5, 0.4999, 0.999999, -0.999999, 1e-10, 1.1, -2]),
    "atan": (np.arctan, (TINY, 8 * EPS), (-9, 9), [1, -1, 0.99999, 1.00001, 1e-10, 1e10, -1e30, 100]),
    "sinh": (np.sinh, (TINY, 16 * EPS), (-5, 5), [1e-10, 0.5, 0.999, 1, 1.001, -1, 20, 88, 88.5, -88.5, 100]),
    "cosh": (np.cosh, (TINY, 16 * EPS), (-5, 5), [1e-10, 0.5, 1, -1, 20, 88, 88.5, -88.5, 100]),
    "sinc": (np.sinc, (4 * EPS, 8 * EPS), (-5, 5), [1, -1, 0.5, 1e-10, 0.0624, 0.0626, 100.25, -17.5]),
    "degrees": (np.degrees, (TINY, 4 * EPS), (-9, 9), [math.pi]),
    "radians": (np.radians, (TINY, 4 * EPS), (-360, 360), [180]),
    "trunc": (np.trunc, None, (-9, 9), [0.5, -0.5, 1.99, -1.99, 8388607.5, -1e10]),
    "geluTanh": (lambda x: x * sigmoid(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)), (TINY, 64 * EPS), (-4, 4), [-1e-20, 5, 100, -100]),
    "silu": (lambda x: x * sigmoid(x), (TINY, 8 * EPS), (-9, 9), [-20, -80, 20, 1e10]),
    "softplus": (softplus, (TINY, 8 * EPS), (-9, 9), [-20, -80, 20, 100, 1e10, -1e10]),
    "logSigmoid": (lambda x: -softplus(-x), (TINY, 8 * EPS), (-9, 9), [-20, -80, 20, 80, 1e10, -1e10]),
    "selu": (lambda x: SELU[0] * above(x, SELU[1] * np.expm1(np.minimum(x, 0))), (TINY, 16 * EPS), (-9, 9), [-1e-6, 1e-6, -100, 100]),
    "relu6": (lambda x: np.clip(x, 0, 6), None, (-9, 9), []),
    "hardSigmoid": (lambda x: np.clip(x + 3, 0, 6) / 6, (EPS, 4 * EPS), (-5, 5), []),
    "hardSilu": (lambda x: x * np.clip(x + 3, 0, 6) / 6, (4 * EPS, 8 * EPS), (-5, 5), []),
    "hardTanh": (lambda x: np.clip(x, -1, 1), None, (-2, 2), []),
    "softSign": (lambda x: x / (1 + np.abs(x)), (TINY, 4 * EPS), (-9, 9), [1e-10, 1e10]),
    "mish": (lambda x: x * np.tanh(softplus(x)), (TINY, 16 * EPS), (-9, 9), [-20, 20, 1e-10]),
}  # fmt: skip

# Left out where the reference or WGSL does not say: x·0 at infinity, and the sign of a zero that is
# divided by.
LEFT_OUT = {"silu": [-math.inf], "geluTanh": [-math.inf], "hardSilu": [-math.inf], "mish": [-math.inf], "softSign": [math.inf, -math.inf], "sinc": [math.inf, -math.inf],
            "tan": [math.inf, -math.inf]}  # fmt: skip


def functions(group):
    for op, (f, tolerance, (low, high), probes) in UNARY.items():

        def case(name, x):
            with np.errstate(all="ignore"):
                group.add(f"{op}-{name}", op, [x], f(x.reference), tolerance=tolerance)

        for shape in [(33,), (5, 7), (), (0, 3)]:
            case(brief(shape), uniforms(op + brief(shape), shape, low, high))
        out = LEFT_OUT.get(op, [])
        case("special-values", Tensor([v for v in SPECIALS if not any(v == o for o in out)]))
        if probes:
            case("probes", Tensor(probes))
    for op, attrs, f in [
        ("elu", {"alpha": 1.5}, lambda x: above(x, 1.5 * np.expm1(np.minimum(x, 0)))),
        ("celu", {"alpha": 2}, lambda x: above(x, 2 * np.expm1(np.minimum(x, 0) / 2))),
        ("leakyRelu", {"slope": 0.125}, lambda x: above(x, 0.125 * x)),
        ("squareplus", {"b": 4}, lambda x: (x + np.sqrt(x * x + 4)) / 2),
    ]:
        for name, x in [("33", normals(op, (33,), 3)), ("special-values", Tensor([math.nan, 0.0, -1e-10, 1e-10, 3, -3]))]:
            group.add(f"{op}-{name}", op, [x], f(x.reference), attrs=attrs, tolerance=(4 * EPS, 16 * EPS))
    x = Tensor([*SPECIALS, 1, -3e38, 1e-20])
    group.add("isinf-special-values", "isinf", [x], np.isinf(x.values), "bool")
    x = Tensor([1, -1, math.inf, -math.inf, -1e-20, 1e-20])
    group.add("signbit-f32", "signbit", [x], np.signbit(x.values), "bool")
    i = Tensor([1, -1, 0], "i32")
    group.add("signbit-i32", "signbit", [i], i.values < 0, "bool")
    group.add("signbit-u32", "signbit", [Tensor([4000000000, 0], "u32")], [False, False], "bool")
    group.add("trunc-i32", "trunc", [i], i.values, "i32")
    for name, attrs, kinds in [("given", {"nan": 1.5, "above": 7, "below": -8}, {"nan": 1.5, "posinf": 7, "neginf": -8}), ("left", {"nan": 0, "above": None, "below": None}, {"nan": 0, "posinf": np.finfo(np.float32).max, "neginf": np.finfo(np.float32).min})]:  # fmt: skip
        x = Tensor([*SPECIALS, 2.5])
        group.add(f"nanToNum-{name}", "nanToNum", [x], np.nan_to_num(x.reference, **kinds), attrs=attrs)


def pairs(group):
    def case(name, op, f, a, b, tolerance, dtype="f32"):
        with np.errstate(all="ignore"):
            group.add(f"{op}-{name}", op, [a, b], f(a.reference, b.reference), dtype, tolerance=tolerance)

    inf, nan = math.inf, math.nan
    for op, f, tolerance, a, b in [
        ("atan2", np.arctan2, (TINY, 8 * EPS), [0, 1, 1, 2, -2, 1e30, 1, -1, inf, inf, 1, nan, 1e-30, 3, inf, -inf, nan], [1, 0, -1, 2, 2, 1, 1e30, -3, 1, inf, inf, 1, 1, -1e-30, nan, nan, inf]),
        ("hypot", np.hypot, (TINY, 6 * EPS), [3, 0, 1e30, 1e-30, inf, -inf, nan, -5], [4, 0, 1e30, 1e-30, 1, inf, 1, 12]),
        ("logAddExp", np.logaddexp, (EPS, 8 * EPS), [0, 1000, -1000, 100, -inf, -inf, inf, nan], [0, 1000, -1001, -100, -inf, 0, inf, 0]),
        ("copysign", np.copysign, None, [1, -2, inf, 3, -4], [-1, 2, -3, 5, -6]),
        ("heaviside", np.heaviside, None, [-1, 0, 2, inf, -inf, 0, nan], [0.5, 0.5, 0.5, 9, 9, -3, 1]),
        ("fmod", np.fmod, (TINY, 4 * EPS), [7, -7, 7, -7, 5.5, 0, 1e10], [3, 3, -3, -3, 1.25, 3, 7]),
        ("fmax", np.fmax, None, [1, nan, 2, nan, inf], [2, 3, nan, nan, -inf]),
        ("fmin", np.fmin, None, [1, nan, 2, nan, inf], [2, 3, nan, nan, -inf]),
    ]:  # fmt: skip
        case("values", op, f, Tensor(a), Tensor(b), tolerance)
        scale = 3 if op != "fmod" else 1
        first, second = normals(op + "a", (3, 1), scale), normals(op + "b", (5,), scale)
        if op == "fmod":
            first, second = uniforms(op + "a", (3, 1), 2.1, 2.4), uniforms(op + "b", (5,), 0.9, 0.99)
        case("3x1-with-5", op, f, first, second, tolerance or (0, 0))
    i, j = Tensor([7, -7, 7, -7, 0], "i32"), Tensor([3, 3, -3, -3, 3], "i32")
    case("i32", "fmod", np.fmod, i, j, None, "i32")
    least, most = -(2**31), 2**31 - 1
    ends, divisors = Tensor([[least], [least + 1], [-1], [0], [most]], "i32"), Tensor([3, 7, -1, -3, 0, most, least], "i32")
    case("ends-of-i32", "fmod", np.fmod, ends, divisors, None, "i32")
    case("i32", "fmax", np.fmax, i, j, None, "i32")

    def close(name, a, b, rtol=1e-5, atol=1e-8, equalNan=False):
        attrs = {"rtol": rtol, "atol": atol, "equalNan": equalNan}
        expected = np.isclose(a.reference, b.reference, rtol, atol, equalNan)
        group.add(f"isClose-{name}", "isClose", [a, b], expected, "bool", attrs)
        group.add(f"allClose-{name}", "allClose", [a, b], np.all(expected), "bool", attrs)

    a, b = Tensor([1, 2, nan, inf, inf, -inf, 0]), Tensor([1.000001, 2.1, nan, inf, -inf, 1, 1e-9])
    close("values", a, b)
    close("nan", a, b, equalNan=True)
    close("wide", a, b, rtol=0.1)
    close("near", Tensor([1, 2]), Tensor([1.000001, 2]))
    close("broadcast", Tensor([[1], [2]]), Tensor([1, 2]), atol=0.5)
    for name, a, b in [("same", Tensor([1, 2]), Tensor([1, 2])), ("other", Tensor([1, 2]), Tensor([1, 3])), ("shapes", Tensor([1, 2]), Tensor([[1, 2]])),
                       ("nan", Tensor([nan]), Tensor([nan])), ("empty", Tensor(np.zeros((0, 2))), Tensor(np.zeros((0, 2))))]:  # fmt: skip
        group.add(f"arrayEqual-{name}", "arrayEqual", [a, b], np.array_equal(a.values, b.values), "bool")
    for name, a, b in [("i32", integers("isIn", (3, 4), 0, 9), Tensor([3, 5, 7], "i32")), ("matrix", Tensor([1, 2, 3.5]), Tensor([[3.5, 0], [1, 9]])),
                       ("none", Tensor([1, 2]), Tensor(np.zeros(0)))]:  # fmt: skip
        group.add(f"isIn-{name}", "isIn", [a, b], np.isin(a.values, b.values), "bool")
        group.add(f"isIn-not-{name}", "isIn", [a, b], np.isin(a.values, b.values, invert=True), "bool", {"invert": True})
    for name, a, b in [("nan", [nan, 1], [nan, 1]), ("nan-and-number", [nan, 1], [1, 1]), ("numbers", [1, 2], [1, 3])]:
        a, b = Tensor(a), Tensor(b)
        group.add(f"arrayEqual-with-nan-{name}", "arrayEqual", [a, b], np.array_equal(a.values, b.values, equal_nan=True), "bool", {"equalNan": True})


def reductions(group):
    nan = math.nan

    def case(op, name, f, x, axis, keepdims, tolerance, dtype="f32", **attrs):
        np_axis = tuple(axis) if isinstance(axis, list) else axis
        with np.errstate(all="ignore"):
            expected = f(x.reference, axis=np_axis, keepdims=keepdims)
        group.add(f"{op}-{name}", op, [x], expected, dtype, {**attrs, "axis": axis, "keepdims": keepdims}, tolerance)

    holes = Tensor([[1, nan, 3, -2], [4, 5, nan, nan], [0.5, -7, 2, 8]])
    near = (4 * EPS, 16 * EPS)
    plain = {
        "nansum": (np.nansum, near), "nanprod": (np.nanprod, near), "nanmean": (np.nanmean, near), "nanmax": (np.nanmax, None),
        "nanmin": (np.nanmin, None), "ptp": (lambda x, axis, keepdims: np.max(x, axis, keepdims=keepdims) - np.min(x, axis, keepdims=keepdims), (EPS, 2 * EPS)),
    }  # fmt: skip
    for op, (f, tolerance) in plain.items():
        x = holes if op.startswith("nan") else normals(op, (3, 4), 2)
        for axis, keepdims in [(None, False), (0, False), (1, True), ([0, 1], True)]:
            place = "all" if axis is None else "axes" + "".join(f"_{a}" for a in np.atleast_1d(axis))
            case(op, f"3x4-{place}", f, x, axis, keepdims, tolerance)
    for op, f in [("nanvar", np.nanvar), ("nanstd", np.nanstd)]:
        for axis, correction in [(None, 0), (1, 1), (0, 0)]:
            with np.errstate(all="ignore"):
                expected = f(holes.reference, axis=axis, ddof=correction)
            group.add(f"{op}-{axis}-less-{correction}", op, [holes], expected, attrs={"axis": axis, "keepdims": False, "correction": correction}, tolerance=(8 * EPS, 32 * EPS))  # fmt: skip
    # NaN that comes of infinities is not missing, and more is taken off than there are.
    inf = math.inf
    infinite = Tensor([[1, inf, 2, nan], [inf, nan, -inf, inf], [-inf, nan, nan, nan], [nan, 3, nan, 5], [nan, nan, nan, nan]])
    with np.testing.suppress_warnings() as quiet, np.errstate(all="ignore"):
        quiet.filter(RuntimeWarning)
        for op in ("nansum", "nanprod", "nanmean", "nanmax", "nanmin"):
            case(op, "infinite", getattr(np, op), infinite, 1, False, near)
        for op in ("nanvar", "nanstd"):
            for correction in (0, 1, 2, 3):
                expected = getattr(np, op)(infinite.reference, axis=1, ddof=correction)
                attrs = {"axis": 1, "keepdims": False, "correction": correction}
                group.add(f"{op}-infinite-less-{correction}", op, [infinite], expected, attrs=attrs, tolerance=near)
    all_nan = Tensor([[nan, nan], [1, nan]])
    for op, f in [("nanmax", np.nanmax), ("nanmin", np.nanmin), ("nansum", np.nansum)]:
        with np.testing.suppress_warnings() as quiet:
            quiet.filter(RuntimeWarning)
            case(op, "of-nothing", f, all_nan, 1, False, near)
    for op, f in [("nanargmax", np.nanargmax), ("nanargmin", np.nanargmin)]:
        case(op, "all", f, holes, None, False, None, "i32")
        case(op, "rows", f, holes, 1, True, None, "i32")
    counted = Tensor([[0, 2, nan], [0, 0, -1]])
    for axis in (None, 0, 1):
        case("countNonzero", f"axis-{axis}", lambda x, axis, keepdims: np.count_nonzero(x, axis, keepdims=keepdims), counted, axis, False, None, "i32")
    i = integers("nan-i32", (3, 4), -9, 9)
    case("nansum", "i32", np.nansum, i, 1, False, None, "i32")
    case("nanmax", "i32", np.nanmax, i, 1, False, None, "i32")
    case("ptp", "i32", plain["ptp"][0], i, 0, False, None, "i32")
    for order in (2, 1, 0, math.inf, -math.inf, 3, 0.5, -1):
        for axis in (None, 1):
            x = normals(f"norm{order}", (3, 7), 2)
            with np.errstate(all="ignore"):
                expected = np.linalg.norm(x.reference.ravel() if axis is None else x.reference, order, axis)
            attrs = {"order": order if math.isfinite(order) else ("inf" if order > 0 else "-inf"), "axis": axis, "keepdims": False}
            group.add(f"norm-of-order-{order}-{axis}", "norm", [x], expected, attrs=attrs, tolerance=(4 * EPS, 64 * EPS))
    x = normals("logMeanExp", (3, 7), 2)
    for axis in (None, 1):
        expected = np.log(np.mean(np.exp(x.reference), axis))
        group.add(f"logMeanExp-{axis}", "logMeanExp", [x], expected, attrs={"axis": axis, "keepdims": False}, tolerance=(16 * EPS, 4 * EPS))


RUNNING = {"cumsum": np.cumsum, "cumprod": np.cumprod, "cummax": np.maximum.accumulate, "cummin": np.minimum.accumulate,
           "logCumSumExp": np.logaddexp.accumulate}  # fmt: skip


def running(group):
    for op, f in RUNNING.items():
        for shape, axis in [((1,), 0), ((7,), 0), ((3, 5), 0), ((3, 5), -1), ((2, 33, 3), 1), ((32,), 0), ((65,), -1), ((1025,), 0), ((2, 1100), 1), ((0, 3), 0), ((3, 0), 1), ((2, 0, 3), 2)]:
            name = f"{brief(shape)}-axis_{axis}"
            x = uniforms(op + name, shape, 0.96, 1.04) if op == "cumprod" else normals(op + name, shape, 1, 2)
            with np.errstate(all="ignore"):
                expected = f(x.reference, axis) if x.values.size else x.reference
            n = max(shape[axis], 1)
            size = float(np.max(np.abs(x.reference), initial=0))
            tolerance = {"cumsum": (math.sqrt(n) * EPS * size * 2, 8 * EPS), "cumprod": (TINY, 4 * math.sqrt(n) * EPS + 4 * EPS)}.get(op)
            if op == "logCumSumExp":
                tolerance = (EPS * (16 + size), 16 * EPS)
            group.add(f"{op}-{name}", op, [x], expected, attrs={"axis": axis}, tolerance=tolerance)
    # A number is a vector of one.
    for op in ("cumsum", "cumprod"):
        for axis in (0, -1, None):
            group.add(f"{op}-number-{axis}", op, [Tensor(5.0)], getattr(np, op)(5.0, axis), "f32", {"axis": axis})
    i = integers("cumsum-i32", (3, 40), -9, 9)
    group.add("cumsum-i32", "cumsum", [i], np.cumsum(i.values, 1), "i32", {"axis": 1})
    b = Tensor([1, 0, 1, 1], "bool")
    group.add("cumsum-bool", "cumsum", [b], [1, 1, 2, 3], "i32", {"axis": 0})
    x = Tensor([1, 5, math.nan, 9, math.inf])
    group.add("cummax-special-values", "cummax", [x], np.maximum.accumulate(x.values), attrs={"axis": 0})
    group.add("cummin-special-values", "cummin", [x], np.minimum.accumulate(x.values), attrs={"axis": 0})
    x = Tensor([2, 0, 3, 1])
    group.add("cumprod-over-zero", "cumprod", [x], np.cumprod(x.values), attrs={"axis": 0})
    x = Tensor([-math.inf, -math.inf, 0, 1000, -1000])
    group.add("logCumSumExp-special-values", "logCumSumExp", [x], np.logaddexp.accumulate(x.reference), attrs={"axis": 0}, tolerance=(8 * EPS, 8 * EPS))


def arrangements(group):
    def case(name, op, x, expected, **attrs):
        group.add(f"{op}-{name}", op, [x], expected, x.dtype, attrs)

    for shape, times in [((3,), [2]), ((3,), [2, 2]), ((2, 3), [2]), ((2, 3), [1, 3]), ((2, 3), [2, 1, 2]), ((), [3]), ((0, 2), [2, 2]), ((2,), [0]), ((2, 3), [])]:
        x = normals("tile" + brief(shape), shape)
        case(f"{brief(shape)}-by-{brief(tuple(times))}", "tile", x, np.tile(x.values, times), times=times)
    for shape, times, axis in [((3,), 2, None), ((2, 3), 2, None), ((2, 3), 3, 0), ((2, 3), 2, -1), ((2, 3), 0, 1), ((2, 3), 1, 0), ((), 3, None)]:
        x = normals("repeat" + brief(shape), shape)
        case(f"{brief(shape)}-{times}-along-{axis}", "repeat", x, np.repeat(x.values, times, axis), times=times, axis=axis)
    for shape, times, axis in [((3,), [2, 0, 1], 0), ((2, 3), [1, 2], -2), ((2, 3), [0, 0, 4], 1), ((2, 2), [1, 2, 3, 0], None), ((0, 2), [], 0)]:
        x = normals(f"repeat{brief(shape)}{times}", shape)
        case(f"{brief(shape)}-{times}-along-{axis}", "repeat", x, np.repeat(x.values, times, axis), times=times, axis=axis)
    for shape, times, axis, length in [((3,), [2, 0, 1], 0, 3), ((2, 3), [1, 2], 0, 3), ((2, 2), [1, 2, 3, 0], None, 6), ((3,), [0, 3, 1], 0, 4)]:
        x = normals(f"repeat-by{brief(shape)}{times}", shape)
        expected = np.repeat(x.values, times, axis)
        group.add(f"repeat-{brief(shape)}-by-{times}", "repeat", [x, Tensor(times, "i32")], expected, attrs={"axis": axis, "length": length})
    for times, a, b in [(1, 0, 1), (2, 0, 1), (3, 0, 1), (4, 0, 1), (-1, 0, 1), (1, 1, 0), (1, 2, 0), (5, -1, 0)]:
        x = normals("rot90", (2, 3, 4))
        expected = np.rot90(x.values, times, (a, b))
        group.add(f"rot90-{times}-{a}-{b}", "rot90", [x], expected, "f32", {"times": times, "from": a, "to": b})
    for a, b in [(0, 2), (2, 0), (-1, 1), (1, 1), (0, -1)]:
        x = normals("moveAxis", (2, 3, 4))
        group.add(f"moveAxis-{a}-to-{b}", "moveAxis", [x], np.moveaxis(x.values, a, b), "f32", {"from": a, "to": b})
    for a, b in [([0, 1], [2, 0]), ([2, 0], [0, -1]), ([1], [0]), ([0, 1, 2], [1, 2, 0]), ([], [])]:
        x = normals(f"moveAxis-{a}-{b}", (2, 3, 4))
        group.add(f"moveAxis-{a}-to-{b}", "moveAxis", [x], np.moveaxis(x.values, a, b), "f32", {"from": a, "to": b})
    for op, f in [("tril", np.tril), ("triu", np.triu)]:
        for shape, k in [((3, 3), 0), ((3, 5), 1), ((5, 3), -1), ((2, 3, 4), 0), ((3, 3), 9), ((3, 3), -9), ((0, 3), 0)]:
            x = normals(op + brief(shape), shape)
            case(f"{brief(shape)}-{k}", op, x, f(x.values, k), diagonal=k)
        i = integers(op, (3, 4), -9, 9)
        case("i32", op, i, f(i.values), diagonal=0)
    for shape, k, a, b in [((3, 3), 0, 0, 1), ((3, 5), 1, 0, 1), ((5, 3), -2, 0, 1), ((2, 3, 4), 0, 0, 1), ((2, 3, 4), 1, -2, -1), ((2, 3, 4), 0, 2, 0), ((3, 3), 3, 0, 1), ((3, 3), -5, 0, 1), ((1, 1), 0, 0, 1), ((0, 3), 0, 0, 1)]:
        x = normals("diagonal" + brief(shape), shape)
        attrs = {"offset": k, "a": a, "b": b}
        name = f"{brief(shape)}-{k}-{a}-{b}"
        group.add(f"diagonal-{name}", "diagonal", [x], np.diagonal(x.values, k, a, b), "f32", attrs)
        group.add(f"trace-{name}", "trace", [x], np.trace(x.reference, k, a, b), "f32", attrs, (8 * EPS, 4 * EPS))
    for shape, k in [((3,), 0), ((3,), 1), ((2,), -2), ((1,), 0), ((0,), 0), ((3, 4), 0), ((3, 4), 2), ((3, 4), -1)]:
        x = normals("diag" + brief(shape), shape)
        case(f"{brief(shape)}-{k}", "diag", x, np.diag(x.values, k), offset=k)
    i = integers("trace-i32", (3, 3), -9, 9)
    group.add("trace-i32", "trace", [i], np.trace(i.values), "i32", {"offset": 0, "a": 0, "b": 1})
    for op, f in [("hstack", np.hstack), ("vstack", np.vstack), ("dstack", np.dstack), ("columnStack", np.column_stack)]:
        for shapes in [((3,), (3,)), ((2, 3), (2, 3)), ((2, 3, 2), (2, 3, 2)), ((2,),)] + ([((), ())] if op != "columnStack" else []):
            xs = [normals(f"{op}{n}{brief(s)}", s) for n, s in enumerate(shapes)]
            group.add(f"{op}-{'-'.join(map(brief, shapes))}", op, xs, f([x.values for x in xs]))
    x = normals("glu", (3, 8), 2)
    for axis in (1, -1):
        halves = np.split(x.reference, 2, axis)
        group.add(f"glu-{axis}", "glu", [x], halves[0] * sigmoid(halves[1]), attrs={"axis": axis}, tolerance=(TINY, 8 * EPS))
    for axis in (None, 0, [0, 1], -1):
        np_axis = tuple(axis) if isinstance(axis, list) else axis
        centred = x.reference - x.reference.mean(np_axis, keepdims=True)
        expected = centred / np.sqrt((centred**2).mean(np_axis, keepdims=True) + 1e-5)
        group.add(f"standardize-{axis}", "standardize", [x], expected, attrs={"axis": axis, "epsilon": 1e-5}, tolerance=(16 * EPS, 32 * EPS))
    # Elements about numbers up to 1e6, of which the mean rounds by much of how far they lie apart.
    for offset in (1e4, 1e5, 1e6):
        x = Tensor(np.arange(771).reshape(3, 257) % 2 + offset)
        centred = x.reference - x.reference.mean(1, keepdims=True)
        expected = centred / np.sqrt(np.mean(centred**2, 1, keepdims=True) + 1e-5)
        group.add(f"standardize-about-{offset:.0e}", "standardize", [x], expected, attrs={"axis": 1, "epsilon": 1e-5}, tolerance=(1e-4, 1e-4))


def products(group):
    def case(name, op, f, a, b, **attrs):
        expected = f(a.reference, b.reference)
        if a.dtype == "f32":
            size = f(np.abs(a.reference), np.abs(b.reference)) if op != "cross" else np.abs(expected) + 8
            tolerance = (8 * EPS * float(np.max(size, initial=0)), EPS)
        else:
            tolerance = None
        group.add(f"{op}-{name}", op, [a, b], expected, a.dtype, attrs, tolerance)

    for op, f, shapes in [
        ("dot", np.dot, [((3,), (3,)), ((2, 3), (3,)), ((2, 3), (3, 4)), ((2, 3), (5, 3, 4)), ((), (3,)), ((2, 2), ()), ((0,), (0,))]),
        ("inner", np.inner, [((3,), (3,)), ((2, 3), (4, 3)), ((2, 3), (3,)), ((), (3,)), ((2, 0), (3, 0))]),
        ("outer", np.outer, [((3,), (2,)), ((2, 2), (3,)), ((), (3,)), ((0,), (3,))]),
        ("vdot", np.vdot, [((3,), (3,)), ((2, 3), (6,)), ((), ())]),
        ("kron", np.kron, [((2,), (3,)), ((2, 3), (3, 2)), ((2, 2), (3,)), ((), (3,)), ((2,), (2, 1, 2))]),
    ]:
        for a, b in shapes:
            name = f"{brief(a)}-with-{brief(b)}"
            case(name, op, f, normals(op + name + "a", a), normals(op + name + "b", b))
        a, b = integers(op + "i", (4,), -9, 9), integers(op + "j", (4,), -9, 9)
        case("i32", op, f, a, b)
    for a, b, axis in [((3,), (3,), -1), ((2, 3), (3,), -1), ((2, 3), (2, 3), 0), ((4, 1, 3), (2, 3), -1)]:
        name = f"{brief(a)}-with-{brief(b)}-{axis}"
        summed = lambda x, y, axis=axis: np.sum(x * y, axis)
        case(name, "vecdot", summed, normals("vecdot" + name + "a", a), normals("vecdot" + name + "b", b), axis=axis)
    for a, b, axis in [((3,), (3,), -1), ((2, 3), (3,), -1), ((3, 2), (3, 2), 0)]:
        name = f"{brief(a)}-with-{brief(b)}-{axis}"
        crossed = lambda x, y, axis=axis: np.cross(x, y, axis=axis)
        case(name, "cross", crossed, normals("cross" + name + "a", a), normals("cross" + name + "b", b), axis=axis)
    for a, b, axes in [((3, 2), (2, 3), (0, 1, 0)), ((3, 4, 2), (4, 2, 3), (0, -1, 1)), ((2, 3), (3, 2), (1, 0, -1))]:
        name = f"{brief(a)}-with-{brief(b)}-along-{'-'.join(map(str, axes))}"
        crossed = lambda x, y, axes=axes: np.cross(x, y, *axes)
        case(name, "cross", crossed, normals("cross" + name + "a", a), normals("cross" + name + "b", b), axis=-1, axisA=axes[0], axisB=axes[1], axisC=axes[2])
    for uplo in ("L", "U"):
        x = normals("eigvalsh-half", (2, 4, 4))
        group.add(f"eigvalsh-{uplo}", "linalg.eigvalsh", [x], np.linalg.eigvalsh(x.reference, uplo), attrs={"uplo": uplo}, tolerance=(64 * EPS, 16 * EPS))
    for times in (0, 1, 2, 5):
        x = uniforms("matrixPower", (2, 3, 3), -0.7, 0.7)
        group.add(f"matrixPower-{times}", "matrixPower", [x], np.linalg.matrix_power(x.reference, times), attrs={"times": times}, tolerance=(16 * EPS, 16 * EPS))
    for a, b, left, right in [((2, 3, 4), (4, 3, 5), [1, 2], [1, 0]), ((3,), (3,), [0], [0]), ((2, 3), (4,), [], []), ((2, 3), (3, 2), [-1], [0])]:
        name = f"{brief(a)}-with-{brief(b)}"
        x, y = normals("tensordot" + name + "a", a), normals("tensordot" + name + "b", b)
        expected = np.tensordot(x.reference, y.reference, (left, right))
        group.add(f"tensordot-{name}", "tensordot", [x, y], expected, attrs={"left": left, "right": right}, tolerance=(32 * EPS, 4 * EPS))
    for text, *shapes in [
        ("ij,jk->ik", (2, 3), (3, 4)), ("ij,jk", (2, 3), (3, 4)), ("ij->ji", (2, 3)), ("ij->", (2, 3)), ("ij->j", (2, 3)), ("ii", (3, 3)), ("ii->i", (3, 3)),
        ("ba", (2, 3)), ("i,i->", (5,), (5,)), ("i,j->ij", (2,), (3,)), ("bij,bjk->bik", (2, 3, 4), (2, 4, 2)), ("...ij,...jk->...ik", (2, 3, 4), (4, 2)),
        ("...ij,...jk->...ik", (5, 1, 2, 3), (2, 3, 2)), ("i...,i...->...", (3, 2), (3, 2)), ("ij,jk,kl->il", (2, 3), (3, 4), (4, 2)),
        ("abc,cd,be,a->de", (2, 3, 4), (4, 2), (3, 3), (2,)), ("ij,ij->ij", (2, 3), (2, 3)), ("ij,kj->ik", (2, 1), (3, 4)), ("iij,jkk->ik", (2, 2, 3), (3, 2, 2)),
        ("bqhd,bkhd->bhqk", (2, 3, 2, 4), (2, 5, 2, 4)), ("i j , j k -> i k", (2, 3), (3, 4)), ("...->...", (2, 3)), ("...i->...", (2, 3)), ("ab,cd->acbd", (2, 3), (2, 2)),
        ("i,->i", (3,), ()), ("ijk,ilm,njm,nlk,abc->", (2, 2, 2), (2, 2, 2), (2, 2, 2), (2, 2, 2), (2, 2, 2)), ("Ab,bC->AC", (2, 3), (3, 2)), ("ii,ii->i", (3, 3), (3, 3)),
        ("a...a->...", (3, 2, 3)), ("ij,j", (0, 3), (3,)),
    ]:  # fmt: skip
        name = f"{text.replace(' ', '_')}-{'-'.join(map(brief, shapes))}"
        xs = [normals(f"einsum{name}{n}", s) for n, s in enumerate(shapes)]
        size = float(np.max(np.abs(np.einsum(text, *(np.abs(x.reference) for x in xs))), initial=0))
        group.add(f"einsum-{name}", "einsum", xs, np.einsum(text, *(x.reference for x in xs)), attrs={"text": text}, tolerance=(8 * EPS * size, EPS))
    i, j = integers("einsum-i", (2, 3), -9, 9), integers("einsum-j", (3, 4), -9, 9)
    group.add("einsum-i32", "einsum", [i, j], i.values @ j.values, "i32", {"text": "ij,jk->ik"})


def curves(group):
    def case(name, op, xs, expected, tolerance=(8 * EPS, 16 * EPS), dtype="f32", **attrs):
        group.add(f"{op}-{name}", op, xs, expected, dtype, attrs, tolerance if dtype == "f32" else None)

    for shape, axis, width in [((5,), 0, 1), ((3, 4), 1, 0.5), ((3, 4), 0, 2), ((1,), 0, 1), ((0,), 0, 1)]:
        y = normals(f"trapezoid{brief(shape)}", shape)
        case(f"{brief(shape)}-{axis}", "trapezoid", [y, Number(width)], np.trapezoid(y.reference, dx=width, axis=axis), axis=axis)
    y, widths = normals("trapezoid-of", (2, 4)), uniforms("trapezoid-widths", (3,), 0.1, 2)
    places = np.concatenate([[0], np.cumsum(widths.reference)])
    case("widths", "trapezoid", [y, widths], np.trapezoid(y.reference, places, axis=1), axis=1)
    # Places of several axes broadcast, and may have more axes in front or fewer.
    for shape, of_places, axis in [((2, 4), (2, 4), 1), ((2, 4), (2, 4), 0), ((2, 3, 4), (3, 4), -1), ((4,), (3, 4), -1), ((2, 3, 4), (2, 3, 4), 1), ((2, 4), (1, 4), -1)]:
        y, places = normals(f"trapezoid-y{shape}", shape), uniforms(f"trapezoid-x{of_places}", of_places, 0, 2)
        expected = np.trapezoid(y.reference, places.reference, axis=axis)
        case(f"{brief(shape)}-at-{brief(of_places)}-{axis}", "trapezoid", [y, places], expected, axis=axis)
    for name, options in [("period-4", {"period": 4}), ("discont-5", {"discont": 5}), ("discont-1", {"discont": 1}), ("both", {"period": 3, "discont": 2.5})]:
        turns = normals("unwrap-options", (3, 20), 4)
        case(name, "unwrap", [turns], np.unwrap(turns.reference, axis=1, **options), (64 * EPS, 16 * EPS), axis=1, **options)
    for name, a, b in [("empty", [], [1, 2]), ("empties", [], []), ("by-empty", [3], []), ("both", [1, 2], [1, 3, 0.5])]:
        case(name, "polymul", [Tensor(np.array(a)), Tensor(np.array(b))], np.polymul(a, b))
    for shape, axis in [((40,), 0), ((3, 20), 1), ((20, 3), 0), ((1,), 0)]:
        turns = normals(f"unwrap{brief(shape)}", shape, 2)
        case(f"{brief(shape)}-{axis}", "unwrap", [turns], np.unwrap(turns.reference, axis=axis), (64 * EPS, 16 * EPS), axis=axis)
    for shape in [(5,), (2, 7), (3, 2), (1, 4)]:
        x = normals(f"cov{brief(shape)}", shape)
        for correction in (1, 0):
            case(f"{brief(shape)}-{correction}", "cov", [x], np.cov(x.reference, ddof=correction), (8 * EPS, 32 * EPS), correction=correction)
        if shape[0] != 1:
            case(brief(shape), "corrcoef", [x], np.corrcoef(x.reference), (32 * EPS, 32 * EPS))
    for count in (0, 1, 4):
        p, x = normals(f"polyval{count}", (count,)), normals("polyval-x", (3, 2))
        case(f"of-{count}", "polyval", [p, x], np.polyval(p.reference, x.reference))
    case("i32", "polyval", [Tensor([1, 2, 3], "i32"), Tensor([-2, 4], "i32")], np.polyval([1, 2, 3], np.array([-2, 4])), dtype="i32")
    for name, a in [("ascending", np.sort(normals("searchSorted", (37,)).values)), ("equals", [1, 2, 2, 2, 5]), ("one", [0.5]), ("none", []), ("power-of-two", np.arange(32))]:
        sorted_values, values = Tensor(np.array(a)), Tensor([[-9, 0.5, 2], [5, math.nan, 99], [0, 31, 32]])
        for after in (False, True):
            expected = np.searchsorted(sorted_values.values, values.values, "right" if after else "left")
            case(f"{name}-{after}", "searchSorted", [sorted_values, values], expected, dtype="i32", after=after)
    case("number", "searchSorted", [Tensor([1, 3, 5], "i32"), Number(3)], 1, dtype="i32", after=False)
    x = Tensor([[-1, 0, 0.25], [1, 2.5, 3], [9, 4, 3.999]])
    for name, xp, fp in [("curve", [0, 1, 3, 4], [1, -2, 5, 0.5]), ("one", [1], [7]), ("steps", [0, 1, 1, 4], [0, 1, 2, 3])]:
        case(name, "interp", [x, Tensor(xp), Tensor(fp)], np.interp(x.reference, xp, fp))
    for a, b in [((5,), (3,)), ((3,), (5,)), ((4,), (4,)), ((1,), (6,)), ((17,), (8,)), ((1,), (1,))]:
        x, y = normals(f"convolve{a}", a), normals(f"convolve{b}", b)
        for mode in ("full", "same", "valid"):
            case(f"{brief(a)}-{brief(b)}-{mode}", "convolve", [x, y], np.convolve(x.reference, y.reference, mode), (32 * EPS, 8 * EPS), overlap=mode)
    for shape, others, axis in [((3, 4), (3, 2), 1), ((3, 4), (1, 4), 0), ((3, 4), (1, 2), 1), ((2, 3, 4), (2, 5, 4), 1), ((5,), (3,), 0), ((3, 1), (3, 2), -1), ((2, 3), (2, 0), 1)]:
        x, places = normals(f"takeAlongAxis{shape}", shape), integers(f"takeAlongAxis{others}", others, -shape[axis], shape[axis] - 1)
        case(f"{brief(shape)}-{brief(others)}-{axis}", "takeAlongAxis", [x, places], np.take_along_axis(x.values, places.values.astype(int), axis), (0, 0), axis=axis)
    x, target = normals("losses-x", (3, 5), 2), normals("losses-target", (5,))
    off = np.abs(x.reference - target.reference)
    case("3x5", "l1Loss", [x, target], np.mean(off))
    for delta in (1, 0.5):
        case(f"3x5-{delta}", "huberLoss", [x, target], np.mean(np.where(off < delta, off**2 / 2, delta * (off - delta / 2))), delta=delta)
    truth = uniforms("losses-truth", (3, 5), 0, 1)
    case("3x5", "binaryCrossEntropy", [x, truth], np.mean(softplus(x.reference) - x.reference * truth.reference))
    case("large", "binaryCrossEntropy", [Tensor([1000, -1000, 50]), Tensor([1, 0, 0])], 50 / 3)


def sequences(group):
    def case(name, op, expected, tolerance=(4 * EPS, 8 * EPS), dtype="f32", **attrs):
        group.add(f"{op}-{name}", op, [], expected, dtype, attrs, tolerance if dtype == "f32" else None)

    for start, stop, count in [(1, 1000, 4), (0.5, 8, 9), (-1, -16, 5), (1000, 1, 4), (2, 3, 1), (2, 3, 0)]:
        case(f"{start}-{stop}-{count}", "geomspace", np.geomspace(start, stop, count), (EPS, 32 * EPS), start=start, stop=stop, count=count)
    for start, stop, count, base in [(0, 3, 4, 10), (-2, 2, 5, 2), (0, 1, 3, 3)]:
        case(f"{start}-{stop}-{count}-{base}", "logspace", np.logspace(start, stop, count, base=base), (EPS, 32 * EPS), start=start, stop=stop, count=count, base=base)
    for count in (0, 1, 2, 5, 16):
        for op, f in [("hann", np.hanning), ("hamming", np.hamming), ("blackman", np.blackman), ("bartlett", np.bartlett)]:
            case(str(count), op, f(count), count=count)
    for shape in [(2, 3), (4,), (2, 0), (2, 1, 3)]:
        for dtype in ("i32", "f32", "u32"):
            group.add(f"indices-{brief(shape)}-{dtype}", "indices", [], np.indices(shape), dtype, {"shape": list(shape), "dtype": dtype})
    # Open, and in integers, which NumPy cuts.
    for start, stop, count, base in [(0, 4, 4, 2), (0, 3, 3, 10), (1, -1, 5, 3)]:
        name, expected = f"open-{start}-{stop}-{count}-{base}", np.logspace(start, stop, count, endpoint=False, base=base)
        group.add(f"logspace-{name}", "logspace", [], expected, attrs={"start": start, "stop": stop, "count": count, "base": base, "endpoint": False}, tolerance=(EPS, 32 * EPS))
    for start, stop, count, base, endpoint in [(0, 4, 5, 2, True), (0, 6, 4, 10, True), (0, 30, 30, 2, False), (0.5, 3, 4, 3, True)]:
        expected = np.logspace(start, stop, count, endpoint, base, dtype=np.int64)
        attrs = {"start": start, "stop": stop, "count": count, "base": base, "endpoint": endpoint, "dtype": "i32"}
        group.add(f"logspace-i32-{start}-{stop}-{count}-{base}", "logspace", [], expected, "i32", attrs)
    for start, stop, count in [(1, 16, 4), (-1, -1000, 3)]:
        expected = np.geomspace(start, stop, count, endpoint=False)
        group.add(f"geomspace-open-{start}-{stop}-{count}", "geomspace", [], expected, attrs={"start": start, "stop": stop, "count": count, "endpoint": False}, tolerance=(EPS, 32 * EPS))
    x = Tensor([1, 2, -3, 0.5])
    for columns, ascending in [(3, False), (4, True), (1, False), (0, False)]:
        expected = np.vander(x.reference, columns, ascending)
        group.add(f"vander-{columns}-{ascending}", "vander", [x], expected, attrs={"columns": columns, "ascending": ascending}, tolerance=(TINY, 8 * EPS))


def cases():
    group = Group()
    functions(group)
    pairs(group)
    reductions(group)
    running(group)
    arrangements(group)
    products(group)
    curves(group)
    sequences(group)
    return group
