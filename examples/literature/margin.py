"""Losses of the margin from the literature, with learning rates that are right, too fast, or none that would do.

Scaled, where it is said, so that a loss is 1 at margin 0: with less no prediction at a tie is paid for. What becomes
of each, and its constants: benchmarks/literature.md.
"""

from sympy import Abs, Max, Min, Piecewise, Rational, exp, log

from gaptron import BinaryLoss, GapMap, MarginLoss, Parameter, Theorem
from gaptron.symbols import K, m, z

SQUARE = GapMap(Max(1 - m, 0) ** 2)
HALF = Rational(1, 2)


def of_its_own(phi):
    """A loss that is its own gap map."""
    return {"loss": MarginLoss(phi), "gap_map": GapMap(phi)}


# --- hinges -------------------------------------------------------------------------------------------------

perceptron = Theorem(
    name="perceptron",
    source="Rosenblatt 1958",
    loss=MarginLoss(Max(-m, 0)),
    gap_map=GapMap(1 - Min(1, m)),
    learning_rate=1 / (2 * K),
)
hinge = Theorem(
    name="hinge, off above 1/K",
    source="Crammer and Singer 2001, as in van der Hoeven 2020, Theorem 2",
    loss=MarginLoss(Max(1 - m, 0), off_above=1 / K),
    gap_map=GapMap(Piecewise((1 - m, m <= 1 / K), (0, True))),
    learning_rate=(1 - 1 / K) / K,
    regret=K**2 / (2 * (K - 1)),
)
hinge_never_off = Theorem(
    name="hinge, never off",
    source="Crammer and Singer 2001",
    loss=MarginLoss(Max(1 - m, 0)),
    gap_map=GapMap(Max(1 - m, 0)),
    learning_rate=1 / (2 * K),
)
hinge_proximal = Theorem(
    name="hinge, proximal updates",
    source="Crammer and Singer 2001",
    loss=MarginLoss(Max(1 - m, 0)),
    decoder="best",
    update="proximal",
    regret=K**2 / (4 * (K - 1)),
)
q_hinge = Theorem(
    name="q-norm hinge, q = 3/2",
    source="Chen, Wu, Ying and Zhou 2004",
    **of_its_own(Max(1 - m, 0) ** Rational(3, 2)),
    learning_rate=1 / (4 * K),
)
squared_hinge = Theorem(
    name="squared hinge, eta = 1/(4 K)",
    source="Lee and Mangasarian 2001",
    **of_its_own(Max(1 - m, 0) ** 2),
    learning_rate=1 / (4 * K),
    regret=2 * K,
)
squared_hinge_too_fast = Theorem(
    name="squared hinge, eta = 1/(2 K)",
    source="Lee and Mangasarian 2001",
    **of_its_own(Max(1 - m, 0) ** 2),
    learning_rate=1 / (2 * K),
)
cubed_hinge = Theorem(
    name="cubed hinge",
    source="Janocha and Czarnecki 2017",
    **of_its_own(Max(1 - m, 0) ** 3),
    learning_rate=1 / (9 * K),
)

# --- smoothed hinges ----------------------------------------------------------------------------------------

smooth_hinge = Theorem(
    name="smooth hinge, twice the printed one",
    source="Rennie and Srebro 2005",
    loss=MarginLoss(Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True))),
    gap_map=SQUARE,
    learning_rate=1 / (4 * K),
    regret=2 * K,
)
smooth_hinge_printed = Theorem(
    name="smooth hinge, as printed",
    source="Rennie and Srebro 2005",
    loss=MarginLoss(Piecewise((HALF - m, m <= 0), ((1 - m) ** 2 / 2, m < 1), (0, True))),
    gap_map=SQUARE,
    learning_rate=1 / (4 * K),
)
generalized_smooth_hinge = Theorem(
    name="generalized smooth hinge, alpha = 3, times 4/3",
    source="Rennie 2005",
    **of_its_own(Piecewise((1 - 4 * m / 3, m <= 0), (m**4 / 3 - 4 * m / 3 + 1, m < 1), (0, True))),
    learning_rate=1 / (8 * K),
)


def smoothed(g):
    """The hinge loss smoothed over the last g before margin 1, scaled to 1 at 0."""
    return 2 / (2 - g) * Piecewise((1 - m - g / 2, m <= 1 - g), ((1 - m) ** 2 / (2 * g), m < 1), (0, True))


smoothed_half = Theorem(
    name="smoothed hinge, gamma = 1/2, times 4/3",
    source="Shalev-Shwartz and Zhang 2013",
    **of_its_own(smoothed(HALF)),
    learning_rate=Rational(3, 16) / K,
)
width = Parameter("g", Rational(1, 4), 1)
smoothed_any = Theorem(
    name="smoothed hinge, any gamma from 1/4 to 1",
    source="Shalev-Shwartz and Zhang 2013",
    **of_its_own(smoothed(width)),
    learning_rate=width * (2 - width) / (4 * K),
)


def huber(h):
    """The hinge loss with a parabola between 1 - h and 1 + h."""
    return Piecewise((1 - m, m < 1 - h), ((1 + h - m) ** 2 / (4 * h), m <= 1 + h), (0, True))


huber_hinge = Theorem(
    name="Huber hinge, h = 1/2, eta = 1/(2 K)",
    source="Chapelle 2007",
    **of_its_own(huber(HALF)),
    learning_rate=1 / (2 * K),
    regret=K,
)
huber_hinge_too_fast = Theorem(
    name="Huber hinge, h = 1/2, one percent faster",
    source="Chapelle 2007",
    **of_its_own(huber(HALF)),
    learning_rate=Rational(101, 200) / K,
)
modified_huber = Theorem(
    name="modified Huber",
    source="Zhang 2004",
    loss=MarginLoss(Piecewise((-4 * m, m < -1), ((1 - m) ** 2, m <= 1), (0, True))),
    gap_map=SQUARE,
    learning_rate=1 / (4 * K),
)

# --- losses that are never zero -----------------------------------------------------------------------------

dwd = Theorem(
    name="distance-weighted discrimination",
    source="Marron, Todd and Ahn 2007",
    **of_its_own(Piecewise((1 - m, m <= HALF), (1 / (4 * m), True))),
    learning_rate=1 / (2 * K),
)
lum = Theorem(
    name="large-margin unified machine, a = 1, c = 0",
    source="Liu, Zhang and Wu 2011",
    **of_its_own(Piecewise((1 - m, m <= 0), (1 / (1 + m), True))),
    learning_rate=1 / K,
    regret=K / 2,
)
exponential = Theorem(
    name="exponential at every margin",
    source="Freund and Schapire 1997",
    loss=MarginLoss(exp(-m)),
    gap_map=GapMap(exp(-m)),
    learning_rate=1 / (2 * K),
)
exponential_linear = Theorem(
    name="exponential, linear on mistakes",
    source="Gentile and Littlestone 1999",
    **of_its_own(Piecewise((1 - m, m <= 0), (exp(-m), True))),
    learning_rate=1 / K,
)
binary_logistic = Theorem(
    name="logistic of the margin, base 2",
    source="Friedman, Hastie and Tibshirani 2000",
    **of_its_own(log(1 + exp(-m), 2)),
    learning_rate=log(2) / (2 * K),
)
logistic_cold = Theorem(
    name="logistic of the margin, temperature 1/2",
    source="Hinton, Vinyals and Dean 2015",
    **of_its_own(log(1 + exp(-2 * m), 2)),
    learning_rate=log(2) / (8 * K),
)
logistic_warm = Theorem(
    name="logistic of the margin, temperature 2",
    source="Hinton, Vinyals and Dean 2015",
    **of_its_own(log(1 + exp(-m / 2), 2)),
    learning_rate=2 * log(2) / K,
)
logistic_natural = Theorem(
    name="logistic of the margin, natural",
    source="Friedman, Hastie and Tibshirani 2000",
    loss=MarginLoss(log(1 + exp(-m))),
    gap_map=GapMap(log(1 + exp(-m), 2)),
    learning_rate=log(2) / (2 * K),
)

# --- losses that grow again, for two classes ----------------------------------------------------------------

squared = Theorem(
    name="squared, two classes",
    source="Suykens and Vandewalle 1999",
    loss=MarginLoss((1 - m) ** 2),
    gap_map=SQUARE,
    learning_rate=Rational(1, 8),
    regret=4,
    classes=2,
)
squared_many = Theorem(
    name="squared, every number of classes",
    source="Suykens and Vandewalle 1999",
    loss=MarginLoss((1 - m) ** 2),
    gap_map=SQUARE,
    learning_rate=1 / (4 * K),
)
absolute = Theorem(
    name="absolute, two classes",
    source="Lin 2004",
    loss=MarginLoss(Abs(1 - m)),
    gap_map=GapMap(Max(1 - m, 0)),
    learning_rate=Rational(1, 8),
    classes=2,
)
least_squares = Theorem(
    name="least squares of one score",
    source="Suykens and Vandewalle 1999",
    loss=BinaryLoss(plus=(1 - z) ** 2),
    gap_map=SQUARE,
    learning_rate=Rational(1, 4),
    regret=2,
)
cost_sensitive = Theorem(
    name="squared hinge, errors on +1 count four times",
    source="Bach, Heckerman and Horvitz 2006",
    loss=BinaryLoss(plus=4 * Max(1 - z, 0) ** 2, minus=Max(1 + z, 0) ** 2),
    gap_map=SQUARE,
    learning_rate=Rational(1, 16),
)

# --- not convex ---------------------------------------------------------------------------------------------

ramp = Theorem(
    name="ramp",
    source="Collobert, Sinz, Weston and Bottou 2006",
    loss=MarginLoss(Min(1, Max(1 - m, 0))),
    gap_map=GapMap(Max(1 - m, 0)),
    learning_rate=1 / (4 * K),
)
psi_learning = Theorem(
    name="psi-learning",
    source="Shen, Tseng, Zhang and Wong 2003",
    loss=MarginLoss(Piecewise((2, m < 0), (1 - m, m <= 1), (0, True))),
    gap_map=GapMap(Max(1 - m, 0)),
    learning_rate=1 / (4 * K),
)
truncated_hinge = Theorem(
    name="truncated hinge, s = -1",
    source="Wu and Liu 2007",
    loss=MarginLoss(Min(2, Max(1 - m, 0))),
    gap_map=GapMap(Max(1 - m, 0)),
    learning_rate=1 / (4 * K),
)
savage = Theorem(
    name="Savage, times 4",
    source="Masnadi-Shirazi and Vasconcelos 2008",
    **of_its_own(4 / (1 + exp(2 * m)) ** 2),
    learning_rate=1 / (8 * K),
)
sigmoid = Theorem(
    name="sigmoid, times 2",
    source="Mason, Baxter, Bartlett and Frean 1999",
    **of_its_own(2 / (1 + exp(m))),
    learning_rate=1 / (4 * K),
)
correntropy = Theorem(
    name="correntropy, scaled to 1 at 0",
    source="Singh, Pokharel and Principe 2014",
    loss=MarginLoss((1 - exp(-((1 - m) ** 2) / 2)) / (1 - exp(-HALF))),
    gap_map=SQUARE,
    learning_rate=1 / (8 * K),
)
