"""Operations that take indices: `take` along an axis, `oneHot`, updates in place, reductions of
segments, members of sets."""

import numpy as np

from ..format import EPS, Group, Tensor, integers, normals


def cases():
    group = Group()

    def take(name, x, indices, axis):
        # Negative indices count from the end. What lies outside has no case here.
        expected = np.take(x.values, indices.values.astype(np.int64), axis=axis)
        group.add(f"take-{name}", "take", [x, indices], expected, x.dtype, {"axis": axis})

    x = normals("take", (5, 7))
    take("axis-0", x, Tensor([0, 4, 2], "i32"), 0)
    take("axis-1", x, Tensor([6, 0, 3], "i32"), 1)
    take("negative-axis", x, Tensor([6, 0, 3], "i32"), -1)
    take("repeated", x, Tensor([2, 2, 0, 2, 4, 4], "i32"), 0)
    take("negative-indices", x, Tensor([-1, -5, 1, -2], "i32"), 0)
    take("one", x, Tensor([3], "i32"), 1)
    take("0d-index-drops-the-axis", x, Tensor(3, "i32"), 1)
    take("0d-negative-index", x, Tensor(-1, "i32"), 0)
    take("no-indices", x, Tensor(np.zeros(0), "i32"), 0)
    take("indices-of-rank-2", x, Tensor([[0, 1], [4, 3], [2, 2]], "i32"), 0)
    take("indices-of-rank-2-inner-axis", x, Tensor([[0, 6], [-1, 3]], "i32"), 1)
    take("vector", normals("take-vector", (17,)), Tensor([16, 0, 8, -17], "i32"), 0)
    take("more-than-there-are", normals("take-more", (3,)), integers("take-indices", (130,), 0, 2), 0)
    take("u32-indices", x, Tensor([4, 0, 4], "u32"), 0)
    take("rank-3-middle", normals("take-3", (2, 3, 4)), Tensor([2, 0], "i32"), 1)
    take("rank-5", normals("take-5", (1, 2, 1, 3, 2)), Tensor([2, 1, 0], "i32"), 3)
    take("of-size-1-axis", normals("take-size-1", (1, 3)), Tensor([0, 0, -1], "i32"), 0)
    take("other-axis-empty", Tensor(np.zeros((3, 0))), Tensor([2, 0], "i32"), 0)
    take("i32", integers("take-i32", (3, 4), -9, 9), Tensor([1, -1], "i32"), 1)
    take("long", normals("take-long", (601,)), integers("take-long-indices", (300,), -601, 600), 0)
    take("bool", Tensor([True, False, True, True], "bool"), Tensor([1, 0, 3, 1], "i32"), 0)

    def one_hot(name, classes, n):
        expected = np.eye(n)[classes.values] if n else np.zeros(classes.values.shape + (0,))
        group.add(f"oneHot-{name}", "oneHot", [classes], expected, attrs={"numClasses": n})

    one_hot("7-of-10", integers("oneHot", (7,), 0, 9), 10)
    one_hot("3x5-of-4", integers("oneHot-matrix", (3, 5), 0, 3), 4)
    one_hot("0d", Tensor(2, "i32"), 3)
    one_hot("one-class", Tensor([0, 0], "i32"), 1)
    one_hot("empty", Tensor(np.zeros(0, int), "i32"), 3)
    one_hot("u32", Tensor([2, 0], "u32"), 3)
    segments(group)
    updates(group)
    members(group)
    return group


UPDATES = {"add": np.add, "min": np.minimum, "max": np.maximum, "sub": np.subtract, "mul": np.multiply, "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}


def updates(group):
    """NumPy's `ufunc.at`, which updates a place as often as it is named, as JAX does."""

    def case(name, way, x, indices, values):
        expected = x.values.astype(np.float64 if x.dtype == "f32" else np.int64)
        if way == "set":
            # One after the other: the last stands.
            for index, value in zip(indices.values.ravel(), values.values):
                expected[index] = value
        else:
            UPDATES[way].at(expected, indices.values.astype(np.int64), values.values.astype(expected.dtype))
        if x.dtype == "i32":
            expected = expected.astype(np.int64).astype(np.int32)
        tolerance = (32 * EPS, 16 * EPS) if x.dtype == "f32" else None
        group.add(f"at-{way}-{name}", "at", [x, indices, values], expected, x.dtype, {"way": way}, tolerance)

    where = Tensor([4, 0, 4, -1, 2, 4, 0], "i32")
    case("rows", "mul", normals("at-rows", (5, 3)), where, normals("at-values", (7, 3)))
    case("many", "mul", normals("at-many", (9,)), integers("at-many-indices", (20,), -9, 8), normals("at-many-values", (20,)))
    for way in ("sub", "mul"):
        case("zeros", way, normals("at-zeros", (5,)), where, Tensor([0, 2, 3, 0, 0.5, -1, 4]))
    for way in ("mul", "and", "or", "xor"):
        case("i32", way, integers("at-i32", (5,), -99, 99), where, integers("at-i32-values", (7,), -99, 99))
    case("one", "mul", integers("at-one", (3,), 0, 99), Tensor([1], "i32"), Tensor([6], "i32"))


    for way in ("set", "add", "min", "max"):
        for extent, count in [(3, 0), (1, 1), (64, 9), (31, 300), (600, 700)]:
            name = f"at-{way}-{extent}-{count}"
            bits = integers if extent == 64 else lambda name, shape, low, high: normals(name, shape)
            where = integers(f"{name}-indices", (count,), -extent, extent - 1)
            case(f"{extent}-by-{count}", way, bits(name, (extent,), -99, 99), where, bits(f"{name}-values", (count,), -99, 99))


MEMBERS = {"union1d": np.union1d, "intersect1d": np.intersect1d, "setdiff1d": np.setdiff1d, "setxor1d": np.setxor1d}


def members(group):
    """In as many places as there may be, -1 behind."""

    def case(name, a, b):
        for op, f in MEMBERS.items():
            found = f(a.values, b.values)
            size = a.values.size + b.values.size
            expected = np.concatenate([found, np.full(size - found.size, -1)])
            group.add(f"{op}-{name}", f"{op}WithSize", [a, b], expected, a.dtype, {"size": size})

    case("i32", integers("members-a", (4, 5), -6, 6), integers("members-b", (9,), -6, 6))
    case("f32", Tensor([3, np.nan, 2, np.inf, np.nan]), Tensor([2.5, -np.inf, np.nan, np.inf]))
    case("none", Tensor(np.zeros(0)), Tensor([2, 1, 2]))
    case("many", integers("members-many-a", (300,), 0, 400), integers("members-many-b", (257,), 0, 400))


IDENTITIES = {
    "f32": {"Sum": 0, "Max": -np.inf, "Min": np.inf},
    "i32": {"Sum": 0, "Max": -(2**31), "Min": 2**31 - 1},
    "u32": {"Sum": 0, "Max": 0, "Min": 2**32 - 1},
    "bool": {"Sum": 0, "Max": False, "Min": True},
}


def segments(group):
    def case(name, x, ids, count):
        rows = [[row for row, i in zip(x.reference, ids.values) if i == segment] for segment in range(count)]
        shape = (count, *x.values.shape[1:])
        for way, reduce in [("Sum", np.sum), ("Max", np.max), ("Min", np.min)]:
            first = IDENTITIES[x.dtype][way]
            expected = [reduce(found, axis=0) if found else np.full(shape[1:], first) for found in rows]
            dtype = "i32" if (x.dtype, way) == ("bool", "Sum") else x.dtype
            tolerance = (16 * EPS, 4 * EPS) if way == "Sum" else None
            group.add(f"segment{way}-{name}", f"segment{way}", [x, ids], np.reshape(expected, shape), dtype, {"count": count}, tolerance)
        means = [np.mean(found, axis=0) if found else np.full(shape[1:], np.nan) for found in rows]
        group.add(f"segmentMean-{name}", "segmentMean", [x, ids], np.reshape(means, shape), "f32", {"count": count}, (16 * EPS, 8 * EPS))

    case("repeated", normals("segment", (7,)), Tensor([0, 2, 2, 0, 5, 2, 0], "i32"), 6)
    case("outside", normals("segment-outside", (6, 2)), Tensor([-1, 0, 3, 99, -(2**31), 2], "i32"), 3)
    case("u32-ids", normals("segment-u32-ids", (4,)), Tensor([1, 2**32 - 1, 1, 0], "u32"), 2)
    case("many", normals("segment-many", (700, 3)), integers("segment-many-ids", (700,), -2, 40), 39)
    case("one-row", normals("segment-one", (1,)), Tensor([1], "i32"), 2)
    case("no-rows", Tensor(np.zeros((0, 2))), Tensor(np.zeros(0), "i32"), 3)
    case("no-segments", normals("segment-none", (3,)), Tensor([0, 1, -1], "i32"), 0)
    case("nan", Tensor([1, np.nan, np.inf, 2]), Tensor([0, 0, 1, 1], "i32"), 2)
    for dtype in ("i32", "u32"):
        case(dtype, integers(f"segment-{dtype}", (9,), 0 if dtype == "u32" else -9, 9, dtype), Tensor([0, 1, 1, 3, 0, 1, 3, -1, 4], "i32"), 4)
    case("bool", Tensor([True, False, True, True, False], "bool"), Tensor([0, 0, 0, 1, 3], "i32"), 4)
