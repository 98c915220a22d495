#!/usr/bin/env python3
"""Generator of the conformance cases, one JSON file per group, beside this script.

    python3 tests/conformance/generate.py [--check] [GROUP...]

NumPy computes the expected values in float64 from inputs rounded to float32. `random` and
`gradients` come from JAX. With --check the script writes nothing: it compares each file with
what it would write, and exits with status 1 if one differs. Without JAX, it checks `random` by
the NumPy transcription in `cases/threefry.py` and leaves out `gradients`. `requirements.txt` has
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

GROUPS = ["unary", "binary", "reduce", "view", "matmul", "nn", "index", "create", "promote", "packed", "errors", "random", "gradients"]
GROUPS += ["composite", "order", "transforms", "nesting", "programs", "linalg", "windows", "windows_gradients", "fft", "samplers", "special", "special_gradients", "rarities", "identities"]
NEED_JAX = {"random", "gradients", "transforms", "nesting", "programs", "linalg", "windows", "windows_gradients", "samplers", "special", "special_gradients", "rarities"}


# Of what each file was written: a test reads it, and so tells a stale file where there is no NumPy.
DIGESTS = HERE / "digests.json"


def digest(group):
    """Of the text of a group's module and of those it imports from beside it."""
    texts = {}

    def add(name):
        if name not in texts:
            texts[name] = (HERE / "cases" / f"{name}.py").read_text()
            for imported in re.findall(r"^from \.(\w+) import", texts[name], re.MULTILINE):
                add(imported)

    add(group)
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
        path = HERE / f"{name}.json"
        module = importlib.import_module(f"cases.{name}")
        if name in NEED_JAX and not have_jax:
            if options.check and name == "random":
                module.check_without_jax(path)
                print(f"{name}: agrees with cases/threefry.py (JAX is not installed)")
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
