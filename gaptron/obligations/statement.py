"""Claims in the kernel's language: what a certificate states, derived again from the theorem at every replay."""

from fractions import Fraction

from gaptron import kernel
from gaptron.language.code import PYTHON, code
from gaptron.language.expressions import Expression, variables
from gaptron.language.normal import NORMAL
from gaptron.language.relations import Relation
from gaptron.language.terms import NAME, Term, text
from gaptron.language.variables import Variable
from gaptron.obligations.sequents import Sequent

ENCODED = "symbol_"


def statement(claim: Sequent) -> kernel.Claim:
    """The claim with everything that is known of its variables as a hypothesis, in one order.

    Raises
    ------
    NotImplementedError
        If it uses a constant or function that the kernel does not know (pi), or two variables of one name.
    """
    known = sorted(claim.known, key=lambda variable: (not variable.is_parameter, variable.name))
    names = kernel_names(known)
    given = [_relation(each, names) for each in (*claim.given, *(r for variable in known for r in variable.known()))]
    integers = tuple(_integer(variable, names) for variable in known if variable.is_whole)
    return kernel.Claim(tuple(dict.fromkeys(given)), _relation(claim.then, names), integers)


def kernel_names(variables: list[Variable] | tuple[Variable, ...]) -> dict[str, str]:
    """A name for every variable, no two alike: its own, or that of its bytes if the kernel cannot read it."""
    names = {variable.name: kernel_name(variable.name) for variable in variables}
    if len(set(names.values())) < len(variables):
        shown = ", ".join(sorted(variable.name for variable in variables))
        raise NotImplementedError(f"two different symbols have one name, among {shown}: rename one of them")
    return names


def kernel_name(name: str) -> str:
    """A name that the kernel reads."""
    is_plain = NAME.fullmatch(name) is not None and not name.startswith(ENCODED)
    return name if is_plain else ENCODED + name.encode().hex()


def _integer(variable: Variable, names: dict[str, str]) -> Term:
    """What is an integer: the variable, or the number of rounds of which it is the root."""
    name = names[variable.name]
    return name if variable.whole_power == 1 else ("^", name, variable.whole_power)


def _relation(given: Relation, names: dict[str, str]) -> Relation:
    return Relation(given.sign, term(given.left, names), term(given.right, names))


def term(expression: Expression, names: dict[str, str]) -> Term:
    """An expression as a term of the kernel, its parts in one order."""
    if isinstance(expression, Fraction):
        return expression
    if isinstance(expression, str):
        return names[expression]
    head, *below = expression
    if head in ("+", "*"):
        return (head, *sorted((term(part, names) for part in below), key=text))
    if head in ("exp", "log"):
        return (head, term(below[0], names))
    if head in ("^", "root"):
        return (head, term(below[0], names), below[1])
    if head == "power" and isinstance(below[0], Fraction) and below[0] > 0:
        return ("exp", term(NORMAL.product([below[1], ("log", below[0])], []), names))
    shown = code(expression, PYTHON, {name: name for name in variables(expression)})
    raise NotImplementedError(f"{shown[1:-1] if head == 'power' else shown} is not in the language of certificates")
