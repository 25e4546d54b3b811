"""The statement of a claim: given, or written from its arguments, and never both."""

from dataclasses import replace

import pytest
import sympy as sp

from gaptron import Argument, Claim, Implication, TheoremError

x = sp.Symbol("x", real=True)
STEP = Implication(name="step", statement="step", given=(x >= 1,), then=x**2 >= 1)
SQUARE = Argument(
    name="square", setting="A number", hypotheses=(x >= 1,), steps=(STEP,), conclusion=x**2 >= 1, example={x: 1}
)


def claim(argument: Argument, **given: str) -> Claim:
    return Claim(id="mine/square", source="page 1", grounds=argument, recorded="PROVED", **given)  # type: ignore[arg-type]


def test_it_is_written_from_the_arguments() -> None:
    assert claim(SQUARE).statement == "A number: x^2 >= 1, if x >= 1"
    assert claim(SQUARE).tex == r"x^{2} \ge 1"
    assert claim(SQUARE) == claim(SQUARE)


@pytest.mark.parametrize("name", ["statement", "tex"])
def test_it_is_not_given_as_well(name: str) -> None:
    with pytest.raises(TheoremError, match="leave it out"):
        claim(SQUARE, **{name: "a square is large"})


@pytest.mark.parametrize("hypothesis", [sp.Ne(x, 0), sp.true])
def test_what_has_no_words_is_refused_at_once(hypothesis: sp.Basic) -> None:
    with pytest.raises(TheoremError, match="is no equation or inequality"):
        claim(replace(SQUARE, hypotheses=(x >= 1, hypothesis)))


def test_without_arguments_it_is_needed() -> None:
    from gaptron import NotCheckable

    with pytest.raises(TheoremError, match="statement"):
        Claim(id="mine/none", source="page 1", grounds=(NotCheckable("prose"),), recorded="NOT-CHECKABLE")
