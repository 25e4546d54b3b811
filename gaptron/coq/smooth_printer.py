"""Smooth expressions of one theorem, as data, over Coq's reals: one name for every variable."""

from collections.abc import Iterable, Mapping

from gaptron.coq.real_terms import AND, need_text, needs, relation_text, show, variable
from gaptron.coq.script import OutOfScopeError
from gaptron.language.expressions import Expression
from gaptron.language.relations import Relation
from gaptron.language.terms import Term, substitute
from gaptron.language.variables import Variable
from gaptron.obligations.statement import kernel_names, term


class SmoothPrinter:
    """Prints expressions in these variables."""

    def __init__(self, known: Iterable[Variable]) -> None:
        self.kernel_names = kernel_names([*known])
        self.names = {name: variable(name) for name in self.kernel_names.values()}

    def name(self, of: str) -> str:
        """The Coq name of a variable."""
        return self.names[self.kernel_names[of]]

    def term(self, expression: Expression, values: Mapping[str, Term] | None = None) -> Term:
        """In the kernel's language, with these values put in as it is written; OutOfScopeError if it has none."""
        try:
            found = term(expression, self.kernel_names)
        except NotImplementedError as error:
            raise OutOfScopeError(str(error)) from error
        for name, value in (values or {}).items():
            found = substitute(found, self.kernel_names[name], value)
        return found

    def smooth(self, expression: Expression) -> str:
        """As the kernel's claims write it."""
        return show(self.term(expression), self.names)

    def relation(self, given: Relation) -> str:
        """As the kernel's claims write it."""
        return relation_text(Relation(given.sign, self.term(given.left), self.term(given.right)), self.names)

    def defined(self, expression: Expression) -> str:
        """That every part has a value: a proposition."""
        parts = [need_text(need, self.names) for need in needs(self.term(expression))]
        return f"({AND.join(parts)})" if parts else "True"
