"""A second reader of an exported theorem: its statement and definitions, evaluated, are those of the theorem file.

Coq checks that the theorem follows; that it is the theorem of the file was so far the printer's word. Here the text is
read again, without the printer, and compared with the file at exact points: rationals exactly, exponentials and
logarithms by enclosures. What is said to be defined is compared as well, also where no theorem is claimed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import sympy as sp
from mpmath.libmp import to_rational
from sympy.core.relational import Relational

from gaptron.coq.values import MEANT, UndefinedError, Values
from gaptron.coq.vernacular import Tree, UnreadableError, definitions, introduced, tree
from gaptron.numbers.evaluate import UncertainError, enclosure, evaluate
from gaptron.numbers.kinds import Number
from gaptron.symbols import D, K, T, X, gamma, m, p, z
from gaptron.theory.losses import BinaryLoss, MarginLoss, SoftmaxLoss
from gaptron.theory.theorem import Theorem

GRID = [Fraction(n, 4) for n in range(-10, 11)]
BESIDE = Fraction(1, 1000)
CLASSES = (0, 1, 2, 3, 4, 7, 1000)
RADII = tuple(map(Fraction, ("3/2", "1/1000", "1000", "0", "-1")))
HALF = Fraction(1, 2)
GAMES = tuple(
    tuple(map(Fraction, game.split()))
    for game in (
        "3/2 1 1",
        "1 1/1000 100",
        "2 1/3 7",
        "1000 3 5",
        "1/1000 3/2 1",
        "1 1 0",
        "0 1 1",
        "1 0 4",
        "-1 1 9",
        "1 -1 4",
    )
)  # X, D, T
UNUSED = "_"  # how Coq prints a bound name that nothing speaks of, as a refuted regret of d
NARROW = Fraction(1, 10**20)
Point = Mapping[sp.Symbol, Fraction]


class DifferentError(Exception):
    """The Coq text says something else than the theorem file: what, and where."""


@dataclass(frozen=True)
class Role:
    """A function of the theorem file that the loss of the statement has as an argument."""

    name: str
    expr: sp.Expr
    variable: sp.Symbol
    low: sp.Expr | None = None  # its domain: low <= variable, or all reals
    is_probability: bool = False

    def is_claimed(self, at: Fraction, point: Point) -> bool:
        """Whether the theorem speaks of this value of the variable."""
        if self.is_probability and not 0 < at < 1:
            return False
        return self.low is None or bool(at >= evaluate(self.low, point))


def compare(theorem: Theorem, texts: Sequence[str], statement: str, is_refuted: bool = False) -> int:
    """How many values agree.

    Parameters
    ----------
    theorem : Theorem
    texts : the files of the development
    statement : str
        The whole theorem, as Coq prints it or as it is written.
    is_refuted : bool
        Whether the statement is to be the theorem's refutation.

    Raises
    ------
    DifferentError
        At the first difference, or if the text is not of the kind that is exported.
    """
    try:
        expect_old_names(texts)
        kind = _BanditComparison if theorem.feedback == "bandit" else _Comparison
        kind = kind if theorem.decoder == "gap map" else _DecoderComparison
        kind = kind if theorem.update == "gradient" else _ProximalComparison
        kind = kind if theorem.abstention_cost is None else _AbstentionComparison
        read = tree(statement)
        if is_refuted:
            kind = _RefutedBanditComparison if names_in(read) & OF_GAMES else _RefutedComparison
            kind = _NoValueComparison if denies(read) else kind
        return kind(theorem, Values(definitions([*texts])), read).run()
    except UnreadableError as error:
        raise DifferentError(f"the Coq text cannot be read: {error}") from error


def expect_old_names(texts: Sequence[str]) -> None:
    """No name that the statement takes from Coq or the library has another meaning."""
    taken = introduced([*texts]) & (MEANT | CONDITIONS.keys())
    expect(not taken, f"{', '.join(sorted(taken))} is defined anew")


class _Comparison:
    """One statement, in its parts."""

    binder, otherwise = "forall", "it is not about all classes"
    guarantee_name, conditions_name = "guarantee", "{}_conditions"
    game = 1  # how many names are bound after the parameters

    def __init__(self, theorem: Theorem, values: Values, statement: Tree) -> None:
        self.theorem, self.values = theorem, values
        self.agreed = 0
        self.binary = isinstance(theorem.loss, BinaryLoss)
        expect(statement[0] == self.binder, self.otherwise)
        _, names, body = statement
        leading = self._leading()
        bound = ["d" if name == UNUSED else name for name in names[: len(leading)]]
        expect(bound == leading, f"it binds {names}")
        expect(len(names) == len(leading) + len(theorem.parameters) + self.game, f"it binds {names}")
        self.parameters, self.bound = names[len(leading) : -self.game], names[-self.game :]
        self.radius = self.bound[0]
        self.premises, body = self._opened(body)
        expect(body[0] == "/\\", "it says one thing only")
        self.defined = conjuncts(body[1])
        self.guarantee, *self.rest = conjuncts(body[2])
        self.functions, self.eta, self.regret = self._parts()

    def _leading(self) -> list[str]:
        """What is bound first."""
        return ["d"] if self.binary else ["K", "d"]

    @staticmethod
    def _opened(body: Tree) -> tuple[list[Tree], Tree]:
        """The premises, and what follows from them."""
        premises = []
        while body[0] == "->":
            premises.append(body[1])
            body = body[2]
        return premises, body

    def _parts(self) -> tuple[list[tuple[Role, Tree]], Tree, Tree]:
        """The loss's functions with their roles, the learning rate and the regret; all else must be as it should be."""
        classes = ("number", 2) if self.binary else ("name", "K")
        found = self.guarantee
        expect(found[:4] == ("apply", ("name", self.guarantee_name), classes, ("name", "d")), "it is no guarantee")
        expect(len(found) > 4, "it is no guarantee")
        return self._functions(found[4]), *self._rates(found)

    def _functions(self, surrogate: Tree) -> list[tuple[Role, Tree]]:
        """The functions of a surrogate loss, with their roles."""
        kind, count = KINDS[type(self.theorem.loss)]
        dimensions = [("name", "d")] if self.binary else [("name", "K"), ("name", "d")]
        head = ("apply", ("name", kind), *dimensions)
        expect(surrogate[: len(head)] == head, f"its loss is no {kind}")
        functions = surrogate[len(head) :]
        expect(len(functions) == count, f"its {kind} has {len(functions)} arguments")
        self.surrogate = surrogate
        roles = list(_roles(self.theorem))
        return list(zip(roles, functions[: len(roles)], strict=True))

    def _rates(self, found: Tree) -> tuple[Tree, Tree]:
        """The learning rate and the regret of the guarantee."""
        expect(len(found) == 8 and found[5] == ("name", self.radius), "it is no guarantee")
        return found[6], found[7]

    def run(self) -> int:
        """All comparisons."""
        self._covered()
        for point in self._points():
            env = self._env(point)
            claimed = self._is_claimed(point)
            self._premises(point, env, claimed)
            if claimed:
                self._constants(point, env)
                self._definedness(point, env)
            for constant, expr in self._named_constants():
                self._is_defined(constant[1][1], constant, expr, point, env)
            for role, function in self.functions:
                self._function(role, function, point, env)
        self._sharp()
        return self.agreed

    def _premises(self, point: Point, env: Mapping[str, Number], claimed: bool) -> None:
        """They are those of the file, no more and no less."""
        for radius in RADII:
            holds = all(self.values.of(premise, {**env, self.radius: radius}) for premise in self.premises)
            expect(holds == (claimed and radius > 0), f"its premises at {shown(point)}, X = {radius}: {holds}")

    def _named_constants(self) -> Iterator[tuple[Tree, sp.Expr]]:
        """The functions of K alone that the guarantee has, as they are called, with what they are in the file."""
        yield self._call_in(self.eta), self.theorem.eta()
        if self.theorem.regret is not None:
            yield self._call_in(self.regret), self.theorem.regret
        yield from self._thresholds()

    def _thresholds(self) -> Iterator[tuple[Tree, sp.Expr]]:
        """Above which rounds are off, if there is one."""
        if isinstance(self.theorem.loss, MarginLoss) and self.theorem.loss.off_above is not None:
            yield self._call_in(self.surrogate[-1]), self.theorem.loss.off_above

    def _call_in(self, term: Tree) -> Tree:
        """The call of a definition of the development in a term."""
        if term[0] == "apply" and term[1][1] in self.values.known:
            return term
        calls = (
            self._call_in(part)
            for part in term[1:]
            if isinstance(part, tuple) and names_in(part) & self.values.known.keys()
        )
        found = next(calls, None)
        expect(found is not None, "a constant is no function of its own")
        return found or term

    def _points(self) -> Iterator[Point]:
        parameters = self.theorem.parameters
        shares = [Fraction(place, len(parameters) + 1) for place, _ in enumerate(parameters, 1)]
        values = [sorted(_around(one.low, one.high, share)) for one, share in zip(parameters, shares, strict=True)]
        for count in CLASSES if not self.binary else (2,):
            for choice in zip(*values, strict=False) if parameters else [()]:
                yield {K: Fraction(count), **dict(zip(parameters, choice, strict=True))}

    def _env(self, point: Point) -> dict[str, Number]:
        named = {name: point[symbol] for name, symbol in zip(self.parameters, self.theorem.parameters, strict=True)}
        return {"K": point[K], "d": Fraction(1), self.radius: RADII[0], **named}

    def _is_claimed(self, point: Point) -> bool:
        in_range = all(
            (parameter.low is None or point[parameter] >= Fraction(str(parameter.low)))
            and (parameter.high is None or point[parameter] <= Fraction(str(parameter.high)))
            for parameter in self.theorem.parameters
        )
        return in_range and self.theorem.claims(int(point[K]))

    def _constants(self, point: Point, env: Mapping[str, Number]) -> None:
        theorem, size = self.theorem, sp.Rational(RADII[0]) ** 2
        eta: Any = theorem.eta()
        regret = theorem.regret if theorem.regret is not None else 1 / (2 * eta)
        self._same("the learning rate", self.eta, env, eta / size, point)
        self._same("the regret", self.regret, env, regret * size, point)
        if isinstance(theorem.loss, MarginLoss):
            self._off_above(theorem.loss.off_above, point, env)

    def _off_above(self, beta: sp.Expr | None, point: Point, env: Mapping[str, Number]) -> None:
        """The last argument of a margin loss."""
        threshold = self.surrogate[-1]
        if beta is None:
            expect(threshold == ("name", "None"), "rounds are off")
        else:
            expect(threshold[:2] == ("apply", ("name", "Some")), "no round is off")
            self._same("the threshold", threshold[2], env, beta, point)

    def _function(self, role: Role, function: Tree, point: Point, env: Mapping[str, Number]) -> None:
        """The same values, and the same points at which there is none."""
        before = self.agreed
        for at in _variable_points(role, point):
            place, there = {**point, role.variable: at}, {**env, "at": at}
            call = (*function, ("name", "at"))
            if self._is_defined(role.name, call, role.expr, place, there):
                self._same(role.name, call, there, role.expr, place)
        expect(self.agreed > before or not self._is_claimed(point), f"{role.name} was compared nowhere")

    def _is_defined(self, name: str, call: Tree, expr: sp.Expr, point: Point, env: Mapping[str, Number]) -> bool:
        """Whether the file has a value there, as the Coq text must say."""
        try:
            has_value = _has_value(expr, point)
            said = self.values.of(("apply", ("name", f"{call[1][1]}_defined"), *call[2:]), env)
        except UncertainError:
            return False
        if said != has_value:
            raise DifferentError(f"{name} is {'' if said else 'not '}defined at {shown(point)} in the Coq text")
        return has_value

    def _same(self, name: str, term: Tree, env: Mapping[str, Number], expr: sp.Expr, point: Point) -> None:
        try:
            read = _enclosed(self.values.of(term, env))
            meant = enclosure(evaluate(expr, point))
        except UncertainError:
            return
        except UndefinedError as error:
            raise DifferentError(f"{name} at {shown(point)} has no value in the Coq text: {error}") from error
        if read[0] > meant[1] or read[1] < meant[0]:
            raise DifferentError(
                f"{name} at {shown(point)} is {float(read[0]):.6g} in the Coq text, {float(meant[0]):.6g} in the file"
            )
        self.agreed += all(high - low <= NARROW * (1 + abs(low)) for low, high in (read, meant))

    # --- definedness ----------------------------------------------------------------------------------------------

    def _covered(self) -> None:
        """Whatever the guarantee is made of is said to be defined."""
        used = names_in(self.guarantee) & self.values.known.keys()
        said = {name for part in self.defined for name in names_in(part)}
        missing = sorted(name for name in used if f"{name}_defined" not in said)
        expect(not missing, f"it does not say that {', '.join(missing)} is defined")
        wanted = {f"{function[1][1]}_defined": role for role, function in self.functions}
        self.domains: list[tuple[Role, Tree]] = []
        for part in self.defined:
            last = part
            while last[0] in ("forall", "->"):
                last = last[2]
            role = wanted.pop(last[1][1], None) if last[0] == "apply" else None
            if role is not None:
                expect(part[0] == "forall" and len(part[1]) == 1, f"{role.name} is said to be defined at one point")
                self.domains.append((role, part))
        expect(not wanted, f"it does not say {', '.join(wanted)}")

    def _definedness(self, point: Point, env: Mapping[str, Number]) -> None:
        """Everywhere in the domain, whose premises are no more than that."""
        for role, (_, (variable,), body) in self.domains:
            for at in _variable_points(role, point):
                term, there = body, {**env, variable: at}
                while term[0] == "->":
                    if role.is_claimed(at, point):
                        expect(self.values.of(term[1], there), f"{role.name} is not said to be defined at {at}")
                    term = term[2]
                if role.is_claimed(at, point):
                    expect(self.values.of(term, there), f"{role.name} is not defined at {at}")

    def _sharp(self) -> None:
        """With ``sharp_at`` there is one more part: no larger learning rate."""
        if self.theorem.sharp_at is None:
            expect(not self.rest, "it says more than the guarantee")
            return
        expect(
            len(self.rest) == 1 and self.rest[0][0] == "forall", "it does not say that no larger learning rate will do"
        )
        _, (larger, other), body = self.rest[0]
        expect(self.eta[0] == "/" and self.eta[2] == ("^", ("name", self.radius), ("number", 2)), "its learning rate")
        expect(body[:2] == ("->", ("<", self.eta[1], ("name", larger))), "it is not about larger learning rates")
        kind, count = KINDS[type(self.theorem.loss)]
        conditions = body[2][1]
        expect(body[2][0] == "not" and conditions[0] == "apply", "it does not deny the conditions")
        name = self.conditions_name.format(kind.removesuffix("_loss"))
        expect(conditions[1][1].split(".")[-1] == name, "these are other conditions")
        expect(conditions[2 : -count - 2] == self._of_conditions(), "these are conditions of other predictions")
        expect(conditions[-count - 2 : -2] == self.surrogate[-count:], "these are conditions of another loss")
        expect(conditions[-2:] == (("name", larger), ("name", other)), "these are conditions of another rate")

    def _of_conditions(self) -> tuple[Tree, ...]:
        """What the conditions say of the prediction, before the functions."""
        return () if self.binary else (("apply", ("name", "INR"), ("name", "K")),)


class _AbstentionComparison(_Comparison):
    """The statement of a theorem about abstention: the guarantee has a cost."""

    guarantee_name, conditions_name = "abstention_guarantee", "abstaining_{}_conditions"

    def _rates(self, found: Tree) -> tuple[Tree, Tree]:
        expect(len(found) == 9 and found[6] == ("name", self.radius), "it is no guarantee")
        self.cost = found[5]
        return found[7], found[8]

    def _constants(self, point: Point, env: Mapping[str, Number]) -> None:
        super()._constants(point, env)
        self._same("the abstention cost", self.cost, env, sp.sympify(self.theorem.abstention_cost), point)

    def _named_constants(self) -> Iterator[tuple[Tree, sp.Expr]]:
        yield from super()._named_constants()
        yield self._call_in(self.cost), sp.sympify(self.theorem.abstention_cost)

    def _of_conditions(self) -> tuple[Tree, ...]:
        return (self.cost, *super()._of_conditions())


class _DecoderComparison(_Comparison):
    """The statement of a theorem with the best decoder: a loss of scores in the place of a surrogate loss."""

    def _parts(self) -> tuple[list[tuple[Role, Tree]], Tree, Tree]:
        classes, rows = (("number", 2), ("number", 1)) if self.binary else (("name", "K"), ("name", "K"))
        found = self.guarantee
        head = ("apply", ("name", "decoder_guarantee"), classes, rows, ("name", "d"))
        expect(found[: len(head)] == head and len(found) == len(head) + 4, "it is no guarantee of a decoder")
        loss, radius, eta, regret = found[len(head) :]
        expect(radius == ("name", self.radius), "it is no guarantee of a decoder")
        expect(
            loss[:3] == ("apply", ("name", "of_scores"), ("name", "d")) and len(loss) == 4, "it is no loss of scores"
        )
        return self._functions(loss[3]), eta, regret

    def _functions(self, surrogate: Tree) -> list[tuple[Role, Tree]]:
        name = OF_SCORES[type(self.theorem.loss)]
        head = ("apply", ("name", name), *(() if self.binary else (("name", "K"),)))
        roles = list(_roles(self.theorem))
        expect(surrogate[: len(head)] == head, f"its loss is no {name}")
        expect(len(surrogate) == len(head) + len(roles), f"its {name} has {len(surrogate) - 2} arguments")
        return list(zip(roles, surrogate[len(head) :], strict=True))

    def _off_above(self, beta: sp.Expr | None, point: Point, env: Mapping[str, Number]) -> None:
        """No round of a loss of scores is off."""
        expect(beta is None, "no round is off")


class _ProximalComparison(_DecoderComparison):
    """The statement that some algorithm attains a constant, for features of all dimensions."""

    def _leading(self) -> list[str]:
        return [] if self.binary else ["K"]

    def _parts(self) -> tuple[list[tuple[Role, Tree]], Tree, Tree]:
        count, rows = (("number", 2), ("number", 1)) if self.binary else (("name", "K"), ("name", "K"))
        found = self.guarantee
        expect(found[:2] == ("apply", ("name", "attainable")) and len(found) == 6, "it is not about all algorithms")
        problem, radius, coefficient, regret = found[2:]
        expect(radius == ("name", self.radius) and coefficient == ("number", 1), "it is not about this coefficient")
        head = ("apply", ("name", "classification"), count, rows)
        expect(problem[: len(head)] == head and len(problem) == len(head) + 1, "its target is another")
        return self._functions(problem[len(head)]), (), regret

    def _constants(self, point: Point, env: Mapping[str, Number]) -> None:
        self._same("the regret", self.regret, env, sp.sympify(self.theorem.regret), point)

    def _named_constants(self) -> Iterator[tuple[Tree, sp.Expr]]:
        yield self._call_in(self.regret), sp.sympify(self.theorem.regret)


class _BanditComparison(_Comparison):
    """The statement of a theorem with bandit feedback: its rates depend on X, D and T too."""

    guarantee_name, game = "bandit_guarantee", 3

    def _rates(self, found: Tree) -> tuple[Tree, Tree]:
        names = [("name", name) for name in self.bound]
        expect(len(found) == 11 and [found[5], found[6], found[9]] == names, "it is no guarantee")
        constant = found[10]
        expect(constant[:2] == ("apply", ("name", "constant")) and len(constant) == 3, "its regret depends on U")
        self.exploration = found[7]
        expect(found[8][0] == "apply" and found[8][-1] == self.exploration, "its learning rate is at no exploration")
        return found[8], constant[2]

    def _premises(self, point: Point, env: Mapping[str, Number], claimed: bool) -> None:
        for game in GAMES:
            there = {**env, **dict(zip(self.bound, game, strict=True))}
            holds = all(self.values.of(premise, there) for premise in self.premises)
            expected = claimed and game[0] > 0 and game[1] > 0 and game[2] >= 1
            at = {**point, **dict(zip((X, D, T), game, strict=True))}
            expect(holds == expected, f"its premises at {shown(at)}: {holds}")
            self._game(at, there, holds)

    def _rates_of_game(self) -> Iterator[tuple[str, Tree, sp.Expr]]:
        """Names, calls, and what they are in the file."""
        yield "the exploration rate", self.exploration, self.theorem.exploration
        yield "the learning rate", self.eta, self.theorem.learning_rate
        yield "the regret", self.regret, self.theorem.regret

    def _game(self, at: Point, env: Mapping[str, Number], claimed: bool) -> None:
        """The rates there, and whether they are defined."""
        explored = self.theorem.exploration
        for name, call, expr in self._rates_of_game():
            expect(call[0] == "apply", f"{name} is no function of its own")
            said = ("apply", ("name", f"{call[1][1]}_defined"), *call[2:])
            expect(said in self.defined, f"{name} is not said to be defined where it is taken")
            written = (*call[:-1], ("name", "gamma")) if call is self.eta else call
            defined = self._is_defined(name, written, expr, {**at, gamma: HALF}, {**env, "gamma": HALF})
            if defined and claimed:
                self._same(name, call, env, expr.subs(gamma, explored), at)

    def _constants(self, point: Point, env: Mapping[str, Number]) -> None:
        if isinstance(self.theorem.loss, MarginLoss):
            self._off_above(self.theorem.loss.off_above, point, env)

    def _named_constants(self) -> Iterator[tuple[Tree, sp.Expr]]:
        yield from self._thresholds()


class _RefutedComparison(_Comparison):
    """The statement that a theorem is refuted: what the guarantee is made of, in a condition that fails somewhere.

    A condition does not speak of all of it: what it does not speak of is no part of the comparison.
    """

    binder, otherwise = "exists", "it is no refutation"

    @staticmethod
    def _opened(body: Tree) -> tuple[list[Tree], Tree]:
        expect(body[0] == "/\\", "it says one thing only")
        return conjuncts(body[1]), body[2]

    def _parts(self) -> tuple[list[tuple[Role, Tree]], Tree, Tree]:
        found = self.guarantee
        expect(found[0] == "apply" and found[1][0] == "name", "it is no condition")
        expect(found[1][1] in CONDITIONS, "it is no condition")
        expect(not self.rest, "it says more than that a condition fails")
        wanted = CONDITIONS[found[1][1]]
        expect(len(found) == 2 + len(wanted), f"its {found[1][1]} has {len(found) - 2} arguments")
        self.given: dict[str, Tree] = dict(zip(wanted, found[2:], strict=True))
        classes = ("number", 2) if self.binary else ("name", "K")
        known = {"K": classes, "d": ("name", "d"), **self._of_game()}
        expect(all(self.given.get(name, term) == term for name, term in known.items()), "it is about another game")
        in_game, abstains = "gamma" in self.given, self.theorem.abstention_cost is not None
        expect(("c" in self.given) == (found[1][1].endswith("round") and abstains), "it is about another game")
        expect("eta" not in self.given or in_game == (self.theorem.feedback == "bandit"), "it is about another game")
        roles = self._functions(self.given["s"]) if "s" in self.given else []
        return roles, self.given.get("eta", ()), self.given.get("regret", ())

    def _of_game(self) -> dict[str, Tree]:
        """What the condition has of the game, by the names of its arguments."""
        return {"X": ("name", self.radius)}

    def _rates_there(self) -> Iterator[tuple[str, Tree, sp.Expr, int]]:
        """The rates of which the condition speaks: names, terms, what they are in the file, the power of X in them."""
        if "eta" in self.given:
            yield "the learning rate", self.eta, self.theorem.eta(), -2
        if "c" in self.given:
            yield "the abstention cost", self.given["c"], sp.sympify(self.theorem.abstention_cost), 0
        if "regret" in self.given:
            expect(self.theorem.regret is not None, "no regret is claimed")
            yield "the regret", self.regret, self.theorem.regret, 2

    def _constants(self, point: Point, env: Mapping[str, Number]) -> None:
        for name, term, expr, power in self._rates_there():
            self._same(name, term, env, expr * sp.Rational(RADII[0]) ** power, point)
        if "s" in self.given and isinstance(self.theorem.loss, MarginLoss):
            self._off_above(self.theorem.loss.off_above, point, env)

    def _named_constants(self) -> Iterator[tuple[Tree, sp.Expr]]:
        for _, term, expr, _ in self._rates_there():
            yield self._call_in(term), expr
        if "s" in self.given:
            yield from self._thresholds()

    def _sharp(self) -> None:
        """A refutation says nothing of other learning rates."""


class _RefutedBanditComparison(_RefutedComparison, _BanditComparison):
    """The refutation of a theorem with bandit feedback: rates of a game, in a condition that fails in one."""

    def _parts(self) -> tuple[list[tuple[Role, Tree]], Tree, Tree]:
        found = super()._parts()
        expect("gamma" in self.given and "eta" in self.given, "it is about another game")
        self.exploration, eta = self.given["gamma"], self.given["eta"]
        expect(eta[0] == "apply" and eta[-1] == self.exploration, "its learning rate is at no exploration")
        return found

    def _of_game(self) -> dict[str, Tree]:
        radius, ball, rounds = self.bound
        return {"X": ("name", radius), "D": ("name", ball), "T": ("apply", ("name", "INR"), ("name", rounds))}

    def _rates_of_game(self) -> Iterator[tuple[str, Tree, sp.Expr]]:
        expect("regret" not in self.given or self.theorem.regret is not None, "no regret is claimed")
        yield from (row for row in super()._rates_of_game() if row[0] != "the regret" or "regret" in self.given)

    def _constants(self, point: Point, env: Mapping[str, Number]) -> None:
        if "s" in self.given:
            _BanditComparison._constants(self, point, env)

    def _named_constants(self) -> Iterator[tuple[Tree, sp.Expr]]:
        if "s" in self.given:
            yield from self._thresholds()


class _NoValueComparison(_RefutedComparison):
    """The statement that a function of the file is not defined on all that is claimed."""

    @staticmethod
    def _opened(body: Tree) -> tuple[list[Tree], Tree]:
        """The premises, and what is denied: of nothing is it said that it is defined."""
        return conjuncts(body[1]), ("/\\", ("name", "True"), body[2])

    def _parts(self) -> tuple[list[tuple[Role, Tree]], Tree, Tree]:
        """There is no condition: one thing is denied."""
        return [], (), ()

    def run(self) -> int:
        """That it is denied of what the file says is defined, where it is."""
        expect(not self.rest, "it says more than that a value is missing")
        for point in self._points():
            self._premises(point, self._env(point), self._is_claimed(point))
        reasons = []
        for candidate in self._candidates():
            self.agreed = 0
            try:
                self._denied(*candidate)
            except DifferentError as error:
                reasons.append((self.agreed, error))
                continue
            expect(self.agreed > 0, "what is denied was compared nowhere")
            return self.agreed
        raise max(reasons, key=lambda reason: reason[0])[1]

    def _candidates(self) -> Iterator[tuple[str, sp.Expr, Role | None]]:
        """What the file says is defined."""
        for role in _roles(self.theorem):
            yield role.name, role.expr, role
        theorem = self.theorem
        beta = theorem.loss.off_above if isinstance(theorem.loss, MarginLoss) else None
        rates = (theorem.eta(), theorem.regret) if theorem.feedback == "full" else ()
        for expr in (*rates, beta, theorem.abstention_cost):
            if expr is not None:
                yield "a constant", sp.sympify(expr), None

    def _denied(self, name: str, expr: sp.Expr, role: Role | None) -> None:
        """The file has a value just where the Coq text says so, on no more than the domain, and not everywhere."""
        variable, conditions, said = self._opened_domain(role)
        lacking = False
        for point in self._points():
            for at in (Fraction(0),) if role is None else _variable_points(role, point):
                place = point if role is None else {**point, role.variable: at}
                there = {**self._env(point), variable: at}
                inside = self._is_claimed(point) and all(self.values.of(one, there) for one in conditions)
                in_domain = role is None or role.is_claimed(at, point)
                expect(in_domain or not inside, f"{name} is denied at {shown(place)}, of which nothing is claimed")
                lacking |= not self._agrees(name, said, expr, place, there) and inside
        expect(lacking, f"{name} has a value at every point that was compared")

    def _agrees(self, name: str, said: Tree, expr: sp.Expr, place: Point, there: Mapping[str, Number]) -> bool:
        """Whether the file has a value there, which the text must say."""
        try:
            has_value, defined = _has_value(expr, place), self.values.of(said, there)
        except UncertainError:
            return True
        expect(has_value == defined, f"{name} is {'' if defined else 'not '}defined at {shown(place)} in the Coq text")
        self.agreed += 1
        return has_value

    def _opened_domain(self, role: Role | None) -> tuple[str, list[Tree], Tree]:
        """The bound variable, the premises, and what is said of it."""
        body, variable = self.guarantee[1], ""
        if role is not None:
            expect(body[0] == "forall" and len(body[1]) == 1, f"{role.name} has a variable")
            (variable,), body = body[1:]
        conditions = []
        while body[0] == "->":
            conditions.append(body[1])
            body = body[2]
        expect(body[0] == "apply" and body[1][1].endswith("_defined"), "it denies something else")
        return variable, conditions, body


CONDITIONS = {
    "broken_round": ("K", "d", "s", "X", "eta"),
    "broken_abstention_round": ("K", "d", "s", "c", "X", "eta"),
    "broken_map": ("d", "s", "X"),
    "broken_loss": ("K", "s"),
    "broken_regret": ("eta", "regret"),
    "broken_bandit_round": ("K", "d", "s", "X", "D", "gamma", "eta"),
    "broken_bandit_regret": ("K", "D", "gamma", "eta", "T", "regret"),
}  # of proofs/coq/{,Abstention,Bandit}RefutationDefinitions.v, with their arguments
OF_GAMES = {name for name, arguments in CONDITIONS.items() if "gamma" in arguments}
OF_SCORES = {MarginLoss: "of_margin", SoftmaxLoss: "of_softmax", BinaryLoss: "of_sign"}
KINDS = {MarginLoss: ("margin_loss", 3), SoftmaxLoss: ("softmax_loss", 2), BinaryLoss: ("binary_loss", 3)}


def expect(holds: bool, otherwise: str) -> None:
    """DifferentError unless it holds."""
    if not holds:
        raise DifferentError(f"the Coq text differs from the file: {otherwise}")


def denies(statement: Tree) -> bool:
    """Whether it is that for some numbers something is not so."""
    return bool(statement[0] == "exists" and statement[2][0] == "/\\" and statement[2][2][0] == "not")


def conjuncts(term: Tree) -> list[Tree]:
    """The parts of a conjunction."""
    return [term[1], *conjuncts(term[2])] if term[0] == "/\\" else [term]


def names_in(term: Any) -> set[str]:
    """All names that occur."""
    if isinstance(term, tuple) and term and term[0] == "name":
        return {term[1]}
    return {name for part in term if isinstance(part, tuple) for name in names_in(part)}


def shown(point: Point) -> str:
    """For a message."""
    return ", ".join(f"{symbol} = {value}" for symbol, value in point.items())


def _roles(theorem: Theorem) -> Iterator[Role]:
    loss = theorem.loss
    if isinstance(loss, SoftmaxLoss):
        yield Role("psi", loss.psi, p, is_probability=True)
    elif isinstance(loss, BinaryLoss):
        yield Role("plus", loss.plus, z)
        yield Role("minus", loss.minus, z)
    else:
        yield Role("phi", loss.phi, m)
    if theorem.decoder == "gap map":
        is_softmax = isinstance(loss, SoftmaxLoss)
        variable, low = (p, 1 / K) if is_softmax else (m, sp.Integer(0))
        yield Role("the gap map", theorem.gap_map.expression, variable, low, is_probability=is_softmax)


def _variable_points(role: Role, point: Point) -> list[Fraction]:
    """A grid, and the points where branches meet, with their neighbours."""
    meeting = {at for difference in _differences(role.expr) for at in _zeros(difference, role.variable, point)}
    beside = {value + side for value in meeting for side in (-BESIDE, 0, BESIDE)}
    inside = {value / 4 for value in GRID} if role.is_probability else set()
    return sorted({*GRID, *inside, *beside})


def _zeros(difference: sp.Expr, variable: sp.Symbol, point: Point) -> Iterator[Fraction]:
    """The rational zeros of a polynomial; none of anything else."""
    if difference.has(sp.Piecewise, sp.Min, sp.Max, sp.Abs):
        return
    there = difference.subs({symbol: sp.Rational(value) for symbol, value in point.items()})
    if there.is_polynomial(variable) and there.has(variable) and not there.has(sp.zoo, sp.nan):
        read = sp.Poly(there, variable)
        if read.domain in (sp.ZZ, sp.QQ):
            yield from (Fraction(int(root.p), int(root.q)) for root in read.ground_roots())


def _differences(expr: sp.Expr) -> Iterator[sp.Expr]:
    for node in sp.preorder_traversal(expr):
        if isinstance(node, Relational):
            yield node.lhs - node.rhs
        elif isinstance(node, (sp.Min, sp.Max)):
            yield from (left - right for left, right in combinations(node.args, 2))
        elif isinstance(node, (sp.Abs, sp.log)) or (
            isinstance(node, sp.Pow) and not (node.exp.is_integer and node.exp.is_positive)
        ):
            yield node.args[0]


def _around(low: Number, high: Number, share: Fraction) -> set[Fraction]:
    """Points in a range, at its ends and beyond; the one inside has its share below, as no two parameters have."""
    first = Fraction(str(low)) if low is not None else (Fraction(str(high)) - 3 if high is not None else Fraction(-2))
    last = Fraction(str(high)) if high is not None else first + 3
    return {first - 1, first, first + (last - first) * share, last, last + 1}


def _has_value(expr: sp.Expr, point: Point) -> bool:
    try:
        evaluate(expr, point)
    except UncertainError:
        raise
    except (ArithmeticError, ValueError):
        return False
    return True


def _enclosed(value: Number) -> tuple[Fraction, Fraction]:
    if isinstance(value, Fraction):
        return value, value
    low, high = (Fraction(*map(int, to_rational(end))) for end in value._mpi_)
    return low, high
