"""Surrogate regret from estimated gradients: its arguments hold together, and not without what they need."""

from dataclasses import replace

import pytest
import sympy as sp

from gaptron.checking.check import plan
from gaptron.obligations.statement import statement
from gaptron.prove.certify import certify
from gaptron.prove.proofs import NotFoundError
from gaptron.theory import surrogate_regret as regret
from gaptron.theory.arguments import Argument, Sentence
from gaptron.theory.compose import CompositionError, compose
from gaptron.theory.theorem import Implication, Lemma

WHOLE = (
    regret.adaptive_descent,
    regret.fixed_descent,
    regret.with_payments,
    regret.with_estimates,
    regret.surrogate_regret,
    regret.of_copies,
)


@pytest.mark.parametrize("argument", WHOLE, ids=lambda one: one.name)
def test_it_holds_together(argument: Argument) -> None:
    assert argument.conclusion
    compose(argument, {})


@pytest.mark.parametrize(
    ("argument", "left_out"),
    [(one, left_out) for one in (regret.with_estimates, regret.fixed_descent) for left_out in one.hypotheses],
    ids=lambda part: getattr(part, "name", str(part)),
)
def test_every_hypothesis_is_needed(argument: Argument, left_out: Sentence) -> None:
    rest = tuple(one for one in argument.hypotheses if one != left_out)
    with pytest.raises(CompositionError):
        compose(replace(argument, hypotheses=rest), {})


def proved(step: Implication, seconds: float = 2.0) -> bool:
    (obligation,) = plan(Lemma(name=step.name, implications=(step,)))
    try:
        for claim in obligation.claims:
            certify(statement(claim), seconds)
    except NotFoundError:
        return False
    return True


@pytest.mark.slow
def test_every_step_has_a_certificate() -> None:
    assert all(map(proved, (*regret.of_copies.implications, *regret.fixed_descent.implications)))


def test_a_smaller_constant_has_none() -> None:
    """B r <= c B^2/(2 w) + c w r^2/2 is false for c = 9/10."""
    B, w, root = regret.B, regret.w, regret.root
    most = sp.Rational(9, 10) * (B**2 / (2 * w) + w * root**2 / 2)
    assert not proved(Implication(name="too small", statement="false", given=(), then=B * root <= most), 0.5)
