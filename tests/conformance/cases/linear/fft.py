"""Fourier transforms by NumPy in float64: lengths of one product, with divisors, powers of two, and
large primes."""

import numpy as np

from ..format import EPS, Group, Tensor, normals

LENGTHS = [1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 49, 60, 64, 65, 67, 96, 97, 100, 128, 134, 210, 243, 251, 256, 257, 500, 509, 512, 1000, 1021, 1024, 4096]


class Cases:
    def __init__(self):
        self.group = Group()

    def add(self, op, name, inputs, expected, **attrs):
        if np.iscomplexobj(expected):
            parts = [expected.real, expected.imag]
        else:
            parts = [expected]
        size = max([1e-3, *(float(np.abs(part).max()) for part in parts if part.size)])
        expected = [Tensor(np.vectorize(lambda v: float(f"{v:.7g}"), otypes=[np.float64])(part) if part.size else part).to_json() for part in parts]
        steps = [[f"fft.{op}", list(range(len(inputs))), attrs]]
        gives = list(range(len(inputs), len(inputs) + len(parts)))
        name = f"{op}-{name}"
        if name in self.group.names:
            raise ValueError(f"two cases are named {name}")
        self.group.names.add(name)
        # Each part is compared on the scale of its own largest; that of the other may be much
        # larger.
        slack = max(16 * EPS * size / max(1e-3, float(np.abs(part).max()) if part.size else 1e-3) for part in parts)
        self.group.cases.append({"name": name, "inputs": [x.to_json() for x in inputs], "main": [len(inputs), steps, gives], "expected": expected, "tolerance": float(f"{slack:.2g}")})


def cases():
    made = Cases()
    usual = {"n": None, "axis": -1, "norm": "backward"}
    for n in LENGTHS:
        re, im = normals(f"fft{n}", (n,)), normals(f"fft-im{n}", (n,))
        z = re.reference + 1j * im.reference
        made.add("fft", str(n), [re, im], np.fft.fft(z), **usual)
        if n < 600:
            made.add("ifft", str(n), [re, im], np.fft.ifft(z), **usual)
            made.add("rfft", str(n), [re], np.fft.rfft(re.reference), **usual)
        if 1 < n < 300:
            half = np.fft.rfft(re.reference)
            parts = [Tensor(half.real), Tensor(half.imag)]
            rounded = parts[0].reference + 1j * parts[1].reference
            made.add("irfft", str(n), parts, np.fft.irfft(rounded, n), **{**usual, "n": n})
    re, im = normals("fft", (3, 10, 4)), normals("fft-im", (3, 10, 4))
    z = re.reference + 1j * im.reference
    for axis in (0, 1, -1):
        for norm in ("backward", "ortho", "forward"):
            attrs = {"n": None, "axis": axis, "norm": norm}
            made.add("fft", f"along-{axis}-{norm}", [re, im], np.fft.fft(z, axis=axis, norm=norm), **attrs)
            made.add("ifft", f"along-{axis}-{norm}", [re, im], np.fft.ifft(z, axis=axis, norm=norm), **attrs)
    for n in (5, 16):
        made.add("fft", f"fitted-{n}", [re, im], np.fft.fft(z, n, 1), n=n, axis=1, norm="backward")
        made.add("rfft", f"fitted-{n}", [re], np.fft.rfft(re.reference, n, 1), n=n, axis=1, norm="backward")
        made.add("irfft", f"fitted-{n}", [re, im], np.fft.irfft(z, n, 1, "ortho"), n=n, axis=1, norm="ortho")
    made.add("irfft", "usual", [re, im], np.fft.irfft(z), **usual)
    made.add("fft", "real", [re], np.fft.fft(re.reference), **usual)
    for axes in ([0, 1], [-2, -1], None):
        shape = {"shape": None, "axes": axes, "norm": "backward"}
        made.add("fftn", f"{axes}", [re, im], np.fft.fftn(z, axes=axes), **shape)
        made.add("ifftn", f"{axes}", [re, im], np.fft.ifftn(z, axes=axes), **shape)
        made.add("rfftn", f"{axes}", [re], np.fft.rfftn(re.reference, axes=axes), **shape)
        if axes:
            made.add("irfftn", f"{axes}", [re, im], np.fft.irfftn(z, axes=axes), **shape)
    made.add("fftn", "fitted", [re, im], np.fft.fftn(z, (4, 8), (0, 2)), shape=[4, 8], axes=[0, 2], norm="backward")
    for n in (1, 4, 5):
        for spacing in (1, 0.25):
            made.add("fftfreq", f"{n}-{spacing}", [], np.fft.fftfreq(n, spacing), n=n, spacing=spacing)
            made.add("rfftfreq", f"{n}-{spacing}", [], np.fft.rfftfreq(n, spacing), n=n, spacing=spacing)
    for shape, axis in [((5,), None), ((4,), 0), ((3, 4), None), ((3, 4), 1), ((2, 3, 5), [0, 2])]:
        x, axes = normals(f"shift{shape}", shape), tuple(axis) if isinstance(axis, list) else axis
        made.add("fftshift", f"{shape}-{axis}", [x], np.fft.fftshift(x.reference, axes), axis=axis)
        made.add("ifftshift", f"{shape}-{axis}", [x], np.fft.ifftshift(x.reference, axes), axis=axis)
    empty = Tensor(np.zeros((0, 4)))
    made.add("fft", "no-lines", [empty, empty], np.zeros((0, 4), complex), **usual)
    return made.group
