"""Special functions: SciPy's values in float64."""

import math

import numpy as np
import scipy.special as sp

from ..format import EPS, TINY, Group, Number, Tensor, brief, uniforms

NAN, INF = math.nan, math.inf
SPECIALS = [NAN, INF, -INF, 0.0]


def sign_of_gamma(x):
    return np.where((x < 0) & (np.mod(np.floor(x), 2) == 1), -1.0, 1.0)


# The function, its bound as (abs, rel), where random points lie, values at which implementations go
# wrong, and which of NaN, ±∞ and 0 it says something of.
UNARY = {
    "gammaln": (sp.gammaln, (1e-6, 1e-6), (-6, 12), [1, 2, 1 + 1e-6, 2 - 1e-6, 0.5, 1.5, 2.5, 3.5, 1e-30, -1e-30, -0.5, -1.5, -1, -2, 1e10, 1e30, 3e38, -30.5], [NAN, INF, 0.0]),
    "gamma": (sp.gamma, (TINY, 6e-6), (0.05, 20), [1, 2, 3, 5, 0.5, 1.5, 2.5, 3.5, 34.9, 35.5, 100, -0.5, -1.5, -10.5, 1e-30, 7e-38, -1e-20], [NAN, INF]),
    "gammasgn": (sign_of_gamma, None, (-9, 9), [1, -0.5, -1.5, -2.5, -3.5], []),
    "digamma": (sp.digamma, (1e-6, 1e-6), (0.05, 20), [1, 1.4616321, 1.4616322, 1.5, 0.5, 3.5, 100, 1e10, 1e-10, -0.5, -1.5, -10.25, -1e-5], [NAN, INF]),
    "erfc": (sp.erfc, (TINY, 1e-6), (-3, 9), [0.1, -0.1, 1, 3, 5, 9, 9.19, 15, -5, -20, 1e-20, 0.5], SPECIALS),
    "erfcx": (sp.erfcx, (TINY, 4e-6), (-3, 9), [0.1, 1, 3, 5, 100, 1e10, -5, -9], [NAN, INF, 0.0]),
    "ndtr": (sp.ndtr, (TINY, 2e-6), (-9, 9), [-1, 1, -5, -12, -13, 5, 12, -30], SPECIALS),
    "logNdtr": (sp.log_ndtr, (TINY, 4e-6), (-9, 9), [-1, -0.999, -1.001, 1, -5, -12, -100, -1e4, 5, 9, 12], [NAN, INF, 0.0]),
    "ndtri": (sp.ndtri, (1e-6, 2e-6), (0.001, 0.999), [0, 1, 0.5, 0.1, 0.0999, 0.9, 0.9001, 1e-10, 1e-30, 1.2e-37, 0.999999, -0.1, 1.1], [NAN]),
    "i0": (sp.i0, (TINY, 4e-6), (-20, 20), [1e-10, 1, 7.99, 8.01, -8, 50, 88, 91.5, 99, 200], [NAN, 0.0]),
    "i0e": (sp.i0e, (TINY, 1e-6), (-20, 20), [1e-10, 1, 7.99, 8.01, -8, 50, 1e10], SPECIALS),
    "i1": (sp.i1, (TINY, 4e-6), (-20, 20), [1e-10, 1, 7.99, 8.01, -8, 50, 88, 91.5, 99, 200, -200], [NAN, 0.0]),
    "i1e": (sp.i1e, (TINY, 1e-6), (-20, 20), [1e-10, 1, 7.99, 8.01, -8, 50, 1e10, -1e10], SPECIALS),
    "j0": (sp.j0, (1e-6, TINY), (-30, 30), [1e-10, 2.4048255, 4.999, 5.001, -5, 100, 1e4, 1e6, 1e10], [NAN, 0.0]),
    "j1": (sp.j1, (1e-6, TINY), (-30, 30), [1e-10, 3.8317060, 4.999, 5.001, -5, 100, 1e4, 1e6, 1e10], [NAN, 0.0]),
    "exp1": (sp.exp1, (TINY, 2e-6), (0.01, 9), [1e-20, 1, 1.999, 2, 2.001, 30, 80], [NAN, INF, 0.0]),
    "expi": (sp.expi, (1e-6, 2e-6), (-9, 20), [1e-20, 0.3725074, 1, 9.99, 10.01, 50, 88, 92, 100, -1, -50], SPECIALS),
    "spence": (sp.spence, (1e-7, 2e-6), (0.01, 5), [0, 1e-20, 0.5, 0.49999, 1, 1.0001, 0.9999, 1.5, 1.50001, 2, 2.00001, 100, 1e10, -1], [NAN]),
    "factorial": (lambda n: np.where(n < 0, 0, sp.gamma(np.maximum(n, 0) + 1)), (TINY, 6e-6), (0, 20), [0, 1, 2, 3, 4, 10, 33, -1, -0.5, -3.5], [NAN]),
    "entr": (sp.entr, (EPS, 1e-6), (0.01, 3), [1, 0.5, 1e-20, 1e20, -1], SPECIALS),
    "logit": (sp.logit, (TINY, 2e-6), (0.01, 0.99), [0, 1, 0.5, 0.50001, 0.49999, 0.25, 0.75, 0.2499, 0.7501, 1e-10, 1e-30, 0.999999, -0.5, 1.5], [NAN]),
}  # fmt: skip


def unary(group):
    for op, (f, tolerance, (low, high), probes, specials) in UNARY.items():
        name = f"special.{op}"

        def case(what, x):
            with np.errstate(all="ignore"):
                group.add(f"{op}-{what}", name, [x], f(x.reference), tolerance=tolerance)

        for shape in [(63,), (5, 7), (), (0, 3)]:
            case(brief(shape), uniforms(op + brief(shape), shape, low, high))
        case("probes", Tensor(probes))
        if specials:
            case("special-values", Tensor(specials))
    for op in ("gammaln", "erfc", "entr"):
        i = Tensor([1, 2, 5], "i32")
        group.add(f"{op}-i32", f"special.{op}", [i], UNARY[op][0](i.values), tolerance=UNARY[op][1])


def orders(group):
    for order in (0, 1, 2, 3, 7):
        x = Tensor(np.concatenate([uniforms(f"polygamma{order}", (20,), 0.1, 12).values, [1, 100, 1e4]]))
        group.add(f"polygamma-{order}", "special.polygamma", [x], sp.polygamma(order, x.reference), attrs={"order": order}, tolerance=(1e-6 if order == 0 else TINY, 1e-5))
    # The derivative of ψ below 0, by reflection in float64.
    x = Tensor([-0.5, -1.25, -10.3, 0.0])
    with np.errstate(all="ignore"):
        expected = (math.pi / np.sin(math.pi * x.reference)) ** 2 - sp.polygamma(1, 1 - x.reference)
    group.add("polygamma-1-below-0", "special.polygamma", [x], [*expected[:3], INF], attrs={"order": 1}, tolerance=(TINY, 1e-5))
    for order in (0, 1, 2, 3, 10, 49, 50, 51, 200):
        x = Tensor(np.concatenate([uniforms(f"expn{order}", (30,), 0.01, 12).values, [0, 1, 0.999, 1.001, 1e-10, 30, 80, -1]]))
        with np.errstate(all="ignore"):
            known = np.where(x.reference < 0, NAN, sp.expn(order, x.reference))
            known[30] = INF if order < 2 else 1 / (order - 1)
        group.add(f"expn-{order}", "special.expn", [x], known, attrs={"order": order}, tolerance=(TINY, 4e-6))
    for order in (0, 1, 2, 5, 30, 100):
        x = Tensor(np.concatenate([uniforms(f"besselJn{order}", (40,), -1.5 * order - 9, 1.5 * order + 9).values, [0, 1e-10, 0.01, -1, 1, order, -order, order + 0.5, 4.999, 5.001, 1e4, NAN, INF]]))
        rows = [np.where(np.isinf(x.reference), 0, sp.jv(n, x.reference)) for n in range(order + 1)]
        group.add(f"besselJn-{order}", "special.besselJn", [x], np.array(rows), attrs={"order": order}, tolerance=(1e-6, 1e-5))
    group.add("besselJn-2x3", "special.besselJn", [Tensor([[1, 2, 3], [4, 5, 6]])], np.array([sp.jv(n, np.array([[1, 2, 3], [4, 5, 6.0]])) for n in range(3)]), attrs={"order": 2}, tolerance=(1e-6, 1e-5))
    for dimension in (1, 3):
        x = uniforms(f"multigammaln{dimension}", (9,), 1.5, 9)
        group.add(f"multigammaln-{dimension}", "special.multigammaln", [x], [sp.multigammaln(v, dimension) for v in x.reference], attrs={"dimension": dimension}, tolerance=(4e-6, 4e-6))


def pairs(group):
    def case(op, name, f, a, b, tolerance):
        with np.errstate(all="ignore"):
            group.add(f"{op}-{name}", f"special.{op}", [a, b], f(a.reference, b.reference), tolerance=tolerance)

    s, q = uniforms("zeta-s", (6, 1), 1.1, 9), uniforms("zeta-q", (5,), 0.1, 20)
    case("zeta", "6x1-with-5", sp.zeta, s, q, (TINY, 1e-5))
    case("zeta", "values", sp.zeta, Tensor([2, 2, 4, 1, 30, 1.001, 50, 3, NAN, 2, 5]), Tensor([1, 0.5, 100, 1, 1, 1, 9, 0, 1, INF, INF]), (TINY, 1e-5))
    case("zeta", "below-1", lambda s, q: np.full(s.shape, NAN), Tensor([0.5, -1]), Tensor([1, 1]), None)
    for op, f, tolerance in [("betaln", sp.betaln, (2e-6, 2e-6)), ("beta", sp.beta, (TINY, 8e-6))]:
        a, b = uniforms(op + "a", (6, 1), 0.1, 6), uniforms(op + "b", (5,), 0.1, 20)
        case(op, "6x1-with-5", f, a, b, tolerance)
        big = [([1, 2, 0.5, 1e-3, 3.4, 3.6, 100, 1000, 0.01], [1, 3, 0.5, 1e3, 3.6, 1e3, 50, 0.5, 1e5])] if op == "betaln" else [([1, 2, 0.5, 0.01], [1, 3, 0.5, 50])]
        for a, b in big:
            case(op, "values", f, Tensor(a), Tensor(b), (1e-5, 2e-6) if op == "betaln" else tolerance)
    for op, f in [("gammainc", sp.gammainc), ("gammaincc", sp.gammaincc)]:
        case(op, "6x1-with-9", f, uniforms(op + "a", (6, 1), 0.1, 15), uniforms(op + "x", (9,), 0.01, 30), (2e-6, 1e-5))
        large = uniforms(op + "large", (20,), 20, 3000)
        near = Tensor(np.round(large.values * uniforms(op + "share", (20,), 0.5, 1.6).values, 2))
        case(op, "large", f, large, near, (2e-6, 1e-5))
        case(op, "values", f, Tensor([1, 1, 1, 0.5, 0.001, 1e-3, 20, 20, 20.1, 1e4, 3, 3, NAN, -1, 1]), Tensor([0, 1, 50, INF, 1, 1.01, 20, 21.1, 20.1, 1.01e4, 1e-10, 60, 1, 1, -1]), (2e-6, 1e-5))
    x, y = uniforms("xlogy-x", (4, 1), -3, 3), uniforms("xlogy-y", (5,), 0.1, 3)
    for op, f in [("xlogy", sp.xlogy), ("xlog1py", sp.xlog1py)]:
        case(op, "4x1-with-5", f, x, y, (EPS, 1e-6))
        # WGSL may drop the sign of what is multiplied by a zero.
        case(op, "values", f, Tensor([0, 0, 1, NAN, 0, 0, 2]), Tensor([0 if op == "xlogy" else -1, 5, 0 if op == "xlogy" else -1, 1, NAN, -1 if op == "xlogy" else -2, 1e-10]), (EPS, 1e-6))
    x, y = uniforms("rel-x", (4, 1), 0.1, 3), uniforms("rel-y", (5,), 0.1, 3)
    for op, f in [("relEntr", sp.rel_entr), ("klDiv", sp.kl_div)]:
        case(op, "4x1-with-5", f, x, y, (1e-6, 4e-6))
        case(op, "values", f, Tensor([0, 0, 1, 1, -1, NAN, 2, NAN, NAN, -1, 1]), Tensor([1, 0, 0, -1, 1, 1, 2, 0, -1, NAN, NAN]), (EPS, 1e-6))
    group.add("xlogy-number", "special.xlogy", [Number(2), Tensor([1, 3])], sp.xlogy(2, np.array([1.0, 3.0])), tolerance=(EPS, 1e-6))


def choices(group):
    def case(op, name, f, a, b, tolerance=(1e-6, 2e-5)):
        with np.errstate(all="ignore"):
            group.add(f"{op}-{name}", f"special.{op}", [a, b], f(a.reference, b.reference), tolerance=tolerance)

    n = Tensor(np.arange(13.0).reshape(13, 1))
    case("comb", "13x1-with-14", lambda n, k: np.where((k >= 0) & (k <= n), sp.binom(n, k), 0), n, Tensor(np.arange(14.0) - 1))
    case("comb", "between", lambda n, k: np.where(k <= n, sp.binom(n, k), 0), uniforms("comb-n", (5, 1), 0, 20), uniforms("comb-k", (6,), 0, 20))
    case("comb", "large", sp.binom, Tensor([52, 100, 1000, 64]), Tensor([5, 3, 2, 32]), (TINY, 1e-4))
    case("poch", "5x1-with-6", sp.poch, uniforms("poch-x", (5, 1), 0.1, 9), uniforms("poch-n", (6,), 0, 6))
    case("poch", "whole", sp.poch, Tensor([1, 2, 5, 100, 3, 1e4, 7, 9]), Tensor([0, 3, 4, 2, 1, 1, -2, -1.5]))
    case("poch", "reflected", sp.poch, Tensor([-1, 0, 2, NAN, -2.5, -3, 0, -6.5]), Tensor([1, 2, -3, 1, 3, 2, 0.5, -2]))
    for op, f in [("boxcox", sp.boxcox), ("boxcox1p", sp.boxcox1p)]:
        case(op, "5x1-with-6", f, uniforms(op + "x", (5, 1), 0.05, 6), uniforms(op + "p", (6,), -3, 3))
        start = 0 if op == "boxcox" else -1
        case(op, "values", f, Tensor([start, start, start, 2, 2, 2, 5, start - 1, NAN]), Tensor([2, 0, -1, 0, 1e-10, 0.05, -0.05, 1, 1]))


def betas(group):
    def case(name, a, b, x, tolerance=(4e-6, 1e-4)):
        group.add(f"betainc-{name}", "special.betainc", [a, b, x], sp.betainc(a.reference, b.reference, x.reference), tolerance=tolerance)

    case("6x1x1-with-4x1-with-5", uniforms("betainc-a", (6, 1, 1), 0.1, 9), uniforms("betainc-b", (4, 1), 0.1, 9), uniforms("betainc-x", (5,), 0.01, 0.99), (2e-6, 1e-5))
    case("values", Tensor([1, 2, 0.5, 2, 2, NAN, 30, 0.01]), Tensor([1, 3, 0.5, 3, 3, 1, 40, 5]), Tensor([0.5, 0.5, 0.5, 0, 1, 0.5, 0.4, 0.001]), (2e-6, 1e-5))
    case("outside", Tensor([1, 1, -1, 1]), Tensor([1, 1, 1, 0.5]), Tensor([-0.1, 1.1, 0.5, NAN]))
    a = uniforms("betainc-large-a", (20,), 20, 1000)
    b = uniforms("betainc-large-b", (20,), 20, 1000)
    mean = a.values / (a.values + b.values)
    x = Tensor(np.round(np.clip(mean + uniforms("betainc-off", (20,), -0.06, 0.06).values, 0.001, 0.999), 4))
    case("large", a, b, x)


def cases():
    group = Group()
    unary(group)
    orders(group)
    pairs(group)
    betas(group)
    choices(group)
    return group
