"""Abstention with one weight vector in Coq: what follows, and what is refused where."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from sympy import Max, Rational
from test_refutations import written
from test_whole_theorems import Proved, proved, refuse_other_data

from gaptron import BinaryLoss, Contact, GapMap, Parameter
from gaptron.coq.development import development, refuting
from gaptron.coq.formal import STATEMENT, asked, read
from gaptron.coq.library import ALLOWED, compiled
from gaptron.coq.proved import Claims
from gaptron.coq.reader import compare
from gaptron.coq.reader.points import DifferentError
from gaptron.coq.refuted import refuted
from gaptron.coq.theorem_kinds import kind_of
from gaptron.symbols import m, z
from gaptron.theory.theorem import Theorem

c = Parameter("c", 0, Rational(9, 10))
SQUARE = Max(1 - z, 0) ** 2
MIRRORED = Theorem(
    name="abstaining",
    loss=BinaryLoss(plus=SQUARE),
    gap_map=GapMap(Max(1 - m, 0) ** 2),
    learning_rate=(1 - c) / 4,
    regret=2 / (1 - c),
    abstention_cost=c,
)
OWN = {
    "mirrored": MIRRORED,
    "two losses": replace(
        MIRRORED,
        name="two losses",
        loss=BinaryLoss(plus=2 * SQUARE, minus=Max(1 + z, 0) ** 2),
        learning_rate=(1 - c) / 8,
        regret=4 / (1 - c),
    ),
    "sharp": replace(
        MIRRORED,
        name="sharp",
        learning_rate=Rational(5, 16),
        regret=None,
        abstention_cost=Rational(1, 4),
        sharp_at=Contact(right=False, margin=Rational(-1, 3)),
    ),
}
FAST = replace(MIRRORED, name="too fast", learning_rate=Rational(1, 2), regret=None, abstention_cost=Rational(1, 4))
ROUND = {"obligation": "gap/right/4", "K": 2, "scores": ["0", "0"], "label": 0}


@cache
def certified(name: str) -> Proved:
    """A theorem with its certificates."""
    return proved(OWN[name])


def agreed(theorem: Theorem, text: str, is_refuted: bool = False) -> int:
    """How many values agree."""
    ((_, statement),) = STATEMENT.findall(text)
    return compare(theorem, [text], statement, is_refuted=is_refuted)


PLANTED = {
    "another cost": ("R :=\n  v_c.", "R :=\n  (v_c ^ 2).", "the abstention cost at"),
    "a larger rate": ("((1 / 4) + ((-1", "((1 / 3) + ((-1", "the learning rate at"),
    "guesses": ("(abstention 2 d", "(full 2 d", "of another game"),
    "three labels": ("(abstention 2 d", "(abstention 3 d", "of another game"),
    "one loss": ("(plus (INR 2) v_c) (minus", "(minus (INR 2) v_c) (minus", "plus at"),
    "a wider range": ("v_c <= (9 / 10) -> 0 < X", "v_c <= 2 -> 0 < X", "its premises"),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_difference_is_found(planted: str) -> None:
    text = kind_of(MIRRORED)(MIRRORED, Claims(), "T_read").text()
    assert agreed(MIRRORED, text) > 50
    before, after, finding = PLANTED[planted]
    assert before in text
    with pytest.raises(DifferentError, match=finding):
        agreed(MIRRORED, text.replace(before, after))


def test_a_larger_rate_is_denied_at_that_cost() -> None:
    text = kind_of(OWN["sharp"])(OWN["sharp"], Claims(), "T_read").text()
    assert agreed(OWN["sharp"], text) > 50
    before = "~ binary_conditions (abstention_cost (INR 2))"
    assert before in text
    for after, finding in (
        ("~ binary_conditions (rate (INR 2))", "conditions of other predictions"),
        ("~ binary_conditions (guessing (INR 2))", "conditions of other predictions"),
        ("~ margin_conditions (abstention_cost (INR 2))", "these are other conditions"),
    ):
        with pytest.raises(DifferentError, match=finding):
            agreed(OWN["sharp"], text.replace(before, after))


def test_a_broken_round_is_one_with_that_cost() -> None:
    text = refuting(FAST, Claims(), "R_read", refuted(FAST, ROUND)).text()
    assert agreed(FAST, text, is_refuted=True) > 50
    for before, after in (("broken_abstention_round 2", "broken_round 2"), ("R :=\n  (1 / 4)", "R :=\n  (1 / 3)")):
        with pytest.raises(DifferentError):
            agreed(FAST, text.replace(before, after), is_refuted=True)


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", OWN)
def test_coq_accepts_it(name: str, library: Path, tmp_path: Path) -> None:
    whole = development(*certified(name))
    found = read(whole, compiled(asked(whole), tmp_path, library))
    assert set(found.axioms) <= set(ALLOWED.values())
    assert "guarantee (abstention 2 d (binary_loss d (plus (INR 2)" in found.statement
    assert ("binary_conditions (abstention_cost" in found.statement) == (name == "sharp")
    assert compare(OWN[name], [*whole.files.values()], found.statement) > 50


@pytest.fixture(scope="module")
def claims(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of the mirrored theorem, compiled."""
    folder = tmp_path_factory.mktemp("mirrored")
    name, text = next(iter(development(*certified("mirrored")).files.items()))
    compiled({name: text}, folder, library)
    return folder


OTHERS = {
    "a larger cost": {"abstention_cost": (2 + c) / 3},
    "a larger rate": {"learning_rate": 101 * (1 - c) / 200},
    "a smaller regret": {"regret": 19 / (10 * (1 - c))},
    "a larger map": {"gap_map": GapMap(101 * Max(1 - m, 0) ** 2 / 100)},
    "half the loss of the other label": {"loss": BinaryLoss(plus=SQUARE, minus=Max(1 + z, 0) ** 2 / 2)},
}


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(4)
@pytest.mark.parametrize("other", OTHERS)
def test_a_theorem_is_no_other_than_that_of_its_data(other: str, claims: Path, library: Path) -> None:
    refuse_other_data(certified("mirrored"), replace(MIRRORED, **OTHERS[other]), claims, library)


@pytest.mark.slow
@pytest.mark.coq
def test_coq_accepts_a_broken_round(library: Path, tmp_path: Path) -> None:
    whole = written(FAST)
    said = read(whole, compiled(asked(whole), tmp_path, library))
    assert "broken_abstention_round 2 d (binary_loss d (plus (INR 2))" in said.statement
    assert compare(FAST, [*whole.files.values()], said.statement, is_refuted=True) > 50
