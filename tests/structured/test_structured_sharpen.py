"""The sharp constants of structured theorems: closed forms proved, and brackets that decoders confirm."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sp
from all_decoders import Game, coordinate
from click.testing import CliRunner
from sympy import Rational, S, log

from gaptron import StructuredTheorem, structured
from gaptron.checking.cache import Cache
from gaptron.commands.cli import main
from gaptron.constants.engine import Engine
from gaptron.constants.report import document
from gaptron.constants.structured_constants import Part, SharpenedStructured, sharpen_structured
from gaptron.constants.write import _constructed
from gaptron.prove.broken_distributions import critical
from gaptron.symbols import d, v
from gaptron.theory.files import load
from gaptron.theory.structured import (
    Classes,
    Convolutional,
    Cost,
    Cube,
    Finite,
    Hamming,
    KendallTau,
    Quadratic,
    RankVectors,
    Separable,
    Shannon,
    SquaredNorm,
    Tsallis,
    ZeroOne,
)

HALF = Rational(1, 2)
COSTS = Cost([[0, 1, 3], [2, 0, 1], [1, 1, 0]])
FILE = """
from sympy import Rational
from gaptron import StructuredTheorem
from gaptron.theory.structured import Cube, Hamming, SquaredNorm
from gaptron.symbols import d

multilabel = StructuredTheorem(
    name="multilabel", outputs=Cube(), target=Hamming(), entropy=SquaredNorm(), learning_rate=Rational(1, 4),
    coefficient=8 / d,
)
"""


def sharpened(sizes: range = range(2, 4), **arguments: Any) -> dict[str, Part]:
    usual = {"name": "example", "outputs": Classes(), "target": ZeroOne(), "entropy": SquaredNorm()}
    theorem = StructuredTheorem(**usual | {"learning_rate": HALF} | arguments)
    parts: list[Part] = []
    sharpen_structured(theorem, sizes, Engine(20, 2, Cache(None, lambda _: None)), parts)
    return {part.name: part for part in parts}


@pytest.mark.slow
def test_the_k_free_constant_of_the_logistic_loss() -> None:
    found = sharpened(range(2, 3), entropy=Shannon(), scale=1 / log(2), learning_rate=log(2) ** 2)
    assert found["best_decoder"].closed_form == 2 * log(2) ** 2
    assert found["coefficient"].closed_form == Rational(2, 3)
    assert found["frontier"].closed_form == 1 / (4 * log(2) ** 2)
    assert all(part.certified for part in found.values())


@pytest.mark.slow
def test_a_regret_does_not_depend_on_the_scale() -> None:
    for scale in (1, 3):
        frontier = sharpened(range(2, 3), entropy=Shannon(), scale=scale, coefficient=3)["frontier"]
        assert frontier.closed_form == 1 / (4 * log(2) ** 2)


@pytest.mark.slow
def test_rankings_for_every_number_of_items() -> None:
    found = sharpened(outputs=RankVectors(), target=KendallTau(), coefficient=10 / d)
    assert sp.simplify(found["frontier"].closed_form - 8 / (d * (d - 1))) == 0
    assert found["best_decoder"].brackets[2] is not None
    assert found["best_decoder"].brackets[2][0] == Fraction(3, 5)


@pytest.mark.slow
@pytest.mark.parametrize("part", ["coefficient", "best_decoder"])
def test_a_cost_matrix_on_both_sides_by_linear_programming(part: str) -> None:
    found = sharpened(range(3, 4), target=COSTS, coefficient=10)[part]
    assert found.brackets[3] is not None
    low, high = map(float, found.brackets[3])
    for value, exists in ((low * 0.999, part == "best_decoder"), (high * 1.001, part == "coefficient")):
        chosen = {"learning_rate": value} if part == "best_decoder" else {"coefficient": value, "learning_rate": HALF}
        theorem = StructuredTheorem(
            **{"name": "c", "outputs": Classes(), "target": COSTS, "entropy": SquaredNorm(), "coefficient": 10} | chosen
        )
        game = Game(theorem, 3, coordinate(theorem))
        worst = max(game.excess(np.array([float(a) for a in w.mean])) for w in critical(theorem, 3))
        assert (worst < 1e-6) == exists


@pytest.mark.slow
def test_a_frontier_between_two_distributions_is_bracketed() -> None:
    frontier = sharpened(range(3, 4), target=COSTS, entropy=Shannon())["frontier"]
    assert frontier.brackets[3] is not None
    low, high = frontier.brackets[3]
    assert 0 < high - low < high / 10**5


@pytest.mark.slow
def test_a_rate_beyond_the_modulus_is_said() -> None:
    part = sharpened(range(3, 4), target=COSTS, entropy=Shannon(), coefficient=10)["best_decoder"]
    assert part.brackets[3] is None
    assert "eta = 2 is proved, and about 2.564" in part.reasons[3]


@pytest.mark.slow
def test_a_coefficient_that_no_rate_goes_with_has_its_witness() -> None:
    parts = sharpened(range(2, 3), coefficient=1)
    part = parts["best_decoder"]
    assert part.brackets[2] is None
    assert part.impossible.keys() == {2}
    assert "no learning rate works" in part.reasons[2]
    assert part.witnesses[2]["distribution"] == ["1/2", "1/2"]
    over_algorithms = parts["any_algorithm"]
    assert over_algorithms.impossible.keys() == {2}
    assert "no algorithm has a finite regret" in over_algorithms.reasons[2]
    assert 2 in over_algorithms.witnesses
    assert all(part.certified for part in parts.values())


@pytest.mark.slow
def test_the_command_prints_one_document(tmp_path: Path) -> None:
    file = tmp_path / "multilabel.py"
    file.write_text(FILE)
    result = CliRunner().invoke(main, ["sharpen", str(file), "--classes", "2-3", "--json", "--no-cache"])
    assert result.exit_code == 0, result.output
    (found,) = json.loads(result.stdout)["theorems"]
    assert found["best_decoder"]["learning_rate"] == {
        "closed_form": "1/2",
        "proved_for_every_d": "1/2",
        "d": {n: ["1/2", found["best_decoder"]["learning_rate"]["d"][n][1]] for n in ("2", "3")},
    }
    assert found["frontier"]["regret"]["closed_form"] == "8/d"
    assert found["given_gap_map"] is found["best_gap_map"] is None
    assert found["any_algorithm"]["regret"] == {
        "closed_form": "4/d",
        "proved_for_every_d": "4/d",
        "d": {
            "2": [found["any_algorithm"]["regret"]["d"]["2"][0], "2"],
            "3": [found["any_algorithm"]["regret"]["d"]["3"][0], "4/3"],
        },
    }


@pytest.mark.parametrize(("name", "value"), [("--classes", "1-3"), ("--only", "another")])
def test_what_cannot_be_sharpened_is_an_input_error(tmp_path: Path, name: str, value: str) -> None:
    file = tmp_path / "multilabel.py"
    file.write_text(FILE)
    assert CliRunner().invoke(main, ["sharpen", str(file), name, value]).exit_code == 2


@pytest.mark.slow
def test_cubes_have_what_they_need_in_general_and_size_by_size() -> None:
    found = sharpened(range(1, 4), outputs=Cube(), target=Hamming(), coefficient=9 / d)["best_decoder"]
    closed = found.closed_form
    assert closed is not None
    assert all(b is not None and b[0] == Fraction(str(closed.subs(d, n))) for n, b in found.brackets.items())


@pytest.mark.slow
def test_what_is_proved_for_every_size_is_written_as_a_theorem_file(tmp_path: Path) -> None:
    file, written = tmp_path / "multilabel.py", tmp_path / "written.py"
    file.write_text(FILE)
    done = CliRunner().invoke(main, ["sharpen", str(file), "--classes", "2", "--write", str(written)])
    assert done.exit_code == 0, done.output
    found = [s.item for s in load(written)]
    assert [(one.learning_rate, one.coefficient, one.regret) for one in found] == [
        (HALF, 8 / d, 8 / d),
        (Rational(1, 4), 16 / (3 * d), 32 / (3 * d)),
        (HALF, 8 / d, 8 / d),
    ]
    checked = CliRunner().invoke(main, ["check", str(written)])
    assert checked.exit_code == 0, checked.output


@pytest.mark.parametrize(
    "value",
    [
        Finite([[0, 1], [HALF, 2]]),
        COSTS,
        Convolutional(Tsallis(Rational(3, 2))),
        Quadratic([[1, HALF], [HALF, 1]]),
        Separable(v**2 / 3 + v**3),
    ],
)
def test_parts_are_written_so_that_they_are_read_again(value: Any) -> None:
    assert eval(_constructed(value), {"S": S, "v": v} | vars(structured)) == value  # noqa: S307


def test_brackets_are_rational_whatever_the_coefficient() -> None:
    """Rounded outwards, by little: what is read as fractions must not hold a root, nor promise more than is known."""
    alpha = 3 / (4 - 2 * sp.sqrt(2))
    entmax = StructuredTheorem(
        name="1.5-entmax", outputs=Classes(), target=ZeroOne(), entropy=Tsallis(Rational(3, 2)),
        learning_rate=HALF, coefficient=alpha,
    )  # fmt: skip
    rates = Fraction(1937, 2480), Fraction(849, 1087)
    part = Part("best_decoder", brackets={2: rates, 3: None})
    shown = document(SharpenedStructured(Path("mine.py"), entmax, [part]))["best_decoder"]["regret"]["K"]
    low, high = map(Fraction, shown["2"])
    assert (
        float(low)
        < float(alpha / (2 * sp.Rational(rates[1])))
        < float(alpha / (2 * sp.Rational(rates[0])))
        < float(high)
    )
    assert high / low - 1 < Fraction(1, 10**5)
    assert shown["3"] is None
    rational = document(SharpenedStructured(Path("mine.py"), replace(entmax, coefficient=sp.Integer(4)), [part]))
    assert list(map(Fraction, rational["best_decoder"]["regret"]["K"]["2"])) == [2 / rates[1], 2 / rates[0]]
