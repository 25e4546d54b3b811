"""REFUTED: the last two of nine losses that add a term for every rival; the others have constants free of K.

No algorithm has smaller ones. The comparator pays for every rival, which is the price of a constant without K.
"""

from sympy import Max, Rational, exp, log

from gaptron import PairwiseLoss, SeparableLoss, Theorem
from gaptron.symbols import m, z

weston_watkins = Theorem(
    name="Weston-Watkins",
    source="Weston and Watkins 1999",
    loss=PairwiseLoss(Max(1 - m, 0)),
    update="proximal",
    regret=1,
)
pairwise_squared_hinge = Theorem(
    name="pairwise squared hinge",
    loss=PairwiseLoss(Max(1 - m, 0) ** 2),
    update="proximal",
    regret=2,
)
pairwise_logistic = Theorem(
    name="pairwise logistic",
    loss=PairwiseLoss(log(1 + exp(-m), 2)),
    update="proximal",
    regret=Rational(18645268, 10**8),
)
one_versus_all_hinge = Theorem(
    name="one-versus-all hinge",
    source="Rifkin and Klautau 2004",
    loss=SeparableLoss(own=Max(1 - z, 0), other=Max(1 + z, 0)),
    update="proximal",
    regret=Rational(1, 4),
)
one_versus_all_squared_hinge = Theorem(
    name="one-versus-all squared hinge",
    loss=SeparableLoss(own=Max(1 - z, 0) ** 2, other=Max(1 + z, 0) ** 2),
    update="proximal",
    regret=Rational(1, 3),
)
one_versus_all_squares = Theorem(
    name="one-versus-all squares",
    loss=SeparableLoss(own=(1 - z) ** 2, other=(1 + z) ** 2),
    update="proximal",
    regret=Rational(1, 3),
)
one_versus_all_logistic = Theorem(
    name="one-versus-all logistic",
    loss=SeparableLoss(own=log(1 + exp(-z), 2), other=log(1 + exp(z), 2)),
    update="proximal",
    regret=Rational(2178993, 10**8),
)
too_small = Theorem(
    name="Weston-Watkins, too small",
    loss=PairwiseLoss(Max(1 - m, 0)),
    update="proximal",
    regret=Rational(99, 100),
)
nothing_for_its_own = Theorem(
    name="nothing for the label's own score",
    source="Lee, Lin and Wahba 2004, without their constraint that scores sum to zero",
    loss=SeparableLoss(own=0, other=Max(1 + z, 0)),
    update="proximal",
    regret=1000,
)
