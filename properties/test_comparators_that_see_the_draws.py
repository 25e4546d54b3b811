"""With full information U may be chosen after the game, on every path of draws another one, adversary and all."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from gaptron import Gaptron

X = [Fraction(v, 4) for v in (-4, -3, 1, 2, 4)]
ROUNDS, ONE = 5, Fraction(1)
MARGINS = [Fraction(k, 8) for k in range(-24, 25)]
Adversary = Callable[[tuple[int, ...]], tuple[Fraction, int]]


def losses_of(margin: Fraction, rounds: list[tuple[Fraction, int]]) -> Fraction:
    """Hinge losses of the U that has the scores (margin/2, -margin/2) at 1."""
    return sum((max(Fraction(0), 1 - (1 - 2 * y) * margin * x) for x, y in rounds), Fraction(0))


def paths(
    adversary: Adversary,
) -> Iterator[tuple[Fraction, int, list[tuple[Fraction, int]]]]:
    """Every path of draws: its chance, its mistakes and its rounds, exactly."""
    for drawn in product(range(2), repeat=ROUNDS):
        learner = Gaptron(2, 1, loss="hinge", update="proximal", exact=True)
        chance, wrong, rounds = Fraction(1), 0, []
        for t, label in enumerate(drawn):
            x, y = adversary(drawn[:t])
            chance *= learner.predict_proba([x])[label]
            learner.update([x], y)
            wrong += label != y
            rounds.append((x, y))
        if chance:
            yield chance, wrong, rounds


def sides(adversary: Adversary, c: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """E[mistakes], E of the least losses + c ||U||^2 on each path, and the least expectation of one U for all paths."""
    played = list(paths(adversary))
    cost = [[losses_of(m, rounds) + c * m**2 / 2 for m in MARGINS] for _, _, rounds in played]
    chances = [chance for chance, _, _ in played]
    left = sum((chance * wrong for chance, wrong, _ in played), Fraction(0))
    on_each = sum((chance * min(of) for chance, of in zip(chances, cost, strict=True)), Fraction(0))
    fixed = min(sum(map(Fraction.__mul__, chances, of), Fraction(0)) for of in zip(*cost, strict=True))
    return left, on_each, fixed


@pytest.mark.few(4)
@pytest.mark.parametrize("seed", range(12))
def test_no_adversary_breaks_the_optimal_constant(seed: int) -> None:
    rng = np.random.default_rng(seed)
    plan = {
        drawn: (X[rng.integers(len(X))], int(rng.integers(2)))
        for t in range(ROUNDS)
        for drawn in product(range(2), repeat=t)
    }
    left, on_each, fixed = sides(plan.__getitem__, Fraction(1))
    assert 0 < left <= on_each <= fixed


def test_a_label_that_follows_a_draw_tells_both_comparators_apart() -> None:
    _, on_each, fixed = sides(lambda drawn: (ONE, drawn[0] if drawn else 1), Fraction(1))
    assert on_each < fixed


def test_a_smaller_constant_is_broken() -> None:
    left, on_each, _ = sides(lambda _: (ONE, 1), Fraction(1))
    assert left == on_each == Fraction(1, 2)
    left, on_each, _ = sides(lambda _: (ONE, 1), Fraction(99, 100))
    assert left > on_each
