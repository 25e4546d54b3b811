"""Every stream of signed axes of the plane, for every theorem: T up to 5 for K = 2 and 4 for K = 3."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from gaptron.theory.theorem import Theorem
from properties import bound_of
from properties.bound_of import CHECKED
from properties.exhaustive import AXES, Walk, is_canonical

FULL = [
    bound_of.theorem("gaptron/theorem1_logistic", "Theorem 1, logistic"),
    bound_of.theorem("gaptron/theorem2_hinge", "Theorem 2, hinge"),
    bound_of.theorem("gaptron/theorem3_smooth_hinge", "Theorem 3, smooth hinge"),
]
BINARY = [
    bound_of.theorem("blog/examples2_3_theorems", f"blog, {name}")
    for name in ("squared hinge", "smoothed hinge", "weighted smoothed hinge")
]
BANDIT = [
    bound_of.theorem("gaptron/theorem4_bandit_logistic", "Theorem 4, bandit logistic"),
    bound_of.theorem("gaptron/theorem5_bandit_hinge", "Theorem 5, bandit hinge"),
    bound_of.theorem("gaptron/theorem6_bandit_smooth_hinge", "Theorem 6, bandit smooth hinge"),
]
RADII = [Fraction(1, 4), Fraction(1, 2)]
NAMED = {"ids": lambda theorem: theorem.name}


def walked(theorem: Theorem, n_classes: int, n_rounds: int, radius: Fraction | None = None) -> None:
    """The number of streams is counted, and is the number of classes of equal streams."""
    found = Walk(theorem, n_classes, n_rounds, radius).run()
    lengths = [n_rounds] if radius else range(1, n_rounds + 1)
    assert found == sum(expected_number(n_classes, n) for n in lengths)
    CHECKED["streams of the exhaustive scope"] += found


def expected_number(n_classes: int, n_rounds: int) -> int:
    """By Burnside's lemma: 8 symmetries, of which only the identity and, on one axis, a reflection of the other fix a
    stream; 4^T sequences of points have (4^T + 2 * 2^T)/8 classes."""
    return (4**n_rounds + 2 * 2**n_rounds) // 8 * n_classes**n_rounds


@pytest.mark.slow
@pytest.mark.parametrize("theorem", FULL, **NAMED)
@pytest.mark.parametrize(("n_classes", "n_rounds"), [(2, 5), pytest.param(3, 4, marks=pytest.mark.slow)])
def test_full_information(theorem: Theorem, n_classes: int, n_rounds: int) -> None:
    walked(theorem, n_classes, n_rounds)


@pytest.mark.slow
@pytest.mark.parametrize("theorem", BINARY, **NAMED)
def test_one_weight_vector(theorem: Theorem) -> None:
    walked(theorem, 2, 5)


@pytest.mark.few(1)
@pytest.mark.parametrize("theorem", BANDIT, **NAMED)
@pytest.mark.parametrize(("n_classes", "n_rounds"), [(2, 3), (3, 2)])
def test_bandit_feedback(theorem: Theorem, n_classes: int, n_rounds: int) -> None:
    walked(theorem, n_classes, n_rounds, RADII[0])


@pytest.mark.slow
@pytest.mark.parametrize("radius", RADII)
@pytest.mark.parametrize("theorem", BANDIT, **NAMED)
@pytest.mark.parametrize(("n_classes", "n_rounds"), [(2, 4), (3, 3)])
def test_bandit_feedback_further(theorem: Theorem, n_classes: int, n_rounds: int, radius: Fraction) -> None:
    walked(theorem, n_classes, n_rounds, radius)


def test_a_smaller_regret_is_broken() -> None:
    """Less than half of Theorem 3's, which one round needs."""
    mutant = replace(FULL[2], regret=FULL[2].regret * Fraction(49, 100), sharp_at=None)
    with pytest.raises(AssertionError, match="is broken on"):
        Walk(mutant, 2, 1).run()


def test_one_of_every_class_is_canonical() -> None:
    """Every sequence of points has exactly one canonical image."""
    matrices = [
        tuple((flip[0] * x[swap], flip[1] * x[1 - swap]) for x in AXES)
        for swap in (0, 1)
        for flip in product((1, -1), repeat=2)
    ]
    for sequence in product(range(4), repeat=3):
        images = {tuple(image[i] for i in sequence) for image in matrices}
        assert sum(is_canonical(tuple((x, 0) for x in image)) for image in images) == 1
