"""Corners of functions that take options: ties and ends, rows that see nothing, draws in loops,
results that members share, halves near their ends, trees in any order, parameter groups, rules of
derivatives. Run by hand, beside everyday.py: it writes corners.json, with which
js/test/ops/corners.test.ts compares the same programs written in Weft. It needs network.py's
packages too."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
import torch
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
    # Below 0 beside what is above or below it, with poles and zeros among them; what is neither
    # tiny nor large, since a logarithm keeps fewer digits of those.
    grid = np.array([-20.25, -15.5, -7.5, -7.25, -4.125, -0.5, 0.25, 1, 3.5, 4.125, 7, 12], np.float32)
    left, right = np.repeat(grid, 12), np.tile(grid, 12)
    size = special.betaln(left.astype(float), right.astype(float))
    kept = np.isinf(size) | ((np.abs(size) < 2) & (np.abs(size) > 0.1))
    a, b = np.concatenate([a, left[kept], [-1, -2, -3, 0, -1]]).astype(np.float32), np.concatenate([b, right[kept], [-2, -2, -4, -2, 0]]).astype(np.float32)
    yield {"a": a, "b": b, "x": x, "n": n}
    # Of whole n by hand: the product of n factors; else gamma(x + n) times the slope of 1/gamma.
    slope = np.array([-5, -1, 11, 26, np.sqrt(np.pi) / 2, -np.sqrt(np.pi)])
    yield {"beta": special.beta(a.astype(float), b.astype(float)), "log": special.betaln(a.astype(float), b.astype(float)), "slope": slope}


@program
def treesInAnyOrder():
    r = rng(114)
    a, b, da, db = (short(r.normal(size=n)) for n in (3, (2, 2), 3, (2, 2)))
    yield {"a": a, "b": b, "da": da, "db": db}
    found = {}
    for name, rule in {"sgd": optax.sgd(0.1, 0.9), "adam": optax.adam(0.1)}.items():
        state, at = None, {"b": b, "a": a}
        for scale in (1, -0.5, 3):
            state = rule.init(at) if state is None else state
            steps, state = rule.update({"a": da * scale, "b": db * scale}, state, at)
            at = optax.apply_updates(at, steps)
        found |= {f"{name}{key.upper()}": value for key, value in at.items()}
    _, pull = jax.vjp(lambda x: {"b": x["b"] @ x["b"], "a": x["a"] ** 2}, {"a": a, "b": b})
    (slopes,) = pull({"a": da, "b": db})
    join = lambda l, r: {"rate": l["rate"] * r["rate"], "sum": l["sum"] * r["rate"] + r["sum"]}
    joined = jax.lax.associative_scan(join, {"sum": jnp.array(a), "rate": jnp.array(da)})
    yield found | {"slopeA": slopes["a"], "slopeB": slopes["b"], "rate": joined["rate"], "sum": joined["sum"]}


@program
def groupsOfParameters():
    r = rng(115)
    a, b, da, db = (short(r.normal(size=n)) for n in (4, 3, 4, 3))
    yield {"a": a, "b": b, "da": da, "db": db}
    rules = {
        "sgd": lambda a, b: torch.optim.SGD([{"params": [a], "lr": 0.5, "weight_decay": 0.1}, {"params": [b], "momentum": 0}], 0.1, 0.9),
        "adamw": lambda a, b: torch.optim.AdamW([{"params": [a], "betas": (0.5, 0.6)}, {"params": [b], "lr": 0.2, "weight_decay": 0.5}], 0.1, weight_decay=0),
    }
    found = {}
    for name, make in rules.items():
        x, y = (torch.nn.Parameter(torch.tensor(v)) for v in (a, b))
        optimizer = make(x, y)
        for n, scale in enumerate((1, -0.5, 3)):
            optimizer.param_groups[0]["lr"] *= 1 - n / 4
            x.grad, y.grad = torch.tensor(da * scale), torch.tensor(db * scale)
            optimizer.step()
        found |= {f"{name}A": x.detach().numpy(), f"{name}B": y.detach().numpy()}
    yield found


@program
def numbersInCalls():
    x, y = np.array([3, 1, 100], np.int32), short(rng(116).normal(size=3)).astype(np.float32)
    yield {"x": x, "y": y}
    calls = {"sum": lambda n: x + n, "product": lambda n: n * y, "power": lambda n: x**n, "quotient": lambda n: x // n, "least": lambda n: jnp.minimum(x, n), "chosen": lambda n: jnp.where(x > n, x, n), "beside": lambda n: y + x * n}
    yield {key: jax.jit(f)(5) for key, f in calls.items()} | {"loop": jax.jit(lambda n: jax.lax.fori_loop(0, 3, lambda _, s: s + n, x))(5), "members": jax.vmap(lambda x: jax.jit(lambda n: x * n)(3))(x)}


@program
def ofOneNumber():
    yield {"x": np.array(5, np.float32)}
    x = np.float32(5)
    yield {"sum": np.cumsum(5, 0).astype(np.int32), "product": np.cumprod(x, 0), "backwards": np.cumsum(x, -1), "all": np.cumsum(x)}


@program
def poolingsTwice():
    x, v = short(rng(117).normal(size=(1, 1, 3, 4, 3))), short(rng(118).normal(size=(2, 1, 1, 3, 4, 3)))
    yield {"x": x, "v": v}
    offsets = np.ndindex(2, 2, 2)
    windows = [(i, j, k) for i, j, k in offsets]
    seen = lambda x: jnp.stack([x[:, :, i : i + 2, j : j + 3, k : k + 2] for i, j, k in windows])
    found = {}
    for name, pool in {"max": lambda x: seen(x).max(0), "mean": lambda x: seen(x).mean(0)}.items():
        slope = jax.grad(lambda x: (pool(x) ** 3).sum())
        found |= {name: slope(x), f"{name}Twice": jax.vmap(lambda v: jax.grad(lambda x: (slope(x) * v).sum())(x))(v)}
    yield found


@program
def rulesAndLoops():
    r = rng(119)
    table, push = short(r.normal(size=(4, 2))), short(r.normal(size=(4, 2)))
    ids, n = np.array([2, 0, 2], np.int32), np.array([3, 0, 5], np.int32)
    x, update = short(r.normal(size=6)), short(r.normal(size=2))
    yield {"table": table, "push": push, "ids": ids, "n": n, "x": x, "update": update}

    @jax.custom_vjp
    def turned(x):
        return x

    turned.defvjp(lambda x: (x, None), lambda _, g: (-g,))
    cube = lambda x: turned(x) ** 3
    rows = lambda table: (table**2)[ids]
    slid = lambda x: jax.lax.fori_loop(0, 4, lambda i, s: jax.lax.dynamic_update_slice(s, s[:2] * jax.lax.dynamic_slice(s, (i + 1,), (2,)) + update, (i,)), x)
    grown = lambda n: jax.lax.fori_loop(1, n + 1, lambda i, s: s * i + 1, 0)
    halved = lambda x: jax.lax.while_loop(lambda s: s[0] > 1, lambda s: (s[0] * 0.5, s[1] + 1), (jnp.abs(x) * 100, 0))
    yield {
        "second": jax.vmap(jax.grad(jax.grad(cube)))(x), "forward": jax.vmap(lambda x: jax.jvp(jax.grad(cube), (x,), (1.0,))[1])(x),
        "rows": jax.jvp(rows, (table,), (push,))[1], "back": jax.vjp(rows, table)[1](jnp.ones((3, 2)))[0],
        "slid": slid(x), "slope": jax.grad(lambda x: (slid(x) ** 2).sum())(x),
        "grown": grown(n[2]), "growns": jax.vmap(grown)(n), "halved": jax.vmap(halved)(x)[0], "times": jax.vmap(halved)(x)[1],
        "none": jax.vmap(halved)(x[:0])[0],
    }  # fmt: skip


if __name__ == "__main__":
    write("corners", PROGRAMS)
