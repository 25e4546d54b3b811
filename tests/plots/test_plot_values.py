"""What is drawn of a theorem is what the learner's exact round says there."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from conftest import REPOSITORY
from sympy import Expr, Max, log

from gaptron import GapMap, MarginLoss, Parameter, SoftmaxLoss, Theorem
from gaptron.plots import Panel, plotted
from gaptron.prove.replayed_round import gap_terms
from gaptron.rounds import needs
from gaptron.symbols import K, m, p
from gaptron.theory.files import load_every
from gaptron.theory.named import named_theorem

EXAMPLES = REPOSITORY / "examples"
NAMED = ["hinge", "smooth hinge", "logistic"]


def of(name: str, file: Path) -> Theorem:
    (found,) = [item for item in load_every(file) if item.name == name]
    assert isinstance(found, Theorem)
    return found


def panel(theorem: Theorem, n_classes: int, title: str) -> Panel:
    (found,) = [one for one in plotted(theorem, [n_classes]).panels[n_classes] if one.title == title]
    return found


def scores_at(x: float, is_softmax: bool) -> list[Fraction]:
    return [Fraction(float(np.log(x / (1 - x)))) if is_softmax else Fraction(x), Fraction(0)]


@pytest.mark.parametrize("name", NAMED)
def test_the_gap_of_two_classes_is_that_of_the_round(name: str) -> None:
    theorem = named_theorem(name)
    drawn = panel(theorem, 2, "surrogate gap")
    for place in range(1, len(drawn.x), 24):
        x = float(drawn.x[place])
        if abs(x) < 1e-9:
            continue  # a tie: broken either way in the drawing
        exact = float(gap_terms(theorem, scores_at(x, name == "logistic"), 0).gap)
        assert drawn.lines["gap"][place] == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("n_classes", [3, 6])
def test_no_round_of_the_family_has_a_larger_gap_than_is_drawn(name: str, n_classes: int) -> None:
    theorem = named_theorem(name)
    drawn = panel(theorem, n_classes, "surrogate gap")
    x = drawn.x[np.argmin(abs(drawn.x - (0.3 if name == "logistic" else -0.3)))]
    largest = drawn.lines["gap"][list(drawn.x).index(x)]
    gaps = []
    for share in (Fraction(0), Fraction(1, 2), Fraction(1)):
        if name == "logistic":
            rival = (1 - x) / (1 + (n_classes - 2) * (1 - float(share)))
            masses = [x, rival, *[max((1 - float(share)) * rival, 1e-12)] * (n_classes - 2)]
            scores = [Fraction(float(np.log(mass))) for mass in masses]
        else:
            scores = [Fraction(x), Fraction(0), *[share * Fraction(x)] * (n_classes - 2)]
        gaps.append(float(gap_terms(theorem, scores, 0).gap))
    assert max(gaps) == pytest.approx(largest, abs=1e-9)


@pytest.mark.parametrize(
    ("theorem", "broken"),
    [
        (of("Theorem 1", EXAMPLES / "tilted_hinge" / "paper.py"), False),
        (of("Theorem 2", EXAMPLES / "tilted_hinge" / "paper.py"), True),
        (of("hinge, too fast", EXAMPLES / "hinge_too_fast.py"), True),
        (of("squared hinge", EXAMPLES / "squared_hinge.py"), False),
    ],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_what_is_refuted_rises_above_zero(theorem: Theorem, broken: bool) -> None:
    drawn = panel(theorem, 2, "surrogate gap")
    assert (float(np.nanmax(drawn.lines["gap"])) > 1e-9) is broken


def test_a_theorem_of_the_best_decoder_shows_what_the_labels_need() -> None:
    rate = Fraction(1, 3)
    theorem = Theorem(name="best", loss=SoftmaxLoss(-log(p, 2)), decoder="best", learning_rate=rate)
    drawn = panel(theorem, 2, "what the labels need")
    for place in (0, 40, 100):
        needed = needs(theorem.loss, rate, scores_at(float(drawn.x[place]), is_softmax=True))
        assert drawn.lines["all labels"][place] == pytest.approx(float(sum(map(float, needed))) - 1, abs=1e-9)


@pytest.mark.parametrize(("factor", "holds"), [(Fraction(1), True), (Fraction(9, 10), False)])
def test_the_optimal_constant_is_drawn_at_zero_and_a_smaller_one_above(factor: Fraction, holds: bool) -> None:
    loss = MarginLoss(Max(0, 1 - m))
    theorem = Theorem(
        name="proximal", loss=loss, update="proximal", decoder="best", regret=K**2 / (4 * (K - 1)) * factor
    )
    drawn = panel(theorem, 3, "what the labels need")
    assert (float(drawn.lines["all labels"].max()) <= 1e-9) is holds


def test_what_cannot_be_drawn_is_said() -> None:
    theorem = Theorem(name="no rate", loss=MarginLoss(Max(0, 1 - m)), gap_map=GapMap(Max(0, 1 - m)), classes=4)
    found = plotted(theorem, [2, 3, 4, 5])
    assert list(found.panels) == [4]
    assert [one.title for one in found.panels[4]] == ["surrogate loss", "gap map"]
    assert "no learning rate is given" in found.notes[0]
    with pytest.raises(ValueError, match="claimed for none"):
        plotted(theorem, [2, 3])


def test_where_a_parameter_makes_the_rate_zero_nothing_is_drawn() -> None:
    """At part = 0 there is no theorem: what is drawn lies inside the range."""
    part = Parameter("part", 0, 1)
    theorem = Theorem(
        name="slow", loss=MarginLoss(Max(0, 1 - m)), gap_map=GapMap(Max(0, 1 - m)), learning_rate=part / (2 * K)
    )
    assert plotted(theorem, [2]).notes == ("drawn for part = 1/2",)


@pytest.mark.parametrize("rate", [log(2) ** 2, 2 * log(2) ** 2, 4 * log(2) ** 2])
def test_a_round_where_a_piece_of_the_map_begins_can_be_left_open(rate: Expr) -> None:
    """Two labels with p = 1/2 each: balls cannot tell on which side of 1/2 they are."""
    faster = replace(named_theorem("logistic"), learning_rate=rate / K, regret=None)
    assert [one.title for one in plotted(faster, [2, 3]).panels[2]]
