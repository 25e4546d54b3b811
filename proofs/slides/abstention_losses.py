"""The slides' last remark on abstention: guessing replaced by abstaining at a cost c < 1.

**Problem.** Online multiclass classification with full information, where a learner may also abstain at cost c: K
classes, ||x|| <= X, any comparator U.

**Algorithm.** Gaptron (Algorithm 1) that abstains with probability a instead of predicting at random, so that the share
a costs c instead of (K - 1)/K. Hinge loss switched off above beta = (1 - c)/(2 - c); gap maps as in Theorems 1-3.

**Theoretical guarantee.** **Upper bounds** on expected cost minus sum l_t(U), over X^2 ||U||^2: logistic
1/((1 - c) ln 2), hinge (2 - c)/(2 (1 - c)), smooth hinge 2/(1 - c). The slides state the order 1/(1 - c). The theorems
are for c from 0 to 99/100; the claim below is for every c < 1, written in odds = c/(1 - c), and for costs c_t <= c that
vary. With c = (K - 1)/K the logistic and smooth hinge constants are those of Theorems 1 and 3; the hinge one is
(K + 1)/2, which is less than Theorem 2's K^2/(2 (K - 1)), because beta is better. The learning rates of the hinge and
smooth hinge losses are **tight**.

**References.** van der Hoeven, slides, "Inspiration from classification with abstention", last slide.
"""

from fractions import Fraction

from sympy import Eq, Max, Min, Piecewise, Rational, log, symbols

from gaptron import (
    Argument,
    Average,
    Cite,
    Claim,
    Constant,
    Contact,
    Derived,
    GapMap,
    Implication,
    Instance,
    Lemma,
    MarginLoss,
    Parameter,
    Resists,
    Rests,
    Rounds,
    SoftmaxLoss,
    Theorem,
    Use,
)
from gaptron.symbols import K, X, m, p
from gaptron.theory import facts
from gaptron.theory.derived import limit
from gaptron.theory.lemma1 import (
    DESCENT,
    READS,
    ROUND,
    SUMS,
    TOTALS,
    E_after,
    E_before,
    E_gap,
    E_loss_u,
    a,
    after,
    before,
    eta,
    far,
    gap,
    inner,
    loss,
    loss_u,
    losses,
    miss,
    size,
    squares,
)

cost, now, paid, E_cost = symbols("cost now paid E_cost", real=True)
NAMES = READS | SUMS | {gap: "the abstention gap", E_gap: "E[the abstention gap]", limit: "c", now: "c_t"}
NAMES |= {cost: "cost", E_cost: "E[cost]", paid: "E[sum of the costs]"}
ABSTAINING = (
    Eq(cost, (1 - a) * miss + a * now),
    now <= limit,
    Eq(gap, (1 - a) * miss + a * limit - loss + eta * squares / 2),
)
POINT = ROUND | TOTALS | {limit: 1, now: 0, cost: 0, E_cost: 0, paid: 0, gap: -1, E_gap: -1}


def logistic(c, name="abstention, logistic"):
    return Theorem(
        name=name,
        source="slides, abstention",
        loss=SoftmaxLoss(-log(p, 2)),
        gap_map=GapMap(Piecewise((1 - p, p >= Rational(1, 2)), (1, True))),
        abstention_cost=c,
        learning_rate=(1 - c) * log(2) / 2,
        regret=1 / ((1 - c) * log(2)),
    )


def hinge(c, name="abstention, hinge"):
    beta = (1 - c) / (2 - c)
    return Theorem(
        name=name,
        source="slides, abstention",
        loss=MarginLoss(Max(1 - m, 0), off_above=beta),
        gap_map=GapMap(Piecewise((1 - m, m <= beta), (0, True))),
        abstention_cost=c,
        learning_rate=beta,
        regret=1 / (2 * beta),
        sharp_at=Contact(right=True, margin=beta),
    )


def smooth(c, name="abstention, smooth hinge"):
    return Theorem(
        name=name,
        source="slides, abstention",
        loss=MarginLoss(Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True))),
        gap_map=GapMap((1 - Min(1, m)) ** 2),
        abstention_cost=c,
        learning_rate=(1 - c) / 4,
        regret=2 / (1 - c),
        sharp_at=Contact(right=True, margin=0),
    )


c = Parameter("c", 0, Rational(99, 100))
abstaining_logistic = logistic(c)
abstaining_hinge = hinge(c)
abstaining_smooth_hinge = smooth(c)

odds = Parameter("odds", 0)
every_cost = [
    logistic(odds / (1 + odds), "every c < 1, logistic"),
    hinge(odds / (1 + odds), "every c < 1, hinge"),
    smooth(odds / (1 + odds), "every c < 1, smooth"),
]

COST = cost <= loss_u + (before - after) / (2 * eta) + gap
MEANS = {cost: E_cost, loss_u: E_loss_u, before: E_before, after: E_after, gap: E_gap}
PAID = paid <= losses + (size - E_before) / (2 * eta)

lemma1_with_costs = Lemma(
    name="Lemma 1 with abstention costs",
    source="slides, abstention",
    implications=(
        Implication(
            name="round",
            statement="a round costs (1 - a) 1[y* != y] + a c_t with c_t <= c, and the bracket is the gap with c",
            given=(
                Eq(cost, (1 - a) * miss + a * now),
                now <= limit,
                a >= 0,
                loss - loss_u <= inner,
                Eq(far, before - 2 * eta * inner + eta**2 * squares),
                after <= far,
                Eq(gap, (1 - a) * miss + a * limit - loss + eta * squares / 2),
            ),
            then=COST,
        ),
        Implication(
            name="one more round",
            statement="the potential telescopes, and the gaps are at most 0",
            given=(COST.xreplace(MEANS), E_gap <= 0, PAID),
            then=paid + E_cost <= losses + E_loss_u + (size - E_after) / (2 * eta),
        ),
        Implication(
            name="all rounds",
            statement="the last potential is not negative",
            given=(PAID,),
            then=paid <= losses + size / (2 * eta),
        ),
    ),
)

with_costs = Argument(
    name="Lemma 1 with abstention costs",
    setting="Abstaining at a cost of at most c in every round in the place of guessing, first weights zero",
    symbols=NAMES,
    hypotheses=("l is convex", *DESCENT, *ABSTAINING, a >= 0, gap <= 0),
    steps=(
        Use(facts.SUBGRADIENT, {"f": "l", "g": "g", "x": "W", "u": "U"}),
        Use(facts.STEP, {"v": "V", "x": "W", "u": "U", "g": "g", "c": "eta"}),
        Use(facts.PROJECTION, {"p": "W'", "v": "V", "u": "U"}),
        lemma1_with_costs["round"],
        Average(COST, MEANS, (eta,)),
        Average(gap <= 0, {gap: E_gap}),
        Rounds(
            PAID,
            {paid: (0, paid + E_cost), losses: (0, losses + E_loss_u), E_before: (size, E_after)},
            lemma1_with_costs["one more round"],
            (eta, size),
        ),
        lemma1_with_costs["all rounds"],
    ),
    conclusion=paid <= losses + size / (2 * eta),
    example=POINT,
)


def bound(theorem):
    """The bound of an abstaining theorem, whose cost c is odds/(1 + odds)."""
    constant = Implication(
        name=f"constant, {theorem.name}",
        statement="||U||^2/(2 eta) at the learning rate of the theorem",
        given=(paid <= losses + size / (2 * eta), Eq(eta, theorem.learning_rate / X**2)),
        then=paid <= losses + theorem.regret * X**2 * size,
    )
    return Argument(
        name=f"{theorem.name}, bound",
        setting=f"{theorem.name.replace('<', 'below')}, c being odds over one plus odds, norms of features at most X",
        symbols=NAMES | {X: "X"},
        hypotheses=(*DESCENT, *ABSTAINING, Eq(limit, odds / (1 + odds)), Eq(eta, theorem.learning_rate / X**2)),
        steps=(Derived(theorem, "*"), Cite(with_costs), constant),
        conclusion=constant.then,
        example=POINT | {odds: 1, limit: Rational(1, 2), X: 1, eta: theorem.learning_rate.subs({odds: 1, K: 2})},
    )


def margin(W, x, y):
    """The margin of y and its rival."""
    scores = [sum(w * v for w, v in zip(row, x, strict=True)) for row in W]
    rival = max((k for k in range(len(W)) if k != y), key=lambda k: (scores[k], -k))
    return scores[y] - scores[rival], rival


def excess(rounds, U, n, c):
    """Expected cost of the smooth hinge learner that abstains, minus the loss of U, from the definitions; X = 1."""
    W = [[Fraction(0) for _ in U[0]] for _ in range(n)]
    total = Fraction(0)
    for x, y, cost in rounds:
        top = next(k for k in range(n) if margin(W, x, k)[0] >= 0)
        abstain = (1 - min(Fraction(1), margin(W, x, top)[0])) ** 2
        total += abstain * cost + (1 - abstain) * (top != y) - smooth_hinge(margin(U, x, y)[0])[0]
        m, rival = margin(W, x, y)
        step = (1 - c) / 4 * smooth_hinge(m)[1]
        W[y] = [w + step * v for w, v in zip(W[y], x, strict=True)]
        W[rival] = [w - step * v for w, v in zip(W[rival], x, strict=True)]
    return total


def smooth_hinge(m):
    """The loss at the margin m, and minus its slope."""
    return (1 - 2 * m, Fraction(2)) if m <= 0 else (max(1 - m, Fraction(0)) ** 2, max(2 * (1 - m), Fraction(0)))


UNIT = [(1, 0), (0, 1), (Fraction(3, 5), Fraction(4, 5)), (Fraction(-4, 5), Fraction(3, 5)), (Fraction(1, 2), 0)]


def random_stream(rng):
    n, T, c = int(rng.integers(2, 5)), int(rng.integers(1, 6)), Fraction(int(rng.integers(0, 8)), 8)
    rounds = [
        (UNIT[int(rng.integers(5))], int(rng.integers(n)), c * Fraction(int(rng.integers(5)), 4)) for _ in range(T)
    ]
    U = [[Fraction(int(v), 6) for v in rng.integers(-3, 4, 2)] for _ in range(n)]
    square = sum(u * u for row in U for u in row)
    return Instance({"K": n, "c": c, "(x, y, c_t)": rounds, "U": U}, excess(rounds, U, n, c), 2 / (1 - c) * square)


claims = (
    Claim(
        id="slides/abstention-regret",
        kind="reading",
        quote="if abstaining costs strictly less than 1 we could replace c'_t with abstention cost c_t and obtain "
        "surrogate regret that satisfies",
        source="slides, Inspiration from classification with abstention, last slide",
        grounds=(
            *map(Rests, ("gaptron/reduction-margin", "gaptron/reduction-softmax")),
            *map(Rests, ("gaptron/convexity-margin", "gaptron/convexity-softmax")),
            *map(bound, every_cost),
        ),
        recorded="PROVED",
        finding="The slides state the order, and it is right; at c = (K - 1)/K the constants of the logistic and "
        "smooth hinge losses are those of Theorems 1 and 3, and that of the hinge loss is (K + 1)/2, less than "
        "Theorem 2's.",
        constants=(
            Constant(
                name="X^2 ||U||^2/(1 - c), hinge",
                sharp="argument",
                printed="O(1)",
                best="(2 - c)/2",
                attained="this gap map",
            ),
            Constant(
                name="X^2 ||U||^2/(1 - c), smooth hinge",
                sharp="argument",
                printed="O(1)",
                best=2,
                attained="through the lemma",
            ),
            Constant(name="X^2 ||U||^2/(1 - c), logistic", printed="O(1)", best=None, attained="at most 1/ln 2"),
        ),
        second=Resists(random_stream, 60),
    ),
)
