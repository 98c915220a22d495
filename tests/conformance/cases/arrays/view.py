"""Reshapes, permutations, broadcasts, slices, flips, pads and joins, all of them exact."""

import numpy as np

from ..format import Group, Tensor, bools, brief, integers


def numbered(shape, dtype="f32"):
    """Elements that tell where they came from."""
    return Tensor(np.arange(int(np.prod(shape))).reshape(shape), dtype)


def cases():
    group = Group()

    def case(name, op, inputs, expected, attrs):
        group.add(f"{op}-{name}", op, inputs, expected, inputs[0].dtype, attrs)

    reshapes(case)
    permutes(case)
    broadcasts(case)
    slices(case)
    flips(case)
    pads(case)
    joins(case)
    differences(case)
    rolls(case)
    ranks(case)
    return group


def ranks(case):
    """Axes that come, go and trade places."""
    for shape in [(), (7,), (3, 5), (2, 1, 3), (0, 4)]:
        x = numbered(shape)
        case(brief(shape), "flatten", [x], x.values.reshape(-1), {})
        for axis in sorted({0, -1, len(shape)}):
            case(f"{brief(shape)}-at-{axis}", "expandDims", [x], np.expand_dims(x.values, axis), {"axis": axis})
    for shape, attrs, expected in [
        ((2, 3, 4), {"start": 1}, (2, 12)),
        ((2, 3, 4), {"end": -2}, (6, 4)),
        ((2, 3, 4, 5), {"start": -3, "end": 2}, (2, 12, 5)),
        ((2, 3), {"start": 1, "end": 1}, (2, 3)),
        ((0, 3, 4), {"start": 1}, (0, 12)),
        ((), {"start": 0, "end": -1}, (1,)),
    ]:
        x = numbered(shape)
        case(f"{brief(shape)}-from-{attrs.get('start', 0)}-to-{attrs.get('end', -1)}", "flatten", [x], x.values.reshape(expected), attrs)
    for shape, axes in [((3, 5), [0, 2]), ((3,), [-1, 0]), ((), [0, 1]), ((2, 3), []), ((0, 4), [1, -2])]:
        x = numbered(shape)
        case(f"{brief(shape)}-at-axes-{brief(axes)}", "expandDims", [x], np.expand_dims(x.values, tuple(axes)), {"axis": axes})
    for shape, a, b in [((3, 5), 0, 1), ((2, 3, 4), 0, -1), ((2, 3, 4), 1, 1), ((2, 1, 3, 2), -3, 3), ((0, 3), 0, 1)]:
        x = numbered(shape)
        case(f"{brief(shape)}-{a}-and-{b}", "swapAxes", [x], np.swapaxes(x.values, a, b), {"a": a, "b": b})
    for shape, axis in [((1, 3, 1), None), ((1, 3, 1), 0), ((1, 3, 1), -1), ((1, 1), [0, 1]), ((3, 5), None), ((3, 1, 2), [1]), ((), None), ((1, 0), 0)]:
        x = numbered(shape)
        place = "all" if axis is None else "axes" + "".join(f"_{a}" for a in np.atleast_1d(axis))
        expected = np.squeeze(x.values, tuple(axis) if isinstance(axis, list) else axis)
        case(f"{brief(shape)}-{place}", "squeeze", [x], expected, {"axis": axis})


def rolls(case):
    for shape, shift, axis in [((7,), 2, 0), ((7,), -9, None), ((3, 5), 1, None), ((3, 5), -2, 1), ((2, 3, 4), 5, [0, -1]),
                               ((0, 3), 1, 0), ((), 3, None), ((4,), 8, 0), ((2, 3), 1, [])]:  # fmt: skip
        x = numbered(shape)
        place = "all" if axis is None else "axes" + "".join(f"_{a}" for a in np.atleast_1d(axis))
        expected = np.roll(x.values, shift, tuple(axis) if isinstance(axis, list) else axis)
        case(f"{brief(shape)}-by-{shift}-{place}", "roll", [x], expected, {"shift": shift, "axis": axis})
    for shifts, axes in [([1, -1], [0, 1]), ([5, 0, 2], [-1, 0, 1]), ([0], [1]), ([2, 7], [1, -3]), ([1, 2], [0, 0]), ([3, 1, -2], [2, 1, -1]), ([1], [2, 2])]:
        x = integers(f"roll-{shifts}-{axes}", (2, 3, 4), -9, 9)
        case(f"2x3x4-by-{shifts}-along-{axes}", "roll", [x], np.roll(x.values, shifts, axes), {"shift": shifts, "axis": axes})


def differences(case):
    for shape, times, axis in [((7,), 1, -1), ((7,), 3, 0), ((3, 5), 1, 0), ((3, 5), 2, -1), ((2, 3, 4), 1, 1), ((3,), 3, 0),
                               ((3, 2), 9, 0), ((0, 3), 1, 0), ((4,), 0, 0)]:  # fmt: skip
        x = integers(f"diff-{brief(shape)}-{times}-{axis}", shape, -9, 9)
        name = f"{brief(shape)}-{times}-times-along-{axis}"
        case(name, "diff", [x], np.diff(x.values, times, axis), {"times": times, "axis": axis})
    x = bools("diff-bool", (9,))
    case("bool", "diff", [x], np.diff(x.values), {"times": 1, "axis": 0})
    x = Tensor([3, 1, 4294967295], "u32")
    case("u32-wraps", "diff", [x], np.diff(x.values), {"times": 1, "axis": 0})


def reshapes(case):
    for old, new in [
        ((6,), (2, 3)), ((2, 3), (3, 2)), ((2, 3), (-1,)), ((2, 3, 4), (4, -1)), ((), (1,)), ((), (1, 1, 1)), ((1, 1), ()),
        ((1,), ()), ((0,), (0, 3)), ((0, 3), (2, 0)), ((2, 0, 3), (0,)), ((2, 3, 4), (2, 3, 4)), ((2, 3, 1, 2, 3), (6, 1, -1)),
        ((7,), (7, 1)), ((17,), (1, 17)),
    ]:  # fmt: skip
        x = numbered(old)
        case(f"{brief(old)}-to-{brief(new)}", "reshape", [x], x.values.reshape(new), {"shape": list(new)})
    x = bools("reshape", (3, 4))
    case("bool", "reshape", [x], x.values.reshape(2, 6), {"shape": [2, 6]})


def permutes(case):
    for shape, axes in [
        ((), []), ((7,), [0]), ((2, 3), [1, 0]), ((2, 3), [0, 1]), ((17, 33), [1, 0]), ((2, 3, 4), [2, 0, 1]),
        ((2, 3, 4), [0, 2, 1]), ((2, 3, 4), [-1, 0, -2]), ((1, 5, 1), [1, 2, 0]), ((2, 1, 3, 4), [3, 1, 0, 2]),
        ((2, 3, 1, 2, 3), [4, 2, 0, 3, 1]), ((0, 3), [1, 0]), ((65, 3), [1, 0]),
    ]:  # fmt: skip
        x = numbered(shape)
        name = f"{brief(shape)}-by-{'_'.join(map(str, axes)) or 'nothing'}"
        case(name, "permute", [x], np.transpose(x.values, axes), {"axes": axes})
    x = numbered((3, 4), "u32")
    case("u32", "permute", [x], x.values.T, {"axes": [1, 0]})


def broadcasts(case):
    for old, new in [
        ((), ()), ((), (3,)), ((), (2, 3)), ((1,), (7,)), ((3,), (2, 3)), ((3, 1), (3, 4)), ((1, 4), (3, 4)), ((3, 1), (2, 3, 5)),
        ((2, 1, 3, 1), (2, 2, 4, 3, 2)), ((1,), (0,)), ((3, 1), (3, 0)), ((0,), (2, 0)), ((3, 4), (3, 4)), ((1, 1, 1), (2, 3, 4)),
    ]:  # fmt: skip
        x = numbered(old)
        case(f"{brief(old)}-to-{brief(new)}", "broadcastTo", [x], np.broadcast_to(x.values, new), {"shape": list(new)})
    x = Tensor([[True], [False]], "bool")
    case("bool", "broadcastTo", [x], np.broadcast_to(x.values, (2, 3)), {"shape": [2, 3]})


def slices(case):
    def sliced(name, shape, *ranges, dtype="f32"):
        """Each range is (start, stop, step) as in Python, null for the default; axes not mentioned are kept whole."""
        x = numbered(shape, dtype)
        starts, stops, steps = ([r[k] for r in ranges] for k in range(3))
        expected = x.values[tuple(slice(*r) for r in ranges)]
        case(name, "slice", [x], expected, {"starts": starts, "stops": stops, "steps": steps})

    sliced("middle", (7,), (1, 4, 1))
    sliced("whole", (7,), (None, None, None))
    sliced("from", (7,), (3, None, 1))
    sliced("to", (7,), (None, 3, 1))
    sliced("step-2", (7,), (None, None, 2))
    sliced("step-3-of-17", (17,), (1, 16, 3))
    sliced("step-past-the-end", (7,), (2, None, 100))
    sliced("negative-start", (7,), (-3, None, 1))
    sliced("negative-stop", (7,), (None, -2, 1))
    sliced("reversed", (7,), (None, None, -1))
    sliced("reversed-step-2", (7,), (None, None, -2))
    sliced("reversed-from-5-to-1", (7,), (5, 1, -1))
    sliced("reversed-step-3-of-17", (17,), (15, 2, -3))
    sliced("reversed-negative-bounds", (7,), (-2, -6, -2))
    sliced("reversed-to-before-the-start", (7,), (3, -100, -1))
    sliced("bounds-are-clamped", (7,), (-100, 100, 1))
    sliced("start-past-the-end", (7,), (9, None, 1))
    sliced("empty-when-crossed", (7,), (4, 2, 1))
    sliced("empty-when-crossed-reversed", (7,), (2, 4, -1))
    sliced("of-empty", (0, 3), (None, None, -1), (1, None, 1))
    sliced("fewer-ranges-than-axes", (3, 5), (1, None, 1))
    sliced("second-axis", (3, 5), (None, None, 1), (1, 4, 2))
    sliced("both-axes", (5, 7), (1, 5, 2), (6, 0, -2))
    sliced("both-axes-reversed", (3, 4), (None, None, -1), (None, None, -1))
    sliced("rank-3", (3, 4, 5), (None, 2, 1), (None, None, -1), (1, None, 3))
    sliced("rank-5", (2, 3, 2, 3, 2), (1, None, 1), (None, None, -2), (None, None, 1), (0, 2, 1), (None, None, -1))
    sliced("size-1-axes", (1, 3, 1), (0, 1, 1), (2, 0, -1), (None, None, -1))
    sliced("i32", (3, 5), (None, None, -1), (None, None, 2), dtype="i32")
    sliced("no-ranges", (3,))
    sliced("0d", ())


def flips(case):
    for shape, axis in [((7,), None), ((3, 5), None), ((3, 5), 0), ((3, 5), -1), ((2, 3, 4), [0, 2]), ((2, 3, 4), 1),
                        ((2, 3, 1, 2, 3), [1, -1]), ((0, 3), 0), ((), None), ((1, 3), 0), ((2, 2), [])]:  # fmt: skip
        x = numbered(shape)
        place = "all" if axis is None else "axes" + "".join(f"_{a}" for a in np.atleast_1d(axis))
        np_axis = tuple(axis) if isinstance(axis, list) else axis
        case(f"{brief(shape)}-{place}", "flip", [x], np.flip(x.values, np_axis), {"axis": axis})
    x = bools("flip", (7,))
    case("bool", "flip", [x], x.values[::-1], {"axis": 0})


def pads(case):
    def padded(name, x, widths, value):
        expected = np.pad(x.values, widths, constant_values=value) if x.values.ndim else x.values
        case(name, "pad", [x], expected, {"pads": widths, "value": value})

    padded("1d", numbered((3,)), [[1, 2]], 0)
    padded("1d-value", numbered((3,)), [[2, 0]], -1.5)
    padded("2d", numbered((2, 3)), [[1, 0], [0, 2]], 0)
    padded("2d-value", numbered((2, 3)), [[1, 1], [1, 1]], 7.25)
    padded("nothing", numbered((2, 3)), [[0, 0], [0, 0]], 9)
    padded("3d", numbered((2, 3, 2)), [[0, 1], [2, 0], [1, 1]], 0)
    padded("rank-5", numbered((1, 2, 1, 2, 1)), [[1, 0], [0, 0], [0, 1], [0, 0], [1, 1]], -1)
    padded("of-empty", Tensor(np.zeros((0, 2))), [[1, 2], [0, 1]], 3)
    padded("size-1", numbered((1, 1)), [[0, 3], [2, 0]], 5)
    padded("0d", Tensor(4.0), [], 0)
    padded("i32", integers("pad-i32", (3,), -9, 9), [[1, 1]], -7)
    padded("u32", integers("pad-u32", (3,), 0, 9, "u32"), [[1, 1]], 4294967295)
    padded("bool", bools("pad-bool", (3,)), [[1, 1]], True)
    x = numbered((3,))
    for label, value in [("inf", np.inf), ("minus-inf", -np.inf), ("nan", np.nan)]:
        expected = np.pad(x.values, [[1, 1]], constant_values=value)
        case(f"with-{label}", "pad", [x], expected, {"pads": [[1, 1]], "value": label.replace("minus-", "-")})


def joins(case):
    def joined(name, op, shapes, axis, dtype="f32"):
        inputs = [Tensor(numbered(s, dtype).values + (100 * k if dtype != "bool" else 0), dtype) for k, s in enumerate(shapes)]
        f = np.concatenate if op == "concat" else np.stack
        case(name, op, inputs, f([x.values for x in inputs], axis), {"axis": axis})

    joined("1d", "concat", [(3,), (4,)], 0)
    joined("one-input", "concat", [(3,)], 0)
    joined("axis-0", "concat", [(2, 3), (1, 3)], 0)
    joined("axis-1", "concat", [(2, 3), (2, 1), (2, 4)], 1)
    joined("negative-axis", "concat", [(2, 3), (2, 2)], -1)
    joined("with-empty", "concat", [(2, 0), (2, 3), (2, 0)], 1)
    joined("all-empty", "concat", [(0, 3), (0, 3)], 0)
    joined("middle-axis", "concat", [(2, 1, 3), (2, 2, 3)], 1)
    joined("rank-5", "concat", [(1, 2, 1, 2, 1), (1, 2, 3, 2, 1)], 2)
    joined("nine-inputs", "concat", [(n % 3 + 1,) for n in range(9)], 0)
    joined("i32", "concat", [(2,), (3,)], 0, "i32")
    joined("bool", "concat", [(2,), (2,)], 0, "bool")
    joined("0d", "stack", [(), (), ()], 0)
    joined("1d-axis-0", "stack", [(3,), (3,)], 0)
    joined("1d-axis-1", "stack", [(3,), (3,)], 1)
    joined("1d-last-axis", "stack", [(3,), (3,)], -1)
    joined("2d-axis-1", "stack", [(2, 3), (2, 3), (2, 3)], 1)
    joined("2d-negative-axis", "stack", [(2, 3), (2, 3)], -3)
    joined("one-input", "stack", [(2, 3)], 0)
    joined("empty", "stack", [(0, 3), (0, 3)], 1)
    joined("rank-4-to-5", "stack", [(1, 2, 1, 3), (1, 2, 1, 3)], 2)
    joined("u32", "stack", [(3,), (3,)], 0, "u32")
