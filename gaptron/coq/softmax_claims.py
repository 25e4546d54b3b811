"""The claims of Coq's ``Obligations`` about a softmax theorem with a gap map."""

from collections.abc import Iterator
from dataclasses import dataclass

from gaptron.coq.kernel_data import Data
from gaptron.coq.loss_claims import HALF, ONE, THREE, TWO, Asked, K, M, S, at_second, closure, minus, put_two
from gaptron.coq.obliged import MarginData
from gaptron.coq.written import ZERO, Condition, Conditions, Part, derived, put, put_in

THIRD: Data = ("Rat", 1, 3)
ALL_ELSE = minus(ONE, M)
REMAINDER = minus(ALL_ELSE, S)
RIGHT_SQUARES: tuple[Part, ...] = (  # what the squares of the other probabilities sum to at most, and where
    ((("Ge", M, HALF),), ("Pow", ALL_ELSE, 2)),
    ((("Ge", M, THIRD), ("Lt", M, HALF)), ("Add", ("Pow", M, 2), ("Pow", minus(ONE, ("Mul", TWO, M)), 2))),
    ((("Lt", M, THIRD),), ("Mul", M, ALL_ELSE)),
)
WRONG_SQUARES: tuple[Part, ...] = (
    ((("Le", REMAINDER, S),), ("Add", ("Pow", S, 2), ("Pow", REMAINDER, 2))),
    ((("Gt", REMAINDER, S),), ("Add", ("Pow", S, 2), ("Mul", S, REMAINDER))),
)


@dataclass(frozen=True)
class SoftmaxData(MarginData):
    """The fields of Coq's ``margin_statement``, of a loss of the label's probability."""

    proves = "proves_softmax"

    def about_gap(self, q: Part, p: Part) -> Iterator[Asked]:
        """In a part of the gap map and one of the loss."""
        for others in RIGHT_SQUARES:
            where = (*self.right, *q[0], *closure(p[0]), *others[0])
            yield Asked(where, ("Le", self._gap_of(self.right_risk(q[1]), p, others[1]), ZERO))
        for others in WRONG_SQUARES:
            round_ = self._wrong_label(q, p, others)
            then = ("Le", self._gap_of(self.wrong_risk(put(0, S, q[1])), p, others[1]), ZERO)
            yield Asked(tuple(map(_of_sum_one, (*self.domain, *round_))), _of_sum_one(then), of_classes=False)
            yield Asked((*self.domain, ("Ge", K, THREE), *round_), then)

    def _gap_of(self, risk: Data, p: Part, others: Data) -> Data:
        squares = ("Mul", ("Pow", ("Mul", derived(p[1]), M), 2), ("Add", ("Pow", ALL_ELSE, 2), others))
        return ("Add", minus(risk, p[1]), ("Mul", self.step, squares))

    def _wrong_label(self, q: Part, p: Part, others: Part) -> Conditions:
        """The label's probability, and the largest."""
        less: Conditions = (("Le", M, HALF), ("Le", M, S), ("Le", S, ALL_ELSE))
        return (*self.interval, *less, *map(at_second, (*self.top, *q[0])), *closure(p[0]), *others[0])


def _of_sum_one(condition: Condition) -> Condition:
    """With two classes, whose probabilities sum to 1."""
    return put_in(1, ALL_ELSE, put_two(condition))
