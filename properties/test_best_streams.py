"""The best streams that attacks have found for the shipped theorems: each uses of its bound exactly what it used then.

A file is what ``gaptron attack THEOREM --save FILE`` or ``benchmarks/tightness.py --witnesses`` writes. A ratio that
changes means that the learner, the expectation or the theorem did; one above 1 refutes the theorem.
"""

from fractions import Fraction
from pathlib import Path

import pytest

from gaptron.adversary.attacked import Replayed, replay
from gaptron.adversary.evolution import Effort, attack
from gaptron.adversary.target import target
from gaptron.numbers.evaluate import enclosure
from gaptron.theory.theorem import Theorem
from properties import bound_of

FILES = sorted((Path(__file__).resolve().parent / "best_streams").glob("*.json"))
Shipped = dict[str, Theorem]
SECONDS, GENERATIONS, SMALL = 120.0, 40, 40
MAIN = ("1, logistic", "2, hinge", "3, smooth hinge", "4, bandit logistic", "5, bandit hinge", "6, bandit smooth hinge")


@pytest.fixture(scope="module")
def shipped() -> Shipped:
    files = sorted((*bound_of.PROOFS.glob("gaptron/theorem?_*.py"), *bound_of.PROOFS.glob("new/*_best_*.py")))
    names = (str(file.relative_to(bound_of.PROOFS).with_suffix("")) for file in files)
    items = (statement.item for name in names for statement in bound_of.statements(name))
    return {item.name: item for item in items if isinstance(item, Theorem)}


def replayed(file: Path, shipped: Shipped) -> list[Replayed]:
    return list(replay(file, shipped, SECONDS))


def is_slow(file: Path) -> bool:
    return any(name in file.stem for name in ("theorem-4", "theorem-6", "hinge-best-gap-map", "logistic-best-decoder"))


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "file", [pytest.param(file, id=file.stem, marks=[pytest.mark.slow] if is_slow(file) else []) for file in FILES]
)
def test_a_recorded_stream_has_its_recorded_ratio_which_is_at_most_1(file: Path, shipped: Shipped) -> None:
    for one in replayed(file, shipped):
        low, high = enclosure(one.sides.ratio)
        assert 0 < low <= high <= 1
        assert not one.refutes


@pytest.mark.parametrize("name", MAIN)
def test_each_of_the_six_theorems_has_a_recorded_stream(name: str) -> None:
    assert any(f'"theorem": "Theorem {name}"' in file.read_text() for file in FILES)


@pytest.mark.slow
def test_no_stream_uses_more_of_theorem_3_than_1_minus_1_over_K(shipped: Shipped) -> None:
    """One round uses as much with two classes: there the constant 2 (K - 1) in the place of 2 K is the sharp one.

    The square of the difference of two margins, which Lemma 1 drops, is at least 1/K of what a round brings W nearer
    to U; so a round is worth at most 1 - 1/K of that.
    """
    (file,) = [file for file in FILES if file.stem.startswith("theorem-3-smooth")]
    ratios = {one.data["K"]: enclosure(one.sides.ratio)[1] for one in replayed(file, shipped)}
    assert ratios[2] == Fraction(1, 2)
    assert all(ratio <= 1 - Fraction(1, n_classes) for n_classes, ratio in ratios.items())


@pytest.mark.slow
@pytest.mark.parametrize("file", [file for file in FILES if not is_slow(file)], ids=lambda file: file.stem)
def test_a_plain_search_comes_within_a_tenth_of_the_recorded_ratios(file: Path, shipped: Shipped) -> None:
    for one in (one for one in replayed(file, shipped) if one.data["K"] * one.data["T"] <= SMALL):
        game = target(shipped[one.theorem], one.data["K"], one.data["T"])
        best = attack(game, Effort(0, GENERATIONS), float("inf"))
        assert best is not None
        assert best.low >= Fraction(9, 10) * enclosure(one.sides.ratio)[0]
