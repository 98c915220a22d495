"""Tensors made from numbers: zeros, ones, full, arange, linspace, eye. The dtype is always given.
"""

import math

import numpy as np

from ..format import EPS, NUMPY_DTYPES, Group, float_scalar


def cases():
    group = Group()

    def case(name, op, expected, dtype, tolerance=None, **attrs):
        group.add(f"{op}-{name}", op, [], expected, dtype, {**attrs, "dtype": dtype}, tolerance)

    for dtype in NUMPY_DTYPES:
        case(f"{dtype}-2x3", "zeros", np.zeros((2, 3)), dtype, shape=[2, 3])
        case(f"{dtype}-2x3", "ones", np.ones((2, 3)), dtype, shape=[2, 3])
    for shape in [(), (0,), (2, 0, 3), (1, 2, 1, 2, 1), (65,)]:
        name = "x".join(map(str, shape)) or "0d"
        case(f"f32-{name}", "zeros", np.zeros(shape), "f32", shape=list(shape))
        case(f"f32-{name}", "ones", np.ones(shape), "f32", shape=list(shape))
        case(f"f32-{name}", "full", np.full(shape, 2.5), "f32", shape=list(shape), value=2.5)
    case("i32", "full", np.full((3,), -7), "i32", shape=[3], value=-7)
    case("i32-beyond-f32", "full", np.full((2,), 16777217), "i32", shape=[2], value=16777217)
    case("u32", "full", np.full((3,), 4294967295), "u32", shape=[3], value=4294967295)
    case("bool", "full", np.full((3,), True), "bool", shape=[3], value=True)
    for label, value in [("nan", math.nan), ("inf", math.inf), ("minus-inf", -math.inf)]:
        case(label, "full", np.full((2,), value), "f32", shape=[2], value=float_scalar(value))

    def arange(name, start, stop, step, dtype):
        # start + i·step with one rounding more than NumPy's own f32 loop would need.
        expected = np.arange(start, stop, step, dtype=np.float64)
        exact = all(float(v).is_integer() or dtype != "f32" for v in (start, step))
        tolerance = None if exact else (EPS * max(abs(start), abs(stop)), 0)
        case(name, "arange", expected, dtype, tolerance, start=start, stop=stop, step=step)

    arange("7", 0, 7, 1, "i32")
    arange("from-3", 3, 10, 1, "i32")
    arange("step-3", 0, 10, 3, "i32")
    arange("step-3-exact", 0, 9, 3, "i32")
    arange("down", 5, -5, -2, "i32")
    arange("empty", 3, 3, 1, "i32")
    arange("empty-when-crossed", 5, 0, 1, "i32")
    arange("u32", 2, 9, 2, "u32")
    arange("f32", 0, 17, 1, "f32")
    arange("f32-quarters", -1, 1, 0.25, "f32")
    arange("f32-tenths", 0, 1, 0.3, "f32")
    arange("f32-down", 1, -1, -0.5, "f32")
    arange("f32-130", 0, 130, 1, "f32")

    def linspace(name, start, stop, num, endpoint=True):
        expected = np.linspace(start, stop, num, endpoint=endpoint)
        tolerance = (2 * EPS * max(abs(start), abs(stop)), 0)
        case(name, "linspace", expected, "f32", tolerance, start=start, stop=stop, num=num, endpoint=endpoint)

    linspace("0-to-1", 0, 1, 5)
    linspace("sevenths", 0, 1, 8)
    linspace("open", 0, 1, 5, endpoint=False)
    linspace("down", 3, -2, 7)
    linspace("one", 2.5, 9, 1)
    linspace("one-open", 2.5, 9, 1, endpoint=False)
    linspace("none", 0, 1, 0)
    linspace("two", -1, 1, 2)
    linspace("equal-ends", 4, 4, 3)
    linspace("65", -1, 1, 65)
    linspace("130", 0, 1000, 130)
    for name, start, stop, num, endpoint, dtype in [
        ("i32", 0, 10, 4, True, "i32"), ("i32-down", 3.5, -3.5, 6, True, "i32"), ("i32-open", 0, 10, 4, False, "i32"), ("i32-large", -2147483648, 2147483647, 3, True, "i32"),
        ("u32", 0, 4294967295, 5, True, "u32"), ("bool", 0, 1, 3, True, "bool"), ("i32-one", 2.5, 9, 1, True, "i32"), ("i32-none", 0, 1, 0, True, "i32"),
    ]:  # fmt: skip
        expected = np.linspace(start, stop, num, endpoint=endpoint, dtype=bool if dtype == "bool" else np.int64)
        case(name, "linspace", expected, dtype, start=start, stop=stop, num=num, endpoint=endpoint)

    def eye(n, m=None, k=0, dtype="f32"):
        name = f"{n}" + (f"x{m}" if m is not None else "") + (f"-diagonal_{k}" if k else "") + f"-{dtype}"
        case(name, "eye", np.eye(n, m, k), dtype, n=n, m=m, k=k)

    for args in [(1,), (3,), (7,), (3, 5), (5, 3), (4, 4, 1), (4, 4, -2), (3, 5, 2), (3, 3, 9), (0,), (0, 3)]:
        eye(*args)
    eye(3, dtype="i32")
    eye(2, 3, dtype="bool")
    return group
