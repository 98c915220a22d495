"""Arrays in a folder as NumPy and safetensors read them: a line of JSON for each file on the
standard output.

    python arrays.py FOLDER

It first writes IDX and safetensors files of every type into the folder, which no package has. An
array is its shape, its type as Weft calls it, and the SHA-256 of its elements in row-major
order, little-endian; or the error where tensors have no such elements.
"""

import gzip
import hashlib
import json
import struct
import sys
import warnings
from pathlib import Path

import numpy
from safetensors import TensorSpec, deserialize, serialize

TYPES = {
    "b1": "bool", "u1": "u8", "i1": "i8", "u2": "u16", "i2": "i16", "u4": "u32", "i4": "i32", "u8": "u64", "i8": "i64", "f2": "f16", "f4": "f32", "f8": "f64",
}  # fmt: skip
WIDTHS = {
    "bool": 1, "uint8": 1, "int8": 1, "uint16": 2, "int16": 2, "uint32": 4, "int32": 4, "float16": 2, "bfloat16": 2, "float32": 4, "float64": 8,
    "float8_e4m3fn": 1, "float8_e5m2": 1, "float8_e8m0fnu": 1,
}  # fmt: skip
OTHERS = {"S": "texts", "U": "texts", "c": "complex numbers", "V": "elements of several fields", "f": "long doubles"}


def array(x: numpy.ndarray) -> dict:
    kind = x.dtype.str[1:]
    if kind not in TYPES:
        return {"refused": OTHERS[kind[0]]}
    little = numpy.ascontiguousarray(x).astype(x.dtype.newbyteorder("<")).reshape(x.shape)
    return {"shape": x.shape, "dtype": TYPES[kind], "sum": hashlib.sha256(little.tobytes()).hexdigest()}


def arrays(path: Path) -> dict | None:
    if path.suffix == ".safetensors":
        read = deserialize(path.read_bytes())
        return {name: {"shape": t["shape"], "dtype": t["dtype"].lower(), "sum": hashlib.sha256(t["data"]).hexdigest()} for name, t in read}
    try:
        loaded = numpy.load(path, allow_pickle=False)
    except ValueError:
        return {"": {"refused": "Python objects"}}
    if path.suffix == ".npy":
        return {"": array(loaded)}
    entries = {}
    for name in loaded.files:
        try:
            entries[name] = array(loaded[name])
        except ValueError:
            entries[name] = {"refused": "Python objects"}
    return entries


def idx_files(folder: Path) -> dict[str, dict]:
    """IDX files, plain and gzipped in two members, with what is in them."""
    folder.mkdir(exist_ok=True)
    random = numpy.random.default_rng(29)
    files = {}
    for code, kind in [(8, "u1"), (9, "i1"), (11, "i2"), (12, "i4"), (13, "f4"), (14, "f8")]:
        for shape in [(7,), (3, 4), (2, 3, 5), (0, 28)]:
            count = int(numpy.prod(shape))
            x = numpy.frombuffer(random.bytes(count * int(kind[1])), dtype=f">{kind}").reshape(shape)
            if kind[0] == "f":
                x = random.standard_normal(shape).astype(f">{kind}")
            file = struct.pack(">BBBB", 0, 0, code, len(shape)) + struct.pack(f">{len(shape)}I", *shape) + x.tobytes()
            name = f"{kind}-{'x'.join(map(str, shape))}.idx"
            cut = len(file) // 2
            (folder / name).write_bytes(file)
            (folder / f"{name}.gz").write_bytes(gzip.compress(file[:cut], mtime=0) + gzip.compress(file[cut:], mtime=0))
            files[name] = files[f"{name}.gz"] = {"": array(x)}
    return files


def safetensors_files(folder: Path) -> None:
    """A file of all types that Hugging Face's writer takes."""
    random = numpy.random.default_rng(29)
    tensors, alive = {}, []
    for dtype, width in WIDTHS.items():
        for shape in [(), (5,), (2, 3), (4, 0, 2)]:
            data = numpy.frombuffer(random.bytes(int(numpy.prod(shape)) * width), dtype=numpy.uint8)
            data = data & 1 if dtype == "bool" else data
            # The writer reads from where the elements are.
            alive.append(data)
            tensors[f"{dtype} {shape}"] = TensorSpec(dtype=dtype, shape=list(shape), data_ptr=data.ctypes.data, data_len=data.nbytes)
    folder.mkdir(exist_ok=True)
    (folder / "all.safetensors").write_bytes(serialize(tensors, {"format": "np", "é": "\n"}))


def main() -> None:
    warnings.simplefilter("ignore")
    folder = Path(sys.argv[1])
    safetensors_files(folder / "written")
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".npy", ".npz", ".safetensors"):
            print(json.dumps({"file": str(path.relative_to(folder)), "arrays": arrays(path)}))
    for name, entries in idx_files(folder / "idx").items():
        print(json.dumps({"file": f"idx/{name}", "arrays": entries}))


main()
