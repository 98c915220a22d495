"""Promotion of mixed operands' dtypes: a case for each rule.

- Only plain numbers are weak. A tensor of rank 0 promotes as any tensor does.
- bool < u32 < i32 < f32: two tensors meet in the higher one; u32 becomes i32 with its bits kept.
- A number takes the tensor's dtype; a bool tensor with a whole number gives i32; a number that
  is fractional, infinite or NaN makes an integer or bool tensor f32.
- A function with fractional results (exp, sin, mean, div, …) takes integers to f32. Sums and
  products of bool are i32.
"""

import math

import numpy as np

from .binary import COMPARISON
from ..format import EPS, TINY, Group, Number, Tensor, integers, normals
from ..linear.matmul import bound as matmul_bound
from ..linear.nn import softmax
from ..arrays.reduce import REDUCTIONS
from .unary import FLOAT

F = Tensor([0.5, -1.5, 2, 7.25])
I = Tensor([3, -2, 0, 5], "i32")
U = Tensor([1, 2, 0, 9], "u32")
B = Tensor([True, False, True, True], "bool")
TENSORS = {"f32": F, "i32": I, "u32": U, "bool": B}
RANK = ["bool", "u32", "i32", "f32"]


def wide(x):
    """Values in float64, where all of f32, i32 and u32 are exact."""
    return np.asarray(x.reference, np.float64)


def cases():
    group = Group()
    arithmetic(group)
    numbers(group)
    comparisons(group)
    functions(group)
    reductions(group)
    joins_and_products(group)
    return group


def arithmetic(group):
    for a, x in TENSORS.items():
        for b, y in TENSORS.items():
            if a == b:
                continue
            dtype = max(a, b, key=RANK.index)
            group.add(f"add-{a}-{b}", "add", [x, y], wide(x) + wide(y), dtype)
            group.add(f"mul-{a}-{b}", "mul", [x, y], wide(x) * wide(y), dtype)
    group.add("maximum-i32-f32", "maximum", [I, F], np.maximum(wide(I), wide(F)))
    group.add("minimum-u32-i32", "minimum", [U, I], np.minimum(wide(U), wide(I)), "i32")
    group.add("sub-u32-i32-goes-below-0", "sub", [U, I], wide(U) - wide(I), "i32")
    group.add("add-u32-i32-keeps-bits", "add", [Tensor([4294967295, 2147483648], "u32"), Tensor([0, 0], "i32")],
              [-1, -2147483648], "i32")  # fmt: skip
    group.add("remainder-i32-f32", "remainder", [I, Tensor([2.5, 2.5, 2.5, 2.5])], np.remainder(wide(I), 2.5))
    group.add("pow-i32-f32", "pow", [Tensor([4, 9], "i32"), Tensor([0.5, 2])], [2, 81], "f32", tolerance=(TINY, 16 * EPS))

    zero_d = {"f32": Tensor(0.5), "i32": Tensor(-2, "i32"), "u32": Tensor(3, "u32"), "bool": Tensor(True, "bool")}
    for a, b in [
        ("i32", "f32"),
        ("u32", "f32"),
        ("bool", "f32"),
        ("f32", "i32"),
        ("u32", "i32"),
        ("bool", "i32"),
        ("i32", "u32"),
        ("bool", "u32"),
    ]:
        dtype = max(a, b, key=RANK.index)
        group.add(f"add-{a}-0d-{b}-is-not-weak", "add", [TENSORS[a], zero_d[b]], wide(TENSORS[a]) + wide(zero_d[b]), dtype)

    # Division is true division; integers give f32, with numbers too.
    three = 3 * EPS
    j, v = Tensor([2, 4, 7, -3], "i32"), Tensor([2, 4, 7, 3], "u32")
    group.add("div-i32-i32", "div", [I, j], wide(I) / wide(j), tolerance=(TINY, three))
    group.add("div-u32-u32", "div", [U, v], wide(U) / wide(v), tolerance=(TINY, three))
    group.add("div-i32-u32", "div", [I, v], wide(I) / wide(v), tolerance=(TINY, three))
    group.add("div-i32-f32", "div", [I, Tensor([2, 4, 7, -3])], wide(I) / wide(j), tolerance=(TINY, three))
    group.add("div-i32-number", "div", [I, Number(2)], wide(I) / 2)
    group.add("div-number-i32", "div", [Number(1), j], 1 / wide(j), tolerance=(TINY, three))


def numbers(group):
    for dtype, x in TENSORS.items():
        whole = "i32" if dtype == "bool" else dtype
        group.add(f"add-{dtype}-whole-number", "add", [x, Number(2)], wide(x) + 2, whole)
        group.add(f"mul-whole-number-{dtype}", "mul", [Number(3), x], 3 * wide(x), whole)
        group.add(f"add-{dtype}-fractional-number", "add", [x, Number(2.5)], wide(x) + 2.5)
        group.add(f"mul-fractional-number-{dtype}", "mul", [Number(-0.25), x], -0.25 * wide(x))
    group.add("minimum-i32-infinity", "minimum", [I, Number(math.inf)], wide(I))
    group.add("add-i32-nan", "add", [I, Number(math.nan)], wide(I) * math.nan)
    group.add("sub-number-i32", "sub", [Number(10), I], 10 - wide(I), "i32")
    group.add("add-i32-large-whole-number", "add", [Tensor([1, -1], "i32"), Number(16777217)], [16777218, 16777216], "i32")
    group.add("add-0d-i32-fractional-number", "add", [Tensor(3, "i32"), Number(0.5)], 3.5)
    group.add("remainder-i32-fractional-number", "remainder", [I, Number(2.5)], np.remainder(wide(I), 2.5))
    group.add("pow-i32-whole-number", "pow", [I, Number(2)], wide(I) ** 2, "i32")
    square = Tensor([0, 1, 4, 9, 144], "i32")
    group.add("pow-i32-fractional-number", "pow", [square, Number(0.5)], np.sqrt(wide(square)), tolerance=(TINY, 16 * EPS))
    group.add("clip-i32-whole-bounds", "clip", [I], np.clip(wide(I), -1, 4), "i32", {"min": -1, "max": 4})
    group.add("clip-i32-fractional-bounds", "clip", [I], np.clip(wide(I), -0.5, 4.5), "f32", {"min": -0.5, "max": 4.5})
    c = B
    group.add("where-i32-fractional-number", "where", [c, I, Number(2.5)], np.where(c.values, wide(I), 2.5))
    group.add("where-i32-whole-number", "where", [c, I, Number(2)], np.where(c.values, wide(I), 2), "i32")
    group.add("where-i32-f32", "where", [c, I, F], np.where(c.values, wide(I), wide(F)))
    group.add("where-u32-i32", "where", [c, U, I], np.where(c.values, wide(U), wide(I)), "i32")
    group.add(
        "where-bool-f32", "where", [c, Tensor([True, False, False, True], "bool"), F], np.where(c.values, [1, 0, 0, 1], wide(F))
    )


def comparisons(group):
    for op, f in COMPARISON.items():
        group.add(f"{op}-i32-f32", op, [I, Tensor([3, -2.5, 0.5, 5])], f(wide(I), [3, -2.5, 0.5, 5]), "bool")
        group.add(f"{op}-i32-fractional-number", op, [I, Number(2.5)], f(wide(I), 2.5), "bool")
    group.add("less-i32-u32", "less", [I, U], wide(I) < wide(U), "bool")
    group.add("equal-u32-f32", "equal", [U, Tensor([1, 2.5, 0, 9])], wide(U) == [1, 2.5, 0, 9], "bool")


def functions(group):
    i = Tensor([0, 1, 2, 3, 10], "i32")
    u = Tensor([1, 2, 4, 9], "u32")
    for op, (f, tolerance) in FLOAT.items():
        if op in ("neg", "abs", "sign", "relu"):
            continue  # integers stay what they are: see `unary`
        with np.errstate(all="ignore"):
            if op in ("floor", "ceil", "round"):
                group.add(f"{op}-i32-stays", op, [I], wide(I), "i32")
                group.add(f"{op}-u32-stays", op, [U], wide(U), "u32")
            else:
                group.add(f"{op}-i32-to-f32", op, [i], f(wide(i)), "f32", tolerance=tolerance)
                group.add(f"{op}-u32-to-f32", op, [u], f(wide(u)), "f32", tolerance=tolerance)


def reductions(group):
    i = integers("promote-i32", (3, 5), -9, 9)
    u = integers("promote-u32", (3, 5), 0, 9, "u32")
    b = Tensor([[1, 0, 1, 1, 0], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1]], "bool")
    for dtype, x in {"i32": i, "u32": u, "bool": b}.items():
        attrs = {"axis": 1, "keepdims": False}
        values = wide(x)
        kept = "i32" if dtype == "bool" else dtype
        group.add(f"sum-{dtype}-to-{kept}", "sum", [x], values.sum(1), kept, attrs)
        group.add(f"mean-{dtype}-to-f32", "mean", [x], values.mean(1), "f32", attrs, (TINY, 4 * EPS))
        if dtype != "u32":
            group.add(f"prod-{dtype}-to-i32", "prod", [x], values.prod(1), "i32", attrs)
    group.add("logSumExp-i32-to-f32", "logSumExp", [i], REDUCTIONS["logSumExp"](wide(i), 1, False), "f32",
              {"axis": 1, "keepdims": False}, (16 * EPS, 4 * EPS))  # fmt: skip
    everything = {"axis": None, "keepdims": False}
    group.add("sum-130-bools", "sum", [Tensor(np.arange(130) % 3 == 0, "bool")], 44, "i32", everything)
    # The mean is taken in f32, not of a wrapped sum.
    large = Tensor([2147483647, 2147483647, 2147483647, 0], "i32")
    group.add("mean-i32-does-not-wrap", "mean", [large], wide(large).mean(), "f32", everything, (0, 4 * EPS))


def joins_and_products(group):
    group.add("concat-i32-f32", "concat", [I, F], np.concatenate([wide(I), wide(F)]), "f32", {"axis": 0})
    group.add("concat-bool-u32-i32", "concat", [B, U, I], np.concatenate([wide(B), wide(U), wide(I)]), "i32", {"axis": 0})
    group.add("stack-u32-i32", "stack", [U, I], np.stack([wide(U), wide(I)]), "i32", {"axis": 0})
    a, b = integers("promote-a", (3, 4), -9, 9), normals("promote-b", (4, 2), 1, 2)
    group.add("matmul-i32-f32", "matmul", [a, b], wide(a) @ wide(b), "f32", tolerance=matmul_bound(wide(a), wide(b)))
    u = integers("promote-u", (4, 2), 0, 9, "u32")
    group.add("matmul-i32-u32", "matmul", [a, u], wide(a) @ wide(u), "i32")
    x = integers("promote-softmax", (2, 5), -3, 3)
    group.add("softmax-i32-to-f32", "softmax", [x], softmax(wide(x), 1), "f32", {"axis": 1}, (TINY, 16 * EPS))
