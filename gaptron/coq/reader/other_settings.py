"""Statements about abstention, the best decoder, proximal updates and bandit feedback."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from gaptron.coq.reader.full_information import Comparison
from gaptron.coq.reader.points import HALF, Point, Role, expect, roles_of, shown
from gaptron.coq.reader.vernacular import Tree
from gaptron.language.expressions import Expression
from gaptron.numbers.evaluate import value_at
from gaptron.numbers.kinds import Number
from gaptron.theory.for_classes import data_of
from gaptron.theory.losses import BinaryLoss, MarginLoss, PairwiseLoss, SeparableLoss, SoftmaxLoss
from gaptron.theory.theorem import Theorem

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
OF_SCORES = {
    MarginLoss: "of_margin",
    SoftmaxLoss: "of_softmax",
    BinaryLoss: "of_sign",
    PairwiseLoss: "of_pairs",
    SeparableLoss: "of_each_score",
}


class AbstentionComparison(Comparison):
    """The statement of a theorem about abstention: the guarantee has a cost."""

    game = "abstention"

    def _fixed(self, more: list[Tree]) -> None:
        expect(len(more) == 1, "it has no cost")
        self.cost: Tree = more[0]

    def _rates_there(self) -> Iterator[tuple[str, Tree, Expression, int]]:
        yield from super()._rates_there()
        yield "the abstention cost", self.cost, self.data["abstention_cost"], 0

    def _price(self) -> Tree:
        return self.cost


class DecoderComparison(Comparison):
    """The statement of a theorem with the best decoder: a loss of scores in the place of a surrogate loss."""

    game, has_rows = "decoding", True

    @staticmethod
    def _of_scores(loss: Tree) -> Tree:
        """The loss of a vector of scores in one of weights."""
        is_one = loss[:3] == ("apply", ("name", "of_scores"), ("name", "d")) and len(loss) == 4
        expect(is_one, "it is no loss of scores")
        found: Tree = loss[3]
        return found

    def _functions(self, surrogate: Tree) -> list[tuple[Role, Tree]]:
        found, name = self._of_scores(surrogate), OF_SCORES[type(self.theorem.loss)]
        head = ("apply", ("name", name), *(() if self.binary else (self.count,)))
        roles = list(roles_of(self.theorem))
        expect(found[: len(head)] == head, f"its loss is no {name}")
        expect(len(found) == len(head) + len(roles), f"its {name} has {len(found) - 2} arguments")
        return list(zip(roles, found[len(head) :], strict=True))


class SwitchedDecoderComparison(DecoderComparison):
    """The same, where rounds may be off: the guarantee has their threshold."""

    game = "decoding_switched"

    def _fixed(self, more: list[Tree]) -> None:
        """The threshold, in the place of that of a surrogate loss."""
        expect(len(more) == 1, "no round is off")
        self.off = more[0]


def of_decoder(theorem: Theorem) -> type[DecoderComparison]:
    """The one for its rounds."""
    return SwitchedDecoderComparison if has_threshold(theorem) else DecoderComparison


def has_threshold(theorem: Theorem) -> bool:
    """Whether rounds may be off, by the file."""
    return "off_above" in data_of(theorem)


class ProximalComparison(DecoderComparison):
    """The statement that some algorithm attains a constant, for features of all dimensions."""

    @staticmethod
    def _of_scores(loss: Tree) -> Tree:
        """It is one of scores."""
        return loss

    def _leading(self) -> list[str]:
        return [] if self.binary else ["K"]

    def _parts(self) -> None:
        found = self.guarantee
        expect(found[:2] == ("apply", ("name", "attainable")) and len(found) == 6, "it is not about all algorithms")
        problem, radius, coefficient, self.regret = found[2:]
        expect(radius == ("name", self.radius) and coefficient == ("number", 1), "it is not about this coefficient")
        head = ("apply", ("name", "classification"), self.count, self.rows)
        expect(problem[: len(head)] == head and len(problem) == len(head) + 1, "its target is another")
        self.functions = self._functions(problem[len(head)])

    def _rates_there(self) -> Iterator[tuple[str, Tree, Expression, int]]:
        yield "the regret", self.regret, self.data["regret"], 0


class BanditComparison(Comparison):
    """The statement of a theorem with bandit feedback: its rates depend on X, D and T too."""

    game, played = "bandit", 3
    regret_form = ("flat", "its regret depends on U")

    def _parts(self) -> None:
        rounds = ("name", self.bound[2])
        expect(self.guarantee[:3] == ("apply", ("name", "guarantee_in"), rounds), "it is no guarantee in T rounds")
        self._guaranteed(*self.guarantee[3:])
        self._explores()

    def _fixed(self, more: list[Tree]) -> None:
        expect(len(more) == 2 and more[0] == ("name", self.bound[1]), "it is about other weights")
        self.exploration: Tree = more[1]

    def _explores(self) -> None:
        expect(self.eta[0] == "apply" and self.eta[-1] == self.exploration, "its learning rate is at no exploration")

    def _premises(self, point: Point, env: Mapping[str, Number], claimed: bool) -> None:
        for game in GAMES:
            there = {**env, **dict(zip(self.bound, game, strict=True))}
            holds = all(self.values.of(premise, there) for premise in self.premises)
            expected = claimed and game[0] > 0 and game[1] > 0 and game[2] >= 1
            at = {**point, **dict(zip("XDT", game, strict=True))}
            expect(holds == expected, f"its premises at {shown(at)}: {holds}")
            self._game(at, there, holds)

    def _rates_of_game(self) -> Iterator[tuple[str, Tree, Expression]]:
        """Names, calls, and what they are in the file."""
        yield "the exploration rate", self.exploration, self.data["exploration"]
        yield "the learning rate", self.eta, self.data["learning_rate"]
        if "regret" in self.data:
            yield "the regret", self.regret, self.data["regret"]

    def _game(self, at: Point, env: Mapping[str, Number], claimed: bool) -> None:
        """The rates there, and whether they are defined."""
        for name, call, expr in self._rates_of_game():
            expect(call[0] == "apply", f"{name} is no function of its own")
            said = ("apply", ("name", f"{call[1][1]}_defined"), *call[2:])
            expect(said in self.defined, f"{name} is not said to be defined where it is taken")
            written = (*call[:-1], ("name", "gamma")) if call is self.eta else call
            defined = self._is_defined(name, written, expr, {**at, "gamma": HALF}, {**env, "gamma": HALF})
            if defined and claimed:
                self._same(name, call, env, expr, {**at, "gamma": value_at(self.data["exploration"], at)})

    def _rates_there(self) -> Iterator[tuple[str, Tree, Expression, int]]:
        """They are those of a game."""
        return iter(())
