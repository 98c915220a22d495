"""Operations on two tensors, and broadcasting: arithmetic, comparison, logic, bits, and `where`."""

import math

import numpy as np

from ..format import EPS, TINY, Group, Number, Tensor, bools, brief, integers, normals, uniforms

# Pairs of shapes that broadcast: scalars, size-1 axes on either side, missing axes, empties, rank
# 5.
BROADCASTS = [
    ((), ()),
    ((), (3,)),
    ((1,), (7,)),
    ((3, 1), (1, 4)),
    ((3, 4), (4,)),
    ((4,), (3, 4)),
    ((2, 3, 4), (3, 1)),
    ((2, 1, 4), (3, 1)),
    ((5, 1, 3, 1, 2), (2, 1, 3, 1)),
    ((1, 1, 1), (2,)),
    ((17,), (17,)),
    ((3, 33), (3, 1)),
    ((0,), (1,)),
    ((2, 0), (1,)),
    ((0, 3), (1, 1)),
    ((0,), ()),
]

ARITHMETIC = {
    "add": (np.add, (0, EPS)),
    "sub": (np.subtract, (0, EPS)),
    "mul": (np.multiply, (TINY, EPS)),
    "div": (np.divide, (TINY, 3 * EPS)),
    "minimum": (np.minimum, None),
    "maximum": (np.maximum, None),
}

COMPARISON = {
    "equal": np.equal,
    "notEqual": np.not_equal,
    "less": np.less,
    "lessEqual": np.less_equal,
    "greater": np.greater,
    "greaterEqual": np.greater_equal,
}

LOGICAL = {"logicalAnd": np.logical_and, "logicalOr": np.logical_or, "logicalXor": np.logical_xor}

BITWISE = {"bitwiseAnd": np.bitwise_and, "bitwiseOr": np.bitwise_or, "bitwiseXor": np.bitwise_xor}

SPECIAL = [math.nan, math.inf, -math.inf, 0.0, 1.0, -2.5]


def all_pairs(values):
    """Two tensors in which each value meets each."""
    a, b = np.meshgrid(values, values, indexing="ij")
    return Tensor(a.ravel()), Tensor(b.ravel())


def arithmetic(group):
    for op, (f, tolerance) in ARITHMETIC.items():

        def case(name, a, b, tolerance=tolerance, dtype="f32"):
            with np.errstate(all="ignore"):
                group.add(f"{op}-{name}", op, [a, b], f(a.reference, b.reference), dtype, tolerance=tolerance)

        pairs = BROADCASTS if op in ("add", "sub") else [((3, 1), (1, 4)), ((2, 3, 4), (4,))]
        for a, b in pairs:
            name = f"{brief(a)}-with-{brief(b)}"
            case(name, normals(op + name + "a", a, 3), normals(op + name + "b", b, 3))
        x = normals(op + "number", (7,), 3)
        case("number-right", x, Number(2.5))
        case("number-left", Number(-0.75), x)
        case("special-values", *all_pairs(SPECIAL))
        if op == "div":
            continue  # of integers it is a float: see `promote`
        i = integers(op + "i", (17,), -99, 99)
        j = integers(op + "j", (17,), -99, 99)
        case("i32", i, j, None, "i32")
        case("i32-number", i, Number(3), None, "i32")
        u = integers(op + "u", (7,), 50, 99, "u32")
        v = integers(op + "v", (7,), 0, 50, "u32")
        case("u32", u, v, None, "u32")
    with np.errstate(over="ignore"):
        a = Tensor([2147483647, -2147483648, 65536, -65536, 123456789], "i32")
        b = Tensor([1, -1, 65536, 65537, 987654321], "i32")
        for op in ("add", "sub", "mul"):
            group.add(f"{op}-i32-wraps", op, [a, b], ARITHMETIC[op][0](a.values, b.values), "i32")
        a = Tensor([0, 4294967295, 65536, 3000000000], "u32")
        b = Tensor([1, 1, 65536, 3000000000], "u32")
        for op in ("add", "sub", "mul"):
            group.add(f"{op}-u32-wraps", op, [a, b], ARITHMETIC[op][0](a.values, b.values), "u32")
        for op in ("minimum", "maximum"):
            group.add(f"{op}-u32-above-i32", op, [a, b], ARITHMETIC[op][0](a.values, b.values), "u32")
        a, b = Tensor([1.0, -1.0]), Tensor([-0.0, -0.0])
        group.add("div-by-signed-zero", "div", [a, b], [-math.inf, math.inf])


def remainder(group):
    """NumPy's `remainder`: the sign is the divisor's, zero divisors give NaN (0 for integers), as in Python's %."""

    def case(name, a, b, dtype="f32", tolerance=None):
        with np.errstate(all="ignore"):
            group.add(f"remainder-{name}", "remainder", [a, b], np.remainder(a.reference, b.reference), dtype, tolerance=tolerance)

    # Whole numbers and multiples: a quotient that lands beside an integer must not leave a
    # remainder of one divisor.
    a, b = np.meshgrid([-9, -7, -6, -3, -1, 0, 1, 3, 6, 7, 9, 1000], [-7, -3, -2, -1, 1, 2, 3, 7])
    case("whole-floats", Tensor(a.ravel()), Tensor(b.ravel()))
    case("halves", Tensor([5.5, -5.5, 5.5, -5.5, 7.25, -7.25]), Tensor([2.0, 2.0, -2.0, -2.0, 0.75, 0.75]))
    # Quotients are kept a tenth away from integers, where the result jumps.
    b = Tensor([[0.7, -1.3, 2.9, -4.1]])
    quotients = np.array([[3.37], [-2.61], [17.83]])
    a = Tensor(np.round(quotients * b.reference, 3))
    case("3x4-with-1x4", a, b, tolerance=(4 * EPS * 75, 0))
    case("number-right", Tensor([5.3, -5.3, 0.4, -0.4, 0.0, 11.1]), Number(2.5), tolerance=(4 * EPS * 12, 0))
    case("number-left", Number(7), Tensor([2.0, -2.0, 4.0, -4.0, 8.0, -8.0]))
    # The divisor larger in magnitude, infinite divisors, and what has no remainder.
    case(
        "special-values",
        Tensor([math.nan, 1, math.inf, -math.inf, 5, -5, 5, -5, 5, 0]),
        Tensor([1, math.nan, 3, 3, math.inf, math.inf, -math.inf, -math.inf, 0, 0]),
    )
    a, b = np.meshgrid([-2147483647, -9, -7, -1, 0, 1, 7, 9, 2147483647], [-7, -3, -1, 1, 2, 3, 7])
    case("i32", Tensor(a.ravel(), "i32"), Tensor(b.ravel(), "i32"), "i32")
    case("i32-by-zero-is-zero", Tensor([5, -5, 0], "i32"), Tensor([0, 0, 0], "i32"), "i32")
    case("u32", Tensor([7, 8, 9, 4294967295, 3000000000, 5], "u32"), Tensor([3, 3, 3, 10, 4294967295, 7], "u32"), "u32")
    case("i32-number", integers("remainder-i32-number", (17,), -20, 20), Number(3), "i32")
    case("0d", Tensor(-1, "i32"), Tensor(3, "i32"), "i32")
    case("empty", Tensor(np.zeros((0, 2))), Tensor([1, 2]))


def floor_divide(group):
    """NumPy's `floor_divide`: the floor of the exact quotient, so that 1 // 0.1 is 9, and a = b·(a // b) + a % b."""

    def case(name, a, b, dtype="f32", tolerance=None):
        with np.errstate(all="ignore"):
            expected = np.floor_divide(a.reference, b.reference)
        group.add(f"floorDivide-{name}", "floorDivide", [a, b], expected, dtype, tolerance=tolerance)

    # A quotient that rounds up to a whole number it does not reach, and its neighbours.
    a, b = np.meshgrid([1, -1, 0.3, 2, 6, 10, 100, 7.7], [0.1, -0.1, 0.2, 0.3, 0.7, -1.1, 3])
    case("beside-whole-numbers", Tensor(a.ravel()), Tensor(b.ravel()))
    a, b = np.meshgrid([-9, -7, -6, -3, -1, 0, 1, 3, 6, 7, 9, 1000], [-7, -3, -2, -1, 1, 2, 3, 7])
    case("whole-floats", Tensor(a.ravel()), Tensor(b.ravel()))
    case("3x1-with-1x4", normals("floorDivide-a", (3, 1), 50), normals("floorDivide-b", (1, 4), 3))
    case("number-right", Tensor([5.3, -5.3, 0.4, -0.4, 0.0, 11.1]), Number(2.5))
    case("number-left", Number(7), Tensor([2.0, -2.0, 4.0, -4.0, 8.0, -8.0]))
    case("special-values", *all_pairs([*SPECIAL, 5.0, -5.0, 1e-20, -3e38]), tolerance=(0, 2 * EPS))
    large = Tensor([16777215, -16777215, 16777216, 123456789, -3e38, 3e38, 1e20, 4e9])
    case("large-quotients", large, Tensor([1, 1, 0.5, -0.7, 0.1, 1e-30, 3, 1]), tolerance=(0, 2 * EPS))
    a, b = np.meshgrid([-2147483647, -9, -7, -1, 0, 1, 7, 9, 2147483647], [-7, -3, -1, 1, 2, 3, 7])
    case("i32", Tensor(a.ravel(), "i32"), Tensor(b.ravel(), "i32"), "i32")
    case("i32-by-zero-is-zero", Tensor([5, -5, 0], "i32"), Tensor([0, 0, 0], "i32"), "i32")
    case("u32", Tensor([7, 8, 9, 4294967295, 3000000000, 5], "u32"), Tensor([3, 3, 3, 10, 4294967295, 0], "u32"), "u32")
    case("empty", Tensor(np.zeros((0, 2))), Tensor([1, 2]))


def power(group):
    def case(name, a, b, dtype="f32", tolerance=None):
        # An exponent for each base: for a single ½ NumPy takes the square root, which has no value
        # at −∞.
        bases, exponents = np.broadcast_arrays(a.reference, b.reference)
        with np.errstate(all="ignore"):
            expected = np.power(bases.copy(), exponents.copy())
        if tolerance is None and dtype == "f32":
            # exp(y·ln x) multiplies the error of ln x by the exponent's argument.
            x, y = np.broadcast_arrays(np.abs(np.asarray(a.reference, float)), np.asarray(b.reference, float))
            with np.errstate(all="ignore"):
                size = np.abs(y * np.log(x))
            size = size[np.isfinite(size)]
            tolerance = (TINY, EPS * (4 + 2 * size.max(initial=0)))
        group.add(f"pow-{name}", "pow", [a, b], expected, dtype, tolerance=tolerance)

    case("3x1-with-1x4", uniforms("pow-a", (3, 1), 0.1, 6), normals("pow-b", (1, 4), 2))
    case("17", uniforms("pow-17a", (17,), 0.1, 9), normals("pow-17b", (17,), 3))
    case("0d", Tensor(1.7), Tensor(-2.3))
    case("empty", Tensor(np.zeros((0,))), Tensor(2.0))
    x = Tensor([-3.5, -1, -0.5, 0.25, 0.5, 1, 2, 3.5])
    for n in (0, 1, 2, 3, 4, -1, -2):
        case(f"number-{n}", x, Number(n))
    positive = Tensor([0.25, 0.5, 1, 2, 3.5, 100])
    for n in (0.5, -0.5, 1.5, 2.7):
        case(f"number-{n}", positive, Number(n))
    case("number-base", Number(2), Tensor([-3, -0.5, 0, 0.5, 1, 10.25]))
    # C99's table, which NumPy follows: x^0 and 1^y are 1 even for NaN; a negative base takes whole
    # exponents only.
    special = [
        (math.nan, 0), (1, math.nan), (math.nan, 1), (2, math.nan), (0, 0), (0, 2), (0, -1), (0, -0.5), (0, math.inf),
        (0, -math.inf), (-2, 3), (-2, 2), (-2, -1), (-2, 0.5), (-8, 1 / 3), (-1, math.inf), (-1, -math.inf), (1, math.inf),
        (2, math.inf), (2, -math.inf), (0.5, math.inf), (0.5, -math.inf), (math.inf, 2), (math.inf, -2), (math.inf, 0),
        (-math.inf, 3), (-math.inf, 2), (-math.inf, 0.5), (2, 128), (2, -20), (10, 38), (10, 39), (-3, 5),
    ]  # fmt: skip
    case("special-values", Tensor([x for x, _ in special]), Tensor([y for _, y in special]), tolerance=(TINY, 200 * EPS))
    # The same bases meet each exponent as a plain number: those that are multiplied out, roots, and
    # the rest.
    bases = [math.nan, math.inf, -math.inf, 0, -0.0, 1, -1, 2, -2, 0.5, -0.5, 1e30, -1e30, 1e-30, 3.5]
    for n in (math.nan, math.inf, -math.inf, 0, 0.5, -0.5, 1.5, -1.5, *range(1, 10), -1, -2, -3, -8, -9, 33, -33):
        case(f"special-bases-number-{n}", Tensor(bases), Number(n), tolerance=(TINY, 200 * EPS))
    exponents = [math.nan, math.inf, -math.inf, 0, -0.0, 0.5, -0.5, 1, -1, 2, 3, -3, 16777217, 16777215, 1e10, -1e30]
    for x in (math.nan, math.inf, -math.inf, 0, 1, -1, -2, 0.5):
        case(f"special-exponents-number-{x}", Number(x), Tensor(exponents), tolerance=(TINY, 200 * EPS))
    # What is multiplied out on the way would be flushed to zero, or overflow.
    case("number--3-of-tiny", Tensor([2e-13, -2e-13, 1e-12, 3e-13]), Number(-3))
    case("number--2-of-huge", Tensor([1e19, -1e19, 2e-19, 1e-19]), Number(-2))
    case("number--8-of-small", Tensor([2e-5, -2e-5, 3e4]), Number(-8))
    case("i32", Tensor([-3, -2, -1, 0, 1, 2, 3, 0, 7], "i32"), Tensor([3, 4, 5, 2, 30, 30, 9, 0, 11], "i32"), "i32")
    case("i32-number", Tensor([-3, -2, -1, 0, 1, 2, 3], "i32"), Number(3), "i32")
    case("u32", Tensor([0, 1, 2, 3, 10], "u32"), Tensor([3, 30, 31, 20, 9], "u32"), "u32")
    # NumPy refuses negative exponents of integers. Here the quotient 1/xⁿ is truncated: ±1 stay,
    # the rest is 0.
    a, b = Tensor([1, -1, -1, 2, -3, 100], "i32"), Tensor([-1, -3, -2, -1, -2, -5], "i32")
    group.add("pow-i32-negative-exponents", "pow", [a, b], [1, -1, 1, 0, 0, 0], "i32")


def comparisons(group):
    for op, f in COMPARISON.items():

        def case(name, a, b):
            group.add(f"{op}-{name}", op, [a, b], f(a.reference, b.reference), "bool")

        case("special-values", *all_pairs(SPECIAL))
        pairs = BROADCASTS if op == "less" else [((3, 1), (1, 4))]
        for a, b in pairs:
            name = f"{brief(a)}-with-{brief(b)}"
            case(name, Tensor(integers(op + name + "a", a, -2, 2).values), Tensor(integers(op + name + "b", b, -2, 2).values))
        case("neighbours", Tensor([1, 1.0000001, 0.99999994, 16777216]), Tensor([1.0000001, 1, 1, 16777215]))
        case("number", Tensor([-1, 0, 0.5, 1, 2]), Number(0.5))
        case("number-left", Number(1), Tensor([-1, 0, 0.5, 1, 2]))
        case("i32", Tensor([-1, 0, 1, 2147483647, -2147483648], "i32"), Tensor([0, 0, 0, -2147483648, 2147483647], "i32"))
        case("i32-beyond-f32", Tensor([16777217, 16777216, -16777217], "i32"), Tensor([16777216, 16777217, -16777216], "i32"))
        case("u32-above-i32", Tensor([4294967295, 0, 2147483648], "u32"), Tensor([0, 4294967295, 2147483647], "u32"))
        if op in ("equal", "notEqual"):
            case("bool", Tensor([0, 0, 1, 1], "bool"), Tensor([0, 1, 0, 1], "bool"))
            case("zeros-of-both-signs", Tensor([0.0, -0.0]), Tensor([-0.0, 0.0]))


def logic_and_bits(group):
    for op, f in LOGICAL.items():

        def case(name, a, b):
            group.add(f"{op}-{name}", op, [a, b], f(a.values, b.values), "bool")

        case("table", Tensor([0, 0, 1, 1], "bool"), Tensor([0, 1, 0, 1], "bool"))
        case("3x1-with-1x4", bools(op + "a", (3, 1)), bools(op + "b", (1, 4)))
        case("0d", Tensor(True, "bool"), Tensor(False, "bool"))
        case("empty", Tensor(np.zeros((0, 3)), "bool"), Tensor([1, 0, 1], "bool"))

    i = Tensor([0, 1, -1, 2147483647, -2147483648, 0x0F0F0F0F, -12345], "i32")
    j = Tensor([-1, 3, 255, 0x55555555, -1, 0x33333333, 4095], "i32")
    u = Tensor([0, 1, 4294967295, 2147483648, 0xF0F0F0F0], "u32")
    v = Tensor([4294967295, 3, 255, 0xAAAAAAAA, 0xCCCCCCCC], "u32")
    for op, f in BITWISE.items():
        group.add(f"{op}-i32", op, [i, j], f(i.values, j.values), "i32")
        group.add(f"{op}-u32", op, [u, v], f(u.values, v.values), "u32")
        group.add(f"{op}-number", op, [i, Number(255)], f(i.values, np.int32(255)), "i32")
        a, b = integers(op + "a", (3, 1), 0, 255), integers(op + "b", (1, 4), 0, 255)
        group.add(f"{op}-3x1-with-1x4", op, [a, b], f(a.values, b.values), "i32")
    # The right shift is arithmetic on i32 and logical on u32. A count of 32 or more shifts every
    # bit out.
    for op, f in {"shiftLeft": np.left_shift, "shiftRight": np.right_shift}.items():
        a, b = Tensor([1, 1, -1, -8, 123456789, -2147483648, 0], "i32"), Tensor([0, 31, 4, 1, 7, 31, 5], "i32")
        group.add(f"{op}-i32", op, [a, b], f(a.values, b.values), "i32")
        a, b = Tensor([1, 1, 4294967295, 2147483648, 123456789], "u32"), Tensor([0, 31, 4, 31, 7], "u32")
        group.add(f"{op}-u32", op, [a, b], f(a.values, b.values), "u32")
        group.add(f"{op}-number", op, [a, Number(3)], f(a.values, np.uint32(3)), "u32")
        a = Tensor([5, -5, 5, -5], "i32")
        group.add(
            f"{op}-by-32-and-more",
            op,
            [a, Tensor([32, 32, 40, 40], "i32")],
            [0, 0, 0, 0] if op == "shiftLeft" else [0, -1, 0, -1],
            "i32",
        )
        a, b = integers(op + "a", (3, 1), -255, 255), integers(op + "b", (1, 4), 0, 20)
        group.add(f"{op}-3x1-with-1x4", op, [a, b], f(a.values, b.values), "i32")


def selects(group):
    def case(name, c, a, b, dtype="f32"):
        group.add(f"where-{name}", "where", [c, a, b], np.where(c.values, a.reference, b.reference), dtype)

    for c, a, b in [((3, 1), (1, 4), ()), ((), (3,), (2, 1)), ((7,), (7,), (7,)), ((2, 1, 2), (3, 1), (2,)), ((0, 3), (3,), ())]:
        name = f"{brief(c)}-of-{brief(a)}-and-{brief(b)}"
        case(name, bools(name + "c", c), normals(name + "a", a), normals(name + "b", b))
    c = bools("where", (7,))
    x = normals("where", (7,))
    case("number-right", c, x, Number(0))
    case("number-left", c, Number(-1.5), x)
    # The value not chosen leaves no trace, NaN included.
    case(
        "special-values",
        Tensor([1, 0, 1, 0, 1, 0], "bool"),
        Tensor([1, math.nan, math.nan, math.inf, -math.inf, 2]),
        Tensor([math.nan, 1, 2, 3, math.inf, -math.inf]),
    )
    case("i32", c, integers("where-i", (7,), -9, 9), integers("where-j", (7,), -9, 9), "i32")
    case("u32", c, integers("where-u", (7,), 0, 9, "u32"), Tensor(4294967295, "u32"), "u32")
    case("bool", c, bools("where-a", (7,)), bools("where-b", (7,)), "bool")


def cases():
    group = Group()
    arithmetic(group)
    remainder(group)
    floor_divide(group)
    power(group)
    comparisons(group)
    logic_and_bits(group)
    selects(group)
    return group
