"""Terms, claims and proofs as data of the verified kernel: the constructors of ``proofs/coq/kernel``.

A piece of data is what Coq's text says: an application is a tuple (constructor, arguments ...), a list a list, a pair a
``Pair``, a natural or whole number an int (its type is the constructor's), a rational a Fraction.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from typing import Any, NamedTuple, TypeAlias

from gaptron.kernel import Claim, Rejected, Relation
from gaptron.kernel import rules as kernel_rules
from gaptron.kernel.evidence import precision
from gaptron.kernel.sharing import Shared, at
from gaptron.language.rejection import require
from gaptron.language.terms import NAME, Json, Term, is_pair, read_name, read_rational

Data: TypeAlias = Any
Places: TypeAlias = Mapping[str, int]  # of variables
SIGNS = {"<=": "Le", "<": "Lt", ">=": "Ge", ">": "Gt", "=": "Eq", "!=": "Ne"}
FUNCTIONS = {"exp": "Exp", "log": "Ln"}
HEADS = {"+", "*", "^", "root", *FUNCTIONS, *SIGNS, "divide", "times", "bound"}
WORDS = ("rule", "direction", "sign", "variable", "mean", "new")  # fields of proofs that are no terms
MISFITS = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError)


class UnwrittenError(Exception):
    """The verified kernel has no words for a part of a claim or of its proof: which."""


class Pair(NamedTuple):
    """A pair, and the scope of its second part's numbers if that is a number."""

    first: Data
    second: Data
    scope: str = ""


def printed(data: Data) -> str:
    """The text that Coq reads."""
    if isinstance(data, Pair):
        return f"({printed(data.first)}, {printed(data.second)}{data.scope and '%' + data.scope})"
    if isinstance(data, list):
        return f"[{'; '.join(map(printed, data))}]"
    if isinstance(data, tuple):
        return f"({' '.join(map(printed, data))})"
    if isinstance(data, Fraction):
        return f"({data.numerator} # {data.denominator})"
    if isinstance(data, bool):
        return str(data).lower()
    return f"({data})" if isinstance(data, int) and data < 0 else str(data)


def expression(term: Term, places: Places) -> Data:
    """A term, its variables by their places."""
    if isinstance(term, Fraction):
        return ("Int", term.numerator) if term.denominator == 1 else ("Rat", term.numerator, term.denominator)
    if isinstance(term, str):
        if term not in places:
            raise UnwrittenError("a variable that neither the claim nor its proof has")
        return ("Var", places[term])
    operation, *arguments = term
    if operation in "+*":
        parts = [expression(part, places) for part in arguments]
        return reduce(lambda left, right: ("Add" if operation == "+" else "Mul", left, right), parts)
    inside = expression(arguments[0], places)
    if operation in FUNCTIONS:
        return (FUNCTIONS[operation], inside)
    if operation == "root":
        return ("Sqrt", inside) if arguments[1] == 2 else ("Root", inside, arguments[1] - 1)
    raised = inside if arguments[1] == -1 else ("Pow", inside, abs(arguments[1]))
    return raised if arguments[1] >= 0 else ("Inv", raised)


def rational(number: Fraction) -> Data:
    """A number."""
    return ("Rat", number.numerator, number.denominator)


def relation_data(relation: Relation, places: Places) -> Data:
    """A relation: its sign and its two sides."""
    left, right = expression(relation.left, places), expression(relation.right, places)
    return Pair(Pair(SIGNS[relation.sign], left), right)


def places_of(claim: Claim, proof: Json = None) -> dict[str, int]:
    """The place of each variable: those of the claim are sorted, and those that only its proof has come after them."""
    names = [*sorted(claim.names), *sorted(_names_in(proof) - claim.names)]
    return {name: place for place, name in enumerate(names)}


def _names_in(part: Json) -> set[str]:
    """Whatever may be a variable in the terms of a proof."""
    if isinstance(part, str):
        return {part} if NAME.fullmatch(part) else set()
    if isinstance(part, dict):
        return set().union(*(_names_in(value) for field, value in part.items() if field not in WORDS))
    if not isinstance(part, list):
        return set()
    is_term = bool(part) and isinstance(part[0], str) and part[0] in HEADS
    return set().union(*map(_names_in, part[is_term:]))


def claim_data(claim: Claim, proof: Json = None) -> Data:
    """A claim: how many variables it and its proof have, what is an integer, what is given, and what follows."""
    places = places_of(claim, proof)
    integers = [expression(term, places) for term in claim.integers]
    given = [relation_data(relation, places) for relation in claim.given]
    return ("Claim", len(places), integers, given, relation_data(claim.then, places))


def certificate_data(claim: Claim, proof: Json, places: Places | None = None) -> Data:
    """The proof of a claim; with the places of variables if they are not those of ``places_of``.

    Raises
    ------
    UnwrittenError
        If the verified kernel has no words for a part of it.
    Rejected
        If it has not the shape of a proof: a field or a number that is not there.
    """
    try:
        require(set(proof) == {"terms", "tables", "proof"}, "a proof has the fields terms, tables, proof")
        shared = Shared(proof["terms"])
        return ProofWriter(shared, proof["tables"], places or places_of(claim, proof)).rule(proof["proof"])
    except MISFITS as error:
        raise Rejected(f"not the shape of a proof: {error!r}") from error


class ProofWriter(NamedTuple):
    """What a proof shares, and the places of the variables."""

    shared: Shared
    tables: Json
    places: Places

    def rule(self, proof: Json) -> Data:
        """The proof of one claim."""
        name = proof["rule"]
        if name not in kernel_rules.RULES:
            raise UnwrittenError(f"the rule {name}")
        fields = kernel_rules.RULES[name][1]
        require(set(proof) == {"rule", *fields}, f"the rule {name} has the fields {', '.join(fields)}")
        written: Data = getattr(self, name)(*(proof[field] for field in fields))  # its method has the rule's name
        return written

    def term(self, data: Json) -> Data:
        """A term."""
        return expression(self.shared.term(data), self.places)

    def relation(self, data: Json) -> Data:
        """A relation."""
        return relation_data(self.shared.relation(data), self.places)

    def local(self, table: Json, steps: Json) -> Data:
        """Atoms, hints, and the steps from hypotheses."""
        atoms, hints = at(self.tables, table)
        return ("Local", Pair(list(map(self.term, atoms)), list(map(self.hint, hints))), list(map(self.step, steps)))

    def hint(self, data: Json) -> Data:
        """What an exponential, a logarithm or a root is in terms of others."""
        kind, argument, *rest = data
        if kind == "root":
            degree, other = rest
            roots = () if degree == 2 else (natural(degree) - 1,)
            return ("HSqrt" if degree == 2 else "HRoot", self.term(argument), self.term(other), *roots)
        if kind == "exp":
            return ("HExp", self.term(argument), self._parts(rest[0], "Z"))
        count, *sides = rest
        require(kind == "log", f"{kind!r} is no hint")
        above, below = (self._parts(side, "positive") for side in sides)
        return ("HLn", self.term(argument), positive(count), above, below)

    def _parts(self, data: Json, scope: str) -> list[Data]:
        return [Pair(self.term(term), positive(n) if scope == "positive" else whole(n), scope) for term, n in data]

    def step(self, data: Json) -> Data:
        """One step."""
        if type(data) is int:
            return ("SGiven", natural(data))
        kind, *rest = data
        if kind in ("exp", "root"):
            return ("SExp" if kind == "exp" else "SRoot", positive(*rest))
        if kind == "divide":
            return ("SDiv", natural(rest[0]), self.term(rest[1]), natural(rest[2]))
        if kind == "times":
            return ("SPz", self._multiple(rest))
        require(kind == "bound", f"{kind!r} is no step")
        term, bits, low, high = rest
        return ("SBound", self.term(term), precision(bits), read_rational(low), read_rational(high))

    def _multiple(self, data: Json) -> Data:
        index, factor = data
        return ("ZMulC", self.term(factor), ("ZIn", natural(index)))

    def _summand(self, data: Json) -> Data:
        coefficient, facts, *square = data
        factors = [("ZIn", natural(index)) for index in facts] + [("ZSq", self.term(root)) for root in square]
        start: Data = ("ZC", read_rational(coefficient))
        return reduce(lambda left, right: ("ZMul", left, right), factors, start)

    def bound(self, data: Json) -> Data:
        """A bound of a variable, and a rational that is not inside of it: 0 where none is asked for."""
        index, factor, term, *end = data
        return ("Bound", natural(index), read_rational(factor), self.term(term), *map(read_rational, end or ["0"]))

    # -- rules

    def lemma(self, relation: Json, proof: Json, then: Json) -> Data:
        return ("CLemma", self.relation(relation), self.rule(proof), self.rule(then))

    def both(self, upper: Json, lower: Json) -> Data:
        return ("CBoth", self.rule(upper), self.rule(lower))

    def apart(self, sign: Json, proof: Json) -> Data:
        return ("CApart", SIGNS[sign], self.rule(proof))

    def weaken(self, keep: Json, proof: Json) -> Data:
        return ("CWeaken", list(map(natural, keep)), self.rule(proof))

    def contradiction(self, table: Json, steps: Json) -> Data:
        return ("CAbsurd", self.local(table, steps))

    def cases(self, table: Json, steps: Json, split: Json, below: Json, above: Json) -> Data:
        return ("CCases", self.local(table, steps), self.term(split), self.rule(below), self.rule(above))

    def integer(self, which: Json, at_most: Json, below: Json, above: Json) -> Data:
        return ("CInteger", natural(which), whole(at_most), self.rule(below), self.rule(above))

    def combination(self, table: Json, steps: Json, against: Json, summands: Json, equations: Json) -> Data:
        parts = [*map(self._summand, summands), *map(self._multiple, equations)]
        total = ("SPz", reduce(lambda left, right: ("ZAdd", left, right), parts))
        return ("CCombination", self.local(table, steps), [*map(self.step, against), total])

    def interval(self, table: Json, steps: Json, bits: Json, box: Json, mean: Json) -> Data:
        require(
            all(read_name(name) and is_pair(ends) for name, ends in box.items()), "a box gives variables their bounds"
        )
        sides = [box.get(name, [None, None]) for name in self.places]
        ends = [Pair(self._some(self.bound, low), self._some(self.bound, high)) for low, high in sides]
        return ("CInterval", self.local(table, steps), precision(bits), ends, self._some(self.places.__getitem__, mean))

    def _some(self, write: Callable[[Json], Data], data: Json) -> Data:
        """An option."""
        return "None" if data is None else ("Some", write(data))

    def fixed(self, table: Json, steps: Json, variable: Json, value: Json, bounds: Json, proof: Json) -> Data:
        low, high = (self.bound([*bound, value, value]) for bound in bounds)
        place, rest = self.places[variable], self.rule(proof)
        return ("CFixed", self.local(table, steps), place, self.term(value), low, high, rest)

    def move(
        self,
        table: Json,
        steps: Json,
        variable: Json,
        direction: Json,
        near: Json,
        far: Json,
        facts: Json,
        derived: Json,
        slope: Json,
        ends: Json,
    ) -> Data:
        sides = [list(map(self.bound, side)) for side in (near, far)]
        nearest, behind = (list(dict.fromkeys(self.shared.term(term) for _, _, term in side)) for side in (near, far))
        written = [[expression(term, self.places) for term in side] for side in (nearest, behind)]
        proved = [Pair(self.relation(relation), self.rule(proof)) for relation, proof in facts]
        there = [Pair(term, self.rule(proof)) for term, proof in zip(written[0], ends, strict=True)]
        head = ("CMove", self.local(table, steps), self.places[variable], direction == "up", *sides, written[1])
        return (*head, proved, self.term(derived), self.rule(slope), there)

    def generalize(self, table: Json, steps: Json, term: Json, new: Json, proof: Json) -> Data:
        others = {name if name != new else f"{name} at {place}": place for name, place in self.places.items()}
        inside = self._replace(places={**others, new: len(self.places)})
        return ("CGeneralize", self.local(table, steps), self.term(term), inside.rule(proof))


def whole(number: Json) -> int:
    """An integer."""
    require(type(number) is int, f"{number!r} is not a number")
    return int(number)


def natural(number: Json) -> int:
    """A number that is not negative."""
    require(whole(number) >= 0, f"{number!r} is negative")
    return int(number)


def positive(number: Json) -> int:
    """A number that is positive."""
    require(whole(number) > 0, f"{number!r} is not positive")
    return int(number)
