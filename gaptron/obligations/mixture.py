"""The randomized prediction of a round, as numbers: the risk on right and wrong rounds, and the weight of ||g||^2.

With full information P(wrong) is a (K - 1)/K if the top label is right and 1 - a/K if it is not; with an abstention
cost c the share a costs c instead of (K - 1)/K.

With bandit feedback the share of the uniform distribution is max(a, gamma); gamma (K - 1)/K is paid for exploration
outside the gap, and E ||g||^2 is the full-information ||g||^2 over the probability p'(y) of the true label.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from gaptron.language.expressions import Expression, variables
from gaptron.language.formulas import formula
from gaptron.language.normal import put
from gaptron.language.relations import Relation
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.guessing import Guesses
from gaptron.obligations.pieces import Piece, Region
from gaptron.obligations.sequents import Sequent, class_conditions
from gaptron.theory.for_classes import data_of, eta_of
from gaptron.theory.theorem import Theorem

ONE = Fraction(1)


@dataclass(frozen=True)
class MixtureCase:
    """One case of the prediction: where, the risk and 1/p'(y) on right rounds and on wrong rounds."""

    conditions: Region
    right: Expression
    wrong: Expression
    right_weight: Expression = ONE
    wrong_weight: Expression = ONE


def mixtures(theorem: Theorem, tops: Region, coverage: Coverage) -> Iterator[MixtureCase]:
    """The cases of the prediction, in the gap map's variable, wherever that can be."""
    data, classes = data_of(theorem), class_conditions(theorem)
    for a in coverage.pieces(data["gap_map"], (*tops, *classes)):
        if theorem.feedback == "bandit":
            for explored in coverage.pieces(exploration_rate(theorem), classes):
                yield from _bandit(theorem, a, explored, coverage.guesses)
        elif theorem.abstention_cost is not None:
            for cost in coverage.pieces(data["abstention_cost"], classes):
                where = (*a.conditions, *cost.conditions)
                known = {"a": a.value, "c": cost.value}
                yield MixtureCase(where, formula("a*c", **known), formula("1 - a + a*c", **known))
        else:
            yield MixtureCase(a.conditions, formula("a*(K - 1)/K", a=a.value), formula("1 - a/K", a=a.value))


def _bandit(theorem: Theorem, a: Piece, explored: Piece, guesses: Guesses) -> Iterator[MixtureCase]:
    for wins, share in ((">=", a.value), ("<=", explored.value)):
        known = {"share": share, "explored": explored.value}
        if share == 0 and always_explores(theorem, guesses):
            continue  # a = 0 >= gamma, which is positive: an obligation
        yield MixtureCase(
            (*a.conditions, *explored.conditions, Relation(wins, a.value, explored.value)),
            right=formula("(share - explored)*(K - 1)/K", **known),
            wrong=formula("1 - share/K - explored*(K - 1)/K", **known),
            right_weight=formula("1/(1 - share*(K - 1)/K)", **known),
            wrong_weight=formula("K/share", **known),
        )


def exploration_rate(theorem: Theorem) -> Expression:
    """gamma in the gap: itself if it is a number for each K, else any number that it may be."""
    exploration = data_of(theorem).get("exploration")
    return "gamma" if exploration is None or variables(exploration) & {"X", "D", "T"} else exploration


def always_explores(theorem: Theorem, guesses: Guesses) -> bool:
    """Whether gamma seems to be positive for all parameters: where that is used, it is an obligation."""
    pieces = Coverage(guesses).pieces(data_of(theorem).get("exploration", Fraction(0)), class_conditions(theorem))
    return bool(pieces) and all(guesses.seems_positive(piece.value) for piece in pieces)


def scaled_learning_rate(theorem: Theorem, coverage: Coverage) -> Expression | None:
    """eta for ||x|| = 1: with bandit feedback eta X^2, for the exploration rate of the gap."""
    if theorem.feedback == "full" or theorem.learning_rate is None:
        return eta_of(theorem)
    learning_rate = put(data_of(theorem)["learning_rate"], {"gamma": exploration_rate(theorem)})
    rate = formula("eta*X**2", eta=learning_rate)
    if "X" not in variables(rate):
        return rate
    shorter = coverage.guesses.shortened(rate)
    coverage.note(Sequent(class_conditions(theorem), Relation("=", shorter, rate)))
    return shorter
