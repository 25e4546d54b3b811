"""Losses of the softmax probability of the true label from the literature.

Scaled, where it is said, so that a loss is 1 at p = 1/2. What becomes of each, and its constants:
benchmarks/literature.md.
"""

from sympy import Piecewise, Rational, log, sqrt

from gaptron import GapMap, SoftmaxLoss, Theorem
from gaptron.symbols import K, p

HALF = Rational(1, 2)
LINEAR = GapMap(Piecewise((1 - p, p >= HALF), (1, True)))
cross_entropy = -log(p)

logistic = Theorem(
    name="logistic, base 2, eta = ln 2/(2 K)",
    source="van der Hoeven 2020, Theorem 1",
    loss=SoftmaxLoss(-log(p, 2)),
    gap_map=LINEAR,
    learning_rate=log(2) / (2 * K),
    regret=K / log(2),
)
logistic_too_fast = Theorem(
    name="logistic, base 2, eta = 1",
    source="van der Hoeven 2020",
    loss=SoftmaxLoss(-log(p, 2)),
    gap_map=LINEAR,
    learning_rate=1,
)
logistic_natural = Theorem(
    name="logistic, natural",
    source="Cox 1958",
    loss=SoftmaxLoss(cross_entropy),
    gap_map=LINEAR,
    learning_rate=1 / (4 * K),
)
logistic_decoder = Theorem(
    name="logistic, base 2, best decoder",
    source="Sakaue, Bao, Tsuchiya and Oki 2024, section 5, with a smaller constant",
    loss=SoftmaxLoss(-log(p, 2)),
    decoder="best",
    learning_rate=2 * log(2) ** 2,
)
logistic_proximal = Theorem(
    name="logistic, base 2, proximal updates",
    source="van der Hoeven 2020",
    loss=SoftmaxLoss(-log(p, 2)),
    decoder="best",
    update="proximal",
    regret=Rational(18646, 100000),
)
poly = Theorem(
    name="PolyLoss-1, epsilon = 1, eta = 1/4",
    source="Leng et al. 2022",
    loss=SoftmaxLoss(cross_entropy + 1 - p),
    gap_map=LINEAR,
    learning_rate=Rational(1, 4),
    regret=2,
)
poly_too_fast = Theorem(
    name="PolyLoss-1, epsilon = 1, four times as fast",
    source="Leng et al. 2022",
    loss=SoftmaxLoss(cross_entropy + 1 - p),
    gap_map=LINEAR,
    learning_rate=1,
)
poly_two = Theorem(
    name="PolyLoss-1, epsilon = 2",
    source="Leng et al. 2022",
    loss=SoftmaxLoss(cross_entropy + 2 * (1 - p)),
    gap_map=LINEAR,
    learning_rate=Rational(1, 8),
)
focal = Theorem(
    name="focal, gamma = 2, scaled to 1 at 1/2",
    source="Lin, Goyal, Girshick, He and Dollar 2017",
    loss=SoftmaxLoss(4 / log(2) * (1 - p) ** 2 * cross_entropy),
    gap_map=LINEAR,
    learning_rate=1 / (16 * K),
)
focal_one = Theorem(
    name="focal, gamma = 1",
    source="Lin, Goyal, Girshick, He and Dollar 2017",
    loss=SoftmaxLoss((1 - p) * cross_entropy),
    gap_map=LINEAR,
    learning_rate=1 / (4 * K),
)
generalized = Theorem(
    name="generalized cross-entropy, q = 7/10",
    source="Zhang and Sabuncu 2018",
    loss=SoftmaxLoss(Rational(10, 7) * (1 - p ** Rational(7, 10))),
    gap_map=LINEAR,
    learning_rate=1 / (4 * K),
)
symmetric = Theorem(
    name="symmetric cross-entropy, alpha = 1/10, A = -4",
    source="Wang, Ma, Chen, Luo, Yi and Bailey 2019",
    loss=SoftmaxLoss(cross_entropy / 10 + 4 * (1 - p)),
    gap_map=LINEAR,
    learning_rate=1 / (16 * K),
)
taylor = Theorem(
    name="Taylor cross-entropy, two terms",
    source="Feng, Shu, Lin, Lv, Li and An 2020",
    loss=SoftmaxLoss(1 - p + (1 - p) ** 2 / 2),
    gap_map=LINEAR,
    learning_rate=1 / (4 * K),
)
mean_absolute = Theorem(
    name="mean absolute error, 2 (1 - p)",
    source="Ghosh, Kumar and Sastry 2017",
    loss=SoftmaxLoss(2 * (1 - p)),
    gap_map=LINEAR,
    learning_rate=1 / (4 * K),
)
quadratic = Theorem(
    name="quadratic, 4 (1 - p)^2",
    source="Janocha and Czarnecki 2017",
    loss=SoftmaxLoss(4 * (1 - p) ** 2),
    gap_map=LINEAR,
    learning_rate=1 / (8 * K),
)
alpha_two = Theorem(
    name="alpha-loss, alpha = 2",
    source="Sypherd, Diaz, Cava, Dasarathy, Kairouz and Sankar 2022",
    loss=SoftmaxLoss(2 * (1 - sqrt(p))),
    gap_map=LINEAR,
    learning_rate=1 / (4 * K),
)
alpha_half = Theorem(
    name="alpha-loss, alpha = 1/2",
    source="Sypherd, Diaz, Cava, Dasarathy, Kairouz and Sankar 2022",
    loss=SoftmaxLoss(1 / p - 1),
    gap_map=LINEAR,
    learning_rate=1 / (8 * K),
)
squared_log = Theorem(
    name="squared log, scaled to 1 at 1/2",
    source="Janocha and Czarnecki 2017",
    loss=SoftmaxLoss(log(p, 2) ** 2),
    gap_map=LINEAR,
    learning_rate=log(2) ** 2 / (16 * K),
)
