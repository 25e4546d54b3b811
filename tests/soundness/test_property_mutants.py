"""The properties fail where they must: every theorem with a wrong constant is broken by its own property."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

from gaptron.testing import Stream
from gaptron.theory.theorem import Theorem
from properties import (
    bound_of,
    test_best_maps_and_decoders,
    test_blog_theorem1,
    test_slides_abstention,
    test_slides_smooth_loss,
    test_theorem1_logistic,
    test_theorem2_hinge,
    test_theorem3_smooth_hinge,
    test_theorem4_bandit_logistic,
    test_theorem5_bandit_hinge,
    test_theorem6_bandit_smooth_hinge,
)

Case = tuple[Theorem, tuple[Stream, ...], str]
ABSTAINING = {key: test_slides_abstention.THEOREMS[key, Fraction(1, 2)] for key in test_slides_abstention.NAMES}

# the theorem, its sharp streams, and a share of its regret that is too small: less than the best stream uses
SMALLER: list[Case] = [
    (test_theorem1_logistic.THEOREM, test_theorem1_logistic.SHARP, "1/8"),
    (test_theorem1_logistic.LARGEST, test_theorem1_logistic.SHARP, "1/4"),
    (test_theorem2_hinge.THEOREM, test_theorem2_hinge.SHARP, "4/5"),
    (test_theorem2_hinge.BEST, test_theorem2_hinge.SHARP, "4/5"),
    (test_theorem3_smooth_hinge.THEOREM, test_theorem3_smooth_hinge.SHARP, "7/10"),
    (test_theorem4_bandit_logistic.THEOREM, test_theorem4_bandit_logistic.SHARP, "7/100"),
    (test_theorem5_bandit_hinge.THEOREM, test_theorem5_bandit_hinge.SHARP, "12/25"),
    (test_theorem6_bandit_smooth_hinge.THEOREM, test_theorem6_bandit_smooth_hinge.SHARP, "1/4"),
    (test_theorem6_bandit_smooth_hinge.PRINTED, test_theorem6_bandit_smooth_hinge.SHARP, "1/3"),
    (test_blog_theorem1.SQUARED, test_blog_theorem1.SHARP, "49/100"),
    (test_blog_theorem1.SMOOTHED, test_blog_theorem1.SHARP, "49/100"),
    (test_blog_theorem1.WEIGHTED, test_blog_theorem1.SHARP, "1/4"),
    (test_best_maps_and_decoders.HINGE_MAP, test_best_maps_and_decoders.SHARP, "99/100"),
    (test_best_maps_and_decoders.LOGISTIC_MAP, test_best_maps_and_decoders.SHARP, "1/4"),
    (test_best_maps_and_decoders.LOGISTIC, test_best_maps_and_decoders.SHARP, "1/4"),
    (test_best_maps_and_decoders.WEIGHTED_BY_TWO, test_best_maps_and_decoders.SHARP_BINARY, "1/5"),
    *((ABSTAINING[name], test_slides_abstention.SHARP, "1/8") for name in ABSTAINING),
]

# and a factor of its learning rate that is too large for the regret that Lemma 1 would give for it, 1/(2 eta)
LARGER: list[Case] = [
    (test_theorem1_logistic.THEOREM, test_theorem1_logistic.SHARP, "10"),
    (test_theorem2_hinge.THEOREM, test_theorem2_hinge.SHARP, "3"),
    (test_theorem3_smooth_hinge.THEOREM, test_theorem3_smooth_hinge.SHARP, "3"),
    (test_blog_theorem1.SQUARED, test_blog_theorem1.SHARP, "3"),
    (test_blog_theorem1.SMOOTHED, test_blog_theorem1.SHARP, "3"),
    (test_blog_theorem1.WEIGHTED, test_blog_theorem1.SHARP, "16"),
    *((ABSTAINING[name], test_slides_abstention.SHARP, "10") for name in ABSTAINING),
]


def name(value: Any) -> str | None:
    return value.name if isinstance(value, Theorem) else value if isinstance(value, str) else ""


def mutant(theorem: Theorem, **parts: Any) -> Theorem:
    return replace(theorem, sharp_at=None, **parts)


@pytest.mark.few(2)
@pytest.mark.parametrize(("theorem", "sharp", "share"), SMALLER, ids=name)
def test_a_smaller_regret_is_broken(theorem: Theorem, sharp: tuple[Stream, ...], share: str) -> None:
    said = bound_of.falsified(mutant(theorem, regret=theorem.regret * sp.Rational(share)), sharp)
    assert theorem.name in said


@pytest.mark.few(1)
@pytest.mark.parametrize(("theorem", "sharp", "factor"), LARGER, ids=name)
def test_a_larger_learning_rate_is_broken(theorem: Theorem, sharp: tuple[Stream, ...], factor: str) -> None:
    rate = theorem.eta() * sp.Rational(factor)
    assert theorem.name in bound_of.falsified(mutant(theorem, learning_rate=rate, regret=1 / (2 * rate)), sharp)


def test_four_times_the_learning_rate_breaks_theorem_2_at_its_printed_regret() -> None:
    theorem, sharp = test_theorem2_hinge.THEOREM, test_theorem2_hinge.SHARP
    assert "is broken on" in bound_of.falsified(mutant(theorem, learning_rate=4 * theorem.learning_rate), sharp)


def test_the_slides_printed_learning_rate_is_broken() -> None:
    assert "443/338" in bound_of.falsified(test_slides_smooth_loss.PRINTED, test_slides_smooth_loss.SHARP)


@pytest.mark.slow
@pytest.mark.parametrize("theorem", [test_theorem2_hinge.THEOREM, test_theorem3_smooth_hinge.THEOREM], ids=name)
def test_a_mutant_is_found_without_the_sharp_streams(theorem: Theorem) -> None:
    assert bound_of.falsified(mutant(theorem, regret=theorem.regret / 4), (), examples=300)
