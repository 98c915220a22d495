"""Algebraic identities that floats do not obey and that shader compilers apply: x/x = 1, x − x = 0,
0·x = 0, no NaN, no infinity. A table has expressions of one and two operands, each with special
values that come from buffers, from computation, through uniforms and as literals, and with one
node as both. NumPy in float32 does what IEEE 754 says; the sign of a zero does not count."""

import numpy as np

from ..format import EPS, Tensor, float_scalar, lines

SPECIAL = np.array([0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 2.5, -0.75, 3], np.float32)
# The last takes off what was added to it.
CONSTANTS = [0, 1, np.inf, np.nan, 2.0**24]
COUNT = len(SPECIAL)


class Bare(Exception):
    """A function of tensors is given a plain number."""


class Value:
    """What a step gives: its place, or a plain number in its place, and its elements."""

    def __init__(self, program, place, elements):
        self.program, self.place, self.elements = program, place, elements

    def with_(self, op, other, compute):
        if isinstance(self.place, list) and (not isinstance(other, Value) or isinstance(other.place, list)):
            raise Bare
        return self.program.step(op, [self, other], compute(self.elements, number(other)))

    def alone(self, op, compute, **attrs):
        if isinstance(self.place, list):
            raise Bare
        return self.program.step(op, [self], compute(self.elements), attrs)

    def __add__(self, other):
        return self.with_("add", other, np.add)

    def __sub__(self, other):
        return self.with_("sub", other, np.subtract)

    def __mul__(self, other):
        return self.with_("mul", other, np.multiply)

    def __truediv__(self, other):
        return self.with_("div", other, np.divide)

    def __pow__(self, other):
        return self.with_("pow", other, np.power)

    def __mod__(self, other):
        return self.with_("remainder", other, np.remainder)

    def __lt__(self, other):
        return self.with_("less", other, np.less)

    def __le__(self, other):
        return self.with_("lessEqual", other, np.less_equal)

    def __gt__(self, other):
        return self.with_("greater", other, np.greater)

    def __ge__(self, other):
        return self.with_("greaterEqual", other, np.greater_equal)

    def __eq__(self, other):
        return self.with_("equal", other, np.equal)

    def __ne__(self, other):
        return self.with_("notEqual", other, np.not_equal)

    def __neg__(self):
        return self.alone("neg", np.negative)

    def __abs__(self):
        return self.alone("abs", np.abs)

    def __invert__(self):
        return self.alone("logicalNot", np.logical_not)

    def reshape(self, *shape):
        return self.alone("reshape", lambda x: x.reshape(shape), shape=list(shape))

    def f32(self):
        return self.alone("cast", lambda x: x.astype(np.float32), dtype="f32")


def number(x):
    return x.elements if isinstance(x, Value) else np.float32(x)


def where(condition, a, b):
    return condition.program.step("where", [condition, a, b], np.where(condition.elements, number(a), number(b)).astype(np.float32))


def by_turns(condition, a, b):
    """Two choices by one condition."""
    return where(condition, a, b) - where(condition, b, a)


def large_twice(a, c):
    """The square of c is infinite, the product is not."""
    return a * 1e-30 * c * c


def function(op, compute):
    return lambda x: x.alone(op, compute)


def two(op, compute):
    return lambda a, b: a.with_(op, b, compute)


def stack(*xs):
    return xs[0].program.step("stack", xs, np.stack([x.elements for x in xs], 1), {"axis": 1})


def along(op, compute):
    return lambda x: x.alone(op, lambda x: compute(x, axis=1), axis=1, **({} if op == "softmax" else {"keepdims": False}))


def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


isnan, isinf, isfinite = function("isnan", np.isnan), function("isinf", np.isinf), function("isfinite", np.isfinite)
minimum, maximum, sqrt = two("minimum", np.minimum), two("maximum", np.maximum), function("sqrt", np.sqrt)
floor, exp, reciprocal = function("floor", np.floor), function("exp", np.exp), function("reciprocal", np.reciprocal)
sign, largest, least, total = function("sign", np.sign), along("max", np.max), along("min", np.min), along("sum", np.sum)

# Of two operands, which are one and the same, or one of which is a constant.
TWO = {
    "a+b": lambda a, b: a + b,
    "a-b": lambda a, b: a - b,
    "a*b": lambda a, b: a * b,
    "a/b": lambda a, b: a / b,
    "min(a,b)": minimum,
    "max(a,b)": maximum,
    "a**b": lambda a, b: a**b,
    "isnan(a mod b)": lambda a, b: isnan(a % b),
    "a=b": lambda a, b: a == b,
    "a!=b": lambda a, b: a != b,
    "a<b": lambda a, b: a < b,
    "a<=b": lambda a, b: a <= b,
    "a>b": lambda a, b: a > b,
    "a>=b": lambda a, b: a >= b,
    "not a<b": lambda a, b: ~(a < b),
    "not a>=b": lambda a, b: ~(a >= b),
    "a if a<b else b": lambda a, b: where(a < b, a, b),
    "a if a>b else b": lambda a, b: where(a > b, a, b),
    "b if a<b else a": lambda a, b: where(a < b, b, a),
    "a if a<b else b, less b if a<b else a": lambda a, b: by_turns(a < b, a, b),
    "a if not a<b else b, less b if not a<b else a": lambda a, b: by_turns(~(a < b), a, b),
    "a if a=b else 7": lambda a, b: where(a == b, a, 7),
    "a if a!=b else 7": lambda a, b: where(a != b, a, 7),
    "a*c*c, c large": lambda a, b: large_twice(a, b * 1e25),
    "a*b/b": lambda a, b: a * b / b,
    "a/b*b": lambda a, b: a / b * b,
    "b/a*b": lambda a, b: b / a * b,
    "a+b-b": lambda a, b: a + b - b,
    "a+b-a": lambda a, b: a + b - a,
    "a-b+b": lambda a, b: a - b + b,
    "a-(a-b)": lambda a, b: a - (a - b),
    "a-(a+b)": lambda a, b: a - (a + b),
    "(a-b)-a": lambda a, b: (a - b) - a,
    "(a-b)/(a-b)": lambda a, b: (a - b) / (a - b),
    "(a-b)-(a-b)": lambda a, b: (a - b) - (a - b),
    "(a*b)/(b*a)": lambda a, b: (a * b) / (b * a),
    "a*b-b*a": lambda a, b: a * b - b * a,
    "a/-b": lambda a, b: a / -b,
    "-a/b": lambda a, b: -a / b,
    "-a+b": lambda a, b: -a + b,
    "|a|/b": lambda a, b: abs(a) / b,
    "|a|-|b|": lambda a, b: abs(a) - abs(b),
    "|b|*a/a": lambda a, b: abs(b) * a / a,
    "isnan(a-b)": lambda a, b: isnan(a - b),
    "isnan(a*b)": lambda a, b: isnan(a * b),
    "isnan(a/b)": lambda a, b: isnan(a / b),
    "isfinite(a/b)": lambda a, b: isfinite(a / b),
    "a-b=0": lambda a, b: a - b == 0,
    "a/b=1": lambda a, b: a / b == 1,
    "a-b<0": lambda a, b: a - b < 0,
    "a*(a=b)": lambda a, b: a * (a == b).f32(),
    "a*(a!=b)": lambda a, b: a * (a != b).f32(),
    "a/(a=b)": lambda a, b: a / (a == b).f32(),
    "(a=b)/a": lambda a, b: (a == b).f32() / a,
    "(a!=b)*b+a": lambda a, b: (a != b).f32() * b + a,
    "isinf(1/(a-b))": lambda a, b: isinf(reciprocal(a - b)),
    "a*b+a": lambda a, b: a * b + a,
    "a-a*b": lambda a, b: a - a * b,
    "a*b+a*a": lambda a, b: a * b + a * a,
    "a*a-a*b": lambda a, b: a * a - a * b,
    "a*b-b*b": lambda a, b: a * b - b * b,
    "min(a-b,b-a)": lambda a, b: minimum(a - b, b - a),
    "max(a/b,b/a)": lambda a, b: maximum(a / b, b / a),
}

# Of one operand.
ONE = {
    "-(-x)": lambda x: -(-x),
    "|x|": abs,
    "floor x": floor,
    "ceil x": function("ceil", np.ceil),
    "round x": function("round", np.round),
    "sign x": sign,
    "relu x": function("relu", lambda x: np.maximum(x, np.float32(0))),
    "x*sign(x)": lambda x: x * sign(x),
    "sqrt(x*x)": lambda x: sqrt(x * x),
    "sqrt(x)*sqrt(x)": lambda x: sqrt(x) * sqrt(x),
    "1/(1/x)": lambda x: reciprocal(reciprocal(x)),
    "x*(1/x)": lambda x: x * reciprocal(x),
    "rsqrt(x)*sqrt(x)": lambda x: x.alone("rsqrt", rsqrt) * sqrt(x),
    "isnan x": isnan,
    "isfinite x": isfinite,
    "isinf x": isinf,
    "x-floor(x)": lambda x: x - floor(x),
    "clip x": lambda x: x.alone("clip", lambda x: np.clip(x, np.float32(-2), np.float32(2)), min=-2, max=2),
    "exp(x)*0": lambda x: exp(x) * 0,
    "exp(x)/exp(x)": lambda x: exp(x) / exp(x),
    "largest of a row": lambda x: largest(stack(x, x * 0 + 5, x)),
    "least of a row": lambda x: least(stack(x, x * 0 + 5, x)),
    "sum of a row": lambda x: total(stack(x, -x)),
    "softmax": lambda x: x.program.step("softmax", [stack(x, x)], softmax(np.stack([x.elements, x.elements], 1), 1), {"axis": 1}),
    "product with 0": lambda x: x.reshape(-1, 1).with_("matmul", x.program.full(0).reshape(1, 1), lambda a, b: a * b),
    "product of a folded 0": lambda x: x.reshape(-1, 1).with_("matmul", folded(x, 0).reshape(1, -1), lambda a, b: a * b),
}


def rsqrt(x):
    return np.where(x == 0, np.float32(np.inf), np.float32(1) / np.sqrt(x)).astype(np.float32)


def folded(x, constant):
    """0 and 1 that only a simplifier finds."""
    positive = x > 0
    if constant == 0 and not np.signbit(constant):
        return positive.with_("logicalXor", positive, np.logical_xor).f32()
    return positive.with_("logicalOr", ~positive, np.logical_or).f32() if constant == 1 else None


class Program:
    """A program in the making: its steps, and what each gives."""

    def __init__(self):
        self.steps = []
        self.inputs = [Tensor(SPECIAL), Tensor(SPECIAL), Tensor(np.ones(COUNT))]
        self.count = len(self.inputs)
        self.gives = []
        self.x, self.copy, self.ones = (Value(self, n, tensor.values) for n, tensor in enumerate(self.inputs))

    def step(self, op, inputs, elements, attrs=None):
        places = [x.place if isinstance(x, Value) else [float_scalar(np.float64(x))] for x in inputs]
        self.steps.append([op, places, attrs] if attrs else [op, places])
        self.count += 1
        return Value(self, self.count - 1, elements)

    def full(self, constant):
        return self.step("full", [], np.full([1], constant, np.float32), {"shape": [1], "value": float_scalar(np.float64(constant)), "dtype": "f32"})

    def bare(self, constant):
        return Value(self, [float_scalar(np.float64(constant))], np.float32(constant))

    def uniform(self, constant):
        return self.full(1) * constant

    def computed(self):
        """No compiler knows that the factor is 1."""
        return self.x * self.ones

    def try_(self, make, *operands):
        steps, count = list(self.steps), self.count
        try:
            self.gives.append(make(*operands))
        except Bare:
            self.steps, self.count = steps, count

    def case(self, name):
        kinds = {"f": "f32", "b": "bool"}
        return {
            "name": name,
            "inputs": [x.to_json() for x in self.inputs],
            "main": [len(self.inputs), self.steps, [x.place for x in self.gives]],
            "expected": [Tensor(x.elements, kinds[x.elements.dtype.kind]).to_json() for x in self.gives],
            "tolerance": float(f"{16 * EPS:.2g}"),
        }


def same(make):
    """One node twice, and equal ones."""
    to = Program()
    z = to.computed()
    for a, b in [(to.x, to.x), (z, z), (to.x, to.copy), (z, to.x), (to.x.reshape(-1, 1), to.copy.reshape(1, -1))]:
        to.try_(make, a, b)
    for constant in SPECIAL:
        for one in (to.full(constant), to.uniform(constant)):
            to.try_(make, one, one)
    return to


def beside(make, constant):
    """An operand and a constant: a literal, a uniform, and what a simplifier finds."""
    to = Program()
    for x in (to.x, to.computed()):
        for c in (to.full(constant), to.bare(constant), folded(x, constant)):
            if c is not None:
                to.try_(make, x, c)
                to.try_(make, c, x)
    return to


def alone(make):
    to = Program()
    for x in (to.x, to.computed(), *(one(constant) for constant in SPECIAL for one in (to.full, to.uniform))):
        to.try_(make, x)
    return to


class Identities:
    def __init__(self):
        self.cases = []

    def text(self):
        return lines(self.cases)


def cases():
    group = Identities()
    with np.errstate(all="ignore"):
        for name, make in TWO.items():
            group.cases.append(same(make).case(f"{name}, same"))
            for constant in CONSTANTS:
                # The quotient has the sign of the zero, which drivers may lose.
                if (name, constant) == ("a/-b", 0):
                    continue
                group.cases.append(beside(make, constant).case(f"{name}, {constant}"))
        for name, make in ONE.items():
            group.cases.append(alone(make).case(name))
    return group
