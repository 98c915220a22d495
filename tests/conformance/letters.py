"""Losses of a character transformer, step by step, as JAX trains it. Run by hand: it writes
letters.json, with which js/test/nn/letters.test.ts compares Weft's training. The model is that of
notebooks/letters.md, the text the repository's LICENSE-APACHE, and keys, first weights and
batches follow from the seed alone."""

import json
import math
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

HERE = Path(__file__).parent
SEED, WIDTH, HEADS, DEPTH, CONTEXT, BATCH, STEPS = 1, 32, 4, 4, 32, 8, 60
RATE, LEAST, WARMUP, DECAYING, WEIGHT_DECAY, MOST = 0.003, 0.0003, 20, 1500, 0.1, 1.0

text = (HERE.parent.parent / "LICENSE-APACHE").read_text()
letters = sorted(set(text))
written = jnp.array([letters.index(letter) for letter in text], jnp.int32)

draws = 0


def key():
    """The generator's next key: the seed's, with how often it was used folded in."""
    global draws
    draws += 1
    return jax.random.fold_in(jax.random.key(SEED), draws - 1)


def dense(inputs, outputs):
    bound = 1 / math.sqrt(inputs)
    return jax.random.uniform(key(), (outputs, inputs), jnp.float32, -bound, bound)


def block():
    attention = {name: dense(WIDTH, WIDTH) for name in ("query", "key", "value", "output")}
    dense_layers = {"up": dense(WIDTH, 4 * WIDTH), "down": dense(4 * WIDTH, WIDTH)}
    return {"first": jnp.ones(WIDTH), **attention, "second": jnp.ones(WIDTH), **dense_layers}


def rms(x, weight):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 2.0**-23) * weight


def rotary(x):
    half = x.shape[-1] // 2
    speeds = 10000.0 ** (-2 / x.shape[-1] * jnp.arange(half, dtype=jnp.float32))
    angles = jnp.arange(x.shape[-2], dtype=jnp.float32)[:, None] * speeds
    cosine, sine = jnp.cos(angles), jnp.sin(angles)
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * cosine - b * sine, b * cosine + a * sine], -1)


def attend(p, x):
    def headed(weight):
        return (x @ weight.T).reshape(*x.shape[:2], HEADS, -1).transpose(0, 2, 1, 3)

    q, k, v = rotary(headed(p["query"])), rotary(headed(p["key"])), headed(p["value"])
    scores = q @ k.transpose(0, 1, 3, 2) / math.sqrt(WIDTH // HEADS)
    scores = jnp.where(jnp.tril(jnp.ones((x.shape[1],) * 2, bool)), scores, -jnp.inf)
    seen = jax.nn.softmax(scores, -1) @ v
    return seen.transpose(0, 2, 1, 3).reshape(x.shape) @ p["output"].T


def logits(p, x):
    value = p["letters"][x]
    for b in p["blocks"]:
        value = value + attend(b, rms(value, b["first"]))
        value = value + jax.nn.gelu(rms(value, b["second"]) @ b["up"].T, approximate=False) @ b["down"].T
    return rms(value, p["norm"]) @ p["guess"].T


def loss_of(p, x, following):
    chosen = jnp.take_along_axis(jax.nn.log_softmax(logits(p, x), -1), following[..., None], -1)
    return -jnp.mean(chosen)


@jax.jit
def update(p, first, second, x, following, lr, step):
    loss, g = jax.value_and_grad(loss_of)(p, x, following)
    length = jnp.sqrt(sum(jnp.sum(leaf * leaf) for leaf in jax.tree.leaves(g)))
    g = jax.tree.map(lambda leaf: leaf * jnp.minimum(MOST / jnp.maximum(length, 1e-30), 1), g)
    first = jax.tree.map(lambda m, leaf: 0.9 * m + 0.1 * leaf, first, g)
    second = jax.tree.map(lambda v, leaf: 0.999 * v + 0.001 * leaf * leaf, second, g)

    def moved(leaf, m, v):
        corrected = (m / (1 - 0.9**step)) / (jnp.sqrt(v / (1 - 0.999**step)) + 1e-8)
        return leaf - lr * WEIGHT_DECAY * leaf - lr * corrected

    return loss, jax.tree.map(moved, p, first, second), first, second


def rate(step):
    if step < WARMUP:
        return RATE * step / WARMUP
    over = min(step - WARMUP, DECAYING) / DECAYING
    return LEAST + (RATE - LEAST) * (1 + math.cos(math.pi * over)) / 2


parameters = {"letters": jax.random.normal(key(), (len(letters), WIDTH))}
parameters["blocks"] = [block() for _ in range(DEPTH)]
parameters |= {"norm": jnp.ones(WIDTH), "guess": dense(WIDTH, len(letters))}
first = second = jax.tree.map(jnp.zeros_like, parameters)
losses = []
for step in range(STEPS):
    starts = jax.random.randint(key(), (BATCH, 1), 0, len(text) - CONTEXT - 1)
    piece = written[starts + jnp.arange(CONTEXT + 1)]
    loss, parameters, first, second = update(
        parameters, first, second, piece[:, :-1], piece[:, 1:], rate(step), step + 1.0
    )
    losses.append(float(np.float32(loss)))

config = {
    "seed": SEED, "width": WIDTH, "heads": HEADS, "depth": DEPTH, "context": CONTEXT, "batch": BATCH,
    "rate": RATE, "least": LEAST, "warmup": WARMUP, "decaying": DECAYING, "weightDecay": WEIGHT_DECAY, "most": MOST,
}
rounded = [round(loss, 6) for loss in losses]
(HERE / "letters.json").write_text(json.dumps({**config, "losses": rounded}, indent=1) + "\n")
