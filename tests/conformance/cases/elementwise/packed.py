"""Packed dtypes, which have several elements to a word: casts, promotion, and the results of f16,
i8 and u8.

- Results of f16 are those of f32, rounded once to float16, as NumPy's own float16 arithmetic
  rounds; integers wrap as NumPy's do.
- bool < u8 < i8 < u32 < i32 < f16 < f32, but i32 where i8 meets an unsigned one: neither holds
  the other's values.
- Sums and products of many i8 are i32, of u8 u32.
"""

import numpy as np

from ..format import NUMPY_DTYPES, Group, Number, Tensor, rng, scalars, tolerance_json

DTYPES = {**NUMPY_DTYPES, "f16": np.float16, "i8": np.int8, "u8": np.uint8}
RANK = ["bool", "u8", "i8", "u32", "i32", "f16", "f32"]
HALF = 2.0**-10
"""Distance from 1 to the next float16."""
LEAST = 2.0**-24
"""Smallest float16."""


class Packed(Tensor):
    """A tensor of any dtype, which wraps and rounds as NumPy does."""

    def __init__(self, values, dtype):
        values = np.asarray(values)
        with np.errstate(over="ignore", invalid="ignore"):
            if dtype in ("i32", "u32", "i8", "u8"):
                values = values.astype(np.int64)
            self.values = values.astype(DTYPES[dtype])
        self.dtype = dtype

    def to_json(self):
        return {"shape": list(self.values.shape), "dtype": self.dtype, "data": scalars(self.values)}


def promoted(a, b):
    if {a, b} in ({"i8", "u8"}, {"i8", "u32"}):
        return "i32"
    return max(a, b, key=RANK.index)


def wide(x):
    return x.values.astype(np.float64)


class Cases(Group):
    def value(self, name, op, inputs, expected, dtype, attrs=None, tolerance=None):
        expected = Packed(expected, dtype).to_json()
        self.append(name, op, inputs, attrs, expected=expected, tolerance=tolerance_json(tolerance))


def normal(name, shape, dtype="f16", scale=1.0):
    return Packed(rng(name).standard_normal(shape) * scale, dtype)


def whole(name, shape, dtype):
    low, high = (0, 256) if dtype == "u8" else (-128, 128)
    return Packed(rng(name).randint(low, high, shape), dtype)


def cases():
    group = Cases()
    with np.errstate(all="ignore"):
        casts(group)
        promotion(group)
        halves(group)
        bytes_(group)
        beyond(group)
        reductions(group)
        moved(group)
    return group


def casts(group):
    edges = [0.1, -0.0, 65504, 65519, 65520, 1e9, -1e9, 6e-8, 2.9e-8, 3e-8, 1e-30, 6.1e-5, -6.09e-5, 2049, 2051, 1 / 3, np.inf, -np.inf, np.nan]
    x = Tensor(edges)
    group.value("cast-f32-to-f16", "cast", [x], x.values, "f16", {"dtype": "f16"})
    middles = np.arange(1, 400, dtype=np.uint16)
    below = (middles - 1).view(np.float16).astype(np.float32)
    between = Tensor((below + middles.view(np.float16).astype(np.float32)) / 2)
    group.value("cast-ties-among-subnormal-halves", "cast", [between], between.values, "f16", {"dtype": "f16"})
    ties = np.arange(0x3C00, 0x3C00 + 99, dtype=np.uint16).view(np.float16).astype(np.float32) + np.float32(HALF / 2)
    group.value("cast-ties-among-halves", "cast", [Tensor(ties)], ties, "f16", {"dtype": "f16"})
    h = Packed([0.1, -0.0, 65504, 6e-8, 6.1e-5, np.inf, -np.inf, np.nan, -2.75], "f16")
    group.value("cast-f16-to-f32", "cast", [h], wide(h), "f32", {"dtype": "f32"})
    h = Packed([1.9, -1.9, 300, -300, 0, 65504, -65504], "f16")
    for dtype, low, high in [("i32", -(2**31), 2**31 - 1), ("u32", 0, 2**32 - 1), ("i8", -128, 127), ("u8", 0, 255)]:
        group.value(f"cast-f16-to-{dtype}-cuts-and-saturates", "cast", [h], np.clip(np.trunc(wide(h)), low, high), dtype, {"dtype": dtype})
    group.value("cast-f16-to-bool", "cast", [h], wide(h) != 0, "bool", {"dtype": "bool"})
    large = Tensor([127, 128, 129, 255, 256, 257, -1, -128, -129, 2147483647, -2147483648], "i32")
    for dtype in ("i8", "u8"):
        group.value(f"cast-i32-to-{dtype}-wraps", "cast", [large], large.values, dtype, {"dtype": dtype})
        b = whole(f"cast-{dtype}", (2, 3, 5), dtype)
        for to in ("f32", "i32", "u32", "f16", "bool", "i8", "u8"):
            group.value(f"cast-{dtype}-to-{to}", "cast", [b], wide(b) != 0 if to == "bool" else b.values, to, {"dtype": to})
    group.value("cast-i32-to-f16-rounds", "cast", [large], wide(large), "f16", {"dtype": "f16"})
    group.value("cast-bool-to-f16", "cast", [Tensor([True, False, True], "bool")], [1, 0, 1], "f16", {"dtype": "f16"})
    for shape in [(), (1,), (0,), (2, 0), (5,), (3, 1, 3)]:
        x = normal(f"cast-shape-{shape}", shape, "f32")
        name = "x".join(map(str, shape)) or "0d"
        for dtype in ("f16", "i8", "u8"):
            y = Packed(np.trunc(np.abs(x.values)), "f32")
            group.value(f"cast-{name}-to-{dtype}", "cast", [y], y.values, dtype, {"dtype": dtype})


def promotion(group):
    tensors = {dtype: Packed([3, 1, 0, 5, 1], dtype) for dtype in RANK}
    for a, x in tensors.items():
        for b, y in tensors.items():
            dtype = promoted(a, b)
            if dtype != "bool":
                group.value(f"add-{a}-{b}", "add", [x, y], wide(x) + wide(y), dtype)
                group.value(f"where-{a}-{b}", "where", [Tensor([1, 0, 1, 0, 0], "bool"), x, y],
                            np.where([1, 0, 1, 0, 0], wide(x), wide(y)), dtype)  # fmt: skip
            group.value(f"maximum-{a}-{b}", "maximum", [x, y], np.maximum(wide(x), wide(y)), dtype)
            group.value(f"less-{a}-{b}", "less", [x, y], wide(x) < wide(y), "bool")
    for dtype in ("f16", "i8", "u8"):
        x = tensors[dtype]
        group.value(f"mul-{dtype}-whole-number", "mul", [x, Number(2)], wide(x) * 2, dtype)
        fractional = "f16" if dtype == "f16" else "f32"
        group.value(f"mul-{dtype}-fractional-number", "mul", [x, Number(0.25)], wide(x) * 0.25, fractional)
        group.value(f"sub-number-{dtype}", "sub", [Number(7), x], 7 - wide(x), dtype)
        group.value(f"add-0d-f32-is-not-weak-{dtype}", "add", [x, Tensor(0.5)], wide(x) + 0.5, "f32")
    group.value("add-f16-overflows", "add", [Packed([60000, -60000, 1], "f16"), Number(1e6)], [np.inf, np.inf, np.inf], "f16")


def halves(group):
    special = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, 65504, 6e-8, -2.5]
    a, b = (Packed(v.ravel(), "f16") for v in np.meshgrid(special, special, indexing="ij"))
    exact = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "minimum": np.minimum, "maximum": np.maximum}
    for op, f in exact.items():
        group.value(f"{op}-special", op, [a, b], f(a.values, b.values), "f16")
        x, y = normal(f"{op}-x", (3, 7), scale=20), normal(f"{op}-y", (1, 7))
        group.value(f"{op}-rounds-as-numpy", op, [x, y], f(x.values, y.values), "f16")
    x, y = normal("div-x", (4, 5), scale=9), Packed(np.abs(wide(normal("div-y", (4, 5)))) + 0.5, "f16")
    group.value("div-halves", "div", [x, y], wide(x) / wide(y), "f16", None, (LEAST, HALF))
    group.value("pow-halves", "pow", [y, x], wide(y) ** wide(x), "f16", None, (LEAST, 1.5 * HALF))
    for op, f in {
        "exp": np.exp, "tanh": np.tanh, "sin": np.sin, "square": np.square, "abs": np.abs, "neg": np.negative, "floor": np.floor,
        "relu": lambda v: np.maximum(v, 0), "sigmoid": lambda v: 1 / (1 + np.exp(-v)), "sign": np.sign,
    }.items():  # fmt: skip
        x = normal(f"{op}-half", (3, 3), scale=2)
        group.value(f"{op}-f16", op, [x], f(wide(x)), "f16", None, (LEAST, HALF))
    for op, f in {"log": np.log, "sqrt": np.sqrt}.items():
        group.value(f"{op}-f16", op, [y], f(wide(y)), "f16", None, (LEAST, HALF))
    # What is made of it is computed in f32: its parts overflow no half.
    large = Packed(np.full((3, 5), 300) + np.arange(15).reshape(3, 5), "f16")
    group.value("softmax-f16", "softmax", [large], np.exp(wide(large) - wide(large).max(1, keepdims=True)) /
                np.exp(wide(large) - wide(large).max(1, keepdims=True)).sum(1, keepdims=True), "f16", {"axis": 1}, (LEAST, HALF))  # fmt: skip
    # Squares overflow halves, and roots of their sums do not.
    near, other = Packed([30000, -30000, 12000, 0.5], "f16"), Packed([40000, 2, -9000, 0.5], "f16")
    everything = {"axis": None, "keepdims": False}
    group.value("std-f16-near-its-end", "std", [near], wide(near).std(), "f16", {**everything, "correction": 0}, (LEAST, HALF))
    group.value("norm-f16-near-its-end", "norm", [near], np.linalg.norm(wide(near)), "f16", {**everything, "order": 2}, (LEAST, HALF))
    group.value("hypot-f16-near-its-end", "hypot", [near, other], np.hypot(wide(near), wide(other)), "f16", None, (LEAST, HALF))
    group.value("logSumExp-f16-near-its-end", "logSumExp", [near], np.logaddexp.reduce(wide(near)), "f16", everything, (LEAST, HALF))
    group.value("isnan-f16", "isnan", [a], np.isnan(a.values), "bool")
    for m, k, n in [(1, 1, 1), (3, 5, 7), (17, 33, 9), (8, 64, 16)]:
        x, y = normal(f"matmul-x{m}", (m, k)), normal(f"matmul-y{m}", (k, n))
        bound = np.abs(wide(x)) @ np.abs(wide(y))
        group.value(f"matmul-f16-{m}x{k}x{n}", "matmul", [x, y], wide(x) @ wide(y), "f16", None, (bound.max() * 1e-6 + LEAST, HALF))
    x, y = normal("matmul-mixed-x", (3, 5)), normal("matmul-mixed-y", (5, 3), "f32")
    group.value("matmul-f16-f32", "matmul", [x, y], wide(x) @ wide(y), "f32", None, (1e-5, 1e-5))


def bytes_(group):
    for dtype in ("i8", "u8"):
        x, y = whole(f"{dtype}-x", (3, 7), dtype), whole(f"{dtype}-y", (3, 7), dtype)
        for op, f in {
            "add": np.add, "sub": np.subtract, "mul": np.multiply, "minimum": np.minimum, "maximum": np.maximum,
            "bitwiseAnd": np.bitwise_and, "bitwiseOr": np.bitwise_or, "bitwiseXor": np.bitwise_xor,
        }.items():  # fmt: skip
            group.value(f"{op}-{dtype}-wraps", op, [x, y], f(x.values, y.values), dtype)
        divisor = Packed(np.where(y.values == 0, 3, y.values), dtype)
        group.value(f"floorDivide-{dtype}", "floorDivide", [x, divisor], wide(x) // wide(divisor), dtype)
        group.value(f"remainder-{dtype}", "remainder", [x, divisor], np.remainder(wide(x), wide(divisor)), dtype)
        group.value(f"fmod-{dtype}", "fmod", [x, divisor], np.fmod(x.values, divisor.values), dtype)
        group.value(f"div-{dtype}-is-f32", "div", [x, divisor], wide(x) / wide(divisor), "f32", None, (2.0**-126, 3 * 2.0**-23))
        group.value(f"neg-{dtype}-wraps", "neg", [x], -x.values, dtype)
        group.value(f"bitwiseNot-{dtype}", "bitwiseNot", [x], ~x.values, dtype)
        group.value(f"equal-{dtype}", "equal", [x, y], x.values == y.values, "bool")
        group.value(f"exp-{dtype}-is-f32", "exp", [Packed([0, 1, 2], dtype)], np.exp([0.0, 1, 2]), "f32", None, (0, 2.0**-22))
    least = Packed([-128, -128, -128, -128, -127, 5], "i8")
    divisor = Packed([3, -7, -1, 0, -128, -128], "i8")
    group.value("fmod-least-i8", "fmod", [least, divisor], np.fmod(least.values, divisor.values), "i8")


def beyond(group):
    """Numbers that a dtype does not hold are compared as they are."""
    for dtype, low, high in [("u8", 0, 255), ("i8", -128, 127), ("u32", 0, 2**32 - 1), ("i32", -(2**31), 2**31 - 1)]:
        x = Packed([low, low + 1, 5, high - 1, high], dtype)
        for number in (low - 1, high + 1, 5, 5.5, -np.inf, np.inf, np.nan):
            for op, f in {
                "equal": np.equal, "notEqual": np.not_equal, "less": np.less, "lessEqual": np.less_equal, "greater": np.greater,
                "greaterEqual": np.greater_equal,
            }.items():  # fmt: skip
                group.value(f"{op}-{dtype}-with-{number}", op, [x, Number(number)], f(wide(x), number), "bool")
            group.value(f"less-{number}-than-{dtype}", "less", [Number(number), x], np.less(number, wide(x)), "bool")


def reductions(group):
    everything, rows = {"axis": None, "keepdims": False}, {"axis": 1, "keepdims": True}
    x = normal("reduce-f16", (5, 131))
    for axis, attrs, name in [(None, everything, "all"), (1, rows, "rows")]:
        keep = {"axis": axis, "keepdims": axis is not None}
        group.value(f"sum-f16-{name}", "sum", [x], wide(x).sum(**keep), "f16", attrs, (1e-4, HALF))
        group.value(f"mean-f16-{name}", "mean", [x], wide(x).mean(**keep), "f16", attrs, (1e-6, HALF))
        group.value(f"max-f16-{name}", "max", [x], wide(x).max(**keep), "f16", attrs)
    many = Packed(np.full(5000, 100), "f16")
    group.value("mean-f16-does-not-overflow", "mean", [many], 100.0, "f16", everything)
    group.value("sum-f16-overflows", "sum", [many], np.inf, "f16", everything)
    group.value("argmax-f16", "argmax", [x], wide(x).argmax(1), "i32", {"axis": 1, "keepdims": False})
    for dtype, sums in [("i8", "i32"), ("u8", "u32")]:
        x = whole(f"reduce-{dtype}", (4, 33), dtype)
        group.value(f"sum-{dtype}-is-{sums}", "sum", [x], wide(x).sum(), sums, everything)
        group.value(f"max-{dtype}", "max", [x], wide(x).max(1, keepdims=True), dtype, rows)
        group.value(f"mean-{dtype}-is-f32", "mean", [x], wide(x).mean(), "f32", everything, (1e-5, 1e-6))
        group.value(f"argmax-{dtype}-is-i32", "argmax", [x], wide(x).argmax(1), "i32", {"axis": 1, "keepdims": False})


def moved(group):
    for dtype in ("f16", "i8", "u8"):
        x = normal(f"moved-{dtype}", (3, 5)) if dtype == "f16" else whole(f"moved-{dtype}", (3, 5), dtype)
        v = x.values
        group.value(f"reshape-{dtype}", "reshape", [x], v.reshape(5, 3), dtype, {"shape": [5, 3]})
        group.value(f"permute-{dtype}", "permute", [x], v.T, dtype, {"axes": [1, 0]})
        group.value(f"slice-{dtype}", "slice", [x], v[1:, ::-2], dtype, {"starts": [1, None], "stops": [None, None], "steps": [1, -2]})
        group.value(f"broadcastTo-{dtype}", "broadcastTo", [x], np.broadcast_to(v, (2, 3, 5)), dtype, {"shape": [2, 3, 5]})
        group.value(f"flip-{dtype}", "flip", [x], v[::-1, ::-1], dtype, {"axis": None})
        group.value(f"take-{dtype}", "take", [x, Tensor([4, 0, 2], "i32")], v[:, [4, 0, 2]], dtype, {"axis": 1})
