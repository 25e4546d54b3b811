"""What "A tilted hinge loss" claims: one statement is true, one is false, and one is open."""

from fractions import Fraction

from sympy import Max, Piecewise, Rational

from gaptron import (
    Breaks,
    Claim,
    Constant,
    Corrected,
    GapMap,
    Instance,
    MarginLoss,
    Obligations,
    Paper,
    Resists,
    Theorem,
)
from gaptron.bounds import Game
from gaptron.symbols import K, m

paper = Paper("tilted", "A. Author, A tilted hinge loss for online multiclass classification (2026)")

half = Rational(1, 2)
loss = MarginLoss(Max(0, 1 - m) + Max(0, -m), off_above=half)
gap_map = GapMap(Piecewise((1 - m, m <= half), (0, True)))

theorem1 = Theorem(name="Theorem 1", loss=loss, gap_map=gap_map, learning_rate=1 / (4 * K), regret=2 * K)
theorem2 = Theorem(name="Theorem 2", loss=loss, gap_map=gap_map, learning_rate=1 / (2 * K), regret=K)


def a_wrong_round():
    """Theorem 2 by hand: K = 2, scores (1/4, 0), the second label is right. ||g||^2 = 2 * 2^2, eta = 1/4, ||x|| = 1."""
    mistake = 1 - (1 - Fraction(1, 4)) / 2
    step = Fraction(1, 4) / 2 * 8
    return Instance({"K": 2, "scores": "(1/4, 0)", "label": 1}, mistake + step, 1 + 2 * Fraction(1, 4))


def on_a_random_stream(rng):
    """Conjecture 3 on five rounds of one feature: expected mistakes, and the bound with 3 instead of 4."""
    rounds = [[Fraction(int(rng.integers(-4, 5)), 4)] for _ in range(5)]
    labels = rng.integers(0, 2, 5).tolist()
    U = [[Fraction(int(rng.integers(-8, 9)), 4)] for _ in range(2)]
    sides = Game(theorem1, 2).sides(rounds, labels, U)
    bound = sides.comparator_loss + Fraction(3, 4) * sides.regret
    return Instance({"x": rounds, "labels": labels, "U": U}, sides.mistakes, bound)


claims = (
    Claim(
        id="tilted/theorem-1",
        source="A tilted hinge loss, Theorem 1",
        statement="with eta = 1/(4 K X^2), E[M] <= sum l_t(U) + 2 K X^2 ||U||^2 for every K >= 2",
        tex=r"\mathbb{E}[M] \le \sum_t \ell_t(U) + 2 K X^2 \|U\|^2",
        grounds=Obligations(theorem1),
        recorded="PROVED",
        constants=(Constant(name="X^2 ||U||^2", printed=2 * K, best=2 * K, attained="a tie; see gaptron sharpen"),),
    ),
    Claim(
        id="tilted/theorem-2",
        source="A tilted hinge loss, Theorem 2",
        statement="with eta = 1/(2 K X^2) the surrogate gap is at most 0 in every round",
        grounds=Obligations(theorem2, "gap/*"),
        recorded="REFUTED",
        finding="A wrong round does not pay for itself: its gradient is twice as long, which costs 4/(2 K) = 2/K where "
        "the excess of the loss is 2 t and the gap map gives (1 - m*)/K.",
        corrected=Corrected(
            statement="with eta = 1/(4 K X^2) the surrogate gap is at most 0 in every round",
            grounds=Obligations(theorem1, "gap/*"),
        ),
        second=Breaks(a_wrong_round),
        quote="wrong rounds pay for themselves, as their loss is above 1",
        severity="A",
        cause="wrong rounds do not pay for themselves",
        patch="replace 1/(2 K X^2) by 1/(4 K X^2), and withdraw the halved constant",
    ),
    Claim(
        id="tilted/conjecture-3",
        source="A tilted hinge loss, Conjecture 3",
        statement="for K = 2 the learner of Theorem 1 has E[M] <= sum l_t(U) + 3 X^2 ||U||^2",
        grounds=Resists(on_a_random_stream, 100),
        recorded="UNDECIDED",
    ),
)
