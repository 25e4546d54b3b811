"""A second reader of an exported structured theorem: its outputs, cost, entropy and numbers are those of the file.

The definitions are evaluated without the code that writes them: for the smallest sizes every output, the cost of every
prediction, and the entropy of every output and of means of them; for these and larger ones the premises, the numbers
and where they are defined.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from gaptron.coq.reader import expect_old_names
from gaptron.coq.reader.full_information import RADII
from gaptron.coq.reader.points import (
    HALF,
    DifferentError,
    Point,
    choices,
    enclosed,
    expect,
    has_value,
    in_ranges,
    shown,
)
from gaptron.coq.reader.values import UndefinedError, Value, Values
from gaptron.coq.reader.vernacular import TYPED, Tree, UnreadableError, conjuncts, definitions, premises_of, tree
from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula
from gaptron.numbers.evaluate import UncertainError, enclosure, value_at
from gaptron.numbers.kinds import Number
from gaptron.obligations.setting import variables_of
from gaptron.theory.structured.entropies import Convolutional, Quadratic, core
from gaptron.theory.structured.outputs import Finite, Vector, unit
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.structured.targets import Cost

SIZES = (0, 1, 2, 3, 4, 5, 7, 1000)
MOST_OUTPUTS = 24  # of a size whose outputs are compared one by one
PREDICTION = "mu"
Meant = tuple[Expression, tuple[Expression, ...]]  # a number, and what it is made of


def compare_structured(
    theorem: StructuredTheorem, texts: Sequence[str], statement: str, is_refuted: bool = False
) -> int:
    """How many values agree.

    Parameters
    ----------
    theorem : StructuredTheorem
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
        kind = _Refutation if is_refuted else _Comparison
        return kind(theorem, TotalValues(definitions([*texts], TYPED)), tree(statement)).run()
    except UnreadableError as error:
        raise DifferentError(f"the Coq text cannot be read: {error}") from error


class TotalValues(Values):
    """Coq's own logarithm, which is 0 where the reals have none: an entropy has 0 ln 0."""

    def _named(self, name: str, point: Mapping[str, Value]) -> Value:
        if name != "ln" or name in point:
            return super()._named(name, point)
        logarithm = super()._named(name, point)

        def total(value: Value) -> Value:
            return Fraction(0) if isinstance(value, Fraction) and value <= 0 else logarithm(value)

        return total


class _Comparison:
    """One statement, in its parts."""

    binder, otherwise = "forall", "it is not about all sizes"

    def __init__(self, theorem: StructuredTheorem, values: Values, statement: Tree) -> None:
        self.theorem, self.values = theorem, values
        self.size = theorem.size.name
        known = variables_of(theorem)
        self.own = [known[parameter.name] for parameter in theorem.parameters]
        self.agreed = 0
        expect(statement[0] == self.binder, self.otherwise)
        _, names, body = statement
        expect(len(names) == len(self.own) + 2 and names[0] == self.size, f"it binds {names}")
        self.parameters, self.radius = names[1:-1], names[-1]
        self.premises, (_, defined, predictions) = self._opened(body)
        self.defined = conjuncts(defined)
        expect(predictions[0] == "/\\", "it does not say that there are predictions")
        self._about_predictions(*predictions[1:])
        self._parts()
        self._made_of()

    @staticmethod
    def _opened(body: Tree) -> tuple[list[Tree], Tree]:
        """The premises; and what is defined, with what is said of predictions."""
        premises, found = premises_of(body)
        expect(found[0] == "/\\", "it says one thing only")
        return premises, found

    def _about_predictions(self, exists: Tree, every: Tree) -> None:
        """There is one, and the guarantee is about every one."""
        arguments = [("name", name) for name in (self.size, *self.parameters, PREDICTION)]
        self.problem = ("apply", ("name", "problem"), *arguments)
        attained = ("apply", ("name", "attained"), self.problem)
        expect(exists == ("exists", (PREDICTION,), attained), "it does not say that the conjugate is attained")
        expect(every[:2] == ("forall", (PREDICTION,)), "it is not about every regularised prediction")
        expect(every[2][:2] == ("->", attained), "it is about other predictions")
        self.guarantee = every[2][2]

    def _parts(self) -> None:
        """The numbers of the guarantee."""
        radius, found = ("name", self.radius), self.guarantee
        if self.theorem.update == "gradient":
            expect(found[:4] == ("apply", ("name", "structured_guarantee"), self.problem, radius), "it is no guarantee")
            expect(len(found) == 7, "it is no guarantee")
            self.numbers = dict(zip(("eta", "alpha", "regret"), found[4:], strict=True))
        else:
            problem = ("apply", ("name", "surrogate_problem"), self.problem)
            expect(found[:4] == ("apply", ("name", "attainable"), problem, radius), "it is no guarantee")
            expect(len(found) == 6, "it is no guarantee")
            self.numbers = dict(zip(("alpha", "step"), found[4:], strict=True))

    def _made_of(self) -> None:
        """The arguments of the problem."""
        definition = self.values.known.get("problem")
        expect(definition is not None, "it defines no problem")
        assert definition is not None  # noqa: S101
        names = (self.size, *self.parameters, PREDICTION)
        expect(definition.arguments == names, f"its problem is about {definition.arguments}")
        body = definition.body
        expect(body[:2] == ("apply", ("name", "Structured")) and len(body) == 10, "its problem is none")
        keys = ("count", "dimension", "output", "cost", "domain", "entropy", "scale", "prediction")
        self.made = dict(zip(keys, body[2:], strict=True))
        hull = ("apply", ("name", "hull"), *(self.made[key] for key in ("count", "dimension", "output")))
        expect(self.made["domain"] == hull, "its entropy is not on the hull of the outputs")
        expect(self.made["prediction"] == ("name", PREDICTION), "its prediction is another one")

    def run(self) -> int:
        """All comparisons."""
        self._covered()
        for point in self._points():
            env = self._env(point)
            claimed = self._is_claimed(point)
            for radius in RADII:
                holds = all(self.values.of(premise, {**env, self.radius: radius}) for premise in self.premises)
                expect(holds == (claimed and radius > 0), f"its premises at {shown(point)}, X = {radius}: {holds}")
            self._numbers(point, env, claimed)
            if claimed or not self._has_one_size:
                self._outputs(int(point[self.size]), env)
        return self.agreed

    @property
    def _has_one_size(self) -> bool:
        """Whether its outputs, costs or entropy are numbers that are listed, not functions of the size."""
        theorem = self.theorem
        listed = isinstance(theorem.outputs, Finite) or isinstance(theorem.target, Cost)
        return listed or isinstance(core(theorem.entropy), Quadratic)

    def _points(self) -> Iterator[Point]:
        ends = {self.theorem.first_size, self.theorem.last_size or self.theorem.first_size}
        for size in sorted({*SIZES, *ends, *(end + 1 for end in ends)}):
            for choice in choices(self.own):
                yield {self.size: Fraction(size), **choice}

    def _env(self, point: Point) -> dict[str, Number]:
        named = zip(self.parameters, self.own, strict=True)
        return {
            self.size: point[self.size],
            self.radius: RADII[0],
            **{name: point[one.name] for name, one in named},
        }

    def _is_claimed(self, point: Point) -> bool:
        return in_ranges(self.own, point) and self.theorem.claims(int(point[self.size]))

    # --- numbers --------------------------------------------------------------------------------------------------

    def _covered(self) -> None:
        """Whatever the guarantee is made of, as a number of the size, is said to be defined at it."""
        for term in (*self.numbers.values(), self.made["scale"]):
            for call in self.values.calls(term):
                said = ("apply", ("name", f"{call[1][1]}_defined"), *call[2:])
                expect(said in self.defined, f"it does not say that {call[1][1]} is defined")

    def _numbers(self, point: Point, env: Mapping[str, Number], claimed: bool) -> None:
        terms = {**self.numbers, "scale": self.made["scale"]}
        for name, (number, parts) in self._meant().items():
            if name not in terms:
                continue
            said = all(self._is_defined(call, env) for call in self.values.calls(terms[name]))
            there = all(has_value(part, point) for part in parts)
            expect(said == there, f"the {name} is {'' if said else 'not '}defined at {shown(point)}")
            if claimed:
                self._same(f"the {name} at {shown(point)}", terms[name], env, enclosure(value_at(number, point)))

    def _meant(self) -> dict[str, Meant]:
        """The numbers by the file, each with the expressions it is made of."""
        given = self.theorem.data.numbers
        alpha, claimed, eta = given["coefficient"], given.get("regret"), self.theorem.data.step
        assert eta is not None  # noqa: S101
        found: dict[str, Meant] = {"scale": (given["scale"], (given["scale"],)), "alpha": (alpha, (alpha,))}
        if self.theorem.update == "proximal":
            assert claimed is not None  # noqa: S101
            return {**found, "step": (formula("c/alpha", c=claimed, alpha=alpha), (claimed, alpha))}
        regret = formula("alpha/(2*eta)", alpha=alpha, eta=eta) if claimed is None else claimed
        made_of = (alpha, eta) if claimed is None else (claimed,)
        here = formula("regret*size", regret=regret, size=Fraction(RADII[0]) ** 2)
        return {**found, "eta": (eta, (eta,)), "regret": (here, made_of)}

    def _is_defined(self, call: Tree, env: Mapping[str, Number]) -> bool:
        return bool(self.values.of(("apply", ("name", f"{call[1][1]}_defined"), *call[2:]), env))

    def _same(self, name: str, term: Tree, env: Mapping[str, Number], meant: tuple[Fraction, Fraction]) -> None:
        try:
            low, high = enclosed(self.values.of(term, env))
        except UncertainError:
            return
        except UndefinedError as error:
            raise DifferentError(f"{name} has no value in the Coq text: {error}") from error
        expect(low <= meant[1] and meant[0] <= high, f"{name} is {float(low):.6g}, {float(meant[0]):.6g} in the file")
        self.agreed += 1

    # --- outputs, cost, entropy -----------------------------------------------------------------------------------

    def _outputs(self, size: int, env: Mapping[str, Number]) -> None:
        """One by one, of a small size; what is listed is small, as nothing else speaks of it."""
        outputs = self.theorem.outputs
        if size < outputs.smallest:
            return
        if outputs.count(size) > MOST_OUTPUTS:
            expect(not self._has_one_size, f"{outputs.count(size)} outputs are too many to be compared")
            return
        count, dimension = (int(self.values.of(self.made[key], env)) for key in ("count", "dimension"))
        expect(count == outputs.count(size), f"it has {count} outputs of size {size}")
        expect(dimension == outputs.dimension(size), f"its outputs of size {size} have {dimension} entries")
        output = self.values.of(self.made["output"], env)
        found = [tuple(output(Fraction(y))(Fraction(i)) for i in range(dimension)) for y in range(count)]
        meant = outputs.vectors(size)
        expect(set(found) == set(meant) and len(set(found)) == count, f"its outputs of size {size} are {found}")
        places = [meant.index(vector) for vector in found]
        table, cost = self.theorem.target.table(outputs, size), self.values.of(self.made["cost"], env)
        for k, row in enumerate(places):
            for y, column in enumerate(places):
                said = cost(Fraction(k))(Fraction(y))
                expect(said == table[row][column], f"its cost of {found[k]} where {found[y]} is true is {said}")
        self.agreed += count * count
        costs = [[table[row][column] for column in places] for row in places]
        self._entropies(found, costs, env)

    def _entropies(self, vectors: list[Vector], costs: list[list[Fraction]], env: Mapping[str, Number]) -> None:
        """Of the outputs, of the means of neighbours, and of the mean of all with different weights."""
        count = len(vectors)
        pure = [unit(place, count) for place in range(count)]
        pairs = [tuple(HALF * (a + b) for a, b in zip(one, two, strict=True)) for one, two in pairwise(pure)]
        for weights in (*pure, *pairs, tuple(Fraction(2 * place + 1, count**2) for place in range(count))):
            mean = [_weighted(weights, entries) for entries in zip(*vectors, strict=True)]
            is_convolved = isinstance(self.theorem.entropy, Convolutional)
            least = min(_weighted(weights, row) for row in costs) if is_convolved else Fraction(0)
            meant = formula("omega - least", omega=core(self.theorem.entropy).value(mean), least=least)
            call = ("apply", *self.made["entropy"][1:], ("name", "at"))
            there = {**env, "at": _entries(mean)}
            self._same(f"the entropy at {', '.join(map(str, mean))}", call, there, enclosure(value_at(meant, {})))


class _Refutation(_Comparison):
    """The statement that for some size there is no decoder, or with proximal steps no algorithm at all."""

    binder, otherwise = "exists", "it is no refutation"

    @staticmethod
    def _opened(body: Tree) -> tuple[list[Tree], Tree]:
        """The premises; and what is defined, with what is said of predictions."""
        expect(body[0] == "/\\" and body[2][0] == "/\\", "it does not say what is defined")
        return conjuncts(body[1]), body[2]

    def _parts(self) -> None:
        """The numbers of the decoder that does not exist, or of the constant."""
        expect(self.guarantee[0] == "not", "it denies no decoder")
        decoder = self.guarantee = self.guarantee[1]
        if self.theorem.update == "proximal":
            super()._parts()
            return
        expect(decoder[:3] == ("apply", ("name", "decodable"), self.problem), "it denies no decoder")
        expect(len(decoder) == 5, "it denies no decoder")
        self.numbers = dict(zip(("eta", "alpha"), decoder[3:], strict=True))


def _entries(mean: Sequence[Fraction]) -> Callable[[Fraction], Fraction]:
    """A vector as the Coq text reads it."""

    def entry(place: Fraction) -> Fraction:
        if not 0 <= place < len(mean):
            raise UnreadableError(f"entry {place} of a vector with {len(mean)} entries")
        return mean[int(place)]

    return entry


def _weighted(weights: Sequence[Fraction], values: Sequence[Fraction]) -> Fraction:
    return sum((weight * value for weight, value in zip(weights, values, strict=True)), Fraction(0))
