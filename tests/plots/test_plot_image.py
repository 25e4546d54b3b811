"""Figures are whole, show what is above zero with an exact round, and leave pyplot as it is."""

from fractions import Fraction
from pathlib import Path

import pytest
from sympy import Max

import gaptron
from gaptron import GapMap, MarginLoss, Theorem
from gaptron.plots import plotted
from gaptron.prove.replayed_round import gap_terms
from gaptron.symbols import K, m

LOSS = Max(1 - m, 0) ** 2
GOOD, FAST = (
    Theorem(name="squared", loss=MarginLoss(LOSS), gap_map=GapMap(LOSS), learning_rate=eta)
    for eta in (1 / (4 * K), 1 / (2 * K))
)


def test_the_round_where_the_gap_is_largest_is_exact() -> None:
    panel = plotted(FAST, [3]).panels[3][-1]
    assert panel.witness == "K=3, scores=(0, 0, 0), label 0: gap = 1/3"
    assert gap_terms(FAST, [Fraction(0)] * 3, 0).gap == Fraction(1, 3)
    assert panel.worst == (pytest.approx(0, abs=1e-9), pytest.approx(1 / 3))
    assert plotted(GOOD, [3]).panels[3][-1].witness is None


@pytest.mark.slow
def test_what_is_above_zero_is_red() -> None:
    pytest.importorskip("matplotlib")
    for theorem, is_red in ((FAST, True), (GOOD, False)):
        gap = gaptron.plot(theorem, classes=[2, 3]).axes[-1]
        areas = [path for area in gap.collections for path in area.get_paths()]
        assert bool(areas) == is_red
        assert gap.get_title() == ("K=2, scores=(-3/2, 0), label 0: gap = 1" if is_red else "")


@pytest.mark.slow
def test_a_figure_of_the_library_leaves_the_users_backend_alone(tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    from gaptron.plots.image import image

    before = matplotlib.rcParams._get("backend")
    matplotlib.use("svg")
    try:
        image([plotted(GOOD, [2])], tmp_path / "a.png")
        gaptron.plot(GOOD, classes=[2])
        assert matplotlib.get_backend() == "svg"
    finally:
        matplotlib.rcParams["backend"] = before


@pytest.mark.slow
def test_the_labels_of_an_image_are_within_it(tmp_path: Path) -> None:
    """The margins of the image are blank: nothing is cut off."""
    pytest.importorskip("matplotlib")
    from matplotlib.image import imread

    from gaptron.experiments.repeat import Seeded, plot

    found = [Seeded(0, 4, 4.5, [10, 20], [0.3, 0.2])]
    plot(found, "a learner on " + "a very long name of a file/" * 3, tmp_path / "run.png")
    pixels = imread(tmp_path / "run.png")
    edges = (pixels[:3], pixels[-3:], pixels[:, :3], pixels[:, -3:])
    assert all((edge == 1).all() for edge in edges)
