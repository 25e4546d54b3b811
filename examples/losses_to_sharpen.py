"""PROVED at the learning rates that are written here; gaptron sharpen finds the largest ones (docs/sharpened.md)."""

from sympy import Max, Min, Piecewise, Rational, log

from gaptron import BinaryLoss, GapMap, MarginLoss, SoftmaxLoss, Theorem
from gaptron.symbols import K, m, p, z

SQUARE = GapMap((1 - Min(1, m)) ** 2)


def smoothed(slope):
    """The smoothed hinge loss of one weight vector, steeper on errors."""
    return Piecewise((1 - slope * z, z < 0), ((1 - z) ** 2, z <= 1), (0, True))


def between(kappa, **off_above):
    """The losses between the hinge (kappa = 0) and the squared hinge (kappa = 1) of the SOBA paper."""
    f = 1 - 2 * m / (2 - kappa) + kappa * m**2 / (2 - kappa)
    return MarginLoss(Piecewise((f, m <= 1), (0, True)), **off_above)


logistic = Theorem(
    name="logistic",
    source="van der Hoeven 2020, Theorem 1",
    loss=SoftmaxLoss(-log(p, 2)),
    gap_map=GapMap(Piecewise((1 - p, p >= Rational(1, 2)), (1, True))),
    learning_rate=log(2) / (2 * K),
    regret=K / log(2),
)
hinge = Theorem(
    name="hinge",
    source="van der Hoeven 2020, Theorem 2",
    loss=MarginLoss(Max(1 - m, 0), off_above=1 / K),
    gap_map=GapMap(Piecewise((1 - m, m <= 1 / K), (0, True))),
    learning_rate=(1 - 1 / K) / K,
    regret=K**2 / (2 * (K - 1)),
)
smooth_hinge = Theorem(
    name="smooth hinge",
    source="van der Hoeven 2020, Theorem 3",
    loss=MarginLoss(Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True))),
    gap_map=SQUARE,
    learning_rate=1 / (4 * K),
    regret=2 * K,
)
squared_hinge = Theorem(
    name="squared hinge (kappa = 1)",
    source="Beygelzimer et al. 2017, section 3",
    loss=between(1),
    gap_map=SQUARE,
    learning_rate=1 / (4 * K),
)
half = Theorem(
    name="kappa = 1/2, off above margin 1/2",
    source="Beygelzimer et al. 2017, section 3",
    loss=between(Rational(1, 2), off_above=Rational(1, 2)),
    gap_map=GapMap(Piecewise((1 - 4 * m / 3 + m**2 / 3, m <= Rational(1, 2)), (0, True))),
    learning_rate=1 / (8 * K),
)
weighted = Theorem(
    name="weighted smoothed hinge",
    source="Orabona's blog, Example 3",
    loss=BinaryLoss(plus=smoothed(4), minus=smoothed(2).subs(z, -z)),
    gap_map=SQUARE,
    learning_rate=Rational(1, 16),
    regret=8,
)
