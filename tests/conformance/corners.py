"""Corners of functions that take options: ties and ends, rows that see nothing, draws in loops,
results that members share, halves near their ends. Run by hand, beside everyday.py: it writes
corners.json, with which js/test/ops/corners.test.ts compares the same programs written in Weft."""

import jax
import jax.numpy as jnp
import numpy as np
from scipy import special

from everyday import rng, short, write

PROGRAMS = {}


def program(f):
    PROGRAMS[f.__name__] = f
    return f


@program
def bestOfBytes():
    r = rng(101)
    signed, plain = r.integers(-128, 128, (3, 40)).astype(np.int8), r.integers(0, 256, (5, 9)).astype(np.uint8)
    signed[0, :6], plain[:, 0] = [-128, 127, -128, 127, 0, -1], [255, 0, 255, 7, 0]
    yield {"signed": signed, "plain": plain}

    def best(x, k, axis):
        # Equals in the order in which they stand.
        order = np.argsort(-x.astype(int), axis, kind="stable").take(range(k), axis)
        return np.take_along_axis(x, order, axis), order.astype(np.int32)

    rows, columns, all_ = best(signed, 5, 1), best(plain, 2, 0), best(signed, 40, 1)
    yield {"rows": rows[0], "rowPlaces": rows[1], "columns": columns[0], "columnPlaces": columns[1], "all": all_[0], "allPlaces": all_[1]}


@program
def slopesOfRoots():
    x = short([-8, -1, -0.125, 0, 0, 1e-2, 1, 27])
    x[4] = -0.0
    yield {"x": x}
    with np.errstate(divide="ignore"):
        yield {"slope": 1 / (3 * np.cbrt(x) ** 2), "root": np.cbrt(x)}


@program
def differencesWithEnds():
    x, row, column = short(rng(103).normal(size=(3, 4))), short(rng(104).normal(size=(1, 4))), short(rng(105).normal(size=(3, 2)))
    yield {"x": x, "row": row, "column": column}
    yield {
        "noneOfThree": np.diff(x, 0), "before": np.diff(x, 1, 0, prepend=row), "behind": np.diff(x, 1, 1, append=column), "both": np.diff(x, 2, 1, prepend=column, append=0.5),
        "number": np.diff(x, prepend=1), "thrice": np.diff(x, 3, 1, prepend=column), "beyond": np.diff(x, 5, 1, append=2),
    }  # fmt: skip


@program
def triangleOfEigh():
    a = short(rng(106).normal(size=(2, 4, 4)))
    yield {"a": a}
    found = {}
    for uplo in "LU":
        values, vectors = np.linalg.eigh(a, uplo)
        found |= {f"values{uplo}": values, f"whole{uplo}": (vectors * values[..., None, :]) @ np.swapaxes(vectors, -1, -2)}
        found[f"only{uplo}"] = np.linalg.eigvalsh(a, uplo)
    yield found


@program
def rowsThatSeeNothing():
    r = rng(107)
    q, k, v = short(r.normal(size=(1, 2, 4, 3))), short(r.normal(size=(1, 2, 5, 3))), short(r.normal(size=(1, 2, 5, 3)))
    mask = r.random((1, 1, 4, 5)) < 0.5
    mask[0, 0, 1], mask[0, 0, 3] = False, [False] * 4 + [True]
    yield {"q": q, "k": k, "v": v, "mask": mask}

    def attend(q, k, v, seen):
        scores = jnp.where(seen, jnp.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(3), -1e9)
        return jnp.where(seen, jax.nn.softmax(scores, -1), 0) @ v

    found = {}
    past = np.tril(np.ones((4, 5), bool))
    for name, seen in [("Mask", mask), ("Causal", mask & past)]:
        slopes = jax.grad(lambda q, k, v: (attend(q, k, v, seen) ** 2).sum(), (0, 1, 2))(q, k, v)
        found |= {f"out{name}": attend(q, k, v, seen)} | {f"d{of}{name}": slope for of, slope in zip("qkv", slopes)}
    yield found


@program
def drawsInLoops():
    keys = np.array([[7, 11], [0, 42], [3, 3]], np.uint32)
    yield {"keys": keys}
    keys = jnp.array(keys)
    draw = lambda key: jax.random.normal(key, (2,), jnp.float32)

    def split(key):
        return jax.lax.scan(lambda sum, key: (sum + draw(key), draw(key)), jnp.zeros(2, jnp.float32), jax.random.split(key, 4))

    def folded(key):
        return jax.lax.fori_loop(0, 4, lambda i, sum: sum + draw(jax.random.fold_in(key, i)), jnp.zeros(2, jnp.float32))

    def walked(key):
        def step(state, _):
            key, x = state
            key, use = jax.random.split(key)
            return (key, x + jax.random.uniform(use, (), jnp.float32)), x

        return jax.lax.scan(step, (key, jnp.float32(0)), None, 3)[1]

    yield {"sum": split(keys[0])[0], "each": split(keys[0])[1], "sums": jax.vmap(split)(keys)[0], "folded": folded(keys[1]), "foldeds": jax.vmap(folded)(keys), "walked": walked(keys[2]), "walks": jax.vmap(walked)(keys)}


@program
def resultsThatMembersShare():
    x, table = short(rng(108).normal(size=(3, 4))), short(rng(109).normal(size=(4, 2)))
    yield {"x": x, "table": table}
    own, shared = jax.vmap(lambda x: (x @ table, (table**2).sum(0)), out_axes=(1, None))(x)
    yield {"own": own, "shared": shared}


@program
def halvesNearTheirEnds():
    r = rng(110)
    x = np.concatenate([[[256, -256, 3e4, -3e4], [60000, -60000, 6e-8, 0], [6e-6, -6e-6, 6e-6, 0]], r.normal(size=(2, 4)) * 100]).astype(np.float16)
    logits = np.concatenate([[[6e4, -6e4, 5e4], [-6e4, -6e4, -6e4]], r.normal(size=(4, 3)) * 20]).astype(np.float16)
    targets = np.array([0, 1, 2, 0, 1, 2], np.int32)
    large, small = np.array([3e4, -4e4, 6e4], np.float16), np.array([[6e-6, -1e-5]], np.float16)
    yield {"x": x, "logits": logits, "targets": targets, "large": large, "small": small}
    wide = x.astype(np.float64)
    logs = logits.astype(np.float64)
    shifted = logs - logs.max(-1, keepdims=True)
    losses = np.log(np.exp(shifted).sum(-1)) - shifted[np.arange(6), targets]

    def clipped(most, *of):
        norm = np.sqrt(sum((g.astype(np.float64) ** 2).sum() for g in of))
        return [(g.astype(np.float64) * min(1, most / norm)).astype(np.float16) for g in of]

    both, one = clipped(5, large, small), clipped(2.0**-20, small)
    yield {"norm": (wide / np.sqrt((wide**2).mean(-1, keepdims=True) + 1e-6)).astype(np.float16), "loss": losses.mean().astype(np.float32), "large": both[0], "small": both[1], "alone": one[0]}


@program
def normsFarFromZero():
    x = (np.array([0, 1e4, 1e6, -1e6])[:, None] + rng(111).normal(size=(8, 4, 16))).astype(np.float32)
    yield {"x": x}
    wide = x.astype(np.float64)

    def norm(axes):
        return (wide - wide.mean(axes, keepdims=True)) / np.sqrt(wide.var(axes, keepdims=True) + 1e-5)

    running = 0.9 + 0.1 * wide.var((0, 2), ddof=1)
    yield {"batch": norm((0, 2)), "layer": norm(2), "group": norm(2), "deviation": wide.std((0, 2)), "running": running}


@program
def productsOfNoCoefficients():
    none, p = np.zeros(0, np.float32), np.array([1, -2, 0.5], np.float32)
    yield {"none": none, "p": p}
    yield {"left": np.polymul(none, p), "right": np.polymul(p, none), "both": np.polymul(none, none)}


@program
def rollsByTensors():
    x, row = short(rng(112).normal(size=(3, 5))), short(rng(113).normal(size=(5,)))
    by = np.array([1, -7, 2147483647], np.int32)
    yield {"x": x, "row": row, "by": by}
    members = np.stack([np.roll(row, n) for n in by])
    turned = row
    for n in range(3):
        turned = np.roll(turned, n) + 1
    yield {"flat": np.roll(x, 1), "axis": np.roll(x, -7, 1), "both": np.roll(x, (1, -7), (0, 1)), "members": members, "loop": turned, "slope": np.roll(row, -1)}


@program
def curvesWithEnds():
    x, heights = np.array([-2, -1, -0.5, 0.5, 1, 3], np.float32), np.array([1, 2, 5], np.float32)
    angles = np.array([-180, -170, -185, 185, -10, -5, 0, 365], np.float32)
    places, turns = np.array([-1, 0, 1], np.float32), np.array([190, -190, 350, -350], np.float32)
    rises = np.array([5, 10, 3, 4], np.float32)
    yield {"x": x, "places": places, "heights": heights, "angles": angles, "turns": turns, "rises": rises}
    one = np.interp(x, places[:1], heights[:1], left=-9, right=7)
    yield {"plain": np.interp(x, places, heights), "left": np.interp(x, places, heights, left=-9), "right": np.interp(x, places, heights, right=7), "one": one, "turned": np.interp(angles, turns, rises, period=360), "back": np.interp(angles, turns, rises, period=-360)}


@program
def betweenPoles():
    a = np.array([-1, -2, -3, -2, -5, -1, -2.5, 2], np.float32)
    b = np.array([0.5, 0.5, 2, 2, 3, 1, 0.5, -7], np.float32)
    x, n = np.array([-3, -1, -3, -4, 0, -1], np.float32), np.array([2, 2, 3, 3, 1.5, 1.5], np.float32)
    yield {"a": a, "b": b, "x": x, "n": n}
    # Of whole n by hand: the product of n factors; else gamma(x + n) times the slope of 1/gamma.
    slope = np.array([-5, -1, 11, 26, np.sqrt(np.pi) / 2, -np.sqrt(np.pi)])
    yield {"beta": special.beta(a.astype(float), b.astype(float)), "log": special.betaln(a.astype(float), b.astype(float)), "slope": slope}


if __name__ == "__main__":
    write("corners", PROGRAMS)
