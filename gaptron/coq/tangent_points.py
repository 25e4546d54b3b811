"""Probabilities at which the tangent of a softmax loss shows that some algorithm attains a constant."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from gaptron.coq.claim_search import kernel_relation
from gaptron.coq.constants import shown
from gaptron.coq.extracted import of_coq
from gaptron.coq.kernel_data import Data, rational
from gaptron.coq.records import LeadData
from gaptron.language.expressions import Expression, variables
from gaptron.language.formulas import formula
from gaptron.language.terms import Term
from gaptron.numbers.compiled import compiled
from gaptron.numbers.kinds import Doubles

STEPS = (10, 50, 100, 500, 1000, 5000, 10000)  # how finely a point is chosen: simple ones are cheaper


def tangent_point(
    data: LeadData, psi: Expression, constant: Expression, names: Sequence[str]
) -> tuple[Data, Data] | None:
    """A rational one with its odds, if an enclosure shows that it is enough; none if the loss is not of p alone.

    Parameters
    ----------
    data : LeadData
    psi, constant : Expression
        The loss in p, and a number.
    names : names of the variables in claims, by their places
    """
    if variables(psi) != {"p"}:
        return None
    pairs = ((rational(at), rational(at / (1 - at))) for at in _points(psi, constant))
    return next((pair for pair in pairs if _is_enough(data, pair, names)), None)


def _is_enough(data: LeadData, pair: tuple[Data, Data], names: Sequence[str]) -> bool:
    there = replace(data, point=pair)
    (part,) = of_coq("joined")(there.loss_data())
    *_, (*_, then) = of_coq("about_lead")(there.data())(part.second)
    asked = kernel_relation(then, names)
    slack: Term = ("+", asked.right, ("*", Fraction(-1), asked.left))
    return shown(slack) is not None


def _points(psi: Expression, constant: Expression) -> Iterator[Fraction]:
    """Near the one at which psi + c m^2/2 is least, m the log odds: found in floats."""
    value = compiled(formula("psi + c*log(p/(1 - p))**2/2", psi=psi, c=constant), "p", Doubles())
    for steps in STEPS:
        values = {float(value(n / steps)): n for n in range(steps // 2 + 1, steps)}
        yield Fraction(values[min(values)], steps)
