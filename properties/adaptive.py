"""Rounds that depend on the weights of every path of draws: the theorems' adversary sees all of the past."""

from collections.abc import Callable
from typing import Any

from hypothesis import event, given, target
from hypothesis import strategies as st

from gaptron.bounds.sides import Sides, breaks
from gaptron.bounds.stream import Vector
from gaptron.expectation import expected
from gaptron.numbers.evaluate import UncertainError
from gaptron.testing import Stream, strongest
from gaptron.theory.theorem import Theorem
from properties import bound_of

Policy = Callable[[list[list[Any]]], tuple[Vector, int]]


def policy(pool: list[Vector], point: str, label: str) -> Policy:
    """The point of the pool with the smallest or largest spread of scores, and a label by its rank at the weights."""

    def answer(W: list[list[Any]]) -> tuple[Vector, int]:
        scores = [_scores(W, x) for x in pool]
        spreads = [max(s) - min(s) for s in scores]
        chosen = spreads.index(min(spreads) if point == "close" else max(spreads))
        order = sorted(range(len(W)), key=lambda k: (scores[chosen][k], -k))
        return pool[chosen], order[{"least": 0, "second": -2, "top": -1}[label]]

    return answer


def _scores(W: list[list[Any]], x: Vector) -> list[float]:
    return [sum(float(w) * float(v) for w, v in zip(row, x, strict=True)) for row in W]


def sides(theorem: Theorem, stream: Stream, answer: Policy) -> Sides:
    """Both sides on balls; of ``stream`` only K, X, D, T and d count, and its strongest comparator."""
    game, U = stream.game(theorem), strongest(stream.game(theorem), stream)
    done = expected(
        game.learner(stream.n_features), answer, comparator=U, arithmetic="ball", n_rounds=len(stream.rounds)
    )
    return Sides(done.mistakes, done.comparator_loss, game.regret(U), done.states)


def property_of(theorem: Theorem) -> Callable[[], None]:
    """The property that no adaptive adversary breaks the bound with a fixed comparator."""

    @given(
        stream=bound_of.aimed(theorem),
        point=st.sampled_from(["close", "far"]),
        label=st.sampled_from(["least", "second", "top"]),
    )
    def adaptive_mistake_bound(stream: Stream, point: str, label: str) -> None:
        answer = policy(sorted(set(stream.rounds)), point, label)
        try:
            found = sides(theorem, stream, answer)
        except UncertainError:
            event("left open by balls")
            bound_of.CHECKED["adaptive streams left open by balls"] += 1
            return
        assert not breaks(found), f"{stream!r}, {point}, {label}: {found}"
        target(-float(found.slack), label="exact slack")
        bound_of.CHECKED["adaptive streams"] += 1
        bound_of.CHECKED["outcome paths after merging"] += found.states

    return adaptive_mistake_bound
