"""Statements that refute a theorem: a condition that fails for the file's functions, or a value that is missing."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from gaptron.coq.reader.full_information import Comparison
from gaptron.coq.reader.other_settings import BanditComparison, DecoderComparison, ProximalComparison, has_threshold
from gaptron.coq.reader.points import DifferentError, Point, Role, expect, has_value, roles_of, shown, variable_points
from gaptron.coq.reader.vernacular import Tree, conjuncts, premises_of
from gaptron.language.expressions import Expression
from gaptron.numbers.evaluate import UncertainError
from gaptron.numbers.kinds import Number
from gaptron.theory.for_classes import eta_of

CONDITIONS = {
    "broken_round": ("K", "d", "s", "X", "eta"),
    "broken_abstention_round": ("K", "d", "s", "c", "X", "eta"),
    "broken_map": ("d", "s", "X"),
    "broken_loss": ("K", "s"),
    "broken_regret": ("eta", "regret"),
    "broken_decoder_round": ("K", "rows", "d", "s", "X", "eta"),
    "broken_switched_decoder_round": ("K", "rows", "d", "s", "beta", "X", "eta"),
    "broken_score_loss": ("K", "s"),
    "broken_bandit_round": ("K", "d", "s", "X", "D", "gamma", "eta"),
    "broken_bandit_regret": ("K", "D", "gamma", "eta", "T", "regret"),
}  # of proofs/coq/{,Abstention,Bandit,Decoder}RefutationDefinitions.v, with their arguments
OF_GAMES = {name for name, arguments in CONDITIONS.items() if "gamma" in arguments}


class RefutedComparison(Comparison):
    """The statement that a theorem is refuted: what the guarantee is made of, in a condition that fails somewhere.

    A condition does not speak of all of it: what it does not speak of is no part of the comparison.
    """

    binder, otherwise = "exists", "it is no refutation"

    @staticmethod
    def _opened(body: Tree) -> tuple[list[Tree], Tree]:
        expect(body[0] == "/\\", "it says one thing only")
        return conjuncts(body[1]), body[2]

    def _parts(self) -> None:
        found = self.guarantee
        expect(found[0] == "apply" and found[1][0] == "name", "it is no condition")
        expect(found[1][1] in CONDITIONS, "it is no condition")
        expect(not self.rest, "it says more than that a condition fails")
        wanted = CONDITIONS[found[1][1]]
        expect(len(found) == 2 + len(wanted), f"its {found[1][1]} has {len(found) - 2} arguments")
        self.given: dict[str, Tree] = dict(zip(wanted, found[2:], strict=True))
        known = {"K": self.count, "d": ("name", "d"), "rows": self.rows, **self._of_game()}
        expect(all(self.given.get(name, term) == term for name, term in known.items()), "it is about another game")
        expect(self.theorem.update == "gradient", "it is about another game")
        in_game, abstains = "gamma" in self.given, self.theorem.abstention_cost is not None
        expect(("c" in self.given) == (found[1][1].endswith("round") and abstains), "it is about another game")
        expect("eta" not in self.given or in_game == (self.theorem.feedback == "bandit"), "it is about another game")
        self.functions = self._functions(self.given["s"]) if "s" in self.given else []
        self.eta, self.regret = self.given.get("eta", ()), self.given.get("regret", ())

    def _of_game(self) -> dict[str, Tree]:
        """What the condition has of the game, by the names of its arguments."""
        return {"X": ("name", self.radius)}

    def _rates_there(self) -> Iterator[tuple[str, Tree, Expression, int]]:
        """The rates of which the condition speaks: names, terms, what they are in the file, the power of X in them."""
        if "eta" in self.given:
            yield "the learning rate", self.eta, self._eta(), -2
        if "c" in self.given:
            yield "the abstention cost", self.given["c"], self.data["abstention_cost"], 0
        if "regret" in self.given:
            expect("regret" in self.data, "no regret is claimed")
            yield "the regret", self.regret, self.data["regret"], 2

    def _sharp(self) -> None:
        """A refutation says nothing of other learning rates."""


class RefutedDecoderComparison(RefutedComparison, DecoderComparison):
    """The refutation of a theorem with the best decoder: a loss of scores in the place of a surrogate loss."""

    def _parts(self) -> None:
        super()._parts()
        is_round, switched = self.guarantee[1][1].endswith("round"), has_threshold(self.theorem)
        expect(("beta" in self.given) == (is_round and switched), "it is about another game")
        self.off = self.given.get("beta", ())


class RefutedProximalComparison(ProximalComparison):
    """The statement that no algorithm attains a constant."""

    binder, otherwise = "exists", "it is no refutation"
    _opened = staticmethod(RefutedComparison._opened)

    def _parts(self) -> None:
        expect(self.guarantee[0] == "not", "it denies nothing")
        self.guarantee = self.guarantee[1]
        super()._parts()


class RefutedBanditComparison(RefutedComparison, BanditComparison):
    """The refutation of a theorem with bandit feedback: rates of a game, in a condition that fails in one."""

    _rates_there = BanditComparison._rates_there

    def _parts(self) -> None:
        super()._parts()
        expect("gamma" in self.given and "eta" in self.given, "it is about another game")
        self.exploration = self.given["gamma"]
        self._explores()

    def _of_game(self) -> dict[str, Tree]:
        radius, ball, rounds = self.bound
        return {"X": ("name", radius), "D": ("name", ball), "T": ("apply", ("name", "INR"), ("name", rounds))}

    def _rates_of_game(self) -> Iterator[tuple[str, Tree, Expression]]:
        expect("regret" not in self.given or "regret" in self.data, "no regret is claimed")
        yield from (row for row in super()._rates_of_game() if row[0] != "the regret" or "regret" in self.given)


class NoValueComparison(RefutedComparison):
    """The statement that a function of the file is not defined on all that is claimed."""

    @staticmethod
    def _opened(body: Tree) -> tuple[list[Tree], Tree]:
        """The premises, and what is denied: of nothing is it said that it is defined."""
        return conjuncts(body[1]), ("/\\", ("name", "True"), body[2])

    def _parts(self) -> None:
        """There is no condition: one thing is denied."""

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

    def _candidates(self) -> Iterator[tuple[str, Expression, Role | None]]:
        """What the file says is defined."""
        for role in roles_of(self.theorem):
            yield role.name, role.expr, role
        rates = (eta_of(self.theorem), self.data.get("regret")) if self.theorem.feedback == "full" else ()
        for expr in (*rates, self.data.get("off_above"), self.data.get("abstention_cost")):
            if expr is not None:
                yield "a constant", expr, None

    def _denied(self, name: str, expr: Expression, role: Role | None) -> None:
        """The file has a value just where the Coq text says so, on no more than the domain, and not everywhere."""
        variable, conditions, said = self._opened_domain(role)
        lacking = False
        for point in self._points():
            for at in (Fraction(0),) if role is None else variable_points(role, point):
                place = point if role is None else {**point, role.variable: at}
                there = {**self._env(point), variable: at}
                inside = self._is_claimed(point) and all(self.values.of(one, there) for one in conditions)
                in_domain = role is None or role.is_claimed(at, point)
                expect(in_domain or not inside, f"{name} is denied at {shown(place)}, of which nothing is claimed")
                lacking |= not self._agrees(name, said, expr, place, there) and inside
        expect(lacking, f"{name} has a value at every point that was compared")

    def _agrees(self, name: str, said: Tree, expr: Expression, place: Point, there: Mapping[str, Number]) -> bool:
        """Whether the file has a value there, which the text must say."""
        try:
            found, defined = has_value(expr, place), self.values.of(said, there)
        except UncertainError:
            return True
        expect(found == defined, f"{name} is {'' if defined else 'not '}defined at {shown(place)} in the Coq text")
        self.agreed += 1
        return found

    def _opened_domain(self, role: Role | None) -> tuple[str, list[Tree], Tree]:
        """The bound variable, the premises, and what is said of it."""
        body, variable = self.guarantee[1], ""
        if role is not None:
            expect(body[0] == "forall" and len(body[1]) == 1, f"{role.name} has a variable")
            (variable,), body = body[1:]
        conditions, body = premises_of(body)
        expect(body[0] == "apply" and body[1][1].endswith("_defined"), "it denies something else")
        return variable, conditions, body


def denies(statement: Tree) -> bool:
    """Whether it is that for some numbers something is not so."""
    return bool(statement[0] == "exists" and statement[2][0] == "/\\" and statement[2][2][0] == "not")
