"""Programs that people write in NumPy and JAX, and their results. Run by hand: it writes
everyday.json, with which js/test/ops/everyday.test.ts compares the same programs written in Weft.
Each is a function without arguments here, which yields its inputs and then what it makes of
them, in float64 unless it draws random numbers."""

import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg as sl
import scipy.signal as ss
from numpy.lib.stride_tricks import sliding_window_view

jax.config.update("jax_enable_x64", True)
HERE = Path(__file__).parent
PROGRAMS = {}


def program(f):
    PROGRAMS[f.__name__] = f
    return f


def rng(seed):
    return np.random.default_rng(seed)


def short(x):
    """Inputs that float32 holds exactly."""
    return np.round(np.asarray(x, np.float64) * 1024) / 1024


@program
def kMeans():
    r = rng(1)
    points = short(np.concatenate([r.normal(c, 0.6, (20, 2)) for c in ([0, 0], [4, 1], [1, 5])]))
    yield {"points": points}
    centres = points[[0, 20, 40]]
    for _ in range(8):
        distance = ((points[:, None] - centres[None]) ** 2).sum(-1)
        label = distance.argmin(1)
        centres = np.stack([points[label == k].mean(0) for k in range(3)])
    yield {"centres": centres, "label": label, "inertia": distance.min(1).sum()}


@program
def principalComponents():
    x = short(rng(2).normal(size=(40, 5)) @ rng(3).normal(size=(5, 5)))
    yield {"x": x}
    centred = x - x.mean(0)
    _, s, vt = np.linalg.svd(centred, full_matrices=False)
    share = s**2 / (s**2).sum()
    rebuilt = (centred @ vt[:2].T) @ vt[:2] + x.mean(0)
    values = np.linalg.eigvalsh(np.cov(x, rowvar=False))[::-1]
    yield {"share": share, "rebuilt": rebuilt, "values": values, "scores": np.abs(centred @ vt[:2].T)}


@program
def kalmanFilter():
    z = short(np.linspace(0, 5, 30) + rng(4).normal(0, 0.3, 30))
    yield {"z": z}
    a, h, q, noise = np.array([[1, 0.1], [0, 1]]), np.array([[1.0, 0]]), np.diag([1e-3, 1e-2]), np.array([[0.09]])
    m, p, out = np.zeros(2), np.eye(2), []
    for measured in z:
        m, p = a @ m, a @ p @ a.T + q
        s = h @ p @ h.T + noise
        gain = p @ h.T @ np.linalg.inv(s)
        m = m + gain @ (measured - h @ m)
        p = (np.eye(2) - gain @ h) @ p
        out.append(m)
    yield {"path": np.array(out), "p": p}


@program
def gameOfLife():
    board = rng(5).integers(0, 2, (16, 16))
    yield {"board": board}
    for _ in range(12):
        around = sum(np.roll(board, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
        board = ((around == 3) | ((board == 1) & (around == 2))).astype(int)
    yield {"board": board, "alive": board.sum()}


@program
def pageRank():
    links = (rng(6).random((12, 12)) < 0.25).astype(float)
    np.fill_diagonal(links, 0)
    links[3] = 0
    yield {"links": links}
    out = links.sum(1, keepdims=True)
    step = np.where(out > 0, links / np.where(out > 0, out, 1), 1 / 12)
    rank = np.full(12, 1 / 12)
    for _ in range(60):
        rank = 0.15 / 12 + 0.85 * rank @ step
    yield {"rank": rank, "order": np.argsort(-rank, kind="stable")[:5]}


@program
def convolutionByFourier():
    a, b = short(rng(7).normal(size=50)), short(rng(8).normal(size=21))
    yield {"a": a, "b": b}
    n = a.size + b.size - 1
    size = 2 ** int(np.ceil(np.log2(n)))
    full = np.fft.irfft(np.fft.rfft(a, size) * np.fft.rfft(b, size), size)[:n]
    spectrum = np.abs(np.fft.fftshift(np.fft.fft(a * np.hanning(50)))) ** 2
    lag = np.argmax(np.correlate(a, np.roll(a, 3), "same"))
    yield {"full": full, "spectrum": spectrum, "lag": lag}


@program
def gaussianProcess():
    x, y = short(np.sort(rng(9).uniform(-3, 3, 15))), None
    y = short(np.sin(x) + 0.1 * rng(10).normal(size=15))
    at = np.linspace(-3, 3, 9)
    yield {"x": x, "y": y}

    def kernel(a, b, scale):
        return jnp.exp(-((a[:, None] - b[None]) ** 2) / (2 * scale**2))

    def likelihood(scale):
        low = jnp.linalg.cholesky(kernel(x, x, scale) + 0.05 * jnp.eye(15))
        alpha = jax.scipy.linalg.cho_solve((low, True), y)
        return -0.5 * y @ alpha - jnp.log(jnp.diagonal(low)).sum() - 7.5 * jnp.log(2 * jnp.pi)

    low = np.linalg.cholesky(kernel(x, x, 0.8) + 0.05 * np.eye(15))
    v = sl.solve_triangular(low, kernel(x, at, 0.8), lower=True)
    mean = v.T @ sl.solve_triangular(low, y, lower=True)
    variance = 1 - (v**2).sum(0)
    value, slope = jax.value_and_grad(likelihood)(0.8)
    yield {"mean": mean, "variance": variance, "likelihood": value, "slope": slope}


@program
def logisticRegressionByNewton():
    x = short(np.c_[np.ones(40), rng(11).normal(size=(40, 3))])
    t = (rng(12).random(40) < 1 / (1 + np.exp(-x @ [0.3, 1.5, -2, 0.5]))).astype(float)
    yield {"x": x, "t": t}

    def loss(w):
        z = x @ w
        return jnp.mean(jnp.logaddexp(0, z) - t * z) + 0.005 * w @ w

    w = jnp.zeros(4)
    for _ in range(6):
        w = w - jnp.linalg.solve(jax.hessian(loss)(w), jax.grad(loss)(w))
    yield {"w": w, "loss": loss(w), "accuracy": np.mean(((x @ w) > 0) == t)}


@program
def metropolis():
    yield {}
    with jax.enable_x64(False):

        def log_density(x):
            return jnp.logaddexp(-0.5 * ((x - 2) ** 2).sum(), -0.5 * ((x + 2) ** 2).sum())

        def step(x, key):
            first, second = jax.random.split(key)
            proposal = x + 1.5 * jax.random.normal(first, (2,))
            accept = jnp.log(jax.random.uniform(second)) < log_density(proposal) - log_density(x)
            x = jnp.where(accept, proposal, x)
            return x, (x, accept)

        last, (chain, accepted) = jax.lax.scan(step, jnp.zeros(2), jax.random.split(jax.random.key(42), 200))
    yield {"last": last, "mean": chain.mean(0), "accepted": accepted.sum()}


@program
def lstmStep():
    r = rng(13)
    p = {"embedding": short(r.normal(0, 0.5, (7, 4))), "wx": short(r.normal(0, 0.4, (4, 24))), "wh": short(r.normal(0, 0.4, (6, 24))), "b": short(r.normal(0, 0.1, 24)), "out": short(r.normal(0, 0.5, (6, 7)))}
    text = np.array([[0, 3, 1, 4, 6], [2, 2, 5, 0, 1], [6, 5, 4, 3, 2]])
    yield {**p, "text": text}

    def loss(p):
        def step(state, letter):
            h, c = state
            z = p["embedding"][letter] @ p["wx"] + h @ p["wh"] + p["b"]
            i, f, g, o = jnp.split(z, 4, -1)
            c = jax.nn.sigmoid(f + 1) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h @ p["out"]

        start = (jnp.zeros((3, 6)), jnp.zeros((3, 6)))
        _, logits = jax.lax.scan(step, start, text[:, :-1].T)
        chosen = jnp.take_along_axis(jax.nn.log_softmax(logits), text[:, 1:].T[..., None], -1)
        return -chosen.mean()

    value, g = jax.value_and_grad(loss)({k: jnp.array(v) for k, v in p.items()})
    yield {"loss": value, **{f"d_{name}": v for name, v in g.items()}}


@program
def beamSearch():
    table = short(np.log(rng(14).dirichlet(np.ones(6) * 0.5, 6) + 1e-3))
    yield {"table": table}
    score, last, path = np.array([0.0]), np.array([0]), np.zeros((1, 1), int)
    for _ in range(6):
        every = (score[:, None] + table[last]).ravel()
        best = np.argsort(-every, kind="stable")[:3]
        parent, last = best // 6, best % 6
        score = every[best]
        path = np.concatenate([path[parent], last[:, None]], 1)
    yield {"score": score, "path": path}


@program
def maskedAttention():
    r = rng(15)
    q, k, v = (short(r.normal(size=(2, 2, 5, 4))) for _ in range(3))
    lengths = np.array([5, 3])
    yield {"q": q, "k": k, "v": v, "lengths": lengths}
    mask = (np.arange(5)[None, None, None] < lengths[:, None, None, None]) & np.tril(np.ones((5, 5), bool))

    def attend(q, k, v):
        scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / 2
        return jax.nn.softmax(jnp.where(mask, scores, -jnp.inf), -1) @ v

    def loss(q, k, v):
        return (attend(q, k, v) ** 2).sum()

    dq, dk, dv = jax.grad(loss, (0, 1, 2))(q, k, v)
    yield {"out": attend(q, k, v), "dq": dq, "dk": dk, "dv": dv}


@program
def imageAugmentation():
    image = short(rng(16).random((12, 10, 3)))
    yield {"image": image}
    mirrored = image[:, ::-1]
    padded = np.pad(image, ((2, 2), (2, 2), (0, 0)), mode="reflect")
    crop = padded[1:13, 3:13]
    contrast = np.clip((image - image.mean((0, 1))) * 1.5 + image.mean((0, 1)), 0, 1)
    turned = np.rot90(image, 1, (0, 1))
    grey = image @ [0.299, 0.587, 0.114]
    edges = np.pad(grey, 1, mode="edge")
    blurred = sum(edges[i : i + 12, j : j + 10] for i in range(3) for j in range(3)) / 9
    cut = image.copy()
    cut[3:7, 2:6] = image.mean()
    wrapped = np.pad(grey, ((3, 0), (0, 2)), mode="wrap")
    half = jax.image.resize(jnp.array(image), (6, 5, 3), "linear")
    double = jax.image.resize(jnp.array(image), (24, 20, 3), "cubic")
    yield {"mirrored": mirrored, "crop": crop, "contrast": contrast, "turned": turned, "blurred": blurred, "cut": cut, "wrapped": wrapped, "half": half, "double": double}


@program
def contractions():
    r = rng(17)
    a, b, c = short(r.normal(size=(3, 4))), short(r.normal(size=(4, 5))), short(r.normal(size=(2, 3, 4)))
    s, d = short(r.normal(size=(4, 4))), short(r.normal(size=(2, 4, 3)))
    yield {"a": a, "b": b, "c": c, "s": s, "d": d}
    yield {
        "product": np.einsum("ij,jk", a, b), "trace": np.einsum("ii->", s), "diagonal": np.einsum("ii->i", s), "batched": np.einsum("...ij,...jk->...ik", c, d),
        "bilinear": np.einsum("bi,ij,bj->b", a, s, a), "chain": np.einsum("ij,jk,bij,lk->bl", a, b, c, np.ones((6, 5))), "outer": np.einsum("i,j->ij", a[:, 0], b[0]),
        "transposed": np.einsum("bij->jib", c), "sum": np.einsum("bij->", c), "double": np.tensordot(c, d, ([0, 1], [0, 2])), "kron": np.kron(a[:2, :2], s[:2, :2]),
    }  # fmt: skip


@program
def advancedIndexing():
    x = np.arange(120.0).reshape(4, 5, 6)
    yield {"x": x}
    rows, columns = np.array([0, 2, 3]), np.array([1, 1, 4])
    y = x.copy()
    y[rows, :, columns] = -1
    z = x.copy()
    z[1:3, ::2, [0, 5]] += 100
    w = x.copy()
    np.add.at(w, (np.array([0, 0, 1]), slice(None), np.array([2, 2, 3])), 1000)
    m = x.copy()
    m[m % 7 == 0] = 0
    yield {
        "apart": x[rows, :, columns], "together": x[:, rows[:3], columns], "table": x[np.ix_(rows, columns)], "mixed": x[1:, rows, ::-2], "last": x[..., -1], "new": x[:, None, 2, :, None],
        "grid": x[rows[:, None], columns[None, :], 2], "negative": x[-1, [-1, -2]], "mask": x[x % 17 == 3], "y": y, "z": z, "w": w, "m": m,
        "along": np.take_along_axis(x, np.argsort(-x[:, :, :1], 0), 0), "put": np.where(np.arange(5)[:, None] == 2, 7, x[0]),
    }  # fmt: skip


@program
def histogramEqualisation():
    image = np.clip(rng(18).normal(90, 25, (24, 24)), 0, 255).astype(np.uint8)
    yield {"image": image}
    counts = np.bincount(image.ravel(), minlength=256)
    cumulative = counts.cumsum()
    lowest = cumulative[cumulative > 0][0]
    table = np.round((cumulative - lowest) / (image.size - lowest) * 255).clip(0, 255).astype(np.uint8)
    bins, edges = np.histogram(image, 8, (0, 256))
    yield {"equalised": table[image], "bins": bins, "edges": edges, "median": np.median(image), "percentiles": np.percentile(image, [5, 50, 95])}


@program
def matrixExponentials():
    rates = short(rng(19).random((4, 4)))
    yield {"rates": rates}
    generator = rates - np.diag(rates.sum(1))
    skew = np.array([[0, -1.0], [1, 0]])
    system = np.array([[0, 1.0], [-4, -0.5]])
    times = np.linspace(0, 2, 5)
    path = np.stack([sl.expm(system * t) @ [1, 0] for t in times])
    still = np.linalg.lstsq(np.r_[generator.T, np.ones((1, 4))], np.r_[np.zeros(4), 1], rcond=None)[0]
    slope = jax.grad(lambda t: jax.scipy.linalg.expm(generator * t)[0, 1])(0.7)
    yield {"moves": sl.expm(generator * 0.7), "turn": sl.expm(skew * np.pi / 3), "path": path, "still": still, "slope": slope, "power": np.linalg.matrix_power(sl.expm(generator * 0.1), 7), "inverse": np.linalg.matrix_power(sl.expm(skew), -2)}


@program
def cumulativeStatistics():
    price = short(100 * np.exp(np.cumsum(rng(20).normal(0, 0.02, 60))))
    yield {"price": price}
    n = np.arange(1, 61)
    mean = price.cumsum() / n
    variance = (price**2).cumsum() / n - mean**2
    peak = np.maximum.accumulate(price)
    drawdown = 1 - price / peak
    rolling = sliding_window_view(price, 5).mean(-1)
    spread = sliding_window_view(price, 5).std(-1)
    smooth = [price[0]]
    for p in price[1:]:
        smooth.append(0.9 * smooth[-1] + 0.1 * p)
    returns = np.diff(np.log(price), prepend=np.log(price[0]))
    longest = np.diff(np.flatnonzero(np.r_[True, returns < 0, True])).max() - 1
    yield {"mean": mean, "std": np.sqrt(variance), "drawdown": drawdown, "rolling": rolling, "spread": spread, "smooth": smooth, "returns": returns, "longest": longest, "worst": np.argmax(drawdown)}


@program
def bits():
    x = rng(21).integers(0, 2**32, 20, dtype=np.uint32)
    flags = rng(22).integers(0, 2, (3, 13)).astype(bool)
    yield {"x": x, "flags": flags}
    state = x.copy()
    for _ in range(5):
        state ^= state << np.uint32(13)
        state ^= state >> np.uint32(17)
        state ^= state << np.uint32(5)
    reversed_bits = np.array([int(f"{v:032b}"[::-1], 2) for v in x], np.uint32)
    packed = np.packbits(flags, axis=-1)
    yield {
        "count": np.bitwise_count(x).astype(np.int32), "gray": x ^ (x >> np.uint32(1)), "xorshift": state, "reversed": reversed_bits, "packed": packed, "unpacked": np.unpackbits(packed, axis=-1, count=13),
        "parity": (np.bitwise_count(x) & 1).astype(np.int32), "lowest": x & (~x + np.uint32(1)), "rotated": (x << np.uint32(7)) | (x >> np.uint32(25)), "all": np.bitwise_xor.reduce(x), "power": (x & (x - np.uint32(1))) == 0,
    }  # fmt: skip


@program
def mandelbrot():
    yield {}
    c_re, c_im = np.meshgrid(np.linspace(-2, 0.5, 24), np.linspace(-1.25, 1.25, 20))
    re, im, count = np.zeros_like(c_re), np.zeros_like(c_re), np.zeros(c_re.shape, int)
    for _ in range(25):
        inside = re * re + im * im <= 4
        re, im = np.where(inside, re * re - im * im + c_re, re), np.where(inside, 2 * re * im + c_im, im)
        count += inside
    yield {"count": count}


@program
def optimalTransport():
    a, b = rng(23).dirichlet(np.ones(6)), rng(24).dirichlet(np.ones(8))
    cost = short((rng(25).random(6)[:, None] - rng(26).random(8)[None]) ** 2)
    a, b = short(a), short(b)
    yield {"a": a, "b": b, "cost": cost}
    f, g = np.zeros(6), np.zeros(8)
    lse = lambda x, axis: np.log(np.exp(x - x.max(axis, keepdims=True)).sum(axis)) + x.max(axis)
    for _ in range(50):
        f = 0.05 * (np.log(a) - lse((g[None] - cost) / 0.05, 1))
        g = 0.05 * (np.log(b) - lse((f[:, None] - cost) / 0.05, 0))
    plan = np.exp((f[:, None] + g[None] - cost) / 0.05)
    yield {"plan": plan, "distance": (plan * cost).sum()}


@program
def editDistance():
    a, b = np.array([ord(c) for c in "kitten sitting"]), np.array([ord(c) for c in "sitting kitten"])
    yield {"a": a, "b": b}
    row = np.arange(b.size + 1)
    for i, letter in enumerate(a):
        best = np.minimum(row[1:] + 1, row[:-1] + (b != letter))
        # What is inserted is a running minimum.
        line = np.r_[i + 1, best] - np.arange(b.size + 1)
        row = np.minimum.accumulate(line) + np.arange(b.size + 1)
    yield {"row": row, "distance": row[-1]}


@program
def shortestPaths():
    weight = short(rng(27).uniform(1, 9, (9, 9)))
    weight[rng(28).random((9, 9)) < 0.6] = np.inf
    np.fill_diagonal(weight, 0)
    yield {"weight": np.where(np.isinf(weight), -1, weight)}
    d = weight.copy()
    for k in range(9):
        d = np.minimum(d, d[:, k, None] + d[None, k])
    yield {"d": np.where(np.isinf(d), -1, d), "reachable": np.isfinite(d).sum(), "far": np.nanmax(np.where(np.isinf(d), np.nan, d), 1)}


@program
def viterbi():
    start, move, emit = short(np.log([0.6, 0.3, 0.1])), short(np.log(rng(29).dirichlet(np.ones(3) * 2, 3))), short(np.log(rng(30).dirichlet(np.ones(4), 3)))
    seen = rng(31).integers(0, 4, 20)
    yield {"start": start, "move": move, "emit": emit, "seen": seen}
    score, back = start + emit[:, seen[0]], []
    forward = score
    for o in seen[1:]:
        every = score[:, None] + move
        back.append(every.argmax(0))
        score = every.max(0) + emit[:, o]
        forward = np.logaddexp.reduce(forward[:, None] + move, 0) + emit[:, o]
    path = [int(score.argmax())]
    for pointer in reversed(back):
        path.append(int(pointer[path[-1]]))
    yield {"path": path[::-1], "score": score.max(), "likelihood": np.logaddexp.reduce(forward)}


@program
def curves():
    x = np.linspace(0, 3, 31)
    y = short(np.sin(2 * x) + 0.2 * x)
    yield {"y": y}
    fit = np.polyfit(x, y, 4)
    queries = np.array([-1, 0.05, 1.234, 2.9, 5])
    yield {
        "fit": np.polyval(fit, x), "slope": np.gradient(y, x), "area": np.trapezoid(y, x), "between": np.interp(queries, x, y), "places": np.searchsorted(x, queries), "bins": np.digitize(queries, [0, 1, 2]),
        "unwrapped": np.unwrap(np.angle(np.exp(1j * x * 4))), "turns": np.flatnonzero(np.diff(np.sign(np.diff(y)))) + 1, "clipped": np.clip(y, -0.5, np.linspace(0.2, 1, 31)),
    }  # fmt: skip


@program
def bigrams():
    text = np.array([ord(c) - 97 for c in "abracadabraalakazamabracadabra"])
    yield {"text": text}
    counts = np.zeros((26, 26), int)
    np.add.at(counts, (text[:-1], text[1:]), 1)
    shares = (counts + 0.1) / (counts + 0.1).sum(1, keepdims=True)
    values, inverse, times = np.unique(text, return_inverse=True, return_counts=True)
    entropy = -(shares * np.log2(shares)).sum(1)
    yield {"counts": counts[:5, :5], "entropy": entropy, "perplexity": 2 ** -np.log2(shares[text[:-1], text[1:]]).mean(), "values": values, "inverse": inverse, "times": times, "top": np.argsort(-counts.ravel(), kind="stable")[:4]}


@program
def borders():
    x = short(rng(32).normal(size=(3, 4)))
    n = rng(33).integers(0, 9, (2, 3))
    yield {"x": x, "n": n}
    widths = ((1, 2), (2, 1))
    modes = ("edge", "reflect", "symmetric", "wrap", "maximum", "minimum", "mean", "median", "linear_ramp")
    yield {**{mode: np.pad(x, widths, mode=mode) for mode in modes}, "whole": np.pad(n, 1, mode="maximum"), "rounded": np.pad(n, ((0, 0), (1, 0)), mode="mean")}


@program
def searching():
    table = np.array([1, 2, 2, 3, np.nan, np.nan])
    wanted = np.array([2, np.nan, 4, 0, np.inf])
    a, b = short(rng(34).normal(size=4)), short(rng(35).normal(size=7))
    yield {"wanted": np.nan_to_num(wanted, nan=-1, posinf=99), "a": a, "b": b}
    sparse = np.meshgrid(a, b[:3], sparse=True)
    out = {"left": np.searchsorted(table, wanted), "right": np.searchsorted(table, wanted, side="right"), "rows": sparse[0], "columns": sparse[1]}
    for mode in ("full", "same", "valid"):
        out |= {f"{mode}_ab": np.correlate(a, b, mode), f"{mode}_ba": np.correlate(b, a, mode), f"{mode}_a2": np.correlate(a[:2], b, mode)}
    yield out


@program
def sampleQuantiles():
    x = short(rng(36).normal(size=(3, 8)))
    yield {"x": x}
    methods = ("inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased", "normal_unbiased")
    # An eighth of eight is exact, and so are its ties.
    known = {method: np.quantile(x, 0.375, axis=1, method=method) for method in methods}
    many = {f"{method}_several": np.quantile(x, [0, 0.0625, 0.125, 0.3125, 0.5, 0.8, 1], axis=1, method=method) for method in methods}
    yield {**known, **many}


@program
def updates():
    x = np.arange(24.0).reshape(4, 6)
    yield {"x": x}

    def changed(f):
        y = x.copy()
        f(y)
        return y

    def share(y):
        y[:, 1] /= y[:, 1].sum()

    def rows(y):
        y[[1, 3], 1:4] -= np.array([[1], [2]])

    yield {
        "twice": changed(lambda y: np.subtract.at(y, (slice(None), [0, 0]), 1)), "most": changed(lambda y: np.maximum.at(y, ([0, 0, 1], [1, 1, 2]), [50, 60, -1])), "share": changed(share), "rows": changed(rows),
        "turned": changed(lambda y: y.__setitem__(slice(None, None, -1), np.arange(6))), "mask": changed(lambda y: y.__setitem__([True, False, True, False], 0)),
        "upper": changed(lambda y: y.__setitem__(np.triu_indices(4, 1, 6), 0)), "along": changed(lambda y: np.put_along_axis(y, np.argmax(y, 1)[:, None], -1, 1)),
        "insert": np.insert(x, [1, 3], [[10], [20]], axis=0), "delete": np.delete(x, [0, -1], 1), "resize": np.resize(x, (2, 5)),
    }  # fmt: skip


@program
def batches():
    r = rng(37)
    x, a = short(r.normal(size=(3, 4))), short(r.normal(size=(3, 4, 4)))
    yield {"x": x, "a": a}
    x, a = jnp.array(x), jnp.array(a)

    def grown(x):
        return jax.lax.while_loop(lambda s: s[0] < 5, lambda s: (s[0] + jnp.abs(s[1]).sum(), s[1] * 1.1), (0.0, x))[1]

    def nested(x):
        return jax.lax.scan(lambda c, r: (jax.lax.scan(lambda d, e: (d * e + 1, None), c, r)[0], c), 1.0, x)[0]

    yield {
        "chosen": jax.vmap(lambda x: jax.lax.cond(x[0] > 0, lambda x: x * 2, lambda x: x - 1, x))(x), "grown": jax.vmap(grown)(x), "placed": jax.vmap(lambda i, x: x.at[i].set(9.0))(jnp.array([0, 3, 1]), x),
        "each": jax.vmap(jax.grad(lambda x: (x**3).sum()))(x), "jacobian": jax.jacrev(jax.vmap(lambda x: x @ x))(x), "nested": jax.grad(nested)(x), "columns": jax.vmap(lambda x: jnp.cumsum(x)[::-1], 1, 1)(x),
        "curved": jax.hessian(lambda w: jax.vmap(lambda r: jnp.tanh(r @ w))(x).sum())(jnp.arange(4.0) / 4), "turned": jax.jvp(jax.grad(lambda x: (jnp.tanh(x) ** 2).sum()), (x,), (jnp.ones((3, 4)),))[1],
        "values": jax.vmap(lambda a: jnp.linalg.eigvalsh(a + a.T))(a), "lines": jax.vmap(lambda x: jnp.fft.rfft(x).real)(x),
    }  # fmt: skip


@program
def spectraOfMoments():
    x = short(rng(61).normal(size=(2, 75)))
    window = short(np.abs(rng(62).normal(size=16)) + 0.5)
    yield {"x": x, "window": window}
    found = {}
    for name, options in [("plain", {"nperseg": 16}), ("dense", {"nperseg": 16, "noverlap": 12, "nfft": 32}), ("bare", {"nperseg": 15, "noverlap": 5, "boundary": None}), ("own", {"window": window, "nperseg": 16})]:
        made = ss.stft(x, **options)[2]
        found |= {name: made.real, f"{name}Im": made.imag}
        if name != "bare":
            found[f"{name}Back"] = ss.istft(made, **({"input_onesided": True} | {k: v for k, v in options.items()}))[1]
    yield found


@program
def complexFunctions():
    r = rng(63)
    z = short(r.normal(size=(3, 4)) * 2) + 1j * short(r.normal(size=(3, 4)) * 2)
    z[0, 0], z[1, 1], z[2, 2], z[0, 1] = 0, -4, 3j, 2
    w = short(r.normal(size=(4,))) + 1j * short(r.normal(size=(4,)))
    yield {"re": z.real, "im": z.imag, "wre": w.real, "wim": w.imag}
    safe = np.where(z == 0, 1, z)
    found = {"log": np.log(safe), "sqrt": np.sqrt(z), "pow": safe**w, "cube": z**3, "sum": z.sum(0), "mean": z.mean(), "product": z @ w, "quotient": z / w, "exp": np.exp(z), "neg": -z}
    yield {name + part: getattr(np.asarray(value), of) for name, value in found.items() for part, of in [("Re", "real"), ("Im", "imag")]}


def listed(x):
    x = np.asarray(x)
    kinds = {"b": "bool", "i": {1: "i8"}.get(x.dtype.itemsize, "i32"), "u": {1: "u8", 4: "u32"}.get(x.dtype.itemsize, "i32"), "f": {2: "f16"}.get(x.dtype.itemsize, "f32")}
    kind = kinds[x.dtype.kind]
    flat = x.ravel().tolist()
    if kind[0] == "f":
        words = {np.inf: "inf", -np.inf: "-inf"}
        flat = [words.get(v) or float(f"{v:.9g}") for v in flat]
    return {"shape": list(x.shape), "dtype": kind, "data": flat}


def write(file, programs):
    found = {}
    for name, f in programs.items():
        inputs, expected = f()
        found[name] = {"inputs": {k: listed(v) for k, v in inputs.items()}, "expected": {k: listed(v) for k, v in expected.items()}}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(value, separators=(',', ':'))}" for name, value in found.items())
    (HERE / f"{file}.json").write_text(f"{{\n{lines}\n}}\n")
    print(len(found), "programs")


if __name__ == "__main__":
    write("everyday", PROGRAMS)
