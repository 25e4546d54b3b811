"""The optimum over all algorithms of structured theorems: closed forms, second routes by hand, and attacks."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.optimize import linprog, minimize
from sympy import Rational, cancel, log

from gaptron import StructuredTheorem
from gaptron.checking.cache import Cache
from gaptron.commands.attack import attack
from gaptron.constants.engine import Engine
from gaptron.constants.structured_constants import Part, critical, sharpen_structured
from gaptron.prove.forced import forced, ratio, stream
from gaptron.symbols import d
from gaptron.theory.structured import (
    BinaryEntropy,
    Classes,
    Convolutional,
    Cost,
    Cube,
    Hamming,
    Ordinal,
    Shannon,
    SquaredNorm,
    ZeroOne,
)

COSTS = Cost([[0, 1, 3], [2, 0, 1], [1, 1, 0]])
SPARSE: dict[str, Any] = {"outputs": Classes(), "target": ZeroOne(), "entropy": SquaredNorm(), "coefficient": 4}
SOFT = SPARSE | {"entropy": Shannon(), "scale": 1 / log(2), "coefficient": 1}
CUBE = SPARSE | {"outputs": Cube(), "target": Hamming(), "coefficient": 8 / d}
LOGISTICS = CUBE | {"entropy": BinaryEntropy(), "scale": 1 / log(2), "coefficient": 1 / d}
OPTIMUM = Fraction(18645264, 10**8)  # of the logistic loss in base 2


def optimum(sizes: list[int], **arguments: Any) -> Part:
    theorem = StructuredTheorem(name="example", **arguments)
    parts: list[Part] = []
    sharpen_structured(theorem, sizes, Engine(20, 2, Cache(None, lambda _: None)), parts, ("any_algorithm",))
    return parts[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "closed"),
    [
        (SPARSE, 2),  # A/(A - 2), A = 4
        (SPARSE | {"coefficient": 3}, 3),
        (CUBE, 4 / d),  # 2 A/(A - 4)/d, A = 8
    ],
)
def test_squared_norms_have_closed_forms(arguments: dict[str, Any], closed: Any) -> None:
    found = optimum([2, 3], **arguments)
    assert cancel(found.closed_form - closed) == 0
    for size, bracket in found.brackets.items():
        value = Fraction(str(cancel(Rational(1) * closed).subs(d, size)))
        assert bracket is not None
        assert bracket[0] < value == bracket[1] < bracket[0] * (1 + Fraction(1, 10**6))


@pytest.mark.slow
def test_logistic_losses_have_that_of_the_softmax_loss() -> None:
    classes, coordinates = optimum([3], **SOFT).brackets[3], optimum([3], **LOGISTICS).brackets[3]
    assert classes is not None
    assert coordinates is not None
    assert classes[0] < OPTIMUM < classes[1] < classes[0] * (1 + Fraction(1, 10**6))
    assert coordinates[0] < OPTIMUM / 6 < coordinates[1] < coordinates[0] * (1 + Fraction(1, 10**6))


@pytest.mark.slow
def test_elsewhere_an_adversary_and_proximal_updates_bound_it() -> None:
    for arguments, size in ((SPARSE | {"target": COSTS, "coefficient": 8}, 3), (CUBE | {"outputs": Ordinal()}, 3)):
        bracket = optimum([size], **arguments).brackets[size]
        assert bracket is not None
        assert bracket[0] < bracket[1] <= 2 * bracket[0] * (1 + Fraction(1, 10**6))


def test_where_nothing_is_known_the_reason_is_said() -> None:
    found = optimum([3], **SPARSE | {"entropy": Convolutional(SquaredNorm())})
    assert found.brackets == {3: None}
    assert found.reasons[3] == "no exact bounds on the losses of convolutional entropies are known"


# --- second routes: nothing here uses the reductions ---------------------------------------------------------------


def sparsemax(theta: np.ndarray, label: int) -> tuple[float, np.ndarray]:
    """The loss and its gradient, by the projection onto the simplex."""
    ordered = np.sort(theta)[::-1]
    over = (np.cumsum(ordered) - 1) / np.arange(1, len(theta) + 1)
    mean = np.maximum(theta - over[ordered > over][-1], 0)
    unit = np.eye(len(theta))[label]
    return float(theta @ mean - mean @ mean / 2 + 1 / 2 - theta[label]), mean - unit


def excess(theta: np.ndarray, alpha: float, regret: float) -> float:
    """By how much every decoder exceeds alpha e_y(theta), e_y with c = regret/alpha: a linear program."""
    K, c = len(theta), regret / alpha
    allowed = []
    for label in range(K):

        def both(delta: np.ndarray, label: int = label) -> tuple[float, np.ndarray]:
            loss, slope = sparsemax(theta + delta, label)
            return loss + c * float(delta @ delta), slope + 2 * c * delta

        allowed.append(alpha * minimize(both, np.zeros(K), jac=True, method="BFGS", options={"gtol": 1e-10}).fun)
    rows = np.hstack([1 - np.eye(K), -np.ones((K, 1))])
    total = np.append(np.ones(K), 0.0)[None]
    bounds = [(0, None)] * K + [(None, None)]
    return float(linprog(np.eye(K + 1)[-1], A_ub=rows, b_ub=allowed, A_eq=total, b_eq=[1], bounds=bounds).fun)


@pytest.mark.parametrize("K", [2, 3, 4])
def test_linear_programs_find_decoders_above_the_optimum_of_sparsemax_and_none_below(K: int) -> None:
    rng = np.random.default_rng(K)
    for theta in (*rng.normal(size=(8, K)), *(0.3 * rng.normal(size=(8, K))), np.zeros(K)):
        assert excess(theta, 4, 2 * (1 + 1e-4)) <= 1e-7
    assert excess(np.zeros(K), 4, 2 * (1 - 1e-3)) > 1e-5  # all labels alike bind


@pytest.mark.few(1)
@pytest.mark.parametrize(("arguments", "size", "value"), [(SPARSE, 4, 2), (CUBE, 2, 2), (SPARSE, 2, 2)])
def test_an_adversary_forces_nearly_the_optimum(arguments: dict[str, Any], size: int, value: int) -> None:
    theorem = StructuredTheorem(name="example", learning_rate=1, **arguments)
    most = max((forced(theorem, w) for w in critical(theorem, size)), key=lambda one: one.regret)  # type: ignore[union-attr,return-value]
    assert most is not None
    assert value * (1 - Fraction(1, 10**6)) < most.regret <= value
    made = stream(theorem, most)
    stated = theorem.coefficient.subs(d, size) / 2
    assert abs(float(ratio(theorem, made)) - value / float(stated)) < 3e-3


# --- the verb -----------------------------------------------------------------------------------------------------

FILE = """
from sympy import Rational
from gaptron import StructuredTheorem
from gaptron.structured import Classes, Convolutional, PermutationMatrices, SquaredNorm, ZeroOne

usual = {"outputs": Classes(), "target": ZeroOne(), "entropy": SquaredNorm(), "coefficient": 4}
true = StructuredTheorem(name="true", learning_rate=Rational(1, 2), **usual)
false = StructuredTheorem(name="false", learning_rate=Rational(101, 100), **usual)
silent = StructuredTheorem(name="silent", **usual)
folded = StructuredTheorem(name="folded", learning_rate=1, **usual | {"entropy": Convolutional(SquaredNorm())})
"""


def invoke(*arguments: object) -> Any:
    return CliRunner().invoke(attack, [str(argument) for argument in arguments])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    return path


def test_a_regret_that_nobody_attains_is_refuted_and_replayed(file: Path) -> None:
    saved = file.parent / "saved.json"
    found = invoke(file, "--only", "false", "--classes", 3, "--save", saved)
    assert found.exit_code == 1, found.output
    assert "REFUTED   false: K = 3" in found.output
    assert "for every algorithm (independent outputs)" in found.output
    again = invoke(file, "--replay", saved)
    assert again.exit_code == 1, again.output
    assert "REFUTED   false" in again.output


def test_a_true_theorem_is_not_refuted(file: Path) -> None:
    found = invoke(file, "--only", "true", "--classes", 2, "--json")
    assert found.exit_code == 3
    (row,) = json.loads(found.stdout)["attacks"]
    assert row["verdict"] == "UNDECIDED"
    assert float(row["ratio"][0]) == pytest.approx(0.5, abs=2e-3)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"T": 10**9}, "is not what is computed"),
        ({"K": 99}, "K = 99 is not a size that is attacked"),
        ({"T": 0}, "T = 0 is not a number of rounds"),
        ({"stream": []}, "stream is not a list of 1 to 9 outputs"),
        ({"eps": "0"}, ""),
        ({"eps": "1"}, "scores or eps are not those of a stream"),
        ({"statement": {}}, "the theorem says something else than the witness"),
        ({"mistakes": "1"}, "its mistakes is not what is computed"),
    ],
)
def test_a_witness_that_lies_is_refused(file: Path, change: dict[str, Any], message: str) -> None:
    saved = file.parent / "saved.json"
    assert invoke(file, "--only", "true", "--classes", 2, "--save", saved).exit_code == 3
    document = json.loads(saved.read_text())
    document["attacks"][0] |= change
    saved.write_text(json.dumps(document))
    done = invoke(file, "--replay", saved)
    assert done.exit_code == 2, done.output
    assert message in done.output


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("silent", "it states neither regret nor learning_rate"),
        ("folded", "no exact bounds on the losses of convolutional entropies are known"),
    ],
)
def test_what_is_not_attacked_says_why(file: Path, name: str, message: str) -> None:
    done = invoke(file, "--only", name)
    assert done.exit_code == 2
    assert f'theorem "{name}" is not attacked: {message}' in done.output
