#!/usr/bin/env python3
"""Generator of the conformance cases, one JSON file per group, beside the group's module.

    python3 tests/conformance/generate.py [--check] [GROUP...]

NumPy computes the expected values in float64 from inputs rounded to float32. `random` and
`gradients` come from JAX. With --check the script writes nothing: it compares each file with
what it would write, and exits with status 1 if one differs. Without JAX, it checks `random` by
the NumPy transcription in `cases/random/threefry.py` and leaves out `gradients`. `requirements.txt` has
the versions used.
"""

import argparse
import hashlib
import importlib
import importlib.util
import json
import os
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
# Before JAX starts: one thread gives one order of sums, and no device but the CPU is looked for.
os.environ.setdefault("JAX_PLATFORMS", "cpu")
# Thousands of small programs are compiled and run a few times each.
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true")

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

CASES = HERE / "cases"
FOLDERS = {
    "elementwise": ["unary", "binary", "composite", "promote", "packed", "identities"],
    "arrays": ["create", "view", "index", "order", "reduce"],
    "linear": ["matmul", "linalg", "fft", "windows", "windows_gradients", "nn"],
    "random": ["random", "samplers"],
    "special": ["special", "special_gradients", "rarities"],
    "transforms": ["gradients", "transforms", "nesting", "programs"],
    "": ["errors"],
}
FOLDER = {name: folder for folder, names in FOLDERS.items() for name in names}
GROUPS = list(FOLDER)
NEED_JAX = {"random", "gradients", "transforms", "nesting", "programs", "linalg", "windows", "windows_gradients", "samplers", "special", "special_gradients", "rarities"}


# Of what each file was written: a test reads it, and so tells a stale file where there is no NumPy.
DIGESTS = HERE / "digests.json"


def module_of(group):
    """The file of a group's module."""
    return CASES / FOLDER[group] / f"{group}.py"


def imported(path, text):
    """The files of the modules that a module imports from among the cases."""
    for dots, module, names in re.findall(r"^from (\.+)([\w.]*) import ([\w, ]+)", text, re.MULTILINE):
        place = path.parents[len(dots) - 1].joinpath(*module.split("."))
        if place.is_dir():
            yield from (place / f"{name.strip()}.py" for name in names.split(","))
        else:
            yield place.with_suffix(".py")


def digest(group):
    """Of the text of a group's module and of those it imports from among the cases."""
    texts = {}

    def add(path):
        name = path.relative_to(CASES).as_posix()
        if name not in texts:
            texts[name] = path.read_text()
            for other in imported(path, texts[name]):
                add(other)

    add(module_of(group))
    return hashlib.sha256("".join(texts[name] for name in sorted(texts)).encode()).hexdigest()[:16]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"any of {', '.join(GROUPS)}; all by default")
    parser.add_argument("--check", action="store_true", help="compare with the committed files instead of writing them")
    options = parser.parse_args()
    unknown = set(options.groups) - set(GROUPS)
    if unknown:
        parser.error(f"no group is named {', '.join(sorted(unknown))}")

    have_jax = importlib.util.find_spec("jax") is not None
    stale = []
    digests = json.loads(DIGESTS.read_text()) if DIGESTS.exists() else {}
    for name in options.groups or GROUPS:
        path = module_of(name).with_suffix(".json")
        module = importlib.import_module(".".join(module_of(name).relative_to(HERE).with_suffix("").parts))
        if name in NEED_JAX and not have_jax:
            if options.check and name == "random":
                module.check_without_jax(path)
                print(f"{name}: agrees with cases/random/threefry.py (JAX is not installed)")
            else:
                print(f"{name}: left out, JAX is not installed")
            continue
        group = module.cases()
        text = group.text()
        if not options.check:
            path.write_text(text)
            digests[name] = digest(name)
        elif not path.exists() or path.read_text() != text or digests.get(name) != digest(name):
            stale.append(path.name)
        print(f"{name}: {len(group.cases)} cases, {len(text):,} bytes")
    if not options.check:
        DIGESTS.write_text(json.dumps({name: digests[name] for name in GROUPS if name in digests}, indent=1) + "\n")
    if stale:
        sys.exit(f"out of date: {', '.join(stale)}; run {Path(__file__).name} without --check")


if __name__ == "__main__":
    main()
