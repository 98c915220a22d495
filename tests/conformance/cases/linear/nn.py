"""Functions of neural networks: softmax, logSoftmax, crossEntropy (activations are in `unary`)."""

import math

import numpy as np

from ..format import EPS, TINY, Group, Tensor, brief, integers, normals

SHAPES = [
    ((1,), 0),
    ((7,), -1),
    ((3, 5), 1),
    ((3, 5), 0),
    ((2, 3, 4), 1),
    ((2, 1, 2, 3, 2), 3),
    ((3, 130), -1),
    ((33, 7), 0),
    ((5, 1), 1),
    ((0, 3), 1),
    ((3, 0), 0),
]


def log_softmax(x, axis):
    m = np.max(x, axis=axis, keepdims=True, initial=-math.inf)
    shifted = x - m
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))


def softmax(x, axis):
    m = np.max(x, axis=axis, keepdims=True, initial=-math.inf)
    e = np.exp(x - m)
    return e / np.sum(e, axis=axis, keepdims=True)


def spread(x):
    """How far apart values are: the rounding of x - max is this much of an ulp of 1."""
    x = x[np.isfinite(x)]
    return float(x.max() - x.min()) if x.size else 0.0


def cases():
    group = Group()

    def case(name, x, axis):
        reference = x.reference
        n = max(int(np.prod([reference.shape[a] for a in np.atleast_1d(axis)])) if axis is not None else reference.size, 1)
        axis, given = (tuple(axis) if isinstance(axis, list) else axis), axis
        with np.errstate(all="ignore"):
            soft, log = softmax(reference, axis), log_softmax(reference, axis)
        # exp turns an absolute error into a relative one. Beyond ~87 of spread the smallest ones
        # vanish in f32 anyway.
        size = min(spread(reference), 90)
        root = math.sqrt(n)
        group.add(f"softmax-{name}", "softmax", [x], soft, attrs={"axis": given}, tolerance=(TINY, EPS * (8 + size + root)))
        absolute = EPS * (8 + np.log(n) + root)
        group.add(f"logSoftmax-{name}", "logSoftmax", [x], log, attrs={"axis": given}, tolerance=(absolute, 2 * EPS))

    for shape, axis in SHAPES:
        name = f"{brief(shape)}-axis_{axis}"
        case(name, normals("softmax" + name, shape, 2), axis)
    for axis in ([0, 2], [-1, 0, 1], [1], None):
        case(f"2x3x5-axes_{axis}", normals("softmax-axes", (2, 3, 5), 2), axis)
    case("large-logits", Tensor([[1000, 1001, 999], [-1000, -1000, -1002], [80, -80, 0], [3e38, 0, -3e38]]), 1)
    case("equal-logits", Tensor(np.full((2, 65), 0.1)), 1)
    inf, nan = math.inf, math.nan
    case("masked-by-minus-infinity", Tensor([[1, -inf, 2], [-inf, 0, -inf]]), 1)
    case("special-values", Tensor([[1, nan, 2], [-inf, -inf, -inf], [inf, 0, 1], [1, 2, 3]]), 1)

    def cross_entropy(name, x, classes):
        log = log_softmax(x.reference, 1)
        picked = log[np.arange(len(log)), classes.values]
        n, c = log.shape
        absolute = EPS * (8 + np.log(c) + math.sqrt(c) + math.sqrt(n) * np.mean(np.abs(picked)))
        group.add(f"crossEntropy-{name}", "crossEntropy", [x, classes], -np.mean(picked), tolerance=(absolute, 2 * EPS))

    for n, c in [(1, 1), (1, 7), (3, 5), (17, 10), (7, 130), (65, 3)]:
        name = f"{n}x{c}"
        cross_entropy(name, normals("crossEntropy" + name, (n, c), 2), integers("classes" + name, (n,), 0, c - 1))
    def some(name, x, classes, ignored=None, smoothing=0.0):
        """As PyTorch has it: the mean of the rows that count, against targets of which a share lies on all classes."""
        log = log_softmax(x.reference, -1)
        if classes.dtype == "f32":
            wanted = classes.reference * (1 - smoothing) + smoothing / log.shape[-1]
            rows = -np.sum(wanted * log, -1)
        else:
            counts = np.ones(classes.values.shape, bool) if ignored is None else classes.values != ignored
            one = np.take_along_axis(log, np.where(counts, classes.values, 0)[..., None].astype(int), -1)[..., 0]
            rows = -(one * (1 - smoothing) + np.mean(log, -1) * smoothing)[counts]
        attrs = {} if ignored is None else {"ignoreIndex": ignored}
        expected = np.mean(rows) if rows.size else math.nan
        group.add(f"crossEntropy-{name}", "crossEntropy", [x, classes], expected, attrs={**attrs, "labelSmoothing": smoothing}, tolerance=(32 * EPS * 8, 4 * EPS))

    x = normals("crossEntropy-some", (5, 4), 2)
    some("ignored", x, Tensor([3, -100, 0, 2, -100], "i32"), -100)
    some("ignored-class", x, Tensor([3, 1, 0, 1, 2], "u32"), 1)
    some("all-ignored", x, Tensor([1, 1, 1, 1, 1], "i32"), 1)
    some("smoothed", x, Tensor([3, 1, 0, 1, 2], "i32"), smoothing=0.1)
    some("smoothed-and-ignored", x, Tensor([3, -1, 0, -1, 2], "i32"), -1, 0.25)
    some("batch-smoothed", normals("crossEntropy-batch", (2, 3, 4), 2), Tensor([[3, 1, 0], [0, 0, 2]], "i32"), 0, 0.1)
    some("chances-smoothed", x, Tensor(np.full((5, 4), 0.25) + np.array([0.25, -0.25, 0, 0])), smoothing=0.2)
    cross_entropy("large-logits", Tensor([[1000, 0, -1000], [0, 1000, 999]]), Tensor([2, 2], "i32"))
    cross_entropy("u32-targets", normals("crossEntropy-u32", (3, 4)), Tensor([3, 0, 2], "u32"))
    for name, shape, other in [("7", (7,), (7,)), ("3x5", (3, 5), (3, 5)), ("3x5-with-5", (3, 5), (5,)), ("0d", (), ()), ("17x10", (17, 10), (17, 1))]:
        x, target = normals("mseLoss-x" + name, shape, 2), normals("mseLoss-target" + name, other, 2)
        squares = (x.reference - target.reference) ** 2
        bound = EPS * (2 + math.sqrt(squares.size)) * float(np.mean(squares)) + EPS * EPS
        group.add(f"mseLoss-{name}", "mseLoss", [x, target], np.mean(squares), tolerance=(bound, 4 * EPS))
    return group
