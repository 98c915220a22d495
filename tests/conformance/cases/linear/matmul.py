"""Matrix products of vectors, matrices and batches, as NumPy's `matmul` has them."""

import math

import numpy as np

from ..format import EPS, Group, Tensor, brief, integers, normals

SHAPES = [
    ((1,), (1,)),
    ((7,), (7,)),
    ((130,), (130,)),
    ((3,), (3, 5)),
    ((4, 3), (3,)),
    ((1, 1), (1, 1)),
    ((2, 3), (3, 4)),
    ((1, 7), (7, 1)),
    ((7, 1), (1, 7)),
    ((17, 33), (33, 7)),
    ((17, 5), (5, 65)),
    ((3, 130), (130, 5)),
    ((65, 3), (3, 17)),
    ((2, 3, 4), (2, 4, 5)),
    ((2, 3, 4), (4, 5)),
    ((3, 4), (2, 4, 5)),
    ((2, 1, 3, 4), (1, 3, 4, 2)),
    ((5, 1, 3), (3,)),
    ((3,), (2, 3, 4)),
    ((2, 3, 1, 3, 4), (2, 4, 2)),
    ((3, 17, 5), (3, 5, 7)),
    ((0, 3), (3, 4)),
    ((2, 3), (3, 0)),
    ((3, 0), (0, 4)),
    ((0,), (0,)),
    ((0, 2, 3), (3, 4)),
]


def bound(a, b):
    """√k·ε times the largest |a|·|b| among the results."""
    with np.errstate(all="ignore"):
        size = np.matmul(np.abs(a), np.abs(b))
    size = size[np.isfinite(size)] if np.ndim(size) else np.atleast_1d(size)
    return (math.sqrt(max(a.shape[-1], 1)) * EPS * np.max(size, initial=0), EPS)


def cases():
    group = Group()

    def case(name, a, b, dtype="f32", tolerance=None):
        with np.errstate(all="ignore"):
            expected = np.matmul(a.reference, b.reference)
        if dtype == "f32" and tolerance is None:
            tolerance = bound(a.reference, b.reference)
        group.add(f"matmul-{name}", "matmul", [a, b], expected, dtype, tolerance=tolerance)

    for a, b in SHAPES:
        name = f"{brief(a)}-by-{brief(b)}"
        case(name, normals(name + "a", a, 1, 2), normals(name + "b", b, 1, 2))
    identity = Tensor(np.eye(7))
    case("by-identity", normals("matmul-identity", (5, 7)), identity, tolerance=(0, 0))
    for a, b in [((3, 4), (4, 5)), ((7,), (7,)), ((2, 3, 4), (4, 2)), ((17, 7), (7, 3)), ((2, 0), (0, 3))]:
        name = f"i32-{brief(a)}-by-{brief(b)}"
        case(name, integers(name + "a", a, -99, 99), integers(name + "b", b, -99, 99), "i32")
    case("u32-3x4-by-4x2", integers("matmul-ua", (3, 4), 0, 99, "u32"), integers("matmul-ub", (4, 2), 0, 99, "u32"), "u32")
    # 2²⁴ + 1 is lost if integers travel through f32, and products wrap in 32 bits.
    case("i32-beyond-f32", Tensor([[16777217, 1]], "i32"), Tensor([[1], [0]], "i32"), "i32")
    case("i32-wraps", Tensor([[65536, 2147483647]], "i32"), Tensor([[65536], [2]], "i32"), "i32")
    # A NaN or 0·∞ reaches exactly the rows and columns that it meets.
    nan, inf = math.nan, math.inf
    a = Tensor([[1, 2, 3], [nan, 1, 1], [0, 1, 1], [1, 1, 1]])
    b = Tensor([[inf, 1], [1, 2], [2, -inf]])
    case("special-values", a, b)
    return group
