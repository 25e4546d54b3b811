"""What a theorem's learner does in a round, in doubles and one round a column, where nothing is refused."""

from gaptron.numbers.evaluate import value_at
from gaptron.rounds import of_theorem
from gaptron.rounds.layouts import COLUMNS
from gaptron.rounds.proximal_columns import ProximalColumns
from gaptron.rounds.step import Step
from gaptron.theory.for_classes import rates_for_classes
from gaptron.theory.theorem import Theorem


def attacked(theorem: Theorem, n_classes: int) -> Step:
    """Its step for K classes, for ||x|| = 1: the learning rate if it predicts by the best decoder, else 0."""
    rate = rates_for_classes(theorem, n_classes)[0] if theorem.decoder == "best" else None
    return Step(
        of_theorem(theorem, n_classes, COLUMNS),
        0.0 if rate is None else float(value_at(rate, {})),
        is_best=rate is not None,
        proximal=ProximalColumns(theorem.loss, n_classes) if theorem.update == "proximal" else None,
    )
