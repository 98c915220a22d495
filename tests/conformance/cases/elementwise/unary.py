"""Operations on one tensor: elementwise functions, casts and clip."""

import math
from statistics import NormalDist

import numpy as np

from ..format import EPS, TINY, Group, Tensor, bools, brief, integers, normals, uniforms

SPECIALS = [math.nan, math.inf, -math.inf, 0.0, -0.0]

SHAPES = [(), (1,), (7,), (3, 5), (0,), (2, 0, 3), (2, 1, 3, 2, 2), (17,), (33,), (65,)]


def sigmoid(x):
    return np.where(x >= 0, 1 / (1 + np.exp(-np.abs(x))), np.exp(-np.abs(x)) / (1 + np.exp(-np.abs(x))))


erf = np.vectorize(math.erf, otypes=[np.float64])
erfc = np.vectorize(math.erfc, otypes=[np.float64])


def gelu(x):
    """x·Φ(x), by erfc so that the reference keeps its digits in the negative tail."""
    return 0.5 * x * erfc(-x / math.sqrt(2))


def erf_inv(x):
    """By the quantile function of the normal distribution, and a step of Newton's, which gives the digits that (x + 1)/2 has lost."""
    if math.isnan(x) or abs(x) > 1:
        return math.nan
    if x == 0 or abs(x) == 1:
        return x if x == 0 else math.copysign(math.inf, x)
    y = NormalDist().inv_cdf((x + 1) / 2) / math.sqrt(2)
    return y - (math.erf(y) - x) * math.sqrt(math.pi) / 2 * math.exp(y * y)


erf_inv = np.vectorize(erf_inv, otypes=[np.float64])


def relu(x):
    return np.maximum(x, 0)


# Bounds are (abs, rel). An absolute term larger than TINY says where the function's own
# cancellation or argument reduction makes a relative bound meaningless: near a zero of sin, near
# log(1).
FLOAT = {
    "neg": (np.negative, None),
    "abs": (np.abs, None),
    "sign": (np.sign, None),
    "floor": (np.floor, None),
    "ceil": (np.ceil, None),
    "round": (np.rint, None),
    "relu": (relu, None),
    "exp": (np.exp, (TINY, 4 * EPS)),
    "log": (np.log, (EPS / 8, 4 * EPS)),
    "sqrt": (np.sqrt, (TINY, 3 * EPS)),
    "rsqrt": (lambda x: 1 / np.sqrt(x), (TINY, 4 * EPS)),
    "sin": (np.sin, (2 * EPS, 4 * EPS)),
    "cos": (np.cos, (2 * EPS, 4 * EPS)),
    "tanh": (np.tanh, (TINY, 6 * EPS)),
    "sigmoid": (sigmoid, (TINY, 6 * EPS)),
    "erf": (erf, (TINY, 8 * EPS)),
    "gelu": (gelu, (TINY, 8 * EPS)),
    "expm1": (np.expm1, (TINY, 10 * EPS)),
    "log1p": (np.log1p, (TINY, 8 * EPS)),
    "asinh": (np.arcsinh, (TINY, 16 * EPS)),
    "erfInv": (erf_inv, (TINY, 8 * EPS)),
    "reciprocal": (np.reciprocal, (TINY, 4 * EPS)),
    "acosh": (np.arccosh, (TINY, 16 * EPS)),
    "atanh": (np.arctanh, (TINY, 16 * EPS)),
}

# Of integers they give integers.
KEEPING = {"square": (np.square, None), "detach": (np.positive, None)}

POSITIVE = {"log", "log1p", "sqrt", "rsqrt"}

# Values at which implementations have been seen to go wrong.
PROBES = {
    "asinh": [1e-20, 1e-4, 0.1, 0.2, 0.3, 1, 2, 100, 4095, 4096, 4097, 1e10, 3e38, -1e-4, -0.5, -4096, -1e20],
    "acosh": [1, 1.0000001, 1.0001, 1.01, 1.1, 1.5, 2, 10, 4095, 4096, 4097, 1e10, 3e38, 0.9999999, 0.5, -1, -2, -4096, -1e20],
    "atanh": [1e-20, 1e-4, 0.1, 0.2, 0.249, 0.25, 0.3, 0.5, 0.9, 0.9999, 0.9999999, 1, 1.1, -1e-20, -1e-4, -0.25, -0.5, -0.9999, -1, -2],
    "expm1": [1e-20, -1e-20, 1e-6, 1e-3, 0.1, 0.5, 0.99, 1, 1.01, 5, 88, 89, -1e-6, -0.1, -0.9, -1, -1.1, -5, -20, -104, 200],
    "log1p": [1e-20, -1e-20, 1e-6, 1e-3, 0.1, 0.2, 0.249, 0.25, 0.3, 1, 10, 1e10, 3e38, -1e-6, -0.1, -0.249, -0.25, -0.5, -0.9, -0.999, -1, -2],
    "exp": [-150, -104, -88, -87, -20, -1, -1e-6, 1e-6, 0.5, 1, 10, 20, 80, 88, 88.7, 89, 200],
    "log": [1.5e-38, 1e-20, 0.1, 0.5, 0.9, 0.999, 1, 1.0001, 1.001, 1.1, 2, 2.7182817, 10, 1e10, 3e38, -1],
    "sqrt": [1.5e-38, 1e-20, 0.25, 1, 2, 3, 4, 1e10, 16777216, 3e38, -1],
    "rsqrt": [1.5e-38, 1e-20, 0.25, 1, 2, 3, 4, 1e10, 16777216, 3e38, -1],
    "sin": [1e-20, 1e-4, 0.5, 1, 1.5707964, 2, 3, 3.1415927, 4, 6.2831855, 10, 50, 100, -1, -3.1415927, -10, -100],
    "cos": [1e-20, 1e-4, 0.5, 1, 1.5707964, 2, 3, 3.1415927, 4, 6.2831855, 10, 50, 100, -1, -3.1415927, -10, -100],
    "tanh": [1e-20, 1e-4, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.625, 1, 2, 5, 9, 10, 20, 88, 89, 100, 1e10, -1e-3, -0.5, -2, -9, -100],
    "sigmoid": [1e-20, 0.5, 1, 10, 17, 20, 88, 89, 100, 1e10, -0.5, -1, -10, -17, -20, -80, -87, -88, -104, -1e10],
    "erf": [1e-20, 1e-4, 0.01, 0.1, 0.5, 0.84, 0.9, 1, 1.5, 2, 2.5, 3, 3.5, 3.9, 4, 6, 100, -0.01, -0.5, -1, -2, -4, -100],
    "gelu": [1e-20, 1e-4, 0.01, 0.1, 0.5, 1, 2, 3, 5, 6, 10, 100, -1e-4, -0.1, -0.5, -0.75, -1, -2, -3, -3.3, -3.31, -4, -5, -6, -8, -10, -12, -100],
    "round": [0.5, 1.5, 2.5, 3.5, -0.5, -1.5, -2.5, 0.49999997, 0.50000006, 8388607.5, 8388609, 16777216, 1e10, -1e10],
    "floor": [0.5, 1.5, -0.5, -1.5, 0.99999994, -1e-20, 1e-20, 2, -2, 8388607.5, -8388607.5, 16777216, 1e10],
    "ceil": [0.5, 1.5, -0.5, -1.5, 0.99999994, -1e-20, 1e-20, 2, -2, 8388607.5, -8388607.5, 16777216, 1e10],
    "sign": [1e-20, -1e-20, 3e38, -3e38],
    "erfInv": [1e-20, 1e-4, 0.1, 0.5, 0.9, 0.99, 0.9999, 0.9999999, 1, 1.1, -1e-4, -0.5, -0.99, -0.99999994, -1, -2],
    "square": [1e-15, 1e19, -1e19, 2e19, -2e19, 0.1, -3],
    "reciprocal": [1e-37, -1e-37, 3, -3, 1e10, 8e37, -8e37],
    "relu": [1e-20, -1e-20, 3e38, -3e38],
}


def float_functions(group):
    for n, (op, (f, tolerance)) in enumerate([*FLOAT.items(), *KEEPING.items()]):

        def case(name, x, tolerance=tolerance):
            with np.errstate(all="ignore"):
                group.add(name, op, [x], f(x.reference), tolerance=tolerance)

        # Every operation meets a vector, a matrix of odd sides and one more of the shapes in turn.
        for shape in [(33,), (5, 7), SHAPES[n % len(SHAPES)]]:
            name = f"{op}-{brief(shape)}"
            if name in group.names:
                continue
            if op in ("erfInv", "atanh"):
                x = uniforms(name, shape, -1, 1)
            elif op == "acosh":
                x = uniforms(name, shape, 1, 9)
            else:
                x = uniforms(name, shape, 0.01, 9) if op in POSITIVE else normals(name, shape, 3)
            case(name, x)
        # Left out where the result is not agreed: gelu(-inf) is -inf·0 by the formula and 0 in the
        # limit; rsqrt(-0) needs the sign of a zero, which WGSL lets implementations drop.
        left_out = {"gelu": "-inf", "rsqrt": "-0.0", "reciprocal": "-0.0"}.get(op)
        case(f"{op}-special-values", Tensor([v for v in SPECIALS if str(v) != left_out]))
        if op in PROBES:
            case(f"{op}-probes", Tensor(PROBES[op]))
    for op in ("sin", "cos"):
        f = FLOAT[op][0]
        x = Tensor([1000, 1e4, -1e4, 12345.678, 5e4, 1e5, -123456.7, 5e5, 999999.94, 1e6, -1e6])
        group.add(f"{op}-large-arguments", op, [x], f(x.reference), tolerance=(4 * EPS, 4 * EPS))
    # Every shape once, on an operation that cannot hide behind a tolerance.
    for shape in SHAPES:
        name = f"neg-every-shape-{brief(shape)}"
        x = normals(name, shape)
        group.add(name, "neg", [x], -x.reference)


def integer_functions(group):
    i = Tensor([0, 1, -1, 7, -7, 2147483647, -2147483648], "i32")
    u = Tensor([0, 1, 2, 7, 2147483648, 4294967295], "u32")
    with np.errstate(over="ignore"):
        group.add("neg-i32", "neg", [i], -i.values, "i32")
        group.add("neg-u32-wraps", "neg", [u], np.uint32(0) - u.values, "u32")
        group.add("abs-i32", "abs", [i], np.abs(i.values), "i32")
    group.add("abs-u32", "abs", [u], u.values, "u32")
    group.add("sign-i32", "sign", [i], np.sign(i.values), "i32")
    group.add("sign-u32", "sign", [u], np.sign(u.values), "u32")
    group.add("relu-i32", "relu", [i], np.maximum(i.values, 0), "i32")
    group.add("bitwiseNot-i32", "bitwiseNot", [i], ~i.values, "i32")
    group.add("bitwiseNot-u32", "bitwiseNot", [u], ~u.values, "u32")
    b = bools("logicalNot-3x5", (3, 5))
    group.add("logicalNot-3x5", "logicalNot", [b], ~b.values, "bool")
    group.add("logicalNot-0d", "logicalNot", [Tensor(True, "bool")], False, "bool")
    group.add("logicalNot-empty", "logicalNot", [Tensor(np.zeros(0), "bool")], np.zeros(0), "bool")


def truths(group):
    """Questions about floats and their bits, answered by bool."""
    x = Tensor([*SPECIALS, 1, -3e38, 1e-20])
    group.add("isnan-special-values", "isnan", [x], np.isnan(x.values), "bool")
    group.add("isfinite-special-values", "isfinite", [x], np.isfinite(x.values), "bool")
    for shape in [(), (0,), (3, 5)]:
        x = normals(f"isnan-{brief(shape)}", shape)
        group.add(f"isnan-{brief(shape)}", "isnan", [x], np.isnan(x.values), "bool")
        group.add(f"isfinite-{brief(shape)}", "isfinite", [x], np.isfinite(x.values), "bool")
    x = Tensor([0, 1, -1, 1.5, 3e38, 1e-30, math.inf, -math.inf])
    i = Tensor([0, 1, -1, 1069547520, -1082130432, 2147483647], "i32")
    f = Tensor([1, -1.5, 3e38, math.inf])
    for source, dtype, values in [(x, "i32", x.values.view(np.int32)), (x, "u32", x.values.view(np.uint32)),
                                  (i, "u32", i.values.view(np.uint32)), (Tensor(f.values.view(np.int32), "i32"), "f32", f.values),
                                  (Tensor(f.values.view(np.uint32), "u32"), "f32", f.values)]:  # fmt: skip
        group.add(f"bitcast-{source.dtype}-to-{dtype}", "bitcast", [source], values, dtype, {"dtype": dtype})


def casts(group):
    def case(name, x, dtype, expected, tolerance=None):
        group.add(f"cast-{name}", "cast", [x], expected, dtype, {"dtype": dtype}, tolerance)

    f = Tensor(
        [0, -0.0, 0.5, 0.99999994, 1, 1.5, -0.5, -1.5, -1.9999999, 2.5, -2.5, 100.7, -100.7, 16777216, -16777216, 2147483520]
    )
    case("f32-to-i32-truncates", f, "i32", np.trunc(f.reference))
    f = Tensor([0, -0.0, 0.5, -0.5, 0.99999994, 1, 1.5, 2.5, 100.7, 16777216, 2147483648, 4294967040])
    case("f32-to-u32-truncates", f, "u32", np.trunc(f.reference))
    # Out of range the nearest value stands, and 0 for NaN, as in Rust.
    f = Tensor([2147483648, 1e10, math.inf, -2147483648, -1e10, -math.inf, math.nan])
    case("f32-to-i32-saturates", f, "i32", [2147483647] * 3 + [-2147483648] * 3 + [0])
    f = Tensor([4294967296, 1e10, math.inf, -1, -1e10, -math.inf, math.nan])
    case("f32-to-u32-saturates", f, "u32", [4294967295] * 3 + [0] * 4)
    f = Tensor([0, -0.0, 0.5, -1, 1e-20, math.nan, math.inf, -math.inf])
    case("f32-to-bool-is-nonzero", f, "bool", f.values != 0)
    f = normals("cast-f32-to-f32", (2, 3))
    case("f32-to-f32", f, "f32", f.values)
    i = Tensor([0, 1, -1, 123456, -123456, 16777215, -16777216, 2147483647, -2147483648], "i32")
    case("i32-to-u32-wraps", i, "u32", i.values)
    case("i32-to-bool", i, "bool", i.values != 0)
    case("i32-to-i32", i, "i32", i.values)
    case("i32-to-f32-exact", Tensor(i.values[:7], "i32"), "f32", i.values[:7])
    big = Tensor([16777217, 33554435, 2147483647, -2147483648, 123456789, -987654321], "i32")
    case("i32-to-f32-inexact", big, "f32", big.values.astype(np.float32))
    u = Tensor([0, 1, 16777216, 2147483647, 2147483648, 4294967295], "u32")
    case("u32-to-i32-wraps", u, "i32", u.values.astype(np.int32))
    case("u32-to-bool", u, "bool", u.values != 0)
    case("u32-to-f32", u, "f32", u.values.astype(np.float32))
    # The nearest, ties to even, everywhere: some devices round twice above 2³¹.
    for dtype, low, high in (("i32", -(2**31), 2**31 - 1), ("u32", 0, 2**32 - 1)):
        near = np.array([2**k + d for k in range(24, 32) for d in (-129, -128, -127, -65, -64, -1, 0, 1, 64, 127, 128, 129, 383, 384, 385)])
        near = near[near <= high]
        case(f"{dtype}-to-f32-ties", Tensor(near, dtype), "f32", near.astype(np.float32))
        many = integers(f"cast-{dtype}-many", (96,), low, high, dtype)
        case(f"{dtype}-to-f32-many", many, "f32", many.values.astype(np.float32))
    b = bools("cast-bool", (3, 4))
    for dtype in ("f32", "i32", "u32", "bool"):
        case(f"bool-to-{dtype}", b, dtype, b.values)
    case("empty-f32-to-i32", Tensor(np.zeros((0, 3))), "i32", np.zeros((0, 3)))
    case("0d-f32-to-i32", Tensor(-7.9), "i32", -7)


def clips(group):
    def case(name, x, low, high):
        attrs = {"min": low, "max": high}
        with np.errstate(invalid="ignore"):
            group.add(f"clip-{name}", "clip", [x], np.clip(x.reference, low, high), x.dtype, attrs)

    x = normals("clip", (5, 7), 2)
    case("both", x, -1, 1.5)
    case("min-only", x, -0.25, None)
    case("max-only", x, None, 0.25)
    case("special-values", Tensor(SPECIALS + [2.0, -2.0]), -1, 1)
    case("min-above-max-gives-max", normals("clip-crossed", (7,)), 1, -1)
    case("0d", Tensor(3.5), 0, 1)
    case("empty", Tensor(np.zeros((2, 0))), 0, 1)
    case("i32", integers("clip-i32", (17,), -9, 9), -3, 4)


def cases():
    group = Group()
    float_functions(group)
    integer_functions(group)
    casts(group)
    truths(group)
    clips(group)
    return group
