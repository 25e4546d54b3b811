"""Rounds that depend on the weights of every path of draws: the theorems' adversary sees all of the past."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import event, given, target
from hypothesis import strategies as st

from gaptron.bounds.exact_stream import Vector
from gaptron.bounds.sides import Sides, breaks
from gaptron.expectation import expected
from gaptron.numbers.evaluate import UncertainError
from gaptron.testing import Stream, strongest
from gaptron.theory.theorem import Theorem
from properties import bound_of

Round = tuple[Vector, int]
Policy = Callable[[list[list[Any]]], Round]
MOST_ROUNDS = 48  # of which every path is played


def policy(pool: list[Round], aim: str) -> Policy:
    """The labelled point with the least margin at the weights, or with the margin that is nearest to a tie.

    One comparator explains every answer that it can explain in the pool: the bound stays below the number of rounds.
    """

    def answer(W: list[list[Any]]) -> Round:
        margins = [_margin(W, x, label) for x, label in pool]
        keys = margins if aim == "wrong" else list(map(abs, margins))
        return pool[keys.index(min(keys))]

    return answer


def _margin(W: list[list[Any]], x: Vector, label: int) -> float:
    scores = [sum(float(w) * float(v) for w, v in zip(row, x, strict=True)) for row in W]
    return scores[label] - max(score for k, score in enumerate(scores) if k != label)


def shortened(stream: Stream) -> Stream:
    """The first rounds of a stream, as single ones."""
    rounds, labels = zip(*stream.played[:MOST_ROUNDS], strict=True)
    return replace(stream, rounds=rounds, labels=labels, counts=None)


def sides(theorem: Theorem, stream: Stream, answer: Policy) -> Sides:
    """Both sides on balls; of ``stream`` only K, X, D, T and d count, and its strongest comparator."""
    game, U = stream.game(theorem), strongest(stream.game(theorem), stream)
    done = expected(
        game.learner(stream.n_features), answer, comparator=U, arithmetic="ball", n_rounds=len(stream.rounds)
    )
    return Sides(done.mistakes, done.comparator_loss, game.regret(U), done.states)


def property_of(theorem: Theorem) -> Callable[[], None]:
    """The property that no adaptive adversary breaks the bound with a fixed comparator."""

    @given(drawn=bound_of.aimed(theorem), aim=st.sampled_from(["wrong", "tied"]))
    def adaptive_mistake_bound(drawn: Stream, aim: str) -> None:
        stream = shortened(drawn)
        answer = policy(sorted(set(stream.played)), aim)
        try:
            found = sides(theorem, stream, answer)
        except UncertainError:
            event("left open by balls")
            bound_of.CHECKED["adaptive streams left open by balls"] += 1
            return
        assert not breaks(found), f"{stream!r}, {aim}: {found}"
        target(-float(found.slack), label="exact slack")
        bound_of.CHECKED["adaptive streams"] += 1
        bound = float(found.comparator_loss) + float(found.regret)
        bound_of.CHECKED["adaptive streams that an always-wrong learner would break"] += bound < len(stream.rounds)
        bound_of.CHECKED["outcome paths after merging"] += found.states

    return adaptive_mistake_bound
