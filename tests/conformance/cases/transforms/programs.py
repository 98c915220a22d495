"""Random programs with loops and branches, and their derivatives. A generator seeded by the number
of the program writes them, and keeps those that do not depend on the last bits of their inputs."""

import multiprocessing
import random

from ..format import Group, normals
from ..program import Builder, case
from .transforms import add

COUNT = 200

TURNS = [1, 2, 3, 8, 9]


class Writer:
    """Writes one program. Values are kept of the size of 1, so that nothing overflows in a loop."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.deepest = 3
        # How many more regions and transforms there are to be.
        self.regions = 5

    def pick(self, items):
        return self.random.choice(list(items))

    def shape(self):
        return self.pick([(), (3,), (2, 3), (3, 2), (4,), (2, 2), (1, 3), (2, 1, 2)])

    def function(self, b, takes, types, results, depth, turns):
        """A function whose results have the shapes `results`."""

        def build(b, *given):
            scope = Scope(self, b, types)
            for x, shape in zip(given, takes):
                scope.types[x] = shape
            for n in range(self.random.randint(1, 3) if depth else 4):
                scope.statement(depth, turns, n in (1, 3) and depth == 0)
            return [scope.bounded(shape, given) for shape in results]

        return b.function(len(takes), build)


class Scope:
    """The values of a function being written: floats with their shapes."""

    def __init__(self, writer, b, types):
        self.writer, self.b, self.types = writer, b, dict(types)
        self.random, self.pick = writer.random, writer.pick

    def some(self, rank=None):
        """A value; rather a late one."""
        fit = [x for x, shape in self.types.items() if shape != "i32" and (rank is None or len(shape) >= rank)]
        if not fit:
            shape = (2, 3)[: rank or 0]
            return self.put(self.b("ones", shape=list(shape), dtype="f32"), shape)
        return self.pick(fit[-6:]) if self.random.random() < 0.8 else self.pick(fit)

    def put(self, x, shape):
        self.types[x] = tuple(shape)
        return x

    def shaped(self, x, shape):
        """`x` made to have a shape: repeated, or its mean repeated."""
        own = self.types[x]
        if own == tuple(shape):
            return x
        fits = len(own) <= len(shape) and all(a in (1, b) for a, b in zip(own[::-1], shape[::-1]))
        if not fits:
            x = self.put(self.b("mean", x, axis=None, keepdims=False), ())
        return self.put(self.b("broadcastTo", x, shape=list(shape)), shape)

    def bounded(self, shape, given):
        """A result: something new of this shape."""
        x = self.shaped(self.some(), shape)
        y = self.shaped(self.pick([n for n in given if self.types[n] != "i32"] or [x]), shape)
        kind = self.random.randrange(4)
        if kind == 0:
            return self.put(self.b("tanh", self.b("add", x, self.b("mul", y, [0.5]))), shape)
        if kind == 1:
            return self.put(self.b("add", self.b("mul", y, [0.75]), self.b("mul", self.b("sin", x), [0.25])), shape)
        if kind == 2:
            return self.put(self.b("mul", self.b("cos", x), self.b("tanh", y)), shape)
        return self.put(self.b("sub", self.b("sigmoid", x), self.b("mul", y, [0.25])), shape)

    def statement(self, depth, turns, deep=False):
        flat = [self.unary, self.unary, self.binary, self.binary, self.reduction, self.view, self.product, self.choice, self.gather, self.network]
        regions = [self.loop, self.scan, self.loop_while, self.branch, self.switch, self.transform]
        if depth < self.writer.deepest and self.writer.regions and (deep or self.random.random() < 0.4):
            self.writer.regions -= 1
            self.pick(regions)(depth + 1, turns)
        else:
            self.pick(flat)()

    def unary(self):
        x = self.some()
        shape = self.types[x]
        op = self.pick(["tanh", "sin", "cos", "sigmoid", "neg", "abs", "gelu", "erf", "relu", "square", "exp", "sqrt", "log"])
        if op in ("exp", "square"):
            x = self.b("sin", x)
        elif op in ("sqrt", "log"):
            x = self.b("add", self.b("square", x), [1.0])
        elif op in ("abs", "relu"):
            x = self.b("add", x, [0.137])
        return self.put(self.b(op, x), shape)

    def binary(self):
        x, y = self.some(), self.some()
        y = self.shaped(y, self.types[x])
        shape = self.types[x]
        op = self.pick(["add", "sub", "mul", "maximum", "minimum", "div"])
        if op == "div":
            y = self.b("add", self.b("square", y), [1.0])
        elif op in ("maximum", "minimum"):
            y = self.b("mul", y, [0.731])
        elif self.random.random() < 0.2:
            y = [round(self.random.uniform(-1, 1), 2) or 0.5]
        return self.put(self.b(op, x, y), shape)

    def reduction(self):
        x = self.some(1)
        shape = self.types[x]
        axis = self.random.randrange(len(shape))
        keepdims = self.random.random() < 0.4
        op = self.pick(["mean", "max", "min", "logSumExp", "sum", "prod"])
        if op in ("sum", "prod"):
            x = self.b("tanh", x)
        if op in ("max", "min"):
            # Apart, so that one wins.
            ramp = self.b("arange", start=0, stop=shape[axis], step=1, dtype="f32")
            ramp = self.b("reshape", self.b("mul", ramp, [0.173]), shape=[-1] + [1] * (len(shape) - 1 - axis))
            x = self.b("add", x, ramp)
        result = [1 if n == axis else d for n, d in enumerate(shape) if keepdims or n != axis]
        return self.put(self.b(op, x, axis=axis, keepdims=keepdims), result)

    def view(self):
        x = self.some(1)
        shape = list(self.types[x])
        axis = self.random.randrange(len(shape))
        kind = self.pick(["permute", "flip", "slice", "pad", "reshape", "roll", "concat", "stack", "expandDims"])
        if len(shape) > 3 and kind in ("stack", "expandDims") or max(shape) > 6 and kind in ("pad", "concat"):
            kind = "flip"
        if kind == "permute":
            axes = list(range(len(shape)))
            self.random.shuffle(axes)
            return self.put(self.b("permute", x, axes=axes), [shape[a] for a in axes])
        if kind == "flip":
            return self.put(self.b("flip", x, axis=[axis]), shape)
        if kind == "roll":
            return self.put(self.b("roll", x, shift=self.random.randint(-2, 2), axis=axis), shape)
        if kind == "slice":
            whole = [None] * len(shape)
            starts, stops, steps = list(whole), list(whole), [1] * len(shape)
            starts[axis], steps[axis] = (shape[axis] - 1, -1) if self.random.random() < 0.3 else (self.random.randrange(shape[axis]), 1)
            extent = shape[axis] if steps[axis] < 0 else shape[axis] - starts[axis]
            shape[axis] = extent
            return self.put(self.b("slice", x, starts=starts, stops=stops, steps=steps), shape)
        if kind == "pad":
            pads = [[0, 0] for _ in shape]
            pads[axis] = [self.random.randint(0, 1), self.random.randint(0, 2)]
            shape[axis] += sum(pads[axis])
            return self.put(self.b("pad", x, pads=pads, value=0.25), shape)
        if kind == "reshape":
            size = 1
            for extent in shape:
                size *= extent
            to = self.pick([[size], [1, size], [size // 2, 2] if size % 2 == 0 else [size, 1]])
            return self.put(self.b("reshape", x, shape=to), to)
        y = self.shaped(self.some(), shape)
        if kind == "concat":
            shape[axis] *= 2
            return self.put(self.b("concat", x, y, axis=axis), shape)
        if kind == "stack":
            shape.insert(axis, 2)
            return self.put(self.b("stack", x, y, axis=axis), shape)
        shape.insert(axis, 1)
        return self.put(self.b("expandDims", x, axis=axis), shape)

    def product(self):
        x, y = self.some(1), self.some(1)
        a = self.types[x]
        free = self.random.randint(1, 3)
        y = self.shaped(y, (a[-1], free) if self.random.random() < 0.7 else (a[-1],))
        b = self.types[y]
        result = (*a[:-1], *b[1:])
        return self.put(self.b("mul", self.b("matmul", x, y), [round(0.9 / a[-1], 3)]), result)

    def choice(self):
        x, y = self.some(), self.some()
        y = self.shaped(y, self.types[x])
        mask = self.b(self.pick(["less", "greater"]), x, self.b("add", self.b("mul", y, [0.5]), [0.061]))
        return self.put(self.b("where", mask, x, self.b("mul", y, [0.5])), self.types[x])

    def gather(self):
        x = self.some(1)
        shape = list(self.types[x])
        whole = [n for n, type in self.types.items() if type == "i32"]
        axis = self.random.randrange(len(shape))
        if whole and self.random.random() < 0.8:
            place = self.b("remainder", self.pick(whole), [float(shape[axis])])
            del shape[axis]
            if self.random.random() < 0.3 and axis == 0:
                value = self.shaped(self.some(), shape)
                return self.put(self.b(self.pick(["atAdd", "atSet"]), x, place, value), self.types[x])
            return self.put(self.b("take", x, place, axis=axis), shape)
        places = self.b("remainder", self.b("arange", start=1, stop=4, step=1, dtype="i32"), [float(shape[axis])])
        return self.put(self.b("take", x, places, axis=axis), [*shape[:axis], 3, *shape[axis + 1 :]])

    def network(self):
        x = self.some(1)
        return self.put(self.b(self.pick(["softmax", "logSoftmax"]), x, axis=-1), self.types[x])

    def states(self):
        return [self.some() for _ in range(self.random.randint(1, 3))]

    def turns(self, left):
        fit = [n for n in TURNS if n <= left]
        return self.pick(fit or [1])

    def loop(self, depth, left):
        turns, state = self.turns(left), self.states()
        start = self.random.randint(-2, 2)
        shapes = [self.types[x] for x in state]
        body = self.writer.function(self.b, ["i32", *shapes], self.types, shapes, depth, left // turns)
        for x, shape in zip(self.b.many("forLoop", state, len(state), {"from": start, "to": start + turns}, [body]), shapes):
            self.put(x, shape)

    def scan(self, depth, left):
        turns, state = self.turns(left), self.states()
        shapes = [self.types[x] for x in state]
        xs, slices = [], []
        for _ in range(self.random.randint(0, 2)):
            slice = self.writer.shape()
            x = self.shaped(self.some(), slice)
            ramp = self.b("reshape", self.b("arange", start=1, stop=turns + 1, step=1, dtype="f32"), shape=[turns] + [1] * len(slice))
            x = self.b("sin", self.b("mul", ramp, self.b("expandDims", x, axis=0)))
            xs.append(self.put(x, (turns, *slice)))
            slices.append(slice)
        ys = [self.writer.shape() for _ in range(self.random.randint(0, 2))]
        body = self.writer.function(self.b, [*shapes, *slices], self.types, [*shapes, *ys], depth, left // turns)
        attrs = {"carried": len(state), "length": turns, "reverse": self.random.random() < 0.4}
        results = [*shapes, *((turns, *y) for y in ys)]
        for x, shape in zip(self.b.many("scan", [*state, *xs], len(results), attrs, [body]), results):
            self.put(x, shape)

    def loop_while(self, depth, left):
        limit, state = self.turns(left), self.states()
        # A count with an end of its own for each value it begins from, so that the data says when
        # it is over.
        first = self.b("abs", self.b("mean", self.some(), axis=None, keepdims=False))
        state = [*state, self.put(first, ())]
        shapes = [self.types[x] for x in state]
        end = round(self.random.uniform(0.5, 3), 2)

        def holds(b, *given):
            return [b("less", given[-1], [end])]

        def turn(b, *given):
            scope = Scope(self.writer, b, self.types)
            for x, shape in zip(given, shapes):
                scope.put(x, shape)
            for _ in range(self.random.randint(1, 2)):
                scope.statement(depth, left // limit)
            step = b("add", b("square", b("tanh", scope.shaped(scope.some(), ()))), [0.21])
            return [*(scope.bounded(shape, given) for shape in shapes[:-1]), b("add", given[-1], step)]

        condition = self.b.function(len(state), holds)
        body = self.b.function(len(state), turn)
        for x, shape in zip(self.b.many("whileLoop", state, len(state), {"limit": limit}, [condition, body]), shapes):
            self.put(x, shape)

    def branch(self, depth, left):
        operands = self.states()
        shapes = [self.types[x] for x in operands]
        results = [self.writer.shape() for _ in range(self.random.randint(1, 2))]
        truth = self.b(self.pick(["less", "greater"]), self.b("mean", self.some(), axis=None, keepdims=False), [0.083])
        both = [self.writer.function(self.b, shapes, self.types, results, depth, left) for _ in range(2)]
        for x, shape in zip(self.b.many("cond", [truth, *operands], len(results), {}, both), results):
            self.put(x, shape)

    def switch(self, depth, left):
        operands = self.states()
        shapes = [self.types[x] for x in operands]
        results = [self.writer.shape()]
        whole = [n for n, type in self.types.items() if type == "i32"]
        if whole:
            index = self.b("remainder", self.pick(whole), [3.0])
        else:
            mean = self.b("mean", self.some(), axis=None, keepdims=False)
            index = self.b("cast", self.b("floor", self.b("add", self.b("mul", mean, [2.0]), [1.031])), dtype="i32")
        all = [self.writer.function(self.b, shapes, self.types, results, depth, left) for _ in range(3)]
        for x, shape in zip(self.b.many("switchCase", [index, *operands], 1, {}, all), results):
            self.put(x, shape)

    def transform(self, depth, left):
        kind = self.pick(["vmap", "grad", "jvp", "checkpoint", "jit", "linearize"])
        if kind == "vmap":
            x, shared = self.some(1), self.some()
            shape = self.types[x]
            axis = self.random.randrange(len(shape))
            members = [*shape[:axis], *shape[axis + 1 :]]
            result = self.writer.shape()
            body = self.writer.function(self.b, [tuple(members), self.types[shared]], self.types, [result], depth, left)
            y = self.b.many("vmap", [x, shared], 1, {"axes": [axis, None]}, [body])[0]
            return self.put(y, (shape[axis], *result))
        operands = self.states()
        shapes = [self.types[x] for x in operands]
        count = len(operands)
        if kind == "grad":
            body = self.writer.function(self.b, shapes, self.types, [()], depth, left)
            results = [(), *shapes]
            found = self.b.many("grad", operands, len(results), {}, [body])
        elif kind in ("jvp", "linearize"):
            result = self.writer.shape()
            results = [result, result]
            tangents = [self.shaped(self.some(), shape) for shape in shapes]
            body = self.writer.function(self.b, shapes, self.types, [result], depth, left)
            found = self.b.many(kind, [*operands, *tangents], 2, {"primals": count}, [body])
        else:
            results = [self.writer.shape()]
            body = self.writer.function(self.b, shapes, self.types, results, depth, left)
            found = self.b.many(kind, operands, 1, {}, [body])
        for x, shape in zip(found, results):
            self.put(x, shape)


def write(name, number):
    """A program with its inputs: a function of random form, and a derivative of it, or several."""
    writer = Writer(name)
    shapes = [writer.shape() for _ in range(writer.random.randint(1, 3))]
    results = [writer.shape() for _ in range(writer.random.randint(1, 2))]
    count = len(shapes)
    xs = [normals(f"{name}x{n}", shape, 0.7, 2) for n, shape in enumerate(shapes)]
    along = [normals(f"{name}t{n}", shape, 0.7, 2) for n, shape in enumerate(shapes)]
    seeds = [normals(f"{name}c{n}", shape, 0.7, 2) for n, shape in enumerate(results)]

    def f(b):
        return writer.function(b, shapes, {}, results, 0, 27)

    kind = ["vjp", "vjp", "vjp", "jvp", "vmap", "vjp of vmap", "vjp of jvp", "vmap of vjp"][number % 8]
    if kind == "vjp":
        inputs, main = [*xs, *seeds], Builder(0, count + len(seeds))
        gives = main.many("vjp", main.parameters, len(seeds) + count, {"primals": count}, [f(main)])
    elif kind == "jvp":
        inputs, main = [*xs, *along], Builder(0, 2 * count)
        gives = main.many("jvp", main.parameters, 2 * len(seeds), {"primals": count}, [f(main)])
    elif kind == "vjp of jvp":
        inputs, main = [*xs, *along, *seeds, *seeds], Builder(0, 2 * count + 2 * len(seeds))
        both = main.function(2 * count, lambda b, *given: b.many("jvp", given, 2 * len(seeds), {"primals": count}, [f(b)]))
        gives = main.many("vjp", main.parameters, 2 * count + 2 * len(seeds), {"primals": 2 * count}, [both])
    else:
        members = [normals(f"{name}m{n}", (3, *shape), 0.7, 2) for n, shape in enumerate(shapes)]
        weights = [normals(f"{name}w{n}", (3, *shape), 0.7, 2) for n, shape in enumerate(results)]
        # The last input is shared, where there are others.
        axes = [0] * count if count == 1 else [0] * (count - 1) + [None]
        given = [xs[n] if axis is None else members[n] for n, axis in enumerate(axes)]
        mapped = lambda b, inputs: b.many("vmap", inputs, len(seeds), {"axes": axes}, [f(b)])
        if kind == "vmap":
            inputs, main = given, Builder(0, count)
            gives = mapped(main, main.parameters)
        elif kind == "vjp of vmap":
            inputs, main = [*given, *weights], Builder(0, count + len(seeds))
            whole = main.function(count, lambda b, *given: mapped(b, given))
            gives = main.many("vjp", main.parameters, len(seeds) + count, {"primals": count}, [whole])
        else:
            inputs, main = [*given, *weights], Builder(0, count + len(seeds))
            pulled = lambda b, *given: b.many("vjp", given, len(seeds) + count, {"primals": count}, [f(b)])
            one = main.function(count + len(seeds), pulled)
            gives = main.many("vmap", main.parameters, len(seeds) + count, {"axes": axes + [0] * len(seeds)}, [one])
    return [len(inputs), main.steps, gives], inputs


def loops(function):
    return sum((step[0] in REGIONS) + sum(map(loops, step[3] if len(step) > 3 else [])) for step in function[1])


REGIONS = {"scan", "forLoop", "whileLoop", "cond", "switchCase"}


def size(function):
    return sum(1 + sum(map(size, step[3] if len(step) > 3 else [])) for step in function[1])


def program(jax, number):
    """The first program of its number that has a region, is not long, and does not hang on the last bit."""
    for attempt in range(100):
        name = f"{number}.{attempt}"
        main, inputs = write(name, number)
        if loops(main) < 2 or size(main) > 110:
            continue
        made = case(jax, name, main, inputs)
        if made is not None:
            return made
    raise ValueError(f"nothing was found for program {number}")


def of_number(number):
    import jax

    with jax.enable_x64(True):
        return program(jax, number)


def cases():
    """Compiling takes most of the time: two at a time."""
    group = Group()
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        for made in pool.imap(of_number, range(COUNT)):
            add(group, made["name"], made)
    return group
