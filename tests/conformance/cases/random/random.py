"""Random numbers by key: JAX's, on the CPU, with `jax_threefry_partitionable` (its default).

The generator compares every bit pattern with `threefry.py`, so that the algorithm written down
is the one that ran.
"""

import json
import math

import numpy as np

from . import threefry
from ..format import EPS, Group, Tensor, lines, scalars, tolerance_json

SEEDS = [0, 1, 42, 2**32 + 5, 123456789012, -1]
SHAPES = [(), (1,), (7,), (4, 5), (1000,)]
ONE_BELOW = float(np.nextafter(np.float32(-1), np.float32(0)))
MOST = 24
"""Longer results are written as windows of this many values."""


def cases():
    import jax

    # A seed above 32 bits keeps its upper half only in 64-bit mode; nothing else here depends on
    # it, dtypes being explicit.
    with jax.enable_x64(True):
        assert jax.config.jax_threefry_partitionable
        group = Group()
        for seed in SEEDS:
            of_seed(group, jax, seed)
        ranges(group, jax)
    return group


def append(group, name, op, key, attrs, result, transcribed, tolerance=None, windows=None):
    """Adds one case, or one for each window [start, stop) of the flattened result."""
    result = np.asarray(result)
    if tolerance is None:
        np.testing.assert_array_equal(result, transcribed, err_msg=name)
    else:
        np.testing.assert_allclose(result, transcribed, rtol=tolerance[1], atol=tolerance[0], err_msg=name)
    dtype = {"u": "u32", "i": "i32", "f": "f32", "b": "bool"}[result.dtype.kind]
    for window in windows or [None]:
        expected = Tensor(result, dtype).to_json()
        label = name
        if window:
            start, stop = window
            expected["data"] = expected["data"][start:stop]
            expected["window"] = [start, stop]
            label += f"-from_{start}" if len(windows) > 1 else ""
        inputs = [] if key is None else [Tensor(key, "u32")]
        group.append(label, op, inputs, attrs, expected=expected, tolerance=tolerance_json(tolerance))


def windows_of(shape):
    n = math.prod(shape)
    return [[0, MOST]] if n > MOST else None


def of_seed(group, jax, seed):
    key = jax.random.key_data(jax.random.key(seed))
    k = [int(v) for v in key]
    name = f"seed_{seed}"
    # Seeds beyond 2⁵³ do not fit a JSON number as JavaScript reads it, so all are strings.
    append(group, f"key-{name}", "random.key", None, {"seed": str(seed)}, key, np.array(threefry.key(seed), np.uint32))
    for shape in SHAPES:
        n = "x".join(map(str, shape)) or "0d"
        attrs = {"shape": list(shape)}
        bits = jax.random.bits(key, shape, np.uint32)
        append(group, f"bits-{name}-{n}", "random.bits", key, attrs, bits, threefry.bits(k, shape), windows=windows_of(shape))
    for n in (1, 2, 5):
        append(group, f"split-{name}-{n}", "random.split", key, {"n": n}, jax.random.split(key, n), threefry.split(k, n))
    for data in (0, 1, 7, 2**31 + 3, 2**32 - 1):
        folded = jax.random.fold_in(key, np.uint32(data))
        append(group, f"fold-{name}-{data}", "random.foldIn", key, {"data": data}, folded, threefry.fold_in(k, data))
    for shape in [(), (7,), (1000,)]:
        n = "x".join(map(str, shape)) or "0d"
        attrs = {"shape": list(shape), "low": 0, "high": 1}
        uniform = jax.random.uniform(key, shape, np.float32)
        append(
            group,
            f"uniform-{name}-{n}",
            "random.uniform",
            key,
            attrs,
            uniform,
            threefry.uniform(k, shape),
            windows=windows_of(shape),
        )
    for shape in [(), (7,), (1000,)]:
        n = "x".join(map(str, shape)) or "0d"
        normal = jax.random.normal(key, shape, np.float32)
        append(group, f"normal-{name}-{n}", "random.normal", key, {"shape": list(shape)}, normal, threefry.normal(k, shape),
               tolerance=(0, 8 * EPS), windows=windows_of(shape))  # fmt: skip


def ranges(group, jax):
    k = [0, 42]
    key = np.array(k, np.uint32)
    # Past 65,536 elements: the counter is the element's index, whatever the workgroup.
    shape = (300, 257)
    far = [[0, 8], [65532, 65540], [77092, 77100]]
    append(group, "bits-300x257", "random.bits", key, {"shape": list(shape)}, jax.random.bits(key, shape, np.uint32),
           threefry.bits(k, shape), windows=far)  # fmt: skip
    append(group, "bits-empty", "random.bits", key, {"shape": [0]}, jax.random.bits(key, (0,), np.uint32), np.zeros(0, np.uint32))
    # [-1, 1) scales by a power of two: exact. Other ranges round once or twice, with a fused
    # multiply-add or without.
    for low, high in [(-1, 1), (ONE_BELOW, 1), (0, 8), (-3.5, 12.25), (100, 100.5), (2, 2)]:
        low32, high32 = float(np.float32(low)), float(np.float32(high))
        exact = low in (-1, ONE_BELOW, 0, 2)
        tolerance = None if exact else (EPS * max(abs(low), abs(high)), 0)
        attrs = {"shape": [17], "low": scalars(np.float32(low))[0], "high": scalars(np.float32(high))[0]}
        append(group, f"uniform-{attrs['low']}-to-{attrs['high']}", "random.uniform", key, attrs,
               jax.random.uniform(key, (17,), np.float32, np.float32(low32), np.float32(high32)),
               threefry.uniform(k, (17,), low32, high32), tolerance)  # fmt: skip
    for p in (0, 0.1, 0.5, 0.9, 1):
        append(group, f"bernoulli-{p}", "random.bernoulli", key, {"shape": [65], "p": p},
               jax.random.bernoulli(key, np.float32(p), (65,)), threefry.bernoulli(k, p, (65,)))  # fmt: skip
    full = (-(2**31), 2**31 - 1)
    for low, high in [(0, 10), (0, 1), (0, 256), (-5, 6), (0, 1000003), (0, 2**31 - 1), full, (-(2**31), 2**31), (0, 65536), (0, 65537), (5, 5), (5, 2)]:
        own = threefry.randint(k, (17,), low, high)
        # Over wide spans JAX's are biased.
        theirs = jax.random.randint(key, (17,), np.int32(low), np.int32(high), np.int32) if high - low <= 65536 else own
        append(group, f"randint-{low}-to-{high}", "random.randint", key, {"shape": [17], "low": low, "high": high}, theirs, own)
    # The farthest of 20,000, where erf_inv multiplies the rounding of x·x (see README).
    far_out = jax.random.normal(key, (20000,), np.float32)
    at = int(np.argmax(np.abs(far_out)))
    append(group, "normal-tail", "random.normal", key, {"shape": [20000]}, far_out, threefry.normal(k, (20000,)), (0, 64 * EPS),
           [[at - 1, at + 2]])  # fmt: skip
    # Keys derived from keys, as programs do.
    a, b = threefry.split(k, 2)
    normal = jax.random.normal(b, (3, 5), np.float32)
    append(group, "normal-of-a-split-key", "random.normal", b, {"shape": [3, 5]}, normal, threefry.normal(b, (3, 5)), (0, 8 * EPS))
    append(
        group,
        "bits-of-a-split-key",
        "random.bits",
        a,
        {"shape": [2, 2]},
        jax.random.bits(a, (2, 2), np.uint32),
        threefry.bits(a, (2, 2)),
    )


def check_without_jax(path):
    """Recomputes the committed cases by `threefry.py` alone."""
    text = path.read_text()
    committed = json.loads(text)
    assert lines(committed) == text, f"{path.name} is not as it was written"
    for case in committed:
        attrs = case["attrs"]
        k = case["inputs"][0]["data"] if case["inputs"] else None
        shape = tuple(attrs.get("shape", ()))
        result = {
            "random.key": lambda: np.array(threefry.key(int(attrs["seed"])), np.uint32),
            "random.bits": lambda: threefry.bits(k, shape),
            "random.split": lambda: threefry.split(k, attrs["n"]),
            "random.foldIn": lambda: threefry.fold_in(k, attrs["data"]),
            "random.uniform": lambda: threefry.uniform(k, shape, attrs["low"], attrs["high"]),
            "random.normal": lambda: threefry.normal(k, shape),
            "random.bernoulli": lambda: threefry.bernoulli(k, attrs["p"], shape),
            "random.randint": lambda: threefry.randint(k, shape, attrs["low"], attrs["high"]),
        }[case["op"]]()
        expected = case["expected"]
        assert list(result.shape) == expected["shape"], case["name"]
        start, stop = expected.get("window", (0, result.size))
        values = np.array(expected["data"], np.float64)
        tolerance = case["tolerance"]
        np.testing.assert_allclose(result.ravel()[start:stop].astype(np.float64), values.astype(result.dtype).astype(np.float64),
                                   rtol=tolerance["rel"], atol=tolerance["abs"], err_msg=case["name"])  # fmt: skip
