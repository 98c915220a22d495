"""Headers of safetensors files, right and wrong, and whether Hugging Face's reader takes them: a
line of JSON for each on the standard output.

    python headers.py
"""

import json
import random

from safetensors import SafetensorError, deserialize

WIDTHS = {"F32": 4, "BF16": 2, "F16": 2, "U8": 1, "I64": 8, "BOOL": 1, "F8_E4M3": 1, "F8_E5M2": 1, "F64": 8, "C64": 8, "F8_E8M0": 1}


def header(r: random.Random) -> tuple[dict, int]:
    """A header that is right, and how many bytes follow it."""
    tensors, at = {}, 0
    for n in range(r.randrange(5)):
        dtype = r.choice(list(WIDTHS))
        shape = [r.randrange(4) for _ in range(r.randrange(4))]
        size = WIDTHS[dtype]
        for extent in shape:
            size *= extent
        tensors[r.choice(["a", "b.weight", "é", "", "__proto__", f"n{n}"])] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + size]}
        at += size
    entries = list(tensors.items())
    r.shuffle(entries)
    if r.random() < 0.4:
        entries.insert(0, ("__metadata__", r.choice([None, {}, {"k": "v"}, {"k": 1}, {"k": None}, [], "text"])))
    return dict(entries), at


def changed(r: random.Random, tensors: dict) -> None:
    names = [name for name in tensors if name != "__metadata__"]
    if not names:
        return
    entry = tensors[r.choice(names)]
    what = r.randrange(9)
    if what == 0:
        entry["data_offsets"][r.randrange(2)] += r.choice([-4, -1, 1, 4])
    elif what == 1:
        entry["shape"].append(r.choice([0, 1, 2, 2**40]))
    elif what == 2:
        entry["dtype"] = r.choice(["F4", "F6_E2M3", "f32", "F128", None, 3])
    elif what == 3:
        entry["data_offsets"].append(0)
    elif what == 4:
        del entry[r.choice(list(entry))]
    elif what == 5:
        entry["more"] = r.choice([1, "text", None, [1]])
    elif what == 6:
        entry["shape"] = r.choice([None, "text", {}, [-1], [None], ["1"]])
    elif what == 7:
        entry["data_offsets"] = r.choice([None, [], [0], {}, [-1, 0]])
    else:
        tensors["copy"] = entry


def main() -> None:
    r = random.Random(29)
    for _ in range(4000):
        tensors, size = header(r)
        if r.random() < 0.6:
            changed(r, tensors)
        text = json.dumps(tensors, ensure_ascii=r.random() < 0.5) + r.choice(["", "", " " * r.randrange(8), "\n", "\0", "x"])
        if r.random() < 0.1:
            at = r.randrange(len(text) + 1)
            text = text[:at] + r.choice(['"', "{", "}", ",", ":", "[", "\\", "1"]) + text[at:]
        size = max(0, size + r.choice([0] * 8 + [1, -1]))
        written = text.encode()
        try:
            deserialize(len(written).to_bytes(8, "little") + written + bytes(size))
            error = None
        except SafetensorError as refused:
            error = str(refused)
        print(json.dumps({"header": text, "size": size, "error": error}))


main()
