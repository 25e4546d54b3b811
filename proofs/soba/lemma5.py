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

from gaptron import Claim, Constant, InProof, Instance, Resists
from gaptron.instances.soba_games import require
from gaptron.numbers.evaluate import ball

SOURCE = "Beygelzimer, Orabona, Zhang 2017, Lemma 5"
FILE = "rates.proof"


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


SETTING = "F(gamma) = min(T, L + gamma T + U H/gamma + sqrt(U H L/gamma)), U, H, L, T positive. "

claims = (
    Claim(
        id="soba/lemma5-first",
        quote=r"then taking $\gamma^* = \min(\sqrt{\frac{H}{T}}, 1)$ gives that $F(\gamma^*) \leq L + 3(U+1)\sqrt{HT}$",
        source=SOURCE,
        statement=SETTING
        + "L <= (U + 1) sqrt(HT) and gamma* = min(sqrt(H/T), 1): F(gamma*) <= L + 3 (U + 1) sqrt(HT); 2 is "
        "enough for 3",
        grounds=InProof(FILE, "soba/lemma5-first"),
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
        + "L > (U + 1) sqrt(HT) and gamma* = min((HL/T^2)^(1/3), 1): F(gamma*) <= L + 2 (sqrt(U) + 1) "
        "(HLT)^(1/3); 3/2 is enough for 2",
        grounds=InProof(FILE, "soba/lemma5-second"),
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
        + "L <= (U + 1) sqrt(HT) and gamma* = sqrt(H/T): L + gamma* T + U H/gamma* + sqrt(U H L/gamma*) <= L + "
        "(U + 1) sqrt(HT) + L + U sqrt(HT) <= L + 3 (U + 1) sqrt(HT)",
        grounds=InProof(FILE, "soba/lemma5-step-first"),
        recorded="PROVED",
        finding="The first term of the chain is at least F(gamma*), as F has a minimum with T; printed is =.",
        second=Resists(draw_case(large=False, clipped_too=False), 100),
    ),
    Claim(
        id="soba/lemma5-step-second",
        quote=r"\leq L + (\sqrt{U} + U^{\frac{1}{3}} + 1)(HLT)^{\frac{1}{3}}",
        source=f"{SOURCE}, proof",
        statement=SETTING
        + "L > (U + 1) sqrt(HT) and gamma* = (HL/T^2)^(1/3): L + gamma* T + U H/gamma* + sqrt(U H L/gamma*) <= "
        "L + (sqrt(U) + U^(1/3) + 1) (HLT)^(1/3) <= L + 2 (sqrt(U) + 1) (HLT)^(1/3)",
        grounds=InProof(FILE, "soba/lemma5-step-second"),
        recorded="PROVED",
        second=Resists(draw_case(large=True, clipped_too=False), 100),
    ),
)
