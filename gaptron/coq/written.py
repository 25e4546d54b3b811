"""Functions of a theorem file as data of Coq's ``WrittenFunctions``.

The data of a function evaluates to what ``functions`` prints of it.
"""

from fractions import Fraction
from functools import reduce

from gaptron.coq.functions import SmoothPrinter, chosen
from gaptron.coq.kernel_data import Data, Places, expression
from gaptron.coq.script import OutOfScopeError
from gaptron.language.expressions import Expression, base_and_exponent
from gaptron.language.relations import Relation
from gaptron.obligations.pieces import first_split

ZERO: Data = ("Int", 0)
COMPARED = {"<=": "IfLe", "<": "IfLt", "=": "IfEq"}
NAMES = {
    "min": "Smaller", "max": "Larger", "+": "Plus", "*": "Times", "abs": "Absolute", "exp": "OfExp", "log": "OfLn",
}  # fmt: skip


class FunctionWriter:
    """Writes the expressions of one theorem, its variables by their places."""

    def __init__(self, printer: SmoothPrinter, places: Places) -> None:
        self.printer, self.places = printer, places

    def term(self, smooth: Expression) -> Data:
        """A smooth expression."""
        if first_split(smooth) is not None:
            raise OutOfScopeError("a side of a condition has pieces: it is not smooth")
        return expression(self.printer.term(smooth), self.places)

    def function(self, given: Expression) -> Data:
        """As data, in pieces too; OutOfScopeError for what Coq's data has no words for."""
        if not isinstance(given, tuple) or first_split(given) is None:
            return ("Smooth", self.term(given))
        head, *below = given
        if head == "pieces":
            return chosen([(self.function(value), when) for value, when in below], ("Smooth", ZERO), self._decided)
        if head in ("^", "root"):
            base, exponent = base_and_exponent(given)
            return self._power(self.function(base), exponent)
        if head not in NAMES:
            raise OutOfScopeError("it has pieces in an exponent")
        parts = [self.function(part) for part in below]
        if head in ("exp", "log"):
            return ("Outside", NAMES[head], *parts)
        return reduce(lambda left, right: (NAMES[head], left, right), parts) if parts[1:] else (NAMES[head], *parts)

    @staticmethod
    def _power(base: Data, exponent: Fraction) -> Data:
        degree, power = exponent.denominator, abs(exponent.numerator)
        if degree > 1:
            base = ("Outside", "OfSqrt" if degree == 2 else ("OfRoot", degree - 1), base)
        raised = base if power == 1 else ("Power", base, power)
        return raised if exponent > 0 else ("Outside", "OfInv", raised)

    def _decided(self, given: Relation, then: Data, otherwise: Data) -> Data:
        return (COMPARED[given.sign], self.term(given.left), self.term(given.right), then, otherwise)


def is_constant(data: Data) -> bool:
    """Whether no variable is in the term."""
    return not isinstance(data, tuple) or (data[0] != "Var" and all(map(is_constant, data)))
