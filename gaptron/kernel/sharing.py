"""What the parts of a proof share: terms and tables, which are named by their numbers."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from gaptron.kernel.tables import Parts, Table
from gaptron.language.rejection import require
from gaptron.language.relations import Claim, Relation
from gaptron.language.terms import Json, Term, is_pair, read_term

T = TypeVar("T")
Premises = Iterable[tuple[Claim, Json]]  # each with what should prove it


class Shared:
    """Terms, each of which may name those before it, and tables of their atoms and hints."""

    def __init__(self, terms: Json = (), tables: Json = ()) -> None:
        require(isinstance(terms, list | tuple) and isinstance(tables, list | tuple), "terms and tables are lists")
        self.terms: list[Term] = []
        self.tables: list[Table] = []
        for term in terms:
            self.terms.append(self.term(term))
        for table in tables:
            self.tables.append(self._table(table))

    def term(self, data: Json) -> Term:
        """A term; an integer in the place of one is the number of a shared one."""
        return read_term(data, self.terms)

    def relation(self, data: Json) -> Relation:
        """A relation."""
        return Relation.read(data, self.terms)

    def _table(self, data: Json) -> Table:
        """[atoms, hints]."""
        good = is_pair(data) and isinstance(data[0], list) and isinstance(data[1], list)
        require(good, "{!r} is not a table", data)
        table = Table(map(self.term, data[0]))
        for hint in data[1]:
            self.hint(table, hint)
        return table

    def hint(self, table: Table, data: Json) -> None:
        """["exp", a, parts], ["log", a, count, parts above, parts below] or ["root", a, degree, b] for a table."""
        lengths = {"exp": 3, "log": 5, "root": 4}
        good = isinstance(data, list) and bool(data) and isinstance(data[0], str) and lengths.get(data[0]) == len(data)
        require(good, "{!r} is not a hint", data)
        argument = self.term(data[1])
        if data[0] == "exp":
            table.exponential(argument, self._parts(data[2]))
        elif data[0] == "log":
            table.logarithm(argument, _count(data[2]), self._parts(data[3]), self._parts(data[4]))
        else:
            table.root(argument, _count(data[2]), self.term(data[3]))

    def _parts(self, data: Json) -> Parts:
        require(isinstance(data, list) and all(map(is_pair, data)), "{!r} are no terms with counts", data)
        return [(self.term(term), _count(count)) for term, count in data]


def _count(data: Json) -> int:
    require(type(data) is int, f"{data!r} is not a count")
    return int(data)


def at(things: Sequence[T], index: Json) -> T:
    """The one with a number that is there."""
    require(type(index) is int and 0 <= index < len(things), f"there is no number {index!r}")
    return things[int(index)]
