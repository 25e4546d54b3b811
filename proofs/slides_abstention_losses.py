"""The slides' last remark on abstention: guessing replaced by abstaining at a cost c < 1.

**Problem.** Online multiclass classification with full information, where a learner may also abstain at cost c: K
classes, ||x|| <= X, any comparator U.

**Algorithm.** Gaptron (Algorithm 1) that abstains with probability a instead of predicting at random, so that the share
a costs c instead of (K - 1)/K. Hinge loss switched off above beta = (1 - c)/(2 - c); gap maps as in Theorems 1-3.

**Theoretical guarantee.** **Upper bounds** on expected cost minus sum l_t(U), over X^2 ||U||^2: logistic
1/((1 - c) ln 2), hinge (2 - c)/(2 (1 - c)), smooth hinge 2/(1 - c), for every c from 0 to 99/100. The slides state the
order 1/(1 - c). With c = (K - 1)/K the logistic and smooth hinge constants are those of Theorems 1 and 3; the hinge
one is (K + 1)/2, which is less than Theorem 2's K^2/(2 (K - 1)), because beta is better. The learning rates of the
hinge and smooth hinge losses are **tight**.

**References.** van der Hoeven, slides, "Inspiration from classification with abstention", last slide.
"""

from sympy import Max, Min, Piecewise, Rational, log

from gaptron import Contact, GapMap, MarginLoss, Parameter, SoftmaxLoss, Theorem
from gaptron.symbols import m, p

c = Parameter("c", 0, Rational(99, 100))
beta = (1 - c) / (2 - c)

abstaining_logistic = Theorem(
    name="abstention, logistic",
    source="slides, abstention",
    loss=SoftmaxLoss(-log(p, 2)),
    gap_map=GapMap(Piecewise((1 - p, p >= Rational(1, 2)), (1, True))),
    abstention_cost=c,
    learning_rate=(1 - c) * log(2) / 2,
    regret=1 / ((1 - c) * log(2)),
)

abstaining_hinge = Theorem(
    name="abstention, hinge",
    source="slides, abstention",
    loss=MarginLoss(Max(1 - m, 0), off_above=beta),
    gap_map=GapMap(Piecewise((1 - m, m <= beta), (0, True))),
    abstention_cost=c,
    learning_rate=beta,
    regret=(2 - c) / (2 * (1 - c)),
    sharp_at=Contact(right=True, margin=beta),
)

abstaining_smooth_hinge = Theorem(
    name="abstention, smooth hinge",
    source="slides, abstention",
    loss=MarginLoss(Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True))),
    gap_map=GapMap((1 - Min(1, m)) ** 2),
    abstention_cost=c,
    learning_rate=(1 - c) / 4,
    regret=2 / (1 - c),
    sharp_at=Contact(right=True, margin=0),
)
