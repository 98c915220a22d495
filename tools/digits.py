#!/usr/bin/env python3
"""The page's small data set: converts scikit-learn's copy of the UCI optical digits to gzipped IDX.

    python3 tools/digits.py [--check]

It writes four files to web/public/data/digits/: 1,437 training and 360 test images of 8×8, the
test set with 36 of each digit. The split and the order are fixed, pixels go from 0…16 to 0…255,
and nothing in the files depends on when or where the script ran, but for zlib's version; --check
therefore compares their contents. It needs NumPy and scikit-learn
(tests/conformance/requirements.txt).
"""

import argparse
import gzip
import io
import struct
import sys
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

FOLDER = Path(__file__).resolve().parent.parent / "web" / "public" / "data" / "digits"
TEST_PER_DIGIT = 36
SEED = 1998
"""Of RandomState, whose streams NumPy keeps frozen."""

UNSIGNED_BYTE = 0x08


def split(labels):
    """Indices of (train, test): the same number of each digit in the test set, both in random order."""
    random = np.random.RandomState(SEED)
    order = random.permutation(len(labels))
    test = np.concatenate([order[labels[order] == digit][:TEST_PER_DIGIT] for digit in range(10)])
    train = np.setdiff1d(order, test)
    return random.permutation(train), random.permutation(test)


def idx(array):
    """An IDX file: two zero bytes, element type, rank, extents as big-endian u32, then the elements."""
    header = struct.pack(">HBB", 0, UNSIGNED_BYTE, array.ndim) + struct.pack(f">{array.ndim}I", *array.shape)
    return header + array.astype(np.uint8).tobytes()


def compressed(data):
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=buffer, mtime=0) as file:
        file.write(data)
    return buffer.getvalue()


def files():
    digits = load_digits()
    images = np.rint(digits.images * (255 / 16))
    labels = digits.target
    assert images.shape == (1797, 8, 8) and images.min() == 0 and images.max() == 255
    train, test = split(labels)
    assert len(train) == 1437 and len(test) == 360
    assert (np.bincount(labels[test]) == TEST_PER_DIGIT).all()
    return {
        "train-images-idx3-ubyte.gz": idx(images[train]),
        "train-labels-idx1-ubyte.gz": idx(labels[train]),
        "t10k-images-idx3-ubyte.gz": idx(images[test]),
        "t10k-labels-idx1-ubyte.gz": idx(labels[test]),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the committed files instead of writing them")
    options = parser.parse_args()
    stale = []
    for name, data in files().items():
        path = FOLDER / name
        if options.check:
            if not path.exists() or gzip.decompress(path.read_bytes()) != data:
                stale.append(name)
        else:
            FOLDER.mkdir(parents=True, exist_ok=True)
            path.write_bytes(compressed(data))
            print(f"{name}: {path.stat().st_size:,} bytes")
    if stale:
        sys.exit(f"out of date: {', '.join(stale)}; run {Path(__file__).name} without --check")


if __name__ == "__main__":
    main()
