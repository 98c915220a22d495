"""Convolutions, transposed convolutions and reductions of windows: JAX's in float64; averages and
windows past the end by NumPy."""

import numpy as np

from ..format import EPS, Group, bools, brief, integers, normals

LAYOUTS = {
    1: [("NCW", "OIW", "NCW"), ("NWC", "WIO", "NWC"), ("WNC", "IWO", "CWN")],
    2: [("NCHW", "OIHW", "NCHW"), ("NHWC", "HWIO", "NHWC"), ("HCWN", "IHOW", "WNCH")],
    3: [("NCDHW", "OIDHW", "NCDHW"), ("NDHWC", "DHWIO", "NDHWC"), ("DNHCW", "OHIWD", "CNWHD")],
}


def convolution(spatial, **given):
    """The attributes of a convolution, all of them."""
    ones = [1] * spatial
    usual = {"stride": ones, "padding": [[0, 0]] * spatial, "dilation": ones, "inputDilation": ones, "groups": 1, "batchGroups": 1}
    return {**usual, "layout": list(LAYOUTS[spatial][0]), **given} if spatial else {**usual, "layout": ["NC", "OI", "NC"], **given}


def transposed(spatial, **given):
    ones = [1] * spatial
    usual = {"stride": ones, "padding": [[0, 0]] * spatial, "dilation": ones, "groups": 1, "outputPadding": [0] * spatial}
    return {**usual, "layout": list(LAYOUTS[spatial][0]), **given}


def windows(size, **given):
    return {"window": list(size), "stride": list(size), "padding": [[0, 0]] * len(size), "dilation": [1] * len(size), "ceil": False, **given}


def conv(x, w, stride, padding, dilation, inputDilation, groups, batchGroups, layout):
    from jax import lax

    names = {"same": "SAME", "sameLower": "SAME_LOWER", "valid": "VALID"}
    pads = names[padding] if isinstance(padding, str) else [tuple(pair) for pair in padding]
    return lax.conv_general_dilated(x, w, stride, pads, inputDilation, dilation, tuple(layout), groups, batchGroups)


def conv_transpose(x, w, stride, padding, dilation, groups, outputPadding, layout):
    """The gradient by its input of a convolution with this kernel: its input is as long as the padding leaves it."""
    import jax
    import jax.numpy as jnp

    first, kernel, last = layout
    spatial = [letter for letter in kernel if letter not in "OI"]
    extents = {}
    for n, letter in enumerate(spatial):
        here, k = x.shape[first.index(letter)], dilation[n] * (w.shape[kernel.index(letter)] - 1) + 1
        if padding == "same":
            extents[letter] = here * stride[n]
            continue
        low, high = padding[n]
        extents[letter] = (here - 1) * stride[n] + k - low - high + outputPadding[n]
    extents["N"], extents["C"] = x.shape[first.index("N")], w.shape[kernel.index("I")] * groups
    shape = [extents[letter] for letter in last]
    if padding == "same":
        pads = []
        for n, letter in enumerate(spatial):
            k = dilation[n] * (w.shape[kernel.index(letter)] - 1) + 1
            # As JAX's conv_transpose: half of the missing zeros before what is spread, rounded up.
            before = k - 1 if stride[n] > k - 1 else -(-(k + stride[n] - 2) // 2)
            low = k - 1 - before
            pads.append((low, (x.shape[first.index(letter)] - 1) * stride[n] + k - extents[letter] - low))
    else:
        pads = [(low, high - outputPadding[n] if stride[n] == 1 else high) for n, (low, high) in enumerate(padding)]
    forward = lambda y: jax.lax.conv_general_dilated(y, w, stride, pads, None, dilation, (last, kernel, first), groups)
    if jax.eval_shape(forward, jnp.zeros(shape)).shape != x.shape:
        raise ValueError(f"{shape} is not what yields {x.shape}")
    return jax.linear_transpose(forward, jnp.zeros(shape))(x)[0]


REDUCTIONS = {"sum": (np.sum, 0), "prod": (np.prod, 1), "max": (np.max, None), "min": (np.min, None)}


def every_window(x, window, stride, padding, dilation, ceil):
    """For each window the elements of `x` that it sees, and how many of its places lie within the padding."""
    rank, n = x.ndim, len(window)
    starts, spans = [], []
    for axis in range(n):
        extent, span = x.shape[rank - n + axis], dilation[axis] * (window[axis] - 1) + 1
        if padding in ("same", "sameLower"):
            total = max((-(-extent // stride[axis]) - 1) * stride[axis] + span - extent, 0)
            low = total // 2 if padding == "same" else total - total // 2
            low, high = low, total - low
        else:
            low, high = padding[axis]
        wide = extent + low + high
        count = 0 if wide < span else (wide - span) // stride[axis] + 1
        if ceil and wide >= span:
            count = -(-(wide - span) // stride[axis]) + 1
            if (count - 1) * stride[axis] >= extent + low:
                count -= 1
        starts.append([i * stride[axis] - low for i in range(count)])
        spans.append((extent, low, high))
    shape = tuple(len(s) for s in starts)
    for place in np.ndindex(*shape):
        seen, within = [], []
        for axis in range(n):
            extent, low, high = spans[axis]
            at = [starts[axis][place[axis]] + dilation[axis] * k for k in range(window[axis])]
            seen.append([a for a in at if 0 <= a < extent])
            within.append(sum(-low <= a < extent + high for a in at))
        leading = [np.arange(e) for e in x.shape[: rank - n]]
        yield shape, place, x[np.ix_(*leading, *[np.array(s, int) for s in seen])], int(np.prod(within))


def over_windows(x, attrs, reduce):
    n = len(attrs["window"])
    out = None
    for shape, place, seen, within in every_window(x, *(attrs[k] for k in ("window", "stride", "padding", "dilation", "ceil"))):
        if out is None:
            out = np.zeros((*x.shape[: x.ndim - n], *shape), x.dtype)
        out[(..., *place)] = reduce(seen, tuple(range(x.ndim - n, x.ndim)), within)
    return out


def cases():
    import jax

    with jax.enable_x64(True):
        return made(Group())


def made(group):

    def tolerance(x, w, terms):
        return (4 * EPS * np.sqrt(max(terms, 1)) * np.abs(x.reference).max(initial=0) * np.abs(w.reference).max(initial=0), 4 * EPS)

    def case(name, spatial, input, kernel, dtype="f32", transpose=False, **given):
        op = "convTranspose" if transpose else "conv"
        attrs = (transposed if transpose else convolution)(spatial, **given)
        draw = (lambda seed, shape: normals(seed, shape)) if dtype == "f32" else (lambda seed, shape: integers(seed, shape, -9, 9, dtype))
        x, w = draw(op + name + "x", input), draw(op + name + "w", kernel)
        function = conv_transpose if transpose else conv
        # Sums of whole numbers this small are exact in float64.
        expected = np.asarray(function(x.reference.astype(np.float64), w.reference.astype(np.float64), **attrs))
        terms = int(np.prod(kernel))
        group.add(f"{op}-{name}", op, [x, w], expected, dtype, attrs, tolerance(x, w, terms) if dtype == "f32" else None)

    inputs = {1: (2, 4, 9), 2: (1, 4, 7, 6), 3: (1, 4, 4, 3, 5)}
    kernels = {1: (6, 4, 3), 2: (6, 4, 3, 2), 3: (6, 4, 2, 3, 1)}

    def placed(extents, spatial, n, which):
        """Extents of a first layout in the order of another."""
        first, other = LAYOUTS[spatial][0][which], LAYOUTS[spatial][n][which]
        return tuple(extents[first.index(letter)] for letter in other)

    for spatial in (1, 2, 3):
        i, k = inputs[spatial], kernels[spatial]
        d = f"{spatial}d"
        for n in range(3):
            layout = list(LAYOUTS[spatial][n])
            a, b = placed(i, spatial, n, 0), placed(k, spatial, n, 1)
            case(f"{d}-{layout[0]}", spatial, a, b, layout=layout)
            case(f"{d}-{layout[0]}-all", spatial, a, b, layout=layout, stride=[2, 1, 3][:spatial], padding=[[1, 2], [0, 1], [2, 0]][:spatial], dilation=[2, 1, 2][:spatial], inputDilation=[1, 2, 1][:spatial])
            grouped = placed((k[0], k[1] // 2, *k[2:]), spatial, n, 1)
            case(f"{d}-{layout[0]}-groups", spatial, a, grouped, layout=layout, groups=2, padding="same")
            depthwise = placed((8, 1, *k[2:]), spatial, n, 1)
            case(f"{d}-{layout[0]}-depthwise", spatial, a, depthwise, layout=layout, groups=4, stride=[2] * spatial, padding=[[1, 1]] * spatial)
            batch = placed((4, *i[1:]), spatial, n, 0)
            case(f"{d}-{layout[0]}-batchGroups", spatial, batch, b, layout=layout, batchGroups=2, padding=[[1, 0]] * spatial)
            case(f"{d}-{layout[0]}-transpose", spatial, a, placed((4, 3, *k[2:]), spatial, n, 1), transpose=True, layout=layout, stride=[2, 3, 1][:spatial], padding=[[1, 0]] * spatial)
        for padding in ("same", "sameLower", "valid"):
            for stride in (1, 2, 3):
                case(f"{d}-{padding}-{stride}", spatial, i, k, padding=padding, stride=[stride] * spatial)
        case(f"{d}-cut", spatial, i, k, padding=[[-1, 0], [1, -1], [-1, -1]][:spatial])
        case(f"{d}-unit-window", spatial, i, (5, 4, *[1] * spatial), stride=[2] * spatial)
        case(f"{d}-whole-window", spatial, i, (3, 4, *i[2:]))
        case(f"{d}-too-wide", spatial, i, (3, 4, *[e + 1 for e in i[2:]]))
        case(f"{d}-no-images", spatial, (0, *i[1:]), k)
        case(f"{d}-i32", spatial, i, k, dtype="i32", stride=[2] * spatial, padding="same")
        case(f"{d}-transpose-plain", spatial, i, (4, 3, *k[2:]), transpose=True)
        case(f"{d}-transpose-extra", spatial, i, (4, 3, *k[2:]), transpose=True, stride=[3] * spatial, outputPadding=[2, 1, 2][:spatial], padding=[[1, 1]] * spatial)
        case(f"{d}-transpose-groups", spatial, i, (4, 3, *k[2:]), transpose=True, groups=2, stride=[2] * spatial, dilation=[2] * spatial)
        for stride in (1, 2, 4):
            case(f"{d}-transpose-same-{stride}", spatial, i, (4, 3, *k[2:]), transpose=True, padding="same", stride=[stride] * spatial)
    case("no-features", 1, (2, 0, 5), (3, 0, 2))
    case("points", 0, (3, 4), (2, 4))
    case("many-features", 2, (2, 17, 7, 7), (36, 17, 3, 3), padding="same")
    case("last-features", 2, (1, 10, 9, 16), (3, 3, 16, 36), padding="same", layout=["NHWC", "HWIO", "NHWC"])
    case("long", 1, (1, 1, 2000), (1, 1, 701), padding="same")
    case("one-feature", 2, (2, 1, 20, 20), (5, 1, 5, 5), stride=[2, 2])

    pools = [
        ("1d", (2, 3, 9), (3,), {}),
        ("1d-overlap", (2, 3, 9), (4,), {"stride": [2]}),
        ("1d-gap", (2, 3, 9), (2,), {"stride": [3]}),
        ("1d-dilated", (2, 3, 11), (3,), {"stride": [1], "dilation": [3]}),
        ("1d-padded", (2, 3, 9), (3,), {"stride": [2], "padding": [[1, 1]]}),
        ("2d", (2, 3, 6, 8), (2, 2), {}),
        ("2d-overlap", (2, 3, 7, 8), (3, 3), {"stride": [2, 2], "padding": [[1, 1], [1, 1]]}),
        ("2d-uneven", (1, 2, 7, 9), (3, 2), {"stride": [1, 3], "padding": [[0, 2], [1, 0]]}),
        ("2d-same", (1, 2, 7, 9), (3, 4), {"stride": [2, 2], "padding": "same"}),
        ("2d-sameLower", (1, 2, 7, 9), (4, 3), {"stride": [2, 2], "padding": "sameLower"}),
        ("2d-ceil", (1, 2, 7, 9), (2, 4), {"stride": [2, 3], "ceil": True, "padding": [[1, 0], [1, 2]]}),
        ("2d-ceil-beyond", (1, 1, 4, 5), (2, 2), {"stride": [3, 3], "ceil": True}),
        ("2d-cut", (1, 2, 7, 9), (2, 2), {"padding": [[-1, 0], [0, -2]]}),
        ("3d", (1, 2, 4, 5, 6), (2, 2, 3), {}),
        ("3d-overlap", (1, 2, 5, 5, 6), (3, 2, 3), {"stride": [2, 1, 2], "dilation": [1, 2, 1], "padding": [[1, 1], [0, 0], [1, 0]]}),
        ("all-axes", (4, 6), (2, 3), {"stride": [1, 2]}),
        ("one", (5,), (1,), {}),
        ("no-lines", (0, 9), (3,), {}),
        ("wide", (2, 140), (70,), {"stride": [7]}),
    ]
    for name, shape, size, given in pools:
        attrs = windows(size, **given)
        x = normals("windows" + name, shape)
        for reduction, (reduce, initial) in REDUCTIONS.items():
            if initial is None:
                initial = -np.inf if reduction == "max" else np.inf
            expected = over_windows(x.reference, attrs, lambda seen, axes, _: reduce(seen, axis=axes, initial=initial))
            many = int(np.prod(size))
            bound = None if reduction in ("max", "min") else (4 * EPS * many, 4 * EPS * many)
            group.add(f"reduceWindow-{name}-{reduction}", "reduceWindow", [x], expected, "f32", {"reduction": reduction, **attrs}, bound)
        for count in (True, False):
            divisor = lambda seen, axes, within: np.prod(size) if count and not attrs["ceil"] else (within if count else np.prod([seen.shape[a] for a in axes]))
            with np.errstate(all="ignore"):
                expected = over_windows(x.reference, attrs, lambda seen, axes, within: np.sum(seen, axis=axes) / divisor(seen, axes, within))
            label = "counted" if count else "without"
            group.add(f"averageWindow-{name}-{label}", "averageWindow", [x], expected, "f32", {"countPadding": count, **attrs}, (8 * EPS, 8 * EPS))
    for dtype in ("i32", "u32"):
        x = integers("windows" + dtype, (3, 8), 0, 9, dtype)
        for reduction, (reduce, initial) in REDUCTIONS.items():
            attrs = windows((3,), stride=[2])
            expected = over_windows(x.reference.astype(np.int64), attrs, lambda seen, axes, _: reduce(seen, axis=axes))
            group.add(f"reduceWindow-{dtype}-{reduction}", "reduceWindow", [x], expected, dtype, {"reduction": reduction, **attrs})
    x = bools("windowsbool", (3, 8))
    for reduction in ("max", "min"):
        expected = over_windows(x.reference, windows((3,), stride=[2]), lambda seen, axes, _: REDUCTIONS[reduction][0](seen, axis=axes))
        group.add(f"reduceWindow-bool-{reduction}", "reduceWindow", [x], expected, "bool", {"reduction": reduction, **windows((3,), stride=[2])})
    return group
