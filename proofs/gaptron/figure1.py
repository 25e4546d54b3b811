"""Figure 1: the smooth hinge loss with one weight vector.

**Problem.** Two classes -1 and 1, one weight vector W, ||x|| = 1, smooth hinge loss l(z) of the margin z = y <W, x>:
1 - 2 z for z <= 0, (1 - z)^2 up to 1, 0 beyond.

**Algorithm.** Gaptron with eta = 1/8: with a = 0, or with the gap map a = (1 - min(1, abs(z)))^2.

**Theoretical guarantee.** With a = 0 the surrogate gap is positive exactly for z in (-1/8, 0], and for every eta > 0 it
is 2 eta at z = 0. With the gap map it is at most 0 everywhere, for every eta <= 1/4: with one weight vector ||g||^2 is
half of what it is for a matrix, and eta = 1/8 is **not tight**; eta = 1/4 is, at z = 0.

**References.** van der Hoeven 2020, section 3 and Figure 1.
"""

from fractions import Fraction

import numpy as np
from sympy import Le, Min, Piecewise, Rational, symbols

from gaptron import (
    BinaryLoss,
    Breaks,
    Claim,
    Constant,
    Contact,
    Corrected,
    GapMap,
    Implication,
    InProof,
    Instance,
    Lemma,
    Obligations,
    Resists,
    Rests,
    Theorem,
)
from gaptron.symbols import m, z

SOURCE = "van der Hoeven 2020, section 3 and Figure 1"
loss = BinaryLoss(Piecewise((1 - 2 * z, z <= 0), ((1 - z) ** 2, z < 1), (0, True)))
clipped = GapMap((1 - Min(1, m)) ** 2)

figure1 = Theorem(name="Figure 1", source=SOURCE, loss=loss, gap_map=clipped, learning_rate=Rational(1, 8))
figure1_largest = Theorem(
    name="Figure 1, largest learning rate",
    source=SOURCE,
    loss=loss,
    gap_map=clipped,
    learning_rate=Rational(1, 4),
    sharp_at=Contact(right=False, margin=0),
)

u = symbols("u", real=True)
rate = Rational(1, 8)


not_truncated = Lemma(
    name="Figure 1, nothing truncated",
    source=SOURCE,
    implications=(
        Implication(
            name="z > 0",
            statement="loss (1 - z)^2 for every z > 0: a/2 - l + (eta/2) 4 (1 - z)^2 <= 0, a = (1 - z)^2, eta = 1/8",
            given=(z > 0,),
            then=Le((1 - z) ** 2 / 2 - (1 - z) ** 2 + rate / 2 * 4 * (1 - z) ** 2, 0, evaluate=False),
        ),
        Implication(
            name="z <= 0",
            statement="u = -z, a = (1 - u)^2: 1 - a/2 - (1 + 2 u) + (eta/2) 4 <= 0 at eta = 1/8",
            given=(u >= 0,),
            then=1 - (1 - u) ** 2 / 2 - (1 + 2 * u) + rate / 2 * 4 <= 0,
        ),
    ),
)


def gap(z_: Fraction, a_: Fraction, rate_: Fraction) -> Fraction:
    """The surrogate gap of Figure 1 for the label 1, the loss and its derivative written out; z = 0 counts as wrong."""
    value, slope = (
        (1 - 2 * z_, Fraction(-2)) if z_ <= 0 else (max(1 - z_, Fraction(0)) ** 2, -2 * max(1 - z_, Fraction(0)))
    )
    return (1 - a_) * int(z_ <= 0) + a_ / 2 - value + rate_ / 2 * slope**2


def draw_margin(rng: np.random.Generator) -> Fraction:
    """A multiple of 1/16 in [-2, 2]."""
    return Fraction(int(rng.integers(-32, 33)), 16)


def where_positive(rng: np.random.Generator) -> Instance:
    """Whether the gap with a = 0 is positive, against -1/8 < z <= 0."""
    z_ = draw_margin(rng)
    positive = int(gap(z_, Fraction(0), Fraction(1, 8)) > 0)
    return Instance({"z": z_}, positive, int(-Fraction(1, 8) < z_ <= 0), "=")


def somewhere(rng: np.random.Generator) -> Instance:
    """The largest gap with a = 0 over a grid of margins, for a random learning rate."""
    rate_ = Fraction(int(rng.integers(1, 100)), 100)
    largest = max(gap(Fraction(n, 8), Fraction(0), rate_) for n in range(-8, 9))
    return Instance({"eta": rate_}, largest, Fraction(0), ">")


def with_clipped_map(rng: np.random.Generator) -> Instance:
    """The gap at eta = 1/8."""
    z_ = draw_margin(rng)
    return Instance({"z": z_}, gap(z_, (1 - min(Fraction(1), abs(z_))) ** 2, Fraction(1, 8)), Fraction(0))


def beyond_one() -> Instance:
    """The caption's numbers at z = 3/2: a/2 + (eta/2) 4 (1 - z)^2 against the truncated loss 0."""
    a_ = (1 - Fraction(3, 2)) ** 2
    return Instance({"z": "3/2", "eta": "1/8"}, a_ / 2 + Fraction(1, 16) * 4 * a_, Fraction(0))


claims = (
    Claim(
        id="gaptron/fig1-a0",
        quote=r"only when margin $z=y\langle {\bf W},{\bf x}\rangle\in [-0.125,0]$ the surrogate gap is not upper "
        "bounded by 0",
        source=SOURCE,
        statement="a = 0, eta = 1/8: the gap is at most 0 for z <= -1/8 and for z > 0, and positive for -1/8 < z <= 0",
        grounds=(InProof("margins.proof", "gaptron/one-score-gradient"), InProof("numbers.proof", "gaptron/fig1-a0")),
        recorded="PROVED",
        finding="The text prints the closed interval; at z = -1/8 the gap is exactly 0.",
        second=Resists(where_positive),
    ),
    Claim(
        id="gaptron/fig1-eta",
        quote="Decreasing η would increase the range for which the surrogate gap is bounded by zero, but only for "
        r"$\eta=0$ the surrogate gap is bounded by 0 everywhere",
        source=SOURCE,
        statement="a = 0, every eta > 0: the gap is positive at z = 0, which counts as wrong",
        grounds=InProof("numbers.proof", "gaptron/fig1-eta"),
        recorded="PROVED",
        second=Resists(somewhere, 60),
    ),
    Claim(
        id="gaptron/fig1-map-printed",
        quote=r"with $a(W,{\bf x})=(1-|z|)^2$ the surrogate gap is upper bounded by 0 for all z",
        severity="D",
        cause="the gap map of Figure 1 is not clipped at margin 1",
        patch="read (1 - min{1, |z|})^2 for (1 - |z|)^2 in the text and the caption of Figure 1",
        source=SOURCE,
        statement="Figure 1's caption to the letter: a = (1 - abs(z))^2 not clipped, ||g||^2 = 4 (1 - z)^2 for every z "
        "> 0, and the loss 0 for z > 1: the gap is <= 0 for all z",
        tex=r"a = (1 - |z|)^2, \quad \|g\|^2 = 4 (1 - z)^2",
        grounds=Obligations(
            Lemma(
                name="Figure 1, as printed",
                implications=(
                    Implication(
                        name="z > 1",
                        statement="a/2 - 0 + (eta/2) 4 (1 - z)^2 <= 0, a = (1 - z)^2, eta = 1/8",
                        given=(z > 1,),
                        then=(1 - z) ** 2 / 2 + rate / 2 * 4 * (1 - z) ** 2 <= 0,
                    ),
                ),
            )
        ),
        recorded="REFUTED",
        finding="Beyond z = 1 the map grows again, and beyond 2 it is no probability. The text means margins up to 1; "
        "the map "
        "of Theorem 3 has min{1, m*}. Without any truncation the gap is <= 0 too, though a is then no probability.",
        corrected=Corrected(
            statement="With a = (1 - min(1, abs(z)))^2 and the gradient of the truncated loss the gap is <= 0 for all "
            "z",
            tex=r"a = (1 - \min\{1, |z|\})^2",
            grounds=(Rests("gaptron/fig1-map-clipped"), Obligations(not_truncated)),
        ),
        second=Breaks(beyond_one),
    ),
    Claim(
        id="gaptron/fig1-map-clipped",
        kind="reading",
        quote=r"with $a(W,{\bf x})=(1-|z|)^2$ the surrogate gap is upper bounded by 0 for all z",
        source=SOURCE,
        statement="one weight vector, ||x|| <= 1, a = (1 - min{1, |z|})^2 and the truncated loss: the surrogate gap "
        "is at most (2 eta - 1/2) r^2, 2 r the size of the slope, so at most 0 for eta <= 1/4; at z = 0 and ||x|| = "
        "1 it is 2 eta - 1/2, and positive for every larger eta",
        grounds=(
            InProof("margins.proof", "gaptron/fig1-map-clipped"),
            InProof("margins.proof", "gaptron/fig1-map-sharp"),
        ),
        recorded="PROVED",
        finding="The largest learning rate is 1/4, twice the one of the figure, since ||g||^2 is half of that of a "
        "matrix W.",
        constants=(
            Constant(
                name="eta",
                sharp="argument",
                printed=Rational(1, 8),
                best=Rational(1, 4),
                attained="a wrong round with z = 0",
            ),
        ),
        second=(Resists(with_clipped_map), Obligations(figure1), Obligations(figure1_largest)),
    ),
)
