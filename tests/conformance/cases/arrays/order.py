"""Sorting and what is made of it, and running reductions in every direction; ties, NaN, both zeros,
empty axes."""

import math

import numpy as np

from ..random import threefry
from ..format import EPS, TINY, Group, Number, Tensor, brief, bools, integers, normals

SPECIAL = [math.nan, 1, -0.0, math.inf, 0, -1, -math.inf, math.nan, 0, -0.0, 1e-40, -1e-40, 3, 1]
SHAPES = [((0,), 0), ((1,), 0), ((2,), -1), ((7,), 0), ((64,), 0), ((65,), -1), ((3, 5), 0), ((3, 5), 1), ((2, 0, 3), 1), ((0, 3), 1),
          ((2, 33, 3), 1), ((130, 2), 0), ((4, 31), -1), ((2, 3, 4, 5), -2), ((1, 1), 1), ((3, 2049), 1), ((2300,), 0)]  # fmt: skip


def descending(x, axis):
    """Positions in descending order; equal elements in ascending order of positions, NaN first."""
    flipped = np.flip(x, axis)
    order = np.flip(np.argsort(flipped, axis=axis, kind="stable"), axis)
    return x.shape[axis] - 1 - order


def cases():
    group = Group()
    sorting(group)
    flattened(group)
    ranking(group)
    quantiles(group)
    running(group)
    shuffles(group)
    return group


def of_dtype(name, shape, dtype):
    if dtype == "f32":
        # Few decimals: there are ties.
        return normals(name, shape, 2, 1)
    if dtype == "bool":
        return bools(name, shape)
    return integers(name, shape, 0 if dtype == "u32" else -20, 20, dtype)


def sorting(group):
    def both(name, x, axis):
        for down in (False, True)[: 1 if x.values.size > 2048 else 2]:
            attrs = {"axis": axis, "descending": down}
            order = descending(x.values, axis) if down else np.argsort(x.values, axis=axis, kind="stable")
            way = "down" if down else "up"
            group.add(f"argsort-{name}-{way}", "argsort", [x], order, "i32", attrs)
            group.add(f"sort-{name}-{way}", "sort", [x], np.take_along_axis(x.values, order, axis), x.dtype, attrs)

    for n, (shape, axis) in enumerate(SHAPES):
        dtype = ["f32", "i32", "u32", "bool"][n % 4]
        both(f"{brief(shape)}-{dtype}", of_dtype(f"sort{brief(shape)}", shape, dtype), axis)
    both("special-values", Tensor(SPECIAL), 0)
    both("special-values-in-rows", Tensor([SPECIAL, SPECIAL[::-1]]), 1)
    both("extreme-i32", Tensor([0, 2**31 - 1, -(2**31), -1, 1], "i32"), 0)
    both("extreme-u32", Tensor([0, 2**32 - 1, 2**31, 2**31 - 1, 1], "u32"), 0)
    both("all-equal", Tensor(np.ones(40)), 0)
    for shape, kth in [((7,), 3), ((3, 5), -1), ((9,), 0)]:
        x = normals(f"partition{brief(shape)}", shape, 2, 1)
        attrs = {"kth": kth, "axis": -1}
        group.add(f"partition-{brief(shape)}", "partition", [x], np.sort(x.values), attrs=attrs)
        group.add(f"argpartition-{brief(shape)}", "argpartition", [x], np.argsort(x.values, kind="stable"), "i32", attrs)


def flattened(group):
    """With null for the axis: of all elements in row-major order."""
    for shape in [(3, 5), (2, 3, 4), (0, 3), (), (1, 1)]:
        x = normals(f"flattened{brief(shape)}", shape, 2, 1)
        flat, name = x.values.ravel(), f"{brief(shape)}-flattened"
        order = np.argsort(flat, kind="stable")
        group.add(f"argsort-{name}", "argsort", [x], order, "i32", {"axis": None, "descending": False})
        group.add(f"sort-{name}", "sort", [x], flat[order], attrs={"axis": None, "descending": False})
        bound = (len(flat) * EPS * float(np.sum(np.abs(flat))) + TINY, EPS)
        running = {"axis": None, "reverse": False, "exclusive": False}
        group.add(f"cumsum-{name}", "cumsum", [x], np.cumsum(x.reference), attrs=running, tolerance=bound)
        group.add(f"cumprod-{name}", "cumprod", [x], np.cumprod(x.reference), attrs=running, tolerance=(TINY, 32 * EPS))
        group.add(f"cummax-{name}", "cummax", [x], np.maximum.accumulate(flat), attrs=running)
        group.add(f"cummin-{name}", "cummin", [x], np.minimum.accumulate(flat), attrs=running)
        group.add(f"logCumSumExp-{name}", "logCumSumExp", [x], np.logaddexp.accumulate(x.reference.ravel()), attrs={"axis": None, "reverse": False}, tolerance=(32 * EPS, 32 * EPS))
        if len(flat) > 2:
            group.add(f"partition-{name}", "partition", [x], np.sort(flat), attrs={"kth": 2, "axis": None})
            group.add(f"argpartition-{name}", "argpartition", [x], order, "i32", {"kth": 2, "axis": None})
    a, b = normals("concat-flat-a", (2, 3)), integers("concat-flat-b", (4,), -5, 5)
    group.add("concat-flattened", "concat", [a, b], np.concatenate([a.values, b.values], None), attrs={"axis": None})


def ranking(group):
    for shape, axis in [((12,), 0), ((5, 9), 1), ((9, 5), 0), ((1,), 0), ((0,), 0)]:
        first, second = integers(f"lexsort{brief(shape)}", shape, 0, 9), integers(f"lexsort-of{brief(shape)}", shape, 0, 2)
        third = bools(f"lexsort-by{brief(shape)}", shape)
        for keys in ([first], [first, second], [first, second, third]):
            expected = np.lexsort([key.values for key in keys], axis=axis)
            group.add(f"lexsort-{brief(shape)}-{len(keys)}", "lexsort", keys, expected, "i32", {"axis": axis})
    for name, x in [("ties", integers("unique", (40,), -4, 4)), ("special-values", Tensor(SPECIAL)), ("none", Tensor(np.zeros(0))),
                    ("matrix", normals("unique-matrix", (6, 7), 1, 1)), ("one", Tensor([3])), ("bools", bools("unique-bools", (9,)))]:  # fmt: skip
        group.add(f"uniqueCount-{name}", "uniqueCount", [x], len(np.unique(x.values)), "i32")


METHODS = (
    "linear", "lower", "higher", "nearest", "midpoint", "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull",
    "median_unbiased", "normal_unbiased",
)  # fmt: skip


def quantiles(group):
    def over(name, x, axis, keepdims, leaves_out):
        prefix, attrs = ("nan" if leaves_out else ""), {"axis": axis, "keepdims": keepdims}
        f = np.nanquantile if leaves_out else np.quantile
        tolerance = (4 * EPS * float(np.nanmax(np.abs(np.where(np.isfinite(x.values), x.values, 0)))), 4 * EPS)
        with np.errstate(all="ignore"):
            middle = (np.nanmedian if leaves_out else np.median)(x.reference, axis=axis, keepdims=keepdims)
            group.add(f"{prefix}median-{name}", f"{prefix}median", [x], middle, attrs=attrs, tolerance=tolerance)
            for method in METHODS:
                for share in (0, 0.3, 1) if method == "linear" else (0.3,):
                    expected = f(x.reference, share, axis=axis, keepdims=keepdims, method=method)
                    attrs = {"axis": axis, "keepdims": keepdims, "method": method}
                    case = f"{prefix}quantile-{name}-{share}-{method}"
                    group.add(case, f"{prefix}quantile", [x, Number(share)], expected, attrs=attrs, tolerance=tolerance)

    x = normals("quantile", (4, 9), 3, 2)
    over("4x9-axis_1", x, 1, False, False)
    over("4x9-axis_0-keepdims", x, 0, True, False)
    over("4x9-all", x, None, False, False)
    holes = x.values.copy()
    holes[0, 3] = holes[2, :4] = math.nan
    over("holes", Tensor(holes), 1, False, True)
    over("no-holes", x, 0, False, True)
    one = Tensor([[7.0]])
    over("1x1", one, 1, False, False)
    nan = Tensor([[1, math.nan, 3], [1, 2, 3]])
    over("nan", nan, 1, False, False)
    inf = math.inf
    infinite = [[-inf, 1, 2, 3], [1, 2, inf, inf], [-inf, -inf, 1, inf], [inf, inf, inf, inf], [-inf, 1, 1, inf], [-inf, -inf, inf, inf], [5, -inf, 4, 3]]
    several = Tensor([0, 0.25, 0.625, 1])
    for n in (4, 3):
        rows = Tensor([row[:n] for row in infinite])
        for op in ("median", "nanmedian"):
            with np.errstate(all="ignore"):
                expected = getattr(np, op)(rows.reference, axis=1)
            group.add(f"{op}-infinite-{n}", op, [rows], expected, attrs={"axis": 1, "keepdims": False}, tolerance=(EPS, EPS))
        for method in METHODS:
            for op, q in (("quantile", Number(0.25)), ("nanquantile", several)):
                expected = beside_infinities(rows.reference, q.reference, method)
                attrs = {"axis": 1, "keepdims": False, "method": method}
                group.add(f"{op}-infinite-{n}-{method}", op, [rows, q], expected, attrs=attrs, tolerance=(16 * EPS, 16 * EPS))
    shares = Tensor([0.25, 0.5, 1])
    for method in METHODS:
        expected = np.quantile(x.reference, shares.reference, axis=1, method=method)
        attrs = {"axis": 1, "keepdims": False, "method": method}
        group.add(f"quantile-several-{method}", "quantile", [x, shares], expected, attrs=attrs, tolerance=(16 * EPS, 4 * EPS))


def beside_infinities(x, share, method):
    """Quantiles along axis 1: NumPy's where that is a number. Its NaN comes also of 0 · ∞, and of ∞ − ∞ where both are one infinity; there
    it is the limit for large numbers in their place, of different magnitudes, so that what lies between -∞ and ∞ shows: it stays NaN."""
    with np.errstate(all="ignore"):
        found = np.quantile(x, share, axis=1, method=method)
    limits = []
    for below, above in ((1e100, 1e200), (1e200, 1e100)):
        large = np.quantile(np.nan_to_num(x, posinf=above, neginf=-below), share, axis=1, method=method)
        limits.append(np.where(np.abs(large) > 1e50, np.copysign(np.inf, large), large))
    limit = np.where(limits[0] == limits[1], limits[0], np.nan)
    assert np.array_equal(found[~np.isnan(found)], limit[~np.isnan(found)])
    return limit


def running(group):
    operations = {"cumsum": (np.cumsum, 0), "cumprod": (np.cumprod, 1), "cummax": (np.maximum.accumulate, -math.inf),
                  "cummin": (np.minimum.accumulate, math.inf)}  # fmt: skip
    for op, (f, nothing) in operations.items():
        for n, (shape, axis) in enumerate([((1,), 0), ((7,), 0), ((3, 5), 0), ((3, 65), -1), ((2, 33, 3), 1), ((0, 3), 0), ((2, 2100), 1)]):
            x = Tensor(np.round(normals(op + brief(shape), shape).values / 50 + 1, 3)) if op == "cumprod" else normals(op + brief(shape), shape, 1, 2)
            ways = [(True, False), (False, True), (True, True)]
            for reverse, exclusive in [ways[n % 3]] if n else ways:
                y = np.flip(x.reference, axis) if reverse else x.reference
                y = f(y, axis) if y.size else y
                if exclusive and y.size:
                    y = np.concatenate([np.full_like(np.take(y, [0], axis), nothing), np.delete(y, -1, axis)], axis)
                y = np.flip(y, axis) if reverse else y
                length = max(shape[axis], 1)
                size = float(np.max(np.abs(x.reference), initial=0))
                tolerance = {"cumsum": (math.sqrt(length) * EPS * size * 2, 8 * EPS), "cumprod": (TINY, 4 * math.sqrt(length) * EPS + 4 * EPS)}.get(op)
                name = f"{op}-{brief(shape)}-axis_{axis}-{'reverse' if reverse else ''}-{'exclusive' if exclusive else ''}"
                group.add(name, op, [x], y, attrs={"axis": axis, "reverse": reverse, "exclusive": exclusive}, tolerance=tolerance)
    for name, x in [("i32", integers("cummax-i32", (50,), -99, 99)), ("u32", integers("cummax-u32", (50,), 0, 99, "u32")), ("bool", bools("cummax-bool", (9,)))]:
        group.add(f"cummax-{name}", "cummax", [x], np.maximum.accumulate(x.values), x.dtype, {"axis": 0, "reverse": False, "exclusive": False})
    for shape, axis in [((9,), 0), ((2, 40), 1)]:
        x = normals(f"logCumSumExp-reverse{brief(shape)}", shape)
        expected = np.flip(np.logaddexp.accumulate(np.flip(x.reference, axis), axis), axis)
        group.add(f"logCumSumExp-reverse-{brief(shape)}", "logCumSumExp", [x], expected, attrs={"axis": axis, "reverse": True}, tolerance=(32 * EPS, 32 * EPS))


def shuffles(group):
    """JAX's permutations, by the keys that JAX draws."""

    def shuffled(key, x, axis):
        for _ in range(int(np.ceil(3 * np.log(max(1, x.size)) / np.log(2**32 - 1)))):
            key, own = threefry.split(key, 2)
            x = np.take_along_axis(x, np.argsort(threefry.bits(own, x.shape), axis=axis, kind="stable"), axis)
        return x

    for seed, shape, axis, independent in [(0, (1,), 0, False), (1, (10,), 0, False), (7, (5, 3), 0, False), (8, (5, 3), 1, False), (9, (5, 3), 1, True), (10, (2000,), 0, False), (11, (0,), 0, False), (12, (64,), 0, False)]:
        key, x = threefry.key(seed), np.arange(np.prod(shape)).reshape(shape)
        if independent or x.ndim == 1:
            expected = shuffled(key, x, axis)
        else:
            expected = np.take(x, shuffled(key, np.arange(shape[axis]), 0), axis)
        attrs = {"axis": axis, "independent": independent}
        group.add(f"permutation-{brief(shape)}-{seed}", "random.permutation", [Tensor(key, "u32"), Tensor(x, "i32")], expected, "i32", attrs)
