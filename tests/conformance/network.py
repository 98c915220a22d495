"""Results of PyTorch's layers, losses and optimizers, and of optax's losses, optimizers and
schedules. Run by hand (`pip install torch optax`): it writes network.json, with which
js/test/nn/network.test.ts compares Weft. All in float64 from numbers that float32 holds; of a layer
also the gradients of a weighted sum of its result."""

import json
import math
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax
import torch
import torch.nn.functional as F

jax.config.update("jax_enable_x64", True)
torch.set_default_dtype(torch.float64)
HERE = Path(__file__).parent
CASES = []
STEPS = 20


def rng(name):
    return np.random.default_rng(sum(map(ord, name)))


def short(x):
    """Numbers that float32 holds exactly."""
    return np.round(np.asarray(x, np.float64) * 256) / 256


def written(x):
    x = np.asarray(x.detach() if isinstance(x, torch.Tensor) else x)
    dtype = {"f": "f32", "i": "i32", "b": "bool"}[x.dtype.kind]
    values = x.ravel().tolist() if dtype != "f32" else [float(f"{v:.8g}") if math.isfinite(v) else str(v) for v in x.ravel().tolist()]
    return {"shape": list(x.shape), "dtype": dtype, "data": values}


def add(name, kind, **rest):
    assert name not in {case["name"] for case in CASES}, name
    CASES.append({"name": name, "kind": kind, **rest})


def layer(name, of, args, options, module, names, *inputs, train=False, forward=None, extra=None):
    """`names` says under which name of ours each of the module's parameters and buffers goes, with which rows."""
    draws = rng(name)
    module.train(train)
    with torch.no_grad():
        for key, value in module.state_dict().items():
            if value.dtype.is_floating_point:
                drawn = short(draws.normal(size=tuple(value.shape)) * 0.5)
                value.copy_(torch.tensor(np.abs(drawn) + 0.5 if "running_var" in key else drawn))
    state = {ours: written(module.state_dict()[theirs][rows] if rows else module.state_dict()[theirs]) for ours, (theirs, rows) in names.items()}
    xs = [torch.tensor(x, requires_grad=np.asarray(x).dtype.kind == "f") for x in inputs]
    made = (forward or (lambda module, *xs: module(*xs)))(module, *xs)
    weights = torch.tensor(short(draws.normal(size=tuple(made.shape))))
    (made * weights).sum().backward()
    slopes = {ours: dict(module.named_parameters())[theirs].grad for ours, (theirs, rows) in names.items() if theirs in dict(module.named_parameters())}
    slopes = {ours: written(slope[names[ours][1]] if names[ours][1] else slope) for ours, slope in slopes.items() if slope is not None}
    after = {ours: written(module.state_dict()[theirs]) for ours, (theirs, _) in names.items() if "running" in theirs} if train else {}
    add(name, "layer", layer=of, args=args, options=options, train=train, extra=extra or {}, state=state, inputs=[written(x) for x in inputs], weights=written(weights), output=written(made),
        slopes=[None if x.grad is None else written(x.grad) for x in xs], gradients=slopes, after=after)  # fmt: skip


def same(*keys):
    return {key: (key, None) for key in keys}


def normal(name, *shape):
    return short(rng(name).normal(size=shape))


def distinct(name, *shape):
    """No two alike: which of equal ones is the largest is up to a library."""
    return rng(name).permutation(math.prod(shape)).reshape(shape) / 64 - 1


def layers():
    T = torch.nn
    layer("linear", "Linear", [4, 3], {}, T.Linear(4, 3), same("weight", "bias"), normal("x", 2, 5, 4))
    layer("linear-without-bias", "Linear", [4, 3], {"bias": False}, T.Linear(4, 3, bias=False), same("weight"), normal("x", 4))
    layer("embedding", "Embedding", [7, 3], {}, T.Embedding(7, 3), same("weight"), np.array([[1, 6, 0], [1, 1, 3]]))
    for n, (conv, transposed) in enumerate([(T.Conv1d, T.ConvTranspose1d), (T.Conv2d, T.ConvTranspose2d), (T.Conv3d, T.ConvTranspose3d)], 1):
        x = distinct(f"image{n}", 1 if n == 3 else 2, 4, *([7, 6][:n] if n < 3 else [4, 3, 3]))
        for name, ours, theirs in [("plain", {}, {}), ("stride-padding", {"stride": 2, "padding": 1}, {"stride": 2, "padding": 1}), ("dilated-groups", {"dilation": 2, "groups": 2, "bias": False}, {"dilation": 2, "groups": 2, "bias": False}), ("same", {"padding": "same"}, {"padding": "same"})]:
            names = same("weight") if theirs.get("bias") is False else same("weight", "bias")
            layer(f"conv{n}d-{name}", f"Conv{n}d", [4, 6, 3 if n < 3 else 2], ours, conv(4, 6, 3 if n < 3 else 2, **theirs), names, x)
        for name, options, theirs in [("plain", {}, {}), ("strided", {"stride": 2, "padding": 1, "outputPadding": 1}, {"stride": 2, "padding": 1, "output_padding": 1}), ("groups", {"groups": 2, "dilation": 2}, {"groups": 2, "dilation": 2})]:
            layer(f"convTranspose{n}d-{name}", f"ConvTranspose{n}d", [4, 6, 3], options, transposed(4, 6, 3, **theirs), same("weight", "bias"), x)
        for name, options, theirs in [("plain", {}, {}), ("overlapping", {"stride": 1, "padding": 1}, {"stride": 1, "padding": 1}), ("ceil", {"stride": 2, "ceil": True}, {"stride": 2, "ceil_mode": True})]:
            layer(f"maxPool{n}d-{name}", f"MaxPool{n}d", [3], options, getattr(T, f"MaxPool{n}d")(3, **theirs), {}, x)
            layer(f"avgPool{n}d-{name}", f"AvgPool{n}d", [3], options, getattr(T, f"AvgPool{n}d")(3, **theirs), {}, x)
        layer(f"avgPool{n}d-uncounted", f"AvgPool{n}d", [2], {"padding": 1, "countPadding": False}, getattr(T, f"AvgPool{n}d")(2, padding=1, count_include_pad=False), {}, x)
    image = normal("images", 3, 4, 5, 2)
    layer("layerNorm", "LayerNorm", [[5, 2]], {}, T.LayerNorm([5, 2]), same("weight", "bias"), image)
    layer("layerNorm-plain", "LayerNorm", [2], {"affine": False, "eps": 0.01}, T.LayerNorm(2, 0.01, elementwise_affine=False), {}, image)
    layer("layerNorm-without-bias", "LayerNorm", [2], {"bias": False}, T.LayerNorm(2, bias=False), same("weight"), image)
    layer("rmsNorm", "RMSNorm", [2], {"eps": 1e-5}, T.RMSNorm(2, 1e-5), same("weight"), image)
    layer("groupNorm", "GroupNorm", [2, 4], {}, T.GroupNorm(2, 4), same("weight", "bias"), image)
    layer("instanceNorm", "InstanceNorm", [4], {"affine": False}, T.InstanceNorm2d(4), {}, image)
    layer("instanceNorm-affine", "InstanceNorm", [4], {"affine": True}, T.InstanceNorm2d(4, affine=True), same("weight", "bias"), image)
    running = {"weight": ("weight", None), "bias": ("bias", None), "runningMean": ("running_mean", None), "runningVar": ("running_var", None)}
    layer("batchNorm-train", "BatchNorm", [4], {}, T.BatchNorm2d(4), running, image, train=True)
    layer("batchNorm-eval", "BatchNorm", [4], {"eps": 0.001}, T.BatchNorm2d(4, 0.001), running, image)
    layer("batchNorm-momentum", "BatchNorm", [4], {"momentum": 0.3}, T.BatchNorm1d(4, momentum=0.3), running, normal("rows", 6, 4), train=True)
    for kind in ("RNN", "LSTM", "GRU"):
        for name, ours, theirs in [("one", {}, {}), ("two-both-ways", {"layers": 2, "bidirectional": True}, {"num_layers": 2, "bidirectional": True}), ("batch-first", {"batchFirst": True, "bias": False}, {"batch_first": True, "bias": False})]:
            names = {}
            for n in range(theirs.get("num_layers", 1)):
                for d in range(2 if theirs.get("bidirectional") else 1):
                    for part, of in [("weightIh", "weight_ih"), ("weightHh", "weight_hh"), ("biasIh", "bias_ih"), ("biasHh", "bias_hh")][: 4 if theirs.get("bias", True) else 2]:
                        names[f"cells.{n}.{d}.{part}"] = (f"{of}_l{n}{'_reverse' if d else ''}", None)
            layer(f"{kind}-{name}", kind, [3, 4], ours, getattr(T, kind)(3, 4, **theirs), names, normal("steps", 5, 2, 3), forward=lambda module, x: module(x)[0])
    layer("RNN-relu", "RNN", [3, 4], {"nonlinearity": "relu"}, T.RNN(3, 4, nonlinearity="relu"), {f"cells.0.0.{part}": (f"{of}_l0", None) for part, of in [("weightIh", "weight_ih"), ("weightHh", "weight_hh"), ("biasIh", "bias_ih"), ("biasHh", "bias_hh")]}, normal("steps", 5, 2, 3), forward=lambda module, x: module(x)[0])

    def projections(at, width, of=""):
        names = {}
        for n, part in enumerate(["query", "key", "value"]):
            names[f"{at}{part}.weight"] = (f"{of}in_proj_weight", slice(n * width, (n + 1) * width))
            names[f"{at}{part}.bias"] = (f"{of}in_proj_bias", slice(n * width, (n + 1) * width))
        return {**names, f"{at}output.weight": (f"{of}out_proj.weight", None), f"{at}output.bias": (f"{of}out_proj.bias", None)}

    x = normal("words", 2, 5, 8)
    layer("attention", "MultiheadAttention", [8, 2], {}, T.MultiheadAttention(8, 2, batch_first=True), projections("", 8), x, forward=lambda module, x: module(x, x, x, need_weights=False)[0])
    future = torch.triu(torch.ones(5, 5, dtype=torch.bool), 1)
    layer("attention-causal", "MultiheadAttention", [8, 2], {"causal": True}, T.MultiheadAttention(8, 2, batch_first=True), projections("", 8), x, forward=lambda module, x: module(x, x, x, need_weights=False, attn_mask=future)[0])
    for first in (True, False):
        for activation in ("relu", "gelu"):
            names = {**projections("attention.", 8, "self_attn."), **{f"{ours}.{part}": (f"{theirs}.{part}", None) for ours, theirs in [("attentionNorm", "norm1"), ("denseNorm", "norm2"), ("up", "linear1"), ("down", "linear2")] for part in ("weight", "bias")}}
            layer(f"transformer-{activation}-{'first' if first else 'after'}", "TransformerBlock", [8, 2], {"hidden": 12, "activation": activation, "normFirst": first}, T.TransformerEncoderLayer(8, 2, 12, 0.0, activation, batch_first=True, norm_first=first), names, x)
    around = normal("around", 3, 6)
    for ours, theirs in [("ReLU", T.ReLU()), ("GELU", T.GELU()), ("Tanh", T.Tanh()), ("Sigmoid", T.Sigmoid()), ("Softmax", T.Softmax(-1)), ("LogSoftmax", T.LogSoftmax(-1)), ("SiLU", T.SiLU()), ("Mish", T.Mish()), ("SELU", T.SELU()), ("ReLU6", T.ReLU6()), ("HardSigmoid", T.Hardsigmoid()), ("HardSiLU", T.Hardswish()), ("HardTanh", T.Hardtanh()), ("SoftSign", T.Softsign()), ("LogSigmoid", T.LogSigmoid()), ("Softplus", T.Softplus()), ("ELU", T.ELU()), ("CELU", T.CELU()), ("LeakyReLU", T.LeakyReLU()), ("GLU", T.GLU())]:
        layer(f"activation-{ours}", ours, [], {}, theirs, {}, around * 2)
    layer("activation-PReLU", "PReLU", [6], {}, T.PReLU(6), same("weight"), around)


def loss(name, of, given, f, options=None):
    """The value, and its gradient by the first."""
    xs = [torch.tensor(x) for x in given]
    xs[0].requires_grad_()
    made = f(*xs)
    made.sum().backward()
    add(name, "loss", loss=of, inputs=[written(x) for x in given], options=options, output=written(made), slope=written(xs[0].grad))


def optax_loss(name, of, given, f, options=None):
    xs = [jnp.asarray(x) for x in given]
    add(name, "loss", loss=of, inputs=[written(x) for x in given], options=options, output=written(f(*xs)), slope=written(jax.grad(lambda x: jnp.sum(f(x, *xs[1:])))(xs[0])))


def losses():
    x, y = normal("predicted", 4, 5) * 2, normal("wanted", 4, 5)
    classes = np.array([1, 4, 0, 2])
    chances = short(rng("chances").dirichlet(np.ones(5), 4))
    zero_one = rng("zero-one").integers(0, 2, (4, 5)).astype(float)
    loss("crossEntropy", "crossEntropy", [x, classes], F.cross_entropy)
    loss("crossEntropy-chances", "crossEntropy", [x, chances], F.cross_entropy)
    loss("mseLoss", "mseLoss", [x, y], F.mse_loss)
    loss("l1Loss", "l1Loss", [x, y], F.l1_loss)
    loss("huberLoss", "huberLoss", [x, y], F.huber_loss)
    loss("huberLoss-half", "huberLoss", [x, y], lambda a, b: F.huber_loss(a, b, delta=0.5), [0.5])
    loss("binaryCrossEntropy", "binaryCrossEntropy", [x, zero_one], F.binary_cross_entropy_with_logits)
    loss("tripletLoss", "nn.tripletLoss", [x, y, y[::-1].copy()], lambda a, p, n: F.triplet_margin_loss(a, p, n, eps=0.0, reduction="none"))
    loss("cosineSimilarity", "nn.cosineSimilarity", [x, y], lambda a, b: F.cosine_similarity(a, b, dim=-1))
    loss("poissonLoss", "nn.poissonLoss", [x, np.abs(y)], lambda a, b: F.poisson_nll_loss(a, b, reduction="none"))
    loss("klDivergence", "nn.klDivergence", [np.log(chances + 0.125), chances], lambda a, b: F.kl_div(a, b, reduction="none").sum(-1))
    optax_loss("optax-l2", "nn.l2Loss", [x, y], optax.losses.l2_loss)
    optax_loss("optax-logCosh", "nn.logCosh", [x, y], optax.losses.log_cosh)
    optax_loss("optax-hinge", "nn.hingeLoss", [x, 2 * zero_one - 1], optax.losses.hinge_loss)
    optax_loss("optax-sigmoid", "nn.sigmoidCrossEntropy", [x, zero_one], optax.losses.sigmoid_binary_cross_entropy)
    optax_loss("optax-softmax", "nn.softmaxCrossEntropy", [x, chances], optax.losses.softmax_cross_entropy)
    optax_loss("optax-safe-softmax", "nn.safeSoftmaxCrossEntropy", [x, chances], optax.losses.safe_softmax_cross_entropy)
    optax_loss("optax-cosineDistance", "nn.cosineDistance", [x, y], lambda a, b: optax.losses.cosine_distance(a, b, epsilon=1e-8))
    optax_loss("optax-convexKl", "nn.convexKlDivergence", [np.log(chances + 0.125), chances], optax.losses.convex_kl_divergence)
    optax_loss("optax-focal", "nn.focalLoss", [x, zero_one], lambda a, b: optax.losses.sigmoid_focal_loss(a, b, gamma=2.0))
    optax_loss("optax-focal-3", "nn.focalLoss", [x, zero_one], lambda a, b: optax.losses.sigmoid_focal_loss(a, b, gamma=3.0), [3])
    optax_loss("optax-ntxent", "nn.ntxent", [x, np.array([0, 1, 0, 1])], lambda a, b: optax.losses.ntxent(a, b, 0.5), [0.5])


def descent(name):
    draws = rng(name)
    start = [short(draws.normal(size=(3, 4))), short(draws.normal(size=(5,)))]
    # Now and then 0, and of both signs.
    slopes = [[short(draws.normal(size=p.shape)) * (draws.random(p.shape) > 0.1) for p in start] for _ in range(STEPS)]
    return start, slopes


def optimizer(name, of, options, make):
    start, slopes = descent(name)
    parameters = [torch.nn.Parameter(torch.tensor(p)) for p in start]
    rule, path = make(parameters), []
    for step in slopes:
        for parameter, slope in zip(parameters, step):
            parameter.grad = torch.tensor(slope)
        rule.step()
        path.append([parameter.detach().clone() for parameter in parameters])
    keep(name, of, options, start, slopes, path)


def optax_optimizer(name, of, options, rule):
    start, slopes = descent(name)
    parameters, path = [jnp.asarray(p) for p in start], []
    state = rule.init(parameters)
    for step in slopes:
        updates, state = rule.update([jnp.asarray(g) for g in step], state, parameters)
        parameters = optax.apply_updates(parameters, updates)
        path.append(parameters)
    keep(name, of, options, start, slopes, path)


def keep(name, of, options, start, slopes, path):
    kept = [0, 1, 4, STEPS - 1]
    add(name, "optimizer", rule=of, options=options, start=[written(p) for p in start], slopes=[[written(g) for g in step] for step in slopes], path={str(n): [written(p) for p in path[n]] for n in kept})


def optimizers():
    O = torch.optim
    optimizer("sgd", "sgd", {"lr": 0.1}, lambda p: O.SGD(p, 0.1))
    optimizer("sgd-momentum", "sgd", {"lr": 0.1, "momentum": 0.9, "weightDecay": 0.01}, lambda p: O.SGD(p, 0.1, 0.9, weight_decay=0.01))
    optimizer("sgd-nesterov", "sgd", {"lr": 0.1, "momentum": 0.8, "nesterov": True}, lambda p: O.SGD(p, 0.1, 0.8, nesterov=True))
    optimizer("adam", "adam", {"lr": 0.05}, lambda p: O.Adam(p, 0.05))
    optimizer("adam-decay", "adam", {"lr": 0.05, "betas": [0.8, 0.95], "eps": 1e-6, "weightDecay": 0.1}, lambda p: O.Adam(p, 0.05, (0.8, 0.95), 1e-6, 0.1))
    optimizer("adamw", "adamw", {"lr": 0.05}, lambda p: O.AdamW(p, 0.05))
    optimizer("adamw-decay", "adamw", {"lr": 0.05, "weightDecay": 0.3}, lambda p: O.AdamW(p, 0.05, weight_decay=0.3))
    optimizer("adamax", "adamax", {"lr": 0.05, "weightDecay": 0.1}, lambda p: O.Adamax(p, 0.05, weight_decay=0.1))
    optimizer("rmsprop", "rmsprop", {"lr": 0.05}, lambda p: O.RMSprop(p, 0.05))
    optimizer("rmsprop-centered", "rmsprop", {"lr": 0.05, "centered": True, "momentum": 0.7, "weightDecay": 0.1}, lambda p: O.RMSprop(p, 0.05, centered=True, momentum=0.7, weight_decay=0.1))
    optimizer("adagrad", "adagrad", {"lr": 0.1, "lrDecay": 0.05, "weightDecay": 0.1}, lambda p: O.Adagrad(p, 0.1, 0.05, 0.1))
    optimizer("adadelta", "adadelta", {"weightDecay": 0.1}, lambda p: O.Adadelta(p, weight_decay=0.1))
    optimizer("rprop", "rprop", {"lr": 0.02}, lambda p: O.Rprop(p, 0.02))
    for name, options, rule in [
        ("lion", {"lr": 0.02, "weightDecay": 0.1}, optax.lion(0.02, weight_decay=0.1)),
        ("adabelief", {"lr": 0.02}, optax.adabelief(0.02, eps=1e-16, eps_root=1e-16)),
        ("nadam", {"lr": 0.02}, optax.nadam(0.02)),
        ("nadamw", {"lr": 0.02, "weightDecay": 0.1}, optax.nadamw(0.02, weight_decay=0.1)),
        ("radam", {"lr": 0.02}, optax.radam(0.02)),
        ("yogi", {"lr": 0.02}, optax.yogi(0.02)),
        ("lamb", {"lr": 0.02, "weightDecay": 0.1}, optax.lamb(0.02, weight_decay=0.1)),
        ("novograd", {"lr": 0.02}, optax.novograd(0.02)),
        ("adamaxw", {"lr": 0.02, "weightDecay": 0.1}, optax.adamaxw(0.02, weight_decay=0.1)),
        ("adan", {"lr": 0.02, "weightDecay": 0.1}, optax.adan(0.02, weight_decay=0.1)),
        ("lars", {"lr": 0.1, "weightDecay": 0.01}, optax.lars(0.1, weight_decay=0.01)),
        ("signSgd", {"lr": 0.02}, optax.sign_sgd(0.02)),
        ("fromage", {"lr": 0.02}, optax.fromage(0.02)),
        ("optimisticGradientDescent", {"lr": 0.02}, optax.optimistic_gradient_descent(0.02)),
        ("adafactor", {"lr": 0.02}, optax.adafactor(0.02)),
        ("sm3", {"lr": 0.02}, optax.sm3(0.02)),
        ("amsgrad", {"lr": 0.02}, optax.amsgrad(0.02)),
        ("adamax", {"lr": 0.02}, optax.adamax(0.02)),
    ]:  # fmt: skip
        optax_optimizer(f"optax-{name}", name, options, rule)


def schedules():
    S = optax.schedules
    at = [0, 1, 2, 5, 9, 10, 11, 25, 29, 30, 31, 50, 84, 85, 86, 99, 100, 150]

    def keep(name, of, args, rate):
        add(f"schedule-{name}", "schedule", schedule=of, args=args, at=at, rates=[float(f"{float(rate(step)):.10g}") for step in at])

    keep("constant", "constant", [0.1], S.constant_schedule(0.1))
    keep("linear", "linear", [0.1, 0.01, 50], S.linear_schedule(0.1, 0.01, 50))
    keep("polynomial", "polynomial", [0.1, 0.01, 50, 3], S.polynomial_schedule(0.1, 0.01, 3, 50))
    keep("cosine", "cosine", [0.1, 80, {"least": 0.02}], S.cosine_decay_schedule(0.1, 80, 0.2))
    keep("exponential", "exponential", [0.1, 0.5, 10], S.exponential_decay(0.1, 10, 0.5))
    keep("staircase", "exponential", [0.1, 0.5, 10, {"staircase": True}], S.exponential_decay(0.1, 10, 0.5, staircase=True))
    keep("piecewise", "piecewise", [0.1, [10, 30, 85], [0.5, 2, 0.1]], S.piecewise_constant_schedule(0.1, {10: 0.5, 30: 2, 85: 0.1}))
    for between in ("linear", "cosine"):
        keep(f"piecewise-{between}", "piecewise", [0.1, [10, 30, 85], [0.5, 2, 0.1], {"between": between}], S.piecewise_interpolate_schedule(between, 0.1, {10: 0.5, 30: 2, 85: 0.1}))
    keep("oneCycle-cosine", "oneCycle", [0.1, 100], S.cosine_onecycle_schedule(100, 0.1))
    keep("oneCycle-linear", "oneCycle", [0.1, 100, {"between": "linear"}], S.linear_onecycle_schedule(100, 0.1))
    keep("oneCycle-all-options", "oneCycle", [0.1, 100, {"rising": 0.1, "divisor": 10, "finalDivisor": 100}], S.cosine_onecycle_schedule(100, 0.1, 0.1, 10, 100))


def main():
    layers()
    losses()
    optimizers()
    schedules()
    rows = [json.dumps(case, separators=(",", ":")) for case in CASES]
    (HERE / "network.json").write_text("[\n" + ",\n".join(rows) + "\n]\n")
    print(f"{len(CASES)} cases, {(HERE / 'network.json').stat().st_size:,} bytes")


main()
