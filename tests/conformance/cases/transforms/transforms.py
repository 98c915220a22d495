"""Operations under transformations: for everything that takes floats its vjp, jvp, vmap, vjp of jvp
and vmap of vjp, each by JAX; for the rest vmap. Kinks are left to `gradients`: here all inputs
are away from them."""

import itertools

import numpy as np

from ..format import Group, Tensor, bools, integers, normals, uniforms
from ..program import Builder, case, function

SIZE = 3
"""Members of a batch."""


class Operation:
    """An operation at particular inputs, and how to draw other inputs like them."""

    def __init__(self, op, draws, attrs=None, label=""):
        self.op, self.draws, self.attrs = op, draws, attrs or {}
        self.name = f"{op}-{label}" if label else op

    def inputs(self, leading=()):
        return [draw(f"{self.name}{n}{leading}", leading) for n, draw in enumerate(self.draws)]


def floats(*shape, scale=1.0):
    return lambda name, leading: normals(name, (*leading, *shape), scale)


def between(low, high, *shape):
    return lambda name, leading: uniforms(name, (*leading, *shape), low, high)


def off_whole(*shape):
    """Away from whole numbers and from 0."""

    def draw(name, leading):
        fraction = uniforms(name, (*leading, *shape), 0.2, 0.8).values
        return Tensor(np.round(fraction + integers(name + "whole", (*leading, *shape), -3, 2).values, 3))

    return draw


def distinct(*shape):
    """All different, so that there is one largest."""

    def draw(name, leading):
        count = int(np.prod((*leading, *shape)))
        order = np.random.RandomState(len(name)).permutation(count).reshape((*leading, *shape))
        return Tensor((order - count // 2) / 8 + 0.0625)

    return draw


def whole(low, high, *shape, dtype="i32"):
    return lambda name, leading: integers(name, (*leading, *shape), low, high, dtype)


def truths(*shape):
    return lambda name, leading: bools(name, (*leading, *shape))


def places(extent, *shape):
    """Different ones for each place of the last axis."""

    def draw(name, leading):
        rows = int(np.prod((*leading, *shape[:-1])))
        state = np.random.RandomState(len(name))
        rows = [state.permutation(extent)[: shape[-1]] for _ in range(rows)]
        return Tensor(np.array(rows).reshape((*leading, *shape)), "i32")

    return draw


def fixed(*values, dtype="f32"):
    return lambda name, leading: Tensor(np.broadcast_to(np.array(values), (*leading, len(values))), dtype)


def differentiable():
    x = floats(2, 3)
    for op in ("neg", "exp", "expm1", "sin", "cos", "tanh", "asinh", "sigmoid", "erf", "gelu", "square", "detach"):
        yield Operation(op, [x])
    for op in ("log", "sqrt", "rsqrt", "log1p", "reciprocal"):
        yield Operation(op, [between(0.4, 3, 2, 3)])
    for op in ("abs", "sign", "floor", "ceil", "round", "relu"):
        yield Operation(op, [off_whole(2, 3)])
    yield Operation("acosh", [between(1.2, 3, 2, 3)])
    yield Operation("atanh", [between(-0.8, 0.8, 2, 3)])
    yield Operation("erfInv", [between(-0.8, 0.8, 2, 3)])
    yield Operation("clip", [off_whole(2, 3)], {"min": -1, "max": 1})
    yield Operation("cast", [x], {"dtype": "f32"})
    for op in ("add", "sub", "mul", "minimum", "maximum"):
        yield Operation(op, [x, floats(2, 3)])
        yield Operation(op, [floats(2, 1), floats(3)], label="broadcast")
    yield Operation("div", [x, between(0.5, 2, 2, 3)])
    yield Operation("remainder", [between(3.1, 3.9, 3), between(1.1, 1.4, 3)])
    yield Operation("pow", [between(0.4, 2, 2, 3), x])
    yield Operation("where", [truths(2, 3), x, floats(3)])
    along, kept = {"axis": 1, "keepdims": False}, {"axis": [0], "keepdims": True}
    everything = {"axis": None, "keepdims": False}
    for op in ("sum", "mean", "logSumExp"):
        for label, attrs in (("along", along), ("kept", kept), ("all", everything)):
            yield Operation(op, [x], attrs, label)
    for op in ("variance", "std"):
        yield Operation(op, [x], {**along, "correction": 1}, "along")
        yield Operation(op, [x], {**everything, "correction": 0}, "all")
    for op in ("max", "min"):
        for label, attrs in (("along", along), ("kept", kept), ("all", everything)):
            yield Operation(op, [distinct(2, 3)], attrs, label)
    for label, attrs in (("along", along), ("all", everything)):
        yield Operation("prod", [between(0.5, 1.5, 2, 3)], attrs, label)
    # JAX has NaN for second derivatives of products over 0.
    yield Operation("reshape", [x], {"shape": [3, 2]})
    yield Operation("flatten", [x])
    yield Operation("permute", [floats(2, 3, 2)], {"axes": [2, 0, 1]})
    yield Operation("swapAxes", [x], {"a": 0, "b": 1})
    yield Operation("broadcastTo", [floats(2, 1)], {"shape": [3, 2, 2]})
    yield Operation("expandDims", [x], {"axis": 1})
    yield Operation("squeeze", [floats(2, 1)], {"axis": 1})
    yield Operation("slice", [floats(3, 4)], {"starts": [1, None], "stops": [3, None], "steps": [1, -2]})
    yield Operation("flip", [x], {"axis": 1})
    yield Operation("pad", [x], {"pads": [[1, 0], [0, 2]], "value": 2.5})
    yield Operation("diff", [floats(2, 4)], {"times": 2, "axis": 1})
    yield Operation("roll", [x], {"shift": 2, "axis": 1})
    for op in ("concat", "stack"):
        yield Operation(op, [x, floats(2, 3)], {"axis": 1})
    for label, a, b in (("matrices", (2, 3), (3, 2)), ("vectors", (3,), (3,)), ("batches", (2, 2, 3), (3, 2)), ("row", (3,), (2, 3, 2))):
        yield Operation("matmul", [floats(*a), floats(*b)], label=label)
    yield Operation("take", [floats(4, 2), places(4, 3)], {"axis": 0})
    yield Operation("take", [floats(2, 4), fixed(1, 1, -1, dtype="i32")], {"axis": 1}, "repeated")
    yield Operation("atSet", [floats(4, 2), places(4, 3), floats(3, 2)])
    yield Operation("atSet", [floats(4, 2), places(4, 3), floats(2)], label="broadcast")
    yield Operation("atAdd", [floats(4, 2), whole(0, 3, 5), floats(5, 2)])
    for op in ("softmax", "logSoftmax"):
        yield Operation(op, [x], {"axis": -1})
    yield Operation("crossEntropy", [x, whole(0, 2, 2)])
    yield Operation("mseLoss", [x, floats(2, 3)])


def composites():
    x = floats(2, 3)
    for op in ("exp2", "sinh", "cosh", "atan", "degrees", "radians", "silu", "softplus", "logSigmoid", "softSign", "mish"):
        yield Operation(op, [x])
    for op in ("log2", "log10", "cbrt"):
        yield Operation(op, [between(0.4, 3, 2, 3)])
    for op in ("tan", "asin", "acos"):
        yield Operation(op, [between(-0.9, 0.9, 2, 3)])
    for op in ("trunc", "relu6", "hardSigmoid", "hardSilu", "hardTanh", "selu"):
        yield Operation(op, [off_whole(2, 3)])
    yield Operation("sinc", [between(0.3, 2, 2, 3)])
    yield Operation("elu", [off_whole(2, 3)], {"alpha": 1.5})
    yield Operation("celu", [off_whole(2, 3)], {"alpha": 2})
    yield Operation("leakyRelu", [off_whole(2, 3)], {"slope": 0.125})
    yield Operation("squareplus", [x], {"b": 4})
    yield Operation("nanToNum", [x], {"nan": 0, "above": 9, "below": -9})
    for op in ("atan2", "hypot", "logAddExp", "copysign", "fmax", "fmin"):
        yield Operation(op, [x, floats(2, 3)])
    yield Operation("fmod", [between(3.1, 3.9, 3), between(1.1, 1.4, 3)])
    along, everything = {"axis": 1, "keepdims": False}, {"axis": None, "keepdims": False}
    for op in ("nansum", "nanmean", "logMeanExp"):
        yield Operation(op, [x], along, "along")
    for op in ("nanmax", "nanmin", "ptp"):
        yield Operation(op, [distinct(2, 3)], along, "along")
    yield Operation("nanprod", [between(0.5, 1.5, 2, 3)], along)
    for op in ("nanvar", "nanstd"):
        yield Operation(op, [x], {**everything, "correction": 1})
    for order in (1, 2, 3):
        yield Operation("norm", [x], {"order": order, **along}, f"of-order-{order}")
    for op in ("cumsum", "logCumSumExp"):
        yield Operation(op, [floats(2, 5)], {"axis": 1})
    yield Operation("cumsum", [floats(40)], {"axis": 0}, "blocks")
    yield Operation("cumprod", [between(0.5, 1.5, 2, 5)], {"axis": 1})
    for op in ("cummax", "cummin"):
        yield Operation(op, [distinct(2, 5)], {"axis": 1})
    yield Operation("tile", [x], {"times": [2, 2]})
    yield Operation("repeat", [x], {"times": 2, "axis": 1})
    yield Operation("rot90", [x], {"times": 1, "from": 0, "to": 1})
    yield Operation("moveAxis", [floats(2, 3, 2)], {"from": 0, "to": 2})
    for op in ("tril", "triu"):
        yield Operation(op, [floats(3, 3)], {"diagonal": 0})
    yield Operation("diagonal", [floats(3, 4)], {"offset": 1, "a": 0, "b": 1})
    yield Operation("trace", [floats(3, 3)], {"offset": 0, "a": 0, "b": 1})
    yield Operation("diag", [floats(3)], {"offset": 1}, "vector")
    yield Operation("diag", [floats(3, 3)], {"offset": 0}, "matrix")
    for op in ("hstack", "vstack", "dstack", "columnStack"):
        yield Operation(op, [x, floats(2, 3)])
    yield Operation("glu", [floats(2, 4)], {"axis": -1})
    yield Operation("standardize", [x], {"axis": 1, "epsilon": 0.01})
    for op, a, b in (("dot", (2, 3), (3, 2)), ("inner", (2, 3), (2, 3)), ("outer", (2,), (3,)), ("vdot", (3,), (3,)), ("kron", (2, 2), (2,))):
        yield Operation(op, [floats(*a), floats(*b)])
    for op in ("vecdot", "cross"):
        yield Operation(op, [floats(2, 3), floats(3)], {"axis": -1})
    yield Operation("matrixPower", [floats(2, 2)], {"times": 3})
    yield Operation("tensordot", [floats(2, 3, 2), floats(2, 3)], {"left": [1, 2], "right": [1, 0]})
    yield Operation("einsum", [floats(2, 3), floats(3, 2), floats(2)], {"text": "ij,jk,k->ik"})
    yield Operation("trapezoid", [floats(2, 4), between(0.5, 2, 3)], {"axis": 1})
    yield Operation("unwrap", [floats(6, scale=2)], {"axis": 0})
    yield Operation("cov", [floats(2, 4)], {"correction": 1})
    yield Operation("corrcoef", [floats(2, 4)])
    yield Operation("vander", [between(0.5, 2, 3)], {"columns": 3, "ascending": False})
    yield Operation("polyval", [floats(3), floats(2)])
    yield Operation("interp", [fixed(0.25, 1.5, 2.75), fixed(0.0, 1, 3), floats(3)])
    yield Operation("convolve", [floats(4), floats(3)], {"overlap": "same"})
    yield Operation("takeAlongAxis", [floats(3, 4), places(4, 3, 2)], {"axis": 1})
    yield Operation("l1Loss", [x, floats(2, 3)])
    yield Operation("huberLoss", [x, floats(2, 3)], {"delta": 1})
    yield Operation("binaryCrossEntropy", [x, between(0.1, 0.9, 2, 3)])
    yield Operation("einsum", [floats(2, 2, 3)], {"text": "iij->j"}, "diagonal")


def discrete():
    numbers = whole(-9, 9, 2, 3)
    for op in ("equal", "notEqual", "less", "lessEqual", "greater", "greaterEqual"):
        yield Operation(op, [whole(-1, 1, 2, 3), whole(-1, 1, 3)])
    for op in ("bitwiseAnd", "bitwiseOr", "bitwiseXor"):
        yield Operation(op, [numbers, whole(-9, 9, 3)])
    for op in ("shiftLeft", "shiftRight"):
        yield Operation(op, [numbers, whole(0, 5, 2, 3)])
    for op in ("logicalAnd", "logicalOr", "logicalXor"):
        yield Operation(op, [truths(2, 3), truths(3)])
    yield Operation("floorDivide", [numbers, whole(1, 4, 2, 3)])
    yield Operation("floorDivide", [off_whole(2, 3), between(0.3, 0.45, 2, 3)], label="floats")
    yield Operation("logicalNot", [truths(2, 3)])
    yield Operation("bitwiseNot", [numbers])
    for op in ("isnan", "isfinite", "isinf", "signbit"):
        yield Operation(op, [floats(2, 3)])
    for op in ("any", "all"):
        yield Operation(op, [truths(2, 3)], {"axis": 1, "keepdims": False})
    for op in ("argmax", "argmin"):
        yield Operation(op, [distinct(2, 3)], {"axis": 1, "keepdims": False})
    yield Operation("countNonzero", [numbers], {"axis": 1, "keepdims": False})
    for op in ("nanargmax", "nanargmin"):
        yield Operation(op, [distinct(2, 3)], {"axis": 1, "keepdims": False})
    for op in ("isClose", "allClose"):
        yield Operation(op, [whole(-1, 1, 2, 3), whole(-1, 1, 3)], {"rtol": 1e-5, "atol": 1e-8, "equalNan": False})
    yield Operation("arrayEqual", [whole(-1, 1, 3), whole(-1, 1, 3)])
    yield Operation("searchSorted", [fixed(-2.5, 0, 1, 4), floats(5, scale=3)], {"after": False})
    yield Operation("isIn", [numbers, whole(-9, 9, 4)])
    yield Operation("heaviside", [off_whole(2, 3), floats(2, 3)])
    yield Operation("sum", [numbers], {"axis": 0, "keepdims": True}, "whole")
    yield Operation("cast", [off_whole(2, 3)], {"dtype": "i32"}, "to-whole")
    yield Operation("cast", [truths(2, 3)], {"dtype": "f32"}, "of-truths")
    yield Operation("oneHot", [whole(0, 3, 3)], {"numClasses": 4})
    yield Operation("take", [numbers, places(3, 2)], {"axis": 1}, "whole")
    yield Operation("atSet", [numbers, places(2, 1), whole(3, 4, 1, 3)], label="whole")


def derivatives(jax, operation):
    """All transformations of an operation at once, each a result or several."""
    inputs, batched = operation.inputs(), operation.inputs((SIZE,))
    moving = [n for n, x in enumerate(inputs) if x.dtype == "f32"]
    (result,) = jax.eval_shape(function(jax, applied(operation, inputs)), *(x.reference for x in inputs))
    shape = result.shape
    directions = [normals(f"{operation.name}-direction{n}", inputs[n].values.shape) for n in moving]
    weights = [normals(f"{operation.name}-weights{n}", shape) for n in range(2)]
    batch_weights = normals(f"{operation.name}-batch-weights", (SIZE, *shape))
    given = [*inputs, *batched, *directions, *weights, batch_weights]
    main = Builder(0, len(given))
    names = iter(main.parameters)
    xs, batch = [next(names) for _ in inputs], [next(names) for _ in inputs]
    along, (weight, other), batch_weight = [next(names) for _ in moving], [next(names), next(names)], next(names)
    count = len(moving)

    def of_moving(around):
        """The operation as a function of its floats; the rest is what stands in `around`."""

        def build(b, *floats):
            all_inputs = list(around)
            for n, x in zip(moving, floats):
                all_inputs[n] = x
            return [b(operation.op, *all_inputs, **operation.attrs)]

        return build

    at = [xs[n] for n in moving]
    gives = main.many("vjp", [*at, weight], 1 + count, {"primals": count}, [main.function(count, of_moving(xs))])
    gives += main.many("jvp", [*at, *along], 2, {"primals": count}, [main.function(count, of_moving(xs))])
    whole_batch = {"axes": [0] * len(inputs)}
    direct = main.function(len(inputs), lambda b, *xs: [b(operation.op, *xs, **operation.attrs)])
    gives += main.many("vmap", batch, 1, whole_batch, [direct])
    if len(inputs) > 1:
        # Some of the inputs shared by all members, each in its turn.
        for n in range(len(inputs)):
            axes = {"axes": [0 if n == k else None for k in range(len(inputs))]}
            direct = main.function(len(inputs), lambda b, *xs: [b(operation.op, *xs, **operation.attrs)])
            gives += main.many("vmap", [batch[k] if n == k else xs[k] for k in range(len(inputs))], 1, axes, [direct])

    def pushed(b, *both):
        inner = b.function(count, of_moving(xs))
        return b.many("jvp", both, 2, {"primals": count}, [inner])

    gives += main.many("vjp", [*at, *along, weight, other], 2 + 2 * count, {"primals": 2 * count}, [main.function(2 * count, pushed)])

    def pulled(b, *inputs_and_weight):
        *inputs, weight = inputs_and_weight
        inner = b.function(count, of_moving(inputs))
        return b.many("vjp", [*(inputs[n] for n in moving), weight], 1 + count, {"primals": count}, [inner])

    whole_batch = {"axes": [0] * (len(inputs) + 1)}
    gives += main.many("vmap", [*batch, batch_weight], 1 + count, whole_batch, [main.function(len(inputs) + 1, pulled)])
    return case(jax, operation.name, [len(given), main.steps, gives], given)


def applied(operation, inputs):
    main = Builder(0, len(inputs))
    result = main(operation.op, *main.parameters, **operation.attrs)
    return [len(inputs), main.steps, [result]]


def batches(jax, operation):
    inputs, batched = operation.inputs(), operation.inputs((SIZE,))
    main, count = Builder(0, 2 * len(inputs)), len(inputs)
    xs, batch = main.parameters[:count], main.parameters[count:]
    gives = []
    for chosen in [range(count)] + ([[n] for n in range(count)] if count > 1 else []):
        axes = {"axes": [0 if n in chosen else None for n in range(count)]}
        direct = main.function(count, lambda b, *xs: [b(operation.op, *xs, **operation.attrs)])
        gives += main.many("vmap", [batch[n] if n in chosen else xs[n] for n in range(count)], 1, axes, [direct])
    return case(jax, operation.name, [2 * count, main.steps, gives], [*inputs, *batched])


def cases():
    import jax

    group = Group()
    with jax.enable_x64(True):
        for operation in itertools.chain(differentiable(), composites()):
            add(group, operation.name, derivatives(jax, operation))
        for operation in discrete():
            add(group, f"{operation.name}-batched", batches(jax, operation))
    return group


def add(group, name, made):
    if made is None:
        raise ValueError(f"{name}: it hangs on the last bits of its inputs")
    if name in group.names:
        raise ValueError(f"two cases are named {name}")
    group.names.add(name)
    group.cases.append({**made, "name": name})
