"""Terms and relations of the kernel as text over Coq's reals: total, and one text for one term.

Coq's functions are total, so what a relation says with definedness is more than its text: ``needs`` lists the rest.
"""

from collections.abc import Mapping
from fractions import Fraction

from gaptron.language.relations import Relation, requirements
from gaptron.language.terms import Term

Need = tuple[Term, str]  # an argument, and what it must be: "nonzero", "positive" or "nonnegative"

NEEDED = {"nonzero": "{} <> 0", "positive": "0 < {}", "nonnegative": "0 <= {}"}
AND = " /\\ "
CONSTANT: Mapping[str, str] = {}  # the names of no variables


def identifier(text: str) -> str:
    """Letters and digits stay; every other character becomes its code between underscores. Injective."""
    return "".join(c if c.isascii() and c.isalnum() else f"_{ord(c):x}_" for c in text)


def variable(name: str) -> str:
    """A variable of a claim: no other identifier of a development has the prefix."""
    return f"v_{name}"


def number(value: Fraction) -> str:
    """A rational."""
    if value.denominator == 1:
        return str(value.numerator) if value >= 0 else f"({value.numerator})"
    return f"({value.numerator} / {value.denominator})"


def show(term: Term, names: Mapping[str, str] = CONSTANT) -> str:
    """The term, its variables by their Coq names."""
    if isinstance(term, Fraction):
        return number(term)
    if isinstance(term, str):
        return names[term]
    if term[0] in ("+", "*"):
        parts = [show(part, names) for part in term[1:]]
        return parts[0] if len(parts) == 1 else f"({f' {term[0]} '.join(parts)})"
    inner = show(term[1], names)
    if term[0] in ("exp", "log"):
        return f"({'ln' if term[0] == 'log' else 'exp'} {inner})"
    if term[0] == "root":
        return f"(sqrt {inner})" if term[2] == 2 else f"(root {term[2]} {inner})"
    raised = inner if term[2] == -1 else f"({inner} ^ {abs(term[2])})"
    return raised if term[2] >= 0 else f"(/ {raised})"


def relation_text(relation: Relation, names: Mapping[str, str]) -> str:
    """The relation by <=, <, = and <> alone."""
    left, right = show(relation.left, names), show(relation.right, names)
    if relation.sign in (">=", ">"):
        left, right = right, left
    return f"{left} {({'>=': '<=', '>': '<', '!=': '<>'}).get(relation.sign, relation.sign)} {right}"


def needs(*terms: Term) -> list[Need]:
    """What the arguments of operations in the terms must be, each once; not what is plain arithmetic of numbers."""
    found = dict.fromkeys(wanted for term in terms for _, wanted in requirements(term))
    return [need for need in found if not is_plain(need)]


def is_plain(need: Need) -> bool:
    """Whether the argument is a rational number that is as it must be."""
    value, wanted = need
    if not isinstance(value, Fraction):
        return False
    return value > 0 or (value >= 0 if wanted == "nonnegative" else value < 0 and wanted == "nonzero")


def need_text(need: Need, names: Mapping[str, str]) -> str:
    """The need as a proposition."""
    return NEEDED[need[1]].format(show(need[0], names))


def conclusion(relation: Relation, names: Mapping[str, str]) -> str:
    """The relation, and that its sides are defined."""
    parts = [need_text(need, names) for need in needs(relation.left, relation.right)]
    return AND.join([*parts, relation_text(relation, names)])
