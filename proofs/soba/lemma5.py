"""SOBA paper, Lemma 5: two choices of the exploration rate.

**Problem.** F(gamma) = min{T, L + gamma T + U H/gamma + sqrt(U H L/gamma)}, gamma in [0, 1], for positive L, T, H, U,
is to be made small without knowing U. In Theorem 4 U is ||U||^2 and H = d k^2 X^2 ln T.

**Algorithm.** gamma* = min{sqrt(H/T), 1} if L <= (U + 1) sqrt(HT), else min{(HL/T^2)^(1/3), 1}.

**Theoretical guarantee.** With y = sqrt(HT) the first gives L + y + U y + sqrt(U L y) <= L + 2 (U + 1) y, where 3 is
printed for 2; with r = (HLT)^(1/3), w = sqrt(U), b^3 = U + 1 the second gives L + r + U r/b^2 + w r <= L + (3/2) (w +
1) r, where 2 is printed for 3/2. When gamma* is clipped at 1, T <= y, or T <= r.

**References.** Beygelzimer, Orabona, Zhang 2017, Lemma 5 in appendix B. The printed chains begin with F = where F <=
holds.
"""

from collections.abc import Callable
from fractions import Fraction

import flint
import numpy as np
from sympy import Eq, symbols

from gaptron import Claim, Constant, Implication, Instance, Lemma, Obligations, Resists
from gaptron.instances.soba_games import require
from gaptron.numbers.evaluate import ball
from gaptron.symbols import T

U, H, L = symbols("U H L", positive=True)
y, r, w, b, root, rate, third = symbols("y r w b root rate third", positive=True)
cube, other = symbols("cube other", nonnegative=True)

SOURCE = "Beygelzimer, Orabona, Zhang 2017, Lemma 5"

first = Lemma(
    name="SOBA, Lemma 5, first case",
    source=SOURCE,
    implications=(
        Implication(
            name="clipped",
            statement="T <= H: T <= y = sqrt(HT), and F <= T",
            given=(T <= H, Eq(y**2, H * T)),
            then=T <= y,
        ),
        Implication(
            name="U H/rate",
            statement="rate = sqrt(H/T) = y/T: U H/rate = U y",
            given=(Eq(rate * T, y), Eq(y**2, H * T)),
            then=Eq(U * H / rate, U * y),
        ),
        Implication(
            name="the root",
            statement="root = sqrt(U L y) <= (U y + L)/2",
            given=(Eq(root**2, U * L * y),),
            then=2 * root <= U * y + L,
        ),
        Implication(
            name="printed step",
            statement="L + y + U y + root <= L + (U + 1) y + L + U y",
            given=(2 * root <= U * y + L,),
            then=L + y + U * y + root <= L + (U + 1) * y + L + U * y,
        ),
        Implication(
            name="printed end",
            statement="L + (U + 1) y + L + U y <= L + 3 (U + 1) y",
            given=(L <= (U + 1) * y,),
            then=L + (U + 1) * y + L + U * y <= L + 3 * (U + 1) * y,
        ),
        Implication(
            name="2 is enough",
            statement="L + y + U y + root <= L + 2 (U + 1) y",
            given=(2 * root <= U * y + L, L <= (U + 1) * y),
            then=L + y + U * y + root <= L + 2 * (U + 1) * y,
        ),
    ),
)

second = Lemma(
    name="SOBA, Lemma 5, second case",
    source=SOURCE,
    implications=(
        Implication(
            name="clipped, cubes",
            statement="HL >= T^2: T^3 <= HLT",
            given=(H * L >= T**2,),
            then=T**3 <= H * L * T,
        ),
        Implication(
            name="cube root",
            statement="cube^3 <= other^3 gives cube <= other",
            given=(cube**3 <= other**3,),
            then=cube <= other,
        ),
        Implication(
            name="U H/rate",
            statement="rate = (HL/T^2)^(1/3) = r/T, r^3 = HLT: U H/rate = U r^2/L",
            given=(Eq(rate * T, r), Eq(r**3, H * L * T)),
            then=Eq(U * H / rate, U * r**2 / L),
        ),
        Implication(
            name="the root",
            statement="U H L/rate = U r^2, the square of sqrt(U) r",
            given=(Eq(rate * T, r), Eq(r**3, H * L * T)),
            then=Eq(U * H * L / rate, U * r**2),
        ),
        Implication(
            name="condition",
            statement="L >= (U + 1) sqrt(HT), y = sqrt(HT), b^3 = U + 1: L^3 >= b^6 r^3",
            given=(L >= b**3 * y, Eq(y**2, H * T), Eq(r**3, H * L * T)),
            then=L**3 >= b**6 * r**3,
        ),
        Implication(
            name="printed step",
            statement="L >= b^2 r, b^3 = U + 1, third^3 = U: U r^2/L <= U r/b^2 <= U r/third^2 = third r",
            given=(L >= b**2 * r, b >= third, Eq(third**3, U)),
            then=U * r**2 / L <= third * r,
        ),
        Implication(
            name="printed end",
            statement="U = third^3 = w^2: third <= w + 1",
            given=(Eq(third**3, w**2),),
            then=third <= w + 1,
        ),
        Implication(
            name="printed sum",
            statement="L + r + third r + w r <= L + 2 (w + 1) r",
            given=(third <= w + 1,),
            then=L + r + third * r + w * r <= L + 2 * (w + 1) * r,
        ),
        Implication(
            name="less, cubic, small",
            statement="a cubic with no positive root: w (w - 5/2)^2 + 7 - (5/4) w up to w = 5",
            given=(w <= 5,),
            then=w**3 - 5 * w**2 + 5 * w + 7 >= 0,
        ),
        Implication(
            name="less, cubic, large",
            statement="w^2 (w - 5) + 5 w + 7 from w = 5 on",
            given=(w >= 5,),
            then=w**3 - 5 * w**2 + 5 * w + 7 >= 0,
        ),
        Implication(
            name="less, cubes",
            statement="(2 w^2)^3 <= ((w + 1) b^2)^3 where b^3 = w^2 + 1, from w^4 times the cubic",
            given=(w**4 * (w**3 - 5 * w**2 + 5 * w + 7) >= 0,),
            then=8 * w**6 <= (w + 1) ** 3 * (w**2 + 1) ** 2,
        ),
        Implication(
            name="3/2 is enough",
            statement="2 w^2 <= (w + 1) b^2: L + r + w^2 r^2/L + w r <= L + (3/2) (w + 1) r",
            given=(L >= b**2 * r, 2 * w**2 <= (w + 1) * b**2),
            then=L + r + w**2 * r**2 / L + w * r <= L + 3 * (w + 1) * r / 2,
        ),
    ),
)


def terms(u: Fraction, h: Fraction, l_: Fraction, t: Fraction, g: flint.arb) -> flint.arb:
    """gamma T + U H/gamma + sqrt(U H L/gamma), without L."""
    return g * ball(t) + ball(u * h) / g + (ball(u * h * l_) / g).sqrt()


def draw_case(large: bool, clipped_too: bool) -> Callable[[np.random.Generator], Instance]:
    """Draws of U, H, L, T in one of the two cases; both sides without L."""

    def draw(rng: np.random.Generator) -> Instance:
        u, h = (Fraction(int(rng.integers(1, 65)), 8) for _ in range(2))
        t = h * Fraction(int(rng.integers(1 if clipped_too else 5, 65)), 4)
        threshold = (u + 1) ** 2 * h * t
        share = Fraction(int(rng.integers(1, 17)), 16)
        l_ = (u + 1) * min(h, t) * share if not large else (u + 1) * max(h, t) * (1 + share)
        require((l_**2 > threshold) == large, "the case")
        y_, r_ = ball(h * t).sqrt(), ball(h * l_ * t) ** ball(Fraction(1, 3))
        g = (r_ if large else y_) / ball(t)
        left = ball(t - l_) if g >= 1 else terms(u, h, l_, t, g)
        right = 2 * (ball(u).sqrt() + 1) * r_ if large else 3 * ball(u + 1) * y_
        return Instance({"U": u, "H": h, "L": l_, "T": t}, left, right)

    return draw


SETTING = "F(gamma) = min{T, L + gamma T + U H/gamma + sqrt(U H L/gamma)}, L, T, H, U > 0. "

claims = (
    Claim(
        id="soba/lemma5-first",
        quote=r"then taking $\gamma^* = \min(\sqrt{\frac{H}{T}}, 1)$ gives that $F(\gamma^*) \leq L + "
        r"3(U+1)\sqrt{HT}$",
        source=SOURCE,
        statement=SETTING + "L <= (U + 1) sqrt(HT), gamma* = min{sqrt(H/T), 1}: F(gamma*) <= L + 3 (U + 1) sqrt(HT)",
        tex=r"F(\gamma^*) \le L + 3(U+1)\sqrt{HT}",
        grounds=Obligations(first),
        recorded="PROVED",
        constants=(
            Constant(
                name="(U + 1) sqrt(HT)",
                sharp="bound",
                printed=3,
                best=2,
                attained="a supremum: at L = (U + 1) sqrt(HT), T large, it is 1 + sqrt(U/(U + 1)), 2 as U -> infinity",
            ),
        ),
        second=Resists(draw_case(large=False, clipped_too=True), 100),
    ),
    Claim(
        id="soba/lemma5-second",
        quote=r"then taking $\gamma^* = \min((\frac{HL}{T^2})^{\frac{1}{3}}, 1)$ gives that $F(\gamma^*) \le L + "
        r"2(\sqrt{U} + 1)(HLT)^{\frac{1}{3}}$",
        source=SOURCE,
        statement=SETTING
        + "L > (U + 1) sqrt(HT), gamma* = min{(HL/T^2)^(1/3), 1}: F(gamma*) <= L + 2 (sqrt(U) + 1) (HLT)^(1/3)",
        tex=r"F(\gamma^*) \le L + 2(\sqrt{U}+1)(HLT)^{1/3}",
        grounds=Obligations(second),
        recorded="PROVED",
        constants=(
            Constant(
                name="(sqrt(U) + 1) (HLT)^(1/3)",
                printed=2,
                attained="3/2 is enough, 1.486 is not (L = (U + 1) sqrt(HT), U = 11, T large)",
            ),
        ),
        second=Resists(draw_case(large=True, clipped_too=True), 100),
    ),
    Claim(
        id="soba/lemma5-step-first",
        quote=r"\leq L + (U+1)\sqrt{HT} + L + U\sqrt{HT}",
        source=f"{SOURCE}, proof",
        statement=SETTING
        + "T > H, L <= (U + 1) y, y = sqrt(HT): L + y + U y + sqrt(U L y) <= L + (U + 1) y + L + U y <= "
        "L + 3 (U + 1) y",
        grounds=tuple(Obligations(first, only) for only in ("U H/rate", "the root", "printed *")),
        recorded="PROVED",
        finding="The first term of the chain is at least F(gamma*), as F has a minimum with T; printed is =.",
        second=Resists(draw_case(large=False, clipped_too=False), 100),
    ),
    Claim(
        id="soba/lemma5-step-second",
        quote=r"\leq L + (\sqrt{U} + U^{\frac{1}{3}} + 1)(HLT)^{\frac{1}{3}}",
        source=f"{SOURCE}, proof",
        statement=SETTING
        + "HL <= T^2, L > (U + 1) sqrt(HT), r = (HLT)^(1/3): L + r + U H^(2/3) T^(2/3) L^(-1/3) + sqrt(U) r <= "
        "L + (sqrt(U) + U^(1/3) + 1) r <= L + 2 (sqrt(U) + 1) r",
        grounds=tuple(
            Obligations(second, only) for only in ("U H/rate", "the root", "condition", "cube root", "printed *")
        ),
        recorded="PROVED",
        second=Resists(draw_case(large=True, clipped_too=False), 100),
    ),
)
