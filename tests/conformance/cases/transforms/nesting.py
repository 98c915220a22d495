"""Nested transformations of programs within programs. Each case is one nesting, written by hand."""

import numpy as np

from ..format import Group, Tensor, integers, normals
from ..program import Builder, case
from .transforms import add


class Case:
    """One nesting: `build` gets the builder of the main function and its inputs."""

    def __init__(self, jax, group):
        self.jax, self.group = jax, group

    def __call__(self, name, inputs, build):
        inputs = [x if isinstance(x, Tensor) else normals(f"{name}{n}", x, 0.6, 2) for n, x in enumerate(inputs)]
        main = Builder(0, len(inputs))
        gives = build(main, *main.parameters)
        add(self.group, name, case(self.jax, name, [len(inputs), main.steps, list(gives)], inputs))


def total(b, x):
    return b("sum", b("mul", x, x), axis=None, keepdims=False)


def mean(b, x):
    return b("mean", x, axis=None, keepdims=False)


def cell(b, h, x, w):
    return b("tanh", b("add", b("matmul", h, w), x))


def recurrent(b, h, xs, w, length, reverse=False):
    """A scan of a cell; yields the last state and all of them."""

    def turn(b, h, x):
        next = cell(b, h, x, w)
        return [next, b("mul", next, h)]

    return b.many("scan", [h, xs], 2, {"carried": 1, "length": length, "reverse": reverse}, [b.function(2, turn)])


def loops(c):
    for turns in (1, 8, 9, 33):
        for reverse in (False, True):

            def derived(m, h, xs, w, seed, seeds, turns=turns, reverse=reverse):
                def f(b, h, xs, w):
                    return recurrent(b, h, xs, w, turns, reverse)

                return m.many("vjp", [h, xs, w, seed, seeds], 5, {"primals": 3}, [m.function(3, f)])

            label = "-reverse" if reverse else ""
            c(f"vjp-of-scan-{turns}{label}", [(2, 3), (turns, 2, 3), (3, 3), (2, 3), (turns, 2, 3)], derived)

    def thousand(m, x, a):
        def f(b, x, a):
            def turn(b, i, x):
                return [b("add", b("mul", x, [0.995]), b("mul", b("sin", b("mul", x, a)), [0.01]))]

            return [total(b, b.many("forLoop", [x], 1, {"from": 0, "to": 1000}, [b.function(2, turn)])[0])]

        return m.many("grad", [x, a], 3, {}, [m.function(2, f)])

    c("grad-of-1000-turns", [(3,), (3,)], thousand)

    def nested_thousand(m, x, a):
        def f(b, x, a):
            def outer(b, i, x):
                def inner(b, j, x):
                    step = b("mul", b("cos", b("mul", x, a)), b("div", b("cast", b("add", b("add", i, j), [1.0]), dtype="f32"), [4000.0]))
                    return [b("sub", x, step)]

                return [b("mul", b.many("forLoop", [x], 1, {"from": 0, "to": 100}, [b.function(2, inner)])[0], [0.97])]

            return [total(b, b.many("forLoop", [x], 1, {"from": 0, "to": 10}, [b.function(2, outer)])[0])]

        return m.many("grad", [x, a], 3, {}, [m.function(2, f)])

    c("grad-of-nested-10-by-100", [(2,), (2,)], nested_thousand)

    for limit in (1, 8, 9, 40):

        def ended(m, x, a, limit=limit):
            def f(b, x, a):
                def holds(b, x, n):
                    return [b("less", b("max", b("abs", x), axis=None, keepdims=False), [9.0])]

                def turn(b, x, n):
                    return [b("add", b("mul", x, [1.25]), b("mul", b("tanh", a), [0.1])), b("add", n, [1.0])]

                zero = b("sum", b("mul", x, [0.0]), axis=None, keepdims=False)
                x, n = b.many("whileLoop", [x, zero], 2, {"limit": limit}, [b.function(2, holds), b.function(2, turn)])
                return [b("add", total(b, x), n)]

            return m.many("grad", [x, a], 3, {}, [m.function(2, f)])

        c(f"grad-of-bounded-while-{limit}", [(3,), (3,)], ended)

    def endings(m, xs, a):
        def member(b, x, a):
            def holds(b, x, n):
                return [b("less", x, [20.0])]

            def turn(b, x, n):
                return [b("add", b("mul", x, [1.5]), b("square", a)), b("add", n, [1.0])]

            return b.many("whileLoop", [x, b("zeros", shape=[], dtype="f32")], 2, {"limit": 30}, [b.function(2, holds), b.function(2, turn)])

        def f(b, xs, a):
            return b.many("vmap", [xs, a], 2, {"axes": [0, None]}, [b.function(2, member)])

        gives = f(m, xs, a)
        seed = m("ones", shape=[5], dtype="f32")
        gives += m.many("vjp", [xs, a, seed, seed], 4, {"primals": 2}, [m.function(2, f)])
        gives += m.many("jvp", [xs, a, seed, a], 4, {"primals": 2}, [m.function(2, f)])
        return gives

    c("vmap-of-while-whose-members-end-apart", [Tensor([0.5, 30.0, 4.0, 1.1, 19.0]), Tensor(0.7)], endings)

    def inner_ends(m, xs):
        def outer(b, i, x):
            def holds(b, x):
                return [b("less", b("sum", x, axis=None, keepdims=False), [3.0])]

            def turn(b, x):
                return [b("add", b("mul", x, [1.3]), [0.11])]

            grown = b.many("whileLoop", [b("abs", x)], 1, {"limit": 12}, [b.function(1, holds), b.function(1, turn)])[0]
            return [b("sub", b("mul", grown, [0.4]), b("mul", b("cast", i, dtype="f32"), [0.05]))]

        def f(b, xs):
            def member(b, x):
                return b.many("forLoop", [x], 1, {"from": 1, "to": 5}, [b.function(2, outer)])

            return [total(b, b.many("vmap", [xs], 1, {"axes": [0]}, [b.function(1, member)])[0])]

        return m.many("grad", [xs], 2, {}, [m.function(1, f)])

    c("grad-of-vmap-of-while-in-for", [(4, 2)], inner_ends)


def branches(c):
    def chosen(b, x, w):
        """A scan whose turns choose."""

        def turn(b, h, x):
            large = b("greater", mean(b, x), [0.0])

            def yes(b, h, x):
                return [b("tanh", b("add", h, b("mul", x, w)))]

            def no(b, h, x):
                def inner(b, i, h):
                    return [b("sin", b("add", b("mul", h, w), b("mul", b("cast", i, dtype="f32"), [0.1])))]

                return b.many("forLoop", [h], 1, {"from": 0, "to": 3}, [b.function(2, inner)])

            next = b.many("cond", [large, h, x], 1, {}, [b.function(2, yes), b.function(2, no)])[0]
            return [next, b("mul", next, [2.0])]

        h = b("zeros", shape=[3], dtype="f32")
        return b.many("scan", [h, x], 2, {"carried": 1, "length": 6, "reverse": False}, [b.function(2, turn)])

    xs = Tensor([[0.4, 0.3, 0.2], [-0.5, -0.2, 0.1], [0.9, -0.3, 0.2], [-0.1, -0.7, 0.3], [-0.6, 0.2, 0.1], [0.5, 0.8, 0.1]])
    f = lambda b, x, w: chosen(b, x, w)
    c("jvp-of-scan-of-cond", [xs, (3,), (6, 3), (3,)],
      lambda m, x, w, dx, dw: m.many("jvp", [x, w, dx, dw], 4, {"primals": 2}, [m.function(2, f)]))  # fmt: skip
    c("vjp-of-scan-of-cond", [xs, (3,), (3,), (6, 3)],
      lambda m, x, w, g, gs: m.many("vjp", [x, w, g, gs], 4, {"primals": 2}, [m.function(2, f)]))  # fmt: skip

    def both(m, x, w, dx, dw, g, gs):
        def pushed(b, x, w, dx, dw):
            return b.many("jvp", [x, w, dx, dw], 4, {"primals": 2}, [b.function(2, f)])

        return m.many("vjp", [x, w, dx, dw, g, gs, g, gs], 8, {"primals": 4}, [m.function(4, pushed)])

    c("vjp-of-jvp-of-scan-of-cond", [xs, (3,), (6, 3), (3,), (3,), (6, 3)], both)

    def members(m, x, w, seed):
        """Members choose for themselves."""

        def member(b, x, w):
            return [total(b, chosen(b, x, w)[1])]

        def of_one(b, x, w):
            return b.many("grad", [x, w], 3, {}, [b.function(2, member)])

        batch = m("stack", x, m("neg", x), m("flip", x, axis=[0]), axis=0)
        gives = m.many("vmap", [batch, w], 3, {"axes": [0, None]}, [m.function(2, of_one)])

        def all_members(b, batch, w):
            return [total(b, b.many("vmap", [batch, w], 1, {"axes": [0, None]}, [b.function(2, member)])[0])]

        return gives + m.many("grad", [batch, w], 3, {}, [m.function(2, all_members)])

    c("vmap-of-grad-and-grad-of-vmap-of-scan-of-cond", [xs, (3,), (3,)], members)

    def switched(m, x, which):
        def f(b, x):
            def one(b, x):
                return [b("sin", x)]

            def two(b, x):
                def turn(b, i, x):
                    return [b("mul", x, b("cos", x))]

                return b.many("forLoop", [x], 1, {"from": 0, "to": 2}, [b.function(2, turn)])

            def three(b, x):
                return [b("zeros", shape=[2], dtype="f32")]

            def turn(b, i, x):
                index = b("take", which, i, axis=0)
                return b.many("switchCase", [index, x], 1, {}, [b.function(1, one), b.function(1, two), b.function(1, three), b.function(1, lambda b, x: [b("exp", b("neg", x))])])

            return b.many("forLoop", [x], 1, {"from": 0, "to": 5}, [b.function(2, turn)])

        seed = m("ones", shape=[2], dtype="f32")
        gives = m.many("vjp", [x, seed], 2, {"primals": 1}, [m.function(1, f)])
        return gives + m.many("jacfwd", [x], 1, {}, [m.function(1, f)]) + m.many("jacrev", [x], 1, {}, [m.function(1, f)])

    c("derivatives-of-switch-in-for", [(2,), Tensor([1, 0, 3, -4, 9], "i32")], switched)
    c("derivatives-of-switch-that-forgets", [(2,), Tensor([1, 2, 3, 0, 1], "i32")], switched)

    def picked(m, xs, which):
        """A switch of which each member has its own, of different costs."""

        def member(b, x, n):
            branches = [
                b.function(1, lambda b, x: [b("sum", x, axis=0, keepdims=False)]),
                b.function(1, lambda b, x: [b("max", x, axis=0, keepdims=False)]),
                b.function(1, lambda b, x: [b("matmul", x, x)]),
            ]
            return b.many("switchCase", [n, x], 1, {}, branches)

        def f(b, xs):
            return b.many("vmap", [xs, which], 1, {"axes": [0, 0]}, [b.function(2, member)])

        seed = m("arange", start=1, stop=5, step=1, dtype="f32")
        return m.many("vjp", [xs, seed], 2, {"primals": 1}, [m.function(1, f)])

    c("vjp-of-vmap-of-switch", [(4, 3), Tensor([2, 0, 1, 2], "i32")], picked)

    def in_branches(m, x, truth):
        """Loops within branches, the gradient through both, under a condition that is no constant."""

        def f(b, x):
            def yes(b, x):
                def turn(b, h, y):
                    h = b("tanh", b("add", h, y))
                    return [h, h]

                return b.many("scan", [b("sum", x, axis=0, keepdims=False), x], 2, {"carried": 1, "length": 4, "reverse": True}, [b.function(2, turn)])

            def no(b, x):
                return [b("mean", x, axis=0, keepdims=False), b("sin", x)]

            return b.many("cond", [truth, x], 2, {}, [b.function(1, yes), b.function(1, no)])

        seeds = [m("ones", shape=[2], dtype="f32"), m("ones", shape=[4, 2], dtype="f32")]
        return m.many("vjp", [x, *seeds], 3, {"primals": 1}, [m.function(1, f)])

    for truth in (True, False):
        c(f"vjp-of-cond-with-scan-{truth}", [(4, 2), Tensor(truth, "bool")], in_branches)


def second(c):
    def f(b, x, a):
        def turn(b, i, x):
            return [b("sin", b("add", b("mul", x, a), b("mul", b("cast", i, dtype="f32"), [0.3])))]

        return [total(b, b.many("forLoop", [x], 1, {"from": 0, "to": 9}, [b.function(2, turn)])[0])]

    c("hessian-of-for", [(3,), (3,)], lambda m, x, a: m.many("hessian", [x, a], 4, {}, [m.function(2, f)]))

    def third(m, x, a, u, v):
        def first(b, x):
            return b.many("grad", [x], 2, {}, [b.function(1, lambda b, x: f(b, x, a))])[1:]

        def twice(b, x):
            return [b("sum", b("mul", b.many("jvp", [x, u], 2, {"primals": 1}, [b.function(1, first)])[1], v), axis=None, keepdims=False)]

        return m.many("grad", [x], 2, {}, [m.function(1, twice)])

    c("grad-of-jvp-of-grad-of-for", [(3,), (3,), (3,), (3,)], third)

    def scanned(m, h, xs, w, v):
        def f(b, h):
            return [total(b, recurrent(b, h, xs, w, 5)[1])]

        def g(b, h):
            return b.many("grad", [h], 2, {}, [b.function(1, f)])[1:]

        gives = m.many("hessian", [h], 1, {}, [m.function(1, f)])
        gives += m.many("linearize", [h, v], 2, {"primals": 1}, [m.function(1, g)])
        gives += m.many("jacrev", [h], 1, {}, [m.function(1, g)])
        return gives + m.many("jacfwd", [h], 1, {}, [m.function(1, g)])

    c("second-derivatives-of-scan", [(2, 2), (5, 2, 2), (2, 2), (2, 2)], scanned)

    def whiled(m, x):
        def f(b, x):
            def holds(b, x):
                return [b("less", total(b, x), [5.0])]

            return [total(b, b.many("whileLoop", [x], 1, {"limit": 11}, [b.function(1, holds), b.function(1, lambda b, x: [b("add", x, b("mul", b("square", x), [0.4]))])])[0])]

        return m.many("hessian", [x], 1, {}, [m.function(1, f)])

    c("hessian-of-while", [Tensor([0.3, 0.9, 0.2])], whiled)

    def inside(m, xs, w):
        """Gradients taken in the turns of a loop, and differentiated again from outside."""

        def f(b, w):
            def turn(b, w, x):
                def loss(b, w):
                    return [total(b, b("sub", b("tanh", b("mul", w, x)), [0.3]))]

                value, slope = b.many("grad", [w], 2, {}, [b.function(1, loss)])
                return [b("sub", w, b("mul", slope, [0.2])), value]

            return b.many("scan", [w, xs], 2, {"carried": 1, "length": 5, "reverse": False}, [b.function(2, turn)])

        def end(b, w):
            return [total(b, f(b, w)[0])]

        return f(m, w) + m.many("grad", [w], 2, {}, [m.function(1, end)])

    c("grad-through-steps-of-descent", [(5, 3), (3,)], inside)


def batches(c):
    def scanned(m, hs, xs, w, g):
        def member(b, h, x, w):
            return recurrent(b, h, x, w, 4)

        def f(b, hs, xs, w):
            return b.many("vmap", [hs, xs, w], 2, {"axes": [0, 1, None]}, [b.function(3, member)])

        def score(b, hs, xs, w):
            last, ys = f(b, hs, xs, w)
            return [b("add", total(b, last), b("sum", b("mul", ys, g), axis=None, keepdims=False))]

        return f(m, hs, xs, w) + m.many("grad", [hs, xs, w], 4, {}, [m.function(3, score)])

    c("grad-of-vmap-of-scan", [(3, 2, 2), (4, 3, 2, 2), (2, 2), (3, 4, 2, 2)], scanned)

    def only_slices(m, xs, w):
        def member(b, x):
            return recurrent(b, b("zeros", shape=[2], dtype="f32"), x, w, 4)

        return m.many("vmap", [xs], 2, {"axes": [2]}, [m.function(1, member)])

    c("vmap-of-scan-over-slices-alone", [(4, 2, 3), (2, 2)], only_slices)

    def in_turns(m, x, w):
        """A batch in each turn, members by what they share of the state."""

        def turn(b, i, x):
            def row(b, row, column):
                return [b("tanh", b("add", b("matmul", row, w), b("mul", column, b("cast", i, dtype="f32"))))]

            return b.many("vmap", [x, b("sum", x, axis=1, keepdims=False)], 1, {"axes": [0, 0]}, [b.function(2, row)])

        def f(b, x):
            return [total(b, b.many("forLoop", [x], 1, {"from": 1, "to": 4}, [b.function(2, turn)])[0])]

        return m.many("grad", [x], 2, {}, [m.function(1, f)])

    c("grad-of-for-of-vmap", [(3, 2), (2, 2)], in_turns)

    def twice(m, a, b_):
        def pair(b, x, y):
            def turn(b, i, x):
                return [b("sin", b("add", b("mul", x, y), x))]

            return [total(b, b.many("forLoop", [x], 1, {"from": 0, "to": 3}, [b.function(2, turn)])[0])]

        def derived(b, x, y):
            return b.many("grad", [x, y], 3, {}, [b.function(2, pair)])

        def row(b, x, ys):
            return b.many("vmap", [x, ys], 3, {"axes": [None, 0]}, [b.function(2, derived)])

        return m.many("vmap", [a, b_], 3, {"axes": [0, None]}, [m.function(2, row)])

    c("vmap-of-vmap-of-grad-of-for", [(3, 2), (4, 2)], twice)

    def indexed(m, tables, which):
        def member(b, table, n):
            def turn(b, i, sum, place):
                value = b("take", table, place, axis=0)
                return [b("add", b("mul", sum, [0.5]), value), b("remainder", b("add", b("add", place, n), i), [5.0])]

            return b.many("forLoop", [b("zeros", shape=[2], dtype="f32"), b("cast", n, dtype="i32")], 2, {"from": 0, "to": 6}, [b.function(3, turn)])[:1]

        def f(b, tables):
            return b.many("vmap", [tables, which], 1, {"axes": [0, 0]}, [b.function(2, member)])

        seed = m("ones", shape=[3, 2], dtype="f32")
        return m.many("vjp", [tables, seed], 2, {"primals": 1}, [m.function(1, f)])

    c("vjp-of-vmap-of-gathers-in-for", [(3, 5, 2), Tensor([1, 2, 3], "i32")], indexed)

    def scattered(m, xs, which):
        def member(b, x, which):
            def turn(b, h, place):
                return [b("atAdd", h, place, b("mul", b("sum", h, axis=None, keepdims=False), [0.1])), b("atSet", h, place, b("cos", b("take", h, place, axis=0)))]

            return b.many("scan", [x, which], 2, {"carried": 1, "length": 4, "reverse": False}, [b.function(2, turn)])

        def f(b, xs):
            return b.many("vmap", [xs, which], 2, {"axes": [0, 0]}, [b.function(2, member)])

        seeds = [m("ones", shape=[2, 3], dtype="f32"), m("ones", shape=[2, 4, 3], dtype="f32")]
        return m.many("vjp", [xs, *seeds], 3, {"primals": 1}, [m.function(1, f)])

    c("vjp-of-vmap-of-scatters-in-scan", [(2, 3), Tensor([[0, 2, 1, 1], [2, 2, 0, 1]], "i32")], scattered)


def own(c):
    def softened(b, x):
        """A function with a derivative of its own that is not its derivative."""
        forward = b.function(1, lambda b, x: [b("sign", x), x])
        backward = b.function(2, lambda b, x, g: [b("mul", g, b("exp", b("neg", b("square", x))))])
        return b.many("customVjp", [x], 1, {"outputs": 1}, [forward, backward])[0]

    def pushed(b, x):
        value = b.function(1, lambda b, x: [b("log", b("add", b("exp", x), [1.0]))])
        rule = b.function(2, lambda b, x, t: [b("mul", b("mul", t, b("sigmoid", x)), [1.5])])
        return b.many("customJvp", [x], 1, {}, [value, rule])[0]

    for kind, f in (("vjp", softened), ("jvp", pushed)):

        def scanned(m, h, xs, seed, f=f):
            def run(b, h, xs):
                def turn(b, h, x):
                    next = f(b, b("add", b("mul", h, [0.5]), x))
                    return [next, b("mul", next, x)]

                return b.many("scan", [h, xs], 2, {"carried": 1, "length": 4, "reverse": False}, [b.function(2, turn)])

            def score(b, h, xs):
                last, ys = run(b, h, xs)
                return [b("add", total(b, b("add", last, h)), mean(b, ys))]

            def member(b, h, xs):
                return b.many("grad", [h, xs], 3, {}, [b.function(2, score)])

            both = m("stack", h, m("neg", h), axis=1)
            gives = m.many("grad", [h, xs], 3, {}, [m.function(2, score)])
            return gives + m.many("vmap", [both, xs], 3, {"axes": [1, None]}, [m.function(2, member)])

        c(f"custom-{kind}-in-scan", [(3,), (4, 3), (3,)], scanned)

        def branched(m, x, f=f):
            def score(b, x):
                inner = b.many("cond", [b("greater", mean(b, x), [0.0]), x], 1, {}, [b.function(1, lambda b, x: [f(b, x)]), b.function(1, lambda b, x: [b("sin", f(b, x))])])
                return [total(b, b("add", inner[0], x))]

            return m.many("grad", [x], 2, {}, [m.function(1, score)]) + m.many("grad", [m("neg", x)], 2, {}, [m.function(1, score)])

        c(f"custom-{kind}-in-cond", [Tensor([0.5, 0.25, -0.3])], branched)

    def tangents(m, x, t):
        def turn(b, i, x):
            return [b("sub", pushed(b, x), b("mul", x, [0.25]))]

        def run(b, x):
            return b.many("forLoop", [x], 1, {"from": 0, "to": 5}, [b.function(2, turn)])

        return m.many("jvp", [x, t], 2, {"primals": 1}, [m.function(1, run)]) + m.many("jacfwd", [x], 1, {}, [m.function(1, run)])

    c("jvp-of-for-of-custom-jvp", [(3,), (3,)], tangents)

    def kept(m, h, xs, w):
        def score(b, h, xs, w):
            def turn(b, h, x):
                block = b.function(3, lambda b, h, x, w: [b("sin", cell(b, h, x, w))])
                next = b.many("checkpoint", [h, x, w], 1, {}, [block])[0]
                return [next, next]

            last, ys = b.many("scan", [h, xs], 2, {"carried": 1, "length": 8, "reverse": False}, [b.function(2, turn)])
            return [b("add", total(b, last), mean(b, ys))]

        gives = m.many("grad", [h, xs, w], 4, {}, [m.function(3, score)])
        whole = lambda b, h, xs, w: b.many("checkpoint", [h, xs, w], 1, {}, [b.function(3, score)])
        gives += m.many("grad", [h, xs, w], 4, {}, [m.function(3, whole)])

        def slope(b, w):
            return b.many("grad", [w], 2, {}, [b.function(1, lambda b, w: whole(b, h, xs, w))])[1:]

        return gives + m.many("jacfwd", [w], 1, {}, [m.function(1, slope)])

    c("checkpoint-in-and-around-scan", [(2, 2), (8, 2, 2), (2, 2)], kept)

    def stopped(m, x):
        def score(b, x):
            def turn(b, i, x):
                return [b("tanh", b("add", b("mul", x, b("stopGradient", b("cos", x))), x))]

            return [total(b, b.many("forLoop", [x], 1, {"from": 0, "to": 4}, [b.function(2, turn)])[0])]

        return m.many("grad", [x], 2, {}, [m.function(1, score)])

    c("stop-gradient-in-for", [(3,)], stopped)


def captures(c):
    def inside(m, xs, w):
        """jit inside vmap inside grad, and loops in it."""

        def loss(b, xs, w):
            def member(b, x):
                def compiled(b, x, w):
                    def turn(b, i, x):
                        return [b("tanh", b("add", b("matmul", x, w), b("cast", i, dtype="f32")))]

                    return b.many("forLoop", [x], 1, {"from": 0, "to": 3}, [b.function(2, turn)])

                return b.many("jit", [x, w], 1, {}, [b.function(2, compiled)])

            return [total(b, b.many("vmap", [xs], 1, {"axes": [0]}, [b.function(1, member)])[0])]

        gives = m.many("grad", [xs, w], 3, {}, [m.function(2, loss)])
        around = m.function(2, lambda b, xs, w: b.many("grad", [xs, w], 3, {}, [b.function(2, loss)]))
        return gives + m.many("jit", [xs, w], 3, {}, [around])

    c("jit-in-vmap-in-grad-in-jit", [(3, 2), (2, 2)], inside)

    def in_turns(m, x):
        def turn(b, i, x):
            return b.many("jit", [x, i], 1, {}, [b.function(2, lambda b, x, i: [b("sin", b("add", x, b("cast", i, dtype="f32")))])])

        def score(b, x):
            return [total(b, b.many("forLoop", [x], 1, {"from": 0, "to": 4}, [b.function(2, turn)])[0])]

        return m.many("grad", [x], 2, {}, [m.function(1, score)])

    c("jit-in-for", [(3,)], in_turns)


def cases():
    import jax

    group = Group()
    with jax.enable_x64(True):
        c = Case(jax, group)
        for build in (loops, branches, second, batches, own, captures):
            build(c)
    return group
