"""Signs of denominators: what an enclosure sees is not looked for by linear programs, which may not end."""

from fractions import Fraction

import pytest

from gaptron.kernel import Claim, Relation, check
from gaptron.prove import search
from gaptron.prove.hints import written

CLASSES = Relation(">=", "K", Fraction(2))
ROOT = ("root", Fraction(2), 2)


@pytest.mark.parametrize("factor", [("+", "K", Fraction(-1)), ("+", Fraction(1), ("*", Fraction(-1), "K"))])
def test_a_sign_that_an_enclosure_sees_is_not_asked_of_a_linear_program(factor, monkeypatch):
    """Of the wrong sign, with a bound of a root among the facts, one took seven seconds and ended in an error."""
    asked = []
    find = search.find_combination
    monkeypatch.setattr(search, "find_combination", lambda claim, *rest: asked.append(claim.then) or find(claim, *rest))
    given = (CLASSES, Relation(">=", ("*", "u", ROOT), "K"))
    claim = Claim(given, Relation(">=", ("*", "u", ROOT, ("^", factor, -1), factor), "K"))
    check(claim, written(claim, search.Search(float("inf")).prove(claim)))
    assert asked
    assert [then for then in asked if factor in (then.left, then.right)] == []
