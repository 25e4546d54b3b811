"""Each case of a binary loss says which label it is about."""

import sympy as sp

from gaptron import BinaryLoss, GapMap, Theorem
from gaptron.guesses import obligations_of
from gaptron.symbols import K, m, z
from gaptron.theory.losses import MarginLoss


def test_the_label_of_a_case_is_the_one_that_it_states() -> None:
    hinge = sp.Max(1 - z, 0)
    loss = BinaryLoss(plus=hinge**2, minus=2 * hinge.subs(z, -z) ** 2)
    theorem = Theorem(name="b", loss=loss, gap_map=GapMap(1 - sp.Min(1, m)), learning_rate=sp.Rational(1, 8))
    gaps = [o for o in obligations_of(theorem) if o.id.startswith("gap/")]
    assert {o.label for o in gaps} == {1, -1}
    assert all(f"Eq(y, {o.label})" in o.statement for o in gaps)
    assert {o.label for o in obligations_of(theorem) if o not in gaps} == {None}


def test_other_losses_have_no_label() -> None:
    squared = sp.Max(1 - m, 0) ** 2
    theorem = Theorem(name="m", loss=MarginLoss(squared), gap_map=GapMap(squared), learning_rate=1 / (4 * K))
    assert {o.label for o in obligations_of(theorem)} == {None}
