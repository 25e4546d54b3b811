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
from sympy import Eq, Rational, sqrt, symbols

from gaptron import Argument, Cases, Claim, Constant, Implication, Instance, Lemma, Put, Resists, When
from gaptron.instances.soba_games import require
from gaptron.numbers.evaluate import ball
from gaptron.symbols import T

U, H, L = symbols("U H L", positive=True)
F = symbols("F", real=True)
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
            given=(Eq(root**2, U * H * L / rate), Eq(U * H / rate, U * y)),
            then=2 * root <= U * y + L,
        ),
        Implication(
            name="printed step",
            statement="L + y + U y + root <= L + (U + 1) y + L + U y",
            given=(2 * root <= U * y + L, Eq(rate * T, y), Eq(U * H / rate, U * y)),
            then=L + rate * T + U * H / rate + root <= L + (U + 1) * y + L + U * y,
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
            given=(
                2 * root <= U * y + L,
                L <= (U + 1) * y,
                Eq(rate * T, y),
                Eq(U * H / rate, U * y),
                F <= L + rate * T + U * H / rate + root,
            ),
            then=F <= L + 2 * (U + 1) * y,
        ),
        Implication(
            name="2 is enough, clipped",
            statement="F <= T <= y",
            given=(F <= T, T <= y),
            then=F <= L + 2 * (U + 1) * y,
        ),
        Implication(
            name="3 as printed",
            statement="it is more than 2",
            given=(F <= L + 2 * (U + 1) * y,),
            then=F <= L + 3 * (U + 1) * y,
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
            name="clipped",
            statement="T <= r",
            given=(T**3 <= H * L * T, Eq(r**3, H * L * T)),
            then=T <= r,
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
            statement="U H L/rate = U r^2 is the square of sqrt(U) r",
            given=(Eq(rate * T, r), Eq(r**3, H * L * T)),
            then=Eq(U * H * L / rate, U * r**2),
        ),
        Implication(
            name="square root",
            statement="root = sqrt(U H L/rate) = w r",
            given=(Eq(root**2, U * H * L / rate), Eq(U * H * L / rate, U * r**2), Eq(w**2, U)),
            then=root <= w * r,
        ),
        Implication(
            name="threshold",
            statement="U + 1 = b^3",
            given=(L > (U + 1) * y, Eq(b**3, U + 1)),
            then=L >= b**3 * y,
        ),
        Implication(
            name="condition",
            statement="L >= (U + 1) sqrt(HT), y = sqrt(HT), b^3 = U + 1: L^3 >= b^6 r^3",
            given=(L >= b**3 * y, Eq(y**2, H * T), Eq(r**3, H * L * T)),
            then=L**3 >= b**6 * r**3,
        ),
        Implication(
            name="third",
            statement="third^3 = U <= U + 1 = b^3",
            given=(Eq(third**3, U), Eq(b**3, U + 1)),
            then=third**3 <= b**3,
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
            given=(Eq(third**3, U), Eq(w**2, U)),
            then=third <= w + 1,
        ),
        Implication(
            name="printed sum",
            statement="L + r + third r + w r <= L + 2 (w + 1) r",
            given=(third <= w + 1,),
            then=L + r + third * r + w * r <= L + 2 * (w + 1) * r,
        ),
        Implication(
            name="printed chain",
            statement="term by term",
            given=(Eq(rate * T, r), Eq(U * H / rate, U * r**2 / L), root <= w * r, U * r**2 / L <= third * r),
            then=L + rate * T + U * H / rate + root <= L + r + third * r + w * r,
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
            given=(w > 5,),
            then=w**3 - 5 * w**2 + 5 * w + 7 >= 0,
        ),
        Implication(
            name="less, cubes",
            statement="(2 w^2)^3 <= ((w + 1) b^2)^3 where b^3 = w^2 + 1, from w^4 times the cubic",
            given=(w**3 - 5 * w**2 + 5 * w + 7 >= 0,),
            then=8 * w**6 <= (w + 1) ** 3 * (w**2 + 1) ** 2,
        ),
        Implication(
            name="sixth power",
            statement="b^6 = (U + 1)^2 = (w^2 + 1)^2",
            given=(Eq(b**3, U + 1), Eq(w**2, U)),
            then=Eq(b**6, (w**2 + 1) ** 2, evaluate=False),
        ),
        Implication(
            name="less, with b",
            statement="b^6 = (w^2 + 1)^2",
            given=(8 * w**6 <= (w + 1) ** 3 * (w**2 + 1) ** 2, Eq(b**6, (w**2 + 1) ** 2)),
            then=(2 * w**2) ** 3 <= ((w + 1) * b**2) ** 3,
        ),
        Implication(
            name="3/2 is enough",
            statement="2 w^2 <= (w + 1) b^2: L + r + w^2 r^2/L + w r <= L + (3/2) (w + 1) r",
            given=(L >= b**2 * r, 2 * w**2 <= (w + 1) * b**2, Eq(w**2, U)),
            then=U * r**2 / L <= (w + 1) * r / 2,
        ),
        Implication(
            name="sum",
            statement="term by term",
            given=(
                U * r**2 / L <= (w + 1) * r / 2,
                Eq(rate * T, r),
                Eq(U * H / rate, U * r**2 / L),
                root <= w * r,
                F <= L + rate * T + U * H / rate + root,
            ),
            then=F <= L + 3 * (w + 1) * r / 2,
        ),
        Implication(
            name="sum, clipped",
            statement="F <= T <= r",
            given=(F <= T, T <= r),
            then=F <= L + 3 * (w + 1) * r / 2,
        ),
        Implication(
            name="2 as printed",
            statement="it is more than 3/2",
            given=(F <= L + 3 * (w + 1) * r / 2,),
            then=F <= L + 2 * (w + 1) * r,
        ),
    ),
)

NAMES = {
    F: "F(gamma*)", rate: "gamma*", y: "sqrt(H T)", r: "(H L T)^(1/3)", root: "sqrt(U H L/gamma*)", w: "sqrt(U)",
    b: "(U + 1)^(1/3)", third: "U^(1/3)",
}  # fmt: skip
IS_MINIMUM = (F <= T, F <= L + rate * T + U * H / rate + root)
ROOTS = (Eq(y**2, H * T), Eq(root**2, U * H * L / rate))
CUBES = (*ROOTS, Eq(r**3, H * L * T), Eq(w**2, U), Eq(b**3, U + 1))
SMALL = L <= (U + 1) * y
LARGE = L > (U + 1) * y
POINT = {U: 1, H: 1, L: 1, T: 4, F: 4, rate: Rational(1, 2), y: 2, root: sqrt(2)}
BIG = {
    U: 1, H: 1, L: 8, T: 8, F: 8, rate: Rational(1, 2), y: sqrt(8), r: 4, root: 4, w: 1, b: 2 ** Rational(1, 3),
    third: 1,
}  # fmt: skip

small = Argument(
    name="first case",
    setting="F at the first choice of gamma*",
    symbols=NAMES,
    hypotheses=(*IS_MINIMUM, *ROOTS, SMALL, When(T > H, (Eq(rate * T, y),))),
    steps=(
        Cases(
            {
                T <= H: (first["clipped"], first["2 is enough, clipped"]),
                T > H: (first["U H/rate"], first["the root"], first["2 is enough"]),
            },
            (first["2 is enough"].then,),
        ),
        first["3 as printed"],
    ),
    conclusion=(first["3 as printed"].then, first["2 is enough"].then),
    example=POINT,
)

small_step = Argument(
    name="first case, the chain",
    setting="The terms of F at the first choice of gamma*",
    symbols=NAMES,
    hypotheses=(*ROOTS, Eq(rate * T, y), SMALL),
    steps=(first["U H/rate"], first["the root"], first["printed step"], first["printed end"]),
    conclusion=(first["printed step"].then, first["printed end"].then),
    example=POINT,
)

IN_CUBES = (
    second["U H/rate"],
    second["the root"],
    second["square root"],
    second["threshold"],
    second["condition"],
    Put(second["cube root"], {cube: b**2 * r, other: L}),
)

large = Argument(
    name="second case",
    setting="F at the second choice of gamma*",
    symbols=NAMES,
    hypotheses=(*IS_MINIMUM, *CUBES, LARGE, When(H * L < T**2, (Eq(rate * T, r),))),
    steps=(
        Cases(
            {
                H * L >= T**2: (second["clipped, cubes"], second["clipped"], second["sum, clipped"]),
                H * L < T**2: (
                    *IN_CUBES,
                    Cases(
                        {w <= 5: (second["less, cubic, small"],), w > 5: (second["less, cubic, large"],)},
                        (second["less, cubic, small"].then,),
                    ),
                    second["less, cubes"],
                    second["sixth power"],
                    second["less, with b"],
                    Put(second["cube root"], {cube: 2 * w**2, other: (w + 1) * b**2}),
                    second["3/2 is enough"],
                    second["sum"],
                ),
            },
            (second["sum"].then,),
        ),
        second["2 as printed"],
    ),
    conclusion=(second["2 as printed"].then, second["sum"].then),
    example=BIG,
)

large_step = Argument(
    name="second case, the chain",
    setting="The terms of F at the second choice of gamma*",
    symbols=NAMES,
    hypotheses=(*CUBES, Eq(third**3, U), Eq(rate * T, r), LARGE),
    steps=(
        *IN_CUBES,
        second["third"],
        Put(second["cube root"], {cube: third, other: b}),
        second["printed step"],
        second["printed end"],
        second["printed chain"],
        second["printed sum"],
    ),
    conclusion=(second["printed chain"].then, second["printed sum"].then),
    example=BIG,
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


claims = (
    Claim(
        id="soba/lemma5-first",
        quote=r"then taking $\gamma^* = \min(\sqrt{\frac{H}{T}}, 1)$ gives that $F(\gamma^*) \leq L + "
        r"3(U+1)\sqrt{HT}$",
        source=SOURCE,
        grounds=small,
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
        grounds=large,
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
        grounds=small_step,
        recorded="PROVED",
        finding="The first term of the chain is at least F(gamma*), as F has a minimum with T; printed is =.",
        second=Resists(draw_case(large=False, clipped_too=False), 100),
    ),
    Claim(
        id="soba/lemma5-step-second",
        quote=r"\leq L + (\sqrt{U} + U^{\frac{1}{3}} + 1)(HLT)^{\frac{1}{3}}",
        source=f"{SOURCE}, proof",
        grounds=large_step,
        recorded="PROVED",
        second=Resists(draw_case(large=True, clipped_too=False), 100),
    ),
)
