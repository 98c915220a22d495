"""Reductions over axes, and their results for NaN, infinities, ties and empty tensors."""

import math

import numpy as np

from ..format import EPS, NUMPY_DTYPES, TINY, Group, Tensor, bools, brief, integers, normals, uniforms


def log_sum_exp(x, axis, keepdims):
    if x.size == 0:
        return np.log(np.sum(np.exp(x), axis=axis, keepdims=keepdims))
    m = np.max(x, axis=axis, keepdims=True)
    m = np.where(np.isfinite(m), m, 0)
    result = np.log(np.sum(np.exp(x - m), axis=axis, keepdims=True)) + m
    return result if keepdims else np.squeeze(result, axis=axis)


def argument(f):
    return lambda x, axis, keepdims: f(x, axis=axis, keepdims=keepdims)


REDUCTIONS = {
    "sum": lambda x, axis, keepdims: np.sum(x, axis=axis, keepdims=keepdims),
    "prod": lambda x, axis, keepdims: np.prod(x, axis=axis, keepdims=keepdims),
    "mean": lambda x, axis, keepdims: np.mean(x, axis=axis, keepdims=keepdims),
    "max": lambda x, axis, keepdims: np.max(x, axis=axis, keepdims=keepdims),
    "min": lambda x, axis, keepdims: np.min(x, axis=axis, keepdims=keepdims),
    "logSumExp": log_sum_exp,
    "argmax": argument(np.argmax),
    "argmin": argument(np.argmin),
}

# (shape, axis, keepdims)
AXES = [
    ((), None, False),
    ((1,), 0, False),
    ((7,), None, False),
    ((7,), -1, True),
    ((3, 5), None, False),
    ((3, 5), None, True),
    ((3, 5), 0, False),
    ((3, 5), 1, True),
    ((3, 5), -2, False),
    ((2, 3, 4), 1, False),
    ((1, 7, 1), 1, False),
    ((65, 3), 0, False),
    ((3, 65), 1, False),
    ((130,), 0, False),
]

SEVERAL_AXES = [
    ((3, 5), [0, 1], False),
    ((2, 3, 4), [0, 2], False),
    ((2, 3, 4), [-1, 1], True),
    ((2, 3, 1, 2, 3), [0, 2, 4], False),
    ((2, 3, 1, 2, 3), [3, 1], True),
    ((3, 5), [], False),
]

LARGER = {"sum": [0, 1], "max": [0], "argmax": [1], "mean": [1], "logSumExp": [0]}


def bound(op, x, axis):
    """(abs, rel) for x in f32: √n·ε of the summed magnitudes for sums; for logSumExp the rounding of x - max as well."""
    if op in ("max", "min", "argmax", "argmin"):
        return None
    x = np.where(np.isfinite(x), x, 0)
    n = x.size if axis is None else math.prod(x.shape[a] for a in np.atleast_1d(np.array(axis, int)))
    magnitude = np.max(np.sum(np.abs(x), axis=axis), initial=0) if x.size else 0
    root = math.sqrt(max(n, 1)) * EPS
    if op == "sum":
        return (root * magnitude, EPS)
    if op == "mean":
        return (root * magnitude / max(n, 1), 2 * EPS)
    if op == "prod":
        return (TINY, n * EPS)
    return (EPS * (8 + np.max(np.abs(x), initial=0)) + root, 4 * EPS)


def cases():
    group = Group()

    def case(name, op, x, axis=None, keepdims=False, dtype="f32", tolerance="by operation"):
        np_axis = tuple(axis) if isinstance(axis, list) else axis
        with np.errstate(all="ignore"):
            if op == "mean" and x.values.size == 0:
                expected = np.sum(x.reference, axis=np_axis, keepdims=keepdims) * math.nan
            else:
                expected = REDUCTIONS[op](x.reference, np_axis, keepdims)
        if dtype != "f32":
            tolerance = None
        elif tolerance == "by operation":
            tolerance = bound(op, x.reference, np_axis)
        group.add(f"{op}-{name}", op, [x], expected, dtype, {"axis": axis, "keepdims": keepdims}, tolerance)

    for op in REDUCTIONS:
        dtype = "i32" if op.startswith("arg") else "f32"
        for shape, axis, keepdims in AXES + ([] if op.startswith("arg") else SEVERAL_AXES):
            place = "all" if axis is None else "axes-none" if axis == [] else "axis" + "".join(f"_{a}" for a in np.atleast_1d(axis))
            name = f"{brief(shape)}-{place}{'-keepdims' if keepdims else ''}"
            # Factors near 1, so that a product of 130 stays in range.
            x = uniforms(op + name, shape, 0.8, 1.25) if op == "prod" else normals(op + name, shape, 2)
            case(name, op, x, axis, keepdims, dtype)
        for axis in LARGER.get(op, []):
            case(f"17x33-axis_{axis}", op, normals(f"{op}-17x33-{axis}", (17, 33), 2, 2), axis, False, dtype)

    integer_reductions(case)
    special_values(case)
    empty_tensors(case)
    truths(group)
    spreads(group)
    far_spreads(group)
    parts(group)
    return group


def parts(group):
    """Reductions of some of the elements, and with something to begin with."""

    def add(name, op, f, x, mask, axis, attrs=None, dtype="f32", nan=False):
        among = np.ones(x.values.shape, bool) if mask is None else np.broadcast_to(mask.values, x.values.shape)
        if nan:
            among = among & ~np.isnan(x.reference)
        attrs = {"axis": axis, "keepdims": False, **(attrs or {})}
        given = {key: attrs[key] for key in ("initial", "correction") if key in attrs}
        with np.errstate(all="ignore"):
            expected = f(x.reference, axis, among, **given)
        size = float(np.sum(np.abs(np.nan_to_num(x.reference)))) + 1
        tolerance = None if dtype != "f32" or op.endswith(("max", "min")) else (size * EPS * (4 if "std" in op or "var" in op else 1), 16 * EPS)
        group.add(f"{op}-{name}", op, [x] + ([] if mask is None else [mask]), expected, dtype, attrs, tolerance)

    folds = {"sum": np.sum, "prod": np.prod, "max": np.max, "min": np.min}
    means = {"mean": np.mean, "any": np.any, "all": np.all}
    spread = {"variance": np.var, "std": np.std}

    def with_initial(f):
        return lambda x, axis, among, initial: f(x, axis=axis, where=among, initial=initial)

    def logs(x, axis, among):
        return np.log(np.sum(np.exp(np.where(among, x, -np.inf)), axis=axis))

    for n, (shape, axis, masked) in enumerate([((7,), None, (7,)), ((3, 5), 1, (3, 5)), ((3, 5), 0, (5,)), ((2, 3, 4), -2, (3, 1)), ((0,), 0, (0,)), ((65, 3), 0, (65, 1)), ((), None, ())]):
        place = f"part-of-{brief(shape)}-by-{brief(masked)}"
        mask = bools(place, masked)
        for op, f in folds.items():
            x = uniforms(op + place, shape, 0.8, 1.25) if op == "prod" else normals(op + place, shape, 2)
            add(place, op, with_initial(f), x, mask, axis, {"initial": 0.5 if n % 2 else -2})
            add(f"begun-{n}-{brief(shape)}", op, with_initial(f), x, None, axis, {"initial": 1.5})
            holes = Tensor(np.where(bools("holes" + place, shape).values, np.nan, x.values))
            add(place, f"nan{op}", with_initial(f), holes, mask, axis, {"initial": 1}, nan=True)
        for op, f in means.items():
            x = normals(op + place, shape, 2) if op == "mean" else bools(op + place, shape)
            if x.values.size:
                add(place, op, lambda x, axis, among, f=f: f(x, axis=axis, where=among), x, mask, axis, dtype="f32" if op == "mean" else "bool")
        if shape and shape[0]:
            x = normals("spread" + place, shape, 2)
            add(place, "logSumExp", logs, x, mask, axis)
            for op, f in spread.items():
                for correction in (0, 1):
                    add(f"{place}-{correction}", op, lambda x, axis, among, correction, f=f: f(x, axis=axis, where=among, ddof=correction), x, mask, axis, {"correction": correction})
    # In a dtype, to which elements are cast before they are added.
    for op, f in [("sum", np.sum), ("prod", np.prod), ("mean", np.mean), ("nansum", np.nansum)]:
        for dtype in ("i32", "u32", "f32"):
            for name, x in [("f32", uniforms("in-dtype", (3, 4), 0.6, 3.4)), ("i32", integers("in-dtype", (3, 4), 1, 5))]:
                made = f(x.values, axis=1, dtype=NUMPY_DTYPES[dtype])
                attrs = {"axis": 1, "keepdims": False, "dtype": dtype}
                group.add(f"{op}-of-{name}-in-{dtype}", op, [x], made, dtype, attrs, (0, 16 * EPS) if dtype == "f32" else None)
    whole = integers("part-of-integers", (4, 3), -9, 9)
    for op, f in folds.items():
        add("part-of-i32", op, with_initial(f), whole, bools("part-of-i32", (4, 3)), 1, {"initial": 2}, dtype="i32")


def truths(group):
    flags = Tensor([[0, 1, 0], [0, 0, 0], [1, 1, 1]], "bool")
    numbers = Tensor([[0, 2, 0], [-0.0, 0, 0], [1, math.nan, -1]])
    for op, of in [("any", np.any), ("all", np.all)]:
        for name, x in [("bool", flags), ("f32", numbers), ("i32", Tensor(flags.values.astype(np.int32) * -3, "i32")),
                        ("empty", Tensor(np.zeros((0, 3)), "bool"))]:  # fmt: skip
            for axis, keepdims in [(None, False), (1, False), (0, True), ([0, 1], True)]:
                if name == "empty" and axis != 0:
                    continue
                place = "all" if axis is None else "axes" + "".join(f"_{a}" for a in np.atleast_1d(axis))
                expected = of(x.values != 0, axis=tuple(axis) if isinstance(axis, list) else axis, keepdims=keepdims)
                attrs = {"axis": axis, "keepdims": keepdims}
                group.add(f"{op}-{name}-{place}{'-keepdims' if keepdims else ''}", op, [x], expected, "bool", attrs)


def spreads(group):
    for op, of in [("variance", np.var), ("std", np.std)]:
        for shape, axis, keepdims, correction in [((7,), None, False, 0), ((3, 5), None, True, 0), ((3, 5), 1, False, 1), ((130,), 0, False, 1),
                                                  ((2, 3, 4), [0, -1], True, 0), ((2, 3, 4), 1, False, 2), ((1,), 0, False, 0)]:  # fmt: skip
            place = "all" if axis is None else "axes" + "".join(f"_{a}" for a in np.atleast_1d(axis))
            name = f"{op}-{brief(shape)}-{place}-less-{correction}"
            # Far from zero, where the mean of the squares less the square of the mean has no digits
            # left.
            for far, x in [("", normals(name, shape, 2)), ("-far", Tensor(normals(name, shape).values + 1000))]:
                np_axis = tuple(axis) if isinstance(axis, list) else axis
                expected = of(x.reference, axis=np_axis, keepdims=keepdims, ddof=correction)
                n = x.values.size
                size = float(np.max(np.abs(x.reference)))
                # The mean is off by √n·ε of the values' size; the variance by that squared, and by
                # its own rounding.
                off = (math.sqrt(n) + 1) * EPS * size
                tolerance = (off * off if op == "variance" else off, (8 + math.sqrt(n)) * EPS)
                group.add(name + far, op, [x], expected, "f32", {"axis": axis, "keepdims": keepdims, "correction": correction}, tolerance)


def far_spreads(group):
    """Elements that lie 1 apart about numbers up to 1e7, where float32 has a spacing of 1: the mean rounds by as much as the deviation."""
    for shape, axis in [((1000,), None), ((3, 257), 1), ((300, 4), 0)]:
        for offset in (1e3, 1e5, 1e6, 1e7, -1e6):
            place = np.arange(math.prod(shape)).reshape(shape)
            x = Tensor(offset + (place + place // shape[-1]) % 2)
            for op, of in [("variance", np.var), ("std", np.std)]:
                attrs = {"axis": axis, "keepdims": False, "correction": 0}
                group.add(f"{op}-{brief(shape)}-about-{offset:.0e}", op, [x], of(x.reference, axis=axis), "f32", attrs, (0, 1e-4))


def integer_reductions(case):
    i = integers("reduce-i32", (3, 7), -50, 50)
    u = integers("reduce-u32", (3, 7), 0, 50, "u32")
    for op in ("sum", "max", "min"):
        case("i32", op, i, 1, dtype="i32")
        case("i32-all", op, i, dtype="i32")
        case("u32", op, u, 0, dtype="u32")
    case("i32", "prod", integers("prod-i32", (3, 5), -4, 4), 1, dtype="i32")
    case("u32", "prod", integers("prod-u32", (3, 5), 1, 5, "u32"), 1, dtype="u32")
    for op in ("argmax", "argmin"):
        case("i32-of-i32", op, i, 1, dtype="i32")
        case("i32-of-u32", op, u, 0, dtype="i32")
    wide = Tensor([2147483648, 1, 4294967295, 0], "u32")
    case("u32-above-i32", "max", wide, dtype="u32")
    case("u32-above-i32", "argmax", wide, dtype="i32")
    # Of bool, max is "any" and min is "all".
    flags = Tensor([[0, 1, 0], [0, 0, 0], [1, 1, 1]], "bool")
    case("bool", "max", flags, 1, dtype="bool")
    case("bool", "min", flags, 1, dtype="bool")
    case("i32-extremes", "max", Tensor([-2147483648, -2147483647], "i32"), dtype="i32")
    case("i32-extremes", "min", Tensor([2147483647, 2147483646], "i32"), dtype="i32")
    # Integer sums wrap in 32 bits. The reference sums in 64 and the result is reduced here.
    big = Tensor([2147483647, 1, 2147483647, 5], "i32")
    case("i32-wraps", "sum", big, dtype="i32")
    case("u32-wraps", "sum", Tensor([4294967295, 1, 4294967295], "u32"), dtype="u32")
    # Beyond 2²⁴ an f32 accumulator would lose the ones.
    case("i32-beyond-f32", "sum", Tensor([16777216] + [1] * 9, "i32"), dtype="i32")


def special_values(case):
    nan, inf = math.nan, math.inf
    rows = Tensor([[1, nan, 3], [nan, 5, nan], [2, 7, 7], [inf, -inf, 0], [-inf, -inf, -inf], [inf, 1, 2]])
    for op in REDUCTIONS:
        if op == "logSumExp":
            # Without the row of both infinities, on which references differ.
            rows_here = Tensor(np.delete(rows.values, 3, axis=0))
        else:
            rows_here = rows
        case("special-values", op, rows_here, 1, dtype="i32" if op.startswith("arg") else "f32")
    case("nan-last-of-130", "max", Tensor([0.5] * 129 + [nan]))
    case("nan-first-of-130", "min", Tensor([nan] + [0.5] * 129))
    case("first-nan-of-several", "argmax", Tensor([1, nan, 9, nan]), dtype="i32")
    case("first-nan-of-several", "argmin", Tensor([1, 0, nan, nan, -9]), dtype="i32")
    # Nothing but negatives: an accumulator that starts from 0 shows.
    case("all-negative-130", "max", Tensor(-np.arange(1, 131) / 8))
    case("all-positive-130", "min", Tensor(np.arange(1, 131) / 8))
    case("ties-go-to-the-lowest-index", "argmax", Tensor([[1, 3, 3, 2], [0, 0, 0, 0], [5, 1, 5, 5]]), 1, dtype="i32")
    case("ties-go-to-the-lowest-index", "argmin", Tensor([[1, 0, 0, 2], [4, 4, 4, 4], [5, 1, 5, 1]]), 1, dtype="i32")
    case("ties-over-130", "argmax", Tensor(np.arange(130) % 13), dtype="i32")
    case("ties-down-axis-0", "argmax", Tensor(np.arange(130).reshape(65, 2) // 2 % 9), 0, dtype="i32")
    case("zeros-of-both-signs-tie", "argmax", Tensor([-0.0, 0.0, -0.0]), dtype="i32")
    case("0d", "argmax", Tensor(4.0), dtype="i32")
    case("with-zeros", "prod", Tensor([[2, 0, 3], [1.5, -2, 4]]), 1)
    # exp of these overflows or vanishes; the result does not.
    case("large", "logSumExp", Tensor([[1000, 1000, 999], [-1000, -1001, -1000], [500, -500, 0]]), 1)
    case("of-one", "logSumExp", Tensor([[3.25], [-88.5]]), 1)
    # Exact in f32 in any order, so exact here.
    case("whole-numbers", "sum", Tensor(np.arange(130)), tolerance=None)
    case("large-and-small", "sum", Tensor([16777216.0] + [1.0] * 64), tolerance=(32, EPS))


def empty_tensors(case):
    for op in ("sum", "prod", "mean", "logSumExp"):
        case("empty-0-all", op, Tensor(np.zeros(0)))
        case("empty-0x3-axis_0", op, Tensor(np.zeros((0, 3))), 0)
    for op in REDUCTIONS:
        dtype = "i32" if op.startswith("arg") else "f32"
        case("empty-result-0x3-axis_1", op, Tensor(np.zeros((0, 3))), 1, dtype=dtype)
    case("empty-0x3-both-axes", "sum", Tensor(np.zeros((0, 3))), [0, 1])
    case("empty-2x0x3-axis_1-keepdims", "sum", Tensor(np.zeros((2, 0, 3))), 1, True)
    case("empty-i32", "sum", Tensor(np.zeros((0,)), "i32"), dtype="i32")
    case("empty-i32", "prod", Tensor(np.zeros((0,)), "i32"), dtype="i32")
