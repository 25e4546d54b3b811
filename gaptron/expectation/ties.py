"""What balls leave open, decided in rationals: exact ties of scores that are equal for no reason of form."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import flint

from gaptron.expectation.states import StateOutcome, States
from gaptron.learners.rounds import RoundLearner
from gaptron.numbers.kinds import Number, UncertainError, is_irrational
from gaptron.rounds.layouts import Slopes

DEEPEST = 14
Answer = TypeVar("Answer")


class Arbitrated(States):
    """Balls or intervals beside the same states in rationals, found when needed only: they double in length."""

    def __init__(self, learner: RoundLearner, arithmetic: str, rates: tuple[Number, Number]) -> None:
        super().__init__(learner, arithmetic, rates)
        self._rational = States(learner, "rational", rates)
        self._twins = {0: 0}

    def span(self, vectors: Sequence[Sequence[Number]]) -> None:
        """As for balls."""
        super().span(vectors)
        self._rational.span(vectors)

    def settled(self, state: int, point: int) -> bool:
        """As for balls."""
        try:
            return super().settled(state, point)
        except UncertainError:
            return self._asked(self._rational.settled, state, point)

    def _outcome(self, state: int, point: int) -> StateOutcome:
        try:
            return super()._outcome(state, point)
        except UncertainError:
            exact = self._asked(self._rational.outcome, state, point)
            step = partial(self._of_rational, exact.slopes)
            return StateOutcome(self.number(exact.wrong), self.number(exact.right), exact.on, step)

    def _slopes(self, state: int, point: int, outcome: StateOutcome) -> Slopes | None:
        try:
            return super()._slopes(state, point, outcome)
        except UncertainError:
            exact = self._asked(self._rational.outcome, state, point)
            return super()._slopes(state, point, outcome._replace(slopes=partial(self._of_rational, exact.slopes)))

    def _of_rational(self, slopes: Callable[[Number], Slopes | None], weight: Number) -> Slopes | None:
        found = slopes(flint.fmpq(1))
        return None if found is None else [None if slope is None else weight * self.number(slope) for slope in found]

    def _asked(self, question: Callable[[int, int], Answer], state: int, point: int) -> Answer:
        """What the rational state says that came from the same updates."""
        try:
            return question(self._twin(state), self._rational.point(*self.rounds[point]))
        except ValueError as error:
            raise UncertainError(f"a tie, exact or nearly so: {error}") from error

    def _twin(self, state: int) -> int:
        path = []
        while state not in self._twins:
            path.append(state)
            state = self.origins[state][0]
        if len(path) > DEEPEST:
            raise UncertainError(f"a tie, exact or nearly so, after more than {DEEPEST} updates")
        for child in reversed(path):
            parent, point = self.origins[child]
            twin_point = self._rational.point(*self.rounds[point])
            self._twins[child] = self._rational.successors(self._twins[parent], twin_point)[-1][1]
        return self._twins[path[0] if path else state]


def is_rational(learner: RoundLearner, rates: tuple[Number, Number]) -> bool:
    """Whether the learner's numbers are rational, as far as can be told beforehand; not its loss."""
    numbers = (*rates, getattr(learner, "radius", 0), *learner.W.ravel().tolist())
    return not any(isinstance(v, flint.arb) or is_irrational(v) for v in numbers)
