"""Gradients of convolutions and of reductions of windows, as in `gradients`; those of gradients
too."""

from ..format import normals
from ..transforms.gradients import Cases
from .windows import LAYOUTS, conv, conv_transpose, convolution, transposed, windows


def reductions(jax, jnp):
    """Each window reduced, in JAX: elements are gathered, since JAX differentiates no maxima of windows with gaps."""
    kinds = {"sum": (0.0, jnp.sum), "prod": (1.0, jnp.prod), "max": (-jnp.inf, jnp.max), "min": (jnp.inf, jnp.min)}

    def reduce_window(x, reduction, window, stride, padding, dilation, ceil):
        rest = x.ndim - len(window)
        initial, combine = kinds[reduction]
        x = jnp.pad(x, [(0, 0)] * rest + [tuple(pair) for pair in padding], constant_values=initial)
        for n, size in enumerate(window):
            # The axis becomes two: windows, and their elements, which go to the end.
            count = (x.shape[rest + n] - dilation[n] * (size - 1) - 1) // stride[n] + 1
            places = jnp.arange(count)[:, None] * stride[n] + jnp.arange(size)[None, :] * dilation[n]
            x = jnp.moveaxis(jnp.take(x, places, axis=rest + n), rest + n + 1, -1)
        return combine(x, axis=tuple(range(x.ndim - len(window), x.ndim)))

    def average_window(x, countPadding, **attrs):
        ones = jnp.ones_like(x)
        count = reduce_window(ones, "sum", **attrs)
        size = 1.0
        for extent in attrs["window"]:
            size *= extent
        return reduce_window(x, "sum", **attrs) / (size if countPadding else count)

    return {"reduceWindow": reduce_window, "averageWindow": average_window}


def cases():
    import jax
    import jax.numpy as jnp

    with jax.enable_x64(True):
        c = Cases()
        c.functions = {"conv": conv, "convTranspose": conv_transpose, **reductions(jax, jnp)}
        convolutions(c)
        pools(c)
        return c.group


def convolutions(c):
    def case(name, spatial, input, kernel, transpose=False, order=1, **given):
        op = "convTranspose" if transpose else "conv"
        attrs = (transposed if transpose else convolution)(spatial, **given)
        inputs = [normals(f"{op}{name}x", input), normals(f"{op}{name}w", kernel)]
        c.add(name, op, inputs, attrs, order=order, slack=32)

    case("1d", 1, (2, 2, 6), (3, 2, 3))
    case("1d-stride", 1, (2, 2, 7), (3, 2, 3), stride=[2], padding=[[1, 2]])
    case("1d-left-over", 1, (1, 1, 8), (1, 1, 2), stride=[3])
    case("1d-dilated", 1, (2, 2, 7), (3, 2, 3), dilation=[2], inputDilation=[2], padding=[[0, 1]])
    case("1d-same", 1, (2, 2, 7), (3, 2, 4), stride=[2], padding="same")
    case("1d-cut", 1, (2, 2, 7), (3, 2, 3), padding=[[-1, -2]])
    case("1d-groups", 1, (2, 4, 5), (6, 2, 3), groups=2, stride=[2], padding=[[1, 1]])
    case("1d-depthwise", 1, (2, 3, 5), (6, 1, 3), groups=3, padding=[[1, 1]])
    case("1d-batchGroups", 1, (4, 2, 5), (6, 2, 3), batchGroups=2, padding=[[1, 0]])
    case("2d", 2, (2, 2, 4, 5), (3, 2, 3, 2), padding=[[1, 1], [0, 1]])
    case("2d-stride", 2, (1, 2, 5, 6), (2, 2, 3, 3), stride=[2, 2], padding=[[1, 1], [1, 1]])
    case("2d-last", 2, (2, 4, 5, 2), (3, 3, 2, 3), layout=list(LAYOUTS[2][1]), padding="same")
    case("2d-last-depthwise", 2, (1, 4, 5, 3), (3, 3, 1, 3), layout=list(LAYOUTS[2][1]), groups=3, stride=[2, 1], padding="same")
    case("2d-mixed", 2, (4, 2, 5, 2), (2, 3, 2, 2), layout=["HCWN", "IHOW", "WNCH"], dilation=[1, 2])
    case("2d-unit", 2, (2, 3, 4, 4), (2, 3, 1, 1), stride=[2, 2])
    case("2d-deep", 2, (2, 16, 12, 12), (18, 16, 3, 3), padding="same")
    case("3d", 3, (1, 2, 3, 4, 3), (2, 2, 2, 3, 2), stride=[1, 2, 1], padding=[[0, 1], [1, 1], [0, 0]])
    case("points", 0, (3, 4), (2, 4))
    case("1d-twice", 1, (2, 2, 6), (3, 2, 3), order=2, stride=[2])
    case("2d-twice", 2, (1, 2, 4, 4), (2, 2, 2, 2), order=2, padding="same")
    case("1d-transpose", 1, (2, 2, 4), (2, 3, 3), transpose=True, stride=[2], padding=[[1, 0]])
    case("1d-transpose-groups", 1, (2, 4, 4), (4, 3, 3), transpose=True, groups=2, stride=[2], outputPadding=[1])
    case("2d-transpose", 2, (1, 2, 3, 4), (2, 3, 2, 3), transpose=True, stride=[2, 3], dilation=[2, 1])
    case("2d-transpose-same", 2, (1, 2, 3, 4), (2, 3, 2, 3), transpose=True, stride=[2, 1], padding="same")


def pools(c):
    cases = [
        ("1d", (2, 6), (3,), {}),
        ("1d-left-over", (2, 8), (3,), {}),
        ("1d-gap", (2, 9), (2,), {"stride": [3]}),
        ("1d-overlap", (2, 7), (3,), {"stride": [1]}),
        ("1d-dilated", (2, 9), (3,), {"stride": [2], "dilation": [2]}),
        ("1d-padded", (2, 7), (4,), {"stride": [2], "padding": [[2, 1]]}),
        ("2d", (2, 4, 6), (2, 2), {}),
        ("2d-overlap", (1, 5, 6), (3, 3), {"stride": [2, 2], "padding": [[1, 1], [1, 1]]}),
        ("2d-uneven", (1, 5, 6), (2, 3), {"stride": [1, 3], "padding": [[0, 1], [0, 0]]}),
        ("2d-large", (1, 12, 12), (5, 5), {"stride": [1, 1], "padding": [[2, 2], [2, 2]]}),
        ("3d", (1, 4, 4, 3), (2, 2, 2), {"stride": [2, 1, 1]}),
    ]
    for name, shape, size, given in cases:
        attrs = windows(size, **given)
        x = normals("slopes" + name, shape)
        for reduction in ("sum", "max", "min"):
            c.add(f"{name}-{reduction}", "reduceWindow", [x], {"reduction": reduction, **attrs}, slack=32)
        for count in (True, False):
            label = "counted" if count else "without"
            c.add(f"{name}-{label}", "averageWindow", [x], {"countPadding": count, **attrs}, slack=32)
    c.add("twice", "reduceWindow", [normals("slopestwice", (2, 5))], {"reduction": "prod", **windows((2,), stride=[1])}, order=2, slack=32)
