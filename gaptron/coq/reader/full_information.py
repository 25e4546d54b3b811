"""The statement of a theorem with full information and its definitions, evaluated beside the theorem file."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from gaptron.coq.reader.points import (
    NARROW,
    DifferentError,
    Point,
    Role,
    choices,
    enclosed,
    expect,
    has_value,
    in_ranges,
    roles_of,
    shown,
    variable_points,
)
from gaptron.coq.reader.values import UndefinedError, Values
from gaptron.coq.reader.vernacular import Tree, conjuncts, names_in, premises_of
from gaptron.door.reading import variable
from gaptron.language.expressions import Expression
from gaptron.numbers.evaluate import UncertainError, enclosure, value_at
from gaptron.numbers.kinds import Number
from gaptron.theory.for_classes import data_of, eta_of
from gaptron.theory.losses import BinaryLoss, MarginLoss, SoftmaxLoss
from gaptron.theory.theorem import Theorem

CLASSES = (0, 1, 2, 3, 4, 7, 1000)
RADII = tuple(map(Fraction, ("3/2", "1/1000", "1000", "0", "-1")))
UNUSED = "_"  # how Coq prints a bound name that nothing speaks of, as a refuted regret of d
KINDS = {MarginLoss: ("margin_loss", 3), SoftmaxLoss: ("softmax_loss", 2), BinaryLoss: ("binary_loss", 3)}


class Comparison:
    """One statement, in its parts."""

    binder, otherwise = "forall", "it is not about all classes"
    game = "full"  # of which the guarantee is
    regret_form = ("linear", "its regret is not in ||U||^2")
    has_rows = False  # whether the game has those of the weights
    played = 1  # how many names are bound after the parameters

    def __init__(self, theorem: Theorem, values: Values, statement: Tree) -> None:
        self.theorem, self.data, self.values = theorem, data_of(theorem), values
        self.own = [*map(variable, theorem.parameters)]
        self.agreed = 0
        self.binary = isinstance(theorem.loss, BinaryLoss)
        self.count: Tree = ("number", 2) if self.binary else ("name", "K")
        self.rows: Tree = ("number", 1) if self.binary else ("name", "K")
        expect(statement[0] == self.binder, self.otherwise)
        _, names, body = statement
        leading = self._leading()
        bound = ["d" if name == UNUSED else name for name in names[: len(leading)]]
        expect(bound == leading, f"it binds {names}")
        expect(len(names) == len(leading) + len(theorem.parameters) + self.played, f"it binds {names}")
        self.parameters, self.bound = names[len(leading) : -self.played], names[-self.played :]
        self.radius = self.bound[0]
        self.premises, body = self._opened(body)
        expect(body[0] == "/\\", "it says one thing only")
        self.defined = conjuncts(body[1])
        self.guarantee, *self.rest = conjuncts(body[2])
        self.off: Tree = ()  # the threshold above which rounds are off, where the statement has a place for it
        self.functions: list[tuple[Role, Tree]] = []
        self.eta: Tree = ()
        self.regret: Tree = ()
        self._parts()

    def _leading(self) -> list[str]:
        """What is bound first."""
        return ["d"] if self.binary else ["K", "d"]

    @staticmethod
    def _opened(body: Tree) -> tuple[list[Tree], Tree]:
        """The premises, and what follows from them."""
        return premises_of(body)

    def _parts(self) -> None:
        """The loss's functions with their roles, the learning rate and the regret; all else must be as it should be."""
        expect(self.guarantee[:2] == ("apply", ("name", "guarantee")), "it is no guarantee")
        self._guaranteed(*self.guarantee[2:])

    def _guaranteed(self, game: Tree, *rates: Tree) -> None:
        """The same, of the guarantee's game and what follows it."""
        expect(len(rates) == 3, "it is no guarantee")
        head = ("apply", ("name", self.game), self.count, *((self.rows,) if self.has_rows else ()), ("name", "d"))
        expect(game[: len(head)] == head and len(game) > len(head), "it is the guarantee of another game")
        surrogate, *more = game[len(head) :]
        self._fixed(more)
        self.functions = self._functions(surrogate)
        self._rates(*rates)

    def _fixed(self, more: list[Tree]) -> None:
        """What the game has after the loss."""
        expect(not more, "it is the guarantee of another game")

    def _functions(self, surrogate: Tree) -> list[tuple[Role, Tree]]:
        """The functions of a surrogate loss, with their roles."""
        kind, count = KINDS[type(self.theorem.loss)]
        head = ("apply", ("name", kind), *(() if self.binary else (self.count,)), ("name", "d"))
        expect(surrogate[: len(head)] == head, f"its loss is no {kind}")
        functions = surrogate[len(head) :]
        expect(len(functions) == count, f"its {kind} has {len(functions)} arguments")
        self.surrogate, self.off = surrogate, surrogate[-1] if isinstance(self.theorem.loss, MarginLoss) else ()
        roles = list(roles_of(self.theorem))
        return list(zip(roles, functions[: len(roles)], strict=True))

    def _rates(self, radius: Tree, eta: Tree, regret: Tree) -> None:
        """The learning rate and the regret of the guarantee."""
        form, otherwise = self.regret_form
        expect(radius == ("name", self.radius), "it is about other features")
        expect(regret[:2] == ("apply", ("name", form)) and len(regret) == 3, otherwise)
        self.eta, self.regret = eta, regret[2]

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

    def _eta(self) -> Expression:
        found = eta_of(self.theorem)
        if found is None:
            raise DifferentError("the file has no learning rate")
        return found

    def _rates_there(self) -> Iterator[tuple[str, Tree, Expression, int]]:
        """The constants in the statement: names, terms, what they are in the file, the power of X in them."""
        eta = self._eta()
        yield "the learning rate", self.eta, eta, -2
        yield "the regret", self.regret, self.data.get("regret", ("^", ("*", Fraction(2), eta), -1)), 2

    def _named_constants(self) -> Iterator[tuple[Tree, Expression]]:
        """The functions of K alone that the guarantee has, as they are called, with what they are in the file."""
        for name, term, expr, _ in self._rates_there():
            if name != "the regret" or "regret" in self.data:
                yield self._call_in(term), expr
        if self.off and "off_above" in self.data:
            yield self._call_in(self.off), self.data["off_above"]

    def _call_in(self, term: Tree) -> Tree:
        """The call of a definition of the development in a term."""
        found = next(self.values.calls(term), None)
        expect(found is not None, "a constant is no function of its own")
        return found or term

    def _points(self) -> Iterator[Point]:
        for count in CLASSES if not self.binary else (2,):
            for choice in choices(self.own):
                yield {"K": Fraction(count), **choice}

    def _env(self, point: Point) -> dict[str, Number]:
        named = {name: point[own.name] for name, own in zip(self.parameters, self.theorem.parameters, strict=True)}
        return {"K": point["K"], "d": Fraction(1), self.radius: RADII[0], **named}

    def _is_claimed(self, point: Point) -> bool:
        return in_ranges(self.own, point) and self.theorem.claims(int(point["K"]))

    def _constants(self, point: Point, env: Mapping[str, Number]) -> None:
        for name, term, expr, power in self._rates_there():
            self._same(name, term, env, ("*", expr, RADII[0] ** power), point)
        if self.off and "off_above" in self.data:
            expect(self.off[:2] == ("apply", ("name", "Some")), "no round is off")
            self._same("the threshold", self.off[2], env, self.data["off_above"], point)
        elif self.off:
            expect(self.off == ("name", "None"), "rounds are off")

    def _function(self, role: Role, function: Tree, point: Point, env: Mapping[str, Number]) -> None:
        """The same values, and the same points at which there is none."""
        before = self.agreed
        for at in variable_points(role, point):
            place, there = {**point, role.variable: at}, {**env, "at": at}
            call = (*function, ("name", "at"))
            if self._is_defined(role.name, call, role.expr, place, there):
                self._same(role.name, call, there, role.expr, place)
        expect(self.agreed > before or not self._is_claimed(point), f"{role.name} was compared nowhere")

    def _is_defined(self, name: str, call: Tree, expr: Expression, point: Point, env: Mapping[str, Number]) -> bool:
        """Whether the file has a value there, as the Coq text must say."""
        try:
            there = has_value(expr, point)
            said = self.values.of(("apply", ("name", f"{call[1][1]}_defined"), *call[2:]), env)
        except UncertainError:
            return False
        if said != there:
            raise DifferentError(f"{name} is {'' if said else 'not '}defined at {shown(point)} in the Coq text")
        return there

    def _same(self, name: str, term: Tree, env: Mapping[str, Number], expr: Expression, point: Point) -> None:
        try:
            read = enclosed(self.values.of(term, env))
            meant = enclosure(value_at(expr, point))
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
        for role, (_, (name,), body) in self.domains:
            premises, term = premises_of(body)
            for at in variable_points(role, point):
                if role.is_claimed(at, point):
                    there = {**env, name: at}
                    for premise in premises:
                        expect(self.values.of(premise, there), f"{role.name} is not said to be defined at {at}")
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
        name = f"{kind.removesuffix('_loss')}_conditions"
        expect(conditions[1][1].split(".")[-1] == name, "these are other conditions")
        said = tuple(map(_unqualified, conditions[2 : -count - 2]))
        classes = () if self.binary else (self._classes(),)
        expect(said == (self._price(), *classes), "these are conditions of other predictions")
        expect(conditions[-count - 2 : -2] == self.surrogate[-count:], "these are conditions of another loss")
        expect(conditions[-2:] == (("name", larger), ("name", other)), "these are conditions of another rate")

    def _price(self) -> Tree:
        """What the share of the gap map costs."""
        return ("apply", ("name", "guessing"), self._classes())

    def _classes(self) -> Tree:
        """How many there are, as a real number."""
        return ("apply", ("name", "INR"), self.count)


def _unqualified(term: Tree) -> Tree:
    """A call of the function without its module, where the printer names it."""
    if term[0] != "apply" or term[1][0] != "name":
        return term
    return ("apply", ("name", term[1][1].split(".")[-1]), *term[2:])
