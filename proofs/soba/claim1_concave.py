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
from sympy import Symbol, sqrt

from gaptron import Claim, Constant, InProof, Instance, Resists
from gaptron.instances.soba_quadratic import draw_setting, value
from gaptron.symbols import D, X

eta = Symbol("eta", positive=True)

FILE = "concave.proof"
SOURCE = "Beygelzimer, Orabona, Zhang 2017, Claim 1"


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
        statement="0 < eta <= 1/max(2XD, 1), ||x|| <= X, ||W|| <= D, m = <W, (e_y - e_j) (x) x>, steep = "
        "2 (1 + sqrt(2) eta X D)/(2 - eta), beta = eta (2 - eta)/(2 (1 + sqrt(2) eta X D)^2): f'(m)^2 <= steep^2, "
        "beta f'(m)^2 <= f'' = beta steep^2, beta >= (3 - 2 sqrt(2)) eta and sqrt(2) X steep <= (2 + 2 sqrt(2)) X",
        grounds=InProof(FILE, "soba/claim1-best"),
        recorded="PROVED",
        finding="exp(-beta f) is concave where beta f'^2 <= f''; margins of W are at most sqrt(2) X D, as ||(e_y - "
        "e_j) (x) x|| = sqrt(2) ||x||.",
        second=Resists(draw_best, 100),
    ),
)
