"""Notes, section 3: the cone algorithm, and the margin assumption.

**Problem.** Bandit feedback, K classes, points that are separable with margin gamma. Two readings: Assumption 2, any
two points with different labels are at least gamma apart (and linearly separable); or some W with rows of norm 1 has
(W^y - W^k) x >= gamma for every point (x, y) and k != y.

**Algorithm.** Algorithm 3: if x_t is closer than gamma to the conic hull C_i of the points known to have label i,
predict i; else guess. A point that was predicted rightly joins its S_i.

**Theoretical guarantee.** "This prediction will be correct for sure" is false in both readings. With the second one it
is true for the threshold gamma/2, which is **tight**, and for gamma itself if rows differ by vectors of norm 1. The
second reading implies distances of at least gamma; the converse, which "i.e." in Assumption 2 suggests, is false.

**References.** Notes on bandit multiclass classification, Assumption 2 and section 3.
"""

from fractions import Fraction

import numpy as np
from sympy import Eq, symbols

from gaptron import (
    Breaks,
    Claim,
    Constant,
    Corrected,
    Implication,
    InProof,
    Instance,
    Lemma,
    Obligations,
    Resists,
    Rests,
)

half = Fraction(1, 2)
inside, value, score, extra, product = symbols("inside value score extra product", real=True)
weight, distance, length, length2, size_i, size_r = symbols(
    "weight distance length length2 size_i size_r", nonnegative=True
)
margin = symbols("margin", positive=True)

cone = Lemma(
    name="Notes, cones and margins",
    source="notes, section 3",
    implications=(
        Implication(
            name="one more point of the cone",
            statement="(W^i - W^r) c >= 0 on the conic hull of points of label i: one more point with weight >= 0",
            given=(inside >= 0, value >= margin),
            then=inside + weight * value >= 0,
        ),
        Implication(
            name="rows",
            statement="||W^i - W^r||^2 = 2 - 2 <W^i, W^r> <= 4 for rows of norm 1",
            given=(
                Eq(length2, size_i + 2 * product + size_r),
                product**2 <= size_i * size_r,
                Eq(size_i, 1),
                Eq(size_r, 1),
            ),
            then=length2 <= 4,
        ),
        Implication(
            name="boundaries",
            statement="gamma is the distance from the boundary of i and r, ||W^i - W^r|| = 1: a distance below gamma",
            given=(inside >= 0, Eq(score, inside + extra), extra**2 <= distance**2, distance < margin),
            then=score > -margin,
        ),
    ),
)

apart = Lemma(
    name="Notes, margins between points",
    source="notes, Assumption 2",
    implications=(
        Implication(
            name="apart",
            statement="points x of label y and x' of label r: (W^y - W^r)(x - x') >= 2 gamma and length <= 2, so "
            "||x - x'|| >= gamma",
            given=(product >= 2 * margin, product**2 <= length**2 * distance**2, length <= 2),
            then=distance >= margin,
        ),
    ),
)


def along_the_ray() -> Instance:
    """x_1 = (1, 0) has label 0, x = (10, 1/2) label 1, gamma = 1: linearly separable and more than 9 apart."""
    W = np.array([[Fraction(1, 40), Fraction(0)], [Fraction(0), Fraction(1)]], dtype=object)
    first, second = np.array([Fraction(1), Fraction(0)]), np.array([Fraction(10), half])
    separable = (W @ first)[0] > (W @ first)[1] and (W @ second)[1] > (W @ second)[0]
    apart = ((first - second) ** 2).sum() >= 1
    to_the_cone = second[1] ** 2
    wrong = Fraction(int(separable and apart and to_the_cone < 1))
    return Instance(
        {"gamma": 1, "S_0": ["(1, 0)"], "x": "(10, 1/2)", "y": 1, "separating W": W, "distance to C_0": half,
         "wrong": wrong},
        wrong,
        0,
    )  # fmt: skip


def across() -> Instance:
    """W = ((1, 0), (-1, 0)), gamma = 1: (1/2, 2/3) has label 0, (-1/2, 2/3) label 1, at distance 4/5 from the ray."""
    known, x = (half, Fraction(2, 3)), (-half, Fraction(2, 3))
    squared = known[0] ** 2 + known[1] ** 2
    scale = (known[0] * x[0] + known[1] * x[1]) / squared
    distance2 = sum((a - scale * b) ** 2 for a, b in zip(x, known, strict=True))
    wrong = Fraction(int(2 * known[0] >= 1 and -2 * x[0] >= 1 and distance2 < 1))
    return Instance(
        {"gamma": 1, "W": ["(1, 0)", "(-1, 0)"], "S_0": ["(1/2, 2/3)"], "x": "(-1/2, 2/3)", "y": 1,
         "distance to C_0, squared": distance2, "wrong": wrong},
        wrong,
        0,
    )  # fmt: skip


def at_the_apex() -> Instance:
    """0 is in every cone; x = (-1/2, 0) of label 1 is at distance 1/2 < gamma = 1 from it, whatever S_0 is."""
    x = (-half, Fraction(0))
    wrong = Fraction(int(-2 * x[0] >= 1 and x[0] ** 2 + x[1] ** 2 < 1))
    return Instance({"gamma": 1, "W": ["(1, 0)", "(-1, 0)"], "x": "(-1/2, 0)", "y": 1, "wrong": wrong}, wrong, 0)


def exclusive_or() -> Instance:
    """(1, 1), (-1, -1) of label 0 and (1, -1), (-1, 1) of label 1 are 2 apart; the mean of the signed points is 0.

    If a unit (w, b) had margin gamma, the mean of sign (x, 1) would have an inner product of at least gamma with it.
    """
    signed = [(1, 1, 1), (-1, -1, 1), (-1, 1, -1), (1, -1, -1)]
    mean = [Fraction(sum(column), 4) for column in zip(*signed, strict=True)]
    return Instance(
        {"points": "(1, 1), (-1, -1) against (1, -1), (-1, 1)", "gamma": 2}, sum(v * v for v in mean), 4, ">="
    )


def near_points(rng: np.random.Generator) -> Instance:
    """Three known points of margin >= 1 under W = ((1, 0), (-1, 0)) and an x nearer than 1/2 to their hull."""
    known = [(half + Fraction(int(rng.integers(0, 9)), 8), Fraction(int(rng.integers(-16, 17)), 8)) for _ in range(3)]
    weights = [Fraction(int(rng.integers(0, 5)), 4) for _ in known]
    c = [sum((a * p[i] for a, p in zip(weights, known, strict=True)), Fraction(0)) for i in range(2)]
    step = [Fraction(int(v), 24) for v in rng.integers(-8, 9, 2)]  # each at most 1/3: shorter than 1/2
    x = [a + b for a, b in zip(c, step, strict=True)]
    return Instance({"gamma": 1, "known": known, "x": x, "step": step}, 2 * x[0], -1, ">")


claims = (
    Claim(
        id="notes/cone-sure",
        quote="This prediction will be correct for sure by our margin assumption",
        severity="D",
        cause="a margin gamma between points does not keep cones gamma apart",
        patch="ask for a distance below gamma/2, under a margin gamma of rows of norm 1",
        source="notes, Algorithm 3, line 8",
        statement="predicting i when x_t is closer than gamma to the conic hull C_i is correct for sure: under "
        "Assumption 2 (points of different labels are at least gamma apart), and under separability with margin gamma "
        "by rows of norm 1",
        grounds=(Breaks(along_the_ray), Breaks(across)),
        recorded="REFUTED",
        finding="Assumption 2 is about points, not cones: a point of another label may lie near the ray through a "
        "known one. With margins gamma of unit rows two rows differ by up to 2, so only half the distance is safe. If "
        "gamma is the distance of each point from the boundary between any two labels, the sentence is true.",
        corrected=Corrected(
            statement="with margin gamma by rows of norm 1 it is correct for sure if x_t is closer than gamma/2 to "
            "C_i; if every point is at least gamma from the boundary between any two labels, closer than gamma is "
            "enough",
            grounds=(Rests("notes/cone-half"), Obligations(cone, "one more point of the cone|boundaries")),
        ),
        constants=(
            Constant(
                name="gamma",
                sharp="bound",
                printed=1,
                best=half,
                attained="W = ((1, 0), (-1, 0)), x = (-1/2, 0) is at distance gamma/2 from 0, which is in every cone",
            ),
        ),
        second=Breaks(at_the_apex),
    ),
    Claim(
        id="notes/cone-half",
        kind="reading",
        quote="This prediction will be correct for sure by our margin assumption",
        source="notes, Algorithm 3, corrected",
        statement="(W^i - W^r) x >= -(||W^i|| + ||W^r||) dist(x, C_i): more than -gamma, so that r is not the label, "
        "if rows have norm 1 and x is closer than gamma/2 to the cone of points of label i with margin gamma",
        grounds=InProof("cone.proof", "notes/cone-half"),
        recorded="PROVED",
        second=Resists(near_points),
    ),
    Claim(
        id="notes/assumption2",
        quote="We assume the samples are linearly separable with margin γ (i.e., any two points with different "
        "labels have distance no less than γ)",
        severity="C",
        cause="a distance between labels is not a margin of a linear separator",
        patch="read 'which implies that' for 'i.e.'",
        source="notes, Assumption 2",
        statement="linearly separable with margin gamma is the same as: any two points with different labels have "
        "distance at least gamma",
        grounds=Breaks(exclusive_or),
        recorded="REFUTED",
        finding="Four points of the exclusive or are 2 apart and not separable. Margin gamma by rows of norm 1 implies "
        "distances of at least gamma, not the other way round.",
        corrected=Corrected(
            statement="margin gamma by rows of norm 1 implies that points of different labels are at least gamma apart",
            grounds=(Obligations(cone, "rows"), Obligations(apart)),
        ),
    ),
)
