"""SOBA paper, Claim 1: the loss sent to the oracle is exp-concave, and its subgradients are bounded.

**Problem.** f(m) = 1 - 2 m/(2 - eta) + eta m^2/(2 - eta), 0 < eta <= 1/max(2 X D, 1); the loss of W with ||W||_F <= D
is l(W) = f(margin of W) = max over j != y of f((W x)_y - (W x)_j), ||x|| <= X. Algorithm 2 sends (K/gamma) l.

**Algorithm.** Algorithm 2.

**Theoretical guarantee.** exp(-beta l) is concave for beta = eta/32: at a point P between two others let j be the best
rival, m its margin, and u = beta f'(m) (m_i - m) at margins m_i of the same label. Then beta f(m_i) >= beta f(m) + u +
u^2, |u| <= 1/4, exp(-u - u^2) <= 1 - u, and the u cancel in the mean. As |m| <= sqrt(2) X D the best beta is eta (2 -
eta)/(2 (1 + sqrt(2) eta X D)^2), at least (3 - 2 sqrt(2)) eta where eta/32 is printed; and the largest subgradient has
norm 2 sqrt(2) X (1 + sqrt(2) eta X D)/(2 - eta), at most (2 + 2 sqrt(2)) X where 16 X is printed. Both are attained at
W = -D (e_y - e_j) (x) x/(sqrt(2) X), and the latter ends at eta = 1, 2 X D = 1.

**References.** Beygelzimer, Orabona, Zhang 2017, appendix E, Claim 1.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from sympy import Eq, Rational, exp, sqrt, symbols

from gaptron import (
    Argument,
    Cite,
    Claim,
    Constant,
    Implication,
    Instance,
    Lemma,
    Put,
    Resists,
    Use,
)
from gaptron.instances.soba_quadratic import draw_setting, value
from gaptron.symbols import D, X, m
from gaptron.theory import facts
from gaptron.theory.soba import NAMES, OUTER, eta, f, norm2, norm_v, scores, size_e, slope_of
from gaptron.theory.soba import POINT as ROUND

beta = symbols("beta", positive=True)
V_1, V_2, squares = symbols("V_1 V_2 squares", nonnegative=True)
m_1, m_2, M_1, M_2, product_1, product_2, slope, share = symbols(
    "m_1 m_2 M_1 M_2 product_1 product_2 slope share", real=True
)
of_m, of_p, at, e_1, e_2, e_p, u, u_1, u_2, number, edge, steep = symbols(
    "of_m of_p at e_1 e_2 e_p u u_1 u_2 number edge steep", real=True
)
product_w = symbols("product_w", real=True)

SOURCE = "Beygelzimer, Orabona, Zhang 2017, Claim 1"
RATE = (eta <= 1, eta * 2 * X * D <= 1)
BOX = (2 * X * D) ** 2
BETA = eta / 32


def tangent(margin):
    """beta f' times the way to another margin."""
    return BETA * slope * (margin - m)


ranges = Lemma(
    name="SOBA, Claim 1, margins",
    source=SOURCE,
    implications=(
        Implication(
            name="square",
            statement="m^2 <= 2 X^2 ||W||^2 <= 2 X^2 D^2",
            given=(at**2 <= 2 * X**2 * V_1, V_1 <= D**2),
            then=at**2 <= BOX,
        ),
        Implication(name="above", statement="its root", given=(at**2 <= BOX,), then=at <= 2 * X * D),
        Implication(name="below", statement="its root", given=(at**2 <= BOX,), then=at >= -2 * X * D),
        Implication(
            name="between, above",
            statement="a mean is at most the larger one",
            given=(m_1 <= 2 * X * D, m_2 <= 2 * X * D, share >= 0, share <= 1, Eq(m, share * m_1 + (1 - share) * m_2)),
            then=m <= 2 * X * D,
        ),
        Implication(
            name="between, below",
            statement="and at least the smaller one",
            given=(
                m_1 >= -2 * X * D,
                m_2 >= -2 * X * D,
                share >= 0,
                share <= 1,
                Eq(m, share * m_1 + (1 - share) * m_2),
            ),
            then=m >= -2 * X * D,
        ),
        Implication(
            name="slope, above",
            statement="f decreases",
            given=(*RATE, m <= 2 * X * D, Eq(slope, slope_of(m))),
            then=slope <= 0,
        ),
        Implication(
            name="slope, below",
            statement="1 - eta m <= 2 and 2 - eta >= 1",
            given=(*RATE, m >= -2 * X * D, Eq(slope, slope_of(m))),
            then=slope >= -4,
        ),
        Implication(
            name="slope, squared",
            statement="|f'| <= 4",
            given=(slope <= 0, slope >= -4),
            then=slope**2 <= 16,
        ),
    ),
)
concavity = Lemma(
    name="SOBA, Claim 1, exp-concavity",
    source=SOURCE,
    implications=(
        Implication(
            name="of a quadratic",
            statement="f(m_i) = f(m) + f'(m) (m_i - m) + eta/(2 - eta) (m_i - m)^2",
            given=(eta <= 1, Eq(slope, slope_of(m))),
            then=Eq(f(at), f(m) + slope * (at - m) + eta / (2 - eta) * (at - m) ** 2, evaluate=False),
        ),
        Implication(
            name="curvature",
            statement="u^2 <= beta eta/(2 - eta) (m_i - m)^2 as beta f'^2 <= eta/2",
            given=(eta <= 1, slope**2 <= 16),
            then=tangent(at) ** 2 <= BETA * eta / (2 - eta) * (at - m) ** 2,
        ),
        Implication(
            name="above its tangent",
            statement="by u^2 at least",
            given=(
                eta <= 1,
                Eq(f(at), f(m) + slope * (at - m) + eta / (2 - eta) * (at - m) ** 2),
                tangent(at) ** 2 <= BETA * eta / (2 - eta) * (at - m) ** 2,
            ),
            then=BETA * f(at) >= BETA * f(m) + tangent(at) + tangent(at) ** 2,
        ),
        Implication(
            name="u, above",
            statement="m - m_i <= 4 X D",
            given=(RATE[1], slope <= 0, slope >= -4, at >= -2 * X * D, m <= 2 * X * D),
            then=tangent(at) <= Rational(1, 4),
        ),
        Implication(
            name="u, below",
            statement="m_i - m <= 4 X D",
            given=(RATE[1], slope <= 0, slope >= -4, at <= 2 * X * D, m >= -2 * X * D),
            then=tangent(at) >= -Rational(1, 4),
        ),
        Implication(
            name="exponential",
            statement="exp(-u - u^2) <= 1 - u",
            given=(u <= Rational(1, 4), u >= -Rational(1, 4)),
            then=exp(-u - u**2) <= 1 - u,
        ),
        Implication(
            name="the best rival is worse",
            statement="l(W_i) >= f(m_i): f decreases up to 1/eta",
            given=(*RATE, at <= 2 * X * D, number <= at),
            then=f(number) >= f(at),
        ),
        Implication(
            name="the loss",
            statement="beta times",
            given=(of_m >= of_p, BETA * of_p >= number),
            then=BETA * of_m >= number,
        ),
        Implication(
            name="exp(-beta l)",
            statement="it falls with l, and exp(-u - u^2) <= 1 - u",
            given=(of_m >= of_p + u + u**2, exp(-u - u**2) <= 1 - u),
            then=exp(-of_m) <= exp(-of_p) * (1 - u),
        ),
        Implication(
            name="no tangent in the mean",
            statement="m is the mean of the m_i",
            given=(Eq(m, share * m_1 + (1 - share) * m_2),),
            then=Eq(share * tangent(m_1) + (1 - share) * tangent(m_2), 0, evaluate=False),
        ),
        Implication(
            name="concave",
            statement="the mean of exp(-beta l) is at most that at the mean",
            given=(
                share >= 0,
                share <= 1,
                e_1 <= e_p * (1 - u_1),
                e_2 <= e_p * (1 - u_2),
                Eq(share * u_1 + (1 - share) * u_2, 0),
            ),
            then=share * e_1 + (1 - share) * e_2 <= e_p,
        ),
        Implication(
            name="subgradient",
            statement="||f' v||^2 = f'^2 2 ||x||^2 <= 32 X^2",
            given=(
                Eq(squares, slope**2 * norm_v),
                Eq(norm_v, size_e * norm2),
                Eq(size_e, 2),
                norm2 <= X**2,
                slope**2 <= 16,
            ),
            then=squares <= (16 * X) ** 2,
        ),
    ),
)
best = Lemma(
    name="SOBA, Claim 1, best constants",
    source=SOURCE,
    implications=(
        Implication(
            name="edge",
            statement="edge = sqrt(2) X D: |m| <= edge",
            given=(m**2 <= 2 * X**2 * D**2, edge >= 0, Eq(edge**2, 2 * X**2 * D**2)),
            then=m >= -edge,
        ),
        Implication(
            name="other edge",
            statement="edge = sqrt(2) X D: |m| <= edge",
            given=(m**2 <= 2 * X**2 * D**2, edge >= 0, Eq(edge**2, 2 * X**2 * D**2)),
            then=m <= edge,
        ),
        Implication(
            name="eta edge",
            statement="2 eta X D <= 1: (eta edge)^2 <= 1/2",
            given=(RATE[1], Eq(edge**2, 2 * X**2 * D**2)),
            then=2 * (eta * edge) ** 2 <= 1,
        ),
        Implication(
            name="its root",
            statement="eta edge <= 1/sqrt(2)",
            given=(2 * number**2 <= 1,),
            then=number <= sqrt(2) / 2,
        ),
        Implication(
            name="steepest",
            statement="f'(-edge) <= f'(m)",
            given=(eta <= 1, m >= -edge),
            then=slope_of(m) >= -2 * (1 + eta * edge) / (2 - eta),
        ),
        Implication(
            name="falling",
            statement="eta m <= eta edge < 1",
            given=(eta <= 1, m <= edge, eta * edge <= sqrt(2) / 2),
            then=slope_of(m) <= 0,
        ),
        Implication(
            name="squared",
            statement="|f'| <= 2 (1 + eta edge)/(2 - eta)",
            given=(slope >= -steep, slope <= 0),
            then=slope**2 <= steep**2,
        ),
        Implication(
            name="best beta",
            statement="beta = eta (2 - eta)/(2 (1 + eta edge)^2): equality at m = -edge",
            given=(eta <= 1, Eq(2 * beta * (1 + eta * edge) ** 2, eta * (2 - eta))),
            then=Eq(beta * (2 * (1 + eta * edge) / (2 - eta)) ** 2, 2 * eta / (2 - eta), evaluate=False),
        ),
        Implication(
            name="beta f'^2 <= f''",
            statement="f'' = 2 eta/(2 - eta)",
            given=(slope**2 <= number, Eq(beta * number, steep)),
            then=beta * slope**2 <= steep,
        ),
        Implication(
            name="beta, uniformly",
            statement="eta edge <= 1/sqrt(2): beta >= (3 - 2 sqrt(2)) eta",
            given=(eta <= 1, number >= 0, number <= sqrt(2) / 2, Eq(2 * beta * (1 + number) ** 2, eta * (2 - eta))),
            then=beta >= (3 - 2 * sqrt(2)) * eta,
        ),
        Implication(
            name="eta edge >= 0",
            statement="edge >= 0",
            given=(edge >= 0,),
            then=eta * edge >= 0,
        ),
        Implication(
            name="subgradient, uniformly",
            statement="sqrt(2) X 2 (1 + eta edge)/(2 - eta) <= (2 + 2 sqrt(2)) X, equal at eta = 1, X D = 1/2",
            given=(eta <= 1, number <= sqrt(2) / 2),
            then=2 * sqrt(2) * X * (1 + number) / (2 - eta) <= (2 + 2 * sqrt(2)) * X,
        ),
    ),
)

HERE = NAMES | {
    V_1: "||W_1||^2", V_2: "||W_2||^2", product_1: "<W_1, v>", product_2: "<W_2, v>", m_1: "m_1", m_2: "m_2",
    M_1: "margin of W_1", M_2: "margin of W_2", slope: "slope", squares: "||g||^2",
}  # fmt: skip
POINT = ROUND | {
    X: 1, D: Rational(1, 2), eta: 1, m: 0, m_1: Rational(1, 8), m_2: -Rational(1, 8), M_1: 0, M_2: -Rational(1, 4),
    V_1: Rational(1, 8), V_2: Rational(1, 8), product_1: -Rational(1, 8), product_2: Rational(1, 8), slope: -2,
    share: Rational(1, 2), squares: 8,
}  # fmt: skip
P_E = exp(-BETA * f(m))


def to_margins(margin, norm, name):
    """Steps from the norm of one W to the range of its margin."""
    return (
        Cite(scores, {"U": f"W_{name}", "s": f"m_{name}"}),
        Put(ranges["square"], {at: margin, V_1: norm}),
        Put(ranges["above"], {at: margin}),
        Put(ranges["below"], {at: margin}),
    )


def through_the_exponential(margin, lowest):
    """Steps to exp(-beta l) <= exp(-beta f(m)) (1 - u), m the margin of the mean."""
    above = BETA * f(m) + tangent(margin) + tangent(margin) ** 2
    return (
        *(Put(concavity[name], {at: margin}) for name in ("of a quadratic", "curvature", "above its tangent")),
        *(Put(concavity[name], {at: margin}) for name in ("u, above", "u, below")),
        Put(concavity["exponential"], {u: tangent(margin)}),
        Put(concavity["the best rival is worse"], {at: margin, number: lowest}),
        Put(concavity["the loss"], {of_m: f(lowest), of_p: f(margin), number: above}),
        Put(concavity["exp(-beta l)"], {of_m: BETA * f(lowest), of_p: BETA * f(m), u: tangent(margin)}),
    )


CONCAVE = share * exp(-BETA * f(M_1)) + (1 - share) * exp(-BETA * f(M_2)) <= P_E
exp_concave = Argument(
    name="SOBA, Claim 1, exp-concavity",
    setting="Two W and their mean with the given shares, m the margin of the mean, against its best rival, m_1 and m_2 "
    "those of the two against the same label, which are no smaller than their own",
    symbols=HERE,
    hypotheses=(
        *RATE, *OUTER[:3], V_1 <= D**2, V_2 <= D**2, Eq(product_1, -m_1), Eq(product_2, -m_2), M_1 <= m_1, M_2 <= m_2,
        share >= 0, share <= 1, Eq(m, share * m_1 + (1 - share) * m_2), Eq(slope, slope_of(m)),
    ),
    steps=(
        *to_margins(m_1, V_1, "1"),
        *to_margins(m_2, V_2, "2"),
        *(ranges[name] for name in ("between, above", "between, below", "slope, above", "slope, below")),
        ranges["slope, squared"],
        *through_the_exponential(m_1, M_1),
        *through_the_exponential(m_2, M_2),
        concavity["no tangent in the mean"],
        Put(
            concavity["concave"],
            {
                e_1: exp(-BETA * f(M_1)), e_2: exp(-BETA * f(M_2)), e_p: P_E, u_1: tangent(m_1), u_2: tangent(m_2),
            },
        ),
    ),
    conclusion=CONCAVE,
    example=POINT,
)  # fmt: skip
bounded = Argument(
    name="SOBA, Claim 1, subgradients",
    setting="A subgradient g at W, m its margin against a best rival",
    symbols=HERE | {V_1: "||W||^2", product_w: "<W, v>"},
    hypotheses=(*RATE, *OUTER[:3], V_1 <= D**2, Eq(product_w, -m), Eq(slope, slope_of(m)), "g = slope v"),
    steps=(
        Cite(scores, {"U": "W", "s": "m"}),
        Put(ranges["square"], {at: m}),
        Put(ranges["above"], {at: m}),
        Put(ranges["below"], {at: m}),
        ranges["slope, above"],
        ranges["slope, below"],
        ranges["slope, squared"],
        Use(facts.MULTIPLE, {"g": "g", "c": "slope", "z": "v"}),
        Use(facts.OUTER, {"g": "v", "s": "(e_ybar - e_y)", "x": "x"}),
        concavity["subgradient"],
    ),
    conclusion=squares <= (16 * X) ** 2,
    example=POINT | {product_w: 0},
)
STEEP = 2 * (1 + eta * edge) / (2 - eta)
best_constants = Argument(
    name="SOBA, Claim 1, best constants",
    setting="A margin m that is at most as large as one of a W can be",
    hypotheses=(
        *RATE, m**2 <= 2 * X**2 * D**2, edge >= 0, Eq(edge**2, 2 * X**2 * D**2),
        Eq(2 * beta * (1 + eta * edge) ** 2, eta * (2 - eta)),
    ),
    steps=(
        best["edge"],
        best["other edge"],
        best["eta edge"],
        Put(best["its root"], {number: eta * edge}),
        best["steepest"],
        best["falling"],
        Put(best["squared"], {slope: slope_of(m), steep: STEEP}),
        best["best beta"],
        Put(best["beta f'^2 <= f''"], {slope: slope_of(m), number: STEEP**2, steep: 2 * eta / (2 - eta)}),
        best["eta edge >= 0"],
        Put(best["beta, uniformly"], {number: eta * edge}),
        Put(best["subgradient, uniformly"], {number: eta * edge}),
    ),
    conclusion=(
        beta * slope_of(m) ** 2 <= 2 * eta / (2 - eta),
        Eq(beta * STEEP**2, 2 * eta / (2 - eta), evaluate=False),
        beta >= (3 - 2 * sqrt(2)) * eta,
        slope_of(m) ** 2 <= STEEP**2,
        sqrt(2) * X * STEEP <= (2 + 2 * sqrt(2)) * X,
    ),
    example=POINT | {D: sqrt(2) / 4, edge: Rational(1, 2), beta: Rational(2, 9)},
)  # fmt: skip


def draw_concave(share: Fraction) -> Callable[[np.random.Generator], Instance]:
    """share eta f'^2 against f'', both by differences."""

    def draw(rng: np.random.Generator) -> Instance:
        setting, _, at, margin = draw_setting(rng)
        first = (value(margin + 1, at) - value(margin - 1, at)) / 2
        second = value(margin + 1, at) - 2 * value(margin, at) + value(margin - 1, at)
        return Instance(setting, share * at * first**2, second)

    return draw


def draw_best(rng: np.random.Generator) -> Instance:
    """17/100 eta f'^2 against f'', both by differences, at margins of at most 7/5 X D; 3 - 2 sqrt(2) > 17/100."""
    _, d_, rate, _ = draw_setting(rng)
    margin = d_ * Fraction(int(rng.integers(-7, 8)), 5)
    first = (value(margin + 1, rate) - value(margin - 1, rate)) / 2
    second = value(margin + 1, rate) - 2 * value(margin, rate) + value(margin - 1, rate)
    return Instance({"X": 1, "D": d_, "eta": rate, "m": margin}, Fraction(17, 100) * rate * first**2, second)


def draw_gradient(rng: np.random.Generator) -> Instance:
    """The squared norm of the subgradient in W, entry by entry, three classes and two features, against (16 X)^2."""
    x = [Fraction(int(n), 2) for n in rng.integers(-3, 4, 2)]
    W = [[Fraction(int(n), 4) for n in row] for row in rng.integers(-3, 4, (3, 2))]
    x2, w2 = sum(e**2 for e in x), sum(e**2 for row in W for e in row)
    at = 1 / (1 + 2 * ((x2 + 1) / 2) * ((w2 + 1) / 2))
    scores = [sum(u * e for u, e in zip(row, x, strict=True)) for row in W]
    rival = max((1, 2), key=lambda k: scores[k])
    slope_ = 2 * (at * (scores[0] - scores[rival]) - 1) / (2 - at)
    return Instance({"x": x, "W": W, "eta": at}, sum(2 * (slope_ * e) ** 2 for e in x), 256 * x2)


claims = (
    Claim(
        id="soba/claim1-exp-concave",
        quote=r"the loss function $\tilde{\ell}_t(\boldsymbol{W})$ is $\frac{\gamma}{k} \cdot \frac{\eta}{32}$ "
        "-exp-concave",
        source=SOURCE,
        grounds=exp_concave,
        recorded="PROVED",
        constants=(
            Constant(
                name="the exp-concavity",
                sharp="bound",
                printed=eta / 32,
                best=eta * (2 - eta) / (2 * (1 + sqrt(2) * eta * X * D) ** 2),
                attained="W = -D (e_y - e_j) (x) x/(sqrt(2) X), ||x|| = X; at least (3 - 2 sqrt(2)) eta > 0.17 eta",
            ),
        ),
        second=(Resists(draw_concave(Fraction(1, 32)), 100), Resists(draw_concave(Fraction(1, 8)), 100)),
    ),
    Claim(
        id="soba/claim1-gradient",
        quote=r"its subgradient has norm at most $\frac{k}{\gamma} \cdot 16X$",
        source=SOURCE,
        grounds=bounded,
        recorded="PROVED",
        constants=(
            Constant(
                name="X",
                sharp="bound",
                printed=16,
                best=2 + 2 * sqrt(2),
                attained="eta = 1, 2XD = 1, W = -D (e_y - e_j) (x) x/(sqrt(2) X); sqrt(2) 4 already from |f'| <= 4",
            ),
        ),
        second=Resists(draw_gradient, 100),
    ),
    Claim(
        id="soba/claim1-best",
        kind="improvement",
        source=f"{SOURCE} (not claimed there)",
        grounds=best_constants,
        recorded="PROVED",
        finding="exp(-beta f) is concave where beta f'^2 <= f''; margins of W are at most sqrt(2) X D, as ||(e_y - "
        "e_j) (x) x|| = sqrt(2) ||x||.",
        second=Resists(draw_best, 100),
    ),
)
