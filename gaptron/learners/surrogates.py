"""The loss and the gap map of a theorem, as a learner needs them; ``gaptron.rounds`` says what they are."""

from fractions import Fraction
from functools import cached_property, lru_cache

from gaptron.language.expressions import everywhere
from gaptron.language.theorems import StatedTheorem, TheoremData
from gaptron.learners.arithmetic import Arithmetic, Array, ExactArrays
from gaptron.numbers.evaluate import ball, value_at
from gaptron.numbers.kinds import Number
from gaptron.rounds.exact import surrogate_of
from gaptron.rounds.geometry import geometry_of
from gaptron.rounds.layouts import Scores
from gaptron.rounds.proximal import proximal_steps
from gaptron.rounds.proximal_step import ProximalSteps
from gaptron.rounds.surrogate import RoundAt

IRRATIONAL = ("exp", "log", "pi", "power", "root")


class LearnersSurrogate:
    """What a theorem says of the (K,) scores W x of a round, in the learner's numbers.

    Attributes
    ----------
    learning_rate, regret : number, optional
        In units of 1/X^2, and the coefficient of X^2 ||U||^2; None if not claimed, or not with full information.
    """

    learning_rate: Number
    regret: Number

    def __init__(self, theorem: StatedTheorem, n_classes: int, arithmetic: Arithmetic, side: int = 1) -> None:
        self.theorem, self.loss, self.arithmetic = theorem.data, theorem.data.loss, arithmetic
        self.rounds = surrogate_of(self.loss, n_classes, arithmetic.layout, self.theorem.gap_map, side)
        parts = self.theorem.rates(n_classes) if self.theorem.feedback == "full" else (None, None)
        numbers = [None if part is None else arithmetic.number(value_at(part, {})) for part in parts]
        self.learning_rate, self.regret = numbers

    @cached_property
    def proximal(self) -> ProximalSteps:
        """Its proximal steps."""
        return proximal_steps(self.loss, self.rounds.n_classes, self.arithmetic.kind)

    def at(self, scores: Scores) -> RoundAt:
        """The round at these scores, in the numbers of ``rounds``."""
        return self.rounds.at(self.arithmetic.read(scores))

    def gap(self, scores: Scores) -> Number:
        """The gap map, in [0, 1]; UncertainError if balls leave open which label is on top, where that matters."""
        found = self.at(scores)
        a = self.arithmetic.number(found.gap)
        if a != 1:
            _ = found.top
        return a

    def value(self, scores: Scores, label: int) -> Number:
        """The loss."""
        return self.value_of(self.at(scores), label)

    def value_of(self, found: RoundAt, label: int) -> Number:
        """The loss of a round, 0 where it is switched off."""
        return self.arithmetic.number(0 if found.off(label) else found.value(label))

    def score_gradient(self, scores: Scores, label: int) -> Array:
        """Its gradient in the scores, (1,) in z for a BinaryLoss: the gradient in W is outer(., x)."""
        found = self.at(scores)
        slopes = None if found.off(label) else found.slopes(label)
        return self.arithmetic.written([None] * self.rounds.rows if slopes is None else slopes)

    def is_off(self, scores: Scores, label: int) -> bool:
        """Whether the hinge loss is switched off, as the top label is right with m* > beta."""
        return bool(self.at(scores).off(label))


def in_exact_numbers(
    theorem: StatedTheorem, n_classes: int, *, balls: bool = False, side: int = 1
) -> LearnersSurrogate:
    """In fractions or balls; at kinks from the right, as every learner does, or from the left (``side`` -1)."""
    numbers = ExactArrays(ball if balls or _needs_balls(theorem.data) else Fraction)
    return LearnersSurrogate(theorem, n_classes, numbers, side)


def _needs_balls(theorem: TheoremData) -> bool:
    parts = (part for expression in theorem.expressions for part in everywhere(expression))
    written = any(isinstance(part, tuple) and part[0] in IRRATIONAL for part in parts)
    return written or geometry_of(theorem.loss).is_transcendental


@lru_cache(maxsize=256)
def in_doubles(theorem: StatedTheorem, n_classes: int) -> LearnersSurrogate:
    """On (K,) arrays of doubles."""
    return LearnersSurrogate(theorem, n_classes, Arithmetic())


def checked_theorem(loss: object, names: tuple[str, ...]) -> TheoremData:
    """``loss`` as data if it is a Theorem; else a ValueError that lists the losses with a name."""
    theorem = getattr(loss, "data", None)
    if not isinstance(theorem, TheoremData):
        allowed = ", ".join(f'"{name}"' for name in names)
        raise ValueError(f"loss = {loss!r} is neither one of {allowed} nor a gaptron.Theorem")
    if theorem.parameters:
        open_ = ", ".join(theorem.parameters)
        raise ValueError(
            f'loss = theorem "{theorem.name}" has the parameters {open_}: give their values by theorem.at(...)'
        )
    return theorem
