"""JAX's random numbers by Threefry. A transcription in NumPy, used to check JAX's values and as a
text to port.

Keys, splits, bits and uniforms on [0, 1) agree with JAX (`jax_threefry_partitionable`, its
default) bit for bit. `README.md` describes the same in words. Threefry is from Salmon, Moraes,
Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
"""

import numpy as np

ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
PARITY = np.uint32(0x1BD11BDA)

# Giles, "Approximating the erfinv function" (GPU Computing Gems, 2011): single precision, highest
# power first.
CENTRAL = (2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503, -0.00417768164,
           0.246640727, 1.50140941)  # fmt: skip
TAIL = (-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047, 1.00167406,
        2.83297682)  # fmt: skip


def threefry2x32(key, c0, c1):
    """Twenty rounds on the counter (c0, c1), arrays of u32; key is a pair of u32. Additions wrap."""
    schedule = [np.uint32(key[0]), np.uint32(key[1])]
    schedule.append(schedule[0] ^ schedule[1] ^ PARITY)
    with np.errstate(over="ignore"):
        x0 = np.asarray(c0, np.uint32) + schedule[0]
        x1 = np.asarray(c1, np.uint32) + schedule[1]
        for group in range(5):
            for r in ROTATIONS[group % 2]:
                x0 = x0 + x1
                x1 = (x1 << np.uint32(r)) | (x1 >> np.uint32(32 - r))
                x1 = x1 ^ x0
            x0 = x0 + schedule[(group + 1) % 3]
            x1 = x1 + schedule[(group + 2) % 3] + np.uint32(group + 1)
    return x0, x1


def key(seed):
    """A 64-bit seed, negative ones in two's complement, as (high, low)."""
    return [(seed >> 32) & 0xFFFFFFFF, seed & 0xFFFFFFFF]


def counters(n):
    """The row-major index of each element as 64 bits in two halves."""
    i = np.arange(n, dtype=np.uint64)
    return (i >> np.uint64(32)).astype(np.uint32), i.astype(np.uint32)


def bits(k, shape):
    x0, x1 = threefry2x32(k, *counters(int(np.prod(shape, dtype=np.int64))))
    return (x0 ^ x1).reshape(shape)


def split(k, n):
    return np.stack(threefry2x32(k, *counters(n)), axis=-1)


def fold_in(k, data):
    """`data` is a u32."""
    x0, x1 = threefry2x32(k, [0], [data])
    return np.array([x0[0], x1[0]])


def uniform(k, shape, low=0.0, high=1.0):
    low, high = np.float32(low), np.float32(high)
    unit = ((bits(k, shape) >> np.uint32(9)) | np.uint32(0x3F800000)).view(np.float32) - np.float32(1)
    return np.maximum(low, unit * (high - low) + low)


def erf_inv(x):
    """XLA's for f32. x·x is rounded to f32 before it is subtracted: in the tails the result depends on that rounding."""
    square = x * x
    w = -np.log1p(-square)
    central = w < 5
    t = np.where(central, w - np.float32(2.5), np.sqrt(w) - np.float32(3))
    p = np.where(central, np.float32(CENTRAL[0]), np.float32(TAIL[0]))
    for c, d in zip(CENTRAL[1:], TAIL[1:]):
        p = p * t + np.where(central, np.float32(c), np.float32(d))
    return p * x


def normal(k, shape):
    low = np.nextafter(np.float32(-1), np.float32(0))
    return np.float32(np.sqrt(2)) * erf_inv(uniform(k, shape, low, 1))


def bernoulli(k, p, shape):
    return uniform(k, shape) < np.float32(p)


def randint(k, shape, low, high):
    """i32 in [low, high); low if high ≤ low. Two draws make 64 bits, reduced modulo the span, as in JAX; of a span beyond 2¹⁶, where JAX multiplies by 0, the
    higher half of their product with it."""
    first, second = split(k, 2)
    span = high - low if high > low else 1
    if span > 65536:
        pairs = zip(bits(first, shape).ravel(), bits(second, shape).ravel())
        offsets = [((int(a) << 32) + int(b)) * span >> 64 for a, b in pairs]
        return (np.array(offsets, np.int64).reshape(shape) + low).astype(np.int32)
    span = np.uint32(span)
    with np.errstate(over="ignore"):
        # 2³² mod span, with 32-bit arithmetic.
        multiplier = np.uint32(65536) % span
        multiplier = multiplier * multiplier % span
        offset = (bits(first, shape) % span * multiplier + bits(second, shape) % span) % span
        return (np.uint32(low & 0xFFFFFFFF) + offset).astype(np.int32)
