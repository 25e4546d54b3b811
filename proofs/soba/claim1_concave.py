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
from sympy import Eq, Rational, sqrt, symbols

from gaptron import (
    Argument,
    Claim,
    Constant,
    Implication,
    InProof,
    Instance,
    Lemma,
    Put,
    Resists,
)
from gaptron.instances.soba_quadratic import draw_setting, value
from gaptron.symbols import D, X, m
from gaptron.theory.soba import eta, slope_of

beta = symbols("beta", positive=True)
number, edge, steep, slope = symbols("number edge steep slope", real=True)

FILE = "concave.proof"
SOURCE = "Beygelzimer, Orabona, Zhang 2017, Claim 1"
RATE = (eta <= 1, eta * 2 * X * D <= 1)

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
    example={X: 1, eta: 1, m: 0, D: sqrt(2) / 4, edge: Rational(1, 2), beta: Rational(2, 9)},
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
        statement="0 < eta <= 1/max(2XD, 1), ||x|| <= X, W_1 and W_2 of norms at most D, l(W) = f(margin of W): "
        "exp(-eta l/32) at their mean with any shares is at least the mean of its values",
        grounds=InProof(FILE, "soba/claim1-exp-concave"),
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
        statement="0 < eta <= 1/max(2XD, 1), ||x|| <= X, ||W|| <= D: the subgradients "
        "f'(margin) (e_y - e_j) (x) x of l at W are at most 16 X long",
        grounds=InProof(FILE, "soba/claim1-gradient"),
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
