"""JSON format of the cases.

The builders every group uses: tensors and plain numbers as inputs, expected values rounded from
float64 to the result's dtype, tolerances in units of float32's epsilon, and one line of JSON per
case. `README.md` beside `generate.py` documents the format.
"""

import json
import zlib

import numpy as np

EPS = 2.0**-23
"""Distance from 1 to the next float32: one ulp, relative, at most."""

TINY = 2.0**-126
"""Smallest normal float32. Results below it may be flushed to zero, so it is the absolute floor of elementwise bounds."""

NUMPY_DTYPES = {"f32": np.float32, "i32": np.int32, "u32": np.uint32, "bool": np.bool_}


class Tensor:
    """A tensor input: values held exactly in `dtype`."""

    def __init__(self, values, dtype="f32", shape=None):
        values = np.asarray(values)
        if dtype in ("i32", "u32"):
            values = values.astype(np.int64).astype(NUMPY_DTYPES[dtype])
        else:
            with np.errstate(over="ignore"):
                values = values.astype(NUMPY_DTYPES[dtype])
        self.dtype = dtype
        self.values = values if shape is None else values.reshape(shape)

    @property
    def reference(self):
        """The values to compute the expected result from: float64 for f32, else the exact dtype."""
        return self.values.astype(np.float64) if self.dtype == "f32" else self.values

    def to_json(self):
        return {"shape": list(self.values.shape), "dtype": self.dtype, "data": scalars(self.values)}


class Number:
    """A plain number input, the only kind that is weak in dtype promotion."""

    def __init__(self, value):
        self.value = value

    @property
    def reference(self):
        return self.value

    def to_json(self):
        return {"number": scalars(np.float64(self.value))[0]}


class Group:
    """The cases of one file. Names are unique; each case draws from a generator seeded by its own name, so that adding a case
    leaves the others as they were."""

    def __init__(self):
        self.cases = []
        self.names = set()

    def add(self, name, op, inputs, expected, dtype="f32", attrs=None, tolerance=None):
        """Adds a case. `expected` is in float64 (or exact), rounded here to `dtype`; `tolerance` is (abs, rel), None for exact."""
        expected = Tensor(expected, dtype)
        self.append(name, op, inputs, attrs, expected=expected.to_json(), tolerance=tolerance_json(tolerance))

    def append(self, name, op, inputs, attrs, **rest):
        if name in self.names:
            raise ValueError(f"two cases are named {name}")
        self.names.add(name)
        self.cases.append(
            {
                "name": name,
                "op": op,
                "inputs": [i if isinstance(i, dict) else i.to_json() for i in inputs],
                "attrs": attrs or {},
                **rest,
            }
        )

    def text(self):
        return lines(self.cases)


def lines(cases):
    """A JSON array, one case per line: compact, and a diff shows which case changed."""
    rows = [json.dumps(case, separators=(",", ":"), ensure_ascii=True, allow_nan=False) for case in cases]
    return "[\n" + ",\n".join(rows) + "\n]\n"


def tolerance_json(tolerance):
    absolute, relative = tolerance or (0, 0)
    return {"abs": three_digits(absolute), "rel": three_digits(relative)}


def three_digits(x):
    x = float(f"{float(x):.3g}")
    return int(x) if x == int(x) else x


def scalars(values):
    """Row-major JSON scalars. Whole floats are written exactly, others as the shortest decimal that rounds back to them;
    non-finite ones and -0 are strings."""
    values = np.asarray(values)
    if values.dtype == np.bool_:
        return [bool(v) for v in values.ravel()]
    if values.dtype.kind in "iu":
        return [int(v) for v in values.ravel()]
    return [float_scalar(v) for v in values.ravel()]


def float_scalar(v):
    if np.isnan(v):
        return "nan"
    if np.isinf(v):
        return "inf" if v > 0 else "-inf"
    if v == 0:
        return "-0" if np.signbit(v) else 0
    if v == int(v) and abs(v) < 2**53:
        return int(v)
    short = float(np.format_float_scientific(v, unique=True, trim="-"))
    if np.asarray(v).dtype.type(short) != v:
        raise ValueError(f"{short} does not round back to {v!r}")
    return short


def rng(name):
    """A generator for one case. NumPy keeps RandomState's streams frozen, so the values outlive NumPy versions."""
    return np.random.RandomState(zlib.crc32(name.encode()))


def normals(name, shape, scale=1.0, digits=3):
    """Normal values with a few decimal digits each: short in JSON, unremarkable in binary."""
    return Tensor(np.round(rng(name).standard_normal(shape) * scale, digits))


def uniforms(name, shape, low, high, digits=3):
    return Tensor(np.round(rng(name).uniform(low, high, shape), digits))


def integers(name, shape, low, high, dtype="i32"):
    """Integers from `low` to `high`, both included."""
    return Tensor(rng(name).randint(low, high + 1, shape, dtype=np.int64), dtype)


def bools(name, shape):
    return Tensor(rng(name).randint(0, 2, shape), "bool")


def brief(shape):
    """A shape inside a name: [2,3] is 2x3, a scalar is 0d."""
    return "x".join(str(d) for d in shape) if len(shape) else "0d"
