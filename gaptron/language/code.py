"""Expressions as the text of a program: Python for one double, NumPy for arrays of them, JavaScript for a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from gaptron.language.expressions import Expression, evaluated


@dataclass(frozen=True)
class Dialect:
    """How a programming language writes what is not + - * /: templates, by what they say.

    ``folded`` are the names of functions of two arguments, where more are nested.
    """

    forms: Mapping[str, str]
    branch: str
    otherwise: str
    folded: Mapping[str, str]


SAME_SIGNS = {sign: f"({{}} {sign} {{}})" for sign in ("<=", "<", ">=", ">", "!=")}
PYTHON_FORMS = {
    **SAME_SIGNS, "=": "({} == {})", "root": "sqrt({})", "^": "({}**{})", "abs": "abs({})", "exp": "exp({})",
    "log": "log({})", "pi": "pi", "power": "({}**{})", "True": "True", "False": "False",
}  # fmt: skip
PYTHON = Dialect(
    {**PYTHON_FORMS, "min": "min({})", "max": "max({})", "and": "({} and {})", "or": "({} or {})", "not": "(not {})"},
    branch="{value} if {when} else {rest}",
    otherwise="no_branch()",
    folded={},
)
NUMPY = Dialect(
    {**PYTHON_FORMS, "and": "logical_and({}, {})", "or": "logical_or({}, {})", "not": "logical_not({})"},
    branch="where({when}, {value}, {rest})",
    otherwise="nan",
    folded={"min": "minimum({}, {})", "max": "maximum({}, {})"},
)
JAVASCRIPT = Dialect(
    {
        **SAME_SIGNS, "=": "({} === {})", "!=": "({} !== {})", "root": "Math.sqrt({})", "^": "Math.pow({}, {})",
        "abs": "Math.abs({})", "exp": "Math.exp({})", "log": "Math.log({})", "pi": "Math.PI", "True": "true",
        "power": "Math.pow({}, {})", "min": "Math.min({})", "max": "Math.max({})", "and": "({} && {})",
        "or": "({} || {})", "not": "(!{})", "False": "false",
    },
    branch="{when} ? {value} : {rest}",
    otherwise="NaN",
    folded={},
)  # fmt: skip


def code(expression: Expression, dialect: Dialect, names: Mapping[str, str]) -> str:
    """The text of an expression, its variables called by these names; ValueError if one has no name."""
    return evaluated(expression, _Writer(dialect, names))


class _Writer:
    """Texts that need no parentheses around them, but for a sign in front."""

    def __init__(self, dialect: Dialect, names: Mapping[str, str]) -> None:
        self.dialect, self.forms, self.names = dialect, dialect.forms, names

    def number(self, value: Fraction) -> str:
        return str(value) if value.denominator == 1 else f"({value})"

    def variable(self, name: str) -> str:
        if name not in self.names:
            raise ValueError(f"{name} has no value here")
        return self.names[name]

    def product(self, factors: Sequence[str], divisors: Sequence[str]) -> str:
        is_negative = len(factors) > 1 and factors[0] == "-1"
        body = _times(factors[is_negative:])
        if divisors:
            below = _times(divisors)
            body = f"{body}/{below}" if len(divisors) == 1 else f"{body}/({below})"
        return ("-" if is_negative else "") + (f"({body})" if len(factors) + len(divisors) > 1 + is_negative else body)

    def rational_power(self, base: str, exponent: Fraction) -> str:
        if exponent == -1:
            return f"(1/{_atom(base)})"
        if abs(exponent) == Fraction(1, 2):
            root = self.forms["root"].format(base)
            return root if exponent > 0 else f"(1/{root})"
        return self.forms["^"].format(_atom(base), _atom(self.number(exponent)))

    def operation(self, name: str, parts: Sequence[str]) -> str:
        if name == "+":
            first, *rest = parts
            return f"({first}{''.join(f' - {p[1:]}' if p.startswith('-') else f' + {p}' for p in rest)})"
        if name in self.dialect.folded:
            return self._nested(self.dialect.folded[name], parts)
        if name in ("min", "max"):
            return self.forms[name].format(", ".join(parts))
        return self.forms[name].format(*(map(_atom, parts) if name == "power" else parts))

    def pieces(self, branches: Sequence[tuple[str, str]]) -> str:
        text = self.dialect.otherwise
        for value, when in reversed(branches):
            is_last = when == self.forms["True"]
            text = value if is_last else self.dialect.branch.format(value=value, when=when, rest=text)
        return f"({text})"

    def truth(self, value: bool) -> str:
        return self.forms[str(value)]

    def relation(self, sign: str, left: str, right: str) -> str:
        return self.forms[sign].format(left, right)

    def connective(self, name: str, parts: Sequence[str]) -> str:
        return self.forms[name].format(*parts) if name == "not" else self._nested(self.forms[name], parts)

    def _nested(self, form: str, parts: Sequence[str]) -> str:
        return reduce(form.format, parts)


def _atom(text: str) -> str:
    return f"({text})" if text.startswith("-") else text


def _times(parts: Sequence[str]) -> str:
    return "*".join(map(_atom, parts)) or "1"
