"""The criterion of a structured theorem is drawn on the way between outputs, and what breaks it is exact."""

from collections.abc import Mapping

import numpy as np
import pytest
from sympy import Integer, Rational, log, sqrt

import gaptron
from gaptron import StructuredTheorem
from gaptron.plots import plotted_structured
from gaptron.plots.structured_plot import MOST_OUTPUTS
from gaptron.structured import Classes, Cube, Hamming, RankVectors, Shannon, SquaredNorm, Tsallis, ZeroOne
from gaptron.symbols import d


def structured(**arguments: object) -> StructuredTheorem:
    usual: Mapping[str, object] = {"outputs": Classes(), "target": ZeroOne(), "entropy": SquaredNorm()}
    return StructuredTheorem(
        **{"name": "mine", "learning_rate": Rational(1, 2), "coefficient": 4, **usual, **arguments}
    )


@pytest.mark.parametrize(
    ("theorem", "size"),
    [
        (structured(), 3),
        (structured(outputs=Cube(), target=Hamming(), coefficient=8 / d), 3),
        (structured(entropy=Shannon(), coefficient=1 / log(2), learning_rate=Rational(1, 8)), 4),
        (structured(update="proximal", learning_rate=None, coefficient=4, regret=Integer(9)), 2),
        (structured(entropy=Tsallis(Rational(3, 2)), coefficient=3 / (4 - 2 * sqrt(2))), 2),
    ],
    ids=lambda value: str(getattr(value, "entropy", value)),
)
def test_what_holds_is_at_most_zero(theorem: StructuredTheorem, size: int) -> None:
    both, criterion = plotted_structured(theorem, [size]).panels[size]
    target, allowed = both.lines.values()
    assert criterion.lines["criterion"] == pytest.approx(target - allowed)
    assert (target[0], allowed[0], both.x[0], both.x[-1]) == (0, pytest.approx(0, abs=1e-12), 0, 1)
    assert criterion.worst[1] <= 1e-9
    assert criterion.witness is None


def test_two_labels_are_as_by_hand() -> None:
    """Sparsemax: H_L = min(q, 1 - q), J = q (1 - q), Var = 2 q (1 - q)."""
    both, _ = plotted_structured(structured(), [2]).panels[2]
    q = both.x
    target, allowed = both.lines.values()
    assert target == pytest.approx(np.minimum(q, 1 - q))
    assert allowed == pytest.approx(4 * (1 - 0.25 * 2) * q * (1 - q))


def test_what_is_above_zero_has_its_witness() -> None:
    theorem = structured(coefficient=Rational(39, 10))
    panel = plotted_structured(theorem, [2]).panels[2][-1]
    assert panel.worst == (0.5, pytest.approx(1 / 80))
    assert panel.witness == "K=2, 1/2 on label 0, 1/2 on label 1: every prediction costs 1/2, above 39/80"


def test_an_image_has_it_in_red() -> None:
    pytest.importorskip("matplotlib")
    for coefficient, is_red in ((4, False), (Rational(39, 10), True)):
        axis = gaptron.plot(structured(coefficient=coefficient), classes=[2, 3]).axes[1]
        assert any(path.vertices.size for area in axis.collections for path in area.get_paths()) == is_red
        assert ("prediction costs" in axis.get_title()) == is_red
        assert [text.get_text() for text in axis.get_legend().get_texts()] == ["K = 2", "K = 3"]


def test_the_only_size_is_drawn_whatever_is_asked_and_what_cannot_be_is_said() -> None:
    assert list(plotted_structured(structured(sizes=3), [2, 5]).panels) == [3]
    with pytest.raises(ValueError, match="claimed for none of these sizes"):
        plotted_structured(structured(sizes=range(2, 4)), [5])
    with pytest.raises(ValueError, match="nothing is drawn without a learning rate"):
        plotted_structured(structured(learning_rate=None), [2])
    ranks = structured(outputs=RankVectors(), target=ZeroOne(), coefficient=100)
    assert RankVectors().count(8) > MOST_OUTPUTS
    with pytest.raises(ValueError, match="40320 outputs are too many to be drawn"):
        plotted_structured(ranks, [8])
