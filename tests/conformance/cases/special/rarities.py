"""Rarely used functions: slopes of samples, parts whose starts are computed, Kaiser's window,
leading zeros, exclusive ors, integrals of what oscillates, weights of four bits, powers of
matrices, sliding windows, bits in bytes, resized images, block matrices, distances, places
between elements, and ranks. NumPy, SciPy and JAX in float64 compute the values; JAX their
derivatives."""

import math

import numpy as np
import scipy.linalg as sl
import scipy.special as sp
from scipy.spatial.distance import pdist
from scipy.stats import rankdata

from ..format import EPS, Tensor, bools, integers, normals, uniforms
from .formulas import losses, numbers, pieces, polynomials
from ..linear.linalg import Cases, one, several
from ..program import Builder


class Known(Cases):
    """Cases whose results NumPy says, of any dtype."""

    def says(self, name, build, inputs, expected, tolerance=0.0):
        main = Builder(0, len(inputs))
        gives = build(main, *main.parameters)
        kinds = {"f": "f32", "i": "i32", "u": "u32", "b": "bool"}
        found = [Tensor(y, kinds[np.asarray(y).dtype.kind]).to_json() for y in expected]
        made = {"name": name, "inputs": [x.to_json() for x in inputs], "main": [len(inputs), main.steps, list(gives)], "expected": found, "tolerance": float(f"{tolerance:.2g}")}
        self.keep(name, made)


def slopes(cases):
    for shape, axis in [((9,), 0), ((2,), -1), ((4, 5), 0), ((4, 5), -1), ((2, 3, 4), 1), ((0, 3), 1)]:
        x = normals(f"gradient{shape}", shape)
        cases.says(f"gradient-{shape}-{axis}", lambda b, x: [b("gradient", x, [0.5], axis=axis)], [x], [np.gradient(x.reference, 0.5, axis=axis)], 32 * EPS)
    places = Tensor([0, 0.5, 0.75, 2, 2.5])
    for shape, axis in [((5,), 0), ((5, 3), 0), ((2, 5), 1)]:
        x = normals(f"gradient-places{shape}", shape)
        cases.says(f"gradient-places-{shape}", one("gradient", axis=axis), [x, places], [np.gradient(x.reference, places.reference, axis=axis)], 64 * EPS)
    cases.derived("gradient", lambda b, x, h: [b("gradient", x, h, axis=0)], normals("gradient", (6, 2)), Tensor([0, 0.5, 0.75, 2, 2.5, 4]))


def moving(cases):
    x, ends = normals("moving", (4, 5)), (4, 5)
    for starts, sizes in [((1, 2), (2, 3)), ((3, 4), (2, 2)), ((-1, -5), (1, 5)), ((9, -9), (3, 1)), ((0, 0), (4, 5)), ((1, 1), (0, 2))]:
        begins = [min(max(start + end if start < 0 else start, 0), end - size) for start, size, end in zip(starts, sizes, ends)]
        place = tuple(slice(begin, begin + size) for begin, size in zip(begins, sizes))
        first = Tensor(starts[0], "i32")
        cases.says(f"dynamicSlice-{starts}-{sizes}", lambda b, x, i: [b("dynamicSlice", x, i, [starts[1]], sizes=list(sizes))], [x, first], [x.reference[place]])
        update = normals(f"moving-update{sizes}", sizes)
        whole = x.reference.copy()
        whole[place] = update.reference
        cases.says(f"dynamicUpdateSlice-{starts}-{sizes}", lambda b, x, y, i: [b("dynamicUpdateSlice", x, y, i, [starts[1]])], [x, update, first], [whole])


def bits(cases):
    u = Tensor([0, 1, 2, 3, 255, 256, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1, 12345678], "u32")
    zeros = [32 - int(v).bit_length() for v in u.values]
    cases.says("clz-u32", one("clz"), [u], [np.array(zeros, np.uint32)])
    i = Tensor([0, 1, -1, 2**31 - 1, -(2**31), 100000], "i32")
    cases.says("clz-i32", one("clz"), [i], [np.array([32 - (int(v) & 0xFFFFFFFF).bit_length() for v in i.values], np.int32)])
    # NumPy has the parity of bools, too.
    for shape, axis in [((7,), None), ((3, 5), 0), ((3, 5), [1]), ((2, 3, 4), [0, -1]), ((0, 3), 0), ((300,), 0)]:
        for dtype in ("i32", "u32", "bool"):
            x = bools(f"xor{shape}", shape) if dtype == "bool" else integers(f"xor{shape}{dtype}", shape, 0 if dtype == "u32" else -(2**31), 2**31 - 1, dtype)
            along = tuple(axis) if isinstance(axis, list) else axis
            for keepdims in (False, True):
                reduce = np.logical_xor if dtype == "bool" else np.bitwise_xor
                expected = x.values
                for a in sorted([range(x.values.ndim)[a] for a in (range(x.values.ndim) if along is None else np.atleast_1d(along))], reverse=True):
                    expected = reduce.reduce(expected, axis=a, keepdims=keepdims)
                cases.says(f"reduceXor-{shape}-{axis}-{dtype}-{keepdims}", one("reduceXor", axis=axis, keepdims=keepdims), [x], [np.asarray(expected)])


def windows(cases):
    for count in (0, 1, 2, 5, 16, 51):
        for beta in (0, 1.5, 8.6, 14, 200):
            cases.says(f"kaiser-{count}-{beta}", one("kaiser", count=count, beta=beta), [], [sp.i0e(beta * np.sqrt(1 - np.linspace(-1, 1, count) ** 2)) / sp.i0e(beta) * np.exp(beta * (np.sqrt(1 - np.linspace(-1, 1, count) ** 2) - 1)) if count > 1 else np.ones(count)], 2e-6 + EPS * beta)


def oscillating(cases):
    for name, f, bound in [("sici", sp.sici, 2e-6), ("fresnel", sp.fresnel, 1e-6)]:
        op = several(f"special.{name}", 2)
        for shape, low, high in [((40,), 0.05, 4), ((40,), 3, 30), ((5, 7), -9, 9), ((), 1, 2), ((0, 3), 0, 1)]:
            x = uniforms(f"{name}{shape}{low}", shape, low, high)
            cases.says(f"{name}-{shape}-{low}-{high}", op, [x], f(x.reference), bound)
        probes = [1e-20, 1e-4, 1.59, 1.61, 3.99, 4, 4.01, -4.01, 100.25, 1234.5, -5000, 20000]
        x = Tensor(probes)
        cases.says(f"{name}-probes", op, [x], f(x.reference), bound)
        x = Tensor([0, math.nan])
        cases.says(f"{name}-special-values", op, [x], f(x.reference), bound)
        x = Tensor([math.inf, 1e30])
        cases.says(f"{name}-far", op, [x], f(x.reference), bound)
        cases.derived(name, op, uniforms(f"{name}-derived", (6,), 0.3, 3.5))
        cases.derived(f"{name}-beyond", op, uniforms(f"{name}-beyond", (6,), 4.5, 8))


def packed(w, group):
    """What `quantize4` makes, and the weights that this stands for."""
    w = w.astype(np.float32)
    *outer, rows, columns = w.shape
    grouped = w.reshape(*outer, rows // group, group, columns)
    scales = np.abs(grouped).max(-2, initial=0).astype(np.float32) / np.float32(7)
    numbers = np.clip(np.round(grouped / np.where(scales == 0, 1, scales)[..., None, :]), -7, 7)
    lanes = (numbers + 8).astype(np.uint32).reshape(*outer, rows // 8, 8, columns)
    words = (lanes << (4 * np.arange(8, dtype=np.uint32))[:, None]).sum(-2, dtype=np.uint32)
    return words, scales, (numbers * scales[..., None, :].astype(float)).reshape(w.shape)


def untied(w, group):
    """Has no element lie halfway between two numbers, where the last bit of a scale decides."""
    grouped = w.reshape(*w.shape[:-2], -1, group, w.shape[-1]) if w.size else w[None]
    off = grouped / np.maximum(np.abs(grouped).max(-2, keepdims=True, initial=0), 1e-9) * 7
    grouped[np.abs(off - np.floor(off) - 0.5) < 1e-3] = 0


def weights(cases):
    for shape, group in [((8, 1), 8), ((32, 3), 32), ((64, 5), 16), ((96, 9), 32), ((2, 16, 4), 8), ((0, 3), 8), ((8, 0), 8), ((128, 17), 64)]:
        w = normals(f"weights{shape}", shape, digits=2)
        if w.values.size > 20:
            w.values[..., :8, :1] = 0  # A group of zeros.
        untied(w.values, group)
        words, scales, full = packed(w.values, group)
        label = f"{shape}-{group}"
        kept = [Tensor(words, "u32"), Tensor(scales)]
        cases.says(f"quantize4-{label}", several("quantize4", 2, group=group), [w], [words, scales.astype(float)], EPS)
        cases.says(f"dequantize4-{label}", one("dequantize4"), kept, [full], 2 * EPS)
        if len(shape) == 2:
            for rows in (1, 3, 40):
                x = normals(f"activations{shape}{rows}", (rows, shape[0]))
                cases.says(f"matmul4-{label}-{rows}", one("matmul4"), [x, *kept], [x.reference @ full], 64 * EPS)
    words, scales, full = packed(normals("stack", (2, 32, 6), digits=2).values, 16)
    x = normals("activations", (2, 5, 32))
    kept = [Tensor(words, "u32"), Tensor(scales)]
    cases.says("matmul4-stack", one("matmul4"), [x, *kept], [x.reference @ full], 64 * EPS)
    vector = normals("vector", (32,))
    cases.says("matmul4-vector", one("matmul4"), [vector, *kept], [vector.reference @ full], 64 * EPS)


def matrices(cases):
    for count in (1, 2, 5):
        for times in (0, 1, 2, 3, 7, -1, -3):
            # Far from singular, so that its inverse is what rounding leaves alone.
            x = Tensor(normals(f"powers{count}", (3, count, count)).values * 0.2 + np.eye(count))
            cases.says(f"matrixPower-{count}-{times}", one("linalg.matrixPower", times=times), [x], [np.linalg.matrix_power(x.reference, times)], 512 * EPS)


def sliding(cases):
    for shape, window, axis in [((7,), [3], None), ((5,), [5], 0), ((4, 6), [2, 3], None), ((4, 6), [3], 1), ((4, 6), [3], [0]), ((3, 4, 5), [2, 2], [0, -1]), ((6,), [2, 3], [0, 0]), ((0, 4), [2], 1)]:
        x = normals(f"windows{shape}", shape)
        expected = np.lib.stride_tricks.sliding_window_view(x.reference, window, axis=tuple(axis) if isinstance(axis, list) else axis)
        cases.says(f"slidingWindowView-{shape}-{window}-{axis}", one("slidingWindowView", window=window, axis=axis), [x], [expected])


def packing(cases):
    for shape, axis in [((9,), None), ((16,), 0), ((3, 11), None), ((3, 11), -1), ((10, 3), 0), ((1,), 0), ((0,), 0)]:
        for order in ("big", "little"):
            x = bools(f"bits{shape}", shape)
            words = np.packbits(x.values, axis=axis, bitorder=order)
            little = order == "little"
            whole = lambda b, x: [b("cast", b("packbits", x, axis=axis, little=little), dtype="i32")]
            cases.says(f"packbits-{shape}-{axis}-{order}", whole, [x], [words.astype(np.int32)])
            for count in (None, 5, 40, -2):
                if axis is None and count is not None or words.size == 0:
                    continue
                back = np.unpackbits(words, axis=axis, count=count, bitorder=order)
                taken = lambda b, x: [b("cast", b("unpackbits", b("cast", x, dtype="u8"), axis=axis, count=count, little=little), dtype="i32")]
                cases.says(f"unpackbits-{shape}-{axis}-{count}-{order}", taken, [Tensor(words.astype(np.int32), "i32")], [back.astype(np.int32)])


def images(cases):
    for method in ("nearest", "linear", "cubic", "lanczos3", "lanczos5"):
        for antialias in (True, False):
            for shape, to in [((5,), (9,)), ((9,), (4,)), ((4, 6), (8, 3)), ((3, 4, 2), (5, 4, 2)), ((1, 3), (4, 1))]:
                x = normals(f"image{shape}", shape)
                expected = cases.jax.image.resize(x.reference, to, method, antialias=antialias)
                attrs = {"shape": list(to), "method": method, "antialias": antialias}
                cases.says(f"resizeImage-{shape}-{to}-{method}-{antialias}", one("resizeImage", **attrs), [x], [np.asarray(expected)], 64 * EPS)


def structures(cases):
    for rows, columns in [(1, 1), (4, 1), (1, 3), (3, 5), (6, 2)]:
        c, r = normals(f"toeplitz-c{rows}", (rows,)), normals(f"toeplitz-r{columns}", (columns,))
        cases.says(f"toeplitz-{rows}-{columns}", one("linalg.toeplitz"), [c, r], [sl.toeplitz(c.values, r.values)])
        cases.says(f"toeplitz-{rows}-{columns}-symmetric", one("linalg.toeplitz"), [c], [sl.toeplitz(c.values)])
    c, r = integers("toeplitz-whole", (3,), -9, 9), normals("toeplitz-mixed", (2,))
    cases.says("toeplitz-mixed", one("linalg.toeplitz"), [c, r], [sl.toeplitz(c.values.astype(float), r.values)])
    batch = normals("toeplitz-batch", (2, 3))
    cases.says("toeplitz-batch", one("linalg.toeplitz"), [batch], [np.stack([sl.toeplitz(row) for row in batch.values])])
    cases.derived("toeplitz", one("linalg.toeplitz"), normals("toeplitz-dc", (4,)), normals("toeplitz-dr", (3,)))
    for n, shapes in enumerate([[(2, 2)], [(2, 3), (1, 1)], [(3,), (), (2, 2)], [(0, 2), (2, 1)], [(1, 4), (2, 0), (3,)]]):
        blocks = [normals(f"blocks{n}{m}", shape) for m, shape in enumerate(shapes)]
        cases.says(f"blockDiag-{n}", one("linalg.blockDiag"), blocks, [sl.block_diag(*[block.values for block in blocks])])
    cases.derived("blockDiag", one("linalg.blockDiag"), normals("blocks-a", (2, 3)), normals("blocks-b", (2,)))
    for n, (shape, axes, of) in enumerate([((2, 3, 6), None, (2, 3)), ((4, 2, 2), None, (4,)), ((6, 2, 3), [0], (2, 3)), ((2, 4, 2), [0, 2], (4,))]):
        moved = [axis for axis in range(len(shape)) if axis not in (axes or [])] + (axes or [])
        there = [shape[axis] for axis in moved]
        a = normals(f"tensorsolve{n}", there).values + 3 * np.eye(int(np.prod(of))).reshape(there)
        a, b = Tensor(np.transpose(a, np.argsort(moved))), normals(f"tensorsolve-b{n}", of)
        cases.says(f"tensorsolve-{n}", one("linalg.tensorsolve", axis=axes), [a, b], [np.linalg.tensorsolve(a.reference, b.reference, axes)], 2048 * EPS)
    for shape, count in [((2, 3, 6), 2), ((4, 2, 2), 1), ((2, 2, 2, 2), 2), ((1, 1), 1)]:
        size = int(np.prod(shape[:count]))
        a = Tensor(normals(f"tensorinv{shape}", shape).values * 0.3 + 2 * np.eye(size).reshape(shape))
        cases.says(f"tensorinv-{shape}-{count}", one("linalg.tensorinv", axes=count), [a], [np.linalg.tensorinv(a.reference, count)], 512 * EPS)
    cases.derived("tensorsolve", one("linalg.tensorsolve", axis=None), Tensor(normals("tensorsolve-d", (2, 2, 4)).values + 3 * np.eye(4).reshape(2, 2, 4)), normals("tensorsolve-db", (2, 2)))


def distances(cases):
    for left, right in [((4, 3), (5, 3)), ((1, 2), (3, 2)), ((2, 4, 3), (5, 3)), ((2, 1, 2), (1, 4, 2)), ((0, 3), (2, 3)), ((2, 0), (3, 0)), ((70, 5), (65, 5))]:
        for order in (2, 1, 3, 0.5, 0, math.inf):
            a, b = normals(f"cdist{left}", left), normals(f"cdist-to{right}", right)
            apart = np.abs(a.reference[..., :, None, :] - b.reference[..., None, :, :])
            with np.errstate(all="ignore"):
                expected = (apart != 0).sum(-1).astype(float) if order == 0 else apart.max(-1, initial=0) if order == math.inf else (apart**order).sum(-1) ** (1 / order)
            cases.says(f"cdist-{left}-{right}-{order}", one("cdist", order="inf" if order == math.inf else order), [a, b], [expected], 64 * EPS)
    for count, order in [(5, 2), (4, 1), (1, 2), (0, 2), (2, 4)]:
        x = normals(f"pdist{count}", (count, 3))
        expected = pdist(x.reference, "minkowski", p=order) if count > 1 else np.zeros(0)
        cases.says(f"pdist-{count}-{order}", one("pdist", order=order), [x], [expected], 32 * EPS)
    same = Tensor([[1, 2], [1, 2], [4, 6]])
    cases.says("cdist-one-place", one("cdist", order=2), [same, same], [np.array([[0.0, 0, 5], [0, 0, 5], [5, 5, 0]])])
    for order in (2, 3):
        cases.derived(f"cdist-{order}", one("cdist", order=order), normals("cdist-da", (3, 2)), normals("cdist-db", (2, 2)))
    cases.derived("pdist", one("pdist", order=2), normals("pdist-d", (4, 3)))


def between(cases):
    for shape in [(5,), (4, 6), (2, 3, 4), (1, 3)]:
        for mode in ("constant", "nearest", "wrap", "mirror", "reflect"):
            for order in (0, 1):
                x = normals(f"between{shape}", shape)
                # Away from halves, where the last bit decides which is nearest.
                at = uniforms(f"between-at{shape}{mode}", (len(shape), 12), -3, 8)
                at.values[np.abs(at.values % 0.5) < 0.01] += 0.1
                expected = cases.jax.scipy.ndimage.map_coordinates(x.reference, list(at.reference), order, mode, 7.0)
                attrs = {"order": order, "mode": mode, "value": 7.0}
                cases.says(f"mapCoordinates-{shape}-{mode}-{order}", one("mapCoordinates", **attrs), [x, at], [np.asarray(expected)], 64 * EPS)
    x, at = integers("between-whole", (5, 4), -9, 9), uniforms("between-whole-at", (2, 3, 3), 0, 3)
    expected = cases.jax.scipy.ndimage.map_coordinates(x.values, list(at.reference), 1)
    cases.says("mapCoordinates-i32", one("mapCoordinates", order=1, mode="constant", value=0), [x, at], [np.asarray(expected, np.int32)])
    attrs = {"order": 1, "mode": "nearest", "value": 0}
    cases.derived("mapCoordinates", one("mapCoordinates", **attrs), normals("between-d", (4, 5)), uniforms("between-d-at", (2, 6), 0.1, 2.9), twice=False)


def ranks(cases):
    for method in ("average", "min", "max", "dense", "ordinal"):
        for shape, axis in [((9,), 0), ((9,), None), ((4, 7), 1), ((7, 4), 0), ((3, 4), None), ((1,), 0), ((0,), 0), ((2, 0), 1), ((5, 3, 2), -2)]:
            for dtype in ("f32", "i32"):
                x = integers(f"ranks{shape}", shape, -4, 4, dtype)
                expected = np.asarray(rankdata(x.values, method, axis=axis), float)
                # SciPy flattens its result, too.
                cases.says(f"rankData-{shape}-{axis}-{method}-{dtype}", one("rankData", method=method, axis=axis), [x], [expected.reshape(shape)])
        x = Tensor([[1, math.nan, 0], [2, math.inf, -math.inf]])
        cases.says(f"rankData-special-values-{method}", one("rankData", method=method, axis=1), [x], [np.asarray(rankdata(x.values, method, axis=1), float)])


def cases():
    import jax

    with jax.enable_x64(True):
        made = Known(jax)
        for part in (slopes, moving, bits, windows, oscillating, weights, matrices, sliding, packing, images, losses, polynomials, numbers, pieces, structures, distances, between, ranks):
            part(made)
        return made.group
