"""Mistakes planted in what the properties are about, each noticed by its property on generated examples alone."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import is_hypothesis_test
from hypothesis.stateful import run_state_machine_as_test

from gaptron.bounds.sides import Game
from gaptron.learners import (
    SOBA,
    Banditron,
    BiasedHalving,
    Cone,
    FTRLGaptron,
    Gaptron,
    Perceptron,
    gradient_descent,
    saving,
    second_order_perceptron,
    soba,
)
from gaptron.learners.arithmetic import Arithmetic, ExactArrays
from gaptron.learners.surrogates import LearnersSurrogate
from gaptron.rounds.layouts import Vectors
from properties import (
    adversaries,
    formulas,
    quoted_descent,
    quoted_second_order,
    test_banditron_bound,
    test_blog_exercise1,
    test_exhaustive,
    test_learner_against_formulas,
    test_learners_on_long_streams,
    test_lemma1,
    test_notes_cone,
    test_notes_descent,
    test_notes_halving,
    test_notes_lower_bound,
    test_perceptron_bounds,
    test_perceptron_second_order,
    test_scalar_reduction,
    test_sides_against_formulas,
    test_soba_adaptive,
    test_soba_diagonal,
    test_soba_lemma3,
    test_soba_lemmas,
    test_soba_theorems,
    test_stateful_learner,
)
from properties.planted import Mistake, Property, alone, generated, power

EXAMPLES = 30


def result(owner: Any, name: str, words: str, change: Any) -> Mistake:
    """Another result."""
    return Mistake(words, owner, name, lambda right: lambda *given, **named: change(right(*given, **named)))


def step(factor: int, words: str) -> Mistake:
    """A Gaptron's step, times a factor."""
    return Mistake(words, Gaptron, "_move", lambda move: lambda self, at, by: move(self, at, factor * by))


def added(words: str, change: Any) -> Mistake:
    """What a Perceptron adds to its weights."""
    return Mistake(words, Perceptron, "_add", lambda add: lambda self, x, weights: add(self, x, change(weights)))


def unweighted(owner: Any) -> Mistake:
    """A right draw counts once, however unlikely it was."""
    return Mistake(
        "no 1/p",
        owner,
        "_learn_correct",
        lambda learn: lambda self, seen, drawn, right, p: learn(self, seen, drawn, right, 1),
    )


def ties(owner: Any) -> Mistake:
    """The last of equal scores."""
    return Mistake(
        "ties to the last label", owner, "top", lambda top: lambda self, v: len(v) - 1 - top(self, np.array(v)[::-1])
    )


SMOOTH, BINARY, LOGISTIC = {"kind": formulas.SmoothHinge}, {"name": "smooth hinge"}, {"name": "logistic"}
GUESSING = [{"theorem": theorem} for theorem in test_learners_on_long_streams.GUESSING]
ABSTAINING = [{"loss": loss} for loss in test_learners_on_long_streams.ABSTAINING]
FLIPPED, TRIPLED, NO_STEP = step(-1, "sign of the step"), step(3, "eta times 3"), step(0, "no step")
ADDED_FLIPPED = added("sign of the step", lambda weights: {k: -w for k, w in weights.items()})
ADDED_TWICE = added("twice the step", lambda weights: {k: 2 * w for k, w in weights.items()})


def _not_inverted(grown: Any) -> Any:
    return lambda P, z, weight=1: (P + weight * np.outer(z, z), P @ z)


SECOND_ORDER_INVERSE, SOBA_INVERSE, DESCENT_INVERSE = (
    Mistake("the inverse is not kept", owner, "grown_inverse", _not_inverted)
    for owner in (second_order_perceptron, soba, gradient_descent)
)
M_WITHOUT_2 = Mistake(
    "<W, g> once in m",
    SOBA,
    "_margin",
    lambda margin: lambda self, s: s.weight * s.mu * (s.mu + 1) / (1 + s.weight * self._quadratic(s)),
)
NOT_GROWN = Mistake(
    "A does not grow",
    quoted_second_order.Ridge,
    "grown",
    lambda grown: lambda self, v, p: replace(grown(self, v, p), A=self.A),
)
SOBA_FLIPPED = result(SOBA, "_step", "sign of the step", lambda step: replace(step, v=-step.v))
THETA = result(quoted_second_order.Ridge, "grown", "sign of theta", lambda g: replace(g, theta=-g.theta))

FTRL_FLIPPED = result(LearnersSurrogate, "score_gradient", "sign of the gradient", lambda g: -g)
LARGEST = Mistake(
    "the largest norm is forgotten", FTRLGaptron, "_norm", lambda norm: lambda self, x: np.hypot.reduce(x)
)
FORMULA_FLIPPED = result(formulas, "gradient", "sign of the gradient", lambda g: [[-v for v in row] for row in g])
FORMULA_DOUBLED = result(formulas, "gradient", "twice the gradient", lambda g: [[2 * v for v in row] for row in g])
HALF_GAP = result(LearnersSurrogate, "gap", "half of the gap map", lambda a: a / 2)
REGRET = result(Game, "regret", "twice the regret", lambda regret: 2 * regret)
NEAR = result(Cone, "_distances", "half of the distance", lambda distance: distance / 2)
DESCENT = Mistake("eta times 4", quoted_descent, "ETA", lambda eta: 4 * eta)
OUTSIDE = result(BiasedHalving, "_members", "what is not in Omega(i|x) is taken", lambda inside: ~inside)
GATE = Mistake("the printed gate, squared", test_notes_descent, "HALF", lambda half: 8 * half)
RARER = Mistake(
    "a right guess is rarer", test_notes_halving, "at_most", lambda f: lambda n, right, K: f(n, right, 9 * K)
)
NO_TRAP = Mistake("no trap", test_notes_lower_bound, "label", lambda label: lambda j, p, eps: 1)
TRAP = Mistake("always a trap", test_notes_lower_bound, "label", lambda label: lambda j, p, eps: 2)
SHORTER = Mistake("half of the rounds", test_notes_lower_bound, "until_right", lambda f: lambda p, n: f(p, n // 2))
EARLIER = Mistake(
    "twice epsilon", adversaries, "_lower_bound", lambda play: lambda who, X, eps, rng: play(who, X, 2 * eps, rng)
)
FORGOTTEN = result(saving, "load", "a draw is lost", lambda learner: (learner.rng.random(), learner)[1])


def driven() -> None:
    """The learner as its users drive it."""
    run_state_machine_as_test(test_stateful_learner.Driven, settings=generated(EXAMPLES))


NOTICED: list[tuple[Any, dict[str, Any], list[Mistake]]] = [
    (test_perceptron_bounds.test_every_bound_but_the_quoted_one, {}, [ADDED_FLIPPED]),
    (test_perceptron_bounds.test_theorem_1_for_powers_between, {}, [ADDED_FLIPPED]),
    (test_perceptron_bounds.test_the_learner_is_the_algorithm, {}, [ADDED_TWICE, ties(Arithmetic)]),
    (test_banditron_bound.test_the_mistake_bound, {}, [ADDED_FLIPPED, unweighted(Banditron)]),
    (test_banditron_bound.test_the_two_halves_of_the_proof, {}, [ADDED_TWICE, unweighted(Banditron)]),
    (test_banditron_bound.test_the_learner_is_the_algorithm, {"K": 3, "gamma": 0.75}, [ADDED_TWICE]),
    (test_perceptron_second_order.test_the_mistake_bound, {}, [SECOND_ORDER_INVERSE]),
    (test_perceptron_second_order.test_the_slack_of_the_mistake_bound, {}, [NOT_GROWN, THETA]),
    (test_perceptron_second_order.test_the_learner_is_the_algorithm, {}, [SECOND_ORDER_INVERSE, ties(ExactArrays)]),
    (test_soba_theorems.test_theorem_3_and_the_first_statement_of_theorem_2, {}, [SOBA_INVERSE, unweighted(SOBA)]),
    (test_soba_theorems.test_the_second_statement_of_theorem_2_with_constants, {"zeros": 0}, [SOBA_FLIPPED]),
    (test_soba_theorems.test_theorem_4_before_the_tuning_of_gamma, {}, [SOBA_FLIPPED]),
    (test_soba_adaptive.test_theorem_5_with_constants, {}, [SOBA_INVERSE]),
    (test_soba_adaptive.test_with_the_updates_only_every_summand_is_less_than_one, {}, [NOT_GROWN]),
    (test_soba_diagonal.test_four_rounds_on_a_grid_do_not_break_it, {}, [unweighted(SOBA)]),
    (test_soba_lemma3.test_lemma_3_and_its_sharper_form, {}, [NOT_GROWN]),
    (test_soba_lemma3.test_the_sum_is_nevertheless_at_most_dk_ln_t, {}, [NOT_GROWN]),
    (test_soba_lemma3.test_a_certain_label_repeated_gives_the_harmonic_sum, {}, [NOT_GROWN]),
    (test_soba_lemmas.test_the_invariant_and_lemma_1_with_the_sign_of_algorithm_1, {}, [NOT_GROWN, THETA]),
    (test_soba_lemmas.test_the_learner_is_the_algorithm, {}, [SOBA_INVERSE, unweighted(SOBA), M_WITHOUT_2]),
    (test_soba_lemmas.test_the_slack_of_lemma_2_is_the_invariant, {}, [NOT_GROWN, THETA]),
    (test_blog_exercise1.test_mistake_bound, {}, [FTRL_FLIPPED]),
    (test_blog_exercise1.test_the_learner_is_the_recursion, {}, [FTRL_FLIPPED, LARGEST]),
    (test_learner_against_formulas.test_exact_learner_equals_the_formulas, SMOOTH, [FLIPPED, TRIPLED]),
    (test_learner_against_formulas.test_double_round_equals_the_formulas, SMOOTH, [FLIPPED, TRIPLED]),
    (
        test_learner_against_formulas.test_double_round_equals_the_exact_round,
        {"name": "logistic"},
        [ties(Vectors)],
    ),
    (test_learner_against_formulas.test_the_binary_gap_map_is_the_loss_of_the_predicted_label, BINARY, [HALF_GAP]),
    (test_learner_against_formulas.test_one_step_of_the_lemma, SMOOTH, [FORMULA_FLIPPED]),
    (test_lemma1.test_lemma_1, {}, [FLIPPED, TRIPLED]),
    (test_lemma1.test_lemma_1_with_projection, {}, [FLIPPED, NO_STEP]),
    (test_scalar_reduction.test_gap_depends_on_scalars_only, SMOOTH, [TRIPLED, FORMULA_DOUBLED]),
    (test_scalar_reduction.test_gap_is_at_most_zero_in_the_unit_ball, SMOOTH, [FORMULA_DOUBLED]),
    (test_sides_against_formulas.test_full_information, SMOOTH, [FORMULA_FLIPPED, REGRET]),
    (test_notes_cone.test_half_the_margin_of_unit_rows_makes_near_cones_sure, {}, [NEAR]),
    (test_notes_descent.test_the_lemmas_with_their_sharp_constants, {}, [DESCENT]),
    (test_notes_descent.test_a_gate_at_one_over_root_two_would_do, {}, [GATE]),
    (test_notes_descent.test_the_learner_is_the_algorithm, {}, [DESCENT_INVERSE]),
    (test_notes_halving.test_both_counts_hold_on_every_path, {}, [OUTSIDE]),
    (test_notes_halving.test_with_a_union_over_the_right_guesses_it_holds, {}, [RARER]),
    (test_notes_lower_bound.test_lemma_4_holds_as_it_stands, {}, [TRAP]),
    (test_notes_lower_bound.test_lemma_3_with_enough_rounds_left, {}, [SHORTER]),
    (test_notes_lower_bound.test_both_lemmas_together, {}, [NO_TRAP]),
    (test_notes_lower_bound.test_the_adversary_of_the_package_is_this_one, {}, [EARLIER]),
    *((test_learners_on_long_streams.test_mistake_bound, given, [FLIPPED, NO_STEP]) for given in GUESSING),
    *((test_learners_on_long_streams.test_cost_bound, given, [FLIPPED, NO_STEP]) for given in ABSTAINING),
    (test_exhaustive.walked, {"theorem": test_exhaustive.FULL[2], "n_classes": 2, "n_rounds": 3}, [FLIPPED, NO_STEP]),
    (driven, {}, [FORGOTTEN]),
]


def row(prop: Any, given: dict[str, Any], mistake: Mistake) -> Any:
    """Its name: the property's file and its own, what is given, and the mistake."""
    module = prop.__module__.removeprefix("properties.test_")
    told = [getattr(value, "name", value) for value in given.values()]
    return pytest.param(prop, given, mistake, id=", ".join(map(str, (module, prop.__name__, *told, mistake.words))))


@pytest.mark.few(14)
@pytest.mark.parametrize(
    ("prop", "given", "mistake"), [row(p, g, mistake) for p, g, found in NOTICED for mistake in found]
)
def test_a_planted_mistake_is_noticed(prop: Property, given: dict[str, Any], mistake: Mistake) -> None:
    with mistake.planted(), pytest.raises(AssertionError):
        alone(prop, EXAMPLES, **given) if is_hypothesis_test(prop) else prop(**given)


# a mistake bound, what it is given, and the least shares of its streams with power and of those a guess breaks
POWERFUL: list[tuple[Any, dict[str, Any], float, float]] = [
    (test_perceptron_bounds.test_every_bound_but_the_quoted_one, {}, 0.5, 0.25),
    (test_blog_exercise1.test_mistake_bound, {}, 0.5, 0.25),
    (test_perceptron_second_order.test_the_mistake_bound, {}, 0.25, 0.1),
    (test_banditron_bound.test_the_mistake_bound, {}, 0.25, 0.1),
    (test_soba_theorems.test_theorem_3_and_the_first_statement_of_theorem_2, {}, 0.5, 0.25),
    (test_soba_theorems.test_theorem_4_before_the_tuning_of_gamma, {}, 0.25, 0),
    (test_soba_adaptive.test_theorem_5_with_constants, {}, 0.25, 0),
    *((test_learners_on_long_streams.test_mistake_bound, given, 0.5, 0.2) for given in GUESSING),
    *((test_learners_on_long_streams.test_cost_bound, given, 0.5, 0.2) for given in ABSTAINING),
]


@pytest.mark.few(2)
@pytest.mark.parametrize(("prop", "given", "broken", "guessed"), POWERFUL)
def test_streams_have_power(prop: Property, given: dict[str, Any], broken: float, guessed: float) -> None:
    shares = power(prop, EXAMPLES, **given)
    assert shares[0] >= broken
    assert shares[1] >= guessed
