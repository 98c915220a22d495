"""Values of small floats, by their bits, as ml_dtypes 0.5.4 has them: an object of JSON on the
standard output, NaN and infinities as texts.

    python floats.py > ../../js/test/files/floats.json
"""

import json

import ml_dtypes
import numpy

TYPES = {
    "F8_E4M3": ("float8_e4m3fn", 256), "F8_E5M2": ("float8_e5m2", 256), "F8_E4M3FNUZ": ("float8_e4m3fnuz", 256), "F8_E5M2FNUZ": ("float8_e5m2fnuz", 256),
    "F8_E8M0": ("float8_e8m0fnu", 256), "F4": ("float4_e2m1fn", 16),
}  # fmt: skip

numbers = {}
for name, (dtype, count) in TYPES.items():
    values = numpy.arange(count, dtype=numpy.uint8).view(getattr(ml_dtypes, dtype)).astype(numpy.float32)
    numbers[name] = [float(x) if numpy.isfinite(x) else str(x) for x in values]
print(json.dumps(numbers, separators=(",", ":")))
