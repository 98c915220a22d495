"""Errors: calls that are refused, with the error's type, and strings that its message has to
contain.

`ShapeError`: shapes do not fit each other or the operation. `AxisError`: an axis is out of range
or repeated. `DTypeError`: the operation is not defined for a dtype, or the dtype does not exist.
`ValueError`: a value that is none of these is out of range.
"""

import numpy as np

from .format import Group, Tensor


def ones(*shape, dtype="f32"):
    return Tensor(np.ones(shape), dtype)


def cases():
    group = Group()

    def case(name, op, inputs, error, mentions, **attrs):
        group.append(f"{op}-{name}", op, inputs, attrs, error=error, mentions=[op, *mentions])

    broadcasting(case)
    products(case)
    views(case)
    joins(case)
    reductions(case)
    dtypes(case)
    creation(case)
    return group


def broadcasting(case):
    for op in ("add", "sub", "mul", "div", "remainder", "pow", "minimum", "maximum", "less", "equal"):
        case("2x3-with-4", op, [ones(2, 3), ones(4)], "ShapeError", ["[2,3]", "[4]"])
    case("2x3-with-2x4", "add", [ones(2, 3), ones(2, 4)], "ShapeError", ["[2,3]", "[2,4]"])
    case("3-with-0", "add", [ones(3), ones(0)], "ShapeError", ["[3]", "[0]"])
    case("rank-5", "mul", [ones(2, 1, 3, 1, 2), ones(2, 2, 1, 2)], "ShapeError", ["[2,1,3,1,2]", "[2,2,1,2]"])
    case("2-with-3", "logicalAnd", [ones(2, dtype="bool"), ones(3, dtype="bool")], "ShapeError", ["[2]", "[3]"])
    case("2-with-3", "bitwiseOr", [ones(2, dtype="i32"), ones(3, dtype="i32")], "ShapeError", ["[2]", "[3]"])
    case("branches", "where", [ones(2, dtype="bool"), ones(2), ones(3)], "ShapeError", ["[2]", "[3]"])
    case("condition", "where", [ones(4, dtype="bool"), ones(3), ones(3)], "ShapeError", ["[4]", "[3]"])
    case("2x3-to-2x4", "broadcastTo", [ones(2, 3)], "ShapeError", ["[2,3]", "[2,4]"], shape=[2, 4])
    case("3-to-1", "broadcastTo", [ones(3)], "ShapeError", ["[3]", "[1]"], shape=[1])
    case("to-lower-rank", "broadcastTo", [ones(1, 3)], "ShapeError", ["[1,3]", "[3]"], shape=[3])


def products(case):
    def matmul(a, b, error="ShapeError"):
        name = f"{'x'.join(map(str, a)) or '0d'}-by-{'x'.join(map(str, b)) or '0d'}"
        case(name, "matmul", [ones(*a), ones(*b)], error, ["[" + ",".join(map(str, s)) + "]" for s in (a, b)])

    matmul((2, 3), (4, 5))
    matmul((64, 7), (10, 7))
    matmul((3,), (4,))
    matmul((3,), (4, 2))
    matmul((2, 3), (2,))
    matmul((), (3,))
    matmul((3, 3), ())
    matmul((2, 3, 4), (3, 4, 5))
    matmul((2, 3, 4), (2, 3, 4))
    logits = ones(3, 5)
    case("lengths-differ", "crossEntropy", [logits, Tensor([0, 1], "i32")], "ShapeError", ["[3,5]", "[2]"])
    case("targets-of-rank-2", "crossEntropy", [logits, Tensor([[0], [1], [2]], "i32")], "ShapeError", ["[3,5]", "[3,1]"])
    case("logits-of-rank-0", "crossEntropy", [Tensor(1.0), Tensor([0], "i32")], "ShapeError", ["[]", "[1]"])


def views(case):
    x = ones(2, 3)
    case("6-to-4", "reshape", [x], "ShapeError", ["[2,3]", "[4]"], shape=[4])
    case("to-empty", "reshape", [x], "ShapeError", ["[2,3]", "[0]"], shape=[0])
    case("two-inferred", "reshape", [x], "ShapeError", ["[-1,-1]"], shape=[-1, -1])
    case("inferred-does-not-divide", "reshape", [x], "ShapeError", ["[2,3]", "[4,-1]"], shape=[4, -1])
    case("negative", "reshape", [x], "ShapeError", ["[-2,-3]"], shape=[-2, -3])
    case("inferred-of-nothing", "reshape", [ones(0)], "ShapeError", ["[0,-1]"], shape=[0, -1])
    case("too-few", "permute", [x], "AxisError", ["[2,3]"], axes=[0])
    case("too-many", "permute", [x], "AxisError", ["[2,3]"], axes=[0, 1, 2])
    case("repeated", "permute", [x], "AxisError", ["0"], axes=[0, 0])
    case("repeated-by-a-negative", "permute", [x], "AxisError", ["1"], axes=[1, -1])
    case("out-of-range", "permute", [x], "AxisError", ["2"], axes=[0, 2])
    case("step-0", "slice", [x], "ValueError", ["0"], starts=[None], stops=[None], steps=[0])
    case("more-ranges-than-axes", "slice", [ones(3)], "AxisError", ["[3]"], starts=[0, 0], stops=[1, 1], steps=[1, 1])
    case("out-of-range", "flip", [x], "AxisError", ["2"], axis=2)
    case("repeated", "flip", [x], "AxisError", ["1"], axis=[1, -1])
    case("too-few-widths", "pad", [ones(2, 3, 4)], "ShapeError", ["[2,3,4]"], pads=[[1, 1], [1, 1]], value=0)
    case("negative-width", "pad", [ones(3)], "ValueError", ["-1"], pads=[[-1, 1]], value=0)
    case("axis-out-of-range", "take", [x, Tensor([0], "i32")], "AxisError", ["2"], axis=2)
    case("of-a-scalar", "take", [Tensor(1.0), Tensor([0], "i32")], "AxisError", ["0"], axis=0)


def joins(case):
    case("other-axes-differ", "concat", [ones(2, 3), ones(2, 4)], "ShapeError", ["[2,3]", "[2,4]"], axis=0)
    case("ranks-differ", "concat", [ones(2, 3), ones(3)], "ShapeError", ["[2,3]", "[3]"], axis=0)
    case("axis-out-of-range", "concat", [ones(2), ones(2)], "AxisError", ["1"], axis=1)
    case("scalars", "concat", [Tensor(1.0), Tensor(2.0)], "AxisError", ["0"], axis=0)
    case("nothing", "concat", [], "ValueError", [], axis=0)
    case("shapes-differ", "stack", [ones(2, 3), ones(3, 2)], "ShapeError", ["[2,3]", "[3,2]"], axis=0)
    case("axis-out-of-range", "stack", [ones(2), ones(2)], "AxisError", ["2"], axis=2)
    case("nothing", "stack", [], "ValueError", [], axis=0)


def reductions(case):
    ops = ("sum", "prod", "mean", "max", "min", "logSumExp", "argmax", "argmin")
    for op in ops:
        case("axis-out-of-range", op, [ones(2, 3)], "AxisError", ["2", "[2,3]"], axis=2, keepdims=False)
    case("negative-axis-out-of-range", "sum", [ones(2, 3)], "AxisError", ["-3", "[2,3]"], axis=-3, keepdims=False)
    case("axis-of-a-scalar", "sum", [Tensor(1.0)], "AxisError", ["0"], axis=0, keepdims=False)
    case("repeated-axis", "sum", [ones(2, 3)], "AxisError", ["1"], axis=[1, 1], keepdims=False)
    case("repeated-by-a-negative", "max", [ones(2, 3)], "AxisError", ["1"], axis=[1, -1], keepdims=False)
    # Nothing has no largest element, and no index.
    for op in ("max", "min", "argmax", "argmin"):
        case("of-nothing", op, [ones(0)], "ShapeError", ["[0]"], axis=None, keepdims=False)
        case("along-an-empty-axis", op, [ones(2, 0)], "ShapeError", ["[2,0]"], axis=1, keepdims=False)
    for op in ("softmax", "logSoftmax"):
        case("axis-out-of-range", op, [ones(2, 3)], "AxisError", ["2", "[2,3]"], axis=2)


def dtypes(case):
    f, i, b = ones(2), ones(2, dtype="i32"), ones(2, dtype="bool")
    for op in ("bitwiseAnd", "bitwiseOr", "bitwiseXor", "shiftLeft", "shiftRight"):
        case("f32", op, [f, f], "DTypeError", ["f32"])
        case("i32-with-f32", op, [i, f], "DTypeError", ["f32"])
    case("f32", "bitwiseNot", [f], "DTypeError", ["f32"])
    case("f32-condition", "where", [f, f, f], "DTypeError", ["f32"])
    case("f32-indices", "take", [ones(2, 3), f], "DTypeError", ["f32"], axis=0)
    case("bool-indices", "take", [ones(2, 3), b], "DTypeError", ["bool"], axis=0)
    case("f32", "oneHot", [f], "DTypeError", ["f32"], numClasses=3)
    case("f32-targets", "crossEntropy", [ones(2, 3), f], "DTypeError", ["f32"])
    case("unknown", "cast", [f], "DTypeError", ["f31"], dtype="f31")


def creation(case):
    case("negative-extent", "zeros", [], "ShapeError", ["[2,-1]"], shape=[2, -1], dtype="f32")
    case("fractional-extent", "ones", [], "ShapeError", ["2.5"], shape=[2.5], dtype="f32")
    case("unknown-dtype", "zeros", [], "DTypeError", ["float"], shape=[2], dtype="float")
    case("negative-extent", "full", [], "ShapeError", ["[-3]"], shape=[-3], value=1, dtype="f32")
    case("step-0", "arange", [], "ValueError", ["0"], start=0, stop=3, step=0, dtype="i32")
    case("negative-count", "linspace", [], "ValueError", ["-1"], start=0, stop=1, num=-1, endpoint=True, dtype="f32")
    case("negative-size", "eye", [], "ValueError", ["-1"], n=-1, m=None, k=0, dtype="f32")
    case("negative-classes", "oneHot", [Tensor([0], "i32")], "ValueError", ["-1"], numClasses=-1)
    # `tensor` takes nested arrays, in `data`, with an optional shape.
    case("ragged", "tensor", [], "ShapeError", [], data=[[1, 2], [3]])
    case("ragged-in-depth", "tensor", [], "ShapeError", [], data=[[1, 2], [3, [4]]])
    case("wrong-length", "tensor", [], "ShapeError", ["3", "[2,2]"], data=[1, 2, 3], shape=[2, 2])
    case("unknown-dtype", "tensor", [], "DTypeError", ["f31"], data=[1], dtype="f31")
