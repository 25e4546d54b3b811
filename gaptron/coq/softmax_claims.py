"""The claims of Coq's ``Obligations`` about a softmax theorem with a gap map."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from gaptron.coq.kernel_data import Data
from gaptron.coq.loss_claims import HALF, ONE, THREE, TWO, Asked, K, M, S, at_second, closure, minus, put_two
from gaptron.coq.obliged import MarginData
from gaptron.coq.written import ZERO, Condition, Conditions, Part, derived, put, put_in

Gap: TypeAlias = Callable[[Data], Data]  # of the squares in it
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
        right, wrong = self.right_risk(q[1]), self.wrong_risk(put(0, S, q[1]))
        less = [minus(risk, p[1]) for risk in (right, wrong)]
        return said_labels(self, q[0], p, *(partial(_plus, each) for each in less))


def said_labels(f: MarginData, given: Conditions, p: Part, right: Gap, wrong: Gap) -> Iterator[Asked]:
    """Gaps of a right and of a wrong round, of squares, where the gap map is as it is given and the loss in a part."""
    for others in RIGHT_SQUARES:
        where = (*f.right, *given, *closure(p[0]), *others[0])
        yield Asked(where, ("Le", right(_squared(f, p, others[1])), ZERO))
    for others in WRONG_SQUARES:
        round_ = _wrong_label(f, given, p, others)
        then: Condition = ("Le", wrong(_squared(f, p, others[1])), ZERO)
        yield Asked(tuple(map(_of_sum_one, (*f.domain, *round_))), _of_sum_one(then), of_classes=False)
        yield Asked((*f.domain, ("Ge", K, THREE), *round_), then)


def _squared(f: MarginData, p: Part, others: Data) -> Data:
    """Half the rate times the size of a subgradient."""
    return ("Mul", f.step, ("Mul", ("Pow", ("Mul", derived(p[1]), M), 2), ("Add", ("Pow", ALL_ELSE, 2), others)))


def _plus(less: Data, squares: Data) -> Data:
    return ("Add", less, squares)


def _wrong_label(f: MarginData, given: Conditions, p: Part, others: Part) -> Conditions:
    """The label's probability, and the largest."""
    less: Conditions = (("Le", M, HALF), ("Le", M, S), ("Le", S, ALL_ELSE))
    return (*f.interval, *less, *map(at_second, (*f.top, *given)), *closure(p[0]), *others[0])


def _of_sum_one(condition: Condition) -> Condition:
    """With two classes, whose probabilities sum to 1."""
    return put_in(1, ALL_ELSE, put_two(condition))
