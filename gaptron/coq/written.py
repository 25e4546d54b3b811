"""Functions of a theorem file as data of Coq's ``WrittenFunctions``, and the smooth parts that Coq takes them apart to.

The data of a function evaluates to what ``functions`` prints of it.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from itertools import product

from gaptron.coq.functions import SmoothPrinter, chosen
from gaptron.coq.kernel_data import Data, Pair, Places, expression
from gaptron.coq.script import OutOfScopeError
from gaptron.language.expressions import Expression, base_and_exponent
from gaptron.language.relations import Relation
from gaptron.obligations.pieces import first_split

Condition = tuple[str, Data, Data]  # a sign of the verified kernel, and two terms
Conditions = tuple[Condition, ...]
Part = tuple[Conditions, Data]
ZERO: Data = ("Int", 0)
ONE: Data = ("Int", 1)
COMPARED = {"<=": "IfLe", "<": "IfLt", "=": "IfEq"}
NAMES = {
    "min": "Smaller", "max": "Larger", "+": "Plus", "*": "Times", "abs": "Absolute", "exp": "OfExp", "log": "OfLn",
}  # fmt: skip
OTHERWISE = {"IfLe": ("Gt",), "IfLt": ("Ge",), "IfEq": ("Lt", "Gt")}
KINDS = {"IfLe": "Le", "IfLt": "Lt", "IfEq": "Eq"}
WINS = {"Larger": ("Ge", "Le"), "Smaller": ("Le", "Ge")}


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


def parts_of(function: Data) -> list[Part]:
    """Conditions and the value where they hold: ``parts_of`` of Coq's ``WrittenFunctions``."""
    name, *rest = function
    if name == "Smooth":
        return [((), rest[0])]
    if name == "Power":
        return [(given, ("Pow", value, rest[1])) for given, value in parts_of(rest[0])]
    if name == "Outside":
        return [(given, _outside(rest[0], value)) for given, value in parts_of(rest[1])]
    if name == "Absolute":
        both = (("Ge", lambda value: value), ("Le", lambda value: ("Mul", ("Int", -1), value)))
        return [((*given, (sign, value, ZERO)), of(value)) for given, value in parts_of(rest[0]) for sign, of in both]
    if name in KINDS:
        left, right, then, otherwise = rest
        signs = [(KINDS[name], then), *((sign, otherwise) for sign in OTHERWISE[name])]
        return [(((sign, left, right), *given), value) for sign, inside in signs for given, value in parts_of(inside)]
    pairs = product(parts_of(rest[0]), parts_of(rest[1]))
    if name in WINS:
        return [part for p, q in pairs for part in _selected(WINS[name], p, q)]
    operation = {"Plus": "Add", "Times": "Mul"}[name]
    return [((*p[0], *q[0]), (operation, p[1], q[1])) for p, q in pairs]


def _outside(operation: Data, value: Data) -> Data:
    return ("Root", value, operation[1]) if isinstance(operation, tuple) else (operation.removeprefix("Of"), value)


def _selected(signs: tuple[str, str], p: Part, q: Part) -> list[Part]:
    (first, left), (second, right) = p, q
    return [((*first, *second, (sign, left, right)), value) for sign, value in zip(signs, (left, right), strict=True)]


# --- terms ------------------------------------------------------------------------------------------------------------


def mapped(data: Data, change: Callable[[int], Data]) -> Data:
    """A term with others in the place of its variables."""
    if not isinstance(data, tuple):
        return data
    if data[0] == "Var":
        return change(data[1])
    return (data[0], *(mapped(part, change) for part in data[1:]))


def put(place: int, value: Data, data: Data) -> Data:
    """``value`` in the place of one variable."""
    return mapped(data, lambda n: value if n == place else ("Var", n))


def put_in(place: int, value: Data, condition: Condition) -> Condition:
    """The same in both terms."""
    sign, left, right = condition
    return sign, put(place, value, left), put(place, value, right)


def has(place: int, data: Data) -> bool:
    """Whether the variable is in the term."""
    return isinstance(data, tuple) and (data == ("Var", place) or any(has(place, part) for part in data[1:]))


def is_constant(data: Data) -> bool:
    """Whether no variable is in the term."""
    return not isinstance(data, tuple) or (data[0] != "Var" and all(map(is_constant, data)))


def is_total(data: Data) -> bool:
    """Whether nothing in it may be undefined: ``total`` of ``kernel/Terms``."""
    return not isinstance(data, tuple) or (
        data[0] not in {"Inv", "Ln", "Sqrt", "Root"} and all(map(is_total, data[1:]))
    )


def plus(a: Data, b: Data) -> Data:
    """A sum, without zeros."""
    return b if a == ZERO else a if b == ZERO else ("Add", a, b)


def times(a: Data, b: Data) -> Data:
    """A product, without zeros and ones."""
    if ZERO in (a, b):
        return ZERO
    return b if a == ONE else a if b == ONE else ("Mul", a, b)


def derived(data: Data) -> Data:
    """The derivative in the variable 0: ``derived`` of ``WrittenFunctions``."""
    name, *rest = data
    if name in {"Int", "Rat", "Var"}:
        return ("Int", int(data == ("Var", 0)))
    base = rest[0]
    if name == "Add":
        return plus(derived(base), derived(rest[1]))
    if name == "Mul":
        return plus(times(derived(base), rest[1]), times(base, derived(rest[1])))
    if name == "Inv" and base[0] == "Pow" and base[2] > 0:
        _, base, n = base
        outer = times(("Int", -n), ("Inv", ("Pow", base, n + 1)))
    else:
        outer = _outer(name, data, *rest)
    return times(outer, derived(base))


def _outer(name: str, data: Data, base: Data, *degree: int) -> Data:
    """The derivative of an operation in its argument."""
    if name == "Pow":
        (n,) = degree
        return times(("Int", n), ONE if n <= 1 else base if n == 2 else ("Pow", base, n - 1))
    if name == "Root":
        return times(("Rat", 1, degree[0] + 1), times(data, ("Inv", base)))
    found: dict[str, Data] = {
        "Inv": times(("Int", -1), ("Inv", ("Pow", base, 2))),
        "Exp": data,
        "Ln": ("Inv", base),
        "Sqrt": times(("Rat", 1, 2), ("Inv", data)),
    }
    return found[name]


def smooth_needs(data: Data) -> list[Condition]:
    """What makes it differentiable: ``smooth_needs`` of ``WrittenFunctions``."""
    name, *rest = data
    if name in {"Int", "Rat", "Var"}:
        return []
    inside = [need for part in rest if isinstance(part, tuple) for need in smooth_needs(part)]
    if name in {"Inv", "Ln", "Sqrt", "Root"}:
        inside.append(("Ne" if name == "Inv" else "Gt", rest[0], ZERO))
    return inside


def condition_data(condition: Condition) -> Data:
    """As Coq reads it."""
    sign, left, right = condition
    return Pair(Pair(sign, left), right)
