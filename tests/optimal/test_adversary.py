"""Streams that beat every algorithm: their sides are exact, and some drawn labels break the bound of any learner."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from sympy import Max, Rational, log

from gaptron import BinaryLoss, Gaptron, MarginLoss, SoftmaxLoss
from gaptron.learners import Perceptron, SecondOrderPerceptron
from gaptron.numbers.evaluate import enclosure
from gaptron.optimal.adversary import Adversary, adversary, criterion
from gaptron.prove.broken_rounds import streams
from gaptron.rounds.exact import value
from gaptron.symbols import m, p, z

HINGE = MarginLoss(Max(1 - m, 0))
LOGISTIC = SoftmaxLoss(-log(p, 2))
HALF = Fraction(1, 2)
AHEAD = ((HALF, -HALF), (-HALF, HALF))


def test_two_labels_ahead_by_one_forbid_less_than_one_for_the_hinge():
    assert criterion(HINGE, Fraction(1), (HALF, HALF), AHEAD) == HALF
    assert adversary(HINGE, Fraction(1), (HALF, HALF), AHEAD) is None
    found = adversary(HINGE, Fraction(999, 1000), (HALF, HALF), AHEAD)
    assert found == Adversary((HALF, HALF), AHEAD, Fraction(0), 1)
    assert (found.mistakes, found.comparator(HINGE, Fraction(999, 1000))) == (HALF, Fraction(999, 2000))


def test_the_comparators_side_is_what_a_comparator_pays_on_the_stream_itself():
    """Over all labels of a short stream: U built from the labels, its scores, losses and norm."""
    weights = (Fraction(1, 3), Fraction(2, 3))
    scores = ((Fraction(1), Fraction(0)), (Fraction(1, 4), Fraction(1, 2)))
    found, c = Adversary(weights, scores, Fraction(3, 5), 3), Fraction(7, 5)
    mean = [sum(w * row[k] for w, row in zip(weights, scores, strict=True)) for k in range(2)]
    rest, expected = Fraction(4, 5), Fraction(0)
    for labels in itertools.product(range(2), repeat=3):
        U = [[mean[k] / found.eps, *((scores[y][k] - mean[k]) / rest for y in labels)] for k in range(2)]
        paid = c * sum(entry**2 for row in U for entry in row)
        for t, y in enumerate(labels):
            x = [found.eps, *(rest if i == t else Fraction(0) for i in range(3))]
            at = [sum(a * b for a, b in zip(row, x, strict=True)) for row in U]
            assert tuple(at) == scores[y]
            paid += value(HINGE, at, y)
        expected += paid * weights[labels[0]] * weights[labels[1]] * weights[labels[2]]
    assert expected == found.comparator(HINGE, c)
    assert found.mistakes == 1


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_a_label_out_of_play_costs_rounds_but_no_constant(n_classes):
    witness = next(streams(LOGISTIC, Fraction(18, 100), {m: Fraction(73, 50)}, n_classes))
    assert (witness["T"] == 1) == (n_classes == 2)
    assert Fraction(witness["mistakes"]) > Fraction(witness["bound"][1])
    scores = [[Fraction(v) for v in row] for row in witness["scores"]]
    weights = [Fraction(w) for w in witness["distribution"]]
    low, high = enclosure(criterion(LOGISTIC, Fraction(18, 100), weights, scores))
    assert Fraction(witness["right"][0]) <= low <= high <= Fraction(witness["right"][1]) < HALF
    assert not list(streams(LOGISTIC, Fraction(19, 100), {m: Fraction(73, 50)}, n_classes))


def test_a_vector_for_two_labels_has_scores_of_one_number():
    (witness,) = streams(BinaryLoss(Max(1 - z, 0)), Fraction(49, 100), {z: Fraction(1)}, 2)
    assert witness["scores"] == [["1"], ["-1"]]
    assert (witness["left"], witness["right"]) == ("1/2", "49/100")
    assert not list(streams(BinaryLoss(Max(1 - z, 0)), Rational(1, 2), {z: Fraction(1)}, 2))


LEARNERS = {
    "gradient steps, printed": lambda: Gaptron(3, 4, loss="hinge", seed=0),
    "gradient steps, best decoder": lambda: Gaptron(3, 4, loss="hinge", decoder="best", learning_rate=1 / 3, seed=0),
    "proximal steps": lambda: Gaptron(3, 4, loss="hinge", update="proximal", seed=0),
    "bandit feedback": lambda: Gaptron(3, 4, loss="hinge", feedback="bandit", radius=2, horizon=4, seed=0),
    "Perceptron": lambda: Perceptron(3, 4, seed=0),
    "second-order Perceptron": lambda: SecondOrderPerceptron(3, 4, seed=0),
}


@pytest.mark.parametrize("name", LEARNERS)
def test_no_learner_withstands_the_stream(name):
    """Over all labels of four rounds: two mistakes of three, and below the optimum more than U pays."""
    labels = list(itertools.product(range(3), repeat=4))
    made = [LEARNERS[name]().run(np.eye(4), drawn, compiled=False).expected_mistakes for drawn in labels]
    assert np.mean(made) == pytest.approx(4 * 2 / 3)
    third, c = Fraction(1, 3), Fraction(9, 8) * Fraction(99, 100)
    scores = tuple(tuple(2 * third * ((k == y) - third) for k in range(3)) for y in range(3))
    found = Adversary((third,) * 3, scores, Fraction(0), 4)
    assert found.mistakes == Fraction(8, 3)
    assert found.comparator(HINGE, c) < float(np.mean(made)) < found.comparator(HINGE, c * Fraction(102, 100))
