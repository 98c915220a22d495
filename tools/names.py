"""Public names of JAX (jax.numpy, jax.nn, jax.lax, jax.scipy.special) and optax. The script writes
tools/names.json, with which js/test/docs/comparison.test.ts compares docs/comparison-jax.txt. It
leaves out modules, the primitives behind jax.lax (`…_p`) and the classes of optax's states and
types.

    pip install jax==0.10.2 && pip install --no-deps optax==0.2.6 && python3 tools/names.py
"""

import ast
import importlib.metadata
import importlib.util
import json
import pathlib
import types

import jax
import jax.lax
import jax.nn
import jax.numpy
import jax.scipy.special

# Where optax keeps what its front offers.
PARTS = {"assignment", "contrib", "losses", "monte_carlo", "perturbations", "projections", "schedules", "second_order", "transforms", "tree", "tree_utils"}


def of_module(name, module):
    for attribute in sorted(dir(module)):
        is_inner = attribute.startswith("_") or isinstance(getattr(module, attribute), types.ModuleType)
        if not is_inner and not (name == "jax.lax" and attribute.endswith("_p")):
            yield f"{name}.{attribute}"


def of_optax():
    """Read rather than imported: it asks for packages that the list does not need."""
    front = ast.parse(pathlib.Path(importlib.util.find_spec("optax").origin).read_text())
    names = set()
    for node in ast.walk(front):
        if isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    is_function = lambda name: not (name.startswith("_") or name in PARTS or (name[0].isupper() and name != "MultiSteps"))
    return [f"optax.{name}" for name in sorted(names) if is_function(name)]


modules = {"jax.numpy": jax.numpy, "jax.nn": jax.nn, "jax.lax": jax.lax, "jax.scipy.special": jax.scipy.special}
names = [name for path, module in modules.items() for name in of_module(path, module)] + of_optax()
file = {"jax": jax.__version__, "optax": importlib.metadata.version("optax"), "names": names}
pathlib.Path(__file__).with_name("names.json").write_text(json.dumps(file, indent=0) + "\n")
